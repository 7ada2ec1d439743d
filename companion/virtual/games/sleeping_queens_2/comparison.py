"""The comparison of a tracked game with the truth."""

from companion.games.sleeping_queens_2.rules import actions as do
from companion.games.sleeping_queens_2.rules.actions import Action
from companion.games.sleeping_queens_2.rules.game_end import winner
from companion.games.sleeping_queens_2.rules.hidden_state import hide
from companion.games.sleeping_queens_2.rules.state import Phase, State

_LAID = (do.Steal, do.Take, do.Swap, do.Equation, do.Pair, do.Book, do.Rescue, do.PutBack, do.Discard, do.Roll)


def differences(truth: State, tracked: State) -> tuple[str, ...]:
    """All differences between truth and tracked state, except hidden cards."""
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
    """Wrong facts at the end of a game that the companion did not see completely."""
    pairs = {"phase": (truth.phase, tracked.phase), "kings": (truth.kings, tracked.kings)}
    return tuple(f"{name}: {is_so} seen as {seen}" for name, (is_so, seen) in pairs.items() if is_so != seen)


def score_right(truth: State, tracked: State) -> bool:
    """True if the companion knows the end of the game, the winner and all kings."""
    if tracked.phase is not Phase.OVER:
        return False
    return truth.kings == tracked.kings and winner(truth) == winner(tracked)


def in_sight(action: Action) -> Action | None:
    """An action that lays something in sight, without hidden names. None for others."""
    match action:
        case do.Draw():
            return do.Draw()
        case do.Fetch(cell, _):
            return do.Fetch(cell)
    return action if isinstance(action, _LAID) else None


def begins_turn(action: Action) -> bool:
    """True for an action after which the next turn starts: the end of a turn, or of the laying out."""
    return isinstance(action, do.Open | do.End)


def awaits(state: State, player: int) -> bool:
    """True if a turn of a player (from 0) starts in this state."""
    return state.phase is Phase.ROLL and state.turn == player
