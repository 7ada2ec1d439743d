"""The parts of a rehearsed table, and the way its cards are dealt."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.core.errors import BadInputError
from companion.sensing.observation import Button, Count, Observation, Reach, Sighting, Touch
from companion.session.events import Claim, Command
from companion.virtual.rig.board_readings import NoBoard


@dataclass(frozen=True, slots=True)
class Parts:
    """A rig by its parts. `board` is pad, scales, electrodes and buttons together."""

    camera: bool
    board: bool
    buttons: bool = True
    """Whether claims are made by the board's buttons, and not by keys."""
    stations: bool = True
    """Whether the board has scales, electrodes and buttons beside its pad."""


RIGS = {
    "full": Parts(True, True),
    "pad": Parts(False, True),
    "camera": Parts(True, False),
    "camera+pad": Parts(True, True, buttons=False, stations=False),
}
"""Rigs by name. Without buttons a claim is a key at the screen; without a camera nobody sees cards."""
DEALS = ("pad", "hand")
"""Each card that has a tag is tapped on the pad when it is dealt, or dealt like any other."""
OUTAGES = ("camera", "board", "all")
"""What can be away for long."""
AWAY_S = 90.0
"""AWAY_S: default duration of an outage (s)."""


def parts_of(rig: str) -> Parts:
    """The parts of the rig of that name; BadInputError lists all names."""
    if rig not in RIGS:
        raise BadInputError(f"no rig {rig!r}", where="rig", next_step=f"use {', '.join(RIGS)}")
    return RIGS[rig]


def sensed(parts: Parts, stations: Sequence[str], seen: Observation) -> Observation | Command | None:
    """What this rig makes of an observation of the full one: the same, a key instead, or nothing.

    `stations`: see RigPlan.
    """
    if isinstance(seen, Sighting | Reach):
        return seen if parts.camera else None
    if not parts.stations and isinstance(seen, Count | Touch) and seen.station in stations:
        return None
    if parts.board and (parts.buttons or not isinstance(seen, Button)):
        return seen
    return Claim(stations.index(seen.station) + 1) if isinstance(seen, Button) else None


class Keys(NoBoard):
    """The board of a rig without one: a press of a button becomes a key at the screen."""

    def __init__(self, stations: Sequence[str]) -> None:
        """`stations`: see RigPlan."""
        self._stations = stations
        self._pressed: list[Command] = []

    def press_button(self, station: str, pressed: bool) -> None:
        """A claim, when the finger comes down."""
        if pressed:
            self._pressed.append(Claim(self._stations.index(station) + 1))

    def read(self) -> list[Command]:
        """The keys pressed since the last call."""
        pressed, self._pressed = self._pressed, []
        return pressed
