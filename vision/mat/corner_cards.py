"""Finds zones on a bare tablecloth by four corner cards."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art.row_enrolment import cards_laid
from vision.camera.frames import Image
from vision.codes.sticker_set import Gray
from vision.mat.lens_model import Lens, Points
from vision.mat.marker_quality import MarkerQuality, edge_widths
from vision.mat.mat_finder import Registration
from vision.mat.mat_fit import Corners, fit_near
from vision.mat_geometry import Mat

INSET_MM = 10.0
"""INSET_MM: distance (mm) of a corner card's outer edges from the edges of the imagined mat on a bare
table."""
_OFF_MM, _OFF_DEG = 80.0, 20.0
"""Limits for a card at a corner of the table: greatest distance from its place (_OFF_MM), and greatest turn
(_OFF_DEG, degrees)."""
_WORST_PX = 2.0
"""_WORST_PX: greatest rms residual (px) of four outlines that may be four equal cards on a plane."""
_REACH_PX, _SAMPLES = 4.0, 65
"""_REACH_PX: how far (px) a profile (row of samples across a card's edge) reaches to both sides. _SAMPLES:
number of its samples."""
_PLAYING_CARD = (63.0, 88.0)
_CARDS = 4


@dataclass(frozen=True, slots=True, eq=False)
class CornerCards:
    """Table that was found by four cards at its corners.

    `registration`: where it lies in the picture. `outlines`: of the cards (4 x 4 x 2 px).
    """

    registration: Registration
    outlines: NDArray[np.float64]


def card_size(mat: Mat) -> tuple[float, float]:
    """Width and height (mm) of a game's cards.

    They are those of a pile on the mat, or of a playing card if there is none.
    """
    piles = (zone.stack for zone in mat.zones if zone.stack is not None and zone.holds.startswith("pile"))
    return next(piles, _PLAYING_CARD)


def corner_places(mat: Mat) -> tuple[tuple[float, float], ...]:
    """Middles (x, y in mm) of the four corner cards, clockwise from the far left."""
    width, height = card_size(mat)
    x, y = INSET_MM + width / 2, INSET_MM + height / 2
    return ((x, y), (mat.w - x, y), (mat.w - x, mat.h - y), (x, mat.h - y))


def register_cards(mat: Mat, picture: Image, empty: Image, measured: Lens | None = None) -> CornerCards | None:
    """Find a table without a mat by four cards of the game, one at each corner.

    None if they do not lie there. The cards have no sleeves. `mat`: the imagined mat. `empty`: picture of the
    table before the cards were laid. Other new things may lie further inside. The far side of the table is up
    in the picture. `measured`: the camera's lens, if known.
    """
    if picture.shape != empty.shape:
        return None
    colour = [np.repeat(one[:, :, None], 3, axis=2) if one.ndim == 2 else one for one in (picture, empty)]
    laid = [quad.astype(np.float64) for quad in cards_laid(colour[0], colour[1], rim=True)]
    quads = _outermost(laid, picture.shape[1], picture.shape[0])
    if quads is None:
        return None
    return by_outlines(mat, quads, (picture.shape[1], picture.shape[0]), measured)


def by_outlines(
    mat: Mat, quads: Sequence[Points], size: tuple[int, int], measured: Lens | None = None
) -> CornerCards | None:
    """Find a table without mat by four corner cards' outlines.

    None if they do not fit. `quads`: 4 x 2 px each, clockwise from the far left card. `size`: width and height
    (px) of the picture. `measured`: the camera's lens, if known.
    """
    width, height = size
    short, long = sorted(card_size(mat))
    px = []
    mm = []
    for quad, (x, y) in zip(quads, corner_places(mat), strict=True):
        upright = _from_top_left(quad)
        across = np.linalg.norm(upright[1] - upright[0]) + np.linalg.norm(upright[2] - upright[3])
        down = np.linalg.norm(upright[3] - upright[0]) + np.linalg.norm(upright[2] - upright[1])
        w, h = (short, long) if across < down else (long, short)
        px.append(upright)
        mm.append(
            np.array(
                [(x - w / 2, y - h / 2), (x + w / 2, y - h / 2), (x + w / 2, y + h / 2), (x - w / 2, y + h / 2)]
            )
        )
    seen = Corners(np.concatenate(px), np.concatenate(mm))
    lens = measured.scaled(width, height) if measured is not None else None
    found = fit_near(seen, lens, (width, height), most_mm=_OFF_MM, most_deg=_OFF_DEG, most_px=_WORST_PX)
    if found is None:
        return None
    fit, _ = found
    placed = Registration(fit, width, height, 0, fit.rms_px / fit.px_per_mm)
    return CornerCards(placed, np.stack(px))


def card_quality(cards: CornerCards, gray: Gray) -> MarkerQuality | None:
    """Measure focus and exposure at the four corner cards.

    Focus is measured at their edges, exposure at their print. None if the cloth is too like the cards.
    """
    lines = []
    levels = []
    for quad in cards.outlines:
        lines.append(_profiles(gray, quad))
        inside = np.zeros(gray.shape, np.uint8)
        cv2.fillConvexPoly(inside, np.round(quad).astype(np.int32), (255,))
        levels.append(gray[inside > 0])
    widths = edge_widths(np.concatenate(lines), 2 * _REACH_PX / (_SAMPLES - 1))
    if not widths:
        return None
    black, white = np.percentile(np.concatenate(levels), (2, 98))
    return MarkerQuality(float(np.median(widths)), float(black), float(white))


def _profiles(gray: Gray, quad: Points) -> NDArray[np.float32]:
    """Grey levels across a card's sides: profiles x 65 samples.

    Each profile runs across the edge, turned so that it goes from dark to light. `quad`: the card's corners
    (px).
    """
    across = np.linspace(-_REACH_PX, _REACH_PX, _SAMPLES)
    points = []
    for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True):
        along = (end - start) / np.linalg.norm(end - start)
        outward = np.array((along[1], -along[0]))
        at = start + np.linspace(0.2, 0.8, 25)[:, None] * (end - start)
        points.append(at[:, None] + across[:, None] * outward)
    px = np.concatenate(points).astype(np.float32)
    seen = cv2.remap(gray, px[..., 0], px[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    lines = np.asarray(seen, np.float32)
    # A white rim on a dark cloth falls outwards.
    falls = lines[:, :4].mean(axis=1) > lines[:, -4:].mean(axis=1)
    lines[falls] = lines[falls, ::-1]
    return lines


def _outermost(quads: Sequence[Points], width: int, height: int) -> list[Points] | None:
    """Choose the four cards nearest to the picture's corners.

    Returns their outlines. They are ordered clockwise from the far left. None if one is missing, or if one
    card is nearest to two corners. `width`, `height`: of the picture (px).
    """
    if len(quads) < _CARDS:
        return None
    middles = np.array([quad.mean(axis=0) for quad in quads]) / (width, height)
    chosen = []
    for corner in ((0, 0), (1, 0), (1, 1), (0, 1)):
        nearest = int(np.abs(middles - corner).sum(axis=1).argmin())
        if (np.abs(middles[nearest] - corner) >= 0.5).any() or nearest in chosen:
            return None
        chosen.append(nearest)
    return [quads[n] for n in chosen]


def _from_top_left(quad: Points) -> Points:
    """Reorder the corners of a slightly turned card: clockwise from its upper left.

    The card must be turned by less than 45 degrees.
    """
    middle = quad.mean(axis=0)
    angles = np.arctan2(*(quad - middle).T[::-1])
    clockwise = quad[np.argsort(angles)]  # y grows downwards: rising angles are clockwise
    edges = np.roll(clockwise, -1, axis=0) - clockwise
    first = int(np.argmax(edges[:, 0] / np.linalg.norm(edges, axis=1)))
    return np.roll(clockwise, -first, axis=0)
