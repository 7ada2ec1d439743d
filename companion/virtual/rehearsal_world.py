"""Worlds: virtual tables with unusual people, wiring or sensors."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from companion.virtual.rehearsal_api import ActedGame, RehearsedGame
from companion.virtual.rig.noise_profiles import Noise
from companion.virtual.rig.sensor_laws import SensorLaw


@dataclass(frozen=True, slots=True)
class RehearsalWorld:
    """World: a virtual table with unusual people, wiring or sensors.

    Everything else follows the noise profile.
    """

    name: str
    text: str
    """What differs in this world, with its share of turns, touches, claims or minutes."""
    held_out: bool
    """Whether the world is kept for tests: developers do not inspect its single games."""
    habits: Any = None
    """Unusual habits of the people, in a type of the game. None: the usual habits."""
    laws: tuple[SensorLaw, ...] = ()
    """Laws of sensors and wiring, applied in this order after the faults of the noise profile."""
    noise: Mapping[str, float] = field(default_factory=dict)
    """Field of `Noise` -> rate that replaces the one of the noise profile."""
    pace: float = 1.0
    """Factor on the usual durations of people's movements."""
    deal: str = "pad"
    """How cards are dealt: one of DEALS in companion.rehearse.table_parts."""
    buttons: bool = True
    """Whether players have claim buttons. Without buttons they claim by a key of the screen."""


class GameOfWorlds(RehearsedGame, Protocol):
    """Game that can be rehearsed in worlds."""

    @property
    def worlds(self) -> Mapping[str, RehearsalWorld]:
        """Name -> world, in alphabetical order."""
        ...

    def act_in(
        self, world: RehearsalWorld, seed: int, variant: str, players: int, rash: float, *, tapped: bool
    ) -> ActedGame:
        """Act out a game of people with `world`'s habits.

        Arguments as for `act_out`. In a world without habits the game equals the one that `act_out` returns.
        """
        ...


def noise_there(world: RehearsalWorld, rates: Noise) -> Noise:
    """The noise profile `rates`, with the rates that `world` replaces."""
    return Noise(**{name: world.noise.get(name, getattr(rates, name)) for name in Noise.__slots__})


def stream(seed: int, world: RehearsalWorld) -> Random:
    """Random stream for game `seed`'s sensor laws in this world."""
    return Random(f"{seed} laws of {world.name}")
