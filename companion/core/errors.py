"""Errors of the project: what, where, the next step.

"What" is what went wrong.
"""

from companion.core.language import text
from companion.core.printable import printable, without_passwords

OWN_PACKAGES = ("companion", "calibration", "firmware", "vision")
"""Top-level packages of this program."""


class CompanionError(Exception):
    """Base of all errors that a user may see: one line, exit status 2.

    `what` went wrong, `where` (file, option, port, line), and the `next_step` that helps. Passwords in
    addresses are removed.
    """

    def __init__(self, what: str, *, where: str = "", next_step: str = "") -> None:
        self.what = printable(without_passwords(what))
        self.where = printable(without_passwords(where))
        self.next_step = printable(next_step)
        super().__init__(str(self.told))

    @property
    def told(self) -> str:
        """The whole error as one line."""
        said = text("{where}: {what}", where=self.where, what=self.what) if self.where else self.what
        return text("{what}; {next_step}", what=said, next_step=self.next_step) if self.next_step else said


def is_own_module(error: BaseException) -> bool:
    """True for an import error about this program's own code, as after an update in mid-game."""
    name = (error.name or "") if isinstance(error, ImportError) else ""
    return name.partition(".")[0] in OWN_PACKAGES


def as_told(error: BaseException) -> CompanionError:
    """The error as one that a user may see.

    An unexpected one becomes "a fault of this program".
    """
    if isinstance(error, CompanionError):
        return error
    if is_own_module(error):
        return CompanionError(
            text("a part of the program is missing: was it updated while it ran?"),
            next_step=text("start it again; if it says so again, install it again"),
        )
    return CompanionError(text("this is a fault of this program: {why}", why=repr(error)))


class BadInputError(CompanionError, ValueError):
    """A file, option, payload or line cannot be used."""


class SourceError(CompanionError, OSError):
    """A camera or port is missing, lost, or silent."""


class NotThereError(SourceError):
    """A camera or port is missing, but may come."""


class JournalError(CompanionError, ValueError):
    """A journal is cut off, foreign, or of unknown version."""
