"""Compares an enrolled card's art with a card in a picture: evens the light, measures the rest."""

from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art.art_align import Target
from vision.art.art_light import GLARE_MOST, glare, lit_as
from vision.art.art_plane import FINE, LINEAR, TALL, WIDE, Art, coded, perceived, shrunk

_FLOOR = 3.0
"""Differences that noise makes, in hundredths of white; keeps pale cards from matching everything."""
_PALEST = 0.4
"""Share of the enrolled contrast that must be left in poor light, or bare cloth would match."""
_SOFT, _DIFFERS = 0.7, 12.0
"""Two views are blurred so much (px of an Art) before they are held against each other; and differ by more than
this, hundredths of white, where they are not alike."""
_COLOUR_PX = 3.0
"""Pixels of a picture: mosaic and JPEG keep no finer detail in colour; measured."""
_WORST_COUNTS, _WORST_USUAL = 1.2, 5.0
"""How much the worst place counts beside the mean, fitted; and how far it is usually off."""


@dataclass(frozen=True, slots=True)
class _Detail:
    """How arts of one size are compared, all in their px.

    The picture may be softer than the enrolled one by any of `blurs`; `rim` at the border is not compared:
    corners are round, outlines not exact; detail in colour finer than `colour` is lost on a small card.
    """

    blurs: tuple[float, ...]
    rim: int
    colour: float


_DETAILS = {TALL: _Detail((0.5, 0.9, 1.4), 2, 1.2), FINE * TALL: _Detail((0.6, 1.0, 1.5, 2.2), 5, 2.4)}
"""By the rows of an art."""


@dataclass(frozen=True, eq=False)
class View:
    """One look at a card: its name, short side by long side, the fine art itself, long side upright.

    `hidden` (TALL x WIDE) is true where something is stuck on that other copies of the card have not.
    """

    name: str
    aspect: float
    art: Art = field(repr=False)
    hidden: NDArray[np.bool_] = field(default_factory=lambda: np.zeros((TALL, WIDE), bool), repr=False)

    @cached_property
    def coarse(self) -> NDArray[np.float32]:
        """A unit vector that is alike for alike cards, whatever the light."""
        return coarse(self.small)

    @cached_property
    def small(self) -> Art:
        """The same art, TALL x WIDE."""
        return np.asarray(cv2.resize(self.art, (WIDE, TALL), interpolation=cv2.INTER_AREA), np.uint8)

    @cached_property
    def target(self) -> Target:
        """What an outline is moved by."""
        return Target(self.small, self.art, self.hidden)

    @cached_property
    def soft(self) -> dict[int, tuple[NDArray[np.float32], ...]]:
        """By the rows of an art: in linear light, flat (px x 3), as soft as each of its blurs makes it."""
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


def likeness(art: Art, view: View, across: float = np.inf, *, strict: bool = False) -> float:
    """How well the art, a fine one or not, repeats the view: best about 3, for fine ones too.

    It is log(contrast / difference) - 1.2 log(worst place / 5). The view is first lit as the art is: exposure
    freely, white balance, haze and blur as far as a camera may be off. `worst place` is the largest difference
    over 3 x 3 px, which is where cards of one deck differ. Pixels under a glare do not count; minus infinity if
    too few are left. `across` is the card's width in px of its picture: a small card shows less colour.
    `strict` takes for a glare only what is brighter than the card, and its halo: an emblem that is missing
    beside a lamp is too bright as well.
    """
    tall, wide = art.shape[:2]
    detail, views = _DETAILS[tall], view.soft[tall]
    colour = max(detail.colour, _COLOUR_PX * wide / across)
    seen_light = np.asarray(cv2.GaussianBlur(LINEAR[art], (0, 0), detail.blurs[0]), np.float32).reshape(-1, 3)
    seen = coded(seen_light)
    times = tall // TALL
    inner = np.pad(np.ones((tall - 2 * detail.rim, wide - 2 * detail.rim), np.float32), detail.rim)
    shows = counts = (inner * ~view.hidden.repeat(times, axis=0).repeat(times, axis=1)).ravel()
    for _ in range(2):
        lit = coded(lit_as(views[0], seen_light, counts))
        counts = shows * ~glare(seen[:, 0].reshape(tall, wide), lit[:, 0].reshape(tall, wide), strict)
        if counts.sum() < (1 - GLARE_MOST) * shows.sum():
            return -np.inf
    share = counts / counts.sum()
    best, rest = -np.inf, seen
    for soft in views:
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
    """The share 0..1 of a card in which two views differ, in the turn in which they differ less."""
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
    """The same (px x 3) with colour blurred: sensors and JPEG keep less of its detail than of light's."""
    shaped = plane.reshape(tall, -1, 3)
    colour = cv2.GaussianBlur(np.ascontiguousarray(shaped[:, :, 1:]), (0, 0), colour_blur)
    return np.concatenate([shaped[:, :, :1], colour], axis=2).reshape(-1, 3)
