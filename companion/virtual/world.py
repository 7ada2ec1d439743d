"""The physical world of the virtual table: things that lie somewhere, and a hand; no game."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

Point = tuple[float, float]
"""Millimetres on the mat."""

UP, DOWN, EDGE = "up", "down", "edge"
"""How a thing lies: face up, face down, or on its edge, so that only a strip is seen from above."""


@dataclass(frozen=True, slots=True)
class Thing:
    """One card, tile or token: catalogue code, centre in mm, angle in degrees clockwise, side, height.

    `z` orders what overlaps. `glare`: a reflection hides its sticker.
    """

    code: str
    x: float
    y: float
    angle: float = 0.0
    side: str = UP
    z: int = 0
    glare: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """A thing in a hand: code, side, offset from the fingertips in mm, angle."""

    code: str
    side: str = DOWN
    dx: float = 0.0
    dy: float = 0.0
    angle: float = 0.0


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand over the table on its way from `start` at `t0` (s) to `end` at `t1` (s). The arm comes from
    `anchor`."""

    player: int
    anchor: Point
    start: Point
    end: Point
    t0: float
    t1: float
    held: tuple[Held, ...] = ()
    left: bool = False
    """Whether it is a left hand, which has its thumb on the right."""

    def at(self, t: float) -> Point:
        """Position of the palm at time `t` (s). It starts and stops gently."""
        if t >= self.t1:
            return self.end
        share = max(0.0, (t - self.t0) / (self.t1 - self.t0))
        share = share * share * (3 - 2 * share)
        return (
            self.start[0] + share * (self.end[0] - self.start[0]),
            self.start[1] + share * (self.end[1] - self.start[1]),
        )

    def still(self, t: float) -> bool:
        """Whether it has arrived at time `t` (s)."""
        return t >= self.t1


@dataclass(slots=True)
class World:
    """The things on the table and the hand above them."""

    hand: Hand | None = None
    version: int = 0
    """Counts the changes of the table."""
    _things: dict[str, Thing] = field(default_factory=dict)
    _height: int = 0

    @property
    def things(self) -> Mapping[str, Thing]:
        """Every thing on the table by its code."""
        return MappingProxyType(self._things)

    def put(self, code: str, at: Point, angle: float = 0.0, side: str = UP, *, glare: bool = False) -> None:
        """Lay a thing on top of what is there. A thing that lay elsewhere moves."""
        self._height += 1
        self._things[code] = Thing(code, at[0], at[1], angle, side, self._height, glare)
        self.version += 1

    def turn(self, code: str, side: str) -> None:
        """Turn a thing over where it lies."""
        self._things[code] = replace(self._things[code], side=side)
        self.version += 1

    def fade(self, code: str) -> None:
        """Remove the reflection on a thing."""
        thing = self._things.get(code)
        if thing is not None and thing.glare:
            self._things[code] = replace(thing, glare=False)
            self.version += 1

    def take(self, code: str) -> Thing | None:
        """Take a thing off the table; None if it was not there."""
        found = self._things.pop(code, None)
        if found is not None:
            self.version += 1
        return found

    def lay_all(self, things: Mapping[str, Thing]) -> None:
        """Exactly these things lie there, as they did before; no reflection stays."""
        self._things = {code: replace(thing, glare=False) for code, thing in things.items()}
        self._height = max([self._height, *(thing.z for thing in things.values())])
        self.version += 1

    def clear(self) -> None:
        """An empty table."""
        self._things.clear()
        self.hand = None
        self.version += 1
