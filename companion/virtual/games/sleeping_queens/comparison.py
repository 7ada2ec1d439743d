"""The comparison of a tracked game with the truth."""

from collections import Counter

from companion.games.sleeping_queens.rules.actions import Action, Defend, Discard, Power, PutToSleep, Wake
from companion.games.sleeping_queens.rules.equations import Cards
from companion.games.sleeping_queens.rules.game_end import points, winners
from companion.games.sleeping_queens.rules.hidden_state import hide
from companion.games.sleeping_queens.rules.kinds import UNKNOWN
from companion.games.sleeping_queens.rules.state import Phase, State


def differences(truth: State, tracked: State) -> tuple[str, ...]:
    """All facts in which the tracked state differs from the true one, in words.

    Hidden and unread cards are not compared. Empty if all agree.
    """
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
    """(true kinds, tracked kinds) of a pile, sorted for comparison. Two empty tuples if only unread cards
    differ."""
    unread = Counter(truth) - Counter(tracked)
    read = [kind for kind in tracked if kind != UNKNOWN]
    guessed = tracked.count(UNKNOWN)
    if guessed == unread.total() and not Counter(read) - Counter(truth):
        return (), ()
    return tuple(sorted(truth)), tuple(sorted(tracked))


def outage_faults(truth: State, tracked: State) -> tuple[str, ...]:
    """Facts that are wrong at the end of a game with unwatched time, in words: phase and awake queens."""
    pairs = {"phase": (truth.phase, tracked.phase), "awake": (truth.awake, tracked.awake)}
    return tuple(f"{name}: {is_so} seen as {seen}" for name, (is_so, seen) in pairs.items() if is_so != seen)


def score_right(truth: State, tracked: State) -> bool:
    """True if the tracked state has the end of the game, the winners and everybody's points right."""
    if tracked.phase is not Phase.OVER:
        return False
    scores = [[points(queens) for queens in state.awake] for state in (truth, tracked)]
    return scores[0] == scores[1] and winners(truth) == winners(tracked)


def in_sight(action: Action) -> Action | None:
    """The action without the names that hide, if it lays cards in sight. None for other actions.

    A woken queen is not named.
    """
    if isinstance(action, Wake):
        return Wake(action.cell)
    return action if isinstance(action, Power | Discard | Defend | PutToSleep) else None


def begins_turn(action: Action) -> bool:
    """True for actions that begin a turn: a power card or a discard."""
    return isinstance(action, Power | Discard)


def awaits(state: State, player: int) -> bool:
    """True if the turn of a player (from 0) starts in this state."""
    return state.phase is Phase.PLAY and state.turn == player
