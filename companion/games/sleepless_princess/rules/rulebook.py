"""Sleepless Princess behind the interface of every game; the work is done in the modules beside it."""

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
"""The option: what a player felt or saw is theirs alone."""
_PLAYERS_ACT = (Phase.PLAY, Phase.CHECK, Phase.DRAW)


class SleeplessPrincess:
    """The rules; full and hidden states alike. Keyword options beyond the interface: `silent`, `princesses`."""

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
        """A dealt game with every card known."""
        return setup(variant, players, chance, princesses=princesses, silent=silent)

    def empty_table(self, variant: str, players: int, options: Collection[str] = ()) -> State:
        """The state before anything lies on the table."""
        if unknown := set(options) - self.options.keys():
            raise ValueError(f"no option {min(unknown)!r}; there are: {', '.join(self.options)}")
        return empty_table(variant, players, silent=SILENT in options)

    def legal_actions(self, state: State) -> tuple[Action, ...]:
        """Every action possible now, claims last."""
        return legal_actions(state)

    def apply(self, state: State, action: Action) -> State:
        """The state after `action`; IllegalError says why not."""
        return apply(state, action)

    def actor(self, state: State) -> int:
        """The player on turn, or CHANCE in SETUP, LAY, FINAL and after the end."""
        return state.turn if state.phase in _PLAYERS_ACT else CHANCE

    def outcome(self, state: State) -> Outcome | None:
        """The result, or None while the game goes on."""
        return outcome(state)

    def status(self, state: State) -> tuple[Fault, ...]:
        """Every fault of a state at once."""
        return status(state)

    def view(self, state: State, player: int | None, *, counts: bool = False) -> Mapping[str, Any]:
        """What one player, or everybody, may know; bed sizes only with `counts`."""
        return view(state, player, counts=counts)

    def write_state(self, state: State) -> str:
        """The state as one line."""
        return state_notation.write_state(state)

    def read_state(self, line: str) -> State:
        """The exact inverse of write_state."""
        return state_notation.read_state(line)

    def write_action(self, action: Action) -> str:
        """The action as a few words."""
        return state_notation.write_action(action)

    def read_action(self, text: str) -> Action:
        """The exact inverse of write_action."""
        return state_notation.read_action(text)


RULES = SleeplessPrincess()
"""The one instance there is a need for."""
