"""Mat and lens fitted to marker corners: what blur and a push do to corners moves no place far."""

from dataclasses import replace

import numpy as np
import pytest

from tests.benchmarks.mat_camera import Camera
from tests.benchmarks.mat_pictures import MAT
from vision.mat.lens_model import Lens
from vision.mat.mat_fit import Corners, Fit, doubt_mm, fit_mat, follow
from vision.mat.registration import Registration

PLACES = np.array([(x, y) for x in np.linspace(0, MAT.w, 9) for y in np.linspace(0, MAT.h, 6)])
BLUR_PX = 1.5


def corners(camera: Camera, numbers: tuple[int, ...] = (0, 1, 2, 3)) -> Corners:
    """Corners of the mat's markers of these numbers, as a camera sees them."""
    mm = np.array([corner for number in numbers for corner in MAT.markers[number].corners])
    return Corners(camera.to_px(mm), mm)


def fitted(seen: Corners, camera: Camera) -> tuple[Fit, float]:
    """The mat by these corners, and how unsure (mm) it is."""
    found = fit_mat(seen, Lens.guessed(camera.width, camera.height), BLUR_PX, bends=True)
    assert found is not None
    fit, possible = found
    return fit, doubt_mm(fit, seen, PLACES, lens_known=False, possible=possible)


def off_mm(fit: Fit, camera: Camera) -> float:
    """Largest distance (mm) of a place of the mat from where the camera shows it."""
    found = Registration(fit, camera.width, camera.height, len(MAT.markers), 0.0)
    return float(np.linalg.norm(found.to_mm(camera.to_px(PLACES)) - PLACES, axis=1).max())


@pytest.mark.parametrize("bend", [-0.25, 0.0, 0.08])
def test_exact_corners_give_the_lens(bend: float) -> None:
    camera = Camera(tilt=6.0, towards=100.0, bend=bend)
    fit, unsure = fitted(corners(camera), camera)
    assert off_mm(fit, camera) < 1.5
    assert unsure < 1.3


def test_corners_that_blur_moves_bend_no_lens() -> None:
    """Outlines of markers out of focus, as once found: px from the truth. By their shapes alone k2 was 0.15."""
    off_px = [
        [(0.26, 0.23), (-0.35, 0.35), (-0.36, -0.47), (0.31, -0.18)],
        [(0.22, 0.18), (-0.13, 0.16), (-0.16, -0.07), (0.15, -0.19)],
        [(0.21, 0.21), (-0.22, 0.25), (-0.11, -0.12), (0.08, -0.16)],
        [(0.37, 0.28), (-0.44, 0.31), (-0.14, -0.18), (0.23, -0.25)],
    ]
    camera = Camera(tilt=6.83, towards=333.2, roll=-1.75, fov=55.06, bend=-0.011, fill=0.915, dx=18.7, dy=14.8)
    seen = corners(camera)
    fit, unsure = fitted(replace(seen, px=seen.px + np.reshape(off_px, (16, 2))), camera)
    assert off_mm(fit, camera) < 2.2
    assert off_mm(fit, camera) < 2 * unsure


def test_a_tilted_camera_that_was_pushed_far_is_followed_by_two_markers() -> None:
    camera = Camera(tilt=7.0, towards=281.0, fov=61.0, fill=0.9)
    before, _ = fitted(corners(camera), camera)
    pushed = replace(camera, tilt=9.5, roll=2.0, dx=17.0, dy=142.0, zoom=1.01)
    found = follow(before, corners(pushed, (0, 1)), 0.1)
    assert off_mm(before, pushed) > 50
    assert off_mm(found, pushed) < 1
    assert found.rms_px < 0.05
