"""A world: a virtual table at which people, wiring or sensors are unlike those of the noise profiles."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from companion.virtual.rehearsal_api import ActedGame, RehearsedGame
from companion.virtual.rig.noise_profiles import Noise
from companion.virtual.rig.sensor_laws import SensorLaw


@dataclass(frozen=True, slots=True)
class RehearsalWorld:
    """One world by name. Whatever it does not say is as at any virtual table with the same noise profile."""

    name: str
    text: str
    """What is different there, with its share of turns, touches, claims or minutes."""
    held_out: bool
    """Whether nobody looks at its single games: it tests what was developed in the other worlds."""
    habits: Any = None
    """What people do otherwise; a description of the game's own. None: nothing."""
    laws: tuple[SensorLaw, ...] = ()
    """What sensors and wiring do otherwise, in this order, after the faults of the noise profile."""
    noise: Mapping[str, float] = field(default_factory=dict)
    """Rates that replace those of the noise profile, by the field of `Noise`."""
    pace: float = 1.0
    """How long people take, as a multiple of the usual times."""
    deal: str = "pad"
    """One of DEALS in companion.rehearse.table_parts."""
    buttons: bool = True
    """Without buttons people announce by the key alone."""


class GameOfWorlds(RehearsedGame, Protocol):
    """A game that is rehearsed in worlds."""

    @property
    def worlds(self) -> Mapping[str, RehearsalWorld]:
        """All worlds by name, in alphabetical order."""
        ...

    def act_in(
        self, world: RehearsalWorld, seed: int, variant: str, players: int, rash: float, *, tapped: bool
    ) -> ActedGame:
        """A whole game of people with the habits of this world; otherwise like `act_out`.

        Without habits it is the same game as that of `act_out`.
        """
        ...


def noise_there(world: RehearsalWorld, rates: Noise) -> Noise:
    """The noise profile `rates` with the rates of this world."""
    return Noise(**{name: world.noise.get(name, getattr(rates, name)) for name in Noise.__slots__})


def stream(seed: int, world: RehearsalWorld) -> Random:
    """The random stream of a game's sensor laws."""
    return Random(f"{seed} laws of {world.name}")
