"""HX711 on a load cell: conversions at 10 a second, 24 bits out by 25 clock pulses."""

from firmware.simulator.chips.model_time import Chance, ModelTime

PERIOD_US = 100000
SLEEP_US = 60


class Hx711Model:
    """One converter. Set `grams`. Faults: `sigma` and `drift` (grams), `dead`, `saturated`.

    `saturated`: a wire of the bridge is broken, and every conversion reads the end of the range.
    """

    def __init__(self, time: ModelTime, chance: Chance, counts_per_gram: float, phase_us: int) -> None:
        self.time = time
        self.chance = chance
        self.counts_per_gram = counts_per_gram
        self.grams = 0.0
        self.offset = 81234
        self.sigma = 0.0
        self.drift = 0.0
        self.dead = False
        self.saturated = False
        self._next_us = time.us + phase_us
        self._ready = False
        self._value = 0
        self._pulses = 0
        self._dout = 1
        self._clock = 0
        self._high_since = 0

    def clock(self, level: int) -> None:
        """The shared SCK line changed."""
        if level == self._clock:
            return
        self._clock = level
        now = self.time.us
        if level:
            self._high_since = now
            self._convert(now)
            if self._ready:
                self._pulses += 1
                if self._pulses <= 24:
                    self._dout = self._value >> (24 - self._pulses) & 1
                else:
                    self._dout = 1
                    self._ready = False
                    self._pulses = 0
        elif now - self._high_since > SLEEP_US:
            # It fell asleep. A falling clock wakes it, with a settling time of four conversions.
            self._ready = False
            self._pulses = 0
            self._next_us = now + 4 * PERIOD_US

    def value(self) -> int:
        """The level of DOUT; low while a result waits."""
        if self.dead:
            return 1
        if self._pulses:
            return self._dout
        self._convert(self.time.us)
        return 0 if self._ready else 1

    def _convert(self, now: int) -> None:
        if now < self._next_us or self._pulses:
            return
        self._next_us += ((now - self._next_us) // PERIOD_US + 1) * PERIOD_US
        self._ready = True
        noise = self.chance.normal() * self.sigma if self.sigma else 0.0
        counts = int(self.offset + (self.grams + self.drift + noise) * self.counts_per_gram)
        if self.saturated:
            counts = 0x7FFFFF
        self._value = max(-0x800000, min(0x7FFFFF, counts)) & 0xFFFFFF
