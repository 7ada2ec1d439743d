"""Shared defaults of `RehearsedGame` for games by camera alone."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from companion.session.stream.events import Table
from companion.virtual.prompts import NOTHING, Wanted
from companion.virtual.rehearsal_api import Doing, RehearsedGame
from companion.virtual.rig.rig_plan import RigPlan


def differing(pairs: Mapping[str, tuple[Any, Any]]) -> tuple[str, ...]:
    """Facts that a tracked state has wrong, in words. `pairs`: fact -> (true value, tracked value)."""
    return tuple(f"{name}: {is_so} seen as {seen}" for name, (is_so, seen) in pairs.items() if is_so != seen)


class CameraTableDefaults:
    """Mixin for a game with a camera and no board: nothing to show once more, no player slips."""

    def public_differences(self: RehearsedGame, truth: Any, tracked: Any) -> tuple[str, ...]:
        """All differences: with a camera alone, everything tracked lies open."""
        return self.differences(truth, tracked)

    def rig(self, variant: str) -> RigPlan:
        """Rig of a camera alone."""
        return RigPlan()

    def wanted_by(self, table: Table | None, text: str) -> Wanted:
        """Nothing: no card has to be shown once more."""
        return NOTHING

    def with_slips(self, doings: Sequence[Doing], rate: float, chance: Random) -> list[Doing]:
        """The game without any slips."""
        return list(doings)
