"""Whether a game is over beyond reasonable doubt: a score that is shown and taken back spoils the evening."""

from collections.abc import Callable
from math import exp
from typing import Any

from companion.fusion.pruning import ScoredHypotheses
from companion.games.api import Outcome
from companion.session.endings.open_places import OpenPlaces

SURE = 0.7
"""SURE: hypotheses of at least this weight must agree on the outcome. The last step alone, priced by its prior,
leaves 0.8."""
WAIT_S = 10.0
"""WAIT_S: for so long (s) a divided table is waited for: the last cards are at rest by then. What is best
explained counts afterwards, for nobody may ever move a card again."""


class SureEnd:
    """Holds a score back while hypotheses are divided on whether and how the game has ended, or a card that
    decides it is not seen."""

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
        """Whether the published `outcome` may be shown at `t` (s), and nothing in front of players contradicts
        it. `places`: None where the table does not matter."""
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
