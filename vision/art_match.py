"""Compares an enrolled card's art with a card in a picture: aligns, evens the light, measures the rest."""

from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art_light import GLARE_MOST, glare, lit_as

Art = NDArray[np.uint8]
"""A card's picture brought to TALL x WIDE x 3, BGR; a fine one to FINE times as many rows and columns."""
Matrix = NDArray[np.float64]
"""3 x 3, takes px of an Art to px of a picture."""

WIDE, TALL, FINE = 32, 48, 2
"""Pixels: enough to find and align a card, and FINE times as many to tell it from others of its deck."""
_OPPONENT = np.array([[1, 1, 1], [0, -3.6, 3.6], [3.6, -1.8, -1.8]], np.float32) / 3
"""Blue, green, red to lightness, red against green, blue against yellow; colour counts 1.2 times as much."""
_OUTLINE = np.array(
    [(-0.5, -0.5), (WIDE - 0.5, -0.5), (WIDE - 0.5, TALL - 0.5), (-0.5, TALL - 0.5)], np.float32
)
_LEVELS = ((2, 1.6, 5), (1, 0.5, 5))
"""Shrinking, blur in px before it, and most steps of an alignment: first coarse, then fine."""
_MOST_MOVED = 0.22
"""Share of a card's width that an alignment may move a corner."""
_SETTLED = 0.05
"""Pixels of an Art: a smaller step ends an alignment."""
_FLOOR = 3.0
"""Differences that noise makes, in hundredths of white; keeps pale cards from matching everything."""
_PALEST = 0.4
"""Share of the enrolled contrast that must be left in poor light, or bare cloth would match."""
_SOFT, _DIFFERS = 0.7, 12.0
"""Two views are blurred so much (px of an Art) before they are held against each other; and differ by more than
this, hundredths of white, where they are not alike."""
_WORST_COUNTS, _WORST_USUAL = 1.2, 5.0
"""How much the worst place counts beside the mean, fitted; and how far it is usually off."""
_PULL = 8.0
"""Hundredths of white: a larger difference pulls an alignment no more than this."""
_LAMP = 2.0
"""What is brighter by so many times the largest pull is not of the card."""
_HOLD = {2: (400.0, 1000.0), 1: (300.0, 400.0)}
"""How strongly the first pose is held at each level: the affine part, and the perspective one."""


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
    def levels(self) -> tuple["_Level", ...]:
        """What alignment needs, for each of its levels."""
        return tuple(_level(self.small, self.hidden, shrink, blur) for shrink, blur, _ in _LEVELS)

    @cached_property
    def soft(self) -> dict[int, tuple[NDArray[np.float32], ...]]:
        """By the rows of an art: in linear light, flat (px x 3), as soft as each of its blurs makes it."""
        return {
            len(art): tuple(
                np.asarray(cv2.GaussianBlur(_LINEAR[art], (0, 0), blur), np.float32).reshape(-1, 3)
                for blur in _DETAILS[len(art)].blurs
            )
            for art in (self.small, self.art)
        }


@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """A shrunk art; Jacobian and pseudo-inverse for 8 of pose and 6 of light; the pull to the first pose."""

    plane: NDArray[np.float32]
    jacobian: NDArray[np.float32]
    inverse: NDArray[np.float32]
    back: NDArray[np.float32]


def card_sides(corners: NDArray[np.float32]) -> tuple[float, float]:
    """Mean length of first and third side, and of second and fourth."""
    lengths = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    return float(lengths[0] + lengths[2]) / 2, float(lengths[1] + lengths[3]) / 2


def pose_of(corners: NDArray[np.float32]) -> Matrix:
    """The pose of an art whose upper left corner and on, clockwise, are `corners` (4 x 2 px)."""
    return np.asarray(cv2.getPerspectiveTransform(_OUTLINE, corners.astype(np.float32)), np.float64)


def corners_of(pose: Matrix) -> NDArray[np.float32]:
    """The inverse of pose_of."""
    return np.asarray(cv2.perspectiveTransform(_OUTLINE[None], pose)[0], np.float32)


def without_detail(
    picture: NDArray[np.uint8], corners: NDArray[np.float32], times: int = 1
) -> NDArray[np.uint8]:
    """The picture blurred so that nothing finer is left than an Art of a card with `corners` can hold.

    `times` is 1, or FINE for a fine one.
    """
    across, down = card_sides(corners)
    step = max(across / WIDE, down / TALL) / times
    sigma = float(np.sqrt(max(0.0, (0.5 * step) ** 2 - 0.25)))
    return picture if sigma < 0.3 else np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.uint8)


def art_at(picture: NDArray[np.uint8], pose: Matrix, times: int = 1) -> Art:
    """The card at `pose` of a picture without detail; `times` is 1, or FINE for a fine one."""
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    off = (1 / times - 1) / 2
    finer = np.array([[1 / times, 0, off], [0, 1 / times, off], [0, 0, 1]])
    size = (times * WIDE, times * TALL)
    art = cv2.warpPerspective(picture, pose @ finer, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(art, np.uint8)


def coarse(art: Art) -> NDArray[np.float32]:
    """16 x 24 px of the art as a unit vector, without its median lightness and half of its median colour."""
    small = _shrunk(_perceived(art), 2, 0.7)
    small -= np.median(small, axis=(0, 1)) * np.array([1, 0.5, 0.5], np.float32)
    flat = small.ravel()
    return np.asarray(flat / (np.linalg.norm(flat) + 1e-6), np.float32)


def align(picture: NDArray[np.uint8], pose: Matrix, view: View) -> Matrix:
    """The pose moved to where the picture looks like the view: inverse compositional Gauss-Newton.

    Light is fitted along (gain and offset of each channel); what is far brighter or darker pulls no more
    than a fixed amount, and in the end what is far brighter, such as a lamp, not at all.
    Source: Baker and Matthews, Lucas-Kanade 20 years on (2004).
    """
    first = corners_of(pose)
    limit = _MOST_MOVED * min(card_sides(first))
    total = np.zeros(8, np.float32)
    for (shrink, blur, steps), level in zip(_LEVELS, view.levels, strict=True):
        width = level.plane.shape[1]
        total = total * (_LEVELS[0][0] / shrink)
        # Coordinates in which the parameters are kept: 0 in the middle, 1 a card's width.
        to_art = np.array([[WIDE, 0, (WIDE - 1) / 2], [0, WIDE, (TALL - 1) / 2], [0, 0, 1]], np.float64)
        to_unit = np.linalg.inv(to_art)
        for _ in range(steps):
            seen = _shrunk(_perceived(art_at(picture, pose)), shrink, blur)
            error = (seen - level.plane).ravel()
            rest = error - level.jacobian @ (level.inverse @ error)
            bound = max(_PULL, 4.5 * float(np.median(np.abs(rest[::5]))))
            pull = np.clip(rest, -bound, bound)
            if shrink == 1:
                pull[rest > _LAMP * bound] = 0
            delta = level.inverse @ (error - rest + pull) - level.back @ total
            a, b, c, d, e, f, g, h = delta[:8] / width
            moved = pose @ to_art @ np.linalg.inv([[1 + a, b, c], [d, 1 + e, f], [g, h, 1]]) @ to_unit
            moved /= moved[2, 2]
            if not np.abs(corners_of(moved) - first).max() < limit:
                break
            pose, total = moved, total + delta[:8]
            if np.abs(delta[:8]).max() < _SETTLED:
                break
    return pose


def likeness(art: Art, view: View, *, strict: bool = False) -> float:
    """How well the art, a fine one or not, repeats the view: best about 3, for fine ones too.

    It is log(contrast / difference) - 1.2 log(worst place / 5). The view is first lit as the art is: exposure
    freely, white balance, haze and blur as far as a camera may be off. `worst place` is the largest difference
    over 3 x 3 px, which is where cards of one deck differ. Pixels under a glare do not count; minus infinity if
    too few are left. `strict` takes for a glare only what is brighter than the card, and its halo: an emblem
    that is missing beside a lamp is too bright as well.
    """
    tall, wide = art.shape[:2]
    detail, views = _DETAILS[tall], view.soft[tall]
    seen_light = np.asarray(cv2.GaussianBlur(_LINEAR[art], (0, 0), detail.blurs[0]), np.float32).reshape(-1, 3)
    seen = _coded(seen_light)
    times = tall // TALL
    inner = np.pad(np.ones((tall - 2 * detail.rim, wide - 2 * detail.rim), np.float32), detail.rim)
    shows = counts = (inner * ~view.hidden.repeat(times, axis=0).repeat(times, axis=1)).ravel()
    for _ in range(2):
        lit = _coded(lit_as(views[0], seen_light, counts))
        counts = shows * ~glare(seen[:, 0].reshape(tall, wide), lit[:, 0].reshape(tall, wide), strict)
        if counts.sum() < (1 - GLARE_MOST) * shows.sum():
            return -np.inf
    share = counts / counts.sum()
    best, rest = -np.inf, seen
    for soft in views:
        lit = _coded(lit_as(soft, seen_light, counts))
        contrast = _contrast(lit, share, tall, detail.colour)
        if contrast < _PALEST * _contrast(_coded(soft), share, tall, detail.colour):
            continue
        differs = _mild(seen - lit, tall, detail.colour)
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
    mine = _shrunk(_perceived(one.small), 1, _SOFT)
    shares = []
    for art in (other.small, np.ascontiguousarray(other.small[::-1, ::-1])):
        off = cv2.blur(mine - _shrunk(_perceived(art), 1, _SOFT), (3, 3))
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


def _level(art: Art, hidden: NDArray[np.bool_], shrink: int, blur: float) -> _Level:
    plane = _shrunk(_perceived(art), shrink, blur)
    height, width = plane.shape[:2]
    right = cv2.Sobel(plane, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    down = cv2.Sobel(plane, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    x, y = (x - (width - 1) / 2) / width, (y - (height - 1) / 2) / width
    one, zero = np.ones_like(x), np.zeros_like(x)
    ways = (
        (x, zero),
        (y, zero),
        (one, zero),
        (zero, x),
        (zero, y),
        (zero, one),
        (-x * x, -x * y),
        (-x * y, -y * y),
    )
    columns = [right * u[:, :, None] + down * v[:, :, None] for u, v in ways]
    for channel in range(3):
        only = np.arange(3) == channel
        columns += [(plane - plane.mean(axis=(0, 1))) * only, np.ones_like(plane) * only]
    shows = cv2.resize((~hidden).astype(np.float32), (width, height), interpolation=cv2.INTER_AREA)[:, :, None]
    jacobian = np.stack([(column * shows).ravel() for column in columns], axis=1).astype(np.float64)
    normal = jacobian.T @ jacobian
    diagonal = np.diag(normal)
    # Held: a pale card says little of where it is, and must not run away.
    affine, perspective = _HOLD[shrink]
    hold = np.concatenate([np.full(6, affine), np.full(2, perspective), diagonal[8:] * 1e-3 + 1])
    inverse = np.linalg.solve(normal + np.diag(hold), jacobian.T)
    back = np.linalg.solve(normal + np.diag(hold), np.diag(hold))[:, :8]
    return _Level(plane, jacobian.astype(np.float32), inverse.astype(np.float32), back.astype(np.float32))


def _shrunk(plane: NDArray[np.float32], shrink: int, blur: float) -> NDArray[np.float32]:
    soft = cv2.GaussianBlur(plane, (0, 0), blur)
    if shrink > 1:
        soft = cv2.resize(soft, (WIDE // shrink, TALL // shrink), interpolation=cv2.INTER_AREA)
    return np.asarray(soft, np.float32)


def _perceived(art: Art) -> NDArray[np.float32]:
    """An art as three opponent channels, white being 100."""
    return np.asarray(cv2.transform(art.astype(np.float32) * (100 / 255), _OPPONENT), np.float32)


def _coded(linear: NDArray[np.float32]) -> NDArray[np.float32]:
    """Linear light (px x 3) as three opponent channels, white being 100; the root stands for sRGB's curve."""
    return np.asarray((100 * np.sqrt(linear)) @ _OPPONENT.T, np.float32)


_CODES = np.arange(256) / 255
_LINEAR = np.where(_CODES <= 0.04045, _CODES / 12.92, ((_CODES + 0.055) / 1.055) ** 2.4).astype(np.float32)
"""sRGB to linear light (IEC 61966-2-1)."""
