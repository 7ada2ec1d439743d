"""Detects strangers: things as large as a card that came to lie in a zone and show no readable sticker."""

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
"""Corners or border points in mm, n x 2, in order."""

_SIDES_MM = (35.0, 125.0)
"""Range of the sides of cards in a sleeve (mm), from mini to tarot. Fingers, and reflections on one sticker,
are narrower."""
_LONG_MM = 55.0
"""_LONG_MM: least longer side (mm) of a card that nobody saw come: a square of a checked cloth is smaller."""
_FILLED = 0.6
"""_FILLED: least share of its rectangle that a card's change covers, even if it looks like the cloth."""
_REMEMBERED = 15
"""Cards of which the size is remembered: the median of so many is steady, and follows another game's cards."""
_PX_MM = 1.0
"""Pixels a millimetre in which outlines are cut."""
_AROUND_MM = 3.0
"""A card that was read is cut out with so much around it: an outline is as fuzzy as a small pixel is large."""


_LOOK_PX = (24, 36)
"""Width and height (px) of the small picture by which a stranger is known again."""
_LOOK_GROWN = 1.3
"""It shows so much more than the card: the edge against the cloth says most."""
_SAME_LOOK = 0.6
"""Least correlation (-1..1) of two small pictures of one stranger: noise and light leave more than 0.8."""

_USUAL_MM = (60.0, 90.0)
"""Width and height of a card before any was measured (mm)."""
Look = NDArray[np.float32]
"""A stranger's small picture, of mean 0 and length 1."""


class CardSize:
    """How large the cards of this table are, learned from those that came to lie alone and were read.

    Measured along the axes of the sticker, which stands on every card of a game in the same way.
    """

    def __init__(self) -> None:
        self._spans: deque[tuple[float, float, float, float]] = deque(maxlen=_REMEMBERED)
        """From the middle of the sticker to the left, right, upper and lower edge of its card, in mm."""

    def learn(self, change: Outline, cards: Sequence[CardSeen]) -> None:
        """Take in a change in which one card was read; any other tells nothing."""
        inside = [card for card in cards if _holds(change, (card.x, card.y))]
        if len(inside) == 1 and _card_sized(change) is not None:
            along, across = _axes(inside[0])
            points = change - (inside[0].x, inside[0].y)
            xs, ys = points @ along, points @ across
            self._spans.append((float(xs.min()), float(xs.max()), float(ys.min()), float(ys.max())))

    @property
    def mm(self) -> tuple[float, float] | None:
        """Width and height along the axes of the sticker; None before any card was measured."""
        if not self._spans:
            return None
        left, right, top, bottom = self._edges()
        return right - left, bottom - top

    def around(self, card: CardSeen) -> Outline:
        """The outline of a card that was read, a little larger; only after a card was measured."""
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
    """The `known` strangers that still lie there, and new ones.

    `changes` are the outlines of what looks otherwise than before, `cards` those that were read in the zone,
    now or before. A card that was taken leaves a change as well, but it was read before. Cards that lie side by
    side make one change: it is cut once the `size` of cards is known.
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
    """The strangers of a zone at its first look: the `known` ones, and the `things` that lie on the cloth.

    `things` are outlines of what looks unlike the cloth; `cards` and `size` as in `strangers`.
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
    """A stranger of usual size with its middle there (mm), upright on the mat."""
    half = np.array(_USUAL_MM) / 2
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    return np.asarray([place + half * corner for corner in corners], np.float32)


def look(gray: Gray, corners: NDArray[np.float64]) -> Look:
    """The small picture of a stranger whose corners, in order, are these (4 x 2 px of `gray`)."""
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
    """Whether two small pictures show the same thing in the same place, whatever the light."""
    return float((one * other).sum()) >= _SAME_LOOK


def lies_in(boxes: Iterable[Outline], card: CardSeen) -> bool:
    """Whether a card's sticker lies in one of the outlines."""
    return any(_holds(box, (card.x, card.y)) for box in boxes)


def touched(box: Outline, outlines: Iterable[Outline]) -> bool:
    """Whether one of the outlines reaches over the middle of a box."""
    return any(_holds(one, centre(box)) for one in outlines)


def centre(box: Outline) -> tuple[float, float]:
    """The middle of an outline, in mm."""
    x, y = box.mean(axis=0)
    return float(x), float(y)


def _single(change: Outline, cards: Sequence[CardSeen], size: CardSize) -> Iterator[Outline]:
    """A change cut into pieces as large as one card, without the cards in it that were read."""
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
    """A piece cut across its longer side into as many parts as cards would fill it."""
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
    """A piece that no one card of usual size makes, cut into as many."""
    if cv2.contourArea(piece) < 1.5 * _USUAL_MM[0] * _USUAL_MM[1]:
        yield piece
    else:
        yield from _split(piece, _USUAL_MM)


def _px(outline: Outline, origin: NDArray[np.float32]) -> NDArray[np.int32]:
    return np.asarray(np.round((outline - origin) * _PX_MM), np.int32)


def _axes(card: CardSeen) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Unit vectors along the upper edge of a card's sticker and down its side."""
    turn = math.radians(card.angle)
    return np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])


def _card_sized(change: Outline) -> Outline | None:
    """The rectangle around a change of a card's size; None for any other."""
    rect = cv2.minAreaRect(change)
    w, h = rect[1]
    if not (_SIDES_MM[0] <= min(w, h) and max(w, h) <= _SIDES_MM[1]):
        return None
    return np.asarray(cv2.boxPoints(rect), np.float32) if cv2.contourArea(change) >= _FILLED * w * h else None


def _longer_side(box: Outline) -> float:
    return float(max(cv2.minAreaRect(box)[1]))


def _is_read(box: Outline, cards: Iterable[CardSeen], size: CardSize) -> bool:
    """Whether an outline is that of a card that was read, or a part of one: where two cards that lay there one
    after the other look alike, only the rest has changed."""
    return any(
        _holds(box, (card.x, card.y)) or (size.mm is not None and _holds(size.around(card), centre(box)))
        for card in cards
    )


def _holds(outline: Outline, place: tuple[float, float]) -> bool:
    return cv2.pointPolygonTest(outline, place, False) >= 0
