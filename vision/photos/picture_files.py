"""Loads picture files safely: checked, turned upright, limited in size."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.codes.code_reader import Code, Corners, MarkerSeen
from vision.codes.sticker_set import Gray
from vision.codes.zbar_process import SecondOpinion
from vision.errors import UnusableError
from vision.photos.image_headers import claimed_size, raw_kind
from vision.photos.photo_reader import read_picture
from vision.photos.table_photo import TablePrint, read_stickers
from vision.reasons import (
    FileUnreadable,
    OtherPictureKind,
    RawPhotograph,
    Simple,
    TooManyBytes,
    TooManyMegapixels,
)

_FILE_MOST = 200_000_000
"""_FILE_MOST: size (bytes) above which a picture file is not loaded. A guess."""
_DECODE_MOST = 120_000_000
"""_DECODE_MOST: number of px above which a file is not decoded. The best phone has a quarter. A few kilobytes
of PNG can claim a thousand times that."""
_READ_MOST = 16_000_000
"""_READ_MOST: number of px above which a picture is reduced, a JPEG while it is decoded."""
_TIFF = (b"II*\0", b"MM\0*")
_JPEG = b"\xff\xd8\xff"
_SIGNATURES = (b"\x89PNG\r\n\x1a\n", _JPEG, b"BM", b"RIFF", b"GIF8", *_TIFF)
_STDERR = 2
_FOREIGN = {
    b"heic": "HEIC",
    b"heix": "HEIC",
    b"hevc": "HEIC",
    b"mif1": "HEIC",
    b"msf1": "HEIC",
    b"avif": "AVIF",
}
"""Brand of an ISO media file (ISO/IEC 23008-12) -> kind of picture that cannot be decoded here."""
_MAY_BE_CLEAR = (b"\x89PNG", b"RIFF", b"GIF8")
"""First bytes of files that may have transparent parts."""

Colour = NDArray[np.uint8]
"""A colour picture: H x W x 3, BGR."""


class CardSeen(Protocol):
    """Card recognised by its printed picture."""

    @property
    def name(self) -> str:
        """Name under which the card was enrolled."""
        ...

    @property
    def corners(self) -> Corners:
        """Four corners (px), clockwise from the printed card's upper left."""
        ...

    @property
    def quality(self) -> float:
        """Agreement (0 to 1) of the card with its enrolment."""
        ...


Recogniser = Callable[[Colour], Sequence[CardSeen]]
"""Function that recognises cards in a colour picture by their printed pictures."""


@dataclass(frozen=True, slots=True)
class Card:
    """Card recognised by its printed picture in a file.

    `name`: as enrolled. `corners`: px of the upright file. `quality` (0 to 1): how well it agrees with the
    enrolled card.
    """

    name: str
    corners: Corners
    quality: float


@dataclass(frozen=True, slots=True)
class PictureReading:
    """Everything read in a picture file: codes, markers and cards.

    Corners are px of the upright file.
    """

    codes: tuple[Code, ...]
    markers: tuple[MarkerSeen, ...]
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """Upright picture from a file, perhaps reduced or grey.

    `width`, `height`: px of the upright file. `scale`: size of `pixels` divided by the file's size (1 or
    less).
    """

    pixels: Colour | Gray
    width: int
    height: int
    scale: float

    @property
    def colour(self) -> Colour:
        """The picture in BGR, H x W x 3."""
        if self.pixels.ndim == 3:
            return self.pixels
        return np.asarray(cv2.cvtColor(self.pixels, cv2.COLOR_GRAY2BGR), np.uint8)

    @property
    def gray(self) -> Gray:
        """The picture in grey, H x W."""
        if self.pixels.ndim == 2:
            return self.pixels
        return np.asarray(cv2.cvtColor(self.pixels, cv2.COLOR_BGR2GRAY), np.uint8)


def load_picture(path: Path, *, coloured: bool = True) -> Picture:
    """Load a file's first picture, turned upright by EXIF.

    UnusableError says why it cannot be used. Sixteen bits are reduced to eight. Transparent parts become
    white, or black if the ink is mostly white. `coloured` False: a JPEG is decoded in grey, which takes less
    time.
    """
    where = str(path)
    data = _bytes_of(path, where)
    if data[4:8] == b"ftyp" and data[8:12] in _FOREIGN:
        raise UnusableError(OtherPictureKind(_FOREIGN[data[8:12]]), where)
    if raw := raw_kind(data):
        raise UnusableError(RawPhotograph(raw), where)
    if not data.startswith(_SIGNATURES):
        raise UnusableError(Simple.NO_PICTURE_FILE, where)
    width, height = claimed_size(data)
    claimed = width * height
    if not claimed:  # it hides what it claims
        raise UnusableError(Simple.DAMAGED_PICTURE, where)
    if claimed > _DECODE_MOST:
        raise UnusableError(TooManyMegapixels(round(claimed / 1000000.0), _DECODE_MOST // 1000000), where)
    halved = claimed > 4 * _READ_MOST
    grey = not coloured and data.startswith(_JPEG)
    whole, reduced = (
        (cv2.IMREAD_GRAYSCALE, cv2.IMREAD_REDUCED_GRAYSCALE_2)
        if grey
        else (cv2.IMREAD_COLOR, cv2.IMREAD_REDUCED_COLOR_2)
    )
    decoded = _decoded(data, reduced if halved else whole)
    if decoded is None:
        raise UnusableError(Simple.DAMAGED_PICTURE, where)
    pixels = np.asarray(decoded, np.uint8)
    rows, columns = pixels.shape[:2]
    if rows * columns <= _READ_MOST and data.startswith(_MAY_BE_CLEAR):
        pixels = _on_paper(data, pixels)
    if halved:
        # EXIF may have turned the picture. Odd sides are rounded up in a JPEG, down in other files.
        lies = abs(2 * columns - width) <= 1 and abs(2 * rows - height) <= 1
        width, height = (width, height) if lies else (height, width)
    else:
        width, height = columns, rows
    scale = min(1.0, (_READ_MOST / (rows * columns)) ** 0.5)
    if scale < 1:
        pixels = np.asarray(
            cv2.resize(pixels, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
    return Picture(pixels, width, height, pixels.shape[1] / width)


def _bytes_of(path: Path, where: str) -> bytes:
    try:
        size = path.stat().st_size
        if path.is_dir():
            raise UnusableError(Simple.IS_FOLDER, where)
        if not path.is_file():
            raise UnusableError(Simple.NO_FILE, where)
        if size > _FILE_MOST:
            raise UnusableError(TooManyBytes(size), where)
        return path.read_bytes()
    except UnusableError:
        raise
    except FileNotFoundError as error:
        raise UnusableError(Simple.NOT_THERE, where) from error
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else None
        raise UnusableError(FileUnreadable(why or ""), where) from error


def _decoded(data: bytes, flag: int) -> NDArray[np.uint8 | np.uint16] | None:
    # Messages about damaged files are suppressed, OpenCV's and its libraries': ours are clearer.
    before = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        with _silent():
            picture = cv2.imdecode(np.frombuffer(data, np.uint8), flag)
    except (cv2.error, MemoryError):
        return None
    finally:
        cv2.utils.logging.setLogLevel(before)
    # Sixteen bits come only with IMREAD_UNCHANGED.
    return np.asarray(picture) if picture is not None and picture.size else None


@contextmanager
def _silent() -> Iterator[None]:
    """Context in which nothing is written to standard error.

    libpng, libjpeg and libtiff write there while they decode.
    """
    sys.stderr.flush()
    try:
        kept = os.dup(_STDERR)
    except OSError:  # it is closed: nothing can be written
        yield
        return
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, _STDERR)
        os.close(nowhere)
        yield
    finally:
        os.dup2(kept, _STDERR)
        os.close(kept)


def _on_paper(data: bytes, colour: Colour) -> Colour:
    """Lay a picture's transparent parts on white paper.

    The paper is black beneath mostly white ink. `data`: bytes of the file. `colour`: the picture decoded
    without transparency, returned if nothing is transparent.
    """
    raw = _decoded(data, cv2.IMREAD_UNCHANGED)
    if raw is None or raw.ndim != 3 or raw.shape[2] != 4 or raw.shape[:2] != colour.shape[:2]:
        return colour
    most = np.iinfo(raw.dtype).max
    share = raw[..., 3:].astype(np.float32) / np.float32(most)
    if share.min() == 1:
        return colour
    ink = raw[..., :3].astype(np.float32) * np.float32(255 / most)
    dark = float((ink * share).sum()) < 127 * 3 * float(share.sum())
    return np.asarray(ink * share + (255 if dark else 0) * (1 - share), np.uint8)


def read_all(
    picture: Picture,
    recognise: Recogniser | None = None,
    second: SecondOpinion | None = None,
    printed: TablePrint | None = None,
) -> PictureReading:
    """Read every code, marker and known card in a picture.

    Corners in the result are px of the upright file. `recognise`: recognises cards by their printed pictures;
    None: no cards. `second`: a further decoder, tried last. `printed`: mats and stickers of the games. If one
    of these mats is in sight, stickers too small to be decoded are read as well.
    """
    gray = picture.gray
    read = read_picture(gray, second, None if printed is None else printed.payloads)
    small = read_stickers(gray, read.codes, read.markers, printed) if printed is not None else []
    cards = recognise(picture.colour) if recognise is not None else ()

    def whole(corners: Corners) -> Corners:
        return tuple((x / picture.scale, y / picture.scale) for x, y in corners)

    return PictureReading(
        tuple(replace(code, corners=whole(code.corners)) for code in (*read.codes, *small)),
        tuple(replace(marker, corners=whole(marker.corners)) for marker in read.markers),
        tuple(Card(card.name, whole(card.corners), card.quality) for card in cards),
    )
