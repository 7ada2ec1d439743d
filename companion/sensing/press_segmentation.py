"""Splits the frames of a pressure matrix into presses: one for each card that was pressed down and let go."""

from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.sensing.observation import Texture
from companion.sensing.press_recogniser import TextureBook
from firmware.host.messages import TextureFrame

Plane = NDArray[np.float64]

SIDE = 16
ROW_OHM, SIG_OHM, SWITCH_OHM = 470.0, 2200.0, 85.0
"""Resistors of docs/build-guide.md: from each row, and from SIG, to ground. SWITCH_OHM: a closed switch of the
74HC4067 (data sheet: 70 to 100)."""
GAIN = 4
"""The board sends 255 for a quarter of the supply (`firmware/wire/hot_loops.py`)."""
FULL = 255
FLOATING = 60
"""Crossings at full reading in one press from which on the rows float. With the resistors no press of
`companion bench parts` has as many; without them some 200 of 256 have."""
LEAK_S = 1e-9
"""Leakage (S) of each strip: keeps the nodal matrix regular where nothing is pressed."""
STEPS = 12
"""Steps of the iteration. With five, a third of the presses on the most conductive sheets were not told."""
FAINTEST = 0.25
"""Reading (of 255) below which a crossing is taken to read that much."""
UNIT_OHM = 4000.0
"""A crossing of this resistance is 255 in a picture of conductances."""


def conductances(readings: Plane) -> Plane:
    """Conductance of each crossing (16 x 16) as a share of 1 / UNIT_OHM, from readings of 0 to 255."""
    share = np.maximum(readings, FAINTEST) / (GAIN * FULL)
    siemens = share / (SIG_OHM * (1 - share))
    for _ in range(STEPS):
        siemens = np.clip(siemens * share / _shares(siemens), 1e-8, 1e-2)
    return np.asarray(siemens * UNIT_OHM)


def picture(readings: Plane) -> bytes:
    """Conductances as bytes of 0 to 255, row by row: the picture of a press."""
    return np.asarray(np.clip(np.round(conductances(readings) * FULL), 0, FULL), np.uint8).tobytes()


def readings(shares: Plane) -> Plane:
    """What the board reads (0 to 255) of conductances that `conductances` would find."""
    return np.clip(_shares(np.maximum(shares, 1e-4) / UNIT_OHM) * GAIN * FULL, 0, FULL)


def rows_float(readings: Plane) -> bool:
    """Whether a press lights crossings that nobody presses: the resistors at the rows, or at SIG, are
    missing."""
    return int((readings >= FULL).sum()) >= FLOATING


def _shares(siemens: Plane) -> Plane:
    """Share of the supply that SIG shows at each crossing: the inverse of all strips, updated for one closed
    switch at either end (rank 2, Woodbury)."""
    nodal = np.zeros((2 * SIDE, 2 * SIDE))
    nodal[:SIDE, SIDE:], nodal[SIDE:, :SIDE] = -siemens, -siemens.T
    to_ground = np.repeat((1 / ROW_OHM, LEAK_S), SIDE)
    nodal[np.diag_indices(2 * SIDE)] = np.concatenate((siemens.sum(1), siemens.sum(0))) + to_ground
    inverse = np.linalg.inv(nodal)
    own, other = np.diag(inverse)[:SIDE, None], np.diag(inverse)[None, SIDE:]
    mutual = inverse[:SIDE, SIDE:]
    drive, load = 1 / SWITCH_OHM, 1 / (SWITCH_OHM + SIG_OHM)
    whole = 1 + load * other + drive * own + (own * other - mutual**2) * drive * load
    return np.asarray(mutual * drive / whole * SIG_OHM * load)


PRESSED_AT = 18
"""PRESSED_AT: a crossing is pressed if it exceeds the empty matrix by at least this much (of 255):
five times the noise of the loudest sheet in `companion bench parts`."""
LEAST_FRAMES = 2
"""LEAST_FRAMES: fewest frames of a press. A shorter one is a card that was dropped."""
MOST_FRAMES = 150
"""MOST_FRAMES: newest frames of a press that are kept: ten seconds. What rests on the matrix all day fills no
memory."""
AFTER, FAINTER, ALIKE = 3, 0.4, 30
"""AFTER frames in a row that differ by less than ALIKE (of 255), none above the share FAINTER of the press's
strongest reading, are the empty matrix, whatever it read before. A board sends as many after a press; an old
matrix never reads zero."""
STEADY = 0.9
"""STEADY: frames of at least this share of the strongest one's pressure are averaged."""
GAP_S = 1.0
"""GAP_S: frames farther apart (s) belong to two presses. The end of the first one is unknown."""
LEAST_P = 0.5
"""LEAST_P: a less probable texture is not reported."""


class Press(NamedTuple):
    """A press: when it ended (s), at which station, its picture, and the empty matrix at that time.

    Pictures are 256 conductances as bytes (`crossing_currents`). `rows_float`: the matrix lacks its resistors,
    and the picture shows what nobody presses.
    """

    t: float
    station: str
    picture: bytes
    rest: bytes
    rows_float: bool = False


class _Going(NamedTuple):
    """A press that goes on: its frames with their times (s), and its strongest reading."""

    frames: deque[tuple[float, bytes]]
    peak: int


class Presses:
    """Collects the frames of every station into presses. The last frames after a press show the empty
    matrix."""

    def __init__(self) -> None:
        self._going: dict[str, _Going] = {}
        self._rest: dict[str, NDArray[np.float64]] = {}

    def forget(self) -> None:
        """The board is gone: presses that went on then are dropped."""
        self._going.clear()

    def hear(self, frame: TextureFrame) -> Press | None:
        """The press that this frame ends, if it was long enough; else None."""
        rest = self._rest.get(frame.station)
        numbers = _numbers(frame.pixels).astype(np.float64)
        going = self._going.pop(frame.station, None)
        if going is not None and frame.t - going.frames[-1][0] > GAP_S:
            going = None
        if (numbers - (0.0 if rest is None else rest)).max() >= PRESSED_AT:
            frames, peak = going or _Going(deque(maxlen=MOST_FRAMES), 0)
            frames.append((frame.t, frame.pixels))
            going = _Going(frames, max((peak, *frame.pixels)))
            if not _is_let_go(going):
                self._going[frame.station] = going
                return None
            for _ in range(AFTER):
                frames.pop()
        # The mean of the last few empty frames has less noise than one.
        rest = self._rest[frame.station] = numbers if rest is None or going else (rest + numbers) / 2
        if going is None or len(going.frames) < LEAST_FRAMES:
            return None
        steady = _steady(going.frames)
        empty = picture(rest.reshape(SIDE, SIDE))
        ended = round(going.frames[-1][0], 4)
        return Press(ended, frame.station, picture(steady), empty, rows_float(steady))


def _is_let_go(going: _Going) -> bool:
    """Whether the last frames show the empty matrix, although it reads more than it did before."""
    if len(going.frames) < AFTER:
        return False
    last = np.array([_numbers(going.frames[-at][1]) for at in range(1, AFTER + 1)])
    return bool(last.max() <= FAINTER * going.peak and np.ptp(last, axis=0).max() < ALIKE)


def texture_of(press: Press, book: TextureBook) -> Texture | None:
    """The texture of a press; None if nothing can be recognised."""
    if press.rows_float:
        return None
    felt = book.of(press.picture, press.rest)
    if felt is None or felt.p < LEAST_P:
        return None
    return Texture(press.t, press.station, felt.cls, round(felt.p, 4))


def _numbers(pixels: bytes) -> NDArray[np.int16]:
    return np.frombuffer(pixels, np.uint8).astype(np.int16)


def _steady(frames: deque[tuple[float, bytes]]) -> NDArray[np.float64]:
    """The mean of the strong frames."""
    numbers = np.array([_numbers(frame) for _, frame in frames])
    totals = numbers.sum(axis=1)
    strong = numbers[totals >= STEADY * totals.max()]
    return np.asarray(strong.mean(axis=0).reshape(SIDE, SIDE), np.float64)
