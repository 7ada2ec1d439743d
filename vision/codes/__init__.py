"""Stickers and markers: how they are drawn and read."""
