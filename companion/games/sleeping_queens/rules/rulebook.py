"""Sleeping Queens as a `Rules` object. The modules beside it do the work."""

from collections.abc import Collection, Mapping
from random import Random
from types import MappingProxyType
from typing import Any

from companion.games.api import CHANCE, Fault, Outcome
from companion.games.sleeping_queens.notation import action_notation, state_notation
from companion.games.sleeping_queens.rules import dealing, game_end, legal_actions, player_view, state_faults
from companion.games.sleeping_queens.rules.actions import Action
from companion.games.sleeping_queens.rules.apply import apply
from companion.games.sleeping_queens.rules.state import PLAYERS, VARIANT, Phase, State

_CHANCE_ACTS = (Phase.JESTER, Phase.REFILL, Phase.OVER)


class SleepingQueens:
    """The rules, for full and hidden states alike."""

    name = "sleeping-queens"
    variants: Mapping[str, tuple[int, ...]] = MappingProxyType({VARIANT: PLAYERS})
    options: Mapping[str, str] = MappingProxyType({})

    def setup(self, variant: str, players: int, chance: Random) -> State:
        return dealing.setup(variant, players, chance)

    def empty_table(self, variant: str, players: int, options: Collection[str] = ()) -> State:
        if options:
            raise ValueError(f"no option {min(options)!r}; there are none")
        return dealing.empty_table(variant, players)

    legal_actions = staticmethod(legal_actions.legal_actions)

    def apply(self, state: State, action: Action) -> State:
        return apply(state, action)

    def actor(self, state: State) -> int:
        """The player who acts: on turn, attacked, or chosen by a jester. CHANCE for piles and the jester's
        card."""
        return CHANCE if state.phase in _CHANCE_ACTS else state.acting

    def outcome(self, state: State) -> Outcome | None:
        return game_end.outcome(state)

    def status(self, state: State) -> tuple[Fault, ...]:
        return state_faults.status(state)

    def view(self, state: State, player: int | None) -> Mapping[str, Any]:
        return player_view.view(state, player)

    def write_state(self, state: State) -> str:
        return state_notation.write_state(state)

    def read_state(self, line: str) -> State:
        return state_notation.read_state(line)

    def write_action(self, action: Action) -> str:
        return action_notation.write_action(action)

    def read_action(self, text: str) -> Action:
        return action_notation.read_action(text)


RULES = SleepingQueens()
