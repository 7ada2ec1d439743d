"""Interface of a camera: timed frames, and its state."""

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
"""_RATE_SLACK: shortfall (frames a second) that is not reported, because drivers say 14.99 for 15."""

HELD = text("another program holds the camera")
REDUCED_WIDTH = 480
"""REDUCED_WIDTH: least width (px) of a reduced picture. The pictures are halved no further than to it."""
Image = NDArray[np.uint8]
"""H x W (grey) or H x W x 3 (BGR)."""


class Encoded(Protocol):
    """A picture that is decoded only on demand."""

    width: int
    height: int

    @property
    def image(self) -> Image:
        """The whole picture, `height` x `width`, grey or BGR."""
        ...

    @property
    def reduced(self) -> Image:
        """The picture reduced by `reduction(width)`, usually in colour.

        While nothing moves it may be grey.
        """
        ...


@runtime_checkable
class Coloured(Protocol):
    """A picture that has colours, although `image` is grey."""

    @property
    def coloured(self) -> Image:
        """The whole picture, H x W x 3 (BGR)."""
        ...


class Frame:
    """One camera picture with its time `t` (s).

    `t` is on the camera's clock. The picture is given as pixels, or as an `Encoded` one that is decoded on
    demand.
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

        It is not copied if it is grey already.
        """
        image = self.image
        return image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)

    @property
    def coloured(self) -> Image:
        """The picture in colour (BGR) if available, else grey."""
        return self._picture.coloured if isinstance(self._picture, Coloured) else self.image

    @property
    def reduced(self) -> Image:
        """A small version of the picture, or the picture itself.

        It is small (see `reduction`) where decoding less saves time.
        """
        return self._picture if isinstance(self._picture, np.ndarray) else self._picture.reduced

    @property
    def size(self) -> tuple[int, int]:
        """Height and width in px, known without decoding."""
        if isinstance(self._picture, np.ndarray):
            return self._picture.shape[0], self._picture.shape[1]
        return self._picture.height, self._picture.width


def reduction(width: int) -> int:
    """Divisor (1, 2, 4 or 8) for a picture `width` px wide: the largest that leaves 480 px; 1 for a narrow
    one."""
    return next(by for by in (8, 4, 2, 1) if width // by >= REDUCED_WIDTH or by == 1)


@dataclass(frozen=True, slots=True)
class CameraStatus:
    """Whether a camera delivers pictures, with a line for people."""

    ok: bool
    detail: str = ""


@dataclass(frozen=True, slots=True)
class CameraInfo:
    """What a camera agreed to: size, rate and kind.

    `width`, `height`: px. `fps`: frames a second (0: unknown). `kind`: a word such as "webcam". `note`: for
    people: what was asked for but not given, and which of focus, exposure and white balance are locked.
    """

    width: int
    height: int
    fps: float
    kind: str
    note: str = ""
    refused: tuple[str, ...] = ()
    """Settings that should have been locked, but are not: of "focus", "exposure", "white balance"."""


def less_than_asked(asked: tuple[int, int, float], width: int, height: int, fps: float) -> str:
    """Sentence on what was asked for but not given; else "".

    `asked`: width and height (px), and frames a second. `width`, `height`, `fps`: what the camera gives; `fps`
    0 is unknown.
    """
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
    """People's name of a camera setting, such as "white balance".

    `name` is as in `CameraInfo.refused`.
    """
    return _SETTINGS.get(name, name)


def locked_words(locked: Sequence[str], free: Sequence[str]) -> str:
    """Words that say which camera settings are `locked` and which are still `free`, given by their names for
    people."""
    if not locked:
        return text("nothing of it can be locked")
    if not free:
        return text("locked: {settings}", settings=tuple(locked))
    return text("locked: {settings}; not: {free}", settings=tuple(locked), free=tuple(free))


@runtime_checkable
class Adjustable(Protocol):
    """A running camera whose focus and exposure can be corrected."""

    def refocus(self) -> None:
        """Focus anew, as the camera moved or pictures became soft."""
        ...

    def judge(self, exposure: Exposure) -> None:
        """Receive the print's grey levels, to correct the exposure."""
        ...


@runtime_checkable
class Restful(Protocol):
    """A camera that decodes less while nothing moves."""

    def rest(self, *, still: bool) -> None:
        """Receive whether nothing moves in the newest pictures (`still`)."""
        ...


@runtime_checkable
class Live(Protocol):
    """A camera whose pictures are taken now, each with fresh noise.

    Pictures of a recording may repeat.
    """

    @property
    def rate_hz(self) -> float | None:
        """Frames a second that the camera delivers; None if unknown.

        Frames count whether read or not.
        """
        ...


class Camera(Protocol):
    """A source of frames.

    Only opening it may raise; later faults show in `state`.
    """

    def read(self) -> Frame | None:
        """Return the newest unread frame; None if none is ready.

        Never raises.
        """
        ...

    @property
    def state(self) -> CameraStatus:
        """Whether pictures are coming, with a line for people."""
        ...

    @property
    def info(self) -> CameraInfo:
        """Size, rate and kind of the pictures."""
        ...

    @property
    def finished(self) -> bool:
        """True once a recording ended; never for a live camera."""
        ...

    def close(self) -> None:
        """Release the camera; no frame comes afterwards."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
