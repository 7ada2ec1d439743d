"""The physical world of the virtual table: things that lie somewhere, and a hand; no game."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

Point = tuple[float, float]
"""Point on the mat: x, y in mm."""

UP, DOWN, EDGE = "up", "down", "edge"
"""Side of a thing that faces the camera: face, back, or edge (seen as a strip)."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Card, tile or token that lies on the table.

    `code`: catalogue code. `x`, `y`: centre (mm on the mat). `angle`: degrees clockwise. `side`: UP, DOWN or
    EDGE. Where things overlap, a greater `z` lies on top. `glare`: a reflection hides the sticker.
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
    """Thing that a hand holds.

    `code`: catalogue code. `side`: which faces the camera. `dx`, `dy`: its centre from the palm (mm). `angle`:
    degrees clockwise.
    """

    code: str
    side: str = DOWN
    dx: float = 0.0
    dy: float = 0.0
    angle: float = 0.0


@dataclass(frozen=True, slots=True)
class Hand:
    """Hand that moves over the table, from point to point.

    It is at `start` at time `t0`, at `end` at `t1` (s). Points are in mm on the mat. The arm comes from
    `anchor`. `player`: from 0. `held`: what the hand carries.
    """

    player: int
    anchor: Point
    start: Point
    end: Point
    t0: float
    t1: float
    held: tuple[Held, ...] = ()
    left: bool = False
    """True for a left hand, which has its thumb on the right."""

    def at(self, t: float) -> Point:
        """Position (mm) of the palm at time `t` (s); it starts and stops gently."""
        if t >= self.t1:
            return self.end
        share = max(0.0, (t - self.t0) / (self.t1 - self.t0))
        share = share * share * (3 - 2 * share)
        return (
            self.start[0] + share * (self.end[0] - self.start[0]),
            self.start[1] + share * (self.end[1] - self.start[1]),
        )

    def still(self, t: float) -> bool:
        """True if the hand has arrived by time `t` (s)."""
        return t >= self.t1


@dataclass(slots=True)
class World:
    """Things on the table and the hand above them; no game."""

    hand: Hand | None = None
    version: int = 0
    """Counter that each change of the things on the table raises."""
    _things: dict[str, Thing] = field(default_factory=dict)
    _height: int = 0

    @property
    def things(self) -> Mapping[str, Thing]:
        """Read-only view of all things: catalogue code -> thing."""
        return MappingProxyType(self._things)

    def put(self, code: str, at: Point, angle: float = 0.0, side: str = UP, *, glare: bool = False) -> None:
        """Lay the thing `code` on top of all others.

        `at`: its centre (mm). If it lay elsewhere, it moves. `angle`: degrees clockwise.
        """
        self._height += 1
        self._things[code] = Thing(code, at[0], at[1], angle, side, self._height, glare)
        self.version += 1

    def turn(self, code: str, side: str) -> None:
        """Show another side (UP, DOWN or EDGE) of the thing `code` where it lies.

        KeyError if it is not on the table.
        """
        self._things[code] = replace(self._things[code], side=side)
        self.version += 1

    def fade(self, code: str) -> None:
        """Remove the reflection from the thing `code`, if it is on the table and has one."""
        thing = self._things.get(code)
        if thing is not None and thing.glare:
            self._things[code] = replace(thing, glare=False)
            self.version += 1

    def take(self, code: str) -> Thing | None:
        """Take the thing `code` off the table.

        None if it was not there.
        """
        found = self._things.pop(code, None)
        if found is not None:
            self.version += 1
        return found

    def lay_all(self, things: Mapping[str, Thing]) -> None:
        """Replace everything on the table by `things` (code -> thing).

        Each keeps its position and `z`, but no reflection.
        """
        self._things = {code: replace(thing, glare=False) for code, thing in things.items()}
        self._height = max([self._height, *(thing.z for thing in things.values())])
        self.version += 1

    def show_deck(self, at: Point, shown: int, most: int) -> None:
        """Show a face-down deck at `at` as `shown` cards of at most `most`: the top card and edges below."""
        x, y = at
        for layer in range(most):
            code = f"deck {layer}"
            if layer >= shown:
                self.take(code)
            elif code not in self._things:
                self.put(code, (x + 0.5 * layer, y - 0.7 * layer), 0.3 * layer, DOWN)

    def clear(self) -> None:
        """Remove every thing (card, token, ...) and the hand from the virtual table."""
        self._things.clear()
        self.hand = None
        self.version += 1
