"""Detects strangers: card-sized things without a readable sticker.

They came to lie in a zone.
"""

import math
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from statistics import median

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.codes.sticker_set import Gray
from vision.scene.camera_reports import CardSeen

Outline = NDArray[np.float32]
"""Outline of a thing on the mat: corners or border points (mm), n x 2, in order."""

_SIDES_MM = (35.0, 125.0)
"""Least and greatest side (mm) of a card in a sleeve, from mini to tarot. Fingers, and reflections on one
sticker, are narrower."""
_LONG_MM = 55.0
"""_LONG_MM: least long side (mm) of a card that nobody saw come. A square of a checked cloth is shorter."""
_FILLED = 0.6
"""_FILLED: least share of the rectangle around it that a change covers if it is a card. Parts of a card may
look like the cloth."""
_REMEMBERED = 15
"""Number of the latest cards whose size is remembered. Their median is steady, and adapts to another game's
cards."""
_PX_MM = 1.0
"""Scale (px/mm) of the mask from which outlines are cut."""
_AROUND_MM = 3.0
"""Margin (mm) around a read card that is cut out as well, because a small pixel is large and outlines are
inexact."""


_LOOK_PX = (24, 36)
"""Width and height (px) of the patch by which a stranger is recognised again."""
_LOOK_GROWN = 1.3
"""Size of the patch by which a stranger is recognised, relative to the card. The edge against the cloth says
most."""
_SAME_LOOK = 0.6
"""_SAME_LOOK: least correlation (-1 to 1) of two patches that show one stranger. Noise and light leave more
than 0.8."""

_USUAL_MM = (60.0, 90.0)
"""Width and height (mm) assumed for a card before any was measured."""
Look = NDArray[np.float32]
"""Patch of a stranger (_LOOK_PX), with mean 0 and length 1, by which it is recognised again."""


class CardSize:
    """Size of this table's cards, learned from read cards.

    Only cards that came to lie alone count. The size is measured along the axes of the sticker, which has one
    place on all cards of a game.
    """

    def __init__(self) -> None:
        self._spans: deque[tuple[float, float, float, float]] = deque(maxlen=_REMEMBERED)
        """From the middle of the sticker to the left, right, upper and lower edge of its card, in mm."""

    def learn(self, change: Outline, cards: Sequence[CardSeen]) -> None:
        """Learn the size of cards from a change in which exactly one card was read.

        `change`: its outline (mm). `cards`: those read in the zone. Other changes tell nothing and are
        ignored.
        """
        inside = [card for card in cards if _holds(change, (card.x, card.y))]
        if len(inside) == 1 and _card_sized(change) is not None:
            along, across = _axes(inside[0])
            points = change - (inside[0].x, inside[0].y)
            xs, ys = points @ along, points @ across
            self._spans.append((float(xs.min()), float(xs.max()), float(ys.min()), float(ys.max())))

    @property
    def mm(self) -> tuple[float, float] | None:
        """Card's width and height (mm), along its sticker's axes.

        None before one was measured.
        """
        if not self._spans:
            return None
        left, right, top, bottom = self._edges()
        return right - left, bottom - top

    def around(self, card: CardSeen) -> Outline:
        """Outline of a read card, with 3 mm of margin.

        At least one card must have been measured.
        """
        left, right, top, bottom = self._edges()
        along, across = _axes(card)
        corners = [
            (card.x, card.y) + along * x + across * y
            for x, y in (
                (left - _AROUND_MM, top - _AROUND_MM),
                (right + _AROUND_MM, top - _AROUND_MM),
                (right + _AROUND_MM, bottom + _AROUND_MM),
                (left - _AROUND_MM, bottom + _AROUND_MM),
            )
        ]
        return np.asarray(corners, np.float32)

    def _edges(self) -> tuple[float, float, float, float]:
        left, right, top, bottom = (median(values) for values in zip(*self._spans, strict=True))
        return left, right, top, bottom


def strangers(
    known: Sequence[Outline], changes: Sequence[Outline], cards: Sequence[CardSeen], size: CardSize
) -> tuple[Outline, ...]:
    """Find a zone's strangers: remaining `known` ones, and new ones.

    A stranger is a card without a readable sticker; the result has their outlines (mm). `changes`: outlines of
    what looks different from before. `cards`: cards read in the zone, now or before. A card that was taken
    also leaves a change, but was read before. Cards side by side make one change, which is cut once the `size`
    of cards is known.
    """
    left = tuple(
        box
        for box in known
        if not _is_read(box, cards, size) and not any(_holds(one, centre(box)) for one in changes)
    )
    places = [centre(box) for box in known]
    came = (
        box
        for change in changes
        for one in _single(change, cards, size)
        if (box := _card_sized(one)) is not None
        and not _is_read(box, cards, size)
        and not any(_holds(box, place) for place in places)
    )
    return (*left, *came)


def at_first_look(
    known: Sequence[Outline], things: Sequence[Outline], cards: Sequence[CardSeen], size: CardSize
) -> tuple[Outline, ...]:
    """Find strangers in a zone at its first reading.

    A stranger is a card without a readable sticker. These are the `known` ones that are still there, and
    things on the cloth. `things`: outlines (mm) of what looks unlike the cloth. `cards`: those read in the
    zone. `size`: of cards.
    """
    left = strangers(known, (), cards, size)
    places = [centre(box) for box in left]
    if size.mm is None:
        # Where cards that are read join others, nothing tells which part of the whole is whose.
        alone = [one for one in things if not any(_holds(one, (card.x, card.y)) for card in cards)]
        things = [part for one in alone for part in _usual_parts(one)]
    there = [box for box in strangers((), things, cards, size) if _longer_side(box) >= _LONG_MM]
    return (*left, *(one for one in there if not any(_holds(one, place) for place in places)))


def lying_at(place: tuple[float, float]) -> Outline:
    """Outline (mm) of a card of usual size (60 x 90 mm) at `place` (mm), upright on the mat."""
    half = np.array(_USUAL_MM) / 2
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    return np.asarray([place + half * corner for corner in corners], np.float32)


def look(gray: Gray, corners: NDArray[np.float64]) -> Look:
    """Cut the patch by which a stranger is recognised again.

    A stranger is a card without a readable sticker. `corners`: of the stranger (4 x 2 px). The patch has mean
    0 and length 1.
    """
    middle = corners.mean(axis=0)
    grown = (middle + _LOOK_GROWN * (corners - middle)).astype(np.float32)
    w, h = _LOOK_PX
    target = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32)
    patch = cv2.warpPerspective(
        gray, cv2.getPerspectiveTransform(grown, target), _LOOK_PX, flags=cv2.INTER_AREA
    )
    flat = patch.astype(np.float32) - float(patch.mean())
    return np.asarray(flat / max(1.0, float(np.linalg.norm(flat))), np.float32)


def same_look(one: Look, other: Look) -> bool:
    """True if two patches show one unmoved thing.

    The light may differ.
    """
    return float((one * other).sum()) >= _SAME_LOOK


def lies_in(boxes: Iterable[Outline], card: CardSeen) -> bool:
    """True if the middle of a card's sticker lies in one of some outlines (mm)."""
    return any(_holds(box, (card.x, card.y)) for box in boxes)


def touched(box: Outline, outlines: Iterable[Outline]) -> bool:
    """True if a change (`outlines`) covers a card's middle (`box`)."""
    return any(_holds(one, centre(box)) for one in outlines)


def centre(box: Outline) -> tuple[float, float]:
    """Middle (x, y in mm) of an outline."""
    x, y = box.mean(axis=0)
    return float(x), float(y)


def _single(change: Outline, cards: Sequence[CardSeen], size: CardSize) -> Iterator[Outline]:
    """Cut a change into pieces as large as one card.

    Cards in it that were read (`cards`) are left out. As long as the `size` of cards is unknown, the change
    stays whole.
    """
    mm = size.mm
    if mm is None or cv2.contourArea(change) < 1.5 * mm[0] * mm[1] * _FILLED:
        yield change
        return
    origin = change.min(axis=0)
    width, height = (np.ceil((change.max(axis=0) - origin) * _PX_MM)).astype(int) + 1
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [_px(change, origin)], 255)
    for card in cards:
        cv2.fillPoly(mask, [_px(size.around(card), origin)], 0)
    pieces, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for piece in pieces:
        if len(piece) > 2:
            yield from _split((piece[:, 0] / _PX_MM + origin).astype(np.float32), mm)


def _split(piece: Outline, mm: tuple[float, float]) -> Iterator[Outline]:
    """Cut a piece of a change into as many equal parts as cards fill it.

    `mm`: width and height of a card.
    """
    rect = cv2.minAreaRect(piece)
    corners = np.asarray(cv2.boxPoints(rect), np.float32)
    sides = [corners[1] - corners[0], corners[2] - corners[1]]
    longer = int(np.linalg.norm(sides[1]) > np.linalg.norm(sides[0]))
    length, breadth = float(np.linalg.norm(sides[longer])), float(np.linalg.norm(sides[1 - longer]))
    # The side of the cards that lies along the cut: the one that is nearer to the breadth.
    along = min((mm, mm[::-1]), key=lambda one: abs(one[1] - breadth))[0]
    number = round(length / along)
    if number < 2:
        yield piece
        return
    start = corners[longer]
    step, side = sides[longer] / number, -sides[0] if longer else sides[1]
    for n in range(number):
        corner = start + n * step
        yield np.asarray([corner, corner + step, corner + step + side, corner + side], np.float32)


def _usual_parts(piece: Outline) -> Iterator[Outline]:
    """Cut a piece of a change into parts as large as a usual card (60 x 90 mm).

    A small piece stays whole.
    """
    if cv2.contourArea(piece) < 1.5 * _USUAL_MM[0] * _USUAL_MM[1]:
        yield piece
    else:
        yield from _split(piece, _USUAL_MM)


def _px(outline: Outline, origin: NDArray[np.float32]) -> NDArray[np.int32]:
    return np.asarray(np.round((outline - origin) * _PX_MM), np.int32)


def _axes(card: CardSeen) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Unit vectors along the upper edge of a card's sticker, and down its side."""
    turn = math.radians(card.angle)
    return np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])


def _card_sized(change: Outline) -> Outline | None:
    """Rectangle around a change (4 x 2 mm), if it has the size of a card.

    None for other changes.
    """
    rect = cv2.minAreaRect(change)
    w, h = rect[1]
    if not (_SIDES_MM[0] <= min(w, h) and max(w, h) <= _SIDES_MM[1]):
        return None
    return np.asarray(cv2.boxPoints(rect), np.float32) if cv2.contourArea(change) >= _FILLED * w * h else None


def _longer_side(box: Outline) -> float:
    return float(max(cv2.minAreaRect(box)[1]))


def _is_read(box: Outline, cards: Iterable[CardSeen], size: CardSize) -> bool:
    """True if an outline belongs to an already read card.

    The outline may be a part of the card. If two similar cards lay there one after the other, only a part has
    changed.
    """
    return any(
        _holds(box, (card.x, card.y)) or (size.mm is not None and _holds(size.around(card), centre(box)))
        for card in cards
    )


def _holds(outline: Outline, place: tuple[float, float]) -> bool:
    return cv2.pointPolygonTest(outline, place, False) >= 0
