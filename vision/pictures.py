"""Picture files from anywhere: checked before they are decoded, turned upright, kept to a bearable size."""

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import BadInputError
from vision.photograph import read_picture
from vision.reading import Code, MarkerSeen, Reading
from vision.stickers import Gray

_FILE_MOST = 200_000_000
"""Bytes."""
_DECODE_MOST = 120_000_000
"""Pixels a file may claim: 4 times the best phone; a few kilobytes of PNG can claim a thousand times that."""
_READ_MOST = 16_000_000
"""Pixels that are read; larger pictures are shrunk first."""
_SIGNATURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"BM", b"RIFF")


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture upright, in grey; `width` and `height` as in the file, `scale` = shown px per file px."""

    gray: Gray
    width: int
    height: int
    scale: float


def load_picture(path: Path) -> Picture:
    """The picture in a PNG, JPEG, BMP or WebP file, EXIF rotation applied; BadInputError says why not."""
    where = shown(path)
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise BadInputError("is a folder", where=where, next_step="name the pictures in it")
        if not path.is_file():
            raise BadInputError("is not a file", where=where, next_step="name a picture")
        if size > _FILE_MOST:
            raise BadInputError(f"{size} bytes are too many", where=where, next_step="shrink the picture")
        data = path.read_bytes()
    except FileNotFoundError as error:
        raise BadInputError("there is no such file", where=where, next_step="check the name") from error
    except (OSError, ValueError) as error:
        words = error.strerror if isinstance(error, OSError) and error.strerror else "cannot be opened"
        if isinstance(error, BadInputError):
            raise
        raise BadInputError(words, where=where, next_step="check the name and permissions") from error
    if not data.startswith(_SIGNATURES):
        raise BadInputError(
            "not a picture this program reads", where=where, next_step="use PNG, JPEG, BMP or WebP"
        )
    claimed = _claimed_pixels(data)
    if claimed > _DECODE_MOST:
        raise BadInputError(
            f"{claimed / 1e6:.0f} megapixels are too many",
            where=where,
            next_step=f"shrink it below {_DECODE_MOST // 1_000_000}",
        )
    try:
        decoded = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
    except (cv2.error, MemoryError):
        decoded = None
    if decoded is None or not decoded.size:
        raise BadInputError("damaged picture", where=where, next_step="take or copy it again")
    gray = np.asarray(decoded, np.uint8)
    height, width = gray.shape
    scale = min(1.0, (_READ_MOST / gray.size) ** 0.5)
    if scale < 1:
        gray = np.asarray(cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    return Picture(gray, width, height, scale)


def shown(path: Path) -> str:
    """The name as it may be printed: file names, too, come from strangers."""
    text = str(path).encode("utf-8", "replace").decode()
    return "".join(c if c.isprintable() else "?" for c in text)


def read_all(picture: Picture) -> Reading:
    """Every code and marker, corners in px of the upright file."""
    found = read_picture(picture.gray)

    def whole(corners: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
        return tuple((x / picture.scale, y / picture.scale) for x, y in corners)

    codes = tuple(Code(c.text, c.payload, whole(c.corners), c.stage) for c in found.codes)
    return Reading(codes, tuple(MarkerSeen(m.id, whole(m.corners), m.stage) for m in found.markers))


def annotated(picture: Picture, found: Reading) -> NDArray[np.uint8]:
    """The picture (H x W x 3, BGR) with what was read outlined and named."""
    canvas = cv2.cvtColor(picture.gray, cv2.COLOR_GRAY2BGR)
    thick = max(1, round(max(canvas.shape) / 900))
    labels = [(c.corners, c.text.encode("ascii", "replace").decode(), (60, 160, 0)) for c in found.codes]
    labels += [(m.corners, str(m.id), (200, 80, 0)) for m in found.markers]
    for corners, text, colour in labels:
        outline = np.round(np.array(corners) * picture.scale).astype(np.int32)
        cv2.polylines(canvas, [outline], True, colour, thick)
        at = (int(outline[:, 0].min()), max(12, int(outline[:, 1].min()) - 4))
        cv2.putText(canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5 * thick, colour, thick, cv2.LINE_AA)
    return np.asarray(canvas, np.uint8)


def _claimed_pixels(data: bytes) -> int:
    """Width times height as the file's header says; 0 if it is not understood, decoding then decides."""
    if data.startswith(b"\x89PNG"):
        return int.from_bytes(data[16:20], "big") * int.from_bytes(data[20:24], "big")
    if data.startswith(b"BM"):
        sides = (int.from_bytes(data[at : at + 4], "little", signed=True) for at in (18, 22))
        return abs(next(sides)) * abs(next(sides))
    if data.startswith(b"\xff\xd8"):
        return _jpeg_pixels(data)
    return 0  # WebP cannot be larger than 16383 x 16383, which memory bears


def _jpeg_pixels(data: bytes) -> int:
    """From the first start-of-frame segment (ITU T.81, B.2.2)."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        kind = data[at + 1]
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 5 : at + 7], "big") * int.from_bytes(data[at + 7 : at + 9], "big")
        at += 1 if kind == 0xFF else 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return 0
