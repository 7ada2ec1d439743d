"""The reduced picture in which motion and changes are detected.

It has grey levels, and colours if the camera has them.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frames import Frame, Image
from vision.codes.sticker_set import Gray

SMALL_WIDTH = 480
"""Width (px) of the small picture. A pixel is about 2 mm of a mat one metre wide."""
_WHITE = 225
"""_WHITE: grey level from which on px count as equally white, because so bright they no longer follow the
light."""
_GAIN_MOST = 1.33
"""_GAIN_MOST: factor of brightness above which it is another light, not another exposure."""
_GAIN_LEAST = 0.004
"""_GAIN_LEAST: distance from 1 below which a factor of brightness changes no grey level."""


@dataclass(frozen=True, slots=True, eq=False)
class SmallPicture:
    """Picture reduced to 480 px width, for detecting motion.

    `gray`: h x w. `colours`: Cr and Cb, each h/2 x w/2; empty for a picture in grey.
    """

    gray: Gray
    colours: tuple[Gray, ...] = ()

    def copy(self) -> "SmallPicture":
        """Copy whose arrays can be changed independently."""
        return SmallPicture(self.gray.copy(), tuple(plane.copy() for plane in self.colours))

    def take(self, other: "SmallPicture", where: NDArray[np.bool_]) -> None:
        """Copy the pixels of another picture into this one.

        `where`: mask (h x w) of the pixels.
        """
        np.copyto(self.gray, other.gray, where=where)
        half = halved(where)
        for mine, new in zip(self.colours, other.colours, strict=False):
            np.copyto(mine, new, where=half)

    def approach(self, other: "SmallPicture", where: NDArray[np.bool_]) -> None:
        """Move pixels of this picture one level towards another.

        `where`: mask (h x w) of the pixels.
        """
        half = halved(where)
        for mine, new, mask in (
            (self.gray, other.gray, where),
            *((one, two, half) for one, two in zip(self.colours, other.colours, strict=False)),
        ):
            step = (new > mine).view(np.uint8) - (new < mine).view(np.uint8)  # 255 is -1, modulo 256
            np.add(mine, step, out=mine, where=mask)

    def levelled(self, gain: float) -> "SmallPicture":
        """The picture as if exposed `gain` times as long.

        The gain is limited to what an exposure may vary: 0.75 to 1.33.
        """
        gain = min(max(gain, 1 / _GAIN_MOST), _GAIN_MOST)
        if abs(gain - 1) <= _GAIN_LEAST:
            return replace(self, gray=_at_most(self.gray, _WHITE))
        table = np.minimum(np.arange(256) * gain + 0.5, white(gain)).astype(np.uint8)
        return replace(self, gray=np.asarray(cv2.LUT(self.gray, table), np.uint8))


def white(gain: float) -> int:
    """Grey level from which pixels count as white.

    The picture was levelled by `gain`: the factor of its exposure, see `SmallPicture.levelled`.
    """
    return min(_WHITE, int(250 * max(gain, 1 / _GAIN_MOST)))


def small_picture(frame: Frame) -> SmallPicture:
    """Reduce a frame to 480 px width.

    A frame in grey gives a picture without colours.
    """
    reduced = frame.quickest
    height, width = reduced.shape[:2]
    size = (SMALL_WIDTH, max(1, round(height * SMALL_WIDTH / width)))
    small = reduced if size == (width, height) else _resized(reduced, size)
    if small.ndim == 2:
        return SmallPicture(small)
    gray = np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), np.uint8)
    half = cv2.cvtColor(_resized(small, (size[0] // 2, size[1] // 2)), cv2.COLOR_BGR2YCrCb)
    return SmallPicture(gray, (np.asarray(half[:, :, 1].copy()), np.asarray(half[:, :, 2].copy())))


def differ(
    one: SmallPicture, other: SmallPicture, least: int, least_colour: int, brightest: int = 255
) -> tuple[int, Gray]:
    """Find the pixels in which two small pictures differ: their number and mask (0 or 255).

    A pixel differs by more than `least` grey levels, or `least_colour` levels of colour. Grey levels from
    `brightest` on count as equal.
    """
    known = other.gray if brightest >= _WHITE else _at_most(other.gray, brightest)
    mask = cv2.threshold(cv2.absdiff(one.gray, known), least, 255, cv2.THRESH_BINARY)[1]
    for mine, new in zip(one.colours, other.colours, strict=False):
        coloured = cv2.threshold(cv2.absdiff(mine, new), least_colour, 255, cv2.THRESH_BINARY)[1]
        if cv2.countNonZero(coloured):
            large = cv2.resize(coloured, (mask.shape[1], mask.shape[0]), interpolation=cv2.INTER_NEAREST)
            mask = cv2.bitwise_or(mask, large)
    return cv2.countNonZero(mask), np.asarray(mask, np.uint8)


def halved(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Take every other pixel of every other row of a mask, to fit a plane of colour."""
    height, width = mask.shape
    return mask[: height // 2 * 2 : 2, : width // 2 * 2 : 2]


def _at_most(gray: Gray, level: int) -> Gray:
    return np.asarray(cv2.threshold(gray, level, 255, cv2.THRESH_TRUNC)[1], np.uint8)


def _resized(picture: Image, size: tuple[int, int]) -> Image:
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
