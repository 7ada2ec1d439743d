"""The game of `companion host`: an engine and a table as processes, that begin, die, and end with it."""

import asyncio
import json
import os
import signal
import subprocess
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.bridges.host.desk import GameWish
from companion.bridges.host.nmcli import PROFILES, Nmcli
from companion.commands import host
from companion.commands.chosen_start import filled_form, remembered
from companion.commands.hosted_game import HostedGame, plugged_in
from companion.core.child_python import companion_command
from companion.core.config import Config
from companion.core.errors import BadInputError
from companion.session.stream.commands import Command
from companion.session.stream.events import Event, Welcome
from companion.session.stream.stream_client import StreamClient

WISH = GameWish("sleepless-princess", "5+", 2, ("Anna", "Ben"), "virtual")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders of a user of its own, and its socket."""
    for name in ("CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path))
    return tmp_path / "engine.sock"


def until(true: Callable[[], object], seconds: float = 40.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def greeted(socket: Path) -> Welcome:
    """What an engine says first to a screen."""
    heard: list[Event] = []

    async def follow() -> None:
        client: StreamClient[Event, Command] = StreamClient(socket, Event, heard.append, lambda _live: None)
        running = asyncio.ensure_future(client.run())
        async with asyncio.timeout(40):
            while not heard:
                await asyncio.sleep(0.05)
        running.cancel()

    asyncio.run(follow())
    assert isinstance(heard[0], Welcome)
    return heard[0]


@pytest.mark.long
def test_a_game_begins_survives_its_engine_and_ends_with_its_journal(home: Path) -> None:
    game, told = HostedGame(home), list[bool]()
    game.changed = lambda: told.append(game.on)
    try:
        game.begin(WISH)
        heard = greeted(home)
        assert (heard.variant, heard.names) == ("5+", ("Anna", "Ben"))
        assert remembered().names == ("Anna", "Ben"), "the form has them next time"
        table, engine = game.pids
        journal = next(home.parent.rglob("journals/*.jsonl"))
        until(lambda: journal.stat().st_size > 2000)
        os.kill(engine, signal.SIGKILL)
        until(lambda: game.pids[1] != engine)
        assert greeted(home)
        assert game.on
        os.kill(table, signal.SIGKILL)
        until(lambda: told == [False])
        assert "killed" in game.said, "nobody ended it: the page says why"
        game.begin(WISH)
        greeted(home)
        game.end()
        assert (game.on, game.said, game.pids) == (False, "", ())
        assert len(list(home.parent.rglob("journals/*.jsonl"))) == 2
    finally:
        game.end()


def test_nothing_is_gone_on_with_where_nothing_was_played(home: Path) -> None:
    game = HostedGame(home)
    with pytest.raises(BadInputError):
        game.go_on()
    assert not game.on


def test_parts_are_named_unless_a_rig_or_the_settings_name_them(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.commands.hosted_game.cameras", lambda: [("/dev/video2", "A webcam")])
    monkeypatch.setattr("companion.commands.hosted_game.boards", lambda: ["/dev/serial/by-id/one"])
    assert plugged_in(Config()) == ["--camera", "/dev/video2", "--port", "auto"]
    assert plugged_in(Config(camera="csi")) == []


def test_the_form_is_renewed_when_something_is_plugged_in(monkeypatch: pytest.MonkeyPatch) -> None:
    there: list[tuple[str, str]] = []
    monkeypatch.setattr(host, "cameras", lambda: list(there))
    renewed: list[bool] = []
    still = host.noticing(lambda: True, lambda: renewed.append(True))
    assert still()
    assert not renewed
    there.append(("/dev/video0", "A webcam"))
    assert still()
    assert still()
    assert renewed == [True]


def test_to_begin_anew_forgets_code_and_settings_and_keeps_games_and_rigs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("STATE", "CONFIG", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    gone = [tmp_path / "state/companion" / name for name in ("host.token", "hotspot", "last_start.json")]
    gone += [tmp_path / "config/companion" / name for name in ("companion.toml", "companion.toml.before")]
    kept = [
        tmp_path / "state/companion/journals/one.jsonl",
        tmp_path / "state/companion/serve.token",
        tmp_path / "data/companion/rigs/kitchen.toml",
    ]
    for path in (*gone, *kept):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    deleted: list[str] = []

    class Manager(Nmcli):
        async def forget(self, profile: str) -> None:
            deleted.append(profile)

    asyncio.run(host.forget_everything(Manager("true")))
    assert not [path for path in gone if path.exists()]
    assert all(path.read_text() == "x" for path in kept)
    assert deleted == list(PROFILES)
    said = capsys.readouterr().out
    assert all(str(path) in said for path in gone)


def test_the_command_serves_until_it_is_ended_and_leaves_nothing_running(tmp_path: Path) -> None:
    folders = {
        f"XDG_{name}": str(tmp_path) for name in ("RUNTIME_DIR", "CONFIG_HOME", "DATA_HOME", "STATE_HOME")
    }
    hosting = subprocess.Popen(
        companion_command("host", "--bind", "127.0.0.1", "--port", "0", "--language", "fr"),
        env={**os.environ, **folders},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert hosting.stdout is not None
        address = hosting.stdout.readline().strip()
        kept = next(tmp_path.rglob("host.token"))
        assert kept.read_text().strip() in address
        assert (kept.stat().st_mode & 0o777) == 0o600
        state = json.load(urllib.request.urlopen(address + "state?language=de"))
        assert state["desk"]["form"]["language"] == "fr"
        assert state["desk"]["network"]["wifi"] is False, "nobody else reaches this machine"
        hosting.terminate()
        assert hosting.wait(15) == 0
        assert hosting.stdout.read() == "", "a log has each address once"
        assert not list(tmp_path.rglob("*.address"))
    finally:
        hosting.kill()
        hosting.wait()


def test_one_of_several_hosts_takes_no_camera_that_is_merely_plugged_in(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.commands.hosted_game.cameras", lambda: [("/dev/video0", "webcam")])
    monkeypatch.setattr("companion.commands.chosen_start.cameras", lambda: [("/dev/video0", "webcam")])
    assert plugged_in(Config()) == ["--camera", "/dev/video0"]
    assert [name for name, _ in filled_form(Config())[0].tables] == ["real", "virtual"]
    monkeypatch.setenv("COMPANION_TABLE", "window")
    assert plugged_in(Config()) == []
    assert [name for name, _ in filled_form(Config())[0].tables] == ["virtual"]


def test_two_hosts_of_one_machine_have_codes_and_ports_of_their_own(home: Path) -> None:
    alone = os.environ | {"XDG_RUNTIME_DIR": str(home.parent)}
    hosts = [
        subprocess.Popen(
            companion_command("host", "--at", name, "--bind", "127.0.0.1"), stdout=subprocess.PIPE, env=alone
        )
        for name in ("window", "door")
    ]
    try:
        pages = []
        for one in hosts:
            assert one.stdout is not None
            pages.append(one.stdout.readline().decode().strip())
        ports, codes = zip(
            *((page.split(":")[2].split("/")[0], page.split("/")[3]) for page in pages), strict=True
        )
        assert len(set(ports)) == len(set(codes)) == 2
        for page in pages:
            assert urllib.request.urlopen(page, timeout=20).status == 200
    finally:
        for one in hosts:
            one.terminate()
        for one in hosts:
            one.wait(20)
