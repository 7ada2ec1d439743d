"""Interface of a camera: timed frames, and its state."""

from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self, runtime_checkable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.settings_plan import Exposure
from vision.reasons import LessThanAsked, Noted, Reason

_RATE_SLACK = 0.5
"""_RATE_SLACK: shortfall of a rate (frames a second) that is not reported, because drivers say 14.99 for
15.
"""

REDUCED_WIDTH = 480
"""REDUCED_WIDTH: least width (px) of a reduced picture."""
Image = NDArray[np.uint8]
"""A picture: H x W (grey) or H x W x 3 (BGR), 0 to 255."""


class Encoded(Protocol):
    """Picture that is decoded only when needed.

    `width`, `height`: px of the whole picture.
    """

    width: int
    height: int

    @property
    def image(self) -> Image:
        """The whole picture, `height` x `width`, grey or BGR."""
        ...

    @property
    def quickest(self) -> Image:
        """The version of the picture that takes least time: reduced by `reduction(width)`, or grey, or both."""
        ...


@runtime_checkable
class Coloured(Protocol):
    """Picture that exists in colour although its `image` is grey."""

    @property
    def coloured(self) -> Image:
        """The whole picture, H x W x 3 (BGR)."""
        ...


class Frame:
    """One picture of a camera, with its time `t` (s on the camera's clock).

    `image`: pixels, or an `Encoded` picture that is decoded when needed.
    """

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
        """The picture in grey, H x W.

        No copy if it is grey already.
        """
        image = self.image
        return image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)

    @property
    def coloured(self) -> Image:
        """The picture in BGR if the camera has colours, else grey."""
        return self._picture.coloured if isinstance(self._picture, Coloured) else self.image

    @property
    def quickest(self) -> Image:
        """The version of the picture that takes least time, as of `Encoded`; else the picture itself."""
        return self._picture if isinstance(self._picture, np.ndarray) else self._picture.quickest

    @property
    def size(self) -> tuple[int, int]:
        """Height and width of the picture in px, known without decoding."""
        if isinstance(self._picture, np.ndarray):
            return self._picture.shape[0], self._picture.shape[1]
        return self._picture.height, self._picture.width


def reduction(width: int) -> int:
    """Divisor (1, 2, 4 or 8) by which a picture `width` px wide is reduced.

    The largest divisor that leaves at least 480 px; 1 if none does.
    """
    return next(by for by in (8, 4, 2, 1) if width // by >= REDUCED_WIDTH or by == 1)


@dataclass(frozen=True, slots=True)
class CameraStatus:
    """Whether a camera delivers pictures (`ok`).

    `detail`: why not, or what else to say; "" for nothing.
    """

    ok: bool
    detail: Reason | str = ""


@dataclass(frozen=True, slots=True)
class CameraInfo:
    """What a camera delivers: picture size (px), frames a second (`fps`, 0 if unknown), kind.

    `note`: what was asked for but not given, and which of focus, exposure and white balance are locked; ""
    for nothing.
    """

    width: int
    height: int
    fps: float
    kind: Reason | str
    note: Reason | str = ""
    refused: tuple[str, ...] = ()
    """Settings that the camera would not lock: names out of "focus", "exposure", "white balance"."""


def less_than_asked(asked: tuple[int, int, float], width: int, height: int, fps: float) -> LessThanAsked | None:
    """Compare what a camera gives with what was asked for.

    None if it gives enough. `asked`: width and height (px), frames a second. `width`, `height`, `fps`: what it
    gives; `fps` 0 is unknown.
    """
    size = None if (width, height) == asked[:2] else asked[:2]
    rate = asked[2] if 0 < fps < asked[2] - _RATE_SLACK else None
    return None if size is None and rate is None else LessThanAsked(size, rate)


def noted(*notes: Reason | None) -> Reason | str:
    """Join notes on a camera into one; None is skipped.

    "" if no note is left.
    """
    told = tuple(note for note in notes if note is not None)
    return Noted(told) if told else ""


@runtime_checkable
class Adjustable(Protocol):
    """Live camera whose focus and exposure can be corrected."""

    def refocus(self) -> None:
        """Have the camera focus again.

        It was moved, or pictures became soft.
        """
        ...

    def judge(self, exposure: Exposure) -> None:
        """Tell the camera the grey levels of black and white print, so that it can correct its exposure."""
        ...


@runtime_checkable
class Restful(Protocol):
    """Camera that does less work while nothing moves on the table."""

    def rest(self, *, still: bool) -> None:
        """Tell the camera whether its newest pictures show no movement (`still`)."""
        ...


@runtime_checkable
class Live(Protocol):
    """Camera that takes its pictures now, with fresh noise in each.

    A recording does not: its pictures may repeat.
    """

    @property
    def rate_hz(self) -> float | None:
        """Frames a second that the camera delivers, whether read or not.

        None if unknown.
        """
        ...


class Camera(Protocol):
    """Source of frames: a camera or a recording.

    Only opening it raises errors; later faults show in `state`.
    """

    def read(self) -> Frame | None:
        """The newest frame not returned before.

        None if there is none. Never raises.
        """
        ...

    @property
    def state(self) -> CameraStatus:
        """Whether pictures are coming, and if not, why."""
        ...

    @property
    def info(self) -> CameraInfo:
        """Size, rate and kind of the pictures that the camera gives."""
        ...

    @property
    def finished(self) -> bool:
        """True once a recording has ended.

        Always False for a live camera.
        """
        ...

    def close(self) -> None:
        """Release the camera. No frame comes afterwards."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class ClosedAtEnd:
    """Base of cameras: a `with` block closes them at its end. By default nothing is held open."""

    def close(self) -> None:
        """Release what the camera holds."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
