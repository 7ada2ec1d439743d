"""The interface of a camera: frames with a time, and its state."""

from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

import cv2
import numpy as np
from numpy.typing import NDArray

_RATE_SLACK = 0.5
"""_RATE_SLACK: difference (frames a second) that is not reported: drivers say 14.99."""

Image = NDArray[np.uint8]
"""H x W (grey) or H x W x 3 (BGR)."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture; `t` in seconds on the clock."""

    t: float
    image: Image

    @property
    def gray(self) -> NDArray[np.uint8]:
        """The picture in grey, H x W; the image itself if it is already grey."""
        if self.image.ndim == 2:
            return self.image
        return np.asarray(cv2.cvtColor(self.image, cv2.COLOR_BGR2GRAY), np.uint8)


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


def less_than_asked(asked: tuple[int, int, float], width: int, height: int, fps: float) -> str:
    """What was asked for (width, height, frames per second), in words, where the camera gives less; else
    empty."""
    size = [] if (width, height) == asked[:2] else [f"{asked[0]} x {asked[1]}"]
    rate = [f"{asked[2]:.0f} fps"] if 0 < fps < asked[2] - _RATE_SLACK else []
    return f"asked for {' at '.join(size + rate)}" if size or rate else ""


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
