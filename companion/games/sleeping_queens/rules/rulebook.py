"""Sleeping Queens as a `Rules` object. The modules beside it do the work."""

from collections.abc import Collection, Mapping
from types import MappingProxyType

from companion.games.api import CHANCE, Rules
from companion.games.sleeping_queens.notation import action_notation, state_notation
from companion.games.sleeping_queens.rules import dealing, game_end, legal_actions, player_view, state_faults
from companion.games.sleeping_queens.rules.actions import Action
from companion.games.sleeping_queens.rules.apply import apply
from companion.games.sleeping_queens.rules.state import PLAYERS, VARIANT, Phase, State

_CHANCE_ACTS = (Phase.JESTER, Phase.REFILL, Phase.OVER)


class SleepingQueens(Rules[State, Action]):
    """The rules of Sleeping Queens, for states with and without hidden cards."""

    name = "sleeping-queens"
    variants: Mapping[str, tuple[int, ...]] = MappingProxyType({VARIANT: PLAYERS})

    setup = staticmethod(dealing.setup)

    def empty_table(self, variant: str, players: int, options: Collection[str] = ()) -> State:
        """A dealt game with all cards unknown. ValueError names an unknown variant or number of players, or
        any option."""
        if options:
            raise ValueError(f"no option {min(options)!r}; there are none")
        return dealing.empty_table(variant, players)

    legal_actions = staticmethod(legal_actions.legal_actions)
    apply = staticmethod(apply)

    def actor(self, state: State) -> int:
        """The player (from 0) who acts: on turn, attacked, or chosen by a jester.

        CHANCE for a step that no player chooses: piles and the jester's card.
        """
        return CHANCE if state.phase in _CHANCE_ACTS else state.acting

    outcome = staticmethod(game_end.outcome)
    status = staticmethod(state_faults.status)
    view = staticmethod(player_view.view)
    write_state = staticmethod(state_notation.write_state)
    read_state = staticmethod(state_notation.read_state)
    write_action = staticmethod(action_notation.write_action)
    read_action = staticmethod(action_notation.read_action)


RULES = SleepingQueens()
