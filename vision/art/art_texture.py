"""Compares a card with an enrolled one by local contrast, which lamps, shadows and cameras hardly change."""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art.art_plane import FINE, TALL, WIDE, Art, Matrix, art_at, corners_of, perceived

Plane = NDArray[np.float32]
"""Rows x columns of a fine art."""

_ROWS, _COLUMNS = FINE * TALL, FINE * WIDE
_BLUR, _COLOUR_BLUR = 0.7, 1.5
"""Blur (px of a fine art) before contrast is computed: noise, and what JPEG leaves of colour."""
_SOFTER = (0.8, 1.4)
"""_SOFTER: further blurs (px) of the view, for pictures out of focus."""
_AROUND, _COLOUR_AROUND = 4.0, 8.0
"""Standard deviation (px) of the surroundings to which a px is compared. Photographs of playing cards: at 3, 4
and 6 px strangers reach a correlation of 0.73, 0.77 and 0.84, and the faintest known card has 0.92 to 0.95."""
_NOISE, _COLOUR_NOISE = 6.0, 8.0
"""Contrast (hundredths of white) that counts half: noise on bare paper is no texture."""
_PLACE, _COLOUR_PLACE = 2.6, 3.0
"""Standard deviation (px) of one place of a card, see `Agreement.worst`."""
_FAINT, _COLOUR_FAINT = 0.12, 0.15
"""Texture of a place (mean square of local contrast) below which places agree. Set."""
_RIM = 4
"""_RIM: border (px) that is not compared, because corners are round and outlines inexact."""
_BESIDE = 4
"""_BESIDE: px beside a sticker that its contrast reaches."""
_STEPS, _SMALL_STEPS, _SETTLED = 8, 4, 0.1
"""_STEPS: most steps of an alignment, _SMALL_STEPS of a small art. _SETTLED: it ends with a step below this
(px)."""
_MOVED = 0.2
"""_MOVED: no corner moves by more than this share of a card's width."""
_AFFINE, _PERSPECTIVE = 0.02, 0.05
"""How much an alignment holds on to where it is, as shares of what a usual art determines. Set."""
_DARK, _RATIO = 16.0, 50.0
"""_DARK: level (0..255) added before ratios of channels are taken: noise has no colour. _RATIO: factor that
brings logarithms of ratios to hundredths of white, about."""
_WHOLE, _WORST, _COLOUR = 0.965, 0.6, 0.7
"""Least agreement of a known card. Photographs of playing cards: known ones have 0.967, 0.82 and 0.80 at least,
other cards of their deck 0.78, 0.23 and 0.62 at most. Drawn ones whose emblems alone differ, discs and diamonds
of one size, have 0.95, 0.76 and 0.58. Exchanged channels of a colourful card leave less than 0 for colour."""
_UNLIKE, _HOPELESS = 0.8, 0.6
"""_UNLIKE: correlation of small arts below which fine ones are not compared: photographs of known cards have
0.97 or more, half of all others less than 0.75. _HOPELESS: correlation of fine arts below which places are not
compared."""
_POSSIBLE, _POSSIBLE_COLOUR = 0.2, 0.0
"""Least agreement at the worst place of a kind that counts as another one's rival. Set."""
TEXTURE_MARGIN = 0.5
"""TEXTURE_MARGIN: least lead in likeness over every other possible kind. Set."""
_TO_ART = np.array([[WIDE, 0, (WIDE - 1) / 2], [0, WIDE, (TALL - 1) / 2], [0, 0, 1]], np.float64)
"""Maps card coordinates (0 in the middle, unit a card's width) to px of an art."""
_TO_CARD = np.linalg.inv(_TO_ART)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well a card agrees with a view, each number -1 to 1.

    `whole`: correlation of local contrast over the card. `worst` and `colour`: agreement of contrast, and of
    colours, at the place that agrees least.
    """

    whole: float
    worst: float
    colour: float

    @property
    def sure(self) -> bool:
        """Whether the card is of this kind, unless another kind agrees about as well."""
        return self.whole >= _WHOLE and self.worst >= _WORST and self.colour >= _COLOUR

    @property
    def possible(self) -> bool:
        """Whether no place excludes this kind."""
        return self.worst >= _POSSIBLE and self.colour >= _POSSIBLE_COLOUR

    @property
    def likeness(self) -> float:
        """Minus the logarithm of the share of contrast that is not explained: 2.5 at the least `whole`."""
        return -math.log(max(1e-3, 1 - self.whole))


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """A view's local contrast as a template, at `times` the size of an Art.

    `counts`: what is compared. `solve` (8 x px) takes a difference to a step of the pose.
    """

    times: int
    light: Plane
    counts: Plane
    solve: NDArray[np.float32]


class Texture:
    """The local contrast of an enrolled fine art, prepared for alignment.

    `hidden` (TALL x WIDE) is true under a sticker, which other copies of the card lack.
    """

    def __init__(self, art: Art, hidden: NDArray[np.bool_]) -> None:
        small = np.asarray(cv2.resize(art, (WIDE, TALL), interpolation=cv2.INTER_AREA), np.uint8)
        self._levels = [_level(small, hidden, 1), _level(art, hidden, FINE)]
        counts = self._levels[1].counts
        self._softer = [self._levels[1].light]
        for blur in _SOFTER:
            soft = np.asarray(cv2.GaussianBlur(art, (0, 0), blur), np.uint8)
            self._softer.append(_local_contrast(soft) * counts)
        self._colour = _local_colour(art) * counts[:, :, None]

    def compared(self, picture: NDArray[np.uint8], pose: Matrix) -> tuple[Matrix, Agreement]:
        """The pose of an art, off by 2 px at most, moved to where a picture agrees best, and how well it does.

        `picture` (BGR) has the detail of a fine art. Gauss-Newton steps, inverse compositional, first at the
        size of an art. Source: Baker and Matthews, Lucas-Kanade 20 years on (2004).
        """
        small, fine = self._levels
        first = corners_of(pose)
        pose = _settled(picture, pose, first, small)
        alike = _correlation(_local_contrast(art_at(picture, pose)) * small.counts, small.light)
        if alike < _UNLIKE:
            return pose, Agreement(alike, -1.0, -1.0)
        pose = _settled(picture, pose, first, fine)
        art = art_at(picture, pose, FINE)
        light = _local_contrast(art) * fine.counts
        whole, blur = max((_correlation(light, soft), n) for n, soft in enumerate(self._softer))
        view = self._softer[blur]
        if whole < _HOPELESS:
            return pose, Agreement(whole, -1.0, -1.0)
        worst = _worst(light[:, :, None], view[:, :, None], _PLACE, _FAINT)
        colour = _local_colour(art) * fine.counts[:, :, None]
        return pose, Agreement(whole, worst, _worst(colour, self._colour, _COLOUR_PLACE, _COLOUR_FAINT))


def _settled(picture: NDArray[np.uint8], pose: Matrix, first: NDArray[np.float32], level: _Level) -> Matrix:
    """The pose after the steps of one level; `first`: the corners (4 x 2 px) from which it moves little."""
    limit = _MOVED * float(np.linalg.norm(first[1] - first[0]))
    for _ in range(_SMALL_STEPS if level.times == 1 else _STEPS):
        error = _local_contrast(art_at(picture, pose, level.times)) - level.light
        moved_by = level.solve @ (np.clip(error, -1, 1) * level.counts).ravel()
        a, b, c, d, e, f, g, h = moved_by / (level.times * WIDE)
        moved = pose @ _TO_ART @ np.linalg.inv([[1 + a, b, c], [d, 1 + e, f], [g, h, 1]]) @ _TO_CARD
        moved /= moved[2, 2]
        if not np.abs(corners_of(moved) - first).max() < limit:
            break
        pose = moved
        if np.abs(moved_by).max() < _SETTLED:
            break
    return pose


def _correlation(one: Plane, other: Plane) -> float:
    return float(np.vdot(one, other)) / math.sqrt(float(np.vdot(one, one)) * float(np.vdot(other, other)) + 1)


def _level(art: Art, hidden: NDArray[np.bool_], times: int) -> _Level:
    rows, columns = art.shape[:2]
    rim = _RIM * times // FINE
    counts = np.pad(np.ones((rows - 2 * rim, columns - 2 * rim), np.float32), rim)
    if hidden.any():
        reach = np.ones((2 * _BESIDE + 1, 2 * _BESIDE + 1), np.uint8)
        large = hidden.repeat(times, axis=0).repeat(times, axis=1).astype(np.uint8)
        counts *= 1 - cv2.dilate(large, reach)
    light = _local_contrast(art) * counts
    return _Level(times, light, counts, _solution(light, counts))


def _local_contrast(art: Art) -> Plane:
    """Lightness of each px relative to its surroundings, in standard deviations of these."""
    light = cv2.GaussianBlur(perceived(art)[:, :, 0], (0, 0), _BLUR)
    off = light - cv2.GaussianBlur(light, (0, 0), _AROUND)
    spread = cv2.GaussianBlur(off * off, (0, 0), _AROUND)
    return np.asarray(off / np.sqrt(spread + _NOISE**2), np.float32)


def _local_colour(art: Art) -> NDArray[np.float32]:
    """Ratios of the channels of each px (rows x columns x 2) relative to its surroundings, under any lamp."""
    levels = np.log(cv2.GaussianBlur(art.astype(np.float32), (0, 0), _COLOUR_BLUR) + _DARK)
    blue, green, red = levels[:, :, 0], levels[:, :, 1], levels[:, :, 2]
    colour = _RATIO * np.stack([red - green, blue - (green + red) / 2], axis=2)
    off = colour - cv2.GaussianBlur(colour, (0, 0), _COLOUR_AROUND)
    spread = cv2.GaussianBlur(np.einsum("yxc,yxc->yx", off, off), (0, 0), _COLOUR_AROUND)
    return np.asarray(off / np.sqrt(spread + _COLOUR_NOISE**2)[:, :, None], np.float32)


def _worst(one: NDArray[np.float32], other: NDArray[np.float32], place: float, faint: float) -> float:
    """Agreement (-1 to 1) of two textures where they agree least: 1 if alike, 0 if one lacks something."""
    off, power = one - other, np.einsum("yxc,yxc->yx", one, one) + np.einsum("yxc,yxc->yx", other, other)
    differs = cv2.GaussianBlur(np.einsum("yxc,yxc->yx", off, off), (0, 0), place)
    share = differs / (cv2.GaussianBlur(power, (0, 0), place) + 2 * faint)
    return 1 - float(share[_RIM:-_RIM, _RIM:-_RIM].max())


def _solution(light: Plane, counts: Plane) -> NDArray[np.float32]:
    """What takes a difference from a texture to a step of its pose (8 x px)."""
    rows, columns = light.shape
    soft = cv2.GaussianBlur(light, (0, 0), 1.0)
    right = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    y, x = np.mgrid[:rows, :columns].astype(np.float32)
    x, y = (x - (columns - 1) / 2) / columns, (y - (rows - 1) / 2) / columns
    along = right * x + down * y
    ways = (right * x, right * y, right, down * x, down * y, down, -x * along, -y * along)
    jacobian = np.stack([(way * counts).ravel() for way in ways], axis=1)
    square = (jacobian.T @ jacobian).astype(np.float64)
    usual = np.trace(square) / 8 + 1e-6
    square += np.diag(usual * np.array([_AFFINE] * 6 + [_PERSPECTIVE] * 2))
    return np.asarray(np.linalg.solve(square, jacobian.T), np.float32)
