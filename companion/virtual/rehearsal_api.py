"""Interface of a game for rehearsals: games as a perfect rig reports them, compared with the truth."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from companion.games.hidden_cards import AskableFact
from companion.sensing.observation import Observation
from companion.virtual.game_api import VirtualGame
from companion.virtual.parameters import PLAYERS

Batch = tuple[Observation, ...]
"""Observations of sensors that arrive together, at one time."""


@dataclass(slots=True)
class Doing:
    """One action, with the observations by which a perfect rig reports it.

    `action`: None for a slip without an action. `batches`: the observations, in order.
    """

    action: Any
    batches: list[Batch]
    facts: tuple[AskableFact, ...] = ()
    """Facts, true after the action, that people can be asked about."""
    claim: tuple[int, bool] | None = None
    """What the action claims: (subject from 0, whether that is true); None without a claim."""
    lifted: bool = False
    """True if a card is off a scale between the batches, longer than a shaky hand lifts one."""
    mistakes: Sequence[Sequence[Batch]] = ()
    """Mistakes that people may make before the action, to choose from.

    Each is a sequence of batches: those of making it, then those of undoing it.
    """
    press: tuple[int, bool] | None = None
    """Claim that nobody means, such as an elbow on a button: (subject from 0, whether it is true); None
    without."""
    gaps: Mapping[int, float] = field(default_factory=dict)
    """Index of a batch -> time (s) before it, where that is not the usual pace."""
    unseen: bool = False
    """Whether the camera's picture is frozen during the action."""


@dataclass(frozen=True, slots=True)
class ActedGame:
    """Whole game as a perfect rig reports it: laying out, playing, true `end` state.

    The batches carry times (s) in order, with one second between two observations.
    """

    laying_out: list[Doing]
    playing: list[Doing]
    end: Any
    happened: int = 0
    """Number of times that people followed the unusual habits of their world (see `RehearsalWorld`)."""


class RehearsedGame(VirtualGame, Protocol):
    """Virtual game that can also be rehearsed.

    States and actions are in the types of its rules.
    """

    def act_out(self, seed: int, variant: str, players: int, rash: float, *, tapped: bool) -> ActedGame:
        """Let virtual players play a whole game by the rules.

        Equal arguments give equal games; `seed` decides chance. `players`: number of players. `rash`: how
        readily they claim (0 to 1). `tapped`: cards are tapped on the pad when they are dealt.
        """
        ...

    def with_slips(self, doings: Sequence[Doing], rate: float, chance: Random) -> list[Doing]:
        """Add slips of the players to a game's actions (`doings`).

        By default none. Each kind happens with probability `rate` wherever it can. The final state does not
        change.
        """
        return list(doings)

    def in_sight(self, action: Any) -> Any | None:
        """Public part of an action that leaves cards in sight.

        None for another action.
        """
        ...

    def begins_turn(self, action: Any) -> bool:
        """True if the action is the first of a turn."""
        ...

    def awaits(self, state: Any, player: int) -> bool:
        """True if `player`'s turn (from 0) begins in `state`."""
        ...

    def public_differences(self, truth: Any, tracked: Any) -> tuple[str, ...]:
        """Compare public facts of a tracked state with the truth: those it has wrong, in words.

        Open cards are such a fact. By default all facts, because with a camera alone everything tracked lies
        open.
        """
        return self.differences(truth, tracked)

    def outage_faults(self, truth: Any, tracked: Any) -> tuple[str, ...]:
        """False facts in the state of a companion that missed a part of the game, in words.

        An unknown fact is no fault. By default all differences from the truth.
        """
        return self.differences(truth, tracked)

    def score_right(self, truth: Any, tracked: Any) -> bool:
        """True if the tracked state has the true end and score of the game."""
        ...


def differing(pairs: Mapping[str, tuple[Any, Any]]) -> tuple[str, ...]:
    """Words for the facts that a tracked state has wrong.

    `pairs`: fact -> (true value, tracked value).
    """
    return tuple(f"{name}: {is_so} seen as {seen}" for name, (is_so, seen) in pairs.items() if is_so != seen)


def lingering(done: Sequence[Batch], undone: Sequence[Batch], chance: Random) -> list[Batch]:
    """Let a mistake stay in sight for a while before it is undone.

    `done`, `undone`: batches of making and of undoing it. Between them the last batch of `done` is repeated 2
    to 6 times.
    """
    return [*done, *[done[-1]] * chance.randint(*PLAYERS.seen_batches), *undone]


def with_mistakes(doings: Iterable[Doing], rate: float, chance: Random) -> Iterator[Doing]:
    """Add mistakes of people to a game's actions (`doings`).

    Before an action that offers mistakes, one of them is made with probability `rate`.
    """
    for doing in doings:
        if doing.mistakes and chance.random() < rate:
            yield Doing(None, list(chance.choice(doing.mistakes)))
        yield doing
