"""Installs MicroPython and the board's program on a board."""
