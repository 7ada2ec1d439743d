"""Puts the board's program onto a board."""
