"""Forbidden actions that the table may let stand."""

from collections.abc import Callable
from typing import Any

from companion.core.language import text
from companion.games.rules import IllegalError
from companion.games.sleeping_queens_2.rules import table_changes as table
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
from companion.games.sleeping_queens_2.rules.kinds import (
    CELLS,
    EMPTY,
    GNOME,
    INSTANTS,
    MAIN_DECK,
    NUMBERS,
    QUEENS,
    WILLOW,
)
from companion.games.sleeping_queens_2.rules.legal_actions import sleeper
from companion.games.sleeping_queens_2.rules.state import Cards, Phase, State
from companion.games.sleeping_queens_2.rules.table_changes import refuse, without
from companion.games.sleeping_queens_2.rules.turn_flow import instants, lulled, next_turn, resolved, roll_phase
from companion.games.win_claims import Insist, TakeBack

Ordinary = Callable[[State, Any], State]
"""Function that applies an action by the rules: (state, action) -> state. It raises IllegalError."""

_AFTER_DRAWING = (Phase.INSTANT, Phase.PLAY, Phase.DISCARD)
_REASONS: dict[type, tuple[str, ...]] = {
    Equation: ("no-equation",),
    Rescue: ("asleep", "no-match"),
    Steal: ("companion",),
    Swap: ("companion", "shielded"),
    End: ("too-many-cards",),
}
"""Action type -> error codes (see `IllegalError`) that a table may overlook. Other violations stay
forbidden."""


def insist(state: State, action: Insist, ordinary: Ordinary) -> State:
    """State after a forbidden action that the table accepts.

    The action can be taken back until the next step. `ordinary`: applies actions by the rules. IllegalError if
    the rules allow the action, or if it may not be overlooked.
    """
    forbidden = action.action
    why_not(state, forbidden, ordinary)
    return _DO[type(forbidden)](state, forbidden)._replace(undo=state._replace(undo=None))


def why_not(state: State, action: Action, ordinary: Ordinary) -> IllegalError:
    """The error with which the rules refuse an action; it is returned, not raised.

    `ordinary`: applies actions by the rules. Raises IllegalError if the rules allow the action, or if it may
    not be overlooked.
    """
    kind = type(action)
    if kind in _OWN:
        phases, section, reason = _OWN[kind]
        if state.phase not in phases:
            refuse("phase", table.TURN, f"that is not possible now: {state.phase.name.lower()}")
        return IllegalError("against-rules", section, reason)
    if kind not in _REASONS:
        refuse("not-insisted", table.TURN, "nobody insists on that")
    try:
        ordinary(state, action)
    except IllegalError as error:
        if error.code in _REASONS[kind]:
            return error
        raise
    return refuse("allowed", table.TURN, "the rules allow that")


def take_back(state: State, _: TakeBack) -> State:
    """The state before the last forbidden action.

    IllegalError if the last step was not forbidden.
    """
    if state.undo is None:
        refuse("nothing-to-take-back", table.TURN, "nothing was done against the rules just now")
    return state.undo


def _equation(state: State, action: Equation) -> State:
    cards = tuple(sorted(action.cards))
    if len(cards) < 2 or not set(cards) <= set(NUMBERS):
        refuse("no-numbers", table.COMPANIONS, "an equation takes number cards", *cards)
    if state.cells.count(EMPTY) == CELLS:
        refuse("nothing-to-take", table.COMPANIONS, "no companion lies in the grid")
    return table.from_realm(state, cards, table.COMPANIONS)._replace(phase=Phase.FETCH)


def _false_pair(state: State, action: FalsePair) -> State:
    one, two = action.first, action.second
    if not {one, two} <= set(NUMBERS) or one >= two:
        refuse("no-numbers", table.WAKING, "these are no two different number cards", one, two)
    if not state.asleep[state.turn]:
        refuse("nobody-asleep", table.WAKING, "none of their queens is asleep")
    return table.roused(table.from_realm(state, (one, two), table.WAKING))


def _rescue(state: State, action: Rescue) -> State:
    queen, companion = action.queen, action.companion
    if companion not in state.companions[state.turn]:
        refuse("not-there", table.RESCUE, "they do not have that companion", companion)
    field = table.place_of(state, state.turn, queen, table.RESCUE)
    after = table.laid_off(table.moved(state, field, queen, state.turn, None), (queen,))
    after = table.moved(after, "companions", companion, state.turn, None)
    return after._replace(carried=companion, phase=Phase.RETURN)


def _steal(state: State, action: Steal) -> State:
    field = table.place_of(state, action.victim, action.kind, table.GNOME)
    return resolved(table.moved(state, field, action.kind, action.victim, state.turn))


def _swap(state: State, action: Swap) -> State:
    return resolved(table.swapped(state, action.own, action.victim, action.kind))


def _end(state: State, _: End) -> State:
    return next_turn(state)


def _lull(state: State, action: Lull) -> State:
    player, drawn = action.player, without(state.drawn, (WILLOW,))
    if drawn is None:
        refuse("not-drawn", table.INSTANT, "that card was not drawn", WILLOW)
    if not 0 <= player < state.players or not set(QUEENS) & set(state.realms[player]):
        refuse("nobody-awake", table.WILLOW, "that player has no queen awake")
    if player == sleeper(state):
        refuse("allowed", table.WILLOW, "the willow reaches that player by the rules")
    return resolved(lulled(state._replace(drawn=drawn, played=WILLOW), player))


def _reroll(state: State, _: Reroll) -> State:
    if state.phase not in (Phase.DRAW, Phase.PLAY) and state.played != GNOME:
        refuse("phase", table.KNIGHTS, "nothing was rolled for this")
    if state.drawn and not state.played:
        refuse("drawn", table.KNIGHTS, "cards that were drawn wait to be placed", *state.drawn)
    return state._replace(phase=roll_phase(state), draws=0)


def _draw(state: State, action: Draw) -> State:
    if not state.deck:
        refuse("no-deck", table.TURN, "the draw pile is empty")
    kind = table.named(state, state.deck[-1], action.kind, MAIN_DECK, table.TURN)
    drawn = tuple(sorted((*state.drawn, kind)))
    return instants(state._replace(deck=state.deck[:-1], drawn=drawn))


def _out_of_order(state: State, _: OutOfOrder) -> State:
    """The state after the player went on too early: drawn cards come into the realm, instant cards
    stay drawn."""
    waiting = tuple(card for card in state.drawn if card in INSTANTS)
    placed = tuple(card for card in state.drawn if card not in INSTANTS)
    return table.added(state, placed)._replace(drawn=waiting, phase=Phase.PLAY)


def _drop(state: State, action: Discard) -> State:
    after = table.laid_off(state._replace(drawn=_left(state, action.kind)), (action.kind,))
    return instants(after) if state.phase is Phase.INSTANT else after


def _left(state: State, kind: int) -> Cards:
    """The drawn cards without one instant card `kind`."""
    drawn = without(state.drawn, (kind,)) if kind in INSTANTS else None
    if drawn is None:
        refuse("not-drawn", table.INSTANT, "no such instant card was drawn", kind)
    return drawn


_OWN: dict[type, tuple[tuple[Phase, ...], str, str]] = {
    FalsePair: ((Phase.PLAY,), table.WAKING, text("a pair is two equal numbers")),
    Lull: (
        (Phase.INSTANT,),
        table.WILLOW,
        text("a willow reaches the first player without its shield who is awake"),
    ),
    Reroll: (
        (Phase.DRAW, Phase.PLAY, Phase.FETCH, Phase.STEAL, Phase.TAKE, Phase.EXCHANGE),
        table.KNIGHTS,
        text("only a 1 is rolled again, at once and by the knight for it"),
    ),
    Draw: ((Phase.INSTANT, Phase.PLAY), table.TURN, text("that is a card more than was rolled")),
    OutOfOrder: (
        (Phase.INSTANT, Phase.DISCARD),
        table.TURN,
        text("instant cards come first and discards last"),
    ),
    Discard: (_AFTER_DRAWING, table.INSTANT, text("an instant card is played")),
}
"""Action that no rule ever allows -> (phases in which people do it, rulebook section, reason in words)."""
_DO: dict[type, Callable[[State, Any], State]] = {
    Equation: _equation,
    FalsePair: _false_pair,
    Rescue: _rescue,
    Steal: _steal,
    Swap: _swap,
    End: _end,
    Lull: _lull,
    Reroll: _reroll,
    Draw: _draw,
    OutOfOrder: _out_of_order,
    Discard: _drop,
}
INSISTED = tuple(_DO)
"""Types of actions that the table may let stand against the rules."""
