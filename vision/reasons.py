"""Reasons: why a camera, a picture or a mat cannot be used, and how they are, as facts without words.

A reason with values is a `Fact`, one without is a `Simple`. The application has the words. Where a reason is
wanted, a `str` is also accepted: words of a driver, a server or a file, as they came.
"""

from enum import Enum, auto

import msgspec


class Simple(Enum):
    """Reason that has no values."""

    # Cards known by their art
    BAD_CARD_NAME = auto()
    BOOK_TOO_LARGE = auto()
    NO_CARD_SEEN = auto()
    NO_CARD_LAY_STILL = auto()
    NOTHING_TO_ENROL = auto()
    # Kinds and states of cameras
    NO_CAMERA_YET = auto()
    NETWORK_MJPEG = auto()
    NETWORK_STREAM = auto()
    PICTURES = auto()
    EXPOSING = auto()
    FOCUSING = auto()
    # Cameras that cannot be opened
    NO_SUCH_CAMERA = auto()
    NO_ADDRESS = auto()
    NOT_PLUGGED_IN = auto()
    WEBCAM_NOT_OPENED = auto()
    STREAM_NOT_OPENED = auto()
    NO_PERMISSION = auto()
    NO_PICAMERA2 = auto()
    SINGLE_PICTURE = auto()
    NO_PICTURE_IN_FOLDER = auto()
    NO_VIDEO = auto()
    NO_TIMES = auto()
    # Cameras that were lost
    PICTURES_UNREADABLE = auto()
    NO_MORE_FRAMES = auto()
    NO_PICTURE_IN_STREAM = auto()
    PICTURE_TOO_LONG = auto()
    STREAM_ENDED = auto()
    # Mat and table
    DARK = auto()
    PICTURE_CHANGED = auto()
    TABLE_LOST = auto()
    MAT_MISFIT = auto()
    MIRRORED = auto()
    BLURRED = auto()
    MARKERS_GONE = auto()
    SHEETS_EXCHANGED = auto()
    HOME_OF_NEWER_PROGRAM = auto()
    LENS_IMPOSSIBLE = auto()
    # Picture files
    NO_PICTURE_FILE = auto()
    DAMAGED_PICTURE = auto()
    IS_FOLDER = auto()
    NO_FILE = auto()
    NOT_THERE = auto()


class Fact(msgspec.Struct, frozen=True):
    """Base of the reasons that have values."""


Reason = Fact | Simple


class At(Fact, frozen=True):
    """Reason with the file, address or device that it is about."""

    where: Reason | str
    reason: Reason | str


# Cards known by their art


class BookUnreadable(Fact, frozen=True):
    """File of enrolled cards that the system does not read; `why` may be ""."""

    why: str


class BookUnwritable(Fact, frozen=True):
    """File of enrolled cards that the system does not write; `why` may be ""."""

    why: str


class BookDamaged(Fact, frozen=True):
    """File that holds no enrolled cards."""

    why: Reason | str


class CardsMiscounted(Fact, frozen=True):
    """Number of names, and the numbers of cards seen in the photographs, as "4 + 3"."""

    kinds: int
    seen: str


# Cameras


class LessThanAsked(Fact, frozen=True):
    """Size (px) and rate (frames a second) that were asked for and not given; None for what was given."""

    size: tuple[int, int] | None
    rate: float | None


class Locked(Fact, frozen=True):
    """Settings that a camera holds, and those that it changes by itself, as in `CameraInfo.refused`."""

    settings: tuple[str, ...]
    free: tuple[str, ...] = ()


class Noted(Fact, frozen=True):
    """Several notes on a camera."""

    notes: "tuple[Reason, ...]"


class Webcam(Fact, frozen=True):
    """Kind of camera, with its pixel format ("MJPG"); "" if unknown."""

    format: str = ""


class Running(Fact, frozen=True):
    """Live camera that delivers pictures: kind, size (px), and frames a second.

    `rate`: None if unknown. `promised`: the rate agreed to, if it is not reached. `note`: as in `CameraInfo`.
    """

    kind: "Reason | str"
    size: tuple[int, int]
    rate: int | None
    promised: int | None = None
    note: "Reason | str" = ""


class Playing(Fact, frozen=True):
    """Recording: its kind, size (px), and the number of frames played; `spoilt` of them could not be read."""

    kind: "Reason | str"
    size: tuple[int, int]
    number: int
    spoilt: int = 0


class RecordingEnded(Fact, frozen=True):
    """Recording of `number` frames that has ended; `spoilt` of them could not be read."""

    number: int
    spoilt: int = 0


class NoPictureFor(Fact, frozen=True):
    """Live camera without a picture for more than so many seconds."""

    seconds: float


class CameraLost(Fact, frozen=True):
    """Live camera that is opened again."""

    why: "Reason | str"


class WaitingFor(Fact, frozen=True):
    """Live camera that is not there yet."""

    error: At


class Held(Fact, frozen=True):
    """Camera that another program holds; `device` is its path, "" for the Raspberry Pi's own."""

    device: str = ""


class SourceUnreadable(Fact, frozen=True):
    """Recording that the system does not read; `why` may be ""."""

    why: str


class CsiNotStarted(Fact, frozen=True):
    """Raspberry Pi's own camera that does not start."""

    why: str


class CsiBesideNumpy(Fact, frozen=True):
    """Camera library (picamera2) built for an older NumPy, and what mends that."""

    version: str
    error: str
    executable: str
    simplejpeg: str


class Unencrypted(Fact, frozen=True):
    """Connection that cannot be encrypted."""

    why: str


class NoAnswer(Fact, frozen=True):
    """Network camera that does not answer."""

    why: str


class NoWebServer(Fact, frozen=True):
    """Address at which something other than a web server answers."""

    why: str


class SignIn(Enum):
    """What is wrong with name and password where a network camera asks for them."""

    MISSING = auto()
    OTHER_KIND = auto()
    WRONG = auto()


class Refused(Fact, frozen=True):
    """Network camera that refuses with an HTTP code; `sign_in` for code 401."""

    code: int
    why: str
    sign_in: SignIn | None = None


class NoPictureWithin(Fact, frozen=True):
    """Network camera that is opened, and sends no picture within so many seconds."""

    seconds: float


class StreamWithoutPicture(Fact, frozen=True):
    """Stream whose beginning is no picture."""

    why: "Reason | str"


class WebPage(Fact, frozen=True):
    """Web page instead of a stream, and its first words."""

    words: str


class OtherKind(Fact, frozen=True):
    """Answer of a content type that no camera is known to send."""

    kind: str


class PictureTooLarge(Fact, frozen=True):
    """Picture of a stream that claims too many pixels."""

    width: int
    height: int


class TooManyLayers(Fact, frozen=True):
    """Picture of a stream with too many scans."""

    number: int


class Silent(Fact, frozen=True):
    """Stream from which nothing came for so many seconds."""

    seconds: float


# Mat and table


class PlaceFit(Fact, frozen=True):
    """How well a place was found: scale (px/mm), bend of the lens (%), and what does not fit (mm).

    `loose_mm`: distance of one corner from its place. `error_mm`: residual of all markers. None: small.
    """

    scale: float
    by_hand: bool
    bent: int | None
    loose_mm: int | None
    error_mm: float | None


class MatFound(Fact, frozen=True):
    """Mat that was found, and the number of markers that were used."""

    markers: int
    words: PlaceFit


class MatLost(Fact, frozen=True):
    """Mat that is not found: corner markers in sight, of all, and the likely cause."""

    seen: int
    of: int
    dark: bool = False
    beyond: bool = False
    """True if the mat reaches beyond the picture."""
    unfocused: bool = False


class MatOfOtherGame(Fact, frozen=True):
    """Mat of another game, by the mats' names."""

    other: str
    game: str


class MatMoved(Fact, frozen=True):
    """Mat that is searched again, because camera or mat moved so far (px)."""

    px: int


class TableMoved(Fact, frozen=True):
    """Table without a mat that is searched again, because it moved so far (px)."""

    px: int


class TableFound(Fact, frozen=True):
    """Table without a mat that is where it was."""

    words: PlaceFit


class TableFoundAgain(Fact, frozen=True):
    """Table without a mat that was found so far (px) from where it was."""

    px: int
    words: PlaceFit


class TableFoundByCards(Fact, frozen=True):
    """Table without a mat that was found between four cards."""

    words: PlaceFit


class HomeDamaged(Fact, frozen=True):
    """File that remembers no table."""

    why: str


class LensBendsTooMuch(Fact, frozen=True):
    """Number of a lens's coefficients, more than there are."""

    number: int


class LensOfOtherShape(Fact, frozen=True):
    """Size (px) of the pictures that a lens was measured with, and of those that it cannot serve."""

    width: int
    height: int
    wide: int
    high: int


# Picture files


class OtherPictureKind(Fact, frozen=True):
    """Kind of picture ("HEIC") that is not decoded."""

    kind: str


class RawPhotograph(Fact, frozen=True):
    """Kind of raw photograph that is not decoded."""

    kind: str


class TooManyMegapixels(Fact, frozen=True):
    """Millions of pixels that a file claims, and the most that are decoded."""

    number: int
    most: int


class TooManyBytes(Fact, frozen=True):
    """Size of a file (bytes)."""

    size: int


class FileUnreadable(Fact, frozen=True):
    """File that the system does not read; `why` may be ""."""

    why: str


# Printed tags


class TagGivenTwice(Fact, frozen=True):
    """Tag ("sticker" or "marker") that two cards carry, by their codes."""

    what: str
    tag: str | int
    code: str
    other: str


class NoPayload(Fact, frozen=True):
    """Text that no sticker can carry."""

    payload: str


class NoMarker(Fact, frozen=True):
    """Number of a marker that does not exist, and the largest that does."""

    number: int
    most: int


class TooFewPixels(Fact, frozen=True):
    """Side (px) of a tag that is to be drawn, and the least possible."""

    px: int
    least: int
