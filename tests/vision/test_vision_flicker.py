"""Lamps that flicker: bands that a rolling shutter makes of them hide nothing, make no hands, and are said."""

import cv2
import numpy as np
import pytest

from companion.core.clock import ManualClock
from companion.sensing.camera_source import CameraSource
from companion.sensing.observation import Health
from tests.vision.test_vision_scene import MAT, TAGS, Table, Watch, expected, full_table
from vision.camera.frames import CameraStatus, Frame
from vision.scene.camera_pipeline import Vision
from vision.scene.camera_reports import CameraState, HandCame, LampFlickers, ZoneSeen
from vision.scene.lamp_flicker import LampFlicker


class Flickering(Table):
    """A table under a lamp on the mains: a sine wave over the rows that moves from frame to frame."""

    def __init__(self, amplitude, waves=2.6, step=0.37, **options):
        super().__init__(**options)
        self.amplitude, self._waves, self._step, self._frame = amplitude, waves, step, 0

    def picture(self):
        width, height = self.size
        self._frame += 1
        turns = self._waves * np.arange(height) / height + self._step * self._frame
        light = (1 + self.amplitude * np.sin(2 * np.pi * turns)).astype(np.float32)
        return cv2.multiply(super().picture(), np.repeat(light[:, None], width, axis=1), dtype=cv2.CV_8U)


class Filmed:
    """A camera above a drawn table."""

    finished = False
    state = CameraStatus(True, "")

    def __init__(self, table, clock):
        self._table, self._clock = table, clock

    def read(self):
        return Frame(self._clock.now(), self._table.picture())


def lit(amplitude):
    table = full_table()
    twin = Flickering(amplitude)
    twin.cards = table.cards
    return twin


@pytest.mark.quick(1)
@pytest.mark.parametrize("amplitude", [0.04, 0.06, 0.08])
def test_a_table_under_a_flickering_lamp_is_seen(amplitude):
    table = lit(amplitude)
    watch = Watch(table)
    out = watch.frames(60)
    assert any(isinstance(one, CameraState) and one.ok for one in out)
    assert watch.last == expected(table)
    table.take("H03A")
    table.put("H09A", 477, 297)
    out = watch.frames(30)
    assert watch.last == expected(table)
    assert not [one for one in out if isinstance(one, HandCame)], "bands are no hands"


def test_a_hand_is_a_hand_all_the_same():
    table = lit(0.06)
    watch = Watch(table)
    watch.frames(60)
    table.reach(345, 297)
    came = [one.zone for one in watch.frames(5) if isinstance(one, HandCame)]
    assert "row" in came
    table.withdraw()
    table.take("H01A")
    watch.frames(20)
    assert watch.last == expected(table)


def test_the_lamp_is_said_to_flicker_and_to_have_stopped():
    table = lit(0.05)
    watch = Watch(table)
    told = [one for one in watch.frames(100) if isinstance(one, LampFlickers)]
    assert [round(one.strength, 2) for one in told] == [pytest.approx(0.05, abs=0.02)]
    table.amplitude = 0.0
    told = [one for one in watch.frames(100) if isinstance(one, LampFlickers)]
    assert [one.strength for one in told] == [0.0]


def test_steady_light_is_left_as_it_is():
    watch = Watch(full_table())
    out = watch.frames(60)
    assert not [one for one in out if isinstance(one, LampFlickers)]
    flicker = LampFlicker()
    chance = np.random.default_rng(1)
    before = chance.integers(60, 200, (270, 480), np.uint8)
    for step in range(30):
        arm = before.copy()
        arm[40 + step : 90 + step] = 150
        assert flicker.level(arm, before) is arm, "an arm that lies along the rows is no band"


def test_bands_that_stand_still_are_left_as_they_are():
    """A camera at 25 or 30 frames a second may see every frame alike."""
    table = lit(0.05)
    table._step = 0.0
    out = Watch(table).frames(60)
    assert not [one for one in out if isinstance(one, LampFlickers)]
    assert [one for one in out if isinstance(one, ZoneSeen)]


def test_people_are_told_what_helps():
    table, clock = lit(0.05), ManualClock()
    source = CameraSource(Filmed(table, clock), Vision(MAT, TAGS), clock)
    heard = []
    for _ in range(120):
        clock.sleep(1 / 15)
        heard += [one for one in source.poll() if isinstance(one, Health) and one.source == "lamp"]
    (told,) = heard
    assert not told.ok
    assert told.detail.startswith(("bands of 4 % run", "bands of 5 % run"))
    assert "through the picture; try another lamp" in told.detail
