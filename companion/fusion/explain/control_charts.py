"""Control charts of one sensor: how often it misses what it should tell, and how a scale's line drifts.

Misses are counted with Page's cumulative sum test (Biometrika 41, 1954): it needs no fixed number of samples
and forgets a miss that stays alone.
"""

from dataclasses import dataclass
from math import log

LIMIT = 6.0
"""Nats by which failing must explain the signs better than the usual rate: two misses close together."""
ONE_MISS = LIMIT - 1
"""Nats that one miss counts at the most: one alone is bad luck, however seldom a good sensor misses."""
FEWEST, MANY = 8, 3
"""Signs from which on it can be told how often a sensor misses them, and misses that tell it before. Of cameras
that miss one sign in fifty one in two hundred is told within ten signs (five in a hundred with single misses
that count in full, and two signs); of those that miss every other sign nine in ten are told still."""
RECOVERED = 5
"""So many signs in a row and a sensor is trusted again."""
FORGET, TRUST = 0.93, 6.0
"""How much an older weighing counts against the next, and how many weighings the factory's line is worth."""
FULL = 4
"""Cards on a scale at which a scale's line has to be right."""


@dataclass(slots=True)
class MissTest:
    """Page's test of misses: `usual` is the rate of a good sensor, `bad` that of a failing one."""

    usual: float
    bad: float
    level: float = 0.0
    """How much better `bad` explains the last signs, in nats; never under 0."""
    samples: int = 0
    misses: int = 0
    row: int = 0
    """Signs in a row that were there."""

    def take(self, missed: bool) -> None:
        """One more sign, missed or not."""
        self.samples += 1
        self.misses += missed
        self.row = 0 if missed else self.row + 1
        step = log(self.bad / self.usual) if missed else log((1 - self.bad) / (1 - self.usual))
        step = min(step, ONE_MISS)
        self.level = 0.0 if self.row >= RECOVERED else max(0.0, self.level + step)

    @property
    def failing(self) -> bool:
        """Whether that is more than bad luck."""
        return self.level >= LIMIT

    @property
    def tells(self) -> bool:
        """Whether it fails, and there were signs enough to say so to people."""
        return self.failing and (self.samples >= FEWEST or self.misses >= MANY)


@dataclass(slots=True)
class ScaleLine:
    """What a scale shows against what it carries, as a line: least squares, old weighings forgotten."""

    weight: float = 2 * TRUST
    carried: float = FULL * TRUST
    squares: float = FULL * FULL * TRUST
    shown: float = FULL * TRUST
    products: float = FULL * FULL * TRUST
    samples: int = 0

    def take(self, carried: int, shown: float) -> None:
        """One weighing, both in cards."""
        self.weight = FORGET * self.weight + 1
        self.carried = FORGET * self.carried + carried
        self.squares = FORGET * self.squares + carried * carried
        self.shown = FORGET * self.shown + shown
        self.products = FORGET * self.products + carried * shown
        self.samples += 1

    def at(self, carried: int) -> float:
        """What it shows by now with so many cards on it."""
        spread = self.weight * self.squares - self.carried**2
        if spread <= 1e-9:
            return self.shown / self.weight
        unit = (self.weight * self.products - self.carried * self.shown) / spread
        return (self.shown - unit * self.carried) / self.weight + unit * carried
