"""What a team with a perfect memory knows of the mattresses: felt, seen, shown, and followed through moves."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.games.sleepless_princess.rules.actions import Action, Claim, Look, Move, Touch
from companion.games.sleepless_princess.rules.state import VARIANTS


class Memory:
    """Public knowledge only: it starts with equal beds of unknown mattresses and hears what players hear."""

    def __init__(self, variant: str) -> None:
        rule = VARIANTS[variant]
        self.needed = rule.mattresses_per_bed
        self.beds = [list(range(bed * self.needed, (bed + 1) * self.needed)) for bed in range(rule.beds)]
        """For each bed its mattresses, the bottom one first, by the order in which they were dealt."""
        self.types: dict[int, int] = {}
        """Mattress -> princess type, where known."""
        self.smooth: set[int] = set()
        """Mattresses known to be smooth."""

    def observe(self, action: Action, seen: Sequence[str]) -> None:
        """Take in a public action and what it showed (see view.told); empty where nobody told."""
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
        """Awake beds that hold exactly the right mattresses, as far as memory proves it."""
        return [
            bed
            for bed, fate in enumerate(view["fates"])
            if fate == "awake"
            and len(self.beds[bed]) == self.needed
            and all(self.types.get(slot) == view["princesses"][bed] for slot in self.beds[bed])
        ]

    def home(self, slot: int, view: Mapping[str, Any]) -> int | None:
        """The bed of the princess whose mattress this is; None while its type is unknown."""
        kind = self.types.get(slot)
        return view["princesses"].index(kind) if kind in view["princesses"] else None
