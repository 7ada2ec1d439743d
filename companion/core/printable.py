"""Makes text from outside (boards, cameras, stickers, sockets, arguments) safe to show, and prints it."""

import re
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TextIO, TypeVar

import click

from companion.core.language import Text, localized

_T = TypeVar("_T")


def printable(text: str) -> str:
    """`text` as one line: white space becomes a space, every other unprintable character a question mark.

    So no control character, escape sequence, direction mark or line break reaches a terminal.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else " " if char.isspace() else "?" for char in text)


_SIGNED_IN = re.compile(r"(?<!\w)([a-z][a-z0-9+.-]*:/{1,2})\S*@", re.IGNORECASE)
"""An address with name and password. Of a path two slashes may have become one."""
_ASKED = re.compile(r"(?<!\w)([a-z][a-z0-9+.-]*:/{1,2}[^\s?#]*)[?#][^\s'\"]*", re.IGNORECASE)
"""An address with a query, in which some cameras take the password."""


def without_passwords(words: str) -> str:
    """`words` whose addresses have neither name and password nor a query; in the values of a `Text`, too."""
    if isinstance(words, Text):
        values = {name: _without_in(value) for name, value in words.values.items()}
        return words if values == words.values else Text(words.id, values, words.many, words.context)
    return _ASKED.sub(r"\1", _SIGNED_IN.sub(r"\1", words))


def _without_in(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(_without_in(one) for one in value)
    return without_passwords(value) if isinstance(value, str) else value


def all_printable(value: Any) -> Any:
    """The same for every string in lists and dictionaries, as a JSON decoder returns them."""
    match value:
        case str():
            return printable(value)
        case list():
            return [all_printable(one) for one in value]
        case dict():
            return {key: all_printable(one) for key, one in value.items()}
    return value


_COMMAND = re.compile(r"(?:^| )--[a-z]|: companion [a-z]")
"""Words that are typed at a prompt."""


def show(drawn: str) -> None:
    """Print what was drawn here, with its colours: nothing in it may be foreign but by `printable`."""
    click.echo(drawn)


_passing: list[str] = []
"""The line of `say_passing` that is on the terminal, if there is one."""
_ERASED = "\r\x1b[K"


def say_passing(line: str) -> None:
    """Show a line on the terminal until the next one, or until a screen opens; nothing where nobody looks."""
    if sys.stdout.isatty():
        _passing.append(line)
        click.echo(printable(localized(line)), nl=False)


def erase_passing() -> None:
    """Take the line of `say_passing` off the terminal, if there is one."""
    if _passing:
        _passing.clear()
        click.echo(_ERASED, nl=False)


def say(line: str, *, err: bool = False, file: TextIO | None = None) -> None:
    """Print a line in the reader's language, made safe for the terminal, and broken at its words there."""
    erase_passing()
    stream = sys.stderr if err else sys.stdout
    width = shutil.get_terminal_size().columns if file is None and stream.isatty() else 0
    for row in at_words(localized(line), width):
        click.echo(printable(row), err=err, file=file)


def at_words(line: str, width: int) -> list[str]:
    """A line in rows of at most `width` columns (0: any number), broken at its spaces.

    A word longer than a row, e.g. a path, stays whole. So does a line with a command, which people copy.
    """
    if not width or len(line) <= width or _COMMAND.search(line):
        return [line]
    return textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [line]


SIGN_OF_LIFE_S = 10.0
"""SIGN_OF_LIFE_S: how long reading says nothing where no bar can be drawn (s). A guess."""


def follow(label: str, now: Callable[[], float] = time.monotonic) -> Callable[[Sequence[_T]], Iterator[_T]]:
    """A function that hands out lines one by one and says on stderr how far it is.

    On a terminal a bar says so; elsewhere a line every SIGN_OF_LIFE_S, none if the reading is over before.
    """

    def along(lines: Sequence[_T]) -> Iterator[_T]:
        if sys.stderr.isatty():
            with click.progressbar(lines, label=printable(label), file=sys.stderr) as bar:
                yield from bar
            return
        due = now() + SIGN_OF_LIFE_S
        for done, line in enumerate(lines):
            yield line
            if now() >= due:
                say(f"{label}: {100 * (done + 1) // len(lines)} %", err=True)
                due = now() + SIGN_OF_LIFE_S

    return along
