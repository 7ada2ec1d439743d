"""Finds the mat in a picture by its corner markers.

The result maps pixels to millimetres.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.codes.code_reader import find_markers
from vision.codes.sticker_set import Gray
from vision.mat.landmarks import halved
from vision.mat.lens_model import Lens, Points
from vision.mat.marker_alignment import Aligned, align
from vision.mat.marker_search import believed, search
from vision.mat.mat_fit import (
    Corners,
    Fit,
    by_pose,
    doubt_mm,
    fit_mat,
    fit_near,
    follow,
    followed_doubt_mm,
)
from vision.mat.registration import UNMOVED_PX, Registration
from vision.mat_geometry import Mat, MatMarker, Zone

MOVED_PX = 1.5
"""MOVED_PX: displacement (px) of a corner marker above which the camera was moved. Corners are found to 0.3
px."""
_WORST_FIT_MM, _WORST_FIT_PX = 2.5, 1.5
"""Greatest residuals of the markers (_WORST_FIT_MM in mm, _WORST_FIT_PX in px); with more it is another
mat."""
_UNMOVED_CORNER_PX = 2.0
"""_UNMOVED_CORNER_PX: largest displacement (px) of any corner of a marker that counts as unmoved."""
_EXCHANGED = 0.7
"""_EXCHANGED: distance, as a share of a marker's side, from another marker's place, below which the two were
exchanged."""
_DOUBT_MM = 1.3
"""Largest standard deviation (mm) of the least certain place of a mat that is believed. By
three corners of 300 drawn cameras and by two of 600 such mats were 3.0 mm off at most."""
_DOUBT_WHOLE_MM = 1.6
"""_DOUBT_WHOLE_MM: the same by four markers. Of 300 drawn cameras none was off by more than 1.1 times its
deviation."""
_ROUGH_DOUBT_MM = 4.0
"""_ROUGH_DOUBT_MM: the same for a mat that need only be known roughly. By two markers of a photograph from 45
degrees it is 1.8 mm. A guess."""
_FEW_FIT_PX = 0.8
"""_FEW_FIT_PX: greatest residual (px) at which a mat placed by two markers is believed."""
_CLEAR = 0.9
"""_CLEAR: least correlation with its print of a marker that places a mat whatever the residuals. One less like
it, because a card or a second exposure covers it, may be 2 px beside its place."""
_COMPLETED_PX = 0.25
"""_COMPLETED_PX: greatest growth of the residual (px) with which a fourth marker joins three others."""
_SHARP_PX = 0.18
"""_SHARP_PX: residual (px) up to which markers certainly lie as printed. Well seen ones leave 0.06."""
_PLAUSIBLE, _APART_MM = 3.0, 2.0
"""_PLAUSIBLE: greatest residual, relative to the least one, of a choice of three markers that may be right.
_APART_MM: greatest distance (mm) between the mats by such choices; beyond it nobody knows which marker is
misplaced."""
_STILL, _STRANGE, _PUSHED = 0.002, 0.05, 0.1
"""Sizes (sigma, radians) assumed for a movement of the camera. _STILL, _PUSHED: smallest and largest one since
the mat was found. _STRANGE: if it was not found before."""
_CANCELLED = 3.0
"""How much larger a move of the camera may be than it looks, because a boom's turn and shift cancel each other
in the picture. With 1 a mat was 2.7 mm off by two markers, with 2 and more 1.1 and less."""
_LAID_OFF_MM, _LAID_OFF_DEG, _LAID_PX = 90.0, 25.0, 0.6
"""Limits for corner markers laid by hand.

_LAID_OFF_MM, _LAID_OFF_DEG: greatest distance (mm) and turn (degrees) of a corner from its printed place.
_LAID_PX: greatest rms residual (px) of the fit of all corners to a flat table.
"""
_SQUARE_DEG = 0.5
"""_SQUARE_DEG: greatest turn (degrees) of one corner marker of a printed mat against the others. Corner cards
laid by hand have more."""
_FLAT = 1e-12
"""Least determinant of a mat that is not seen edge-on. A mat of a metre that fills the picture has 1e-6."""
_GLANCE_BLURS_PX = (1.5,)
"""Blurs (sigma, px) tried first at a marker that probably has not moved."""
_PAIR = 2
"""_PAIR: number of markers that suffice to guess where the others are, though not where the mat lies."""
_MIRRORED_LEAST = 2
"""_MIRRORED_LEAST: number of markers in the flipped picture that are no accident."""


def register(
    mat: Mat,
    gray: Gray,
    before: Registration | None = None,
    measured: Lens | None = None,
    *,
    roughly: bool = False,
) -> Registration | None:
    """Find the mat in a picture by its corner markers.

    None if its place cannot be determined, or is in doubt. Three of the four markers must be in sight. Two are
    enough after a registration `before`, or with a `measured` lens. If fewer are in sight, or some contradict,
    the mat is where it was `before` if its markers or landmarks have not moved. Without a measured lens the
    distortion is estimated from four markers; with fewer it is taken from `before`. `roughly`: a place that may
    be some mm off is no doubt. UnusableError if the measured lens is for pictures of other proportions.

    >>> from vision.mat_geometry import corner_markers
    >>> from vision.codes.sticker_set import marker
    >>> mat, picture = Mat("", 400, 300, corner_markers(0, 400, 300), ()), np.full((600, 800), 255, np.uint8)
    >>> for one in mat.markers:
    ...     x, y = round(2 * one.x) - 30, round(2 * one.y) - 30
    ...     picture[y : y + 60, x : x + 60] = marker(one.id, 60)
    >>> register(mat, picture).to_mm([(400, 300)]).round()
    array([[200., 150.]])
    """
    height, width = gray.shape[:2]
    if before is not None and (before.width, before.height) != (width, height):
        before = None
    lens = None if measured is None else measured.scaled(width, height)
    wanted = {marker.id: marker for marker in mat.markers}
    expected: dict[int, Points] = {}
    if before is not None:
        expected = {one.id: before.to_px(one.corners) for one in before.laid or mat.markers}
    sights = search(gray, wanted, expected)
    seen = _believed(sights, expected)
    most_mm = _ROUGH_DOUBT_MM if roughly else _DOUBT_MM
    found = _placed(mat, gray, seen, before, lens, most_mm)
    clear = {number: one for number, one in seen.items() if one.likeness >= _CLEAR}
    if len(clear) < len(seen) and (found is None or found.fit.rms_px > _SHARP_PX):
        found = _placed(mat, gray, clear, before, lens, most_mm)
    if found is None and before is not None:
        found = _held(gray, {number: one.corners for number, one in seen.items()}, expected, before)
    return None if found is None else replace(found, halved=halved(gray))


def _placed(
    mat: Mat,
    gray: Gray,
    seen: Mapping[int, Aligned],
    before: Registration | None,
    lens: Lens | None,
    most_mm: float,
) -> Registration | None:
    """Find the mat by the markers `seen` (by id). None if their fit is in doubt.

    `before`: last registration. `lens`: if measured. `most_mm`: greatest standard deviation (mm).
    """
    quads = {number: one.corners for number, one in seen.items()}
    try:
        if len(quads) > _PAIR:
            blur_px = float(np.median([one.blur_px for one in seen.values()]))
            return _of_many(mat, gray, quads, before, lens, blur_px, most_mm)
        shape_px = max((one.shape_px for one in seen.values()), default=0.0)
        return _of_few(mat, quads, before, lens, (gray.shape[1], gray.shape[0]), shape_px, most_mm)
    except np.linalg.LinAlgError:
        return None


def _believed(sights: Mapping[int, Sequence[Aligned]], expected: Mapping[int, Points]) -> dict[int, Aligned]:
    """Choose one sight of each marker, by its id.

    `sights`: where each was seen. Of several copies only one that lies at its `expected` last place counts;
    without one the marker is left out.
    """
    one_each = {}
    for number, seen in sights.items():
        chosen = list(seen)
        if len(seen) > 1:
            there = expected.get(number)
            chosen = [] if there is None else [one for one in seen if _unmoved(one.corners, there)]
        if len(chosen) == 1:
            one_each[number] = chosen[0]
    return one_each


def _unmoved(quad: Points, expected: Points) -> bool:
    """True if a marker's corners lie where they were (both 4 x 2 px).

    Its middle may be off by 0.8 px, any corner by 2 px.
    """
    off = quad - expected
    whole = float(np.linalg.norm(off.mean(axis=0)))
    return whole <= UNMOVED_PX and float(np.linalg.norm(off, axis=1).max()) <= _UNMOVED_CORNER_PX


def _of_many(
    mat: Mat,
    gray: Gray,
    quads: dict[int, Points],
    before: Registration | None,
    lens: Lens | None,
    blur_px: float,
    most_mm: float,
) -> Registration | None:
    """Find the mat by three or four markers.

    One of four that lies beside its place is left out, even if it is only a few mm beside. `quads`: corners (4
    x 2 px) by id. `before`: last registration. `lens`: if measured. `blur_px`: sigma of the picture's blur.
    None if the markers contradict each other, or if more than `most_mm` (standard deviation) are in doubt; by
    four markers 1.6 mm may be.
    """
    size = (gray.shape[1], gray.shape[0])
    wanted = {marker.id: marker for marker in mat.markers}
    if len(quads) < len(wanted):
        quads = _completed(mat, gray, quads, before, lens, blur_px)
    whole = _printed(mat, quads, before, lens, size, blur_px)
    whole = whole if whole is not None and whole.fits else None
    without: list[tuple[int, _Printed]] = []
    if len(quads) == len(wanted) and (whole is None or whole.found.fit.rms_px > _SHARP_PX):
        without = _fits_without_one(mat, quads, before, lens, size, blur_px)
    if whole is not None and not _contradicted(mat, whole.found, without):
        most_mm = max(most_mm, _DOUBT_WHOLE_MM) if len(quads) == len(wanted) else most_mm
        return whole.found if whole.doubt_mm <= most_mm else None
    if len(quads) < len(wanted):
        return None
    if before is not None and _agreeing(quads, before, wanted) > 1:
        return None
    if without and (beside := _beside_one(mat, without, quads)) is not None:
        return beside
    laid = _laid_by_hand([wanted[number] for number in quads], _corners_seen(quads, wanted), lens, size)
    return None if laid is not None and _beside_misplaced(laid, without) else laid


def _agreeing(quads: Mapping[int, Points], before: Registration, wanted: Mapping[int, MatMarker]) -> int:
    """Count the markers that lie where they were in `before`.

    `quads`: their corners (4 x 2 px) by id. `wanted`: the mat's markers by id.
    """
    there = {one.id: before.to_px(one.corners) for one in before.laid or wanted.values()}
    return sum(_unmoved(quad, there[number]) for number, quad in quads.items())


@dataclass(frozen=True, slots=True, eq=False)
class _Printed:
    """Mat that was found by markers that lie as printed.

    `fits`: whether the markers fit. `doubt_mm`: standard deviation (mm) of its least certain place.
    """

    found: Registration
    fits: bool
    doubt_mm: float


def _is_flat(fit: Fit) -> bool:
    """True if a fit maps the mat to a line or to no place at all."""
    return not np.isfinite(fit.matrix).all() or bool(abs(np.linalg.det(fit.matrix)) < _FLAT)


def _printed(
    mat: Mat,
    quads: Mapping[int, Points],
    before: Registration | None,
    lens: Lens | None,
    size: tuple[int, int],
    blur_px: float,
) -> _Printed | None:
    """Fit the mat as printed to three markers or more.

    None if that is impossible. `quads`: corners (4 x 2 px) by id. `before`: last registration. `lens`: if
    measured. `size`: width and height (px) of the picture.
    """
    seen = _corners_seen(quads, {marker.id: marker for marker in mat.markers})
    known = lens or (before.lens if before is not None and len(quads) < len(mat.markers) else None)
    fitted = fit_mat(seen, known or Lens.guessed(*size), blur_px, bends=known is None)
    if fitted is None or _is_flat(fitted[0]):
        return None
    fit, possible = fitted
    placed = Registration(fit, *size, len(quads), 0.0)
    off = placed.to_mm(seen.px) - seen.mm
    error = float(np.sqrt(np.mean(np.sum(off**2, axis=1))))
    beside = _beside_px(placed, seen)
    fits = error <= _WORST_FIT_MM and fit.rms_px <= _WORST_FIT_PX and beside <= MOVED_PX
    laid = mat.markers if any(marker.angle for marker in mat.markers) else ()
    doubt = doubt_mm(fit, seen, _shown(mat, placed), lens_known=known is not None, possible=possible)
    return _Printed(replace(placed, error_mm=error, laid=laid), fits, doubt)


def _completed(
    mat: Mat,
    gray: Gray,
    quads: dict[int, Points],
    before: Registration | None,
    lens: Lens | None,
    blur_px: float,
) -> dict[int, Points]:
    """Add the fourth marker if three others confirm its place.

    Returns corners (4 x 2 px) by id: `quads` unchanged if it is not seen there.
    """
    three = _printed(mat, quads, before, lens, (gray.shape[1], gray.shape[0]), blur_px)
    if three is None or not three.fits:
        return quads
    more = dict(quads)
    for one in mat.markers:
        if one.id not in quads:
            seen = believed(align(gray, one.id, three.found.to_px(one.corners)))
            if seen is not None:
                more[one.id] = seen.corners
    four = _printed(mat, more, before, lens, (gray.shape[1], gray.shape[0]), blur_px)
    # A marker that is half covered would make the fit worse.
    better = four is not None and four.fits and four.found.fit.rms_px <= three.found.fit.rms_px + _COMPLETED_PX
    return more if better else quads


def _fits_without_one(
    mat: Mat,
    quads: dict[int, Points],
    before: Registration | None,
    lens: Lens | None,
    size: tuple[int, int],
    blur_px: float,
) -> list[tuple[int, _Printed]]:
    """(id of the marker left out, mat that the others give) for each marker without which the mat fits."""
    found = []
    for number in quads:
        one = _printed(mat, {k: quad for k, quad in quads.items() if k != number}, before, lens, size, blur_px)
        if one is not None and one.fits:
            found.append((number, one))
    return found


def _contradicted(mat: Mat, whole: Registration, without: Sequence[tuple[int, _Printed]]) -> bool:
    """True if three markers fit far better than all four (`whole`), and lie elsewhere.

    A marker a few mm beside its place bends the fitted lens instead of leaving large residuals. `without`: as
    from `_fits_without_one`.
    """
    three = min((one.found for _, one in without), key=lambda one: one.fit.rms_px, default=whole)
    better = _PLAUSIBLE * three.fit.rms_px < whole.fit.rms_px
    return better and _apart_mm(mat, whole, three) > _APART_MM


def _beside_misplaced(laid: Registration, without: Sequence[tuple[int, _Printed]]) -> bool:
    """True if three of four markers are a printed mat, and the fourth is misplaced.

    `laid`: all four as laid by hand. `without`: mats that three of them give, perhaps by a bent lens. They are
    a mat unless all four lie askew, or the three fit far worse than all four do as laid by hand.
    """
    most = max(_LAID_PX, _PLAUSIBLE * laid.fit.rms_px)
    return bool(laid.loose_mm) and any(one.found.fit.rms_px <= most for _, one in without)


def _beside_one(
    mat: Mat, without: Sequence[tuple[int, _Printed]], quads: Mapping[int, Points]
) -> Registration | None:
    """The mat beside one marker that lies elsewhere. None if it is in doubt which marker that is.

    `without`: as from `_fits_without_one`.
    """
    number, best = min(without, key=lambda one: one[1].found.fit.rms_px)
    most = _PLAUSIBLE * best.found.fit.rms_px
    plausible = [one.found for _, one in without if one.found.fit.rms_px <= most]
    apart = max(_apart_mm(mat, best.found, other) for other in plausible)
    if apart > _APART_MM or best.doubt_mm > _DOUBT_MM:
        return None
    return _with_loose(best.found, mat, number, quads[number])


def _of_few(
    mat: Mat,
    quads: Mapping[int, Points],
    before: Registration | None,
    lens: Lens | None,
    size: tuple[int, int],
    shape_px: float,
    most_mm: float,
) -> Registration | None:
    """Find the mat by two markers, from its last place or by a measured lens.

    None with fewer than two markers, without both, or if more than `most_mm` (standard deviation) are in doubt.
    `quads`: corners (4 x 2 px) by id. `before`: the last place. `lens`: if measured. `size`: width and height
    (px) of the picture. `shape_px`: error (sigma) of the markers' shapes.
    """
    if len(quads) < 2 or (before is None and lens is None):
        return None
    laid = () if before is None else before.laid
    wanted = {marker.id: marker for marker in laid or mat.markers}
    seen = _corners_seen(quads, wanted)
    if before is None:
        assert lens is not None
        fit, moves = by_pose(seen, lens), _STRANGE
    else:
        off = seen.px - before.to_px(seen.mm)
        moves = float(np.linalg.norm(off, axis=1).max()) / before.lens.focal
        moves = min(_PUSHED, max(_STILL, _CANCELLED * moves))
        fit = follow(before.fit, seen, moves)
    if fit is None or _is_flat(fit):
        return None
    placed = Registration(fit, *size, len(quads), 0.0)
    off = placed.to_mm(seen.px) - seen.mm
    error = float(np.sqrt(np.mean(np.sum(off**2, axis=1))))
    fits = error <= _WORST_FIT_MM and fit.rms_px <= _FEW_FIT_PX and _beside_px(placed, seen) <= MOVED_PX
    shown = _shown(mat, placed)
    if not fits or followed_doubt_mm(fit, seen, shown, moves, shape_px, measured=before is None) > most_mm:
        return None
    return replace(placed, error_mm=error, laid=laid)


def _held(
    gray: Gray, quads: Mapping[int, Points], expected: Mapping[int, Points], before: Registration
) -> Registration | None:
    """Return the last place of the mat (`before`) if nothing seems to have moved.

    Two markers must lie where they were; or one, if the landmarks rest as well. None otherwise. None also if a
    marker lies in another one's place, because nobody knows which of them is right. `quads`, `expected`:
    corners (4 x 2 px) by id, as seen and as before.
    """
    if any(
        number != other and np.linalg.norm((quad - expected[other]).mean(axis=0)) <= _EXCHANGED * _side_px(quad)
        for number, quad in quads.items()
        for other in expected
    ):
        return None
    there = sum(_unmoved(quad, expected[number]) for number, quad in quads.items())
    if there > 1 or ((there or not quads) and before.looks_unmoved(gray)):
        return replace(before, markers=max(1, there))
    return None


def _side_px(quad: Points) -> float:
    return float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean())


def _with_loose(found: Registration, mat: Mat, number: int, quad: Points) -> Registration:
    """Note that the fourth marker lies beside its place, in a mat found by three.

    A fourth marker that is far away is a copy and no corner: then `found` is returned. `number`, `quad`: its
    id and corners (px).
    """
    where = found.to_mm(quad)
    x, y = where.mean(axis=0)
    one = next(marker for marker in mat.markers if marker.id == number)
    off = float(np.hypot(x - one.x, y - one.y))
    turn = found.angle([(float(u), float(v)) for u, v in quad]) - one.angle
    if off > _LAID_OFF_MM or abs((turn + 180) % 360 - 180) > _LAID_OFF_DEG:
        return found
    loose = MatMarker(one.id, float(x), float(y), one.side, one.angle + turn)
    laid = tuple(loose if marker.id == number else marker for marker in mat.markers)
    return replace(found, laid=laid, loose_mm=off, markers=len(mat.markers))


def _apart_mm(mat: Mat, one: Registration, other: Registration) -> float:
    """Largest distance (mm) between two registrations of one picture, over all of the mat."""
    ends = _ends(mat)
    return float(np.linalg.norm(other.to_mm(one.to_px(ends)) - ends, axis=1).max())


def _ends(mat: Mat) -> Points:
    """Points (15 x 2 mm) of a mat: corners, sides, middle."""
    return np.array([(x, y) for x in np.linspace(0, mat.w, 5) for y in np.linspace(0, mat.h, 3)], np.float64)


def _shown(mat: Mat, placed: Registration) -> Points:
    """Choose the points of a mat (n x 2 mm) that the picture shows.

    The points are its corners, places along its sides, and its middle: 15 in all. All 15 if it shows none.
    """
    ends = _ends(mat)
    px = placed.to_px(ends)
    shown = ends[((px >= 0) & (px < (placed.width, placed.height))).all(axis=1)]
    return shown if len(shown) else ends


def _beside_px(placed: Registration, seen: Corners) -> float:
    """Distance (px) of the farthest marker from its computed place.

    `placed`: where the mat lies. `seen`: the markers' corners.
    """
    off = (placed.to_px(seen.mm) - seen.px).reshape(-1, 4, 2).mean(axis=1)
    return float(np.linalg.norm(off, axis=1).max())


def _laid_by_hand(
    wanted: Sequence[MatMarker], seen: Corners, lens: Lens | None, size: tuple[int, int]
) -> Registration | None:
    """Place of an imagined mat whose corner markers were laid on a cloth by hand.

    None if a corner is too far from its place. `wanted`: the markers as printed. `seen`: their corners.
    `size`: width and height of the picture (px).
    """
    width, height = size
    found = fit_near(seen, lens, size, most_mm=_LAID_OFF_MM, most_deg=_LAID_OFF_DEG, most_px=_LAID_PX)
    if found is None:
        return None
    fit, offsets = found
    laid = tuple(
        MatMarker(one.id, one.x + x, one.y + y, one.side, turn)
        for one, (x, y, turn) in zip(wanted, offsets.tolist(), strict=True)
    )
    # Corners of a printed mat are square to each other; those that were laid by hand are all askew.
    askew = np.abs(offsets[:, 2] - np.median(offsets[:, 2]))
    loose = float(np.linalg.norm(offsets[:, :2], axis=1).max()) if np.median(askew) < _SQUARE_DEG else 0.0
    return Registration(fit, width, height, len(laid), fit.rms_px / fit.px_per_mm, laid, loose)


@dataclass(frozen=True, slots=True)
class Nudge:
    """Move of the camera, judged by the mat's corner markers.

    `px`: median shift of the markers; 0 if none was found. `markers`: number of markers found. `exchanged`:
    True if a marker lies in another one's place. Nobody knows then which of them is right.
    """

    px: float
    markers: int
    exchanged: bool = False


def nudge(markers: Iterable[MatMarker], gray: Gray, known: Registration) -> Nudge | None:
    """Measure how far the camera has moved since the registration `known`.

    None if no marker is found at any corner's last place. Only those places are examined: 1 ms each, where
    registering takes 30. A marker pushed far counts as not visible.
    """
    moves, exchanged = [], False
    wanted = tuple(markers)
    ids = {marker.id for marker in wanted}
    for marker in wanted:
        expected = known.to_px(marker.corners)
        # Most markers rest, and one blur shows that as well as many.
        resting = believed(align(gray, marker.id, expected, _GLANCE_BLURS_PX)) or believed(
            align(gray, marker.id, expected)
        )
        if resting is not None:
            moves.append(float(np.linalg.norm((resting.corners - expected).mean(axis=0))))
            continue
        scale = known.px_per_mm(marker.x, marker.y)
        reach = 0.9 * marker.side
        spot = Zone("", marker.x - reach, marker.y - reach, 2 * reach, 2 * reach)
        left, top, right, bottom = known.zone_rect(spot)
        crop = gray[top:bottom, left:right]
        offset = np.array([left, top], np.float64)
        for seen in find_markers(crop, marker.side * scale, refine=True) if crop.size else ():
            off = float(np.linalg.norm((np.array(seen.corners) + offset - expected).mean(axis=0)))
            if seen.id == marker.id:
                moves.append(off)
            else:
                exchanged |= seen.id in ids and off <= _EXCHANGED * _side_px(expected)
    if not moves and not exchanged:
        return None
    return Nudge(float(np.median(moves)) if moves else 0.0, len(moves), exchanged)


def markers_in_sight(gray: Gray) -> frozenset[int]:
    """Ids of all printed markers anywhere in a picture, to explain why a mat was not found."""
    return frozenset(seen.id for seen in find_markers(gray, thorough=True))


def scales_in_sight(mat: Mat, gray: Gray) -> list[float]:
    """Scale (px/mm) at each of the mat's markers in sight, whether or not they fit together.

    Empty if one is in sight twice: a copy on the table, or in a lens that folds the picture, has another scale.
    """
    sides = {marker.id: marker.side for marker in mat.markers}
    seen = [one for one in find_markers(gray, thorough=True) if one.id in sides]
    if len({one.id for one in seen}) < len(seen):
        return []
    return [float(np.sqrt(cv2.contourArea(np.array(one.corners, np.float32)))) / sides[one.id] for one in seen]


def reaches_beyond(mat: Mat, gray: Gray) -> bool:
    """True if the mat reaches beyond the picture, by two of its markers.

    False if in doubt, or unless exactly two are in sight.
    """
    size = (gray.shape[1], gray.shape[0])
    seen = _believed(search(gray, {marker.id for marker in mat.markers}, {}), {})
    if len(seen) != _PAIR:
        return False
    quads = {number: one.corners for number, one in seen.items()}
    fit = by_pose(_corners_seen(quads, {marker.id: marker for marker in mat.markers}), Lens.guessed(*size))
    if fit is None or _is_flat(fit):
        return False
    placed = Registration(fit, *size, len(quads), 0.0)
    return any(not placed.shows(one.x, one.y, one.side) for one in mat.markers)


def is_mirrored(gray: Gray, known: Iterable[int]) -> bool:
    """True if the camera mirrors its pictures.

    The flipped picture then shows two or more markers with the ids `known`, which cannot be read otherwise.
    """
    return len(markers_in_sight(np.asarray(cv2.flip(gray, 1), np.uint8)).intersection(known)) >= _MIRRORED_LEAST


def _corners_seen(quads: Mapping[int, Points], wanted: Mapping[int, MatMarker]) -> Corners:
    px = np.concatenate([quads[number] for number in quads])
    mm = np.array([corner for number in quads for corner in wanted[number].corners], np.float64)
    return Corners(px, mm)
