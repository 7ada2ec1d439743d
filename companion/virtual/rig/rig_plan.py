"""The plan of a game's rig: where its sensors are and what they measure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.virtual.rig.matrix_presses import NOTHING_RAISED, RaisedCards


@dataclass(frozen=True, slots=True)
class RigPlan:
    """Plan of where a game's table has sensors, besides the pad.

    The pad has reader and matrix. Without arguments the table has only a camera.
    """

    stations: tuple[str, ...] = ()
    """Names of stations with a load cell, an electrode and a claim button each.

    In the order of claim subjects; neighbours in this order are neighbours on the table.
    """
    near: Mapping[str, str] = field(default_factory=dict)
    """Zone -> the station beside it, which a hand over the zone partly covers."""
    reached: str | None = None
    """Zone in which a hand without cards is a sign of an action; None without such a zone."""
    raised: RaisedCards = NOTHING_RAISED
    """Cards with raised pictures that players press on the pad."""
    on_screen: Callable[[str], bool] = lambda _code: False
    """Function (code) -> whether screens name this card.

    People who miss its name lay the card down again.
    """
    counted_unread: tuple[str, ...] = ()
    """Zones in which the camera also counts cards that it cannot decode."""

    def board_rig(self) -> dict[str, Any]:
        """Board rig that is recommended, with the stations renamed as in this plan.

        ValueError if the board has too few stations.
        """
        from firmware.simulator.virtual_board import DEFAULT_RIG

        named = [one for one in DEFAULT_RIG["stations"] if "count" in one]
        if {one["name"] for one in named}.issuperset(self.stations):
            return DEFAULT_RIG
        if len(self.stations) > len(named):
            raise ValueError(f"a board has {len(named)} stations with a load cell, not {len(self.stations)}")
        renamed = [{**one, "name": name} for one, name in zip(named, self.stations, strict=False)]
        return {
            **DEFAULT_RIG,
            "stations": renamed + [one for one in DEFAULT_RIG["stations"] if one not in named],
        }
