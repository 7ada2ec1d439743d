"""Candidate actions that may explain what the camera sees."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from companion.games.signs import Sign, Verb
from companion.games.sleeping_queens.rules.actions import (
    Action,
    Defend,
    DefendLate,
    Discard,
    Power,
    PutToSleep,
    Reveal,
    Shuffle,
    Target,
    Wake,
    Yield,
)
from companion.games.sleeping_queens.rules.against_rules import may_take_back
from companion.games.sleeping_queens.rules.equations import Cards, is_equation, readings
from companion.games.sleeping_queens.rules.kinds import (
    ANSWER_TO,
    EMPTY,
    HAND,
    JESTER,
    KIND_OF_TEXT,
    KNIGHT,
    NUMBERS,
    POTION,
    QUEEN_NAMES,
    UNKNOWN,
)
from companion.games.sleeping_queens.rules.legal_actions import (
    attacker,
    legal_actions,
    runs_out,
    targets,
    useful,
)
from companion.games.sleeping_queens.rules.state import Phase, State
from companion.games.sleeping_queens.sensing.appearance import POWERS, cell_zone
from companion.games.win_claims import ClaimWin, Insist, TakeBack, player_zone

Zones = Mapping[str, tuple[str, ...]]
_QUEEN_OF = {name: queen for queen, name in enumerate(QUEEN_NAMES)}


def propose(state: State, zones: Zones, counts: Mapping[str, int], signs: Sequence[Sign]) -> Iterable[Action]:
    """Actions that may explain what the camera sees; illegal ones may be among them.

    `zones`: zone name -> kinds there. `signs`: signs that no action explains so far. `counts` is not used: the
    game has no scales.
    """
    heaps = _heaps(zones, signs)
    if state.phase is not Phase.OVER:
        yield from (ClaimWin(_player(place)) for verb, place, _ in signs if verb == Verb.PRESS)
    # With unread cards or shuffled piles, taking back cannot be told from the end of a turn.
    doubtful = runs_out(state) or (UNKNOWN in state.played and readings(state.played))
    if may_take_back(state) and not zones.get("play") and not doubtful:
        yield TakeBack()
    yield from _in_phase(state, zones, heaps, signs)


def _in_phase(state: State, zones: Zones, heaps: list[Cards], signs: Sequence[Sign]) -> Iterable[Action]:
    """Actions of the phase that the turn has come to. `heaps`: sets of cards that may have been
    played together."""
    match state.phase:
        case Phase.PLAY:
            yield from _plays(state, heaps)
            if any(UNKNOWN in heap for heap in heaps):
                yield from _read_on_pile(signs)
            yield from _forbidden_plays(state, heaps)
        case Phase.TARGET:
            yield from (Target(queen) for queen in targets(state, attacker(state)))
            yield from _forbidden_thefts(state, zones)
        case Phase.ANSWER:
            yield Yield()
            if any(ANSWER_TO[attacker(state)] in heap or UNKNOWN in heap for heap in heaps):
                yield Defend()
        case Phase.SLEEP:
            yield from (PutToSleep(cell) for cell, queen in enumerate(state.cells) if queen == EMPTY)
        case Phase.JESTER:
            yield Shuffle()
            yield from _jester_cards(state, heaps)
        case Phase.WAKE:
            yield from _wakes(state, zones, signs)
        case Phase.REFILL:
            yield from legal_actions(state)
            yield from _late_answers(state, zones, heaps)


def _jester_cards(state: State, heaps: list[Cards]) -> Iterator[Action]:
    """Cards that a jester may have turned up; an unread one may be a number, which counts to any player."""
    turned_up = {kind for heap in heaps for kind in _without(heap, state.played)}
    yield from (Reveal(kind) for kind in turned_up)
    if UNKNOWN in turned_up:
        yield from (Reveal(UNKNOWN, player) for player in range(state.players))


def _read_on_pile(waiting: Sequence[Sign]) -> Iterator[Action]:
    """Discards of single cards that the camera read only on the discard pile.

    `waiting`: signs that no action explains so far.
    """
    for verb, _, kinds in waiting:
        if verb == Verb.TOPPED and len(kinds) == 1 and kinds[0] in KIND_OF_TEXT:
            yield Discard((KIND_OF_TEXT[kinds[0]],))


def _forbidden_plays(state: State, heaps: Iterable[Cards]) -> Iterator[Action]:
    """Plays against the rules: a wrong discard, and a knight that Cat and Dog forbid.

    `heaps`: sets of cards that may have been played together.
    """
    for heap in heaps:
        if len(heap) > 1 and not any(kind in POWERS for kind in heap) and not readings(heap):
            yield Insist(Discard(heap))
        if KNIGHT in heap and not useful(state, KNIGHT):
            yield Insist(Power(KNIGHT))


def _forbidden_thefts(state: State, zones: Zones) -> Iterator[Action]:
    """Thefts that Cat and Dog forbid, of queens that lie before the thief now.

    `zones`: zone name -> kinds there.
    """
    taken = {_QUEEN_OF[name] for name in zones.get(player_zone(state.turn), ()) if name in _QUEEN_OF}
    forbidden = set(targets(state, POTION)).difference(targets(state, attacker(state)))
    yield from (Insist(Target(queen)) for queen in sorted(forbidden & taken))


def _late_answers(state: State, zones: Zones, heaps: Iterable[Cards]) -> Iterator[Action]:
    """Late answers to an attack: a dragon or wand lies there, and the queen is back.

    `zones`: zone name -> kinds there. `heaps`: sets of cards that may have been played together.
    """
    answer = ANSWER_TO.get(attacker(state))
    if not any(answer in heap for heap in heaps):
        return
    for player in range(state.players):
        back = {_QUEEN_OF[name] for name in zones.get(player_zone(player), ()) if name in _QUEEN_OF}
        yield from (DefendLate(queen, player) for queen in sorted(back.difference(state.awake[player])))


def _player(zone: str) -> int:
    return int(zone.rpartition(" ")[2]) - 1


def _heaps(zones: Zones, waiting: Sequence[Sign]) -> list[Cards]:
    """Sets of kinds that may have been played together.

    They are the cards in the middle now (`zones`: zone name -> kinds there), and those swept from it.
    `waiting`: signs that no action explains yet.
    """
    found = {zones.get("play", ())}
    found |= {kinds for verb, place, kinds in waiting if (verb, place) == (Verb.LEFT, "play")}
    return sorted(
        {tuple(sorted(KIND_OF_TEXT[kind] for kind in kinds if kind in KIND_OF_TEXT)) for kinds in found}
    )


def _may_be(kind: int, heap: Cards) -> bool:
    """True if the power card `kind` may have been played with the cards `heap`.

    It was read there; or an unread card may be it, and no card beside it speaks against that.
    """
    if UNKNOWN not in heap or kind in heap:
        return kind in heap
    beside = tuple(sorted(heap))[1:]
    if kind in ANSWER_TO:
        return beside in ((), (UNKNOWN,), (ANSWER_TO[kind],))
    return len(beside) <= (kind == JESTER)


def _plays(state: State, heaps: Iterable[Cards]) -> Iterator[Action]:
    for heap in heaps:
        if heap:
            yield Discard(heap)
        for kind in POWERS:
            if _may_be(kind, heap) and useful(state, kind):
                yield Power(kind)
        if len(heap) > 1:
            # A card of another turn may still lie there, or one may be read late.
            yield from (Discard((kind,)) for kind in set(heap))
            yield from (Discard(cards) for cards in completed(heap))
            numbers = tuple(kind for kind in heap if kind in NUMBERS)
            if numbers != heap and (is_equation(numbers) or len(set(numbers)) == 1 < len(numbers)):
                yield Discard(numbers)


@lru_cache(maxsize=1 << 10)
def completed(heap: Cards) -> tuple[Cards, ...]:
    """Equations that the number cards `heap` form with one more, unread one; () if none."""
    if len(heap) >= HAND or not all(kind in NUMBERS for kind in heap):
        return ()
    whole = {tuple(sorted((*heap, kind))) for kind in NUMBERS}
    return tuple(sorted(cards for cards in whole if is_equation(cards)))


def _without(heap: Cards, played: Cards) -> list[int]:
    left = list(heap)
    for kind in played:
        if kind in left:
            left.remove(kind)
    return left


def _new_queens(state: State, zones: Zones) -> set[int]:
    """Queens who lie on the grid or before the acting player, and were not awake."""
    places = (*map(cell_zone, range(len(state.cells))), player_zone(state.acting))
    lying = {_QUEEN_OF[name] for place in places for name in zones.get(place, ()) if name in _QUEEN_OF}
    return lying.difference(*state.awake)


def _wakes(state: State, zones: Zones, waiting: Sequence[Sign]) -> Iterator[Action]:
    """Wakings of queens that may explain the table.

    A queen was turned up on a grid place, or is new before the player who may wake one. `zones`: zone name ->
    kinds there. `waiting`: signs that no action explains yet.
    """
    for verb, place, kinds in waiting:
        if verb == Verb.CAME and place.startswith("queen ") and len(kinds) == 1 and kinds[0] in _QUEEN_OF:
            yield Wake(int(place.removeprefix("queen ")) - 1, _QUEEN_OF[kinds[0]])
    new = _new_queens(state, zones)
    for cell, queen in enumerate(state.cells):
        if queen >= 0:
            yield Wake(cell)
        elif queen != EMPTY:
            yield from (Wake(cell, one) for one in sorted(new))
