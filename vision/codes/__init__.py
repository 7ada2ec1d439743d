"""Stickers and markers: how they are made and read."""
