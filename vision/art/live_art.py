"""Names cards on a mat by their printed pictures."""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.art.art_match import likeness
from vision.art.art_plane import FINE, TALL, WIDE, Matrix, art_at, corners_of, pose_of
from vision.art.art_recogniser import ACCEPTED, MARGIN, ArtBook, by_texture
from vision.art.flat_picture import PX_MM, Flat, flattened, reflections, without_reflections
from vision.art.rectangle_search import MOST, Image, Rectangle, directions, find_rectangles
from vision.art.template_bank import USUAL_MM, KindBank, Size, coarse_at
from vision.mat.registration import Rect, Registration

_PROMISING = 0.35
"""_PROMISING: least correlation with an enrolled card, both at 16 x 24 px, with which a rectangle is
examined."""
_AGREES = 0.45
"""_AGREES: least correlation at 16 x 24 px after alignment; a place with less is no known card."""
_ALIKE = 0.6
"""_ALIKE: least correlation of two cards at 32 x 48 px for a comparison at 64 x 96. A reflected lamp may lower
it."""
_RIVAL = 0.8
"""_RIVAL: least correlation, as a share of the best one, with which another enrolled card is compared closely
as well."""
_CLEARLY = 0.35
"""_CLEARLY: lead in likeness over another card, guessed from correlations, above which that card is not
compared closely."""
_SURELY = 3.0
"""_SURELY: lead in likeness that is assumed while no other card is possible. It leaves no doubt."""
_KINDS = 2
"""_KINDS: most enrolled cards that are aligned and compared closely at one place."""
_TEXTURES = 4
"""_TEXTURES: most enrolled cards whose local contrast is compared at one place. Measured: aligned with another
one, a tile of half the light was third."""
_TRIES = 2
"""_TRIES: most rectangles around one place that are examined closely before the place counts as a stranger."""
_ONE_TRY = 0.04
"""_ONE_TRY: distance of corners, as a share of the short side, below which two outlines would be aligned
alike; only one is tried."""
_SAME_TURN = 4.0
"""_SAME_TURN: difference of turns (degrees) below which two rectangles would be aligned alike; only one is
tried."""
_NEAR = 0.25
"""_NEAR: distance of two middles, as a share of the short side, below which two places count as one."""
_LOOKS_MOST = 24
"""_LOOKS_MOST: most places examined closely in a picture. Each takes about 3 ms."""
_FAINT_MOST = 1280
"""_FAINT_MOST: most rectangles examined where the strongest ones are no card. Measured: with 640, one of five
dark cards in sleeves was missed."""
_VISIBLE = 0.55
"""_VISIBLE: least share of a card that must be in sight for it to be named."""
_HIDDEN_LEAST = 0.05
"""_HIDDEN_LEAST: least share of a card that must be hidden for a search by its visible parts. With less, its
four sides suffice."""
_BETWEEN = 0.2
"""_BETWEEN: a place that is hidden by more than this share, and not named, is not reported: it may be the gap
between cards."""
_SIDES_SHOW, _HIDDEN_MOST = 0.5, 8
"""_SIDES_SHOW: least mean strength (0 to 1) of the visible sides of a half-hidden card. _HIDDEN_MOST: most such
places that are compared."""
_STEEP = 8.0
"""_STEEP: slope of the logistic function from lead in likeness to probability: a lead of 0.3 gives 0.92, 0.6
gives 0.99."""
_EDGES_TOO, _SHADOW_TOO = 1.12, 1.06
"""Factors by which a known card's outline is grown. _EDGES_TOO: to cover its edges and shadow. _SHADOW_TOO: to
cover its shadow on a card beneath."""
_HALF = np.array([[0.5, 0, -0.25], [0, 0.5, -0.25], [0, 0, 1]])
"""Matrix (3 x 3) from px of a picture to px of the picture at half its size."""
_TURNS = [pose_of(np.roll(corners_of(np.eye(3)), turn, axis=0)) for turn in range(4)]
"""_TURNS: matrices (3 x 3) that map an art to itself, turned by 0, 1, 2 and 3 quarters."""
_HALF_BACK = np.linalg.inv(_HALF)


@dataclass(frozen=True, slots=True)
class ArtCard:
    """Card on the mat, known by its printed picture.

    `kind`: name of the enrolled card. `x`, `y`: middle (mm on the mat). `angle`: clockwise turn (degrees) from
    how it was enrolled. `probability` (0 to 1): that it is of this kind, if it is an enrolled card at all.
    """

    kind: str
    x: float
    y: float
    angle: float
    probability: float


@dataclass(frozen=True, slots=True)
class ArtLook:
    """Result of one search for cards in a picture.

    `cards`: those named. `unknown`: middles (mm) of places that look like a card but could not be named.
    `left`: number of places not examined for lack of time; a further search, told of these cards, examines
    them.
    """

    cards: tuple[ArtCard, ...]
    unknown: tuple[tuple[float, float], ...] = ()
    left: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class _Candidate:
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


@dataclass(frozen=True, slots=True, eq=False)
class _Named:
    """Candidate that was named: the card's kind, corners (4 x 2 px), and lead in likeness."""

    kind: str
    corners: NDArray[np.float32]
    lead: float


class LiveArt:
    """Recogniser of cards on a mat by their print.

    `book`: the cards. `looks_most`: most places examined closely in a picture.
    """

    def __init__(self, book: ArtBook, looks_most: int = _LOOKS_MOST) -> None:
        self._books = {True: book, False: book.in_grey}
        self._banks: dict[bool, KindBank] = {}
        self._looks_most = looks_most
        self.kinds = frozenset(book.names)
        """Names of the enrolled kinds, which can be recognised."""
        longs = [(view.short_mm or USUAL_MM) / view.aspect for view in book.views]
        self.reach_mm = max(longs, default=0.0) / 2
        """Distance (mm) from the middle of the longest card to its end; 0 for an empty book."""

    def look(
        self, image: Image, rect: Rect, registration: Registration, known: Collection[ArtCard] = ()
    ) -> ArtLook:
        """Name the cards in part of a picture, except `known` ones.

        `image`: BGR or grey. `rect`: the part (px). `registration`: where the mat lies in the picture. Nothing
        is found in a part that is too small.
        """
        colour = image.ndim == 3 and not self._books[True].colourless
        book = self._books[colour]
        if not book.views:
            return ArtLook(())
        if colour not in self._banks:
            self._banks[colour] = _bank(book)
        bank = self._banks[colour]
        flat = flattened(image, rect, registration, colour=colour)
        if flat is None:
            return ArtLook(())
        taken = [_outline(card, bank, flat.corner) for card in known]
        return self._search(flat, book, bank, [one for one in taken if one is not None])

    def _search(self, flat: Flat, book: ArtBook, bank: KindBank, taken: list[NDArray[np.float32]]) -> ArtLook:
        search = _Search(book, bank, taken, self._looks_most)
        ways: list[float] = []
        full = False
        for _ in range(2):
            # A card that lies askew among straight ones shows its direction when those are known.
            rest = None if not ways else _uncovered(flat.half, taken)
            now = directions(flat.half, rest, ways)
            candidates, more = _candidates(flat, bank, now, taken, MOST)
            search.go(flat, candidates)
            # Rectangles on the cards that were found may have left no room for those of fainter ones.
            search.left += more and bool(search.found)
            full |= more
            ways += now
        if full and not search.found:
            # In dim light the sides of a card are fainter than many a line printed on it.
            search.go(flat, _candidates(flat, bank, ways, taken, _FAINT_MOST)[0])
        if any(_overlaps(one.outline, taken) for one in search.failed):
            told = len(search.failed)
            search.go(flat, _half_hidden(flat, bank, ways, taken))
            del search.failed[told:]  # sides that nobody sees are mostly those of nothing
        shine = reflections(flat, taken)
        if shine is not None:
            dull = without_reflections(flat, shine)
            beneath = [
                one
                for one in _candidates(dull, bank, ways, taken, MOST)[0]
                if _covered(one.pose, one.outline, (), shine) is not None
            ]
            search.go(dull, beneath, shine)
        unknown: list[tuple[float, float]] = []
        for candidate in search.failed:
            # A place on several cards, or between two, is no card.
            free = _hidden(candidate.outline, taken) <= _BETWEEN
            free &= not any(_holds(outline, candidate.middle) for outline in taken)
            if free and not any(math.dist(candidate.middle, at) < USUAL_MM * _NEAR for at in unknown):
                unknown.append((float(candidate.middle[0]), float(candidate.middle[1])))
        return ArtLook(
            tuple(_card(one, flat.corner) for one in search.found),
            tuple((x / PX_MM + flat.corner[0], y / PX_MM + flat.corner[1]) for x, y in unknown),
            search.left,
        )


class _Search:
    """Search for cards in one picture: results so far.

    `taken`: outlines (4 x 2 px) of cards that are known or found. `looks_most`: most places examined closely.
    `found`, `failed`: candidates that were named, and those that were not. `left`: number of places that were
    not examined.
    """

    def __init__(
        self, book: ArtBook, bank: KindBank, taken: list[NDArray[np.float32]], looks_most: int
    ) -> None:
        self.taken = taken
        self.found: list[_Named] = []
        self.failed: list[_Candidate] = []
        self.left = 0
        self._book, self._bank, self._looks = book, bank, looks_most

    def go(self, flat: Flat, candidates: Sequence[_Candidate], shine: NDArray[np.uint8] | None = None) -> None:
        """Examine candidates closely; add them to `found` or `failed`.

        Candidates with their middle beneath a known card are skipped. Parts beneath known cards or a
        reflection (mask `shine`) are not compared.
        """
        before = len(self.failed)
        since = 0 if shine is None else before  # what failed with a lamp on it may be known without
        for candidate in candidates:
            if any(_holds(outline, candidate.middle) for outline in self.taken):
                continue
            tries = sum(_one_place(candidate, other) for other in self.failed[before:])
            if tries >= _TRIES or any(_same_try(candidate, other) for other in self.failed[since:]):
                continue
            if self._looks <= 0:
                self.left += not tries
                continue
            self._looks -= 1
            covered = _covered(candidate.pose, candidate.outline, self.taken, shine)
            named = _closely(flat, candidate, self._book, self._bank, covered)
            if named is None:
                self.failed.append(candidate)
            elif not any(_holds(outline, named.corners.mean(axis=0)) for outline in self.taken):
                self.found.append(named)
                self.taken.append(named.corners)


def _bank(book: ArtBook) -> KindBank:
    """Prepare the templates of all enrolled cards, so that the first card in sight is not delayed."""
    for view in book.views:
        book.alike_in_most(view)
        _ = view.soft  # a cached property
    return KindBank(book.views)


def _closely(
    flat: Flat, candidate: _Candidate, book: ArtBook, bank: KindBank, covered: NDArray[np.bool_] | None
) -> _Named | None:
    """Name a candidate after close comparison with enrolled cards.

    None for a stranger, if two kinds are possible, or if too little shows. `flat`: picture of the mat from
    above. `book`: the enrolled cards, in `bank` grouped by size. `covered` (TALL x WIDE): True where something
    lies on the card; None: nowhere.
    """
    if covered is not None and covered.mean() > 1 - _VISIBLE:
        return None
    pose = _HALF_BACK @ bank.aligned(flat.half, _HALF @ candidate.pose, candidate.view, covered)
    # Turned by half, many cards of a deck differ from themselves in one emblem, and the alignment cannot tell.
    # A square one may have been enrolled at any turn.
    ways = [(pose, covered)]
    if covered is None:
        ways += [(pose @ _TURNS[turn], None) for turn in candidate.size.turns if turn]
    else:
        ways.append((pose @ _TURNS[2], np.ascontiguousarray(covered[::-1, ::-1])))
    turned = [bank.agreement(flat.half, _HALF @ way, candidate.size, covers) for way, covers in ways]
    agree, best = np.max(turned, axis=0), np.argmax(turned, axis=0)
    order = [int(n) for n in np.argsort(-agree, kind="stable")]
    if covered is None:
        # Another lamp or camera changes tones, which local contrast does not show.
        starts = [(bank.views[candidate.size.views[n]], ways[best[n]][0]) for n in order[:_TEXTURES]]
        first, way = starts[0]
        starts.insert(1, (first, way @ _TURNS[2]))
        known, _ = by_texture(flat.whole, starts, book)
        if known is not None:
            return _Named(known.view.name, known.corners, known.margin)
    if float(agree[order[0]]) < _ALIKE:
        return None
    pose, covered = ways[best[order[0]]]
    return _by_light(flat, candidate, book, bank, covered, agree, order, pose)


def _by_light(
    flat: Flat,
    candidate: _Candidate,
    book: ArtBook,
    bank: KindBank,
    covered: NDArray[np.bool_] | None,
    agree: NDArray[np.float32],
    order: Sequence[int],
    pose: Matrix,
) -> _Named | None:
    """Name the kind that explains a candidate under fitted light.

    None if no kind does, or two do. `flat`: picture of the mat from above. `book`: the enrolled cards, in
    `bank` grouped by size. `covered` (TALL x WIDE): True where something lies on the card. `agree`:
    correlation of each view of this size, at its best turn; `order`: their indices, best
    first. `pose`: where the candidate lies, as the best one is turned.
    """
    best = float(agree[order[0]])
    first = candidate.size.views[order[0]]
    if first != candidate.view:
        pose = _HALF_BACK @ bank.aligned(flat.half, _HALF @ pose, first, covered)
    tried: dict[str, tuple[float, Matrix]] = {}
    promised = _SURELY
    for n in order:
        view = bank.views[candidate.size.views[n]]
        if tried and view.name not in tried:
            # The share of a card that another one leaves unexplained tells the lead over it.
            ahead = 0.5 * math.log((1.001 - float(agree[n])) / (1.001 - best))
            if ahead > _CLEARLY or len(tried) >= _KINDS:
                promised = ahead
                break
        tried.setdefault(view.name, (-math.inf, pose))
        strict = book.alike_in_most(view)
        for here, mask in _both_ways(flat, bank, pose, candidate.size.views[n], covered):
            art = art_at(flat.whole, here, FINE)
            alike = likeness(art, view, flat.across, strict=strict, covered=mask, blurs=(0, 2))
            if alike > tried[view.name][0]:
                tried[view.name] = alike, here
            if alike >= ACCEPTED:
                break
    ranked = sorted(tried.items(), key=lambda one: -one[1][0])
    (name, (alike, pose)), *others = ranked
    lead = alike - max(others[0][1][0] if others else 0.0, 0.0)
    if alike < ACCEPTED or lead < MARGIN:
        return None
    return _Named(name, corners_of(pose), min(lead, promised if promised > _CLEARLY else lead))


def _both_ways(
    flat: Flat, bank: KindBank, pose: Matrix, view: int, covered: NDArray[np.bool_] | None
) -> Iterator[tuple[Matrix, NDArray[np.bool_] | None]]:
    """Give a card's pose and mask as they are, then turned by half and aligned again.

    Turned by half, many cards differ from themselves in one emblem, and the alignment cannot tell. `flat`:
    picture of the mat from above. `view`: number of the enrolled view, in `bank`. `covered` (TALL x WIDE):
    True where something lies on the card.
    """
    yield pose, covered
    half = None if covered is None else np.ascontiguousarray(covered[::-1, ::-1])
    yield _HALF_BACK @ bank.aligned(flat.half, _HALF @ pose @ _TURNS[2], view, half), half


def _candidates(
    flat: Flat,
    bank: KindBank,
    ways: Sequence[float],
    taken: Sequence[NDArray[np.float32]],
    most: int,
) -> tuple[list[_Candidate], bool]:
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
    poses = _HALF @ np.stack([_upright((one.x, one.y), *sides[one.size], one.angle) for one in rectangles])
    coarse = coarse_at(flat.quarter, poses)
    agree = [bank.sizes[one.size].coarse @ seen for one, seen in zip(rectangles, coarse, strict=True)]
    promise = np.array([float(one.max()) for one in agree])
    kept: list[int] = []
    starts: list[tuple[int, int, Matrix]] = []
    for place in (int(n) for n in np.argsort(-promise, kind="stable")):
        one, size = rectangles[place], bank.sizes[rectangles[place].size]
        near = _NEAR * size.short * scale
        if promise[place] < _PROMISING:
            break
        here = (rectangles[n] for n in kept)
        if sum(math.dist((one.x, one.y), (other.x, other.y)) < near for other in here) >= _TRIES:
            continue
        kept.append(place)
        tried: list[str] = []
        for index in np.argsort(-agree[place], axis=None, kind="stable")[: 2 * _KINDS]:
            number, turn = divmod(int(index), len(size.turns))
            name = bank.views[size.views[number]].name
            if agree[place][number, turn] < _RIVAL * promise[place] or len(tried) >= _KINDS:
                break
            if name not in tried:
                tried.append(name)
                starts.append((place, size.views[number], poses[place] @ _TURNS[size.turns[turn]]))
    if not starts:
        return [], full
    places, views, turned = zip(*starts, strict=True)
    aligned, agreed = bank.aligned_coarsely(flat.quarter, np.stack(turned), np.array(views))
    found: dict[int, _Candidate] = {}
    for n in np.argsort(-agreed, kind="stable"):
        if agreed[n] >= _AGREES and places[n] not in found:
            pose = _HALF_BACK @ _HALF_BACK @ aligned[n]
            size = bank.sizes[rectangles[places[n]].size]
            found[places[n]] = _Candidate(size, pose, corners_of(pose), views[n])
    return list(found.values()), full


def _half_hidden(
    flat: Flat, bank: KindBank, ways: Sequence[float], taken: Sequence[NDArray[np.float32]]
) -> list[_Candidate]:
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
    for one in find_rectangles(flat.half, sides, ways, shows=_uncovered(flat.half, taken)):
        short, long = sides[one.size]
        outline = _corners((2 * one.x, 2 * one.y), 2 * short, 2 * long, one.angle)
        if one.support < _SIDES_SHOW or not _overlaps(outline, taken):
            continue
        if any(_holds(other, outline.mean(axis=0)) for other in taken):
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
    coarse = coarse_at(flat.quarter, _HALF @ np.stack([place.upright for place in places]))
    promise = [float((place.size.coarse @ seen).max()) for place, seen in zip(places, coarse, strict=True)]
    return [places[int(n)] for n in np.argsort(promise)[::-1][:_HIDDEN_MOST]]


def _fits(
    flat: Flat, bank: KindBank, place: _Place, taken: Sequence[NDArray[np.float32]]
) -> Iterator[tuple[float, _Candidate]]:
    """Compare each turn of a card at a place: (agreement, candidate) of those that fit.

    The agreement is the correlation (-1 to 1) of the card's visible part with its most similar kind. Turns
    with less than 0.45 are left out. `flat`: picture of the mat from above. `bank`: enrolled cards. `taken`:
    outlines of known cards.
    """
    size = place.size
    for turn in size.turns:
        pose = _HALF_BACK @ place.upright @ _TURNS[turn]
        outline = corners_of(pose)
        agree = bank.agreement(flat.half, _HALF @ pose, size, _covered(pose, outline, taken))
        best = int(np.argmax(agree))
        if agree[best] >= _AGREES:
            yield float(agree[best]), _Candidate(size, pose, outline, size.views[best])


def _overlaps(outline: NDArray[np.float32], taken: Sequence[NDArray[np.float32]]) -> bool:
    """True if known cards hide some of an outline, but leave enough to name it.

    `taken`: outlines of known cards.
    """
    return _HIDDEN_LEAST <= _hidden(outline, taken) <= 1 - _VISIBLE


def _hidden(outline: NDArray[np.float32], taken: Sequence[NDArray[np.float32]]) -> float:
    """Share (0 to 1) of an outline that lies under known cards.

    `taken`: outlines of the known cards. Where several overlap, the share may be above 1.
    """
    shares = (cv2.intersectConvexConvex(other, outline)[0] for other in taken)
    return float(sum(shares)) / cv2.contourArea(outline)


def _same_rectangle(one: Rectangle, other: Rectangle, short: float) -> bool:
    """True if two rectangles are so near that alignments from both would end alike.

    `short`: their short side (px).
    """
    near = math.dist((one.x, one.y), (other.x, other.y)) < _ONE_TRY * short
    return near and one.size == other.size and abs((one.angle - other.angle + 90) % 180 - 90) < _SAME_TURN


def _uncovered(half: Image, taken: Sequence[NDArray[np.float32]]) -> NDArray[np.uint8]:
    """Mask a picture at half size: 0 on known cards and their edges, else 1.

    `taken`: outlines of the known cards in px of the whole picture.
    """
    shows = np.ones(half.shape[:2], np.uint8)
    for outline in taken:
        cv2.fillConvexPoly(shows, np.round(_grown(outline, _EDGES_TOO) / 2).astype(np.int32), (0,))
    return shows


def _grown(outline: NDArray[np.float32], times: float) -> NDArray[np.float32]:
    middle = outline.mean(axis=0)
    return np.asarray(middle + (outline - middle) * times, np.float32)


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


def _outline(card: ArtCard, bank: KindBank, corner: NDArray[np.float64]) -> NDArray[np.float32] | None:
    """Known card's corners (4 x 2 px, flat picture).

    None if its kind is not enrolled. `corner`: place of the flat picture's first pixel (mm).
    """
    for size in bank.sizes:
        if any(bank.views[number].name == card.kind for number in size.views):
            middle = (np.array((card.x, card.y)) - corner) * PX_MM
            return _corners(middle, size.short * PX_MM, size.long * PX_MM, card.angle)
    return None


def _corners(
    middle: Sequence[float] | NDArray[np.float64], w: float, h: float, angle: float
) -> NDArray[np.float32]:
    """Corners (4 x 2) of a rectangle, clockwise from its upper left.

    `w`: length of its upper and lower side. `angle`: clockwise turn (degrees).
    """
    turn = math.radians(angle)
    along, across = np.array((math.cos(turn), math.sin(turn))), np.array((-math.sin(turn), math.cos(turn)))
    ends = [(-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2)]
    return np.asarray([np.asarray(middle) + a * along + b * across for a, b in ends], np.float32)


def _covered(
    pose: Matrix,
    outline: NDArray[np.float32],
    taken: Sequence[NDArray[np.float32]],
    shine: NDArray[np.uint8] | None = None,
) -> NDArray[np.bool_] | None:
    """Mask (TALL x WIDE) of a card: True where covered.

    `pose`: of the card. None if nothing does. `outline`: the card's corners. `taken`: outlines of other cards.
    `shine`: mask of a reflection.
    """
    mask = np.zeros((TALL, WIDE), np.uint8)
    if shine is not None:
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        mask = np.asarray(cv2.warpPerspective(shine, pose, (WIDE, TALL), flags=flags), np.uint8)
        # What was drawn there reaches a little farther once it is turned and blurred.
        mask = np.asarray(cv2.dilate(mask, np.ones((3, 3), np.uint8)), np.uint8)
    for other in taken:
        if cv2.intersectConvexConvex(other, outline)[0] > 0:
            on_card = cv2.perspectiveTransform(_grown(other, _SHADOW_TOO)[None], np.linalg.inv(pose))[0]
            cv2.fillConvexPoly(mask, np.round(on_card).astype(np.int32), (1,))
    return mask > 0 if mask.any() else None


def _one_place(one: _Candidate, other: _Candidate) -> bool:
    return math.dist(one.middle, other.middle) < _NEAR * one.size.short * PX_MM


def _same_try(one: _Candidate, other: _Candidate) -> bool:
    """True if two candidates are so near that alignments from both would end alike."""
    reach = _ONE_TRY * one.size.short * PX_MM
    return one.view == other.view and float(np.abs(one.outline - other.outline).max()) < reach


def _holds(outline: NDArray[np.float32], point: NDArray[np.float32]) -> bool:
    return cv2.pointPolygonTest(outline, (float(point[0]), float(point[1])), False) >= 0


def _card(one: _Named, corner: NDArray[np.float64]) -> ArtCard:
    x, y = one.corners.mean(axis=0) / PX_MM + corner
    along = (one.corners[1] - one.corners[0]) + (one.corners[2] - one.corners[3])
    angle = math.degrees(math.atan2(float(along[1]), float(along[0])))
    probability = 1 / (1 + math.exp(-_STEEP * one.lead))
    return ArtCard(one.kind, float(x), float(y), angle, probability)
