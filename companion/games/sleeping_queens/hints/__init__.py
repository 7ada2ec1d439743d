"""Hints for one player of Sleeping Queens, from that player's knowledge."""
