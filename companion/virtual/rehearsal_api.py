"""What a game gives rehearsals: whole games as a perfect rig tells of them, and what counts as followed."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from companion.games.api import AskableFact
from companion.sensing.observation import Observation
from companion.virtual.game_api import VirtualGame

Batch = tuple[Observation, ...]
"""What arrives together."""


@dataclass(slots=True)
class Doing:
    """An action and what a perfect rig reports of it, batch by batch; `action` is None for a mere slip."""

    action: Any
    batches: list[Batch]
    fact: AskableFact | None = None
    """What people may be asked about it."""
    claim: tuple[int, bool] | None = None
    """The subject (from 0) that it claims, and whether that is true."""
    lifted: bool = False
    """A card is off a scale between its batches: never for so short that it could be a shaky hand."""


@dataclass(frozen=True, slots=True)
class ActedGame:
    """A whole game: how the table is laid out, what is played, and the true state at its end.

    The batches have times of their own, in order: one second lies between two observations.
    """

    laying_out: list[Doing]
    playing: list[Doing]
    end: Any


class RehearsedGame(VirtualGame, Protocol):
    """A game as rehearsals need it. States and actions are those of its rules."""

    def act_out(self, seed: int, variant: str, players: int, rash: float, *, tapped: bool) -> ActedGame:
        """A whole game by the rules. The same arguments, the same game.

        `rash` is how readily players claim (0 to 1); `tapped`: cards are tapped on the pad as they are dealt.
        """
        ...

    def with_slips(self, doings: Sequence[Doing], rate: float, chance: Random) -> list[Doing]:
        """The game with what people do beside playing, each kind with probability `rate` wherever it can
        happen. Nothing that is true in the end changes."""
        ...

    def in_sight(self, action: Any) -> Any | None:
        """An action by which cards come to rest in sight, without what only those know who saw its card; None
        for another action."""
        ...

    def begins_turn(self, action: Any) -> bool:
        """Whether this is the first action of a turn."""
        ...

    def awaits(self, state: Any, player: int) -> bool:
        """Whether a turn of this player (from 0) begins in `state`."""
        ...

    def differences(self, truth: Any, tracked: Any) -> tuple[str, ...]:
        """In words, everything in which the tracked state differs from the truth, but for what is hidden."""
        ...

    def outage_faults(self, truth: Any, tracked: Any) -> tuple[str, ...]:
        """What a companion says wrongly at the end of a game of which it missed a part. What it does not know
        is no fault."""
        ...

    def score_right(self, truth: Any, tracked: Any) -> bool:
        """Whether the companion knows that the game is over, and its score."""
        ...
