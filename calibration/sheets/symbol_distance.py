"""Least Hamming distance between printed symbols, over all their rotations."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.sheets.sheet_shapes import Symbol


@dataclass(frozen=True, slots=True)
class Nearest:
    """Two printed symbols that differ least.

    They differ in `distance` of `modules` modules (small squares), with the second one turned by `turn`
    degrees counter-clockwise.
    """

    distance: int
    modules: int
    first: str
    second: str
    turn: int


def nearest(symbols: Sequence[Symbol]) -> Nearest | None:
    """Find the two least different printed symbols, over all rotations.

    None for fewer than two. Symbols of one card are equal on purpose and not compared. All must have equally
    many modules. The white rim is not counted.
    """
    once = list({symbol.code: symbol for symbol in symbols}.values())
    if len(once) < 2:
        return None
    quiet = once[0].quiet
    black = np.array([symbol.modules for symbol in once], bool)[:, quiet:-quiet, quiet:-quiet]
    count = black.shape[1] ** 2
    flat = black.reshape(len(once), count).astype(np.float32)
    best = Nearest(count + 1, count, "", "", 0)
    for quarter in range(4):
        turned = np.rot90(black, quarter, axes=(1, 2)).reshape(len(once), count).astype(np.float32)
        # For 0/1 vectors, differing = ones of a + ones of b - 2 * common ones.
        differ = flat.sum(1)[:, None] + turned.sum(1)[None] - 2 * flat @ turned.T
        differ[np.diag_indices(len(once))] = np.inf
        one, other = np.unravel_index(int(differ.argmin()), differ.shape)
        if differ[one, other] < best.distance:
            best = Nearest(int(differ[one, other]), count, once[one].code, once[other].code, 90 * quarter)
    return best
