"""Hands that stayed at a station, with nothing else sensed that explains them."""

from copy import copy
from math import inf
from typing import Self

from companion.fusion.parameters.sensors import HANDS
from companion.fusion.parameters.sign_models import SIGN_MODELS
from companion.games.signs import Verb

YOUNG_S = SIGN_MODELS[Verb.STAY].young_s
"""Time in which something else may still explain a hand that has left."""


class HandStays:
    """Follows what was sensed while a hand stayed. Times are seconds on the host's clock."""

    def __init__(self) -> None:
        self._news: dict[str, float] = {}
        """Station -> when its scale told of anything last; "" -> when anything else but a hand was."""
        self._counts: dict[str, int] = {}
        """Station -> the cards that its scale told of last; an arm counts as some."""
        self._rose: dict[str, tuple[float, int]] = {}
        """Station -> when its scale gained weight last, and its count before."""
        self._left: dict[str, tuple[float, float]] = {}
        """Station -> from when until when a hand stayed there last, until it is told as unexplained."""

    def copy(self) -> Self:
        """An independent copy."""
        twin = copy(self)
        for name, value in vars(self).items():
            setattr(twin, name, value.copy())
        return twin

    def hear(self, t: float) -> None:
        """Something was sensed at `t` that is no hand and no scale."""
        self._news[""] = t

    def weigh(self, t: float, station: str, n: int) -> bool:
        """A scale tells of `n` cards; False if that was an arm, which explains no hand elsewhere: its
        weight came and went."""
        before, self._counts[station] = self._counts.get(station, 0), n
        rose, was = self._rose.pop(station, (t, -1))
        if was == n and t - rose <= HANDS.rest_s:
            del self._news[station]
            return False
        if n > before:
            self._rose[station] = (t, before)
        self._news[station] = t
        return True

    def left(self, t: float, station: str, came: float) -> None:
        """A hand that `came` to a station leaves it at `t`."""
        self._left[station] = came, t

    def unexplained(self, t: float) -> list[tuple[str, float]]:
        """The stays that ended a moment before `t` and that nothing explains, each once: (station, when the
        hand left)."""
        latest = max(self._news.values(), default=-inf)
        ended = {at: left for at, (came, left) in self._left.items() if latest < came and t - left < YOUNG_S}
        for station in ended:
            del self._left[station]
        return list(ended.items())
