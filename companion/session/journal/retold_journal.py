"""A recorded game computed for players: error messages do not name hidden cards."""

from companion.core.errors import BadInputError, JournalError
from companion.core.language import text
from companion.games.registry import check_table, load_game
from companion.session.journal.journal import Recorded
from companion.session.journal.journal_fold import Fold
from companion.session.journal.journal_lines import Line

AGAINST_RULES = text("the recorded game does not follow the rules")


def fold_of(recorded: Recorded, name: str) -> Fold:
    """Begin to compute a recorded game at its empty table.

    `name`: name of the expected game. BadInputError if `recorded` is another game, or if its variant or
    number of players is unknown.
    """
    opened = recorded.opened
    if opened.game != name:
        raise BadInputError(
            text("no hints for {game}", game=opened.game), next_step=text("play {game}", game=name)
        )
    game = load_game(name, opened.parts)
    check_table(game, opened.variant, opened.players)
    return Fold(game, game.empty_table(opened.variant, opened.players, opened.options))


def take(lines: Fold, line: Line) -> None:
    """Apply one journal line to a recorded game, without telling hidden cards.

    BadInputError if the rules do not allow the line; the error names no hidden card.
    """
    try:
        lines.take(line)
    except JournalError:
        raise BadInputError(AGAINST_RULES, next_step=text("whoever runs the table: companion replay")) from None
