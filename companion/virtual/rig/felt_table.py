"""What the board feels of the virtual table: tags on the pad, grams on the beds, fingers, all with noise."""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Protocol

from companion.virtual.rig.noise_profiles import Noise
from companion.virtual.rig.raised_pictures import Matrix, picture_of

MATTRESS_G = 4.0
TILE_G = 6.0
PAD = "pad"
HAND_S, HAND_G = 1.5, (20.0, 200.0)
"""How long a hand rests on a bed on average, and how heavily."""
HAND_TREMOR = 0.03
"""How much of its weight a resting hand trembles by, sigma."""
_SAMPLE_S = 0.1
"""Load cells are read ten times a second; each reading gets its own noise."""


class Board(Protocol):
    """The inputs of a sensor board, real code or not."""

    @property
    def path(self) -> str: ...
    def step(self, now: float) -> None: ...
    def place_tag(self, station: str, uid: bytes, *, well: bool = True) -> None: ...
    def lift_tag(self, station: str, uid: bytes) -> None: ...
    def set_weight(self, station: str, grams: float) -> None: ...
    def touch(self, station: str, pressed: bool) -> None: ...
    def press_button(self, station: str, pressed: bool) -> None: ...
    def press_texture(self, station: str, pattern: Iterable[Iterable[float]] | None) -> None: ...
    def flip_bits(self, rate: float) -> None: ...
    def stall(self, seconds: float) -> None: ...
    def misbehave(self, part: str, station: str, fault: str, value: object) -> None: ...
    def unplug(self) -> None: ...
    def plug(self) -> None: ...
    def close(self) -> None: ...


class NoBoard:
    """A table with a camera alone: nothing feels anything."""

    path = ""

    def step(self, now: float) -> None: ...
    def place_tag(self, station: str, uid: bytes, *, well: bool = True) -> None: ...
    def lift_tag(self, station: str, uid: bytes) -> None: ...
    def set_weight(self, station: str, grams: float) -> None: ...
    def touch(self, station: str, pressed: bool) -> None: ...
    def press_button(self, station: str, pressed: bool) -> None: ...
    def press_texture(self, station: str, pattern: Iterable[Iterable[float]] | None) -> None: ...
    def flip_bits(self, rate: float) -> None: ...
    def stall(self, seconds: float) -> None: ...
    def misbehave(self, part: str, station: str, fault: str, value: object) -> None: ...
    def unplug(self) -> None: ...
    def plug(self) -> None: ...
    def close(self) -> None: ...


def enrol(codes: list[str], chance: Random) -> dict[str, bytes]:
    """A different NTAG UID for each card: 7 bytes, the first one NXP's (ISO/IEC 7816-6), by card code."""
    tags: dict[str, bytes] = {}
    used: set[bytes] = set()
    for code in codes:
        uid = b"\x04" + bytes(chance.randrange(256) for _ in range(6))
        while uid in used:
            uid = b"\x04" + bytes(chance.randrange(256) for _ in range(6))
        used.add(uid)
        tags[code] = uid
    return tags


class Rig:
    """Turns what happens on the table into the board's inputs."""

    def __init__(
        self, board: Board, tags: Mapping[str, bytes], beds: int, noise: Noise, chance: Random
    ) -> None:
        self.board = board
        self._tags = tags
        self._noise = noise
        self._chance = chance
        self._grams = [0.0] * beds
        self._drift = [chance.uniform(-1, 1) for _ in range(beds)]
        self._wear = [(0.0, 1.0)] * beds
        self._on_pad: set[str] = set()
        # Chances of its own: other accidents do not depend on how cards are pressed.
        self._press_chance = Random(b"".join(tags.values()))
        self._matrix = Matrix(noise, self._press_chance)
        self.zero = 0.0
        """When the table's time began, in the board's own time (s)."""
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

    def load(self, bed: int, mattresses: int, *, tile: bool = False) -> None:
        """So many mattresses, and perhaps the tile, rest on the bed (from 0) now."""
        grams = MATTRESS_G * mattresses + (TILE_G if tile else 0.0)
        if grams != self._grams[bed]:
            self._grams[bed] = grams
            self.board.set_weight(f"bed {bed + 1}", self.bears(bed, 0.0))

    def tag_on(self, code: str) -> None:
        """A mattress is laid on the pad and pressed down."""
        well = self._chance.random() >= self._noise.tag_badly_placed
        self.board.place_tag(PAD, self._tags[code], well=well)
        self._on_pad.add(code)
        self._press()

    def tag_off(self, code: str) -> None:
        """It is lifted again."""
        self._on_pad.discard(code)
        self.board.lift_tag(PAD, self._tags[code])
        self._press()

    def _press(self) -> None:
        """What lies on the pad is pressed, in any order if it is several cards; or nothing is."""
        cards = sorted(self._on_pad)
        self._press_chance.shuffle(cards)
        if creep := self._matrix.creep(self._now):
            self.board.misbehave("texture", PAD, "creep", creep)
        pressed = (
            self._matrix.press([picture_of(code) for code in cards], self._now).tolist() if cards else None
        )
        self.board.press_texture(PAD, pressed)

    def clear(self) -> None:
        """Nothing lies or presses anywhere."""
        for code in list(self._on_pad):
            self.tag_off(code)
        for bed in range(len(self._grams)):
            self.load(bed, 0)
            self.board.touch(f"bed {bed + 1}", False)
            self.button(bed, False)

    def finger(self, bed: int, pressed: bool) -> None:
        """A finger on the electrode of the bed's bottom mattress."""
        if pressed and self._chance.random() < self._noise.touch_missed:
            return
        self.board.touch(f"bed {bed + 1}", pressed)
        if self._chance.random() < self._noise.touch_ghost:
            self.board.touch(f"bed {self._chance.randrange(len(self._grams)) + 1}", pressed)

    def button(self, bed: int, pressed: bool) -> None:
        """The claim button of the bed."""
        self.board.press_button(f"bed {bed + 1}", pressed)

    def bears(self, bed: int, now: float, noise: float = 0.0) -> float:
        """Grams that the load cell of the bed (from 0) feels at `now`: with its drift, and `noise` in cards."""
        off, unit = self._wear[bed]
        cards = noise + off + self._drift[bed] * self._noise.weight_drift * now / 3600
        return unit * self._grams[bed] + MATTRESS_G * cards

    def wear(self, bed: int, off: float, unit: float = 1.0) -> None:
        """From now on the load cell of the bed (from 0) is off by so many cards, and feels `unit` of each."""
        self._wear[bed] = (off, unit)
        self.board.set_weight(f"bed {bed + 1}", self.bears(bed, 0.0))

    def _sample(self, bed: int, now: float) -> float:
        return self.bears(bed, now, self._chance.gauss(0, self._noise.weight_sigma))

    def step(self, now: float) -> None:
        """Let the board live up to `now`, in the table's time (s)."""
        self._now = now
        if self._noise.weight_sigma and now >= self._next_sample:
            self._next_sample = now + _SAMPLE_S
            for bed in range(len(self._grams)):
                self.board.set_weight(f"bed {bed + 1}", self._sample(bed, now))
        if now >= self._next_stall:
            self.board.stall(0.2)
            self._next_stall = self._until_stall(now)
        self.board.step(self.zero + now)


class RoughRig(Rig):
    """A rig with everything the noise profile says of the board's side; its cable is the owner's business.

    A `Rig` leaves out what a rehearsal by camera has never had: scans that fail, phantom tags, a second card
    on the pad, hands that rest on a bed.
    """

    def __init__(
        self, board: Board, tags: Mapping[str, bytes], beds: int, noise: Noise, chance: Random
    ) -> None:
        super().__init__(board, tags, beds, noise, chance)
        self._with: dict[str, str] = {}
        self._ghosts: list[int] = []
        self._hands = [(0.0, 0.0)] * beds
        for fault, rate in (
            ("miss_one", noise.tag_scan_miss),
            ("miss_more", noise.pair_scan_miss),
            ("ghost", noise.phantom_uid),
        ):
            board.misbehave("reader", PAD, fault, rate)

    @property
    def on_pad(self) -> frozenset[str]:
        """The cards whose tags lie on the pad."""
        return frozenset(self._on_pad)

    def uid(self, code: str) -> bytes:
        """The UID of a card's tag."""
        return self._tags[code]

    def tag_on(self, code: str) -> None:
        """A mattress is laid on the pad, now and then together with another one."""
        super().tag_on(code)
        if self._chance.random() < self._noise.two_on_pad:
            other = self._chance.choice([card for card in self._tags if card not in self._on_pad])
            self._with[code] = other
            super().tag_on(other)

    def tag_off(self, code: str) -> None:
        """It is lifted again, with the one that stuck to it."""
        if code in self._on_pad:
            super().tag_off(code)
        other = self._with.pop(code, None)
        if other is not None:
            self.tag_off(other)

    def finger(self, bed: int, pressed: bool) -> None:
        """A finger on the electrode of a bed; a ghost on another one lasts as long."""
        if not pressed:
            for electrode in (bed, *self._ghosts):
                self.board.touch(f"bed {electrode + 1}", False)
            self._ghosts.clear()
            return
        if self._chance.random() >= self._noise.touch_missed:
            self.board.touch(f"bed {bed + 1}", True)
        if self._chance.random() < self._noise.touch_ghost:
            self._ghosts.append(self._chance.randrange(len(self._grams)))
            self.board.touch(f"bed {self._ghosts[-1] + 1}", True)

    def _sample(self, bed: int, now: float) -> float:
        """As ever, and perhaps with a hand that rests there for a moment."""
        until, weight = self._hands[bed]
        if now >= until:
            weight = 0.0
            if self._chance.random() < self._noise.hand_on_bed * _SAMPLE_S / HAND_S:
                until, weight = now + self._chance.uniform(0, 2 * HAND_S), self._chance.uniform(*HAND_G)
            self._hands[bed] = (until, weight)
        # A scale at which it keeps still enough reports it.
        return super()._sample(bed, now) + (self._chance.gauss(weight, HAND_TREMOR * weight) if weight else 0.0)
