"""Candidate actions that may explain the table and its signs."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.games.claims import Verdict
from companion.games.signs import Sign, Verb
from companion.games.sleepless_princess.rules.actions import (
    Action,
    Claim,
    Deck,
    Discard,
    Done,
    Final,
    Know,
    Later,
    Lay,
    Look,
    Move,
    MoveOn,
    Open,
    Recount,
    Seat,
    Skip,
    Take,
    Touch,
)
from companion.games.sleepless_princess.rules.card_kinds import (
    KIND_OF_TEXT,
    UNKNOWN,
    UNKNOWN_FACE,
    WITCH,
    face_from_text,
)
from companion.games.sleepless_princess.rules.cardsets import ROW_SIZE, Cards, unseen
from companion.games.sleepless_princess.rules.legal_actions import faces_left
from companion.games.sleepless_princess.rules.plays import plays_but_one, plays_of_all
from companion.games.sleepless_princess.rules.state import AWAKE, Phase, State
from companion.games.sleepless_princess.rules.turn_flow import row_lacks
from companion.games.sleepless_princess.sensing.appearance import (
    LEFT,
    UNREAD_OPEN,
    bed_name,
    bed_numbered,
    dreams,
    expected_view,
    kinds_text,
    needed_kinds,
)
from companion.games.sleepless_princess.sensing.turned_up_mattresses import reveal
from companion.games.sleepless_princess.sensing.unseen_turns import MISCOUNTED, SPENT
from companion.games.sleepless_princess.wording import judge

Kinds = tuple[str, ...]


class Clues(NamedTuple):
    """Signs without an action so far, by likely meaning.

    Beds count from 0; cards and faces are kinds.
    """

    pressed: tuple[int, ...]
    """Beds whose claim button was pressed, in order of time."""
    came: tuple[tuple[int | None, Kinds], ...]
    """(bed, kinds) of cards that appeared, in order of time. None: at the foot of some bed."""
    swept: frozenset[Kinds]
    """Kinds of each heap of cards that left the play zone together."""
    piled: frozenset[int]
    """Kinds seen for the first time on the discard pile."""
    tapped: frozenset[int]
    """Faces of mattresses whose tag was read at the pad. Tags of other cards are ignored."""
    felt: frozenset[int]
    """Faces of mattresses whose texture the pad felt."""
    touched: frozenset[int]
    """Beds whose electrode felt a finger."""
    looked: frozenset[int]
    """Beds at whose foot something appeared: a sign that somebody looked through the glass there."""
    lifted: frozenset[int]
    """Beds whose scale lost a mattress."""
    put: frozenset[int]
    """Beds whose scale gained a mattress."""
    covered: frozenset[int]
    """Beds with a hand on the scale, or staying above it."""
    off: frozenset[int]
    """Beds whose scale lost its whole load."""
    lately: frozenset[int]
    """Beds onto which a mattress was laid a short time ago, perhaps by mistake: it may be moved on to another.
    """
    unread: bool
    """An unread open card was swept away."""
    drawn: bool
    """A hand was over the deck."""


@lru_cache(maxsize=256)
def clues(signs: tuple[Sign, ...], beds: int) -> Clues:
    """Sort signs without an action so far.

    The signs are sorted by their likely meaning. `beds`: number of beds on the table.
    """
    found: dict[Verb, dict[int, None]] = defaultdict(dict)
    for verb, place, _ in signs:
        bed = bed_numbered(place, beds)
        if bed is not None:
            found[verb][bed] = None
    came = [(place, kinds) for verb, place, kinds in signs if verb == Verb.CAME]
    feet = (place.removeprefix("foot ") for place, _ in came if place.startswith("foot "))
    tapped = _first_kinds(signs, (Verb.TAG, "pad"))
    piled = _first_kinds(signs, (Verb.NEW, "discard"))
    return Clues(
        pressed=tuple(found[Verb.PRESS]),
        came=tuple((bed_numbered(place, beds), kinds) for place, kinds in came),
        swept=frozenset(kinds for verb, place, kinds in signs if (verb, place) == LEFT),
        piled=frozenset(KIND_OF_TEXT[kind] for kind in piled if kind in KIND_OF_TEXT),
        tapped=frozenset(face_from_text(kind) for kind in tapped if kind[1:] in ("t", "s")),
        felt=frozenset(
            face_from_text(kind) for verb, _, kinds in signs if verb == Verb.TEXTURE for kind in kinds
        ),
        touched=frozenset(found[Verb.TOUCH]),
        looked=frozenset(int(number) - 1 for number in feet),
        lifted=frozenset(found[Verb.LIFT]),
        put=frozenset(found[Verb.PUT]),
        covered=frozenset(found[Verb.HAND] | found[Verb.STAY]),
        off=frozenset(found[Verb.OFF]),
        lately=frozenset(found[Verb.MOVED_ON]),
        unread=any(sign[:2] == UNREAD_OPEN[:2] for sign in signs),
        drawn=any(sign[:2] == (Verb.REACH, "deck") for sign in signs),
    )


def _first_kinds(signs: Iterable[Sign], sign: tuple[str, str]) -> list[str]:
    return [kinds[0] for verb, place, kinds in signs if (verb, place) == sign]


Zones = Mapping[str, Kinds]
Counts = Mapping[str, int]
Actions = tuple[Action, ...]

SWEPT = 3
"""Least number of missing open cards that makes one suspect a witch. A guess.

A witch sweeps all open cards away.
"""

# Size of each cache. Many hypotheses ask about one and the same table.
_KEPT = 1 << 10
_DONE, _LATER, _SPENT = Done(), Later(), Recount(0)


def propose(state: State, zones: Zones, counts: Counts, signs: Sequence[Sign]) -> Iterable[Action]:
    """Actions that may explain what the sensors report; illegal ones may be among them.

    `zones`: zone name -> kinds there. `counts`: station -> mattresses on its scale. `signs`: signs that no
    action explains so far.
    """
    clue = clues(tuple(signs), len(state.beds))
    if state.phase is Phase.SETUP:
        yield from _setting_up(state, zones, counts, clue)
        return
    # If the board was away, turned up mattresses tell of a button press nobody heard.
    shown_beds = (bed for bed, kinds in clue.came if bed is not None and kinds and kinds[0][0] != "P")
    for bed in dict.fromkeys((*clue.pressed, *shown_beds)):
        if state.fates[bed] == AWAKE and state.phase is not Phase.OVER:
            yield from _claims(state, bed, clue)
    if _may_be_spent(state, zones.get("play", ()), clue):
        yield _SPENT
    yield from _moves_on(clue.lifted & clue.lately, clue.put)
    yield from _in_phase(state, zones, counts, clue)


def _in_phase(state: State, zones: Zones, counts: Counts, clue: Clues) -> Iterable[Action]:
    """Actions of the phase that the turn has come to. `counts`: station -> mattresses on its scale."""
    row, pile = zones.get("row"), zones.get("discard", ())
    match state.phase:
        case Phase.PLAY:
            heaps = clue.swept | {zones.get("play", ())}
            yield from _turns(heaps, pile, state.discard[-state.fresh :], clue.piled)
            yield from _filled_later(state, row, clue)
        case Phase.CHECK:
            yield _DONE
            if zones.get("play") and (clue.drawn or _taken(state.row, row)):
                yield _LATER
            yield from _checks(state, counts, clue)
            yield from _filled_later(state, row, clue)
        case Phase.DRAW:
            if state.played:
                yield _DONE
            yield from _draws(state.row, row, "W" in pile)
            yield from _filled_later(state, row, clue)
        case Phase.LAY:
            if state.played:
                yield _DONE
            witch = "W" in pile or _swept(state.row, row or ())
            yield from _more_than_thought(state, row)
            yield from _laid_open(state.row, row or (), witch=witch, unread=clue.unread)
            if zones.get("play") or clue.swept:
                yield _LATER
        case Phase.FINAL:
            if _turned_up(state, clue) and not _sleeps_by_tile(state, zones):
                yield _final(state, clue)


def _known(seen: Kinds) -> list[int]:
    return [KIND_OF_TEXT[kind] for kind in seen if kind in KIND_OF_TEXT]


@lru_cache(maxsize=_KEPT)
def _swept(row: Cards, seen: Kinds) -> bool:
    """True if a witch probably swept the open row.

    No card is seen there, or SWEPT or more are missing. `row`: cards believed there. `seen`: kinds seen there.
    """
    known = _known(seen)
    return not known or (Counter(row) - Counter(known)).total() >= SWEPT


def _may_be_spent(state: State, play: Kinds, clue: Clues) -> bool:
    """True if the deck may be empty, although it was believed to hold cards after turns that nobody watched.

    The reason: a turn begins before the cards due are drawn or opened. `play`: kinds in the play zone.
    """
    waits = state.phase is Phase.LAY or (state.phase is Phase.DRAW and not state.row)
    begun = bool(clue.swept) or (bool(play) and kinds_text(_known(play)) != expected_view(state).zones["play"])
    return waits and begun and UNKNOWN in state.discard and 0 < len(state.deck) <= MISCOUNTED


def _filled_later(state: State, row: Kinds | None, clue: Clues) -> Actions:
    """Actions that fill an open row which was short when the turn began; () if none is due.

    `row`: kinds seen in the row; None if nobody watches it.
    """
    if row_lacks(state) <= 0:
        return ()
    more = _more_than_thought(state, row)
    if not state.deck and UNKNOWN in state.discard:
        return more
    return (*more, *_laid_open(state.row, row or (), witch=_swept(state.row, row or ()), unread=clue.unread))


def _more_than_thought(state: State, row: Kinds | None) -> Actions:
    """Recount of a deck believed too small after turns that nobody watched; () if none is due.

    One is due if a card was opened although, as believed, only witches were left. `row`: kinds seen in the open
    row; None if nobody watches it.
    """
    missed = state.discard.count(UNKNOWN)
    if not missed:
        return ()
    witches, deck = unseen(state)[WITCH], len(state.deck)
    if deck > witches or not Counter(_known(row or ())) - Counter(state.row):
        return ()
    # If possible one unread card stays on the pile. Otherwise the deck would count as known and could not
    # be found empty.
    return (Recount(deck + min(missed, max(witches + 1 - deck, min(SPENT, missed - 1)))),)


def _taken(row: Cards, seen: Kinds | None) -> bool:
    """True if a card of the open row is missing from the kinds seen there.

    False if nobody watches the row.
    """
    return seen is not None and bool(Counter(row) - Counter(_known(seen)))


@lru_cache(maxsize=_KEPT)
def _draws(row: Cards, seen: Kinds | None, witch: bool) -> Actions:
    gone = set(row) if seen is None else Counter(row) - Counter(_known(seen))
    witches = (Deck(WITCH),) if witch or _swept(row, seen or ()) else ()
    return (*(Take(kind) for kind in gone), Deck(), *witches)


@lru_cache(maxsize=_KEPT)
def _laid_open(row: Cards, seen: Kinds, *, witch: bool, unread: bool = False) -> Actions:
    opened = tuple(Open(kind) for kind in Counter(_known(seen)) - Counter(row))
    # An unread open card becomes known only when it is swept away.
    return (*opened, *((Open(UNKNOWN),) if unread else ()), *((Open(WITCH),) if witch else ()))


@lru_cache(maxsize=_KEPT)
def _turns(heaps: frozenset[Kinds], pile: Kinds, fresh: Cards, piled: frozenset[int]) -> Actions:
    """Actions that begin a turn: plays and discards of seen cards, or a skip.

    `heaps`: kinds that lie in the play zone, or were swept from it together. `pile`: kinds seen on the
    discard pile.
    `fresh`: cards laid on it last. `piled`: kinds seen there for the first time.
    """
    found: list[Action] = []
    for heap in sorted(heaps):
        cards = tuple(sorted(_known(heap)))
        if 1 <= len(cards) <= 2:
            found.append(Discard(cards))
        # One card of the play may never have been visible.
        found += (*plays_of_all(cards), *plays_but_one(cards))
    # A card hidden in the play zone may show on the discard pile, or stay unseen.
    on_top = {kind for kind in (set(_known(pile)) - set(fresh)) | piled if kind != WITCH}
    for kind in sorted(on_top):
        found += [Discard((kind,)), Discard((min(kind, UNKNOWN), max(kind, UNKNOWN)))]
    for heap in sorted(heaps):
        if len(heap) == 1 and heap[0] in KIND_OF_TEXT:
            seen = KIND_OF_TEXT[heap[0]]
            others = sorted({*on_top, UNKNOWN})
            found += [Discard((min(seen, kind), max(seen, kind))) for kind in others]
    return (*found, Skip())


def _seats(clue: Clues) -> Iterable[Action]:
    for bed, kinds in clue.came:
        if bed is not None and len(kinds) == 1 and kinds[0][0] == "P":
            yield Seat(bed, int(kinds[0][1:-1]))


def _setting_up(state: State, zones: Zones, counts: Counts, clue: Clues) -> Iterable[Action]:
    size, row = state.game.variant.mattresses_per_bed, zones.get("row", ())
    yield from _seats(clue)
    weighed = [bed for bed in range(len(state.beds)) if bed_name(bed) in counts]
    # A full open row shows that all mattresses are dealt, even if a scale missed some.
    dealt = len(_known(row)) == ROW_SIZE
    for bed in weighed:
        untold = dealt and len(state.beds[bed]) < size
        if bed in clue.put or untold or counts[bed_name(bed)] > len(state.beds[bed]):
            yield from _lays(bed, clue.tapped | _felt(state, clue))
    if dealt:
        # A bed without a scale gets unknown mattresses, one after another.
        blind = (bed for bed, pile in enumerate(state.beds) if bed not in weighed and len(pile) < size)
        yield from (Lay(bed, UNKNOWN_FACE) for bed in list(blind)[:1])
    yield from _laid_open(state.row, row, witch=False)
    if zones.get("play"):
        yield _LATER


@lru_cache(maxsize=_KEPT)
def _lays(bed: int, tapped: frozenset[int]) -> Actions:
    return tuple(Lay(bed, face) for face in sorted(tapped | {UNKNOWN_FACE}))


def _checks(state: State, counts: Counts, clue: Clues) -> Iterable[Action]:
    off = [counts.get(bed_name(bed), len(pile)) - len(pile) for bed, pile in enumerate(state.beds)]
    sources = clue.lifted.union(bed for bed, more in enumerate(off) if more < 0)
    targets = clue.put.union(bed for bed, more in enumerate(off) if more > 0)
    yield from _moves(clue.touched | sources, clue.looked | sources, sources, targets, clue.covered)
    if not state.looks:
        yield from (Look(bed, extra=True) for bed in sorted(clue.looked))
    yield from _half_weighed(len(state.beds), counts, sorted(sources), sorted(targets))
    if clue.tapped or clue.felt:
        yield from _learned(state, sorted(clue.touched | clue.looked | sources), clue)


def _half_weighed(number: int, counts: Counts, sources: list[int], targets: list[int]) -> Iterable[Action]:
    """Moves of which a scale may have reported one end only.

    A scale that is away reports neither loss nor gain. If no scale lost a mattress, or none gained one, any
    scale may be stuck. The rules then limit which mattresses may be moved. `number`: of beds. `counts`:
    station -> mattresses on its scale. `sources`, `targets`: beds that lost a mattress, or gained one.
    """
    beds = range(number)
    away = [bed for bed in beds if counts and bed_name(bed) not in counts]
    if targets:
        givers = away if sources else beds
        yield from (Move(source, target) for source in givers for target in targets)
    if sources:
        takers = away if targets else beds
        yield from (Move(source, target) for source in sources for target in takers if target != source)


def _learned(state: State, beds: list[int], clue: Clues) -> Iterable[Action]:
    """Players learn the face of a bed's bottom mattress. `beds`: where somebody checked one."""
    faces = sorted(clue.tapped.intersection(faces_left(state)) | _felt(state, clue))
    bottoms = (state.beds[bed][0] for bed in beds if state.beds[bed])
    for slot in bottoms:
        if state.faces[slot] == UNKNOWN_FACE:
            yield from (Know(slot, face) for face in faces)


def _felt(state: State, clue: Clues) -> frozenset[int]:
    """Faces that a mattress felt on the pad may have.

    They are textured ones, and a smooth one if it is the last. `clue`: signs without an action so far.
    """
    if not clue.felt:
        return frozenset()
    left = faces_left(state)
    smooth = [face for face in left if face & 1]
    return frozenset(face for face in clue.felt if face in left and (not face & 1 or len(smooth) == 1))


@lru_cache(maxsize=_KEPT)
def _moves(
    touched: frozenset[int],
    looked: frozenset[int],
    sources: frozenset[int],
    targets: frozenset[int],
    covered: frozenset[int],
) -> Actions:
    # A hand that rests on a bed may have touched without being felt.
    touches = [Touch(bed) for bed in sorted(touched | covered)]
    # A mattress lifted and put back was felt on the pad, or moved to the top of its own bed.
    touches += [Touch(bed, on_pad=True) for bed in sorted((sources & targets) | covered)]
    looks = (Look(bed) for bed in sorted(looked))
    moves = (Move(source, target) for source in sorted(sources) for target in sorted(targets))
    # Beneath a hand, a mattress may have been moved to the top of its own bed.
    back = (Move(bed, bed) for bed in sorted(covered - (sources & targets)))
    return (*touches, *looks, *moves, *back)


@lru_cache(maxsize=_KEPT)
def _moves_on(lifted: frozenset[int], put: frozenset[int]) -> Actions:
    return tuple(MoveOn(source, target) for source in sorted(lifted) for target in sorted(put - {source}))


def _turned_up(state: State, clue: Clues) -> bool:
    """True if the final check's beds are all turned up.

    A bed whose claim known faces refute need not be. For a proved bed it is enough that its
    scale was emptied.
    """
    seen = {bed for bed, _ in clue.came if bed is not None}
    found: dict[Verdict, Collection[int]] = {
        Verdict.REFUTED: range(len(state.beds)),
        Verdict.PROVED: seen | clue.off,
        Verdict.CANNOT_TELL: seen,
    }
    awake = (bed for bed, cards in enumerate(state.beds) if cards and state.fates[bed] == AWAKE)
    return bool(seen | clue.off) and all(bed in found[judge(state, bed).verdict] for bed in awake)


def _sleeps_by_tile(state: State, zones: Zones) -> bool:
    """True if a tile, dreaming side up, says that a princess sleeps though known faces refute it.

    The players know better, so those faces must not decide the end. `zones`: zone name -> kinds seen there.
    """
    awake = (bed for bed, fate in enumerate(state.fates) if fate == AWAKE)
    dreaming = (bed for bed in awake if dreams(state, bed, zones.get(bed_name(bed))))
    return any(judge(state, bed).verdict is Verdict.REFUTED for bed in dreaming)


def _final(state: State, clue: Clues) -> Final:
    """The final check, which turns up every bed still awake, as an action.

    Beds whose outcome known faces decide get None. For any other: True if just its princess's mattresses were
    seen there.
    """
    asleep: list[bool | None] = []
    for bed in range(len(state.beds)):
        if state.fates[bed] != AWAKE or judge(state, bed).verdict is not Verdict.CANNOT_TELL:
            asleep.append(None)
            continue
        needed = tuple(sorted(needed_kinds(state, bed)))
        asleep.append((bed, needed) in clue.came)
    return Final(tuple(asleep) if any(found is not None for found in asleep) else ())


def _claims(state: State, bed: int, clue: Clues) -> Iterable[Action]:
    known = judge(state, bed).verdict
    if known is not Verdict.CANNOT_TELL:
        yield Claim(bed)
    for kinds in (kinds for place, kinds in clue.came if place == bed):
        tile = any(kind[0] == "P" for kind in kinds)
        if known is not Verdict.CANNOT_TELL:
            if not tile and _decides(state, bed, kinds, known):
                yield Claim(bed, known is Verdict.PROVED)
            continue
        if dreams(state, bed, kinds):
            yield Claim(bed, True)  # players who saw all cards laid her tile there
        if not tile:
            # With fewer mattresses than she needs, one is hidden or missing: both outcomes are possible.
            if len(kinds) == len(state.beds[bed]) and kinds == tuple(sorted(needed_kinds(state, bed))):
                yield Claim(bed, True)
            yield Claim(bed, False)


def _decides(state: State, bed: int, kinds: Kinds, known: Verdict) -> bool:
    """True if mattresses turned up on a bed decide its claim by themselves, which shows that it was made.

    Its button press was missed, or its verdict waits for the cards. `known`: what is believed of the claim.
    """
    found = reveal(state, bed, kinds)
    if found is None:
        return False
    right, refuted = not found.wrong, known is Verdict.REFUTED
    # A foreign mattress decides it, even with more cards than believed; so does a part of a wrong bed.
    return (found.verdict is known and (right or refuted)) or (right and refuted)
