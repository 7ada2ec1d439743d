"""Is a game surely over?

A score that is shown and revoked spoils the evening.
"""

from collections.abc import Callable
from math import exp
from typing import Any

from companion.fusion.pruning import ScoredHypotheses
from companion.games.rules import Outcome
from companion.session.endings.open_places import OpenPlaces

SURE = 0.7
"""Share (0 to 1) of the hypotheses' weight that must agree on the game's outcome."""
WAIT_S = 10.0
"""Longest wait (s) for hypotheses to agree on the game's outcome. A guess.

The last cards are at rest by then. Afterwards the best hypothesis decides, because perhaps nobody ever moves
a card again.
"""


class SureEnd:
    """Holds a game's score back while its end is doubtful.

    The end is doubtful if hypotheses disagree on the outcome, or if a deciding card is not seen.
    """

    def __init__(self) -> None:
        self._since: float | None = None

    def shows(
        self,
        t: float,
        outcome: Outcome | None,
        hypotheses: ScoredHypotheses[Any, Any],
        outcome_of: Callable[[Any], Outcome | None],
        places: OpenPlaces | None = None,
    ) -> bool:
        """True if screens may show the score at `t` (s).

        `outcome`: outcome of the published state; None (the game is not over) gives False. `hypotheses`:
        (cost in nats, hypothesis) pairs, the best first. `outcome_of`: function from a hypothesis's state to
        its outcome. `places`: watch over the open cards in front of players, which must not contradict the
        outcome; None: no such check.
        """
        if outcome is None:
            self._since = None
            return False
        self._since = t if self._since is None else self._since
        if places is not None and places.contradict:
            return False
        if t - self._since >= WAIT_S:
            return True
        if places is not None and places.awaited:
            return False
        least = hypotheses[0][0]
        weights = [(exp(least - cost), outcome_of(one.state)) for cost, one in hypotheses]
        agreed = sum(weight for weight, other in weights if other == outcome)
        return agreed >= SURE * sum(weight for weight, _ in weights)
