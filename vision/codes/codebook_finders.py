"""Guesses places and turns of QR codes by finder patterns.

Finder patterns are the squares in three corners of a code, which form a right angle.
"""

from collections.abc import Iterator
from functools import cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.codes.sticker_set import QUIET_MODULES, STICKER_MODULES, Gray

Pose = NDArray[np.float64]
"""Place and turn of a code, 2 x 3: maps (column, row, 1) to px. Column and row are in modules (cells of the
code), from the corner of the sticker's white square. Pixel centres are whole numbers."""

Poses = NDArray[np.float64]
"""Places and turns of n codes: n x 2 x 3, see `Pose`."""

CENTRE = (STICKER_MODULES / 2, STICKER_MODULES / 2, 1.0)
"""Centre of a sticker: (column, row, 1) in modules (cells of the code). A pose times this is the centre in
px."""

_NEAR, _FAR = QUIET_MODULES + 3.5, STICKER_MODULES - QUIET_MODULES - 3.5
_CENTRES = np.array([(_NEAR, _NEAR, 1), (_FAR, _NEAR, 1), (_NEAR, _FAR, 1)])
"""Centres of the finder patterns upper left, upper right, lower left, in modules (ISO/IEC 18004, 6.3.3)."""
_INVERSE = np.linalg.inv(_CENTRES).T
_LEG = _FAR - _NEAR
_REACH = 4.4
"""Radius around a finder pattern's centre that is compared, in modules (cells of a code): seven modules and
the white around them."""
LENS_PX = 0.75
"""Blur (sigma, px) that the filter for finder patterns expects. Codes with half or twice this blur are found
as well."""
_NOISE = 4.0
"""_NOISE: least contrast (standard deviation, grey levels) that is assumed of every patch, so that noise does
not look like a pattern."""
_MID_GREY = np.float32(128)
"""Grey level that is subtracted from all, so that sums of squares lose less to rounding."""
_DIRECT_BELOW = 130
"""_DIRECT_BELOW: number of filter weights below which OpenCV's filter2D is used. From there on it uses Fourier
transforms, and matchTemplate takes two fifths of the time."""
_LEAST = 0.5
"""Least correlation with the filter of a place that may be a finder pattern. Measured on finder patterns: 0.61
and more at 0.6 to 2.4 px a module."""
_MOST = 900
"""Most finder patterns kept, best first: three times those of all stickers on any table."""
_SCALE_SLACK, _CORNER_SLACK = 0.16, 0.12
"""Tolerances of three finder patterns, as shares of the expected distance. _SCALE_SLACK: of the distance
between two. _CORNER_SLACK: of the third one's place."""
_POSES_MOST = 300
"""_POSES_MOST: most guessed poses of codes in a picture, which limits its time."""
_A_PLACE, _A_PLACE_REACH = 3, 6.0
"""_A_PLACE: most poses tried for one place. _A_PLACE_REACH: radius (modules, cells of a code) of a place."""


def find_poses(gray: Gray, module: float) -> Poses:
    """Guess where codes lie in a picture: poses (n x 2 x 3), likeliest first.

    A pose maps modules (cells of a code) to px. Most places give several. `module`: expected size (px) of one
    module. Empty for a picture that is too small.
    """
    poses: list[Pose] = []
    centres = np.empty((0, 2))
    if min(gray.shape[:2]) >= 2 * _REACH * module:
        points, heights = _peaks(_response(gray, module))
        for corner in _right_angles(points, heights, _LEG * module):
            pose = points[list(corner)].T @ _INVERSE
            centre = pose @ CENTRE
            if np.count_nonzero(distances(centres, centre) < _A_PLACE_REACH * module) < _A_PLACE:
                poses.append(pose)
                centres = np.vstack([centres, centre])
                if len(poses) == _POSES_MOST:
                    break
    return np.asarray(poses, np.float64).reshape(-1, 2, 3)


def distances(points: NDArray[np.float64], to: ArrayLike) -> NDArray[np.float64]:
    """Distances (n) from points (n x 2) to the point `to`, in their unit."""
    return np.asarray(np.linalg.norm(points - np.asarray(to), axis=1))


@cache
def _filter(tenths: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Filter for finder patterns at any turn, and its disk.

    The disk is the area that it covers. The filter is the pattern averaged over all rotations, with zero mean
    and unit length. `tenths`: ten times the pixels per module (cell of a code), so that zones of similar scale
    share a filter.
    """
    module, over = tenths / 10, 8
    side = 2 * int(np.ceil(_REACH * module)) + 1
    y, x = (np.mgrid[0 : side * over, 0 : side * over] - (side * over - 1) / 2) / (over * module)
    mean = np.zeros(x.shape)
    turns = np.radians(np.arange(0, 90, 3))
    for turn in turns:
        ring = np.maximum(
            np.abs(x * np.cos(turn) + y * np.sin(turn)), np.abs(y * np.cos(turn) - x * np.sin(turn))
        )
        mean += np.where(((ring >= 1.5) & (ring < 2.5)) | (ring >= 3.5), 1.0, 0.0) / len(turns)
    seen = cv2.GaussianBlur(mean, (0, 0), LENS_PX * over, borderType=cv2.BORDER_REPLICATE)
    kernel = cv2.resize(seen, (side, side), interpolation=cv2.INTER_AREA)
    row, column = np.mgrid[0:side, 0:side] - (side - 1) / 2
    disk = np.hypot(row, column) <= _REACH * module
    kernel = np.where(disk, kernel - kernel[disk].mean(), 0.0)
    return (kernel / np.linalg.norm(kernel)).astype(np.float32), disk.astype(np.float32)


def _response(gray: Gray, module: float) -> NDArray[np.float32]:
    """Correlation (-1 to 1) of pixels with a finder pattern.

    Rows x columns. `module`: size (px) of one cell of a code.
    """
    kernel, disk = _filter(max(1, round(10 * module)))
    reach = len(kernel) // 2
    wide = cv2.copyMakeBorder(gray, reach, reach, reach, reach, cv2.BORDER_REPLICATE)
    shade = wide.astype(np.float32) - _MID_GREY

    def filtered(picture: NDArray[np.float32], weights: NDArray[np.float32]) -> NDArray[np.float32]:
        if weights.size < _DIRECT_BELOW:
            return np.asarray(cv2.filter2D(picture, cv2.CV_32F, weights), np.float32)[
                reach:-reach, reach:-reach
            ]
        return np.asarray(cv2.matchTemplate(picture, weights, cv2.TM_CCORR), np.float32)

    count = float(disk.sum())
    spread = filtered(shade * shade, disk) - filtered(shade, disk) ** 2 / count
    least = np.float32(count * _NOISE**2)
    return np.asarray(filtered(shade, kernel) / np.sqrt(np.maximum(spread, least)), np.float32)


def _peaks(response: NDArray[np.float32]) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """Find likely finder patterns: their positions and correlations.

    `response`: correlation at each pixel. Only local maxima above 0.5 count, highest first. Positions are n x
    2 (x, y), to a fraction of a px.
    """
    top = (response >= cv2.dilate(response, np.ones((3, 3), np.uint8))) & (response > _LEAST)
    top[[0, -1]] = False
    top[:, [0, -1]] = False
    ys, xs = np.nonzero(top)
    best = np.argsort(-response[ys, xs], kind="stable")[:_MOST]
    ys, xs = ys[best], xs[best]
    here = response[ys, xs]

    def offset(before: NDArray[np.float32], after: NDArray[np.float32]) -> NDArray[np.float32]:
        """Vertex (-0.5 to 0.5) of the parabola through three neighbours."""
        bend = np.minimum(before + after - 2 * here, -1e-6)
        return np.asarray(np.clip((before - after) / (2 * bend), -0.5, 0.5), np.float32)

    x = xs + offset(response[ys, xs - 1], response[ys, xs + 1])
    y = ys + offset(response[ys - 1, xs], response[ys + 1, xs])
    return np.column_stack([x, y]).astype(np.float64), here


def _right_angles(
    points: NDArray[np.float64], heights: NDArray[np.float32], leg: float
) -> Iterator[tuple[int, int, int]]:
    """Find triples of finder patterns of one code, likeliest first.

    A triple is (corner, right, below), as indices of `points` (n x 2 px). `heights`: how clear each pattern
    is. `leg`: expected distance (px) between two neighbouring patterns.
    """
    if len(points) < 3:
        return
    apart = points[None, :] - points[:, None]
    lengths = np.hypot(apart[..., 0], apart[..., 1])
    corner, right = np.nonzero(np.abs(lengths - leg) < _SCALE_SLACK * leg)
    if not len(corner):
        return
    along = apart[corner, right]
    wanted = points[corner] + np.column_stack([-along[:, 1], along[:, 0]])
    misses = np.hypot(*(wanted[:, None] - points[None]).transpose(2, 0, 1))
    below = misses.argmin(axis=1)
    miss = misses[np.arange(len(below)), below] / leg
    score = heights[corner] + heights[right] + heights[below] - miss
    for k in np.argsort(-score, kind="stable"):
        if miss[k] < _CORNER_SLACK + 0.5 / leg:
            yield int(corner[k]), int(right[k]), int(below[k])
