"""Where the sensors of a game's table are, and what they feel: what a game gives the virtual rig."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from companion.virtual.rig.pressure_matrix import RaisedCards


@dataclass(frozen=True, slots=True)
class RigPlan:
    """The parts of a rig by the names of stations and zones; the pad with its reader and matrix is `PAD`."""

    stations: tuple[str, ...]
    """Those with a load cell, an electrode and a claim button each, in the order of the subjects of claims.
    Neighbours in this order are neighbours on the table."""
    near: Mapping[str, str]
    """Zone -> the station beside it: a hand there covers some of the station."""
    reached: str
    """The zone at which a hand alone is a sign: people reach around it."""
    raised: RaisedCards
    """The cards that are pressed on the pad."""
    on_screen: Callable[[str], bool]
    """Whether screens show this card (its code) by name: who sees it missing there lays it down again."""
