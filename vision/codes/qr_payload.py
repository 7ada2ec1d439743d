"""Decodes the bytes of a QR code to text.

The character set is the one that the code names, else UTF-8, else zxing-cpp's guess.
"""

from collections.abc import Callable, Sequence

import zxingcpp

_TEXT_MOST = 7089
"""Most characters of a QR code (ISO/IEC 18004: version 40, digits)."""
_NAMED = "5D 51 32 5C"
r"""Beginning of zxing-cpp's hexadecimal text of a code that names a character set (ECI): `]Q2\`."""

Look = Callable[[zxingcpp.TextMode], Sequence[zxingcpp.Barcode]]
"""Function that reads one picture again with a given text mode, and returns the codes found."""


def text_of(barcode: zxingcpp.Barcode, again: Look) -> str:
    """Text of a QR code that zxing-cpp read as `TextMode.Plain`.

    Invalid bytes become U+FFFD. Control characters are kept: a screen must escape them. `again` reads the
    picture once more in another text mode, to learn whether the code names its character set. It is called
    only if zxing-cpp's text differs from the bytes read as UTF-8.
    """
    raw = bytes(barcode.bytes)
    return _decoded(raw, barcode, again)[:_TEXT_MOST]


def _decoded(raw: bytes, barcode: zxingcpp.Barcode, again: Look) -> str:
    text = str(barcode.text)
    utf8 = raw.decode("utf-8", "replace")
    if utf8 == text or _names_its_set(raw, again):
        return text
    # zxing-cpp takes some UTF-8 for Shift-JIS, and binary data for Latin-1, in which every byte is a letter.
    binary = barcode.content_type == zxingcpp.ContentType.Binary
    return utf8 if binary or utf8.encode() == raw else text


def escaped(text: str) -> str:
    r"""Escape a text for a terminal: characters that move a cursor or break a line.

    They become `\x1b` or `\u202e`, for example.
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def _names_its_set(raw: bytes, again: Look) -> bool:
    return any(
        bytes(barcode.bytes) == raw and str(barcode.text).startswith(_NAMED)
        for barcode in again(zxingcpp.TextMode.HexECI)
    )
