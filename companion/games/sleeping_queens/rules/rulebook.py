"""Sleeping Queens behind the interface of every game; the work is done in the modules beside it."""

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
    """The rules; full and hidden states alike."""

    name = "sleeping-queens"
    variants: Mapping[str, tuple[int, ...]] = MappingProxyType({VARIANT: PLAYERS})
    options: Mapping[str, str] = MappingProxyType({})

    def setup(self, variant: str, players: int, chance: Random) -> State:
        """A dealt game with every card known."""
        return dealing.setup(variant, players, chance)

    def empty_table(self, variant: str, players: int, options: Collection[str] = ()) -> State:
        """A dealt game of which nobody has seen a card."""
        if options:
            raise ValueError(f"no option {min(options)!r}; there are none")
        return dealing.empty_table(variant, players)

    legal_actions = staticmethod(legal_actions.legal_actions)

    def apply(self, state: State, action: Action) -> State:
        """The state after `action`; IllegalError says why not."""
        return apply(state, action)

    def actor(self, state: State) -> int:
        """Who acts: on turn, attacked, or chosen by a jester; CHANCE for piles and the jester's card."""
        return CHANCE if state.phase in _CHANCE_ACTS else state.acting

    def outcome(self, state: State) -> Outcome | None:
        """The result, or None while the game goes on."""
        return game_end.outcome(state)

    def status(self, state: State) -> tuple[Fault, ...]:
        """Every fault of a state at once."""
        return state_faults.status(state)

    def view(self, state: State, player: int | None) -> Mapping[str, Any]:
        """What one player, or everybody, may know."""
        return player_view.view(state, player)

    def write_state(self, state: State) -> str:
        """The state as one line."""
        return state_notation.write_state(state)

    def read_state(self, line: str) -> State:
        """The exact inverse of write_state."""
        return state_notation.read_state(line)

    def write_action(self, action: Action) -> str:
        """The action as a few words."""
        return action_notation.write_action(action)

    def read_action(self, text: str) -> Action:
        """The exact inverse of write_action."""
        return action_notation.read_action(text)


RULES = SleepingQueens()
"""The one instance there is a need for."""
