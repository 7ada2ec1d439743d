"""Version of the board's program, reported in HELLO."""

VERSION = (0, 1, 0)
