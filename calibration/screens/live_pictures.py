"""Pictures of letters: what the camera sees, what presses on the pad, and the weights, in a terminal."""

from collections.abc import Mapping

import cv2
import numpy as np
from rich.color import Color
from rich.style import Style
from rich.text import Text

from vision.codes.sticker_set import Gray

_UPPER = "▀"
_FULL_G = 80.0
"""_FULL_G: weight (g) of a full bar: twenty cards."""
SIDE = 16
"""SIDE: crossings on a side of the pressure picture."""


def half_blocks(gray: Gray, columns: int, rows: int) -> Text:
    """A grey picture (h x w) in at most `columns` x `rows` letters, two pixels above each other in each."""
    height, width = gray.shape[:2]
    across = max(1, min(columns, round(2 * rows * width / height)))
    down = max(2, min(2 * rows, round(across * height / width)))
    down -= down % 2
    small = cv2.resize(gray, (across, down), interpolation=cv2.INTER_AREA)
    picture = Text(no_wrap=True)
    for row in range(0, down, 2):
        for upper, lower in zip(small[row].tolist(), small[row + 1].tolist(), strict=True):
            picture.append(_UPPER, Style(color=_grey(upper), bgcolor=_grey(lower)))
        picture.append("\n")
    picture.rstrip()
    return picture


def pressure_picture(pressed: bytes) -> Text:
    """The 256 readings of the pressure matrix as 16 x 8 letters."""
    return half_blocks(np.frombuffer(pressed, np.uint8).reshape(SIDE, SIDE), SIDE, SIDE // 2)


def weight_bars(weights: Mapping[str, float], width: int) -> list[str]:
    """A line a station: name, bar and grams, at most `width` letters."""
    room = max((len(name) for name in weights), default=0)
    lines = []
    for name, grams in sorted(weights.items()):
        length = max(1, width - room - 10)
        full = round(length * max(0.0, min(1.0, grams / _FULL_G)))
        lines.append(f"{name:{room}} {'█' * full}{'·' * (length - full)} {grams:6.1f} g")
    return lines


def _grey(level: int) -> Color:
    # Steps of eight: neighbours that differ by noise look the same.
    level = min(255, 8 * round(level / 8))
    return Color.from_rgb(level, level, level)
