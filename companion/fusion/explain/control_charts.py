"""Control charts of one sensor: how often it misses what it should tell, and how a scale's line drifts.

Misses are counted with Page's cumulative sum test (Biometrika 41, 1954): it needs no fixed number of samples
and forgets a miss that stays alone.
"""

from dataclasses import dataclass
from math import log

from companion.fusion.parameters.health import MISSES


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
        step = min(step, MISSES.one_miss)
        self.level = 0.0 if self.row >= MISSES.recovered else max(0.0, self.level + step)

    @property
    def failing(self) -> bool:
        """Whether that is more than bad luck."""
        return self.level >= MISSES.limit

    @property
    def tells(self) -> bool:
        """Whether it fails, and there were signs enough to say so to people."""
        return self.failing and (self.samples >= MISSES.fewest or self.misses >= MISSES.many)


@dataclass(slots=True)
class ScaleLine:
    """What a scale shows against what it carries, as a line: least squares, old weighings forgotten."""

    weight: float = 2 * MISSES.trust
    carried: float = MISSES.full * MISSES.trust
    squares: float = MISSES.full * MISSES.full * MISSES.trust
    shown: float = MISSES.full * MISSES.trust
    products: float = MISSES.full * MISSES.full * MISSES.trust
    samples: int = 0

    def take(self, carried: int, shown: float) -> None:
        """One weighing, both in cards."""
        self.weight = MISSES.forget * self.weight + 1
        self.carried = MISSES.forget * self.carried + carried
        self.squares = MISSES.forget * self.squares + carried * carried
        self.shown = MISSES.forget * self.shown + shown
        self.products = MISSES.forget * self.products + carried * shown
        self.samples += 1

    def at(self, carried: int) -> float:
        """What it shows by now with so many cards on it."""
        spread = self.weight * self.squares - self.carried**2
        if spread <= 1e-9:
            return self.shown / self.weight
        unit = (self.weight * self.products - self.carried * self.shown) / spread
        return (self.shown - unit * self.carried) / self.weight + unit * carried
