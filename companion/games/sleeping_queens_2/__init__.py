"""Sleeping Queens 2, The Rescue: so far its cards and their stickers."""
