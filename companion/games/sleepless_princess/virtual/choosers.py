"""Who chooses: a policy for the team, and a person in one of the seats if there is one."""

from random import Random

from companion.core.errors import BadInputError
from companion.games.api import CHANCE
from companion.games.sleepless_princess.players.policies import make_policy
from companion.games.sleepless_princess.rules.actions import Action
from companion.games.sleepless_princess.rules.player_view import told
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import State


class Players:
    """Everybody at the table, counted from 0; `seat` is the player a person plays, or None.

    The team talks: one policy plays every seat, from that seat's view and what the team was told.
    """

    def __init__(self, dealt: State, chance: Random, policy: str, rash: float) -> None:
        self.count = dealt.game.players
        self.seat: int | None = None
        self._chance = chance
        self._wish: Action | None = None
        try:
            self._policy = make_policy(policy, rash=rash)
        except ValueError as error:
            raise BadInputError(str(error), where="policy") from None
        self._policy.start(RULES.view(dealt, 0))

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
        if actor == CHANCE:
            return RULES.legal_actions(state)[0]
        if actor == self.seat:
            action, self._wish = self._wish, None
            return action
        return self._policy.choose(RULES.view(state, actor), RULES.legal_actions(state), self._chance)

    def saw(self, before: State, action: Action) -> None:
        """Everybody learns of an action, and of what it showed."""
        self._policy.observe(RULES.actor(before), action, told(before, action))
