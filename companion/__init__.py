"""A companion for a real table: it watches a tabletop game, checks claims and scores the end."""
