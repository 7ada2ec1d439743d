"""Notation of Sleeping Queens 2: states and actions as text.

docs/notation-sleeping-queens-2.md describes it.
"""
