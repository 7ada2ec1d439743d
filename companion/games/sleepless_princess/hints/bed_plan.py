"""Which bed to touch, where to look, where a mattress goes and when to claim, from the team's knowledge."""

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.sleepless_princess.hints.team_knowledge import TeamKnowledge

LIKELY = 0.9
"""From this chance on a mattress is treated as known while there is other work to be done."""
CONFIRMED = 0.995
"""What counts as known once nothing else is left to do: then doubts are looked into."""
CLAIM = 0.98
"""From this chance on a princess is claimed before the end; at the end every bed is looked at anyway."""
STAYING = 0.5
"""How much less it is worth to check a bed the likelier all that is left on it belongs there."""
BY_TOUCH = 0.3
"""Fingers are enough for what is known: looks are better spent on what is not."""
CYCLE = 0.6
CARRY = 0.95
"""Worth of moving a known mattress out of the way of those above it, and of carrying one home."""
_ROUNDING = 1e-9


class Check(NamedTuple):
    """A touch or look that can be made; `worth` 1 takes one mattress off the work that is left."""

    worth: float
    bed: int
    known: bool
    """Whether the team knows already what the mattress is, so that the check is for moving it."""


class BedPlan:
    """The beds as the team knows them, `fates` in the words of the view; for one position only."""

    def __init__(self, known: TeamKnowledge, fates: Sequence[str]) -> None:
        self.known = known
        self.fates = fates
        self.sure = LIKELY
        self.thorough = False
        """Whether all that is likely lies right, and only doubts are left."""
        if not self.work_left() and not self._all_claimable():
            self.sure, self.thorough = CONFIRMED, True

    def complete(self, bed: int) -> float:
        """The chance that exactly the right mattresses lie on the bed (a product of single chances)."""
        slots = self.known.beds[bed]
        if len(slots) != self.known.needed:
            return 0.0
        chance = 1.0
        for slot in slots:
            chance *= self.known.homes(slot)[bed]
        return chance

    def claims(self) -> list[tuple[int, float]]:
        """Beds to claim now with the chance that she sleeps, the surest first."""
        found = [(bed, self.complete(bed)) for bed, fate in enumerate(self.fates) if fate == "awake"]
        return sorted((item for item in found if item[1] >= CLAIM - _ROUNDING), key=lambda item: -item[1])

    def _all_claimable(self) -> bool:
        return len(self.claims()) == sum(fate == "awake" for fate in self.fates)

    def settled(self, bed: int, slot: int) -> bool:
        """Whether the mattress may stay on this bed: it is hers, or neither it nor the bed counts any more."""
        home, chance = self.known.home(slot)
        if chance < self.sure:
            return False
        return home == bed or (self.fates[home] != "awake" and self.fates[bed] != "awake")

    def buried(self, bed: int) -> bool:
        """Whether something above the bottom mattress is unknown or has to leave."""
        return any(not self.settled(bed, slot) for slot in self.known.beds[bed][1:])

    def work_left(self) -> int:
        """Checks still to be made: on every bed awake, up to the last mattress that cannot stay."""
        total = 0
        for bed, slots in enumerate(self.known.beds):
            if self.fates[bed] == "awake":
                total += next(
                    (at for at in range(len(slots), 0, -1) if not self.settled(bed, slots[at - 1])), 0
                )
        return total

    def target(self, bed: int) -> int | None:
        """Where the bottom mattress of a bed goes once it was checked; None to leave it."""
        fates = self.fates
        home, chance = self.known.home(self.known.beds[bed][0])
        if chance < self.sure:
            return None
        if fates[home] == "awake" and home != bed:
            return home
        if home == bed and fates[bed] == "awake":
            return bed if self.buried(bed) else None
        # Nobody needs it any more: off the beds that still count, onto one that does not.
        if fates[bed] == "awake":
            return next((other for other, fate in enumerate(fates) if fate == "out"), None)
        return bed if self.buried(bed) else None

    def checks(self, checked: Sequence[int], looking: bool) -> list[Check]:
        """Every touch (or look) worth making, best first; beds `checked` this turn are not touched again."""
        found = [
            self._check(bed, looking)
            for bed, fate in enumerate(self.fates)
            if fate != "asleep" and self.known.beds[bed] and (looking or bed not in checked)
        ]
        return sorted(
            (check for check in found if check.worth > 0), key=lambda check: (-check.worth, check.bed)
        )

    def telling(self, touch: Check) -> float:
        """The chance that a touch takes its mattress off the work: fingers cannot tell a smooth one."""
        return 1.0 if touch.known else 1.0 - self.known.smooth(self.known.beds[touch.bed][0])

    def _check(self, bed: int, looking: bool) -> Check:
        slots = self.known.beds[bed]
        if self.known.home(slots[0])[1] >= self.sure:
            to = self.target(bed)
            if to is None:
                return Check(0.0, bed, True)
            return Check((CYCLE if to == bed else CARRY) + (0.0 if looking else BY_TOUCH), bed, True)
        # Told apart only to save the check: a bed whose rest may well be hers is left for last.
        stays = 1.0
        for slot in slots:
            stays *= self.known.homes(slot)[bed] if self.fates[bed] == "awake" else 0.0
        worth = 1.0 - STAYING * stays
        return Check(worth if looking else worth * (1.0 - self.known.smooth(slots[0])), bed, False)
