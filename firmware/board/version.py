"""The firmware's version, reported in HELLO."""

VERSION = (0, 1, 0)
