"""The comparison of a tracked game with the truth."""

from companion.games.sleeping_queens_2.rules import actions as do
from companion.games.sleeping_queens_2.rules.actions import Action
from companion.games.sleeping_queens_2.rules.game_end import winner
from companion.games.sleeping_queens_2.rules.hidden_state import hide
from companion.games.sleeping_queens_2.rules.state import Phase, State

_LAID = (do.Steal, do.Take, do.Swap, do.Equation, do.Pair, do.Book, do.Rescue, do.PutBack, do.Discard, do.Roll)


def differences(truth: State, tracked: State) -> tuple[str, ...]:
    """All facts in which the tracked state differs from the true one, in words.

    Hidden cards are not compared. Empty if all agree.
    """
    pairs = {
        "phase": (truth.phase, tracked.phase),
        "turn": (truth.turn, tracked.turn),
        "turns": (truth.turns, tracked.turns),
        "realms": (truth.realms, tracked.realms),
        "asleep": (truth.asleep, tracked.asleep),
        "companions": (truth.companions, tracked.companions),
        "kings": (truth.kings, tracked.kings),
        "knights": (truth.knights, tracked.knights),
        "drawn": (truth.drawn, tracked.drawn),
        "grid": (hide(truth).cells, hide(tracked).cells),
        "discard": (sorted(truth.discard), sorted(tracked.discard)),
        "deck": (len(truth.deck), len(tracked.deck)),
    }
    return tuple(f"{name}: {is_so} seen as {seen}" for name, (is_so, seen) in pairs.items() if is_so != seen)


def outage_faults(truth: State, tracked: State) -> tuple[str, ...]:
    """Facts that are wrong at the end of a game with unwatched time, in words."""
    pairs = {"phase": (truth.phase, tracked.phase), "kings": (truth.kings, tracked.kings)}
    return tuple(f"{name}: {is_so} seen as {seen}" for name, (is_so, seen) in pairs.items() if is_so != seen)


def score_right(truth: State, tracked: State) -> bool:
    """True if the tracked state has the end of the game, the winner and everybody's kings right."""
    if tracked.phase is not Phase.OVER:
        return False
    return truth.kings == tracked.kings and winner(truth) == winner(tracked)


def in_sight(action: Action) -> Action | None:
    """The action without the names of hidden cards, if it lays something in sight. None for other actions."""
    match action:
        case do.Draw():
            return do.Draw()
        case do.Fetch(cell, _):
            return do.Fetch(cell)
    return action if isinstance(action, _LAID) else None


def begins_turn(action: Action) -> bool:
    """True for actions after which the next turn starts: the end of a turn, or of laying out."""
    return isinstance(action, do.Open | do.End)


def awaits(state: State, player: int) -> bool:
    """True if the turn of a player (from 0) starts in this state."""
    return state.phase is Phase.ROLL and state.turn == player
