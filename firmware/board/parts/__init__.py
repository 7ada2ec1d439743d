# mypy: ignore-errors
"""The sensing parts of a rig: each drives one chip, feels one kind of thing, and tells the app.

A part has `name`, `serves` [(station number, capability)], `start()` -> whether it is there, `tick()` ->
microseconds until it wants to run again, and `selftest()` -> (ok, numbers as text, at most 120 characters).
OSError or False means: missing, try later.
"""

from firmware.board.parts.wiring import build as build
