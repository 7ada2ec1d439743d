"""Aligns a card's outline in a picture with its enrolment.

The outline moves to where the picture is most like the enrolled card. Reflected lamps are ignored.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art.art_plane import (
    FINE,
    Art,
    Matrix,
    art_at,
    card_sides,
    corners_of,
    moved_pose,
    perceived,
    shrunk,
)

_SETTLED = 0.05
"""_SETTLED: length (px) of a step below which an alignment ends."""
_PULL = 8.0
"""_PULL: difference (hundredths of white) between a pixel and the enrolled card above which the pixel's weight
falls."""
_SPREADS = 4.5
"""_SPREADS: factor of the median difference that _PULL is raised to, because an outline far off differs
everywhere."""
_LAMP = 2.0
"""_LAMP: excess of brightness, as a multiple of the limit of _PULL, above which a pixel reflects a lamp and is
ignored."""
_HALO = np.ones((3, 3), np.uint8)
"""_HALO: shape of the surroundings of a reflected lamp that are ignored too: one px to each side."""


@dataclass(frozen=True, slots=True)
class _Stage:
    """Parameters of one alignment stage.

    Stages run from rough to fine. `times`: size of the art (the card's printed picture), as a multiple of an
    `Art`. `blur`: its blur in px. `shrink`: factor by which it is reduced. `steps`: most steps. `affine`,
    `perspective`: weights that hold the pose near its start. `moved`: farthest that a corner may move, in card
    widths.
    """

    times: int
    shrink: int
    blur: float
    steps: int
    affine: float
    perspective: float
    moved: float


_STAGES = (_Stage(1, 2, 1.6, 6, 400, 1000, 0.22), _Stage(1, 1, 0.5, 8, 300, 400, 0.22))
_FINE_STAGE = _Stage(FINE, 1, 0.8, 6, 200, 300, 0.3)


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """Template of an enrolled card's picture for one alignment stage.

    `plane`: the picture's px x 3 values, flattened. `jacobian` (values x 14): their derivatives by 8 numbers
    of pose and 6 of light. `hold` (14): how strongly each number is held at its start; a pale card hardly
    determines its pose and would drift. `size`: rows and columns (px).
    """

    plane: NDArray[np.float32]
    jacobian: NDArray[np.float32]
    hold: NDArray[np.float64]
    size: tuple[int, int]


class Target:
    """An enrolled card prepared for alignment.

    `small`, `fine`: its printed picture in two sizes. `hidden` (TALL x WIDE): True under a sticker.
    """

    def __init__(self, small: Art, fine: Art, hidden: NDArray[np.bool_]) -> None:
        self._small, self._fine, self._hidden = small, fine, hidden

    @cached_property
    def levels(self) -> tuple[Level, ...]:
        """Templates of the first alignment stages; computed once."""
        return tuple(_level(self._small, self._hidden, stage) for stage in _STAGES)

    def fine_level(self) -> Level:
        """Template of the last stage; computed anew at each call.

        The template takes a megabyte, too much to be kept for every card.
        """
        return _level(self._fine, self._hidden, _FINE_STAGE)


def align(picture: NDArray[np.uint8], pose: Matrix, target: Target) -> Matrix:
    """Move a card's pose to where picture and card agree.

    Returns the new pose. A pose maps px of a card's art (its
    printed picture) to px of `picture`; corners of the given `pose` may be off by 5 % of a card's width.
    `picture`: BGR, without detail finer than an `Art` has (see `without_detail`). `target`: the enrolled card.
    """
    first = corners_of(pose)
    total = np.zeros(14)
    for stage, level in zip(_STAGES, target.levels, strict=True):
        total *= _STAGES[0].shrink / stage.shrink
        pose, total = _settled(picture, pose, first, level, stage, total)
    return pose


def align_finely(picture: NDArray[np.uint8], pose: Matrix, target: Target) -> Matrix:
    """Refine a pose from `align` in a more detailed picture.

    Returns the new pose. `picture`: BGR, with the detail of a fine art (64 x 96 px a card). `target`: the
    enrolled card.
    """
    return _settled(picture, pose, corners_of(pose), target.fine_level(), _FINE_STAGE, np.zeros(14))[0]


def template(small: Art, hidden: NDArray[np.bool_]) -> Level:
    """Alignment template of a card's art, for other modules.

    `small`: the art, TALL x WIDE x 3. `hidden`: mask of pixels that are left out.
    """
    return _level(small, hidden, _STAGES[-1])


def _settled(
    picture: NDArray[np.uint8],
    pose: Matrix,
    first: NDArray[np.float32],
    level: Level,
    stage: _Stage,
    total: NDArray[np.float64],
) -> tuple[Matrix, NDArray[np.float64]]:
    """Move a card's pose in one alignment stage; return the pose and the sum of its steps.

    `first`: corners (4 x 2 px) near which the pose must stay. `total` (14): sum of the steps before.
    Gauss-Newton steps (inverse compositional) fit pose and light jointly; light is gain and offset of each
    channel. Weights are computed anew at each step: large differences are limited, lamps ignored. Sources:
    Baker and Matthews, Lucas-Kanade 20 years on (2004); Huber, Robust statistics (1981).
    """
    limit = stage.moved * min(card_sides(first))
    jacobian = level.jacobian
    hold = level.hold
    weight = np.ones(len(jacobian), np.float32)
    for step in range(stage.steps):
        art = art_at(picture, pose, stage.times)
        error = (shrunk(perceived(art), stage.shrink, stage.blur)).ravel() - level.plane
        for _ in range(1 if step else 2):
            weighted = jacobian * weight[:, None]
            moved_by = np.linalg.solve(
                weighted.T @ jacobian + np.diag(hold),
                weighted.T @ error - np.append(hold[:8] * total[:8], [0] * 6),
            )
            weight = _weight(error - jacobian @ moved_by.astype(np.float32), level.size)
        moved = moved_pose(pose, moved_by[:8] / level.size[1])
        if not np.abs(corners_of(moved) - first).max() < limit:
            break
        pose, total = moved, total + moved_by
        if np.abs(moved_by[:8]).max() < _SETTLED:
            break
    return pose, total


def _weight(rest: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32]:
    """Weight (0 to 1) of each of a picture's values.

    `rest`: differences from the enrolled card (hundredths of white), flat; large ones get less weight, a
    reflected lamp 0. `size`: rows and columns of the picture.
    """
    bound = max(_PULL, _SPREADS * float(np.median(np.abs(rest[::5]))))
    weight = np.minimum(1, bound / np.maximum(np.abs(rest), 1e-6)).reshape(*size, 3)
    lamps = (rest.reshape(*size, 3)[:, :, 0] > _LAMP * bound).astype(np.uint8)
    if lamps.any():
        weight *= 1 - cv2.dilate(lamps, _HALO)[:, :, None]
    return np.asarray(weight.ravel(), np.float32)


def _level(art: Art, hidden: NDArray[np.bool_], stage: _Stage) -> Level:
    plane = shrunk(perceived(art), stage.shrink, stage.blur)
    height, width = plane.shape[:2]
    right = cv2.Sobel(plane, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    down = cv2.Sobel(plane, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    x, y = (x - (width - 1) / 2) / width, (y - (height - 1) / 2) / width
    one, zero = np.ones_like(x), np.zeros_like(x)
    ways = (
        (x, zero),
        (y, zero),
        (one, zero),
        (zero, x),
        (zero, y),
        (zero, one),
        (-x * x, -x * y),
        (-x * y, -y * y),
    )
    columns = [right * u[:, :, None] + down * v[:, :, None] for u, v in ways]
    for channel in range(3):
        only = np.arange(3) == channel
        columns += [(plane - plane.mean(axis=(0, 1))) * only, np.ones_like(plane) * only]
    shows = cv2.resize((~hidden).astype(np.float32), (width, height), interpolation=cv2.INTER_AREA)[:, :, None]
    jacobian = np.stack([(column * shows).ravel() for column in columns], axis=1).astype(np.float32)
    light = (jacobian[:, 8:] ** 2).sum(axis=0) * 1e-3 + 1
    hold = np.concatenate([np.full(6, stage.affine), np.full(2, stage.perspective), light])
    return Level(plane.ravel(), jacobian, hold, (height, width))
