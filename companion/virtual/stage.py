"""The stage: movements of hands and cards, from which games build their actions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

from companion.core.mat_geometry import Mat
from companion.games.api import PhysicalCard
from companion.virtual.arm_paths import arm_from, may_sweep, thumb_right
from companion.virtual.follower import Follower
from companion.virtual.rig.board_readings import Rig
from companion.virtual.rig.noise_profiles import Noise
from companion.virtual.world import DOWN, UP, Hand, Held, Point, Thing, World

Script = Iterator[float]
"""A movement: a generator that changes the world and yields the seconds until its next step."""

REST_FLOOR_S = 0.6
"""REST_FLOOR_S: least time (s) that cards rest in view at any speed: a camera has to see them."""
_MOVE_S, _MOVE_FLOOR_S = 0.28, 0.14
_GLARE_S = (0.5, 6.0)
_LOOK_UP_S = 0.1
"""_LOOK_UP_S: time (s) between two looks of players who wait for the companion."""
_AWAY_S = 0.12
"""_AWAY_S: time (s) from the hand's leaving the picture to the next thought."""
_LAID_BACK_S = 1.6
"""_LAID_BACK_S: time (s) that cards which were laid back rest before the game goes on: the scales have reported
by then. A guess."""
_SPREAD_MM, _SPREAD_DEG = 1.2, 2.0
GRIP = (22.0, 34.0)
"""GRIP: the near right corner, by which a card is held, in mm from its centre."""


class Stage:
    """The table, the rig and the pace. The movements of games are built from its methods.

    `now` is the time (s) of the current step. `pace` scales every duration that has no floor.
    """

    def __init__(
        self,
        world: World,
        rig: Rig,
        mat: Mat,
        noise: Noise,
        chance: Random,
        cards: tuple[PhysicalCard, ...],
        pace: float,
    ) -> None:
        self.world = world
        self.rig = rig
        self.mat = mat
        self.noise = noise
        self.chance = chance
        self.cards = cards
        self.pace = pace
        self.now = 0.0
        self.dealt_by_hand = False
        """Whether cards are dealt without being tapped on the pad."""
        self.settled = 0.0
        """Time (s) when the last hand left. Since then everything has lain still."""
        self.claimed = 0.0
        """Time (s) when a claim button was pressed last."""
        self.asked = False
        """Whether people wait for an answer to the companion's question before they turn cards up."""
        self.follower = Follower()
        """The engine that watches, for which everybody waits while it is behind."""
        self._around = mat.zone(rig.plan.reached) if rig.plan.reached else None
        self._glares: list[tuple[float, str]] = []

    def lasting(self, seconds: float, floor: float = 0.0) -> float:
        """`seconds` at the players' pace, but at least `floor`."""
        return max(floor, seconds * self.pace)

    def rest(self, seconds: float = REST_FLOOR_S, floor: float = REST_FLOOR_S) -> Script:
        """Nothing moves for this time, and until the engine that watches has followed."""
        yield self.lasting(seconds, floor)
        yield from self.until_followed()

    def until_followed(self) -> Script:
        """Nothing moves until the engine that watches has followed; see `Follower` for how long at most."""
        while self.follower.behind(self.now, self.settled):
            yield _LOOK_UP_S

    def reach(self, player: int, target: Point, held: Sequence[Held] = ()) -> Script:
        """Move the player's hand to the target: from outside the picture, or directly if nothing is in the
        way."""
        hand = self.world.hand
        if hand is not None and not may_sweep(self._around, hand.anchor, hand.at(self.now), target):
            self.grip(held)
            yield from self.withdraw()
            hand = None
        if hand is None:
            anchor = arm_from(self.mat, self._around, player, target)
            start = _outside(anchor, target, self.mat)
        else:
            anchor, start = hand.anchor, hand.at(self.now)
        left = hand.left if hand else thumb_right(self._around, anchor, target)
        yield from self._go(player, anchor, start, target, tuple(held), left)

    def withdraw(self) -> Script:
        """Move the hand out of the picture, with whatever it holds."""
        hand = self.world.hand
        if hand is None:
            return
        if self.noise.linger and self.chance.random() < 0.5:
            yield self.lasting(self.chance.uniform(0, self.noise.linger))
        here = hand.at(self.now)
        out = _outside(hand.anchor, here, self.mat)
        yield from self._go(hand.player, hand.anchor, here, out, hand.held, hand.left)
        self.world.hand = None
        self.settled = self.now
        yield _AWAY_S

    def grip(self, held: Sequence[Held]) -> None:
        """Set what the hand holds from now on."""
        hand = self.world.hand
        if hand is not None:
            self.world.hand = replace(hand, start=hand.at(self.now), t0=self.now, held=tuple(held))

    def lay(self, code: str, at: Point, angle: float = 0.0, side: str = UP, *, neat: float = 1.0) -> None:
        """Put a thing down with a person's inaccuracy. `neat` scales the deviation."""
        chance, noise = self.chance, self.noise
        spread = neat
        if side == UP and chance.random() < noise.askew:
            spread = 5.0 * neat
        x = at[0] + chance.uniform(-1, 1) * _SPREAD_MM * spread
        y = at[1] + chance.uniform(-1, 1) * _SPREAD_MM * spread
        turn = angle + chance.uniform(-1, 1) * _SPREAD_DEG * spread
        glare = side == UP and chance.random() < noise.glare
        self.world.put(code, (x, y), turn, side, glare=glare)
        if glare:
            self._glares.append((self.now + chance.uniform(*_GLARE_S), code))

    def fade(self) -> None:
        """End all reflections: somebody leans out of the light."""
        for due, code in self._glares:
            if due <= self.now:
                self.world.fade(code)
        self._glares = [entry for entry in self._glares if entry[0] > self.now]

    def lay_one(self, player: int, code: str, at: Point, side: str = UP, angle: float = 0.0) -> Script:
        """Bring one card, held by its near right corner, and lay it. The hand stays."""
        yield from self.reach(player, corner(at), (Held(code, side, -GRIP[0], -GRIP[1], angle),))
        self.grip(())
        self.lay(code, at, angle, side)
        yield self.lasting(0.12, 0.07)

    def gather(self, codes: Sequence[str], at: Point) -> Script:
        """The hand over `at` picks these up from the table and holds them face up."""
        yield self.lasting(0.15, 0.07)
        for code in codes:
            self.world.take(code)
        hand = self.world.hand
        kept = hand.held if hand else ()
        self.grip((*kept, *(Held(code, UP, (k - len(codes) / 2) * 6.0, -10.0) for k, code in enumerate(codes))))

    def pick_up(self, player: int, code: str, at: Point, side: str = DOWN) -> Script:
        """Reach for one thing and hold it."""
        yield from self.reach(player, at)
        self.world.take(code)
        self.grip((Held(code, side),))
        yield self.lasting(0.12, 0.07)

    def lay_back(self, player: int, things: Mapping[str, Thing], loads: Mapping[str, float]) -> Script:
        """The hand gathers what lies otherwise and lays everything as in `things`; `loads`: grams on each scale
        then. When it ends, the engine that watches has seen it."""
        world = self.world
        otherwise = [one for one in world.things.values() if not _lies_like(one, things.get(one.code))]
        for at, codes in self._by_zone(otherwise).items():
            hand = world.hand
            yield from self.reach(player, at, hand.held if hand else ())
            yield from self.gather(codes, at)
        back = [one for one in things.values() if not _lies_like(one, world.things.get(one.code))]
        for at, codes in self._by_zone(back).items():
            hand = world.hand
            yield from self.reach(player, at, hand.held if hand else ())
            for code in sorted(codes, key=lambda code: things[code].z):
                one = things[code]
                world.put(code, _at(one), one.angle, one.side)
            yield self.lasting(0.2, 0.1)
        self.grip(())
        world.lay_all(things)
        self.rig.bear(loads)
        yield from self.withdraw()
        yield from self.rest(_LAID_BACK_S, _LAID_BACK_S)

    def _by_zone(self, things: Sequence[Thing]) -> dict[Point, list[str]]:
        """The codes of things by the middle of the zone that they lie in, or by their own place outside all."""
        found: dict[Point, list[str]] = {}
        for one in things:
            zone = self.mat.zone_at(one.x, one.y)
            found.setdefault(zone.centre if zone else _at(one), []).append(one.code)
        return found

    def _go(
        self, player: int, anchor: Point, start: Point, end: Point, held: tuple[Held, ...], left: bool
    ) -> Script:
        far = ((start[0] - end[0]) ** 2 + (start[1] - end[1]) ** 2) ** 0.5
        seconds = self.lasting(_MOVE_S * (0.6 + far / 600), _MOVE_FLOOR_S)
        self.world.hand = Hand(player, anchor, start, end, self.now, self.now + seconds, held, left)
        yield seconds


def _at(thing: Thing) -> Point:
    return (thing.x, thing.y)


def _lies_like(one: Thing, other: Thing | None) -> bool:
    """Whether both lie at the same place and in the same way, on whatever."""
    return other is not None and (one.x, one.y, one.angle, one.side) == (
        other.x,
        other.y,
        other.angle,
        other.side,
    )


def corner(at: Point) -> Point:
    """Where fingers hold a card that lies at `at`."""
    return (at[0] + GRIP[0], at[1] + GRIP[1])


def _outside(anchor: Point, target: Point, mat: Mat) -> Point:
    """Point on the arm's line at which the whole hand is out of the picture."""
    margin = 130.0
    for step in range(1, 41):
        x = target[0] + (anchor[0] - target[0]) * step / 40
        y = target[1] + (anchor[1] - target[1]) * step / 40
        if x < -margin or x > mat.w + margin or y > mat.h + margin or y < -margin:
            return (x, y)
    return anchor
