"""Parts of a rehearsed table, such as camera and board; ways to deal its cards."""

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
    """Sensor of the board that a rig can lack.

    `reports`: type of its observations.
    """

    reports: type[Observation]
    fields: frozenset[str]
    """Names of the sensor's settings at a station in the board's rig file."""


SENSORS = {
    "reader": Sensor(TagRead, frozenset({"reader"})),
    "texture": Sensor(Texture, frozenset({"texture"})),
    "electrodes": Sensor(Touch, frozenset({"touch", "lamp"})),
    "scales": Sensor(Count, frozenset({"count"})),
}
"""Name of a sensor that a rig can lack -> the sensor. "full-reader" names the rig "full" without its reader."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Sensors of a rig.

    `camera`: it has a camera. `board`: it has a board, with pad, scales, electrodes and buttons.
    """

    camera: bool
    board: bool
    buttons: bool = True
    """Whether players claim by the board's buttons. False: by keys of the screen."""
    stations: bool = True
    """Whether the board has stations with scales, electrodes and buttons, besides its pad."""
    lacks: frozenset[str] = frozenset()
    """Names (keys of SENSORS) of sensors that the board does not have."""


RIGS = {
    "full": Parts(True, True),
    "judge": Parts(True, True, lacks=frozenset({"electrodes", "texture"})),
    "pad": Parts(False, True),
    "camera": Parts(True, False),
    "camera+pad": Parts(True, True, buttons=False, stations=False),
}
"""Name of a built-in rig -> its sensors."""
DEALS = ("pad", "hand")
"""Ways to deal: "pad" taps each tagged card on the pad's reader, "hand" taps none."""
OUTAGES = ("camera", "board", "all")
"""Kinds of outage, by the sources that report nothing; "all" is camera and board."""
AWAY_S = 90.0
"""Default duration (s) of an outage."""


def parts_of(rig: str) -> Parts:
    """Look up the parts of the rig named `rig`.

    `rig`: a key of RIGS, also with sensors to leave out, for example "full-reader" or "full-reader-scales".
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
    """Whether `rig` is a built-in rig with a camera.

    Built-in rigs are the keys of RIGS. `set_up`: names of the rigs that somebody set up. False if `rig` is one
    of these.
    """
    return rig in RIGS and RIGS[rig].camera and rig not in set_up


def differences_seen(game: RehearsedGame, parts: Parts) -> Callable[[Any, Any], tuple[str, ...]]:
    """Choose a rig's comparison of true and tracked end.

    With scales all facts are compared. Without scales only public facts are, because no sensor tells which
    card lies below others. The returned function takes the true and the tracked state, and gives the
    differences in words.
    """
    return game.differences if parts.board and parts.stations else game.public_differences


def sensed(parts: Parts, stations: Sequence[str], seen: Observation) -> Observation | Command | None:
    """Turn a perfect observation into what a rig reports.

    `seen`: the observation. The observation stays unchanged if some part senses it; else None. A press of a
    button that the rig lacks becomes a Claim command, made by a key of the screen. `stations`: names in the
    order of claim subjects; the first is for subject 1.
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
    """Stand-in for missing claim buttons: each press becomes a key of the screen."""

    def __init__(self, stations: Sequence[str]) -> None:
        """`stations`: names in the order of claim subjects; the first is for subject 1."""
        self._stations = stations
        self._pressed: list[Command] = []

    def press_button(self, station: str, pressed: bool) -> None:
        """Claim the subject of a station, if a finger presses its missing button.

        `station`: its name. `pressed`: True if the finger presses. Nothing happens when it leaves (False).
        """
        if pressed:
            self._pressed.append(Claim(self._stations.index(station) + 1))

    def read(self) -> list[Command]:
        """Return and forget the claims since the last call.

        The claims are in order.
        """
        pressed, self._pressed = self._pressed, []
        return pressed


_BUTTON_PINS = (0, 1, 2, 3, 12, 13, 14, 15)
"""Pins of the claim buttons in a rig without a touch chip, in the order of stations.

The numbers are GP numbers of the Pico. In a full rig these pins belong to the pressure matrix. A rig without a
touch chip has no pressure matrix, so they are free.
"""


def board_with(
    plan: RigPlan, parts: Parts, clock: Clock, seed: int, keys: Keys, end: BoardEnd | None = None
) -> PartBoard:
    """Build a virtual board with `parts`' stations and sensors.

    `plan`: the game's full rig. `seed`: decides the errors of its sensors. A claim at a station without a
    button goes to `keys`. `end`: the board's end of the cable; None: a real pseudo-terminal.
    """
    rig = with_parts(plan.board_rig(), parts)
    return PartBoard(rig, clock, seed, end=end, press=keys.press_button)


def with_parts(rig: dict[str, Any], parts: Parts) -> dict[str, Any]:
    """Copy a board's rig, and leave out what `parts` lacks.

    `rig`: the rig as JSON values, with its list "stations". Without stations only the one with a reader stays.
    Without electrodes each button gets a pin of its own (_BUTTON_PINS), and touch chip, lamps and I2C bus are
    left out. Without textures the pressure matrix is left out. `rig` itself stays unchanged.
    """
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
