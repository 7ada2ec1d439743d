"""Worlds: virtual tables with unusual people, wiring or sensors."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from companion.virtual.rehearsal_api import ActedGame, RehearsedGame
from companion.virtual.rig.noise_profiles import Noise
from companion.virtual.rig.unusual_sensors import SensorLaw


@dataclass(frozen=True, slots=True)
class RehearsalWorld:
    """Virtual table with unusual people, wiring or sensors.

    Everything else follows the noise profile.
    """

    name: str
    text: str
    """How people, wiring or sensors differ in this world, and how often."""
    held_out: bool
    """True if the world is kept for tests: developers do not look at its single games."""
    habits: Any = None
    """Unusual habits of the people, in a type of the game; None for the usual ones."""
    laws: tuple[SensorLaw, ...] = ()
    """Laws of sensors and wiring, applied in this order after the faults of the noise profile."""
    noise: Mapping[str, float] = field(default_factory=dict)
    """Name of a field of `Noise` -> rate that replaces the noise profile's."""
    pace: float = 1.0
    """Factor on the usual durations of people's movements: at 2 people are half as fast."""
    deal: str = "pad"
    """How cards are dealt: one of DEALS in companion.rehearse.table_parts."""
    buttons: bool = True
    """Whether players have claim buttons; else they claim by a key of the screen."""


class GameOfWorlds(RehearsedGame, Protocol):
    """Rehearsed game that also has worlds: tables with unusual people, wiring or sensors."""

    @property
    def worlds(self) -> Mapping[str, RehearsalWorld]:
        """Name -> world of this game, in alphabetical order."""
        ...

    def act_in(
        self, world: RehearsalWorld, seed: int, variant: str, players: int, rash: float, *, tapped: bool
    ) -> ActedGame:
        """Let people with the habits of a world play a whole game.

        Arguments as for `act_out`. In a world without habits the game equals the one that `act_out` returns.
        """
        ...


def noise_there(world: RehearsalWorld, rates: Noise) -> Noise:
    """Rates of a noise profile with those of `world` instead.

    Only the ones that differ there are replaced.
    """
    return Noise(**{name: world.noise.get(name, getattr(rates, name)) for name in Noise.__slots__})


def stream(seed: int, world: RehearsalWorld) -> Random:
    """Random numbers for a game's sensor laws in a world.

    `seed`: of the game. Equal arguments give equal numbers.
    """
    return Random(f"{seed} laws of {world.name}")
