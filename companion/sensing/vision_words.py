"""Says the reasons of `vision`: each has its sentence here, and its next step if there is one."""

from companion.core.errors import BadInputError, NotThereError, SourceError
from companion.core.language import Text, term, text
from companion.core.remeasuring_steps import LENS_HELP
from companion.sensing.reason_words import ReasonWords, Words
from vision import errors, reasons
from vision.reasons import Reason, SignIn, Simple

FOCUS_HELP = text("clean the lens, focus by hand (v4l2-ctl -c focus_absolute=N), on a phone tap on the table")
"""Next step if the picture is out of focus."""
MIRRORED = text("the picture is mirrored")
MIRROR_HELP = text("switch mirroring (selfie, front camera) off in the camera's settings")
"""Next step if the picture is mirrored, so that no marker or sticker is read."""
LAY_CARDS = text(
    "lay a card face down at each corner of the table, without a sleeve, then take your hands away"
)
"""Next step if a table without a mat is not where it was."""
_LISTED = text("{told}")
_PLUG = text("check the plug (v4l2-ctl --list-devices lists cameras)")
_STREAM = text("name the address of its stream, often /video, /stream or /mjpeg")
_AGAIN = text("companion setup camera learns it again")
_COPY = text("take or copy it again")

_SETTINGS = {
    "focus": term("camera", "focus"),
    "exposure": term("camera", "exposure"),
    "white balance": term("camera", "white balance"),
}
_REFUSALS = {
    403: text("this is not allowed: let this computer in by the camera's settings"),
    429: text("the camera is busy, perhaps with another viewer: close that one"),
    503: text("the camera is busy, perhaps with another viewer: close that one"),
}
"""HTTP code of a camera's refusal (RFC 9110) -> next step for people."""
_SIGN_INS = {
    SignIn.MISSING: text("it wants a name and a password: put NAME:PASSWORD@ before the host"),
    SignIn.OTHER_KIND: text(
        "it wants another kind of sign-in: choose Basic or Digest in the camera's settings"
    ),
    SignIn.WRONG: text("name or password are wrong there: try them in a browser"),
}


def setting_called(name: str) -> str:
    """Name for people of a camera's setting.

    `name`: as in `CameraInfo.refused`, e.g. "white balance".
    """
    return _SETTINGS.get(name, name)


def mat_title(name: str) -> str:
    """Name for people of the game of a mat: "some-game" becomes "Some Game"."""
    return name.replace("-", " ").title()


def _size(size: tuple[int, int]) -> str:
    return f"{size[0]} x {size[1]}"


def _less(one: reasons.LessThanAsked) -> Text:
    rate = "" if one.rate is None else f"{one.rate:.0f}"
    if one.size is None:
        return text("asked for {rate} fps", rate=rate)
    if one.rate is None:
        return text("asked for {size}", size=_size(one.size))
    return text("asked for {size} at {rate} fps", size=_size(one.size), rate=rate)


def _locked(one: reasons.Locked) -> Text:
    settings, free = (tuple(map(setting_called, names)) for names in (one.settings, one.free))
    if not settings:
        return text("nothing of it can be locked")
    if not free:
        return text("locked: {settings}", settings=settings)
    return text("locked: {settings}; not: {free}", settings=settings, free=free)


def _running(one: reasons.Running) -> Text:
    rate: str = "" if one.rate is None else text("{rate} fps", rate=one.rate)
    if one.promised is not None:
        rate = text("{rate} fps of {promised}", rate=one.rate, promised=one.promised)
    words = (words_of(one.kind), _size(one.size), rate, words_of(one.note))
    return text("{words}", words=tuple(filter(None, words)))


def _played(one: reasons.Playing | reasons.RecordingEnded) -> Text:
    if isinstance(one, reasons.Playing):
        kind, size = words_of(one.kind), _size(one.size)
        said = text("{kind}, {size}, frame {number}", kind=kind, size=size, number=one.number)
    else:
        said = text("the recording ended after {number} frames", number=one.number)
    return text("{said}, {number} of them unreadable", said=said, number=one.spoilt) if one.spoilt else said


def _refused(one: reasons.Refused) -> tuple[Text, Text]:
    step = _SIGN_INS[one.sign_in] if one.sign_in else text("check the path of the stream in a browser")
    if one.code >= 500:
        step = text("the camera has a fault: switch it off and on again")
    said = text("the camera answers {code} {why}", code=one.code, why=one.why)
    return said, _REFUSALS.get(one.code, step)


def _web_page(one: reasons.WebPage) -> tuple[Text, Text]:
    said = text("this is a web page, no stream")
    if one.words:
        said = text("this is a web page, no stream ({words})", words=one.words)
    return said, text("open it in a browser and copy the address of the moving picture")


def _held(one: reasons.Held) -> tuple[Text, Text]:
    step = text("close the other program")
    if one.device:
        step = text("close the other program (fuser {device} names it)", device=one.device)
    return text("another program holds the camera"), step


def _fit(one: reasons.PlaceFit) -> Text:
    told = [text("{scale} px per mm", scale=one.scale)]
    if one.by_hand:
        told.append(text("corners laid by hand"))
    if one.bent is not None:
        told.append(text("lens bends lines by {percent} %", percent=one.bent))
    if one.loose_mm is not None:
        told.append(text("a corner lies {off} mm beside its place: has it moved?", off=one.loose_mm))
    elif one.error_mm is not None:
        told.append(text("markers do not fit by {off} mm: has a corner moved?", off=one.error_mm))
    return _LISTED.of(told=tuple(told))


def _mat_lost(one: reasons.MatLost) -> Text:
    said = text("mat not found: {seen} of {all} corner markers in sight", seen=one.seen, all=one.of)
    if one.dark:
        return text("{said}; it is dark", said=said)
    if one.beyond:
        return text("{said}; the mat reaches beyond the picture: move the camera back", said=said)
    if one.unfocused:
        return text("{said}; the picture is out of focus: {help}", said=said, help=FOCUS_HELP)
    return said


WORDS: Words = {
    reasons.At: lambda one: _SPOKEN.placed(one.reason, one.where),
    # Cards known by their art
    Simple.BAD_CARD_NAME: (text("cannot be a card's name"), text("use 1 to 60 printable characters")),
    Simple.BOOK_TOO_LARGE: (text("too large for enrolled cards"), text("name another file")),
    reasons.BookUnreadable: lambda one: (one.why or text("cannot be read"), text("check --book")),
    reasons.BookDamaged: (
        text("cannot be read as enrolled cards ({why})"),
        text("restore a copy, or move the file away and enrol anew"),
    ),
    reasons.BookUnwritable: lambda one: (
        one.why or text("cannot be written"),
        text("check --book and the disk"),
    ),
    Simple.NO_CARD_SEEN: (
        text("no card can be made out"),
        text("lay it alone on a plain cloth and fill the picture"),
    ),
    Simple.NO_CARD_LAY_STILL: (
        text("no card lay still"),
        text("lay it alone on a plain cloth and let it lie"),
    ),
    Simple.NOTHING_TO_ENROL: (
        text("nothing to enrol"),
        text("give a photograph and the cards' names"),
    ),
    reasons.CardsMiscounted: (
        text("{kinds} cards are named and {seen} lie apart in the photograph"),
        text("lay them in rows on a plain cloth, a finger's breadth apart, and photograph from above"),
    ),
    # Kinds and states of cameras
    Simple.NO_CAMERA_YET: text("no camera yet"),
    Simple.NETWORK_MJPEG: text("MJPEG over the network"),
    Simple.NETWORK_STREAM: text("network stream"),
    Simple.PICTURES: text("pictures"),
    reasons.Webcam: lambda one: text("webcam, {format}", format=one.format) if one.format else text("webcam"),
    Simple.EXPOSING: text("exposing anew"),
    Simple.FOCUSING: text("focusing anew"),
    reasons.LessThanAsked: _less,
    reasons.Locked: _locked,
    reasons.Noted: lambda one: _LISTED.of(told=tuple(map(words_of, one.notes))),
    reasons.Running: _running,
    reasons.Playing: _played,
    reasons.RecordingEnded: _played,
    reasons.NoPictureFor: lambda one: text(
        "no picture for more than {seconds} s", seconds=f"{one.seconds:.0f}"
    ),
    reasons.WaitingFor: text("waiting for the camera: {error}"),
    # Cameras that cannot be opened
    Simple.NO_SUCH_CAMERA: (
        text("there is no such camera, file or folder"),
        text("name a number (0), an address (http://...), a video, a folder of pictures, or csi"),
    ),
    reasons.SourceUnreadable: lambda one: (
        one.why or text("cannot be read"),
        text("check its permissions"),
    ),
    Simple.NO_ADDRESS: (text("no address of a camera"), text("write it like http://HOST:PORT/PATH")),
    Simple.NOT_PLUGGED_IN: (text("no camera is plugged in under this name"), _PLUG),
    Simple.WEBCAM_NOT_OPENED: (text("no camera can be opened"), _PLUG),
    Simple.STREAM_NOT_OPENED: (
        text("no camera can be opened"),
        text("check that it is switched on, and the address"),
    ),
    Simple.NO_PERMISSION: (
        text("no permission to open the camera"),
        text("add yourself to the group video and log in again"),
    ),
    reasons.Held: _held,
    reasons.CsiNotStarted: (
        text("the camera does not start ({why})"),
        text("check the ribbon cable; rpicam-hello --list-cameras should name it"),
    ),
    Simple.NO_PICAMERA2: (
        text("picamera2 is not to be found"),
        text("apt install python3-picamera2, and make the venv with --system-site-packages"),
    ),
    reasons.CsiBesideNumpy: (
        text("picamera2 cannot be used beside NumPy {version} ({error})"),
        text('install a newer simplejpeg: {executable} -m pip install "{simplejpeg}"'),
    ),
    reasons.Unencrypted: (
        text("the connection cannot be encrypted ({why})"),
        text("write http:// instead of https://, or check the camera's certificate"),
    ),
    reasons.NoAnswer: (
        text("the camera does not answer ({why})"),
        text("check that it is switched on and in the same network"),
    ),
    reasons.NoWebServer: (text("what answers there is no web server ({why})"), text("check the port")),
    reasons.Refused: _refused,
    reasons.NoPictureWithin: lambda one: (
        text("no picture came within {seconds} s", seconds=f"{one.seconds:g}"),
        text("look at it in a browser: the camera or the network may be too slow"),
    ),
    reasons.StreamWithoutPicture: (
        text("the stream carries no picture ({why})"),
        text("look at it in a browser"),
    ),
    Simple.SINGLE_PICTURE: (text("this is a single picture, no stream"), _STREAM),
    reasons.WebPage: _web_page,
    reasons.OtherKind: (
        text("no camera can be opened: what answers there is of the kind {kind}"),
        _STREAM,
    ),
    Simple.NO_PICTURE_IN_FOLDER: (
        text("no picture in this folder can be read"),
        text("name a folder of JPEG or PNG"),
    ),
    Simple.NO_VIDEO: (text("cannot be read as a video"), text("try to play it, or convert it to MP4")),
    Simple.NO_TIMES: (
        text("these are no times of a video's pictures"),
        text("remove it, and the video plays at its own pace"),
    ),
    # Cameras that were lost
    reasons.CameraLost: text("camera lost: {why}"),
    Simple.PICTURES_UNREADABLE: text("its pictures cannot be read"),
    Simple.NO_MORE_FRAMES: text("no more frames"),
    Simple.NO_PICTURE_IN_STREAM: text("no picture in the stream"),
    Simple.PICTURE_TOO_LONG: text("a picture of more than 40 MB"),
    Simple.STREAM_ENDED: text("the stream ended"),
    reasons.PictureTooLarge: text("a picture of {width} x {height} px"),
    reasons.TooManyLayers: text("a picture of {number} layers"),
    reasons.Silent: lambda one: text("nothing came for {seconds} s", seconds=f"{one.seconds:g}"),
    # Mat and table
    reasons.PlaceFit: _fit,
    reasons.MatFound: text("mat found by {markers} markers, {words}"),
    reasons.MatLost: _mat_lost,
    reasons.MatOfOtherGame: lambda one: text(
        "this is the mat of {other}; you play {game}",
        other=mat_title(one.other),
        game=mat_title(one.game),
    ),
    reasons.MatMoved: text("camera moved by {px} px: looking for the mat again"),
    Simple.MARKERS_GONE: text("no corner marker where it was: looking for the mat again"),
    Simple.SHEETS_EXCHANGED: text("corner sheets have changed places: looking for the mat again"),
    Simple.MAT_MISFIT: text(
        "all corner markers are in sight, but the mat does not fit: {help}", help=LENS_HELP
    ),
    Simple.MIRRORED: (MIRRORED, MIRROR_HELP),
    Simple.BLURRED: text("the picture is blurred: steady the camera, or give it more light"),
    Simple.DARK: text("it is dark"),
    reasons.TableMoved: text("camera moved by {px} px: looking for the table again"),
    Simple.PICTURE_CHANGED: text("the picture has changed: looking for the table again"),
    Simple.TABLE_LOST: text("camera or table was moved: {help}", help=LAY_CARDS),
    reasons.TableFound: text("table found where it was, {words}"),
    reasons.TableFoundAgain: text("camera moved by {px} px: table found again, {words}"),
    reasons.TableFoundByCards: text("table found by four cards, {words}"),
    Simple.HOME_OF_NEWER_PROGRAM: (text("of a newer program"), _AGAIN),
    reasons.HomeDamaged: (text("no table without a mat ({why})"), _AGAIN),
    Simple.LENS_IMPOSSIBLE: (
        text("width, height and focal must be above 0, all numbers finite"),
        text("see docs/configuration.md"),
    ),
    reasons.LensBendsTooMuch: (
        text("{number} coefficients of distortion are too many"),
        text("give k1, k2, p1, p2, k3"),
    ),
    reasons.LensOfOtherShape: (
        text("the lens was measured with {width} x {height}, pictures are {wide} x {high}"),
        text("measure it at a size of that shape"),
    ),
    # Picture files
    reasons.OtherPictureKind: (
        text("{kind} is not read by this program"),
        text("export it as JPEG (iPhone: Settings, Camera, Formats, Most Compatible; or send it by e-mail)"),
    ),
    reasons.RawPhotograph: (
        text("a raw photograph ({kind}) is not read by this program"),
        text("export it as JPEG, or photograph without RAW"),
    ),
    Simple.NO_PICTURE_FILE: (
        text("not a picture this program reads"),
        text("use {names}", names="PNG, JPEG, TIFF, BMP, WebP or GIF"),
    ),
    Simple.DAMAGED_PICTURE: (text("damaged picture"), _COPY),
    reasons.TooManyMegapixels: lambda one: (
        text("{number} megapixels are too many", number=one.number),
        text("shrink it below {number}", number=one.most),
    ),
    Simple.IS_FOLDER: (text("is a folder"), text("name the pictures in it")),
    Simple.NO_FILE: (text("is not a file"), text("name a picture")),
    reasons.TooManyBytes: (text("{size} bytes are too many"), text("shrink the picture")),
    Simple.NOT_THERE: (text("there is no such file"), text("check the name")),
    reasons.FileUnreadable: lambda one: (
        one.why or text("cannot be opened"),
        text("check the name and permissions"),
    ),
    # Printed tags: a game's source is wrong, and only its author reads that
    reasons.TagGivenTwice: lambda one: (
        f"{one.what} {one.tag} is given to {one.other} and to {one.code}",
        "give every card a tag of its own",
    ),
    reasons.NoPayload: lambda one: (
        f"{one.payload!r} does not fit a sticker",
        "use 1 to 10 upper-case letters and digits",
    ),
    reasons.NoMarker: lambda one: (f"there is no marker {one.number}", f"use 0 to {one.most}"),
    reasons.TooFewPixels: lambda one: (f"{one.px} px is too small", f"use at least {one.least} px"),
}
"""Reason given by `vision` -> what it means, and the next step."""


_SPOKEN: ReasonWords = ReasonWords(
    WORDS,
    errors.VisionError,
    {
        errors.UnusableError: BadInputError,
        errors.CameraError: SourceError,
        errors.NotThereError: NotThereError,
    },
)
told, in_words = _SPOKEN.told, _SPOKEN.in_words


def words_of(reason: Reason | str) -> str:
    """Reason as a sentence for people, with next step.

    Words that are no reason stay as they are.
    """
    return _SPOKEN.of(reason)
