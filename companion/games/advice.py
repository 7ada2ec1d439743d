"""Hints for one player, at the level of help that the family chose."""

from dataclasses import dataclass
from enum import IntEnum

from companion.core.errors import BadInputError
from companion.core.language import text


class Level(IntEnum):
    """How much a hint gives away."""

    REFEREE = 0
    """Only the rules."""
    MEMORY = 1
    """Cards that were seen and are covered now, and cards not seen yet."""
    NUDGE = 2
    """A question that points the way."""
    COACH = 3
    """The best move."""


LEVELS = tuple(level.name.lower() for level in Level)
"""Names of the levels, as people write them."""


def level_of(asked: str, assist: str) -> Level:
    """The level of an answer: `asked`, but at most the family's choice `assist` (empty: no limit).

    BadInputError if `asked` is no level.
    """
    if asked not in LEVELS:
        raise BadInputError(
            text("no level {level}", level=repr(asked)),
            next_step=text("choose one of: {names}", names=", ".join(LEVELS)),
        )
    return min(Level[asked.upper()], Level[assist.upper()] if assist else Level.COACH)


@dataclass(frozen=True, slots=True)
class Hint:
    """One hint. Below the level COACH only `text` and `why` are filled."""

    text: str
    """The hint in words that a child understands."""
    why: str = ""
    """Id of the sentence in the game's catalogue of hints."""
    action: str = ""
    """The move in notation."""
    worth: float | None = None
    """Chance to win after the move, 0 to 1."""
    chance: float | None = None
    """Chance (0 to 1) that the event which the move relies on happens."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Hints for one player, the best first. Cards that the player does not know must not change them."""

    level: Level
    hints: tuple[Hint, ...]
    positions: int = 0
    """Number of positions judged: the work done. Hidden cards must not change it either."""
