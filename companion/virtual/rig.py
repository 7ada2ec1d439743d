"""What the board feels of the virtual table: tags on the pad, grams on the beds, fingers, all with noise."""

from collections.abc import Mapping
from random import Random
from typing import Protocol

from companion.virtual.noise import Noise

MATTRESS_G = 4.0
TILE_G = 6.0
PAD = "pad"
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
    def flip_bits(self, rate: float) -> None: ...
    def stall(self, seconds: float) -> None: ...
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
    def flip_bits(self, rate: float) -> None: ...
    def stall(self, seconds: float) -> None: ...
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
        self._on_pad: set[str] = set()
        self._next_sample = 0.0
        self._next_stall = self._until_stall(0.0)
        if noise.flip_rate:
            board.flip_bits(noise.flip_rate)

    def _until_stall(self, now: float) -> float:
        rate = self._noise.stalls_per_minute
        return now + self._chance.expovariate(rate / 60) if rate else float("inf")

    def load(self, bed: int, mattresses: int, *, tile: bool = False) -> None:
        """So many mattresses, and perhaps the tile, rest on the bed (from 0) now."""
        grams = MATTRESS_G * mattresses + (TILE_G if tile else 0.0)
        if grams != self._grams[bed]:
            self._grams[bed] = grams
            self.board.set_weight(f"bed {bed + 1}", grams)

    def tag_on(self, code: str) -> None:
        """A mattress is laid on the pad."""
        well = self._chance.random() >= self._noise.tag_badly_placed
        self.board.place_tag(PAD, self._tags[code], well=well)

        self._on_pad.add(code)

    def tag_off(self, code: str) -> None:
        """It is lifted again."""
        self._on_pad.discard(code)
        self.board.lift_tag(PAD, self._tags[code])

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

    def step(self, now: float) -> None:
        """Let the board live up to `now`."""
        if self._noise.weight_sigma and now >= self._next_sample:
            self._next_sample = now + _SAMPLE_S
            for bed, grams in enumerate(self._grams):
                cards = self._chance.gauss(0, self._noise.weight_sigma)
                cards += self._drift[bed] * self._noise.weight_drift * now / 3600
                self.board.set_weight(f"bed {bed + 1}", grams + MATTRESS_G * cards)
        if now >= self._next_stall:
            self.board.stall(0.2)
            self._next_stall = self._until_stall(now)
        self.board.step(now)
