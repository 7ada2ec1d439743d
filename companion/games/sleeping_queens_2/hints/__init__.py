"""Hints for one player of Sleeping Queens 2, made from what lies open on the table."""
