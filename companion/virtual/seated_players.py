"""Players in their seats.

A policy plays for the team, except for a seat that a person took.
"""

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Protocol

from companion.core.errors import BadInputError
from companion.core.language import text
from companion.games.rules import CHANCE, Rules


class Policy(Protocol):
    """Way to play that uses only what its players may know."""

    def start(self, view: Mapping[str, Any]) -> None:
        """Begin a new game.

        `view`: what one player knows, as the rules give it.
        """
        ...

    def observe(self, player: int, action: Any, seen: Sequence[str]) -> None:
        """Note an action of `player` (from 0, or CHANCE).

        `seen`: what the action showed to the team.
        """
        ...

    def choose(self, view: Mapping[str, Any], legal: Sequence[Any], rng: Random) -> Any:
        """Choose an action of `legal` from the acting player's view."""
        ...


class WithoutMemory:
    """Way to play that decides from the acting player's view alone.

    `choose(view, legal actions, chance)` returns an action.
    """

    def __init__(self, choose: Callable[[Mapping[str, Any], Sequence[Any], Random], Any]) -> None:
        self.choose = choose

    def start(self, view: Mapping[str, Any]) -> None:
        """Do nothing: the policy has no memory."""

    def observe(self, player: int, action: Any, seen: Sequence[str]) -> None:
        """Do nothing: the policy has no memory."""


class Players:
    """All players of a game, counted from 0, and the person who plays one of them.

    `seat`: the player whom a person plays, or None. One policy plays every other seat, from this seat's view.
    `told` (state, action) gives what an action showed the team; by default nothing.
    """

    def __init__(
        self,
        rules: Rules[Any, Any],
        dealt: Any,
        count: int,
        policy: Policy,
        chance: Random,
        told: Callable[[Any, Any], Sequence[str]] = lambda before, action: (),
    ) -> None:
        self.count = count
        self.seat: int | None = None
        self._rules = rules
        self._told = told
        self._chance = chance
        self._wish: Any | None = None
        self.policy = policy
        """Policy of all seats without a person, with all that it observed."""
        self.policy.start(rules.view(dealt, 0))

    def options(self, state: Any) -> tuple[Any, ...]:
        """Actions that the seated person may choose in `state`.

        Empty if it is not this person's turn.
        """
        if self.seat is None or self._rules.actor(state) != self.seat:
            return ()
        return self._rules.legal_actions(state)

    def take_seat(self, player: int | None) -> None:
        """Let a person play for `player` (from 0).

        None gives the seat back. BadInputError if no such player exists.
        """
        if player is not None and not 0 <= player < self.count:
            raise BadInputError(
                text("there is no player {player}", player=player + 1),
                where="seat",
                next_step=text("choose 1 to {count}, or 0", count=self.count),
            )
        self.seat = player
        self._wish = None

    def remember(self, policy: Policy) -> None:
        """Go back to an earlier `policy` and its knowledge."""
        self.policy = policy
        self._wish = None

    def wish(self, state: Any, index: int) -> None:
        """Note that the seated person chose option `index` (from 0).

        BadInputError if it does not exist.
        """
        options = self.options(state)
        if not 0 <= index < len(options):
            wrong = text("there is no choice {index}", index=index) if options else text("it is not your turn")
            raise BadInputError(wrong, where="choice", next_step=text("look at the list of actions"))
        self._wish = options[index]

    def next_action(self, state: Any) -> Any | None:
        """Choose the next action in `state`, by chance, person or policy.

        None while the seated person thinks.
        """
        actor = self._rules.actor(state)
        if actor == CHANCE:
            return self._rules.legal_actions(state)[0]
        if actor == self.seat:
            action, self._wish = self._wish, None
            return action
        return self.policy.choose(
            self._rules.view(state, actor), self._rules.legal_actions(state), self._chance
        )

    def saw(self, before: Any, action: Any) -> None:
        """Let the policy observe an action and what it showed.

        `before`: state in which it was done.
        """
        self.policy.observe(self._rules.actor(before), action, self._told(before, action))
