"""Which bed to touch, where to look, where a mattress goes and when to claim, from the team's knowledge."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.hints.knowledge import TeamKnowledge

SURE = 0.9
"""From this chance on a mattress is treated as known."""
CLAIM = 0.98
"""From this chance on a princess is claimed before the end; at the end every bed is looked at anyway."""


class Check(NamedTuple):
    """A touch or look that can be made, and what it is worth: 1 takes one mattress off the work to be done."""

    worth: float
    bed: int
    looking: bool
    why: str


def home_of(known: TeamKnowledge, slot: int) -> tuple[int, float]:
    """The bed where the mattress most likely belongs, and the chance of it."""
    homes = known.homes(slot)
    bed = max(range(len(homes)), key=homes.__getitem__)
    return bed, homes[bed]


def certain_beds(known: TeamKnowledge, fates: Mapping[int, str] | list[str], least: float = CLAIM) -> list[tuple[int, float]]:
    """Beds awake that hold exactly the right mattresses with at least that chance, and the chance."""
    found = []
    for bed, fate in enumerate(fates):
        slots = known.beds[bed]
        if fate != "awake" or len(slots) != known.needed:
            continue
        chance = 1.0
        for slot in slots:
            chance *= known.homes(slot)[bed]
        if chance >= least - 1e-9:
            found.append((bed, chance))
    return found


def settled(known: TeamKnowledge, fates: list[str], bed: int, slot: int) -> bool:
    """Whether the mattress may stay on this bed: it is hers, or neither it nor the bed counts any more."""
    home, chance = home_of(known, slot)
    if chance < SURE:
        return False
    return home == bed or (fates[home] != "awake" and fates[bed] != "awake")


def buried(known: TeamKnowledge, fates: list[str], bed: int) -> bool:
    """Whether something above the bottom mattress is unknown or has to leave."""
    return any(not settled(known, fates, bed, slot) for slot in known.beds[bed][1:])


def target(known: TeamKnowledge, fates: list[str], bed: int) -> int | None:
    """Where the bottom mattress of a bed should go now that it was checked; None to leave it."""
    slot = known.beds[bed][0]
    home, chance = home_of(known, slot)
    if chance < SURE:
        return None
    if fates[home] == "awake" and home != bed:
        return home
    if home == bed and fates[bed] == "awake":
        return bed if buried(known, fates, bed) else None
    # Nobody needs it any more: off the beds that still count, onto one that does not.
    if fates[bed] == "awake":
        return next((other for other, fate in enumerate(fates) if fate == "out"), None)
    return bed if buried(known, fates, bed) else None


def checks(known: TeamKnowledge, view: Mapping[str, Any], looking: bool) -> list[Check]:
    """Every touch (or look) that can be made, best first."""
    fates = view["fates"]
    found = []
    for bed, fate in enumerate(fates):
        slots = known.beds[bed]
        if fate == "asleep" or not slots or bed in view["checked_beds"] and not looking:
            continue
        found.append(_check(known, fates, bed, looking))
    return sorted(found, key=lambda check: (-check.worth, check.bed))


def _check(known: TeamKnowledge, fates: list[str], bed: int, looking: bool) -> Check:
    slot = known.beds[bed][0]
    home, chance = home_of(known, slot)
    if chance >= SURE:
        to = target(known, fates, bed)
        if to is None:
            return Check(0.0, bed, looking, "nothing to do")
        # Fingers are enough for what is known: looks are for what is not.
        bonus = 0.0 if looking else 0.3
        return Check((0.6 if to == bed else 0.95) + bonus, bed, looking, "known")
    if known.needed <= len(known.beds[bed]) and fates[bed] == "out" and not buried(known, fates, bed) and False:
        return Check(0.1, bed, looking, "")
    stays = known.homes(slot)[bed] if fates[bed] == "awake" else 0.0
    value = 1.0 - 0.3 * stays
    if looking:
        return Check(value, bed, looking, "unknown")
    return Check(value * (1.0 - known.smooth(slot)), bed, looking, "unknown")
