"""What the advisers of both Sleeping Queens games share."""

from companion.core.errors import BadInputError
from companion.core.language import text
from companion.games.advice import Hint
from companion.games.hint_words import expected
from companion.session.journal.journal import Recorded
from companion.session.stream.events import HintView


def shown(hint: Hint) -> HintView:
    """Hint as screens show it, with chance in words."""
    return HintView(hint.text, hint.action, hint.worth, hint.chance, expected(hint.worth))


def last_check(recorded: Recorded) -> None:
    """Always None: no action tells anything to one player alone.

    A game with such actions returns the last one of the running turn.
    """


def nothing_to_tell(game: str, next_step: str) -> BadInputError:
    """The error for a player who says what an action told, where no action tells one player anything.

    `game`: its name. It is returned, not raised.
    """
    return BadInputError(text("there is nothing to tell in {game}", game=game), next_step=next_step)
