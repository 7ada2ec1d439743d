"""The firmware's own version, reported in HELLO."""

VERSION = (0, 1, 0)
