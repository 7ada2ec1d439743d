"""Sleepless Princess as a `Rules` object. The modules beside it do the work."""

from collections.abc import Collection, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Any

from companion.games.api import CHANCE, Fault, Outcome
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


class SleeplessPrincess:
    """The rules of Sleepless Princess, for states with and without hidden cards."""

    name = "sleepless-princess"
    variants: Mapping[str, tuple[int, ...]] = {name: rule.players for name, rule in VARIANTS.items()}
    options: Mapping[str, str] = MappingProxyType({SILENT: "What a player feels or sees is theirs alone."})

    def setup(
        self,
        variant: str,
        players: int,
        chance: Random,
        *,
        princesses: Sequence[int] | None = None,
        silent: bool = False,
    ) -> State:
        """Deal a game with every card known.

        `princesses`: type (0 to 9) for each bed, chosen by chance if None. `silent`: players keep what they
        felt or saw. ValueError for an unknown variant, number of players or list of princesses.
        """
        return setup(variant, players, chance, princesses=princesses, silent=silent)

    def empty_table(self, variant: str, players: int, options: Collection[str] = ()) -> State:
        """The state before any card lies on the table, all cards unknown. ValueError names an unknown
        variant, number of players or option."""
        if unknown := set(options) - self.options.keys():
            raise ValueError(f"no option {min(unknown)!r}; there are: {', '.join(self.options)}")
        return empty_table(variant, players, silent=SILENT in options)

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        """Every action possible now, by any player or chance. Empty if the game is over."""
        return legal_actions(state)

    def apply(self, state: State, action: Action) -> State:
        """The state after an action. IllegalError says why the rules refuse it."""
        return apply(state, action)

    def actor(self, state: State) -> int:
        """The player (from 0) on turn, or CHANCE in SETUP, LAY, FINAL and after the end."""
        return state.turn if state.phase in _PLAYERS_ACT else CHANCE

    def outcome(self, state: State) -> Outcome | None:
        """The result of the game; None while it goes on."""
        return outcome(state)

    def status(self, state: State) -> tuple[Fault, ...]:
        """Every contradiction within a state. Empty if some game can reach the state."""
        return status(state)

    def view(self, state: State, player: int | None, *, counts: bool = False) -> Mapping[str, Any]:
        """Everything that `player` (from 0), or for None everybody, may know, as JSON values.

        `counts`: True to include the number of mattresses on each bed, which the rulebook forbids players to
        count.
        """
        return view(state, player, counts=counts)

    def write_state(self, state: State) -> str:
        """A state as one line of notation."""
        return state_notation.write_state(state)

    def read_state(self, line: str) -> State:
        """Parse a line of notation. ValueError says what is wrong and where."""
        return state_notation.read_state(line)

    def write_action(self, action: Action) -> str:
        """An action in notation."""
        return state_notation.write_action(action)

    def read_action(self, text: str) -> Action:
        """Parse an action in notation. ValueError says what is wrong."""
        return state_notation.read_action(text)


RULES = SleeplessPrincess()
