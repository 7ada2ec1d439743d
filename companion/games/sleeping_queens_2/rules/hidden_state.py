"""Full and hidden states, and the steps between them.

Hidden cards are forgotten, seen ones named, others decided by chance.
"""

from random import Random

from companion.games.sleeping_queens_2.rules.actions import Action, Draw, Fetch, Mix, Open, Roll, Shuffle
from companion.games.sleeping_queens_2.rules.kinds import EMPTY, UNKNOWN
from companion.games.sleeping_queens_2.rules.legal_actions import legal_actions, needs_mixing
from companion.games.sleeping_queens_2.rules.state import Phase, State
from companion.games.win_claims import Insist


def hide(state: State) -> State:
    """State without what nobody sees.

    Draw pile and face-down companions become unknown.
    """
    return state._replace(
        deck=(UNKNOWN,) * len(state.deck),
        cells=tuple(
            card if card == EMPTY or up else UNKNOWN
            for card, up in zip(state.cells, state.face_up, strict=True)
        ),
        undo=None if state.undo is None else hide(state.undo),
    )


def spell_out(state: State, action: Action) -> Action:
    """Add to an action the hidden card that it uncovers, so that it can be repeated on a state with hidden
    cards.

    `state` has every card known. The order of a shuffle is removed, because nobody sees it.
    """
    match action:
        case Insist(forbidden):
            return Insist(spell_out(state, forbidden))
        case Draw(None):
            return Draw(state.deck[-1])
        case Open(None):
            return Open(state.deck[-1])
        case Fetch(cell, None):
            return Fetch(cell, state.cells[cell])
        case Shuffle():
            return Shuffle()
        case Mix():
            return Mix()
    return action


def chance_decides(state: State) -> bool:
    """True if chance decides the next step: a die roll, a hidden card or a shuffle."""
    if state.phase is Phase.FETCH:
        return needs_mixing(state)
    return state.phase in (Phase.SETUP, Phase.ROLL, Phase.DRAW, Phase.GNOME, Phase.OVER)


def by_chance(state: State, chance: Random) -> Action:
    """Draw the next step by chance: a die roll, a card or a shuffle.

    `state` has every card known. ValueError if a player chooses the step, or the game is over.
    """
    if not chance_decides(state) or state.phase is Phase.OVER:
        raise ValueError(f"chance does not act in phase {state.phase.name.lower()}")
    if state.phase in (Phase.ROLL, Phase.GNOME):
        return Roll(chance.choice(state.parts.die))
    return reordered(state, chance.choice(legal_actions(state)), chance)


def reordered(state: State, action: Action, chance: Random) -> Action:
    """Give an action that shuffles a random new order; other actions are returned unchanged."""
    match action:
        case Shuffle():
            return Shuffle(_shuffled(state.discard, chance))
        case Mix():
            return Mix(_shuffled(tuple(card for card in state.cells if card != EMPTY), chance))
    return action


def _shuffled(cards: tuple[int, ...], chance: Random) -> tuple[int, ...]:
    order = list(cards)
    chance.shuffle(order)
    return tuple(order)
