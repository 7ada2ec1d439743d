"""A companion for a real table: it watches a tabletop game, checks claims and scores the end."""

__version__ = "0.1.0"
DISTRIBUTION = "tabletop-companion"
"""Name of the distribution: `companion` is a stranger's in the registry."""
