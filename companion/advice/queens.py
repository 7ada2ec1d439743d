"""What the advisers of both Sleeping Queens games share."""

from companion.core.errors import BadInputError
from companion.core.language import text
from companion.games.advice import Hint
from companion.games.hint_words import expected
from companion.session.journal.journal import Recorded
from companion.session.stream.events import HintView


def shown(hint: Hint) -> HintView:
    """A hint as screens show it, with the chance to win in words."""
    return HintView(hint.text, hint.action, hint.worth, hint.chance, expected(hint.worth))


def last_check(recorded: Recorded) -> None:
    """None: no action has a result that only players know."""


def nothing_to_tell(game: str, next_step: str) -> BadInputError:
    """The error for a player who tells the result of an action, as no result is for players alone."""
    return BadInputError(text("there is nothing to tell in {game}", game=game), next_step=next_step)
