"""Reads every code and marker in a picture of unknown scale: a cascade that stops when all is explained.

Each step is dearer than the one before. zxing-cpp also says where it found a code and failed; such a place is
cut out, put upright and tried in several ways, which costs a fraction of another pass over the picture.
`docs/eyes.md` has what each step adds and what it costs.
"""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache

import cv2
import numpy as np
import zxingcpp
from numpy.typing import NDArray

from vision.reading import PLAIN, Code, Corners, MarkerSeen, Reading, find_markers, markers_once, moved
from vision.second_opinion import SecondOpinion
from vision.stickers import Gray

UPRIGHT, BENT, SHARPENED, SHRUNK, ENLARGED, CONTRAST, SECOND = (
    "upright",
    "bent",
    "sharpened",
    "shrunk",
    "enlarged",
    "contrast",
    "second",
)
"""How a code was read after PLAIN: cut out and put upright; unrolled as from a bottle; in the whole picture
sharpened, shrunk, enlarged or with its local contrast evened; by the second decoder."""

_QUALITY = {PLAIN: 1.0, BENT: 0.8, SECOND: 0.8}
"""How easily a code was read, 0..1; 0.9 for what is not named here. Corners of the last two are rough."""

_QR = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCodeModel2)
"""Micro QR and its kin carry too little redundancy: on noise zxing-cpp reads digits that are not there."""
_OURS = re.compile(rb"[A-Z0-9]{1,10}")
_TEXT_MOST = 7089
"""Characters: the most a QR code holds."""
_UPRIGHT_PX, _LARGE_PX = 240, 440
"""Sides of a cut-out place with its margin: four pixels a module up to version 7, and up to version 20."""
_MARGIN = 0.15
"""White around a place on each side, share of the side."""
_BENDS = tuple((axis, bow) for axis in (0, 1) for bow in (0.08, -0.08, 0.16, -0.16))
"""Labels of bottles: the axis that is rolled, and how far its middle bows out, share of half the side."""
_ROLLED = 0.7
"""Half the angle that a rolled code spans, radians: half-way between flat and what is still seen."""
_PLACES_MOST = 8
_ENLARGE_BELOW = 500_000
"""Pixels under which a picture is enlarged; in larger ones codes have pixels enough, but uneven light."""
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

Quad = NDArray[np.float32]
"""4 x 2: corners as in Corners."""


@dataclass(slots=True)
class _Findings:
    """What is known of a picture so far."""

    codes: list[Code] = field(default_factory=list)
    unread: list[Quad] = field(default_factory=list)
    tried: list[Quad] = field(default_factory=list)

    def note(self, codes: list[Code], failed: list[Quad]) -> None:
        """Add what is new: a code once for each place, a failure unless its place was read or tried."""
        for code in codes:
            if not any(code.text == k.text and _overlap(code.corners, k.corners) for k in self.codes):
                self.codes.append(code)
        known = [*(np.array(k.corners, np.float32) for k in self.codes), *self.tried]
        self.unread = [
            quad
            for quad in [*self.unread, *failed]
            if cv2.contourArea(quad) > 150 and not any(_overlap(quad, other) for other in known)
        ]

    @property
    def explained(self) -> bool:
        """Something was read and nothing that looks like a code is left."""
        return bool(self.codes) and not self.unread and not self.tried


def read_picture(gray: Gray, second: SecondOpinion | None = None) -> Reading:
    """Every code and marker in `gray`; `second` is asked last, if given."""
    return Reading(read_codes(gray, second), _markers(gray))


def read_codes(gray: Gray, second: SecondOpinion | None = None) -> tuple[Code, ...]:
    """Every QR code in `gray`, its text with line breaks but without other control characters."""
    found = _Findings()
    for look in _looks(gray):
        found.note(*look())
        _look_closer(gray, found)
        if found.explained:
            return tuple(found.codes)
    if second is not None and gray.size <= _SECOND_MOST:
        found.note(_second_opinion(gray, second), [])
    return tuple(found.codes)


def _looks(gray: Gray) -> Iterator[Callable[[], tuple[list[Code], list[Quad]]]]:
    """Passes over the whole picture, by reads gained for the time."""
    if min(gray.shape[:2]) < 12:
        return
    yield lambda: _scan(gray, PLAIN, downscale=True)
    large = gray.size > _SHRINK_FIRST
    if large:
        yield lambda: _scaled(gray, 0.25, SHRUNK)
        yield lambda: _scaled(gray, 0.5, SHRUNK)
    yield lambda: _scan(_sharpened(gray), SHARPENED)
    if not large:
        yield lambda: _scaled(gray, 0.5, SHRUNK)
    if gray.size < _ENLARGE_BELOW:
        yield lambda: _scaled(gray, 2.0, ENLARGED)
    else:
        yield lambda: _scan(_evened(gray, 2.0, 8), CONTRAST)


def _scaled(gray: Gray, factor: float, stage: str) -> tuple[list[Code], list[Quad]]:
    kind = cv2.INTER_CUBIC if factor > 1 else cv2.INTER_AREA
    picture = np.asarray(cv2.resize(gray, None, fx=factor, fy=factor, interpolation=kind), np.uint8)
    if min(picture.shape) < 12:
        return [], []
    codes, failed = _scan(_sharpened(picture if factor > 1 else _evened(picture, 2.0, 8)), stage)
    back = np.diag([1 / factor, 1 / factor, 1.0])
    return [_placed(code, back) for code in codes], [quad / np.float32(factor) for quad in failed]


def _look_closer(gray: Gray, found: _Findings) -> None:
    """Try every unread place in more ways; what stays unread is not tried again."""
    while found.unread and len(found.tried) < _PLACES_MOST:
        quad = found.unread[0]
        codes = next((codes for codes in _attempts(gray, quad) if codes), [])
        if not codes:
            found.tried.append(quad)
        found.note(codes, [])
        found.unread = [other for other in found.unread if other is not quad]


def _attempts(gray: Gray, quad: Quad) -> Iterator[list[Code]]:
    picture, back = _upright(gray, quad, _UPRIGHT_PX)
    for treated in (picture, _sharpened(picture)):
        yield [_placed(code, back) for code in _scan(treated, UPRIGHT)[0]]
    large, large_back = _upright(gray, quad, _LARGE_PX)
    yield [_placed(code, large_back) for code in _scan(_evened(large, 4.0, 4), UPRIGHT)[0]]
    for axis, bow in _BENDS:
        x, y = _unroll(axis, bow)
        unrolled = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        # Corners of a code that was unrolled are those of its place, near enough.
        corners: Corners = tuple((float(x), float(y)) for x, y in quad)
        yield [replace(code, corners=corners) for code in _scan(np.asarray(unrolled, np.uint8), BENT)[0]]


def _upright(gray: Gray, quad: Quad, side: int) -> tuple[Gray, NDArray[np.float64]]:
    """The place as a square of `side` px with its margin, and the matrix from there to the picture."""
    near, far = _MARGIN * side, (1 - _MARGIN) * side
    square = np.array([(near, near), (far, near), (far, far), (near, far)], np.float32)
    back = np.asarray(cv2.getPerspectiveTransform(square, quad), np.float64)
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    picture = cv2.warpPerspective(gray, back, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(picture, np.uint8), back


@cache
def _unroll(axis: int, bow: float) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Maps for cv2.remap that flatten a code rolled around a cylinder, _UPRIGHT_PX square.

    Seen from the front, a point at the angle a of a cylinder stands at sin(a); seen a little from above,
    rows bow by the parabola that a circle is near its top.
    """
    half = (0.5 - _MARGIN) * _UPRIGHT_PX
    at = (np.arange(_UPRIGHT_PX, dtype=np.float32) + 0.5 - _UPRIGHT_PX / 2) / half
    along = np.sin(at * _ROLLED) / np.sin(_ROLLED) * half + _UPRIGHT_PX / 2 - 0.5
    across = np.arange(_UPRIGHT_PX)[:, None] - bow * half * (1 - at * at)
    x = np.tile(along, (_UPRIGHT_PX, 1)).astype(np.float32)
    y = across.astype(np.float32)
    if axis:
        x, y = np.ascontiguousarray(y.T), np.ascontiguousarray(x.T)
    return x, y


def _sharpened(gray: Gray) -> Gray:
    """What differs from the surrounding 5 x 5 px, three times as strong."""
    return np.asarray(cv2.addWeighted(gray, 3.0, cv2.blur(gray, (5, 5)), -2.0, 0), np.uint8)


def _evened(gray: Gray, limit: float, tiles: int) -> Gray:
    """Contrast-limited adaptive histogram equalisation over `tiles` x `tiles` parts."""
    return np.asarray(cv2.createCLAHE(limit, (tiles, tiles)).apply(gray), np.uint8)


def _scan(gray: Gray, stage: str, *, downscale: bool = False) -> tuple[list[Code], list[Quad]]:
    """One zxing-cpp pass: codes, and places where one was found whose data could not be made out."""
    codes, failed = [], []
    for barcode in zxingcpp.read_barcodes(
        np.ascontiguousarray(gray), formats=_QR, try_downscale=downscale, return_errors=True
    ):
        at = barcode.position
        points = (at.top_left, at.top_right, at.bottom_right, at.bottom_left)
        corners = tuple((float(p.x), float(p.y)) for p in points)
        if barcode.valid:
            raw = bytes(barcode.bytes)
            codes.append(_code(raw, str(barcode.text), corners, stage))
        else:
            failed.append(np.array(corners, np.float32))
    return codes, failed


def _code(raw: bytes, text: str, corners: Corners, stage: str) -> Code:
    """`text` is the decoder's guess at the encoding of what is not UTF-8."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = text or raw.decode("utf-8", "replace")
    clean = "".join(c if c.isprintable() or c in "\r\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)
    ours = raw.decode("ascii") if _OURS.fullmatch(raw) else None
    return Code(clean[:_TEXT_MOST], ours, corners, stage, _QUALITY.get(stage, 0.9))


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
            codes.append(_code(opinion.raw, "", corners, SECOND))
    return codes


def _placed(code: Code, matrix: NDArray[np.float64]) -> Code:
    corners = cv2.perspectiveTransform(np.array([code.corners]), matrix)[0]
    return replace(code, corners=tuple((float(x), float(y)) for x, y in corners))


def _overlap(a: Quad | Corners, b: Quad | Corners) -> bool:
    """Whether the centre of one lies in the other."""
    first, other = np.array(a, np.float32), np.array(b, np.float32)
    here, there = first.mean(axis=0), other.mean(axis=0)
    return (
        cv2.pointPolygonTest(other, (float(here[0]), float(here[1])), False) >= 0
        or cv2.pointPolygonTest(first, (float(there[0]), float(there[1])), False) >= 0
    )
