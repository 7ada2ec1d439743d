"""What each rig proves and what it cannot, in rows: as a table where there is room, else one below another."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from textual.content import Content

from companion.core.language import localized, tr

WIDE = 100
"""WIDE: least columns of a page that shows rigs as a table; a narrower page lists them one below another."""
_NAME = 16
"""_NAME: columns for a rig's name in the table."""


@dataclass(frozen=True, slots=True)
class RigOffer:
    """Rig (set of sensors) described in words.

    `parts`: what it needs beside a camera. `proves`, `cannot`: what it can prove, and what not.
    """

    name: str
    parts: str
    proves: str
    cannot: str
    counted: str
    """Results of simulated games with this rig, in words."""


def rig_rows(rigs: Sequence[RigOffer], width: int) -> list[Content]:
    """Rigs as rows of text of at most `width` columns; [] without rigs.

    A table from WIDE columns on, else a list.
    """
    if not rigs:
        return []
    return _table(rigs, width) if width >= WIDE else rig_list(rigs, width)


def _table(rigs: Sequence[RigOffer], width: int) -> list[Content]:
    each = (width - _NAME - 6) // 3
    heads = [tr("it proves"), tr("it cannot prove"), tr("rehearsed")]
    rows = [Content.styled(" " * _NAME + "".join(f"  {head:<{each}}" for head in heads).rstrip(), "$muted")]
    for rig in rigs:
        told = [textwrap.wrap(_plain(words), max(1, each)) for words in (rig.proves, rig.cannot, rig.counted)]
        name = textwrap.wrap(_plain(rig.name), _NAME)
        rows += [Content("")] if len(rows) > 1 else []
        for first, *cells in zip_longest(name, *told, fillvalue=""):
            said = "".join(f"  {cell:<{each}}" for cell in cells).rstrip()
            rows.append(Content.assemble((f"{first:<{_NAME}}", "bold"), said))
    return rows


def rig_list(rigs: Sequence[RigOffer], width: int) -> list[Content]:
    """Rigs described one below another, as rows of text.

    A row has at most `width` columns.
    """
    rows: list[Content] = []
    for rig in rigs:
        rows += [Content.styled(_plain(rig.name), "bold $accent")]
        parts, proves, cannot, counted = map(_plain, (rig.parts, rig.proves, rig.cannot, rig.counted))
        for said, words in (
            (tr("it takes: {parts}", parts=parts), parts),
            (tr("it proves: {what}", what=proves), proves),
            (tr("it cannot prove: {what}", what=cannot), cannot),
            (tr("rehearsed: {games}", games=counted), counted),
        ):
            lines = textwrap.wrap(said, max(1, width - 2))
            head = said.partition(words)[0].rstrip()
            rows += [Content.assemble("  ", (head, "$muted"), lines[0][len(head) :])]
            rows += [Content(f"  {line}") for line in lines[1:]]
        rows.append(Content(""))
    return rows[:-1]


def _plain(words: str) -> str:
    return localized(words).replace("`", "")
