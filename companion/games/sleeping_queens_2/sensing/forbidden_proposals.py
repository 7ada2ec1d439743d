"""Candidate claims and forbidden actions, from what the camera sees."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from companion.games.signs import Sign, Verb
from companion.games.sleeping_queens_2.rules.actions import (
    Action,
    Discard,
    Draw,
    End,
    Equation,
    FalsePair,
    Lull,
    OutOfOrder,
    Reroll,
    Rescue,
    Steal,
    Swap,
)
from companion.games.sleeping_queens_2.rules.equations import is_equation
from companion.games.sleeping_queens_2.rules.kinds import (
    BOOK,
    COMPANIONS,
    EMPTY,
    GNOME,
    INSTANTS,
    KIND_OF_TEXT,
    NUMBERS,
    QUEENS,
    WILLOW,
    WITCH,
    Knight,
)
from companion.games.sleeping_queens_2.rules.legal_actions import has_knight, held, limit, sleeper
from companion.games.sleeping_queens_2.rules.state import Phase, State
from companion.games.sleeping_queens_2.sensing.appearance import DIE, cell_zone, lying
from companion.games.win_claims import ClaimWin, Insist, TakeBack, player_zone

Zones = Mapping[str, tuple[str, ...]]
Cards = Counter[int]


def kinds_in(zones: Zones, zone: str) -> Cards:
    """Number of cards of each kind in a mat zone.

    Only seen cards count. Kings, knights and the die are left out.
    """
    return Counter(KIND_OF_TEXT[kind] for kind in zones.get(zone, ()) if kind in KIND_OF_TEXT)


def against(state: State, zones: Zones, player: int) -> tuple[Cards, Cards]:
    """(cards too many, cards missing) in a player's realm as seen, compared with the state.

    Each is kind -> number of cards. `zones`: zone name -> kinds seen there. `player`: from 0.
    """
    seen = kinds_in(zones, player_zone(player))
    due = Counter(lying(state, player))
    return seen - due, due - seen


def announced(state: State, zones: Zones, waiting: Sequence[Sign]) -> Iterator[Action]:
    """Actions besides legal ones that may explain the table.

    They are forbidden actions, their taking back, and claims of a win. `zones`: zone name -> kinds there.
    `waiting`: signs that no action explains so far.
    """
    if state.phase in (Phase.SETUP, Phase.OVER):
        return
    yield from (ClaimWin(int(place.rpartition(" ")[2]) - 1) for verb, place, _ in waiting if verb == Verb.PRESS)
    if state.undo is not None and _is_back(state, state.undo, zones):
        yield TakeBack()
    suspect = _SUSPECT.get(state.phase)
    if suspect is not None:
        rolled = any(place == DIE for _, place, _ in waiting)
        yield from map(Insist, suspect(state, zones, rolled))


def _is_back(state: State, before: State, zones: Zones) -> bool:
    """True if a forbidden action was probably taken back.

    `before`: the state before that action. Either a card lies again where it lay before, or the player who
    acted lacks cards now.
    """
    for player in range(state.players):
        extra, missing = against(state, zones, player)
        if extra & Counter(lying(before, player)):
            return True
        if player != state.turn and player == before.turn and missing:
            return True
    return False


def _playing(state: State, zones: Zones, rolled: bool) -> Iterator[Action]:
    extra, missing = against(state, zones, state.turn)
    if state.phase is Phase.PLAY:
        yield from _false_plays(state, extra, missing)
        if not rolled:
            yield from _drawn_too_many(state, extra)
        elif extra and not state.drawn:
            yield Reroll()
    elif _goes_on(state, zones, extra):
        yield OutOfOrder()
    yield from map(Discard, sorted({card for card in state.drawn if card in INSTANTS and missing[card]}))
    if rolled and not state.drawn and len(held(state, state.turn)) > limit(state):
        yield End()


def _drawn_too_many(state: State, extra: Cards) -> Iterator[Action]:
    """Draws of more cards than allowed, one for each kind in `extra`: cards too many in the realm.

    Left out are cards that a spell book may have brought, and instant cards, which may be on their way to the
    discard pile.
    """
    has_book = BOOK in state.realms[state.turn]
    for kind in sorted(extra):
        if kind in (*NUMBERS, *QUEENS, BOOK) and not (has_book and kind in NUMBERS):
            yield Draw(kind)


def _false_plays(state: State, extra: Cards, missing: Cards) -> Iterator[Action]:
    """Plays against the rules: false equations, false pairs, and rescues without a match.

    `extra`, `missing`: cards too many and missing in the realm on turn.
    """
    numbers = tuple(sorted(card for card in missing.elements() if card in NUMBERS))
    math = has_knight(state, state.turn, Knight.MATH)
    if len(numbers) > 1 and not is_equation(numbers, math) and state.cells.count(EMPTY) < len(state.cells):
        yield Equation(numbers)
    asleep = state.asleep[state.turn]
    if any(extra[queen] for queen in asleep):
        yield from (FalsePair(one, two) for one, two in combinations(sorted(set(numbers)), 2))
    yield from _false_rescues(state, missing)


def _false_rescues(state: State, missing: Cards) -> Iterator[Action]:
    """Rescues by a queen who sleeps, or whose symbol the companion does not have."""
    asleep = state.asleep[state.turn]
    for companion in (card for card in state.companions[state.turn] if missing[card]):
        for queen in held(state, state.turn):
            matches = queen in QUEENS and queen not in asleep and state.parts.fits(queen, companion)
            if queen in QUEENS and not matches and (missing[queen] or queen in asleep):
                yield Rescue(queen, companion)


def _goes_on(state: State, zones: Zones, extra: Cards) -> bool:
    """True if the player goes on after the discards.

    A queen woke, a companion came to the realm (`extra`), or one lies on an empty grid place again. `zones`:
    zone name -> kinds seen there.
    """
    if any(card in COMPANIONS or card in state.asleep[state.turn] for card in extra):
        return True
    empty = (cell for cell, card in enumerate(state.cells) if card == EMPTY)
    return any(kinds_in(zones, cell_zone(cell)) for cell in empty)


def _instants(state: State, zones: Zones, _rolled: bool) -> Iterator[Action]:
    extra, missing = against(state, zones, state.turn)
    waiting = {card for card in state.drawn if card in INSTANTS}
    if any(not missing[card] for card in waiting) and any(
        missing[card] or extra[card] for card in (*NUMBERS, *COMPANIONS)
    ):
        yield OutOfOrder()
    if not {GNOME, WITCH} & waiting:
        yield from _drawn_too_many(state, extra)
    gone = sorted(card for card in waiting if missing[card])
    yield from map(Discard, gone)
    if WILLOW in gone:
        yield from _lulled(state, zones)


def _lulled(state: State, zones: Zones) -> Iterator[Action]:
    """Players whose queens fell asleep although the willow did not reach them."""
    reached = sleeper(state)
    for player in range(state.players):
        queens = [card for card in state.realms[player] if card in QUEENS]
        missing = against(state, zones, player)[1]
        if player != reached and queens and all(missing[queen] for queen in queens):
            yield Lull(player)


def _rerolls(state: State, _zones: Zones, rolled: bool) -> Iterator[Action]:
    if rolled and (state.played or not state.drawn):
        yield Reroll()


def _steals(state: State, zones: Zones, rolled: bool) -> Iterator[Action]:
    yield from _rerolls(state, zones, rolled)
    extra = against(state, zones, state.turn)[0]
    for victim in range(state.players):
        if victim != state.turn:
            yield from (Steal(victim, card) for card in state.companions[victim] if extra[card])


def _swaps(state: State, zones: Zones, _rolled: bool) -> Iterator[Action]:
    """Forbidden swaps whose cards already lie at their new places.

    `zones`: zone name -> kinds seen there.
    """
    come, gone = against(state, zones, state.turn)
    for victim in range(state.players):
        if victim != state.turn:
            got, given = against(state, zones, victim)
            shielded = has_knight(state, victim, Knight.WITCH)
            for own in sorted(gone & got):
                for kind in sorted(given & come):
                    if shielded or (own in COMPANIONS) != (kind in COMPANIONS):
                        yield Swap(own, victim, kind)


_SUSPECT: dict[Phase, Callable[[State, Zones, bool], Iterable[Action]]] = {
    Phase.DRAW: _rerolls,
    Phase.INSTANT: _instants,
    Phase.FETCH: _rerolls,
    Phase.STEAL: _steals,
    Phase.TAKE: _rerolls,
    Phase.EXCHANGE: _rerolls,
    Phase.SWAP: _swaps,
    Phase.PLAY: _playing,
    Phase.DISCARD: _playing,
}
"""Phase -> function that yields possible actions against the rules. Its last argument: True if the die was
rolled lately."""
