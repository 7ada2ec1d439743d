"""The plan of a game's rig: where its sensors are and what they measure."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

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
