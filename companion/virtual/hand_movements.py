"""The stage: movements of hands and cards, to build actions."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf
from random import Random

from companion.games.appearance import PhysicalCard
from companion.virtual.parameters import PLAYERS, SIGHT
from companion.virtual.rig.board_readings import Rig
from companion.virtual.rig.noise_profiles import Noise
from companion.virtual.world import DOWN, UP, Hand, Held, Point, Thing, World
from vision.mat_geometry import Mat, Zone


def arm_from(mat: Mat, around: Zone | None, player: int, target: Point) -> Point:
    """Choose the point (mm) outside the picture from which an arm reaches `target`.

    The arm must not cross the zone `around`, because a hand over that zone would be a sign of an action; None
    allows all. If every arm crosses it, the point that leaves the greatest distance is returned. `player`:
    from 0; each has a side of the table.
    """
    x, y = target
    near, left, right = (0.6 * x + 0.4 * mat.w / 2, 850.0), (-340.0, y + 90), (mat.w + 340.0, y + 90)
    slanted, upright = (x + 280, 840.0), (x - 70, 850.0)
    wishes: tuple[Point, ...] = (
        (near, slanted, upright, left, right),
        (right, slanted, near, upright, left),
        (left, near, upright, slanted, right),
        (slanted, near, upright, right, left),
        (upright, near, right, slanted, left),
    )[player % 5]
    # For targets behind the zone, the arm comes from its far side.
    wishes += ((-300.0, y - 160), (mat.w + 300.0, y - 160))
    if around is None or around.contains(x, y):
        return near
    free = [(_distance(around, target, wish), wish) for wish in wishes]
    for distance, wish in free:
        if distance >= PLAYERS.clearance_mm:
            return wish
    return max(free)[1]


def thumb_right(around: Zone | None, anchor: Point, target: Point) -> bool:
    """True if the hand's thumb must be on the right to stay clear of a zone.

    The zone is `around`; False without one. The arm comes from `anchor` to `target` (mm).
    """
    if around is None:
        return False
    x, y = around.centre
    along = (target[0] - anchor[0], target[1] - anchor[1])
    return along[0] * (y - anchor[1]) - along[1] * (x - anchor[0]) < 0


def may_sweep(around: Zone | None, anchor: Point, start: Point, end: Point) -> bool:
    """True if a hand can move without its arm crossing the zone `around`.

    It moves from `start` to `end`, the arm comes from `anchor` (all mm). True without a zone, or if either end
    lies in it.
    """
    if around is None or around.contains(*start) or around.contains(*end):
        return True
    for step in range(9):
        x = start[0] + (end[0] - start[0]) * step / 8
        y = start[1] + (end[1] - start[1]) * step / 8
        if _distance(around, (x, y), anchor) < PLAYERS.clearance_mm - 6:
            return False
    return True


def _distance(zone: Zone, tip: Point, anchor: Point) -> float:
    """Least distance (mm) between the middle line of an arm and a zone.

    `tip`: the palm. `anchor`: where the arm comes from.
    """
    least = float("inf")
    length = math.dist(tip, anchor)
    for step in range(33):
        along = -PLAYERS.fingers_mm + (length + PLAYERS.fingers_mm) * step / 32
        x = tip[0] + (anchor[0] - tip[0]) * along / length
        y = tip[1] + (anchor[1] - tip[1]) * along / length
        dx = max(zone.x - x, 0.0, x - zone.x - zone.w)
        dy = max(zone.y - y, 0.0, y - zone.y - zone.h)
        least = min(least, math.hypot(dx, dy))
    return least


class Follower:
    """What players know of the watching engine's progress.

    All times are the table's (s). Nobody waits for an engine that has never reported its progress.
    """

    def __init__(self) -> None:
        self._heard_at = -inf
        """When the engine last reported its progress."""
        self._seen_at = -inf
        """When the newest decoded picture was made."""
        self._read = True
        """Whether every card in that picture was decoded."""
        self._gone = False

    def hear(self, now: float, seen_at: float, *, read: bool) -> None:
        """Note that the engine decoded the picture made at `seen_at`.

        `now`: time of the report. `read`: whether every card in it was decoded.
        """
        self._heard_at, self._seen_at, self._read, self._gone = now, seen_at, read, False

    def lose(self) -> None:
        """Note that the engine disconnected; another may come."""
        self._gone = True

    def behind(self, now: float, settled: float) -> bool:
        """True if players should wait for the engine to see the table at rest.

        `settled`: when everything came to rest. They wait at most 120 s after its last report, and 3 s for
        unread cards.
        """
        silent_s = now - self._heard_at
        if silent_s > PLAYERS.give_up_s:
            return False
        if self._gone or silent_s > PLAYERS.silent_s or self._seen_at < settled:
            return True
        return not self._read and self._seen_at < settled + PLAYERS.read_most_s


Script = Iterator[float]
"""Movement: a generator that changes the world and yields the time (s) until its next step."""

GRIP = (22.0, 34.0)
"""Offset (mm, right and down) of a card's near right corner from its centre: fingers hold the card there."""


class Stage:
    """Table, rig and pace of a game, with the movements that actions are built from.

    `now`: the table's time (s) of the current step. `pace`: factor on every duration that has no floor; 2 is
    half as fast.
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
        """Table time (s) at which the last hand left. Everything has lain still since then."""
        self.claimed = 0.0
        """Table time (s) of the last press of a claim button."""
        self.asked = False
        """Whether people wait: they answer the companion's question before they turn cards up."""
        self.follower = Follower()
        """Progress of the engine that watches. Everybody waits while it is behind."""
        self._around = mat.zone(rig.plan.reached) if rig.plan.reached else None
        self._glares: list[tuple[float, str]] = []

    def lasting(self, seconds: float, floor: float = 0.0) -> float:
        """Scale a duration (s) by `pace`.

        It is at least `floor` (s).
        """
        return max(floor, seconds * self.pace)

    def rest(self, seconds: float = PLAYERS.rest_floor_s, floor: float = PLAYERS.rest_floor_s) -> Script:
        """Wait until cards have rested and the watching engine has seen them.

        `seconds`: scaled by `pace`, but at least `floor` (s).
        """
        yield self.lasting(seconds, floor)
        yield from self.until_followed()

    def until_followed(self) -> Script:
        """Wait until the watching engine has seen the table.

        See `Follower` for the longest wait.
        """
        while self.follower.behind(self.now, self.settled):
            yield PLAYERS.look_up_s

    def reach(self, player: int, target: Point, held: Sequence[Held] = ()) -> Script:
        """Move the player's hand to `target` (mm).

        If the way would cross the zone to avoid, the hand first leaves the picture, and comes from another
        side. `held`: what the hand holds. `player`: from 0.
        """
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
        """Move the hand, and anything held, out of the picture."""
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
        yield PLAYERS.away_s

    def grip(self, held: Sequence[Held]) -> None:
        """Set what the hand holds from now on."""
        hand = self.world.hand
        if hand is not None:
            self.world.hand = replace(hand, start=hand.at(self.now), t0=self.now, held=tuple(held))

    def lay(self, code: str, at: Point, angle: float = 0.0, side: str = UP, *, neat: float = 1.0) -> None:
        """Lay a thing on the table with a person's inaccuracy.

        `at`: centre (mm). `angle`: degrees clockwise. `neat`: factor on the deviation; 0 lays it exactly.
        """
        chance, noise = self.chance, self.noise
        spread = neat
        if side == UP and chance.random() < noise.askew:
            spread = 5.0 * neat
        x = at[0] + chance.uniform(-1, 1) * PLAYERS.spread_mm * spread
        y = at[1] + chance.uniform(-1, 1) * PLAYERS.spread_mm * spread
        turn = angle + chance.uniform(-1, 1) * PLAYERS.spread_deg * spread
        glare = side == UP and chance.random() < noise.glare
        self.world.put(code, (x, y), turn, side, glare=glare)
        if glare:
            self._glares.append((self.now + chance.uniform(*SIGHT.reflection_s), code))

    def fade(self) -> None:
        """Remove the reflections on cards whose time is over."""
        for due, code in self._glares:
            if due <= self.now:
                self.world.fade(code)
        self._glares = [entry for entry in self._glares if entry[0] > self.now]

    def lay_one(self, player: int, code: str, at: Point, side: str = UP, angle: float = 0.0) -> Script:
        """Bring one card and lay it at `at` (mm).

        Fingers hold it by its near right corner. The hand stays.
        """
        yield from self.reach(player, corner(at), (Held(code, side, -GRIP[0], -GRIP[1], angle),))
        self.grip(())
        self.lay(code, at, angle, side)
        yield self.lasting(0.12, 0.07)

    def gather(self, codes: Sequence[str], at: Point) -> Script:
        """Pick up several things with the hand over `at` (mm).

        The hand holds them face up.
        """
        yield self.lasting(0.15, 0.07)
        for code in codes:
            self.world.take(code)
        hand = self.world.hand
        kept = hand.held if hand else ()
        self.grip((*kept, *(Held(code, UP, (k - len(codes) / 2) * 6.0, -10.0) for k, code in enumerate(codes))))

    def pick_up(self, player: int, code: str, at: Point, side: str = DOWN) -> Script:
        """Reach for one thing at `at` (mm) and hold it.

        `side`: which is up in the hand.
        """
        yield from self.reach(player, at)
        self.world.take(code)
        self.grip((Held(code, side),))
        yield self.lasting(0.12, 0.07)

    def lay_back(self, player: int, things: Mapping[str, Thing], loads: Mapping[str, float]) -> Script:
        """Lay everything back as it was in `things`.

        `loads`: station -> g on its scale. A hand gathers all cards that lie differently. At the end the
        watching engine has seen the table.
        """
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
        yield from self.rest(PLAYERS.laid_back_s, PLAYERS.laid_back_s)

    def _by_zone(self, things: Sequence[Thing]) -> dict[Point, list[str]]:
        """Group things by their zone: its middle (mm) -> their codes.

        Outside all zones, a thing's own position stands for the middle.
        """
        found: dict[Point, list[str]] = {}
        for one in things:
            zone = self.mat.zone_at(one.x, one.y)
            found.setdefault(zone.centre if zone else _at(one), []).append(one.code)
        return found

    def _go(
        self, player: int, anchor: Point, start: Point, end: Point, held: tuple[Held, ...], left: bool
    ) -> Script:
        far = ((start[0] - end[0]) ** 2 + (start[1] - end[1]) ** 2) ** 0.5
        seconds = self.lasting(PLAYERS.move_s * (0.6 + far / 600), PLAYERS.move_floor_s)
        self.world.hand = Hand(player, anchor, start, end, self.now, self.now + seconds, held, left)
        yield seconds


def _at(thing: Thing) -> Point:
    return (thing.x, thing.y)


def _lies_like(one: Thing, other: Thing | None) -> bool:
    """True if two things have equal position, angle and side.

    False for None.
    """
    return other is not None and (one.x, one.y, one.angle, one.side) == (
        other.x,
        other.y,
        other.angle,
        other.side,
    )


def corner(at: Point) -> Point:
    """Point (mm) where fingers hold a card with centre `at`."""
    return (at[0] + GRIP[0], at[1] + GRIP[1])


def _outside(anchor: Point, target: Point, mat: Mat) -> Point:
    """Point (mm) on the arm's line at which the whole hand is out of the picture.

    The line runs from `target` to `anchor`.
    """
    margin = 130.0
    for step in range(1, 41):
        x = target[0] + (anchor[0] - target[0]) * step / 40
        y = target[1] + (anchor[1] - target[1]) * step / 40
        if x < -margin or x > mat.w + margin or y > mat.h + margin or y < -margin:
            return (x, y)
    return anchor
