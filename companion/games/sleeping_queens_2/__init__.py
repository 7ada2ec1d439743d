"""Sleeping Queens 2, The Rescue: rules, notation, players; its cards and their stickers, its mat."""
