"""Hints for one player of Sleeping Queens 2, from open cards."""
