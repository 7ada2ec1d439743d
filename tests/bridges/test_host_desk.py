"""The desk of the page: who holds the code begins and ends games there; everybody else looks on."""

import errno
import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zxingcpp

from companion.bridges.host import hosted_setup
from companion.bridges.host.console import LEAST, console_page, load_font
from companion.bridges.host.desk import GameWish, HostDesk
from companion.bridges.host.hosted_setup import HostedSetup
from companion.bridges.host.network import HomeNetwork, Hotspot
from companion.bridges.host.nmcli import Nmcli
from companion.bridges.web.access import new_token
from companion.bridges.web.server import LOOK
from companion.core import language
from companion.core.config import load_config
from companion.core.errors import CompanionError
from companion.core.language import speaking
from companion.dashboard.start_form import GameOffer, StartForm
from tests.bridges.served import TOKEN, Engine, Served, served

WISH = {"game": "sleepless-princess", "variant": "5+", "players": 2, "names": ["Anna", ""], "table": "virtual"}


class PlayedHere:
    """A game that begins and ends at once."""

    def __init__(self) -> None:
        self.on, self.said, self.begun = False, "", list[Any]()
        self.refuses: Exception | None = None

    def begin(self, wish: GameWish) -> None:
        if self.refuses:
            raise self.refuses
        self.on, self.said = True, ""
        self.begun.append(wish)

    def go_on(self) -> None:
        self.on = True
        self.begun.append("go on")

    def end(self) -> None:
        self.on = False


def form(last: str = "") -> StartForm:
    return StartForm(
        [GameOffer("sleepless-princess", {"basic": (2, 3, 4, 5), "5+": (2, 3, 4)})], variant=1, last=last
    )


@asynccontextmanager
async def hosting(tmp_path: Path, last: str = "") -> AsyncIterator[tuple[Served, PlayedHere]]:
    game = PlayedHere()
    home = HomeNetwork(Nmcli(str(tmp_path / "none")), tmp_path / "hotspot", lambda: True)
    desk = HostDesk(game, HostedSetup(), home, lambda: form(last), tmp_path / "companion.toml", "en")
    async with served(tmp_path, desk=desk) as one:
        yield one, game
        await desk.setup.end()
    language.use("en")


async def page(one: Served, token: str = TOKEN, query: str = "") -> Any:
    return json.loads((await one.get(f"state{query}", token))[1])


async def test_who_holds_the_code_begins_a_game_and_ends_it(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (one, game), one.following() as phone:
        assert (await page(one))["desk"]["form"]["games"][0]["variants"][1]["players"] == [2, 3, 4]
        assert await one.post("begin", WISH) == (200, '{"refused":""}')
        assert (await phone.page(lambda now: now["desk"]["phase"] == "on"))["desk"]["form"] is None
        assert game.begun == [GameWish("sleepless-princess", "5+", 2, ("Anna", ""), "virtual")]
        assert "on already" in (await one.post("begin", WISH))[1]
        assert await one.post("end", {}) == (200, '{"refused":""}')
        await phone.page(lambda now: now["desk"]["phase"] == "idle")
        assert not game.on


async def test_an_own_view_ends_the_game_as_everybodys_page_does(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (one, game), one.following() as phone:
        await phone.page(lambda now: now["players"])
        assert (await one.post("begin", WISH))[0] == 200
        own = json.loads((await one.post("seat", {"player": 1}))[1])["path"].strip("/")
        assert own != TOKEN
        assert await one.post("end", {}, own) == (200, '{"refused":""}')
        assert not game.on


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 5},
        {"players": 0},
        {"variant": "7+"},
        {"game": "../x"},
        {"table": "real"},
        {"names": ["Anna", "anna"]},
        {"names": ["A", "B", "C"]},
        {"names": ["--camera,x"]},
        {"names": ["A\u202eB"]},
        {"names": ["x" * 11]},
    ],
)
async def test_what_cannot_be_played_is_refused_in_a_sentence(tmp_path: Path, wrong: dict[str, Any]) -> None:
    async with hosting(tmp_path) as (one, game):
        status, told = await one.post("begin", WISH | wrong)
        assert status == 200
        assert json.loads(told)["refused"]
        assert not game.begun


async def test_a_malformed_wish_is_refused_and_a_fault_is_told(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (one, game):
        for body in ({}, {**WISH, "extra": 1}, {**WISH, "players": "2"}, [], b"\xff", b'"' * 4000):
            assert (await one.post("begin", body))[0] == 400
        assert (await one.post("begin", b" " * 5000))[0] == 413
        game.refuses = OSError(errno.ENOSPC, "No space left on device")
        assert (await one.post("begin", WISH))[1] == '{"refused":"No space left on device"}'
        game.refuses = CompanionError("no room on the disk")
        assert (await one.post("begin", WISH))[1] == '{"refused":"no room on the disk"}'


async def test_without_the_code_the_page_looks_on(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (one, game):
        async with one.http.get(f"{one.root}/", allow_redirects=False) as reply:
            assert (reply.status, reply.headers["Location"]) == (307, f"/{LOOK}/")
        async with one.following(LOOK) as onlooker:
            seen = await onlooker.page(lambda now: now["places"])
        assert (seen["control"], seen["players"]) == (False, [])
        assert seen["desk"] == {"holder": False, "phase": "idle", "said": ""}
        for name, body in {"begin": WISH, "end": {}, "seat": {"player": 1}, "speak": {"language": "de"},
                           "command": {"c": "undo"}, "go_on": {}}.items():  # fmt: skip
            assert (await one.post(name, body, LOOK))[0] == 403, name
            assert (await one.post(name, body, new_token()))[0] == 404, name
        assert (await one.get("picture", LOOK))[0] == 404
        assert TOKEN not in (await one.get("", LOOK))[1], "the code stands nowhere on the page"
        assert not game.begun


async def test_a_page_of_the_internet_reads_nothing_by_a_name_of_its_own(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (one, _):
        for name, status in (("evil.example", 404), ("companion.local:8377", 200), ("companion", 200),
                             ("[::1]:8377", 200), ("192.168.1.2.evil.example", 404)):  # fmt: skip
            async with one.http.get(f"{one.root}/{LOOK}/state", headers={"Host": name}) as reply:
                assert reply.status == status, name


async def test_another_site_begins_no_game(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (one, game):
        assert (await one.post("begin", WISH, Origin="http://evil.example"))[0] == 403
        assert (await one.post("begin", json.dumps(WISH).encode(), **{"Content-Type": "text/plain"}))[0] == 403
        assert not game.begun


async def test_only_a_game_that_was_left_can_be_gone_on_with(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (one, game):
        assert "left unfinished" in (await one.post("go_on", {}))[1]
        assert not game.begun
    (tmp_path / "other").mkdir()
    async with hosting(tmp_path / "other", last="Sleepless Princess, yesterday") as (one, game):
        assert "yesterday" in (await page(one))["desk"]["form"]["last"]
        await one.post("go_on", {})
        assert game.begun == ["go on"]


async def test_the_language_of_the_screens_is_kept(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (one, _):
        assert (await one.post("speak", {"language": "xx"}))[1] != '{"refused":""}'
        await one.post("speak", {"language": "fr"})
        assert load_config(tmp_path / "companion.toml").language == "fr"
        assert (await page(one))["desk"]["form"]["language"] == "fr"


async def test_a_table_without_a_desk_has_no_page_without_a_token(tmp_path: Path) -> None:
    async with served(tmp_path, engine=Engine(tmp_path / "engine.sock")) as one:
        assert (await page(one))["desk"] is None
        assert (await one.get("state", LOOK))[0] == 404
        assert (await one.post("begin", WISH))[0] == 403


# The console

ADDRESS = "http://192.168.178.123:8377/AbCdEf-123_45678/"


def scanned(rows: list[str]) -> str:
    """The text of the code in some rows: each letter is two pixels, one above the other."""
    halves = {"█": (255, 255), "▀": (255, 0), "▄": (0, 255)}
    picture = np.zeros((2 * len(rows), max(map(len, rows))), np.uint8)
    for at, row in enumerate(rows):
        for column, letter in enumerate(row):
            picture[2 * at : 2 * at + 2, column] = halves.get(letter, (0, 0))
    found = zxingcpp.read_barcodes(np.kron(picture, np.ones((4, 4), np.uint8)))
    return found[0].text if found else ""


@pytest.mark.parametrize("code", ["en", "de", "fr", "it"])
@pytest.mark.parametrize("size", [LEAST, (120, 40), (240, 67)])
def test_the_console_has_room_for_code_address_and_what_to_do(code: str, size: tuple[int, int]) -> None:
    with speaking(code):
        rows = console_page([ADDRESS, "http://10.0.0.2:8377/AbCdEf-123_45678/"], size)
    assert len(rows) <= size[1]
    assert max(map(len, rows)) <= size[0]
    assert scanned(rows) == ADDRESS
    assert ADDRESS in "\n".join(rows), "it can be typed, too"


@pytest.mark.parametrize("code", ["en", "de", "fr", "it"])
@pytest.mark.parametrize("size", [LEAST, (120, 40)])
def test_without_a_network_the_console_shows_the_access_point_and_the_page(
    code: str, size: tuple[int, int]
) -> None:
    hotspot = Hotspot("companion-ab12", "abcd-efgh-ijkm")
    address = "http://10.42.0.1:8377/AbCdEf-123_45678/"
    with speaking(code):
        rows = console_page([address], size, hotspot=hotspot, trouble="it was \x1b[31m not joined " * 9)
    assert len(rows) <= size[1]
    assert max(map(len, rows)) <= size[0]
    middle = rows[3].index("██", 30) if size == LEAST else (size[0] - 3) // 2 + 3
    assert scanned([row[:middle] for row in rows]) == hotspot.code
    assert scanned([row[middle:] for row in rows]) == address
    written = "\n".join(rows)
    assert all(one in written for one in (hotspot.name, hotspot.passphrase, address))
    assert "\x1b" not in written


@pytest.mark.parametrize("size", [LEAST, (160, 45), (240, 67)])
@pytest.mark.parametrize("hotspot", [None, Hotspot("companion-ab12", "abcd-efgh-ijkm")])
def test_a_console_without_half_blocks_has_whole_ones_or_the_address_alone(
    size: tuple[int, int], hotspot: Hotspot | None
) -> None:
    rows = console_page([ADDRESS], size, hotspot=hotspot, halves=False)
    assert len(rows) <= size[1]
    assert max(map(len, rows)) <= size[0]
    written = "\n".join(rows)
    assert set(written) - set(map(chr, range(32, 127))) <= {"\n", "█"}
    assert ADDRESS in written
    if size == LEAST:
        assert "█" not in written
    elif hotspot is None:
        assert scanned(rows) == ADDRESS


@pytest.mark.parametrize(("status", "halves"), [(0, True), (1, False), (None, False)])
def test_a_console_of_linux_gets_a_font_with_half_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int | None, halves: bool
) -> None:
    if status is not None:
        (tmp_path / "setfont").write_text(f'#!/bin/sh\necho "$@" >>{tmp_path}/calls\nexit {status}\n')
        (tmp_path / "setfont").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin" if status is not None else str(tmp_path))
    monkeypatch.setenv("TERM", "linux")
    with (tmp_path / "tty").open("w+") as tty:
        assert load_font(tty) is halves
        monkeypatch.setenv("TERM", "xterm-256color")
        assert load_font(tty) is True
    assert (tmp_path / "calls").exists() is (status is not None)
    if status == 0:
        assert (tmp_path / "calls").read_text() == "Vietnamese-Terminus16\n"


def test_no_address_is_shown_that_no_phone_reaches() -> None:
    assert "http" not in "\n".join(console_page([ADDRESS], unnamed=True))


# The set-up

WIZARD = """
import base64, json, sys
def tell(value): print(json.dumps(value), flush=True)
state = {"chosen": "find", "steps": [], "typed": ""}
tell({"state": {code: state | {"title": code} for code in ("en", "de", "fr", "it")}})
tell({"picture": base64.b64encode(b"a picture").decode()})
for line in sys.stdin:
    act = json.loads(line)
    if act["act"] == "leave": print("x" * 10_000, file=sys.stderr); sys.exit("companion: the camera burns")
    if act["act"] == "skip": print("no JSON", flush=True)
    tell({"state": {code: state | {"typed": act["text"]} for code in ("en", "de", "fr", "it")}})
"""
SETUP = {"table": "virtual", "game": "sleepless-princess", "variant": "5+"}


@pytest.fixture
def wizard(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """A wizard of a few lines in the place of the real one; what it was called with."""
    called: list[tuple[str, ...]] = []

    def command(*words: str) -> list[str]:
        called.append(words)
        return [sys.executable, "-c", WIZARD]

    monkeypatch.setattr(hosted_setup, "companion_command", command)
    return called


async def test_who_holds_the_code_sets_parts_up(tmp_path: Path, wizard: list[tuple[str, ...]]) -> None:
    async with hosting(tmp_path) as (one, game), one.following() as phone:
        assert await one.post("setup", SETUP) == (200, '{"refused":""}')
        await phone.page(lambda now: now["desk"]["setup"] and now["desk"]["setup"]["picture"])
        assert wizard == [
            ("setup", "--lines", "--game", "sleepless-princess", "--variant", "5+", "--table", "virtual")
        ]
        assert (await page(one, query="?language=de"))["desk"]["setup"]["title"] == "de"
        assert (await one.get("picture"))[1] == "a picture"
        assert (await page(one, LOOK))["desk"] == {"holder": False, "phase": "setup", "said": ""}
        assert "set up" in (await one.post("begin", WISH))[1], "one of both has the camera"
        await one.post("step", {"act": "enter", "text": "Nora <b>"})
        await phone.page(lambda now: now["desk"]["setup"]["typed"] == "Nora <b>")
        await one.post("step", {"act": "close"})
        after = await phone.page(lambda now: now["desk"]["phase"] == "idle")
        assert after["desk"]["said"] == ""
        assert (await one.get("picture"))[1] == "", "nobody looks at the table any more"
        await one.post("begin", WISH)
        assert game.on


@pytest.mark.parametrize(("act", "why"), [("leave", "the camera burns"), ("skip", "The set-up has ended")])
@pytest.mark.usefixtures("wizard")
async def test_a_wizard_that_dies_says_why_and_the_form_is_back(tmp_path: Path, act: str, why: str) -> None:
    async with hosting(tmp_path) as (one, _), one.following() as phone:
        await one.post("setup", SETUP)
        await phone.page(lambda now: now["desk"]["setup"] and now["desk"]["setup"]["picture"])
        await one.post("step", {"act": act})
        after = await phone.page(lambda now: now["desk"]["phase"] == "idle")
        assert why in after["desk"]["said"]
        assert after["desk"]["form"]


@pytest.mark.usefixtures("wizard")
async def test_only_known_games_are_set_up(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (one, _):
        for wrong in ({"game": "--help"}, {"variant": "--json"}):
            assert "cannot be played" in (await one.post("setup", SETUP | wrong))[1]
        assert (await one.post("setup", SETUP, LOOK))[0] == 403
        assert (await one.post("step", {"act": "enter"}, LOOK))[0] == 403
