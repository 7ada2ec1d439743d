"""A camera's lens: from pixels to rays and back.

The model of distortion is OpenCV's.
"""

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.errors import UnusableError
from vision.reasons import LensBendsTooMuch, LensOfOtherShape, Simple

Points = NDArray[np.float64]
"""Coordinates of n points, n x 2."""

FOCAL_GUESS = 0.8
"""Assumed focal length in picture widths. It gives 64 degrees horizontally, about that of webcams and
phones."""
_ITERATIONS = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 50, 1e-9)
_COEFFICIENTS_MOST = 5


@dataclass(frozen=True)
class Lens:
    """Lens of a camera (pinhole and distortion) for pictures of `width` x `height` px.

    `focal`, `cx`, `cy`: focal length and centre in px. `k`: up to five coefficients k1 k2 p1 p2 k3, as
    cv2.calibrateCamera gives them. A ray is a point (x/z, y/z) in the pinhole's plane at distance 1.
    """

    width: int
    height: int
    focal: float
    cx: float
    cy: float
    k: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        numbers = (self.focal, self.cx, self.cy, *self.k)
        if min(self.width, self.height, self.focal) <= 0 or not np.all(np.isfinite(numbers)):
            raise UnusableError(Simple.LENS_IMPOSSIBLE, "lens")
        if len(self.k) > _COEFFICIENTS_MOST:
            raise UnusableError(LensBendsTooMuch(len(self.k)), "lens")

    @classmethod
    def guessed(cls, width: int, height: int, k: tuple[float, ...] = ()) -> "Lens":
        """Typical lens, centred in the middle of the picture.

        `width`, `height`: of the picture (px). `k`: its distortion, see `Lens`.
        """
        return cls(width, height, FOCAL_GUESS * width, (width - 1) / 2, (height - 1) / 2, k)

    def scaled(self, width: int, height: int) -> "Lens":
        """This lens for pictures of another size (px).

        UnusableError if their proportions differ: they are cropped at an unknown place.
        """
        if (width, height) == (self.width, self.height):
            return self
        if abs(width * self.height - height * self.width) > 2 * max(width, height):
            raise UnusableError(LensOfOtherShape(self.width, self.height, width, height), "lens")
        s = width / self.width
        # Pixel coordinates count from the middle of the first pixel.
        return Lens(width, height, self.focal * s, (self.cx + 0.5) * s - 0.5, (self.cy + 0.5) * s - 0.5, self.k)

    @property
    def bent_by(self) -> float:
        """How far the lens bends straight lines, at the end of the picture's long axis.

        A share of the radius: -0.1 is a tenth nearer to the centre.
        """
        end = np.array([(self.width - 1.0, self.cy)])
        straight = float(self.rays(end)[0, 0]) * self.focal
        return (float(end[0, 0]) - self.cx) / straight - 1

    def rays(self, pixels: ArrayLike) -> Points:
        """Map n x 2 px to n x 2 rays: points (x/z, y/z) at distance 1."""
        flat = np.asarray(pixels, np.float64).reshape(-1, 1, 2)
        if not len(flat):
            return flat.reshape(0, 2)
        found = cv2.undistortPoints(flat, self._camera, self._distortion, None, None, None, _ITERATIONS)
        return np.asarray(found, np.float64).reshape(-1, 2)

    def pixels(self, rays: ArrayLike) -> Points:
        """Map n x 2 rays (points x/z, y/z at distance 1) to n x 2 px."""
        flat = np.asarray(rays, np.float64).reshape(-1, 2)
        if not len(flat):
            return flat
        lifted = np.column_stack([flat, np.ones(len(flat))])
        still = np.zeros(3)
        seen = cv2.projectPoints(lifted, still, still, self._camera, self._distortion)[0]
        return np.asarray(seen, np.float64).reshape(-1, 2)

    def folds(self, rays: ArrayLike) -> bool:
        """True if the distortion folds the picture back.

        No real lens does. Radii up to the farthest of `rays` are examined.
        """
        k1, k2, _, _, k3 = (*self.k, *([0.0] * (_COEFFICIENTS_MOST - len(self.k))))
        farthest = float(np.linalg.norm(np.asarray(rays, np.float64).reshape(-1, 2), axis=1).max())
        r2 = np.linspace(0, farthest, 32) ** 2
        return bool(np.any(1 + 3 * k1 * r2 + 5 * k2 * r2**2 + 7 * k3 * r2**3 < _STEEP))

    @cached_property
    def _camera(self) -> NDArray[np.float64]:
        return np.array([[self.focal, 0, self.cx], [0, self.focal, self.cy], [0, 0, 1]])

    @cached_property
    def _distortion(self) -> NDArray[np.float64]:
        return np.array((*self.k, *([0.0] * (_COEFFICIENTS_MOST - len(self.k)))))


_STEEP = 0.15
"""_STEEP: least growth of the picture's radius with the ray's. A lens with less is a fisheye, and not
supported."""
