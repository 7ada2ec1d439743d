"""Remembers a table without a mat, as setup saw it: its place and its look."""

from dataclasses import dataclass
from functools import cached_property

import cv2
import msgspec
import numpy as np

from vision.codes.sticker_set import Gray
from vision.errors import UnusableError
from vision.mat.landmarks import HALF, Spot, halved, learn
from vision.mat.lens_model import Lens
from vision.mat.mat_fit import Fit
from vision.mat.registration import Registration
from vision.reasons import HomeDamaged, Simple

_VERSION = 1
_JPEG = (cv2.IMWRITE_JPEG_QUALITY, 92)
_MOST_PX = 12000


class _Stored(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    width: int
    height: int
    matrix: tuple[float, ...]
    lens: tuple[float, float, float]
    k: tuple[float, ...]
    error_mm: float
    picture: bytes


@dataclass(frozen=True, eq=False)
class Home:
    """Table without a mat, as setup saw it.

    `registration`: where it lies in the picture. `picture`: the picture at half size. `fresh`: setup was just
    done, so even a smooth cloth, which has no landmarks, counts as unmoved.
    """

    registration: Registration
    picture: Gray
    fresh: bool = False

    @classmethod
    def of(cls, registration: Registration, gray: Gray, *, fresh: bool = False) -> "Home":
        """Remember a table by its picture, without the corner cards.

        `gray`: the whole picture. `fresh`: whether setup has just been done.
        """
        return cls(registration, halved(gray), fresh)

    @cached_property
    def spots(self) -> tuple[Spot, ...]:
        """The picture's landmarks, by which the table is found."""
        return learn(self.picture)


def home_bytes(home: Home) -> bytes:
    """Encode a remembered table for a rig's profile."""
    there = home.registration
    lens = there.lens
    stored = _Stored(
        _VERSION,
        there.width,
        there.height,
        tuple(there.fit.matrix.ravel().tolist()),
        (lens.focal, lens.cx, lens.cy),
        lens.k,
        there.error_mm,
        cv2.imencode(".jpg", home.picture, _JPEG)[1].tobytes(),
    )
    return msgspec.msgpack.encode(stored)


def home_of(data: bytes, where: str) -> Home:
    """Decode a remembered table from the bytes of `home_bytes`.

    UnusableError, which names `where`, if they are damaged or of a newer program.
    """
    try:
        stored = msgspec.msgpack.decode(data, type=_Stored)
        if stored.version != _VERSION:
            raise UnusableError(Simple.HOME_OF_NEWER_PROGRAM, where)
        if not (0 < stored.width <= _MOST_PX and 0 < stored.height <= _MOST_PX):
            raise ValueError("no size of a picture")
        matrix = np.array(stored.matrix, np.float64).reshape(3, 3)
        if not np.isfinite(matrix).all() or abs(np.linalg.det(matrix)) == 0:
            raise ValueError("no mapping")
        picture = cv2.imdecode(np.frombuffer(stored.picture, np.uint8), cv2.IMREAD_GRAYSCALE)
        if picture is None or picture.shape != (stored.height // HALF, stored.width // HALF):
            raise ValueError("no picture")
    except UnusableError:
        raise
    except (msgspec.MsgspecError, ValueError, cv2.error) as error:
        raise UnusableError(HomeDamaged(str(error)), where) from None
    lens = Lens(stored.width, stored.height, *stored.lens, stored.k)
    fit = Fit(matrix, lens, 0.0, 0.0)
    placed = Registration(fit, stored.width, stored.height, 0, stored.error_mm)
    return Home(placed, np.asarray(picture, np.uint8))
