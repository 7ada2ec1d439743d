"""How states and actions of Sleepless Princess look to sensors."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from companion.games.appearance import Expectation
from companion.games.signs import ANY_KINDS, UNKNOWN_KIND, Sign, Verb
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
    Play,
    Recount,
    Seat,
    Skip,
    Take,
    Touch,
)
from companion.games.sleepless_princess.rules.card_kinds import (
    KIND_TEXT,
    UNKNOWN,
    UNKNOWN_FACE,
    WITCH,
    face_text,
)
from companion.games.sleepless_princess.rules.cardsets import Cards
from companion.games.sleepless_princess.rules.legal_actions import faces_left, legal_actions
from companion.games.sleepless_princess.rules.plays import looks_earned
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, OUT, Phase, State, Variant

LEFT = (Verb.LEFT, "play")
"""(verb, place) of every sign that cards left the play zone, whatever their kinds."""
TAKEN_GLASS = Sign(Verb.LEFT, "glass", ("G",))
"""Sign: the looking glass was taken from its place."""
TOP = Sign(Verb.TOP, "discard", ANY_KINDS)
"""Sign: another card lies on top of the discard pile."""
UNREAD_OPEN = Sign(Verb.UNREAD, "row")
"""Sign: an unread open card was swept away with the row."""
SILENT = Sign(Verb.SILENT)
"""Sign: a mattress was dealt, and neither its tag nor its texture was read."""
LATER = Sign(Verb.LATER)
"""Sign: people put a step off, against the rules. No sensor reports it; it makes that explanation less
likely."""
RECOUNTED = Sign(Verb.RECOUNTED)
"""Sign: the believed number of cards in the deck was corrected. No sensor reports it."""
BENEATH = Sign(Verb.BENEATH)
"""Sign: the card under a blanket was never read."""
ON_PAD = Sign(Verb.ON_PAD)
"""Sign: a mattress was felt on the pad although its bed has an electrode."""
IDLE = Sign(Verb.IDLE)
"""Sign: nobody checked a mattress after a play. Rare, because plays are made to check."""
IRREGULAR = Sign(Verb.IRREGULAR)
"""Sign: a forbidden action. No sensor reports it; it makes that explanation less likely."""
UNTOUCHED = Sign(Verb.UNTOUCHED)
"""Sign: the player looked, but left out the touch, which is free."""


@lru_cache(maxsize=16)
def bed_name(bed: int) -> str:
    """Name that a bed's mat zone and its station share: "bed 1" for bed 0."""
    return f"bed {bed + 1}"


def dreams(state: State, bed: int, kinds: tuple[str, ...] | None) -> bool:
    """True if a bed shows its princess's dreaming tile alone.

    The tile lies dreaming side up; people turn it so when she sleeps. `bed`: from 0. `kinds`: kinds seen in
    the zone; None: nobody watches it.
    """
    return kinds == (f"P{state.princesses[bed]}D",)


def bed_at(state: State, place: str) -> int | None:
    """Bed (from 0) of a zone or station.

    None for other places, and for beds not in the game.
    """
    return bed_numbered(place, len(state.beds))


@lru_cache(maxsize=256)
def bed_numbered(place: str, beds: int) -> int | None:
    """Bed (from 0) of a zone or station, at a table with so many `beds`.

    None for other places.
    """
    number = place.removeprefix("bed ")
    if number == place or not number.isdecimal() or not 1 <= int(number) <= beds:
        return None
    return int(number) - 1


def kinds_text(kinds: Iterable[int]) -> tuple[str, ...]:
    """Kinds of deck cards as sensors report them: texts, sorted."""
    return tuple(sorted(KIND_TEXT[kind] for kind in kinds))


def faces_text(faces: Iterable[int]) -> tuple[str, ...]:
    """Mattress faces as sensors report them: texts, sorted."""
    return tuple(sorted(face_text(face) for face in faces))


def expected_view(state: State) -> Expectation:
    """What sensors should report while the table looks like `state`.

    They see open cards and the top of the discard pile, and weigh the mattresses of each bed. A sleeping
    princess's bed has no predicted number, because her tile lies on its scale. From the final check on no bed
    has one, because all are turned up.
    """
    weighed = state.phase < Phase.FINAL
    carried = tuple(
        len(mattresses) if weighed and fate != ASLEEP else None
        for mattresses, fate in zip(state.beds, state.fates, strict=True)
    )
    begun = state.phase is Phase.PLAY
    return _expected(state.row, state.played, state.discard[-state.fresh :], carried, begun)


@lru_cache(maxsize=1 << 11)
def _expected(
    row: Cards, played: Cards, tops: Cards, carried: tuple[int | None, ...], begun: bool
) -> Expectation:
    return Expectation(
        zones={"row": kinds_text(row), "play": kinds_text(_read(played))},
        tops={"discard": frozenset(kinds_text(tops))},
        counts={bed_name(bed): number for bed, number in enumerate(carried) if number is not None},
        begun=frozenset({"play"} if begun else ()),
    )


def _read(played: Cards) -> Cards:
    """Kinds of the played cards, without an unread one under the blanket."""
    return tuple(kind for kind in played if kind != UNKNOWN)


def signs(state: State, action: Action) -> tuple[Sign, ...]:  # noqa: C901 - one case for each kind of action
    """Traces that an action, done in `state`, leaves for the sensors, in order.

    Cards that stay on the table are no sign: `expected_view` of the next state contains them.
    """
    match action:
        case Seat(bed, princess):
            return (Sign(Verb.CAME, bed_name(bed), (f"P{princess}A",)),)
        case Lay(bed, face):
            put = Sign(Verb.PUT, bed_name(bed))
            felt = _felt(state, Verb.TEXTURE, face)
            return (SILENT, felt, put) if face == UNKNOWN_FACE else (felt._replace(verb=Verb.TAG), felt, put)
        case Discard(cards):
            return (Sign(Verb.LEFT if len(cards) > 1 else Verb.SINGLE, "play", kinds_text(cards)), TOP)
        case Play(_, covered):
            return (BENEATH,) if covered == UNKNOWN else ()
        case Later():
            return (LATER,)
        case Recount():
            return (RECOUNTED,)
        case Done():
            swept = (Sign(Verb.LEFT, "play", kinds_text(_read(state.played))), TOP)
            if state.touches and state.checked:
                return (*swept, UNTOUCHED)
            return (*swept, IDLE) if state.touches and not _looked(state) else swept
        case Touch(bed, on_pad):
            return (*_moved(state, bed, bed), ON_PAD) if on_pad else (Sign(Verb.TOUCH, bed_name(bed)),)
        case Look(bed, extra):
            look = (TAKEN_GLASS, Sign(Verb.GLANCE, f"foot {bed + 1}", ("G",)))
            return (*look, IRREGULAR) if extra else look
        case Move(source, target):
            moved = _moved(state, source, target)
            return (*moved, UNTOUCHED) if state.touches else moved
        case MoveOn(source, target):
            came = Sign(Verb.MOVED_ON, bed_name(source))
            return (Sign(Verb.LIFT, bed_name(source)), Sign(Verb.PUT, bed_name(target)), came)
        case Know(_, face):
            felt = _felt(state, Verb.TEXTURE, face)
            return (felt._replace(verb=Verb.TAG), felt)
        case Skip():
            # A player who skips knocks on the empty deck place, because no card shows the turn.
            return (Sign(Verb.REACH, "deck"),)
        case Take(kind):
            return (_row(Verb.GONE, kind),)
        case Deck(known) | Open(known):
            kind = state.deck[-1] if known is None else known
            return _from_deck(state, kind, laid_open=isinstance(action, Open))
        case Claim(bed, asleep):
            press = Sign(Verb.PRESS, bed_name(bed))
            if asleep is None:
                return (press,)
            needed = tuple(sorted(needed_kinds(state, bed)))
            return (press, Sign(Verb.CAME, bed_name(bed), needed if asleep else ANY_KINDS))
        case Final():
            return tuple(_all_turned_up(state))
    return ()


def _all_turned_up(state: State) -> Iterator[Sign]:
    """Signs of the end of the game, at which the beds of all who are awake are turned up."""
    for bed, mattresses in enumerate(state.beds):
        if state.fates[bed] == AWAKE and mattresses:
            yield Sign(Verb.OFF, bed_name(bed))
            yield Sign(Verb.SHOWN, bed_name(bed), _turned_up(state, mattresses))


def _from_deck(state: State, kind: int, *, laid_open: bool) -> tuple[Sign, ...]:
    """Traces of a card taken from the deck. `laid_open`: it is laid into the open row."""
    reach: tuple[Sign, ...] = (Sign(Verb.REACH, "deck"),) if state.phase is not Phase.SETUP else ()
    if kind == WITCH:
        seen = (_row(Verb.GONE, open_card) for open_card in state.row if open_card != UNKNOWN)
        return (*reach, *seen, TOP)
    if laid_open:
        return (UNREAD_OPEN,) if kind == UNKNOWN else (*reach, _row(Verb.NEW, kind))
    return reach


def _looked(state: State) -> bool:
    """True if a mattress was looked at this turn.

    Players look through the glass.
    """
    earned = looks_earned(state.game.variant.name, state.played)
    return earned is not None and state.looks < earned


def _row(verb: Verb, kind: int) -> Sign:
    return Sign(verb, "row", (KIND_TEXT[kind],))


def _moved(state: State, source: int, target: int) -> tuple[Sign, ...]:
    lift = Sign(Verb.LIFT, bed_name(source))
    put = Sign(Verb.PUT, bed_name(target))
    face = state.faces[state.beds[source][0]] if state.beds[source] else UNKNOWN_FACE
    felt = _felt(state, Verb.PRESSED, face)
    # A read tag would identify the mattress, so an unknown mattress left no tag.
    tag = (UNKNOWN_KIND,) if face == UNKNOWN_FACE else felt.kinds
    return (lift, Sign(Verb.VISIT, "pad", tag), felt, put)


def _felt(state: State, verb: Verb, face: int) -> Sign:
    """Sign that the pad felt a mattress with this face.

    `verb`: TEXTURE or PRESSED. An unknown mattress may have any of the smooth faces left; if
    one is left, feeling it identifies the mattress.
    """
    if face != UNKNOWN_FACE:
        return Sign(verb, "pad", (face_text(face),))
    smooth = smooth_left(state)
    return Sign(verb, "pad", faces_text(smooth) if len(smooth) > 1 else ())


def smooth_left(state: State) -> tuple[int, ...]:
    """Faces of the smooth mattresses that an unknown mattress may be, ascending by type."""
    return tuple(face for face in faces_left(state) if face & 1)


def _turned_up(state: State, mattresses: tuple[int, ...]) -> tuple[str, ...]:
    faces = [state.faces[slot] for slot in mattresses]
    return ANY_KINDS if UNKNOWN_FACE in faces else faces_text(faces)


def watched(variant: Variant) -> frozenset[tuple[Verb, str]]:
    """Signs that only actions cause, as (verb, zone or station).

    Other signs are ignored.
    """
    beds = range(1, variant.beds + 1)
    return frozenset(
        {
            LEFT,
            (Verb.AGAIN, "play"),
            TAKEN_GLASS[:2],
            (Verb.NEW, "discard"),
            (Verb.REACH, "deck"),
            (Verb.TAG, "pad"),
            (Verb.TEXTURE, "pad"),
            (Verb.NEW, "row"),
            (Verb.GONE, "row"),
            (Verb.BACK, "row"),
            UNREAD_OPEN[:2],
        }
        | {
            (verb, f"bed {bed}")
            for verb in (Verb.TOUCH, Verb.PRESS, Verb.LIFT, Verb.PUT, Verb.OFF, Verb.CAME, Verb.HAND, Verb.STAY)
            for bed in beds
        }
        | {(Verb.REACH, f"bed {bed}") for bed in beds}
        | {(Verb.CAME, f"foot {bed}") for bed in beds}
    )


def already_known(state: State, sign: Sign) -> bool:
    """True if `state` explains a sign, so no action needs to.

    Such signs are cards turned up after a verdict, any sign at a sleeping princess's bed, a bed lifted before
    the final check, and a hand above a bed whose mattress may not be moved.
    """
    verb, place, _ = sign
    bed = bed_at(state, place)
    if bed is None:
        return False
    if verb == Verb.OFF and state.phase < Phase.FINAL:
        return True
    if verb == Verb.STAY:
        return Move(bed, bed) not in legal_actions(state)
    fate = state.fates[bed]
    if state.phase is Phase.OVER:
        return verb not in (Verb.CAME, Verb.OFF)
    return fate == ASLEEP or (fate == OUT and verb == Verb.CAME)


def needed_kinds(state: State, bed: int) -> tuple[str, ...]:
    """Kinds of mattresses that a bed's princess needs.

    Textured ones come first. For type 3: ("3t", "3t", "3s"), without the smooth "3s" in the variant 5+.
    """
    princess = state.princesses[bed]
    textured = (f"{princess}t",) * 2
    return (*textured, f"{princess}s") if state.game.variant.smooth else textured
