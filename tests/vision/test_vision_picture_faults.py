"""Cameras that lie: frozen, black, torn, upright, small, slow, red for blue; and what only looks so."""

from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
import pytest

from calibration.doctor.camera_checks import pictures
from calibration.doctor.probes import watched
from calibration.wizard.step_result import Verdict
from companion.core.clock import ManualClock
from companion.sensing.camera_source import CameraSource
from companion.sensing.observation import Count, Health
from tests.vision.test_vision_scene import MAT, TAGS
from vision.camera.frames import CameraInfo, CameraStatus, Frame
from vision.scene.camera_pipeline import Vision
from vision.scene.picture_faults import PictureFault, PictureFaults

SKIN = (130, 160, 215)
"""SKIN: BGR."""


@lru_cache
def drawn(width, height, light):
    """A cloth with cards and a gradient of light, in colour."""
    picture = np.full((height, width, 3), (70, 95, 80), np.float32)
    for at in range(6):
        left = width * (at * 2 + 1) // 14
        picture[height // 3 : height * 2 // 3, left : left + width // 14] = (215, 225, 230)
    picture *= light * np.linspace(0.8, 1.1, width, dtype=np.float32)[None, :, None]
    return np.clip(picture, 0, 255).astype(np.uint8)


@lru_cache
def grains(noise):
    """Noise of which every frame takes another part, with each level raised by `noise`."""
    levels = np.random.default_rng(1).integers(0, 2 * noise + 1, (1400, 1400, 3), np.uint8)
    return np.ascontiguousarray(levels)


@dataclass
class LyingCamera:
    """A live camera above a drawn table that misbehaves as its fields say."""

    clock: ManualClock
    size: tuple[int, int] = (960, 540)
    rate_hz: float | None = 15.0
    noise: int = 4
    light: float = 1.0
    frozen: bool = False
    black: bool = False
    lower: str = ""
    """What the lower half shows: `grey`, `green`, `old`, or as it is."""
    hand: bool = False
    swapped: bool = False
    colour: bool = True
    finished = False
    state = CameraStatus(True, "fake")
    _last: np.ndarray | None = None
    _taken_at: float = -1.0
    _rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(1))

    @property
    def info(self):
        return CameraInfo(*self.size, self.rate_hz or 15, "fake")

    def read(self):
        now = self.clock.now()
        if now - self._taken_at < 1 / (self.rate_hz or 15) - 1e-6:
            return None
        self._taken_at = now
        if not self.frozen or self._last is None:
            self._last = self._picture()
        return Frame(now, self._last if self.colour else cv2.cvtColor(self._last, cv2.COLOR_BGR2GRAY))

    def _picture(self):
        width, height = self.size
        picture = drawn(width, height, 0.0 if self.black else self.light)
        if self.hand:
            picture = picture.copy()
            picture[height // 2 :, width // 2 : width // 2 + width // 10] = SKIN
        if self.noise:
            dx, dy = self._rng.integers(0, 400, 2)
            picture = cv2.add(picture, grains(self.noise)[dy : dy + height, dx : dx + width])
        elif self.lower:
            picture = picture.copy()
        half = height // 2
        if self.lower == "old" and self._last is not None:
            picture[half:] = self._last[half:]
        elif self.lower in ("grey", "green"):
            picture[half:] = (128, 128, 128) if self.lower == "grey" else (0, 135, 0)
        return np.ascontiguousarray(picture[:, :, ::-1]) if self.swapped else picture

    def close(self):
        pass


class Run:
    """Frames of a camera judged one after another, on a clock that does not wait."""

    def __init__(self, **options):
        self.clock = ManualClock()
        self.camera = LyingCamera(self.clock, **options)
        self.judge = PictureFaults(live=True)

    def seconds(self, seconds, signs=0):
        """The faults at the end of so many seconds."""
        found, until = (), self.clock.now() + seconds
        self.judge.hear(signs)
        while self.clock.now() < until:
            self.clock.sleep(1 / 15)
            if (frame := self.camera.read()) is not None:
                found = self.judge.look(frame, self.camera.rate_hz)
        return found


LIES = [
    ({"black": True}, PictureFault.BLACK),
    ({"lower": "grey"}, PictureFault.TORN),
    ({"lower": "green"}, PictureFault.TORN),
    ({"lower": "grey", "colour": False}, PictureFault.TORN),
    ({"lower": "old"}, PictureFault.TORN),
    ({"lower": "old", "colour": False}, PictureFault.TORN),
    ({"size": (540, 960)}, PictureFault.UPRIGHT),
    ({"size": (640, 480)}, PictureFault.COARSE),
    ({"rate_hz": 2.0}, PictureFault.SLOW),
]


@pytest.mark.parametrize(("lie", "fault"), LIES)
def test_a_camera_that_lies_is_named_and_no_longer_once_it_is_mended(lie, fault):
    run = Run()
    honest = {name: getattr(run.camera, name) for name in lie}
    assert run.seconds(1) == ()
    vars(run.camera).update(lie)
    assert run.seconds(7) == (fault,)
    vars(run.camera).update(honest)
    assert run.seconds(3) == ()


def test_a_frozen_picture_of_a_camera_with_noise_is_named_after_five_seconds():
    run = Run()
    run.seconds(4)
    run.camera.frozen = True
    assert run.seconds(4.5) == ()
    assert run.seconds(1) == (PictureFault.FROZEN,)
    run.camera.frozen = False
    assert run.seconds(0.2) == ()


def test_a_picture_frozen_from_the_start_is_named_once_other_sensors_speak():
    run = Run(frozen=True)
    assert run.seconds(20) == (), "perhaps a stream that repeats still pictures"
    assert run.seconds(1, signs=1) == (), "one sign may be an accident"
    assert run.seconds(1, signs=1) == (PictureFault.FROZEN,)


def passing_hands(run, count):
    """The faults after hands that passed by."""
    found = ()
    for _ in range(count):
        run.camera.hand = False
        run.seconds(1.9)
        run.camera.hand = True
        run.seconds(0.4)
        run.camera.hand = False
        found = run.seconds(0.6)
    return found


def test_hands_that_are_blue_tell_of_swapped_colours():
    run = Run(swapped=True, size=(960, 540))
    assert passing_hands(run, 5) == ()
    assert passing_hands(run, 4) == (PictureFault.SWAPPED,)
    run.camera.swapped = False
    assert passing_hands(run, 14) == ()


@pytest.mark.parametrize(
    "options",
    [
        {"light": 0.25},
        {"light": 0.25, "noise": 1},
        {"noise": 0},
        {"noise": 0, "colour": False},
        {"hand": True},
        {"rate_hz": 5.0},
        {"light": 3.0},
    ],
    ids=str,
)
def test_a_dim_still_or_bright_table_is_no_lie(options):
    assert Run(**options).seconds(12) == ()


def test_a_stream_that_repeats_still_pictures_between_hands_is_not_frozen():
    run = Run(noise=0)
    for _ in range(4):
        run.camera.hand = not run.camera.hand
        assert run.seconds(8, signs=1) == ()


def test_the_pictures_of_a_recording_may_repeat():
    clock = ManualClock()
    camera, judge = LyingCamera(clock), PictureFaults(live=False)
    frame = camera.read()
    assert {judge.look(Frame(n / 15, frame.image)) for n in range(150)} == {()}


def played(camera, clock):
    source = CameraSource(camera, Vision(MAT, TAGS), clock)

    def run(seconds, others=()):
        heard = []
        source.hear(others)
        for _ in range(round(15 * seconds)):
            clock.sleep(1 / 15)
            heard += [one for one in source.poll() if isinstance(one, Health)]
        return heard

    return run


def test_in_play_a_black_picture_is_one_line_with_the_next_step_until_it_is_mended():
    clock = ManualClock()
    camera = LyingCamera(clock, size=(960, 540))
    run = played(camera, clock)
    (before,) = run(2)
    assert before.detail.startswith("mat not found")
    camera.black = True
    black = "the picture is black; take the cover off the lens, or switch a lamp on"
    told = [one.detail for one in run(6)]
    assert told == [black]
    camera.black = False
    (after, *_) = run(6)
    assert (after.source, after.ok) == ("camera", False)
    assert after.detail.startswith("mat not found")


@pytest.mark.long
def test_in_play_a_frozen_camera_is_named_when_scales_change_and_an_upright_one_by_itself():
    clock = ManualClock()
    camera = LyingCamera(clock, size=(540, 960), noise=0)
    run = played(camera, clock)
    (upright,) = (one for one in run(6) if one.source == "picture")
    assert not upright.ok
    assert upright.detail.startswith("the picture is upright; turn the camera")
    run(0.1, [Count(6.0, "bed 1", 3, 0.0)])
    frozen = run(2, [Count(6.1, "bed 1", 2, 0.0), Count(6.2, "bed 2", 4, 0.0)])
    assert not frozen, "one scale changed, the other was heard for the first time"
    frozen = run(2, [Count(8.0, "bed 2", 5, 0.0)])
    assert ("camera", False, "the picture stands still; restart the camera, on a phone its app") in [
        (one.source, one.ok, one.detail) for one in frozen
    ]
    camera.size = (960, 540)
    assert ("picture", True) in [(one.source, one.ok) for one in [*frozen, *run(3)]]


@pytest.mark.parametrize(("lie", "fault"), [*LIES, ({"frozen": True}, PictureFault.FROZEN)])
def test_the_doctor_names_it_and_what_to_do(lie, fault):
    clock = ManualClock()
    look = watched(LyingCamera(clock, **lie), "fake", _Stepping(clock))
    (check,) = pictures(look)
    assert check.fault == fault
    assert check.verdict in (Verdict.USABLE, Verdict.NOT_GOOD)
    assert check.fix


class _Stepping:
    """A clock that goes on whenever somebody reads it, as real ones do."""

    def __init__(self, clock):
        self._clock = clock

    def now(self):
        self._clock.sleep(0.01)
        return self._clock.now()

    def sleep(self, seconds):
        self._clock.sleep(seconds)


def test_the_doctor_says_good_of_an_honest_camera():
    clock = ManualClock()
    (check,) = pictures(watched(LyingCamera(clock), "fake", _Stepping(clock)))
    assert (check.verdict, check.number) == (Verdict.GOOD, 15.0)
