"""Compares a card with an enrolled one by local contrast.

Local contrast is a pixel's lightness relative to its surroundings. Lamps, shadows and cameras hardly change it.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art.art_plane import FINE, TALL, WIDE, Art, Matrix, art_at, corners_of, moved_pose, perceived

Plane = NDArray[np.float32]
"""Number for each pixel of a card's straightened picture: rows x columns."""

_ROWS, _COLUMNS = FINE * TALL, FINE * WIDE
_BLUR, _COLOUR_BLUR = 0.7, 1.5
"""Blur (px of a fine art) before contrast is computed: of lightness, against noise; of colour, because JPEG
leaves less of it."""
_SOFTER = (0.8, 1.4)
"""_SOFTER: further blurs (px) of the enrolled picture that are compared, because a camera may be out of
focus."""
_AROUND, _COLOUR_AROUND = 4.0, 8.0
"""Standard deviation (px) of the surroundings to which a pixel is compared. In photographs of playing cards,
strangers reach a correlation of 0.73, 0.77 and 0.84 at 3, 4 and 6 px; the faintest known card has 0.92 to
0.95."""
_NOISE, _COLOUR_NOISE = 12.0, 16.0
"""Contrast (hundredths of white) that counts half, of lightness and of colour. Noise on bare paper has less and
is no texture. Measured: noise of a dark card under another lamp leaves its colours an agreement of 0.54 to 0.59
at half these values."""
_PLACE, _COLOUR_PLACE = 2.6, 3.0
"""Size of a place on a card, for contrast and for colours: standard deviation (px) over which agreement is
averaged (see `Agreement.worst`)."""
_FAINT, _COLOUR_FAINT = 0.12, 0.15
"""Mean square (0 to 1) of local contrast (_FAINT) and of colour (_COLOUR_FAINT) of a faint place.

Contrast is relative to its surroundings, see `_local_contrast`. Fainter places agree whatever they show. A
guess.
"""
_RIM = 4
"""_RIM: border (px of a fine art) that is not compared, because corners are round and outlines inexact."""
_BESIDE = 4
"""_BESIDE: distance (px) around a sticker that is not compared, because the sticker changes the contrast
there."""
_STEPS, _SMALL_STEPS, _SETTLED = 8, 4, 0.1
"""Limits of an alignment. _STEPS: most steps with the card at 64 x 96 px; _SMALL_STEPS: at 32 x 48. _SETTLED:
length (px) of a step below which it ends."""
_MOVED = 0.2
"""_MOVED: limit of an alignment: farthest that a corner may move from its start, as a share of a card's
width."""
_AFFINE, _PERSPECTIVE = 0.02, 0.05
"""How strongly an alignment holds its start: turn, size and shift (_AFFINE), and tilt (_PERSPECTIVE). Shares of
what a usual art determines. A guess."""
_DARK, _RATIO = 16.0, 50.0
"""_DARK: level (0 to 255) added before ratios of channels are taken, because noise has no colour. _RATIO:
factor from logarithms of ratios to about hundredths of white."""
_WHOLE, _WORST, _COLOUR = 0.965, 0.6, 0.7
_WHOLE_NOISY, _WORST_NOISY, _COLOUR_NOISY = 0.95, 0.8, 0.9
"""Least agreement of a known card: `whole`, `worst` and `colour` of `Agreement`; one of both rows suffices.
Noise all over a dark card lowers the whole, not a single place.

Photographs of playing cards: known cards have at least 0.967, 0.82 and 0.80; other cards of their deck at most
0.78, 0.23 and 0.62. Drawn cards that differ in their emblems alone (discs, diamonds of one size) have 0.95,
0.76 and 0.58. A colourful card with exchanged channels has less than 0 for colour.
"""
_UNLIKE, _HOPELESS = 0.8, 0.6
"""Thresholds that save time. _UNLIKE: least correlation of two cards at 32 x 48 px with which they are
compared at 64 x 96. Photographs of known cards have 0.97 or more, half of all others less than 0.75.
_HOPELESS: least correlation at 64 x 96 px with which single places are compared."""
_POSSIBLE, _POSSIBLE_COLOUR = 0.2, 0.0
"""Least agreement of contrast, and of colours, at the worst place of a card that may still be confused with
another. A guess."""
TEXTURE_MARGIN = 0.5
"""TEXTURE_MARGIN: least lead in `Agreement.likeness` over every other possible card that names a card. A
guess."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well a card in a picture agrees with an enrolled card, -1 to 1 each.

    `whole`: correlation of local contrast over the card. `worst`, `colour`: agreement of contrast, and of
    colours, at the place that agrees least.
    """

    whole: float
    worst: float
    colour: float

    @property
    def sure(self) -> bool:
        """True if the card surely is the enrolled one, in noise too.

        Another enrolled card may still agree about as well: then see `likeness`.
        """
        noisy = self.whole >= _WHOLE_NOISY and self.worst >= _WORST_NOISY and self.colour >= _COLOUR_NOISY
        return self.clear or noisy

    @property
    def clear(self) -> bool:
        """True if the card surely is the enrolled one, and seen without much noise or blur."""
        return self.whole >= _WHOLE and self.worst >= _WORST and self.colour >= _COLOUR

    @property
    def possible(self) -> bool:
        """True if no place of a card rules out that it is the enrolled card."""
        return self.worst >= _POSSIBLE and self.colour >= _POSSIBLE_COLOUR

    @property
    def likeness(self) -> float:
        """Likeness of both cards: minus the logarithm of unexplained contrast.

        Greater is better: 3.35 for the least `whole` that `sure` accepts, 6.9 at most.
        """
        return -math.log(max(1e-3, 1 - self.whole))


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """Template of an enrolled card's local contrast at one size.

    `times`: size of the template, as a multiple of 32 x 48 px. `light`: the contrast. `counts`: 1 for pixels
    that are compared, else 0. `solve` (8 x px): turns differences of contrast into a step of the pose.
    """

    times: int
    light: Plane
    counts: Plane
    solve: NDArray[np.float32]


class Texture:
    """Local contrast of an enrolled card, prepared for comparison.

    `art`: the card's printed picture, 96 x 64 x 3. `hidden` (48 x 32): True under a sticker, which other
    copies of the card lack.
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
        """Align the enrolled card with one in a picture; return its pose, and the agreement.

        `picture`: BGR, in which the card has the detail of 64 x 96 px. `pose`: where the card may lie, off by
        2 px of an `Art` at most. Gauss-Newton steps (inverse compositional), first with the card at 32 x 48
        px. Source: Baker and Matthews, Lucas-Kanade 20 years on (2004).
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
    """Align an enrolled card with a picture at one size; return the new pose.

    `first`: corners (4 x 2 px) near which the pose must stay. `level`: the enrolled card at this size.
    """
    limit = _MOVED * float(np.linalg.norm(first[1] - first[0]))
    for _ in range(_SMALL_STEPS if level.times == 1 else _STEPS):
        error = _local_contrast(art_at(picture, pose, level.times)) - level.light
        moved_by = level.solve @ (np.clip(error, -1, 1) * level.counts).ravel()
        moved = moved_pose(pose, moved_by / (level.times * WIDE))
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
    """Lightness of each pixel relative to its surroundings.

    The unit is the standard deviation of the surroundings.
    """
    light = cv2.GaussianBlur(perceived(art)[:, :, 0], (0, 0), _BLUR)
    off = light - cv2.GaussianBlur(light, (0, 0), _AROUND)
    spread = cv2.GaussianBlur(off * off, (0, 0), _AROUND)
    return np.asarray(off / np.sqrt(spread + _NOISE**2), np.float32)


def _local_colour(art: Art) -> NDArray[np.float32]:
    """Colour of each pixel relative to its surroundings (rows x columns x 2).

    Ratios of channels are compared, which are alike under any lamp.
    """
    levels = np.log(cv2.GaussianBlur(art.astype(np.float32), (0, 0), _COLOUR_BLUR) + _DARK)
    blue, green, red = levels[:, :, 0], levels[:, :, 1], levels[:, :, 2]
    colour = _RATIO * np.stack([red - green, blue - (green + red) / 2], axis=2)
    off = colour - cv2.GaussianBlur(colour, (0, 0), _COLOUR_AROUND)
    spread = cv2.GaussianBlur(np.einsum("yxc,yxc->yx", off, off), (0, 0), _COLOUR_AROUND)
    return np.asarray(off / np.sqrt(spread + _COLOUR_NOISE**2)[:, :, None], np.float32)


def _worst(one: NDArray[np.float32], other: NDArray[np.float32], place: float, faint: float) -> float:
    """Agreement of two textures at the place that agrees least.

    `one`, `other`: rows x columns x channels. 1 if both are alike, 0 if one lacks something, -1 at worst.
    `place`: size (sigma, px) of a place. `faint`: mean square below which places agree anyway.
    """
    off, power = one - other, np.einsum("yxc,yxc->yx", one, one) + np.einsum("yxc,yxc->yx", other, other)
    differs = cv2.GaussianBlur(np.einsum("yxc,yxc->yx", off, off), (0, 0), place)
    share = differs / (cv2.GaussianBlur(power, (0, 0), place) + 2 * faint)
    return 1 - float(share[_RIM:-_RIM, _RIM:-_RIM].max())


def _solution(light: Plane, counts: Plane) -> NDArray[np.float32]:
    """Matrix (8 x px) that turns differences from a template into a step of its pose.

    `light`: the template. `counts`: 1 for pixels that are compared, else 0.
    """
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
