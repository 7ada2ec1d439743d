# mypy: ignore-errors
"""The sensing parts of a rig. Each drives one chip, measures one kind of thing, and reports to the app.

A part has `name`; `serves` [(station number, capability)]; `start()` -> whether it is there; `tick()` ->
microseconds until it is due again; and `selftest()` -> (ok, numbers as text, at most 120 characters). OSError
or False means that it is missing and is tried again later.
"""

from firmware.board.parts.wiring import build as build
