"""Terminal pictures made of letters: camera, pressure matrix, weights."""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.color import Color
from rich.style import Style
from rich.text import Text

from calibration.wizard.setup_bench import Mark
from companion.core.language import localized
from companion.core.sensor_terms import place_name
from vision.codes.sticker_set import Gray

_UPPER = "▀"
_FULL_G = 80.0
"""Weight (g) at which a bar is full: that of twenty cards."""
SIDE = 16
"""Number of rows, and of columns, of the pressure matrix."""
_FOUND, _READ = (90, 200, 255), (120, 255, 120)
"""Colours (red, green, blue) of outlines: of things found on the mat, and of cards whose sticker was read."""
_WRONG = (255, 150, 110)
"""Colour (red, green, blue) of presses that were mistaken, or not recognised."""
_TAIL = 1.0
"""Share (%) of pixels at either end that a stretched picture shows black, or white. A guess."""
_INK = 0.55
"""Share (0 to 1) of the outline's colour in an outline; the rest is the picture. A guess."""


def camera_picture(gray: Gray, columns: int, rows: int, marks: Sequence[Mark] = ()) -> Text:
    """Draw a camera picture as `rows` rows of letters.

    Outlines (`marks`) are drawn, too. It is stretched from black to white: a console has only four greys, so an
    unstretched one shows little.
    """
    return half_blocks(gray, columns, rows, marks, stretched=True)


def half_blocks(
    gray: Gray, columns: int, rows: int, marks: Sequence[Mark] = (), *, stretched: bool = False
) -> Text:
    """Draw a grey picture (h x w) as at most `columns` x `rows` letters of two pixels each.

    `marks`: outlines to draw, in px of the picture. `stretched`: the greys reach from black to white.
    """
    height, width = gray.shape[:2]
    across = max(1, min(columns, round(2 * rows * width / height)))
    down = max(2, min(2 * rows, round(across * height / width)))
    down -= down % 2
    small = cv2.resize(gray, (across, down), interpolation=cv2.INTER_AREA)
    if stretched:
        darkest, brightest = np.percentile(small, (_TAIL, 100 - _TAIL))
        shades = (small - darkest) * (255 / max(1.0, brightest - darkest))
        small = np.clip(shades, 0, 255).astype(np.uint8)
    # Rounded to steps of eight, so that noise does not show.
    even = np.minimum(255, 8 * np.round(small.astype(np.float32) / 8)).astype(np.uint8)
    return _letters(_marked(even, marks, across / width, down / height))


def _marked(small: Gray, marks: Sequence[Mark], x: float, y: float) -> NDArray[np.uint8]:
    """Colour a reduced grey picture, and draw outlines into it.

    Returns red, green, blue. `x` and `y`: its width and height divided by those of the whole picture.
    """
    coloured = np.asarray(cv2.cvtColor(small, cv2.COLOR_GRAY2RGB), np.uint8)
    drawn = coloured.copy()
    for mark in marks:
        points = np.round(np.asarray(mark.outline, np.float64) * (x, y) - 0.5).astype(np.int32)
        cv2.polylines(drawn, [points.reshape(-1, 1, 2)], True, _READ if mark.read else _FOUND)
    return np.asarray(cv2.addWeighted(drawn, _INK, coloured, 1 - _INK, 0), np.uint8)


def _letters(coloured: NDArray[np.uint8]) -> Text:
    picture = Text(no_wrap=True)
    for row in range(0, coloured.shape[0], 2):
        for upper, lower in zip(coloured[row].tolist(), coloured[row + 1].tolist(), strict=True):
            picture.append(_UPPER, Style(color=Color.from_rgb(*upper), bgcolor=Color.from_rgb(*lower)))
        picture.append("\n")
    picture.rstrip()
    return picture


def pressure_picture(pressed: bytes, size: int = 1) -> Text:
    """Draw a reading of the pressure matrix in half blocks, brighter where pressed harder.

    `pressed`: 256 bytes, row by row. The drawing has 16 x 8 letters of two crossings each, times `size` each
    way.
    """
    crossings = np.frombuffer(pressed, np.uint8).reshape(SIDE, SIDE)
    return half_blocks(np.kron(crossings, np.ones((size, size), np.uint8)), size * SIDE, size * SIDE // 2)


def confusion_table(counts: Mapping[tuple[str, str], int]) -> Text:
    """Draw how presses were recognised, as a table.

    A row for each true kind, a column for each recognised one, last "?". `counts`: (true kind, recognised kind
    or "") -> number of presses. Brighter means more, so only the diagonal should be bright.
    """
    kinds = sorted({true for true, _ in counts})
    room = max((len(kind) for kind in kinds), default=0) + 1
    table = Text(
        f"{'':{room}}{''.join(f'{kind:>{room + 1}}' for kind in kinds)}{'?':>{room + 1}}", no_wrap=True
    )
    for true in kinds:
        most = max(count for (kind, _), count in counts.items() if kind == true)
        table.append(f"\n{true:{room}}")
        for found in (*kinds, ""):
            count = counts.get((true, found), 0)
            level = 40 + round(170 * count / most)
            ground = _READ if true == found else _WRONG
            colour = Color.from_rgb(*(part * level / 255 for part in ground)) if count else None
            table.append(f"{count or '·':>{room + 1}}", Style(color="black" if count else None, bgcolor=colour))
    return table


def weight_bars(weights: Mapping[str, float], width: int) -> list[str]:
    """Draw a bar for each station's weight (g), one line each.

    `weights`: station -> g. `width`: most letters of a line.
    """
    called = {name: localized(place_name(name)) for name in weights}
    room = max(map(len, called.values()), default=0)
    lines = []
    for station, grams in sorted(weights.items()):
        name = called[station]
        length = max(1, width - room - 10)
        full = round(length * max(0.0, min(1.0, grams / _FULL_G)))
        lines.append(f"{name:{room}} {'█' * full}{'·' * (length - full)} {grams:6.1f} g")
    return lines
