"""The printed tags of cards: QR stickers and ArUco markers, and which card carries which."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol, TypeVar

import cv2
import numpy as np
import segno
from numpy.typing import NDArray

from vision.errors import UnusableError
from vision.reasons import NoMarker, NoPayload, TagGivenTwice, TooFewPixels

Gray = NDArray[np.uint8]
"""A grey picture, height x width, 0 black to 255 white."""

QUIET_MODULES = 2
"""QUIET_MODULES: width of the white rim around a QR code, in modules (cells). The standard asks for 4; half is
enough on a white sticker."""
STICKER_MODULES = 21 + 2 * QUIET_MODULES
"""STICKER_MODULES: modules (cells) along a sticker's side, white rim included. The code is QR version 1 (21
modules); a larger version would be too fine for a camera above the table."""
MARKER_MODULES = 8
"""Modules (cells) along a marker's side: 6 bits, and a black border of one module on both ends."""
MARKER_DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_ARUCO_MIP_36h12)
"""ArUco dictionary 36h12: any two markers differ in 12 bits. It gave no false detections; 4x4 gave some."""
MARKER_COUNT = len(MARKER_DICTIONARY.bytesList)
"""Number of markers in the dictionary (250)."""

Key = TypeVar("Key", str, int)
_PAYLOAD = re.compile(r"[A-Z0-9]{1,10}", re.ASCII)


class Tagged(Protocol):
    """Card of a game, with its QR sticker and marker."""

    @property
    def code(self) -> str:
        """Code by which the game knows the card, for example a rank and a suit."""
        ...

    @property
    def payload(self) -> str:
        """Text of its QR sticker; "" without one."""
        ...

    @property
    def marker(self) -> int | None:
        """Id of its marker (0 to 249); None without one."""
        ...


@dataclass(frozen=True)
class Tags:
    """Which card carries which tag: QR payload -> card code, marker id -> card code.

    Other tags are not believed.
    """

    payloads: Mapping[str, str] = field(default_factory=dict)
    markers: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, cards: Iterable[Tagged]) -> "Tags":
        """Collect the tags of `cards`.

        UnusableError if two share a tag, or a tag cannot be printed.
        """
        payloads: dict[str, str] = {}
        markers: dict[int, str] = {}
        for card in cards:
            if card.payload:
                _enter(payloads, check_payload(card.payload), card.code, "sticker")
            if card.marker is not None:
                _enter(markers, check_marker(card.marker), card.code, "marker")
        return cls(payloads, markers)


def _enter(table: dict[Key, str], tag: Key, code: str, what: str) -> None:
    other = table.setdefault(tag, code)
    if other != code:
        raise UnusableError(TagGivenTwice(what, tag, code, other), "tag table")


def check_payload(payload: str) -> str:
    """Return `payload` if a sticker can carry it; else UnusableError.

    A sticker carries 1 to 10 of A-Z and 0-9.
    """
    if not _PAYLOAD.fullmatch(payload):
        raise UnusableError(NoPayload(payload[:40]), "sticker")
    return payload


def check_marker(marker_id: int) -> int:
    """Return `marker_id` if such a marker exists; else UnusableError.

    Markers have the ids 0 to 249.
    """
    if not 0 <= marker_id < MARKER_COUNT:
        raise UnusableError(NoMarker(marker_id, MARKER_COUNT - 1), "marker")
    return marker_id


def sticker(payload: str, px: int) -> Gray:
    """Draw the QR sticker of `payload`, `px` x `px`.

    `px` is at least 25; UnusableError below, or if the payload does not fit. QR version 1, error correction H
    (ISO/IEC 18004), holds up to 10 alphanumeric characters.
    """
    # A copy: nobody may paint on what is kept.
    return _scaled(_sticker_modules(check_payload(payload)).copy(), px)


@lru_cache(maxsize=1 << 10)
def _sticker_modules(payload: str) -> Gray:
    code = segno.make_qr(payload, version=1, error="h", boost_error=False)
    modules = 255 * (1 - np.array([list(row) for row in code.matrix], np.uint8))
    return np.pad(modules, QUIET_MODULES, constant_values=255).astype(np.uint8)


def marker(marker_id: int, px: int, *, margin: int = 0) -> Gray:
    """Draw the marker `marker_id`: a black square with its pattern.

    `px`: side of the square (at least 8). `margin`: white modules (cells) around it. A module is px / 8, so the
    picture is round(px * (1 + margin / 4)) px wide. On anything but white paper, detection needs a margin of
    one module. UnusableError if the id does not exist or `px` is too small.
    """
    square = cv2.aruco.generateImageMarker(MARKER_DICTIONARY, check_marker(marker_id), MARKER_MODULES)
    modules = np.pad(square, margin, constant_values=255).astype(np.uint8)
    return _scaled(modules, round(px * modules.shape[0] / MARKER_MODULES))


def _scaled(modules: Gray, px: int) -> Gray:
    """Scale a drawing of one-px cells to `px` x `px`.

    Cells are equally wide if `px` is a multiple of them, else edges are grey. UnusableError if `px` is too
    small.
    """
    n = modules.shape[0]
    if px < n:
        raise UnusableError(TooFewPixels(px, n), "sticker")
    whole = -(-px // n)
    large = np.kron(modules, np.ones((whole, whole), np.uint8))
    if whole * n == px:
        return large
    return np.asarray(cv2.resize(large, (px, px), interpolation=cv2.INTER_AREA), np.uint8)
