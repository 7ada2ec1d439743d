"""Reasons why a camera, a picture or a mat cannot be used, and how they are, as facts without words.

A reason with values is a `Fact`, one without is a `Simple`. The application has the words. Where a reason is
wanted, a `str` is also accepted: words of a driver, a server or a file, as they came.
"""

from enum import Enum, auto

import msgspec


class Simple(Enum):
    """Reason without values; its name says it."""

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
    """Base class of reasons that carry values."""


Reason = Fact | Simple


class At(Fact, frozen=True):
    """Reason together with where it holds: a file, an address or a device."""

    where: Reason | str
    reason: Reason | str


# Cards known by their art


class BookUnreadable(Fact, frozen=True):
    """The file of enrolled cards cannot be read.

    `why`: the system's words, or "".
    """

    why: str


class BookUnwritable(Fact, frozen=True):
    """The file of enrolled cards cannot be written.

    `why`: the system's words, or "".
    """

    why: str


class BookDamaged(Fact, frozen=True):
    """The file of enrolled cards is damaged or another file.

    `why`: what is wrong with it.
    """

    why: Reason | str


class CardsMiscounted(Fact, frozen=True):
    """Photographs show another number of cards than names were given.

    `kinds`: number of names. `seen`: cards in each photograph, as "4 + 3".
    """

    kinds: int
    seen: str


# Cameras


class LessThanAsked(Fact, frozen=True):
    """A camera gives less than was asked for.

    `size` (px), `rate` (frames a second): what was asked for and not given. None for a wish that was met.
    """

    size: tuple[int, int] | None
    rate: float | None


class Locked(Fact, frozen=True):
    """A camera holds some settings, and changes others by itself.

    `settings`: those that it holds. `free`: those that it could not lock. Names are "focus", "exposure",
    "white balance".
    """

    settings: tuple[str, ...]
    free: tuple[str, ...] = ()


class Noted(Fact, frozen=True):
    """Several notes on one camera, in order."""

    notes: "tuple[Reason, ...]"


class Webcam(Fact, frozen=True):
    """A camera is a webcam.

    `format`: its pixel format, four letters such as "MJPG"; "" if unknown.
    """

    format: str = ""


class Running(Fact, frozen=True):
    """A live camera delivers pictures.

    `kind`: of camera. `size`: width and height (px). `rate`: frames a second; None if unknown. `promised`: the
    rate agreed to, if it is not reached. `note`: what else to say on the camera, as in `CameraInfo`.
    """

    kind: "Reason | str"
    size: tuple[int, int]
    rate: int | None
    promised: int | None = None
    note: "Reason | str" = ""


class Playing(Fact, frozen=True):
    """A recording is being played.

    `kind`: of recording. `size`: width and height (px). `number`: frames played so far; `spoilt` of them could
    not be read.
    """

    kind: "Reason | str"
    size: tuple[int, int]
    number: int
    spoilt: int = 0


class RecordingEnded(Fact, frozen=True):
    """A recording of `number` frames has ended.

    `spoilt` of them could not be read.
    """

    number: int
    spoilt: int = 0


class NoPictureFor(Fact, frozen=True):
    """A live camera has sent no picture for more than `seconds`."""

    seconds: float


class CameraLost(Fact, frozen=True):
    """A live camera was lost, and is being opened again.

    `why`: what happened.
    """

    why: "Reason | str"


class WaitingFor(Fact, frozen=True):
    """A live camera is not there yet, and is waited for.

    `error`: why it could not be opened.
    """

    error: At


class Held(Fact, frozen=True):
    """Another program holds the camera.

    `device`: its path; "" for the Raspberry Pi's own camera.
    """

    device: str = ""


class SourceUnreadable(Fact, frozen=True):
    """A recording cannot be read.

    `why`: the system's words, or "".
    """

    why: str


class CsiNotStarted(Fact, frozen=True):
    """The Raspberry Pi's own camera does not start.

    `why`: the driver's words.
    """

    why: str


class CsiBesideNumpy(Fact, frozen=True):
    """The camera library (picamera2) was built for an older NumPy.

    `version`: of NumPy. `error`: the library's words. `executable`: path of the Python that runs this program.
    `simplejpeg`: requirement for pip that mends it.
    """

    version: str
    error: str
    executable: str
    simplejpeg: str


class Unencrypted(Fact, frozen=True):
    """The connection to a network camera cannot be encrypted.

    `why`: the words of the TLS library.
    """

    why: str


class NoAnswer(Fact, frozen=True):
    """A network camera does not answer.

    Perhaps it is switched off. `why`: the system's words.
    """

    why: str


class NoWebServer(Fact, frozen=True):
    """Something other than a web server answers at a camera's address.

    `why`: what was wrong with its answer.
    """

    why: str


class SignIn(Enum):
    """What is wrong with the name and password that a network camera asks for.

    MISSING: none was given. WRONG: the camera refuses them. OTHER_KIND: it wants a way to sign in that is not
    known here.
    """

    MISSING = auto()
    OTHER_KIND = auto()
    WRONG = auto()


class Refused(Fact, frozen=True):
    """A network camera refuses the request with an HTTP code.

    `why`: the server's words. `sign_in`: what is wrong with name and password, for code 401; else None.
    """

    code: int
    why: str
    sign_in: SignIn | None = None


class NoPictureWithin(Fact, frozen=True):
    """A network camera was opened, but sent nothing within `seconds`."""

    seconds: float


class StreamWithoutPicture(Fact, frozen=True):
    """A network stream does not begin with a picture.

    `why`: what was wrong.
    """

    why: "Reason | str"


class WebPage(Fact, frozen=True):
    """A camera's address shows a web page instead of a stream.

    `words`: how it begins.
    """

    words: str


class OtherKind(Fact, frozen=True):
    """A camera's address answers with a content type that no camera is known to send.

    `kind`: the content type.
    """

    kind: str


class PictureTooLarge(Fact, frozen=True):
    """A picture of a network camera claims too many pixels: `width` x `height`."""

    width: int
    height: int


class TooManyLayers(Fact, frozen=True):
    """A JPEG of a network camera has too many scans (passes over the picture): `number`."""

    number: int


class Silent(Fact, frozen=True):
    """Nothing came from a network camera for `seconds`."""

    seconds: float


# Mat and table


class PlaceFit(Fact, frozen=True):
    """How well the place of a mat, or of a bare table, was found in the picture.

    `scale`: px/mm. `by_hand`: corner cards were laid by hand. `bent`: bend of the lens (%); None: small.
    `loose_mm`: distance of one corner card from its place; None: small. `error_mm`: residual of all markers;
    None: small.
    """

    scale: float
    by_hand: bool
    bent: int | None
    loose_mm: int | None
    error_mm: float | None


class MatFound(Fact, frozen=True):
    """The mat was found by `markers` of its corner markers.

    `words`: how well.
    """

    markers: int
    words: PlaceFit


class MatLost(Fact, frozen=True):
    """The mat is not found: only `seen` of its `of` corner markers are in sight.

    Likely causes: `dark`: too little light. `beyond`: the mat reaches beyond the picture. `unfocused`: the
    picture is not sharp.
    """

    seen: int
    of: int
    dark: bool = False
    beyond: bool = False
    """True if the mat seems to reach beyond the picture."""
    unfocused: bool = False


class MatOfOtherGame(Fact, frozen=True):
    """The mat of another game (`other`) lies there, not that of `game`.

    Both are names of mats.
    """

    other: str
    game: str


class MatMoved(Fact, frozen=True):
    """Camera or mat moved by `px` px, so the mat is searched again."""

    px: int


class TableMoved(Fact, frozen=True):
    """Camera or table moved by `px` px. The table has no mat, and is searched again."""

    px: int


class TableFound(Fact, frozen=True):
    """A table without a mat is where it was.

    `words`: how well the picture fits.
    """

    words: PlaceFit


class TableFoundAgain(Fact, frozen=True):
    """A table without a mat was found `px` px away from where it was.

    `words`: how well the picture fits.
    """

    px: int
    words: PlaceFit


class TableFoundByCards(Fact, frozen=True):
    """A table without a mat was found between four corner cards.

    `words`: how well the picture fits.
    """

    words: PlaceFit


class HomeDamaged(Fact, frozen=True):
    """The file that should remember a table's place is damaged.

    `why`: what is wrong with it.
    """

    why: str


class LensBendsTooMuch(Fact, frozen=True):
    """A lens has more distortion coefficients than are known: `number`."""

    number: int


class LensOfOtherShape(Fact, frozen=True):
    """A lens was measured with pictures of other proportions.

    `width`, `height`: size of those pictures (px). `wide`, `high`: size (px) of the pictures that it cannot
    serve.
    """

    width: int
    height: int
    wide: int
    high: int


# Picture files


class OtherPictureKind(Fact, frozen=True):
    """A picture is of a kind, such as "HEIC", that cannot be decoded here."""

    kind: str


class RawPhotograph(Fact, frozen=True):
    """A photograph is of a raw kind, such as "DNG", that cannot be decoded here."""

    kind: str


class TooManyMegapixels(Fact, frozen=True):
    """A file claims `number` million pixels; at most `most` million are decoded."""

    number: int
    most: int


class TooManyBytes(Fact, frozen=True):
    """A picture file is too large: `size` bytes."""

    size: int


class FileUnreadable(Fact, frozen=True):
    """A file cannot be read.

    `why`: the system's words, or "".
    """

    why: str


# Printed tags


class TagGivenTwice(Fact, frozen=True):
    """Two cards carry one tag.

    `what`: "sticker" or "marker". `tag`: its text or number. `code`, `other`: codes of the two cards.
    """

    what: str
    tag: str | int
    code: str
    other: str


class NoPayload(Fact, frozen=True):
    """No QR sticker can carry the text `payload`."""

    payload: str


class NoMarker(Fact, frozen=True):
    """A printed marker of this number does not exist: `number`.

    `most`: the largest number.
    """

    number: int
    most: int


class TooFewPixels(Fact, frozen=True):
    """A tag cannot be drawn as small as `px` a side; at `least` so many are needed."""

    px: int
    least: int
