"""What is played at a table: which of options, recorded game and virtual table says it."""

from pathlib import Path
from typing import NamedTuple

from companion.core.address_card import AddressCard
from companion.core.errors import BadInputError
from companion.core.language import text
from companion.core.printable import say
from companion.session.journal.journal import Opened
from companion.session.journal.journal_order import newest_journal


class Played(NamedTuple):
    """Game, variant and number of players; None where the settings say it. `names`: of the players."""

    game: str | None
    variant: str | None
    players: int | None
    names: tuple[str, ...] | None


def what_is_played(
    options: Played, opened: Opened | None, card: AddressCard | None, people: tuple[str, ...] = ()
) -> Played:
    """What is played with these options.

    A recorded game (`opened`, its first line) goes on as it began. Else a virtual table (`card`) plays what it
    has laid out, else the options count. Names that were entered last count: those in the recorded game
    (`people`), unless the options have others than it began with.
    """
    if opened is not None:
        given = options.names if options.names != opened.people else None
        return Played(opened.game, opened.variant, opened.players, given or people or opened.people)
    if card is not None:
        return Played(card.game or options.game, card.variant, card.players, options.names)
    return options


def last_journal(*, virtual: bool | None = None) -> Path | None:
    """The journal that was written last, or None. Unreadable ones are passed over and named.

    `virtual`: as in `newest_journal`.
    """

    def skipped(journal: Path, why: str) -> None:
        say(text("companion: passed over {journal}: {why}", journal=str(journal), why=why), err=True)

    return newest_journal(skipped, virtual=virtual)


def last_or_anew(*, virtual: bool) -> Path | None:
    """The journal of the last game at such a table; without one a new game begins, which is said."""
    journal = last_journal(virtual=virtual)
    if journal is None:
        say(text("companion: there is no game to go on with: a new one begins"), err=True)
    return journal


def journal_to_go_on_with(journal: Path | None, *, virtual: bool) -> Path:
    """This journal, or the last one of a game at such a table; BadInputError if there is none."""
    journal = journal or last_journal(virtual=virtual)
    if journal is None or not journal.is_file():
        raise BadInputError(
            text("no journal to go on with"), where=str(journal or ""), next_step="--journal FILE"
        )
    return journal
