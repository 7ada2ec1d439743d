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
"""Resistances (ohm). ROW_OHM: from each row to ground. SIG_OHM: from the multiplexer's output SIG to ground
(both as in docs/build-guide.md). SWITCH_OHM: a closed switch of the 74HC4067 (data sheet: 70 to 100)."""
GAIN = 4
"""GAIN: the board reads 255 at 1/GAIN of the supply voltage (`firmware/wire/hot_loops.py`)."""
FULL = 255
FLOATING = 60
"""FLOATING: least crossings at full reading in one press that prove missing row resistors. With resistors no
press of `companion bench parts` has as many; without them some 200 of 256 read full."""
LEAK_S = 1e-9
"""LEAK_S: leakage (siemens) assumed for each strip, so that the nodal matrix can be inverted."""
STEPS = 12
"""STEPS: iterations of `conductances`. With five, a third of the presses on the most conductive sheets were not
recognised."""
FAINTEST = 0.25
"""FAINTEST: least reading (of 255) that is assumed of a crossing, so that no conductance is 0."""
UNIT_OHM = 4000.0
"""UNIT_OHM: resistance (ohm) of a crossing that is 255 in a picture of conductances."""


def conductances(readings: Plane) -> Plane:
    """Conductance of each crossing (16 x 16), in units of 1 / UNIT_OHM, from readings of 0 to 255.

    Removes the sneak currents through other crossings, by iteration.
    """
    share = np.maximum(readings, FAINTEST) / (GAIN * FULL)
    siemens = share / (SIG_OHM * (1 - share))
    for _ in range(STEPS):
        siemens = np.clip(siemens * share / _shares(siemens), 1e-8, 1e-2)
    return np.asarray(siemens * UNIT_OHM)


def picture(readings: Plane) -> bytes:
    """Picture of a press: conductances as 256 bytes, row by row, from readings (16 x 16) of 0 to 255."""
    return np.asarray(np.clip(np.round(conductances(readings) * FULL), 0, FULL), np.uint8).tobytes()


def readings(shares: Plane) -> Plane:
    """Readings (0 to 255) of the board for given conductances: the inverse of `conductances`."""
    return np.clip(_shares(np.maximum(shares, 1e-4) / UNIT_OHM) * GAIN * FULL, 0, FULL)


def rows_float(readings: Plane) -> bool:
    """True if so many crossings read full that resistors at the rows, or at SIG, must be missing."""
    return int((readings >= FULL).sum()) >= FLOATING


def _shares(siemens: Plane) -> Plane:
    """Voltage at SIG per crossing, as share of the supply.

    The nodal matrix of all strips is inverted once. Each crossing closes one switch at either end: a rank-2
    update (Woodbury).
    """
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
"""PRESSED_AT: least excess over the empty matrix (of 255) of a pressed crossing. Five times the noise of the
noisiest sheet in `companion bench parts`."""
LEAST_FRAMES = 2
"""LEAST_FRAMES: fewest frames of a press. Fewer frames show a card that was dropped."""
MOST_FRAMES = 150
"""MOST_FRAMES: most frames kept of one press (ten seconds). A card left on the matrix thus fills no memory."""
AFTER, FAINTER, ALIKE = 3, 0.4, 30
"""Bounds of an empty matrix after a press. AFTER frames in a row must differ by less than ALIKE (of 255). None
may exceed the share FAINTER of the press's strongest reading. The board sends AFTER frames after a press.
An old matrix never reads zero again."""
STEADY = 0.9
"""STEADY: a frame is averaged if its total pressure is at least this share of the strongest frame's."""
GAP_S = 1.0
"""GAP_S: longest time (s) between two frames of one press. After a longer gap the first press is dropped."""
LEAST_P = 0.5
"""LEAST_P: least probability of a texture that is reported."""


class Press(NamedTuple):
    """Press of one card on a pressure matrix, from its touch to its release at `t` (s).

    `picture`, `rest`: pictures of the press and of the empty matrix, 256 conductances as bytes. `rows_float`:
    row resistors are missing, and `picture` also shows crossings that nobody presses.
    """

    t: float
    station: str
    picture: bytes
    rest: bytes
    rows_float: bool = False


class _Going(NamedTuple):
    """Press that has not ended: its frames with their times (s), and its strongest reading."""

    frames: deque[tuple[float, bytes]]
    peak: int


class Presses:
    """Presses on all stations' matrices, collected frame by frame."""

    def __init__(self) -> None:
        self._going: dict[str, _Going] = {}
        self._rest: dict[str, NDArray[np.float64]] = {}

    def forget(self) -> None:
        """Drop unfinished presses, because the board is lost."""
        self._going.clear()

    def hear(self, frame: TextureFrame) -> Press | None:
        """Add a frame.

        Returns the press that it ends; None if no press ends, or too short a one.
        """
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
    """True if the last AFTER frames show an empty matrix, even if it reads more than before the press."""
    if len(going.frames) < AFTER:
        return False
    last = np.array([_numbers(going.frames[-at][1]) for at in range(1, AFTER + 1)])
    return bool(last.max() <= FAINTER * going.peak and np.ptp(last, axis=0).max() < ALIKE)


def texture_of(press: Press, book: TextureBook) -> Texture | None:
    """Recognise a press; None if it is too weak, less probable than LEAST_P, or lacks its row resistors."""
    if press.rows_float:
        return None
    felt = book.of(press.picture, press.rest)
    if felt is None or felt.p < LEAST_P:
        return None
    return Texture(press.t, press.station, felt.cls, round(felt.p, 4))


def _numbers(pixels: bytes) -> NDArray[np.int16]:
    return np.frombuffer(pixels, np.uint8).astype(np.int16)


def _steady(frames: deque[tuple[float, bytes]]) -> NDArray[np.float64]:
    """Mean (16 x 16) of the frames that STEADY selects."""
    numbers = np.array([_numbers(frame) for _, frame in frames])
    totals = numbers.sum(axis=1)
    strong = numbers[totals >= STEADY * totals.max()]
    return np.asarray(strong.mean(axis=0).reshape(SIDE, SIDE), np.float64)
