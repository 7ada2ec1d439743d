"""Fits mat and lens to marker corners by least squares.

The fit estimates the mat's pose, the lens's distortion (k1, k2, its centre) and the growth. Growth is how far
(px) corners seem to lie outside of their printed place. Ink, blur and threshold cause it. Without growth
markers look too small for their distance, and the error goes into the lens.
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
"""Function that gives the residuals of a fit for values of its unknowns."""

_STEP, _ROUNDS, _DAMPING_MOST = 1e-6, 40, 1e8
_MOVES = 0.05
"""Expected size (prior sigma) of a camera's move: rotation (radians) and shift (camera heights). It decides
what two markers leave open."""
_GROWS_PX = 0.4
"""Prior sigma (px) of the growth: how far detected corners lie outside of their printed place."""
_OUTWARD = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
_CORNER_PX = 0.15
"""Assumed error (sigma, px) of a detected corner."""
_ALIGNED_PX = 0.06
"""Least uncertainty (px) of an aligned corner. Sharp corners leave residuals of 0.04 to 0.1."""
_MODELS = {0: 0, 1: 1, 2: 3, 4: 5}
"""Number of unknowns of a lens -> its penalty in Schwarz's criterion.

0: none. 1: k1, with k2 = k1² / 2 as in most lenses. 2: k1 and k2. 4: k1, k2 and the centre. Schwarz's penalty
is one each; it is higher from two on, because a lens that bends both ways could explain small printing faults.
"""
_FEW, _FEW_MODELS = 12, (0, 1)
"""_FEW: number of corners (of three markers) up to which only the lenses _FEW_MODELS are tried. A lens of more
unknowns would explain a marker beside its place."""
_CENTRE_PX, _OFF_CENTRE = 100.0, 0.2
"""_CENTRE_PX: unit (px) of the centre's unknowns, which makes them about 0.1 like the others. _OFF_CENTRE:
their prior sigma; lenses are off by at most 20 px."""
_LENS_SIGMAS = np.array((0.4, 0.2, _OFF_CENTRE, _OFF_CENTRE))
"""Prior sigmas of k1, k2 and the centre. Without them a noisy picture gave k2 = 0.33 and an error of 7 mm."""
_LENS_LIKELY = (0.1, 0.05, _OFF_CENTRE, _OFF_CENTRE)
"""Prior sigmas of how far k1, k2 and the centre (in _CENTRE_PX) are from the fitted values."""
_SHAPE_PX = 0.05
"""Residuals below this (px) do not distinguish lenses, because markers are not printed better."""
_LAID_MM, _LAID_DEG = 30.0, 8.0
"""Expected errors (sigmas) of a corner laid on a cloth by hand: place (_LAID_MM, mm) and turn (_LAID_DEG,
degrees)."""
_GLUED_MM = 0.3
"""Expected error (sigma, mm) of a whole marker's place, because sheets are glued by hand."""


@dataclass(frozen=True, slots=True, eq=False)
class Corners:
    """Detected marker corners: `px` in the picture, `mm` on the mat (n x 2 each).

    A marker has four, clockwise from its upper left.
    """

    px: Points
    mm: Points


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Mat fitted to corners: place in the picture, and lens.

    `matrix` (3 x 3) maps mm to rays of `lens`. `growth`: how far (px) corners lie outside of their printed
    place. `rms_px`: rms residual of the corners.
    """

    matrix: NDArray[np.float64]
    lens: Lens
    growth: float
    rms_px: float

    @property
    def px_per_mm(self) -> float:
        """Scale (px/mm) in the middle of the lens.

        The lens does not bend there.
        """
        return self.lens.focal * math.sqrt(abs(float(np.linalg.det(self.matrix))))


def fit_mat(seen: Corners, lens: Lens, *, bends: bool) -> Fit | None:
    """Fit the mat, and perhaps the lens, to corners of three or four markers.

    None if that is impossible. `bends`: True also estimates the distortion, with the best model by Schwarz's
    criterion; False keeps `lens`.
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
    """Fit four markers that were laid on a cloth by hand, near their places.

    None if that is impossible. Only the shapes of the markers are known; they give the scale everywhere in the
    picture. Returns the fit, and how far each marker lies from its place: n x 3, right and down (mm), turned
    clockwise (degrees). `seen`: their corners. `lens`: of the camera. `bends`: True also estimates its k1 from
    the shapes.
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
    """Fit markers laid by hand, like `fit_laid`, within limits.

    None if a marker is too far from its place, or the fit is poor. `most_mm`, `most_deg`: limits of distance
    and turn. `most_px`: limit of the rms residual. `size`: width and height (px) of the picture, for a guessed
    lens if `lens` is None.
    """
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
    """Move and turn the corners (mm) of markers by `offsets`.

    `offsets`: n x 3, right and down (mm), turned clockwise (degrees).
    """
    quads = seen.mm.reshape(-1, 4, 2)
    middles = quads.mean(axis=1, keepdims=True)
    turn = np.radians(offsets[:, 2])
    turned = np.stack([np.cos(turn), np.sin(turn), -np.sin(turn), np.cos(turn)], axis=1).reshape(-1, 2, 2)
    return Corners(seen.px, ((quads - middles) @ turned + middles + offsets[:, None, :2]).reshape(-1, 2))


def doubt_mm(fit: Fit, seen: Corners, places: Points, *, lens_known: bool) -> float:
    """Standard deviation (mm) of a fitted mat at the least certain of some places.

    `places`: n x 2 mm. The deviation follows from how well the corners `seen` determine mat and lens. A corner
    is as uncertain as the fit's residuals. `lens_known`: False counts the lens's uncertainty as well.
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
    """Standard deviation (mm) at the least certain place of a mat that `follow` placed.

    `places`: n x 2 mm that are considered. `moved`: size (radians) of the camera's move.
    """
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
    """Largest standard deviation (mm) of a fitted mat at some places (n x 2 mm).

    `model`: gives a fit for values of the unknowns; `misses`: its residuals. `likely`: prior sigmas of the
    unknowns. Infinite if the corners do not determine the fit.
    """
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
    # From px, across and down, to mm by the scale at each place.
    here, right = shown(zero).reshape(-1, 2), np.array((1.0, 0.0))
    beside = fit.lens.pixels(apply(fit.matrix, np.concatenate([places + right, places + right[::-1]])))
    scales = np.linalg.norm(beside.reshape(2, -1, 2) - here, axis=2).min(axis=0)
    variances = np.diag(covariance).reshape(-1, 2).sum(axis=1)
    return float((np.sqrt(np.maximum(variances, 0)) / scales).max())


def _moved(before: Fit, move: Vector) -> Fit:
    """Change a fit like a small move of the camera.

    `move` (7): rotation (3 radians), shift (3 camera heights), and change of growth (px).
    """
    wx, wy, wz, x, y, z, growth = move
    change = np.array([[1, -wz, wy + x], [wz, 1, y - wx], [-wy, wx, 1 + z]])
    return replace(before, matrix=change @ before.matrix, growth=before.growth + growth)


def follow(before: Fit, seen: Corners, moves: float = _MOVES) -> Fit:
    """Update a fit after a small move of the camera, by two markers or more.

    The unknowns are a rotation, a shift and the growth; two markers determine a part of them. `seen`: the
    markers' corners. `moves`: prior sigma of rotation (radians) and shift (camera heights).
    """

    def residuals(move: Vector) -> Vector:
        return np.concatenate([_misses(_moved(before, move), seen) / _CORNER_PX, move / likely])

    likely = np.array([*[moves] * 6, _GROWS_PX])
    best = _moved(before, _least_squares(residuals, np.zeros(7)))
    return replace(best, rms_px=_rms(_misses(best, seen)))


def by_pose(seen: Corners, lens: Lens) -> Fit | None:
    """Fit the mat to two markers, with a measured lens.

    More markers may be given. None if that is impossible.
    """
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
    """Fit the mat, its corners' growth (`Fit.growth`), and some unknowns of the lens.

    `start` (3 x 3): first guess, from mm to rays of `lens`. `unknowns`: how many of the lens (0, 1, 2 or 4;
    see _MODELS).
    """

    def fit(unknown: Vector) -> Fit:
        change = np.append(unknown[:8], 0.0).reshape(3, 3) + np.eye(3)
        return Fit(change @ start, _bent(lens, unknown[9:].tolist()), float(unknown[8]), 0.0)

    def residuals(unknown: Vector) -> Vector:
        likely = unknown[9:] / _LENS_SIGMAS[: len(unknown) - 9]
        return np.append(_weighed(fit(unknown), seen) / _CORNER_PX, likely)

    best = fit(_least_squares(residuals, np.zeros(9 + unknowns)))
    return replace(best, rms_px=_rms(_misses(best, seen)))


def _bent(lens: Lens, unknown: list[float]) -> Lens:
    """Give a lens the values of its unknowns (0, 1, 2 or 4 of them; see _MODELS)."""
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
    """Residuals (px, flat) of a fit: predicted minus detected corners."""
    there = fit.lens.pixels(apply(fit.matrix, seen.mm)).reshape(-1, 4, 2)
    right = there[:, 1] - there[:, 0] + there[:, 2] - there[:, 3]
    down = there[:, 3] - there[:, 0] + there[:, 2] - there[:, 1]
    axes = np.stack([right, down], axis=1)
    axes /= np.linalg.norm(axes, axis=2, keepdims=True)
    grown = there + fit.growth * _OUTWARD @ axes
    return np.asarray((grown.reshape(-1, 2) - seen.px).ravel(), np.float64)


def _weighed(fit: Fit, seen: Corners) -> Vector:
    """Residuals (px, flat) of a fit, in which a marker's place has less weight than its shape.

    Shapes are printed, places are glued by hand.
    """
    misses = _misses(fit, seen).reshape(-1, 4, 2)
    whole = misses.mean(axis=1, keepdims=True)
    share = _CORNER_PX / math.hypot(_CORNER_PX, 2 * _GLUED_MM * fit.px_per_mm)
    return np.ravel(misses - (1 - share) * whole)


def _apart(fit: Fit, seen: Corners, rms_px: float) -> Vector:
    """Residuals (flat) of corners in standard deviations: of each marker's shape, and of its place.

    What a fit leaves (`rms_px`) blurs the shapes. Places are as sure as sheets are glued.
    """
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
    """Find the unknowns near `start` with the least residuals (Levenberg-Marquardt).

    All unknowns have similar size. This is written by hand, because SciPy takes half a second to import and
    OpenCV offers its solver to C++ only. OpenCV's calibrateCamera knows neither how far a marker may lie from
    its place, nor growth.
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
    """Map points (n x 2) by a homography (3 x 3)."""
    lifted = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(lifted[:, :2] / lifted[:, 2:], np.float64)
