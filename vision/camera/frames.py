"""The interface of a camera: frames with a time, and its state."""

from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.language import term, text
from vision.camera.settings_plan import Exposure

_RATE_SLACK = 0.5
"""_RATE_SLACK: difference (frames a second) that is not reported: drivers say 14.99."""

HELD = text("another program holds the camera")
REDUCED_WIDTH = 480
"""REDUCED_WIDTH: least width (px) of a reduced picture."""
Image = NDArray[np.uint8]
"""H x W (grey) or H x W x 3 (BGR)."""


class Encoded(Protocol):
    """A picture that is decoded as far as somebody looks at it."""

    width: int
    height: int

    @property
    def image(self) -> Image:
        """All of it: `height` x `width`, grey or BGR."""
        ...

    @property
    def reduced(self) -> Image:
        """The same much smaller, in colour if it has any; see `reduction`. While nothing moves it may be
        grey."""
        ...


@runtime_checkable
class Coloured(Protocol):
    """A picture that has its colours although it is read in grey."""

    @property
    def coloured(self) -> Image:
        """All of it, BGR."""
        ...


class Frame:
    """One picture, given decoded or encoded; `t` in seconds on the clock."""

    __slots__ = ("_picture", "t")

    def __init__(self, t: float, image: Image | Encoded) -> None:
        self.t = t
        self._picture = image

    @property
    def image(self) -> Image:
        """The picture, H x W (grey) or H x W x 3 (BGR)."""
        return self._picture if isinstance(self._picture, np.ndarray) else self._picture.image

    @property
    def gray(self) -> NDArray[np.uint8]:
        """The picture in grey, H x W; the image itself if it is already grey."""
        image = self.image
        return image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)

    @property
    def coloured(self) -> Image:
        """The picture with its colours, if it has any; for a frame that is kept."""
        return self._picture.coloured if isinstance(self._picture, Coloured) else self.image

    @property
    def reduced(self) -> Image:
        """The picture, reduced (see `reduction`) where that is cheaper than to decode all of it."""
        return self._picture if isinstance(self._picture, np.ndarray) else self._picture.reduced

    @property
    def size(self) -> tuple[int, int]:
        """Height and width in px; nothing is decoded for it."""
        if isinstance(self._picture, np.ndarray):
            return self._picture.shape[0], self._picture.shape[1]
        return self._picture.height, self._picture.width


def reduction(width: int) -> int:
    """By how much (1, 2, 4 or 8) a picture of `width` px is reduced: no further than to REDUCED_WIDTH."""
    return next(by for by in (8, 4, 2, 1) if width // by >= REDUCED_WIDTH or by == 1)


@dataclass(frozen=True, slots=True)
class CameraStatus:
    """Whether pictures are coming, and a line about it for people."""

    ok: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class CameraInfo:
    """What was negotiated: width and height in px, frames per second (0: unknown), how it is read.

    `note`: what else was asked for, and which of focus, exposure and white balance are locked.
    """

    width: int
    height: int
    fps: float
    kind: str
    note: str = ""
    refused: tuple[str, ...] = ()
    """Settings that were to be locked, and are not."""


def less_than_asked(asked: tuple[int, int, float], width: int, height: int, fps: float) -> str:
    """What was asked for (width, height, frames per second), in words, where the camera gives less; else
    empty."""
    size, rate = f"{asked[0]} x {asked[1]}", f"{asked[2]:.0f}"
    smaller, slower = (width, height) != asked[:2], 0 < fps < asked[2] - _RATE_SLACK
    if smaller and slower:
        return text("asked for {size} at {rate} fps", size=size, rate=rate)
    if smaller:
        return text("asked for {size}", size=size)
    return text("asked for {rate} fps", rate=rate) if slower else ""


_SETTINGS = {
    "focus": term("camera", "focus"),
    "exposure": term("camera", "exposure"),
    "white balance": term("camera", "white balance"),
}


def setting_called(name: str) -> str:
    """A camera's setting by its name in `CameraInfo.refused`, for people."""
    return _SETTINGS.get(name, name)


def locked_words(locked: Sequence[str], free: Sequence[str]) -> str:
    """Which settings are locked and which are not, by their names for people, in words."""
    if not locked:
        return text("nothing of it can be locked")
    if not free:
        return text("locked: {settings}", settings=tuple(locked))
    return text("locked: {settings}; not: {free}", settings=tuple(locked), free=tuple(free))


@runtime_checkable
class Adjustable(Protocol):
    """A camera whose focus and exposure can be corrected while it runs."""

    def refocus(self) -> None: ...

    def judge(self, exposure: Exposure) -> None: ...


@runtime_checkable
class Restful(Protocol):
    """A camera that does less while nothing moves."""

    def rest(self, *, still: bool) -> None: ...


@runtime_checkable
class Live(Protocol):
    """A camera whose pictures are taken now, each with noise of its own. Those of a recording may repeat."""

    @property
    def rate_hz(self) -> float | None:
        """Frames a second that the camera delivers, whoever looks at them; None if unknown."""
        ...


class Camera(Protocol):
    """A source of frames. Only opening may raise; later faults show in `state`."""

    def read(self) -> Frame | None:
        """The newest frame that was not returned before; None if there is none yet. Never raises."""
        ...

    @property
    def state(self) -> CameraStatus: ...

    @property
    def info(self) -> CameraInfo: ...

    @property
    def finished(self) -> bool:
        """True once a recording has given its last frame; always False for a live camera."""
        ...

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
