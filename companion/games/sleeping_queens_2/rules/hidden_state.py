"""The bridge between full and hidden states: forget what is hidden, say what was seen, decide by chance."""

from random import Random

from companion.games.announcements import Insist
from companion.games.sleeping_queens_2.rules.actions import Action, Draw, Fetch, Mix, Open, Roll, Shuffle
from companion.games.sleeping_queens_2.rules.kinds import EMPTY, UNKNOWN
from companion.games.sleeping_queens_2.rules.legal_actions import legal_actions, needs_mixing
from companion.games.sleeping_queens_2.rules.state import Phase, State


def hide(state: State) -> State:
    """The state as somebody has it who has watched from the beginning: draw pile and companions that lie face
    down are unknown."""
    return state._replace(
        deck=(UNKNOWN,) * len(state.deck),
        cells=tuple(
            card if card == EMPTY or up else UNKNOWN
            for card, up in zip(state.cells, state.face_up, strict=True)
        ),
        undo=None if state.undo is None else hide(state.undo),
    )


def spell_out(state: State, action: Action) -> Action:
    """`action` with the card that `state` knows and everybody sees; a shuffled order is seen by nobody."""
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
    """Whether the next step is chosen by nobody."""
    if state.phase is Phase.FETCH:
        return needs_mixing(state)
    return state.phase in (Phase.SETUP, Phase.ROLL, Phase.DRAW, Phase.GNOME, Phase.OVER)


def by_chance(state: State, chance: Random) -> Action:
    """What chance does next in a fully known state that is its: a roll by the faces of the die, a new order.

    ValueError in a state in which a player chooses, and where the game is over.
    """
    if not chance_decides(state) or state.phase is Phase.OVER:
        raise ValueError(f"chance does not act in phase {state.phase.name.lower()}")
    if state.phase in (Phase.ROLL, Phase.GNOME):
        return Roll(chance.choice(state.parts.die))
    return reordered(state, chance.choice(legal_actions(state)), chance)


def reordered(state: State, action: Action, chance: Random) -> Action:
    """`action`, with a new order of what the state knows if it shuffles."""
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
