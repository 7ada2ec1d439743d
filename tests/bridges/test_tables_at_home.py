"""The list of tables without a broker: of this machine by their sockets, and those that others announce."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from companion.bridges.tables import home_tables, on_the_network, on_this_machine
from companion.bridges.tables.home_tables import HomeTables
from companion.bridges.tables.listed_table import ListedTable, in_words
from companion.bridges.tables.on_the_network import TablesOnNetwork, announce, announcement, listed_of
from companion.bridges.tables.on_this_machine import TablesHere, listed_here
from companion.cli import cli
from companion.commands.tables import lined_up
from companion.core.home_network import HERE, home_addresses
from companion.core.served_address import ServedAddress
from companion.dashboard.model import PublicModel
from companion.session.stream.events import SensorHealth
from tests.bridges.served import Engine
from tests.dashboard.test_dashboard_text import TABLE, WELCOME

KITCHEN = msgspec.structs.replace(WELCOME, table="Küche")


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_this_machine, "LOOK_S", 0.02)


@contextlib.asynccontextmanager
async def running(*work: Any) -> AsyncIterator[None]:
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(10):
        while not done():
            await asyncio.sleep(0.02)


async def test_each_engine_of_this_machine_has_a_line_through_death_and_return(tmp_path: Path) -> None:
    (tmp_path / "kuche").mkdir()
    bad = SensorHealth("camera", False, "the mat is out of sight")
    kitchen = Engine(tmp_path / "kuche" / "engine.sock", (KITCHEN, TABLE, bad))
    only = Engine(tmp_path / "engine.sock")
    ServedAddress(kitchen.path).write("http://192.168.1.7:8378/key/")
    here = TablesHere(tmp_path, lambda: None)

    def status() -> dict[str, str]:
        return {row["table"]: row["status"] for row in here.rows()}

    async with running(here.run(), kitchen.run(), only.run()):
        await until(lambda: list(status().values()) == ["playing", "playing"])
        row = next(row for row in here.rows() if row["table"] == "Küche")
        assert (row["turn"], row["page"]) == (TABLE.turn, "http://192.168.1.7:8378/key/")
        assert row["faults"] == "camera: the mat is out of sight"
        assert here.pages() == {"192.168.1.7:8378"}
        kitchen.kill()
        kitchen.path.touch()  # a killed engine leaves its socket
        await until(lambda: status().get("Küche") == "no engine")
        kitchen.path.unlink()
        await until(lambda: "Küche" not in status())
        kitchen.start()
        await until(lambda: status().get("Küche") == "playing")
    kitchen.kill()
    only.kill()


async def test_a_busy_engine_is_starting_and_keeps_its_tables_name(tmp_path: Path) -> None:
    (tmp_path / "kuche").mkdir()
    path = tmp_path / "kuche" / "engine.sock"
    listed = TablesHere(tmp_path, lambda: None)._listed
    model = PublicModel()
    model.connected(True)
    assert listed(path, model, 0).row()["status"] == "starting"
    model.take(KITCHEN)
    assert listed(path, model, 0).row()["table"] == "Küche"
    again = PublicModel()
    again.connected(True)
    row = listed(path, again, 0).row()
    assert (row["table"], row["status"]) == ("Küche", "starting")


async def test_a_game_without_a_tables_name_is_listed_while_it_is_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sockets, home = tmp_path / "sockets", tmp_path / "home"
    sockets.mkdir()
    home.mkdir()
    (sockets / "game-1").symlink_to(tmp_path / "of a killed program")
    monkeypatch.setattr(on_this_machine, "make_runtime_dir", lambda: sockets)
    engine, here = Engine(home / "engine.sock"), TablesHere(sockets, lambda: None)
    with listed_here(home):
        async with running(here.run(), engine.run()):
            await until(lambda: [row["status"] for row in here.rows()] == ["playing"])
            assert [row["table"] for row in here.rows()] == [socket.gethostname()]
    assert not list(sockets.iterdir())
    engine.kill()


async def test_two_games_without_a_name_have_two_names_in_the_list(tmp_path: Path) -> None:
    engines = []
    for game in ("game-11", "game-12"):
        (tmp_path / game).mkdir()
        engines.append(Engine(tmp_path / game / "engine.sock"))
    here, machine = TablesHere(tmp_path, lambda: None), socket.gethostname()
    async with running(here.run(), *(one.run() for one in engines)):
        await until(lambda: [row["status"] for row in here.rows()] == ["playing", "playing"])
        assert [row["table"] for row in here.rows()] == [machine, f"{machine} (2)"]
    for one in engines:
        one.kill()


def test_what_the_network_is_told_has_no_player_and_no_key() -> None:
    model = PublicModel()
    assert announcement("Küche", model) == {"table": "Küche", "game": "", "status": "no engine"}
    model.connected(True)
    model.take(KITCHEN)
    model.take(TABLE)
    told = announcement("Küche", model)
    assert told == {"table": "Küche", "game": "Sleepless Princess", "status": "playing"}


@pytest.mark.parametrize(
    ("told", "addresses", "port"),
    [
        ({}, ["192.168.1.9"], 8377),
        ({"table": None, "status": "over"}, ["192.168.1.9"], 8377),
        ({"table": "hall", "status": "\x1b[2J"}, ["192.168.1.9"], 8377),
        ({"table": "hall", "status": "over"}, [], 8377),
        ({"table": "hall", "status": "over"}, ["evil\x07.example"], 8377),
        ({"table": "hall", "status": "over"}, ["192.168.1.9"], 0),
        ({"table": "\x00\x1b", "status": "over"}, ["192.168.1.9"], 8377),
    ],
)
def test_what_is_no_table_is_not_listed(told: dict[str, str | None], addresses: list[str], port: int) -> None:
    listed = listed_of(told, addresses, port)
    assert listed is None or listed.row()["table"].isprintable()
    assert listed is None or told["table"] == "\x00\x1b"


def test_foreign_names_are_short_and_in_one_line() -> None:
    told = {"table": "Küche\n\x1b]0;owned\x07" + "w" * 500, "game": "\x1b[31m" + "g" * 500, "status": "playing"}
    listed = listed_of(told, ["192.168.1.9"], 8377)
    assert listed is not None
    row = listed.row()
    lines = lined_up([row])
    assert all(line.isprintable() for line in lines)
    assert max(map(len, (row["table"], row["game"]))) <= 60
    assert in_words(row)["page"] == "http://192.168.1.9:8377"


async def test_a_table_is_announced_found_changed_and_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    if home_addresses("") == [HERE]:
        pytest.skip("this machine is in no network")
    monkeypatch.setattr("companion.bridges.tables.on_the_network.LOOK_S", 0.1)
    told = {"table": "Küche", "game": "Sleepless Princess", "status": "playing"}
    said: list[str] = []
    found = TablesOnNetwork(lambda: None)

    def status() -> list[str]:
        return [row["status"] for row in found.rows() if row["page"].endswith(":18377")]

    async with running(found.run()):
        async with running(
            announce("Küche", 18377, lambda: home_addresses(""), lambda: dict(told), said.append)
        ):
            await until(lambda: status() == ["playing"] or bool(said))
            if said:
                pytest.skip(f"no multicast here: {said[0]}")
            told["status"] = "over"
            await until(lambda: status() == ["over"])
        await until(lambda: not status())


async def test_a_table_that_was_killed_goes_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[bool] = [True, False, True]

    class Info:
        decoded_properties = {"table": "hall", "status": "over"}  # noqa: RUF012
        port = 8377

        def __init__(self, *_: object) -> None:
            pass

        async def async_request(self, *_: object) -> bool:
            return answers.pop(0)

        def parsed_addresses(self, *_: object) -> list[str]:
            return ["192.168.1.9"]

    monkeypatch.setattr(on_the_network, "AsyncServiceInfo", Info)
    found = TablesOnNetwork(lambda: None)
    found._known.add("hall")
    for listed in (["hall"], [], ["hall"]):
        await found._ask(None, "hall")  # only the library uses it
        assert [row["table"] for row in found.rows()] == listed


async def test_without_a_network_this_machine_is_listed_until_there_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object, **__: object) -> None:
        raise RuntimeError("No interfaces to listen on")  # as the library says it

    monkeypatch.setattr(on_the_network, "AsyncZeroconf", none)
    monkeypatch.setattr(on_the_network, "LOOK_S", 0.05)
    engine = Engine(tmp_path / "engine.sock")
    listed = HomeTables(tmp_path, lambda: None)
    said: list[str] = []
    announced = announce("hall", 8377, lambda: ["192.168.1.7"], dict, said.append)
    async with running(listed.run(), engine.run(), announced):
        await until(lambda: [row["status"] for row in listed.rows()] == ["playing"])
        assert listed.said == "Only this machine's tables: there is no network"
        await asyncio.sleep(0.3)
    assert said == ["there is no network"], "it is said once"
    engine.kill()


async def test_without_the_package_this_machine_is_listed_and_one_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(home_tables, "find_spec", lambda _name: None)
    engine = Engine(tmp_path / "engine.sock")
    listed = HomeTables(tmp_path, lambda: None)
    async with running(listed.run(), engine.run()):
        await until(lambda: [row["status"] for row in listed.rows()] == ["playing"])
    assert listed.said.startswith("Only this machine's tables; for those of the network: ")
    assert "zeroconf" in listed.said
    engine.kill()


async def test_a_page_of_this_machine_is_listed_once(tmp_path: Path) -> None:
    found = TablesOnNetwork(lambda: None, lambda: {"192.168.1.7:8377"})
    for name, host in (("a", "192.168.1.7"), ("b", "192.168.1.8")):
        listed = listed_of({"table": name, "status": "over"}, [host], 8377)
        assert listed is not None
        found._found[name] = listed
    assert [row["table"] for row in found.rows()] == ["b"]


def test_the_list_as_json_has_sentences_as_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    class Listed:
        said, needed = "", False

        def __init__(self, *_: object) -> None: ...

        def rows(self) -> list[dict[str, Any]]:
            return [ListedTable("Küche", bridge=True, engine=True, state={"score": 3, "out_of": 5}).row()]

        def nothing_yet(self) -> str:
            return ""

        async def run(self) -> None: ...

    monkeypatch.setattr(home_tables, "HomeTables", Listed)
    told = CliRunner().invoke(cli, ["tables", "--json", "--seconds", "0.1"])
    assert told.exception is None
    assert [row["score"] for row in msgspec.json.decode(told.output)["tables"]] == ["3 of 5"]


def test_a_long_question_leaves_room_for_the_other_columns() -> None:
    asked = {"turn": 3, "question": "I have lost track of what was done. I still see what lies open. Press t."}
    row = ListedTable("Küche", bridge=True, engine=True, state=asked).row()
    head, line = lined_up([row])
    assert "I have lost track of what was done. I .." in line
    assert len(line) <= len(head) <= 120
