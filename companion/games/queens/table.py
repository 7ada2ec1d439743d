"""The table of both Sleeping Queens games: sizes of cards, colours of numbers."""

CARD = CARD_W, CARD_H = 57.0, 89.0
"""Width and height of a card (mm): poker size, upright."""
CELL_W = 76.0
"""Width (mm) reserved for a card lying alone."""
COLOURS = ("orange", "amber", "yellow", "green", "teal", "blue", "indigo", "violet", "pink", "red")
"""Printed colours of the number cards 1 to 10, in order."""
