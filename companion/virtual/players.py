"""Who chooses: a policy for each player, and a person in one of the seats if there is one."""

from random import Random
from typing import Any, Protocol

from companion.errors import BadInputError
from companion.games.engine import CHANCE
from companion.games.sleepless_princess.actions import Action, Claim
from companion.games.sleepless_princess.state import Phase, State
from companion.games.sleepless_princess.rules import RULES


class Policy(Protocol):
    """A way of playing. It sees only what its player may know."""

    def observe(self, before: State, action: Action, after: State) -> None: ...
    def choose(self, state: State, player: int) -> Action: ...


class Players:
    """Everybody at the table, from 0; `seat` is the player a person plays, or None."""

    def __init__(self, count: int, chance: Random, policy: str) -> None:
        self.count = count
        self.seat: int | None = None
        self._chance = chance
        self._wish: Action | None = None

    def options(self, state: State) -> tuple[Action, ...]:
        """What the person in the seat may choose now; empty when it is not their turn."""
        if self.seat is None or RULES.actor(state) != self.seat:
            return ()
        return RULES.legal_actions(state)

    def take_seat(self, player: int | None) -> None:
        """A person takes this player's place (from 0), or gives it back (None)."""
        if player is not None and not 0 <= player < self.count:
            raise BadInputError(
                f"there is no player {player + 1}", where="seat", next_step=f"choose 1 to {self.count}, or 0"
            )
        self.seat = player
        self._wish = None

    def wish(self, state: State, index: int) -> None:
        """The person chose the option of that index; BadInputError if there is none."""
        options = self.options(state)
        if not 0 <= index < len(options):
            text = f"there is no choice {index}" if options else "it is not your turn"
            raise BadInputError(text, where="choice", next_step="look at the list of actions")
        self._wish = options[index]

    def next_action(self, state: State) -> Action | None:
        """What happens next; None while a person thinks."""
        actor = RULES.actor(state)
        legal = RULES.legal_actions(state)
        if actor == CHANCE:
            return legal[0]
        if actor == self.seat:
            action, self._wish = self._wish, None
            return action
        moves = [a for a in legal if not isinstance(a, Claim)]
        if self._chance.random() < 0.02:
            return self._chance.choice(legal)
        return self._chance.choice(moves or list(legal))

    def saw(self, before: State, action: Action, after: State) -> None:
        """Everybody learns of an action."""
