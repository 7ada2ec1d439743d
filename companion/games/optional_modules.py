"""Optional modules of a game's folder: `part_enrolment` learns printed parts, `rig_table` lists rigs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class PartQuestion:
    """A question about one printed part. `name` is its key in `PrintedParts.take_parts`."""

    name: str
    text: str


class PartEnrolment(Protocol):
    """Contents of the module `part_enrolment`: learns printed parts from a person or photographs."""

    QUESTIONS: tuple[PartQuestion, ...]
    """One question for every printed part, in the order of asking."""
    ROWS: str
    """Instruction to the person who photographs cards in rows: which cards to lay, and what a row means."""

    def read_rows(self, rows: Sequence[Sequence[str]]) -> Mapping[str, str]:
        """Printed parts (name -> print) found from rows of card codes. ValueError says what is wrong with the
        rows."""


class RigRow(Protocol):
    """One rig (a set of sensors), with what it can prove of a game and what it cannot."""

    @property
    def name(self) -> str:
        """Name of the rig, for people."""

    @property
    def parts(self) -> str:
        """Parts to buy beyond those of the next smaller rig, in words."""

    @property
    def proves(self) -> str:
        """What this rig proves of a game, in words."""

    @property
    def cannot(self) -> str:
        """What this rig cannot prove of a game, in words."""

    @property
    def counted(self) -> str:
        """Result of rehearsed games with this rig, in words."""


class RigTable(Protocol):
    """Contents of the module `rig_table`, for a game that several rigs can follow."""

    @property
    def RIG_TABLE(self) -> Sequence[RigRow]:  # noqa: N802 - a module's constant
        """Every rig that can follow the game, the smallest first."""
