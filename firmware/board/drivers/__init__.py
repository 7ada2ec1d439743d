"""Drivers, one file a chip.

They know registers and pins, no game, no wire.
"""
