"""Cameras: recordings keep their pace, lost ones come back, wrong specifications say why."""

import http.server
import sys
import threading
import time
import types
from itertools import pairwise

import cv2
import numpy as np
import pytest

from companion.clock import ManualClock, RealClock
from companion.errors import SourceError
from vision.capture import open_camera
from vision.live import Device, LiveCamera, LostError


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


def test_unreadable_picture_in_a_folder_is_skipped_and_counted(folder):
    (folder / "02.png").write_bytes(b"\x89PNG no")
    (folder / "notes.txt").write_text("no picture")
    with open_camera(str(folder), ManualClock(), paced=False) as camera:
        frames = []
        while not camera.finished:
            frames.append(camera.read())
    assert len([f for f in frames if f]) == 4
    assert "1 of them unreadable" in camera.state.detail


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


@pytest.mark.parametrize("spec", ["", "nowhere.mp4", "/dev/video97", "97", "a\0b", "http://127.0.0.1:1/x.mjpg"])
def test_what_cannot_be_opened_says_so(spec):
    with pytest.raises(SourceError) as caught:
        open_camera(spec, RealClock())
    assert caught.value.next_step
    assert "\n" not in str(caught.value)


def test_text_file_and_empty_folder_are_no_cameras(tmp_path):
    (tmp_path / "a.mp4").write_text("no video")
    for spec in (tmp_path / "a.mp4", tmp_path):
        with pytest.raises(SourceError):
            open_camera(str(spec), ManualClock())


def test_csi_without_picamera2_names_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(SourceError, match="python3-picamera2"):
        open_camera("csi", RealClock())


def test_csi_takes_the_grey_plane_and_the_sensors_time(monkeypatch):
    class Request:
        def make_array(self, name):
            time.sleep(0.005)
            return np.full((1080 * 3 // 2, 1920), 77, np.uint8)

        def get_metadata(self):
            return {"SensorTimestamp": time.clock_gettime_ns(time.CLOCK_BOOTTIME) - 500_000_000}

        def release(self):
            pass

    class Picamera2:
        def __getattr__(self, name):
            return lambda *a, **k: Request() if name == "capture_request" else {}

    monkeypatch.setitem(sys.modules, "picamera2", types.SimpleNamespace(Picamera2=Picamera2))
    clock = RealClock()
    with open_camera("csi", clock) as camera:
        frames = []
        until(lambda: frames.append(camera.read()) or frames[-1])
        assert frames[-1].image.shape == (1080, 1920)
        assert clock.now() - frames[-1].t >= 0.5


class Flaky(Device):
    """Gives three frames, then dies; opens again at the second try."""

    opened = 0

    def __init__(self):
        Flaky.opened += 1
        if Flaky.opened == 2:
            raise SourceError("not yet")
        from vision.frames import CameraInfo

        self.info = CameraInfo(4, 4, 0, "flaky")
        self.left = 3

    def grab(self):
        if Flaky.opened == 1:
            if not self.left:
                raise LostError("unplugged")
            self.left -= 1
        time.sleep(0.005)
        return 0.0, np.full((4, 4), Flaky.opened, np.uint8)

    def decode(self, raw):
        return raw

    def close(self):
        pass


def test_lost_camera_comes_back():
    Flaky.opened = 0
    with LiveCamera(Flaky, RealClock()) as camera:
        until(lambda: not camera.state.ok)
        assert "unplugged" in camera.state.detail
        got = []
        until(lambda: got.append(camera.read()) or (got[-1] and got[-1].image[0, 0] == 3))
        assert camera.state.ok
        assert Flaky.opened == 3


class Stream(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"
    lengths = True
    stop = threading.Event()

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
                jpeg = cv2.imencode(".jpg", picture(n))[1].tobytes()
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


def test_stream_address_that_is_wrong_hides_the_password(stream):
    url, _, _ = stream
    with pytest.raises(SourceError, match="404") as caught:
        open_camera(url.replace("//", "//me:secret@") + "/other?key=secret", RealClock())
    assert "secret" not in str(caught.value)
