"""Hints for one player, at the family's level of help."""

from dataclasses import dataclass
from enum import IntEnum

from companion.core.errors import BadInputError
from companion.core.language import text


class Level(IntEnum):
    """How much a hint gives away: REFEREE least, COACH most."""

    REFEREE = 0
    """The hint states a rule and nothing else."""
    MEMORY = 1
    """The hint also names cards that were seen and are covered now, and cards not seen yet."""
    NUDGE = 2
    """The hint is a question that points to a good move without naming it."""
    COACH = 3
    """The hint names the best move."""


LEVELS = tuple(level.name.lower() for level in Level)
"""Names of the levels in lower case, e.g. "memory": command line, settings and screens use them."""


def level_of(asked: str, assist: str) -> Level:
    """Choose the hint level `asked`, but at most `assist`.

    Both are names out of LEVELS. `assist` is the highest level that the family allows; empty: no limit.
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
    """One hint.

    Below the level COACH only `text` and `why` are filled; other fields keep their defaults.
    """

    text: str
    """The hint in words that a child understands."""
    why: str = ""
    """Id of the sentence in the game's list of hint sentences, e.g. "king known"."""
    action: str = ""
    """The recommended move in the game's notation. Empty if the hint names none."""
    worth: float | None = None
    """Player's chance to win after the move, 0 to 1, or another measure that the game names. None: unknown."""
    chance: float | None = None
    """Chance (0 to 1) that the event on which the move relies happens. None: no such event."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Hints for one player, the best first.

    Cards that this player cannot know never influence the hints.
    """

    level: Level
    hints: tuple[Hint, ...]
    positions: int = 0
    """Number of positions judged for the hints, a measure of work. Hidden cards must not influence it
    either."""
