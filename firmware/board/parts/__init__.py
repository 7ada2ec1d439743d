# mypy: ignore-errors
"""Sensing parts of a rig: each drives one chip and reports to the app.

A part has a `name`, and `serves`, a list of (station number, capability bit).

`start()` returns True if the chip is there. With False or OSError the part is missing, and the app tries again
later. `tick()` returns the time (us) until it is due again. `level(n)` is the raw level of the nth sensor
(`live_levels`). `selftest()` returns (True if sound, numbers as text of at most 120 characters).
"""

from firmware.board.parts.wiring import build as build
