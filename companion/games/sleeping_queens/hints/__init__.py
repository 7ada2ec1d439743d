"""Hints for one Sleeping Queens player, from that player's knowledge."""
