"""Flattens a part of a picture onto the mat, and finds lamps reflected in it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art.art_light import lifted
from vision.art.rectangle_search import Image
from vision.art.template_bank import USUAL_MM
from vision.mat.mat_finder import Rect, Registration
from vision.mat.straight_views import between

PX_MM = 1.15
"""PX_MM: scale (px/mm) of the flattened picture, at which a usual card has the size of a fine art (64 x 96
px)."""
_FINER = 1.5
"""_FINER: px of the camera's picture along one px of the flattened one, above which the picture is reduced
first."""
_NODE = 16
"""_NODE: distance (px) between the points at which the mapping to the mat is computed; between them it is
interpolated."""
_BLOWN, _LAMP_MM2, _HALO_PX, _PAPER, _ROUND = 236, (100.0, 1500.0), 4, 0.45, 0.8
"""Signs of a reflected lamp: least brightness (0 to 255) of every channel; range of its area (square mm);
width (px) of its halo; share of bright px around it above which it is white paper; and least share of its
convex hull that it fills. White that print leaves fills 0.4 to 0.7."""


@dataclass(frozen=True, slots=True, eq=False)
class Flat:
    """Part of a picture, flattened onto the mat.

    It is as seen from straight above. `whole`, `half`, `quarter`: the part at three sizes (BGR). `corner`:
    place of its first pixel (mm). `across`: width (px) of a usual card in the unflattened picture.
    """

    whole: Image
    half: Image
    quarter: Image
    corner: NDArray[np.float64]
    across: float


def flattened(image: Image, rect: Rect, registration: Registration, *, colour: bool) -> Flat | None:
    """Flatten a rectangle of a picture onto the mat.

    The result is as seen from straight above. `rect`: px. `registration`: where the mat lies in the picture.
    None if the part is too small or beyond the lens's range. `colour` False: in grey.
    """
    left, top, right, bottom = rect
    x, y = np.meshgrid(np.linspace(left, right, 3), np.linspace(top, bottom, 3))
    mm = registration.to_mm(np.column_stack([x.ravel(), y.ravel()]))
    near, far = mm.min(axis=0), mm.max(axis=0)
    if not np.isfinite(mm).all():
        return None
    width, height = (max(0, int(side * PX_MM)) & ~3 for side in far - near)
    if min(width, height, right - left, bottom - top) < 8:
        return None
    part = lifted(image[top:bottom, left:right], image)
    if not colour:
        part = part if part.ndim == 2 else np.asarray(cv2.cvtColor(part, cv2.COLOR_BGR2GRAY), np.uint8)
        part = np.asarray(cv2.cvtColor(part, cv2.COLOR_GRAY2BGR), np.uint8)
    across, down = (np.arange(0, side + _NODE, _NODE, dtype=np.float64) for side in (width, height))
    columns, rows = np.meshgrid(across, down)
    nodes = registration.to_px(np.column_stack([columns.ravel(), rows.ravel()]) / PX_MM + near) - (left, top)
    fine = registration.px_per_mm(*((near + far) / 2))
    # A near camera has far more px than are looked at. Each of these shows the mean of those that it replaces.
    times = max(1, int(fine / PX_MM / _FINER))
    if times > 1:
        fewer = (max(1, part.shape[1] // times), max(1, part.shape[0] // times))
        nodes = (nodes + 0.5) * fewer / part.shape[1::-1] - 0.5
        part = np.asarray(cv2.resize(part, fewer, interpolation=cv2.INTER_AREA), np.uint8)
    maps = between(nodes.reshape(*columns.shape, 2))[:height, :width]
    soft = cv2.GaussianBlur(part, (3, 3), 0.6)
    flat = cv2.remap(soft, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    half = cv2.resize(flat, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    quarter = cv2.resize(half, (width // 4, height // 4), interpolation=cv2.INTER_AREA)
    whole, half, quarter = (np.asarray(one, np.uint8) for one in (flat, half, quarter))
    return Flat(whole, half, quarter, near, USUAL_MM * fine)


def reflections(flat: Flat, taken: Sequence[NDArray[np.float32]]) -> NDArray[np.uint8] | None:
    """Mask lamps reflected in a flat picture, outside known cards.

    Rows x columns, 1 on a reflection; None if there are none. `taken`: outlines (4 x 2 px) of known cards.
    """
    blue, green, red = cv2.split(flat.whole)
    darkest = cv2.min(cv2.min(blue, green), red)
    bright = np.asarray(np.asarray(darkest) > _BLOWN, np.uint8)
    for outline in taken:
        cv2.fillConvexPoly(bright, np.round(outline).astype(np.int32), (0,))
    side = round(USUAL_MM * PX_MM)
    around = cv2.boxFilter(bright, cv2.CV_32F, (side, side), borderType=cv2.BORDER_CONSTANT)
    bright = np.asarray(cv2.morphologyEx(bright, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8)
    count, labels, stats, middles = cv2.connectedComponentsWithStats(bright)
    area = stats[:, cv2.CC_STAT_AREA] / PX_MM**2
    columns, rows = np.round(np.nan_to_num(middles)).astype(int).T
    white = around[rows.clip(0, len(around) - 1), columns.clip(0, around.shape[1] - 1)] > _PAPER
    lamps = (_LAMP_MM2[0] <= area) & (area <= _LAMP_MM2[1]) & ~white
    lamps[0] = False
    for number in np.flatnonzero(lamps):
        left, top, w, h, size = (int(value) for value in stats[number])
        spot = np.asarray(labels[top : top + h, left : left + w] == number, np.uint8)
        lamps[number] = size >= _ROUND * _hull(spot)
    if count < 2 or not lamps.any():
        return None
    halo = np.ones((2 * _HALO_PX + 1, 2 * _HALO_PX + 1), np.uint8)
    return np.asarray(cv2.dilate(lamps[labels].astype(np.uint8), halo), np.uint8)


def _hull(spot: NDArray[np.uint8]) -> float:
    """Area (square px) of the convex hull of a mask.

    Only the mask's first region counts.
    """
    outline = cv2.findContours(spot, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0][0]
    return float(cv2.contourArea(cv2.convexHull(outline)))


def without_reflections(flat: Flat, shine: NDArray[np.uint8]) -> Flat:
    """Paint a flat picture's reflections over with their surroundings.

    Returns a copy. `shine`: mask of the reflections, 1 there.
    """
    height, width = flat.quarter.shape[:2]
    small = (cv2.resize(shine, (width, height), interpolation=cv2.INTER_AREA) > 0).astype(np.uint8)
    hidden = cv2.dilate(small, np.ones((3, 3), np.uint8))
    filled = cv2.inpaint(flat.quarter, hidden, 2, cv2.INPAINT_TELEA)

    def painted(picture: Image) -> Image:
        size = (picture.shape[1], picture.shape[0])
        where = cv2.resize(shine, size, interpolation=cv2.INTER_NEAREST)[:, :, None] > 0
        return np.asarray(np.where(where, cv2.resize(filled, size), picture), np.uint8)

    quarter = np.asarray(filled, np.uint8)
    return replace(flat, whole=painted(flat.whole), half=painted(flat.half), quarter=quarter)
