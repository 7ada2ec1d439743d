"""Optional modules of a game's folder: `part_enrolment` learns printed parts, `rig_table` lists rigs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class PartQuestion:
    """A question to a person about one printed part.

    `name`: the part's key in `PrintedParts.take_parts`. `text`: the question.
    """

    name: str
    text: str


class PartEnrolment(Protocol):
    """A game's module `part_enrolment`, which learns the print of a family's box.

    It asks questions, or reads photographs.
    """

    QUESTIONS: tuple[PartQuestion, ...]
    """One question for each printed part, in the order of asking."""
    ROWS: str
    """Instruction for the photograph: which cards to lay in rows, and what a row means."""

    def read_rows(self, rows: Sequence[Sequence[str]]) -> Mapping[str, str]:
        """Work out parts from photographs of card rows.

        Returns part -> print. `rows`: codes of the cards, from left to right. ValueError says what is wrong
        with the rows.
        """


class RigRow(Protocol):
    """One rig (a set of sensors): what it can prove of a game, and what it cannot."""

    @property
    def name(self) -> str:
        """Name of the rig, for people."""

    @property
    def parts(self) -> str:
        """Words for what to buy beyond the previous rig."""

    @property
    def proves(self) -> str:
        """What this rig proves of a game, in words."""

    @property
    def cannot(self) -> str:
        """What this rig cannot prove of a game, in words."""

    @property
    def counted(self) -> str:
        """How well rehearsed games went with this rig, in words."""


class RigTable(Protocol):
    """A game's module `rig_table`: rigs (sets of sensors) that can follow the game."""

    @property
    def RIG_TABLE(self) -> Sequence[RigRow]:  # noqa: N802 - a module's constant
        """Every rig that can follow the game, smallest first."""
