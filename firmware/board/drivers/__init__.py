"""Drivers, one file a chip: registers and pins, no game, no wire."""
