"""What `make languages` does: all sentences of the source, the catalogues with them, what is wrong there."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po

from companion.core.language import ENGLISH, LANGUAGES
from tests.support.sources import modules

KEYWORDS = {"text": None, "tr": None, "plural": (1, 2), "term": ((1, "c"), 2)}
"""Functions of companion.core.language -> which of their arguments are sentences."""
_NAMED = re.compile(r"\{\w+\}")
TYPOGRAPHY = {
    "de": re.compile(r'(?<!\[)"(?!\])'),
    # Narrow before ; ! ?, wide before : » % and after «; neither breaks a line.
    "fr": re.compile(r" [;:!?»%]|« |\S[;!?»](?!\w)|\S:(?=\s|$)|«\S|\w'\w|\u00a0[;!?]|\u202f[:»%]|«\u202f"),
    "it": re.compile(r"\w'\w"),
}
"""Language -> what is no good typography there: a space that breaks a line, is missing or of the wrong width, a
straight apostrophe or quotation mark."""
_ELIDED = re.compile(
    r"(?:\b(?:[Dd]e|[Qq]ue|[Ll]e|[Ll]a|[Nn]e|[Ss]e|[Jj]e) |’)"
    r"\{(?:who|name|player|other|victim|first|second|one|two|game)\}"
)
"""French that would have to be elided before a name with a vowel: "de Anna"."""
RULES = {
    "de": "nplurals=2; plural=(n != 1);",
    "fr": "nplurals=2; plural=(n > 1);",
    "it": "nplurals=2; plural=(n != 1);",
}
"""Language -> which of its forms a number takes."""


def template(root: Path) -> Catalog:
    """Every sentence in the source, with the file where it is said."""
    found = Catalog(project="companion", charset="utf-8")
    for path in modules(root):
        source = path.read_bytes()
        if b"core.language import" not in source and path.name != "language.py":
            continue
        where = path.relative_to(root).as_posix()
        for _, sentence, comments, context in extract(
            "python", BytesIO(source), KEYWORDS, ("Translators:",), {"encoding": "utf-8"}
        ):
            if sentence and sentence[0]:
                found.add(sentence, None, [(where, 0)], auto_comments=comments, context=context)
    return found


def catalogue(root: Path, code: str) -> Catalog:
    """The catalogue of a language; an empty one if there is none yet."""
    path = root / "companion" / "languages" / f"{code}.po"
    if not path.exists():
        return Catalog(locale=code, project="companion", charset="utf-8")
    with path.open("rb") as file:
        return read_po(file, locale=code)


def update(root: Path) -> None:
    """Write every catalogue anew: new sentences without translation, gone ones removed."""
    wanted = template(root)
    for code in LANGUAGES:
        if code != ENGLISH:
            known = catalogue(root, code)
            known.update(wanted, no_fuzzy_matching=True)
            known.obsolete.clear()
            save(root, code, known)


def save(root: Path, code: str, known: Catalog) -> None:
    """Write one catalogue, a file a reference and no dates, so that changes are small."""
    data = BytesIO()
    write_po(data, known, omit_header=True, width=0, sort_by_file=True, include_lineno=False)
    header = (
        f'msgid ""\nmsgstr ""\n"Language: {code}\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
        f'"Plural-Forms: {RULES[code]}\\n"\n\n'
    )
    path = root / "companion" / "languages" / f"{code}.po"
    path.write_text(header + data.getvalue().decode(), encoding="utf-8")


def faults(root: Path) -> list[str]:
    """What is missing, left over or wrong in any catalogue, a line each."""
    wanted = template(root)
    return [
        f"{code}.po: {fault}"
        for code in LANGUAGES
        if code != ENGLISH
        for fault in faults_of(catalogue(root, code), wanted, TYPOGRAPHY[code])
    ]


def faults_of(known: Catalog, wanted: Catalog, wrong: re.Pattern[str]) -> Iterator[str]:
    ids = {(one.context, _first(one)) for one in wanted if one.id}
    for one in wanted:
        if not one.id:
            continue
        there = known.get(_first(one), one.context)
        forms = [] if there is None else [there.string] if isinstance(there.string, str) else list(there.string)
        if not forms or not all(forms):
            yield f"not translated: {_first(one)!r}"
        elif there is not None and there.fuzzy:
            yield f"marked as uncertain: {_first(one)!r}"
        elif isinstance(one.id, tuple) != (len(forms) > 1):
            yield f"one form for every number: {_first(one)!r}"
        else:
            allowed = set(_NAMED.findall("".join(one.id).lower()))
            needed = set(_NAMED.findall((one.id[1] if isinstance(one.id, tuple) else one.id).lower()))
            for at, form in enumerate(forms):
                if wrong.search(form):
                    yield f"a space, apostrophe or quotation mark of another language: {form!r}"
                if wrong is TYPOGRAPHY["fr"] and _ELIDED.search(form):
                    yield f"elided before some names: {form!r}"
                names = set(_NAMED.findall(form.lower()))
                # A singular may do without its number: "a card" in the place of "{n} card".
                missing = needed - names - ({"{n}"} if isinstance(one.id, tuple) and at == 0 else set())
                if missing or names - allowed:
                    yield f"other names in braces: {form!r} for {_first(one)!r}"
    for one in known:
        if one.id and (one.context, _first(one)) not in ids:
            yield f"said nowhere any more: {_first(one)!r}"


def _first(one: Message) -> str:
    return one.id[0] if isinstance(one.id, tuple) else one.id
