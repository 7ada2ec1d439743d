"""Reads stickers and markers in pictures, by cheap methods first."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import zxingcpp
from numpy.typing import NDArray

from vision.codes.codebook import Codebook, Match
from vision.codes.sticker_set import MARKER_DICTIONARY, STICKER_MODULES, Gray

Corners = tuple[tuple[float, float], ...]
"""Four points (x, y) in px, clockwise from the upper left as the code is printed."""

PLAIN, CODEBOOK, ENLARGED = "plain", "codebook", "enlarged"
"""Methods of reading a sticker, cheapest first: decode it as it is, compare it with known stickers, decode it
enlarged."""
STEPS = (PLAIN, CODEBOOK, ENLARGED)
"""Methods of reading that the live camera uses, cheapest first."""

_QR = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
_TRUSTED = re.compile(rb"[A-Z0-9]{1,10}")
"""Bytes that a sticker of a game may carry."""
_TEXT_LIMIT = 80
"""_TEXT_LIMIT: most characters that are kept of a foreign code's text."""
_ENLARGE_BELOW = 3.5
"""_ENLARGE_BELOW: px per module (cell of a code) below which codes are also decoded enlarged. From 3.0 on all
are read without it."""
_EDGE_SHARE, _EDGE_LEAST = 0.25, 12.0
"""What counts as an edge in the half-size picture, by |dx| + |dy|: at least _EDGE_SHARE of the part's
contrast, and _EDGE_LEAST grey levels."""
_BUSY = 0.8
"""_BUSY: least share of edges in a patch that may be a sticker. Measured: stickers 0.92 and more, print on
cards up to 0.78, outlines 0.3."""

MARKER_OF_STICKER = 0.8
"""Size of the smallest markers relative to stickers: side of the black square, divided by side of a sticker's
white square."""
_MARKER_LEAST_PX = 12
"""Least side (px) of a marker that is searched: 1.5 px a module (cell). Smaller ones cannot be read."""
_PLAIN_ABOVE = 1.4
"""_PLAIN_ABOVE: px per module (cell of a code) below which nothing is decoded, because nothing would be
read."""
_PATCHES_MOST = 16
"""_PATCHES_MOST: most patches full of edges that are examined, the clearest ones. A guess."""
_PATCHES_ABOVE = 1.6
"""_PATCHES_ABOVE: px per module (cell of a code) below which patches full of edges are ignored: one card in
five has such a patch in its art."""


@dataclass(frozen=True, slots=True)
class Code:
    """QR code that was read in a picture.

    `text`: what it says; sanitised from the live camera, unchanged and unfit for a screen from a photograph.
    `payload`: the text if it may be one of our stickers (1 to 10 of A-Z and 0-9), else None. `corners`: px,
    clockwise from the code's own upper left. `stage`: the method that read it, such as PLAIN. `quality` (0 to
    1): correlation with the printed sticker if the code was compared, 1 if decoded live, less for rough
    corners. `evidence`: lead over the second-best sticker (see `Match`); infinite for a decoded code.
    """

    text: str
    payload: str | None
    corners: Corners
    stage: str
    quality: float = 1.0
    evidence: float = math.inf

    @property
    def centre(self) -> tuple[float, float]:
        """Middle of the code: mean of its corners (px)."""
        return centre_of(self.corners)


@dataclass(frozen=True, slots=True)
class MarkerSeen:
    """Printed marker (ArUco) that was found in a picture.

    `id`: 0 to 249. `corners`: of its black square (px). `stage`: the method that found it, such as PLAIN.
    """

    id: int
    corners: Corners
    stage: str = PLAIN

    @property
    def centre(self) -> tuple[float, float]:
        """Middle of the marker: mean of its corners (px)."""
        return centre_of(self.corners)


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was read in a part of a picture.

    `unread`: middles (px) of places that look like a sticker but were not read. `doubtful`: matches at such
    places that resemble a known sticker, though not enough.
    """

    codes: tuple[Code, ...]
    markers: tuple[MarkerSeen, ...]
    unread: tuple[tuple[float, float], ...] = ()
    doubtful: tuple[Match, ...] = ()


def centre_of(corners: Corners) -> tuple[float, float]:
    """Mean of the corners (x, y), in their unit."""
    return (sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners))


def sanitised(raw: bytes) -> str:
    """Turn foreign bytes into one printable line of at most 80 characters, safe to show.

    Unprintable characters become U+FFFD; a longer text ends in an ellipsis. No control character, direction
    mark or line break of a stranger's sticker gets through.
    """
    text = raw[: 4 * _TEXT_LIMIT].decode("utf-8", "replace")
    clean = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[: _TEXT_LIMIT + 1])
    return clean if len(clean) <= _TEXT_LIMIT else clean[: _TEXT_LIMIT - 1] + "…"


def find_codes(gray: Gray, stage: str = PLAIN) -> list[Code]:
    """Decode the QR codes in `gray` by one zxing-cpp pass.

    `stage`: method noted in each code. Empty for a picture below 12 px.

    >>> from vision.codes.sticker_set import sticker
    >>> [code.payload for code in find_codes(sticker("P07", px=125))]
    ['P07']
    """
    if min(gray.shape[:2]) < 12:
        return []
    found = zxingcpp.read_barcodes(
        np.ascontiguousarray(gray),
        formats=_QR,
        try_invert=False,
        try_downscale=False,
    )
    codes = []
    for barcode in found:
        raw = bytes(barcode.bytes)
        at = barcode.position
        corners = tuple(
            (float(p.x), float(p.y)) for p in (at.top_left, at.top_right, at.bottom_right, at.bottom_left)
        )
        trusted = raw.decode("ascii") if _TRUSTED.fullmatch(raw) else None
        codes.append(Code(sanitised(raw), trusted, corners, stage))
    return codes


_LARGER = 3
"""Factor by which a picture is enlarged before it is decoded again."""


def enlarged(gray: Gray) -> Gray:
    """Enlarge `gray` by _LARGER and sharpen it.

    Stickers whose modules (cells) are only 1.4 px wide can be decoded then.
    """
    large = cv2.resize(gray, None, fx=_LARGER, fy=_LARGER, interpolation=cv2.INTER_CUBIC)
    soft = cv2.GaussianBlur(large, (0, 0), float(_LARGER))
    return np.asarray(cv2.addWeighted(large, 2.0, soft, -1.0, 0), np.uint8)


def find_codes_enlarged(gray: Gray) -> list[Code]:
    """Decode the QR codes of a picture after enlarging it.

    It is also sharpened. Corners are px of `gray`.
    """
    return [
        Code(code.text, code.payload, moved(code.corners, scale=1 / _LARGER), ENLARGED)
        for code in find_codes(enlarged(gray), ENLARGED)
    ]


@cache
def _detector(refine: bool, windows: tuple[int, int, int], least: float) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    (
        parameters.adaptiveThreshWinSizeMin,
        parameters.adaptiveThreshWinSizeMax,
        parameters.adaptiveThreshWinSizeStep,
    ) = windows
    # Measured on noisy crops: the default values lose every third marker to the outline of its own white
    # margin, and take ten times as long on specks of noise.
    parameters.adaptiveThreshConstant = 12
    parameters.minMarkerDistanceRate = 0.05
    parameters.minMarkerPerimeterRate = least
    if refine:
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.ArucoDetector(MARKER_DICTIONARY, parameters)


def find_markers(
    gray: Gray, side: float = 0.0, *, refine: bool = False, thorough: bool = False
) -> list[MarkerSeen]:
    """Find the printed markers (ArUco dictionary MIP_36h12) in `gray`.

    `side`: expected side (px) of their black squares; 0 finds all from 12 px up. `refine`: corners to a
    fraction of a pixel. `thorough`: three threshold windows instead of one. Empty if the detector fails on the
    picture.
    """
    longest = max(gray.shape[:2])
    if min(gray.shape[:2]) < 16:
        return []
    # In tenths, so that zones of many sizes share a few detectors.
    smallest = max(0.03, round(4 * _MARKER_LEAST_PX / longest, 2))
    least = min(3.9, max(smallest, int(10 * 4 * 0.6 * side / longest) / 10))
    try:
        corners, ids, _ = _detector(refine, (3, 23, 10) if thorough else (23, 23, 10), least).detectMarkers(
            np.ascontiguousarray(gray)
        )
    except (cv2.error, UnicodeDecodeError):
        # A picture that the detector fails on counts as one without markers.
        return []
    if ids is None:
        return []
    found = [
        MarkerSeen(int(number), tuple((float(x), float(y)) for x, y in np.reshape(quad, (4, 2))))
        for number, quad in zip(np.ravel(ids), corners, strict=True)
    ]
    return list(markers_once(found, max(4.0, 0.3 * side)))


def sticker_like(gray: Gray, side: float) -> list[tuple[float, float]]:
    """Find patches that resemble stickers: their middles (px).

    The clearest comes first. Stickers and markers are full of edges. `side`: side (px) of such a patch.
    At most _PATCHES_MOST are returned.
    """
    if min(gray.shape[:2]) < 8:
        return []
    half = cv2.resize(gray, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    window = max(3, round(side * 0.4))
    dark, bright = np.percentile(half[::3, ::3], (1, 99))
    cap = max(_EDGE_LEAST, _EDGE_SHARE * float(bright - dark))
    energy = cv2.boxFilter(np.minimum(_edges(half), cap) / cap, cv2.CV_32F, (window, window))
    spread = max(3, round(side * 0.45)) | 1
    peaks = (energy >= cv2.dilate(energy, np.ones((spread, spread), np.uint8))) & (energy > _BUSY)
    ys, xs = np.nonzero(peaks)
    order = np.argsort(-energy[ys, xs], kind="stable")
    chosen: list[tuple[float, float]] = []
    for k in order:
        x, y = 2.0 * float(xs[k]), 2.0 * float(ys[k])
        if all(abs(x - u) + abs(y - v) > 0.5 * side for u, v in chosen):
            chosen.append((x, y))
            if len(chosen) == _PATCHES_MOST:
                break
    return chosen


def _edges(gray: cv2.typing.MatLike) -> NDArray[np.float32]:
    dx = cv2.convertScaleAbs(cv2.Sobel(gray, cv2.CV_16S, 1, 0, ksize=1))
    dy = cv2.convertScaleAbs(cv2.Sobel(gray, cv2.CV_16S, 0, 1, ksize=1))
    return np.asarray(cv2.add(dx, dy), np.float32)


def _code_of(match: Match) -> Code:
    """A known sticker that was recognised by comparison, as a code."""
    quality = round(match.likeness, 3)
    return Code(match.payload or "", match.payload, match.corners, CODEBOOK, quality, match.evidence)


def _compared(
    gray: Gray,
    module: float,
    book: Codebook | None,
    codes: list[Code],
    explained: list[tuple[float, float]],
) -> list[Match]:
    """Compare a picture with known stickers, and return the matches that are not believed.

    Those believed join `codes`, and their centres (px) `explained`.
    """
    matches = book.read(gray, module, explained) if book is not None else []
    believed = [_code_of(match) for match in matches if match.believed]
    codes += believed
    explained += [code.centre for code in believed]
    return [match for match in matches if not match.believed]


def _apart_from(
    places: Sequence[tuple[float, float]], others: Sequence[tuple[float, float]], near: float
) -> list[tuple[float, float]]:
    """Those of `places` that are not near any of `others` (px)."""
    return [place for place in places if not any(_close(place, other, near) for other in others)]


def _enlarged(
    gray: Gray, places: Sequence[tuple[float, float]], side: float
) -> tuple[list[Code], list[tuple[float, float]]]:
    """(codes decoded from the enlarged parts around places (px), places without one).

    `side`: of a sticker (px).
    """
    codes: list[Code] = []
    unread = []
    for x, y in places:
        crop, left, top = _cut(gray, x, y, 0.95 * side)
        found = find_codes_enlarged(crop)
        codes += [Code(c.text, c.payload, moved(c.corners, left, top), c.stage) for c in found]
        if not found:
            unread.append((x, y))
    return codes, unread


def read_region(
    gray: Gray,
    side: float,
    book: Codebook | None = None,
    known: Sequence[tuple[float, float]] = (),
    *,
    markers: bool = True,
    steps: Sequence[str] = STEPS,
) -> Reading:
    """Read codes and markers in a part of a picture, by cheap methods first.

    `side`: side (px) of a sticker's white square. `book`: known stickers; None: only decoding. `known`: centres
    (px) of stickers read before, which the later methods skip. `markers`: whether to search markers. `steps`:
    methods that may be used.

    One decoding pass over the whole part comes first, then the comparison with known stickers. Then each
    unexplained place that looks like a sticker is decoded enlarged, which also finds foreign codes.
    """
    module = side / STICKER_MODULES
    codes = find_codes(gray) if PLAIN in steps and module >= _PLAIN_ABOVE else []
    found = find_markers(gray, MARKER_OF_STICKER * side) if markers else []
    near = 0.8 * side
    explained = [*known, *(c.centre for c in codes), *(m.centre for m in found)]
    unsure = _compared(gray, module, book if CODEBOOK in steps else None, codes, explained)
    places = [centre_of(match.corners) for match in unsure]
    if module >= _PATCHES_ABOVE or book is None:
        places += _apart_from(sticker_like(gray, side), places, near)
    unread = _apart_from(places, explained, near)
    if ENLARGED in steps and _PLAIN_ABOVE <= module < _ENLARGE_BELOW:
        more, unread = _enlarged(gray, unread, side)
        codes += more
    doubtful = tuple(match for match, at in zip(unsure, places, strict=False) if at in unread)
    return Reading(without_twins(codes, 0.3 * side), markers_once(found, 0.3 * side), tuple(unread), doubtful)


def _cut(gray: Gray, x: float, y: float, reach: float) -> tuple[Gray, int, int]:
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    return gray[top : int(y + reach) + 1, left : int(x + reach) + 1], left, top


def moved(corners: Corners, dx: float = 0, dy: float = 0, scale: float = 1) -> Corners:
    """Scale corners by `scale`, then shift by (`dx`, `dy`) px."""
    return tuple((x * scale + dx, y * scale + dy) for x, y in corners)


def without_twins(codes: Sequence[Code], near: float) -> tuple[Code, ...]:
    """Drop codes that repeat an equal one within `near` px.

    Equal codes farther apart stay.
    """
    kept: list[Code] = []
    for code in codes:
        if not any(code.text == k.text and _close(code.centre, k.centre, near) for k in kept):
            kept.append(code)
    return tuple(kept)


def markers_once(found: Sequence[MarkerSeen], near: float) -> tuple[MarkerSeen, ...]:
    """Drop markers that repeat one of their id nearby.

    Nearby means within `near` px.
    """
    kept: list[MarkerSeen] = []
    for one in found:
        if not any(one.id == k.id and _close(one.centre, k.centre, near) for k in kept):
            kept.append(one)
    return tuple(kept)


def _close(a: tuple[float, float], b: tuple[float, float], near: float) -> bool:
    return abs(a[0] - b[0]) <= near and abs(a[1] - b[1]) <= near
