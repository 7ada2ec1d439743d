"""HX711 on a load cell: conversions at 10 a second, 24 bits out by 25 clock pulses."""

from math import exp

from firmware.simulator.chips.model_time import Chance, ModelTime

PERIOD_US = 100000
"""Time (us) between two conversions at 10 a second (data sheet, RATE low)."""
SLEEP_US = 60
"""SCK high for longer (us) puts the chip to sleep (data sheet, figure 3)."""
SETTLING = 4
"""Conversions until the first result after a reset: 400 ms at 10 a second (data sheet)."""
UPDATE_US = 30
"""Time (us) for which DOUT is high while a new result replaces an old one. A guess: seen on scopes as a
spike."""
LOWEST, HIGHEST = -0x800000, 0x7FFFFF
CREEP_S = 300.0
"""Time constant (s) of creep: cells are specified over 5 to 30 minutes."""
CREEP_FROM_G = 300.0
"""Load (g) at which creep is complete: a full station. A guess, as data sheets state full load alone."""


class LoadCell:
    """A bending bar of 1 mV/V: what it makes of grams. Figures are data sheets' of the common bars.

    `counts_per_gram`: 1 mV/V of 2^23 counts at gain 128, whatever the supply is. `creep_g` (g): how far a load
    that stays seems to grow; 0.05 % of full load at most.
    """

    def __init__(self, counts_per_gram: float, creep_g: float) -> None:
        self.counts_per_gram = counts_per_gram
        self.creep_g = creep_g


ONE_KG = LoadCell(2100, 0.4)
FIVE_KG = LoadCell(420, 2.0)
CHIP_NOISE_COUNTS = 30.0
"""Noise (counts, sigma) of the converter at gain 128: 50 nV of the data sheet at 3.3 V, and the cell's
wires."""
UNREGULATED_COUNTS = 400.0
"""Noise (counts, sigma) of a green module on 3.3 V, whose regulator is set to 4.29 V: a guess from reports."""


class Hx711Model:
    """One converter. Set `grams`. Faults: `sigma` and `drift` (grams), `noise_counts`, `reversed`, `wire`,
    `dead`.

    `wire` is "" for a whole cell, "high" or "low" for an input that runs to the end of the range, "stuck" for a
    constant without noise, "zero" for 0 or -1. `reversed`: the cell is upside down, or A+ and A- are swapped.
    `creep_g` is that of `LoadCell`, `period_us` the time between conversions of this chip's own oscillator.
    """

    def __init__(self, time: ModelTime, chance: Chance, counts_per_gram: float, phase_us: int) -> None:
        self.time = time
        self.chance = chance
        self.counts_per_gram = counts_per_gram
        self.grams = 0.0
        self.offset = 81234
        self.sigma = 0.0
        self.drift = 0.0
        self.noise_counts = CHIP_NOISE_COUNTS
        self.creep_g = 0.0
        self.reversed = False
        self.wire = ""
        self.dead = False
        self.period_us = PERIOD_US
        self._next_us = time.us + phase_us
        self._updated_us = -UPDATE_US
        self._ready = False
        self._value = 0
        self._pulses = 0
        self._dout = 1
        self._clock = 0
        self._high_since = 0
        self._gain_share = 1.0
        self._crept = 0.0
        self._crept_us = time.us

    def clock(self, level: int) -> None:
        """The shared SCK line changed."""
        if level == self._clock:
            return
        now = self.time.us
        asleep = self._asleep(now)
        self._clock = level
        if not level:
            if asleep:
                # A falling clock wakes it: as after power-on.
                self._ready = False
                self._pulses = 0
                self._dout = 1
                self._gain_share = 1.0
                self._next_us = now + SETTLING * self.period_us
            return
        self._high_since = now
        self._convert(now)
        if not self._ready and not self._pulses:
            return
        self._pulses += 1
        if self._pulses <= 24:
            self._dout = 1 if now < self._updated_us + UPDATE_US else self._value >> (24 - self._pulses) & 1
        else:
            self._dout = 1
            self._ready = False
            # 25 pulses choose channel A at gain 128 for the next conversion, 26 channel B, 27 gain 64.
            self._gain_share = (1.0, 0.0, 0.5)[min(self._pulses - 25, 2)]

    def value(self) -> int:
        """The level of DOUT; low while a result waits."""
        now = self.time.us
        if self.dead or self._asleep(now):
            return 1
        self._convert(now)
        if 0 < self._pulses <= 24:
            return self._dout
        return 0 if self._ready and now >= self._updated_us + UPDATE_US else 1

    def _asleep(self, now: int) -> bool:
        return bool(self._clock) and now - self._high_since > SLEEP_US

    def _convert(self, now: int) -> None:
        """Replace the result when a conversion has ended: within a read, too, which garbles it."""
        if now < self._next_us:
            return
        missed = (now - self._next_us) // self.period_us
        self._updated_us = self._next_us + missed * self.period_us
        self._next_us = self._updated_us + self.period_us
        self._value = self._counts(now) & 0xFFFFFF
        if self._pulses >= 25:
            self._pulses = 0
        self._ready = True

    def _counts(self, now: int) -> int:
        if self.wire == "high":
            return HIGHEST
        if self.wire == "low":
            return LOWEST
        if self.wire == "zero":
            return -(self.chance.u32() & 1)
        if self.wire == "stuck":
            return self.offset
        load = self.grams + self.drift + self._creep(now)
        if self.sigma:
            load += self.chance.normal() * self.sigma
        counts = self.offset + (-load if self.reversed else load) * self.counts_per_gram * self._gain_share
        if self.noise_counts:
            counts += self.chance.normal() * self.noise_counts
        return max(LOWEST, min(HIGHEST, int(counts)))

    def _creep(self, now: int) -> float:
        if not self.creep_g:
            return 0.0
        end = self.creep_g * min(1.0, self.grams / CREEP_FROM_G)
        self._crept += (end - self._crept) * (1.0 - exp((self._crept_us - now) / (CREEP_S * 1e6)))
        self._crept_us = now
        return self._crept
