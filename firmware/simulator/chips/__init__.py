"""Models of chips: registers and pins of the real parts, their physics, and their faults.

Written in the MicroPython subset, so that CPython and MicroPython use the same models. Time is a `ModelTime`
that the hardware layer advances; chance is a seeded `Chance`.
"""
