"""Model of an HX711 on a load cell: 10 conversions a second, read by 25 pulses."""

from math import exp

from firmware.simulator.chips.model_time import Chance, ModelTime

PERIOD_US = 100000
"""Time (us) between two conversions, 10 a second (data sheet, RATE low)."""
SLEEP_US = 60
"""Time (us) of SCK high after which the chip sleeps (data sheet, figure 3)."""
SETTLING = 4
"""Conversions before the first result after a reset: 400 ms (data sheet)."""
UPDATE_US = 30
"""Time (us) for which DOUT is high while a new result replaces an old one. A guess, seen on scopes as a
spike."""
LOWEST, HIGHEST = -0x800000, 0x7FFFFF
CREEP_S = 300.0
"""Time constant (s) of creep: data sheets specify it over 5 to 30 minutes."""
CREEP_FROM_G = 300.0
"""Load (g) of a full station, from which creep is complete; below, creep is proportional to the load.

A guess: data sheets state full load alone.
"""


class LoadCell:
    """Load cell of 1 mV/V, a bending bar.

    Figures from data sheets of common bars.

    `counts_per_gram` is 1 mV/V of 2^23 counts at gain 128, whatever the supply. `creep_g` (g) is how far a
    resting load seems to grow, at most 0.05 % of full load.
    """

    def __init__(self, counts_per_gram: float, creep_g: float) -> None:
        self.counts_per_gram = counts_per_gram
        self.creep_g = creep_g


ONE_KG = LoadCell(2100, 0.4)
FIVE_KG = LoadCell(420, 2.0)
CHIP_NOISE_COUNTS = 30.0
"""Noise (counts, sigma) of converter and wires at gain 128.
The data sheet gives 50 nV, at 3.3 V."""


class Hx711Model:
    """HX711 with its load cell. Set `grams` to load it.

    Faults: `sigma` and `drift` (g), `noise_counts`, `dead`, `reversed` (upside down, or A+ and A- swapped) and
    `wire`. `creep_g` is that of `LoadCell`, `period_us` the time between conversions by this chip's own
    oscillator.

    `wire` is one of

      "" for a whole cell
      "high", "low" for an input at the end of the range
      "stuck" for a constant without noise
      "zero" for 0 or -1
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
        """Set the shared clock line SCK (0 or 1).

        `level`: its level. Each rising edge shifts out a bit of the waiting result. High for longer than
        SLEEP_US puts the chip to sleep.
        """
        if level == self._clock:
            return
        now = self.time.us
        asleep = self._asleep(now)
        self._clock = level
        if not level:
            if asleep:
                # A falling clock wakes the chip, as after power-on.
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
            # 25 pulses choose channel A at gain 128 for the next conversion, 26 channel B, 27 gain 64 (data
            # sheet).
            self._gain_share = (1.0, 0.0, 0.5)[min(self._pulses - 25, 2)]

    def value(self) -> int:
        """Level of the data line DOUT: 0 while a result waits, the present bit during a read, else 1."""
        now = self.time.us
        if self.dead or self._asleep(now):
            return 1
        self._convert(now)
        if 0 < self._pulses <= 24:
            return self._dout
        return 0 if self._ready and now >= self._updated_us + UPDATE_US else 1

    def _asleep(self, now: int) -> bool:
        """Whether the clock line has been high for longer than SLEEP_US at `now` (us)."""
        return bool(self._clock) and now - self._high_since > SLEEP_US

    def _convert(self, now: int) -> None:
        """Replace the result after each conversion due by `now` (us).

        A replacement during a read garbles it, as in the real chip.
        """
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
        """Result of a conversion now (counts), with noise and faults."""
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
        """Apparent load (g) from creep up to `now` (us)."""
        if not self.creep_g:
            return 0.0
        end = self.creep_g * min(1.0, self.grams / CREEP_FROM_G)
        self._crept += (end - self._crept) * (1.0 - exp((self._crept_us - now) / (CREEP_S * 1e6)))
        self._crept_us = now
        return self._crept
