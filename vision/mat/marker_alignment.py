"""Aligns corner markers' prints with the picture, cell by cell.

A cell is called module. Four corners of an outline are wrong where a card or a lamp hides a side, or a blur
moves one. The whole pattern has sixty more edges. Its place is right under any blur that is even in all
directions, or along one.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.codes.sticker_set import Gray, marker
from vision.mat.lens_model import Points

_MODULES = 8
"""Number of modules (cells) along a side of a marker's black square."""
_A_MODULE = 3
"""_A_MODULE: number of samples along a module (cell of a marker)."""
_LARGE_PX = 12.0
"""_LARGE_PX: size (px) of a module above which the picture is shrunk: its sharp edges would run between the
samples, and markers of 150 px lay 2 px off."""
_FINE = 12
"""Px per module (cell of a marker) of the drawn pattern from which blurred ones are sampled."""
_RIM = 0.75
"""Width of the white margin that is compared as well, in modules (cells of a marker)."""
_BLURS_PX = (0.8, 1.5, 2.4, 3.6)
"""Blurs (standard deviations, px) that are tried: the picture's own and the added one together."""
_OWN_BLURS_PX, _CLEAR = (0.6, 1.4), 0.93
"""_OWN_BLURS_PX: blurs (px) added to the picture against noise, and part of each of _BLURS_PX. The second is
tried if the likeness stays below _CLEAR."""
_HOPELESS = 0.35
"""_HOPELESS: correlation with the print below which something else lies there, whatever the blur."""
_ROUNDS, _SETTLED_PX = 10, 0.02
"""Limits of an alignment. _ROUNDS: most steps. _SETTLED_PX: length (px) of a step below which it ends."""
_OFF_PX, _OFF_SHARE = 2.5, 0.06
"""Expected error (sigma) of a corner at the start of an alignment. _OFF_PX: in px. _OFF_SHARE: as a share of
the marker's side. The larger one counts."""
_OUTLIER = 2.0
"""_OUTLIER: residual, in standard deviations of most samples, at which a sample has half weight: it is
probably covered."""
_SECOND = ((2, 0), (0, 2), (1, 1))
"""Orders (across, down) of the second derivatives of a print. More blur adds them, as heat spreads."""
_AGREES = 0.3
"""_AGREES: greatest residual of a sample that agrees with the print, as a share of the contrast of black and
white."""
_UNLIKE_PX = 3.0
"""_UNLIKE_PX: error (sigma, px) of a marker's shape per lack of likeness. Of 190 markers in hostile pictures it
was 2.5, whether motion, noise or ghosts spoiled them."""


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """Marker of a mat where its print fits best.

    `corners`: 4 x 2 px, clockwise from its own upper left. `likeness`: correlation with the print (-1 to 1).
    `agreeing`: share of samples that look like the print. `contrast`: grey levels between its black and white.
    `blur_px`: standard deviation of its blur.
    """

    id: int
    corners: Points
    likeness: float
    agreeing: float
    contrast: float
    blur_px: float

    @property
    def shape_px(self) -> float:
        """Probable error (sigma, px) of its shape: of a corner, when the marker's place is right."""
        return _UNLIKE_PX * (1 - self.likeness)


def align(gray: Gray, number: int, corners: Points, blurs_px: Iterable[float] = _BLURS_PX) -> Aligned | None:
    """Align a marker's print with a picture, trying some blurs.

    `number`: the marker's id. `corners`: where it may lie (4 x 2 px). `blurs_px`: blurs tried (sigma, px). None
    if the marker leaves the picture, or shows no contrast.
    """
    side = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    reach = side * 0.35 + 6
    left, top = np.floor(corners.min(axis=0) - reach).astype(int)
    right, bottom = np.ceil(corners.max(axis=0) + reach).astype(int)
    left, top = max(0, int(left)), max(0, int(top))
    part = gray[top : max(top, int(bottom)), left : max(left, int(right))]
    if min(part.shape, default=0) < _MODULES or side < _MODULES:
        return None
    shrunk = math.ceil(side / _MODULES / _LARGE_PX)
    height, width = (size // shrunk for size in part.shape)
    part = np.asarray(
        cv2.resize(part[: height * shrunk, : width * shrunk], (width, height), interpolation=cv2.INTER_AREA)
    )
    first = (corners - np.array((left, top)) + 0.5) / shrunk - 0.5
    best = _best_aligned(part, number, first, blurs_px)
    if best is None:
        return None
    placed = (best.corners + 0.5) * shrunk - 0.5 + np.array((left, top))
    return replace(best, corners=placed, blur_px=best.blur_px * shrunk)


def _best_aligned(part: Gray, number: int, start: Points, blurs_px: Iterable[float]) -> Aligned | None:
    """Align a marker's print with a part of a picture, trying some blurs; see `align`.

    `start`: where it may lie (4 x 2 px of the part).
    """
    side = float(np.linalg.norm(start - np.roll(start, 1, axis=0), axis=1).mean())
    best: Aligned | None = None
    for own in _OWN_BLURS_PX:
        soft = np.asarray(cv2.GaussianBlur(part.astype(np.float32), (0, 0), own), np.float32)
        slopes = (
            cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8),
            cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8),
        )
        near = start
        for blur in blurs_px:
            if blur < own:
                continue
            found = _aligned(soft, slopes, number, near, blur, side / _MODULES)
            if found is None or (best is not None and found.likeness <= best.likeness):
                break
            best, near = found, found.corners
            if best.likeness < _HOPELESS:
                break
        if best is not None and not _HOPELESS <= best.likeness < _CLEAR:
            break
    return best


def _aligned(
    soft: NDArray[np.float32],
    slopes: tuple[cv2.typing.MatLike, cv2.typing.MatLike],
    number: int,
    start: Points,
    blur_px: float,
    module_px: float,
) -> Aligned | None:
    """Align a marker's print with a picture under one blur.

    Gauss-Newton steps move its four corners, and change gain and offset of the light. `soft`: the picture,
    blurred. `slopes`: its derivatives across and down. `number`: the marker's id. `start`: its corners (4 x 2
    px) before. `blur_px`: sigma. `module_px`: size of a cell. None if the marker moves too far or shows no
    contrast.
    """
    print_, *blurred = _pattern(number, round(2 * blur_px / module_px * _FINE))
    # Creeping ink, and grey levels that are no light, move all edges towards white, or to black: p (1 - p).
    basis = np.stack([np.ones(len(print_)), print_, print_ * (1 - print_), *blurred])
    places, shares = _samples()
    prior = 1 / max(_OFF_PX, _OFF_SHARE * module_px * _MODULES) ** 2
    corners, weights = start.copy(), np.ones(len(print_))
    levels = np.zeros(len(basis))
    residuals = np.zeros(len(print_))
    for round_ in range(_ROUNDS):
        seen, across, down = _sampled(soft, slopes, corners, places)
        # Grey levels of the print first: the steps of the corners need them.
        normal = (basis * weights) @ basis.T + 1e-9 * np.eye(len(basis))
        levels = np.linalg.solve(normal, (basis * weights) @ seen)
        residuals = seen - levels @ basis
        noise = max(1.5, 1.4826 * float(np.median(np.abs(residuals))))
        weights = 1 / (1 + (residuals / (_OUTLIER * noise)) ** 2)
        slope = np.concatenate([shares * across[:, None], shares * down[:, None]], axis=1)
        weighed = slope * weights[:, None]
        # Without what grey levels explain of it.
        normal = (basis * weights) @ basis.T + 1e-9 * np.eye(len(basis))
        slope -= basis.T @ np.linalg.solve(normal, basis @ weighed)
        weighed = slope * weights[:, None]
        pull = np.concatenate([(corners - start)[:, 0], (corners - start)[:, 1]])
        stiff = prior * noise**2
        step = np.linalg.solve(
            weighed.T @ slope + (stiff + 1e-6) * np.eye(8), -(residuals @ weighed) - stiff * pull
        )
        step = np.clip(step, -0.25 * module_px, 0.25 * module_px)
        corners = corners + np.column_stack([step[:4], step[4:]])
        if not np.isfinite(corners).all() or np.abs(corners - start).max() > 2.5 * module_px:
            return None
        if round_ > 1 and np.abs(step).max() < _SETTLED_PX:
            break
    gain = float(levels[1])
    if gain <= 0:
        return None
    seen = _sampled(soft, slopes, corners, places)[0]
    likeness = float(np.corrcoef(seen, print_)[0, 1]) if seen.std() > 0 else 0.0
    agreeing = float(np.mean(np.abs(seen - levels @ basis) < _AGREES * gain))
    return Aligned(number, corners, likeness, agreeing, gain, blur_px)


def _sampled(
    soft: NDArray[np.float32],
    slopes: tuple[cv2.typing.MatLike, cv2.typing.MatLike],
    corners: Points,
    places: Points,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Read a picture at a marker's samples: grey levels, and slopes across and down.

    Three arrays of n; slopes are levels a px. `places`: n x 2 in a unit square, whose corners lie at `corners`
    (px).
    """
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    matrix = cv2.getPerspectiveTransform(square, corners.astype(np.float32))
    at = cv2.perspectiveTransform(places[None].astype(np.float32), matrix)[0]
    x, y = at[None, :, 0], at[None, :, 1]

    def read(picture: cv2.typing.MatLike) -> NDArray[np.float64]:
        return np.asarray(
            cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0], np.float64
        )

    return read(np.asarray(soft)), read(slopes[0]), read(slopes[1])


@cache
def _samples() -> tuple[Points, Points]:
    """Places of the samples on a marker (n x 2), and how its corners move them (n x 4).

    The marker's black square is 0 to 1. The second array has the share by which each corner moves each sample.
    """
    count = round((_MODULES + 2 * _RIM) * _A_MODULE)
    along = (np.arange(count) + 0.5) / count * (1 + 2 * _RIM / _MODULES) - _RIM / _MODULES
    u, v = (one.ravel() for one in np.meshgrid(along, along))
    shares = np.column_stack([(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v])
    return np.column_stack([u, v]), shares


@cache
def _pattern(number: int, twice_blur: int) -> NDArray[np.float64]:
    """Draw a marker's blurred samples, and how more blur changes them, 4 x n.

    The first row is 0 for black, 1 for white. The others are its second derivatives across, down and both: what
    a blur adds that is stronger than drawn, or differs by direction. `number`: the marker's id. `twice_blur`:
    twice the sigma, in px of which a module (cell) has 12.
    """
    wide = marker(number, _MODULES, margin=2) > 0
    fine = np.kron(wide, np.ones((_FINE, _FINE), np.bool_)).astype(np.float32)
    if twice_blur:
        fine = np.asarray(
            cv2.GaussianBlur(fine, (0, 0), twice_blur / 2, borderType=cv2.BORDER_REPLICATE), np.float32
        )
    places = (_samples()[0] * _MODULES + 2) * _FINE - 0.5
    x, y = places[None, :, 0].astype(np.float32), places[None, :, 1].astype(np.float32)
    pictures = (fine, *(cv2.Sobel(fine, cv2.CV_32F, *order) for order in _SECOND))
    return np.stack([np.asarray(cv2.remap(one, x, y, cv2.INTER_LINEAR)[0], np.float64) for one in pictures])
