"""Live cameras; a thread of each keeps the newest frame."""

import contextlib
import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import cv2

from vision.camera.frames import CameraInfo, CameraStatus, ClosedAtEnd, Encoded, Frame, Image
from vision.camera.settings_plan import Exposure
from vision.clock import Clock
from vision.errors import LostError, NotThereError
from vision.reasons import CameraLost, NoPictureFor, Reason, Running, Simple, WaitingFor

_STALE_S = 3.0
"""_STALE_S: time (s) without a new frame after which a camera counts as lost."""
_HOPELESS_S = 10.0
"""_HOPELESS_S: time (s) without a new frame after which a device is closed and opened again."""
_BACKOFF_S = (0.2, 3.0)
"""Waits (s) between attempts to open a lost camera: the first, doubled each time, and the longest."""
_RATE_SHARE = 0.05
"""Weight (0 to 1) of the newest interval in the running mean of the frame rate."""
_SLOW = 0.8
"""A rate below this share of the promised one is shown together with the promise."""
_TICK_S = 1e-6
"""Least step (s) between the times of two frames, so that time never stands still or goes back."""
_OLD_S = 0.15
"""_OLD_S: age (s) of a decoded frame from which a newer one replaces it, if nobody fetched it."""
NO_DEVICE = CameraInfo(0, 0, 0.0, Simple.NO_CAMERA_YET)
"""NO_DEVICE: information on a camera that was never opened, in place of a real one."""


class Device(ABC):
    """Opened camera, driven by the thread of `LiveCamera`.

    `grab` waits for a frame, `decode` makes a picture of it.
    """

    info: CameraInfo
    decode_at_once = True
    """True if a frame must be decoded before the next `grab`. False if it can wait."""

    @abstractmethod
    def grab(self) -> tuple[float, Any]:
        """Wait for the next frame: (its age in s, the raw frame for `decode`).

        LostError if none comes.
        """

    @abstractmethod
    def decode(self, raw: Any) -> Image | Encoded | None:
        """Make a picture, or one decoded on demand, from a raw frame of `grab`.

        None or ValueError if the frame is damaged.
        """

    def refocus(self) -> None:  # noqa: B027 - most cameras are not adjusted from here
        """Have the camera focus again, if it can be told to.

        Any thread may call.
        """

    def judge(self, exposure: Exposure) -> None:  # noqa: B027
        """Correct the exposure by the print's grey levels, if possible.

        Any thread may call.
        """

    def rest(self, *, still: bool) -> None:  # noqa: B027
        """Tell the camera whether nothing moves in its newest pictures (`still`).

        It may then decode less. Any thread may call.
        """

    def abort(self) -> None:  # noqa: B027 - most drivers give up by themselves
        """Have a waiting `grab` raise LostError, if the driver allows it.

        Another thread calls.
        """

    @abstractmethod
    def close(self) -> None:
        """Release the camera."""
        ...


class LiveCamera(ClosedAtEnd):
    """Live camera whose newest frame a thread keeps, and which is opened again when lost.

    `opener` opens the device and may raise CameraError; nothing raises later. `wait`: a camera that is not
    there yet is accepted, and opened once it is.
    """

    def __init__(self, opener: Callable[[], Device], clock: Clock, *, wait: bool = False) -> None:
        self._opener = opener
        self._clock = clock
        self._lost: Reason | None = None
        self._device: Device | None = None
        try:
            self._device = opener()
        except NotThereError as error:
            if not wait:
                raise
            self._lost = WaitingFor(error.at)
        self._lock = threading.Lock()
        self._newest: tuple[float, Any, Device] | None = None
        self._wanted = threading.Event()
        self._wanted.set()
        self._closing = threading.Event()
        self._spoilt: tuple[float, float] | None = None  # first and last picture that could not be read
        self._last = self._decoded_at = self._opened_at = clock.now()
        self._newest_at = -math.inf
        self._taken_at: float | None = None  # None: the camera has just been opened
        self._interval: float | None = None
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def read(self) -> Frame | None:
        """The newest frame not returned before.

        None if there is none, or it is damaged. Never raises.
        """
        with self._lock:
            newest, self._newest = self._newest, None
        self._wanted.set()
        if newest is None:
            self._give_up()
            return None
        t, raw, device = newest
        picture = raw if device.decode_at_once else self._decoded(device, raw, t)
        return None if picture is None else Frame(t, picture)

    def refocus(self) -> None:
        """Have the camera focus again.

        It was moved, or pictures became soft. Does nothing while no device is open.
        """
        if self._device is not None:
            self._device.refocus()

    def judge(self, exposure: Exposure) -> None:
        """Tell the device the grey levels of black and white print, so that it can correct its exposure."""
        if self._device is not None:
            self._device.judge(exposure)

    def rest(self, *, still: bool) -> None:
        """Tell the device whether nothing moves in the newest pictures (`still`)."""
        if self._device is not None:
            self._device.rest(still=still)

    def _give_up(self) -> None:
        device, since = self._device, max(self._last, self._opened_at)
        if device is not None and self._clock.now() - since > _HOPELESS_S:
            device.abort()

    @property
    def state(self) -> CameraStatus:
        """Whether pictures come, and if not, why: none for 3 s, or the device is lost."""
        if self._lost:
            return CameraStatus(False, self._lost)
        silent = self._clock.now() - self._last
        if silent > _STALE_S:
            # The reason must not vary: each change of it is a line in the journal.
            return CameraStatus(False, NoPictureFor(_STALE_S))
        info = self.info
        rate, promised = self._rate(info)
        return CameraStatus(True, Running(info.kind, (info.width, info.height), rate, promised, info.note))

    @property
    def rate_hz(self) -> float | None:
        """Frames a second, as a running mean.

        None before the second frame, and while the camera is lost.
        """
        return 1 / self._interval if self._interval and not self._lost else None

    def _rate(self, info: CameraInfo) -> tuple[int | None, int | None]:
        """Frame rate of the camera, and the promised one if it is not reached, else None.

        Both are frames a second. Before a rate is measured, the promise stands for it; None: unknown.
        """
        if not self._interval:
            return round(info.fps) if info.fps else None, None
        fps = 1 / self._interval
        return round(fps), round(info.fps) if fps < _SLOW * info.fps else None

    @property
    def info(self) -> CameraInfo:
        """What the camera agreed to; NO_DEVICE before its first opening."""
        return self._device.info if self._device is not None else NO_DEVICE

    @property
    def finished(self) -> bool:
        """Always False: a live camera has no end."""
        return False

    def close(self) -> None:
        """Stop the thread, which releases the camera.

        Waits up to 2 s for it.
        """
        self._closing.set()
        self._thread.join(2.0)

    def _run(self) -> None:
        device = self._device or self._reopened()
        while device is not None and not self._closing.is_set():
            try:
                self._take_one(device)
            except Exception as error:  # drivers fail with anything, and without this thread nothing is seen
                self._lost = CameraLost(why_lost(error))
                with contextlib.suppress(Exception):
                    device.close()
                device = self._reopened()
        if device is not None:
            device.close()

    def _take_one(self, device: Device) -> None:
        age, raw = device.grab()
        # A driver's age of a frame jitters, but time must not go back.
        t = max(self._clock.now() - age, self._newest_at + _TICK_S)
        if self._taken_at is not None:
            passed = t - self._taken_at
            before = passed if self._interval is None else self._interval
            self._interval = before + _RATE_SHARE * (passed - before)
        self._taken_at = self._newest_at = self._last = t
        if device.decode_at_once:
            # Decoding is expensive: only for a reader that has fetched the last frame, or to stay fresh.
            if not self._wanted.is_set() and t - self._decoded_at < _OLD_S:
                return
            raw = self._decoded(device, raw, t)
        if self._spoilt is not None and self._spoilt[1] - self._spoilt[0] > _STALE_S:
            raise LostError(Simple.PICTURES_UNREADABLE)
        if raw is None:
            return
        self._lost = None
        if device.decode_at_once:
            self._wanted.clear()
            self._decoded_at = t
        with self._lock:
            self._newest = (t, raw, device)

    def _decoded(self, device: Device, raw: Any, t: float) -> Image | Encoded | None:
        """Decode a raw frame of time `t` (s).

        None if it is damaged. Notes since when all frames have been damaged.
        """
        try:
            picture = device.decode(raw)
        except (cv2.error, ValueError):
            picture = None
        if picture is not None:
            self._spoilt = None
        else:
            self._spoilt = (t if self._spoilt is None else self._spoilt[0], t)
        return picture

    def _reopened(self) -> Device | None:
        """Open the lost device again, trying as long as needed.

        None if the camera is closed meanwhile.
        """
        wait, longest = _BACKOFF_S
        while not self._closing.wait(wait):
            try:
                self._device = self._opener()
                self._opened_at = self._clock.now()
                self._taken_at = self._interval = self._spoilt = None
            except Exception as error:  # as above: it is tried again
                if isinstance(error, NotThereError):
                    self._lost = WaitingFor(error.at)
                wait = min(2 * wait, longest)
            else:
                return self._device
        return None


def why_lost(error: Exception) -> Reason | str:
    """Why a device was lost: the error's reason or words, or its class if it has neither."""
    return error.reason if isinstance(error, LostError) else str(error) or type(error).__name__
