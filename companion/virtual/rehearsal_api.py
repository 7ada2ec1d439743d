"""The interface of a game for rehearsals: games as a perfect rig reports them, compared with the truth."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from companion.games.askable_facts import AskableFact
from companion.sensing.observation import Observation
from companion.virtual.game_api import VirtualGame

Batch = tuple[Observation, ...]
"""Observations that arrive together."""


@dataclass(slots=True)
class Doing:
    """An action and the batches that a perfect rig reports of it; `action` is None for a slip without an
    action."""

    action: Any
    batches: list[Batch]
    facts: tuple[AskableFact, ...] = ()
    """The askable facts about it, if there are any."""
    claim: tuple[int, bool] | None = None
    """Subject (from 0) of its claim, and whether that is true."""
    lifted: bool = False
    """Whether a card is off a scale between its batches. That takes longer than a shaky hand."""
    mistakes: Sequence[Sequence[Batch]] = ()
    """What people may do by mistake before it, each with the batches of doing and undoing it."""
    press: tuple[int, bool] | None = None
    """A claim that nobody means, such as an elbow on a button: its subject (from 0), and whether it is true."""
    gaps: Mapping[int, float] = field(default_factory=dict)
    """Index of a batch -> time (s) before it, where that is not the usual pace."""
    unseen: bool = False
    """Whether the camera's picture is frozen meanwhile."""


@dataclass(frozen=True, slots=True)
class ActedGame:
    """A whole game: how the table is laid out, what is played, and the true state at its end.

    The batches carry times of their own, in order: one second lies between two observations.
    """

    laying_out: list[Doing]
    playing: list[Doing]
    end: Any
    happened: int = 0
    """Number of times that people did what only people of this world do (see `RehearsalWorld`)."""


class RehearsedGame(VirtualGame, Protocol):
    """A game as rehearsals need it. States and actions are those of its rules."""

    def act_out(self, seed: int, variant: str, players: int, rash: float, *, tapped: bool) -> ActedGame:
        """A whole game by the rules. The same arguments give the same game.

        `rash` is how readily players claim (0 to 1); `tapped`: cards are tapped on the pad when they are dealt.
        """
        ...

    def with_slips(self, doings: Sequence[Doing], rate: float, chance: Random) -> list[Doing]:
        """The game with player slips, each kind with probability `rate` wherever it can happen. The final
        state is the same."""
        ...

    def in_sight(self, action: Any) -> Any | None:
        """The public part of an action by which cards come to rest in sight; None for another action."""
        ...

    def begins_turn(self, action: Any) -> bool:
        """Whether this is the first action of a turn."""
        ...

    def awaits(self, state: Any, player: int) -> bool:
        """Whether a turn of this player (from 0) begins in `state`."""
        ...

    def public_differences(self, truth: Any, tracked: Any) -> tuple[str, ...]:
        """All differences between the tracked state and the truth in words, in what lies open to everybody."""
        ...

    def outage_faults(self, truth: Any, tracked: Any) -> tuple[str, ...]:
        """False statements of a companion at the end of a game of which it missed a part. Unknown facts are
        no fault."""
        ...

    def score_right(self, truth: Any, tracked: Any) -> bool:
        """Whether the companion knows that the game is over, and its score."""
        ...
