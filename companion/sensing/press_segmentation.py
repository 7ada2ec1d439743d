"""Splits the frames of a pressure matrix into presses: one for each card that was pressed down and let go."""

from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.sensing.crossing_currents import SIDE, picture, rows_float
from companion.sensing.observation import Texture
from companion.sensing.press_recogniser import TextureBook
from firmware.host.messages import TextureFrame

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
