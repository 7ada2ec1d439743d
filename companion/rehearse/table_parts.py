"""The parts of a rehearsed table, and the way its cards are dealt."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from companion.core.clock import Clock
from companion.core.errors import BadInputError
from companion.sensing.observation import Button, Count, Observation, Reach, Sighting, TagRead, Texture, Touch
from companion.session.stream.commands import Claim, Command
from companion.virtual.rig.board_readings import NoBoard
from companion.virtual.rig.part_board import PartBoard
from companion.virtual.rig.rig_plan import RigPlan
from firmware.simulator.virtual_port import BoardEnd


class Sensor(NamedTuple):
    """A sensor of the board that a rig can do without."""

    reports: type[Observation]
    fields: frozenset[str]
    """Those of a station in the board's rig."""


SENSORS = {
    "reader": Sensor(TagRead, frozenset({"reader"})),
    "texture": Sensor(Texture, frozenset({"texture"})),
    "electrodes": Sensor(Touch, frozenset({"touch", "lamp"})),
    "scales": Sensor(Count, frozenset({"count"})),
}


@dataclass(frozen=True, slots=True)
class Parts:
    """A rig by its parts. `board` is pad, scales, electrodes and buttons together."""

    camera: bool
    board: bool
    buttons: bool = True
    """Whether claims are made by the board's buttons, and not by keys."""
    stations: bool = True
    """Whether the board has scales, electrodes and buttons beside its pad."""
    lacks: frozenset[str] = frozenset()
    """Which of SENSORS the board does not have."""


RIGS = {
    "full": Parts(True, True),
    "judge": Parts(True, True, lacks=frozenset({"electrodes", "texture"})),
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
    """The parts of the rig of that name, "full-reader" being one without its reader.

    BadInputError lists all names.
    """
    if rig in RIGS:
        return RIGS[rig]
    name, *lacks = rig.split("-")
    if name not in RIGS or not lacks or not set(lacks) <= set(SENSORS):
        known = f"use {', '.join(RIGS)}, or full-reader for one without it ({', '.join(SENSORS)})"
        raise BadInputError(f"no rig {rig!r}", where="rig", next_step=known)
    return replace(RIGS[name], lacks=RIGS[name].lacks | set(lacks))


def is_rung(rig: str, set_up: Sequence[str]) -> bool:
    """Whether a name is one of RIGS with a camera, for a virtual table, and of no rig that was set up."""
    return rig in RIGS and RIGS[rig].camera and rig not in set_up


def sensed(parts: Parts, stations: Sequence[str], seen: Observation) -> Observation | Command | None:
    """What this rig makes of an observation of the full one: the same, a key instead, or nothing.

    `stations`: see RigPlan.
    """
    if isinstance(seen, Sighting | Reach):
        return seen if parts.camera else None
    if not parts.stations and isinstance(seen, Count | Touch) and seen.station in stations:
        return None
    if isinstance(seen, tuple(SENSORS[name].reports for name in parts.lacks)):
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


_BUTTON_PINS = (0, 1, 2, 3, 12, 13, 14, 15)
"""_BUTTON_PINS: the Pico's pins (GP) that buttons take without a touch chip: those of the pressure matrix."""


def board_with(
    plan: RigPlan, parts: Parts, clock: Clock, seed: int, keys: Keys, end: BoardEnd | None = None
) -> PartBoard:
    """The board of a table with these parts. A claim at a station without a button is a key at the screen."""
    rig = with_parts(plan.board_rig(), parts)
    return PartBoard(rig, clock, seed, end=end, press=keys.press_button)


def with_parts(rig: dict[str, Any], parts: Parts) -> dict[str, Any]:
    """The board's rig with the stations and parts that `parts` has."""
    stations = [one for one in rig["stations"] if parts.stations or "reader" in one]
    gone = frozenset[str]().union(*(SENSORS[name].fields for name in parts.lacks))
    wired = "electrodes" in parts.lacks  # without a touch chip a button has a pin of its own
    stations = [
        {
            name: {"pin": _BUTTON_PINS[at]} if wired and name == "button" else value
            for name, value in one.items()
            if name not in gone
        }
        for at, one in enumerate(stations)
    ]
    unused = {"i2c", "touch", "lamps"} if wired else set[str]()
    unused |= {"matrix"} if "texture" in parts.lacks else set()
    return {**{name: value for name, value in rig.items() if name not in unused}, "stations": stations}
