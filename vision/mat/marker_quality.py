"""Measures a picture's sharpness and exposure at the mat's markers.

Black meets white there.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.codes.sticker_set import MARKER_MODULES, Gray
from vision.codes.sticker_set import marker as marker_print
from vision.mat.mat_finder import Registration
from vision.mat_geometry import MatMarker

_REACH = 0.9
"""How far a profile (row of samples across an edge) reaches to both sides, in modules (cells of a marker).
Beyond one module the print changes."""
_SAMPLES = 65
"""Number of samples of a profile (row of samples across an edge). At 5 px a module they are an eighth of a
pixel apart."""
_ALONG = np.linspace(0.2, 0.8, 13)
"""Places along a marker's side at which edges are measured, as shares of the side."""
_PLATEAU = 8
"""Number of samples at either end of a profile (row of samples across an edge) that are wholly black, or
white."""
_CONTRAST_LEAST = 20.0
"""_CONTRAST_LEAST: least difference (grey levels) of black and white at an edge that is measured."""
_PROFILES_LEAST = 6
"""_PROFILES_LEAST: least number of edges with contrast; with fewer nothing is measured. An arm may hide
some."""

_MODULE_PX = 4
"""Px per module (cell of a marker) in the flattened picture in which a marker is searched."""
_AROUND = 0.25
"""Distance from its computed place within which a marker is searched, as a share of its side. With three
markers in sight the fourth one's place depends on a guessed lens."""
_ALIKE = 0.6
"""_ALIKE: least correlation with its print of a marker that is seen. Measured: 0.69 or more with a soft lens,
other things 0.57 at most."""


@dataclass(frozen=True, slots=True)
class MarkerQuality:
    """Focus and exposure of a picture, measured at print.

    The print is black on white. `edge_px`: median width (px) of an edge from 10 to 90 % of its height.
    `black`, `white`: median grey levels (0 to 255).
    """

    edge_px: float
    black: float
    white: float


def marker_quality(
    markers: Sequence[MatMarker], gray: Gray, registration: Registration
) -> MarkerQuality | None:
    """Measure focus and exposure of a picture at the outer edges of the mat's markers.

    None if too few are in sight. Every edge is the mean of three neighbouring profiles across it: black
    inside, white paper outside. `registration`: where the mat lies in the picture.
    """
    profiles, scales = [], []
    for marker in markers:
        if registration.shows(marker.x, marker.y, 1.25 * marker.side):
            profiles.append(_profiles(marker, gray, registration))
            scale = registration.px_per_mm(marker.x, marker.y)
            px = 2 * _REACH * marker.side / MARKER_MODULES * scale / (_SAMPLES - 1)
            scales.append(np.full(len(profiles[-1]), px))
    if not profiles:
        return None
    lines, steps = np.concatenate(profiles), np.concatenate(scales)
    black, white, good = _levels(lines)
    widths = edge_widths(lines, steps)
    if not widths:
        return None
    return MarkerQuality(float(np.median(widths)), float(np.median(black[good])), float(np.median(white[good])))


def edge_widths(lines: NDArray[np.float32], steps: NDArray[np.float64] | float) -> list[float]:
    """Measure edge widths (px), 10 to 90 % of height.

    `lines`: profiles across edges (n x samples, from dark to light). `steps`: px between two samples of each
    profile. Profiles without contrast are left out. Empty if too few have contrast.
    """
    black, white, good = _levels(lines)
    if np.count_nonzero(good) < _PROFILES_LEAST:
        return []
    px = np.broadcast_to(steps, len(lines))
    return [
        _width((line - low) / (high - low)) * float(step)
        for line, low, high, step in zip(lines[good], black[good], white[good], px[good], strict=True)
    ]


def _levels(
    lines: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_]]:
    """Dark and light grey level of each profile across an edge, and whether they differ enough.

    Three arrays of n. `lines`: n x samples, from dark to light.
    """
    black, white = lines[:, :_PLATEAU].mean(axis=1), lines[:, -_PLATEAU:].mean(axis=1)
    return black, white, white - black >= _CONTRAST_LEAST


def uncovered(markers: Sequence[MatMarker], gray: Gray, registration: Registration) -> int:
    """Count the uncovered markers in sight, blurred ones included.

    `registration`: where the mat lies in the picture.
    """
    return sum(_likeness(one, gray, registration) >= _ALIKE for one in markers)


def _likeness(marker: MatMarker, gray: Gray, registration: Registration) -> float:
    """Best correlation (-1 to 1) of the picture near a marker's place with its print.

    0 if the place is not wholly in the picture.
    """
    reach = (0.5 + _AROUND) * marker.side
    if not registration.shows(marker.x, marker.y, 2 * reach):
        return 0.0
    side = round((1 + 2 * _AROUND) * MARKER_MODULES * _MODULE_PX)
    x, y = np.meshgrid(*2 * (np.linspace(-reach, reach, side),))
    turn = np.radians(marker.angle)
    turned = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    mm = np.stack([x, y], axis=2).reshape(-1, 2) @ turned + np.array([marker.x, marker.y])
    px = registration.to_px(mm).astype(np.float32)
    seen = cv2.remap(gray, px[:, 0].reshape(side, side), px[:, 1].reshape(side, side), cv2.INTER_LINEAR)
    wanted = marker_print(marker.id, MARKER_MODULES * _MODULE_PX)
    return float(cv2.matchTemplate(np.asarray(seen, np.uint8), wanted, cv2.TM_CCOEFF_NORMED).max())


def _profiles(marker: MatMarker, gray: Gray, registration: Registration) -> NDArray[np.float32]:
    """Grey levels across a marker's sides, from inside to outside: profiles x 65 samples.

    Each is the mean of three neighbours.
    """
    half, module = marker.side / 2, marker.side / MARKER_MODULES
    across = half + np.linspace(-_REACH, _REACH, _SAMPLES) * module
    along = (_ALONG - 0.5) * marker.side
    x, y = np.meshgrid(across, along)
    sides = [(x, y), (-x, y), (y, x), (y, -x)]
    mm = np.concatenate([np.stack([u, v], axis=2).reshape(-1, 2) for u, v in sides])
    turn = np.radians(marker.angle)
    turned = np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    px = registration.to_px(mm @ turned + np.array([marker.x, marker.y])).astype(np.float32)
    seen = cv2.remap(gray, px[None, :, 0], px[None, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    lines = seen.reshape(4, len(along), _SAMPLES).astype(np.float32)
    # Neighbouring profiles are of independent pixels, as good as: their mean has less noise.
    return np.asarray((lines[:, :-2] + lines[:, 1:-1] + lines[:, 2:]).reshape(-1, _SAMPLES) / 3, np.float32)


def _width(line: NDArray[np.float32]) -> float:
    """Measure the width of an edge, in samples, from 10 to 90 % of its height.

    `line`: profile across the edge, 0 to 1. The edge begins at the last sample below 10 % before its middle.
    It ends at the first sample above 90 % after it.
    """
    middle = int(np.argmax(line >= 0.5))
    below, above = np.flatnonzero(line[:middle] <= 0.1), np.flatnonzero(line[middle:] >= 0.9)
    first = _crossing(line, int(below[-1]), 0.1) if len(below) else 0.0
    last = _crossing(line, middle + int(above[0]) - 1, 0.9) if len(above) else len(line) - 1.0
    return last - first


def _crossing(line: NDArray[np.float32], at: int, level: float) -> float:
    """Position where a profile passes `level`.

    The position lies between samples `at` and `at` + 1. A profile is a row of samples across an edge, here 0 to
    1.
    """
    if at < 0:
        return 0.0
    rise = float(line[at + 1] - line[at]) if at + 1 < len(line) else 0.0
    return at + (min(1.0, max(0.0, (level - float(line[at])) / rise)) if rise > 0 else 0.0)


def sharpest_edges_px(gray: Gray) -> float:
    """Measure the width (px) of a picture's sharpest edges.

    For pictures without a marker; 0 without any edge. The width is the contrast within 31 px, divided by the
    slope, for the steepest thousandth of the pixels.
    """
    soft = cv2.GaussianBlur(gray, (0, 0), 1.0).astype(np.float32)
    slope = cv2.magnitude(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1)) / 8
    around = np.ones((31, 31), np.uint8)
    contrast = cv2.dilate(soft, around) - cv2.erode(soft, around)
    steep = slope >= max(float(np.quantile(slope[::4, ::4], 0.999)), 0.5)
    steep &= contrast >= _CONTRAST_LEAST
    return float(np.median(contrast[steep] / slope[steep])) if steep.any() else 0.0
