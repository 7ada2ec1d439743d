"""Errors of the project: what went wrong, where, the next step."""

from typing import cast

from companion.core.language import Text, text
from companion.core.printable import printable, without_passwords


class CompanionError(Exception):
    """Base of all errors that a user may see.

    `what` went wrong, `where` (file, option, port, line), and the `next_step` that helps. The command line
    prints the error as one line and exits with status 2. Passwords in addresses are removed.
    """

    def __init__(self, what: str, *, where: str = "", next_step: str = "") -> None:
        self.what = printable(without_passwords(what))
        self.where = printable(without_passwords(where))
        self.next_step = printable(next_step)
        super().__init__(str(self.told))

    @property
    def told(self) -> str:
        """Whole error in one line."""
        said = text("{where}: {what}", where=self.where, what=self.what) if self.where else self.what
        return text("{what}; {next_step}", what=said, next_step=self.next_step) if self.next_step else said


def without_place(said: str, where: str) -> str:
    """Sentence about a place without the place's name before it."""
    if isinstance(said, Text) and said.id == "{where}: {what}" and said.values["where"] == where:
        return cast("str", said.values["what"])
    return said.removeprefix(f"{where}: ")


def as_told(error: BaseException) -> CompanionError:
    """Error as one that a user may see.

    An unexpected one is called a fault of this program.
    """
    if isinstance(error, CompanionError):
        return error
    return CompanionError(text("this is a fault of this program: {why}", why=repr(error)))


class BadInputError(CompanionError, ValueError):
    """A file, option, payload or line that cannot be used."""


class SourceError(CompanionError, OSError):
    """A camera or port that is missing, lost, or silent."""


class NotThereError(SourceError):
    """A camera or port that is not there yet, but may come later."""


class JournalError(CompanionError, ValueError):
    """A journal that is truncated, foreign, or of an unknown version."""
