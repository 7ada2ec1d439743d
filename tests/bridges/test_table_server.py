"""The table's page over HTTP: what it sends, to whom, and what it does with those who mean it ill."""

import asyncio
import json
import re
import socket
import tomllib
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import numpy as np
import pytest
import zxingcpp

from companion.bridges.web import bounded_connections, newest_page, server, table_views
from companion.bridges.web.access import kept_token
from companion.bridges.web.page_files import colours_css
from companion.bridges.web.server import run_server
from companion.core.errors import CompanionError
from companion.core.language import accepted, localized, player, speaking, text
from companion.core.optional_packages import NEEDED, install_step
from companion.core.served_address import ServedAddress, code_rows
from companion.session.entries.without_keys import BEFORE_RESTART, LOST
from companion.session.stream.commands import AskHint, Claim, NextParty, Pause, TableIsRight, Undo
from companion.session.stream.events import (
    Advice,
    Claimed,
    Goodbye,
    HintView,
    Names,
    PlaceView,
    Question,
    Refused,
    Said,
    Score,
    StatementView,
    Welcome,
)
from tests.bridges.served import TOKEN, Engine, Follower, served
from tests.dashboard.test_dashboard_text import TABLE, WELCOME

PAGE = Path(server.__file__).parent / "page"
SECRET = "Lay the 7 that only you hold"


async def test_the_page_has_the_table_in_it_and_loads_nothing_from_elsewhere(tmp_path: Path) -> None:
    async with served(tmp_path) as table, table.http.get(f"{table.root}/{TOKEN}/") as reply:
        html = await reply.text()
        policy = reply.headers["Content-Security-Policy"]
        assert reply.headers["Referrer-Policy"] == "no-referrer"
        assert reply.headers["Cache-Control"] == "no-store"
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    found = re.search(r'<script type="application/json" id="state">(.*?)</script>', html)
    assert found is not None
    page = json.loads(found[1])
    assert page["places"][0]["name"] == TABLE.places[0].name
    assert [one["many"] for one in page["hands"]] == ["5 cards", "1 card", "5 cards"]
    assert [one["many"] for one in page["piles"]] == ["31 / 68", "14 cards"]
    for file in (*PAGE.iterdir(),):
        links = re.findall(r"(?:https?:)?//[\w.-]+\.\w+", file.read_text(encoding="utf-8"))
        assert set(links) <= {"http://www.w3.org"}, file.name


async def test_a_browser_that_cannot_run_the_script_says_that_it_is_too_old(tmp_path: Path) -> None:
    async with served(tmp_path) as table:
        german = {"Accept-Language": "de"}
        async with table.http.get(f"{table.root}/{TOKEN}/", headers=german) as reply:
            assert '<p id="old">Dieser Browser ist zu alt' in await reply.text()
        assert '<p id="old">This browser is too old' in (await table.get())[1]
    script = (PAGE / "page.js").read_text(encoding="utf-8")
    drawn, gone = script.rindex("\ndraw();"), script.index('at("old").remove();')
    assert drawn < gone, "a script that fails earlier leaves the line"


async def test_each_phone_reads_the_table_in_its_own_language(tmp_path: Path) -> None:
    async with served(tmp_path) as table:
        french = {"Accept-Language": "fr-CH,fr;q=0.9,en;q=0.8"}
        async with table.http.get(f"{table.root}/{TOKEN}/", headers=french) as reply:
            html = await reply.text()
        assert '<html lang="fr">' in html
        assert "Autres couleurs" in html
        assert json.loads(re.findall(r'id="state">(.*?)</script>', html)[0])["places"], "the table at once"
        said = json.loads((await table.get("state?language=de"))[1])
        assert said["language"] == "de"
        assert (await table.get())[1].count('<html lang="en">') == 1
        async with (
            table.following() as english,
            table.http.get(f"{table.root}/{TOKEN}/events?language=it") as reply,
        ):
            italian = Follower(reply)
            table.engine.stream.send(Said(9.0, text("{who} takes the cards back.", who="Kate")))
            told = [
                await one.page(lambda page: "Kate" in json.dumps(page["log"])) for one in (english, italian)
            ]
        assert told[0]["language"] == "en"
        assert told[1]["language"] == "it"
        assert told[0]["log"][0]["text"] != told[1]["log"][0]["text"]


async def test_an_own_view_speaks_the_language_of_its_player(tmp_path: Path) -> None:
    async with served(tmp_path) as table:
        _, told = await table.post("seat?language=fr", {"player": 1})
        token = json.loads(told)["path"].strip("/")
        async with table.following(token) as mine:
            page = await mine.page(lambda page: page["live"])
            assert page["language"] == "fr"
            assert page["mine"]["corner"] is False  # nobody is offered to lay their hand there
            await table.get("?language=de", token)
            assert (await mine.page(lambda page: page["language"] == "de"))["mine"]
        assert "Zug" in (await table.post("hint?language=de", {}, token))[1]


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("", ""),
        ("fr-CH, fr;q=0.9, en;q=0.8", "fr"),
        ("sv, it;q=0.4, de;q=0.7", "de"),
        ("sv;q=0.9, *;q=0.1", ""),
        ("de;q=nonsense, it;q=0", ""),
        ("en-US,en;q=0.9", "en"),
    ],
)
def test_a_browser_says_which_language_it_wishes(header: str, code: str) -> None:
    assert accepted(header) == code


async def test_a_name_that_looks_like_html_stays_text(tmp_path: Path) -> None:
    async with served(tmp_path) as table:
        evil = msgspec.structs.replace(TABLE, places=(PlaceView("</script><script>alert(1)", "awake"),))
        table.engine.greeting = (WELCOME, evil)
        table.engine.stream.send(evil)
        async with table.following() as follower:
            await follower.page(lambda page: "alert" in page["places"][0]["name"])
        _, html = await table.get()
    assert "<script>alert" not in html


@pytest.mark.parametrize("path", ["", "state", "events", "page.js", "colours.css"])
async def test_without_the_token_nothing_is_there(tmp_path: Path, path: str) -> None:
    async with served(tmp_path) as table:
        for token in ("wrong", TOKEN[:-1], TOKEN + "x", "é", "%ff"):
            status, text = await table.get(path, token)
            assert status in (400, 404)
            assert TOKEN not in text
        async with table.http.get(f"{table.root}/{path}") as reply:
            assert reply.status == 404


async def test_an_old_address_says_in_the_language_of_its_reader_what_to_do(tmp_path: Path) -> None:
    async with served(tmp_path) as table:
        for path in ("", "old", "old/", "old/page.js", "a/b/c"):
            wish = {"Accept-Language": "de"}
            async with table.http.get(f"{table.root}/{path}", headers=wish) as reply:
                assert (reply.status, reply.content_type) == (404, "text/html")
                text = await reply.text()
            assert "Scanne den Code" in text
            assert TOKEN not in text


async def test_an_address_without_its_last_slash_leads_to_the_page(tmp_path: Path) -> None:
    async with served(tmp_path) as table:
        async with table.http.get(f"{table.root}/{TOKEN}?language=de") as reply:
            assert (reply.status, str(reply.url)) == (200, f"{table.root}/{TOKEN}/?language=de")
            assert '<html lang="de">' in await reply.text()
        assert (await table.get("index.html"))[0] == 404, "the template is no page"


async def test_no_path_reaches_the_disk(tmp_path: Path) -> None:
    async with served(tmp_path) as table:
        for path in (
            "..%2f..%2fetc%2fpasswd",
            "%2e%2e/%2e%2e/etc/passwd",
            "view.py",
            "..\\view.py",
            "page.js%00",
        ):
            status, text = await table.get(path)
            assert status in (400, 404)
            assert "root:" not in text


async def test_a_stream_goes_on_over_an_engine_that_is_killed(tmp_path: Path) -> None:
    async with served(tmp_path) as table, table.following() as follower:
        first = await follower.page()
        assert first["live"]
        assert first["call"]["big"]
        table.engine.kill()
        gone = await follower.page(lambda page: not page["live"])
        assert gone["places"] == first["places"]
        assert gone["notes"][0]["look"] == "bad"
        table.engine.start()
        assert await follower.page(lambda page: page["live"])


async def test_after_the_end_of_a_recording_nobody_is_told_to_play_on(tmp_path: Path) -> None:
    async with served(tmp_path) as table, table.following() as follower:
        assert (await follower.page(lambda page: page["live"]))["may"]
        table.engine.stream.send(Goodbye("The recording has come to its end.", ended=True))
        page = await follower.page(lambda page: page["ended"])
        table.engine.kill()
        for _ in range(2):
            assert page["call"]["above"] == "The recording has come to its end."
            assert not page["live"]
            assert page["notes"] == page["may"] == []
            page = json.loads((await table.get("state"))[1])
        table.engine.start()
        assert not (await follower.page(lambda page: page["live"]))["ended"]


async def test_a_verdict_comes_after_a_breath_stays_with_new_names_and_goes_with_a_new_game(
    tmp_path: Path,
) -> None:
    async with served(tmp_path, breath_s=0.4) as table, table.following() as follower:
        said = Claimed(1.0, 1, "Watermelons, bed 1", "proved", "She sleeps!", "asleep", ("Two of each.",))
        table.engine.stream.send(said)
        breath = await follower.page(lambda page: page["verdict"])
        assert not breath["verdict"]["told"]
        assert "She sleeps" not in json.dumps(breath)
        told = await follower.page(lambda page: page["verdict"]["told"])
        assert told["verdict"]["word"] == "She sleeps!"
        table.engine.stream.send(Names(("Anna",)))
        named = await follower.page(lambda page: page["players"][0]["name"] == "Anna")
        assert named["verdict"]["word"] == "She sleeps!"
        table.engine.stream.send(WELCOME)
        assert (await follower.page(lambda page: not page["verdict"]))["live"] is False


async def test_an_error_in_a_view_ends_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that looked alive and never changed again would be worse."""
    engine = Engine(tmp_path / "engine.sock")
    feeding = asyncio.ensure_future(engine.run())
    one = server.PageServer(engine.path, TOKEN)

    def fail(_event: object) -> None:
        raise ZeroDivisionError("not divided")

    monkeypatch.setattr(one.views.public.model, "take", fail)
    serving = run_server(one, "127.0.0.1", (0,), on_ready=lambda _port: None, alive=lambda: True)
    with pytest.raises(CompanionError, match="fault of this program: ZeroDivisionError"):
        await asyncio.wait_for(serving, 20)
    feeding.cancel()
    engine.stream.close()


async def test_questions_score_and_faults_are_on_the_page(tmp_path: Path) -> None:
    async with served(tmp_path) as table, table.following() as follower:
        table.engine.stream.send(Question("Did player 1 look?", ("yes", "no"), "q1"))
        asked = await follower.page(lambda page: page["question"])
        assert [one["option"] for one in asked["question"]["answers"]] == ["yes", "no"]
        table.engine.stream.send(Question(LOST, ("table_is_right",), "lost"))
        asked = await follower.page(lambda page: page["question"]["id"] == "lost")
        assert "Press" not in asked["question"]["text"], "a phone has no keys"
        assert "Tap the answer" in asked["question"]["tap"]
        assert "said" not in asked["question"]
        table.engine.stream.send(Said(1.0, "That cannot be: too many cards.", "fault"))
        asked = await follower.page(lambda page: page["question"].get("said"))
        assert asked["question"]["said"] == "That cannot be: too many cards.", (
            "beside the answers, not in the log"
        )
        melons = text("{name}, {place}", name="Melons", place="bed 1")
        won = text("{claim}?", claim=text("{who} has won", who=player(1)))
        table.engine.stream.send(Names(("Anna", "Kate", "Ben")))
        table.engine.stream.send(msgspec.structs.replace(TABLE, open_claims=(melons, won)))
        noted = (await follower.page(lambda page: len(page["notes"]) > 1))["notes"]
        assert [one["text"] for one in noted][-2:] == [
            "Claim waits for cards: Melons, bed 1",
            "Claim waits for cards: Anna has won?",
        ]
        table.engine.stream.send(msgspec.structs.replace(TABLE, over=True))
        table.engine.stream.send(Score(3, 5, "3 OF 5", "asleep", "3 of 5", "Well done.", TABLE.places, 12))
        assert (await follower.page(lambda page: page["score"]))["score"]["text"] == "Well done."


async def test_a_players_own_hint_reaches_that_view_alone(tmp_path: Path) -> None:
    async with served(tmp_path) as table, table.following() as everybody:
        status, text = await table.post("seat", {"player": TABLE.player})
        assert status == 200
        token = json.loads(text)["path"].strip("/")
        assert token != TOKEN
        taken = await everybody.page(lambda page: any(one["taken"] for one in page["players"]))
        assert token not in json.dumps(taken)
        assert (await table.post("seat", {"player": TABLE.player}))[0] == 409
        async with table.following(token) as mine:
            await mine.page(lambda page: page["live"] and page["mine"]["on_turn"])
            assert json.loads((await table.post("hint", {"hand": "3 3 4 7"}, token))[1]) == {"refused": ""}
            asker, question = await table.engine.asked()
            assert question == AskHint("nudge", "3 3 4 7")
            other = TABLE.player % 3 + 1
            table.engine.stream.send(Advice("nudge", other, (HintView("not for you"),), 0, True), [asker])
            table.engine.stream.send(Advice("nudge", TABLE.player, (HintView(SECRET),), 0, True), [asker])
            page = await mine.page(lambda page: page["advice"])
            assert page["advice"]["hints"][0]["text"] == SECRET
            table.engine.stream.send(Said(9.0, "Something else happens."))
            await everybody.page(lambda page: "Something else" in json.dumps(page["log"]))
            assert SECRET.encode() not in everybody.raw
            assert b"not for you" not in mine.raw
            assert SECRET not in (await table.get())[1] + (await table.get("state"))[1]
            status, text = await table.post("leave", {}, token)
            assert (status, json.loads(text)["path"]) == (200, f"/{TOKEN}/")
        assert (await table.get("state", token))[0] == 404
        assert (await table.post("seat", {"player": TABLE.player}))[0] == 200


async def test_whoever_left_an_own_view_by_the_back_button_gets_it_again(tmp_path: Path) -> None:
    async with served(tmp_path) as table:
        path = json.loads((await table.post("seat", {"player": 1}))[1])["path"]
        token = path.strip("/")
        assert json.loads((await table.post("seat", {"player": 1, "token": token}))[1]) == {"path": path}
        for wish in (
            {"player": 1, "token": ""},
            {"player": 1, "token": "x" * 16},
            {"player": 1, "token": TOKEN},
        ):
            assert (await table.post("seat", wish))[0] == 409
        other = json.loads((await table.post("seat", {"player": 2, "token": token}))[1])["path"]
        assert other != path, "a token is good for its own view alone"


async def test_a_view_that_was_given_back_is_told_so_wherever_else_it_is_open(tmp_path: Path) -> None:
    async with served(tmp_path) as table:
        token = json.loads((await table.post("seat", {"player": 1}))[1])["path"].strip("/")
        async with table.following(token) as elsewhere:
            await elsewhere.page()
            assert (await table.post("leave", {}, token))[0] == 200
            with pytest.raises(EOFError):
                await elsewhere.page(lambda _page: False)
        assert table.server.streams == 0


async def test_a_slow_request_of_a_view_that_was_given_back_does_nothing_to_the_next_one(
    tmp_path: Path,
) -> None:
    async def slowly() -> AsyncIterator[bytes]:
        yield b"{"
        assert (await table.post("leave", {}, first))[0] == 200
        assert (await table.post("seat", {"player": 1}))[0] == 200
        yield b"}"

    async with served(tmp_path) as table:
        first = json.loads((await table.post("seat", {"player": 1}))[1])["path"].strip("/")
        address, kind = f"{table.root}/{first}/leave", {"Content-Type": "application/json"}
        async with table.http.post(address, data=slowly(), headers=kind) as reply:
            assert reply.status == 404
        assert table.server.views.seats.taken == (1,)


async def test_an_own_view_that_was_left_may_be_taken_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with served(tmp_path) as table:
        first = json.loads((await table.post("seat", {"player": 1}))[1])["path"].strip("/")
        monkeypatch.setattr(table_views, "ABANDONED_S", 0.0)
        async with table.following(first) as mine:
            await mine.page()
            assert (await table.post("seat", {"player": 1}))[0] == 409
        async with asyncio.timeout(5):
            while (await table.post("seat", {"player": 1}))[0] == 409:
                await asyncio.sleep(0.01)
        assert (await table.get("state", first))[0] == 404


async def test_no_hint_is_asked_for_on_somebody_elses_turn(tmp_path: Path) -> None:
    async with served(tmp_path) as table:
        other = TABLE.player % 3 + 1
        token = json.loads((await table.post("seat", {"player": other}))[1])["path"].strip("/")
        async with table.following(token) as mine:
            await mine.page(lambda page: page["live"])
            assert json.loads((await table.post("hint", {"hand": "camera"}, token))[1])["refused"]
            # A refusal may name the cards of whoever asked: it is for this view only after its own question.
            table.engine.stream.send(Refused("I read 3 3 4 in the private corner"))
            table.engine.stream.send(Said(9.0, "Something else happens."))
            await mine.page(lambda page: "Something else" in json.dumps(page["log"]))
            assert b"private corner" not in mine.raw
    assert not table.engine.commands


async def test_pages_look_on_unless_they_may_control(tmp_path: Path) -> None:
    claim = {"c": "claim", "subject": 1}
    async with served(tmp_path) as table:
        assert (await table.post("command", claim))[0] == 403
        assert (await table.post("hint", {}))[0] == 403
    (tmp_path / "other").mkdir()
    async with served(tmp_path / "other", control=True) as table:
        assert (await table.post("command", claim))[0] == 200
        assert (await table.engine.asked())[1] == Claim(1)
        for refused in ({"c": "quit"}, {"c": "end_game"}, {"c": "hint"}, [], b"{", b"\xff", b"[" * 4000):
            assert (await table.post("command", refused))[0] == 400
        assert (await table.post("command", claim, Origin="http://elsewhere.example"))[0] == 403
        assert (await table.post("command", claim, **{"Content-Type": "text/plain"}))[0] == 403
        assert (await table.post("command", b" " * 5000))[0] == 413
        assert len(table.engine.commands) == 1


async def test_only_the_phone_whose_command_was_refused_is_told_why_in_its_language(tmp_path: Path) -> None:
    async with served(tmp_path, control=True) as table:
        nothing = text("There is nothing to take back.")
        table.engine.refusals[Undo()] = nothing
        undo, pause = {"c": "undo"}, {"c": "pause", "paused": True}
        asked = [table.post("command", undo), table.post("command", pause), table.post("command", undo)]
        told = [json.loads(body)["refused"] for _, body in await asyncio.gather(*asked)]
        assert sorted(told) == ["", nothing, nothing]
        assert told[1] == "", "the one that paused"
        german = json.loads((await table.post("command?language=de", undo))[1])["refused"]
        with speaking("de"):
            assert german == localized(nothing) != nothing
        table.engine.refusals[Pause(False)] = BEFORE_RESTART
        refused = json.loads((await table.post("command", {"c": "pause", "paused": False}))[1])["refused"]
        assert "at its own screen" in refused
        assert "press t" not in refused, "a phone has no keys"
        own = json.loads((await table.post("seat", {"player": 1}))[1])["path"].strip("/")
        assert json.loads((await table.post("command", undo, own))[1])["refused"] == nothing
        assert "nothing to take back" not in (await table.get("state"))[1]


async def test_no_answer_of_an_engine_that_ended_is_waited_for(tmp_path: Path) -> None:
    async with served(tmp_path, control=True) as table:
        table.engine.refusals[Undo()] = ""
        table.engine.stream.send = lambda *_: None
        asking = asyncio.ensure_future(table.post("command", {"c": "undo"}))
        await table.engine.asked()
        table.engine.kill()
        assert json.loads((await asyncio.wait_for(asking, 10))[1]) == {"refused": ""}


async def test_a_verdict_is_taken_back_only_after_a_question(tmp_path: Path) -> None:
    async with served(tmp_path, control=True) as table, table.following() as follower:
        page = await follower.page(lambda page: page["live"])
        assert page["undo"] == {"send": {"c": "undo"}, "asks": "", "answers": []}
        verdict = StatementView("12", text("{who} has won.", who=player(2)))
        table.engine.stream.send(msgspec.structs.replace(TABLE, verdict=verdict))
        table.engine.stream.send(Names(("Anna", "Kate", "Ben")))
        page = await follower.page(lambda page: "Kate" in page["undo"]["asks"])
        assert page["undo"]["asks"] == "Take this back? Kate has won."
        yes, no = page["undo"]["answers"]
        assert no["send"] is None
        await table.post("command", yes["send"])
        assert (await table.engine.asked())[1] == Undo("12")


async def test_after_the_score_a_page_may_begin_a_new_game(tmp_path: Path) -> None:
    score = Score(3, 5, "3 OF 5", "asleep", "3 of 5", "Well done.", TABLE.places, 12)
    async with served(tmp_path, control=True) as table, table.following() as follower:
        assert (await follower.page(lambda page: page["live"]))["new_game"] is None
        over = msgspec.structs.replace(TABLE, over=True)
        table.engine.greeting = (WELCOME, over, score)
        for event in (over, score, Names(("Anna", "Kate", "Ben"))):
            table.engine.stream.send(event)
        asked = (await follower.page(lambda page: page["new_game"]))["new_game"]
        assert asked["asks"] == "The game is over. Does a new one lie there?"
        *yes, no = asked["answers"]
        assert [one["says"] for one in yes] == [
            *(f"yes, and {who} begins a turn" for who in ("Anna", "Kate", "Ben")),
            "yes, it is being laid out",
        ]
        assert no == {"says": "no: it is still the same game", "send": None}
        for number, one in enumerate(yes, 1):
            await table.post("command", one["send"])
            begun = TableIsRight(number % 4, new_game=True)
            assert (await table.engine.asked(number))[1] == begun
        # A page that is loaded again shows the same; the new game takes the question away.
        assert json.loads((await table.get("state"))[1])["new_game"]
        table.engine.stream.send(TABLE)
        assert (await follower.page(lambda page: not page["score"]))["new_game"] is None


async def test_the_next_party_ends_a_game_that_is_on_only_after_a_question(tmp_path: Path) -> None:
    over = msgspec.structs.replace(TABLE, over=True)
    (looking := tmp_path / "looking").mkdir()
    async with served(tmp_path, control=True) as table, table.following() as follower:
        asked = (await follower.page(lambda page: page["live"]))["party"]
        assert asked["asks"] == "A game is on. End it for the next party?"
        assert [one["send"] for one in asked["answers"]] == [asked["send"], None]
        await table.post("command", asked["send"])
        assert (await table.engine.asked())[1] == NextParty(ends=True)
        table.engine.stream.send(over)
        assert (await follower.page(lambda page: page["party"]["asks"] == ""))["party"]["answers"] == []
    async with served(looking) as table:
        assert (await table.post("command", asked["send"]))[0] == 403, "whoever looks on ends nothing"


async def test_a_claim_is_sent_only_after_a_yes(tmp_path: Path) -> None:
    claimable = msgspec.structs.replace(TABLE.places[0], claim="Princess 8 sleeps")
    settled = msgspec.structs.replace(claimable, claim="")
    async with served(tmp_path, control=True) as table, table.following() as follower:
        table.engine.stream.send(msgspec.structs.replace(TABLE, places=(claimable, settled)))
        page = await follower.page(lambda page: len(page["places"]) == 2)
    assert [one["sure"] for one in page["places"]] == ["Princess 8 sleeps?", ""]
    script = (PAGE / "page.js").read_text(encoding="utf-8")
    functions = re.split(r"^(?:async )?function (\w+)", script, flags=re.MULTILINE)
    claiming = [name for name, body in zip(functions[1::2], functions[2::2], strict=True) if '"claim"' in body]
    assert claiming == ["askSure"]
    (line,) = (line for line in script.splitlines() if 'c: "claim"' in line)
    assert line.strip().startswith("const answers = [{ says: words.yes")


async def test_who_stops_reading_is_cut_off_and_delays_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(newest_page, "LEAST_S", 0.0)
    async with served(tmp_path, write_s=0.3) as table, table.following() as follower:
        port = int(table.root.rpartition(":")[2])
        with socket.socket() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.connect(("127.0.0.1", port))
            deaf.sendall(f"GET /{TOKEN}/events HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            while table.server.streams < 2:
                await asyncio.sleep(0.01)
            number = 0
            async with asyncio.timeout(20):
                while table.server.streams > 1:
                    number += 1
                    table.engine.stream.send(Said(float(number), f"{number} " + "x" * 100_000))
                    start = f"{number} "
                    await follower.page(
                        lambda page, start=start: page["log"] and page["log"][0]["text"].startswith(start)
                    )
        assert table.server.streams == 1


async def test_a_browser_that_leaves_makes_room_at_once(tmp_path: Path) -> None:
    async with served(tmp_path) as table:
        for _ in range(server.STREAMS + 5):
            async with table.following() as follower:
                await follower.page()
            async with asyncio.timeout(5):
                while table.server.streams:
                    await asyncio.sleep(0.001)


async def test_silent_connections_are_closed_and_there_are_only_so_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounded_connections, "MOST_EACH", 6)
    monkeypatch.setattr(bounded_connections, "SILENT_S", 0.2)
    async with served(tmp_path) as table:
        bounds = table.server._bounds
        assert bounds is not None
        port = int(table.root.rpartition(":")[2])
        begun = [await asyncio.open_connection("127.0.0.1", port) for _ in range(4)]
        for _, writer in begun[1:]:
            writer.write(b"GET /x/ HTTP/1.1\r\nX-Slow: ")
        for reader, writer in begun:
            async with asyncio.timeout(5):
                assert await _rest(reader) == b""
            writer.close()
        many = [await asyncio.open_connection("127.0.0.1", port) for _ in range(12)]
        await asyncio.sleep(0.02)
        assert bounds.open <= 6
        for _, writer in many:
            writer.close()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET / HTTP/1.1\r\nX: " + b"y" * 20_000 + b"\r\n\r\n")
        assert (await _rest(reader))[:20] in (b"HTTP/1.1 400 Bad Req", b"HTTP/1.0 400 Bad Req", b"")
        writer.close()
        assert (await table.get())[0] == 200


async def _rest(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read()
    except ConnectionError:
        return b""


async def test_an_engine_of_another_version_is_said_and_not_shown(tmp_path: Path) -> None:
    async with served(tmp_path) as table, table.following() as follower:
        table.engine.stream.send(Welcome(99, "9", "other", "x", 3))
        page = await follower.page(lambda page: not page["live"])
        assert page["places"] == []
        assert page["notes"]


def test_every_colour_that_the_page_names_exists() -> None:
    given = colours_css()
    for name in ("page.css", "page.js"):
        used = set(re.findall(r"var\(--([a-z0-9-]+)[,)]", (PAGE / name).read_text(encoding="utf-8")))
        missing = {one for one in used - {"gap", "places"} if f"--{one}:" not in given}
        assert not missing


def test_the_address_stays_the_same_until_a_new_one_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "state" / "serve.token"
    token = kept_token(path)
    assert kept_token(path) == token
    assert path.stat().st_mode & 0o077 == 0
    assert kept_token(path, renew=True) != token
    path.write_bytes(b"\xff short")
    assert len(kept_token(path)) >= 16


def test_the_address_lies_beside_the_engines_socket(tmp_path: Path) -> None:
    address = ServedAddress(tmp_path / "run" / "engine.sock")
    assert address.read() == ""
    address.write("http://192.0.2.1:8377/token/")
    address.write("http://192.0.2.1:8377/other/")
    assert address.read() == "http://192.0.2.1:8377/other/"
    rows = code_rows(address.read())
    assert len({len(row) for row in rows}) == 1
    assert len(rows) <= 20
    # As a terminal writes it, white on black: a phone's camera has to read it.
    pixels = [[cell in upper for cell in row] for row in rows for upper in ("█▀", "█▄")]
    picture = np.kron(np.array(pixels, np.uint8) * 255, np.ones((4, 4), np.uint8))
    assert [code.text for code in zxingcpp.read_barcodes(picture)] == [address.read()]
    ServedAddress(tmp_path / "run" / "engine.sock").remove()  # a second server, which could not begin
    assert address.read()
    address.remove()
    assert address.read() == ""


@pytest.mark.parametrize("host", ["a/name that no machine has", "203.0.113.77"])
async def test_an_address_of_no_machine_or_another_is_told(tmp_path: Path, host: str) -> None:
    """203.0.113.0/24 belongs to documentation alone (RFC 5737). Another port would not help."""
    with pytest.raises(CompanionError, match=r"cannot serve there .*; check --bind$"):
        async with server.PageServer(tmp_path / "engine.sock", TOKEN).serving(host, (0, 0)):
            pass


def test_what_a_missing_package_needs_is_what_the_extras_name() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    extras = project["optional-dependencies"]
    assert sorted(NEEDED.values()) == sorted(
        extras["serve"] + extras["mqtt"] + extras["history"] + extras["tables"]
    )
    assert "companion[" not in install_step("aiohttp")
