"""Measures how well a picture's card fits an enrolled one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art.art_align import Target
from vision.art.art_light import GLARE_MOST, glare, lit_as
from vision.art.art_plane import FINE, LINEAR, TALL, WIDE, Art, coded, perceived, planes, shrunk
from vision.art.art_texture import Texture

_Floats = NDArray[np.float32]

_FLOOR = 3.0
"""_FLOOR: noise (hundredths of white) added to the contrast of every enrolled card; without it pale cards
would match everything."""
_PALEST = 0.4
"""_PALEST: least share of an enrolled card's contrast that must be left under the fitted light; with less,
bare cloth would match."""
_SOFT, _DIFFERS = 0.7, 12.0
"""_SOFT: blur (px of an `Art`) of two enrolled cards before they are compared. _DIFFERS: difference (hundredths
of white) above which a place of both differs."""
_COLOUR_PX = 3.0
"""_COLOUR_PX: finest colour detail (px of a picture) that the sensor's mosaic and JPEG leave. Measured."""
_WORST_COUNTS, _WORST_USUAL = 1.2, 5.0
"""_WORST_COUNTS: weight of a card's worst place in its likeness, relative to the mean. Fitted. _WORST_USUAL:
usual difference (hundredths of white) at the worst place."""


@dataclass(frozen=True, slots=True)
class _Detail:
    """Parameters for comparing two pictures of a card, in px.

    Both are of one size. `blurs`: blurs of the enrolled picture that are tried, because the camera may be out
    of focus. `rim`: border not compared, because corners are round and outlines inexact. `colour`: finest
    colour detail on a small card.
    """

    blurs: tuple[float, ...]
    rim: int
    colour: float


_DETAILS = {TALL: _Detail((0.5, 0.9, 1.4), 2, 1.2), FINE * TALL: _Detail((0.6, 1.0, 1.5, 2.2), 5, 2.4)}
"""Rows of an art (48 or 96) -> parameters for comparing it."""


@dataclass(frozen=True, eq=False)
class ArtView:
    """Enrolled picture of a card, for comparison with visible cards.

    `name`: the card's. `aspect`: short side divided by long side. `art`: the printed picture (96 x 64 px,
    BGR), long side upright. `hidden` (48 x 32): True under a sticker, which other copies of the card lack.
    `short_mm`: short side (mm); 0 if unknown.
    """

    name: str
    aspect: float
    art: Art = field(repr=False)
    hidden: NDArray[np.bool_] = field(default_factory=lambda: np.zeros((TALL, WIDE), bool), repr=False)
    short_mm: float = 0.0

    @cached_property
    def coarse(self) -> NDArray[np.float32]:
        """Card's picture (16 x 24 px) as a unit vector.

        The dot product of two such vectors (-1 to 1) tells how alike the cards are in any light.
        """
        return coarse(self.small)

    @cached_property
    def small(self) -> Art:
        """The card's printed picture reduced to 32 x 48 px (TALL x WIDE x 3, BGR)."""
        return np.asarray(cv2.resize(self.art, (WIDE, TALL), interpolation=cv2.INTER_AREA), np.uint8)

    @cached_property
    def even(self) -> NDArray[np.float32]:
        """The card's picture, blurred, for comparing two enrolled cards.

        TALL x WIDE x 3: lightness, red-green, blue-yellow (hundredths of white).
        """
        return shrunk(perceived(self.small), 1, _SOFT)

    @cached_property
    def target(self) -> Target:
        """The enrolled card as a template for `art_align.align`; computed once."""
        return Target(self.small, self.art, self.hidden)

    @cached_property
    def texture(self) -> Texture:
        """Local contrast of the card's picture, computed once.

        The contrast is prepared for comparison.
        """
        return Texture(self.art, self.hidden)

    @cached_property
    def soft(self) -> dict[int, tuple[NDArray[np.float32], ...]]:
        """Rows of a picture size (48 or 96) -> the card's picture at that size, in several blurs.

        Each is linear light (3 x px, 0 to 1), once for each blur that is tried.
        """
        return {
            len(art): tuple(
                planes(np.asarray(cv2.GaussianBlur(LINEAR[art], (0, 0), blur), np.float32))
                for blur in _DETAILS[len(art)].blurs
            )
            for art in (self.small, self.art)
        }


def coarse(art: Art) -> NDArray[np.float32]:
    """Reduce a card's printed picture to 16 x 24 px, as a vector of length 1.

    The median lightness and half of the median colour are removed, so that light matters little. `art`: TALL x
    WIDE x 3.
    """
    small = shrunk(perceived(art), 2, 0.7)
    small -= np.median(small, axis=(0, 1)) * np.array([1, 0.5, 0.5], np.float32)
    flat = small.ravel()
    return np.asarray(flat / (np.linalg.norm(flat) + 1e-6), np.float32)


def _without_lamps(
    view: _Floats, light: _Floats, seen: _Floats, shows: _Floats, strict: bool
) -> _Floats | None:
    """Weights `shows` of the pixels, without those under a reflected lamp. None if too few are left.

    `view`: the enrolled picture. `light`, `seen`: the card in linear light, and its coded brightness (TALL x
    WIDE). `strict`: see `likeness`.
    """
    counts = shows
    for _ in range(2):  # the second time by the light without the lamps of the first
        lit = coded(lit_as(view, light, counts))
        lamps = glare(seen, lit[0].reshape(seen.shape), strict)
        if lamps is None and counts is shows:
            break
        counts = shows if lamps is None else shows * ~lamps
        if counts.sum() < (1 - GLARE_MOST) * shows.sum():
            return None
    return counts


def likeness(
    art: Art,
    view: ArtView,
    across: float = np.inf,
    *,
    strict: bool = False,
    covered: NDArray[np.bool_] | None = None,
    blurs: Sequence[int] = (),
) -> float:
    """Likeness of a card's printed picture to an enrolled view, about 3 at best.

    Minus infinity if too little of the picture can be compared. Likeness is log(contrast / difference) - 1.2
    log(worst place / 5). The view is first fitted to the picture's light: exposure freely, white balance, haze
    and blur within a camera's tolerance. The worst place is the largest difference over 3 x 3 px, because
    cards of one deck differ in small places. Pixels under a reflected lamp are ignored.

    `art`: the card's straightened picture, 48 or 96 rows. `across`: width of the card in px of its camera
    picture; a small card shows less colour. `strict`: only pixels brighter than the card, and their halo,
    count as a reflected lamp. Otherwise a missing emblem beside a lamp could count as well, because it is too
    bright. `covered` (TALL x WIDE): True where something lies on the card. `blurs`: indices of the blurs
    tried; all if empty.
    """
    tall, wide = art.shape[:2]
    detail, views = _DETAILS[tall], view.soft[tall]
    colour = max(detail.colour, _COLOUR_PX * wide / across)
    seen_light = planes(np.asarray(cv2.GaussianBlur(LINEAR[art], (0, 0), detail.blurs[0]), np.float32))
    seen = coded(seen_light)
    times = tall // TALL
    inner = np.pad(np.ones((tall - 2 * detail.rim, wide - 2 * detail.rim), np.float32), detail.rim)
    hidden = view.hidden if covered is None else view.hidden | covered
    if hidden.any():
        inner *= ~hidden.repeat(times, axis=0).repeat(times, axis=1)
    shows = inner.ravel()
    counts = _without_lamps(views[0], seen_light, seen[0].reshape(tall, wide), shows, strict)
    if counts is None:
        return -np.inf
    share = counts / counts.sum()
    partly = bool(hidden.any()) or counts is not shows
    best, rest = -np.inf, seen
    for soft in [views[n] for n in blurs] or views:
        lit = coded(lit_as(soft, seen_light, counts))
        contrast = _contrast(lit, share, tall, colour)
        if contrast < _PALEST * _contrast(coded(soft), share, tall, colour):
            continue
        # What is not compared must not reach its surroundings through the blur of colours.
        differs = _mild((seen - lit) * (counts > 0) if partly else seen - lit, tall, colour)
        ratio = float(np.log((contrast + _FLOOR) / np.sqrt(_power(differs, share) + 1e-6)))
        if ratio > best:
            best, rest = ratio, differs
    cover = np.maximum(cv2.blur(counts.reshape(tall, wide), (3, 3)), 0.4)
    within = slice(detail.rim, -detail.rim)
    local = sum(cv2.blur(plane.reshape(tall, wide), (3, 3)) ** 2 for plane in rest * counts)
    worst = float((np.sqrt(local) / cover)[within, within].max())
    return best - _WORST_COUNTS * float(np.log(worst / _WORST_USUAL + 1e-6))


def differing(one: ArtView, other: ArtView) -> float:
    """Share (0 to 1) of a card that differs between views.

    Two enrolled views of it are compared. The smaller share counts of `other` upright and turned by half.
    """
    shares = []
    for turn in (1, -1):
        off = cv2.blur(one.even - other.even[::turn, ::turn], (3, 3))
        rim = _DETAILS[TALL].rim
        square = np.einsum("yxc,yxc->yx", off, off)[rim:-rim, rim:-rim]
        shares.append(float((square > _DIFFERS**2).mean()))
    return min(shares)


def _contrast(plane: NDArray[np.float32], share: NDArray[np.float32], tall: int, colour_blur: float) -> float:
    return float(np.sqrt(_power(_mild(plane - (plane @ share)[:, None], tall, colour_blur), share)))


def _power(plane: NDArray[np.float32], share: NDArray[np.float32]) -> float:
    """Weighted mean square of `plane` (3 x px).

    `share` (px): weight of each pixel; the weights sum to 1.
    """
    return float(np.einsum("cn,cn,n->", plane, plane, share))


def _mild(plane: NDArray[np.float32], tall: int, colour_blur: float) -> NDArray[np.float32]:
    """Blur the two colour channels of a plane (3 x px), not its lightness.

    Sensors and JPEG keep less detail in colour. `tall`: rows of the picture. `colour_blur`: sigma (px).
    """
    shaped = plane.reshape(3, tall, -1)
    colours = (cv2.GaussianBlur(one, (0, 0), colour_blur).ravel() for one in shaped[1:])
    return np.stack([plane[0], *colours])
