"""STL files of flat plates with holes, for 3D printers."""

import math
import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.drawings.sizes import HEAD_SLOT, HEAD_W, RIB_THICK, TRIPOD_HOLE, At, Hole, gusset, head

_CORNERS = 48
"""Number of corners of the polygon that stands for a circle.

It is 0.2 % too narrow at most: 0.01 mm for a bolt's hole.
"""
Triangles = NDArray[np.float64]
"""Triangles of a solid: n x 3 corners x 3 coordinates (mm), counter-clockwise seen from outside."""


def arm_prints() -> dict[str, bytes]:
    """Make the printed plates of the camera's arm: file name -> content (STL).

    Needs mapbox_earcut (`make dev`).
    """
    corner, corner_holes = gusset()
    plate, plate_holes = head()
    slot = _slot(HEAD_W / 2, *HEAD_SLOT, TRIPOD_HOLE)
    return {
        "arm-corner.stl": stl(raised(corner, [_circle(hole) for hole in corner_holes], RIB_THICK)),
        "arm-head.stl": stl(raised(plate, [*(_circle(hole) for hole in plate_holes), slot], RIB_THICK)),
    }


def raised(outline: Sequence[At], holes: Sequence[Sequence[At]], thick: float) -> Triangles:
    """Make the solid of a flat plate with holes.

    `outline`, `holes`: corners (mm). `thick`: height of the plate (mm).
    """
    import mapbox_earcut

    rings = [_turned(outline, left=True), *(_turned(hole, left=False) for hole in holes)]
    flat = np.array([point for ring in rings for point in ring], np.float64)
    ends = np.cumsum([len(ring) for ring in rings]).astype(np.uint32)
    faces = flat[mapbox_earcut.triangulate_float64(flat, ends).reshape(-1, 3)]
    # The library does not promise the direction of its triangles.
    wrong = _cross(faces) < 0
    faces[wrong] = faces[wrong][:, ::-1]
    walls = []
    for ring in rings:
        for (x0, y0), (x1, y1) in zip(ring, (*ring[1:], ring[0]), strict=True):
            walls += [
                ((x0, y0, 0), (x1, y1, 0), (x1, y1, thick)),
                ((x0, y0, 0), (x1, y1, thick), (x0, y0, thick)),
            ]
    lower, upper = (np.concatenate([faces, np.full((*faces.shape[:2], 1), z)], axis=2) for z in (0.0, thick))
    return np.concatenate([lower[:, ::-1], upper, np.array(walls, np.float64)])


def stl(triangles: Triangles) -> bytes:
    """Write triangles as a binary STL file."""
    edges = triangles[:, 1:] - triangles[:, :1]
    normals = np.cross(edges[:, 0], edges[:, 1])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    rows = np.concatenate([normals[:, None], triangles], axis=1).astype("<f4").reshape(len(triangles), 12)
    return bytes(80) + struct.pack("<I", len(rows)) + b"".join(row.tobytes() + b"\0\0" for row in rows)


def _cross(faces: NDArray[np.float64]) -> NDArray[np.float64]:
    """Twice the signed area of triangles in a plane, which are n x 3 corners x 2."""
    a, b = faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0]
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0], np.float64)


def _turned(ring: Sequence[At], *, left: bool) -> list[At]:
    """Order a ring of points (y upwards).

    Counter-clockwise if `left`, else clockwise.
    """
    area = sum(a.x * b.y - b.x * a.y for a, b in zip(ring, (*ring[1:], ring[0]), strict=True))
    return list(ring) if (area > 0) == left else list(reversed(ring))


def _circle(hole: Hole) -> list[At]:
    return [_on(hole.x, hole.y, hole.across / 2, n / _CORNERS) for n in range(_CORNERS)]


def _slot(x: float, y0: float, y1: float, wide: float) -> list[At]:
    """Outline of a slot with two round ends, as corners.

    `wide`: its width (mm). The middles of its ends are (x, y0) and (x, y1).
    """
    half = _CORNERS // 2
    near = [_on(x, y1, wide / 2, n / _CORNERS) for n in range(half + 1)]
    return near + [_on(x, y0, wide / 2, n / _CORNERS) for n in range(half, _CORNERS + 1)]


def _on(x: float, y: float, radius: float, turn: float) -> At:
    return At(x + radius * math.cos(math.tau * turn), y + radius * math.sin(math.tau * turn))
