"""Names the cards on a registered mat by their art, as soon as something was laid down."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art.art_align import align
from vision.art.art_match import View, likeness
from vision.art.art_plane import (
    FINE,
    TALL,
    WIDE,
    Matrix,
    art_at,
    corners_of,
    perceived,
    pose_of,
    without_detail,
)
from vision.art.art_recogniser import ACCEPTED, MARGIN, ArtBook
from vision.art.rectangle_search import Image, find_rectangles
from vision.mat.mat_finder import Rect, Registration
from vision.mat.straight_views import between

_PX_MM = 1.15
"""_PX_MM: scale (px/mm) of the flattened picture: that of a fine art of a usual card."""
_NODE = 16
"""_NODE: distance (px) between points at which the mapping is computed, see straight_views."""
_USUAL_MM = 56.0
"""_USUAL_MM: short side of a card of which nobody has said the size."""
_SAME_SIZE = 1.5
"""_SAME_SIZE: cards whose sides differ by less (mm) are searched as one size."""
_SQUARE = 0.95
"""_SQUARE: least aspect of a card that is searched in four turns."""
_PROMISING = 0.45
"""_PROMISING: least correlation of coarse art for a closer look; what has less is a stranger."""
_SECOND = 0.75
"""_SECOND: share of the best correlation from which another kind is looked at closely, too."""
_LOOKS = 3
"""_LOOKS: most kinds that are looked at closely at one place."""
_WORTH = -0.9
"""_WORTH: least likeness of small arts for a comparison of fine ones."""
_TRIES = 3
"""_TRIES: rectangles around one place that are looked at closely before it counts as a stranger's."""
_NEAR = 0.25
"""_NEAR: middles nearer than this share of the short side are one place."""
_LOOKS_MOST = 40
"""_LOOKS_MOST: most close looks in a picture. What is left then is said."""
_VISIBLE = 0.55
"""_VISIBLE: least share of a card that must be in sight."""
_STEEP = 8.0
"""_STEEP: how fast the probability rises with the lead in likeness: 0.3 gives 0.92, 0.6 gives 0.99."""
_ROWS, _COLUMNS = TALL // 2, WIDE // 2


@dataclass(frozen=True, slots=True)
class ArtCard:
    """A card known by its art: kind, middle (mm), clockwise turn (degrees) of the upper side that was enrolled.

    `probability` that it is of that kind, among the kinds that exist.
    """

    kind: str
    x: float
    y: float
    angle: float
    probability: float


@dataclass(frozen=True, slots=True)
class ArtLook:
    """One look: the cards, the middles (mm) of what looks like a card and could not be named, and the number of
    places for which the budget did not suffice."""

    cards: tuple[ArtCard, ...]
    unknown: tuple[tuple[float, float], ...] = ()
    left: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class _Size:
    """Kinds of one size: short and long side (mm), numbers of their views, coarse art (n x turns x values)."""

    short: float
    long: float
    views: tuple[int, ...]
    turns: tuple[int, ...]
    coarse: NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
    """A rectangle that may be a card: corners (4 x 2 px of the flat picture) from one of its short sides, and
    its correlation with each view of its size in each turn."""

    size: _Size
    corners: NDArray[np.float32]
    agree: NDArray[np.float32]

    @property
    def promise(self) -> float:
        return float(self.agree.max())

    @property
    def middle(self) -> NDArray[np.float32]:
        return np.asarray(self.corners.mean(axis=0), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Named:
    """What a close look at a candidate has found: the view, its corners and how much it leads."""

    view: View
    corners: NDArray[np.float32]
    likeness: float
    lead: float


class LiveArt:
    """Recognises the cards of a book on a mat. A look is the same for the same picture and known cards."""

    def __init__(self, book: ArtBook, looks_most: int = _LOOKS_MOST) -> None:
        self._books = {True: book, False: book.in_grey}
        self._sizes = {colour: _sizes(one) for colour, one in self._books.items()}
        self._looks_most = looks_most
        self.kinds = frozenset(book.names)
        """The kinds that are known by their art."""
        self._blurs: dict[int, int] = {}

    def look(
        self, image: Image, rect: Rect, registration: Registration, known: Collection[ArtCard] = ()
    ) -> ArtLook:
        """Every card in a rectangle (px) of the picture (BGR or grey), besides the `known` ones."""
        colour = image.ndim == 3 and not self._books[True].colourless
        book, sizes = self._books[colour], self._sizes[colour]
        if not sizes:
            return ArtLook(())
        flat, corner = _flat(_three(image), rect, registration)
        if not flat.size:
            return ArtLook(())
        if not colour and image.ndim == 3:
            flat = np.asarray(cv2.merge([cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY)] * 3), np.uint8)
        taken = [self._outline(card, sizes, book, corner) for card in known]
        across = _USUAL_MM * registration.px_per_mm(*(corner + np.array(flat.shape[1::-1]) / (2 * _PX_MM)))
        return self._search(flat, corner, book, sizes, [one for one in taken if one is not None], across)

    def _search(
        self,
        flat: Image,
        corner: NDArray[np.float64],
        book: ArtBook,
        sizes: Sequence[_Size],
        taken: list[NDArray[np.float32]],
        across: float,
    ) -> ArtLook:
        found: list[_Named] = []
        failed: list[_Candidate] = []
        looks = left = 0
        for candidate in _candidates(flat, sizes):
            if any(_holds(outline, candidate.middle) for outline in taken):
                continue
            tries = sum(_one_place(candidate, other) for other in failed)
            if tries >= _TRIES:
                continue
            if looks >= self._looks_most:
                left += not tries
                continue
            looks += 1
            covered = _covered(candidate, taken)
            named = (
                None
                if covered is not None and covered.mean() > 1 - _VISIBLE
                else self._closely(flat, candidate, book, across, covered)
            )
            if named is None:
                failed.append(candidate)
            elif not any(_holds(outline, named.corners.mean(axis=0)) for outline in taken):
                found.append(named)
                taken.append(named.corners)
        unknown: list[tuple[float, float]] = []
        for candidate in failed:
            free = not any(_holds(outline, candidate.middle) for outline in taken)
            if free and not any(math.dist(candidate.middle, at) < _USUAL_MM * _NEAR for at in unknown):
                unknown.append((float(candidate.middle[0]), float(candidate.middle[1])))
        return ArtLook(
            tuple(_card(one, corner) for one in found),
            tuple((x / _PX_MM + corner[0], y / _PX_MM + corner[1]) for x, y in unknown),
            left,
        )

    def _closely(
        self,
        flat: Image,
        candidate: _Candidate,
        book: ArtBook,
        across: float,
        covered: NDArray[np.bool_] | None,
    ) -> _Named | None:
        """The kind of a candidate; None for a stranger, or if two kinds are possible."""
        part = without_detail(flat, candidate.corners)
        tried: dict[str, tuple[float, View, Matrix]] = {}
        pose: Matrix | None = None
        for index in np.argsort(-candidate.agree, axis=None, kind="stable")[: 2 * _LOOKS]:
            number, turn = divmod(int(index), len(candidate.size.turns))
            view = book.views[candidate.size.views[number]]
            promise = float(candidate.agree[number, turn])
            if promise < max(_PROMISING, _SECOND * candidate.promise) or len(tried) >= _LOOKS:
                break
            start = pose_of(np.roll(candidate.corners, candidate.size.turns[turn], axis=0))
            pose = align(part, start, view.target)
            if likeness(art_at(part, pose), view, across, covered=covered, blurs=(0,)) < _WORTH:
                continue
            strict = book.alike_in_most(view)
            alike = likeness(
                art_at(flat, pose, FINE), view, across, strict=strict, covered=covered, blurs=(0, 2)
            )
            if alike > tried.get(view.name, (-np.inf,))[0]:
                tried[view.name] = (alike, view, pose)
        ranked = sorted(tried.values(), key=lambda one: -one[0])
        if not ranked or ranked[0][0] < ACCEPTED:
            return None
        lead = ranked[0][0] - max(ranked[1][0] if len(ranked) > 1 else 0.0, 0.0)
        if lead < MARGIN:
            return None
        return _Named(ranked[0][1], corners_of(ranked[0][2]), ranked[0][0], lead)

    def _outline(
        self, card: ArtCard, sizes: Sequence[_Size], book: ArtBook, corner: NDArray[np.float64]
    ) -> NDArray[np.float32] | None:
        """Corners of a known card in px of the flat picture."""
        for size in sizes:
            if any(book.views[number].name == card.kind for number in size.views):
                middle = (np.array((card.x, card.y)) - corner) * _PX_MM
                return _corners(middle, size.short * _PX_MM, size.long * _PX_MM, card.angle)
        return None


def _sizes(book: ArtBook) -> list[_Size]:
    """The views of a book by their size."""
    groups: list[tuple[float, float, list[int]]] = []
    for number, view in enumerate(book.views):
        short = view.short_mm or _USUAL_MM
        long = short / view.aspect
        for s, k, numbers in groups:
            if abs(s - short) < _SAME_SIZE and abs(k - long) < 2 * _SAME_SIZE:
                numbers.append(number)
                break
        else:
            groups.append((short, long, [number]))
    return [
        _Size(
            float(np.median([book.views[n].short_mm or _USUAL_MM for n in numbers])),
            float(np.median([(book.views[n].short_mm or _USUAL_MM) / book.views[n].aspect for n in numbers])),
            tuple(numbers),
            turns := ((0, 2) if short < _SQUARE * long else (0, 1, 2, 3)),
            np.stack([[_seen_coarsely(book.views[n], turn) for turn in turns] for n in numbers]),
        )
        for short, long, numbers in groups
    ]


def _seen_coarsely(view: View, turn: int) -> NDArray[np.float32]:
    """What `_coarse` gives of a card whose outline begins `turn` corners before the art's own."""
    art = view.small
    if turn:
        corners = corners_of(np.eye(3))
        matrix = cv2.getPerspectiveTransform(corners, np.roll(corners, turn, axis=0))
        turned = cv2.warpPerspective(art, matrix, (WIDE, TALL), borderMode=cv2.BORDER_REPLICATE)
        art = np.asarray(turned, np.uint8)
    soft = cv2.GaussianBlur(art, (0, 0), 0.9)
    small = np.asarray(cv2.resize(soft, (_COLUMNS, _ROWS), interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(_unit(perceived(small)[None])[0], np.float32)


def _unit(planes: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each of n arts (n x rows x columns x 3) without its mean, of length 1."""
    flat = planes.reshape(len(planes), -1, 3)
    flat = flat - flat.mean(axis=1, keepdims=True) * np.array([1, 0.5, 0.5], np.float32)
    flat = flat.reshape(len(planes), -1)
    return np.asarray(flat / (np.linalg.norm(flat, axis=1, keepdims=True) + 8.0), np.float32)


def _candidates(flat: Image, sizes: Sequence[_Size]) -> list[_Candidate]:
    """What may be cards, the most promising first."""
    sides = [(size.short * _PX_MM, size.long * _PX_MM) for size in sizes]
    rectangles = find_rectangles(flat, sides)
    if not rectangles:
        return []
    corners = np.stack([_corners((one.x, one.y), *sides[one.size], one.angle) for one in rectangles])
    coarse = _coarse(flat, corners)
    found = []
    for one, outline, seen in zip(rectangles, corners, coarse, strict=True):
        size = sizes[one.size]
        candidate = _Candidate(size, outline, np.asarray(size.coarse @ seen, np.float32))
        if candidate.promise >= _PROMISING:
            found.append(candidate)
    return sorted(found, key=lambda one: -one.promise)


def _coarse(flat: Image, corners: NDArray[np.float32]) -> NDArray[np.float32]:
    """Coarse art (n x values, of length 1) at n outlines (n x 4 x 2 px): one interpolation for all."""
    soft = cv2.GaussianBlur(flat, (0, 0), 1.6)
    u = (np.arange(_COLUMNS, dtype=np.float32) + 0.5) / _COLUMNS
    v = ((np.arange(_ROWS, dtype=np.float32) + 0.5) / _ROWS)[:, None]
    origin, right, down = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]
    x, y = (
        (origin[:, k, None, None] + u * right[:, k, None, None] + v * down[:, k, None, None]).reshape(
            -1, _COLUMNS
        )
        for k in (0, 1)
    )
    seen = np.asarray(cv2.remap(soft, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)
    return _unit(perceived(seen).reshape(len(corners), _ROWS, _COLUMNS, 3))


def _corners(
    middle: Sequence[float] | NDArray[np.float64], w: float, h: float, angle: float
) -> NDArray[np.float32]:
    """Corners (4 x 2) of a rectangle, clockwise, the first two at the ends of its upper side of length `w`."""
    turn = math.radians(angle)
    along, across = np.array((math.cos(turn), math.sin(turn))), np.array((-math.sin(turn), math.cos(turn)))
    ends = [(-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2)]
    return np.asarray([np.asarray(middle) + a * along + b * across for a, b in ends], np.float32)


def _three(image: Image) -> Image:
    """The picture with three channels."""
    return image if image.ndim == 3 else np.asarray(cv2.merge([image] * 3), np.uint8)


def _flat(image: Image, rect: Rect, registration: Registration) -> tuple[Image, NDArray[np.float64]]:
    """A rectangle (px) of the picture flattened onto the mat, and the place (mm) of its first pixel."""
    left, top, right, bottom = rect
    x, y = np.meshgrid(np.linspace(left, right, 3), np.linspace(top, bottom, 3))
    mm = registration.to_mm(np.column_stack([x.ravel(), y.ravel()]))
    near, far = mm.min(axis=0), mm.max(axis=0)
    width, height = (max(0, int(side * _PX_MM)) for side in far - near)
    if min(width, height, right - left, bottom - top) < 8 or not np.isfinite(mm).all():
        return np.zeros((0, 0, 3), np.uint8), np.zeros(2)
    across, down = (np.arange(0, side + _NODE, _NODE, dtype=np.float64) for side in (width, height))
    columns, rows = np.meshgrid(across, down)
    nodes = registration.to_px(np.column_stack([columns.ravel(), rows.ravel()]) / _PX_MM + near) - (left, top)
    maps = between(nodes.reshape(*columns.shape, 2))[:height, :width]
    soft = cv2.GaussianBlur(image[top:bottom, left:right], (3, 3), 0.6)
    flat = cv2.remap(soft, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8), near


def _covered(candidate: _Candidate, taken: Sequence[NDArray[np.float32]]) -> NDArray[np.bool_] | None:
    """Mask (TALL x WIDE) of what other cards cover of a candidate; None if nothing does."""
    to_art = np.linalg.inv(pose_of(candidate.corners))
    mask = np.zeros((TALL, WIDE), np.uint8)
    for outline in taken:
        if cv2.intersectConvexConvex(outline, candidate.corners)[0] > 0:
            on_card = cv2.perspectiveTransform(outline[None], to_art)[0]
            cv2.fillConvexPoly(mask, np.round(on_card).astype(np.int32), (1,))
    return mask > 0 if mask.any() else None


def _one_place(one: _Candidate, other: _Candidate) -> bool:
    return math.dist(one.middle, other.middle) < _NEAR * one.size.short * _PX_MM


def _holds(outline: NDArray[np.float32], point: NDArray[np.float32]) -> bool:
    return cv2.pointPolygonTest(outline, (float(point[0]), float(point[1])), False) >= 0


def _card(one: _Named, corner: NDArray[np.float64]) -> ArtCard:
    x, y = one.corners.mean(axis=0) / _PX_MM + corner
    along = (one.corners[1] - one.corners[0]) + (one.corners[2] - one.corners[3])
    angle = math.degrees(math.atan2(float(along[1]), float(along[0])))
    probability = 1 / (1 + math.exp(-_STEEP * one.lead))
    return ArtCard(one.view.name, float(x), float(y), angle, probability)
