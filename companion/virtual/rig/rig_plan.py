"""Where the sensors of a game's table are, and what they feel: what a game gives the virtual rig."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from companion.virtual.rig.matrix_presses import NOTHING_RAISED, RaisedCards


@dataclass(frozen=True, slots=True)
class RigPlan:
    """The parts of a rig by the names of stations and zones, beside the pad with its reader and matrix (`PAD`).

    Without arguments only a camera looks.
    """

    stations: tuple[str, ...] = ()
    """Those with a load cell, an electrode and a claim button each, in the order of the subjects of claims.
    Neighbours in this order are neighbours on the table."""
    near: Mapping[str, str] = field(default_factory=dict)
    """Zone -> the station beside it: a hand there covers some of the station."""
    reached: str | None = None
    """The zone at which a hand alone is a sign, if any: people reach around it."""
    raised: RaisedCards = NOTHING_RAISED
    """The cards that are pressed on the pad."""
    on_screen: Callable[[str], bool] = lambda _code: False
    """Whether screens show this card (its code) by name: who sees it missing there lays it down again."""
