"""Focus and exposure, measured at the markers: the camera is corrected, and people are told what helps."""

import sys
import types

import cv2
import numpy as np
import pytest

from companion.core.clock import ManualClock, RealClock
from companion.sensing.camera_source import CameraSource
from companion.sensing.observation import Health
from companion.sensing.vision_words import words_of
from tests.benchmarks.cheap_optics import Optics, exposed
from tests.benchmarks.vision_costs import _Camera
from tests.benchmarks.vision_table import table as photographed
from tests.vision.test_vision_capture import (  # noqa: F401 - a fixture
    FakeCapture,
    FakePicamera2,
    first,
    says,
    until,
    webcam,
)
from tests.vision.test_vision_flicker import Filmed
from tests.vision.test_vision_scene import MAT, TAGS, Table, Watch, full_table
from vision.camera.frames import CameraInfo
from vision.camera.open_camera import open_camera
from vision.camera.pi_camera import CsiDevice
from vision.camera.settings_plan import (
    LOCK_AFTER,
    READ_BACK_AFTER,
    STEPS_MOST,
    Exposure,
    SettingsPlan,
    SettingsStep,
)
from vision.camera.webcam import OpenCvDevice
from vision.mat.marker_quality import marker_quality, sharpest_edges_px
from vision.mat.mat_finder import register
from vision.scene.camera_pipeline import Vision
from vision.scene.camera_reports import CameraState


class Adjusted(Filmed):
    """A camera above a drawn table that focuses and exposes as it is told, or fails to."""

    def __init__(self, table, clock, *, obeys=True, refused=()):
        super().__init__(table, clock)
        self.info = CameraInfo(1920, 1080, 15, "fake", refused=refused)
        self.focused, self.judged, self.rested, self._obeys = [], [], [], obeys
        self._clock_now = clock.now

    def refocus(self):
        self.focused.append(self._clock_now())
        if self._obeys:
            self._table.blur = 0.6

    def judge(self, exposure):
        self.judged.append(exposure)

    def rest(self, *, still):
        self.rested.append(still)


def watching(table, camera_type=Adjusted, **options):
    clock = ManualClock()
    camera = camera_type(table, clock, **options)
    source = CameraSource(camera, Vision(MAT, TAGS), clock)

    def run(seconds):
        heard = []
        for _ in range(round(15 * seconds)):
            clock.sleep(1 / 15)
            heard += [one for one in source.poll() if isinstance(one, Health)]
        return heard

    return camera, run


def blurred(table, blur):
    table.blur = blur


def quality(picture, mat=MAT):
    return marker_quality(mat.markers, picture, register(mat, picture))


@pytest.mark.long
def test_edges_are_as_wide_as_the_blur_in_two_kinds_of_pictures():
    widths = [quality(Table(blur=blur, noise=3).picture()).edge_px for blur in (0.4, 0.7, 1.0, 1.5, 2.0)]
    assert widths == sorted(widths)
    assert widths[2] == pytest.approx(2.56, abs=0.4), "10 to 90 % of a Gaussian edge are 2.56 sigma"
    camera = _Camera(15, 1)
    widths = []
    for defocus in (0.5, 2.0, 3.0):
        optics = Optics(defocus=defocus)
        there = photographed(camera.lying, camera.view, optics, np.random.default_rng(1))
        picture = cv2.cvtColor(exposed(there.light, optics, camera.rng), cv2.COLOR_BGR2GRAY)
        widths.append(quality(picture, there.mat).edge_px)
    assert widths == sorted(widths)
    assert widths[2] > widths[0] + 0.6


@pytest.mark.parametrize("light", [0.4, 1.0])
def test_the_width_of_edges_does_not_depend_on_the_exposure(light):
    table = Table(blur=1.0)
    table.light = light
    seen = quality(table.picture())
    assert seen.edge_px == pytest.approx(2.4, abs=0.3)
    assert seen.white == pytest.approx(235 * light, abs=8)


@pytest.mark.long
def test_a_camera_that_softened_focuses_again_and_nobody_is_bothered():
    table = full_table()
    camera, run = watching(table)
    assert not [one for one in run(10) if not one.ok and one.source == "focus"]
    assert camera.focused == []
    assert (camera.rested[0], camera.rested[-1]) == (False, True), "nothing moves any more"
    blurred(table, 2.0)
    assert not [one for one in run(20) if one.source == "focus"]
    assert len(camera.focused) == 1


@pytest.mark.long
def test_a_camera_that_cannot_focus_is_told_of_and_that_it_is_sharp_again():
    table = full_table()
    camera, run = watching(table, obeys=False)
    run(8)
    blurred(table, 2.0)
    (told,) = (one for one in run(60) if one.source == "focus")
    assert not told.ok
    assert told.detail.startswith("the picture is out of focus (edges 3.")
    assert "1.8 before): clean the lens, focus by hand (v4l2-ctl -c focus_absolute=N)" in told.detail
    assert len(camera.focused) == 3
    blurred(table, 0.6)
    (told,) = (one for one in run(8) if one.source == "focus")
    assert told.ok


@pytest.mark.long
def test_a_phone_out_of_focus_is_told_of_at_once():
    camera, run = watching(full_table(blur=3.0), Filmed)
    (told,) = (one for one in run(8) if one.source == "focus")
    assert not told.ok
    assert not hasattr(camera, "refocus")


@pytest.mark.long
def test_a_camera_that_was_moved_focuses_again():
    table = full_table()
    camera, run = watching(table)
    run(8)
    table.nudge = (14, -9, 1.0)
    run(8)
    assert len(camera.focused) == 1


def test_a_picture_too_soft_to_find_the_mat_names_the_focus():
    out = Watch(full_table(blur=6.0)).frames(20)
    (state,) = (one for one in out if isinstance(one, CameraState))
    assert not state.ok
    assert "out of focus: clean the lens" in words_of(state.detail)
    assert sharpest_edges_px(full_table(blur=0.6, noise=4.0).picture()) < 6


@pytest.mark.long
@pytest.mark.parametrize(("light", "words"), [(1.3, "overexposed"), (0.28, "differ too little")])
def test_a_wrong_exposure_is_told_with_what_helps(light, words):
    table = full_table()
    table.light = light
    camera, run = watching(table)
    (told,) = (one for one in run(30) if one.source == "exposure")
    assert not told.ok
    assert words in told.detail
    assert "exposure_time_absolute" in told.detail
    assert camera.judged[-1].clipped == (light > 1)
    table.light = 0.9
    assert [one.ok for one in run(10) if one.source == "exposure"] == [True]


def test_what_the_camera_does_not_hold_is_said_once():
    _, run = watching(full_table(), refused=("white balance",))
    told = [one for one in run(10) if one.source == "camera settings"]
    assert [one.detail for one in told] == ["the camera does not hold its white balance: colours may drift"]


def steps(plan, frames, level=120.0):
    return [step for _ in range(frames) if (step := plan.look(level)) is not None]


def test_an_exposure_that_clips_is_corrected_until_it_does_not():
    plan = SettingsPlan()
    assert steps(plan, 2 * LOCK_AFTER) == [SettingsStep.LOCK, SettingsStep.READ_BACK]
    plan.judge(Exposure(40, 255))
    assert steps(plan, LOCK_AFTER) == [SettingsStep.DARKER], "one step for each look"
    plan.judge(Exposure(30, 230))
    assert steps(plan, LOCK_AFTER) == []
    plan.judge(Exposure(20, 60))
    assert steps(plan, LOCK_AFTER) == [SettingsStep.BRIGHTER]
    for _ in range(20):
        plan.judge(Exposure(20, 60))
        steps(plan, READ_BACK_AFTER)
    plan.judge(Exposure(20, 60))
    assert steps(plan, LOCK_AFTER) == [], f"after {STEPS_MOST} corrections it stays"


def test_focus_is_set_free_and_locked_again():
    plan = SettingsPlan()
    plan.refocus()
    assert steps(plan, LOCK_AFTER + 1) == [SettingsStep.LOCK, SettingsStep.REFOCUS], "not before it was locked"
    assert steps(plan, LOCK_AFTER + 1) == [SettingsStep.LOCK_FOCUS, SettingsStep.READ_BACK], (
        "free focus is not read back"
    )


def test_a_webcam_that_focuses_anew_as_soon_as_it_is_locked_holds_its_focus(webcam):  # noqa: F811
    device = OpenCvDevice(0, 1920, 1080, 15.0)
    device.refocus()
    for _ in range(3 * LOCK_AFTER):
        device.grab()
    assert webcam.made.values[cv2.CAP_PROP_AUTOFOCUS] == 0
    assert device.info.refused == ()
    assert "not:" not in words_of(device.info.note)


def test_a_webcam_focuses_anew_and_exposes_less(webcam):  # noqa: F811
    with open_camera("0", RealClock()) as camera:
        until(lambda: says(camera, "locked: focus"))
        values = webcam.made.values
        camera.refocus()
        until(lambda: values[cv2.CAP_PROP_AUTOFOCUS] == 1)
        until(lambda: values[cv2.CAP_PROP_AUTOFOCUS] == 0)
        camera.judge(Exposure(60, 255))
        until(lambda: values[cv2.CAP_PROP_EXPOSURE] == 200)
        camera.judge(Exposure(10, 50))
        until(lambda: values[cv2.CAP_PROP_EXPOSURE] == 250)


def test_a_white_balance_that_the_driver_takes_back_is_noticed(webcam):  # noqa: F811
    with open_camera("0", RealClock()) as camera:
        until(lambda: says(camera, "locked: focus, exposure, white balance"))
        webcam.made.values[cv2.CAP_PROP_AUTO_WB] = 1.0
        until(lambda: says(camera, "not: white balance"))
        assert camera.info.refused == ("white balance",)


def test_a_locked_white_balance_keeps_its_warmth(webcam):  # noqa: F811
    """Some drivers go back to a value of their own once the automatic is off."""
    webcam.can_set = FakeCapture.can_set | {cv2.CAP_PROP_WB_TEMPERATURE}
    taken = FakeCapture.set

    def forgets(self, prop, value):
        if prop == cv2.CAP_PROP_AUTO_WB and not value:
            self.values[cv2.CAP_PROP_WB_TEMPERATURE] = 6500.0
        return taken(self, prop, value)

    webcam.set = forgets
    with open_camera("0", RealClock()) as camera:
        first(camera)
        webcam.made.values[cv2.CAP_PROP_WB_TEMPERATURE] = 3200.0
        until(lambda: says(camera, "locked: focus"))
        assert webcam.made.values[cv2.CAP_PROP_WB_TEMPERATURE] == 3200.0


def test_the_pis_camera_exposes_less_by_gain_first_and_focuses_anew(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=FakePicamera2))
    device = CsiDevice(1920, 1080, 15.0)

    def after(frames):
        for _ in range(frames):
            device.grab()
        return FakePicamera2.made.controls

    assert after(2 * LOCK_AFTER)["ExposureTime"] == 9000
    device.judge(Exposure(40, 255))
    held = after(LOCK_AFTER)
    assert (held["ExposureTime"], held["AnalogueGain"]) == (9000, pytest.approx(1.6))
    device.refocus()
    assert after(1)["AfMode"] == 2
    held = after(LOCK_AFTER)
    assert (held["AfMode"], held["LensPosition"]) == (0, 1.4)


def test_a_white_balance_that_the_pis_camera_holds_at_the_next_light_is_no_longer_refused(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=FakePicamera2))
    device = CsiDevice(320, 240, 15.0)
    told = FakePicamera2.get_metadata

    def after(frames, level=77, gains=(1.5, 1.9)):
        monkeypatch.setattr(FakePicamera2, "level", level)
        monkeypatch.setattr(FakePicamera2, "get_metadata", lambda self: told(self) | {"ColourGains": gains})
        for _ in range(frames):
            device.grab()
        return device.info.refused

    after(LOCK_AFTER)
    assert after(READ_BACK_AFTER + 1, gains=(2.5, 1.2)) == ("white balance",)
    after(LOCK_AFTER, level=250)
    assert after(2 * LOCK_AFTER) == ()
