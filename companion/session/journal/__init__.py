"""Journals of games and recordings: written, read, replayed, packed."""
