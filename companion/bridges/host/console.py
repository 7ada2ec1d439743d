"""The console of `companion host`: a code to scan, an address to type, what to do; from 80 x 25 letters on."""

import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from itertools import zip_longest
from typing import TextIO

from companion.bridges.host.network import Hotspot
from companion.core.language import localized, tr
from companion.core.printable import printable
from companion.core.served_address import code_rows

LEAST = (80, 25)
"""Smallest console (columns, rows): a text screen without a graphics driver."""
BESIDE = 40
"""Columns that must be free for sentences beside a QR code.

With less room they stand below the code.
"""
MOST_ADDRESSES = 3
"""Largest number of web addresses shown."""
_GAP = 3
"""Columns between a QR code and the sentences beside it."""


def console_page(
    addresses: Sequence[str],
    size: tuple[int, int] = LEAST,
    *,
    unnamed: bool = False,
    hotspot: Hotspot | None = None,
    trouble: str = "",
    halves: bool = True,
) -> list[str]:
    """The console's page as rows of text.

    It shows how a phone reaches the web page, as QR code and address. `addresses`: likeliest first. `size`:
    (columns, rows). `unnamed`: there is no network yet, so no code is shown. `hotspot`: access point, whose
    code is shown, too; None: none is open. `trouble`: what is wrong with the network, as a sentence; "" for
    nothing. `halves`: the font has half blocks, which make codes smaller.
    """
    told = ["", *textwrap.wrap(printable(localized(trouble)), size[0])[:2]] if trouble else []
    if hotspot is not None:
        told = told[1:]
        return [*_two_codes(hotspot, addresses[0], (size[0], size[1] - len(told)), halves=halves), *told]
    if unnamed:
        waits = tr("There is no network yet. Plug a network cable in, or wait a moment.")
        return ["companion", "", *textwrap.wrap(waits, size[0]), *told]
    said = [
        tr("Scan this code with a phone of the home network. The page begins games and sets parts up."),
        tr("Or type the address below into a browser."),
    ]
    below = ["", *map(printable, addresses[:MOST_ADDRESSES])]
    code = _largest(addresses[0], (size[0] - BESIDE, size[1] - len(below) - len(told)), halves=halves)
    return [*_beside(code, said, size[0]), *below, *told]


def _two_codes(hotspot: Hotspot, address: str, size: tuple[int, int], *, halves: bool) -> list[str]:
    """Rows with the two QR codes side by side.

    The codes are those of access point and page. Their words stand below. `address`: of the page. `size`:
    (columns, rows).
    """
    half = (size[0] - _GAP) // 2
    heads = tr("1. Join this network"), tr("2. Then open this page")
    said = (
        tr("Network: {name}", name=hotspot.name),
        tr("Password: {passphrase}", passphrase=hotspot.passphrase),
        tr("Page: {address}", address=address),
        tr("There is no network yet. The page asks for that of your home."),
    )
    lines = [row for one in said for row in textwrap.wrap(one, size[0])]
    room = half, size[1] - len(lines) - 2
    codes = [_largest(words, room, halves=halves) for words in (hotspot.code, address)]
    rows = zip_longest(*([head[:half], *code] for head, code in zip(heads, codes, strict=True)), fillvalue="")
    beside = [f"{one:{half}}{' ' * _GAP}{other}".rstrip() for one, other in rows]
    return [*beside, "", *lines]


def _largest(words: str, room: tuple[int, int], *, halves: bool) -> list[str]:
    """QR code of a text as rows, as large as fits. [] if none fits.

    `room`: (columns, rows). `halves`: the font has half blocks; without them each square of the code is at
    least two letters wide.
    """
    step = 1 if halves else 2
    scale, larger, found = step, list[str](), code_rows(words, step)
    while len(found) <= room[1] and len(found[0]) <= room[0]:
        scale, larger = scale + step, found
        found = code_rows(words, scale)
    return larger


def _beside(code: list[str], said: Sequence[str], columns: int) -> list[str]:
    """Rows with a QR code and, beside it, sentences.

    `code`: its rows; []: the sentences alone. `columns`: width of the console.
    """
    lines = ["companion"]
    for one in said:
        lines += ["", *textwrap.wrap(one, columns - (len(code[0]) + _GAP if code else 0))]
    if not code:
        return lines
    lines += [""] * (len(code) - len(lines))
    return [f"{one}{' ' * _GAP}{line}".rstrip() for one, line in zip(code, lines, strict=True)]


def draw(rows: Sequence[str], out: TextIO = sys.stdout) -> None:
    """Clear the console; write rows on it, bright on black."""
    placed = "".join(f"\x1b[{number};1H{row}" for number, row in enumerate(rows, 1))
    out.write(f"\x1b[?25l\x1b[0;1;37;40m\x1b[2J{placed}")
    out.flush()


def leave(out: TextIO = sys.stdout) -> None:
    """Clear the console, and show its cursor again."""
    out.write("\x1b[0m\x1b[2J\x1b[H\x1b[?25h")
    out.flush()


FONTS = (("Vietnamese-Terminus16", 100), ("Vietnamese-Terminus32x16", 10_000))
"""(font of Debian's console-setup, most rows for which it is large enough), smallest first.

These fonts have half blocks and the letters of our languages; the usual ones (Lat15) have no half blocks.
"""


def load_font(out: TextIO = sys.stdout) -> bool:
    """Load a font with half blocks into a Linux console.

    Returns True if half blocks can be shown. Any other terminal needs no font. `out`: the console.
    """
    if os.environ.get("TERM") != "linux":
        return True
    for name, rows in FONTS:
        try:
            subprocess.run(["setfont", name], stdin=out, check=True, capture_output=True, timeout=10)
        except (OSError, subprocess.SubprocessError):
            return False
        if shutil.get_terminal_size(LEAST).lines <= rows:
            break
    return True


def screen_size() -> tuple[int, int]:
    """Columns and rows of the console, at least LEAST."""
    size = shutil.get_terminal_size(LEAST)
    return max(LEAST[0], size.columns), max(LEAST[1], size.lines)


def is_console(out: TextIO = sys.stdout) -> bool:
    """True if `out` is a screen that can show pages.

    False for a log or a dumb terminal, which get lines.
    """
    return out.isatty() and os.environ.get("TERM", "") != "dumb"
