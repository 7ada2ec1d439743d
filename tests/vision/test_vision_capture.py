"""Cameras: recordings keep their pace, lost ones come back, wrong specifications say why."""

import errno
import http.server
import sys
import threading
import time
import types
from itertools import pairwise
from typing import ClassVar

import cv2
import numpy as np
import pytest

from calibration.doctor.probes import watch_camera
from companion.core.clock import Gate, ManualClock, RealClock
from companion.core.errors import NotThereError, SourceError
from companion.sensing.vision_words import in_words, words_of
from vision.camera.frames import CameraInfo
from vision.camera.jpeg_picture import JpegDecoder, JpegPicture
from vision.camera.live_camera import Device, LiveCamera, LostError
from vision.camera.network_camera import HttpMjpeg
from vision.camera.open_camera import open_camera
from vision.camera.pi_camera import PlanarPicture
from vision.camera.recorded_camera import times_bytes, times_file
from vision.camera.webcam import Webcam, trial
from vision.photos.image_headers import claimed_size, jpeg_scans


def picture(n, width=160, height=120):
    return np.full((height, width), 20 * n % 256, np.uint8)


@pytest.fixture
def folder(tmp_path):
    for n in range(5):
        cv2.imwrite(str(tmp_path / f"{n:02d}.png"), picture(n))
    return tmp_path


def until(condition, seconds=5.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def test_folder_unpaced_gives_every_frame_in_order(folder):
    camera = open_camera(str(folder), ManualClock(100.0), paced=False, fps=10)
    frames = [camera.read() for _ in range(6)]
    assert [round(f.t, 3) for f in frames[:5]] == [100.0, 100.1, 100.2, 100.3, 100.4]
    assert [int(f.image[0, 0]) for f in frames[:5]] == [0, 20, 40, 60, 80]
    assert frames[5] is None
    assert camera.finished
    assert camera.read() is None


def test_folder_paced_gives_the_newest_frame_due(folder):
    clock = ManualClock()
    camera = open_camera(str(folder), clock, fps=10)
    assert camera.read().t == 0.0
    assert camera.read() is None
    clock.sleep(0.25)
    assert camera.read().t == pytest.approx(0.2)
    assert not camera.finished
    clock.sleep(5)
    assert camera.read() is None
    assert camera.finished


def test_a_recording_stays_at_its_first_readable_picture_until_the_gate_opens(folder):
    (folder / "00.png").write_bytes(b"\x89PNG no")
    clock = ManualClock(100.0)
    gate = Gate(clock)
    camera = open_camera(str(folder), clock, fps=10, gate=gate)
    clock.sleep(3)
    first = camera.read()
    assert (first.t, int(first.image[0, 0])) == (103.0, 20)
    clock.sleep(60)  # what sees it loads what it takes
    assert camera.read() is None
    gate.open()
    assert camera.read() is None
    frames = []
    for _ in range(3):
        clock.sleep(0.1)
        gate.open()
        frames.append(camera.read())
    assert [round(frame.t, 3) for frame in frames] == [163.1, 163.2, 163.3]
    assert [int(frame.image[0, 0]) for frame in frames] == [40, 60, 80]


def test_a_recording_without_a_readable_picture_ends_at_the_gate(folder):
    clock = ManualClock()
    camera = open_camera(str(folder), clock, gate=Gate(clock))
    for file in folder.iterdir():
        file.write_bytes(b"\x89PNG no")
    assert camera.read() is None
    assert camera.finished


def test_unreadable_picture_in_a_folder_is_skipped_and_counted(folder):
    (folder / "02.png").write_bytes(b"\x89PNG no")
    (folder / "notes.txt").write_text("no picture")
    with open_camera(str(folder), ManualClock(), paced=False) as camera:
        frames = []
        while not camera.finished:
            frames.append(camera.read())
    assert len([f for f in frames if f]) == 4
    assert "1 of them unreadable" in words_of(camera.state.detail)


def test_video_file_ends(tmp_path):
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20, (160, 120))
    for n in range(8):
        writer.write(cv2.cvtColor(picture(n), cv2.COLOR_GRAY2BGR))
    writer.release()
    camera = open_camera(str(path), ManualClock(), paced=False)
    assert (camera.info.width, camera.info.height, camera.info.fps) == (160, 120, 20)
    frames = [camera.read() for _ in range(9)]
    assert frames[7].t == pytest.approx(7 / 20)
    assert frames[7].image.shape == (120, 160, 3)
    assert frames[8] is None
    assert camera.finished
    camera.close()


@pytest.fixture
def video(tmp_path):
    """Four pictures, ten a second."""
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10, (160, 120))
    for n in range(4):
        writer.write(cv2.cvtColor(picture(n), cv2.COLOR_GRAY2BGR))
    writer.release()
    return path


def grey_levels(camera):
    """Time and grey level of each frame."""
    while not camera.finished:
        frame = camera.read()
        if frame is not None:
            yield round(frame.t, 3), int(frame.image[60, 80, 0])


def test_a_picture_of_a_video_with_times_stands_until_the_next_one(video):
    times_file(video).write_bytes(times_bytes([0.0, 0.1, 0.5, 0.62, 0.9]))
    with open_camera(str(video), ManualClock(100.0), paced=False) as camera:
        frames = list(grey_levels(camera))
    stands = [(0, 1), (20, 4), (40, 1), (60, 3)]
    assert [level for _, level in frames] == pytest.approx(
        [level for level, times in stands for _ in range(times)], abs=2
    )
    assert [t for t, _ in frames] == [round(100 + n / 10, 3) for n in range(9)]


def test_a_paced_video_with_times_shows_what_stands_now(video):
    """Also when every frame at which a picture was new has been missed."""
    times_file(video).write_bytes(times_bytes([0.0, 0.1, 0.5, 0.6, 0.9]))
    clock = ManualClock()
    levels = []
    with open_camera(str(video), clock) as camera:
        for _ in range(4):
            levels.append(int(camera.read().image[60, 80, 0]))
            clock.sleep(0.2)
        clock.sleep(1)
        assert camera.read() is None
        assert camera.finished
    assert levels == pytest.approx([0, 20, 20, 60], abs=2)


def test_a_video_ends_with_its_last_picture_or_its_last_time(video):
    for times, frames in ([0, 0.1, 0.3], 3), ([0, 0.1, 0.2, 0.3, 0.5, 9], 5):
        times_file(video).write_bytes(times_bytes(times))
        with open_camera(str(video), ManualClock(), paced=False) as camera:
            assert len(list(grey_levels(camera))) == frames


@pytest.mark.parametrize("times", ["", "0", "0 1 nan", "0 2 1", "-1 0", "0 1e300", "zero one", "\0\xff"])
def test_times_that_cannot_be_are_named(video, times):
    times_file(video).write_text(times)
    with pytest.raises(SourceError, match=r"table\.avi\.times.*remove it"), in_words():
        open_camera(str(video), ManualClock())


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "nowhere.mp4",
        "/dev/video97",
        "97",
        "/dev/v4l/by-id/none",
        "a\0b",
        "~nobody-of-that-name/table.mp4",
        "http://127.0.0.1:1/x.mjpg",
        "http://[::1",
        "rtsp://[",
        "http://:8080/",
        "http://here:port/",
        "http://here:99999/",
        "http://a\x1b[2J/",
    ],
)
def test_what_cannot_be_opened_says_so(spec):
    with pytest.raises(SourceError) as caught, in_words():
        open_camera(spec, RealClock())
    assert caught.value.next_step
    assert str(caught.value).isprintable()


def test_text_file_and_empty_folder_are_no_cameras(tmp_path):
    (tmp_path / "a.mp4").write_text("no video")
    for spec in (tmp_path / "a.mp4", tmp_path):
        with pytest.raises(SourceError), in_words():
            open_camera(str(spec), ManualClock())


def test_csi_without_picamera2_names_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(SourceError, match="python3-picamera2"), in_words():
        open_camera("csi", RealClock())


def test_a_picamera2_built_for_another_numpy_names_what_to_install(monkeypatch, tmp_path, capsys):
    """Raspberry Pi OS Bookworm: simplejpeg, which picamera2 imports, was built for NumPy 1."""
    error = "numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88"
    (tmp_path / "picamera2.py").write_text(f"raise ValueError({error!r})\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "picamera2", raising=False)
    with pytest.raises(SourceError, match=r"beside NumPy 2.*pip install \"simplejpeg>=1\.8"), in_words():
        open_camera("csi", RealClock())
    with pytest.raises(SourceError) as refused, in_words():
        watch_camera("csi")
    assert "simplejpeg" in refused.value.next_step


class FakePicamera2:
    """A Camera Module 3 as picamera2 has it: sizes in steps of 32 px, planar YUV with padded rows."""

    level = 77

    def __init__(self):
        self.camera_controls = {"AfMode": (0, 2, 0), "LensPosition": (0.0, 32.0, 1.0), "FrameRate": (1, 60, 30)}
        self.controls = {}
        FakePicamera2.made = self

    def create_video_configuration(self, main, controls):
        assert main["format"] == "YUV420"
        width, height = main["size"]
        return {"main": {"size": (width // 32 * 32, height // 2 * 2)}, "controls": controls}

    def configure(self, setup):
        self._setup = setup
        self.set_controls(setup["controls"])

    def camera_configuration(self):
        return self._setup

    def set_controls(self, controls):
        unknown = (
            set(controls)
            - set(self.camera_controls)
            - {"AeEnable", "AwbEnable", "ExposureTime", "AnalogueGain", "ColourGains"}
        )
        if unknown:
            raise RuntimeError(f"Control {unknown} is not advertised by libcamera")
        self.controls |= controls

    def start(self):
        pass

    def close(self):
        pass

    def capture_request(self):
        time.sleep(0.001)
        return self

    def make_array(self, name):
        width, height = self._setup["main"]["size"]
        planes = np.full((height * 3 // 2, width + 64), self.level, np.uint8)
        planes[height:] = 128  # no colour
        return planes

    def get_metadata(self):
        taken = time.clock_gettime_ns(time.CLOCK_BOOTTIME) - 500_000_000
        return {
            "SensorTimestamp": taken,
            "ExposureTime": 9000,
            "AnalogueGain": 2.0,
            "ColourGains": (1.5, 1.9),
            "LensPosition": 1.4,
        }

    def release(self):
        pass


@pytest.mark.parametrize(("colour", "shape"), [(False, (1080, 1920)), (True, (1080, 1920, 3))])
def test_csi_takes_the_sensors_time_and_locks_what_it_settled_on(monkeypatch, colour, shape):
    monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=FakePicamera2))
    clock = RealClock()
    with open_camera("csi", clock, width=1930, colour=colour) as camera:
        frames = []
        until(lambda: frames.append(camera.read()) or frames[-1])
        assert FakePicamera2.made.controls["AfMode"] == 2
        assert frames[-1].image.shape == shape
        assert int(frames[-1].image.flat[0]) == pytest.approx(77, abs=20)
        assert clock.now() - frames[-1].t >= 0.5
        until(lambda: "locked: focus, exposure" in words_of(camera.state.detail))
        held = FakePicamera2.made.controls
        assert (held["AfMode"], held["LensPosition"], held["ExposureTime"]) == (0, 1.4, 9000)
        assert held["AeEnable"] is held["AwbEnable"] is False
        assert words_of(camera.state.detail).endswith(
            "asked for 1930 x 1080, locked: focus, exposure, white balance"
        )


def test_the_pis_camera_that_does_not_start_is_given_back(monkeypatch):
    held = []

    class Stuck(FakePicamera2):
        def start(self):
            held.append(self)
            raise RuntimeError("Failed to start camera")

        def close(self):
            held.remove(self)

    monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=Stuck))
    with pytest.raises(SourceError, match="does not start"), in_words():
        open_camera("csi", RealClock())
    assert held == []


BUSY = RuntimeError("Failed to acquire camera: Device or resource busy")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (BUSY, "another program holds the camera; close the other program"),
        (IndexError("list index out of range"), "check the ribbon cable"),
    ],
    ids=["busy", "none"],
)
def test_the_pis_camera_is_waited_for_like_one_at_usb(monkeypatch, error, words):
    errors = [error, error]

    class Late(FakePicamera2):
        def __init__(self):
            if errors:
                raise errors.pop()
            super().__init__()

    monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=Late))
    with pytest.raises(NotThereError, match=words), in_words():
        open_camera("csi", RealClock())
    with open_camera("csi", RealClock(), wait=True) as camera:
        assert "waiting for the camera" in words_of(camera.state.detail)
        assert words in words_of(camera.state.detail)
        first(camera)
        assert camera.state.ok
        assert "csi camera, 1920 x 1080" in words_of(camera.state.detail)


def test_the_pis_camera_exposes_anew_when_the_light_is_switched(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=FakePicamera2))
    monkeypatch.setattr(FakePicamera2, "level", 5)
    with open_camera("csi", RealClock()) as camera:
        first(camera)
        time.sleep(0.15)
        assert not says(camera, "locked"), "in the dark nothing is locked"
        FakePicamera2.made.level = 90
        until(lambda: says(camera, "locked"))
        FakePicamera2.made.level = 250
        until(lambda: says(camera, "exposing anew"))
        assert FakePicamera2.made.controls["AeEnable"] is FakePicamera2.made.controls["AwbEnable"] is True
        FakePicamera2.made.level = 90
        until(lambda: says(camera, "locked"))


class FakeCapture:
    """cv2.VideoCapture above V4L2: takes what the camera can do, nearest sizes, and answers what it took."""

    modes: ClassVar = {
        "MJPG": {(1920, 1080): 30, (1280, 720): 30},
        "YUYV": {(1280, 720): 10, (1920, 1080): 5, (640, 480): 30},
    }
    can_set: ClassVar = {
        cv2.CAP_PROP_AUTOFOCUS,
        cv2.CAP_PROP_AUTO_EXPOSURE,
        cv2.CAP_PROP_AUTO_WB,
        cv2.CAP_PROP_EXPOSURE,
    }
    level = 120

    def __init__(self, source, backend, *_):
        assert backend == cv2.CAP_V4L2
        FakeCapture.made = self
        self._format, self._wish = "YUYV", [640, 480]
        self.values = {cv2.CAP_PROP_EXPOSURE: 250.0, cv2.CAP_PROP_AUTO_EXPOSURE: 3.0}

    def isOpened(self):  # noqa: N802 - OpenCV's name
        return True

    @property
    def size(self):
        pixels = self._wish[0] * self._wish[1]
        return min(self.modes[self._format], key=lambda size: abs(size[0] * size[1] - pixels))

    def set(self, prop, value):
        if prop == cv2.CAP_PROP_FOURCC:
            letters = int(value).to_bytes(4, "little").decode()
            self._format = letters if letters in self.modes else self._format
        elif prop in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT):
            self._wish[prop == cv2.CAP_PROP_FRAME_HEIGHT] = int(value)
        elif prop in self.can_set:
            self.values[prop] = float(value)
        else:
            return False
        return True

    def get(self, prop):
        width, height = self.size
        now = {
            cv2.CAP_PROP_FRAME_WIDTH: width,
            cv2.CAP_PROP_FRAME_HEIGHT: height,
            cv2.CAP_PROP_FPS: self.modes[self._format][self.size],
            cv2.CAP_PROP_FOURCC: int.from_bytes(self._format.encode(), "little"),
        }
        return float(now.get(prop, self.values.get(prop, 0.0)))

    def grab(self):
        time.sleep(0.001)
        return True

    def retrieve(self):
        return True, np.full((self.size[1], self.size[0], 3), self.level, np.uint8)

    def release(self):
        pass


@pytest.fixture
def webcam(monkeypatch):
    fake = type("Fake", (FakeCapture,), {})
    monkeypatch.setattr(cv2, "VideoCapture", fake)
    return fake


def first(camera):
    got = []
    until(lambda: got.append(camera.read()) or got[-1])
    return got[-1]


def says(camera, words):
    camera.read()
    return words in words_of(camera.state.detail)


def test_a_webcam_is_asked_for_jpeg_and_told_what_came_of_it(webcam):
    with open_camera("0", RealClock()) as camera:
        assert first(camera).image.shape == (1080, 1920)
        assert (camera.info.width, camera.info.height, camera.info.fps) == (1920, 1080, 30)
        assert "webcam, MJPG, 1920 x 1080, " in words_of(camera.state.detail)
        assert "fps" in words_of(camera.state.detail)


def test_a_webcam_that_gives_its_jpegs_is_decoded_no_further_than_wanted(webcam, monkeypatch):
    webcam.can_set = FakeCapture.can_set | {cv2.CAP_PROP_CONVERT_RGB}
    shown = np.full((1080, 1920, 3), (40, 90, 160), np.uint8)
    data = cv2.imencode(".jpg", shown)[1].reshape(1, -1)
    monkeypatch.setattr(webcam, "retrieve", lambda _: (True, data))
    decoded = []
    decode = cv2.imdecode
    monkeypatch.setattr(cv2, "imdecode", lambda raw, flag: decoded.append(flag) or decode(raw, flag))
    with open_camera("0", RealClock()) as camera:
        frame = first(camera)
        assert frame.size == (1080, 1920)
        assert frame.quickest.shape == (270, 480, 3)
        assert frame.quickest[9, 9].astype(int) == pytest.approx((40, 90, 160), abs=3)
        assert {flag & ~cv2.IMREAD_IGNORE_ORIENTATION for flag in decoded} == {cv2.IMREAD_REDUCED_COLOR_4}
        assert frame.gray.shape == (1080, 1920)
        assert frame.gray is frame.image
        assert int(frame.gray[9, 9]) == pytest.approx(105, abs=3)
        monkeypatch.setattr(webcam, "retrieve", lambda _: (True, data[:, :3000]))
        until(lambda: camera._spoilt is not None)


@pytest.mark.parametrize(("width", "by"), [(640, 1), (960, 2), (1280, 2), (1920, 4), (4056, 8)])
def test_a_reduced_picture_is_wide_enough(width, by):
    data = cv2.imencode(".jpg", np.full((600, width), 9, np.uint8))[1].tobytes()
    assert JpegPicture(data).quickest.shape == (600 // by, width // by, 3)


def test_the_pis_reduced_picture_has_its_colours():
    """Planar YUV with padded rows: the half rows of U, then those of V."""
    colour = np.full((1080, 1920, 3), (40, 90, 160), np.uint8)
    planes = np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2YUV_I420))
    padded = np.zeros((1620, 1984), np.uint8)
    padded[:1080, :1920] = planes[:1080]
    for first_row, plane in ((1080, planes[1080:1350]), (1350, planes[1350:])):
        halves = np.zeros((540, 992), np.uint8)
        halves[:, :960] = plane.reshape(540, 960)
        padded[first_row : first_row + 270] = halves.reshape(270, 1984)
    picture = PlanarPicture(padded, 1920, 1080)
    assert picture.quickest.shape == (270, 480, 3)
    assert picture.quickest[100, 470].astype(int) == pytest.approx(
        (40, 90, 160), abs=16
    )  # in the range of video
    assert picture.image.shape == (1080, 1920)


def test_a_webcam_without_jpeg_gives_a_smaller_picture_sooner(webcam):
    webcam.modes = {"YUYV": FakeCapture.modes["YUYV"]}
    with open_camera("/dev/video0", RealClock(), colour=True) as camera:
        assert first(camera).image.shape == (720, 1280, 3)
        assert (words_of(camera.info.kind), camera.info.fps) == ("webcam, YUYV", 10)


def test_a_webcam_that_is_slow_at_every_size_keeps_the_size_asked_for(webcam):
    webcam.modes = {"YUYV": {(1920, 1080): 5, (640, 480): 5}}
    with open_camera("0", RealClock()) as camera:
        assert camera.info.width == 1920


def test_focus_and_exposure_are_locked_as_they_are_and_freed_when_the_light_is_switched(webcam):
    with open_camera("0", RealClock()) as camera:
        until(lambda: says(camera, "locked: focus, exposure, white balance"))
        values = webcam.made.values
        assert values[cv2.CAP_PROP_AUTOFOCUS] == values[cv2.CAP_PROP_AUTO_WB] == 0
        assert (values[cv2.CAP_PROP_AUTO_EXPOSURE], values[cv2.CAP_PROP_EXPOSURE]) == (1, 250)
        webcam.level = 5
        until(lambda: says(camera, "exposing anew"))
        assert values[cv2.CAP_PROP_AUTO_EXPOSURE] == 3
        time.sleep(0.15)
        assert not says(camera, "locked"), "in the dark nothing is locked"
        webcam.level = 90
        until(lambda: says(camera, "locked"))


def test_a_webcam_is_found_again_under_another_number(tmp_path):
    ours, other = tmp_path / "usb-ours-video-index0", tmp_path / "usb-other-video-index0"
    ours.symlink_to("/dev/video0")
    other.symlink_to("/dev/video2")
    webcams = [Webcam("0", tmp_path), Webcam("/dev/video0", tmp_path), Webcam(str(ours), tmp_path)]
    assert [webcam.number() for webcam in webcams] == [0, 0, 0]
    ours.unlink()
    for webcam in webcams:
        with pytest.raises(SourceError, match="plugged in"), in_words():
            webcam.number()
    other.unlink()
    other.symlink_to("/dev/video0")
    ours.symlink_to("/dev/video3")
    assert [webcam.number() for webcam in webcams] == [3, 3, 3]
    assert Webcam("5", tmp_path).number() == 5, "no name is known of it"


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EBUSY, r"another program holds the camera; close the other program \(fuser /dev/video7"),
        (errno.EACCES, "no permission to open the camera; add yourself to the group video"),
        (errno.ENOENT, "check the plug"),
        (0, "check the plug"),
    ],
)
def test_why_a_webcam_does_not_open_is_told(webcam, monkeypatch, number, words):
    monkeypatch.setattr(webcam, "isOpened", lambda _: False)
    monkeypatch.setattr("vision.camera.webcam.trial", lambda device: number)
    with pytest.raises(NotThereError, match=words), in_words():
        open_camera("7", RealClock())
    with open_camera("7", RealClock(), wait=True) as camera:
        assert says(camera, "waiting for the camera")
        monkeypatch.setattr(webcam, "isOpened", lambda _: True)
        first(camera)


def test_the_trial_of_a_device_tells_the_systems_error(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    assert trial(str(tmp_path / "none")) == errno.ENOENT
    assert trial(str(tmp_path / "file")) == errno.ENOTTY


def test_a_camera_that_another_program_took_is_named_while_it_is_waited_for(webcam, monkeypatch):
    with open_camera("7", RealClock()) as camera:
        first(camera)
        monkeypatch.setattr(webcam, "isOpened", lambda _: False)
        monkeypatch.setattr(webcam, "grab", lambda _: False)
        monkeypatch.setattr("vision.camera.webcam.trial", lambda device: errno.EBUSY)
        until(lambda: "another program holds the camera" in words_of(camera.state.detail))


def test_what_a_webcam_did_not_take_is_told(webcam):
    webcam.modes = {"MJPG": {(1280, 720): 5}}
    taken = webcam.set

    def lies(self, prop, value):
        return prop == cv2.CAP_PROP_AUTO_EXPOSURE or taken(self, prop, value)

    webcam.set = lies
    with open_camera("0", RealClock()) as camera:
        assert words_of(camera.info.note) == "asked for 1920 x 1080 at 15 fps"
        until(
            lambda: says(camera, "asked for 1920 x 1080 at 15 fps, locked: focus, white balance; not: exposure")
        )


def test_a_webcam_with_nothing_to_lock_says_so(webcam):
    webcam.can_set = set()
    with open_camera("0", RealClock()) as camera:
        until(lambda: says(camera, "nothing of it can be locked"))


class Flaky(Device):
    """Gives three frames, then dies; opens again at the second try."""

    opened = 0
    error: Exception

    def __init__(self):
        Flaky.opened += 1
        if Flaky.opened == 2:
            raise Flaky.error
        self.info = CameraInfo(4, 4, 0, "flaky")
        self.left = 3

    def grab(self):
        if Flaky.opened == 1:
            if not self.left:
                raise Flaky.error
            self.left -= 1
        time.sleep(0.005)
        return 0.0, np.full((4, 4), Flaky.opened, np.uint8)

    def decode(self, raw):
        return raw

    def close(self):
        pass


@pytest.mark.parametrize("error", [LostError("unplugged"), AttributeError("unplugged"), MemoryError()])
def test_lost_camera_comes_back(error, monkeypatch):
    monkeypatch.setattr(Flaky, "opened", 0)
    monkeypatch.setattr(Flaky, "error", error, raising=False)
    with LiveCamera(Flaky, RealClock()) as camera:
        until(lambda: not camera.state.ok)
        assert words_of(camera.state.detail) == f"camera lost: {error.args[0] if error.args else 'MemoryError'}"
        got = []
        until(lambda: got.append(camera.read()) or (got[-1] and got[-1].image[0, 0] == 3))
        assert camera.state.ok
        assert Flaky.opened == 3


class Wavering(Device):
    """Tells its frames to be of any age, and spoils all after the third."""

    spoils = False

    def __init__(self):
        self.info = CameraInfo(4, 4, 0, "wavering")
        self.count = 0

    def grab(self):
        time.sleep(0.002)
        self.count += 1
        return (0.5 if self.count % 2 else 0.0), self.count

    def decode(self, raw):
        return None if self.spoils and raw > 3 else np.full((4, 4), raw % 256, np.uint8)

    def close(self):
        pass


def test_time_does_not_go_back():
    with LiveCamera(Wavering, RealClock()) as camera:
        got = []
        until(lambda: got.append(camera.read()) or len([f for f in got if f]) > 20)
    assert all(a.t < b.t for a, b in pairwise([f for f in got if f]))


def test_a_camera_whose_pictures_cannot_be_read_is_lost_and_opened_again(monkeypatch):
    monkeypatch.setattr("vision.camera.live_camera._STALE_S", 0.1)
    monkeypatch.setattr(Wavering, "spoils", True)
    opened = []

    def opener():
        opened.append(Wavering())
        return opened[-1]

    with LiveCamera(opener, RealClock()) as camera:
        until(
            lambda: (
                camera.read() is None
                and words_of(camera.state.detail) == "camera lost: its pictures cannot be read"
            )
        )
        monkeypatch.setattr(Wavering, "spoils", False)
        until(lambda: camera.read() is not None and len(opened) > 1)
        until(lambda: camera.state.ok)


def test_one_picture_that_cannot_be_read_is_no_lost_camera_however_late_the_next_look(monkeypatch):
    monkeypatch.setattr("vision.camera.live_camera._STALE_S", 0.1)
    monkeypatch.setattr(Wavering, "decode_at_once", False)
    looks = [None, np.zeros((4, 4), np.uint8)]
    monkeypatch.setattr(Wavering, "decode", lambda *_: looks.pop(0))
    with LiveCamera(Wavering, RealClock()) as camera:
        until(lambda: camera.read() is None and len(looks) == 1)
        time.sleep(0.2)
        assert camera.state.ok
        assert camera.read() is not None


class Stream(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"
    lengths = True
    stop = threading.Event()
    bomb = staticmethod(lambda jpeg: jpeg)

    def do_GET(self):
        if self.path != "/table.mjpg":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=seam")
        self.end_headers()
        n = 0
        try:
            while not self.stop.is_set():
                n += 1
                jpeg = self.bomb(cv2.imencode(".jpg", picture(n))[1].tobytes())
                length = b"Content-Length: %d\r\n" % len(jpeg) if self.lengths else b""
                self.wfile.write(b"--seam\r\nContent-Type: image/jpeg\r\n" + length + b"\r\n" + jpeg + b"\r\n")
                time.sleep(0.01)
        except OSError:
            pass

    def log_message(self, *args):
        pass


@pytest.fixture(params=[True, False], ids=["with lengths", "without"])
def stream(request):
    handler = type("Handler", (Stream,), {"lengths": request.param, "stop": threading.Event()})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", handler, server
    handler.stop.set()
    server.shutdown()
    server.server_close()


def test_stream_is_read_lost_and_found_again(stream):
    url, handler, _ = stream
    with open_camera(url + "/table.mjpg", RealClock()) as camera:
        assert (camera.info.width, camera.info.height) == (160, 120)
        got = []
        until(lambda: got.append(camera.read()) or len([f for f in got if f]) > 5)
        frames = [f for f in got if f]
        assert all(a.t < b.t for a, b in pairwise(frames))
        assert frames[0].image.shape == (120, 160)
        assert camera.state.ok
        handler.stop.set()
        until(lambda: not camera.state.ok)
        while camera.read() is not None:
            pass
        assert not camera.finished
        handler.stop.clear()
        until(lambda: camera.read() is not None)
        assert camera.state.ok


def as_large_as(jpeg: bytes, side: int) -> bytes:
    """The same, claiming to be `side` x `side` px."""
    at = jpeg.index(b"\xff\xc0") + 5
    return jpeg[:at] + 2 * side.to_bytes(2, "big") + jpeg[at + 4 :]


@pytest.mark.parametrize(
    ("bomb", "words"),
    [
        (lambda jpeg: as_large_as(jpeg, 20_000), "a picture of 20000 x 20000 px"),
        (
            lambda jpeg: jpeg[:-2] + 60 * jpeg[jpeg.index(b"\xff\xda") : -2] + jpeg[-2:],
            "a picture of 61 layers",
        ),
    ],
)
def test_a_stream_that_claims_a_huge_picture_is_refused_undecoded_and_found_again(
    stream, bomb, words, monkeypatch
):
    url, handler, _ = stream
    decoded = []
    decode = HttpMjpeg.decode
    monkeypatch.setattr(HttpMjpeg, "decode", lambda self, raw: decoded.append(raw) or decode(self, raw))
    with open_camera(url + "/table.mjpg", RealClock()) as camera:
        assert first(camera).image.shape == (120, 160)
        handler.bomb = staticmethod(bomb)
        until(lambda: not camera.state.ok)
        # Found again, lost again: every time its first picture is refused.
        until(lambda: words in words_of(camera.state.detail))
        while camera.read() is not None:
            pass
        handler.bomb = staticmethod(lambda jpeg: jpeg)
        until(lambda: camera.read() is not None)
        assert camera.state.ok
        assert all(max(claimed_size(raw)) <= 160 and jpeg_scans(raw) < 50 for raw in decoded)
        handler.bomb = staticmethod(bomb)
        with pytest.raises(SourceError, match=words), in_words():
            open_camera(url + "/table.mjpg", RealClock())


@pytest.mark.parametrize(
    "raw", [b"", b"no JPEG", cv2.imencode(".png", np.zeros((9, 9), np.uint8))[1].tobytes()]
)
def test_what_is_no_jpeg_is_not_decoded(stream, raw):
    url, _, _ = stream
    camera = HttpMjpeg(url + "/table.mjpg")
    assert camera.decode(raw) is None
    hidden = cv2.imencode(".jpg", picture(1))[1].tobytes()
    seen = camera.decode(hidden[:2] + b"\xff\x00junk" + hidden[2:])
    assert (seen.width, seen.height) == (160, 120), "what is decoded all the same has told its size"
    camera.close()


def cut(jpeg: bytes) -> bytes:
    return jpeg[: -len(jpeg) // 3]


def test_a_picture_that_was_cut_is_none_and_a_stream_of_them_is_lost(stream, monkeypatch):
    monkeypatch.setattr("vision.camera.live_camera._STALE_S", 0.2)
    url, handler, _ = stream
    with open_camera(url + "/table.mjpg", RealClock()) as camera:
        first(camera)
        handler.bomb = staticmethod(cut)
        until(lambda: camera.read() is None and "its pictures cannot be read" in words_of(camera.state.detail))
        handler.bomb = staticmethod(lambda jpeg: jpeg)
        until(lambda: camera.read() is not None)
        until(lambda: camera.state.ok)


def test_a_camera_that_fills_up_its_pictures_is_read(stream):
    url, handler, _ = stream
    handler.bomb = staticmethod(lambda jpeg: jpeg + b"\0" * 900)
    with open_camera(url + "/table.mjpg", RealClock()) as camera:
        assert first(camera).image.shape == (120, 160)
        assert first(camera).image.shape == (120, 160)


def test_colour_comes_where_it_is_asked_for(stream, folder):
    url, _, _ = stream
    with open_camera(url + "/table.mjpg", RealClock(), colour=True) as camera:
        assert first(camera).image.shape == (120, 160, 3)
    with open_camera(str(folder), ManualClock(), paced=False, colour=True) as camera:
        assert camera.read().image.shape == (120, 160, 3)


def test_stream_address_that_is_wrong_hides_the_password(stream):
    url, _, _ = stream
    with pytest.raises(SourceError, match="404") as caught, in_words():
        open_camera(url.replace("//", "//me:secret@") + "/other?key=secret", RealClock())
    assert "secret" not in str(caught.value)


def test_while_nothing_moves_one_jpeg_in_three_is_reduced_in_colour():
    data = cv2.imencode(".jpg", np.full((1080, 1920, 3), (40, 90, 160), np.uint8))[1].tobytes()
    decoder = JpegDecoder(colour=True)
    assert [decoder(data).quickest.ndim for _ in range(4)] == [3, 3, 3, 3]
    decoder.still = True
    pictures = [decoder(data) for _ in range(6)]
    assert sorted(one.quickest.ndim for one in pictures) == [2, 2, 2, 2, 3, 3]
    assert {one.image.shape for one in pictures} == {(1080, 1920, 3)}, "what is read has its colours"
    decoder.still = False
    assert decoder(data).quickest.ndim == 3
