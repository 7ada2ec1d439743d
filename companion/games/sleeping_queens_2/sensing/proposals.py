"""Candidate actions that may explain what the camera sees."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from companion.games.signs import Sign, Verb
from companion.games.sleeping_queens_2.queens_2_cards import KNIGHT_OF_KIND
from companion.games.sleeping_queens_2.rules.actions import (
    Action,
    Book,
    Discard,
    Draw,
    End,
    Equation,
    Fetch,
    Give,
    Instant,
    Open,
    Pair,
    PutBack,
    Rescue,
    Shuffle,
    Swap,
)
from companion.games.sleeping_queens_2.rules.equations import is_equation
from companion.games.sleeping_queens_2.rules.kinds import (
    BOOK,
    COMPANIONS,
    EMPTY,
    KIND_OF_TEXT,
    KIND_TEXT,
    MAIN_DECK,
    NUMBERS,
    Knight,
)
from companion.games.sleeping_queens_2.rules.legal_actions import has_knight, legal_actions, needs_mixing
from companion.games.sleeping_queens_2.rules.state import Phase, State
from companion.games.sleeping_queens_2.sensing.appearance import DISCARD, cell_zone
from companion.games.sleeping_queens_2.sensing.forbidden_proposals import Zones, against, announced, kinds_in
from companion.games.win_claims import player_zone


def propose(state: State, zones: Zones, counts: Mapping[str, int], signs: Sequence[Sign]) -> Iterable[Action]:
    """Actions that may explain what the camera sees; illegal ones may be among them.

    `zones`: zone name -> kinds there. `signs`: signs that no action explains so far. `counts` is not used: the
    game has no scales.
    """
    special = _SPECIAL.get(state.phase)
    if state.phase is Phase.DRAW:
        yield from _draws(state, zones, signs)
    else:
        yield from legal_actions(state) if special is None else special(state, zones)
    yield from announced(state, zones, signs)


def _setup(state: State, zones: Zones) -> Iterator[Action]:
    if Knight.UNKNOWN in state.knights:
        player = state.knights.index(Knight.UNKNOWN)
        for kind in zones.get(player_zone(player), ()):
            if kind in KNIGHT_OF_KIND:
                yield Give(KNIGHT_OF_KIND[kind])
    else:
        yield from map(Open, kinds_in(zones, DISCARD))


def _draws(state: State, zones: Zones, waiting: Sequence[Sign]) -> Iterator[Action]:
    if not state.deck:
        yield Shuffle()
        return
    extra, missing = against(state, zones, state.turn)
    found = set(extra) | _used_at_once(state, missing)
    # The drawn card may lie on the discard pile already, without having been read before.
    laid = (kinds for verb, zone, kinds in waiting if (verb, zone) == (Verb.TOPPED, DISCARD))
    found |= {KIND_OF_TEXT[kind] for kinds in laid for kind in kinds if kind in KIND_OF_TEXT}
    yield from (Draw(kind) for kind in sorted(found) if kind in MAIN_DECK)


def _used_at_once(state: State, missing: Mapping[int, int]) -> set[int]:
    """Numbers that form an equation with the cards missing from the realm on turn.

    A drawn card of such a number may have been played before the camera read it. `missing`: kind -> number of
    missing cards.
    """
    gone = [card for card, times in missing.items() if card in NUMBERS for _ in range(times)]
    math = has_knight(state, state.turn, Knight.MATH)
    if not gone or is_equation(tuple(sorted(gone)), math):
        return set()
    return {number for number in NUMBERS if is_equation(tuple(sorted((*gone, number))), math)}


def _fetches(state: State, zones: Zones) -> Iterator[Action]:
    if needs_mixing(state):
        yield from legal_actions(state)
        return
    known = {card for cards in state.companions for card in cards}
    known |= {card for card, up in zip(state.cells, state.face_up, strict=True) if up}
    seen = {KIND_OF_TEXT[kind] for kinds in zones.values() for kind in kinds if kind in KIND_OF_TEXT}
    new = sorted(card for card in seen - known if card in COMPANIONS)
    for action in legal_actions(state):
        if not isinstance(action, Fetch):
            yield action
        elif state.cells[action.cell] in COMPANIONS:
            yield Fetch(action.cell, state.cells[action.cell])
        else:
            yield from (Fetch(action.cell, companion) for companion in new)


def _swaps(state: State, zones: Zones) -> Iterator[Action]:
    """Legal actions, without swaps that the picture rules out.

    A swap stays if one of its cards already lies at its new place, or is a sleeping queen.
    """
    seen = [kinds_in(zones, player_zone(player)) for player in range(state.players)]
    for action in legal_actions(state):
        if not isinstance(action, Swap) or (
            seen[state.turn][action.kind]
            or seen[action.victim][action.own]
            or action.kind in state.asleep[action.victim]
            or action.own in state.asleep[state.turn]
        ):
            yield action


def _plays(state: State, zones: Zones) -> Iterator[Action]:
    extra, missing = against(state, zones, state.turn)
    read = {card for card in extra if card in NUMBERS}
    return (action for action in legal_actions(state) if _fits(state, action, missing, read))


def _fits(state: State, action: Action, missing: Counter[int], read: Collection[int]) -> bool:
    """True if the picture suggests an action of the turn.

    `missing`: kind -> number of cards missing from the realm on turn. `read`: new numbers seen there.
    """
    match action:
        case Equation(cards):
            # A spell book may already have brought one card back.
            return (Counter(cards) - missing).total() <= 1
        case Pair(number):
            return bool(missing[number])
        case Book(number):
            # A number that was used at once is never seen in the realm.
            return number in read or bool(missing[BOOK] and not read)
        case Rescue(queen, companion):
            return bool(missing[queen] or missing[companion])
        case Discard(kind):
            return bool(missing[kind]) or kind in state.asleep[state.turn]
    return isinstance(action, Instant | End)


def _returns(state: State, zones: Zones) -> Iterator[Action]:
    empty = [cell for cell, card in enumerate(state.cells) if card == EMPTY]
    carried = KIND_TEXT[state.carried]
    there = [cell for cell in empty if carried in zones.get(cell_zone(cell), ())]
    yield from map(PutBack, there or empty)


_SPECIAL: dict[Phase, Callable[[State, Zones], Iterator[Action]]] = {
    Phase.SETUP: _setup,
    Phase.FETCH: _fetches,
    Phase.SWAP: _swaps,
    Phase.PLAY: _plays,
    Phase.DISCARD: _plays,
    Phase.RETURN: _returns,
}
"""Phase with very many legal actions -> function that selects those which the picture suggests. Elsewhere all
are tried."""
