"""Parts of a rehearsed table; ways to deal its cards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from companion.core.clock import Clock
from companion.core.errors import BadInputError
from companion.sensing.observation import Button, Count, Observation, Reach, Sighting, TagRead, Texture, Touch
from companion.session.stream.commands import Claim, Command
from companion.virtual.rehearsal_api import RehearsedGame
from companion.virtual.rig.board_readings import NoBoard
from companion.virtual.rig.part_board import PartBoard
from companion.virtual.rig.rig_plan import RigPlan
from firmware.simulator.virtual_port import BoardEnd


class Sensor(NamedTuple):
    """Sensor of the board that a rig can do without.

    `reports`: type of the observations that it makes.
    """

    reports: type[Observation]
    fields: frozenset[str]
    """Names of the sensor's settings at a station of the board's rig."""


SENSORS = {
    "reader": Sensor(TagRead, frozenset({"reader"})),
    "texture": Sensor(Texture, frozenset({"texture"})),
    "electrodes": Sensor(Touch, frozenset({"touch", "lamp"})),
    "scales": Sensor(Count, frozenset({"count"})),
}
"""Name -> sensor that a rig can do without, as in the rig "full-reader"."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Parts of a rig.

    `board`: pad, scales, electrodes and buttons together.
    """

    camera: bool
    board: bool
    buttons: bool = True
    """Whether players claim by the board's buttons. False: by keys of the screen."""
    stations: bool = True
    """Whether the board has scales, electrodes and buttons besides its pad."""
    lacks: frozenset[str] = frozenset()
    """Names (of SENSORS) that the board does not have."""


RIGS = {
    "full": Parts(True, True),
    "judge": Parts(True, True, lacks=frozenset({"electrodes", "texture"})),
    "pad": Parts(False, True),
    "camera": Parts(True, False),
    "camera+pad": Parts(True, True, buttons=False, stations=False),
}
"""Name -> parts of a rig. Without buttons players claim by a key of the screen. Without a camera nobody sees
cards."""
DEALS = ("pad", "hand")
"""Ways to deal. "pad": each card with a tag is tapped on the pad. "hand": none is."""
OUTAGES = ("camera", "board", "all")
"""Sources of observations that an outage can take away."""
AWAY_S = 90.0
"""Default duration (s) of an outage."""


def parts_of(rig: str) -> Parts:
    """Parts of the rig `rig`, a name of RIGS, or for example "full-reader" for full without its reader.

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
    """Whether `rig` is one of RIGS with a camera, and no rig that somebody set up."""
    return rig in RIGS and RIGS[rig].camera and rig not in set_up


def differences_seen(game: RehearsedGame, parts: Parts) -> Callable[[Any, Any], tuple[str, ...]]:
    """How the true end of a game is compared with the tracked one: by all facts, or by public facts alone.

    Without scales no sensor tells which card lies below others.
    """
    return game.differences if parts.board and parts.stations else game.public_differences


def sensed(parts: Parts, stations: Sequence[str], seen: Observation) -> Observation | Command | None:
    """What a rig with `parts` makes of an observation: unchanged, a key instead, or None.

    `stations`: see `RigPlan`.
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
    """Stand-in for a board.

    Each press of a claim button becomes a key of the screen.
    """

    def __init__(self, stations: Sequence[str]) -> None:
        """`stations`: in the order of claim subjects, see `RigPlan`."""
        self._stations = stations
        self._pressed: list[Command] = []

    def press_button(self, station: str, pressed: bool) -> None:
        """Add a claim when the finger comes down.

        Nothing happens when it leaves.
        """
        if pressed:
            self._pressed.append(Claim(self._stations.index(station) + 1))

    def read(self) -> list[Command]:
        """Claims pressed since the last call."""
        pressed, self._pressed = self._pressed, []
        return pressed


_BUTTON_PINS = (0, 1, 2, 3, 12, 13, 14, 15)
"""Pins (GP) of the Pico for buttons without a touch chip. The pressure matrix has them otherwise."""


def board_with(
    plan: RigPlan, parts: Parts, clock: Clock, seed: int, keys: Keys, end: BoardEnd | None = None
) -> PartBoard:
    """Virtual board of a table with `parts`.

    A claim at a station without a button goes to `keys`.
    """
    rig = with_parts(plan.board_rig(), parts)
    return PartBoard(rig, clock, seed, end=end, press=keys.press_button)


def with_parts(rig: dict[str, Any], parts: Parts) -> dict[str, Any]:
    """Board's rig, reduced to stations and sensors of `parts`."""
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
