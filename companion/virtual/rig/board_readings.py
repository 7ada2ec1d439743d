"""What the sensors of the virtual table's board measure: tags, grams and fingers, with noise."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Protocol

from companion.games.appearance import PhysicalCard
from companion.virtual.parameters import LOAD_CELL
from companion.virtual.rig.matrix_presses import Matrix, Relief
from companion.virtual.rig.noise_profiles import Noise
from companion.virtual.rig.rig_plan import RigPlan

PAD = "pad"
"""Name of the station with tag reader and pressure matrix."""


class Board(Protocol):
    """Sensor board that virtual people act on.

    It runs the real board program, or not.
    """

    @property
    def path(self) -> str:
        """Serial port that the companion opens; "" without a board."""
        ...

    @property
    def lamps(self) -> Mapping[str, tuple[int, int, int]]:
        """Station -> lamp colour (red, green, blue, 0 to 255)."""
        ...

    @property
    def tones(self) -> Sequence[int]:
        """Tones (Hz) that the beeper played so far, in order."""
        ...

    def step(self, now: float) -> None:
        """Run the board up to time `now` (s).

        The clock is the companion's.
        """
        ...

    def place_tag(self, station: str, uid: bytes, *, well: bool = True) -> None:
        """Lay a tag on the reader of a station.

        `uid`: number of the tag. `well`: False if it cannot be read until it moves.
        """
        ...

    def lift_tag(self, station: str, uid: bytes) -> None:
        """Take a tag off the reader of a station."""
        ...

    def set_weight(self, station: str, grams: float) -> None:
        """Set the whole load (g) of a station's scale."""
        ...

    def touch(self, station: str, pressed: bool) -> None:
        """Touch the electrode of a station (True) or release it."""
        ...

    def press_button(self, station: str, pressed: bool) -> None:
        """Press (True) or release a station's claim button."""
        ...

    def press_texture(self, station: str, pattern: Iterable[Iterable[float]] | None) -> None:
        """Press 16 rows of 16 pressures (0 to 1) on the matrix; None lifts everything."""
        ...

    def flip_bits(self, rate: float) -> None:
        """Flip bits on the serial line from now on, each with probability `rate`."""
        ...

    def stall(self, seconds: float) -> None:
        """Block the serial line for `seconds` (s)."""
        ...

    def misbehave(self, part: str, station: str, fault: str, value: object) -> None:
        """Set a fault of one chip of the board to `value`.

        `VirtualBoard.misbehave` lists parts and faults.
        """
        ...

    def unplug(self) -> None:
        """Pull the cable: the board loses power."""
        ...

    def plug(self) -> None:
        """Plug the cable in again; the board starts anew."""
        ...

    def close(self) -> None:
        """Remove the board and its port."""
        ...


class NoBoard:
    """Board of a camera's table: every input does nothing."""

    path = ""
    lamps: Mapping[str, tuple[int, int, int]] = {}
    tones: Sequence[int] = ()

    def _ignore(self, *_input: object, **_named: object) -> None:
        """Ignore an input."""

    step = place_tag = lift_tag = set_weight = touch = press_texture = _ignore
    flip_bits = stall = misbehave = unplug = plug = close = _ignore

    def press_button(self, station: str, pressed: bool) -> None:
        """Ignore a button; `Keys` counts it instead."""


def enrol(codes: list[str], chance: Random) -> dict[str, bytes]:
    """Draw a unique tag number for each card code.

    It has 7 bytes (UID); the first is NXP's (ISO/IEC 7816-6).
    """
    tags: dict[str, bytes] = {}
    used: set[bytes] = set()
    for code in codes:
        uid = b"\x04" + bytes(chance.randrange(256) for _ in range(6))
        while uid in used:
            uid = b"\x04" + bytes(chance.randrange(256) for _ in range(6))
        used.add(uid)
        tags[code] = uid
    return tags


def enrol_cards(cards: Iterable[PhysicalCard], seed: int) -> dict[str, bytes]:
    """Draw tag numbers for the cards that are pressed on the matrix. Equal seeds give equal numbers."""
    return enrol([card.code for card in cards if card.texture is not None], Random(f"{seed} tags"))


class Rig:
    """Sensors of a virtual table: turns what people do into inputs of the board.

    Noise is added. `tags`: code of a card -> number of its tag. `plan`: which sensors there are.
    """

    def __init__(
        self, board: Board, tags: Mapping[str, bytes], plan: RigPlan, noise: Noise, chance: Random
    ) -> None:
        self.board = board
        self._tags = tags
        self._noise = noise
        self._chance = chance
        self.plan = plan
        self._grams = dict.fromkeys(plan.stations, 0.0)
        self._drift = {station: chance.uniform(-1, 1) for station in plan.stations}
        self._wear = dict.fromkeys(plan.stations, 0.0)
        self._on_pad: set[str] = set()
        # A separate random stream: other accidents must not depend on presses.
        self._press_chance = Random(b"".join(tags.values()))
        self._matrix = Matrix(plan.raised, noise, self._press_chance)
        self.zero = 0.0
        """Start of the table's time, on the host's clock (s)."""
        self._now = 0.0
        self._next_sample = 0.0
        self._next_stall = self._until_stall(0.0)
        if noise.flip_rate:
            board.flip_bits(noise.flip_rate)
        if noise.texture_sigma:
            board.misbehave("texture", PAD, "sigma", noise.texture_sigma)

    def _until_stall(self, now: float) -> float:
        rate = self._noise.stalls_per_minute
        return now + self._chance.expovariate(rate / 60) if rate else float("inf")

    def load(self, station: str, cards: int, besides: float = 0.0) -> None:
        """Load a station's scale with `cards` cards and `besides` grams."""
        grams = LOAD_CELL.card_g * cards + besides
        if grams != self._grams[station]:
            self._grams[station] = grams
            self.board.set_weight(station, self.bears(station, 0.0))

    @property
    def loads(self) -> dict[str, float]:
        """Station -> load (g) on its scale, without noise."""
        return dict(self._grams)

    def bear(self, loads: Mapping[str, float]) -> None:
        """Clear the pad, and load the scales with `loads` (station -> g)."""
        for code in list(self._on_pad):
            self.tag_off(code)
        for station, grams in loads.items():
            self.load(station, 0, grams)

    def tag_on(self, code: str) -> None:
        """Lay a card on the pad and press it."""
        well = self._chance.random() >= self._noise.tag_badly_placed
        self.board.place_tag(PAD, self._tags[code], well=well)
        self._on_pad.add(code)
        self._press()

    def tag_off(self, code: str) -> None:
        """Lift a card from the pad."""
        self._on_pad.discard(code)
        self.board.lift_tag(PAD, self._tags[code])
        self._press()

    def _press(self) -> None:
        """Press all cards on the pad, stacked in random order; an empty pad is not pressed."""
        cards = sorted(self._on_pad)
        self._press_chance.shuffle(cards)
        if creep := self._matrix.creep(self._now):
            self.board.misbehave("texture", PAD, "creep", creep)
        pressed = (
            self._matrix.press([self.plan.raised.of(code) for code in cards], self._now).tolist()
            if cards
            else None
        )
        self.board.press_texture(PAD, pressed)

    def press_of(self, raised: Relief, age: float) -> tuple[bytes, bytes]:
        """Simulate a press of the raised picture `raised`, `age` seconds into a game.

        Returns the pressed matrix and the empty matrix after it, 256 bytes each.
        """
        return self._matrix.picture((raised,), age)

    def clear(self) -> None:
        """Remove all cards, loads and fingers from the rig."""
        for code in list(self._on_pad):
            self.tag_off(code)
        for station in self.plan.stations:
            self.load(station, 0)
            self.board.touch(station, False)
            self.button(station, False)

    def finger(self, station: str, pressed: bool) -> None:
        """Put a finger on a station's electrode (True), or lift it.

        By the noise profile, a touch may be missed, or another electrode may report one too.
        """
        if pressed and self._chance.random() < self._noise.touch_missed:
            return
        self.board.touch(station, pressed)
        if self._chance.random() < self._noise.touch_ghost:
            self.board.touch(self._any_station(), pressed)

    def _any_station(self) -> str:
        return self.plan.stations[self._chance.randrange(len(self.plan.stations))]

    def button(self, station: str, pressed: bool) -> None:
        """Press or release the claim button of a station."""
        self.board.press_button(station, pressed)

    def bears(self, station: str, now: float, noise: float = 0.0) -> float:
        """Load (g) that a station's load cell feels at `now` (s), with drift and wear.

        `noise`: cards that are added.
        """
        cards = noise + self._wear[station] + self._drift[station] * self._noise.weight_drift * now / 3600
        return self._grams[station] + LOAD_CELL.card_g * cards

    def wear(self, station: str, off: float) -> None:
        """Wear a load cell: it adds `off` cards."""
        self._wear[station] = off
        self.board.set_weight(station, self.bears(station, 0.0))

    def _sample(self, station: str, now: float) -> float:
        return self.bears(station, now, self._chance.gauss(0, self._noise.weight_sigma))

    def step(self, now: float) -> None:
        """Move the board on to `now` (s, table time)."""
        self._now = now
        if self._noise.weight_sigma and now >= self._next_sample:
            self._next_sample = now + LOAD_CELL.sample_s
            for station in self.plan.stations:
                self.board.set_weight(station, self._sample(station, now))
        if now >= self._next_stall:
            self.board.stall(0.2)
            self._next_stall = self._until_stall(now)
        self.board.step(self.zero + now)


class RoughRig(Rig):
    """Rig with all board faults of the noise profile.

    Pulled cables are left out. More than in a plain `Rig`: failed scans, phantom tags, a second card on the
    pad, hands that rest on a scale.
    """

    def __init__(
        self, board: Board, tags: Mapping[str, bytes], plan: RigPlan, noise: Noise, chance: Random
    ) -> None:
        super().__init__(board, tags, plan, noise, chance)
        self._with: dict[str, str] = {}
        self._ghosts: list[str] = []
        self._hands = dict.fromkeys(plan.stations, (0.0, 0.0))
        self._leaned: dict[str, float] = {}
        for fault, rate in (
            ("miss_one", noise.tag_scan_miss),
            ("miss_more", noise.pair_scan_miss),
            ("ghost", noise.phantom_uid),
        ):
            board.misbehave("reader", PAD, fault, rate)

    @property
    def on_pad(self) -> frozenset[str]:
        """Codes of the cards whose tags lie on the pad."""
        return frozenset(self._on_pad)

    def uid(self, code: str) -> bytes:
        """Number (UID) of a card's tag."""
        return self._tags[code]

    def tag_on(self, code: str) -> None:
        """Lay a card on the pad, sometimes with a second card that sticks to it."""
        super().tag_on(code)
        if self._chance.random() < self._noise.two_on_pad:
            other = self._chance.choice([card for card in self._tags if card not in self._on_pad])
            self._with[code] = other
            super().tag_on(other)

    def tag_off(self, code: str) -> None:
        """Lift a card from the pad, with any card that sticks to it."""
        if code in self._on_pad:
            super().tag_off(code)
        other = self._with.pop(code, None)
        if other is not None:
            self.tag_off(other)

    def free_for(self, station: str) -> float:
        """Time (s) since a hand last rested on a station's scale.

        Infinite if none ever did.
        """
        return self._now - self._leaned.get(station, float("-inf"))

    def finger(self, station: str, pressed: bool) -> None:
        """Put a finger on a station's electrode (True), or lift it.

        A false touch of another electrode ends together with the real one.
        """
        if not pressed:
            for electrode in (station, *self._ghosts):
                self.board.touch(electrode, False)
            self._ghosts.clear()
            return
        if self._chance.random() >= self._noise.touch_missed:
            self.board.touch(station, True)
        if self._chance.random() < self._noise.touch_ghost:
            self._ghosts.append(self._any_station())
            self.board.touch(self._ghosts[-1], True)

    def _sample(self, station: str, now: float) -> float:
        """Draw a sample (g) of a load cell, perhaps with a hand that rests on the scale."""
        until, weight = self._hands[station]
        if now >= until:
            weight = 0.0
            if self._chance.random() < self._noise.hand_on_scale * LOAD_CELL.sample_s / LOAD_CELL.hand_s:
                until, weight = (
                    now + self._chance.uniform(0, 2 * LOAD_CELL.hand_s),
                    self._chance.uniform(*LOAD_CELL.hand_g),
                )
            self._hands[station] = (until, weight)
        if weight:
            self._leaned[station] = now
        # The board reports a scale on which a hand keeps still enough.
        return super()._sample(station, now) + (
            self._chance.gauss(weight, LOAD_CELL.hand_tremor * weight) if weight else 0.0
        )
