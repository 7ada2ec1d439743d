"""The enrolled kinds of cards, as small templates to compare with many places of a picture at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art.art_align import Level, template
from vision.art.art_match import ArtView
from vision.art.art_plane import TALL, TO_ART, TO_CARD, WIDE, corners_of, moved_pose, perceived, shrunk

Image = NDArray[np.uint8]
"""A colour picture, H x W x 3 (BGR)."""
Poses = NDArray[np.float64]
"""Places where a card may lie, n x 3 x 3: each maps px of its printed picture (`Art`) to px of the
camera's."""
Values = NDArray[np.float32]

USUAL_MM = 56.0
"""USUAL_MM: short side (mm) assumed for a card of unknown size."""
_ROWS, _COLUMNS = TALL // 2, WIDE // 2
"""Rows and columns (px) of a card at its smallest, 24 x 16. It is so small then that many places are compared
at once."""
_SAME_SIZE = 1.5
"""_SAME_SIZE: difference of sides (mm) below which cards are searched as one size."""
_SQUARE = 0.95
"""_SQUARE: aspect (short side divided by long side) from which a card counts as square and is searched in four
turns."""
_COARSE_STEPS, _FINE_STEPS = 3, 5
"""Most steps of an alignment: _COARSE_STEPS with a card at 16 x 24 px, _FINE_STEPS at 32 x 48."""
_FIRM = 0.01
"""_FIRM: weight with which a coarse alignment holds its start, as a share of what a usual card determines."""
_SETTLED = 0.08
"""_SETTLED: length (px) of a step below which an alignment ends."""
_MOVED = 0.2
"""_MOVED: limit of an alignment: farthest that a corner may move from its start, as a share of a card's
width."""
_PULL, _SPREADS = 8.0, 4.5
"""Limits of a difference's weight: _PULL in hundredths of white, _SPREADS in median differences. The larger
limit holds; differences above it count no more."""
_FAINT = 64.0
"""_FAINT: contrast of a card (root of the sum of squares, hundredths of white) that halves its correlation.
Paler cards correlate less."""
_CORNERS = np.column_stack([corners_of(np.eye(3)), np.ones(4)]).T


@dataclass(frozen=True, slots=True, eq=False)
class Size:
    """All enrolled views (pictures of cards) of one card size.

    `short`, `long`: sides (mm). `views`: indices of the views. `turns`: quarter turns in which such a card
    looks different: 0 and 2, or all four if it is square. `coarse`: the cards at 16 x 24 px, views x turns x
    values, each of length 1.
    """

    short: float
    long: float
    views: tuple[int, ...]
    turns: tuple[int, ...]
    coarse: Values


@dataclass(frozen=True, slots=True, eq=False)
class _Fine:
    """Enrolled card at 32 x 48 px, prepared for alignment.

    A value is one channel of one pixel. `level`: the template. `solve` (14 x values): turns differences into a
    step. `back` (14 x 14): pulls back steps already made.
    """

    level: Level
    solve: Values
    back: Values


class KindBank:
    """Enrolled views (pictures of cards), grouped by size for comparison.

    `sizes`: the groups. `views`: all views, in the order of their indices.
    """

    def __init__(self, views: Sequence[ArtView]) -> None:
        self.views = tuple(views)
        self.sizes = tuple(_sizes(self.views))
        self._fine = [_fine(view) for view in self.views]
        self._arts: dict[tuple[int, ...], tuple[Values, Values, Values | None]] = {}

    def aligned_coarsely(
        self, picture: Image, poses: Poses, views: NDArray[np.intp]
    ) -> tuple[Poses, NDArray[np.float64]]:
        """Move n places until each agrees best with its view.

        They are shifted, turned and scaled. Returns their poses and correlations (n, -1 to 1). `picture`:
        reduced until a card has about 16 x 24 px. `poses`: where the n places start. `views`: index of the
        view for each place.
        """
        wanted, steps = (bank[views] for bank in self._coarse)
        first = ends = _ends(poses)
        limit = _MOVED * np.linalg.norm(first[:, 1] - first[:, 0], axis=1)
        best, found = poses, np.full(len(poses), -np.inf)
        for step in range(_COARSE_STEPS + 1):
            seen = coarse_at(picture, poses)
            agree = np.einsum("nv,nv->n", seen, wanted)
            better = (agree > found) & (np.abs(ends - first).max(axis=(1, 2)) < limit)
            best, found = np.where(better[:, None, None], poses, best), np.where(better, agree, found)
            if step == _COARSE_STEPS:
                break
            off = seen - agree[:, None] * wanted
            x, y, turn, grow = np.einsum("nkv,nv->kn", steps, off) / (np.maximum(agree, 0.2) * _COLUMNS)
            move = np.zeros((len(poses), 3, 3))
            move[:, 0, 0] = move[:, 1, 1] = 1 + grow
            move[:, 0, 1], move[:, 1, 0] = -turn, turn
            move[:, 0, 2], move[:, 1, 2], move[:, 2, 2] = x, y, 1
            poses = poses @ TO_ART @ np.linalg.inv(move) @ TO_CARD
            ends = _ends(poses)
        return best, found

    def aligned(
        self,
        picture: Image,
        pose: NDArray[np.float64],
        view: int,
        covered: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.float64]:
        """Align a pictured card with an enrolled view; return the pose.

        `pose`: where the card may lie. `view`: index of the view. `picture`: reduced until a card has about 32
        x 48 px. `covered` (TALL x WIDE): True where the card is not compared. Gauss-Newton steps (inverse
        compositional) use the template's derivatives; large differences are limited. Sources: Baker and
        Matthews, Lucas-Kanade 20 years on (2004); Huber, Robust statistics (1981), modified residuals.
        """
        fine = self._fine[view]
        hides = None if covered is None else np.repeat(covered.ravel(), 3)
        solve, solve_back = fine.solve, fine.back
        if hides is not None:
            # Hidden pixels are left out. With their difference alone at 0 they would hold the pose back.
            solve, solve_back = _solution(fine.level, hides)
        plane, jacobian = fine.level.plane, fine.level.jacobian
        first = corners_of(pose)
        limit = _MOVED * float(np.linalg.norm(first[1] - first[0]))
        total = np.zeros(14, np.float32)
        for step in range(_FINE_STEPS):
            error = _small_at(picture, pose).ravel() - plane
            if hides is not None:
                error[hides] = 0
            back = solve_back @ total
            moved_by = solve @ error - back
            for _ in range(1 if step else 2):
                rest = error - jacobian @ moved_by
                bound = max(_PULL, _SPREADS * _middle(np.abs(rest[::7])))
                kept = np.clip(rest, -bound, bound)
                moved_by = solve @ (kept + (error - rest)) - back
            moved = moved_pose(pose, moved_by[:8] / WIDE)
            if not np.abs(corners_of(moved) - first).max() < limit:
                break
            pose, total = moved, total + moved_by
            total[8:] = 0
            if np.abs(moved_by[:8]).max() < _SETTLED:
                break
        return pose

    def agreement(
        self,
        picture: Image,
        pose: NDArray[np.float64],
        size: Size,
        covered: NDArray[np.bool_] | None = None,
    ) -> Values:
        """Correlations (-1 to 1) of a card in a picture with each view of a card size.

        `pose`: where the card lies. `picture`: reduced until a card has about 32 x 48 px. `covered` (TALL x
        WIDE): True where something lies on the card.
        """
        seen = _small_at(picture, pose).reshape(-1, 3)
        arts, squares, shows = self._small(size)
        if covered is None:
            weight, flat = None, (seen - seen.mean(axis=0)).ravel()
        else:
            weight = 1 - covered.ravel().astype(np.float32)
            flat = ((seen - weight @ seen / max(1.0, float(weight.sum()))) * weight[:, None]).ravel()
        drawn = squares.sum(axis=1) if weight is None else squares @ np.repeat(weight, 3)
        here = float(flat @ flat) if shows is None else shows @ flat**2
        return np.asarray(arts @ flat / (np.sqrt(here * drawn) + _FAINT**2), np.float32)

    @cached_property
    def _coarse(self) -> tuple[Values, Values]:
        """All upright views (16 x 24 px), with step matrices.

        The pictures are views x values, the matrices views x 4 x values. A matrix turns differences into a
        step: right, down, turn and growth.
        """
        arts = np.stack([_seen_coarsely(view, 0) for view in self.views])
        return arts, np.stack([_steps(art) for art in arts])

    def _small(self, size: Size) -> tuple[Values, Values, Values | None]:
        """Views of one card size at 32 x 48 px, their squares, and which values count.

        The pictures are views x values, without their means. The last is None if all values count.
        """
        if size.views not in self._arts:
            views = [self.views[number] for number in size.views]
            planes = np.stack([shrunk(perceived(view.small), 1, 0.5).reshape(-1, 3) for view in views])
            shows = np.stack([(~view.hidden).ravel() for view in views])[:, :, None].astype(np.float32)
            means = (planes * shows).sum(axis=1, keepdims=True) / np.maximum(
                1, shows.sum(axis=1, keepdims=True)
            )
            flat = ((planes - means) * shows).reshape(len(planes), -1)
            count = None if shows.all() else np.repeat(shows[:, :, 0], 3, axis=1)
            self._arts[size.views] = flat, flat**2, count
        return self._arts[size.views]


def _fine(view: ArtView) -> _Fine:
    level = template(view.small, view.hidden)
    return _Fine(level, *_solution(level))


def _solution(level: Level, hides: NDArray[np.bool_] | None = None) -> tuple[Values, Values]:
    """Matrices for the steps of an alignment with a template.

    The first (14 x values) turns differences into a step, the second (14 x 14) pulls back steps already made.
    `hides`: mask of values that are left out; None: none.
    """
    jacobian = level.jacobian
    if hides is not None:
        jacobian = np.where(hides[:, None], np.float32(0), jacobian)
    square = (jacobian.T @ jacobian).astype(np.float64) + np.diag(level.hold)
    solve = np.linalg.solve(square, jacobian.T).astype(np.float32)
    return solve, np.linalg.solve(square, np.diag(level.hold)).astype(np.float32)


def coarse_at(picture: Image, poses: Poses) -> Values:
    """Cut cards at 16 x 24 px (n x values, each of length 1) out at n poses.

    `picture`: BGR, reduced until a card has about as many px.
    """
    u, v = np.meshgrid(np.arange(_COLUMNS) * 2 + 0.5, np.arange(_ROWS) * 2 + 0.5)
    at = np.stack([u.ravel(), v.ravel(), np.ones(u.size)])
    x, y, z = np.moveaxis(poses @ at, 1, 0)
    x, y = ((axis / z).astype(np.float32).reshape(-1, _COLUMNS) for axis in (x, y))
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return _unit(perceived(np.asarray(seen, np.uint8)).reshape(len(poses), -1, 3))


def _ends(poses: Poses) -> NDArray[np.float64]:
    """Corners (n x 4 x 2 px) at n card poses."""
    x, y, z = np.moveaxis(poses @ _CORNERS, 1, 0)
    return np.stack([x / z, y / z], axis=2)


def _small_at(picture: Image, pose: NDArray[np.float64]) -> Values:
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    art = cv2.warpPerspective(picture, pose, (WIDE, TALL), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return perceived(np.asarray(art, np.uint8))


def _middle(values: Values) -> float:
    """Upper median of few values, quicker than NumPy's own."""
    half = len(values) // 2
    return float(np.partition(values, half)[half])


def _sizes(views: Sequence[ArtView]) -> list[Size]:
    """Group enrolled views by card size, to 1.5 mm."""
    groups: list[tuple[float, float, list[int]]] = []
    for number, view in enumerate(views):
        short = view.short_mm or USUAL_MM
        long = short / view.aspect
        for s, k, numbers in groups:
            if abs(s - short) < _SAME_SIZE and abs(k - long) < 2 * _SAME_SIZE:
                numbers.append(number)
                break
        else:
            groups.append((short, long, [number]))
    return [
        Size(
            float(np.median([views[n].short_mm or USUAL_MM for n in numbers])),
            float(np.median([(views[n].short_mm or USUAL_MM) / views[n].aspect for n in numbers])),
            tuple(numbers),
            turns := ((0, 2) if short < _SQUARE * long else (0, 1, 2, 3)),
            np.stack([[_seen_coarsely(views[n], turn) for turn in turns] for n in numbers]),
        )
        for short, long, numbers in groups
    ]


def _seen_coarsely(view: ArtView, turn: int) -> Values:
    """Enrolled card at 16 x 24 px, turned, as `coarse_at` would cut it out.

    `turn`: number of corners (0 to 3) by which the card's outline begins before the picture's own.
    """
    art = view.small
    if turn:
        corners = corners_of(np.eye(3))
        matrix = cv2.getPerspectiveTransform(corners, np.roll(corners, turn, axis=0))
        turned = cv2.warpPerspective(art, matrix, (WIDE, TALL), borderMode=cv2.BORDER_REPLICATE)
        art = np.asarray(turned, np.uint8)
    small = np.asarray(cv2.resize(art, (_COLUMNS, _ROWS), interpolation=cv2.INTER_AREA), np.uint8)
    soft = cv2.GaussianBlur(small, (0, 0), 0.5)
    return np.asarray(_unit(perceived(np.asarray(soft, np.uint8)).reshape(1, -1, 3))[0], np.float32)


def _unit(planes: Values) -> Values:
    """Remove even and sloping light from each of n coarse arts (n x px x 3), and scale each to length 1.

    The colour of a lamp is even light, and a shadow's edge slopes. Returns n x values.
    """
    slopes = _slopes()
    flat = (planes - np.matmul(slopes, np.matmul(slopes.T, planes))).reshape(len(planes), -1)
    # NumPy's own norms over such axes take several times as long.
    length = np.sqrt(np.einsum("nv,nv->n", flat, flat))
    return np.asarray(flat / (length + 8.0)[:, None], np.float32)


@cache
def _slopes() -> Values:
    """Even light, and light that rises to the right and downwards, over a coarse art.

    px x 3: the columns have length 1 and are at right angles to each other.
    """
    y, x = np.mgrid[:_ROWS, :_COLUMNS] - np.array([(_ROWS - 1) / 2, (_COLUMNS - 1) / 2])[:, None, None]
    ways = np.stack([np.ones(x.size), x.ravel(), y.ravel()], axis=1)
    return np.asarray(ways / np.linalg.norm(ways, axis=0), np.float32)


def _steps(art: Values) -> Values:
    """Matrix (4 x values) that turns differences from a card's picture into a step.

    `art`: the card at 16 x 24 px, flat. The first two numbers of a step are shifts (px). The others, turn and
    growth, are px at the end of a card's width.
    """
    plane = art.reshape(_ROWS, _COLUMNS, 3)
    right = cv2.Sobel(plane, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    down = cv2.Sobel(plane, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    y, x = np.mgrid[:_ROWS, :_COLUMNS].astype(np.float32)
    x, y = (x - (_COLUMNS - 1) / 2)[..., None] / _COLUMNS, (y - (_ROWS - 1) / 2)[..., None] / _COLUMNS
    jacobian = np.stack([right, down, down * x - right * y, right * x + down * y], axis=-1).reshape(-1, 4)
    # A change of contrast is no movement.
    jacobian = jacobian - np.outer(art, art @ jacobian)
    square = jacobian.T @ jacobian
    square += _FIRM * np.trace(square) / 4 * np.eye(4, dtype=np.float32)
    return np.asarray(np.linalg.solve(square, jacobian.T), np.float32)
