"""Names cards on a mat by their printed pictures."""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.art.art_match import likeness
from vision.art.art_plane import FINE, Matrix, art_at, corners_of
from vision.art.art_recogniser import ACCEPTED, MARGIN, ArtBook, by_texture
from vision.art.card_overlap import LEAST_VISIBLE, covered_part, hidden_share, holds, overlaps, uncovered
from vision.art.card_places import (
    FROM_HALF,
    MOST_KINDS,
    MOST_TRIES,
    NEAR,
    TO_HALF,
    TURNS,
    Candidate,
    half_hidden_places,
    likely_places,
    one_place,
    rectangle_corners,
    same_try,
)
from vision.art.flat_picture import PX_MM, Flat, flattened, reflections, without_reflections
from vision.art.rectangle_search import MOST, Image, directions
from vision.art.template_bank import USUAL_MM, KindBank
from vision.mat.registration import Rect, Registration

_ALIKE = 0.6
"""_ALIKE: least correlation of two cards at 32 x 48 px for a comparison at 64 x 96. A reflected lamp may lower
it."""
_CLEARLY = 0.35
"""_CLEARLY: lead in likeness over another card, guessed from correlations, above which that card is not
compared closely."""
_SURELY = 3.0
"""_SURELY: lead in likeness that is assumed while no other card is possible. It leaves no doubt."""
_MOST_TEXTURES = 4
"""_MOST_TEXTURES: most enrolled cards whose local contrast is compared at one place. Measured: aligned with
another one, a tile of half the light was third."""
_LOOKS_MOST = 24
"""_LOOKS_MOST: most places examined closely in a picture. Each takes about 3 ms."""
_FAINT_MOST = 1280
"""_FAINT_MOST: most rectangles examined where the strongest ones are no card. Measured: with 640, one of five
dark cards in sleeves was missed."""
_BETWEEN = 0.2
"""_BETWEEN: a place that is hidden by more than this share, and not named, is not reported: it may be the gap
between cards."""
_STEEP = 8.0
"""_STEEP: slope of the logistic function from lead in likeness to probability: a lead of 0.3 gives 0.92, 0.6
gives 0.99."""


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
            rest = None if not ways else uncovered(flat.half, taken)
            now = directions(flat.half, rest, ways)
            candidates, more = likely_places(flat, bank, now, taken, MOST)
            search.go(flat, candidates)
            # Rectangles on the cards that were found may have left no room for those of fainter ones.
            search.left += more and bool(search.found)
            full |= more
            ways += now
        if full and not search.found:
            # In dim light the sides of a card are fainter than many a line printed on it.
            search.go(flat, likely_places(flat, bank, ways, taken, _FAINT_MOST)[0])
        if any(overlaps(one.outline, taken) for one in search.failed):
            told = len(search.failed)
            search.go(flat, half_hidden_places(flat, bank, ways, taken))
            del search.failed[told:]  # sides that nobody sees are mostly those of nothing
        shine = reflections(flat, taken)
        if shine is not None:
            dull = without_reflections(flat, shine)
            beneath = [
                one
                for one in likely_places(dull, bank, ways, taken, MOST)[0]
                if covered_part(one.pose, one.outline, (), shine) is not None
            ]
            search.go(dull, beneath, shine)
        unknown = _unknown(search.failed, taken)
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
        self.failed: list[Candidate] = []
        self.left = 0
        self._book, self._bank, self._looks = book, bank, looks_most

    def go(self, flat: Flat, candidates: Sequence[Candidate], shine: NDArray[np.uint8] | None = None) -> None:
        """Examine candidates closely; add them to `found` or `failed`.

        Candidates with their middle beneath a known card are skipped. Parts beneath known cards or a
        reflection (mask `shine`) are not compared.
        """
        before = len(self.failed)
        since = 0 if shine is None else before  # what failed with a lamp on it may be known without
        for candidate in candidates:
            if any(holds(outline, candidate.middle) for outline in self.taken):
                continue
            tries = sum(one_place(candidate, other) for other in self.failed[before:])
            if tries >= MOST_TRIES or any(same_try(candidate, other) for other in self.failed[since:]):
                continue
            if self._looks <= 0:
                self.left += not tries
                continue
            self._looks -= 1
            covered = covered_part(candidate.pose, candidate.outline, self.taken, shine)
            named = _closely(flat, candidate, self._book, self._bank, covered)
            if named is None:
                self.failed.append(candidate)
            elif not any(holds(outline, named.corners.mean(axis=0)) for outline in self.taken):
                self.found.append(named)
                self.taken.append(named.corners)


def _unknown(failed: Sequence[Candidate], taken: Sequence[NDArray[np.float32]]) -> list[tuple[float, float]]:
    """Middles (px) of places that look like a card but could not be named.

    `failed`: those examined. `taken`: outlines of known cards.
    """
    unknown: list[tuple[float, float]] = []
    for candidate in failed:
        # A place on several cards, or between two, is no card.
        free = hidden_share(candidate.outline, taken) <= _BETWEEN
        free &= not any(holds(outline, candidate.middle) for outline in taken)
        if free and not any(math.dist(candidate.middle, at) < USUAL_MM * NEAR for at in unknown):
            unknown.append((float(candidate.middle[0]), float(candidate.middle[1])))
    return unknown


def _bank(book: ArtBook) -> KindBank:
    """Prepare the templates of all enrolled cards, so that the first card in sight is not delayed."""
    for view in book.views:
        book.alike_in_most(view)
        _ = view.soft  # a cached property
    return KindBank(book.views)


def _closely(
    flat: Flat, candidate: Candidate, book: ArtBook, bank: KindBank, covered: NDArray[np.bool_] | None
) -> _Named | None:
    """Name a candidate after close comparison with enrolled cards.

    None for a stranger, if two kinds are possible, or if too little shows. `flat`: picture of the mat from
    above. `book`: the enrolled cards, in `bank` grouped by size. `covered` (TALL x WIDE): True where something
    lies on the card; None: nowhere.
    """
    if covered is not None and covered.mean() > 1 - LEAST_VISIBLE:
        return None
    pose = FROM_HALF @ bank.aligned(flat.half, TO_HALF @ candidate.pose, candidate.view, covered)
    # Turned by half, many cards of a deck differ from themselves in one emblem, and the alignment cannot tell.
    # A square one may have been enrolled at any turn.
    ways = [(pose, covered)]
    if covered is None:
        ways += [(pose @ TURNS[turn], None) for turn in candidate.size.turns if turn]
    else:
        ways.append((pose @ TURNS[2], np.ascontiguousarray(covered[::-1, ::-1])))
    turned = [bank.agreement(flat.half, TO_HALF @ way, candidate.size, covers) for way, covers in ways]
    agree, best = np.max(turned, axis=0), np.argmax(turned, axis=0)
    order = [int(n) for n in np.argsort(-agree, kind="stable")]
    if covered is None:
        # Another lamp or camera changes tones, which local contrast does not show.
        starts = [(bank.views[candidate.size.views[n]], ways[best[n]][0]) for n in order[:_MOST_TEXTURES]]
        first, way = starts[0]
        starts.insert(1, (first, way @ TURNS[2]))
        known, _ = by_texture(flat.whole, starts, book)
        if known is not None:
            return _Named(known.view.name, known.corners, known.margin)
    if float(agree[order[0]]) < _ALIKE:
        return None
    pose, covered = ways[best[order[0]]]
    return _by_light(flat, candidate, book, bank, covered, agree, order, pose)


def _by_light(
    flat: Flat,
    candidate: Candidate,
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
    correlation of each view of this size, at its best turn; `order`: their indices, best first. `pose`: where
    the candidate lies, as the best one is turned.
    """
    best = float(agree[order[0]])
    first = candidate.size.views[order[0]]
    if first != candidate.view:
        pose = FROM_HALF @ bank.aligned(flat.half, TO_HALF @ pose, first, covered)
    tried: dict[str, tuple[float, Matrix]] = {}
    promised = _SURELY
    for n in order:
        view = bank.views[candidate.size.views[n]]
        if tried and view.name not in tried:
            # The share of a card that another one leaves unexplained tells the lead over it.
            ahead = 0.5 * math.log((1.001 - float(agree[n])) / (1.001 - best))
            if ahead > _CLEARLY or len(tried) >= MOST_KINDS:
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
    yield FROM_HALF @ bank.aligned(flat.half, TO_HALF @ pose @ TURNS[2], view, half), half


def _outline(card: ArtCard, bank: KindBank, corner: NDArray[np.float64]) -> NDArray[np.float32] | None:
    """Known card's corners (4 x 2 px, flat picture).

    None if its kind is not enrolled. `corner`: place of the flat picture's first pixel (mm).
    """
    for size in bank.sizes:
        if any(bank.views[number].name == card.kind for number in size.views):
            middle = (np.array((card.x, card.y)) - corner) * PX_MM
            return rectangle_corners(middle, size.short * PX_MM, size.long * PX_MM, card.angle)
    return None


def _card(one: _Named, corner: NDArray[np.float64]) -> ArtCard:
    x, y = one.corners.mean(axis=0) / PX_MM + corner
    along = (one.corners[1] - one.corners[0]) + (one.corners[2] - one.corners[3])
    angle = math.degrees(math.atan2(float(along[1]), float(along[0])))
    probability = 1 / (1 + math.exp(-_STEEP * one.lead))
    return ArtCard(one.kind, float(x), float(y), angle, probability)
