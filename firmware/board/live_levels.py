# mypy: ignore-errors
"""Live values: the raw level of every sensor, one after the other, while a host wants to see them."""

import struct

from firmware.wire import codec
from firmware.wire.hot_loops import const

_EVERY_US = const(10000)  # between two sensors: a rig of twenty is told five times a second


class LiveLevels:
    """Sends a level of one sensor in each turn. Costs nothing while nobody watches.

    A part has `level(n)` for its nth sensor, in the order of `serves`: value, baseline, threshold, noise in
    256ths, a detail, and a counter of readings; None while nothing is known. `on` says whether somebody
    watches.
    """

    def __init__(self, app):
        self.app = app
        self.on = False
        self._since = 0
        self._for_us = 0
        self._last = 0
        self._part = 0
        self._sensor = 0

    def wanted(self, seconds):
        """Tell levels for so many seconds from now on; 0 ends it."""
        self.on = seconds > 0
        self._since = self._last = self.app.hal.ticks_us()
        self._for_us = seconds * 1000000

    def step(self):
        """Send the level of the next sensor when it is due."""
        hal = self.app.hal
        if hal.since_us(self._since) >= self._for_us:
            self.on = False
        elif hal.since_us(self._last) >= _EVERY_US:
            self._last = hal.ticks_us()
            self._tell()

    def _tell(self):
        parts = self.app.parts
        if not parts:
            return
        part = parts[self._part % len(parts)]
        if self._sensor < len(part.serves) and self.app.answers(self._part):
            station, cap = part.serves[self._sensor]
            level = part.level(self._sensor)
            if level is not None:
                data = struct.pack("<Biiiiih", cap, *level)
                self.app.uplink.sample(codec.SAMPLE_LEVEL, station, b"", data)
        self._sensor += 1
        if self._sensor >= len(part.serves):
            self._sensor = 0
            self._part = (self._part + 1) % len(parts)
