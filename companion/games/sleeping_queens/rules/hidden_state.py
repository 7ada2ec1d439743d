"""The bridge between full and hidden states: forget what is hidden, and spell out what chance decided."""

from random import Random

from companion.games.sleeping_queens.rules.actions import Action, Reveal, Shuffle, Wake
from companion.games.sleeping_queens.rules.kinds import EMPTY, UNKNOWN, UNKNOWN_QUEEN
from companion.games.sleeping_queens.rules.state import Phase, State


def hide(state: State) -> State:
    """The state as a table has it that has watched from the beginning: hands, draw pile and the queens that
    nobody has seen are unknown."""
    return state._replace(
        hands=tuple((UNKNOWN,) * len(hand) for hand in state.hands),
        deck=(UNKNOWN,) * len(state.deck),
        cells=tuple(
            queen if queen == EMPTY or seen else UNKNOWN_QUEEN
            for queen, seen in zip(state.cells, state.seen, strict=True)
        ),
    )


def spell_out(state: State, action: Action) -> Action:
    """`action` with the outcome that `state` knows and everybody sees; a shuffled order is seen by nobody."""
    match action:
        case Wake(cell, None):
            return Wake(cell, state.cells[cell])
        case Reveal(None):
            return Reveal(state.deck[-1])
        case Shuffle():
            return Shuffle()
    return action


def shuffled(state: State, chance: Random) -> Shuffle:
    """A new order of the pile that is to be shuffled."""
    pile = list(state.discard + state.played if state.phase is Phase.REFILL else state.discard)
    chance.shuffle(pile)
    return Shuffle(tuple(pile))
