# mypy: ignore-errors
"""Live values: the raw level of each sensor in turn, while a host asks for them."""

import struct

from firmware.wire import codec
from firmware.wire.hot_loops import const

_EVERY_US = const(10000)  # between two levels: a rig of 20 sensors sends each five times a second


class LiveLevels:
    """Sender of raw levels, one sensor each turn while `on`.

    A part's `level(n)` is that of its nth sensor, in the order of `serves`, or None while unknown. It is
    (value, baseline, threshold, noise in 256ths, detail, counter of readings).
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
        """Send levels for the next `seconds` (0 to 255); 0 stops."""
        self.on = seconds > 0
        self._since = self._last = self.app.hal.ticks_us()
        self._for_us = seconds * 1000000

    def step(self):
        """Send the level of the next sensor if it is due."""
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
