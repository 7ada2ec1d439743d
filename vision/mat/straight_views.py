"""Straightens parts of a picture.

A sticker at the rim is then read like one in the middle.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.camera.frames import Image
from vision.codes.code_reader import STEPS, Corners, Reading, read_region
from vision.codes.codebook import Codebook
from vision.codes.sticker_set import Gray
from vision.mat.lens_model import Points
from vision.mat.mat_finder import Rect, Registration
from vision.mat_geometry import Mat

_EVEN = 0.08
"""_EVEN: greatest difference (share) of the scales in a part that is not flattened. The reader accepts a sixth
more or less."""
_LARGER_MOST = 2.5
"""_LARGER_MOST: greatest growth of the number of px with which a part is flattened. A mat seen edge-on would
have more."""
_NODE = 16
"""_NODE: distance (px) between the points at which the mapping to the mat is computed. Interpolation is right
to 0.02 px."""
_STEP_MM = 3.0
"""Distance (mm) from a point of the mat to the points by which its scale is computed."""


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Part of a picture, perhaps flattened onto the mat.

    `flat`: whether it is flattened, as seen from straight above. `scale`: px/mm. `left`, `top`: its origin, in
    px of the picture, or in mm of the mat if `flat`.
    """

    image: Gray
    scale: float
    left: float
    top: float
    flat: bool
    registration: Registration

    def to_px(self, points: ArrayLike) -> Points:
        """Map points of the part to the whole picture.

        Both are n x 2 px.
        """
        at = np.asarray(points, np.float64).reshape(-1, 2)
        if not self.flat:
            return at + self._corner
        return self.registration.to_px(at / self.scale + self._corner)

    def from_px(self, points: Points) -> Points:
        """Map points of the whole picture to the part.

        Both are n x 2 px.
        """
        if not self.flat:
            return points - self._corner
        return (self.registration.to_mm(points) - self._corner) * self.scale

    @property
    def _corner(self) -> NDArray[np.float64]:
        return np.array((self.left, self.top), np.float64)


def part_of(gray: Gray, rect: Rect, registration: Registration) -> Part:
    """Cut a rectangle (px) from a picture.

    The rectangle is flattened if its scale is uneven. Lens or view may make it so. Parts beyond the range of
    the lens are not flattened.
    """
    left, top, right, bottom = rect
    crop = gray[top:bottom, left:right]
    x, y = np.meshgrid(np.linspace(left, max(left, right - 1), 3), np.linspace(top, max(top, bottom - 1), 3))
    mm = registration.to_mm(np.column_stack([x.ravel(), y.ravel()]))
    scales = _scales(registration, mm)
    middle = float(np.sqrt(scales[4].prod()))
    middle = middle if np.isfinite(middle) else registration.fit.px_per_mm
    plain = Part(crop, middle, left, top, False, registration)
    # Beyond the range of the lens its inverse is arbitrary: nothing is flattened there.
    if not np.isfinite(scales).all() or np.abs(scales / middle - 1).max() <= _EVEN or not crop.size:
        return plain
    # As fine as the picture in its finer direction, so that no detail is lost.
    scale = float(scales[4].max())
    near, far = mm.min(axis=0), mm.max(axis=0)
    if not 0 < np.prod((far - near) * scale) < _LARGER_MOST * crop.size:
        return plain
    width, height = (int(side) + 1 for side in np.ceil((far - near) * scale))
    return _flattened(
        gray, Part(crop, scale, float(near[0]), float(near[1]), True, registration), width, height
    )


def from_above(image: Image, registration: Registration, mat: Mat, scale: float) -> Image:
    """Draw the whole mat as seen from straight above.

    `image`: grey or BGR. `scale`: px/mm of the view; its first px is the mat's corner.
    """
    width, height = round(mat.w * scale), round(mat.h * scale)
    return _flattened(image, Part(image, scale, 0.0, 0.0, True, registration), width, height).image


def _flattened(image: Image, part: Part, width: int, height: int) -> Part:
    """Fill a flattened part (`width` x `height` px) from `image`."""
    across, down = (np.arange(0, side + _NODE, _NODE, dtype=np.float64) for side in (width, height))
    columns, rows = np.meshgrid(across, down)
    nodes = part.to_px(np.column_stack([columns.ravel(), rows.ravel()])).reshape(*columns.shape, 2)
    maps = between(nodes)[:height, :width]
    flat = cv2.remap(image, maps[..., 0], maps[..., 1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return replace(part, image=np.asarray(flat, np.uint8))


def read_flat(
    gray: Gray,
    rect: Rect,
    registration: Registration,
    side_mm: float,
    book: Codebook | None = None,
    known: Sequence[tuple[float, float]] = (),
    *,
    markers: bool = True,
    steps: Sequence[str] = STEPS,
) -> Reading:
    """Read codes and markers in a part of a picture, flattened if necessary.

    `rect`: the part (px). `side_mm`: side of a sticker's white square. `known` and the result are in px of the
    whole picture. For the other arguments see `read_region`.
    """
    part = part_of(gray, rect, registration)
    there = part.from_px(np.asarray(known, np.float64).reshape(-1, 2)).tolist()
    found = read_region(part.image, side_mm * part.scale, book, there, markers=markers, steps=steps)

    def placed(corners: Corners) -> Corners:
        return tuple((float(x), float(y)) for x, y in part.to_px(corners))

    return Reading(
        tuple(replace(code, corners=placed(code.corners)) for code in found.codes),
        tuple(replace(marker, corners=placed(marker.corners)) for marker in found.markers),
        placed(found.unread),
        tuple(replace(match, corners=placed(match.corners)) for match in found.doubtful),
    )


def _scales(registration: Registration, mm: Points) -> NDArray[np.float64]:
    """Greatest and least scale (px/mm) at points of the mat (n x 2 mm).

    Returns n x 2; NaN beyond the lens's range.
    """
    right, down = np.array((_STEP_MM, 0.0)), np.array((0.0, _STEP_MM))
    ends = registration.to_px(np.concatenate([mm + right, mm - right, mm + down, mm - down]))
    ends = ends.reshape(4, -1, 2)
    jacobians = np.stack([ends[0] - ends[1], ends[2] - ends[3]], axis=2) / (2 * _STEP_MM)
    known = np.isfinite(jacobians).all(axis=(1, 2))
    scales = np.full((len(mm), 2), np.nan)
    scales[known] = np.linalg.svd(jacobians[known], compute_uv=False)
    return scales


def between(nodes: NDArray[np.float64]) -> NDArray[np.float32]:
    """Interpolate linearly between values given at every 16th pixel.

    `nodes`: rows x columns x numbers.
    """
    rows, columns = nodes.shape[:2]
    y, x = np.mgrid[0 : (rows - 1) * _NODE, 0 : (columns - 1) * _NODE].astype(np.float32) / _NODE
    coarse = nodes.astype(np.float32)
    return np.asarray(cv2.remap(coarse, x, y, cv2.INTER_LINEAR), np.float32)
