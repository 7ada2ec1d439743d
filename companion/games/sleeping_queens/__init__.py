"""Sleeping Queens: so far its cards and their stickers."""
