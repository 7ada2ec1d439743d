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
    """The rules of Sleeping Queens, for states with and without hidden cards."""

    name = "sleeping-queens"
    variants: Mapping[str, tuple[int, ...]] = MappingProxyType({VARIANT: PLAYERS})
    options: Mapping[str, str] = MappingProxyType({})

    def setup(self, variant: str, players: int, chance: Random) -> State:
        """Deal a game with every card known. ValueError names an unknown variant or number of players."""
        return dealing.setup(variant, players, chance)

    def empty_table(self, variant: str, players: int, options: Collection[str] = ()) -> State:
        """A dealt game with all cards unknown. ValueError names an unknown variant or number of players, or
        any option."""
        if options:
            raise ValueError(f"no option {min(options)!r}; there are none")
        return dealing.empty_table(variant, players)

    legal_actions = staticmethod(legal_actions.legal_actions)

    def apply(self, state: State, action: Action) -> State:
        """The state after an action. IllegalError says why the rules refuse it."""
        return apply(state, action)

    def actor(self, state: State) -> int:
        """The player (from 0) who acts: on turn, attacked, or chosen by a jester.

        CHANCE for a step that no player chooses: piles and the jester's card.
        """
        return CHANCE if state.phase in _CHANCE_ACTS else state.acting

    def outcome(self, state: State) -> Outcome | None:
        """The result of the game; None while it goes on."""
        return game_end.outcome(state)

    def status(self, state: State) -> tuple[Fault, ...]:
        """Every contradiction within a state. Empty if some game can reach the state."""
        return state_faults.status(state)

    def view(self, state: State, player: int | None) -> Mapping[str, Any]:
        """Everything that `player` (from 0), or for None everybody, may know, as JSON values."""
        return player_view.view(state, player)

    def write_state(self, state: State) -> str:
        """A state as one line of notation."""
        return state_notation.write_state(state)

    def read_state(self, line: str) -> State:
        """Parse a line of notation. ValueError says what is wrong and where."""
        return state_notation.read_state(line)

    def write_action(self, action: Action) -> str:
        """An action in notation."""
        return action_notation.write_action(action)

    def read_action(self, text: str) -> Action:
        """Parse an action in notation. ValueError says what is wrong."""
        return action_notation.read_action(text)


RULES = SleepingQueens()
