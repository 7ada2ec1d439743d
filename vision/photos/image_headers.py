"""Reads a picture's claimed size before the file is decoded.

A small file can claim gigabytes.
"""

from typing import Literal

JPEG = b"\xff\xd8\xff"
"""First bytes of a JPEG."""
_TIFF_SHORT = 3
_SUBFILE, _PHOTOMETRIC, _DNG_VERSION = 254, 262, 50706
"""TIFF tags: whether a directory holds a reduced picture, what its pixels mean, and the version of DNG."""
_OF_A_SENSOR = (32803, 34892)
"""Values of TIFF's photometric tag for raw pixels (DNG 1.4): a colour filter array, and linear raw."""
_RAW_BEGINS = {
    b"IIU\0": "RW2",
    b"IIRO": "ORF",
    b"IIRS": "ORF",
    b"MMOR": "ORF",
    b"IIII": "IIQ",
    b"MMMM": "IIQ",
    b"FUJIFILMCCD-RAW": "RAF",
    b"FOVb": "X3F",
    b"\0MRM": "MRW",
    b"II\x1a\0\0\0HEAPCCDR": "CRW",
}
"""First bytes of a raw photograph that is no TIFF -> kind of file (source: libmagic)."""
_START_OF_SCAN = b"\xff\xda"
_WITHOUT_LENGTH = frozenset({0x00, 0x01, *range(0xD0, 0xD8)})
"""JPEG markers without a segment (ITU T.81, table B.1), and a stuffed zero."""
_ENDS = frozenset({0xD8, 0xD9, 0xDA})
"""JPEG markers at which the search for the picture's size ends: start and end of image, start of scan."""


def jpeg_scans(data: bytes) -> int:
    """Number of scans (passes over the picture) in a JPEG.

    Scans of thumbnails count, too. Cameras write one, progressive files about ten. The counted marker cannot
    occur within a scan (ITU T.81, B.1.1.5).
    """
    return data.count(_START_OF_SCAN)


def claimed_size(data: bytes) -> tuple[int, int]:
    """Read width and height (px) from a picture file's header.

    The file is not decoded. PNG, JPEG, TIFF, BMP, WebP and GIF are known. (0, 0) for any other file, and for a
    header that hides its size.

    >>> claimed_size(b"GIF89a" + bytes([64, 1, 200, 0]))
    (320, 200)
    """
    if data.startswith(b"\x89PNG"):
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if data.startswith(b"BM"):
        width, height = (int.from_bytes(data[at : at + 4], "little", signed=True) for at in (18, 22))
        return abs(width), abs(height)
    if data.startswith(b"GIF"):
        return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")
    if data.startswith(b"RIFF"):
        return _webp_size(data)
    if data[:4] in (b"II*\0", b"MM\0*"):
        return _tiff_size(data)
    return _jpeg_size(data) if data.startswith(JPEG) else (0, 0)


def raw_kind(data: bytes) -> str:
    """Kind of a raw photograph, such as "DNG", by the first bytes of its file.

    "" for any other file. Most raw files are TIFF whose first picture is a small preview, so they would show
    hardly anything.
    """
    if data[4:12] == b"ftypcrx ":
        return "CR3"
    for begin, kind in _RAW_BEGINS.items():
        if data.startswith(begin):
            return kind
    if not data.startswith((b"II*\0", b"MM\0*")):
        return ""
    if data[8:10] == b"CR":
        return "CR2"
    tags = _tiff_tags(data)
    if _DNG_VERSION in tags:
        return "DNG"
    return "RAW" if tags.get(_SUBFILE, 0) & 1 or tags.get(_PHOTOMETRIC) in _OF_A_SENSOR else ""


def _webp_size(data: bytes) -> tuple[int, int]:
    """Read a WebP's (width, height; px) from its first chunk.

    Source: RFC 9649. (0, 0) if unknown.
    """
    kind, body = data[12:16], data[20:30]
    if kind == b"VP8X":
        return 1 + int.from_bytes(body[4:7], "little"), 1 + int.from_bytes(body[7:10], "little")
    if kind == b"VP8L":
        bits = int.from_bytes(body[1:5], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 ":
        return (
            int.from_bytes(body[6:8], "little") & 0x3FFF,
            int.from_bytes(body[8:10], "little") & 0x3FFF,
        )
    return 0, 0


def _jpeg_size(data: bytes) -> tuple[int, int]:
    """Read a JPEG's (width, height; px); (0, 0) if unknown.

    The first start-of-frame segment tells them (ITU T.81, B.2.2). Bytes between two segments are skipped, as
    libjpeg does: so no file can show one size here and another to the decoder.
    """
    at = 2
    while (at := data.find(b"\xff", at)) >= 0 and at + 9 <= len(data):
        kind = data[at + 1]
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        if kind in _ENDS:
            break
        if kind == 0xFF:
            at += 1
        elif kind in _WITHOUT_LENGTH:
            at += 2
        else:
            at += 2 + max(2, int.from_bytes(data[at + 2 : at + 4], "big"))
    return 0, 0


def _tiff_size(data: bytes) -> tuple[int, int]:
    """Read a TIFF's (width, height; px); 0 where unknown.

    They are the tags 256 and 257 of its first directory (TIFF 6.0, section 2). If a tag stands twice the first
    counts, as in libtiff.
    """
    tags = _tiff_tags(data)
    return tags.get(256, 0), tags.get(257, 0)


def _tiff_tags(data: bytes) -> dict[int, int]:
    """Read the tags in a TIFF's first directory: number -> value of 16 or 32 bits.

    For a tag of several values it is their offset in the file.
    """
    order: Literal["little", "big"] = "little" if data[:2] == b"II" else "big"

    def number(at: int, length: int) -> int:
        return int.from_bytes(data[at : at + length], order)

    at = number(4, 4)
    tags: dict[int, int] = {}
    for entry in range(at + 2, at + 2 + 12 * number(at, 2), 12):
        short = number(entry + 2, 2) == _TIFF_SHORT
        tags.setdefault(number(entry, 2), number(entry + 8, 2 if short else 4))
    return tags
