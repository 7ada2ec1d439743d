"""The interface of a game on the virtual table: its players, its things and its rig. No game is named here.

A game implements it in its folder of companion.virtual.games, as `VIRTUAL` (see `load_virtual` in
companion.games.registry).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from companion.games.askable_facts import AskableFact
from companion.session.stream.events import Table
from companion.session.stream.virtual_table_events import YourTurn
from companion.virtual.ground_truth import TruthLog
from companion.virtual.moments import Differences
from companion.virtual.prompts import NOTHING, Wanted
from companion.virtual.render.looks import Looks
from companion.virtual.rig.rig_plan import RigPlan
from companion.virtual.stage import Stage


@dataclass(slots=True)
class Reins:
    """Controls of the players: whether they are held, how many single actions were asked for meanwhile, and
    what the companion's screen asks of them."""

    paused: bool = False
    steps: int = 0
    wanted: Wanted = NOTHING
    held: bool = False
    """Whether they have finished what they were doing and wait."""


class RunningGame(Protocol):
    """One game with its players, from the empty table to its end. Players count from 0."""

    @property
    def state(self) -> Any:
        """The true state, every card known."""
        ...

    @property
    def truth(self) -> TruthLog:
        """The actions that were really done, in the notation of the rules."""
        ...

    @property
    def finished(self) -> bool:
        """True when the game is over and nothing moves."""
        ...

    @property
    def seat(self) -> int | None:
        """The player whose seat a person has; None without a person."""
        ...

    @property
    def askable_facts(self) -> set[AskableFact]:
        """Everything done so far that people may be asked about."""
        ...

    def life(self) -> Iterator[float]:
        """Play the whole game. Yields the seconds until the next movement, after the end for ever."""
        ...

    def take_seat(self, player: int | None) -> None:
        """A person takes a player's place, or gives it back (None). BadInputError if there is no such place."""
        ...

    def choice(self) -> YourTurn | None:
        """What the person in the seat sees and may choose now; None without a person."""
        ...

    def choose(self, index: int) -> None:
        """The person chooses an option (from 0); BadInputError if it is not possible now."""
        ...

    def call_claim(self, subject: int) -> None:
        """Somebody claims a subject (from 0) after the running action; BadInputError if nobody may."""
        ...

    @property
    def laying_back(self) -> bool:
        """Whether cards are being laid back, or will be once the running action has ended."""
        ...

    def lay_back(self, tracked: Any, action: str, differences: Differences) -> bool:
        """Lay the cards back as they lay in the state that a companion has again, before this action; False if
        they lie so, or if they never lay so. `differences` compares a true state with the tracked one."""
        ...

    def truth_lines(self) -> list[str]:
        """The true table in words."""
        ...


class VirtualGame(Protocol):
    """A game as a virtual table needs it."""

    @property
    def looks(self) -> Looks:
        """Appearance of its things and its mat from above."""
        ...

    def rig(self, variant: str) -> RigPlan:
        """Sensors of its table."""
        ...

    def wanted_by(self, table: Table | None, text: str) -> Wanted:
        """What a screen that shows this table and this question or notice asks of the players."""
        ...

    def differences(self, truth: Any, tracked: Any) -> tuple[str, ...]:
        """All differences between the tracked state and the truth in words, except in what is hidden."""
        ...

    def begin(
        self, variant: str, players: int, seed: int, stage: Stage, reins: Reins, policy: str, rash: float
    ) -> RunningGame:
        """Deal a game that is played on `stage`. The same arguments give the same game.

        `policy` names how the players play, `rash` is how readily they claim (0 to 1). BadInputError for a
        policy that does not exist.
        """
        ...
