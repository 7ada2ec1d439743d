"""Interface of a game for rehearsals: games as a perfect rig reports them, compared with the truth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from companion.games.askable_facts import AskableFact
from companion.sensing.observation import Observation
from companion.virtual.game_api import VirtualGame

Batch = tuple[Observation, ...]
"""Observations that arrive together, at one time."""


@dataclass(slots=True)
class Doing:
    """One action, and the batches of observations that a perfect rig makes of it.

    `action` is None for a slip without an action.
    """

    action: Any
    batches: list[Batch]
    facts: tuple[AskableFact, ...] = ()
    """Facts about the action that people can be asked about."""
    claim: tuple[int, bool] | None = None
    """Subject (from 0) of the action's claim, and whether it is true. None: no claim."""
    lifted: bool = False
    """Whether a card is off a scale between the batches. That takes longer than a shaky hand."""
    mistakes: Sequence[Sequence[Batch]] = ()
    """Mistakes that people may make before the action. Each holds the batches of doing and undoing it."""
    press: tuple[int, bool] | None = None
    """Claim that nobody means, such as an elbow on a button. Subject (from 0), and whether it is true."""
    gaps: Mapping[int, float] = field(default_factory=dict)
    """Index of a batch -> time (s) before it, if not the usual pace."""
    unseen: bool = False
    """Whether the camera's picture is frozen during the action."""


@dataclass(frozen=True, slots=True)
class ActedGame:
    """A whole acted game: laying out, actions, true `end` state.

    The batches carry times (s) in order, with one second between two observations.
    """

    laying_out: list[Doing]
    playing: list[Doing]
    end: Any
    happened: int = 0
    """How often people followed the unusual habits of their world (see `RehearsalWorld`)."""


class RehearsedGame(VirtualGame, Protocol):
    """Interface of a game for rehearsals.

    States and actions are those of its rules.
    """

    def act_out(self, seed: int, variant: str, players: int, rash: float, *, tapped: bool) -> ActedGame:
        """Act out a whole game by the rules.

        Equal arguments give equal games. `rash`: how readily players claim (0 to 1). `tapped`: cards are
        tapped on the pad when they are dealt.
        """
        ...

    def with_slips(self, doings: Sequence[Doing], rate: float, chance: Random) -> list[Doing]:
        """Add player slips to the game, each kind with probability `rate` wherever it can happen.

        The final state does not change.
        """
        ...

    def in_sight(self, action: Any) -> Any | None:
        """Public part of an action that leaves cards in sight.

        None for another action.
        """
        ...

    def begins_turn(self, action: Any) -> bool:
        """Whether the action is the first of a turn."""
        ...

    def awaits(self, state: Any, player: int) -> bool:
        """Whether a turn of `player` (from 0) begins in `state`."""
        ...

    def public_differences(self, truth: Any, tracked: Any) -> tuple[str, ...]:
        """Differences between tracked state and truth, in words, among public facts such as open cards."""
        ...

    def outage_faults(self, truth: Any, tracked: Any) -> tuple[str, ...]:
        """False statements at the end of a game of which the companion missed a part.

        An unknown fact is no fault.
        """
        ...

    def score_right(self, truth: Any, tracked: Any) -> bool:
        """Whether the companion knows the game's end and its score."""
        ...
