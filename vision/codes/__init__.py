"""Stickers and markers: what they are and how they are read."""
