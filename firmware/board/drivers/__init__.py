"""Drivers, one file per chip: registers and pins, no game, no wire."""
