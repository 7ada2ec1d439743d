"""Cameras on the network that lie, dawdle or point elsewhere: no other server hears of us, all ends in time."""

import http.server
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.clock import ManualClock, RealClock
from companion.core.errors import SourceError
from companion.sensing.vision_words import in_words
from vision.camera import network_camera
from vision.camera.network_camera import HttpMjpeg
from vision.camera.open_camera import open_camera
from vision.camera.webcam import OpenCvDevice

PICTURE = cv2.imencode(".jpg", np.full((120, 160), 90, np.uint8))[1].tobytes()
STREAM = b"".join(
    b"--seam\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s\r\n" % (len(PICTURE), PICTURE)
    for _ in range(3)
)
MJPEG = "multipart/x-mixed-replace; boundary=seam"


class Camera:
    """A server that answers a path with a kind and bytes, redirects `->address`, or is rude by a function."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[str, bytes]] = {}
        self.rude: Callable[[http.server.BaseHTTPRequestHandler], None] | None = None
        self.asked: list[tuple[str, str | None]] = []
        """Paths with the credentials that came along."""
        camera = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                camera.asked.append((self.path, self.headers["Authorization"]))
                with suppress(OSError):
                    self._answer()

            def _answer(self) -> None:
                if camera.rude is not None:
                    camera.rude(self)
                    return
                kind, data = camera.answers.get(self.path, ("", b""))
                self.send_response(302 if kind.startswith("->") else 200 if kind else 404)
                if kind.startswith("->"):
                    self.send_header("Location", kind.removeprefix("->"))
                else:
                    self.send_header("Content-Type", kind)
                    self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.host = f"127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def cameras() -> Iterator[tuple[Camera, Camera]]:
    pair = Camera(), Camera()
    yield pair
    for one in pair:
        one.close()


def test_a_password_is_shown_to_the_host_it_was_meant_for_alone(cameras: tuple[Camera, Camera]) -> None:
    camera, other = cameras
    camera.answers = {
        "/here": ("->/stream", b""),
        "/stream": (MJPEG, STREAM),
        "/away": (f"->http://{other.host}/stream", b""),
    }
    other.answers = {"/stream": (MJPEG, STREAM)}
    for path in ("here", "away"):
        HttpMjpeg(f"http://anna:secret@{camera.host}/{path}").close()
    assert [path for path, _ in camera.asked] == ["/here", "/stream", "/away"]
    assert {credentials for _, credentials in camera.asked} == {"Basic YW5uYTpzZWNyZXQ="}
    assert other.asked == [("/stream", None)]


@pytest.mark.parametrize("to", ["file:///etc/hostname", "ftp://127.0.0.1/x", "gopher://127.0.0.1/"])
def test_a_redirect_leads_to_no_other_protocol(cameras: tuple[Camera, Camera], to: str) -> None:
    camera, _ = cameras
    camera.answers = {"/stream": (f"->{to}", b"")}
    with pytest.raises(SourceError, match="camera"), in_words():
        open_camera(f"http://{camera.host}/stream", RealClock())


@pytest.mark.parametrize("stage", ["status", "headers", "picture"])
def test_a_server_that_drips_is_given_up(
    cameras: tuple[Camera, Camera], stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network_camera, "START_S", 0.3)
    enough = threading.Event()
    before = {
        "status": b"HTTP/1.0 20",
        "headers": b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-",
        "picture": b"HTTP/1.0 200 OK\r\nContent-Type: %s\r\n\r\n%s" % (MJPEG.encode(), STREAM[:90]),
    }

    def drip(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.wfile.write(before[stage])
        while not enough.wait(0.02):
            handler.wfile.write(b"x")

    cameras[0].rude = drip
    try:
        with pytest.raises(SourceError, match=r"no picture came within 0\.3 s"), in_words():
            HttpMjpeg(f"http://{cameras[0].host}/")
    finally:
        enough.set()


def test_a_stream_that_drips_later_is_given_up_and_opened_again(cameras: tuple[Camera, Camera]) -> None:
    camera, _ = cameras
    enough = threading.Event()

    def drip(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Type: %s\r\n\r\n%s" % (MJPEG.encode(), STREAM))
        while not enough.wait(0.02):
            handler.wfile.write(b"x")

    camera.rude = drip
    clock = ManualClock()
    live = open_camera(f"http://{camera.host}/", clock)
    try:
        until = time.monotonic() + 20
        while len(camera.asked) < 3:
            assert time.monotonic() < until, "it was never opened again"
            if live.read() is None:
                clock.sleep(1.0)
            time.sleep(0.01)
    finally:
        enough.set()
        live.close()


def test_what_a_server_gives_as_its_reason_is_short_and_printable(cameras: tuple[Camera, Camera]) -> None:
    def refuse(handler: http.server.BaseHTTPRequestHandler) -> None:
        handler.wfile.write(b"HTTP/1.0 401 \x1b]0;owned\x07\x1b[2J" + b"no " * 999 + b"\r\n\r\n")

    cameras[0].rude = refuse
    with pytest.raises(SourceError, match="the camera answers 401") as caught, in_words():
        HttpMjpeg(f"http://{cameras[0].host}/")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300


def test_a_playlist_asks_no_other_server_and_prints_nothing(
    cameras: tuple[Camera, Camera], capfd: pytest.CaptureFixture[str]
) -> None:
    camera, other = cameras
    elsewhere = f"http://{other.host}/segment.ts"
    hls = f"#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n{elsewhere}\n#EXT-X-ENDLIST\n".encode()
    camera.answers = {
        "/live.m3u8": ("application/vnd.apple.mpegurl", hls),
        "/live.mp4": ("video/mp4", hls),
        "/list.mp4": ("video/mp4", f"ffconcat version 1.0\nfile '{elsewhere}\x1b[2J'\n".encode()),
        "/talk.sdp": ("application/sdp", b"v=0\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 26\n"),
    }
    for path in camera.answers:
        with pytest.raises(SourceError, match="no camera can be opened"), in_words():
            open_camera(f"http://{camera.host}{path}", RealClock())
    assert other.asked == []
    assert capfd.readouterr() == ("", "")


def test_a_video_over_http_is_still_shown(cameras: tuple[Camera, Camera], tmp_path: Path) -> None:
    path = str(tmp_path / "v.avi")
    writer = cv2.VideoWriter(path, cv2.VideoWriter.fourcc(*"MJPG"), 10, (160, 120))
    for shade in range(5):
        writer.write(np.full((120, 160, 3), 40 * shade, np.uint8))
    writer.release()
    cameras[0].answers = {"/v.avi": ("video/x-msvideo", Path(path).read_bytes())}
    device = OpenCvDevice(f"http://{cameras[0].host}/v.avi", 160, 120, 10)
    device.grab()
    picture = device.decode(None)
    device.close()
    assert picture is not None
    assert picture.shape == (120, 160)


def test_an_rtsp_camera_is_still_asked() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        heard: list[bytes] = []

        def listen() -> None:
            client, _ = listener.accept()
            with client:
                heard.append(client.recv(4096))

        listening = threading.Thread(target=listen, daemon=True)
        listening.start()
        with pytest.raises(SourceError, match="no camera can be opened"), in_words():
            OpenCvDevice(f"rtsp://127.0.0.1:{listener.getsockname()[1]}/stream", 160, 120, 10)
        listening.join(60)
    assert heard[0].startswith(b"OPTIONS rtsp://127.0.0.1")
