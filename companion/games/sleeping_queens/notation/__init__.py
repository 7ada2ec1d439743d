"""Notation of Sleeping Queens: states and actions as text.

docs/notation-sleeping-queens.md describes it.
"""
