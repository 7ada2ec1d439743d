"""Sleepless Princess as a `Rules` object.

The modules beside it do the work.
"""

from collections.abc import Collection, Mapping
from types import MappingProxyType

from companion.games.rules import CHANCE, Rules
from companion.games.sleepless_princess.notation import state_notation
from companion.games.sleepless_princess.rules.actions import Action
from companion.games.sleepless_princess.rules.apply import apply
from companion.games.sleepless_princess.rules.dealing import empty_table, setup
from companion.games.sleepless_princess.rules.game_outcome import outcome
from companion.games.sleepless_princess.rules.legal_actions import legal_actions
from companion.games.sleepless_princess.rules.player_view import view
from companion.games.sleepless_princess.rules.state import VARIANTS, Phase, State
from companion.games.sleepless_princess.rules.state_faults import status

SILENT = "silent"
"""Option: players keep secret what they felt or saw."""
_PLAYERS_ACT = (Phase.PLAY, Phase.CHECK, Phase.DRAW)


class SleeplessPrincess(Rules[State, Action]):
    """Rules of Sleepless Princess, with or without hidden cards."""

    name = "sleepless-princess"
    variants: Mapping[str, tuple[int, ...]] = {name: rule.players for name, rule in VARIANTS.items()}
    options: Mapping[str, str] = MappingProxyType({SILENT: "What a player feels or sees is theirs alone."})

    setup = staticmethod(setup)

    def empty_table(self, variant: str, players: int, options: Collection[str] = ()) -> State:
        """State before any card lies on the table.

        Every card is unknown. ValueError names an unknown variant, number of players or option.
        """
        if unknown := set(options) - self.options.keys():
            raise ValueError(f"no option {min(unknown)!r}; there are: {', '.join(self.options)}")
        return empty_table(variant, players, silent=SILENT in options)

    legal_actions = staticmethod(legal_actions)
    apply = staticmethod(apply)

    def actor(self, state: State) -> int:
        """The player (from 0) on turn.

        CHANCE in phases SETUP, LAY and FINAL, and after the end.
        """
        return state.turn if state.phase in _PLAYERS_ACT else CHANCE

    outcome = staticmethod(outcome)
    status = staticmethod(status)
    view = staticmethod(view)
    write_state = staticmethod(state_notation.write_state)
    read_state = staticmethod(state_notation.read_state)
    write_action = staticmethod(state_notation.write_action)
    read_action = staticmethod(state_notation.read_action)


RULES = SleeplessPrincess()
