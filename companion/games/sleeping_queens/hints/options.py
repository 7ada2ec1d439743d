"""A player's options, ranked by the chance to win: one step ahead, with chance and other players."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.sleeping_queens.hints.player_knowledge import (
    chance_to_hold,
    strangers,
    unseen,
)
from companion.games.sleeping_queens.hints.win_network import WinChance, fitted, inputs
from companion.games.sleeping_queens.rules.actions import (
    Action,
    Defend,
    Power,
    Reveal,
    Shuffle,
    Target,
    Wake,
    Yield,
)
from companion.games.sleeping_queens.rules.apply import apply
from companion.games.sleeping_queens.rules.game_end import winners
from companion.games.sleeping_queens.rules.kinds import (
    ANSWER_TO,
    ENEMY,
    JESTER,
    POINTS,
)
from companion.games.sleeping_queens.rules.legal_actions import attacker, legal_actions
from companion.games.sleeping_queens.rules.state import Phase, State

WORTH_WAKING = 10
"""Least points of a queen seen before for which she is woken.

Else an unseen queen is woken. The mean of all queens is 10.4 points.
"""


@dataclass(frozen=True, slots=True)
class Option:
    """Possible action of a player, and how good it is."""

    action: Action
    worth: float
    """Chance to win after the action (0 to 1), higher is better."""
    then: Action | None = None
    """Action to follow at once: which queen to attack or to wake. None if nothing follows."""
    chance: float = 1.0
    """Chance (0 to 1) that no other player stops the attack. 1 for an action that is none."""


class Outlook:
    """One player's winning chances, for each action in a position."""

    def __init__(self, state: State, player: int, weights: WinChance | None = None) -> None:
        """Start from `state` as `player` (from 0) knows it (see `player_knowledge.known_state`).

        `weights`: the network that values positions; None: the shipped one.
        """
        self._player = player
        self._weights = weights or fitted()
        self._kept: dict[State, float] = {}
        self.positions = 0
        """Number of positions judged so far: the work done."""
        self.state = state

    def options(self) -> list[Option]:
        """The player's choices, best first; equivalent ones once.

        Empty if somebody else decides, or chance.
        """
        if self.state.phase is Phase.OVER or self.state.acting != self._player:
            return []
        found = [self._option(action) for action in different(self.state)]
        return sorted(found, key=lambda option: -option.worth)

    def _option(self, action: Action) -> Option:
        worth = self._after(self.state, action, 0)
        if not isinstance(action, Power) or action.kind == JESTER:
            chance = self.undisturbed(self.state, action) if isinstance(action, Target) else 1.0
            return Option(action, worth, None, chance)
        after = apply(self.state, action)
        then = max(different(after), key=lambda one: self._after(after, one, 0))
        return Option(action, worth, then, self.undisturbed(after, then))

    def undisturbed(self, state: State, action: Action) -> float:
        """Chance (0 to 1) that the attacked player cannot stop `action`. 1 if it is no attack."""
        if not isinstance(action, Target):
            return 1.0
        attacked = apply(state, action)
        return 1.0 - chance_to_hold(attacked, attacked.acting, ANSWER_TO[attacker(attacked)])

    def _after(self, state: State, action: Action, depth: int) -> float:
        """Chance to win after an action.

        For an unseen queen: the mean over all queens that she may be. `depth`: jesters turned up before.
        """
        if isinstance(action, Wake) and not state.seen[action.cell]:
            names = strangers(state)
            return sum(self._worth(apply(state, Wake(action.cell, name)), depth) for name in names) / len(names)
        return self._worth(apply(state, action), depth)

    def _worth(self, state: State, depth: int) -> float:
        """Chance to win (0 to 1) in a state.

        It looks ahead to the end of the turn. `depth`: number of jesters turned up on the way.
        """
        match state.phase:
            case Phase.OVER:
                won = winners(state)
                return float(self._player in won) / len(won)
            case Phase.JESTER:
                return self._turned_up(state, depth)
            case Phase.ANSWER if state.acting != self._player:
                return self._answered(state, depth)
            case Phase.WAKE if state.acting != self._player:
                return self._after(state, _others_choice(state), depth)
            case Phase.TARGET | Phase.ANSWER | Phase.SLEEP | Phase.WAKE:
                return max(self._after(state, action, depth) for action in different(state))
            case Phase.PLAY:
                # A second jester in one turn is ignored, because it is rare.
                plays = [action for action in different(state) if action != Power(JESTER)]
                return max(self._after(state, action, depth) for action in plays)
        return self._judged(state)

    def _judged(self, state: State) -> float:
        """Chance to win (0 to 1) at the end of a turn, by the network."""
        if state not in self._kept:
            self.positions += 1
            self._kept[state] = self._weights.of(inputs(state, self._player))
        return self._kept[state]

    def _turned_up(self, state: State, depth: int) -> float:
        """Mean winning chance over cards a jester may turn up.

        All such cards count. `depth`: jesters turned up before.
        """
        if not state.deck:
            state = apply(state, Shuffle())
        left = unseen(state)
        cards = sum(left)
        return sum(
            copies / cards * self._worth(apply(state, Reveal(kind)), depth + 1)
            for kind, copies in enumerate(left)
            if copies
        )

    def _answered(self, state: State, depth: int) -> float:
        """Mean winning chance over answers to an attack, by odds.

        `depth`: jesters turned up before.
        """
        stopped = chance_to_hold(state, state.acting, ANSWER_TO[attacker(state)])
        worth = (1.0 - stopped) * self._worth(apply(state, Yield()), depth)
        return worth + (stopped * self._worth(apply(state, Defend()), depth) if stopped else 0.0)


def different(state: State) -> Sequence[Action]:
    """Legal actions, each kind of equal ones once.

    All queens that nobody has seen count as equal, and so do all empty grid places.
    """
    legal = legal_actions(state)
    if state.phase is Phase.SLEEP:
        return legal[:1]
    if state.phase is Phase.WAKE:
        known = [action for action in legal if isinstance(action, Wake) and state.seen[action.cell]]
        unknown = [action for action in legal if isinstance(action, Wake) and not state.seen[action.cell]]
        return [*known, *unknown[:1]]
    return legal


def _others_choice(state: State) -> Wake:
    """The queen that another player will probably wake.

    It is the best one seen, if she has WORTH_WAKING points or more; else an unseen one.
    """
    own = state.awake[state.acting]
    asleep = [
        cell for cell, queen in enumerate(state.cells) if state.seen[cell] and ENEMY.get(queen) not in own
    ]
    best = max(asleep, key=lambda cell: POINTS[state.cells[cell]], default=None)
    if best is not None and POINTS[state.cells[best]] >= WORTH_WAKING:
        return Wake(best)
    choices = different(state)
    last = choices[-1]
    assert isinstance(last, Wake)
    return last
