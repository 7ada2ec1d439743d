"""Finds the outline of a single card in a picture of the card on cloth, or of the card alone."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art.art_plane import card_sides
from vision.art.outline_fit import corners_between, sides_of, where_ends
from vision.art.quad_finder import ASPECTS, Lab, Points, Quad, find_edges, find_quads
from vision.art.sleeve import without_sleeve

_NEAR, _MOST_ALIKE = 0.03, 20
"""Parameters of `quad_finder.distinct` for a single card. _NEAR: outlines nearer than this share of their size
count as one. _MOST_ALIKE: outlines kept around one middle. They are finer than on a full table, because a
card's edge and its sleeve's are two outlines."""
_RING = 0.04
"""_RING: width of the picture's border that counts as cloth, as a share of its shorter side."""
_CLOTH_COLOURS = 4
"""_CLOTH_COLOURS: number of colours that a cloth is assumed to have. A striped or checked cloth has two, and
its shadows two more."""
_NOT_CLOTH, _HARDLY_CLOTH = 9.0, 5.0
"""Least difference in colour (L*a*b*) of a card from every colour of the cloth: at the first attempt, and at a
second one."""
_SMALLEST, _LARGEST = 0.04, 0.97
"""Least and greatest share of the picture that a card may cover."""
_AGREES = 0.85
"""_AGREES: least intersection over union (0 to 1) of an outline found by edges and the area found by
colour."""
_SPECK, _TUFT = 7, 0.05
"""_SPECK: greatest width (px) of a speck that is ignored. _TUFT: greatest width of a carpet's tuft, as a share
of the picture."""
_CERTAIN = 0.93
"""_CERTAIN: least share of an outline that must be an edge, if colour does not confirm the outline."""
_LARGE = 0.2
"""_LARGE: least share of the picture that an outline found by edges alone must cover. A smaller one is part of
the art."""
_ON_EDGE = 6.0
"""_ON_EDGE: distance (px) by which a corner may lie outside of an outline and still count as within."""
_NARROW = 0.12
"""_NARROW: greatest margin, as a share of the picture's width, around an outline that is only a frame printed
on the card."""

_SOFT = 0.8
"""_SOFT: blur (px) of the picture against noise, which would look like edges."""
_CLOTH, _ENDS = (0.16, 0.22), (0.15, -0.12)
"""_CLOTH: where the cloth's colour is measured. _ENDS: where the cloth may end. Both are distances outside
of the outline, in card widths."""


def card_outline(lab: Lab) -> Points | None:
    """Find the single card's outline in a picture.

    The picture is about 640 px wide. Returns corners (4 x 2 px, clockwise), or None. Of the outlines with four
    edges, the one is taken that agrees best with the area without the cloth's colours; or a clear outline
    around it. `lab`: the picture in L*a*b*.
    """
    height, width = lab.shape[:2]
    sides = (0.15 * min(height, width), 1.1 * max(height, width))
    edges = find_edges(lab)
    quads = find_quads(edges, sides=sides, near=_NEAR, most_alike=_MOST_ALIKE)
    whole = np.array(
        [(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)], np.float32
    )
    chosen = _by_colour(lab, quads, _NOT_CLOTH)
    least = _LARGE * height * width if chosen is None else 0.0
    around = [
        quad
        for quad in quads
        if quad.support >= _CERTAIN and quad.area >= least and (chosen is None or _holds(quad.corners, chosen))
    ]
    if around:
        # The card's frame may contain the cloth's colours. Then the chosen outline is its inside.
        chosen = max(around, key=lambda quad: quad.area).corners
    elif chosen is None and not _card_like(whole):
        chosen = _by_colour(lab, quads, _HARDLY_CLOTH)
    if chosen is None or _all_but_margin(chosen, width, height):
        return whole if _card_like(whole) else None
    soft = np.asarray(cv2.GaussianBlur(lab, (0, 0), _SOFT), np.float32)
    lines = zip(where_ends(soft, chosen, _CLOTH, _ENDS), sides_of(chosen), strict=True)
    return without_sleeve(soft, corners_between([side if end is None else end for end, side in lines]))


def _by_colour(lab: Lab, quads: list[Quad], least: float) -> Points | None:
    """Choose the outline around what has not the cloth's colours.

    Without such an outline, a box around that area; None if the area is not card-like. `quads`: outlines found
    by edges. `least`: difference (L*a*b*) from the cloth's colours.
    """
    blob = _not_cloth(lab, least)
    if blob is None:
        return None
    for area in (blob, _not_cloth(lab, least, round(_TUFT * min(lab.shape[:2])) | 1)):
        # Bright tufts of a carpet lie beside the card, and are narrower.
        agree = [] if area is None else [_common(quad.corners, area) for quad in quads]
        best = int(np.argmax(agree)) if agree else -1
        if best >= 0 and agree[best] >= _AGREES:
            return quads[best].corners
    box = np.asarray(cv2.boxPoints(cv2.minAreaRect(blob)), np.float32)
    return box if _common(box, blob) >= _AGREES and _card_like(box) else None


def _holds(outer: Points, inner: Points) -> bool:
    """True if the inner outline lies within the outer one, or at most 6 px beyond."""
    return all(
        cv2.pointPolygonTest(outer, (float(x), float(y)), measureDist=True) > -_ON_EDGE for x, y in inner
    )


def _all_but_margin(corners: Points, width: int, height: int) -> bool:
    """True if the picture is the card itself, and the outline only a frame printed on it.

    `corners`: the outline (4 x 2 px). Such a frame is parallel to the picture's borders, at equal margins left
    and right.
    """
    low, high = corners.min(axis=0), corners.max(axis=0)
    left, right = float(low[0]), width - 1 - float(high[0])
    boxed = all(min(x - low[0], high[0] - x) + min(y - low[1], high[1] - y) < 0.02 * width for x, y in corners)
    return boxed and max(left, right) < _NARROW * width and abs(left - right) < 0.03 * width


def _not_cloth(lab: Lab, least: float, narrowest: int = _SPECK) -> Points | None:
    """Convex hull (n x 2 px) of a picture's largest region without the cloth's colours.

    None if this region is too small or too large for a card. `least`: difference (L*a*b*) from every colour of
    the cloth. `narrowest`: width (px) below which parts are left out.
    """
    outlines = not_cloth(lab, least, narrowest)
    hulls = [np.asarray(cv2.convexHull(outline), np.float32).reshape(-1, 2) for outline in outlines]
    largest = max(hulls, key=_area, default=None)
    if largest is None or not _SMALLEST < _area(largest) / (lab.shape[0] * lab.shape[1]) < _LARGEST:
        return None
    return largest


def not_cloth(lab: Lab, least: float, narrowest: int = _SPECK) -> list[NDArray[np.int32]]:
    """Find the regions whose colour does not occur at the picture's border: their outlines.

    `lab`: the picture. `least`: difference (L*a*b*) from every colour of the border. `narrowest`: width (px)
    below which parts are left out.
    """
    soft = cv2.GaussianBlur(lab, (0, 0), 1.5)
    height, width = lab.shape[:2]
    deep = max(3, round(_RING * min(height, width)))
    border = np.concatenate(
        [part.reshape(-1, 3) for part in (soft[:deep], soft[-deep:], soft[:, :deep], soft[:, -deep:])]
    )[::3]
    cv2.setRNGSeed(1)
    stop = (cv2.TERM_CRITERIA_COUNT, 12, 0.0)
    labels = np.zeros((len(border), 1), np.int32)
    _, _, colours = cv2.kmeans(border, _CLOTH_COLOURS, labels, stop, 1, cv2.KMEANS_PP_CENTERS)
    differences = (soft - colour for colour in colours)
    squared = np.minimum.reduce([np.einsum("ijk,ijk->ij", one, one) for one in differences])
    kernel = np.ones((_SPECK, _SPECK), np.uint8)
    mask = cv2.morphologyEx((squared > least**2).astype(np.uint8), cv2.MORPH_CLOSE, kernel)
    round_ = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (narrowest, narrowest))
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel if narrowest == _SPECK else round_)
    found = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
    return [np.asarray(outline, np.int32) for outline in found]


def _area(outline: Points) -> float:
    return float(cv2.contourArea(outline))


def _common(first: Points, second: Points) -> float:
    """Intersection over union (0 to 1) of two convex outlines."""
    both = float(cv2.intersectConvexConvex(first, second)[0])
    return both / (_area(first) + _area(second) - both + 1e-6)


def _card_like(corners: NDArray[np.float32]) -> bool:
    short, long = sorted(card_sides(corners))
    return ASPECTS[0] <= short / (long + 1e-6) <= ASPECTS[1]
