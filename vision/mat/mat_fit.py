"""Fits the mat and the lens to the corners of its markers by least squares.

Besides the pose of the mat this estimates the distortion (k1, k2, its centre), and the distance (px) by which
marker corners seem to lie outside or inside of their printed place, because of ink, blur and threshold. Without
the last, markers look too small for their distance, and the error goes into the lens.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.mat.lens_model import Lens, Points

Vector = NDArray[np.float64]
Residuals = Callable[[Vector], Vector]

_STEP, _ROUNDS, _DAMPING_MOST = 1e-6, 40, 1e8
_MOVES = 0.05
"""_MOVES: prior sigma of a nudge: rotation (radians) and shift (in camera heights). It decides what two
markers leave open."""
_GROWS_PX = 0.4
"""_GROWS_PX: prior sigma of the corners' outward shift (px)."""
_OUTWARD = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
_CORNER_PX = 0.15
"""_CORNER_PX: sigma of a detected corner (px)."""
_ALIGNED_PX = 0.06
"""_ALIGNED_PX: least uncertainty (px) of an aligned corner: what sharp ones leave over a fit is 0.04 to 0.1."""
_MODELS = {0: 0, 1: 1, 2: 3, 4: 5}
"""Number of unknowns of a lens -> its penalty in Schwarz's criterion. The unknowns are none; k1, with k2 =
k1² / 2 as in most lenses; k1 and k2; these and the centre. Schwarz's penalty is one for each. Two unknowns
could explain small printing faults by a lens that bends both ways, so their penalty is higher."""
_FEW, _FEW_MODELS = 12, (0, 1)
"""_FEW, _FEW_MODELS: with so few corners (three markers) a lens of more unknowns would explain a marker that
lies beside its place."""
_CENTRE_PX, _OFF_CENTRE = 100.0, 0.2
"""_CENTRE_PX: unit (px) of the centre's unknowns, so that they are about 0.1 like the others. _OFF_CENTRE:
prior sigma; lenses are off by at most 20 px."""
_LENS_SIGMAS = np.array((0.4, 0.2, _OFF_CENTRE, _OFF_CENTRE))
"""_LENS_SIGMAS: prior sigmas of k1, k2 and the centre. Without them a noisy picture had k2 = 0.33 and was
7 mm off."""
_LENS_LIKELY = (0.1, 0.05, _OFF_CENTRE, _OFF_CENTRE)
"""_LENS_LIKELY: prior sigmas of what a lens's k1, k2 and centre (in _CENTRE_PX) are beside the fitted ones."""
_SHAPE_PX = 0.05
"""_SHAPE_PX: residuals below this (px) do not distinguish lenses: markers are not printed better."""
_LAID_MM, _LAID_DEG = 30.0, 8.0
"""_LAID_MM, _LAID_DEG: sigma of the place and the turn of a corner that was laid on a cloth by hand."""
_GLUED_MM = 0.3
"""_GLUED_MM: sigma (mm) of a marker's place as a whole, because sheets are glued by hand."""


@dataclass(frozen=True, slots=True, eq=False)
class Corners:
    """Detected corners, n x 2: in px, and in mm on the mat; four for each marker, clockwise from its upper
    left."""

    px: Points
    mm: Points


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """`matrix` (3 x 3) maps mm to rays of the `lens`. Corners lie `growth` px outside of their printed place.

    `rms_px`: rms residual of the corners.
    """

    matrix: NDArray[np.float64]
    lens: Lens
    growth: float
    rms_px: float

    @property
    def px_per_mm(self) -> float:
        """Scale at the point where the lens does not bend."""
        return self.lens.focal * math.sqrt(abs(float(np.linalg.det(self.matrix))))


def fit_mat(seen: Corners, lens: Lens, *, bends: bool) -> Fit | None:
    """Fit the mat to three or four markers; None if that is impossible.

    `bends`: estimate the distortion, too, with the model that is best by Schwarz's criterion. Otherwise `lens`
    is kept.
    """
    start = _homography(seen.mm, lens.rays(seen.px))
    if start is None:
        return None
    models = (0,) if not bends else _MODELS if len(seen.px) > _FEW else _FEW_MODELS
    fits = {unknowns: _fit(seen, lens, start, unknowns) for unknowns in models}

    def cost(unknowns: int) -> float:
        misses = float(np.mean(_weighed(fits[unknowns], seen) ** 2)) + _SHAPE_PX**2
        return seen.px.size * math.log(misses) + _MODELS[unknowns] * math.log(seen.px.size)

    possible = [unknowns for unknowns, fit in fits.items() if not fit.lens.folds(fit.lens.rays(seen.px))]
    return fits[min(possible, key=cost)] if possible else None


def fit_laid(seen: Corners, lens: Lens, *, bends: bool) -> tuple[Fit, Points] | None:
    """Fit to four markers that were laid on a cloth by hand, near their places; None if that is impossible.

    Only their shapes are known, so they tell the scale of the picture everywhere. Returns the fit, and how
    far each marker lies from its place: n x 3, right and down (mm), turned clockwise (degrees). `bends`: see
    `fit_mat`; k1 is estimated from the shapes.
    """
    start = _homography(seen.mm, lens.rays(seen.px))
    if start is None:
        return None
    count = len(seen.mm) // 4
    likely = np.tile((_LAID_MM, _LAID_MM, _LAID_DEG), count)
    found = []
    for unknowns in (0, 1) if bends else (0,):

        def fit(unknown: Vector, unknowns: int = unknowns) -> Fit:
            change = np.append(unknown[:8], 0.0).reshape(3, 3) + np.eye(3)
            bent = _bent(lens, unknown[9 : 9 + unknowns].tolist())
            return Fit(change @ start, bent, float(unknown[8]), 0.0)

        def residuals(unknown: Vector, unknowns: int = unknowns) -> Vector:
            there = _laid(seen, (unknown[9 + unknowns :] * likely).reshape(-1, 3))
            misses = _misses(fit(unknown), there) / _CORNER_PX
            return np.concatenate([misses, unknown[9 + unknowns :], unknown[8 : 9 + unknowns] / _GROWS_PX])

        best = _least_squares(residuals, np.zeros(9 + unknowns + 3 * count))
        offsets = (best[9 + unknowns :] * likely).reshape(-1, 3)
        there = _laid(seen, offsets)
        misses = _misses(fit(best), there)
        cost = seen.px.size * math.log(float(np.mean(misses**2)) + _SHAPE_PX**2)
        fitted = replace(fit(best), rms_px=_rms(misses))
        found.append((cost + unknowns * math.log(seen.px.size), fitted, offsets))
    _, fitted, offsets = min(found, key=lambda one: one[0])
    return fitted, offsets


def fit_near(
    seen: Corners,
    lens: Lens | None,
    size: tuple[int, int],
    *,
    most_mm: float,
    most_deg: float,
    most_px: float,
) -> tuple[Fit, Points] | None:
    """`fit_laid` of what lies at most so far (mm, degrees) from its places, with a residual of at most
    `most_px` (px rms); None for anything else. `size`: width and height (px) of the picture; without a `lens`
    one is guessed from it."""
    try:
        found = fit_laid(seen, lens or Lens.guessed(*size), bends=lens is None)
    except np.linalg.LinAlgError:
        return None
    if found is None:
        return None
    fit, offsets = found
    off = np.linalg.norm(offsets[:, :2], axis=1).max()
    near = off <= most_mm and np.abs(offsets[:, 2]).max() <= most_deg
    return found if near and fit.rms_px <= most_px and np.isfinite(fit.matrix).all() else None


def _laid(seen: Corners, offsets: Points) -> Corners:
    """The corners (mm) of markers that lie beside their places (n x 3, see `fit_laid`)."""
    quads = seen.mm.reshape(-1, 4, 2)
    middles = quads.mean(axis=1, keepdims=True)
    turn = np.radians(offsets[:, 2])
    turned = np.stack([np.cos(turn), np.sin(turn), -np.sin(turn), np.cos(turn)], axis=1).reshape(-1, 2, 2)
    return Corners(seen.px, ((quads - middles) @ turned + middles + offsets[:, None, :2]).reshape(-1, 2))


def doubt_mm(fit: Fit, seen: Corners, places: Points, *, lens_known: bool) -> float:
    """Standard deviation (mm) of the worst of some places (n x 2 mm) of a mat that was fitted to markers.

    It follows from how well corners determine mat and lens; a corner is as uncertain as the fit leaves it.
    """
    unknowns = 0 if lens_known else 4

    def model(unknown: Vector) -> Fit:
        change = np.append(unknown[:8], 0.0).reshape(3, 3) + np.eye(3)
        lens = fit.lens
        if unknowns:
            k = [*fit.lens.k, 0.0, 0.0]
            lens = replace(
                lens,
                k=(k[0] + unknown[9], k[1] + unknown[10], *fit.lens.k[2:]),
                cx=lens.cx + _CENTRE_PX * unknown[11],
                cy=lens.cy + _CENTRE_PX * unknown[12],
            )
        return replace(fit, matrix=change @ fit.matrix, lens=lens, growth=fit.growth + unknown[8])

    likely = np.array([*[10.0] * 8, _GROWS_PX, *(_LENS_LIKELY if unknowns else ())])
    return _doubt(model, lambda one: _apart(one, seen, fit.rms_px), likely, fit, places)


def followed_doubt_mm(fit: Fit, seen: Corners, places: Points, moved: float) -> float:
    """The same of a fit that was updated by `follow` after a move of that size (radians)."""
    return _doubt(
        lambda move: _moved(fit, move),
        lambda one: _apart(one, seen, fit.rms_px),
        np.array([*[moved] * 6, _GROWS_PX]),
        fit,
        places,
    )


def _doubt(
    model: Callable[[Vector], Fit], misses: Callable[[Fit], Vector], likely: Vector, fit: Fit, places: Points
) -> float:
    """The largest standard deviation (mm) of some places; `likely`: prior sigmas of the unknowns."""
    zero = np.zeros(len(likely))

    def seen_from(unknown: Vector) -> Vector:
        return np.concatenate([misses(model(unknown)), unknown / likely])

    def shown(unknown: Vector) -> Vector:
        one = model(unknown)
        return np.asarray(one.lens.pixels(apply(one.matrix, places)).ravel(), np.float64)

    def slopes(of: Callable[[Vector], Vector]) -> NDArray[np.float64]:
        here = of(zero)
        return np.column_stack([(of(step) - here) / _STEP for step in _STEP * np.eye(len(zero))])

    jacobian, moves = slopes(seen_from), slopes(shown)
    try:
        covariance = moves @ np.linalg.solve(jacobian.T @ jacobian, moves.T)
    except np.linalg.LinAlgError:
        return math.inf
    # Of px across and down to mm: by the scale at each place.
    here, right = shown(zero).reshape(-1, 2), np.array((1.0, 0.0))
    beside = fit.lens.pixels(apply(fit.matrix, np.concatenate([places + right, places + right[::-1]])))
    scales = np.linalg.norm(beside.reshape(2, -1, 2) - here, axis=2).min(axis=0)
    variances = np.diag(covariance).reshape(-1, 2).sum(axis=1)
    return float((np.sqrt(np.maximum(variances, 0)) / scales).max())


def _moved(before: Fit, move: Vector) -> Fit:
    """The fit after a small rotation w and a small shift of the camera, and other growth."""
    wx, wy, wz, x, y, z, growth = move
    change = np.array([[1, -wz, wy + x], [wz, 1, y - wx], [-wy, wx, 1 + z]])
    return replace(before, matrix=change @ before.matrix, growth=before.growth + growth)


def follow(before: Fit, seen: Corners, moves: float = _MOVES) -> Fit:
    """Update the fit after a nudge, with as few as two markers.

    A small rotation and shift of the camera: six unknowns, of which two markers determine a part. `moves`:
    prior sigma of each, in radians and camera heights.
    """

    def residuals(move: Vector) -> Vector:
        return np.concatenate([_misses(_moved(before, move), seen) / _CORNER_PX, move / likely])

    likely = np.array([*[moves] * 6, _GROWS_PX])
    best = _moved(before, _least_squares(residuals, np.zeros(7)))
    return replace(best, rms_px=_rms(_misses(best, seen)))


def by_pose(seen: Corners, lens: Lens) -> Fit | None:
    """Fit the mat to two markers with a measured lens; None if that is impossible."""
    flat = np.column_stack([seen.mm, np.zeros(len(seen.mm))])
    rays = lens.rays(seen.px)
    try:
        good, turn, shift = cv2.solvePnP(flat, rays, np.eye(3), None, flags=cv2.SOLVEPNP_ITERATIVE)
    except cv2.error:
        return None
    if not good:
        return None
    rotation = np.asarray(cv2.Rodrigues(turn)[0], np.float64)
    matrix = np.column_stack([rotation[:, :2], np.ravel(shift)])
    return follow(Fit(matrix / matrix[2, 2], lens, 0.0, 0.0), seen)


def _fit(seen: Corners, lens: Lens, start: NDArray[np.float64], unknowns: int) -> Fit:
    """Fit the mat, the growth, and a lens with this number of unknowns."""

    def fit(unknown: Vector) -> Fit:
        change = np.append(unknown[:8], 0.0).reshape(3, 3) + np.eye(3)
        return Fit(change @ start, _bent(lens, unknown[9:].tolist()), float(unknown[8]), 0.0)

    def residuals(unknown: Vector) -> Vector:
        likely = unknown[9:] / _LENS_SIGMAS[: len(unknown) - 9]
        return np.append(_weighed(fit(unknown), seen) / _CORNER_PX, likely)

    best = fit(_least_squares(residuals, np.zeros(9 + unknowns)))
    return replace(best, rms_px=_rms(_misses(best, seen)))


def _bent(lens: Lens, unknown: list[float]) -> Lens:
    """The lens for these values of its unknowns."""
    match unknown:
        case []:
            return lens
        case [k1]:
            return replace(lens, k=(k1, k1**2 / 2))
        case [k1, k2]:
            return replace(lens, k=(k1, k2))
    k1, k2, x, y = unknown
    return replace(lens, k=(k1, k2), cx=lens.cx + _CENTRE_PX * x, cy=lens.cy + _CENTRE_PX * y)


def _misses(fit: Fit, seen: Corners) -> Vector:
    """Predicted minus detected corners (px)."""
    there = fit.lens.pixels(apply(fit.matrix, seen.mm)).reshape(-1, 4, 2)
    right = there[:, 1] - there[:, 0] + there[:, 2] - there[:, 3]
    down = there[:, 3] - there[:, 0] + there[:, 2] - there[:, 1]
    axes = np.stack([right, down], axis=1)
    axes /= np.linalg.norm(axes, axis=2, keepdims=True)
    grown = there + fit.growth * _OUTWARD @ axes
    return np.asarray((grown.reshape(-1, 2) - seen.px).ravel(), np.float64)


def _weighed(fit: Fit, seen: Corners) -> Vector:
    """The same, with less weight for a marker's place than for its shape: shapes are printed, places are
    glued."""
    misses = _misses(fit, seen).reshape(-1, 4, 2)
    whole = misses.mean(axis=1, keepdims=True)
    share = _CORNER_PX / math.hypot(_CORNER_PX, 2 * _GLUED_MM * fit.px_per_mm)
    return np.ravel(misses - (1 - share) * whole)


def _apart(fit: Fit, seen: Corners, rms_px: float) -> Vector:
    """The same in standard deviations, of a marker's shape and of its place: what a fit leaves (`rms_px`) blurs
    the shapes; places are as sure as sheets are glued."""
    misses = _misses(fit, seen).reshape(-1, 4, 2)
    whole = misses.mean(axis=1, keepdims=True)
    shape_px = max(_ALIGNED_PX, rms_px)
    place_px = math.hypot(shape_px / 2, _GLUED_MM * fit.px_per_mm)
    # A place is one measurement that four corners repeat.
    return np.ravel((misses - whole) / shape_px + whole / (2 * place_px))


def _rms(misses: Vector) -> float:
    return float(np.sqrt(2 * np.mean(misses**2)))


def _homography(mm: Points, rays: Points) -> NDArray[np.float64] | None:
    matrix = cv2.findHomography(mm, rays)[0]
    if matrix is None or not np.all(np.isfinite(matrix)) or abs(np.linalg.det(matrix)) < 1e-15:
        return None
    return np.asarray(matrix, np.float64)


def _least_squares(residuals: Residuals, start: Vector) -> Vector:
    """The unknowns near `start`, all of similar size, with the least residuals (Levenberg-Marquardt).

    By hand: SciPy takes half a second to import, OpenCV offers its own solver to C++ only, and its
    calibrateCamera knows neither how far a marker is likely to lie from its place nor the print's growth.
    """
    best, left, damping = start, residuals(start), 1e-3
    for _ in range(_ROUNDS):
        slopes = [(residuals(best + step) - left) / _STEP for step in _STEP * np.eye(len(start))]
        jacobian = np.column_stack(slopes)
        normal, towards = jacobian.T @ jacobian, -jacobian.T @ left
        while damping < _DAMPING_MOST:
            step = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), towards)
            tried = residuals(best + step)
            if tried @ tried < left @ left:
                break
            damping *= 10
        else:
            return best
        gained = 1 - (tried @ tried) / (left @ left)
        best, left, damping = best + step, tried, max(damping / 10, 1e-9)
        if gained < 1e-7:
            return best
    return best


def apply(matrix: NDArray[np.float64], points: Points) -> Points:
    """n x 2 points through a homography."""
    lifted = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(lifted[:, :2] / lifted[:, 2:], np.float64)
