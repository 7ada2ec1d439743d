"""Whether the terminal can show a screen and hear its keys."""

import sys

from companion.core.errors import BadInputError
from companion.core.language import text

DRAWN = "█►♥"
"""Letters of every screen, which character sets of 8 bits lack."""


def check_screen_terminal(instead: str = "") -> None:
    """Check that a screen can be drawn here and that its keys are heard. BadInputError if not.

    `instead`: a command that needs no terminal, "" for none.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadInputError(
            text("the screen needs a terminal"),
            next_step=text("run it without a pipe, or: {command}", command=instead)
            if instead
            else text("run it without a pipe"),
        )
    try:
        DRAWN.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        raise BadInputError(
            text("this terminal's language has no letters for the screen ({codec})", codec=sys.stdout.encoding),
            next_step="export LC_ALL=C.UTF-8",
        ) from None
