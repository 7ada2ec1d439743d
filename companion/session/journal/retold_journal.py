"""A recorded game folded for players: what the rules refuse is said without the hidden cards it names."""

from companion.core.errors import BadInputError, JournalError
from companion.core.language import text
from companion.games.registry import check_table, load_game
from companion.session.journal.journal import Fold, Line, Recorded

AGAINST_RULES = text("the recorded game does not follow the rules")


def fold_of(recorded: Recorded, name: str) -> Fold:
    """The fold of a recorded game before its first action; BadInputError if it is not the game `name`, or at a
    table that game does not know."""
    opened = recorded.opened
    if opened.game != name:
        raise BadInputError(
            text("no hints for {game}", game=opened.game), next_step=text("play {game}", game=name)
        )
    game = load_game(name, opened.parts)
    check_table(game, opened.variant, opened.players)
    return Fold(game, game.empty_table(opened.variant, opened.players, opened.options))


def take(lines: Fold, line: Line) -> None:
    """Fold one line in; BadInputError if the rules refuse it."""
    try:
        lines.take(line)
    except JournalError:
        raise BadInputError(AGAINST_RULES, next_step=text("whoever runs the table: companion replay")) from None
