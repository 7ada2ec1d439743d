"""The frames of a recording as a camera: each stands until the next one, in a picture of its old size."""

from collections.abc import Callable, Sequence
from functools import cached_property

import cv2
import numpy as np

from companion.core.clock import Clock
from companion.core.language import text
from companion.sensing.recorder import CHANGES_S
from companion.sensing.recording_folder import StoredFrame
from vision.camera.frames import CameraInfo, CameraStatus, ClosedAtEnd, Frame, Image, reduction

_STANDS_S = CHANGES_S + 0.07
"""After so long (s) without a frame the last one is repeated: nothing has moved, or the recorder would have
stored a change."""
_AGAIN_S, _AGAIN_RESTING_S = 1 / 15, 0.2
"""_AGAIN_S: time (s) between repetitions of a frame. _AGAIN_RESTING_S: the same while vision sees no
movement."""
_LOST_S = 3.0
"""The camera counts as lost after so long (s) without a recorded frame."""
_MOST_PX = 12_000
"""A picture wider or higher (px) counts as damaged."""


class RecordedPictures(ClosedAtEnd):
    """Plays recorded frames as a camera, at their times.

    The camera is a `vision.camera.frames.Camera`; the times are those on `clock`. `left_out`: times (ms) of
    frames that were removed on purpose; the frame before is shown instead. Frames that cannot be read are
    skipped and counted in `unreadable`.
    """

    def __init__(self, frames: Sequence[StoredFrame], clock: Clock, left_out: Sequence[int] = ()) -> None:
        self._frames, self._clock, self._at = frames, clock, 0
        self._left_out = sorted(t / 1000 for t in left_out)
        self._whole: Image | None = None
        self._picture: PastedPicture | None = None
        self._stored_at = self._given_at = clock.now()
        self._still = False
        self.unreadable = 0
        self.finished = False
        self.shown: Callable[[StoredFrame], None] = lambda _: None
        """Called with each recorded frame when it is first played."""
        self.info = CameraInfo(0, 0, 1 / _AGAIN_S, text("recording"))

    def read(self) -> Frame | None:
        """Frame due now: a new or the repeated last one.

        None if neither is due, or in a gap of the recording.
        """
        now = self._clock.now()
        fresh = False
        while self._at < len(self._frames) and self._frames[self._at].t <= now:
            stored = self._frames[self._at]
            self._at += 1
            whole = pasted(stored, self._whole)
            if whole is None:
                self.unreadable += 1
                continue
            self._whole, self._picture, fresh = whole, PastedPicture(whole), True
            self._stored_at = stored.t
            self.shown(stored)
        while self._left_out and self._left_out[0] <= now:
            self._stored_at = max(self._stored_at, self._left_out.pop(0))
        if self._picture is None or not self.state.ok:
            return None
        again = _AGAIN_RESTING_S if self._still else _AGAIN_S
        if not fresh and (now - self._stored_at < _STANDS_S or now - self._given_at < again - 1e-6):
            return None
        self._given_at = now
        return Frame(now, self._picture)

    def rest(self, *, still: bool) -> None:
        """`still`: nothing moves, so frames are repeated more slowly."""
        self._still = still

    @property
    def state(self) -> CameraStatus:
        """Not ok in a recording's gap of over _LOST_S."""
        if self._clock.now() - self._stored_at > _LOST_S:
            return CameraStatus(False, text("no picture in the recording"))
        return CameraStatus(True)


class PastedPicture:
    """A recorded picture in the camera's full size (a `vision.camera.frames.Encoded`)."""

    def __init__(self, whole: Image) -> None:
        self.image = whole
        self.height, self.width = whole.shape[:2]

    @cached_property
    def quickest(self) -> Image:
        """The picture reduced by the divisor `vision.camera.frames.reduction`."""
        by = reduction(self.width)
        size = (self.width // by, self.height // by)
        return np.asarray(cv2.resize(self.image, size, interpolation=cv2.INTER_AREA), np.uint8)


def pasted(stored: StoredFrame, before: Image | None) -> Image | None:
    """A recorded frame (`stored`) as a picture of the camera's size; None if it cannot be read.

    Only the mat's rectangle was recorded; its rim is repeated up to the border, so that hands still reach in
    from there. A patch is laid on the picture `before`, and cannot be read without it.
    """
    cut = load_frame(stored)
    if cut is None or max(stored.width, stored.height) > _MOST_PX:
        return None
    height, width = cut.shape[:2]
    right, bottom = stored.width - stored.left - width, stored.height - stored.top - height
    if right < 0 or bottom < 0:
        return None
    if stored.patch:
        if before is None or before.shape != (stored.height, stored.width, *cut.shape[2:]):
            return None
        whole = before.copy()
        whole[stored.top : stored.top + height, stored.left : stored.left + width] = cut
        return whole
    around = cv2.copyMakeBorder(cut, stored.top, bottom, stored.left, right, cv2.BORDER_REPLICATE)
    return np.asarray(around, np.uint8)


def load_frame(stored: StoredFrame) -> Image | None:
    """Picture in a frame's file, grey or BGR.

    None if it cannot be read.
    """
    try:
        data = np.frombuffer(stored.path.read_bytes(), np.uint8)
        found = cv2.imdecode(data, cv2.IMREAD_ANYCOLOR) if len(data) else None
    except (OSError, cv2.error):
        return None
    return None if found is None else np.asarray(found, np.uint8)
