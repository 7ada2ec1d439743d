"""Enrols a game's cards from photographs of rows of cards.

A given list names the cards in this order.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art.art_match import ArtView, coarse, likeness
from vision.art.art_plane import card_sides
from vision.art.art_recogniser import ACCEPTED, MARGIN, ArtBook, Image, enrol_at
from vision.art.card_outline import card_outline, not_cloth
from vision.art.outline_fit import corners_between, sides_of, where_ends
from vision.art.quad_finder import ASPECTS, SHORTEST, Lab, Points
from vision.errors import UnusableError
from vision.reasons import CardsMiscounted, Simple

_LONGEST_PX = 1600
"""_LONGEST_PX: longer side (px) to which a photograph is reduced to find the cards."""
_CLOTH = (9.0, 5.0, 14.0)
"""_CLOTH: thresholds tried one after another: least difference (L*a*b*) of a card from the cloth's colours."""
_FILLED = 0.85
"""_FILLED: least share of its bounding rectangle that a card covers. Other things cover less."""
_AREA = (0.25, 4.0)
"""_AREA: least and greatest area of a card, divided by the median area of all."""
_USUAL, _MOSTLY = 0.04, 0.75
"""_USUAL: differences in size below this share do not count. _MOSTLY: share of the cards that must have one
size; then the others may have been cut short."""
_LEAST_SHARE = 0.001
"""_LEAST_SHARE: least share of a photograph that a card covers. Smaller things are no cards."""
_CHANGED, _BLUR_PX, _CLOSED_PX = 7.0, 1.0, 11
"""_CHANGED: difference (grey levels) from the empty table above which a pixel shows a card. _BLUR_PX: blur (px)
of the difference. _CLOSED_PX: gaps (px) that are closed in a card, where it looks like the table."""
_SHADOW, _COLOURLESS = 0.45, 0.12
"""_SHADOW: least share of the light left in a card's shadow; a darker place is no shadow. _COLOURLESS: largest
difference of this share between colours, relative to it."""
_GREY = 0.4
"""_GREY: brightness (0 to 1) that is painted for the table when edges of cards are searched."""
_BESIDE, _ENDS = (0.16, 0.22), (0.08, -0.12)
"""_BESIDE: where the table beside a card is measured. _ENDS: where it may end. Both in card widths,
outwards."""
_AROUND = 0.28
"""_AROUND: width of the cloth that is cut out around a card, as a share of its short side."""
_OUTLINE_PX = 640
"""_OUTLINE_PX: longest side (px) to which the part around a card is reduced before its outline is found."""
_INSIDE = 0.07
"""_INSIDE: largest distance between the corners of a card and of its sleeve, as a share of the short side. An
outline further inside is a printed frame."""
_ROW = 0.6
"""_ROW: largest difference in height of the centres of two neighbours in a row, as a share of a card's
height."""
_HARDLY = 0.6
"""_HARDLY: correlation of coarse arts (16 x 24 px) below which two cards need no closer comparison."""
ALIKE = ACCEPTED - MARGIN
"""ALIKE: likeness (see `art_match.likeness`) from which two enrolled cards are reported as alike."""
_SQUARE = 0.95
"""_SQUARE: aspect (short side divided by long side) from which a card may be shown in any of four turns."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """Two enrolled cards that look alike, by name.

    `likeness`: of one to the other (see `art_match.likeness`). A well lit card is like itself by 2 to 3; two
    cards from 1.3 on may be confused in a poor picture.
    """

    first: str
    second: str
    likeness: float


@dataclass(frozen=True, slots=True, eq=False)
class RowEnrolment:
    """Enrolled cards, and pairs of them that look alike.

    The worst pair comes first.
    """

    book: ArtBook
    confusions: tuple[Confusion, ...]


def enrol_rows(
    pictures: Sequence[Image],
    kinds: Sequence[str],
    short_mm: float = 0.0,
    outlines: Sequence[Sequence[Points]] = (),
) -> RowEnrolment:
    """Enrol cards from photographs in which they lie in rows.

    `pictures`: BGR; the cards lie apart, face up and upright, on a plain cloth. `kinds`: names in the order of
    the cards, row by row, from the left. Together the photographs show every card once, or each shows all
    cards; then each gives one more view. `short_mm`: short side (mm) of the first card; the other sizes follow
    from the first photograph. 0: unknown. `outlines`: for each photograph, outlines of its cards in reading
    order, if known; then the cloth may be printed. UnusableError if the number of cards found does not fit, or
    if nothing is given.
    """
    if not kinds or not pictures:
        raise UnusableError(Simple.NOTHING_TO_ENROL, "cards")
    found = [list(those) for those in outlines] or [cards_apart(picture) for picture in pictures]
    names = _names(kinds, [len(boxes) for boxes in found])
    first = min(card_sides(found[0][0])) if found[0] else 1.0
    views = [
        replace(
            _view(name, picture, box, exact=bool(outlines)),
            short_mm=round(short_mm * min(card_sides(box)) / first, 1),
        )
        for picture, boxes, those in zip(pictures, found, names, strict=True)
        for box, name in zip(boxes, those, strict=True)
    ]
    book = ArtBook(tuple(views))
    return RowEnrolment(book, confusions(book))


def _names(kinds: Sequence[str], numbers: Sequence[int]) -> list[list[str]]:
    """Names of the cards in each photograph. `numbers`: of cards found in each.

    UnusableError if they show neither all `kinds` together nor all in each.
    """
    if all(number == len(kinds) for number in numbers):
        return [list(kinds) for _ in numbers]
    if sum(numbers) == len(kinds):
        return [list(kinds[a:b]) for a, b in pairwise(np.cumsum([0, *numbers]))]
    seen = " + ".join(str(number) for number in numbers)
    raise UnusableError(CardsMiscounted(len(kinds), seen), f"{kinds[0]} ... {kinds[-1]}")


def confusions(book: ArtBook) -> tuple[Confusion, ...]:
    """Find enrolled cards that a camera may confuse, worst first."""
    worst: dict[tuple[str, str], float] = {}
    for one in book.views:
        for other in book.views:
            if one.name == other.name or _coarsely(one, other) < _HARDLY:
                continue
            pair = (min(one.name, other.name), max(one.name, other.name))
            best = max(likeness(art, other) for art in _turns(one))
            worst[pair] = max(worst.get(pair, -np.inf), best)
    alike = sorted(((value, *pair) for pair, value in worst.items() if value >= ALIKE), reverse=True)
    return tuple(Confusion(first, second, round(value, 2)) for value, first, second in alike)


def cards_apart(picture: Image) -> list[Points]:
    """Find cards that lie apart: their outlines, row by row.

    The cards lie in a photograph. An outline is 4 x 2 px, clockwise. `picture`: BGR, cards on a plain cloth.
    """
    if min(picture.shape[:2]) < SHORTEST:
        return []
    scale = min(1.0, _LONGEST_PX / max(picture.shape[:2]))
    small = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    lab = np.asarray(cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)
    found = [_boxes(lab, least) for least in _CLOTH]
    most = max(found, key=len)
    return [
        box / np.float32(scale) for box in _row_by_row(_whole(most, [box for boxes in found for box in boxes]))
    ]


def cards_laid(picture: Image, empty: Image, *, rim: bool = False) -> list[Points]:
    """Find the cards laid apart on a table by comparing it with the empty one.

    Returns outlines, row by row, 4 x 2 px each, clockwise. `empty`: the same table from the same camera,
    without the cards; anything may be printed or lie there. `rim`: True if a narrow rim surrounds the cards'
    pictures (see `where_ends`).
    """
    now, before = picture.astype(np.float32), np.maximum(empty.astype(np.float32), 1.0)
    # Cards on the table change the exposure a little: most of the picture is still the same.
    before *= np.median(now / before, axis=(0, 1))
    share = now / before
    blue, green, red = cv2.split(share)
    mean = (blue + green + red) / 3
    spread = cv2.max(cv2.max(blue, green), red) - cv2.min(cv2.min(blue, green), red)
    share[(mean > _SHADOW) & (mean < 1) & (spread < _COLOURLESS * mean)] = 1
    blue, green, red = cv2.split(np.abs(share - 1) * before)
    apart = cv2.GaussianBlur(cv2.max(cv2.max(blue, green), red), (0, 0), _BLUR_PX)
    kernel = np.ones((5, 5), np.uint8)
    mask = cv2.morphologyEx((apart > _CHANGED).astype(np.uint8), cv2.MORPH_OPEN, kernel)
    mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((_CLOSED_PX, _CLOSED_PX), np.uint8))
    blobs = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)[0]
    outlines = [np.asarray(blob, np.int32) for blob in blobs]
    boxes = _card_boxes(outlines, picture.shape[0] * picture.shape[1])
    # As if the cards lay on a plain grey table.
    plain = cv2.GaussianBlur(np.clip(share * _GREY, 0, 1), (0, 0), _BLUR_PX)
    lab = np.asarray(cv2.cvtColor(plain, cv2.COLOR_BGR2LAB), np.float32)
    return [_by_sides(lab, box, rim) for box in _row_by_row(boxes)]


def _by_sides(lab: Lab, box: Points, rim: bool) -> Points:
    """Move each side of a card's box to where the table ends, if that is found.

    `box`: 4 x 2 px. `rim`: True if a narrow rim surrounds the card's picture (see `where_ends`).
    """
    ends = where_ends(lab, box, _BESIDE, _ENDS, rim=rim)
    return corners_between(
        [side if end is None else end for end, side in zip(ends, sides_of(box), strict=True)]
    )


def _boxes(lab: Lab, least: float) -> list[Points]:
    return _card_boxes(not_cloth(lab, least), lab.shape[0] * lab.shape[1])


def _card_boxes(outlines: Sequence[NDArray[np.int32]], whole: int) -> list[Points]:
    """Boxes (4 x 2 px) around outlines that have the shape and size of cards.

    `whole`: number of px of the picture. Boxes unlike most others in area are left out.
    """
    boxes = []
    for outline in outlines:
        box = np.asarray(cv2.boxPoints(cv2.minAreaRect(outline)), np.float32)
        short, long = sorted(card_sides(box))
        area = short * long
        filled = float(cv2.contourArea(cv2.convexHull(outline))) >= _FILLED * area
        if filled and area >= _LEAST_SHARE * whole and short >= ASPECTS[0] * long:
            boxes.append(box)
    if not boxes:
        return []
    usual = float(np.median([cv2.contourArea(box) for box in boxes]))
    return [box for box in boxes if _AREA[0] * usual <= cv2.contourArea(box) <= _AREA[1] * usual]


def _whole(boxes: Sequence[Points], others: Sequence[Points]) -> Sequence[Points]:
    """Replace boxes that cut a card short by better ones.

    A box is short if the card's end looks like the cloth. Of those `others` that lie at the place, the one
    with the most usual size takes its place. Boxes stay if cards have no usual size.
    """
    if not boxes:
        return boxes
    usual = np.median([sorted(card_sides(box)) for box in boxes], axis=0)

    def unlike(box: Points) -> float:
        return float(np.abs(np.array(sorted(card_sides(box))) / usual - 1).max())

    if np.mean([unlike(box) < _USUAL for box in boxes]) < _MOSTLY:
        return boxes
    return [
        box if unlike(box) < _USUAL else min((one for one in others if _meets(one, box)), key=unlike)
        for box in boxes
    ]


def _meets(one: Points, other: Points) -> bool:
    x, y = one.mean(axis=0)
    return cv2.pointPolygonTest(other, (float(x), float(y)), measureDist=False) >= 0


def _row_by_row(boxes: Sequence[Points]) -> list[Points]:
    """Sort the boxes of cards by rows, from the top, each row from the left."""
    ordered: list[Points] = []
    rest = sorted(boxes, key=lambda box: float(box[:, 1].mean()))
    while rest:
        top = rest[0]
        # The row may slope: it is followed from card to card, not measured from the first one.
        row, height = [top], float(np.ptp(top[:, 1]))
        for box in sorted(rest[1:], key=lambda box: abs(float(box[:, 0].mean() - top[:, 0].mean()))):
            near = min(row, key=lambda one: abs(float(one[:, 0].mean() - box[:, 0].mean())))
            if abs(float(near[:, 1].mean() - box[:, 1].mean())) < _ROW * height:
                row.append(box)
        ordered += sorted(row, key=lambda box: float(box[:, 0].mean()))
        rest = [box for box in rest if not any(box is one for one in row)]
    return ordered


def _view(name: str, picture: Image, box: Points, exact: bool) -> ArtView:
    """Enrol the card at `box` of a photograph under `name`.

    `exact` False: first look for a more exact outline near the box. An outline more than 7 % further inside
    may be a frame printed on the card.
    """
    part, corner = _cut(picture, box)
    scale = min(1.0, _OUTLINE_PX / max(part.shape[:2]))
    small = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    own = (box - corner) * np.float32(scale)
    lab = cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    found = None if exact else card_outline(np.asarray(lab, np.float32))
    if found is not None:
        apart = np.linalg.norm(found[:, None] - own[None], axis=2).min(axis=1)
        if apart.max() < _INSIDE * min(card_sides(own)):
            own = found
    return enrol_at(name, small, own)


def _cut(picture: Image, box: Points) -> tuple[Image, Points]:
    """Cut out the card at `box`, with some cloth.

    `box`: 4 x 2 px. Neighbours are painted over with cloth. Also returns the px (x, y) where the part begins.
    """
    reach = _AROUND * min(card_sides(box))
    left, top = np.maximum(0, np.floor(box.min(axis=0) - reach)).astype(int)
    right, bottom = np.ceil(box.max(axis=0) + reach).astype(int)
    part = picture[top : int(bottom), left : int(right)].copy()
    # Neighbours that reach into the part are painted over with cloth.
    mask = np.zeros(part.shape[:2], np.uint8)
    middle = box.mean(axis=0)
    grown = middle + (box - middle) * (1 + 0.35 * _AROUND) - np.array((left, top), np.float32)
    cv2.fillConvexPoly(mask, np.round(grown).astype(np.int32), (1,))
    ring = cv2.dilate(mask, np.ones((3, 3), np.uint8)) > mask
    cloth = np.median(part[ring], axis=0) if ring.any() else np.array((128, 128, 128))
    part[mask == 0] = cloth
    return part, np.array((left, top), np.float32)


def _turns(view: ArtView) -> list[NDArray[np.uint8]]:
    turns = (0, 2) if view.aspect < _SQUARE else (0, 1, 2, 3)
    arts = []
    for turn in turns:
        art = np.rot90(view.art, turn)
        arts.append(np.asarray(cv2.resize(art, view.art.shape[1::-1]) if turn % 2 else art.copy(), np.uint8))
    return arts


def _coarsely(one: ArtView, other: ArtView) -> float:
    """Best correlation (-1 to 1) of two enrolled cards at 16 x 24 px, over turns of `one`."""
    size = one.small.shape[1::-1]
    return max(
        float(coarse(np.asarray(cv2.resize(art, size, interpolation=cv2.INTER_AREA), np.uint8)) @ other.coarse)
        for art in _turns(one)
    )
