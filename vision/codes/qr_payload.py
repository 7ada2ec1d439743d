"""What the bytes of a QR code say: as the character set it names, else as UTF-8, else as zxing-cpp guesses."""

from collections.abc import Callable, Sequence

import zxingcpp

_TEXT_MOST = 7089
"""Characters: the most a QR code holds."""
_NAMED = "5D 51 32 5C"
"""How zxing-cpp's hexadecimal text begins where a code names a character set (ECI): `]Q2\\`."""

Look = Callable[[zxingcpp.TextMode], Sequence[zxingcpp.Barcode]]
"""Reads the same picture in the same way, texts given in another manner."""


def text_of(barcode: zxingcpp.Barcode, again: Look) -> str:
    """The text of a code that was read with `TextMode.Plain`; bytes that say nothing are U+FFFD.

    Control characters stay in it: whoever shows it on a screen must escape them. `again` is asked, rarely,
    whether the code names its character set: the binding tells that in no other way.
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
    """`text` as a terminal may get it: what moves a cursor or turns a line becomes `\\x1b`, `\\u202e`."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def _names_its_set(raw: bytes, again: Look) -> bool:
    return any(
        bytes(barcode.bytes) == raw and str(barcode.text).startswith(_NAMED)
        for barcode in again(zxingcpp.TextMode.HexECI)
    )
