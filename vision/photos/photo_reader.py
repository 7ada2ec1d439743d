"""Reads all codes and markers in pictures of any scale.

Cheap steps come first, until all is explained. zxing-cpp also reports where it located a code but could not
decode it. Such a place is cut out, straightened and tried in several ways. That costs far less than another
pass over the picture. `docs/vision.md` lists what each step adds and costs.
"""

import math
import re
from collections.abc import Callable, Collection, Iterator, Sequence
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
    Unread,
    fine_places,
    scaled,
    sharpened,
    unrolled,
)
from vision.photos.marker_hint import shows_marker

UPRIGHT, BENT, ENLARGED, SHRUNK, SHARPENED, SECOND = (
    "upright",
    "bent",
    "enlarged",
    "shrunk",
    "sharpened",
    "second",
)
"""Methods of reading after PLAIN. UPRIGHT: a place cut out and straightened. BENT: unrolled as from a
bottle. ENLARGED: a place of fine texture, enlarged.

SHRUNK: the whole picture, reduced and with evened contrast. SHARPENED: the whole picture. SECOND: the second
decoder (zbar).
"""

_QUALITY = {PLAIN: 1.0, BENT: 0.8, SECOND: 0.8}
"""Method of reading -> quality of its codes (0 to 1); 0.9 for methods not listed. BENT and SECOND give rough
corners."""

_QR = zxingcpp.BarcodeFormats([zxingcpp.BarcodeFormat.QRCodeModel1, zxingcpp.BarcodeFormat.QRCodeModel2])
"""Kinds of codes read. Micro QR and similar have too little redundancy: on noise zxing-cpp reads digits that
do not exist."""
_OURS = re.compile(rb"[A-Z0-9]{1,10}")
"""Bytes that a sticker of a game may carry."""
_VERSION = 4
"""QR version assumed where the decoder could not tell: 33 modules a side."""
_UPRIGHT_PX = 200
"""Side (px) to which a place is straightened in later attempts. Another size than before samples other
pixels."""
_UNREAD_PX = 150.0
"""_UNREAD_PX: area (square px) below which a located code is not tried further, because it cannot be read."""
_LARGE, _ALONE = 0.03, 0.2
"""_LARGE: a code that covers this share of the picture is what was photographed. A sticker on a table has a
thousandth. _ALONE: beside a code of this share no others are looked for by their texture, and no markers beside
a foreign one."""
_PLACES_MOST = 8
"""_PLACES_MOST: number of places that could not be decoded, after which no further one is tried."""
_BENT_MOST = 5
"""_BENT_MOST: number of failed places after which none is unrolled any more, because that takes eight
attempts.
"""
_FINE_MOST = 5
"""_FINE_MOST: most places of fine texture that are enlarged."""
_SEVERAL = 2
"""_SEVERAL: number of read codes from which on others are expected that only their texture reveals."""
_SHARPEN, _SHARPEN_PLACE, _SHARPEN_UPRIGHT = 5, 7, 9
"""Width (px) of the neighbourhood for sharpening: in a whole picture, in an enlarged place, in a
straightened place."""
_SPLIT_PX, _SPLIT_OVER = 25, 3
"""_SPLIT_OVER: grey levels by which a black pixel is darker than the mean of _SPLIT_PX px around it."""
_SHRINK_FIRST = 2_000_000
"""_SHRINK_FIRST: number of px from which on a picture is also read at a quarter of its size, as most codes are
larger than needed.
"""
_SECOND_MOST = 4_000_000
"""_SECOND_MOST: number of px above which the second decoder (zbar) is not used, because it takes too long."""

_MARKERS_WHOLE = (75_000, 300_000, 1_200_000)
"""Numbers of pixels to which the whole picture is reduced to find markers. The detector misses modules (cells)
wider than its window of 23 px."""
_MARKERS_FINE = 5_000_000
"""Number of pixels to which the picture is reduced before it is searched for markers in tiles."""
_TILE, _TILE_OVERLAP = 480, 80
"""Side (px) of a tile, and its overlap with the next. A marker smaller than the overlap is whole in some tile;
larger ones are found in the whole picture."""
_SQUARES_MOST = 1000
"""_SQUARES_MOST: most square outlines of a picture that are examined: twice those of a sheet of stickers, 3 s
at worst.
"""

_Scanned = tuple[list[Code], list[Unread]]
"""Result of one search: codes that were read, and places where a code was located but not decoded."""


@dataclass(slots=True)
class _Findings:
    """All codes found in a picture so far.

    `codes`: codes that were read. `unread`: codes located but not read, still to be tried. `tried`: such codes
    that were given up.
    """

    codes: list[Code] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    tried: list[Unread] = field(default_factory=list)

    def note(self, codes: Sequence[Code], failed: Sequence[Unread]) -> None:
        """Add `codes` that were read, and places of codes that were not (`failed`).

        A code counts once for each place. Places of read codes and tiny places are left out.
        """
        before = len(self.codes)
        for code in codes:
            if not any(code.text == k.text and _overlap(code.corners, k.corners) for k in self.codes):
                self.codes.append(code)
        new = self.codes[before:]
        self.tried = _beside(self.tried, new)
        self.unread = _beside(self.unread, new)
        large = [place for place in failed if place.area > _UNREAD_PX]
        self.unread += _beside(_beside(large, self.codes), self.tried)

    def give_up(self, place: Unread) -> None:
        """Move a place that was tried in every way from `unread` to `tried`."""
        self.tried.append(place)
        self.unread = _beside(self.unread, [place])

    def fills(self, gray: Gray, share: float = _LARGE) -> bool:
        """True if a code that was not read covers more than this share of the picture."""
        return any(place.area > share * gray.size for place in (*self.unread, *self.tried))

    @property
    def explained(self) -> bool:
        """True if codes were read and no located one stays unread: no further search is needed."""
        return bool(self.codes) and not self.unread and not self.tried


def read_picture(
    gray: Gray, second: SecondOpinion | None = None, stickers: Collection[str] | None = None
) -> Reading:
    """Read a grey picture's codes, and printed markers if likely.

    `second`: a further decoder, tried last. `stickers`: texts of all stickers; None: any short text may be a
    sticker. A quick check tells whether markers are likely. They are skipped in a picture of foreign codes
    alone, if a read one or an unread one is what was photographed. With `second` they are always searched.
    """
    found = _findings(gray, second)
    codes = tuple(found.codes)
    large = any(cv2.contourArea(np.asarray(code.corners, np.float32)) > _ALONE * gray.size for code in codes)
    foreign = (large or found.fills(gray)) and not any(
        code.payload is not None and (stickers is None or code.payload in stickers) for code in codes
    )
    likely = second is not None or (not foreign and shows_marker(gray, codes))
    return Reading(codes, _markers(gray) if likely else ())


def read_codes(gray: Gray, second: SecondOpinion | None = None) -> tuple[Code, ...]:
    """Read every QR code in a grey picture.

    The text is unchanged: it may hold control characters. `second`: a further decoder, tried last.
    """
    return tuple(_findings(gray, second).codes)


def _findings(gray: Gray, second: SecondOpinion | None) -> _Findings:
    found = _Findings()
    for look in _looks(gray, found):
        found.note(*look())
        _look_closer(gray, found)
    if second is not None and not found.explained and gray.size <= _SECOND_MOST:
        found.note(_second_opinion(gray, second), [])
    return found


def _looks(gray: Gray, found: _Findings) -> Iterator[Callable[[], _Scanned]]:
    """Give functions that each search the picture in another way, until `found` explains it.

    The one with the best gain for its time comes first. Each returns the codes that it read, and the places of
    others.
    """
    if min(gray.shape) < 12:
        return
    yield partial(_plain, gray)
    if len(found.codes) >= _SEVERAL or not (found.explained or found.fills(gray, _ALONE)):
        known = [*(code.corners for code in found.codes), *(place.corners for place in found.tried)]
        for box in fine_places(gray, known, _FINE_MOST):
            yield partial(_enlarged, gray, box)
    for factor in (0.25, 0.5) if gray.size > _SHRINK_FIRST else (0.5,):
        if found.explained:
            return
        yield partial(_shrunk, gray, factor)
    # A code that fills the picture was sharpened where it lies.
    if not found.explained and (found.codes or not found.fills(gray)):
        yield partial(_sharpened, gray)


def _plain(gray: Gray) -> _Scanned:
    """Decode the codes of a picture as it is.

    Returns codes, and places where a code was located but not decoded.
    """
    codes, failed = _scan(gray, PLAIN, downscale=True)
    if failed:
        # A place that is reported as not decoded may hide one at another scale that is.
        codes += _scan(gray, PLAIN, downscale=True, failures=False)[0]
    return codes, failed


def _enlarged(gray: Gray, box: Box) -> _Scanned:
    picture, back = scaled(gray, box)
    # Light codes on dark ground are looked for in the whole picture, and once where one was located.
    scanned = _scan(sharpened(picture, _SHARPEN_PLACE), ENLARGED, invert=False)
    if not any(scanned):
        # The decoder binarises areas of 40 px; smaller ones follow a change of light.
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
    """Try codes that were located but not decoded in more ways; note the results in `found`.

    A code that stays unread is given up.
    """
    while found.unread and len(found.tried) < _PLACES_MOST:
        place = found.unread.pop(0)
        bent = len(found.tried) < _BENT_MOST
        codes = next((codes for codes in _attempts(gray, place, bent=bent) if codes), None)
        if codes is None:
            found.give_up(place)
        else:
            found.note(codes, [])


def _attempts(gray: Gray, place: Unread, *, bent: bool) -> Iterator[list[Code]]:
    picture, back = place.upright(gray, place.side)
    yield _moved(_scan(sharpened(picture, _SHARPEN_UPRIGHT), UPRIGHT, failures=False), back)[0]
    picture, back = place.upright(gray, _UPRIGHT_PX)
    yield _moved(_scan(picture, UPRIGHT, invert=False, failures=False), back)[0]
    # The corners of an unrolled code are approximated by those of its place.
    for axis, bow in BENDS if bent else ():
        flat = unrolled(picture, axis, bow)
        codes, _ = _scan(flat, BENT, invert=False, failures=False)
        yield [replace(code, corners=place.corners) for code in codes]


def _evened(gray: Gray, limit: float, tiles: int) -> Gray:
    """Even a picture's contrast in `tiles` x `tiles` parts.

    CLAHE (adaptive histogram equalisation) is used. `limit`: greatest amplification.
    """
    return np.asarray(cv2.createCLAHE(limit, (tiles, tiles)).apply(gray), np.uint8)


def _scan(
    gray: Gray, stage: str, *, downscale: bool = False, invert: bool = True, failures: bool = True
) -> _Scanned:
    """Decode a picture by one pass of zxing-cpp.

    Returns codes, and places where a code was located but not decoded (none without `failures`). `stage`:
    method noted in each code. `downscale`, `invert`: try reduced and inverted pictures as well.
    """
    codes, failed = [], []
    picture = np.ascontiguousarray(gray)

    def look(mode: zxingcpp.TextMode) -> Sequence[zxingcpp.Barcode]:
        return zxingcpp.read_barcodes(
            picture,
            formats=_QR,
            try_downscale=downscale,
            try_invert=invert,
            text_mode=mode,
            return_errors=failures,
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
            failed.append(Unread(corners, modules))
    return codes, failed


def _moved(scanned: _Scanned, matrix: Matrix) -> _Scanned:
    """Map codes and places of a part to px of the whole picture.

    `matrix`: 3 x 3, from px of the part.
    """
    codes, failed = scanned
    return (
        [replace(code, corners=_mapped(code.corners, matrix)) for code in codes],
        [replace(place, corners=_mapped(place.corners, matrix)) for place in failed],
    )


def _code(raw: bytes, text: str, corners: Corners, stage: str) -> Code:
    ours = raw.decode("ascii") if _OURS.fullmatch(raw) else None
    return Code(text, ours, corners, stage, _QUALITY.get(stage, 0.9))


def _markers(gray: Gray) -> tuple[MarkerSeen, ...]:
    """Find printed markers of any size in a grey picture.

    Large ones are searched in the reduced whole picture, small ones in tiles. OpenCV takes some milliseconds
    for every square, so a picture full of squares is not searched to its end.
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
    # Markers from the tiles come first, because their corners are the most accurate.
    return markers_once(found[::-1], 8 / scale)


def _squares(gray: Gray, side: float) -> int:
    """Count square outlines that the marker detector would examine.

    `side`: expected side (px) of a marker; much smaller outlines are not counted. 0 counts all from 10 px up.
    """
    edges = cv2.adaptiveThreshold(gray, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, 23, 12)
    count = 0
    for contour in cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
        around = cv2.arcLength(contour, True)
        if around > 4 * max(10.0, 0.6 * side):
            count += len(cv2.approxPolyDP(contour, 0.03 * around, True)) == 4
    return count


def _at_most(gray: Gray, pixels: int) -> tuple[Gray, float]:
    """Reduce a picture to at most `pixels` px.

    Returns the picture, and the factor applied to its sides (1 or less).
    """
    if gray.size <= pixels:
        return gray, 1.0
    scale = math.sqrt(pixels / gray.size)
    return np.asarray(cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8), scale


def _second_opinion(gray: Gray, second: SecondOpinion) -> list[Code]:
    """Read a picture's codes with zbar; keep plain ASCII only.

    zbar guesses other encodings without saying so.
    """
    codes = []
    for opinion in second.read(gray):
        box = cv2.boxPoints(cv2.minAreaRect(np.array(opinion.outline, np.float32)))
        corners = tuple((float(x), float(y)) for x, y in box)
        if opinion.raw.isascii():
            codes.append(_code(opinion.raw, opinion.raw.decode("ascii"), corners, SECOND))
    return codes


def _mapped(corners: Corners, matrix: Matrix) -> Corners:
    mapped = cv2.perspectiveTransform(np.array([corners], np.float64), matrix)[0]
    return tuple((float(x), float(y)) for x, y in mapped)


def _beside(places: Sequence[Unread], others: Sequence[Code] | Sequence[Unread]) -> list[Unread]:
    """Keep undecoded codes' places that overlap none of `others`."""
    return [place for place in places if not any(_overlap(place.corners, other.corners) for other in others)]


def _overlap(a: Corners, b: Corners) -> bool:
    """True if one outline's centre lies within the other.

    Outlines have 4 corners.
    """
    return _centre_within(a, b) or _centre_within(b, a)


def _centre_within(a: Corners, b: Corners) -> bool:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = a
    x, y = (ax + bx + cx + dx) / 4, (ay + by + cy + dy) / 4
    # Most places are far apart, and a picture of many codes has thousands of pairs.
    xs, ys = zip(*b, strict=True)
    if x < min(xs) or x > max(xs) or y < min(ys) or y > max(ys):
        return False
    return cv2.pointPolygonTest(np.array(b, np.float32), (x, y), False) >= 0
