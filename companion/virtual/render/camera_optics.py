"""Virtual camera's geometry and optics: projection, distortion, blur, vignetting."""

from collections.abc import Hashable
from functools import cache
from random import Random

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.virtual.parameters import SIGHT
from companion.virtual.render.lamp_light import OtherLight
from companion.virtual.render.printed_marks import Picture
from companion.virtual.rig.noise_profiles import Noise
from vision.mat.lens_model import FOCAL_GUESS
from vision.mat.lens_model import Lens as Bent
from vision.mat_geometry import Mat

WIDTH, HEIGHT = 1920, 1080
"""Size (px) of the camera's pictures."""
BIAS = 10
"""Grey level by which a clean picture is stored darker than it is.

The noise is stored lighter by it, so that no noise is below 0, and one addition gives a frame.
"""

_NODE = 16
"""Distance (px) between points at which the distortion is computed.

Linear interpolation between them errs by at most 0.01 px.
"""
_BENDS_WITHIN = 1.1
"""Largest radius, in focal lengths, at which the distortion law is used.

Farther out, outside the picture, it would bend lines back.
"""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in px; right and bottom are excluded."""


class Lens:
    """Lens and mounting of the virtual camera.

    It projects points into the picture, blurs and darkens it. `chance`: draws how the camera was mounted.
    """

    def __init__(self, mat: Mat, noise: Noise, chance: Random) -> None:
        self._noise = noise
        corners = np.array([(0, 0), (mat.w, 0), (mat.w, mat.h), (0, mat.h)], np.float32)
        # Mounted by hand: a little tilted and turned, differently with each seed.
        seen = np.array([(52, 34), (1874, 20), (1884, 1050), (36, 1060)], np.float32)
        seen += np.array([(chance.uniform(-6, 6), chance.uniform(-6, 6)) for _ in range(4)], np.float32)
        self.matrix = np.asarray(cv2.getPerspectiveTransform(corners, seen), np.float64)
        self._bent = None
        if noise.lens_k1:
            # Focal length and centre differ from what a companion would guess.
            focal, cx, cy = 0.9 * FOCAL_GUESS * WIDTH, WIDTH / 2 + 7, HEIGHT / 2 - 5
            self._bent = Bent(WIDTH, HEIGHT, focal, cx, cy, (noise.lens_k1,))
            self.matrix = _posed(corners, seen, np.array([[focal, 0, cx], [0, focal, cy], [0, 0, 1]]))
        self._dark = _vignette()
        self.other_light = OtherLight(chance) if noise.other_light else None
        """Light of another day than at enrolment. None if it is unchanged."""

    @property
    def pinhole(self) -> NDArray[np.float64]:
        """Camera matrix (3 x 3), from rays to undistorted px.

        Without distortion its focal length is FOCAL_GUESS picture widths.
        """
        if self._bent is None:
            focal, cx, cy = FOCAL_GUESS * WIDTH, WIDTH / 2, HEIGHT / 2
        else:
            focal, cx, cy = self._bent.focal, self._bent.cx, self._bent.cy
        return np.array([[focal, 0, cx], [0, focal, cy], [0, 0, 1]], np.float64)

    @property
    def key(self) -> Hashable:
        """Key that is equal for lenses with equal projections."""
        return self.matrix.tobytes(), self._bent

    def nudge(self, dx: float, dy: float, turn: float, zoom: float = 1.0) -> None:
        """Push the camera, so that the picture moves.

        Its middle moves by (dx, dy) px and turns by `turn` degrees. Everything in the picture becomes `zoom`
        times as large, as if the camera were nearer.
        """
        shift = cv2.getRotationMatrix2D((WIDTH / 2, HEIGHT / 2), -turn, zoom)
        shift[:, 2] += np.array((dx, dy))
        self.matrix = np.vstack([shift, (0, 0, 1)]) @ self.matrix

    def seen(self, points: ArrayLike) -> NDArray[np.float32]:
        """Project points of the mat (n x 2 mm) to the picture (n x 2 px).

        The lens's distortion is included.
        """
        flat = np.asarray(points, np.float32).reshape(-1, 1, 2)
        straight = np.asarray(cv2.perspectiveTransform(flat, self.matrix), np.float64)
        return self.bent(straight.reshape(-1, 2))

    def bent(self, straight: NDArray[np.float64]) -> NDArray[np.float32]:
        """Distort points (n x 2 px) of a picture as the lens does."""
        if self._bent is None:
            return np.asarray(straight, np.float32)
        lens = self._bent
        rays = (straight - (lens.cx, lens.cy)) / lens.focal
        far = np.maximum(1.0, np.linalg.norm(rays, axis=1, keepdims=True) / _BENDS_WITHIN)
        centre = np.array((lens.cx, lens.cy))
        return np.asarray(centre + far * (lens.pixels(rays / far) - centre), np.float32)

    def twice(
        self, picture: Picture, matrix: NDArray[np.float64], box: Box, border: int = cv2.BORDER_CONSTANT
    ) -> Picture:
        """Project a flat picture, and return a part of the result at twice the size.

        A pixel averages over an area. `matrix` (3 x 3) maps `picture` to undistorted px. `box`: the part (px).
        `border`: the cv2 border mode outside the picture.
        """
        left, top, right, bottom = box
        size = (2 * (right - left), 2 * (bottom - top))
        lift = np.diag([2.0, 2.0, 1.0]) @ np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]])
        if self._bent is None:
            drawn = cv2.warpPerspective(picture, lift @ matrix, size, flags=cv2.INTER_LINEAR, borderMode=border)
            return np.asarray(drawn, np.uint8)
        lens = self._bent
        across, down = size[0] // _NODE + 3, size[1] // _NODE + 3
        # The middles of squares of _NODE px, one square beyond the picture on each side: what `resize` expects.
        x, y = np.meshgrid(_middles(across) / 2 + left, _middles(down) / 2 + top)
        straight = lens.rays(np.stack([x, y], axis=-1)) * lens.focal + (lens.cx, lens.cy)
        nodes = cv2.perspectiveTransform(straight.reshape(down, across, 2), np.linalg.inv(matrix))
        whole = (across * _NODE, down * _NODE)
        fine = cv2.resize(nodes.astype(np.float32), whole, interpolation=cv2.INTER_LINEAR)
        from_where = fine[_NODE : _NODE + size[1], _NODE : _NODE + size[0]]
        x_map, y_map = np.dsplit(from_where, 2)
        drawn = cv2.remap(picture, x_map, y_map, cv2.INTER_LINEAR, borderMode=border)
        return np.asarray(drawn, np.uint8)

    def finished(self, sharp: Picture, shine: Picture, box: Box, *, whole: bool = False) -> Picture:
        """Apply blur, vignetting and light to the part `box` of a sharp picture.

        The result is darker by BIAS, and has no noise yet. `shine`: mask of reflected lamps, as large as
        `sharp`. `whole`: `sharp` is exactly the part to finish, not the picture around it.
        """
        left, top, right, bottom = box
        pad = 4
        x0, y0 = (left, top) if whole else (max(0, left - pad), max(0, top - pad))
        part, lamps = (
            picture if whole else picture[y0 : bottom + pad, x0 : right + pad] for picture in (sharp, shine)
        )
        inner = (slice(top - y0, bottom - y0), slice(left - x0, right - x0))
        dark = self._dark[top:bottom, left:right]
        scale = self._noise.light / 255
        dim = np.asarray(cv2.multiply(self._blurred(part)[inner], dark, scale=scale), np.uint8)
        seen = dim if self.other_light is None else self.other_light.developed(dim)
        if lamps.any():
            lamp = self._blurred(lamps)[inner][:, :, None] * dark.astype(np.float32) * scale
            light = np.asarray(dim + SIGHT.lamp_times_white * lamp, np.float32)
            bright = np.clip(light, 0, 255) if self.other_light is None else self.other_light.toned(light)
            seen = np.where(lamp > 0, bright, seen).astype(np.uint8)
        return np.asarray(cv2.subtract(seen, np.full_like(seen, BIAS)), np.uint8)

    def _blurred(self, picture: Picture) -> Picture:
        soft = cv2.GaussianBlur(picture, (0, 0), self._noise.lens_blur, borderType=cv2.BORDER_REPLICATE)
        return np.asarray(soft, np.uint8)


@cache
def _vignette() -> Picture:
    """Brightness (0 to 255) of each pixel and channel, which falls towards the corners."""
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    far = ((x - WIDTH / 2) ** 2 + (y - HEIGHT / 2) ** 2) / ((WIDTH / 2) ** 2 + (HEIGHT / 2) ** 2)
    dark = (255 * (1 - 0.22 * far**1.4)).astype(np.uint8)
    return np.asarray(cv2.merge([dark, dark, dark]), np.uint8)


def _middles(squares: int) -> NDArray[np.float64]:
    """Middles (px) of adjacent squares along one axis.

    There are `squares` of them. The first square ends where the picture begins.
    """
    return np.arange(squares, dtype=np.float64) * _NODE - (_NODE + 1) / 2


def _posed(
    corners: NDArray[np.float32], seen: NDArray[np.float32], camera: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Matrix (3 x 3) from mm to px that brings the mat's corners nearest to `seen`.

    `corners`: on the mat (4 x 2, mm). `seen`: where they shall be seen (4 x 2, px). `camera`: camera matrix
    (3 x 3).
    """
    flat = np.column_stack([corners, np.zeros(4)])
    _, turn, shift = cv2.solvePnP(flat, seen, camera, None)
    rotation = np.asarray(cv2.Rodrigues(turn)[0], np.float64)
    return np.asarray(camera @ np.column_stack([rotation[:, :2], np.ravel(shift)]), np.float64)
