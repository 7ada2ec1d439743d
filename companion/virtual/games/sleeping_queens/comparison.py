"""What a companion made of a game, held against the truth."""

from collections import Counter

from companion.games.sleeping_queens.rules.actions import Action, Defend, Discard, Power, PutToSleep, Wake
from companion.games.sleeping_queens.rules.equations import Cards
from companion.games.sleeping_queens.rules.game_end import points, winners
from companion.games.sleeping_queens.rules.hidden_state import hide
from companion.games.sleeping_queens.rules.kinds import UNKNOWN
from companion.games.sleeping_queens.rules.state import Phase, State


def differences(truth: State, tracked: State) -> tuple[str, ...]:
    """Everything in which the tracked state differs from the truth, apart from cards that are hidden or were
    never read."""
    pairs = {
        "phase": (truth.phase, tracked.phase),
        "turns": (truth.turns, tracked.turns),
        "awake": (truth.awake, tracked.awake),
        "grid": (hide(truth).cells, hide(tracked).cells),
        "played": _lying(truth.played, tracked.played),
        "discard": _lying(truth.discard, tracked.discard),
        "deck": (len(truth.deck), len(tracked.deck)),
        "hands": ([len(hand) for hand in truth.hands], [len(hand) for hand in tracked.hands]),
    }
    return tuple(f"{name}: {is_so} seen as {seen}" for name, (is_so, seen) in pairs.items() if is_so != seen)


def _lying(truth: Cards, tracked: Cards) -> tuple[Cards, Cards]:
    """Both sorted; what was not read is as it is."""
    unread = Counter(truth) - Counter(tracked)
    read = [kind for kind in tracked if kind != UNKNOWN]
    guessed = tracked.count(UNKNOWN)
    if guessed == unread.total() and not Counter(read) - Counter(truth):
        return (), ()
    return tuple(sorted(truth)), tuple(sorted(tracked))


def outage_faults(truth: State, tracked: State) -> tuple[str, ...]:
    """What a companion says wrongly at the end of a game that it did not see all of."""
    pairs = {"phase": (truth.phase, tracked.phase), "awake": (truth.awake, tracked.awake)}
    return tuple(f"{name}: {is_so} seen as {seen}" for name, (is_so, seen) in pairs.items() if is_so != seen)


def score_right(truth: State, tracked: State) -> bool:
    """Whether the companion knows that the game is over, who has won and with how many points."""
    if tracked.phase is not Phase.OVER:
        return False
    scores = [[points(queens) for queens in state.awake] for state in (truth, tracked)]
    return scores[0] == scores[1] and winners(truth) == winners(tracked)


def in_sight(action: Action) -> Action | None:
    """An action by which cards come to rest in sight; the truth does not name the queen that was woken."""
    if isinstance(action, Wake):
        return Wake(action.cell)
    return action if isinstance(action, Power | Discard | Defend | PutToSleep) else None


def begins_turn(action: Action) -> bool:
    """Whether this is the first action of a turn."""
    return isinstance(action, Power | Discard)


def awaits(state: State, player: int) -> bool:
    """Whether a turn of this player (from 0) begins."""
    return state.phase is Phase.PLAY and state.turn == player
