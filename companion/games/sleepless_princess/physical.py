"""How states and actions of Sleepless Princess look to the sensors of a table."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from companion.games.engine import ANY_KINDS, Expectation, Trace, Verdict
from companion.games.sleepless_princess.actions import (
    Action,
    Claim,
    Deck,
    Discard,
    Done,
    Final,
    Lay,
    Look,
    Move,
    Open,
    Seat,
    Skip,
    Take,
    Touch,
)
from companion.games.sleepless_princess.cards import (
    KIND_OF_TEXT,
    KIND_TEXT,
    UNKNOWN,
    UNKNOWN_FACE,
    WITCH,
    face_from_text,
    face_text,
)
from companion.games.sleepless_princess.plays import plays_of_all
from companion.games.sleepless_princess.state import ASLEEP, AWAKE, OUT, Phase, State, Variant
from companion.games.sleepless_princess.words import judge

LEFT = ("left", "play")
"""The trace of cards swept from the play zone to the discard pile."""

Zones = Mapping[str, tuple[str, ...]]


def bed_name(bed: int) -> str:
    """The zone and the station of a bed; beds count from 0 here, from 1 on the table."""
    return f"bed {bed + 1}"


def bed_at(state: State, place: str) -> int | None:
    """The bed of a zone or station, from 0; None for other places and for beds that this game does not use."""
    number = place.removeprefix("bed ")
    if number == place or not number.isdecimal() or not 1 <= int(number) <= len(state.beds):
        return None
    return int(number) - 1


def kinds_text(kinds: Iterable[int]) -> tuple[str, ...]:
    """Deck cards as the sensors name them, sorted as text."""
    return tuple(sorted(KIND_TEXT[kind] for kind in kinds))


def faces_text(faces: Iterable[int]) -> tuple[str, ...]:
    """Mattress faces as the sensors name them, sorted as text."""
    return tuple(sorted(face_text(face) for face in faces))


def expected_view(state: State) -> Expectation:
    """What lies open, what tops the discard pile, and how many mattresses each bed carries.

    A bed whose princess sleeps is set aside and says nothing more: her tile lies on the scales.
    """
    zones = {"row": kinds_text(state.row), "play": kinds_text(state.played)}
    tops = {"discard": frozenset(kinds_text(state.discard[-state.fresh :]) if state.discard else ())}
    counts = {}
    for bed, mattresses in enumerate(state.beds):
        if state.fates[bed] != ASLEEP and state.phase is not Phase.OVER:
            counts[bed_name(bed)] = len(mattresses)
    if UNKNOWN in state.discard[-state.fresh :]:
        del tops["discard"]
    return Expectation(zones, tops, counts)


def traces(state: State, action: Action) -> tuple[Trace, ...]:
    """The passing signs of an action, in the order in which the sensors notice them."""
    match action:
        case Seat(bed, princess):
            return (("came", bed_name(bed), (f"P{princess}A",)),)
        case Lay(bed, face):
            put: Trace = ("put", bed_name(bed), ())
            return (put,) if face == UNKNOWN_FACE else (("tag", "pad", (face_text(face),)), put)
        case Discard(cards):
            return (("left", "play", kinds_text(cards)),)
        case Done():
            return (("left", "play", kinds_text(state.played)),)
        case Touch(bed):
            return (("touch", bed_name(bed), ()),)
        case Look(bed):
            return (("came", f"foot {bed + 1}", ("G",)),)
        case Move(source, target):
            return (("lift", bed_name(source), ()), ("put", bed_name(target), ()))
        case Skip():
            # Who skips knocks on the bare place of the deck: nothing else would show whose turn it is.
            return (("reach", "deck", ()),)
        case Deck() | Open():
            return (("reach", "deck", ()),) if state.phase is not Phase.SETUP else ()
        case Claim(bed, asleep):
            press: Trace = ("press", bed_name(bed), ())
            if asleep is None:
                return (press,)
            return (press, ("came", bed_name(bed), tuple(sorted(needed_kinds(state, bed)))))
        case Final():
            return tuple(
                ("came", bed_name(bed), _turned_up(state, mattresses))
                for bed, mattresses in enumerate(state.beds)
                if state.fates[bed] == AWAKE and mattresses
            )
    return ()


def _turned_up(state: State, mattresses: tuple[int, ...]) -> tuple[str, ...]:
    faces = [state.faces[slot] for slot in mattresses]
    return ANY_KINDS if UNKNOWN_FACE in faces else faces_text(faces)


def watched(variant: Variant) -> frozenset[tuple[str, str]]:
    """The traces that should have a cause among the actions; others may come and go."""
    beds = range(1, variant.beds + 1)
    return frozenset(
        {LEFT, ("reach", "deck"), ("tag", "pad")}
        | {(verb, f"bed {bed}") for verb in ("touch", "press", "lift", "put", "came") for bed in beds}
        | {("came", f"foot {bed}") for bed in beds}
    )


def no_news(state: State, trace: Trace) -> bool:
    """What is turned up after a claim was judged, and all that happens on a bed that is set aside."""
    verb, place, _ = trace
    bed = bed_at(state, place)
    if bed is None:
        return False
    fate = state.fates[bed]
    return fate == ASLEEP or (fate == OUT and verb == "came")


def needed_kinds(state: State, bed: int) -> tuple[str, ...]:
    """The mattresses that the bed's princess needs."""
    princess = state.princesses[bed]
    textured = (f"{princess}t",) * 2
    return (*textured, f"{princess}s") if state.game.variant.smooth else textured


def propose(state: State, zones: Zones, waiting: Sequence[Trace]) -> Iterable[Action]:
    """Actions that could explain what lies in the zones and the traces that wait for a cause."""
    row = [KIND_OF_TEXT[kind] for kind in zones.get("row", ()) if kind in KIND_OF_TEXT]
    if state.phase is Phase.SETUP:
        yield from _setup_actions(state, waiting)
        yield from (Open(kind) for kind in set(Counter(row) - Counter(state.row)))
        return
    for verb, place, _ in waiting:
        if verb == "press" and (bed := bed_at(state, place)) is not None:
            yield from _claims(state, bed, waiting)
    match state.phase:
        case Phase.PLAY:
            heaps = {zones.get("play", ())} | {kinds for verb, place, kinds in waiting if (verb, place) == LEFT}
            for heap in sorted(heaps):
                cards = tuple(sorted(KIND_OF_TEXT[kind] for kind in heap if kind in KIND_OF_TEXT))
                if 1 <= len(cards) <= 2:
                    yield Discard(cards)
                yield from plays_of_all(cards)
            yield Skip()
        case Phase.CHECK:
            yield Done()
            beds = range(len(state.beds))
            yield from (Touch(bed) for bed in beds)
            yield from (Look(bed) for bed in beds)
            yield from (Move(source, target) for source in beds for target in beds)
        case Phase.DRAW:
            yield from (Take(kind) for kind in set(state.row))
            yield Deck()
            yield Deck(WITCH)
        case Phase.LAY:
            yield from (Open(kind) for kind in set(Counter(row) - Counter(state.row)))
            yield Open(WITCH)
        case Phase.FINAL:
            yield _final(state, waiting)


def _setup_actions(state: State, waiting: Sequence[Trace]) -> Iterable[Action]:
    beds = range(len(state.beds))
    tag = [kinds[0] for verb, place, kinds in waiting if (verb, place) == ("tag", "pad")]
    for verb, place, kinds in waiting:
        bed = bed_at(state, place)
        if verb == "came" and bed is not None and len(kinds) == 1 and kinds[0][0] == "P":
            yield Seat(bed, int(kinds[0][1:-1]))
    for face in {face_from_text(text) for text in tag} | {UNKNOWN_FACE}:
        yield from (Lay(bed, face) for bed in beds)


def _final(state: State, waiting: Sequence[Trace]) -> Final:
    """The final check; where the known faces leave a bed open, what was turned up there decides."""
    asleep: list[bool | None] = []
    for bed in range(len(state.beds)):
        if state.fates[bed] != AWAKE or judge(state, bed).verdict is not Verdict.CANNOT_TELL:
            asleep.append(None)
            continue
        needed = tuple(sorted(needed_kinds(state, bed)))
        asleep.append(
            any((verb, place, kinds) == ("came", bed_name(bed), needed) for verb, place, kinds in waiting)
        )
    return Final(tuple(asleep) if any(found is not None for found in asleep) else ())


def _claims(state: State, bed: int, waiting: Sequence[Trace]) -> Iterable[Action]:
    if judge(state, bed).verdict is not Verdict.CANNOT_TELL:
        yield Claim(bed)
        return
    needed = tuple(sorted(needed_kinds(state, bed)))
    for verb, place, kinds in waiting:
        if verb == "came" and place == bed_name(bed) and kinds:
            yield Claim(bed, kinds == needed)
