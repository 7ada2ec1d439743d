"""Tables on a broker: what is said of them, and the bridge against a real Mosquitto where one is installed."""

import asyncio
import contextlib
import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from companion.bridges.mqtt.broker import Broker, BrokerAddress
from companion.bridges.mqtt.home_assistant import HomeAssistantBridge
from companion.bridges.mqtt.table_topics import device_of, state_of, table_name
from companion.bridges.mqtt.tables_list import TablesList
from companion.bridges.tables.listed_table import ListedTable
from companion.bridges.tables.tables_screen import tables_page
from companion.cli import cli
from companion.commands.broker_options import broker_address
from companion.core import language
from companion.core.errors import BadInputError, CompanionError, SourceError
from companion.core.language import localized
from companion.dashboard.model import PublicModel
from companion.session.entries.without_keys import LOST, WithoutKeys
from companion.session.stream.events import Claimed, Names, PlaceView, Question, Score, SensorHealth, Welcome
from companion.session.stream.stream import decode_line, encode_line
from tests.bridges.served import Engine
from tests.dashboard.test_dashboard_text import TABLE, WELCOME

MOSQUITTO = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
real = pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not installed (apt install mosquitto)")


def _model(*events: Any) -> PublicModel:
    model = PublicModel()
    model.connected(True)
    for event in (WELCOME, TABLE, *events):
        model.take(event)
    return model


def test_the_state_tells_missing_from_zero() -> None:
    claimed = Claimed(1.0, 1, "Watermelons, bed 1", "proved", "She sleeps!", "asleep", ())
    score = Score(0, 5, "0 OF 5", "asleep", "0 of 5", "Well.", TABLE.places, 12)
    state = state_of(_model(), None)
    assert (state["score"], state["verdict"], state["sensors"]) == (None, None, {})
    over = msgspec.structs.replace(TABLE, over=True)
    state = state_of(_model(SensorHealth("camera", False, "unplugged"), score, over, score), claimed)
    assert (state["score"], state["out_of"], state["over"]) == (0, 5, True)
    assert (state["verdict"], state["verdict_about"]) == ("proved", "Watermelons, bed 1")
    assert (state["sensors"], state["failing"]) == ({"camera": False}, 1)
    assert state["faults"] == ["camera: unplugged"]
    with language.speaking("de"):
        assert state_of(_model(SensorHealth("camera", False, "weg")), None)["faults"] == ["Kamera: weg"]
    gone = SensorHealth("board", False, "no device: /dev/serial/by-id/usb-pico")
    assert state_of(_model(gone), None)["faults"] == ["board: no device"]
    realms = msgspec.structs.replace(TABLE, places=(PlaceView("", "player", figure="realm"),))
    assert (state["asleep"], state_of(_model(realms), None)["asleep"]) == (1, None)
    lost = decode_line(encode_line(Question(LOST, ("table_is_right",), "lost")), Question, WithoutKeys("en"))
    assert "table's own screen" in state_of(_model(lost), None)["question"]
    assert state["put_right"] is None
    off = msgspec.structs.replace(TABLE, put_right="Put it right. A 3 is too many in the open row.")
    assert state_of(_model(off), None)["put_right"] == "Put it right. A 3 is too many in the open row."
    assert state_of(PublicModel(), None) == {"live": False}
    assert state_of(_model(Welcome(99, "9", "x", "y", 2)), None) == {"live": False}


def test_the_device_has_an_entity_for_each_value_of_the_state() -> None:
    device = device_of("kitchen")
    parts = device["components"]
    assert len({one["unique_id"] for one in parts.values()}) == len(parts)
    assert {one["platform"] for one in parts.values()} == {"sensor", "binary_sensor"}
    state = state_of(_model(), None)
    for name in (
        "game",
        "turn",
        "player",
        "phase",
        "call",
        "verdict",
        "score",
        "result",
        "question",
        "put_right",
        "failing",
    ):
        assert name in parts
        assert name in state
    assert device["availability_mode"] == "all"
    assert {one["topic"] for one in device["availability"]} == {
        "companion/kitchen/bridge",
        "companion/kitchen/engine",
    }


@pytest.mark.parametrize(
    ("given", "name"), [("Kitchen", "kitchen"), ("a/b#+c", "a-b-c"), ("///", "table"), ("x" * 99, "x" * 40)]
)
def test_a_tables_name_is_always_one_level_of_a_topic(given: str, name: str) -> None:
    assert table_name(given) == name


async def test_a_list_of_tables_bears_whatever_a_broker_says() -> None:
    table = ListedTable(
        "x", bridge=True, engine=True, state={"turn": "many", "faults": 3, "score": [], "game": {}}
    )
    assert table.row() == {
        "table": "x",
        "status": "playing",
        "game": "",
        "turn": None,
        "player": "",
        "to_do": "",
        "score": "",
        "page": "",
        "faults": "",
    }
    for score, told in ((0, "0 of 5"), (None, ""), (True, "")):
        state = {"turn": score, "score": score, "out_of": 5}
        row = ListedTable("x", bridge=True, engine=True, state=state).row()
        assert (row["turn"], localized(row["score"])) == (None if told == "" else score, told)
    for bridge, engine, state, status in (
        (False, True, {}, "gone"),
        (True, False, {}, "no engine"),
        (True, True, {}, "waiting"),
        (True, True, {"over": True, "turn": 4}, "over"),
    ):
        assert ListedTable("x", bridge, engine, state).status == status
    page = tables_page([table.row()], "no answer", 80)
    assert max(map(len, page.plain.split("\n"))) <= 80
    assert "companion bridge" in TablesList(BrokerAddress("127.0.0.1"), lambda: None).nothing_yet()


def test_faults_have_rows_of_their_own_where_there_is_no_room_beside() -> None:
    state = {"turn": 4, "game": "Sleepless Princess", "player": "Anna", "call": "FEEL A BED", "faults": [FAR]}
    rows = [ListedTable("window", bridge=True, engine=True, state=state).row()]
    with language.speaking("de"):
        wide, small = (tables_page(rows, "", columns).plain.split("\n") for columns in (200, 80))
    assert "Fehler" in wide[0]
    assert FAR in wide[1]
    assert "Fehler" not in small[0]
    assert "spielt" in small[1]
    assert FAR in " ".join(" ".join(small).split())
    assert max(map(len, small)) <= 80


FAR = (
    "camera: the mat is out of sight: move the camera back until all four corners of the mat are in its picture"
)


@pytest.mark.parametrize("broker", ["", "a b", "u@h", "h:x", "h:0", "h:99999", "mqtt://h", "h:²", "[::1]:x"])
def test_what_is_no_broker_is_said_in_one_line(broker: str) -> None:
    result = CliRunner().invoke(cli, ["tables", "--once", "--broker", broker], standalone_mode=False)
    assert isinstance(result.exception, BadInputError)


@pytest.mark.parametrize(
    ("broker", "where"), [("[::1]:1884", "::1:1884"), ("[::1]", "::1:1883"), ("fe80::1", "fe80::1:1883")]
)
def test_a_broker_may_have_an_address_with_colons(broker: str, where: str) -> None:
    assert broker_address(broker, "", None, tls=False, ca=None).where == where


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
@pytest.mark.parametrize("begin", ["", "\ufeff"])
def test_a_password_file_may_come_from_any_editor(tmp_path: Path, begin: str, end: str) -> None:
    file = tmp_path / "password"
    file.write_bytes(f"{begin}sécret {end}".encode())
    assert broker_address("h", "u", file, tls=False, ca=None).password == "sécret "


# Against a real broker.


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Mosquitto:
    """A real broker with one user, which can be stopped and started."""

    def __init__(self, folder: Path) -> None:
        self.port = _free_port()
        self.address = BrokerAddress("127.0.0.1", self.port, "anna", "secret")
        passwords = folder / "passwords"
        tool = shutil.which("mosquitto_passwd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
        subprocess.run([str(tool), "-c", "-b", passwords, "anna", "secret"], check=True, capture_output=True)
        user = "root" if os.getuid() == 0 else ""
        self.settings = folder / "mosquitto.conf"
        self.settings.write_text(
            f"listener {self.port} 127.0.0.1\nallow_anonymous false\npassword_file {passwords}\n"
            f"persistence false\n{f'user {user}' if user else ''}\n"
        )
        self.start()

    def start(self) -> None:
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen([str(MOSQUITTO), "-c", self.settings], stdout=quiet, stderr=quiet)
        for _ in range(500):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 0.1):
                return
            time.sleep(0.01)  # it is refused at once until the broker listens
        raise TimeoutError

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(10)


@pytest.fixture
def mosquitto(tmp_path: Path) -> AsyncIterator[Mosquitto]:
    one = Mosquitto(tmp_path)
    yield one
    one.stop()


@contextlib.asynccontextmanager
async def _running(work: Any) -> AsyncIterator[asyncio.Future[None]]:
    task = asyncio.ensure_future(work)
    try:
        yield task
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError, SourceError, BadInputError):
            await task


async def _until(wanted: Callable[[], Any]) -> None:
    async with asyncio.timeout(30):
        while not wanted():
            await asyncio.sleep(0.01)


def test_certificates_alone_mean_the_encrypted_port(tmp_path: Path) -> None:
    assert BrokerAddress("here", ca=tmp_path / "ca.pem").where == "here:8883"
    assert BrokerAddress("here", 1884, ca=tmp_path / "ca.pem").used_port == 1884
    assert BrokerAddress("here").where == "here:1883"


async def test_the_verdict_stays_with_new_names_and_goes_with_a_new_game(tmp_path: Path) -> None:
    bridge = HomeAssistantBridge(tmp_path / "engine.sock", BrokerAddress("127.0.0.1"), "hall")
    bridge.linked(True)
    claimed = Claimed(1.0, 1, "Watermelons, bed 1", "proved", "She sleeps!", "asleep", ())
    for event in (WELCOME, TABLE, claimed, Names(("Anna",))):
        bridge.take(event)
    state = state_of(bridge.model, bridge.verdict)
    assert (state["live"], state["players"][0], state["verdict"]) == (True, "Anna", "proved")
    bridge.take(WELCOME)
    assert bridge.verdict is None


async def test_an_error_in_what_follows_the_engine_ends_the_bridge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bridge that looked alive and told nothing any more would be worse."""
    engine = Engine(tmp_path / "engine.sock")
    bridge = HomeAssistantBridge(engine.path, BrokerAddress("127.0.0.1", _free_port()), "hall")

    def fail(_event: object) -> None:
        raise ZeroDivisionError("not divided")

    monkeypatch.setattr(bridge.model, "take", fail)
    async with _running(engine.run()):
        with pytest.raises(CompanionError, match="fault of this program: ZeroDivisionError"):
            await asyncio.wait_for(bridge.run(), 20)


@pytest.mark.parametrize("content", [b"", b"offline", b"0", b"\xff\xfe", b"12-abcdef", b"{}"])
async def test_what_no_bridge_wrote_ends_no_bridge(tmp_path: Path, content: bytes) -> None:
    bridge = HomeAssistantBridge(tmp_path / "engine.sock", BrokerAddress("127.0.0.1"), "hall")
    bridge.hear("companion/hall/owner", content, False)
    assert not bridge.broker.failed.done()


@pytest.mark.parametrize("depth", [300, 700, 900, 5000])
async def test_a_list_of_tables_bears_a_deep_state(depth: int) -> None:
    listed = TablesList(BrokerAddress("127.0.0.1"), lambda: None)
    listed.hear("companion/hall/state", b'{"turn":' + b"[" * depth + b"]" * depth + b"}", False)
    (row,) = listed.rows()
    assert (row["table"], row["turn"]) == ("hall", None)


async def test_a_table_that_somebody_removes_stays_away() -> None:
    listed = TablesList(BrokerAddress("127.0.0.1"), lambda: None)
    for of, content in (("bridge", b"online"), ("engine", b"online"), ("state", b"{}")):
        listed.hear(f"companion/hall/{of}", content, True)
    assert len(listed.rows()) == 1
    for of in ("bridge", "engine", "state"):
        listed.hear(f"companion/hall/{of}", b"", False)
    assert listed.rows() == []


@real
async def test_a_table_is_on_the_broker_through_restarts_of_all(mosquitto: Mosquitto, tmp_path: Path) -> None:
    engine = Engine(tmp_path / "engine.sock")
    said: list[str] = []
    heard: dict[str, bytes] = {}
    bridge = HomeAssistantBridge(engine.path, mosquitto.address, "kitchen", say=said.append)
    listed = TablesList(mosquitto.address, lambda: None)
    watcher = Broker(
        mosquitto.address,
        "watcher",
        on_up=lambda: watcher.subscribe("homeassistant/#"),
        on_message=lambda topic, content, _old: heard.__setitem__(topic, content),
    )

    def status() -> str:
        return listed.tables["kitchen"].status if "kitchen" in listed.tables else ""

    async with (
        _running(engine.run()),
        _running(bridge.run()),
        _running(listed.broker.run()),
        _running(watcher.run()),
    ):
        await _until(lambda: status() == "playing")
        await _until(lambda: "homeassistant/device/companion_kitchen/config" in heard)
        device = json.loads(heard["homeassistant/device/companion_kitchen/config"])
        assert device["state_topic"] == "companion/kitchen/state"
        assert listed.rows()[0]["to_do"]
        heard.clear()
        watcher.publish("homeassistant/status", "online", retain=False)
        await _until(lambda: "homeassistant/device/companion_kitchen/config" in heard)
        engine.kill()
        await _until(lambda: status() == "no engine")
        engine.start()
        await _until(lambda: status() == "playing")
        mosquitto.stop()
        await _until(lambda: said)
        listed.tables.clear()
        mosquitto.start()
        await _until(lambda: status() == "playing")
        assert len(said) == 2  # one line when it went, one when it was back
        bridge.say_goodbye()
        await _until(lambda: status() == "gone")


@real
async def test_the_last_will_says_that_a_bridge_was_killed(mosquitto: Mosquitto, tmp_path: Path) -> None:
    listed = TablesList(mosquitto.address, lambda: None)
    bridge = HomeAssistantBridge(tmp_path / "engine.sock", mosquitto.address, "hall")
    async with _running(listed.broker.run()), _running(bridge.run()):
        await _until(lambda: "hall" in listed.tables and listed.tables["hall"].bridge)
        sock = bridge.broker._client.socket()
        assert sock is not None
        bridge.broker._client.reconnect_delay_set(20, 20)
        sock.shutdown(socket.SHUT_RDWR)
        await _until(lambda: not listed.tables["hall"].bridge)


@real
async def test_a_wrong_password_and_a_name_that_is_taken_end_a_bridge(
    mosquitto: Mosquitto, tmp_path: Path
) -> None:
    wrong = BrokerAddress("127.0.0.1", mosquitto.port, "anna", "wrong")
    with pytest.raises(BadInputError, match="refuses"):
        await HomeAssistantBridge(tmp_path / "engine.sock", wrong, "hall").run()
    one = HomeAssistantBridge(tmp_path / "engine.sock", mosquitto.address, "hall")
    other = HomeAssistantBridge(tmp_path / "engine.sock", mosquitto.address, "hall")
    listed = TablesList(mosquitto.address, lambda: None)
    async with _running(listed.broker.run()), _running(one.run()) as first:
        await _until(lambda: one.broker.up)
        async with _running(other.run()) as second:
            with pytest.raises(SourceError, match="running already"):
                await asyncio.wait_for(asyncio.shield(second), 20)
        await _until(lambda: "hall" in listed.tables and listed.tables["hall"].bridge)
        assert not first.done()
