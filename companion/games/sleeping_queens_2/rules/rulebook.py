"""Sleeping Queens 2 as a `Rules` object. The modules beside it do the work."""

from collections.abc import Collection, Mapping
from random import Random
from types import MappingProxyType

from companion.games.api import CHANCE, Rules
from companion.games.sleeping_queens_2.notation import action_notation, state_notation
from companion.games.sleeping_queens_2.rules import dealing, game_end, legal_actions, player_view, state_faults
from companion.games.sleeping_queens_2.rules.actions import Action
from companion.games.sleeping_queens_2.rules.apply import apply
from companion.games.sleeping_queens_2.rules.hidden_state import chance_decides
from companion.games.sleeping_queens_2.rules.parts import DEFAULT_PARTS, Box, Parts
from companion.games.sleeping_queens_2.rules.state import PLAYERS, VARIANT, State


class SleepingQueens2(Rules[State, Action]):
    """The rules of Sleeping Queens 2, for states with and without hidden cards. `parts`: printed parts of the
    box."""

    name = "sleeping-queens-2"
    variants: Mapping[str, tuple[int, ...]] = MappingProxyType({VARIANT: PLAYERS})

    box: Box

    def __init__(self, parts: Parts = DEFAULT_PARTS) -> None:
        self.box = Box(parts)

    def setup(self, variant: str, players: int, chance: Random) -> State:
        """Set up a game ready for the first roll, every card known. ValueError names an unknown variant or
        number of players."""
        return dealing.setup(variant, players, chance, self.box.parts)

    def empty_table(self, variant: str, players: int, options: Collection[str] = ()) -> State:
        """A table before knights are given, all cards unknown. ValueError names an unknown variant or number
        of players, or any option."""
        if options:
            raise ValueError(f"no option {min(options)!r}; there are none")
        return dealing.empty_table(variant, players, self.box.parts)

    legal_actions = staticmethod(legal_actions.legal_actions)
    apply = staticmethod(apply)

    def actor(self, state: State) -> int:
        """The player (from 0) on turn, or CHANCE for a die roll, a hidden card or shuffling."""
        return CHANCE if chance_decides(state) else state.turn

    outcome = staticmethod(game_end.outcome)
    status = staticmethod(state_faults.status)
    view = staticmethod(player_view.view)
    write_state = staticmethod(state_notation.write_state)
    read_state = staticmethod(state_notation.read_state)
    write_action = staticmethod(action_notation.write_action)
    read_action = staticmethod(action_notation.read_action)


RULES = SleepingQueens2()
"""The rules for a box with default parts."""
