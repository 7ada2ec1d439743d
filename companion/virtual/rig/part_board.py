"""A virtual board that feels only what is wired."""

from collections.abc import Callable
from typing import Any

from companion.core.clock import Clock
from firmware.simulator.virtual_board import VirtualBoard
from firmware.simulator.virtual_port import BoardEnd

_NEEDS = {
    "place_tag": "reader",
    "lift_tag": "reader",
    "set_weight": "count",
    "touch": "touch",
    "press_button": "button",
    "press_texture": "texture",
}
"""Method of the board -> part that must be wired for it to have an effect."""


class PartBoard(VirtualBoard):
    """Virtual board of a rig that lacks parts.

    What people do to a missing part has no effect. Only a missing button is reported: to `press`, with the
    station's name and True when the finger comes down. `wired`: the parts that exist.
    """

    def __init__(
        self,
        rig: dict[str, Any],
        clock: Clock,
        seed: int,
        *,
        end: BoardEnd | None = None,
        wired: dict[str, Any] | None = None,
        press: Callable[[str, bool], None] = lambda _station, _pressed: None,
    ) -> None:
        self._press = press
        super().__init__(rig, clock, seed, end=end, wired=wired)

    def _do(self, what: str, *args: object) -> None:
        part = str(args[0]) if what == "misbehave" else _NEEDS.get(what)
        station = str(args[1] if what == "misbehave" else args[0]) if part else ""
        # An electrode is the foil of a touch station.
        wanted = "touch" if part == "electrode" else part
        if wanted is None or wanted in self._stations.get(station, ()):
            super()._do(what, *args)
        elif what == "press_button":
            self._press(station, bool(args[1]))
