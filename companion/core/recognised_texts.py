"""Recognises English sentences on sensors in a journal.

Every reader then gets them in the own language.
"""

import re
from functools import cache

from companion.core.language import ENGLISH, FOLDER, LANGUAGES, Text

_SAID_OF_SENSORS = "companion/sensing/"
"""Folder of modules whose sentences are about sensors."""
_LEAST_LETTERS = 6
"""A template with placeholders needs so many fixed letters to be recognised, or it would fit any sentence. A
guess."""
_PARTS = re.compile(r'^(msgid|msgid_plural|msgctxt) ("(?:.*)"(?:\n".*")*)$', re.MULTILINE)
_VALUE = re.compile(r"(\{\w+\})")
_DEEPEST, _LONGEST = 4, 400
"""_DEEPEST: how deep sentences within sentences are looked for. _LONGEST: longer ones (letters) are not tried.
Guesses."""


def recognised(english: str, depth: int = 0) -> str:
    """Find the `Text` (translatable sentence) whose English is `english`, among sentences about sensors.
    `english` itself if there is none.

    `depth`: how many sentences this one lies within.
    """
    if isinstance(english, Text) or not english or depth > _DEEPEST or len(english) > _LONGEST:
        return english
    for pattern, one, many in _sentences():
        found = pattern.fullmatch(english)
        if found is not None:
            values = {name: recognised(value, depth + 1) for name, value in found.groupdict().items()}
            number = values.get("n", "")
            return Text(one, {**values, "n": int(number)} if number.isdigit() else values, many)
    return english


@cache
def _sentences() -> tuple[tuple[re.Pattern[str], str, str], ...]:
    """(pattern, id, plural id) of every sentence about sensors, those with most fixed letters first."""
    code = next(code for code in LANGUAGES if code != ENGLISH)
    found: list[tuple[int, re.Pattern[str], str, str]] = []
    for block in (FOLDER / f"{code}.po").read_text(encoding="utf-8").split("\n\n"):
        where = [word for line in block.splitlines() if line.startswith("#: ") for word in line[3:].split()]
        if not any(one.startswith(_SAID_OF_SENSORS) for one in where):
            continue
        parts = {name: "".join(map(_unquoted, written.split("\n"))) for name, written in _PARTS.findall(block)}
        one, many = parts.get("msgid", ""), parts.get("msgid_plural", "")
        for template in filter(None, (one, many)):
            own = sum(letter.isalpha() for letter in _VALUE.sub("", template))
            if own >= _LEAST_LETTERS or (own and "{" not in template):
                found.append((own, _pattern(template), one, many))
    return tuple((pattern, one, many) for _, pattern, one, many in sorted(found, key=lambda row: -row[0]))


def _unquoted(literal: str) -> str:
    return literal[1:-1].replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")


def _pattern(template: str) -> re.Pattern[str]:
    seen: set[str] = set()
    whole = ""
    for part in _VALUE.split(template):
        name = part[1:-1]
        if not _VALUE.fullmatch(part):
            whole += re.escape(part)
        elif name in seen:
            whole += f"(?P={name})"
        else:
            seen.add(name)
            whole += f"(?P<{name}>.+?)"
    return re.compile(whole)
