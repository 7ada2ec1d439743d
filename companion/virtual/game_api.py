"""Interface of a virtual game: its players, things and rig.

No game is named here. A game implements it in its folder of companion.virtual.games, as `VIRTUAL` (see
`load_virtual` in companion.games.registry).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from companion.games.hidden_cards import AskableFact
from companion.session.stream.events import Table
from companion.session.stream.virtual_table_events import YourTurn
from companion.virtual.companion_requests import NOTHING, Wanted
from companion.virtual.ground_truth import TruthLog
from companion.virtual.hand_movements import Stage
from companion.virtual.kept_layouts import Differences
from companion.virtual.render.looks import Looks
from companion.virtual.rig.rig_plan import RigPlan


@dataclass(slots=True)
class Reins:
    """Controls that hold and move the virtual players.

    `paused`: they begin no new action. `steps`: number of actions they may still do while paused. `wanted`:
    what the companion's screen asks them to do.
    """

    paused: bool = False
    steps: int = 0
    wanted: Wanted = NOTHING
    held: bool = False
    """Whether the paused players have finished the running action and wait."""


class RunningGame(Protocol):
    """One game with its players, from empty table to end.

    Players count from 0.
    """

    @property
    def state(self) -> Any:
        """True state of the game, with every card known.

        It is in the type of the rules.
        """
        ...

    @property
    def truth(self) -> TruthLog:
        """Log of the actions that the players really did, in the notation of the rules."""
        ...

    @property
    def finished(self) -> bool:
        """True when the game is over and nothing moves."""
        ...

    @property
    def seat(self) -> int | None:
        """Player (from 0) whom a person plays; else None."""
        ...

    @property
    def askable_facts(self) -> set[AskableFact]:
        """Facts true so far that players can confirm or deny."""
        ...

    def life(self) -> Iterator[float]:
        """Play the whole game, movement by movement.

        Yields the time (s) until the next movement; waits for ever after the end.
        """
        ...

    def take_seat(self, player: int | None) -> None:
        """Let a person play for `player` (from 0).

        None gives the seat back. BadInputError if no such player exists.
        """
        ...

    def choice(self) -> YourTurn | None:
        """What the seated person sees and may choose now.

        None if no seat is taken.
        """
        ...

    def choose(self, index: int) -> None:
        """Choose option `index` (from 0) for the seated person.

        BadInputError if no choice is possible now.
        """
        ...

    def call_claim(self, subject: int) -> None:
        """Have players claim `subject` (from 0) after the running action.

        BadInputError if nobody may claim it.
        """
        ...

    @property
    def laying_back(self) -> bool:
        """True while hands lay cards back to an earlier state, or will after this action."""
        ...

    def lay_back(self, tracked: Any, action: str, differences: Differences) -> bool:
        """Lay the cards back as before the undone `action`.

        A companion undid it. `tracked`: the state in which the companion believes the game now. `differences`:
        compares a true state with it. Returns False if the cards lie so already, or if they never lay so.
        """
        ...

    def truth_lines(self) -> list[str]:
        """Words for the table's true contents, one line each."""
        ...


class VirtualGame(Protocol):
    """Game that can be played on the virtual table."""

    @property
    def looks(self) -> Looks:
        """Look of the game's things and mat from above."""
        ...

    def rig(self, variant: str) -> RigPlan:
        """Sensors of the game's table in this variant.

        By default there is a camera alone.
        """
        return RigPlan()

    def wanted_by(self, table: Table | None, text: str) -> Wanted:
        """What a companion's screen asks of people at the table.

        By default nothing. The screen shows `table` (None before a game) and the question or notice `text` (""
        for none).
        """
        return NOTHING

    def differences(self, truth: Any, tracked: Any) -> tuple[str, ...]:
        """Differences between a tracked state and the truth, in words.

        Hidden cards are not compared.
        """
        ...

    def begin(
        self, variant: str, players: int, seed: int, stage: Stage, reins: Reins, policy: str, rash: float
    ) -> RunningGame:
        """Deal a game whose players move on `stage`.

        Equal arguments give equal games. `reins`: hold and move the players. `policy`: name of how they play;
        BadInputError if it does not exist. `rash`: how readily they claim (0 to 1).
        """
        ...
