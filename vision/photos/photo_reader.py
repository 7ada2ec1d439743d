"""Reads every code and marker in a picture of unknown scale: a cascade that stops when all is explained.

Each step is dearer than the one before. zxing-cpp also says where it found a code and failed; such a place is
cut out, put upright and tried in several ways, which costs a fraction of another pass over the picture.
`docs/vision.md` has what each step adds and what it costs.
"""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import cv2
import numpy as np
import zxingcpp

from vision.codes.code_reader import (
    PLAIN,
    Code,
    Corners,
    MarkerSeen,
    Reading,
    find_markers,
    markers_once,
    moved,
)
from vision.codes.qr_payload import text_of
from vision.codes.sticker_set import Gray
from vision.codes.zbar_process import SecondOpinion
from vision.photos.code_candidates import (
    BENDS,
    Box,
    Matrix,
    Quad,
    Unread,
    fine_places,
    scaled,
    sharpened,
    unrolled,
)

UPRIGHT, BENT, ENLARGED, SHRUNK, SHARPENED, SECOND = (
    "upright",
    "bent",
    "enlarged",
    "shrunk",
    "sharpened",
    "second",
)
"""How a code was read after PLAIN: cut out and put upright; unrolled as from a bottle; in a place of fine
texture, enlarged; in the whole picture, shrunk and its contrast evened, or sharpened; by the second decoder."""

_QUALITY = {PLAIN: 1.0, BENT: 0.8, SECOND: 0.8}
"""How easily a code was read, 0..1; 0.9 for what is not named here. Corners of the last two are rough."""

_QR = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCodeModel2)
"""Micro QR and its kin carry too little redundancy: on noise zxing-cpp reads digits that are not there."""
_OURS = re.compile(rb"[A-Z0-9]{1,10}")
_VERSION = 4
"""Assumed where the decoder could not tell: 33 modules a side."""
_UPRIGHT_PX = 240
"""Side of a place with its margin for the second attempts: other pixels than the first."""
_UNREAD_PX = 150.0
"""Square pixels: a smaller place is no code that could be read."""
_PLACES_MOST = 8
"""Unread places that are looked at closely."""
_FINE_MOST = 8
"""Places of fine texture that are enlarged."""
_SEVERAL = 2
"""Where so many codes are read, there may be more that show no more than their texture."""
_SHARPEN, _SHARPEN_PLACE, _SHARPEN_UPRIGHT = 5, 7, 9
"""Pixels around with which sharpening compares: in a whole picture, enlarged, and at five pixels a module."""
_SPLIT_PX, _SPLIT_OVER = 25, 3
"""Black is what is darker than the mean of so many px around, by so many of 255."""
_SHRINK_FIRST = 2_000_000
"""Pixels above which most codes are larger than need be: a smaller picture is clearer, and quickly read."""
_SECOND_MOST = 4_000_000
"""Pixels above which the second decoder is not asked: it would take too long."""

_MARKERS_WHOLE = (75_000, 300_000, 1_200_000)
"""Pixels that pictures are shrunk to: modules wider than the detector's window of 23 px are not seen."""
_MARKERS_FINE = 5_000_000
"""The same for the pass in tiles."""
_TILE, _TILE_OVERLAP = 480, 80
"""Px: a marker that is smaller than the overlap lies whole in some tile; others show in the whole picture."""
_SQUARES_MOST = 1000
"""Squares in a picture: twice what a sheet of stickers has, and half a minute at the worst."""

_Scanned = tuple[list[Code], list[Unread]]
"""Codes, and places where one was found and not read."""


@dataclass(slots=True)
class _Findings:
    """What is known of a picture so far."""

    codes: list[Code] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    tried: list[Unread] = field(default_factory=list)

    def note(self, codes: list[Code], failed: list[Unread]) -> None:
        """Add what is new: a code once for each place, a failure unless its place was read or tried."""
        for code in codes:
            if not any(code.text == k.text and _overlap(code.corners, k.corners) for k in self.codes):
                self.codes.append(code)
        self.tried = [place for place in self.tried if not self._read_at(place)]
        self.unread = [
            place
            for place in [*self.unread, *failed]
            if cv2.contourArea(place.quad) > _UNREAD_PX
            and not self._read_at(place)
            and not any(_overlap(place.quad, other.quad) for other in self.tried)
        ]

    def _read_at(self, place: Unread) -> bool:
        return any(_overlap(place.quad, code.corners) for code in self.codes)

    @property
    def explained(self) -> bool:
        """Something was read and nothing that looks like a code is left."""
        return bool(self.codes) and not self.unread and not self.tried


def read_picture(gray: Gray, second: SecondOpinion | None = None) -> Reading:
    """Every code and marker in `gray`; `second` is asked last, if given."""
    return Reading(read_codes(gray, second), _markers(gray))


def read_codes(gray: Gray, second: SecondOpinion | None = None) -> tuple[Code, ...]:
    """Every QR code in `gray`, its text as `text_of` has it: control characters and all."""
    found = _Findings()
    for look in _looks(gray, found):
        found.note(*look())
        _look_closer(gray, found)
    if second is not None and not found.explained and gray.size <= _SECOND_MOST:
        found.note(_second_opinion(gray, second), [])
    return tuple(found.codes)


def _looks(gray: Gray, found: _Findings) -> Iterator[Callable[[], _Scanned]]:
    """Ways to look at the picture, by reads gained for the time, until what was `found` explains it."""
    if min(gray.shape) < 12:
        return
    yield partial(_scan, gray, PLAIN, downscale=True)
    if not found.explained or len(found.codes) >= _SEVERAL:
        for box in fine_places(gray, [code.corners for code in found.codes], _FINE_MOST):
            yield partial(_enlarged, gray, box)
    for factor in (0.25, 0.5) if gray.size > _SHRINK_FIRST else (0.5,):
        if found.explained:
            return
        yield partial(_shrunk, gray, factor)
    if not found.explained:
        yield partial(_sharpened, gray)


def _enlarged(gray: Gray, box: Box) -> _Scanned:
    picture, back = scaled(gray, box)
    scanned = _scan(sharpened(picture, _SHARPEN_PLACE), ENLARGED)
    if not any(scanned):
        # The decoder sees black and white by areas of 40 px; smaller ones follow a change of light.
        mean, binary = cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY
        split = cv2.adaptiveThreshold(picture, 255, mean, binary, _SPLIT_PX, _SPLIT_OVER)
        scanned = _scan(np.asarray(split, np.uint8), ENLARGED, invert=False)
    return _moved(scanned, back)


def _shrunk(gray: Gray, factor: float) -> _Scanned:
    small = np.asarray(cv2.resize(gray, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
    if min(small.shape) < 12:
        return [], []
    picture = sharpened(_evened(small, 2.0, 8), _SHARPEN, 2.0)
    return _moved(_scan(picture, SHRUNK, invert=False), np.diag([1 / factor, 1 / factor, 1.0]))


def _sharpened(gray: Gray) -> _Scanned:
    return _scan(sharpened(gray, _SHARPEN, 2.0), SHARPENED, invert=False)


def _look_closer(gray: Gray, found: _Findings) -> None:
    """Try every unread place in more ways; what stays unread is not tried again."""
    while found.unread and len(found.tried) < _PLACES_MOST:
        place = found.unread[0]
        codes = next((codes for codes in _attempts(gray, place) if codes), [])
        if not codes:
            found.tried.append(place)
        found.note(codes, [])
        found.unread = [other for other in found.unread if other is not place]


def _attempts(gray: Gray, place: Unread) -> Iterator[list[Code]]:
    picture, back = place.upright(gray, place.side)
    yield _moved(_scan(sharpened(picture, _SHARPEN_UPRIGHT), UPRIGHT), back)[0]
    picture, back = place.upright(gray, _UPRIGHT_PX)
    yield _moved(_scan(picture, UPRIGHT), back)[0]
    # Corners of a code that was unrolled are those of its place, near enough.
    corners: Corners = tuple((float(x), float(y)) for x, y in place.quad)
    for axis, bow in BENDS:
        flat = unrolled(picture, axis, bow)
        yield [replace(code, corners=corners) for code in _scan(flat, BENT)[0]]


def _evened(gray: Gray, limit: float, tiles: int) -> Gray:
    """Contrast-limited adaptive histogram equalisation over `tiles` x `tiles` parts."""
    return np.asarray(cv2.createCLAHE(limit, (tiles, tiles)).apply(gray), np.uint8)


def _scan(gray: Gray, stage: str, *, downscale: bool = False, invert: bool = True) -> _Scanned:
    """One zxing-cpp pass: codes, and places where one was found whose data could not be made out."""
    codes, failed = [], []
    picture = np.ascontiguousarray(gray)

    def look(mode: zxingcpp.TextMode) -> Sequence[zxingcpp.Barcode]:
        return zxingcpp.read_barcodes(
            picture,
            formats=_QR,
            try_downscale=downscale,
            try_invert=invert,
            text_mode=mode,
            return_errors=True,
        )

    for barcode in look(zxingcpp.TextMode.Plain):
        at = barcode.position
        points = (at.top_left, at.top_right, at.bottom_right, at.bottom_left)
        corners = tuple((float(p.x), float(p.y)) for p in points)
        if barcode.valid:
            codes.append(_code(bytes(barcode.bytes), text_of(barcode, look), corners, stage))
        else:
            extra: Any = barcode.extra or {}
            version = str(extra.get("Version"))
            modules = 17 + 4 * (int(version) if version.isdecimal() else _VERSION)
            failed.append(Unread(np.array(corners, np.float32), modules))
    return codes, failed


def _moved(scanned: _Scanned, matrix: Matrix) -> _Scanned:
    """What was found in a part, in px of the whole; the matrix leads from the part to there."""
    codes, failed = scanned
    return (
        [replace(code, corners=_mapped(code.corners, matrix)) for code in codes],
        [replace(place, quad=np.array(_mapped(place.quad, matrix), np.float32)) for place in failed],
    )


def _code(raw: bytes, text: str, corners: Corners, stage: str) -> Code:
    ours = raw.decode("ascii") if _OURS.fullmatch(raw) else None
    return Code(text, ours, corners, stage, _QUALITY.get(stage, 0.9))


def _markers(gray: Gray) -> tuple[MarkerSeen, ...]:
    """Markers of any size: large ones in the whole, shrunk, small ones in tiles.

    OpenCV takes some milliseconds for every square it finds: a picture full of them is not read to its end.
    """
    found = []
    squares = 0
    for pixels in (few for few in _MARKERS_WHOLE if few < gray.size):
        whole, shrunk = _at_most(gray, pixels)
        squares += _squares(whole, _TILE_OVERLAP / 2)
        if squares <= _SQUARES_MOST:
            found += [
                MarkerSeen(one.id, moved(one.corners, scale=1 / shrunk))
                for one in find_markers(whole, _TILE_OVERLAP / 2, refine=True, thorough=True)
            ]
    fine, scale = _at_most(gray, _MARKERS_FINE)
    for top in range(0, fine.shape[0], _TILE - _TILE_OVERLAP):
        for left in range(0, fine.shape[1], _TILE - _TILE_OVERLAP):
            part = fine[top : top + _TILE, left : left + _TILE]
            squares += _squares(part, 0.0)
            if squares <= _SQUARES_MOST:
                found += [
                    MarkerSeen(one.id, moved(moved(one.corners, left, top), scale=1 / scale))
                    for one in find_markers(part, refine=True, thorough=True)
                ]
    # Those from the tiles first: their corners are the best.
    return markers_once(found[::-1], 8 / scale)


def _squares(gray: Gray, side: float) -> int:
    """How many outlines the marker detector will look into, sides from about `side` px up."""
    edges = cv2.adaptiveThreshold(gray, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 23, 12)
    count = 0
    for contour in cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
        around = cv2.arcLength(contour, True)
        if around > 4 * max(10.0, 0.6 * side):
            count += len(cv2.approxPolyDP(contour, 0.03 * around, True)) == 4
    return count


def _at_most(gray: Gray, pixels: int) -> tuple[Gray, float]:
    """`gray` shrunk to `pixels`, and how much smaller its sides are."""
    if gray.size <= pixels:
        return gray, 1.0
    scale = math.sqrt(pixels / gray.size)
    return np.asarray(cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8), scale


def _second_opinion(gray: Gray, second: SecondOpinion) -> list[Code]:
    """What zbar reads, plain ASCII only: it guesses encodings and does not say so."""
    codes = []
    for opinion in second.read(gray):
        box = cv2.boxPoints(cv2.minAreaRect(np.array(opinion.outline, np.float32)))
        corners = tuple((float(x), float(y)) for x, y in box)
        if opinion.raw.isascii():
            codes.append(_code(opinion.raw, opinion.raw.decode("ascii"), corners, SECOND))
    return codes


def _mapped(points: Quad | Corners, matrix: Matrix) -> Corners:
    mapped = cv2.perspectiveTransform(np.array([points], np.float64), matrix)[0]
    return tuple((float(x), float(y)) for x, y in mapped)


def _overlap(a: Quad | Corners, b: Quad | Corners) -> bool:
    """Whether the centre of one lies in the other."""
    first, other = np.array(a, np.float32), np.array(b, np.float32)
    here, there = first.mean(axis=0), other.mean(axis=0)
    return (
        cv2.pointPolygonTest(other, (float(here[0]), float(here[1])), False) >= 0
        or cv2.pointPolygonTest(first, (float(there[0]), float(there[1])), False) >= 0
    )
