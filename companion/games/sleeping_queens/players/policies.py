"""Policies of simulated players.

Each sees only the view of its player.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from companion.games.simulation import play_at_random
from companion.games.sleeping_queens.rules.actions import (
    Action,
    Defend,
    Discard,
    Power,
    Target,
    Wake,
)
from companion.games.sleeping_queens.rules.kinds import (
    ENEMY,
    JESTER,
    KING,
    KNIGHT,
    NUMBERS,
    POINTS,
    POTION,
    QUEEN_NAMES,
)

View = Mapping[str, Any]
Policy = Callable[[View, Sequence[Action], Random], Action]
"""Way to play, as a function: (what the player sees, legal actions, chance) -> chosen action."""
WORTH_WAKING = 10
"""Least points of a queen seen before for which she is woken.

Else an unseen queen is woken. The mean of all queens is 10.4 points.
"""
WORTH_A_POTION = 10
"""Least points of a queen on whom a potion is used. A guess."""


def play_sensibly(view: View, legal: Sequence[Action], chance: Random) -> Action:
    """Policy of attentive people: one of the `legal` actions.

    Kings come first, then attacks on good queens, else the largest discard. Attacks are always answered.
    """
    match legal[0]:
        case Defend():
            return legal[0]
        case Target():
            return max(legal, key=_points_of_target)
        case Wake():
            return _best_to_wake(view, legal, chance)
        case Power() | Discard():
            return _play(view, legal, chance)
    return chance.choice(legal)


def _play(view: View, legal: Sequence[Action], chance: Random) -> Action:
    powers = {action.kind: action for action in legal if isinstance(action, Power)}
    best_elsewhere = max((max(map(_points, queens)) for queens in _others(view) if queens), default=0)
    for kind in (KING, KNIGHT, POTION, JESTER):
        if kind in powers and (kind != POTION or best_elsewhere >= WORTH_A_POTION):
            return powers[kind]
    discards = [action for action in legal if isinstance(action, Discard)]
    most = max(map(_worth_of_discard, discards))
    return chance.choice([action for action in discards if _worth_of_discard(action) == most])


def _worth_of_discard(action: Discard) -> int:
    """Rank of a discard: its number of cards, plus 10 for numbers, because power cards are kept."""
    return len(action.cards) + (10 if action.cards[0] in NUMBERS else 0)


def _best_to_wake(view: View, legal: Sequence[Action], chance: Random) -> Action:
    own = view["awake"][view["player"] - 1]
    enemies = {QUEEN_NAMES[other] for queen, other in ENEMY.items() if QUEEN_NAMES[queen] in own}
    cells: Sequence[str] = view["cells"]
    good, unknown = [], []
    for action in legal:
        assert isinstance(action, Wake)
        name = cells[action.cell]
        if name == "?":
            unknown.append(action)
        elif name not in enemies and _points(name) >= WORTH_WAKING:
            good.append(action)
    if good:
        return max(good, key=lambda action: _points(cells[action.cell]))
    return chance.choice(unknown or list(legal))


def _others(view: View) -> list[Sequence[str]]:
    return [queens for at, queens in enumerate(view["awake"]) if at != view["player"] - 1]


def _points(name: str) -> int:
    return POINTS[QUEEN_NAMES.index(name)]


def _points_of_target(action: Action) -> int:
    return POINTS[action.queen] if isinstance(action, Target) else 0


def play_by_hints(view: View, legal: Sequence[Action], chance: Random) -> Action:
    """Choose the action that the best hint recommends.

    Other actions in `legal` do not matter.
    """
    # Imported here, because loading the weights takes time.
    from companion.games.sleeping_queens.hints.options import Outlook
    from companion.games.sleeping_queens.hints.player_knowledge import known_state

    if len(legal) == 1:
        return legal[0]
    return Outlook(known_state(view), view["player"] - 1).options()[0].action


POLICIES: dict[str, Policy] = {
    "sensible": play_sensibly,
    "random": play_at_random,
    "hinted": play_by_hints,
}
