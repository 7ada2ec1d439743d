"""The movements of hands for each action: which thing goes where, and which side is up."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from companion.games.sleeping_queens_2.queens_2_cards import die_kind, knight_kind
from companion.games.sleeping_queens_2.rules import actions as do
from companion.games.sleeping_queens_2.rules.actions import Action
from companion.games.sleeping_queens_2.rules.kinds import BOOK, EMPTY, KIND_TEXT, QUEENS, WILLOW
from companion.games.sleeping_queens_2.rules.kinds import KINGS as ALL_KINGS
from companion.games.sleeping_queens_2.rules.state import State
from companion.games.sleeping_queens_2.sensing.appearance import DIE, KING_KIND, cell_zone
from companion.games.win_claims import Insist, TakeBack, player_zone
from companion.virtual.games.queens.two_piles import DISCARD, DRAW
from companion.virtual.world import DOWN, UP

KINGS, HAND = "kings", "hand"
"""Places that are no mat zone. KINGS: of kings nobody has rescued. HAND: a hand between two movements."""
ANY_DIE = "die"
"""Kind of the die when it does not matter which face shows."""


class Move(NamedTuple):
    """One thing that a hand carries from one place to another, or turns over.

    A place is a mat zone, or DRAW, KINGS or HAND. `kind`: of the thing. `source`, `target`: places; if they
    are equal, the thing is turned over there. `side`: lies up afterwards. `shown`: a sleeping queen who
    changes hands is first shown to the camera.
    """

    kind: str
    source: str
    target: str
    side: str = UP
    shown: bool = False


Movement = tuple[Move, ...]
"""Moves that hands carry out together."""


def movements(before: State, action: Action, after: State) -> Iterator[Movement]:
    """Movements of hands that carry out an action, in order.

    `before`, `after`: the true states around it.
    """
    if isinstance(action, TakeBack):
        yield from _returned(before, after)
        return
    yield from _movements(before, action.action if isinstance(action, Insist) else action, after)
    if before.played and not after.played:
        # An instant card goes to the discard pile after its effect.
        yield (_discarded(before, before.played),)


def _movements(before: State, action: Action, after: State) -> Iterator[Movement]:
    own = player_zone(before.turn)
    match action:
        case do.Roll(face):
            yield (Move(ANY_DIE, DIE, HAND),)
            yield (Move(die_kind(face), HAND, DIE),)
            yield from _knights(before, after)
        case do.Exchange():
            yield from _knights(before, after)
        case do.Draw():
            yield (Move(KIND_TEXT[before.deck[-1]], DRAW, own),)
        case do.Instant(kind) if kind == WILLOW:
            yield (_discarded(before, kind),)
            yield from _turned(before, after)
        case do.Lull():
            yield (_discarded(before, WILLOW),)
            yield from _turned(before, after)
        case do.Pair(number):
            yield (_discarded(before, number),) * 2
            yield from _turned(before, after)
        case do.FalsePair(one, two):
            yield (_discarded(before, one), _discarded(before, two))
            yield from _turned(before, after)
        case do.Wake():
            yield from _turned(before, after)
        case do.Fetch(cell, _):
            yield (Move(KIND_TEXT[before.cells[cell]], cell_zone(cell), own),)
        case do.Steal(victim, kind):
            yield (_carried(before, kind, victim, before.turn),)
        case do.Swap(mine, victim, kind):
            given, taken = (
                _carried(before, mine, before.turn, victim),
                _carried(before, kind, victim, before.turn),
            )
            # A sleeping queen is shown before any card moves.
            yield from (((taken,), (given,)) if taken.shown else ((given,), (taken,)))
        case do.Take(queen):
            yield (Move(KIND_TEXT[queen], DISCARD, own),)
        case do.Mix():
            yield from _mixed(before, after)
        case _:
            yield from _played(before, action)


def _played(before: State, action: Action) -> Iterator[Movement]:
    own = player_zone(before.turn)
    match action:
        case do.Equation(cards):
            yield tuple(_discarded(before, card) for card in cards)
        case do.Book(number):
            yield (Move(str(number), DISCARD, own),)
            yield (_discarded(before, BOOK),)
        case do.Rescue(queen, companion):
            yield (_discarded(before, queen),)
            yield (Move(KIND_TEXT[companion], own, HAND),)
        case do.PutBack(cell):
            yield (Move(KIND_TEXT[before.carried], HAND, cell_zone(cell)),)
            yield (Move(KING_KIND, KINGS, own),)
        case do.Discard(kind):
            yield (_discarded(before, kind),)


def _discarded(state: State, kind: int) -> Move:
    return Move(KIND_TEXT[kind], player_zone(state.turn), DISCARD)


def _carried(state: State, kind: int, source: int, target: int) -> Move:
    asleep = kind in QUEENS and kind in state.asleep[source]
    side = DOWN if asleep else UP
    return Move(KIND_TEXT[kind], player_zone(source), player_zone(target), side, shown=asleep)


def _knights(before: State, after: State) -> Iterator[Movement]:
    """Movement of all knights that go on to another player; nothing if none does.

    `before`, `after`: true states.
    """
    moved = tuple(
        Move(knight_kind(knight), player_zone(player), player_zone(after.knights.index(knight)))
        for player, knight in enumerate(before.knights)
        if after.knights[player] != knight
    )
    if moved:
        yield moved


def _turned(before: State, after: State) -> Iterator[Movement]:
    """Movements that turn queens who fell asleep or woke.

    They stay in place.
    """
    for player, queens in enumerate(before.asleep):
        zone = player_zone(player)
        asleep = set(after.asleep[player])
        slept = tuple(Move(KIND_TEXT[queen], zone, zone, DOWN) for queen in sorted(asleep - set(queens)))
        woken = tuple(Move(KIND_TEXT[queen], zone, zone) for queen in sorted(set(queens) - asleep))
        if slept or woken:
            yield slept + woken


def _mixed(before: State, after: State) -> Iterator[Movement]:
    """Movements that take up all companions of the grid, and lay them in a new order.

    `before`, `after`: true states.
    """
    cells = [cell for cell, card in enumerate(before.cells) if card != EMPTY]
    yield tuple(Move(KIND_TEXT[before.cells[cell]], cell_zone(cell), HAND) for cell in cells)
    yield tuple(Move(KIND_TEXT[after.cells[cell]], HAND, cell_zone(cell), DOWN) for cell in cells)


def _returned(before: State, after: State) -> Iterator[Movement]:
    """Movements that bring every thing back, one by one.

    `before`: true state with the things elsewhere. `after`: with the things back.
    """
    gone, come = _lying(before) - _lying(after), _lying(after) - _lying(before)
    there = {kind: (place, side) for kind, place, side in come.elements()}
    for kind, place, _ in gone.elements():
        target, side = there.get(kind, (DRAW, DOWN))
        yield (Move(kind, place, target, side),)


def _lying(state: State) -> Counter[tuple[str, str, str]]:
    """Things that lie on the table in `state`, counted.

    (kind, place, side) -> their number. Draw pile, knights and die are left out.
    """
    found: Counter[tuple[str, str, str]] = Counter()
    drawn = state.drawn + ((state.played,) if state.played else ())
    for player in range(state.players):
        place = player_zone(player)
        mine = drawn if player == state.turn else ()
        found.update((KIND_TEXT[card], place, UP) for card in state.realms[player] + mine)
        found.update((KIND_TEXT[card], place, UP) for card in state.companions[player])
        found.update((KIND_TEXT[card], place, DOWN) for card in state.asleep[player])
        found[(KING_KIND, place, UP)] += state.kings[player]
    found[(KING_KIND, KINGS, UP)] += ALL_KINGS - sum(state.kings)
    found.update((KIND_TEXT[card], DISCARD, UP) for card in state.discard)
    for cell, (card, up) in enumerate(zip(state.cells, state.face_up, strict=True)):
        if card != EMPTY:
            found[(KIND_TEXT[card], cell_zone(cell), UP if up else DOWN)] += 1
    if state.carried:
        found[(KIND_TEXT[state.carried], HAND, UP)] += 1
    return found


def deal(dealt: State) -> Iterator[Movement]:
    """Movements that lay out a table.

    Companions first, then die, knights, and the first card of the discard pile. `dealt`: state at the
    beginning.
    """
    for cell, companion in enumerate(dealt.cells):
        yield (Move(KIND_TEXT[companion], HAND, cell_zone(cell), DOWN),)
    yield (Move(die_kind(dealt.parts.die[0]), HAND, DIE),)
    for player, knight in enumerate(dealt.knights):
        yield (Move(knight_kind(knight), HAND, player_zone(player)),)
    yield (Move(KIND_TEXT[dealt.discard[-1]], DRAW, DISCARD),)
