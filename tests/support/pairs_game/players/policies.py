"""A player who remembers every card that was turned up."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from tests.support.pairs_game.game import UNKNOWN, Action, Call, Cover, Flip


class Attentive:
    """Calls and turns up the twin that was seen; calls an unseen card as readily as `rash` (0 to 1) says."""

    def __init__(self, rash: float) -> None:
        self._rash = rash

    def start(self, view: Mapping[str, Any]) -> None:
        """The view has everything that was seen."""

    def observe(self, player: int, action: Action, seen: Sequence[str]) -> None:
        """The view has everything that was seen."""

    def choose(self, view: Mapping[str, Any], legal: Sequence[Action], rng: Random) -> Action:
        """One of the legal actions. Kinds of `legal` flips are true ones: only their places are looked at."""
        if isinstance(legal[0], Cover):
            return legal[0]
        places = sorted({one.place for one in legal if isinstance(one, Flip)})
        open_now = [view["seen"][at] for at in view["up"]]
        twins = [at for at in places if open_now and view["seen"][at] == open_now[0]]
        fresh = [at for at in places if view["seen"][at] == UNKNOWN]
        place = twins[0] if twins else rng.choice(fresh or places)
        if Call(place) in legal and (twins or rng.random() < self._rash):
            return Call(place)
        return next(one for one in legal if isinstance(one, Flip) and one.place == place)
