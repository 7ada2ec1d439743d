"""Members of `RehearsedGame` that most games by camera alone share; a game replaces those that differ."""

from collections.abc import Sequence
from random import Random
from typing import Any

from companion.session.stream.events import Table
from companion.virtual.prompts import NOTHING, Wanted
from companion.virtual.rehearsal_api import Doing, RehearsedGame
from companion.virtual.rig.rig_plan import RigPlan


class CameraTableDefaults:
    """A table with a camera and no board, at which nothing has to be shown once more and nobody slips."""

    def public_differences(self: RehearsedGame, truth: Any, tracked: Any) -> tuple[str, ...]:
        """All differences: the camera is all that a full rig has."""
        return self.differences(truth, tracked)

    def rig(self, variant: str) -> RigPlan:
        """A camera alone."""
        return RigPlan()

    def wanted_by(self, table: Table | None, text: str) -> Wanted:
        """No card has to be shown once more."""
        return NOTHING

    def with_slips(self, doings: Sequence[Doing], rate: float, chance: Random) -> list[Doing]:
        """The game as it is."""
        return list(doings)
