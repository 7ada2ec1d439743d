"""Advice of a game for one player: ranked hints at the level of help that a family has chosen."""

from dataclasses import dataclass
from enum import IntEnum

from companion.core.errors import BadInputError
from companion.core.language import text


class Level(IntEnum):
    """How much a hint gives away; each level leaves the rest to the player."""

    REFEREE = 0
    """The rules, nothing else."""
    MEMORY = 1
    """What was seen and lies covered now, which cards were not seen yet."""
    NUDGE = 2
    """A question that points the way."""
    COACH = 3
    """The move."""


LEVELS = tuple(level.name.lower() for level in Level)
"""The levels as people write them."""


def level_of(asked: str, assist: str) -> Level:
    """The level of an answer: what was asked for, no more than the family chose (`assist`, empty if nothing).

    BadInputError for a level that does not exist.
    """
    if asked not in LEVELS:
        raise BadInputError(
            text("no level {level}", level=repr(asked)),
            next_step=text("choose one of: {names}", names=", ".join(LEVELS)),
        )
    return min(Level[asked.upper()], Level[assist.upper()] if assist else Level.COACH)


@dataclass(frozen=True, slots=True)
class Hint:
    """One hint; only the level coach fills more than the text."""

    text: str
    """One sentence that a child understands."""
    why: str = ""
    """The sentence as an id of the game's catalogue of hints."""
    action: str = ""
    """The move in the game's notation."""
    worth: float | None = None
    """The chance to win after it, 0 to 1."""
    chance: float | None = None
    """The chance, 0 to 1, that what it counts on comes true."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Hints, best first; the same for any cards that the player does not know."""

    level: Level
    hints: tuple[Hint, ...]
    positions: int = 0
    """Positions that were judged: the work it took, which must not depend on hidden cards either."""
