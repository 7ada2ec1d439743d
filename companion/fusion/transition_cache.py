"""What the rules say of positions that come up again and again, looked up once."""

from collections.abc import Hashable
from typing import Generic, NamedTuple, TypeVar

from companion.games.api import Expectation, IllegalError, TableGame, Trace

S = TypeVar("S")
A = TypeVar("A")

MOST_KEPT = 5_000
"""Positions that are remembered; more come up in one game only after long confusion."""


class Position(Generic[S, A]):
    """A state, and what the sensors should show of it; there is one object for a state, equal by identity."""

    __slots__ = ("expected", "hidden", "moves", "state")

    def __init__(self, state: S, expected: Expectation) -> None:
        self.state = state
        self.expected = expected
        self.moves: dict[A, Move[S, A] | None] = {}
        """The actions that were tried here; None for those that the rules refuse."""
        self.hidden: Hashable = None
        """What lies in hidden places, once somebody has asked `Positions.hidden`."""


class Move(NamedTuple, Generic[S, A]):
    """What an action leads to, and the signs it leaves."""

    after: Position[S, A]
    signs: tuple[Trace, ...]


class Positions(Generic[S, A]):
    """The positions of `game` met so far. Only what never changes is kept: forgetting costs time alone."""

    def __init__(self, game: TableGame[S, A]) -> None:
        self._game = game
        self._known: dict[S, Position[S, A]] = {}

    def forget(self) -> None:
        """Forget all positions once they are too many; those given out before are equal to no new ones then."""
        if len(self._known) > MOST_KEPT:
            self._known.clear()

    def at(self, state: S) -> Position[S, A]:
        """The position of a state."""
        known = self._known.get(state)
        if known is None:
            known = self._known[state] = Position(state, self._game.expected_view(state))
        return known

    def hidden(self, state: S) -> Hashable:
        """What a state has in hidden places: equal where that is the same."""
        position = self.at(state)
        if position.hidden is None:
            position.hidden = tuple(self._game.lying(state).items())
        return position.hidden

    def move(self, position: Position[S, A], action: A) -> Move[S, A] | None:
        """What an action leads to; None if the rules refuse it."""
        try:
            return position.moves[action]
        except KeyError:
            move = position.moves[action] = self._tried(position.state, action)
            return move

    def _tried(self, state: S, action: A) -> Move[S, A] | None:
        try:
            after = self._game.apply(state, action)
        except IllegalError:
            return None
        return Move(self.at(after), self._game.traces(state, action))
