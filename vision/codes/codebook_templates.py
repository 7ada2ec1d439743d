"""Template pictures of all stickers at several blurs, which a matrix product compares with a picture."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.codes.sticker_set import QUIET_MODULES, STICKER_MODULES, Gray, sticker

Floats = NDArray[np.float32]
"""Array of 32-bit floats; whoever uses it gives its shape."""

BLURS = (0.3, 0.42, 0.58, 0.8, 1.1, 1.5)
"""Blurs that are tried (sigma, in modules, cells of a code): lens, print and pixel together. They range from 3
px a module in focus to 0.6 px a module."""
_PER_MODULE = 2
"""Samples along the side of one module (cell of a code), so four samples in each."""
_SIDE = STICKER_MODULES * _PER_MODULE
_STRANGERS = 64
"""_STRANGERS: number of random codes added to the known ones. An unknown sticker resembles a random code as
easily as a known one."""

_at = (np.arange(_SIDE) + 0.5) / _PER_MODULE
_COLUMN, _ROW = (grid.ravel() for grid in np.meshgrid(_at, _at))
_GRID = np.column_stack([_COLUMN, _ROW, np.ones(_SIDE**2)])
_MIDDLE = STICKER_MODULES / 2
_U, _V = _COLUMN - _MIDDLE, _ROW - _MIDDLE
_LIGHT = np.column_stack([np.ones(_SIDE**2), _U / _MIDDLE, _V / _MIDDLE])
"""Basis (samples x 3) of the uneven light on a code: a constant, and a slope in each direction."""


def _telling() -> NDArray[np.bool_]:
    """Mask of the modules (cells) in which codes differ.

    Source: ISO/IEC 18004, 6.3. Finder patterns, separators, timing patterns and the quiet zone are equal in
    all codes.
    """
    first, last = QUIET_MODULES, STICKER_MODULES - QUIET_MODULES
    telling = np.zeros((STICKER_MODULES, STICKER_MODULES), np.bool_)
    telling[first:last, first:last] = True
    telling[first : first + 8, first : first + 8] = False
    telling[first : first + 8, last - 8 : last] = False
    telling[last - 8 : last, first : first + 8] = False
    telling[first + 6, :] = telling[:, first + 6] = False
    return telling


def _indices(modules: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Indices of the samples in some code modules (cells).

    `modules`: mask, 25 x 25, of these modules.
    """
    return np.flatnonzero(np.kron(modules, np.ones((_PER_MODULE, _PER_MODULE), np.bool_)))


_TELLING = _telling()
_USED_MODULES = np.pad(np.ones((STICKER_MODULES - 2, STICKER_MODULES - 2), np.bool_), 1)
"""Mask of the modules (cells) that are compared: all but the outer half of the quiet zone, into which a
sticker's surroundings blur."""
_DIFFER, _ALIKE, _USED = (_indices(m) for m in (_TELLING, _USED_MODULES & ~_TELLING, _USED_MODULES))
_LIGHT_DIFFER, _LIGHT_ALIKE = (np.linalg.qr(_LIGHT[region])[0] for region in (_DIFFER, _ALIKE))


_SURROUNDINGS = 2.0
"""Size (sigma, in modules, cells of a code) of the neighbourhood that is subtracted from a sample. Measured:
at 1.5 and at 3 more damaged stickers stay unread."""
_INSIDE = slice(QUIET_MODULES * _PER_MODULE, (STICKER_MODULES - QUIET_MODULES) * _PER_MODULE)


def _around() -> Floats:
    """Weights that average the neighbourhood of each sample along one row of a code.

    Samples x samples; each row of the matrix sums to 1.
    """
    at = _at[_INSIDE]
    weights = np.exp(-((at[:, None] - at[None]) ** 2) / (2 * _SURROUNDINGS**2))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float32)


_AROUND = _around()


def sampled(gray: Gray, poses: NDArray[np.float64]) -> Floats:
    """Sample grey levels (n x 2500) at a code's n poses.

    `poses`: n x 2 x 3; each maps modules (cells of the code) to px (see `Pose`). Each of the 25 x 25 modules
    has four samples.
    """
    if not len(poses):
        return np.empty((0, _SIDE**2), np.float32)
    # One row for each patch: OpenCV refuses maps with more than 32767 rows.
    at = np.einsum("pij,nj->ipn", poses, _GRID).astype(np.float32)
    seen = cv2.remap(gray, at[0], at[1], cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.float32)


def telling(samples: Floats) -> Floats:
    """Cut out of samples the part that tells codes apart.

    `samples`: n x 2500. Each row of the result has length 1. Every sample is relative to its neighbourhood. Of
    a stain or a shadow only the edges remain. So it does not resemble the dark part of a code.
    """
    codes = samples.reshape(-1, _SIDE, _SIDE)[:, _INSIDE, _INSIDE]
    against = np.zeros_like(samples).reshape(-1, _SIDE, _SIDE)
    against[:, _INSIDE, _INSIDE] = codes - _AROUND @ codes @ _AROUND.T
    return _evened(against.reshape(samples.shape)[:, _DIFFER], _LIGHT_DIFFER)


def alike(samples: Floats) -> Floats:
    """Cut out of samples the part that all codes share.

    `samples`: n x 2500. Each row of the result has length 1. The part holds the finder and timing patterns and
    the inner quiet zone.
    """
    return _evened(samples[:, _ALIKE], _LIGHT_ALIKE)


@dataclass(frozen=True, eq=False)
class Blurred:
    """Pictures of all stickers in a codebook at one blur.

    Row k shows payload k; random codes come last, which stand for unknown stickers.
    """

    images: Floats
    """Grey levels of the codes at this blur: codes x samples, 0 black to 1 white."""

    @cached_property
    def _data(self) -> Floats:
        return telling(self.images)

    @cached_property
    def _mean(self) -> Floats:
        return np.asarray(self.images.mean(axis=0), np.float32)

    @cached_property
    def _frame(self) -> Floats:
        return np.asarray(alike(self._mean[None])[0], np.float32)

    @cached_property
    def _frame_solver(self) -> NDArray[np.float64]:
        return np.asarray(np.linalg.pinv(_slopes(self._mean)[_ALIKE]), np.float64)

    def likeness(self, told: Floats) -> Floats:
        """Correlations (-1 to 1) of each known code with each patch: codes x patches.

        `told`: patches of a picture, as `telling` returns them.
        """
        return np.asarray(self._data @ told.T, np.float32)

    def frame_likeness(self, shared: Floats) -> Floats:
        """Correlation (-1 to 1) of each patch with the patterns that all codes share.

        `shared`: patches of a picture, as `alike` returns them.
        """
        return np.asarray(shared @ self._frame, np.float32)

    def frame_step(self, samples: Floats) -> NDArray[np.float64]:
        """Compute steps that move poses onto the shared patterns.

        All codes share these patterns. Returns patches x 3 x 3, in modules (cells of a code). A pose is
        multiplied by its correction. NaN where no correction can be computed. `samples`: patches x 2500.
        """
        return _corrections(samples[:, _ALIKE] @ self._frame_solver.T)

    def step(self, code: int, samples: Floats) -> NDArray[np.float64]:
        """Compute the correction that moves a pose onto a code.

        `code`: row of the code in `images`. Returns 1 x 3 x 3, in modules (cells of the code). All cells
        count. `samples`: the patch (1 x 2500). NaN if no correction can be computed.
        """
        slopes = _slopes(self.images[code])[_USED]
        # Normal equations: well conditioned here, and fifty times faster than a decomposition.
        return _corrections(np.linalg.solve(slopes.T @ slopes, slopes.T @ samples[0, _USED])[None])


class Templates:
    """Pictures of stickers (`payloads`) and random codes at several blurs.

    Each blur is computed at its first use.
    """

    def __init__(self, payloads: Sequence[str]) -> None:
        known = np.reshape([sticker(payload, STICKER_MODULES) for payload in payloads], (-1, *_TELLING.shape))
        self._modules = np.concatenate([known, _strangers()]).astype(np.float32) / 255
        self._blurred: dict[float, Blurred] = {}

    def blurred(self, blur: float) -> Blurred:
        """Pictures of all codes at a blur of sigma `blur` modules (cells of a code)."""
        known = self._blurred.get(blur)
        if known is None:
            lens = _lens(blur)
            images = np.asarray(lens @ self._modules @ lens.T, np.float32)
            known = self._blurred[blur] = Blurred(images.reshape(len(images), -1))
        return known


def _lens(blur: float) -> Floats:
    """Weight of each module (cell) of a row in every sample of this row, at a blur.

    Samples x modules; each row sums to 1. `blur`: sigma in modules.
    """
    ends = np.arange(1, STICKER_MODULES) - _at[:, None]
    seen = np.vectorize(math.erf)(ends / (blur * math.sqrt(2))) / 2 + 0.5
    # Beyond the last module the quiet zone goes on.
    return np.asarray(np.diff(seen, axis=1, prepend=0.0, append=1.0), np.float32)


def _strangers() -> Gray:
    """Draw random codes for unknown stickers, equal in every run.

    Codes x modules x modules, 0 or 255.
    """
    modules = np.tile(sticker("0", STICKER_MODULES), (_STRANGERS, 1, 1))
    shape = (_STRANGERS, np.count_nonzero(_TELLING))
    modules[:, _TELLING] = 255 * np.random.default_rng(0).integers(0, 2, shape)
    return modules


def _evened(rows: Floats, light: NDArray[np.float64]) -> Floats:
    """Remove the slope of the light from each row, and scale the row to length 1.

    `rows`: n x samples. `light`: orthonormal basis of slopes, samples x 3.
    """
    basis = light.astype(np.float32)
    flat = rows - (rows @ basis) @ basis.T
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6), np.float32)


def _slopes(image: Floats) -> NDArray[np.float64]:
    """Derivatives (samples x 10) of a code's samples, for least-squares.

    The columns are six numbers of a pose, gain, and three of lighting.
    """
    down, right = np.gradient(image.reshape(_SIDE, _SIDE).astype(np.float64), 1 / _PER_MODULE)
    across, along = right.ravel(), down.ravel()
    return np.column_stack([across * _U, across * _V, across, along * _U, along * _V, along, image, _LIGHT])


def _corrections(fits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn least-squares solutions into matrices (n x 3 x 3) that correct poses.

    `fits` (n x 10): solutions for the derivatives of `_slopes`. NaN where no correction is possible. Source:
    Baker and Matthews 2004, 3.2.
    """
    gain = fits[:, 6:7]
    with np.errstate(divide="ignore", invalid="ignore"):
        moves = np.where(gain > 1e-3, fits[:, :6] / gain, np.nan)
    warps = np.tile(np.eye(3), (len(fits), 1, 1))
    warps[:, 0, :2] += moves[:, 0:2]
    warps[:, 1, :2] += moves[:, 3:5]
    warps[:, :2, 2] = moves[:, [2, 5]] - _MIDDLE * (moves[:, [0, 3]] + moves[:, [1, 4]])
    found = np.full_like(warps, np.nan)
    sound = np.isfinite(warps).all(axis=(1, 2)) & (np.abs(np.linalg.det(np.nan_to_num(warps))) > 0.1)
    found[sound] = np.linalg.inv(warps[sound])
    return found
