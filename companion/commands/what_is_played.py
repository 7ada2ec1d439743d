"""What is played at a table: decided by options, a recorded game, or a virtual table."""

from pathlib import Path
from typing import NamedTuple

from companion.core.address_card import AddressCard
from companion.core.errors import BadInputError
from companion.core.language import text
from companion.core.printable import say
from companion.session.journal.journal_lines import Opened
from companion.session.journal.journal_order import newest_journal


class Played(NamedTuple):
    """Game, variant, number of players, and their names.

    A field is None where the settings decide.
    """

    game: str | None
    variant: str | None
    players: int | None
    names: tuple[str, ...] | None


def what_is_played(
    options: Played, opened: Opened | None, card: AddressCard | None, people: tuple[str, ...] = ()
) -> Played:
    """Determine game, variant, number of players and names.

    A recorded game stays as it began (`opened`, first entry of its journal). Else what a virtual table has laid
    out counts (`card`, its address card), else the options. `people`: names entered last, which a recorded game
    keeps unless `options` has names that differ from its first entry.
    """
    if opened is not None:
        given = options.names if options.names != opened.people else None
        return Played(opened.game, opened.variant, opened.players, given or people or opened.people)
    if card is not None:
        return Played(card.game or options.game, card.variant, card.players, options.names)
    return options


def last_journal(*, virtual: bool | None = None) -> Path | None:
    """Journal of the game begun last; None without one.

    Unreadable journals are skipped, and a message on stderr names them. `virtual`: only games at virtual (True)
    or real (False) tables; None: all.
    """

    def skipped(journal: Path, why: str) -> None:
        say(text("companion: passed over {journal}: {why}", journal=str(journal), why=why), err=True)

    return newest_journal(skipped, virtual=virtual)


def last_or_anew(*, virtual: bool) -> Path | None:
    """Journal of the last game; None without one.

    Then a message on stderr says that a new game begins. `virtual`: of a game at a virtual table, else at a
    real one.
    """
    journal = last_journal(virtual=virtual)
    if journal is None:
        say(text("companion: there is no game to go on with: a new one begins"), err=True)
    return journal


def journal_to_go_on_with(journal: Path | None, *, virtual: bool) -> Path:
    """The named journal, or else that of the last game.

    BadInputError if there is no such file. `virtual`: the last game at a virtual table, else at a real one.
    """
    journal = journal or last_journal(virtual=virtual)
    if journal is None or not journal.is_file():
        raise BadInputError(
            text("no journal to go on with"), where=str(journal or ""), next_step="--journal FILE"
        )
    return journal
