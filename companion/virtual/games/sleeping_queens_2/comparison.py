"""What a companion made of a game, held against the truth."""

from companion.games.sleeping_queens_2.rules import actions as do
from companion.games.sleeping_queens_2.rules.actions import Action
from companion.games.sleeping_queens_2.rules.game_end import winner
from companion.games.sleeping_queens_2.rules.hidden_state import hide
from companion.games.sleeping_queens_2.rules.state import Phase, State

_LAID = (do.Steal, do.Take, do.Swap, do.Equation, do.Pair, do.Book, do.Rescue, do.PutBack, do.Discard, do.Roll)


def differences(truth: State, tracked: State) -> tuple[str, ...]:
    """Everything in which the tracked state differs from the truth, hidden cards apart."""
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
    """What a companion says wrongly at the end of a game that it did not see all of."""
    pairs = {"phase": (truth.phase, tracked.phase), "kings": (truth.kings, tracked.kings)}
    return tuple(f"{name}: {is_so} seen as {seen}" for name, (is_so, seen) in pairs.items() if is_so != seen)


def score_right(truth: State, tracked: State) -> bool:
    """Whether the companion knows that the game is over, who has won and with how many kings."""
    if tracked.phase is not Phase.OVER:
        return False
    return truth.kings == tracked.kings and winner(truth) == winner(tracked)


def in_sight(action: Action) -> Action | None:
    """An action by which something comes to rest in sight, without the names that the truth leaves open."""
    match action:
        case do.Draw():
            return do.Draw()
        case do.Fetch(cell, _):
            return do.Fetch(cell)
    return action if isinstance(action, _LAID) else None


def begins_turn(action: Action) -> bool:
    """Whether the next turn begins with this action: the end of the one before, or of the laying out."""
    return isinstance(action, do.Open | do.End)


def awaits(state: State, player: int) -> bool:
    """Whether a turn of this player (from 0) begins."""
    return state.phase is Phase.ROLL and state.turn == player
