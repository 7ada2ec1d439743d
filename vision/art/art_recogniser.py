"""Recognises enrolled cards by their printed art, at any angle."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art.art_align import align, align_finely
from vision.art.art_match import ArtView, coarse, differing, likeness
from vision.art.art_plane import (
    FINE,
    TALL,
    WIDE,
    Matrix,
    art_at,
    card_sides,
    corners_of,
    pose_of,
    without_detail,
)
from vision.art.art_texture import TEXTURE_MARGIN, Agreement
from vision.art.card_outline import card_outline
from vision.art.corner_guess import CardSize, corner_quads
from vision.art.quad_finder import ASPECTS, LONGEST, SHORTEST, Points, Quad, find_edges, find_quads
from vision.codes.code_reader import find_codes
from vision.errors import UnusableError
from vision.reasons import Simple

Image = NDArray[np.uint8]
"""A picture: H x W x 3 (BGR), or H x W (grey)."""

_HARDLY_ALIKE = 0.45
"""_HARDLY_ALIKE: least correlation of local contrast with which an enrolled card is also compared under a
fitted light. Measured: 40 of 40 drawn cards known only under a fitted light (small, or with a lamp mirrored)
had 0.66 or more."""
ACCEPTED, MARGIN = 1.6, 0.3
"""Thresholds for naming a card, in units of `likeness`. ACCEPTED: least likeness. MARGIN: least lead over every
card of another name. Both measured."""
_WORTH = -0.7
"""_WORTH: least `likeness` at 32 x 48 px of a card that is compared at 64 x 96 px, too. A small reflected lamp
may lower it much."""
_FEW_PLACES = 0.25
"""_FEW_PLACES: share of the area in which two cards differ, below which they are much alike, as playing
cards are. Such cards are compared strictly, because a stranger of their deck may differ only beside a lamp.
Measured."""
_SURE = 1.0
"""_SURE: likeness above ACCEPTED at which quality is 1."""
_PROMISING = 0.2
"""_PROMISING: least correlation (-1 to 1) of two cards at 16 x 24 px for a closer comparison."""
_LOOKS = 3
"""_LOOKS: most enrolled cards that are compared closely at one outline."""
_HOPELESS = 0.8
"""_HOPELESS: share of the best correlation at 16 x 24 px. A turn of a card with less is not compared closely.
Once one name agrees, other names with less are not, either."""
_TRIES = 6
"""_TRIES: number of outlines around one place that are compared closely; if none is known, the place counts as
a stranger's."""
_FULL, _SMALLEST = 1920.0, 130.0
"""_FULL: longest side (px) to which a picture is reduced for the first search. _SMALLEST: least longest side
(px) of the last search. Each search halves the picture."""
_ASPECT_OFF = 1.25
"""_ASPECT_OFF: greatest factor by which tilt may change a card's proportions."""
_STICKER_RIM = 1.3
"""_STICKER_RIM: size of a sticker, with rim and blur, divided by the size of its code."""
_GREY = 3
"""_GREY: greatest difference (0 to 255) between the channels of a picture that counts as colourless."""
_ON_FINE = np.array([[FINE, 0, (FINE - 1) / 2], [0, FINE, (FINE - 1) / 2], [0, 0, 1]])
"""_ON_FINE: matrix (3 x 3) from px of a 32 x 48 picture of a card to px of its 64 x 96 picture."""
_ENROL_AT = 640.0
"""_ENROL_AT: longest side (px) to which a picture is reduced before its card is enrolled."""
_PRINTED = 16
"""_PRINTED: least difference (0 to 255) between the lightest and the darkest of 8 x 8 parts of a printed card.
With less nothing is printed on it. A guess."""


@dataclass(frozen=True, slots=True)
class ArtSeen:
    """A card in a picture, recognised by its print.

    `corners`: px, clockwise from the upper left as printed. `quality` (0 to 1): how well it agrees with the
    enrolled card.
    `margin`: lead in `likeness` over the next name; at least 0.3, clear from 1.
    """

    name: str
    corners: tuple[tuple[float, float], ...]
    quality: float
    margin: float


@dataclass(frozen=True, eq=False)
class ArtBook:
    """Book of all enrolled cards, each with views.

    A view is a picture of the card; each has one or more.
    """

    views: tuple[ArtView, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the cards, each once, in order of enrolment."""
        return tuple(dict.fromkeys(view.name for view in self.views))

    def with_views(self, views: Iterable[ArtView]) -> "ArtBook":
        """Copy the book, and add views (pictures of cards).

        A name that is known already keeps its old views.
        """
        return ArtBook((*self.views, *views))

    def without(self, name: str) -> "ArtBook":
        """Copy the book without the views of the card `name`."""
        return ArtBook(tuple(view for view in self.views if view.name != name))

    def twin(self, view: ArtView) -> str | None:
        """Name of another enrolled card that looks too much like `view` to be told apart.

        None if there is none. Cards of the name of `view` do not count.
        """
        for known in self.views:
            if known.name != view.name and any(
                likeness(turn(view.art), known) >= ACCEPTED for turn in (np.asarray, _turned)
            ):
                return known.name
        return None

    def rivals(self, view: ArtView, other: ArtView) -> bool:
        """True if a card in sight that agrees with `view` may also be the card of `other`."""
        pair = (id(view), id(other))
        if pair not in self._rivals:
            arts = (np.asarray(other.art), _turned(other.art))
            self._rivals[pair] = any(view.texture.compared(art, _ON_FINE)[1].possible for art in arts)
        return self._rivals[pair]

    @cached_property
    def _rivals(self) -> dict[tuple[int, int], bool]:
        return {}

    def alike_in_most(self, view: ArtView) -> bool:
        """True if another enrolled card nearly equals `view`.

        They differ only in few places. Then comparison must be strict. Also True if no card of another name is
        enrolled.
        """
        if view.name not in self._alike_in_most:
            shares = [differing(view, other) for other in self.views if other.name != view.name]
            self._alike_in_most[view.name] = min(shares, default=0.0) < _FEW_PLACES
        return self._alike_in_most[view.name]

    @cached_property
    def _alike_in_most(self) -> dict[str, bool]:
        return {}

    @cached_property
    def in_grey(self) -> "ArtBook":
        """The book with all cards in grey, as a camera without colour sees them."""
        return ArtBook(tuple(replace(view, art=_grey(view.art)) for view in self.views))

    @cached_property
    def colourless(self) -> bool:
        """True if any card was enrolled without colour; then all are compared in grey."""
        return any(int(np.ptp(view.art, axis=2).max()) <= _GREY for view in self.views)

    @cached_property
    def coarse(self) -> NDArray[np.float32]:
        """All views at 16 x 24 px, one row each.

        Rows have length 1. The dot product of two rows (-1 to 1) tells how alike two cards are.
        """
        return np.stack([view.coarse for view in self.views])

    @cached_property
    def aspects(self) -> tuple[float, float]:
        """Least and greatest aspect that a card of the book may show in a picture.

        The aspect is the short side divided by the long side. Tilt changes it, and is included.
        """
        shapes = [view.aspect for view in self.views]
        return max(ASPECTS[0], min(shapes) / _ASPECT_OFF), min(1.0, max(shapes) * _ASPECT_OFF)


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """Enrolled view that agrees with a card in a picture.

    A view is a picture of the enrolled card. `corners`: 4 x 2 px in the picture, clockwise from the upper left
    as the card is printed. `likeness`: how well they agree (see `art_match.likeness`). `margin`: lead in
    likeness over the next name.
    """

    view: ArtView
    corners: Points
    likeness: float
    margin: float


@dataclass(eq=False)
class _Start:
    """Guess to be compared closely: a card and its place.

    `view`: the enrolled card. `pose`: where it may lie in `part` of the picture. `promise`: correlation (-1 to
    1) of both at 16 x 24 px.
    """

    view: ArtView
    pose: Matrix
    promise: float
    part: Image

    @cached_property
    def near(self) -> Matrix:
        """Card's pose after alignment in `part`; computed once."""
        return align(self.part, self.pose, self.view.target)


def enrol(name: str, image: Image) -> ArtView:
    """Enrol the single card in a picture under `name`.

    Returns its view. `image`: BGR or grey. A QR sticker on the card is masked. UnusableError if no printed
    card can be found.
    """
    picture, _ = _shrunk(_coloured(image), _ENROL_AT)
    outline = card_outline(_lab(picture)) if min(picture.shape[:2]) >= SHORTEST else None
    view = enrol_at(name, picture, outline) if outline is not None else None
    if view is None or _plain(view.art):
        raise UnusableError(Simple.NO_CARD_SEEN, name)
    return view


def _plain(art: Image) -> bool:
    """True if nothing is printed on a card, as on an outline of bare table.

    `art`: its straightened picture. Such a picture has one colour, apart from noise.
    """
    parts = cv2.resize(art, (8, 8), interpolation=cv2.INTER_AREA)
    return int(np.ptp(parts, axis=(0, 1)).max()) < _PRINTED


def enrol_at(name: str, picture: Image, outline: Points) -> ArtView:
    """Enrol the card at a known outline under `name`.

    `outline`: 4 x 2 px, clockwise; the short side that is farther up in the picture becomes the card's upper
    side. `picture`: BGR. A QR sticker on the card is masked.
    """
    corners = _upright(outline)
    if corners[:2, 1].mean() > corners[2:, 1].mean():
        corners = np.roll(corners, 2, axis=0)
    across, down = card_sides(corners)
    pose = pose_of(corners)
    return ArtView(
        name,
        across / down,
        art_at(without_detail(picture, corners, FINE), pose, FINE),
        _stickers(picture, pose),
    )


def recognise(image: Image, book: ArtBook) -> list[ArtSeen]:
    """Recognise every enrolled card in a picture, best first.

    `image`: BGR or grey. Strangers and doubtful cards are left out. Cards must be at least 45 px wide. They are
    found by their four edges, and then beside other cards. Empty for an empty book or a tiny picture.
    """
    if not book.views or min(image.shape[:2]) < SHORTEST:
        return []
    if image.ndim == 2 or book.colourless:
        image, book = _grey(_coloured(image)), book.in_grey
    picture, scale = _shrunk(_coloured(image), _FULL)
    small, shrink = _shrunk(picture, 2 * _SMALLEST)
    alone = identify(small, _whole(small), book)
    found = [] if alone is None else [_scaled(alone, 1 / shrink)]
    step, least = 1.0, SHORTEST
    while alone is None:
        here = _at_this_size(picture, book, [_scaled(one, 1 / step) for one in found], least)
        found += [_scaled(one, step) for one in here]
        if max(picture.shape[:2]) / 2 < _SMALLEST:
            break
        picture = np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
        step, least = 2 * step, LONGEST / 3
    return [
        ArtSeen(
            one.view.name,
            tuple((float(x) / scale, float(y) / scale) for x, y in one.corners),
            min(1.0, 0.5 + 0.5 * (one.likeness - ACCEPTED) / _SURE),
            one.margin,
        )
        for one in sorted(found, key=lambda one: -one.likeness)
    ]


def _at_this_size(picture: Image, book: ArtBook, before: Sequence[Match], least: float) -> list[Match]:
    """Recognise cards in a picture: by their four edges, then beside others, then by single corners.

    `before`: cards found in it so far. `least`: shortest side (px) of a card.
    """
    edges = find_edges(_lab(picture))
    here = _known(picture, find_quads(edges, book.aspects, (least, LONGEST)), book, before)
    here += _known(picture, _beside(here, picture), book, [*before, *here])
    if here:
        size = CardSize.of([one.corners for one in here], float(np.median([one.view.aspect for one in here])))
        known = [*before, *here]
        here += _known(picture, corner_quads(edges, size, [one.corners for one in known]), book, known)
    return here


def identify(image: Image, corners: Points, book: ArtBook) -> Match | None:
    """Find the enrolled card that lies at an outline.

    None if no enrolled card agrees, or two do. `image`: BGR. `corners`: the outline (4 x 2 px, clockwise), at
    most 10 % off.
    """
    corners = _upright(corners)
    reach = 0.15 * max(card_sides(corners))
    left, top = np.maximum(0, np.floor(corners.min(axis=0) - reach)).astype(int)
    right, bottom = np.ceil(corners.max(axis=0) + reach).astype(int)
    part = image[top : int(bottom), left : int(right)]
    if min(part.shape[:2]) < 8:
        return None
    offset = np.array([left, top], np.float32)
    fine, part = without_detail(part, corners, FINE), without_detail(part, corners)
    across, down = card_sides(corners)
    turns = (0, 2) if across < ASPECTS[1] * down else (0, 1, 2, 3)
    poses = [pose_of(np.roll(corners - offset, turn, axis=0)) for turn in turns]
    agree = book.coarse @ np.stack([coarse(art_at(part, pose)) for pose in poses], axis=1)
    starts = list(_starts(agree, book, poses, part))
    found, alike = by_texture(fine, [(start.view, start.pose) for start in starts], book)
    if found is None:
        left = [start for start in starts if alike.get(start.view.name, -1) >= _HARDLY_ALIKE]
        found = _by_light(fine, left, across, book)
    return None if found is None else replace(found, corners=found.corners + offset)


def _starts(
    agree: NDArray[np.float32], book: ArtBook, poses: Sequence[Matrix], part: Image
) -> Iterator[_Start]:
    """Choose views and turns to compare closely, most promising first.

    `agree`: correlations (-1 to 1) at 16 x 24 px, views x poses, which decide. `poses`: one for each turn of
    the card. `part`: part of the picture that holds the card.
    """
    strongest: dict[str, float] = {}
    for flat in np.argsort(-agree, axis=None, kind="stable"):
        number, turn = divmod(int(flat), len(poses))
        view, promise = book.views[number], float(agree[number, turn])
        if promise < _PROMISING or (len(strongest) >= _LOOKS and view.name not in strongest):
            break
        if promise >= _HOPELESS * strongest.setdefault(view.name, promise):
            yield _Start(view, poses[turn], promise, part)


def by_texture(
    fine: Image, starts: Iterable[tuple[ArtView, Matrix]], book: ArtBook
) -> tuple[Match | None, dict[str, float]]:
    """Find the enrolled view whose local contrast agrees everywhere.

    Returns the match, and name -> best correlation (-1 to 1) of the whole card. The match is None if no view
    agrees, or views of two names do. `starts`: views, each with a pose off by 2 px of an `Art` at most, most
    promising first. `fine`: BGR picture, in which the card has the detail of 64 x 96 px.
    """
    best: tuple[Agreement, ArtView, Matrix] | None = None
    tried: list[tuple[str, Agreement]] = []
    for view, start in starts:
        # In noise and blur cards are alike that are told apart as they were enrolled.
        if best is not None and (
            view.name == best[1].name or (best[0].clear and not book.rivals(best[1], view))
        ):
            continue
        pose, agreement = view.texture.compared(fine, start)
        tried.append((view.name, agreement))
        if agreement.sure and (best is None or agreement.whole > best[0].whole):
            best = (agreement, view, pose)
    alike: dict[str, float] = {}
    for name, one in tried:
        alike[name] = max(one.whole, alike.get(name, -1.0))
    if best is None:
        return None, alike
    agreement, view, pose = best
    rivals = (one.likeness for name, one in tried if name != view.name and one.possible)
    margin = agreement.likeness - max(rivals, default=0.0)
    if margin < TEXTURE_MARGIN:
        return None, alike
    return Match(view, corners_of(pose), agreement.likeness, margin), alike


def _by_light(fine: Image, starts: Sequence[_Start], across: float, book: ArtBook) -> Match | None:
    """Find the enrolled view that explains a card's light.

    The light is fitted to each view. None if no view does, or views of two names do. Reflected lamps are
    ignored. `fine`: BGR picture with the card. `starts`: views and poses that are tried, most promising first.
    `across`: width (px) of the card.
    """
    tried: dict[str, tuple[float, ArtView, Matrix]] = {}
    for start in starts:
        view = start.view
        found = max((one[0] for one in tried.values()), default=-np.inf)
        if found >= ACCEPTED and start.promise < _HOPELESS * starts[0].promise:
            break
        if likeness(art_at(start.part, start.near), view, across) < _WORTH:
            continue
        pose = align_finely(fine, start.near, view.target)
        alike = likeness(art_at(fine, pose, FINE), view, across, strict=book.alike_in_most(view))
        if alike > tried.get(view.name, (-np.inf,))[0]:
            tried[view.name] = (alike, view, pose)
    ranked = sorted(tried.values(), key=lambda one: -one[0])
    if not ranked:
        return None
    alike, view, pose = ranked[0]
    margin = alike - max(ranked[1][0] if len(ranked) > 1 else 0.0, 0.0)
    return Match(view, corners_of(pose), alike, margin) if alike >= ACCEPTED and margin >= MARGIN else None


def _known(picture: Image, quads: Sequence[Quad], book: ArtBook, before: Sequence[Match]) -> list[Match]:
    """Recognise the cards at outlines of a picture, except where a card is known.

    Returns only new ones. `quads`: outlines, the best supported first. `before`: cards known already.
    """
    found: list[Match] = []
    taken = list(before)
    failed: list[Points] = []
    for quad in quads:
        middle, size = quad.corners.mean(axis=0), float(np.sqrt(quad.area))
        if any(_overlap(quad.corners, one.corners) for one in taken):
            continue
        if failed and (np.abs(np.stack(failed) - middle).max(axis=1) < 0.2 * size).sum() >= _TRIES:
            continue
        one = identify(picture, quad.corners, book)
        if one is None or any(_overlap(one.corners, other.corners) for other in taken):
            failed.append(middle)
        else:
            taken.append(one)
            found.append(one)
    return found


def _beside(found: Sequence[Match], picture: Image) -> list[Quad]:
    """Outlines next to known cards, where others may touch.

    Two pale cards that touch may show no edge between them. `found`: the known cards. The outlines have a
    support of 0.
    """
    near = []
    size = np.array(picture.shape[1::-1])
    for one in found:
        pose = pose_of(one.corners)
        for right, down in ((1, 0), (-1, 0), (2, 0), (-2, 0), (0, 1), (0, -1)):
            shift = np.array([[1, 0, right * WIDE], [0, 1, down * TALL], [0, 0, 1]], np.float64)
            corners = corners_of(pose @ shift)
            if (corners.mean(axis=0) >= 0).all() and (corners.mean(axis=0) < size).all():
                near.append(Quad(corners, 0.0))
    return near


def _overlap(first: Points, second: Points) -> bool:
    """True if one outline's middle lies within the other."""
    pairs = ((first, second), (second, first))
    return any(
        cv2.pointPolygonTest(a, (float(b[:, 0].mean()), float(b[:, 1].mean())), measureDist=False) >= 0
        for a, b in pairs
    )


def _scaled(one: Match, factor: float) -> Match:
    return Match(one.view, (one.corners + 0.5) * factor - 0.5, one.likeness, one.margin)


def _coloured(image: Image) -> Image:
    return image if image.ndim == 3 else np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)


def _stickers(picture: Image, pose: Matrix) -> NDArray[np.bool_]:
    """Mask (TALL x WIDE) of a card: True under QR stickers and their white rims.

    `pose`: where the card lies in `picture` (BGR).
    """
    hidden = np.zeros((TALL, WIDE), np.uint8)
    for code in find_codes(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)):
        corners = np.array(code.corners, np.float64)
        rim = corners.mean(axis=0) + (corners - corners.mean(axis=0)) * _STICKER_RIM
        on_card = cv2.perspectiveTransform(rim[None], np.linalg.inv(pose))[0]
        cv2.fillConvexPoly(hidden, np.round(on_card).astype(np.int32), (1,))
    return hidden > 0


def _grey(image: Image) -> Image:
    """Remove a BGR picture's colour; it keeps three channels."""
    return _coloured(np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8))


def _turned(art: Image) -> Image:
    return np.ascontiguousarray(art[::-1, ::-1])


def _shrunk(image: Image, longest: float) -> tuple[Image, float]:
    scale = min(1.0, longest / max(image.shape[:2]))
    if scale == 1.0:
        return image, scale
    height, width = (max(1, round(scale * side)) for side in image.shape[:2])
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8), scale


def _lab(picture: Image) -> NDArray[np.float32]:
    return np.asarray(cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)


def _whole(picture: Image) -> Points:
    height, width = picture.shape[:2]
    return np.array(
        [(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)], np.float32
    )


def _upright(corners: Points) -> Points:
    """Reorder a card's corners (4 x 2) so that its first side is a short one."""
    across, down = card_sides(corners)
    return np.roll(corners, -1, axis=0) if across > down else corners
