"""A plan for the beds: where to touch and look, where a mattress goes, when to claim."""

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.sleepless_princess.hints.team_knowledge import TeamKnowledge

LIKELY = 0.9
"""Chance (0 to 1) from which the owner of a mattress counts as known. A guess.

It holds as long as other mattresses are less sure; after that see CONFIRMED.
"""
CONFIRMED = 0.995
"""Chance (0 to 1) from which a mattress's owner counts as known, once all are LIKELY. A guess."""
CLAIM = 0.98
"""Chance (0 to 1) from which a princess is claimed to sleep before the end. A guess.

At the end of the game every bed is checked anyway.
"""
STAYING = 0.5
"""Factor (0 to 1) on the worth of a check at a bed whose mattresses surely belong there. A guess."""
BY_TOUCH = 0.3
"""Extra worth of touching a known mattress, in checks: looks are better spent on unknown ones. A guess."""
CYCLE = 0.6
"""Worth (checks) of moving a known mattress. Guesses.

CYCLE: to the top of its own bed. CARRY: to another bed. A check is a touch or a look.
"""
CARRY = 0.95
"""Worth of moving a known mattress to another bed, in checks (touches or looks). A guess."""
_ROUNDING = 1e-9


class Check(NamedTuple):
    """Touch of a bed's bottom mattress, or a look.

    `worth`: number of checks that it saves. `bed`: from 0.
    """

    worth: float
    bed: int
    known: bool
    """True if the team knows the mattress already, and touches it only to be allowed to move it."""


class BedPlan:
    """Plan for the beds in one position: what to touch, look at, claim and move.

    `known`: what the team knows. `fates`: for each bed whether its princess is "awake", "asleep" or "out".
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
        """Chance (0 to 1) that exactly the right mattresses lie on a bed (from 0).

        It is the product of the chances of the single mattresses. 0 for a wrong number of mattresses.
        """
        slots = self.known.beds[bed]
        if len(slots) != self.known.needed:
            return 0.0
        chance = 1.0
        for slot in slots:
            chance *= self.known.homes(slot)[bed]
        return chance

    def claims(self) -> list[tuple[int, float]]:
        """(bed, chance that its princess sleeps) for each bed to claim now, surest first."""
        found = [(bed, self.complete(bed)) for bed, fate in enumerate(self.fates) if fate == "awake"]
        return sorted((item for item in found if item[1] >= CLAIM - _ROUNDING), key=lambda item: -item[1])

    def _all_claimable(self) -> bool:
        return len(self.claims()) == sum(fate == "awake" for fate in self.fates)

    def settled(self, bed: int, slot: int) -> bool:
        """True if a mattress may stay on a bed.

        It belongs there, or neither its owner nor this bed is in play any more. False if its owner is not sure
        enough. `bed`: from 0. `slot`: number of the mattress.
        """
        home, chance = self.known.home(slot)
        if chance < self.sure:
            return False
        return home == bed or (self.fates[home] != "awake" and self.fates[bed] != "awake")

    def buried(self, bed: int) -> bool:
        """True if a mattress above the bottom one of a bed (from 0) cannot stay.

        Its owner is unknown, or sleeps elsewhere.
        """
        return any(not self.settled(bed, slot) for slot in self.known.beds[bed][1:])

    def work_left(self) -> int:
        """Number of checks (touches or looks) still to make.

        Each awake princess's bed counts from the bottom up to its highest mattress that cannot stay.
        """
        total = 0
        for bed, slots in enumerate(self.known.beds):
            if self.fates[bed] == "awake":
                total += next(
                    (at for at in range(len(slots), 0, -1) if not self.settled(bed, slots[at - 1])), 0
                )
        return total

    def target(self, bed: int) -> int | None:
        """Bed (from 0) to which the bottom mattress of `bed` should go; None: it stays.

        The bed itself means: to its top.
        """
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
        """Touches or looks that are worth making, best first.

        `checked`: beds (from 0) checked this turn, which are not touched again. `looking`: looks through the
        glass, else touches.
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
        """Chance (0 to 1) that a touch tells a mattress's owner.

        It is 1 less the chance that the mattress is smooth, because fingers cannot tell smooth ones apart.
        """
        return 1.0 if touch.known else 1.0 - self.known.smooth(self.known.beds[touch.bed][0])

    def _check(self, bed: int, looking: bool) -> Check:
        """Check of a bed's (from 0) bottom mattress, with worth.

        `looking`: by a look through the glass, else by a touch.
        """
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
