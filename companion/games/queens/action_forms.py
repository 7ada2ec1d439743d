"""Notation of actions as a table of verbs with arguments, as both Sleeping Queens games have it."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, NamedTuple

from companion.games.notation_words import index, within
from companion.games.rules import A


class Codec(NamedTuple):
    """Functions that read and write one value of an action, as a word."""

    read: Callable[[str], Any]
    write: Callable[[Any], str]


class Form(NamedTuple, Generic[A]):
    """Notation of one type of action: its arguments, and its value after "=".

    `make`: its type. `unnamed`: the value that stands for no "=".
    """

    make: Callable[..., A]
    arguments: tuple[Codec, ...] = ()
    named: Codec | None = None
    unnamed: Any = None


PLAYER = Codec(index, lambda player: str(player + 1))


def verbs_of(*tables: Mapping[str, Form[A]]) -> dict[Any, tuple[str, Form[A]]]:
    """Type of an action -> its verb and form. `tables`: verb -> form."""
    return {form.make: (verb, form) for forms in tables for verb, form in forms.items()}


def write(action: Any, verbs: Mapping[Any, tuple[str, Form[Any]]]) -> str:
    """Write an action by the form of its type."""
    verb, form = verbs[type(action)]
    values = [getattr(action, name) for name in action.__match_args__]
    arguments = zip(form.arguments, values, strict=False)
    words = " ".join([verb, *(codec.write(value) for codec, value in arguments)])
    if form.named is None or values[-1] == form.unnamed:
        return words
    return f"{words}={form.named.write(values[-1])}"


def read(text: str, forms: Mapping[str, Form[A]]) -> A:
    """Parse an action that begins with a verb of `forms`. ValueError says what is wrong."""
    words, separator, name = text.partition("=")
    verb, *rest = words.split(" ", 1)
    form = forms.get(verb)
    if form is None or (separator and form.named is None):
        raise ValueError(f"not an action: {text[:60]!r}")
    arguments = rest[0].split(" ", max(len(form.arguments) - 1, 0)) if rest else []
    if len(arguments) != len(form.arguments):
        raise ValueError(f"{verb}: {len(form.arguments)} things are to be named, not {len(arguments)}")
    values = [within(verb, word, codec.read) for codec, word in zip(form.arguments, arguments, strict=True)]
    if form.named is not None:
        values.append(within(verb, name, form.named.read) if separator else form.unnamed)
    return form.make(*values)
