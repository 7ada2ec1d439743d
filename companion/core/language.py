"""Sentences with values, made once in English and rendered in each reader's language.

Engine, games and tools make a `Text`: an English sentence with values in braces. The sentence is also the id of
its translations (gettext). Where nothing else is wanted it is a `str`, the English sentence: in journals, logs
and comparisons. The stream sends id and values (`on_wire`), and each client renders them in its own language
(`rendered`). Screens and commands say their own words by `tr`, which renders at once.

Translations are gettext catalogues, `companion/languages/CODE.po`. They are read as they stand when a
language's first sentence is needed. So no compiled file can be missing or old. English needs none.

>>> one = text("{who} takes {card}.", who="Anna", card=term("card", "king"))
>>> print(one)
Anna takes king.
>>> Language("de").say(one)
'Anna nimmt König.'
"""

import gettext
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any

ENGLISH, PSEUDO = "en", "xx"
"""ENGLISH: language of the sources. PSEUDO: made for tests; each letter that went through translation has a
dot or accent."""
LANGUAGES: Mapping[str, str] = {ENGLISH: "English", "de": "Deutsch", "fr": "Français", "it": "Italiano"}
"""Language code (ISO 639-1) -> the language's own name."""
CHOSEN = "COMPANION_LANGUAGE"
"""Environment variable with the code of the language chosen by option. Child processes inherit it."""
FOLDER = Path(__file__).parent.parent / "languages"
_NAMED = re.compile(r"\{(\w+)\}")
_ACCENTS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "ȧḃċḋėḟġḣïĵķŀṁṅȯṗɋṙṡṫúṽẇẋẏżȦḂĊḊĖḞĠḢÏĴĶĿṀṄȮṖɊṘṠṪÚṼẆẊẎŻ",
)

Value = Any
"""What may be filled into a sentence: int, float, str, Text, or a sequence of these (rendered with commas)."""


class Text(str):
    """A sentence for people, in English, that can be translated later: it keeps its id and its values.

    Texts are equal if their English is. A family's own words (names) are plain `str`, and never translated.
    """

    __slots__ = ("context", "id", "many", "values")
    id: str
    """English template, e.g. `{who} takes {card}.`: the singular if there is a plural."""
    many: str
    """Plural template, used as the value `n` demands. "" for none."""
    context: str
    """Tells words apart that are alike in English, e.g. "card". "" for none."""
    values: Mapping[str, Value]

    def __new__(
        cls, sentence: str, values: Mapping[str, Value] | None = None, many: str = "", context: str = ""
    ) -> "Text":
        values = values or {}
        template = many if many and values.get("n") != 1 else sentence
        one = super().__new__(cls, _filled(template, values, str) if values else template)
        one.id, one.many, one.context, one.values = sentence, many, context, values
        return one

    def of(self, **values: Value) -> "Text":
        """Copy of this text with other values in its placeholders; those not named stay."""
        return Text(self.id, {**self.values, **values}, self.many, self.context)

    def __reduce__(self) -> Any:
        return Text, (self.id, self.values, self.many, self.context)


def text(sentence: str, **values: Value) -> Text:
    """A sentence for people.

    `sentence`: a literal with names in braces; it is also the id of its translations.
    """
    return Text(sentence, values)


def plural(one: str, many: str, **values: Value) -> Text:
    """A sentence with the number `n`, whose form each language chooses by its own rule."""
    return Text(one, values, many)


def term(context: str, words: str, **values: Value) -> Text:
    """Words whose translation depends on `context`, e.g. ("card", "king")."""
    return Text(words, values, context=context)


def listed(words: Sequence[str]) -> str:
    """Words joined by commas, with "and" before the last."""
    if not words[1:]:
        return words[0] if words else ""
    return text("{items} and {last}", items=tuple(words[:-1]), last=words[-1])


def either(words: Sequence[str]) -> str:
    """Words joined by commas, with "or" before the last."""
    if not words[1:]:
        return words[0] if words else ""
    return text("{items} or {last}", items=tuple(words[:-1]), last=words[-1])


def sentences(said: Sequence[str]) -> str:
    """Whole sentences joined as the language does."""
    whole = said[0] if said else ""
    for one in said[1:]:
        whole = text("{before} {after}", before=whole, after=one)
    return whole


def player(number: int, *, within: bool = False) -> Text:
    """A player (number from 1), at the start of a sentence or, if `within`, in its middle: "Player 2", "player
    2".

    Screens put the player's name in its place.
    """
    return text("player {number}", number=number) if within else text("Player {number}", number=number)


def _filled(template: str, values: Mapping[str, Value], shown: Callable[[Any], str]) -> str:
    """`template` with its fields `{name}` replaced by `shown(value)`.

    `{Name}` begins with a capital letter; unknown names stay.

    Not `str.format`, because templates of a stream may come from anybody.
    """

    def value(found: re.Match[str]) -> str:
        name = found[1]
        if name not in values and name[0].isupper():
            begun = value_of(name[0].lower() + name[1:], found[0])
            return begun[:1].upper() + begun[1:]
        return value_of(name, found[0])

    def value_of(name: str, otherwise: str) -> str:
        one = values.get(name, otherwise)
        return ", ".join(map(shown, one)) if isinstance(one, list | tuple) else shown(one)

    return _NAMED.sub(value, template)


class Language:
    """A language with its catalogue of translations, read when needed."""

    def __init__(self, code: str) -> None:
        """`code`: one of LANGUAGES or PSEUDO. KeyError for another."""
        if code not in LANGUAGES and code != PSEUDO:
            raise KeyError(code)
        self.code = code

    def say(self, words: object) -> str:
        """`words` in this language.

        A `Text` is translated, a float gets the decimal sign, all else is `str(words)`.
        """
        if isinstance(words, float) and self.code not in (ENGLISH, PSEUDO):
            return str(words).replace(".", ",")
        if not isinstance(words, Text):
            return str(words)
        return self.render(words.id, words.many, words.context, words.values)

    def render(self, sentence: str, many: str, context: str, values: Mapping[str, Value]) -> str:
        """Translate a sentence and fill in its values.

        English if there is no translation.
        """
        template = many if many and values.get("n") != 1 else sentence
        if self.code == PSEUDO:
            template = "".join(
                part if part[:1] in ("{", "[") else part.translate(_ACCENTS)
                for part in re.split(r"(\{\w+\}|\[/?b\])", template)
            )
        elif self.code != ENGLISH:
            rule, sentences = _catalogue(self.code)
            number = values.get("n", 0)
            forms = sentences.get((context, sentence), ())
            form = rule(number) if many and isinstance(number, int) else 0
            template = forms[form] if form < len(forms) and forms[form] else template
        return _filled(template, values, self.say)


IN_ENGLISH = Language(ENGLISH)
_current = IN_ENGLISH
_reader: ContextVar[Language | None] = ContextVar("reader", default=None)
"""Language of the reader for whom this task speaks. None: that of the process."""


def current() -> Language:
    """Language in which this task speaks: that of `speaking`, else that of the process."""
    return _reader.get() or _current


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Context in which this task alone speaks another language.

    KeyError for an unknown code.
    """
    before = _reader.set(Language(code))
    try:
        yield
    finally:
        _reader.reset(before)


def use(code: str) -> None:
    """Let the process speak this language from now on.

    KeyError for an unknown code.
    """
    global _current  # noqa: PLW0603 - one process speaks to one reader
    _current = Language(code)


def accepted(header: str) -> str:
    """Code of the language that a browser asks for by its header Accept-Language. "" if it is none of ours."""
    wishes: list[tuple[float, str]] = []
    for part in header.split(",")[:20]:
        name, _, weight = part.partition(";")
        try:
            share = float(weight.strip().removeprefix("q=") or 1)
        except ValueError:
            continue
        code = name.strip().partition("-")[0].lower()
        if code in LANGUAGES and 0 < share <= 1:
            wishes.append((-share, code))
    return min(wishes, key=lambda wish: wish[0])[1] if wishes else ""


def choose(setting: str = "") -> str:
    """Code of the language for this process: that of the option, else `setting`, else the system's."""
    names = (os.environ.get(name, "") for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"))
    wanted = [os.environ.get(CHOSEN, ""), setting, *next(filter(None, names), "").split(":")]
    return next(filter(None, map(known, wanted)), ENGLISH)


def known(name: str) -> str:
    """Code of the language that a name such as "de" or "de_AT.UTF-8" stands for. "" if it is none of ours."""
    code = name.partition("_")[0].partition(".")[0].lower()
    return code if code in LANGUAGES or code == PSEUDO else ""


def localized(words: object) -> str:
    """A Text or number in the language of this process.

    All else is `str(words)`.
    """
    return current().say(words)


def tr(sentence: str, /, **values: Value) -> str:
    """A sentence at once in the language of this process.

    `sentence`: a literal, the id of its translations.
    """
    return current().render(sentence, "", "", values)


# The stream


def on_wire(value: object) -> object:
    """Text as JSON values, translatable at the other end.

    An `enc_hook` of msgspec. TypeError for anything else.
    """
    if not isinstance(value, Text):
        raise TypeError(f"{type(value).__name__} is no message")
    whole = {"say": value.id, "many": value.many, "context": value.context, "with": value.values}
    return {name: of for name, of in whole.items() if of}


def in_english(value: object) -> object:
    """Text as its English sentence, for journals and `--json`.

    An `enc_hook` of msgspec. TypeError for anything else.
    """
    if not isinstance(value, Text):
        raise TypeError(f"{type(value).__name__} is no message")
    return str(value)


def rendered(value: Any, language: Language | None = None) -> Any:
    """Decoded JSON with each Text in it replaced by words in `language`, by default the process's.

    A malformed Text stays as it is, which is no string.
    """
    language = language or current()
    match value:
        case {"say": str(sentence)}:
            many, context, values = value.get("many", ""), value.get("context", ""), value.get("with", {})
            if not (isinstance(many, str) and isinstance(context, str) and isinstance(values, dict)):
                return value
            values = {name: rendered(of, language) for name, of in values.items()}
            return language.render(sentence, many, context, values)
        case list():
            return [rendered(one, language) for one in value]
        case dict():
            return {key: rendered(one, language) for key, one in value.items()}
    return value


# Catalogues

_LITERAL = re.compile(r'^(?:(msgctxt|msgid_plural|msgid|msgstr(?:\[(\d)\])?) )?(".*")$', re.MULTILINE)


def _catalogue(code: str) -> tuple[Callable[[int], int], Mapping[tuple[str, str], tuple[str, ...]]]:
    return _read(FOLDER / f"{code}.po")


@cache
def _read(path: Path) -> tuple[Callable[[int], int], Mapping[tuple[str, str], tuple[str, ...]]]:
    """A catalogue: (its plural rule, (context, id) -> forms).

    Fuzzy translations are left out.
    """
    sentences: dict[tuple[str, str], tuple[str, ...]] = {}
    header = ""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        if "#, fuzzy" in block or "\nmsgid" not in f"\n{block}":
            continue
        parts: dict[str, str] = {}
        name = ""
        for keyword, _, literal in _LITERAL.findall(block):
            name = keyword or name
            parts[name] = parts.get(name, "") + (json.loads(literal) if "\\" in literal else literal[1:-1])
        sentence = parts.pop("msgid")
        key = (parts.pop("msgctxt", ""), sentence)
        parts.pop("msgid_plural", None)
        sentences[key] = tuple(parts.values())
        if not sentence:
            header = sentences.pop(key)[0]
    rule = re.search(r"plural=([^;]+);", header)
    return gettext.c2py(rule[1]) if rule else lambda n: int(n != 1), sentences
