"""Makes foreign text safe to show, and prints it.

Foreign text comes from boards, cameras, stickers, sockets and arguments.
"""

import re
import shutil
import sys
import textwrap
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePath
from typing import Any, TextIO, TypeVar

import click

from companion.core.language import Text, localized, text

_T = TypeVar("_T")


def printable(text: str) -> str:
    """Foreign text made safe for a terminal: one line, with "?" for each unprintable character.

    White space becomes a space. Control characters, escape sequences, direction marks and line breaks never
    get through.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else " " if char.isspace() else "?" for char in text)


_SIGNED_IN = re.compile(r"(?<!\w)([a-z][a-z0-9+.-]*:/{1,2})\S*@", re.IGNORECASE)
"""An address with name and password. One of its two slashes may be missing, as in a path."""
_ASKED = re.compile(r"(?<!\w)([a-z][a-z0-9+.-]*:/{1,2}[^\s?#]*)[?#][^\s'\"]*", re.IGNORECASE)
"""An address with a query, where some cameras expect the password."""


def without_passwords(words: str) -> str:
    """Text whose addresses have lost name, password and query.

    Also in the values of a `Text`.
    """
    if isinstance(words, Text):
        values = {name: _without_in(value) for name, value in words.values.items()}
        return words if values == words.values else Text(words.id, values, words.many, words.context)
    return _ASKED.sub(r"\1", _SIGNED_IN.sub(r"\1", words))


def shown_path(path: PurePath) -> str:
    """A path as text that is safe to print: strangers may have named the file, and an address may contain a
    password."""
    return printable(without_passwords(str(path)))


def _without_in(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(_without_in(one) for one in value)
    return without_passwords(value) if isinstance(value, str) else value


def all_printable(value: Any) -> Any:
    """Copy of decoded JSON with only printable strings.

    Every string is then safe to print.
    """
    match value:
        case str():
            return printable(value)
        case list():
            return [all_printable(one) for one in value]
        case dict():
            return {key: all_printable(one) for key, one in value.items()}
    return value


_COMMAND = re.compile(r"(?:^| )--[a-z]|: companion [a-z]")
"""Words that people type at a prompt, such as an option."""


def show(drawn: str) -> None:
    """Print a drawing with its colours.

    Foreign text in it must have gone through `printable`.
    """
    click.echo(drawn)


_passing: list[str] = []
"""At most one entry: the line of `say_passing` that stands on the terminal now."""
_ERASED = "\r\x1b[K"


def say_passing(line: str) -> None:
    """Show a line on the terminal until the next one, or until a screen opens.

    Without a terminal: nothing.
    """
    if sys.stdout.isatty():
        _passing.append(line)
        click.echo(printable(localized(line)), nl=False)


def erase_passing() -> None:
    """Erase the line of `say_passing`, if one stands there."""
    if _passing:
        _passing.clear()
        click.echo(_ERASED, nl=False)


def say(line: str, *, err: bool = False, file: TextIO | None = None) -> None:
    """Print a line in the reader's language, made safe.

    A terminal gets it wrapped at words.
    """
    erase_passing()
    stream = file or (sys.stderr if err else sys.stdout)
    width = shutil.get_terminal_size().columns if stream.isatty() else 0
    for row in at_words(localized(line), width):
        click.echo(printable(row), err=err, file=file)


YES, NO = text("yes"), text("no")


def confirm(question: str, *, default: bool, err: bool = False) -> bool:
    """Ask a question of yes or no on the terminal, until one of both is typed in the reader's language.

    English words and first letters count as well; an empty line is the `default`. click.Abort at the end of
    the input.
    """
    words = {True: localized(YES), False: localized(NO)}
    letters = "/".join(word[0].upper() if yes is default else word[0] for yes, word in words.items())
    known = {"": default} | {
        way: yes for yes, word in words.items() for way in (word, word[0], plain_letters(word))
    }
    known |= {"y": True, "yes": True, "n": False, "no": False}
    while True:
        erase_passing()
        asked = f"{printable(localized(question))} [{letters}]"
        answer = click.prompt(asked, default="", show_default=False, err=err).strip().casefold()
        if answer in known:
            return known[answer]
        say(text("Type {yes} or {no}.", yes=words[True], no=words[False]), err=err)


def plain_letters(word: str) -> str:
    """A word as any keyboard can type it: small letters without accents, straight apostrophes."""
    letters = unicodedata.normalize("NFKD", word.casefold().replace("’", "'"))
    return "".join(one for one in letters if not unicodedata.combining(one))


def at_words(line: str, width: int) -> list[str]:
    """Break a line at spaces into rows of at most `width` columns; 0: no limit.

    A longer word, such as a path, stays whole. So does a line with a command, which people copy.
    """
    if not width or len(line) <= width or _COMMAND.search(line):
        return [line]
    return textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [line]


SIGN_OF_LIFE_S = 10.0
"""Time (s) between lines of progress where no bar can be drawn. A guess."""


def follow(label: str, now: Callable[[], float] = time.monotonic) -> Callable[[Sequence[_T]], Iterator[_T]]:
    """Make a function that yields the items of a sequence and shows progress on stderr as they are used.

    A terminal gets a bar, anything else a line every SIGN_OF_LIFE_S. `label` stands before it.
    """

    def along(lines: Sequence[_T]) -> Iterator[_T]:
        if sys.stderr.isatty():
            # Width 0: bar and label share the row; a row that wraps would be drawn anew line by line.
            with click.progressbar(lines, width=0, label=printable(label), file=sys.stderr) as bar:
                yield from bar
            return
        due = now() + SIGN_OF_LIFE_S
        for done, line in enumerate(lines):
            yield line
            if now() >= due:
                say(f"{label}: {100 * (done + 1) // len(lines)} %", err=True)
                due = now() + SIGN_OF_LIFE_S

    return along
