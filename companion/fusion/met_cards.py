"""Cards met in each zone: a card that shows again there is not new, unless it was discarded meanwhile."""

from collections.abc import Collection, Iterable, Mapping
from copy import copy
from math import inf
from typing import Self

from companion.fusion.parameters.sensors import CAMERA


class MetCards:
    """The cards that lay in each zone, until they are seen to be discarded.

    Only the uppermost card of a pile is read. A card that leaves a zone when a pile shows another top may lie
    there too. If it were still known in its zone, a card taken back from the pile would leave no sign. Then any
    other card of the pile would explain the table as well.
    """

    def __init__(self, lying: Mapping[str, frozenset[str]] | None = None) -> None:
        """`lying`: zone -> codes of the cards that lie there now."""
        self._met = dict(lying or {})
        self._went: dict[str, tuple[str, float]] = {}
        """Card that left a zone lately -> the zone, and when it left (s)."""
        self._piled_at = -inf
        """When a pile last showed another top (s)."""

    def copy(self) -> Self:
        """An independent copy."""
        twin = copy(self)
        twin._met, twin._went = dict(self._met), dict(self._went)
        return twin

    def meet(self, zone: str, cards: Collection[str]) -> frozenset[str]:
        """Remember the codes of the `cards` that lie in a zone. Returns the cards known there before."""
        known = self._met.get(zone, frozenset())
        self._met[zone] = known.union(cards)
        for card in cards:
            self._went.pop(card, None)
        return known

    def leave(self, t: float, zone: str, gone: Iterable[str]) -> None:
        """Cards with the codes `gone` left a zone at `t` (s)."""
        self._went |= dict.fromkeys(gone, (zone, t))
        self._forget(t)

    def pile(self, t: float) -> None:
        """A pile shows another top at `t` (s)."""
        self._piled_at = t
        self._forget(t)

    def _forget(self, t: float) -> None:
        """Forget the cards that left their zone within `CAMERA.piled_s` (s) of the pile's other top."""
        for card, (zone, at) in list(self._went.items()):
            if discarded := abs(self._piled_at - at) <= CAMERA.piled_s:
                self._met[zone] = self._met.get(zone, frozenset()) - {card}
            if discarded or t - at > CAMERA.piled_s:
                del self._went[card]
