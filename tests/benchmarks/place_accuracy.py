"""How far off places on the mat are, through lenses that bend lines, beside a plain homography.

The virtual camera draws the mat; its lens's length, centre and mounting are not what a companion would guess.
"""

import time
from dataclasses import replace
from random import Random
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.registry import DEFAULT_GAME, load_game, load_virtual
from companion.virtual.render.overhead_camera import TableCamera
from companion.virtual.rig.noise_profiles import profile
from companion.virtual.world import World
from vision.codes.code_reader import find_markers
from vision.codes.sticker_set import Gray
from vision.mat.lens_model import Points
from vision.mat.mat_finder import register
from vision.mat.mat_fit import apply
from vision.mat.registration import Registration

LENSES = (0.0, -0.1, -0.2, -0.3)
"""k1 at a focal length of 0.72 picture widths; cheap webcams have -0.1 to -0.3."""
_PUSH_PX, _PUSH_DEG = 15.0, 1.0
"""Standard deviations of a push: about a degree, and a centimetre."""
_PAIRS = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))


def bench_places(seconds: float) -> dict[str, Any]:
    """Errors over the whole mat, mm: 95th percentile of each way of placing it, the median over cameras."""
    mat, looks = load_game(DEFAULT_GAME).mat("basic"), load_virtual(DEFAULT_GAME).looks
    places = np.array([(x, y) for x in np.linspace(5, mat.w - 5, 20) for y in np.linspace(5, mat.h - 5, 12)])
    errors: dict[tuple[float, str], list[float]] = {}
    register_ms: list[float] = []
    until = time.monotonic() + seconds
    rounds = 0
    while not rounds or time.monotonic() < until:
        chance = Random(f"places {rounds}")
        for k1 in LENSES:
            noise = replace(profile("home"), lens_k1=k1)
            camera = TableCamera(World(), mat, (), looks, noise, Random(chance.random()))

            def off(way: str, found: Points | None, k1: float = k1) -> None:
                mm = np.inf if found is None else np.percentile(np.linalg.norm(found - places, axis=1), 95)
                errors.setdefault((k1, way), []).append(float(mm))

            seen = camera.lens.seen([(float(x), float(y)) for x, y in places])
            gray = _grey(camera)
            off("plain_homography", _plain(gray, camera, seen))
            started = time.process_time()
            first = register(mat, gray)
            register_ms.append(1000 * (time.process_time() - started))
            off("four_markers", _placed(first, seen))
            off("three_markers", _placed(register(mat, _hidden(gray, camera, (rounds % 4,))), seen))
            camera.nudge(*(chance.gauss(0, sigma) for sigma in (_PUSH_PX, _PUSH_PX, _PUSH_DEG)))
            seen = camera.lens.seen([(float(x), float(y)) for x, y in places])
            covered = _hidden(_grey(camera), camera, _PAIRS[rounds % len(_PAIRS)])
            off("two_markers_after_a_push", _placed(register(mat, covered, first), seen))
        rounds += 1
    medians = {
        f"{way}_k1_{k1:g}_mm_p95": round(float(np.median(found)), 2) for (k1, way), found in errors.items()
    }
    return {"rounds": rounds, "register_cpu_ms": round(float(np.mean(register_ms)), 1), **medians}


def _grey(camera: TableCamera) -> Gray:
    return np.asarray(cv2.cvtColor(camera.frame(0.0), cv2.COLOR_BGR2GRAY), np.uint8)


def _placed(found: Registration | None, seen: NDArray[np.float32]) -> Points | None:
    return None if found is None else found.to_mm(seen)


def _plain(gray: Gray, camera: TableCamera, seen: NDArray[np.float32]) -> Points | None:
    """Where places are by a homography of all marker corners in the picture, and no lens."""
    wanted = {marker.id: marker for marker in camera.mat.markers}
    found = [marker for marker in find_markers(gray, refine=True, thorough=True) if marker.id in wanted]
    if len(found) < 4:
        return None
    px = np.array([corner for one in found for corner in one.corners])
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2
    mm = [np.array((m.x, m.y)) + m.side * signs for m in (wanted[one.id] for one in found)]
    matrix = cv2.findHomography(px, np.concatenate(mm))[0]
    return apply(np.asarray(matrix, np.float64), np.asarray(seen, np.float64))


def _hidden(gray: Gray, camera: TableCamera, corners: tuple[int, ...]) -> Gray:
    """The picture with some of the mat's markers (0 to 3) covered."""
    covered = gray.copy()
    for corner in corners:
        marker = camera.mat.markers[corner]
        x, y = camera.lens.seen([(marker.x, marker.y)])[0].astype(int)
        cv2.circle(covered, (int(x), int(y)), 70, (130,), -1)
    return covered
