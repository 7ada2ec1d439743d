"""Journals: written, read, replayed, recorded with pictures and bytes."""
