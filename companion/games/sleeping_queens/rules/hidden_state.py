"""Full and hidden states: hide cards, name outcomes of chance."""

from random import Random

from companion.games.sleeping_queens.rules.actions import Action, Reveal, Shuffle, Wake
from companion.games.sleeping_queens.rules.kinds import EMPTY, UNKNOWN, UNKNOWN_QUEEN
from companion.games.sleeping_queens.rules.state import Phase, State


def hide(state: State) -> State:
    """The state without what some player cannot see.

    Hands, draw pile, and queens not seen by all become unknown.
    """
    return state._replace(
        hands=tuple((UNKNOWN,) * len(hand) for hand in state.hands),
        deck=(UNKNOWN,) * len(state.deck),
        cells=tuple(
            queen if queen == EMPTY or seen else UNKNOWN_QUEEN
            for queen, seen in zip(state.cells, state.seen, strict=True)
        ),
    )


def spell_out(state: State, action: Action) -> Action:
    """Add to an action the hidden card that it uncovers.

    So it can be repeated on a state with hidden cards. `state`: every card is known. The order of a shuffle is
    removed, because nobody sees it.
    """
    match action:
        case Wake(cell, None):
            return Wake(cell, state.cells[cell])
        case Reveal(None):
            return Reveal(state.deck[-1])
        case Shuffle():
            return Shuffle()
    return action


def shuffled(state: State, chance: Random) -> Shuffle:
    """Shuffle the discard pile: an action that contains the new order of the draw pile."""
    pile = list(state.discard + state.played if state.phase is Phase.REFILL else state.discard)
    chance.shuffle(pile)
    return Shuffle(tuple(pile))
