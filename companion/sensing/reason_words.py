"""Says reasons: facts without words that a library gives, each with its sentence and next step."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum
from typing import Any

import msgspec

from companion.core.errors import CompanionError
from companion.core.language import Text, text
from companion.core.printable import printable

Said = str | tuple[str, str]
"""A sentence, or (sentence, next step)."""
Words = Mapping[Any, Said | Callable[[Any], Said]]
"""Reason (member of an enum, or type of a struct) -> what to say. Braces are filled with fields of the
struct."""


class ReasonWords:
    """What to say for each reason that a library gives.

    `words`: the sentences. `base`: class of the library's errors. `kinds`: its kinds of errors -> ours.
    """

    def __init__(self, words: Words, base: type[Exception], kinds: Mapping[type, type[CompanionError]]) -> None:
        self._words, self._base, self._kinds = words, base, kinds

    def of(self, reason: Any) -> str:
        """Reason as a sentence for people, with next step.

        Words that are no reason stay as they are.
        """
        what, next_step = self.parts(reason)
        return text("{what}; {next_step}", what=what, next_step=next_step) if next_step else what

    def parts(self, reason: Any) -> tuple[str, str]:
        """(what a reason means, next step).

        The step is "" if there is none.
        """
        if isinstance(reason, str):
            return reason, ""
        said = self._words[reason if isinstance(reason, Enum) else type(reason)]
        if callable(said):
            made = said(reason)
            return (made, "") if isinstance(made, str) else made
        what, next_step = (said, "") if isinstance(said, str) else said
        return self._filled(what, reason), self._filled(next_step, reason)

    def _filled(self, template: str, reason: Any) -> str:
        """Sentence `template` with braces filled by the reason's fields."""
        if not isinstance(template, Text) or not isinstance(reason, msgspec.Struct):
            return template
        named = [name for name in reason.__struct_fields__ if f"{{{name}}}" in template.id]
        return template.of(**{name: self._value(getattr(reason, name)) for name in named})

    def _value(self, value: Any) -> Any:
        if isinstance(value, Enum | msgspec.Struct):
            return self.of(value)
        return printable(value) if isinstance(value, str) and not isinstance(value, Text) else value

    def placed(self, reason: Any, where: Any) -> tuple[str, str]:
        """(what a reason means at place `where`; next step)."""
        what, next_step = self.parts(reason)
        return CompanionError(what, where=self.of(where)).told, next_step

    def told(self, error: Any) -> CompanionError:
        """Turn a library's error into a CompanionError for users."""
        what, next_step = self.parts(error.reason)
        kind = self._kinds.get(type(error), CompanionError)
        return kind(what, where=self.of(error.where), next_step=next_step)

    @contextmanager
    def in_words(self) -> Iterator[None]:
        """Context in which a library's errors become CompanionErrors with words."""
        try:
            yield
        except self._base as error:
            raise self.told(error) from error
