"""Splits the frames of a pressure matrix into presses: one for each card that was pressed down and let go."""

from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.firmware.host.messages import TextureFrame
from companion.sensing.observation import Texture
from companion.sensing.press_recogniser import TextureBook

PRESSED_AT = 24
"""PRESSED_AT: a crossing is pressed if it exceeds the empty matrix by at least this much (of 255)."""
LEAST_FRAMES = 2
"""LEAST_FRAMES: fewest frames of a press. A shorter one is a card that was dropped."""
MOST_FRAMES = 150
"""MOST_FRAMES: newest frames of a press that are kept: ten seconds. What rests on the matrix all day fills no
memory."""
STEADY = 0.9
"""STEADY: frames of at least this share of the strongest one's pressure are averaged."""
GAP_S = 1.0
"""GAP_S: frames farther apart (s) belong to two presses. The end of the first one is unknown."""
LEAST_P = 0.5
"""LEAST_P: a less probable texture is not reported."""


class Press(NamedTuple):
    """A press: when it ended (s), at which station, its picture, and the empty matrix at that time (256
    bytes each)."""

    t: float
    station: str
    picture: bytes
    rest: bytes


class _Going(NamedTuple):
    """A press that goes on: its frames, and the time of the last one (s)."""

    frames: deque[bytes]
    t: float


class Presses:
    """Collects the frames of every station into presses. The last frames after a press show the empty
    matrix."""

    def __init__(self) -> None:
        self._going: dict[str, _Going] = {}
        self._rest: dict[str, bytes] = {}

    def forget(self) -> None:
        """The board is gone: presses that went on then are dropped."""
        self._going.clear()

    def hear(self, frame: TextureFrame) -> Press | None:
        """The press that this frame ends, if it was long enough; else None."""
        rest = self._rest.get(frame.station, bytes(256))
        going = self._going.pop(frame.station, None)
        if going is not None and frame.t - going.t > GAP_S:
            going = None
        if int((_numbers(frame.pixels) - _numbers(rest)).max()) >= PRESSED_AT:
            frames = going.frames if going else deque[bytes](maxlen=MOST_FRAMES)
            frames.append(frame.pixels)
            self._going[frame.station] = _Going(frames, frame.t)
            return None
        self._rest[frame.station] = frame.pixels
        if going is None or len(going.frames) < LEAST_FRAMES:
            return None
        return Press(round(going.t, 4), frame.station, _steady(going.frames), frame.pixels)


def texture_of(press: Press, book: TextureBook) -> Texture | None:
    """The texture of a press; None if nothing can be recognised."""
    felt = book.of(press.picture, press.rest)
    if felt is None or felt.p < LEAST_P:
        return None
    return Texture(press.t, press.station, felt.cls, round(felt.p, 4))


def _numbers(pixels: bytes) -> NDArray[np.int16]:
    return np.frombuffer(pixels, np.uint8).astype(np.int16)


def _steady(frames: deque[bytes]) -> bytes:
    """The mean of the strong frames."""
    numbers = np.array([_numbers(frame) for frame in frames])
    totals = numbers.sum(axis=1)
    strong = numbers[totals >= STEADY * totals.max()]
    return np.asarray(strong.mean(axis=0), np.uint8).tobytes()
