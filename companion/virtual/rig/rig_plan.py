"""The plan of a game's rig: where its sensors are and what they measure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.virtual.rig.matrix_presses import NOTHING_RAISED, RaisedCards


@dataclass(frozen=True, slots=True)
class RigPlan:
    """The parts of a rig by the names of stations and zones, beside the pad with its reader and matrix (`PAD`).

    Without arguments there is only a camera.
    """

    stations: tuple[str, ...] = ()
    """Stations with a load cell, an electrode and a claim button each, in the order of the subjects of
    claims. Neighbours in this order are neighbours on the table."""
    near: Mapping[str, str] = field(default_factory=dict)
    """Zone -> the station beside it. A hand there covers a part of the station."""
    reached: str | None = None
    """The zone in which a hand alone is a sign, if there is one. People reach around it."""
    raised: RaisedCards = NOTHING_RAISED
    """The cards that are pressed on the pad."""
    on_screen: Callable[[str], bool] = lambda _code: False
    """Whether screens show this card (its code) by name. People who miss it there lay it down again."""
    counted_unread: tuple[str, ...] = ()
    """The zones in which a camera counts the cards that it cannot read."""

    def board_rig(self) -> dict[str, Any]:
        """The recommended rig of a board, with the names of these stations; ValueError if it has too few."""
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
