"""Raised pictures felt by a pressure matrix: which one was pressed, however it was turned, or a smooth card.

A press is compared with enrolled presses in every turn and near place by normalised correlation, where it was
pressed alone (Lewis, "Fast Normalized Cross-Correlation", 1995; masked as by Padfield, CVPR 2010). Objects
of 8 to 10 classes are told apart at 98 % on such matrices in the literature. Pictures are 16 x 16, row by row.
"""

from collections.abc import Mapping, Sequence
from math import exp
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from companion.core.errors import BadInputError

Plane = NDArray[np.float32]

SIDE = 16
TURNS = 48
"""A press is compared in so many turns, 7.5 degrees apart."""
REACH = 3
"""And up to so many crossings off the middle of what was pressed, every way."""
AROUND = 2.0
"""A crossing is compared with those around it, in crossings, sigma: a palm presses unevenly."""
PRESSED = 0.12
"""Of the strongest neighbourhood: what presses less is taken as not pressed."""
LEAST = 0.04
"""Of full scale, on average around: weaker presses show nothing."""
LEAST_CELLS = 40
"""So many crossings must be pressed to tell anything."""
EVEN_CELLS = 70
"""A smooth press must be so large within its edge: half of a picture may hide elsewhere."""
FIT = (-10.2, 14.1, 26.0)
"""The chance that the best class is the right one, as a logistic curve: constant, for its correlation, and
for what it is ahead of the second; fitted to presses of all profiles."""
SMOOTH = (18.6, -70.2)
"""The chance that a press was of a smooth card, likewise: constant, and for its contrast."""


class Felt(NamedTuple):
    """What a press was of: the class, None for a smooth card, and how probable that is, 0 to 1."""

    cls: str | None
    p: float


class TextureBook:
    """Enrolled presses by class. `of` compares a press with all of them in every turn: some milliseconds.

    Each press is a picture of one, what the matrix felt at rest taken off, at any scale. ValueError for one
    that is not 16 x 16 or shows nothing.
    """

    def __init__(self, presses: Mapping[str, Sequence[bytes]]) -> None:
        self.classes = tuple(presses)
        templates: list[Plane] = []
        self._owner: list[int] = []
        for number, cls in enumerate(self.classes):
            for press in presses[cls]:
                relief, weight = _relief(_plane(press))
                if weight.sum() < LEAST_CELLS:
                    raise ValueError(f"a press of {cls} shows nothing")
                templates += _turned(relief, weight)
                self._owner += [number] * TURNS
        found = np.array(templates, np.float32).reshape(len(templates), -1)
        self._values = np.ascontiguousarray(found.T)
        self._squares = np.ascontiguousarray((found * found).T)

    def of(self, picture: bytes, rest: bytes = bytes(SIDE * SIDE)) -> Felt | None:
        """What was pressed; `rest` is what the matrix felt with nothing on it. None: nothing can be told."""
        relief, weight = _relief(_plane(picture) - _plane(rest))
        if weight.sum() < LEAST_CELLS:
            return None
        within = _eroded(weight)
        contrast = float(relief[within].std()) if within.any() else 0.0
        smooth = _logistic(SMOOTH[0] + SMOOTH[1] * contrast)
        if smooth >= 0.5 or not self.classes:
            return Felt(None, smooth) if smooth >= 0.5 and within.sum() >= EVEN_CELLS else None
        scores = self.scores(relief, weight)
        best, second = np.argsort(scores)[::-1][:2] if len(scores) > 1 else (0, 0)
        ahead = float(scores[best] - scores[second]) if len(scores) > 1 else 1.0
        sure = _logistic(FIT[0] + FIT[1] * float(scores[best]) + FIT[2] * ahead)
        return Felt(self.classes[int(best)], (1 - smooth) * sure)

    def scores(self, relief: Plane, weight: Plane) -> NDArray[np.float64]:
        """The best correlation with each class, -1 to 1."""
        looks, masks = _shifted(relief, weight)
        total = masks.sum(axis=1, keepdims=True)
        mean = (looks * masks).sum(axis=1, keepdims=True) / total
        centred = (looks - mean) * masks
        spread = np.sqrt((centred * (looks - mean)).sum(axis=1, keepdims=True))
        means = masks @ self._values / total
        spreads = np.sqrt(np.maximum(masks @ self._squares - total * means**2, 1e-6))
        correlated = (centred @ self._values) / (spread * spreads + 1e-6)
        best = correlated.max(axis=0)
        found = np.full(len(self.classes), -1.0)
        np.maximum.at(found, self._owner, best)
        return found


def as_enrolled(picture: bytes, rest: bytes) -> bytes:
    """A press as a book takes it, what the empty matrix felt taken off. ValueError if it shows no raised
    picture, or not all of it."""
    pressed = np.maximum(_plane(picture) - _plane(rest), 0)
    relief, weight = _relief(pressed)
    within = _eroded(weight)
    if within.sum() < EVEN_CELLS:
        raise ValueError("press all of it, and more strongly")
    if _logistic(SMOOTH[0] + SMOOTH[1] * float(relief[within].std())) >= 0.5:
        raise ValueError("no raised picture is felt")
    return np.asarray(np.round(pressed * 255), np.uint8).tobytes()


def read_book(presses: Mapping[str, Sequence[str]]) -> TextureBook | None:
    """A book of presses as settings have them, 512 hex digits each; None if there are none. BadInputError names
    one that is no press."""
    if not presses:
        return None
    try:
        return TextureBook({cls: [bytes.fromhex(press) for press in those] for cls, those in presses.items()})
    except ValueError as error:
        raise BadInputError(str(error), where="textures", next_step="enrol it anew") from None


def _logistic(x: float) -> float:
    return 1 / (1 + exp(-max(-50.0, min(50.0, x))))


def _plane(press: bytes) -> Plane:
    if len(press) != SIDE * SIDE:
        raise ValueError("a picture of a press has 16 rows of 16")
    return np.asarray(np.frombuffer(press, np.uint8).reshape(SIDE, SIDE) / 255, np.float32)


def _blur(sigma: float) -> Plane:
    cells = np.arange(SIDE)
    weights = np.exp(-(((cells[:, None] - cells[None, :]) / sigma) ** 2) / 2)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float32)


_NEAR, _AROUND = _blur(0.8), _blur(AROUND)


def _relief(picture: Plane) -> tuple[Plane, Plane]:
    """How much each crossing feels beyond those around it, as a share, and how much it counts, 0 or 1."""
    picture = np.maximum(picture, 0)
    near = _NEAR @ picture @ _NEAR.T
    strongest = float(near.max())
    if strongest < LEAST:
        return np.zeros_like(picture), np.zeros_like(picture)
    weight = (near > PRESSED * strongest).astype(np.float32)
    share = _AROUND @ weight @ _AROUND.T
    level = _AROUND @ (picture * weight) @ _AROUND.T / np.maximum(share, 1e-3)
    return np.asarray((picture / np.maximum(level, LEAST / 2) - 1) * weight, np.float32), weight


def _eroded(weight: Plane) -> NDArray[np.bool_]:
    """Crossings with all pressed around them: at its edge a card presses unevenly."""
    padded = np.pad(weight > 0, 1)
    within = np.ones((SIDE, SIDE), bool)
    for dy in range(3):
        for dx in range(3):
            within &= padded[dy : dy + SIDE, dx : dx + SIDE]
    return within


def _turned(relief: Plane, weight: Plane) -> list[Plane]:
    """An enrolled press around its middle, in every turn."""
    y0, x0 = _middle(relief, weight)
    along = np.arange(SIDE) - (SIDE - 1) / 2
    x, y = np.meshgrid(along, along)
    found = []
    for turn in np.arange(TURNS) * 2 * np.pi / TURNS:
        at_x = x * np.cos(turn) + y * np.sin(turn) + x0
        at_y = y * np.cos(turn) - x * np.sin(turn) + y0
        found.append(_sampled(relief, at_y, at_x))
    return found


def _middle(relief: Plane, weight: Plane) -> tuple[float, float]:
    """Where the picture is: the middle of what is raised."""
    raised = np.maximum(relief, 0) * weight
    total = float(raised.sum()) or 1.0
    cells = np.arange(SIDE)
    return float((raised.sum(axis=1) * cells).sum() / total), float((raised.sum(axis=0) * cells).sum() / total)


def _sampled(plane: Plane, y: NDArray[np.float64], x: NDArray[np.float64]) -> Plane:
    """Between crossings; 0 beyond the edge."""
    padded = np.pad(plane, 1)
    y, x = np.clip(y + 1, 0, SIDE), np.clip(x + 1, 0, SIDE)
    top, left = y.astype(int), x.astype(int)
    dy, dx = y - top, x - left
    above = padded[top, left] * (1 - dx) + padded[top, left + 1] * dx
    below = padded[top + 1, left] * (1 - dx) + padded[top + 1, left + 1] * dx
    return np.asarray(above * (1 - dy) + below * dy, np.float32)


def _shifted(relief: Plane, weight: Plane) -> tuple[Plane, Plane]:
    """The press in every near place, its picture roughly in the middle, and what counts of it."""
    y0, x0 = (round(at - (SIDE - 1) / 2) for at in _middle(relief, weight))
    wide = SIDE + REACH
    values, counts = np.pad(relief, wide), np.pad(weight, wide)
    looks, masks = [], []
    for dy in range(-REACH, REACH + 1):
        for dx in range(-REACH, REACH + 1):
            rows = slice(wide + y0 + dy, wide + y0 + dy + SIDE)
            cols = slice(wide + x0 + dx, wide + x0 + dx + SIDE)
            looks.append(values[rows, cols].ravel())
            masks.append(counts[rows, cols].ravel())
    return np.array(looks), np.array(masks)
