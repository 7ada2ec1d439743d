"""Pictures of a pressure matrix folded into presses: one for each card that was pressed down and let go."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.sensing.observation import Texture
from companion.sensing.press_recogniser import TextureBook
from firmware.host.messages import TextureFrame

PRESSED_AT = 24
"""Of 255: a crossing that feels so much beyond the empty matrix is pressed."""
LEAST_FRAMES = 2
"""A press of fewer pictures tells nothing: a card that was dropped."""
STEADY = 0.9
"""Of the strongest picture: those at least so strong are averaged."""
GAP_S = 1.0
"""Pictures farther apart are of two presses, and how the first one ended nobody knows."""
LEAST_P = 0.5
"""What is less probable than this is not worth a word."""


class Press(NamedTuple):
    """When a press was let go (s), where, its picture, and that of the empty matrix then, 256 bytes each."""

    t: float
    station: str
    picture: bytes
    rest: bytes


class _Going(NamedTuple):
    """A press that goes on: its pictures, and when the last of them was taken (s)."""

    frames: list[bytes]
    t: float


class Presses:
    """Folds the frames of every station; the last frames after a press show the empty matrix."""

    def __init__(self) -> None:
        self._going: dict[str, _Going] = {}
        self._rest: dict[str, bytes] = {}

    def forget(self) -> None:
        """The board is gone: what was pressed then was let go unseen."""
        self._going.clear()

    def hear(self, frame: TextureFrame) -> Press | None:
        """The press that this frame ends, if it ends one that was long enough."""
        rest = self._rest.get(frame.station, bytes(256))
        going = self._going.pop(frame.station, None)
        if going is not None and frame.t - going.t > GAP_S:
            going = None
        if int((_numbers(frame.pixels) - _numbers(rest)).max()) >= PRESSED_AT:
            frames = going.frames if going else []
            self._going[frame.station] = _Going([*frames, frame.pixels], frame.t)
            return None
        self._rest[frame.station] = frame.pixels
        if going is None or len(going.frames) < LEAST_FRAMES:
            return None
        return Press(round(going.t, 4), frame.station, _steady(going.frames), frame.pixels)


def texture_of(press: Press, book: TextureBook) -> Texture | None:
    """What was pressed, if anything can be told of it."""
    felt = book.of(press.picture, press.rest)
    if felt is None or felt.p < LEAST_P:
        return None
    return Texture(press.t, press.station, felt.cls, round(felt.p, 4))


def _numbers(pixels: bytes) -> NDArray[np.int16]:
    return np.frombuffer(pixels, np.uint8).astype(np.int16)


def _steady(frames: list[bytes]) -> bytes:
    """The average of the strong pictures."""
    numbers = np.array([_numbers(frame) for frame in frames])
    totals = numbers.sum(axis=1)
    strong = numbers[totals >= STEADY * totals.max()]
    return np.asarray(strong.mean(axis=0), np.uint8).tobytes()
