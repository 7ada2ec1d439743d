"""A camera and a board that are plugged in after the start: waited for, said to be missing, then used."""

import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from companion.core.clock import Gate, RealClock
from companion.core.config import Config
from companion.core.errors import SourceError
from companion.core.language import Language
from companion.games.registry import load_game
from companion.sensing.board_words import parts_of
from companion.sensing.open_sources import open_sources
from companion.sensing.vision_words import words_of
from companion.session.session import Session
from firmware.errors import BoardError, FirmwareError
from firmware.host import ports
from firmware.host.link import open_link
from firmware.host.messages import Connected, Disconnected
from firmware.host.ports import PortInfo
from firmware.simulator.virtual_board import VirtualBoard
from vision.camera.frames import CameraInfo
from vision.camera.live_camera import Device
from vision.camera.open_camera import open_camera
from vision.errors import CameraError, NotThereError
from vision.reasons import Simple


class LateCamera(Device):
    """A webcam that shows a bare table, once it is plugged in."""

    plugged: ClassVar = False

    def __init__(self, *_: object, **__: object) -> None:
        if not LateCamera.plugged:
            raise NotThereError(Simple.WEBCAM_NOT_OPENED, "/dev/video0")
        self.info = CameraInfo(64, 36, 15, "webcam")

    def grab(self) -> tuple[float, Any]:
        time.sleep(0.005)
        return 0.0, np.full((36, 64), 128, np.uint8)

    def decode(self, raw: Any) -> Any:
        return raw

    def close(self) -> None:
        pass


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> list[PortInfo]:
    """The serial ports of boards that there are; none at first, and no camera."""
    there: list[PortInfo] = []
    monkeypatch.setattr(LateCamera, "plugged", False)
    monkeypatch.setattr("vision.camera.open_camera.OpenCvDevice", LateCamera)
    monkeypatch.setattr("vision.camera.live_camera._BACKOFF_S", (0.01, 0.02))
    monkeypatch.setattr("firmware.host.link.list_ports", lambda: there)
    monkeypatch.setattr(ports, "list_ports", lambda: there)
    return there


def until(condition: Callable[[], object]) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)


def test_a_wrong_camera_leaves_no_port_open(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, closed = RealClock(), list[str]()
    link = SimpleNamespace(close=lambda: closed.append("port"))
    monkeypatch.setattr("firmware.host.link.open_link", lambda *_, **__: link)
    with pytest.raises(SourceError):
        open_sources(
            load_game("sleepless-princess"), "basic", "nowhere.mp4", "auto", Config(), clock, Gate(clock)
        )
    assert closed == ["port"]


def test_the_engine_starts_without_camera_and_board_and_takes_them_when_they_come(
    plugged: list[PortInfo], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, game = RealClock(), load_game("sleepless-princess")
    sources = open_sources(game, "basic", "0", "auto", Config(), clock, Gate(clock))
    session = Session(game, "basic", 3, clock=clock, publish=lambda event: None)

    def says(part: str, words: str) -> bool:
        session.step(sources)
        return part in session.screens.health and words in session.screens.health[part].detail

    board = VirtualBoard(clock=clock, seed=1)
    try:
        until(lambda: says("camera", "waiting for the camera") and says("board", "no board found"))
        assert not session.screens.health["camera"].ok
        assert not session.screens.health["board"].ok
        monkeypatch.setattr(LateCamera, "plugged", True)
        board.run_in_thread()
        plugged.append(PortInfo(board.path, "", "E661", "Pico"))
        until(lambda: says("camera", "mat") and says("board", ""))
        until(lambda: says("board", "") and session.screens.health["board"].ok)
    finally:
        for source in sources:
            source.close()
        board.close()


def test_auto_follows_the_board_that_came_first(plugged: list[PortInfo]) -> None:
    clock = RealClock()
    board, other = VirtualBoard(clock=clock, seed=1), VirtualBoard(clock=clock, seed=2)
    link = open_link("auto", clock, wait=True)
    try:
        assert isinstance(link.poll()[0], Disconnected)
        board.run_in_thread()
        plugged.append(PortInfo(board.path, "", "E661", "Pico"))
        until(lambda: any(isinstance(message, Connected) for message in link.poll()))
        plugged.append(PortInfo(other.path, "", "E662", "Pico"))
        link.poll()
        assert link.up
    finally:
        link.close()
        board.close()
        other.close()


def test_two_boards_that_come_together_are_both_named(plugged: list[PortInfo]) -> None:
    link = open_link("auto", RealClock(), wait=True)
    plugged += [PortInfo("/dev/ttyACM0", "", "1", ""), PortInfo("/dev/ttyACM1", "", "2", "")]
    (down,) = link.poll()
    assert isinstance(down, Disconnected)
    assert "several boards found: /dev/ttyACM0, /dev/ttyACM1" in parts_of(down.reason)[0]
    assert "name its port" in parts_of(down.reason)[1]


@pytest.mark.parametrize("port", ["/dev/ttyACM97", "/dev/serial/by-id/usb-none-if00", "E66141F3A1B2C3D4"])
def test_a_port_that_a_board_may_get_is_waited_for(plugged: list[PortInfo], port: str) -> None:
    link = open_link(port, RealClock(), wait=True)
    (down,) = link.poll()
    assert isinstance(down, Disconnected)
    assert "plug the board in" in parts_of(down.reason)[1]
    with pytest.raises(BoardError):
        open_link(port, RealClock())


@pytest.mark.parametrize("port", ["/dev/nowhere", "capture.bin", "/", "x" * 300])
def test_a_port_that_nothing_can_get_is_refused_at_once(plugged: list[PortInfo], port: str) -> None:
    with pytest.raises(FirmwareError):
        open_link(port, RealClock(), wait=True)


@pytest.mark.parametrize("camera", ["table.mp4", "http://:80/", "http://here:port/", "", "x" * 300])
def test_a_camera_of_an_impossible_name_is_refused_at_once(
    plugged: list[PortInfo], camera: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(CameraError) as caught:
        open_camera(camera, RealClock(), wait=True)
    assert not isinstance(caught.value, NotThereError)


def test_a_phone_that_is_not_switched_on_is_waited_for() -> None:
    with open_camera("http://127.0.0.1:1/video", RealClock(), wait=True) as camera:
        assert camera.read() is None
        assert not camera.state.ok
        waiting = words_of(camera.state.detail)
        assert waiting.startswith("waiting for the camera: http://127.0.0.1:1/video: ")
        said = Language("de").say(waiting)
        assert said.startswith("ich warte auf die Kamera: http://127.0.0.1:1/video: ")
        assert "camera" not in said
        assert camera.info.width == 0
