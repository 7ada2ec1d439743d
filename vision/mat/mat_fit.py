"""Fits mat and lens to marker corners by least squares.

The fit estimates the mat's pose, the lens's distortion (k1, k2, its centre) and the growth. Growth is how far
(px) corners seem to lie outside of their printed place. Ink, blur and threshold cause it. Without growth
markers look too small for their distance, and the error goes into the lens.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.mat.lens_model import Lens, Points

Vector = NDArray[np.float64]
Residuals = Callable[[Vector], Vector]
"""Function that gives the residuals of a fit for values of its unknowns."""

_STEP, _ROUNDS, _DAMPING_MOST = 1e-6, 40, 1e8
_GAINED_LEAST = 1e-5
"""Share of the squared residuals that a round must take away for another one to follow."""
_MOVES = 0.05
"""Expected size (prior sigma) of a camera's move: rotation (radians) and shift (camera heights). It decides
what two markers leave open."""
_SKEWS, _SKEWS_LEAST = 0.1, 1e-6
"""_SKEWS: prior sigma of stretch and shear, as a share of a camera's move. Both come of a shift of a tilted
camera, and of a wrong focal length: a tenth of the move at a tilt of 6 degrees. Without them a mat was 3.8 mm
off by two markers, after a push by 142 px. _SKEWS_LEAST: the same with a measured lens."""
_GROWS_PX = 0.4
"""Prior sigma (px) of the growth: how far detected corners lie outside of their printed place."""
_OUTWARD = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64)
_CORNER_PX = 0.15
"""Assumed error (sigma, px) of a detected corner."""
_ALIGNED_PX = 0.06
"""Least uncertainty (px) of an aligned corner. Sharp corners leave residuals of 0.04 to 0.1."""
_LENSES = {1: 0.0, 2: -3.0, 4: -3.0}
"""Number of unknowns of a lens -> its prior log probability, apart from a common constant.

1: k1, with k2 = k1² / 2 as in most lenses. 2: k1 and k2. 4: k1, k2 and the centre. With these odds no mat of
207 drawn lenses and 180 hostile pictures was more than 3 mm off; richer lenses refused more of them.
"""
_FEW, _FEW_LENSES = 12, {0: 0.0, 1: 0.0}
"""_FEW: number of corners (of three markers) up to which only the lenses _FEW_LENSES are averaged; 0: a lens
that does not bend. A lens of more unknowns would explain a marker beside its place."""
_NOISE_BY_BLUR, _NOISE_SHARED = 0.06, 1.25
"""_NOISE_BY_BLUR: least error (sigma) of a corner across, or down, as a share of the picture's blur, because it
changes shapes. With 0.06 px everywhere a defocused mat was 3.4 mm off, with 0.1 px a bent one was refused.
_NOISE_SHARED: factor on the error that residuals show, because corners of one marker share a part of it."""
_CENTRE_PX, _OFF_CENTRE = 100.0, 0.2
"""_CENTRE_PX: unit (px) of the centre's unknowns, which makes them about 0.1 like the others. _OFF_CENTRE:
their prior sigma; lenses are off by at most 20 px."""
_K1, _K2 = 0.25, 0.15
"""Prior sigmas of k1, and of k2 about k1² / 2: guesses."""
_LENS_LIKELY = (0.1, 0.05, _OFF_CENTRE, _OFF_CENTRE)
"""Prior sigmas of how far k1, k2 and the centre (in _CENTRE_PX) are from the fitted values."""
_PLACE_UNKNOWNS = 9
"""Number of unknowns of a mat's place: eight of its matrix, and the growth."""
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


@dataclass(frozen=True, slots=True, eq=False)
class PossibleFit:
    """Mat fitted with one of several possible lenses. `share`: its posterior probability (0 to 1)."""

    fit: Fit
    share: float


def fit_mat(
    seen: Corners, lens: Lens, blur_px: float, *, bends: bool
) -> tuple[Fit, tuple[PossibleFit, ...]] | None:
    """Fit the mat, and perhaps the lens, to corners of three or four markers.

    None if that is impossible. `blur_px`: sigma of the picture's blur. `bends`: True also estimates the
    distortion: the mean of all possible lenses, each weighed by its posterior probability. False keeps `lens`.
    Returns the fit, and the fits that it is the mean of: none with a known lens.
    """
    start = _homography(seen.mm, lens.rays(seen.px))
    if start is None:
        return None
    if not bends:
        return _fit(seen, lens, start), ()
    likely = _LENSES if len(seen.px) > _FEW else _FEW_LENSES
    richest = max(likely)
    rich = _bent_fit(seen, lens, start, np.zeros(_PLACE_UNKNOWNS + richest), _CORNER_PX)
    left = _weighed(rich.fit, seen)
    noise = 1e-6 + _NOISE_SHARED * math.sqrt(left @ left / (len(left) - _PLACE_UNKNOWNS - richest))
    fits, chances = [], []
    for unknowns, odds in likely.items():
        near = rich.unknown if unknowns == richest else np.zeros(_PLACE_UNKNOWNS + unknowns)
        one = _bent_fit(seen, lens, start, near, max(_NOISE_BY_BLUR * blur_px, noise))
        if not one.fit.lens.folds(one.fit.lens.rays(seen.px)):
            fits.append(one.fit)
            chances.append(odds + one.evidence)
    if not fits:
        return None
    shares = np.exp(np.array(chances) - max(chances))
    shares /= shares.sum()
    mean = _mean_lens([fit.lens for fit in fits], shares)
    start = _homography(seen.mm, mean.rays(seen.px))
    if start is None:
        return None
    possible = [PossibleFit(fit, float(share)) for fit, share in zip(fits, shares, strict=True)]
    return _fit(seen, mean, start), tuple(possible)


def _mean_lens(lenses: Sequence[Lens], shares: Vector) -> Lens:
    """Mean of lenses of one picture, weighed by `shares` that sum to 1."""
    values = np.array([(*(*one.k, 0.0, 0.0)[:2], one.cx, one.cy) for one in lenses])
    k1, k2, cx, cy = (shares @ values).tolist()
    return replace(lenses[0], k=(k1, k2), cx=cx, cy=cy)


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


def doubt_mm(
    fit: Fit, seen: Corners, places: Points, *, lens_known: bool, possible: Sequence[PossibleFit] = ()
) -> float:
    """Standard deviation (mm) of a fitted mat at the least certain of some places.

    `places`: n x 2 mm. The deviation follows from how well the corners `seen` determine mat and lens. A corner
    is as uncertain as the fit's residuals. `lens_known`: False counts the lens's uncertainty as well.
    `possible`: fits of which `fit` is the mean; how far they are apart counts, too.
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
    sure = _doubt(model, lambda one: _apart(one, seen, fit.rms_px), likely, fit, places)
    return math.hypot(sure, _spread_mm(fit, possible, places))


def _spread_mm(fit: Fit, possible: Sequence[PossibleFit], places: Points) -> float:
    """Standard deviation (mm) of possible fits about their mean, at the place where it is largest.

    `places`: n x 2 mm. 0 without possible fits.
    """
    px = fit.lens.pixels(apply(fit.matrix, places))
    variances = np.zeros(len(places))
    for one in possible:
        there = apply(np.asarray(np.linalg.inv(one.fit.matrix), np.float64), one.fit.lens.rays(px))
        variances += one.share * ((there - places) ** 2).sum(axis=1)
    return math.sqrt(float(variances.max()))


def followed_doubt_mm(
    fit: Fit, seen: Corners, places: Points, moved: float, shape_px: float = 0.0, *, measured: bool = False
) -> float:
    """Standard deviation (mm) at the least certain place of a mat that `follow` placed.

    `places`: n x 2 mm that are considered. `moved`: size (radians) of the camera's move. `shape_px`: error
    (sigma) of the markers' shapes; two markers leave small residuals whatever their shapes. `measured`: whether
    the lens was measured.
    """
    return _doubt(
        lambda move: _moved(fit, move),
        lambda one: _apart(one, seen, max(shape_px, fit.rms_px)),
        _likely_moves(moved, measured),
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

    `move` (9): rotation (3 radians), shift (3 camera heights), change of growth (px), stretch and shear.
    """
    change = np.asarray(cv2.Rodrigues(move[:3])[0], np.float64)
    change[:, 2] += move[3:6]
    stretch, shear = move[7:]
    change[:2, :2] += ((stretch, shear), (shear, -stretch))
    return replace(before, matrix=change @ before.matrix, growth=before.growth + float(move[6]))


def _likely_moves(moves: float, measured: bool) -> Vector:
    """Prior sigmas of the unknowns of `_moved`.

    `moves`: of rotation (radians) and shift (camera heights). `measured`: whether the lens was measured.
    """
    return np.array([*[moves] * 6, _GROWS_PX, *[_SKEWS_LEAST if measured else _SKEWS * moves] * 2])


def follow(before: Fit, seen: Corners, moves: float = _MOVES, *, measured: bool = False) -> Fit:
    """Update a fit after a small move of the camera, by two markers or more.

    The unknowns are those of `_moved`; two markers determine a part of them. `seen`: the markers' corners.
    `moves`: prior sigma of rotation (radians) and shift (camera heights). `measured`: whether the lens was
    measured.
    """

    def residuals(move: Vector) -> Vector:
        return np.concatenate([_misses(_moved(before, move), seen) / _CORNER_PX, move / likely])

    likely = _likely_moves(moves, measured)
    best = _moved(before, _least_squares(residuals, np.zeros(len(likely))))
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
    return follow(Fit(matrix / matrix[2, 2], lens, 0.0, 0.0), seen, measured=True)


def _fit(seen: Corners, lens: Lens, start: NDArray[np.float64]) -> Fit:
    """Fit the mat and its corners' growth (`Fit.growth`) through a lens that stays as it is.

    `start` (3 x 3): first guess, from mm to rays of `lens`.
    """

    def fit(unknown: Vector) -> Fit:
        return _placed(unknown, start, lens)

    best = fit(_least_squares(lambda one: _weighed(fit(one), seen) / _CORNER_PX, np.zeros(_PLACE_UNKNOWNS)))
    return replace(best, rms_px=_rms(_misses(best, seen)))


@dataclass(frozen=True, slots=True, eq=False)
class _BentFit:
    """Mat fitted with some unknowns of the lens. `unknown`: values of all unknowns.

    `evidence`: its logarithm by Laplace's approximation, apart from a common constant.
    """

    fit: Fit
    unknown: Vector
    evidence: float


def _bent_fit(seen: Corners, lens: Lens, start: NDArray[np.float64], near: Vector, noise_px: float) -> _BentFit:
    """Fit the mat, its corners' growth, and some unknowns of the lens.

    `start` (3 x 3): from mm to rays of `lens`. `near`: first guess of all unknowns; those beyond nine are of
    the lens (0, 1, 2 or 4; see _LENSES). `noise_px`: error (sigma) of a corner across, or down.
    """
    spreads = (_K1, _K2, _OFF_CENTRE, _OFF_CENTRE)[: len(near) - _PLACE_UNKNOWNS]

    def fit(unknown: Vector) -> Fit:
        return _placed(unknown, start, _bent(lens, unknown[_PLACE_UNKNOWNS:].tolist()))

    def residuals(unknown: Vector) -> Vector:
        bends = unknown[_PLACE_UNKNOWNS:].copy()
        if len(bends) > 1:
            bends[1] -= bends[0] ** 2 / 2
        off = _weighed(fit(unknown), seen) / noise_px
        return np.concatenate([off, bends / spreads, [unknown[8] / _GROWS_PX]])

    solved = _solved(residuals, near)
    volume = float(np.linalg.slogdet(solved.jacobian.T @ solved.jacobian)[1])
    evidence = -0.5 * float(solved.left @ solved.left) - 0.5 * volume - float(np.log(spreads).sum())
    found = fit(solved.best)
    return _BentFit(replace(found, rms_px=_rms(_misses(found, seen))), solved.best, evidence)


def _placed(unknown: Vector, start: NDArray[np.float64], lens: Lens) -> Fit:
    """Fit for values of its unknowns: eight change the matrix `start`, the ninth is the growth (px)."""
    change = np.append(unknown[:8], 0.0).reshape(3, 3) + np.eye(3)
    return Fit(change @ start, lens, float(unknown[8]), 0.0)


def _bent(lens: Lens, unknown: list[float]) -> Lens:
    """Give a lens the values of its unknowns (0, 1, 2 or 4 of them; see _LENSES)."""
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


def _apart(fit: Fit, seen: Corners, shape_px: float) -> Vector:
    """Residuals (flat) of corners in standard deviations: of each marker's shape, and of its place.

    `shape_px`: error (sigma) of the shapes. Places are as sure as sheets are glued.
    """
    misses = _misses(fit, seen).reshape(-1, 4, 2)
    whole = misses.mean(axis=1, keepdims=True)
    shape_px = max(_ALIGNED_PX, shape_px)
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


@dataclass(frozen=True, slots=True, eq=False)
class _Solved:
    """Solution of a least-squares problem: the unknowns, the residuals left, and their derivatives near it."""

    best: Vector
    left: Vector
    jacobian: NDArray[np.float64]


def _least_squares(residuals: Residuals, start: Vector) -> Vector:
    """Find the unknowns near `start` with the least residuals."""
    return _solved(residuals, start).best


def _solved(residuals: Residuals, start: Vector) -> _Solved:
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
            break
        gained = 1 - (tried @ tried) / (left @ left)
        best, left, damping = best + step, tried, max(damping / 10, 1e-9)
        if gained < _GAINED_LEAST:
            break
    return _Solved(best, left, jacobian)


def apply(matrix: NDArray[np.float64], points: Points) -> Points:
    """Map points (n x 2) by a homography (3 x 3)."""
    lifted = np.column_stack([points, np.ones(len(points))]) @ matrix.T
    return np.asarray(lifted[:, :2] / lifted[:, 2:], np.float64)
