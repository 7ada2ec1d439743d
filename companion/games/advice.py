"""Hints for one player, at the family's level of help."""

from dataclasses import dataclass
from enum import IntEnum

from companion.core.errors import BadInputError
from companion.core.language import text


class Level(IntEnum):
    """How much a hint gives away: REFEREE least, COACH most."""

    REFEREE = 0
    """The hint states the rule that applies, and nothing else."""
    MEMORY = 1
    """The hint also names cards that lay open earlier and are covered now, and cards not seen yet."""
    NUDGE = 2
    """The hint is a question that points to a good move without naming it."""
    COACH = 3
    """The hint names the best move."""


LEVELS = tuple(level.name.lower() for level in Level)
"""Names of the levels, weakest first: "referee", "memory", "nudge", "coach".

Settings and screens use these names.
"""


def level_of(asked: str, assist: str) -> Level:
    """The hint's level of help: `asked`, but at most `assist`.

    Both are names of LEVELS. `assist`: the most that the family allows; "" sets no limit. BadInputError if
    `asked` is not in LEVELS.
    """
    if asked not in LEVELS:
        raise BadInputError(
            text("no level {level}", level=repr(asked)),
            next_step=text("choose one of: {names}", names=", ".join(LEVELS)),
        )
    return min(Level[asked.upper()], Level[assist.upper()] if assist else Level.COACH)


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint for one player.

    Below the level COACH only `text` and `why` are filled.
    """

    text: str
    """The hint in words that a child understands."""
    why: str = ""
    """Id of the hint's sentence in the game's list of sentences, e.g. "king known". "": no id."""
    action: str = ""
    """The recommended move in the game's notation, e.g. "play 5 5 5". Empty if the hint names none."""
    worth: float | None = None
    """How good the move is; higher is better. None: unknown.

    It is the player's chance to win after the move (0 to 1), unless the game uses another measure.
    """
    chance: float | None = None
    """Chance (0 to 1) that the move works, e.g. that nobody stops an attack. None: nothing can go wrong."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Hints for one player, best first.

    They never depend on cards which that player cannot know. `level`: how much they give away.
    """

    level: Level
    hints: tuple[Hint, ...]
    positions: int = 0
    """Number of game positions judged to find the hints: a measure of work.

    It must not depend on hidden cards.
    """
