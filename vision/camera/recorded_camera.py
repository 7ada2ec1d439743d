"""Recordings played as cameras: a video file or a folder of pictures, in real time or as fast as possible."""

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, repeat
from pathlib import Path

import cv2
import numpy as np

from vision.camera.frames import CameraInfo, CameraStatus, ClosedAtEnd, Frame, Image
from vision.clock import Clock, Gate
from vision.errors import CameraError
from vision.reasons import Playing, RecordingEnded, Simple

PICTURE_SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff", ".pgm"})
_FOLDER_FPS = 15.0
"""Pictures a second at which a folder is played, and a video whose own rate cannot be used."""
_LONGEST_S = 1e6
"""_LONGEST_S: time (s) in a recording from which on it counts as damage. A guess."""

_Take = Callable[[bool], tuple[bool, Image | None]]
"""Function that steps one frame forward. Its argument: whether the picture is wanted.

It returns (True if there was a frame, its picture). The picture is None if not wanted, or unreadable.
"""


class RecordedCamera(ClosedAtEnd):
    """Recording that is played as a camera.

    Frame n has the time start + n / fps; start is the clock's time at opening. `take`: steps a frame forward
    (see _Take). `paced`: `read` gives the newest frame that is due and skips missed ones; False: every frame
    in order. A picture that cannot be decoded is skipped and counted in `state`. `gate`: the first readable
    frame comes at once, and playing goes on from it when the gate opens. `release` closes the file.
    """

    def __init__(
        self,
        take: _Take,
        info: CameraInfo,
        clock: Clock,
        *,
        paced: bool,
        release: Callable[[], None],
        gate: Gate | None = None,
    ) -> None:
        self._take = take
        self._info = info
        self._clock = clock
        self._paced = paced
        self._release = release
        self._gate = gate
        self._first: int | None = None if gate and paced else 0
        """Number of the frame that was shown while the gate was closed; None before."""
        self._start = clock.now()
        self._next = 0
        self._broken = 0
        self._finished = False

    def read(self) -> Frame | None:
        """Next frame that is due.

        None if none is due or readable, or at the end. Never raises.
        """
        if self._first is None:
            return self._read_first()
        if self._gate is not None and self._paced:
            if self._gate.opened is None:
                return None
            self._start = self._gate.opened - self._first / self._info.fps
        due = int((self._clock.now() - self._start) * self._info.fps + 1e-6) if self._paced else self._next
        return self._read_up_to(due)

    def _read_first(self) -> Frame | None:
        """Read the first readable frame, with the present time.

        None if none can. Further ones wait for the gate.
        """
        frame = None
        while frame is None and not self._finished:
            frame = self._read_up_to(self._next)
        if frame is None:
            return None
        self._first = self._next - 1
        return Frame(self._clock.now(), frame.image)

    def _read_up_to(self, due: int) -> Frame | None:
        """Read frame number `due`, skipping earlier ones.

        None at the end, or if the frame cannot be read.
        """
        while not self._finished and self._next <= due:
            number = self._next
            try:
                there, picture = self._take(number == due)
            except (cv2.error, OSError):
                there, picture = True, None
            if not there:
                self._finished = True
                break
            self._next += 1
            if number == due and picture is not None:
                return Frame(self._start + number / self._info.fps, picture)
            if number == due:
                self._broken += 1
                if not self._paced:
                    due += 1
        return None

    @property
    def state(self) -> CameraStatus:
        """State of the recording, always `ok`.

        `detail` names the frame reached, and how many could not be read.
        """
        if self._finished:
            return CameraStatus(True, RecordingEnded(self._next, self._broken))
        info = self._info
        return CameraStatus(True, Playing(info.kind, (info.width, info.height), self._next, self._broken))

    @property
    def info(self) -> CameraInfo:
        """Size, rate and kind of the recording's pictures."""
        return self._info

    @property
    def finished(self) -> bool:
        """True after the last frame of the recording, or after closing."""
        return self._finished

    def close(self) -> None:
        """End the recording and close its file."""
        self._finished = True
        self._release()


def open_folder(
    path: Path,
    clock: Clock,
    *,
    paced: bool,
    fps: float = _FOLDER_FPS,
    colour: bool = False,
    gate: Gate | None = None,
) -> RecordedCamera:
    """Play a folder's pictures as a camera, ordered by name.

    CameraError if none can be read. `fps`: pictures a second. `colour`: BGR, else grey. `paced`, `gate`: see
    `RecordedCamera`.
    """
    files = sorted(file for file in path.iterdir() if file.suffix.lower() in PICTURE_SUFFIXES)
    first = next((picture for file in files if (picture := _load(file, colour)) is not None), None)
    if first is None:
        raise CameraError(Simple.NO_PICTURE_IN_FOLDER, str(path))
    rest = iter(files)

    def take(wanted: bool) -> tuple[bool, Image | None]:
        file = next(rest, None)
        if file is None:
            return False, None
        return True, _load(file, colour) if wanted else None

    info = CameraInfo(first.shape[1], first.shape[0], fps, Simple.PICTURES)
    return RecordedCamera(take, info, clock, paced=paced, release=lambda: None, gate=gate)


def open_video(path: Path, clock: Clock, *, paced: bool, gate: Gate | None = None) -> RecordedCamera:
    """Play a video file as a camera.

    CameraError if it cannot be read. With a file of times beside it (see `times_file`), each picture is
    repeated as new frames until the next one's time. Without it, each picture is one frame. `paced`, `gate`:
    see `RecordedCamera`.
    """
    # OpenCV's own messages are suppressed: ours are clearer.
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    video = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
    if not video.isOpened() or video.get(cv2.CAP_PROP_FRAME_WIDTH) < 1:
        raise CameraError(Simple.NO_VIDEO, str(path))
    said = float(video.get(cv2.CAP_PROP_FPS))
    rate = said if 0.1 <= said <= 1000 else _FOLDER_FPS

    frames = iter(_frames_each(path, rate))
    left = 0  # frames for which the picture still stands
    shown: Image | None = None  # the picture, once it was asked for

    def take(wanted: bool) -> tuple[bool, Image | None]:
        nonlocal left, shown
        while left == 0:
            left, shown = next(frames, 0), None
            if not video.grab():
                return False, None
        left -= 1
        if wanted and shown is None:
            good, picture = video.retrieve()
            shown = np.asarray(picture, np.uint8) if good else None
        return True, shown

    info = CameraInfo(
        int(video.get(cv2.CAP_PROP_FRAME_WIDTH)), int(video.get(cv2.CAP_PROP_FRAME_HEIGHT)), rate, "video"
    )
    return RecordedCamera(take, info, clock, paced=paced, release=video.release, gate=gate)


def times_file(video: Path) -> Path:
    """Path of a video's file of times: `table.mp4.times` for `table.mp4`.

    The file is text with one number a line: the time (s) of each picture, rising, and last the recording's end.
    """
    return video.with_name(f"{video.name}.times")


def times_bytes(times: Sequence[float]) -> bytes:
    """Encode a video's file of times, one number a line.

    `times`: time (s) of each picture, and last the recording's end.
    """
    return "".join(f"{t:.3f}\n" for t in times).encode()


def _frames_each(video: Path, fps: float) -> Iterable[int]:
    """For how many frames of a video each of its pictures stands.

    `fps`: frames a second. Without a file of times, 1 for each. CameraError if the times do not rise, or are
    impossible.
    """
    file = times_file(video)
    try:
        times = [float(line) for line in file.read_bytes().split()]
    except FileNotFoundError:
        return repeat(1)
    except ValueError:
        times = []
    if len(times) < 2 or times != sorted(times) or not all(0 <= t <= _LONGEST_S for t in times):
        raise CameraError(Simple.NO_TIMES, str(file))
    due = [round((t - times[0]) * fps) for t in times]
    return [later - earlier for earlier, later in pairwise(due)]


def _load(file: Path, colour: bool) -> Image | None:
    flag = cv2.IMREAD_COLOR if colour else cv2.IMREAD_GRAYSCALE
    try:
        data = np.frombuffer(file.read_bytes(), np.uint8)
        picture = cv2.imdecode(data, flag) if len(data) else None
    except (OSError, cv2.error):
        return None
    return None if picture is None else np.asarray(picture, np.uint8)
