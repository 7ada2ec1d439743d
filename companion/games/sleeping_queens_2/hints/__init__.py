"""Hints for one Sleeping Queens 2 player, from open cards."""
