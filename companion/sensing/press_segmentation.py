"""Splits the frames of a pressure matrix into presses: one for each card that was pressed down and let go."""

from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.sensing.observation import Texture
from companion.sensing.parameters import MATRIX
from companion.sensing.press_recogniser import SIDE, TextureBook
from firmware.host.messages import TextureFrame

Plane = NDArray[np.float64]


def conductances(readings: Plane) -> Plane:
    """Conductance of each crossing (16 x 16, unit 1 / `MATRIX.unit_ohm`) from readings of 0 to 255.

    Sneak currents through other crossings are removed by iteration.
    """
    share = np.maximum(readings, MATRIX.faintest) / (MATRIX.gain * MATRIX.full_scale)
    siemens = share / (MATRIX.sig_ohm * (1 - share))
    for _ in range(MATRIX.iterations):
        siemens = np.clip(siemens * share / _shares(siemens), 1e-8, 1e-2)
    return np.asarray(siemens * MATRIX.unit_ohm)


def picture(readings: Plane) -> bytes:
    """A press as 256 bytes, row by row: conductances from readings (16 x 16) of 0 to 255."""
    full = MATRIX.full_scale
    return np.asarray(np.clip(np.round(conductances(readings) * full), 0, full), np.uint8).tobytes()


def readings(shares: Plane) -> Plane:
    """What the board reads (0 to 255) at the conductances `shares` (16 x 16, unit 1 / `MATRIX.unit_ohm`).

    Inverse of `conductances`.
    """
    full = MATRIX.full_scale
    return np.clip(_shares(np.maximum(shares, 1e-4) / MATRIX.unit_ohm) * MATRIX.gain * full, 0, full)


def rows_float(readings: Plane) -> bool:
    """True if so many crossings read full that resistors at rows or SIG must be missing.

    `readings`: 16 x 16, 0 to 255.
    """
    return int((readings >= MATRIX.full_scale).sum()) >= MATRIX.floating


def _shares(siemens: Plane) -> Plane:
    """Voltage at SIG per crossing, as share of supply.

    The nodal matrix of all strips is inverted once. Each crossing closes one switch at either end: a rank-2
    update (Woodbury).
    """
    nodal = np.zeros((2 * SIDE, 2 * SIDE))
    nodal[:SIDE, SIDE:], nodal[SIDE:, :SIDE] = -siemens, -siemens.T
    to_ground = np.repeat((1 / MATRIX.row_ohm, MATRIX.leak_siemens), SIDE)
    nodal[np.diag_indices(2 * SIDE)] = np.concatenate((siemens.sum(1), siemens.sum(0))) + to_ground
    inverse = np.linalg.inv(nodal)
    own, other = np.diag(inverse)[:SIDE, None], np.diag(inverse)[None, SIDE:]
    mutual = inverse[:SIDE, SIDE:]
    drive, load = 1 / MATRIX.switch_ohm, 1 / (MATRIX.switch_ohm + MATRIX.sig_ohm)
    whole = 1 + load * other + drive * own + (own * other - mutual**2) * drive * load
    return np.asarray(mutual * drive / whole * MATRIX.sig_ohm * load)


class Press(NamedTuple):
    """One card pressed on a station's pressure matrix, and let go at `t` (s).

    `picture`, `rest`: the press and the empty matrix, 256 conductances as bytes each. `rows_float`: row
    resistors are missing, so `picture` also shows crossings that nobody presses.
    """

    t: float
    station: str
    picture: bytes
    rest: bytes
    rows_float: bool = False


class _Going(NamedTuple):
    """A press that goes on: its frames with times (s), and its strongest reading."""

    frames: deque[tuple[float, bytes]]
    peak: int


class Presses:
    """Collects the frames of all stations' pressure matrices into presses."""

    def __init__(self) -> None:
        self._going: dict[str, _Going] = {}
        self._rest: dict[str, NDArray[np.float64]] = {}

    def forget(self) -> None:
        """Drop unfinished presses, because the board is lost."""
        self._going.clear()

    def hear(self, frame: TextureFrame) -> Press | None:
        """Add a frame.

        Returns the press that ends with it; None if none ends, or one too short.
        """
        rest = self._rest.get(frame.station)
        numbers = _numbers(frame.pixels).astype(np.float64)
        going = self._going.pop(frame.station, None)
        if going is not None and frame.t - going.frames[-1][0] > MATRIX.gap_s:
            going = None
        # A card presses many crossings. Their mean has a tenth of the noise of the strongest one.
        if (numbers - (0.0 if rest is None else rest)).mean() >= MATRIX.pressed_at:
            frames, peak = going or _Going(deque(maxlen=MATRIX.most_frames), 0)
            frames.append((frame.t, frame.pixels))
            going = _Going(frames, max((peak, *frame.pixels)))
            if not _is_let_go(going):
                self._going[frame.station] = going
                return None
            for _ in range(MATRIX.empty_frames):
                frames.pop()
        # The mean of the last few empty frames has less noise than one.
        rest = self._rest[frame.station] = numbers if rest is None or going else (rest + numbers) / 2
        if going is None or len(going.frames) < MATRIX.least_frames:
            return None
        steady = _steady(going.frames)
        empty = picture(rest.reshape(SIDE, SIDE))
        ended = round(going.frames[-1][0], 4)
        return Press(ended, frame.station, picture(steady), empty, rows_float(steady))


def _is_let_go(going: _Going) -> bool:
    """True if the last `MATRIX.empty_frames` frames show an empty matrix, even if it reads more than before
    the press."""
    if len(going.frames) < MATRIX.empty_frames:
        return False
    last = np.array([_numbers(going.frames[-at][1]) for at in range(1, MATRIX.empty_frames + 1)])
    return bool(
        last.max() <= MATRIX.empty_share * going.peak and np.ptp(last, axis=0).max() < MATRIX.empty_spread
    )


def texture_of(press: Press, book: TextureBook) -> Texture | None:
    """What enrolled presses (`book`) recognise a press as.

    None if it is too weak, less probable than `MATRIX.least_p`, or lacks row resistors.
    """
    if press.rows_float:
        return None
    felt = book.of(press.picture, press.rest)
    if felt is None or felt.p < MATRIX.least_p:
        return None
    return Texture(press.t, press.station, felt.cls, round(felt.p, 4))


def _numbers(pixels: bytes) -> NDArray[np.int16]:
    return np.frombuffer(pixels, np.uint8).astype(np.int16)


def _steady(frames: deque[tuple[float, bytes]]) -> NDArray[np.float64]:
    """Mean (16 x 16) of steadily pressed frames (see `MATRIX.steady`)."""
    numbers = np.array([_numbers(frame) for _, frame in frames])
    totals = numbers.sum(axis=1)
    strong = numbers[totals >= MATRIX.steady * totals.max()]
    return np.asarray(strong.mean(axis=0).reshape(SIDE, SIDE), np.float64)
