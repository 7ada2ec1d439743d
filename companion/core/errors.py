"""The project's errors: what went wrong, where, the next step."""

from typing import cast

from companion.core.language import Text, text
from companion.core.printable import printable, without_passwords


class CompanionError(Exception):
    """Base of all errors that a user may see.

    `what` went wrong, `where` (file, option, port, line), and the `next_step` that helps. The text form is one
    line, which the command line prints before it exits with status 2. Passwords in addresses are left out.
    """

    def __init__(self, what: str, *, where: str = "", next_step: str = "") -> None:
        self.what = printable(without_passwords(what))
        self.where = printable(without_passwords(where))
        self.next_step = printable(next_step)
        super().__init__(str(self.told))

    @property
    def told(self) -> str:
        """All of it as one line."""
        said = text("{where}: {what}", where=self.where, what=self.what) if self.where else self.what
        return text("{what}; {next_step}", what=said, next_step=self.next_step) if self.next_step else said


def without_place(said: str, where: str) -> str:
    """What is said of a place without the name of that place before it."""
    if isinstance(said, Text) and said.id == "{where}: {what}" and said.values["where"] == where:
        return cast("str", said.values["what"])
    return said.removeprefix(f"{where}: ")


def as_told(error: BaseException) -> CompanionError:
    """An error that ends a part of this program, as one that a user may see: one that nobody expected is a
    fault of this program."""
    if isinstance(error, CompanionError):
        return error
    return CompanionError(text("this is a fault of this program: {why}", why=repr(error)))


class BadInputError(CompanionError, ValueError):
    """A file, an option, a payload or a line that cannot be used."""


class SourceError(CompanionError, OSError):
    """A camera or a port that is missing, was lost, or does not answer."""


class NotThereError(SourceError):
    """A camera or a port that is not there yet: it may be plugged in or switched on later."""


class JournalError(CompanionError, ValueError):
    """A journal that is truncated, foreign, or of a version that this program does not read."""
