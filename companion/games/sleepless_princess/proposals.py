"""Which actions are worth trying to explain what lies on a table and what passed there."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from companion.games.engine import Trace, Verdict
from companion.games.sleepless_princess.actions import (
    Action,
    Claim,
    Deck,
    Discard,
    Done,
    Final,
    Know,
    Lay,
    Look,
    Move,
    Open,
    Seat,
    Skip,
    Take,
    Touch,
)
from companion.games.sleepless_princess.cards import KIND_OF_TEXT, UNKNOWN, UNKNOWN_FACE, WITCH, face_from_text
from companion.games.sleepless_princess.cardsets import ROW_SIZE
from companion.games.sleepless_princess.legal import faces_left
from companion.games.sleepless_princess.physical import LEFT, bed_at, bed_name, needed_kinds
from companion.games.sleepless_princess.plays import plays_of_all
from companion.games.sleepless_princess.state import AWAKE, Phase, State
from companion.games.sleepless_princess.words import judge

Zones = Mapping[str, tuple[str, ...]]
Counts = Mapping[str, int]

SWEPT = 3
"""So many open cards that lie there no more look like a witch."""


def propose(state: State, zones: Zones, counts: Counts, waiting: Sequence[Trace]) -> Iterable[Action]:
    """Actions that could explain what lies in the zones and on the scales and the traces that wait."""
    row = [KIND_OF_TEXT[kind] for kind in zones.get("row", ()) if kind in KIND_OF_TEXT]
    gone = Counter(state.row) - Counter(row)
    new = Counter(row) - Counter(state.row)
    witch = "W" in zones.get("discard", ()) or not row or gone.total() >= SWEPT
    if state.phase is Phase.SETUP:
        yield from _setting_up(state, counts, waiting, dealt=len(row) == ROW_SIZE)
        yield from (Open(kind) for kind in new)
        return
    for verb, place, _ in waiting:
        if verb == "press" and (bed := bed_at(state, place)) is not None and state.fates[bed] == AWAKE:
            yield from _claims(state, bed, waiting)
    match state.phase:
        case Phase.PLAY:
            heaps = {zones.get("play", ())} | {kinds for verb, place, kinds in waiting if (verb, place) == LEFT}
            for heap in sorted(heaps):
                cards = tuple(sorted(KIND_OF_TEXT[kind] for kind in heap if kind in KIND_OF_TEXT))
                if 1 <= len(cards) <= 2:
                    yield Discard(cards)
                yield from plays_of_all(cards)
            yield from _half_seen_discards(state, zones, waiting, heaps)
            yield Skip()
        case Phase.CHECK:
            yield Done()
            yield from _checks(state, counts, waiting)
        case Phase.DRAW:
            yield from (Take(kind) for kind in (gone if "row" in zones else set(state.row)))
            yield Deck()
            if witch:
                yield Deck(WITCH)
        case Phase.LAY:
            yield from (Open(kind) for kind in new)
            if witch:
                yield Open(WITCH)
        case Phase.FINAL:
            turned_up = {bed_at(state, place) for verb, place, _ in waiting if verb == "came"}
            awake = (bed for bed, pile in enumerate(state.beds) if pile and state.fates[bed] == AWAKE)
            if turned_up and all(bed in turned_up or _hopeless(state, bed) for bed in awake):
                yield _final(state, waiting)


def _tags(waiting: Sequence[Trace]) -> set[int]:
    """The faces of the mattresses that were tapped on the pad; a stray tag on another card says nothing."""
    tapped = [kinds[0] for verb, place, kinds in waiting if (verb, place) == ("tag", "pad")]
    return {face_from_text(kind) for kind in tapped if kind[1:] in ("t", "s")}


def _half_seen_discards(
    state: State, zones: Zones, waiting: Sequence[Trace], heaps: Iterable[tuple[str, ...]]
) -> Iterable[Discard]:
    """Discards of which a card was hidden while it lay there: the pile may show it, or nobody saw it."""
    tops = {KIND_OF_TEXT[kind] for kind in zones.get("discard", ()) if kind in KIND_OF_TEXT}
    known = set(state.discard[-state.fresh :]) if state.discard else set()
    came = [kinds[0] for verb, place, kinds in waiting if (verb, place) == ("new", "discard")]
    fresh = {KIND_OF_TEXT[kind] for kind in came if kind in KIND_OF_TEXT}
    on_top = {kind for kind in (tops - known) | fresh if kind != WITCH}
    yield from (Discard((kind,)) for kind in on_top)
    for heap in heaps:
        if len(heap) == 1 and heap[0] in KIND_OF_TEXT:
            seen = KIND_OF_TEXT[heap[0]]
            others = {*on_top, *state.hands[state.turn], UNKNOWN}
            yield from (Discard((min(seen, kind), max(seen, kind))) for kind in sorted(others))


def _setting_up(state: State, counts: Counts, waiting: Sequence[Trace], *, dealt: bool) -> Iterable[Action]:
    size = state.game.variant.mattresses_per_bed
    faces = _tags(waiting)
    for verb, place, kinds in waiting:
        bed = bed_at(state, place)
        if verb == "came" and bed is not None and len(kinds) == 1 and kinds[0][0] == "P":
            yield Seat(bed, int(kinds[0][1:-1]))
    weighed = [bed for bed in range(len(state.beds)) if bed_name(bed) in counts]
    put = {place for verb, place, _ in waiting if verb == "put"}
    for bed in weighed:
        if bed_name(bed) in put or counts[bed_name(bed)] > len(state.beds[bed]):
            yield from (Lay(bed, face) for face in sorted(faces | {UNKNOWN_FACE}))
    if dealt:
        # Without scales nobody saw where the mattresses went; but the open row says that they are dealt.
        blind = (bed for bed, pile in enumerate(state.beds) if bed not in weighed and len(pile) < size)
        yield from (Lay(bed, UNKNOWN_FACE) for bed in list(blind)[:1])


def _checks(state: State, counts: Counts, waiting: Sequence[Trace]) -> Iterable[Action]:
    beds: dict[str, set[int]] = {"touch": set(), "look": set(), "lift": set(), "put": set(), "hand": set()}
    for verb, place, _ in waiting:
        if verb == "came" and place.startswith("foot "):
            beds["look"].add(int(place.removeprefix("foot ")) - 1)
        elif verb in beds and (bed := bed_at(state, place)) is not None:
            beds[verb].add(bed)
    for bed, pile in enumerate(state.beds):
        off = counts.get(bed_name(bed), len(pile)) - len(pile)
        if off:
            beds["lift" if off < 0 else "put"].add(bed)
    sources = beds["lift"]
    yield from (Touch(bed) for bed in sorted(beds["touch"] | sources))
    yield from (Look(bed) for bed in sorted(beds["look"] | sources))
    yield from (Move(source, target) for source in sorted(sources) for target in sorted(beds["put"]))
    # Beneath a hand a mattress may have been laid back on its own bed.
    yield from (Move(bed, bed) for bed in sorted(beds["hand"] - (sources & beds["put"])))
    tags = _tags(waiting) & set(faces_left(state))
    for bed in sorted(beds["touch"] | beds["look"] | sources):
        if tags and state.beds[bed] and state.faces[state.beds[bed][0]] == UNKNOWN_FACE:
            yield from (Know(state.beds[bed][0], face) for face in sorted(tags))


def _hopeless(state: State, bed: int) -> bool:
    """Whether a bed need not be seen turned up: nobody is said to sleep whom nobody has looked at."""
    return judge(state, bed).verdict is Verdict.REFUTED


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
        if verb != "came" or place != bed_name(bed) or any(kind[0] == "P" for kind in kinds):
            continue
        if len(kinds) == len(state.beds[bed]) or set(kinds) - set(needed):
            yield Claim(bed, kinds == needed)
