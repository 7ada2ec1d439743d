"""Memory of a team that forgets no mattress."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.sleepless_princess.rules.actions import Action, Claim, Look, Move, Touch
from companion.games.sleepless_princess.rules.state import VARIANTS


class Memory:
    """What a team that forgets nothing knows of mattresses.

    At first it knows none.
    """

    def __init__(self, variant: str) -> None:
        rule = VARIANTS[variant]
        self.needed = rule.mattresses_per_bed
        self.beds = [list(range(bed * self.needed, (bed + 1) * self.needed)) for bed in range(rule.beds)]
        """Mattress slots of each bed, the bottom one first. Slots count in the order of dealing."""
        self.types: dict[int, int] = {}
        """Mattress slot -> princess type, if known."""
        self.smooth: set[int] = set()
        """Mattress slots known to be smooth."""

    def observe(self, action: Action, seen: Sequence[str]) -> None:
        """Remember a public action.

        `seen`: what it showed to people, as in `player_view.told`; empty if nobody told.
        """
        if isinstance(action, Move):
            slot = self.beds[action.source].pop(0)
            self.beds[action.target].append(slot)
        elif isinstance(action, Touch | Look) and seen:
            self._learn(self.beds[action.bed][0], seen[0])
        elif isinstance(action, Claim) and seen:
            for slot, result in zip(self.beds[action.bed], seen, strict=True):
                self._learn(slot, result)

    def _learn(self, slot: int, result: str) -> None:
        if result == "smooth" or result.endswith("s"):
            self.smooth.add(slot)
        if result[0].isdecimal():
            self.types[slot] = int(result[0])

    def certain(self, view: Mapping[str, Any]) -> list[int]:
        """Awake beds (from 0) on which, as far as the team remembers, exactly the right mattresses lie."""
        return [
            bed
            for bed, fate in enumerate(view["fates"])
            if fate == "awake"
            and len(self.beds[bed]) == self.needed
            and all(self.types.get(slot) == view["princesses"][bed] for slot in self.beds[bed])
        ]

    def home(self, slot: int, view: Mapping[str, Any]) -> int | None:
        """Bed (from 0) of the princess who owns a mattress.

        `slot`: the mattress. None if the team does not know.
        """
        kind = self.types.get(slot)
        return view["princesses"].index(kind) if kind in view["princesses"] else None
