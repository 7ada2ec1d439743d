"""Finds places in a picture of the mat where enrolled cards may lie."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.art.art_plane import TALL, WIDE, Matrix, corners_of, pose_of
from vision.art.card_overlap import covered_part, holds, overlaps, uncovered
from vision.art.flat_picture import PX_MM, Flat
from vision.art.rectangle_search import Rectangle, find_rectangles
from vision.art.template_bank import KindBank, Size, coarse_at

_PROMISING = 0.35
"""_PROMISING: least correlation with an enrolled card, both at 16 x 24 px, with which a rectangle is
examined."""
_AGREES = 0.45
"""_AGREES: least correlation at 16 x 24 px after alignment; a place with less is no known card."""
_RIVAL = 0.8
"""_RIVAL: least correlation, as a share of the best one, with which another enrolled card is compared closely
as well."""
MOST_TRIES = 2
"""MOST_TRIES: most rectangles around one place that are examined closely. After them, the place counts as a
stranger."""
_ONE_TRY = 0.04
"""_ONE_TRY: distance of corners, as a share of the short side, below which two outlines would be aligned
alike; only one is tried."""
_SAME_TURN = 4.0
"""_SAME_TURN: difference of turns (degrees) below which two rectangles would be aligned alike; only one is
tried."""
NEAR = 0.25
"""NEAR: distance of two middles, as a share of the short side, below which two places count as one."""
_SIDES_SHOW, _HIDDEN_MOST = 0.5, 8
"""_SIDES_SHOW: least mean strength (0 to 1) of the visible sides of a half-hidden card. _HIDDEN_MOST: most such
places that are compared."""
MOST_KINDS = 2
"""MOST_KINDS: most enrolled cards that are aligned and compared closely at one place."""
TO_HALF = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]])
"""Matrix (3 x 3) from px of a picture to px of the picture at half its size."""
TURNS = [pose_of(np.roll(corners_of(np.eye(3)), turn, axis=0)) for turn in range(4)]
"""TURNS: matrices (3 x 3) that map an art to itself, turned by 0, 1, 2 and 3 quarters."""
FROM_HALF = np.linalg.inv(TO_HALF)
"""Matrix (3 x 3) from px of a picture at half its size to px of the picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """Place in a flat picture with possibly an enrolled card.

    `pose`: maps px of the enrolled picture number `view` to the flat picture. `outline`: corners (4 x 2 px).
    `size`: the group of cards of that size.
    """

    size: Size
    pose: Matrix
    outline: NDArray[np.float32]
    view: int

    @property
    def middle(self) -> NDArray[np.float32]:
        """Middle (x, y) of the outline in px."""
        return np.asarray(self.outline.mean(axis=0), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """Rectangle where a card of a `size` may lie.

    `upright`: pose of a card there that is not turned, in the flat picture at half size.
    """

    size: Size
    upright: Matrix


def likely_places(
    flat: Flat,
    bank: KindBank,
    ways: Sequence[float],
    taken: Sequence[NDArray[np.float32]],
    most: int,
) -> tuple[list[Candidate], bool]:
    """Find places where new cards may lie, best first; also True if some were left out.

    `flat`: picture of the mat from above. `bank`: enrolled cards, for their sizes. `ways`: directions
    (degrees) of cards' sides that are tried. `taken`: outlines of known cards, where no new card has its
    middle. `most`: most rectangles that are examined.
    """
    scale = PX_MM / 2
    sides = [(size.short * scale, size.long * scale) for size in bank.sizes]
    known = [np.asarray(outline / 2, np.float32) for outline in taken]
    rectangles = find_rectangles(flat.half, sides, ways, most, known=known)
    full = len(rectangles) >= most
    if not rectangles:
        return [], full
    uprights = (_upright((one.x, one.y), *sides[one.size], one.angle) for one in rectangles)
    starts = _starts(flat, bank, rectangles, TO_HALF @ np.stack(list(uprights)))
    if not starts:
        return [], full
    places, views, turned = zip(*starts, strict=True)
    aligned, agreed = bank.aligned_coarsely(flat.quarter, np.stack(turned), np.array(views))
    found: dict[int, Candidate] = {}
    for n in np.argsort(-agreed, kind="stable"):
        if agreed[n] >= _AGREES and places[n] not in found:
            pose = FROM_HALF @ FROM_HALF @ aligned[n]
            size = bank.sizes[rectangles[places[n]].size]
            found[places[n]] = Candidate(size, pose, corners_of(pose), views[n])
    return list(found.values()), full


def _starts(
    flat: Flat, bank: KindBank, rectangles: Sequence[Rectangle], poses: NDArray[np.float64]
) -> list[tuple[int, int, Matrix]]:
    """Choose from where cards are aligned: (index of the rectangle, number of the view, pose), best first.

    `flat`: picture of the mat from above. `bank`: enrolled cards. `poses`: of upright cards in the
    rectangles, in the picture at a quarter of its size.
    """
    coarse = coarse_at(flat.quarter, poses)
    agree = [bank.sizes[one.size].coarse @ seen for one, seen in zip(rectangles, coarse, strict=True)]
    promise = np.array([float(one.max()) for one in agree])
    kept: list[int] = []
    starts: list[tuple[int, int, Matrix]] = []
    for place in (int(n) for n in np.argsort(-promise, kind="stable")):
        if promise[place] < _PROMISING:
            break
        one, size = rectangles[place], bank.sizes[rectangles[place].size]
        near = NEAR * size.short * PX_MM / 2
        here = (rectangles[n] for n in kept)
        if sum(math.dist((one.x, one.y), (other.x, other.y)) < near for other in here) >= MOST_TRIES:
            continue
        kept.append(place)
        likely = _likely_turns(bank, size, agree[place])
        starts += [(place, view, poses[place] @ turn) for view, turn in likely]
    return starts


def _likely_turns(bank: KindBank, size: Size, agree: NDArray[np.float32]) -> list[tuple[int, Matrix]]:
    """Choose cards that agree best with a rectangle: (number of the view, its turn), of each card once.

    `bank`: enrolled cards. `size`: that of the rectangle. `agree`: correlation of each view of that size
    (rows) in each turn (columns).
    """
    chosen: dict[str, tuple[int, Matrix]] = {}
    for index in np.argsort(-agree, axis=None, kind="stable")[: 2 * MOST_KINDS]:
        number, turn = divmod(int(index), len(size.turns))
        if agree[number, turn] < _RIVAL * agree.max() or len(chosen) >= MOST_KINDS:
            break
        view = size.views[number]
        chosen.setdefault(bank.views[view].name, (view, TURNS[size.turns[turn]]))
    return list(chosen.values())


def half_hidden_places(
    flat: Flat, bank: KindBank, ways: Sequence[float], taken: Sequence[NDArray[np.float32]]
) -> list[Candidate]:
    """Find places for cards beneath known cards, best first.

    Such cards are found by the visible parts of their sides. `flat`: picture of the mat from above. `bank`:
    enrolled cards. `ways`: directions (degrees) of their sides. `taken`: outlines of known cards.
    """
    places = _most_promising(flat, _places_beneath(flat, bank, ways, taken))
    fits = [fit for place in places for fit in _fits(flat, bank, place, taken)]
    return [candidate for _, candidate in sorted(fits, key=lambda fit: -fit[0])]


def _places_beneath(
    flat: Flat, bank: KindBank, ways: Sequence[float], taken: Sequence[NDArray[np.float32]]
) -> list[_Place]:
    """Find card-sized rectangles that known cards hide in part.

    Their middles are not hidden. `flat`: picture of the mat from above. `bank`: enrolled cards, for their
    sizes. `ways`: directions (degrees) of their sides. `taken`: outlines of known cards.
    """
    scale = PX_MM / 2
    sides = [(size.short * scale, size.long * scale) for size in bank.sizes]
    kept: list[Rectangle] = []
    for one in find_rectangles(flat.half, sides, ways, shows=uncovered(flat.half, taken)):
        short, long = sides[one.size]
        outline = rectangle_corners((2 * one.x, 2 * one.y), 2 * short, 2 * long, one.angle)
        if one.support < _SIDES_SHOW or not overlaps(outline, taken):
            continue
        if any(holds(other, outline.mean(axis=0)) for other in taken):
            continue
        if not any(_same_rectangle(one, other, short) for other in kept):
            kept.append(one)
    uprights = (_upright((one.x, one.y), *sides[one.size], one.angle) for one in kept)
    return [_Place(bank.sizes[one.size], upright) for one, upright in zip(kept, uprights, strict=True)]


def _most_promising(flat: Flat, places: Sequence[_Place]) -> list[_Place]:
    """Keep 8 places most like an enrolled card, best first.

    Cards are compared at 16 x 24 px.
    """
    if not places:
        return []
    coarse = coarse_at(flat.quarter, TO_HALF @ np.stack([place.upright for place in places]))
    promise = [float((place.size.coarse @ seen).max()) for place, seen in zip(places, coarse, strict=True)]
    return [places[int(n)] for n in np.argsort(promise)[::-1][:_HIDDEN_MOST]]


def _fits(
    flat: Flat, bank: KindBank, place: _Place, taken: Sequence[NDArray[np.float32]]
) -> Iterator[tuple[float, Candidate]]:
    """Compare each turn of a card at a place: (agreement, candidate) of those that fit.

    The agreement is the correlation (-1 to 1) of the card's visible part with its most similar kind. Turns
    with less than 0.45 are left out. `flat`: picture of the mat from above. `bank`: enrolled cards. `taken`:
    outlines of known cards.
    """
    size = place.size
    for turn in size.turns:
        pose = FROM_HALF @ place.upright @ TURNS[turn]
        outline = corners_of(pose)
        agree = bank.agreement(flat.half, TO_HALF @ pose, size, covered_part(pose, outline, taken))
        best = int(np.argmax(agree))
        if agree[best] >= _AGREES:
            yield float(agree[best]), Candidate(size, pose, outline, size.views[best])


def _same_rectangle(one: Rectangle, other: Rectangle, short: float) -> bool:
    """True if two rectangles are so near that alignments from both would end alike.

    `short`: their short side (px).
    """
    near = math.dist((one.x, one.y), (other.x, other.y)) < _ONE_TRY * short
    return near and one.size == other.size and abs((one.angle - other.angle + 90) % 180 - 90) < _SAME_TURN


def _upright(middle: tuple[float, float], w: float, h: float, angle: float) -> Matrix:
    """Pose of an art that fills a rectangle.

    `middle`: (x, y) in px. `w`, `h`: sides (px). `angle`: clockwise turn (degrees).
    """
    turn = math.radians(angle)
    cos, sin = math.cos(turn), math.sin(turn)
    right, down = w / WIDE, h / TALL
    a, b, c, d = cos * right, -sin * down, sin * right, cos * down
    u, v = (WIDE - 1) / 2, (TALL - 1) / 2
    x, y = middle
    return np.array([[a, b, x - a * u - b * v], [c, d, y - c * u - d * v], [0, 0, 1]])


def rectangle_corners(
    middle: Sequence[float] | NDArray[np.float64], w: float, h: float, angle: float
) -> NDArray[np.float32]:
    """Corners (4 x 2) of a rectangle, clockwise from its upper left.

    `w`: length of its upper and lower side. `angle`: clockwise turn (degrees).
    """
    turn = math.radians(angle)
    along, across = np.array((math.cos(turn), math.sin(turn))), np.array((-math.sin(turn), math.cos(turn)))
    ends = [(-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2)]
    return np.asarray([np.asarray(middle) + a * along + b * across for a, b in ends], np.float32)


def one_place(one: Candidate, other: Candidate) -> bool:
    return math.dist(one.middle, other.middle) < NEAR * one.size.short * PX_MM


def same_try(one: Candidate, other: Candidate) -> bool:
    """True if two candidates are so near that alignments from both would end alike."""
    reach = _ONE_TRY * one.size.short * PX_MM
    return one.view == other.view and float(np.abs(one.outline - other.outline).max()) < reach
