"""The frames of a recording as a camera: each stands until the next one, in a picture of its old size."""

from collections.abc import Callable, Sequence
from functools import cached_property
from types import TracebackType
from typing import Self

import cv2
import numpy as np

from companion.core.clock import Clock
from companion.core.language import text
from companion.sensing.recorder import CHANGES_S
from companion.sensing.recording_folder import StoredFrame
from vision.camera.frames import CameraInfo, CameraStatus, Frame, Image, reduction

_STANDS_S = CHANGES_S + 0.07
"""_STANDS_S: if no other frame was kept for so long (s), nothing moved: the frame is given again and again."""
_AGAIN_S, _AGAIN_RESTING_S = 1 / 15, 0.2
"""Time (s) between two pictures of a frame that stands, and while vision says that nothing moves."""
_LOST_S = 3.0
"""_LOST_S: without a frame for so long (s) the camera counts as lost."""
_MOST_PX = 12_000
"""_MOST_PX: widest picture (px) that is believed."""


class RecordedPictures:
    """A camera (`vision.camera.frames.Camera`) of stored frames, whose times are those of `clock`.

    `left_out`: times (ms) of frames that were left out on purpose; the frame before stands on. A frame that
    cannot be read is passed over and counted.
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
        """Called with each frame that is given for the first time."""
        self.info = CameraInfo(0, 0, 1 / _AGAIN_S, text("recording"))

    def read(self) -> Frame | None:
        """The frame of this moment."""
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
        """Nothing moves in the pictures, or no longer."""
        self._still = still

    @property
    def state(self) -> CameraStatus:
        if self._clock.now() - self._stored_at > _LOST_S:
            return CameraStatus(False, text("no picture in the recording"))
        return CameraStatus(True)

    def close(self) -> None:
        """Nothing to close."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class PastedPicture:
    """A picture of a recording, in the camera's size (`vision.camera.frames.Encoded`)."""

    def __init__(self, whole: Image) -> None:
        self.image = whole
        self.height, self.width = whole.shape[:2]

    @cached_property
    def reduced(self) -> Image:
        """The picture, much smaller."""
        by = reduction(self.width)
        size = (self.width // by, self.height // by)
        return np.asarray(cv2.resize(self.image, size, interpolation=cv2.INTER_AREA), np.uint8)


def pasted(stored: StoredFrame, before: Image | None) -> Image | None:
    """The whole picture of a stored frame; None if it cannot be read.

    Around the mat's rectangle its rim goes on to the border, so that hands still reach in from there. A patch
    is laid on the picture `before`; without one it cannot be read.
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
    """The rectangle that a frame's file holds, grey or BGR; None if it cannot be read."""
    try:
        data = np.frombuffer(stored.path.read_bytes(), np.uint8)
        found = cv2.imdecode(data, cv2.IMREAD_ANYCOLOR) if len(data) else None
    except (OSError, cv2.error):
        return None
    return None if found is None else np.asarray(found, np.uint8)
