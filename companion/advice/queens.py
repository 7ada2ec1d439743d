"""What the advisers of both Sleeping Queens games share."""

from companion.core.errors import BadInputError
from companion.core.language import text
from companion.games.advice import Hint
from companion.games.hint_words import expected
from companion.session.journal.journal import Recorded
from companion.session.stream.events import HintView


def shown(hint: Hint) -> HintView:
    """A hint in the form that screens show, with the chance to win in words."""
    return HintView(hint.text, hint.action, hint.worth, hint.chance, expected(hint.worth))


def last_check(recorded: Recorded) -> None:
    """Always None: no action of this game tells anything to one player alone."""


def nothing_to_tell(game: str, next_step: str) -> BadInputError:
    """The error for a player who tells an action's result, though none is for one player alone."""
    return BadInputError(text("there is nothing to tell in {game}", game=game), next_step=next_step)
