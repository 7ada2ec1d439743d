"""A plan for the beds: where to touch and look, where a mattress goes, when to claim."""

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.sleepless_princess.hints.team_knowledge import TeamKnowledge

LIKELY = 0.9
"""Chance from which a mattress counts as known while other work is left. A guess."""
CONFIRMED = 0.995
"""Chance from which a mattress counts as known when only doubts are left. A guess."""
CLAIM = 0.98
"""Chance from which a princess is claimed before the end. A guess; at the end every bed is checked anyway."""
STAYING = 0.5
"""Discount (0 to 1) on checking a bed whose remaining mattresses surely belong there. A guess."""
BY_TOUCH = 0.3
"""Bonus for a touch (instead of a look) at a known mattress: looks are better spent on unknown ones. A
guess, in checks."""
CYCLE = 0.6
CARRY = 0.95
"""Worth of moving a known mattress, in checks. CYCLE: to the top of its own bed. CARRY: to another bed.
Guesses."""
_ROUNDING = 1e-9


class Check(NamedTuple):
    """A touch or look at the bottom mattress of a bed. `worth` 1 removes one check from the work left."""

    worth: float
    bed: int
    known: bool
    """True if the team already knows the mattress and checks it only to move it."""


class BedPlan:
    """A plan for one position, from the team's knowledge.

    `fates`: "awake", "asleep" or "out" for each bed.
    """

    def __init__(self, known: TeamKnowledge, fates: Sequence[str]) -> None:
        self.known = known
        self.fates = fates
        self.sure = LIKELY
        self.thorough = False
        """True if all likely mattresses lie right and only doubts are left."""
        if not self.work_left() and not self._all_claimable():
            self.sure, self.thorough = CONFIRMED, True

    def complete(self, bed: int) -> float:
        """Chance that exactly the right mattresses lie on a bed: the product of their single chances."""
        slots = self.known.beds[bed]
        if len(slots) != self.known.needed:
            return 0.0
        chance = 1.0
        for slot in slots:
            chance *= self.known.homes(slot)[bed]
        return chance

    def claims(self) -> list[tuple[int, float]]:
        """(bed, chance that its princess sleeps) for each bed worth a claim now, surest first."""
        found = [(bed, self.complete(bed)) for bed, fate in enumerate(self.fates) if fate == "awake"]
        return sorted((item for item in found if item[1] >= CLAIM - _ROUNDING), key=lambda item: -item[1])

    def _all_claimable(self) -> bool:
        return len(self.claims()) == sum(fate == "awake" for fate in self.fates)

    def settled(self, bed: int, slot: int) -> bool:
        """True if a mattress may stay on a bed.

        It belongs there, or it belongs to a princess out of play and lies on a bed out of play.
        """
        home, chance = self.known.home(slot)
        if chance < self.sure:
            return False
        return home == bed or (self.fates[home] != "awake" and self.fates[bed] != "awake")

    def buried(self, bed: int) -> bool:
        """True if a mattress above the bottom one is unknown or has to leave."""
        return any(not self.settled(bed, slot) for slot in self.known.beds[bed][1:])

    def work_left(self) -> int:
        """Checks still to be made: in each awake bed, up to the highest mattress that cannot stay."""
        total = 0
        for bed, slots in enumerate(self.known.beds):
            if self.fates[bed] == "awake":
                total += next(
                    (at for at in range(len(slots), 0, -1) if not self.settled(bed, slots[at - 1])), 0
                )
        return total

    def target(self, bed: int) -> int | None:
        """Bed to which the checked bottom mattress of a bed goes. None to leave it."""
        fates = self.fates
        home, chance = self.known.home(self.known.beds[bed][0])
        if chance < self.sure:
            return None
        if fates[home] == "awake" and home != bed:
            return home
        if home == bed and fates[bed] == "awake":
            return bed if self.buried(bed) else None
        # Nobody needs the mattress, so it goes from a bed in play to one whose princess is out.
        if fates[bed] == "awake":
            return next((other for other, fate in enumerate(fates) if fate == "out"), None)
        return bed if self.buried(bed) else None

    def checks(self, checked: Sequence[int], looking: bool) -> list[Check]:
        """All touches (or looks, if `looking`) worth making, best first.

        `checked`: beds checked this turn, which are not touched again.
        """
        found = [
            self._check(bed, looking)
            for bed, fate in enumerate(self.fates)
            if fate != "asleep" and self.known.beds[bed] and (looking or bed not in checked)
        ]
        return sorted(
            (check for check in found if check.worth > 0), key=lambda check: (-check.worth, check.bed)
        )

    def telling(self, touch: Check) -> float:
        """Chance that a touch identifies its mattress. A smooth mattress cannot be told by fingers."""
        return 1.0 if touch.known else 1.0 - self.known.smooth(self.known.beds[touch.bed][0])

    def _check(self, bed: int, looking: bool) -> Check:
        slots = self.known.beds[bed]
        if self.known.home(slots[0])[1] >= self.sure:
            to = self.target(bed)
            if to is None:
                return Check(0.0, bed, True)
            return Check((CYCLE if to == bed else CARRY) + (0.0 if looking else BY_TOUCH), bed, True)
        # A bed whose mattresses probably all belong there is checked last.
        stays = 1.0
        for slot in slots:
            stays *= self.known.homes(slot)[bed] if self.fates[bed] == "awake" else 0.0
        worth = 1.0 - STAYING * stays
        return Check(worth if looking else worth * (1.0 - self.known.smooth(slots[0])), bed, False)
