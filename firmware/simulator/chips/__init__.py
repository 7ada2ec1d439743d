"""Chips as models: the registers and pins of the real parts, their physics, and their ways to misbehave.

Written in the MicroPython subset, so that the same models stand behind the board's code everywhere.
Time is a `ModelTime` that the hardware layer moves on; chance is a seeded `Chance`.
"""
