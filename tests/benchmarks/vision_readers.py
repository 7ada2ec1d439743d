"""Our readers and the stock ones behind one face: a frame in, what was read and where out."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
import zxingcpp
from numpy.typing import NDArray

from companion.sensing.picture_report import printed
from tests.benchmarks.vision_table import Table
from vision.codes.code_reader import STEPS
from vision.codes.codebook import Codebook
from vision.codes.sticker_set import MARKER_DICTIONARY, Gray
from vision.codes.zbar_process import SecondOpinion
from vision.mat.mat_finder import register
from vision.mat.registration import Registration
from vision.mat.straight_views import read_flat
from vision.photos.photo_reader import read_codes
from vision.photos.picture_files import Picture, read_all

OURS = "companion"
_QR = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)


@dataclass(frozen=True, slots=True)
class Sighted:
    """A text or a marker's id as text, the middle of where it was seen, px, and our step that read it."""

    tag: str
    x: float
    y: float
    stage: str = ""


class Reader(Protocol):
    """Reads frames. `name` is how results are labelled."""

    name: str

    def read(self, gray: Gray) -> list[Sighted]:
        """Everything read in `gray`, H x W."""
        ...


class ZxingReader:
    """zxing-cpp as it comes, QR codes only, their texts without names for control characters."""

    name = "zxing-cpp"

    def read(self, gray: Gray) -> list[Sighted]:
        found = zxingcpp.read_barcodes(gray, formats=_QR, text_mode=zxingcpp.TextMode.Plain)
        return [
            Sighted(
                str(code.text),
                (code.position.top_left.x + code.position.bottom_right.x) / 2,
                (code.position.top_left.y + code.position.bottom_right.y) / 2,
            )
            for code in found
        ]


class ZxingTriesReader:
    """zxing-cpp with the second tries that people give it: contrast evened, sharpened, twice the size."""

    name = "zxing-cpp tries"
    _ENLARGED_MOST = 6_000_000

    def __init__(self) -> None:
        self._once = ZxingReader()

    def read(self, gray: Gray) -> list[Sighted]:
        soft = cv2.GaussianBlur(gray, (0, 0), 2)
        tries = [
            gray,
            cv2.createCLAHE(2.0, (8, 8)).apply(gray),
            cv2.addWeighted(gray, 2.0, soft, -1.0, 0),
        ]
        if gray.size < self._ENLARGED_MOST:
            tries.append(cv2.resize(gray, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC))
        found: Counter[str] = Counter()
        for picture in tries:
            found |= Counter(seen.tag for seen in self._once.read(np.asarray(picture, np.uint8)))
        return [Sighted(text, 0, 0) for text in found.elements()]


class PyzbarReader:
    """pyzbar, QR codes only, in a process of its own because it may abort; that adds a copy of the picture."""

    name = "pyzbar"

    def __init__(self) -> None:
        self._zbar = SecondOpinion(limit_s=20.0)
        self._zbar.read(np.zeros((64, 64), np.uint8))

    def read(self, gray: Gray) -> list[Sighted]:
        return [
            Sighted(opinion.raw.decode("utf-8", "replace"), *_middle(np.array(opinion.outline)))
            for opinion in self._zbar.read(gray)
        ]


class OpenCvReader:
    """OpenCV's QRCodeDetector or QRCodeDetectorAruco as they come."""

    def __init__(self, detector: cv2.QRCodeDetector | cv2.QRCodeDetectorAruco, name: str) -> None:
        self._detector = detector
        self.name = name

    def read(self, gray: Gray) -> list[Sighted]:
        try:
            _, texts, quads, _ = self._detector.detectAndDecodeMulti(gray)
        except (UnicodeDecodeError, cv2.error):
            # A foreign payload loses the whole frame: that is how it is.
            return []
        return [
            Sighted(text, *_middle(np.asarray(quad)))
            for text, quad in zip(texts, [] if quads is None else quads, strict=True)
            if text
        ]


class ArucoReader:
    """OpenCV's marker detector as it comes."""

    name = "opencv-aruco"

    def __init__(self) -> None:
        self._detector = cv2.aruco.ArucoDetector(MARKER_DICTIONARY)

    def read(self, gray: Gray) -> list[Sighted]:
        quads, ids, _ = self._detector.detectMarkers(gray)
        if ids is None:
            return []
        return [
            Sighted(str(int(number)), *_middle(np.asarray(quad)))
            for number, quad in zip(np.ravel(ids), quads, strict=True)
        ]


class TableReader:
    """What the live camera does with a frame in which everything has changed: every zone is read once.

    `steps` are those of the cascade that are taken.
    """

    name = OURS

    def __init__(self, payloads: Iterable[str], side_mm: float, steps: Sequence[str] = STEPS) -> None:
        self._book = Codebook(payloads)
        self._side_mm = side_mm
        self._steps = steps
        self._seen: tuple[Table, Registration] | None = None

    def watch(self, table: Table, gray: Gray) -> None:
        """Find the mat, which is not counted as reading; without it nothing is read."""
        found = register(table.mat, gray)
        self._seen = None if found is None else (table, found)

    def read(self, gray: Gray) -> list[Sighted]:
        if self._seen is None:
            return []
        table, registration = self._seen
        found: dict[tuple[str, int, int], Sighted] = {}
        for zone in table.mat.zones:
            rect = registration.zone_rect(zone, 0.6 * self._side_mm)
            reading = read_flat(gray, rect, registration, self._side_mm, self._book, steps=self._steps)
            side = self._side_mm * registration.px_per_mm(*zone.centre)
            tags = [(code.text, code.centre) for code in reading.codes]
            tags += [(str(marker.id), marker.centre) for marker in reading.markers]
            for tag, (x, y) in tags:
                # Zones overlap by their margins: the same thing at the same place is one sighting.
                found[tag, round(x / side), round(y / side)] = Sighted(tag, x, y)
        return list(found.values())


class PhotoReader:
    """The cascade for photographs."""

    name = OURS

    def read(self, gray: Gray) -> list[Sighted]:
        return [Sighted(code.text, *code.centre, code.stage) for code in read_codes(gray)]


class WholeReader:
    """All that `companion read` does with a picture: codes, markers, stickers on a mat. Codes alone count."""

    name = "companion read"

    def __init__(self) -> None:
        self._printed = printed()
        self._shown: tuple[Gray, Picture] | None = None

    def show(self, gray: Gray) -> None:
        """Prepare a picture as a JPEG is decoded where no card is enrolled: in grey. It is not counted as
        reading."""
        self._shown = gray, Picture(gray, gray.shape[1], gray.shape[0], 1.0)

    def read(self, gray: Gray) -> list[Sighted]:
        if self._shown is None or self._shown[0] is not gray:
            self.show(gray)
        assert self._shown is not None
        found = read_all(self._shown[1], printed=self._printed)
        return [Sighted(code.text, *code.centre, code.stage) for code in found.codes]


def stock_readers() -> list[Reader]:
    """The decoders a program would take from the shelf."""
    return [
        ZxingReader(),
        PyzbarReader(),
        OpenCvReader(cv2.QRCodeDetector(), "opencv"),
        OpenCvReader(cv2.QRCodeDetectorAruco(), "opencv-aruco-qr"),
    ]


def _middle(points: NDArray[np.generic]) -> tuple[float, float]:
    x, y = points.reshape(-1, 2).astype(float).mean(axis=0)
    return float(x), float(y)
