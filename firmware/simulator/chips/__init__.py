"""Models of chips: registers and pins of the real parts, their physics, their faults.

MicroPython subset, so CPython and MicroPython run the same models. Time is a `ModelTime` that the hardware
layer advances. Chance is a seeded `Chance`.
"""
