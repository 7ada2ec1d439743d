"""Measures how well the art of a card in a picture agrees with an enrolled card's."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art.art_align import Target
from vision.art.art_light import GLARE_MOST, glare, lit_as
from vision.art.art_plane import FINE, LINEAR, TALL, WIDE, Art, coded, perceived, shrunk

_FLOOR = 3.0
"""_FLOOR: difference that noise makes, in hundredths of white. It keeps pale cards from matching everything."""
_PALEST = 0.4
"""_PALEST: least share of the enrolled contrast under poor light. With less, bare cloth would match."""
_SOFT, _DIFFERS = 0.7, 12.0
"""_SOFT: blur (px of an Art) of two views before a comparison. _DIFFERS: least difference (hundredths of
white) of places that are not alike."""
_COLOUR_PX = 3.0
"""_COLOUR_PX: finest detail in colour (px of a picture) after mosaic and JPEG; measured."""
_WORST_COUNTS, _WORST_USUAL = 1.2, 5.0
"""_WORST_COUNTS: weight of the worst place relative to the mean; fitted. _WORST_USUAL: its usual difference."""


@dataclass(frozen=True, slots=True)
class _Detail:
    """Parameters for comparing arts of one size, in their px.

    `blurs`: blurs of the picture relative to the enrolled art that are tried. `rim`: border that is not
    compared, because corners are round and outlines inexact. `colour`: finest detail in colour on a small card.
    """

    blurs: tuple[float, ...]
    rim: int
    colour: float


_DETAILS = {TALL: _Detail((0.5, 0.9, 1.4), 2, 1.2), FINE * TALL: _Detail((0.6, 1.0, 1.5, 2.2), 5, 2.4)}
"""Rows of an art -> its parameters."""


@dataclass(frozen=True, eq=False)
class View:
    """One view of a card: its name, its aspect (short by long side), and its fine art with the long side
    upright.

    `hidden` (TALL x WIDE) is true where a sticker lies that other copies of the card lack. `short_mm` is the
    card's short side, 0 if nobody has said.
    """

    name: str
    aspect: float
    art: Art = field(repr=False)
    hidden: NDArray[np.bool_] = field(default_factory=lambda: np.zeros((TALL, WIDE), bool), repr=False)
    short_mm: float = 0.0

    @cached_property
    def coarse(self) -> NDArray[np.float32]:
        """A unit vector that is similar for similar cards under any light."""
        return coarse(self.small)

    @cached_property
    def small(self) -> Art:
        """The same art, TALL x WIDE."""
        return np.asarray(cv2.resize(self.art, (WIDE, TALL), interpolation=cv2.INTER_AREA), np.uint8)

    @cached_property
    def target(self) -> Target:
        """The template for alignment."""
        return Target(self.small, self.art, self.hidden)

    @cached_property
    def soft(self) -> dict[int, tuple[NDArray[np.float32], ...]]:
        """Rows of an art -> the art in linear light, flat (px x 3), once for each of its blurs."""
        return {
            len(art): tuple(
                np.asarray(cv2.GaussianBlur(LINEAR[art], (0, 0), blur), np.float32).reshape(-1, 3)
                for blur in _DETAILS[len(art)].blurs
            )
            for art in (self.small, self.art)
        }


def coarse(art: Art) -> NDArray[np.float32]:
    """16 x 24 px of the art as a unit vector, without its median lightness and half of its median colour."""
    small = shrunk(perceived(art), 2, 0.7)
    small -= np.median(small, axis=(0, 1)) * np.array([1, 0.5, 0.5], np.float32)
    flat = small.ravel()
    return np.asarray(flat / (np.linalg.norm(flat) + 1e-6), np.float32)


def likeness(
    art: Art,
    view: View,
    across: float = np.inf,
    *,
    strict: bool = False,
    covered: NDArray[np.bool_] | None = None,
    blurs: Sequence[int] = (),
) -> float:
    """Likeness of an art (fine or not) and the view: about 3 at best.

    It is log(contrast / difference) - 1.2 log(worst place / 5). The view is first fitted to the art's light:
    exposure freely, white balance, haze and blur within a camera's tolerance. `worst place` is the largest
    difference over 3 x 3 px, which is where cards of one deck differ. Pixels under a glare are ignored; the
    result is minus infinity if too few remain. `across` is the card's width in px of its picture: a small card
    shows less colour. With `strict`, only pixels brighter than the card, and their halo, count as a glare:
    beside a lamp, a missing emblem is too bright as well. `covered` (TALL x WIDE) is true where something lies
    on the card. `blurs`: which of the blurs of this detail are tried, all if empty.
    """
    tall, wide = art.shape[:2]
    detail, views = _DETAILS[tall], view.soft[tall]
    colour = max(detail.colour, _COLOUR_PX * wide / across)
    seen_light = np.asarray(cv2.GaussianBlur(LINEAR[art], (0, 0), detail.blurs[0]), np.float32).reshape(-1, 3)
    seen = coded(seen_light)
    times = tall // TALL
    inner = np.pad(np.ones((tall - 2 * detail.rim, wide - 2 * detail.rim), np.float32), detail.rim)
    hidden = view.hidden if covered is None else view.hidden | covered
    shows = counts = (inner * ~hidden.repeat(times, axis=0).repeat(times, axis=1)).ravel()
    for _ in range(2):
        lit = coded(lit_as(views[0], seen_light, counts))
        counts = shows * ~glare(seen[:, 0].reshape(tall, wide), lit[:, 0].reshape(tall, wide), strict)
        if counts.sum() < (1 - GLARE_MOST) * shows.sum():
            return -np.inf
    share = counts / counts.sum()
    best, rest = -np.inf, seen
    for soft in [views[n] for n in blurs] or views:
        lit = coded(lit_as(soft, seen_light, counts))
        contrast = _contrast(lit, share, tall, colour)
        if contrast < _PALEST * _contrast(coded(soft), share, tall, colour):
            continue
        differs = _mild(seen - lit, tall, colour)
        ratio = float(np.log((contrast + _FLOOR) / np.sqrt(float((share @ differs**2).sum()) + 1e-6)))
        if ratio > best:
            best, rest = ratio, differs
    cover = np.maximum(cv2.blur(counts.reshape(tall, wide), (3, 3)), 0.4)
    local = cv2.blur((rest * counts[:, None]).reshape(tall, wide, 3), (3, 3)) / cover[:, :, None]
    within = slice(detail.rim, -detail.rim)
    worst = float(np.sqrt((local**2).sum(axis=2))[within, within].max())
    return best - _WORST_COUNTS * float(np.log(worst / _WORST_USUAL + 1e-6))


def differing(one: View, other: View) -> float:
    """Share (0..1) of a card in which two views differ, in the better of two turns."""
    mine = shrunk(perceived(one.small), 1, _SOFT)
    shares = []
    for art in (other.small, np.ascontiguousarray(other.small[::-1, ::-1])):
        off = cv2.blur(mine - shrunk(perceived(art), 1, _SOFT), (3, 3))
        rim = _DETAILS[TALL].rim
        shares.append(float((np.linalg.norm(off, axis=2) > _DIFFERS)[rim:-rim, rim:-rim].mean()))
    return min(shares)


def _contrast(plane: NDArray[np.float32], share: NDArray[np.float32], tall: int, colour_blur: float) -> float:
    return float(np.sqrt((share @ _mild(plane - share @ plane, tall, colour_blur) ** 2).sum()))


def _mild(plane: NDArray[np.float32], tall: int, colour_blur: float) -> NDArray[np.float32]:
    """The same (px x 3) with blurred colour: sensors and JPEG keep less detail in colour than in light."""
    shaped = plane.reshape(tall, -1, 3)
    colour = cv2.GaussianBlur(np.ascontiguousarray(shaped[:, :, 1:]), (0, 0), colour_blur)
    return np.concatenate([shaped[:, :, :1], colour], axis=2).reshape(-1, 3)
