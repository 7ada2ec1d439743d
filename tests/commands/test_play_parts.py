"""What `companion play` sees to itself: a journal of its own, and a page that is not served."""

import os
import queue
import signal
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import IO, ClassVar

import cv2
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.profile import RigProfile
from calibration.rig_store import RigStore
from companion.cli import cli
from companion.commands import played_rig, run
from companion.commands.chosen_start import keep_choices
from companion.commands.first_evening import what_was_shown
from companion.commands.sitting import Sitting, new_journal, unserved
from companion.commands.what_is_played import Played, what_is_played
from companion.core.address_card import AddressCard
from companion.core.config import Config, journals_of
from companion.core.errors import BadInputError, CompanionError
from companion.core.language import speaking
from companion.core.option_types import players_named
from companion.core.supervised_process import BAD_INPUT, Part
from companion.dashboard.start_form import GameOffer, StartForm
from companion.session.engine import Engine
from companion.session.journal.journal import Journal
from companion.session.journal.journal_lines import VERSION, Opened


def test_two_games_of_one_second_have_two_journals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(["2026-01-02-190000"] * 3 + ["2026-01-02-190001"])
    monkeypatch.setattr(time, "strftime", lambda _format: next(seconds))
    monkeypatch.setattr("companion.commands.sitting.WAIT_S", 0.0)
    folder = tmp_path / "journals"
    with new_journal(folder) as one, new_journal(folder) as other:
        assert (one.name, other.name) == ("2026-01-02-190000.jsonl", "2026-01-02-190001.jsonl")
        one.write_text("a line")
    assert [path.name for path in folder.iterdir()] == ["2026-01-02-190000.jsonl"]


def test_as_many_play_as_are_named_unless_fewer_are_wanted() -> None:
    assert players_named(None, ("Anna", "Ben"), 3) == 2
    assert players_named(4, ("Anna", "Ben"), 3) == 4
    assert players_named(None, None, 3) == 3
    with pytest.raises(BadInputError, match="--names: 3 names for 2 players; --players 3"):
        players_named(2, ("Anna", "Ben", "Cleo"), 3)


def test_a_damaged_rig_keeps_nobody_from_a_virtual_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("calibration.rig_store.rigs_dir", lambda: tmp_path)
    (tmp_path / "den.toml").write_text("camera = [", encoding="utf-8")
    settings = Config()
    assert played_rig.with_rig(settings, None, None, needed=False) is settings
    assert "set up anew" in capsys.readouterr().err
    with pytest.raises(BadInputError, match="set up anew"):
        played_rig.with_rig(settings, None, None, needed=True)


def test_a_game_that_goes_on_keeps_its_names_and_takes_no_pictures_of_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calibration.rig_store.rigs_dir", lambda: tmp_path)
    rig = RigProfile(game=Config().game, variant="basic", art=b"no pictures of this game", home=b"nor a home")
    RigStore().save("other", rig, datetime(2026, 5, 1, tzinfo=UTC))
    path = tmp_path / "game.jsonl"
    journal = Journal(path)
    assert rig.game != "sleeping-queens"
    journal.write([Opened(VERSION, "sleeping-queens", "basic", 3, people=("Anna", "Ben", "Cleo"))])
    journal.close()
    made: list[Engine] = []
    monkeypatch.setattr(Engine, "run", lambda self, _alive: made.append(self) or "")
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        (pictures := tmp_path / "pictures").mkdir()
        cv2.imwrite(str(pictures / "1.png"), np.zeros((48, 64, 3), np.uint8))
        wanted = [
            "--camera",
            str(pictures),
            "--socket",
            str(tmp_path / "e"),
            "--journal",
            str(path),
            "--resume",
            "--players",
            "5",
        ]
        done = CliRunner().invoke(cli, ["run", *wanted], catch_exceptions=False)
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    assert done.exit_code == 0
    (engine,) = made
    assert engine.session.player_names == ("Anna", "Ben", "Cleo")
    assert (engine.session.game.name, engine.session.players) == ("sleeping-queens", 3)
    engine.close()


def test_a_recorded_game_counts_before_a_virtual_table_and_that_before_options() -> None:
    options = Played("sleeping-queens", "basic", 5, None)
    opened = Opened(VERSION, "sleepless-princess", "5+", 2, people=("Anna", "Ben"))
    card = AddressCard("", "", "", {}, "basic", 3, "sleeping-queens-2")
    assert what_is_played(options, None, None) == options
    assert what_is_played(options, None, card) == ("sleeping-queens-2", "basic", 3, None)
    assert what_is_played(options, opened, card) == ("sleepless-princess", "5+", 2, ("Anna", "Ben"))
    named = options._replace(names=("Cleo", "Dan"))
    assert what_is_played(named, opened, card).names == ("Cleo", "Dan")
    entered = ("Eva", "Ben")
    assert what_is_played(options, opened, card, entered).names == entered
    assert what_is_played(named, opened, card, entered).names == ("Cleo", "Dan")
    assert what_is_played(options._replace(names=("Anna", "Ben")), opened, card, entered).names == entered


def test_an_engine_at_a_virtual_table_gets_the_cards_and_the_place_that_were_shown(tmp_path: Path) -> None:
    profile = RigProfile(game=Config().game, variant="basic", art=b"cards")
    assert what_was_shown(profile, tmp_path) == ["--art", str(tmp_path / "shown.art")]
    placed = msgspec.structs.replace(profile, home=b"place")
    assert what_was_shown(placed, tmp_path)[2:] == ["--home", str(tmp_path / "shown.home")]
    assert (tmp_path / "shown.home").read_bytes() == b"place"


def test_where_nothing_was_recorded_there_is_nothing_to_go_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    refused = CliRunner().invoke(cli, ["play", "--table", "real", "--camera", "0", "--resume"]).exception
    assert isinstance(refused, BadInputError)
    assert "no journal to go on with" in str(refused)
    assert not list(tmp_path.rglob("*.jsonl"))


@pytest.mark.parametrize(
    ("words", "virtual"),
    [
        (["run", "--camera", "0"], False),
        (["run"], False),
        (["run", "--table", "card.json"], True),
        (["play", "--camera", "0"], False),
        (["play", "--port", "auto"], False),
        (["play", "--table", "real"], False),
        (["play", "--players", "2"], True),
        (["play", "--camera", "0", "--table", "virtual"], True),
        (["play", "--rig", "den"], False),
        (["play", "--config", "camera.toml"], False),
    ],
)
def test_a_game_to_go_on_with_is_of_the_kind_of_table_that_plays(
    words: list[str], virtual: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("calibration.rig_store.rigs_dir", lambda: tmp_path / "rigs")
    if "den" in words:
        rig = RigProfile(game=Config().game, variant="basic", camera="2")
        RigStore().save("den", rig, datetime(2026, 5, 1, tzinfo=UTC))
    (tmp_path / "camera.toml").write_text('camera = "1"\n')
    asked: list[bool] = []

    def asks(_journal: Path | None, *, virtual: bool) -> Path:
        asked.append(virtual)
        raise BadInputError("asked")

    monkeypatch.setattr("companion.commands.played_game.journal_to_go_on_with", asks)
    monkeypatch.setattr(run, "last_or_anew", partial(asks, None))
    assert str(CliRunner().invoke(cli, [*words, "--resume"]).exception) == "asked"
    assert asked == [virtual]


def test_a_game_at_a_virtual_table_is_not_gone_on_with(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "game.jsonl", sync=False)
    journal.write([Opened(VERSION, "sleeping-queens", "basic", 2, virtual=True)])
    journal.close()
    wanted = ["play", "--table", "virtual", "--resume", "--journal", str(tmp_path / "game.jsonl")]
    refused = CliRunner().invoke(cli, wanted).exception
    assert isinstance(refused, BadInputError)
    assert "can be watched again" in str(refused)


def test_where_nothing_can_be_written_the_engine_has_to_say_so(tmp_path: Path) -> None:
    (tmp_path / "journals").write_text("no folder")
    with new_journal(tmp_path / "journals") as path:
        assert path.parent == tmp_path / "journals"


def test_where_nothing_can_be_written_a_game_is_played_and_not_kept(tmp_path: Path) -> None:
    (tmp_path / "journals").write_text("no folder")
    with new_journal(tmp_path / "journals", tmp_path / "spare") as path:
        assert path.parent == tmp_path / "spare"
        path.write_text("a line")


def test_a_page_that_is_not_served_is_told(tmp_path: Path) -> None:
    with Part(["serve", "--socket", str(tmp_path)], tmp_path / "log") as page:
        said: list[str] = []
        page.tell_when_failed(lambda: said.extend(unserved(page)))
        end = time.monotonic() + 60
        while not said and time.monotonic() < end:
            time.sleep(0.02)
    assert said[0].startswith("No page for phones: ")
    assert "no socket of an engine" in said[0]
    assert unserved(None) == []


def test_a_rig_of_a_virtual_table_is_played_there_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calibration.rig_store.rigs_dir", lambda: tmp_path)
    now = datetime(2026, 5, 1, tzinfo=UTC)
    RigStore().save("made", RigProfile(game="sleeping-queens", variant="basic", virtual_seed=5), now)
    RigStore().save("real", RigProfile(game="sleeping-queens", variant="basic"), now)
    assert played_rig.set_up_virtually("made", "auto", None, None) == (
        ["--rig", "made"],
        "sleeping-queens",
        "basic",
    )
    assert played_rig.set_up_virtually("real", "auto", None, None) == ([], None, None)
    with pytest.raises(BadInputError, match="not set up on a virtual table"):
        played_rig.set_up_virtually("real", "virtual", None, None)
    with pytest.raises(BadInputError, match="for sleepless-princess"):
        played_rig.set_up_virtually("made", "virtual", "sleepless-princess", None)
    bare = RigProfile(game="sleeping-queens", variant="basic", virtual_seed=5, art=b"kinds", home=b"place")
    RigStore().save("bare", bare, now)
    with pytest.raises(BadInputError) as refused:
        played_rig.set_up_virtually("bare", "virtual", "sleepless-princess", "5+")
    assert str(refused.value).endswith(
        "setup --table virtual --auto --rig bare --game sleepless-princess --variant 5+ --mat none --cards art"
    )


class Dying(int):
    """An exit status; whoever compares it lets the program end at that moment."""

    at: Callable[[], object]

    def __ne__(self, other: object) -> bool:
        self.at()
        return super().__ne__(other)

    __hash__ = int.__hash__


class Child:
    """A child process; the first one has died."""

    started: ClassVar[list["Child"]] = []

    def __init__(self, _arguments: object, *, stdout: IO[bytes], **_kept: object) -> None:
        assert not stdout.closed, "started after the end"
        self.ended = threading.Event()
        self.started.append(self)

    def wait(self, timeout: float | None = None) -> int:
        if self is self.started[0]:
            return Dying(1)
        self.ended.wait(timeout)
        return -15

    def terminate(self) -> None:
        self.ended.set()


@pytest.mark.parametrize(("status", "told"), [(-9, "wurde abgebrochen (Signal 9)"), (1, "endete mit Status 1")])
def test_how_a_part_ended_is_told_in_the_readers_language(
    status: int, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = SimpleNamespace(poll=lambda: status, returncode=status)
    monkeypatch.setattr("companion.core.supervised_process.subprocess.Popen", lambda *_a, **_b: ended)
    part = Part(["run"], tmp_path / "log")
    with speaking("de"):
        assert told in part.complaint()


def test_a_part_that_dies_while_the_program_ends_leaves_no_child(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.core.supervised_process.subprocess.Popen", Child)
    monkeypatch.setattr(Child, "started", [])
    part = Part(["engine"], tmp_path / "log", lambda: ["engine", "--resume"])
    ending = threading.Thread(target=part.__exit__)

    def end() -> None:
        ending.start()
        ending.join(0.2)  # it waits until the child that was begun can be ended

    monkeypatch.setattr(Dying, "at", lambda _status: end(), raising=False)
    errors: list[object] = []
    monkeypatch.setattr(threading, "excepthook", errors.append)
    part.tell_when_failed(lambda: None)
    while not ending.ident or ending.is_alive():
        time.sleep(0.01)
    assert not errors
    assert len(Child.started) == 2
    assert Child.started[-1].ended.is_set()


@pytest.mark.parametrize(("status", "told"), [(0, "well"), (BAD_INPUT, "failed")])
def test_a_part_that_ends_for_good_is_told_of_whether_well_or_not(
    status: int, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = SimpleNamespace(wait=lambda: status)
    monkeypatch.setattr("companion.core.supervised_process.subprocess.Popen", lambda *_a, **_b: ended)
    said: queue.Queue[str] = queue.Queue()
    part = Part(["run"], tmp_path / "log", lambda: ["run", "--resume"])
    part.tell_when_failed(lambda: said.put("failed"), well=lambda: said.put("well"))
    assert said.get(timeout=60) == told


class Killed:
    """A child process that is killed as soon as somebody waits for it; `starts`: arguments of each start."""

    returncode = -9

    def poll(self) -> int:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        return self.returncode

    terminate = kill = poll


@pytest.mark.parametrize(
    ("apart_s", "kills", "starts"),
    [(31.0, 20, 20), (29.0, 20, 3), (0.0, 20, 3)],
    ids=["spaced", "dense", "at once"],
)
def test_a_part_is_started_again_until_three_deaths_within_a_minute(
    apart_s: float, kills: int, starts: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []
    times = (number * apart_s for number in range(kills))

    def again() -> list[str]:
        return ["run", "--resume", str(len(started))]

    def start(command: list[str], **_kept: object) -> Killed:
        started.append(command)
        child = Killed()
        child.returncode = -9 if len(started) < kills else 0
        return child

    monkeypatch.setattr("companion.core.supervised_process.subprocess.Popen", start)
    said: queue.Queue[str] = queue.Queue()
    part = Part(["run"], tmp_path / "log", again, now=lambda: next(times))
    part.tell_when_failed(lambda: said.put("failed"), well=lambda: said.put("well"))
    assert said.get(timeout=60) == ("well" if starts == kills else "failed")
    assert len(started) == starts
    assert part.gave_up == (starts < kills)
    assert started[-1][-3:] == ["run", "--resume", str(starts - 1)]


def sitting(tmp_path: Path, **given: object) -> Sitting:
    """A sitting at a real table, from now on."""
    command = ("companion", "play", "--table", "real", "--camera", "0")
    kept = {"before": {}, "card": None, "dealt": 1, "command": command}
    scratch = SimpleNamespace(path=tmp_path, lock=None)
    return Sitting(scratch, tmp_path / "engine.sock", ["run"], [], None, **(kept | given))


def test_an_engine_that_died_goes_on_with_the_newest_game_and_begins_one_that_has_no_line(
    tmp_path: Path,
) -> None:
    log = tmp_path / "evening.jsonl"
    assert sitting(tmp_path).goes_on(log) == ["run", "--journal", str(log)]
    named = sitting(tmp_path, names=("Anna", "Ben"))
    assert named.goes_on(log) == ["run", "--journal", str(log), "--names", "Anna,Ben"]
    log.touch()
    assert sitting(tmp_path).goes_on(log) == ["run", "--journal", str(log)]
    log.write_text("a line")
    assert sitting(tmp_path).goes_on(log) == ["run", "--journal", str(log), "--resume"]
    assert named.goes_on(log) == ["run", "--journal", str(log), "--resume"]  # others may be entered since
    os.utime(log, (time.time() - 5, time.time() - 5))
    second = tmp_path / "evening-2.jsonl"
    second.write_text("a line")
    assert sitting(tmp_path).goes_on(log) == ["run", "--journal", str(second), "--resume"]
    assert sitting(tmp_path).goes_on(tmp_path) == ["run", "--journal", str(second), "--resume"]


def test_an_engine_that_died_too_often_ends_with_the_command_that_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.core.supervised_process.subprocess.Popen", lambda *_a, **_b: Killed())
    log = tmp_path / "evening.jsonl"
    log.write_text("a line")
    left = threading.Event()
    app = SimpleNamespace(
        call_from_thread=lambda do: do(), exit=left.set, run=left.wait, engine_ended=left.set, mend="",
        model=SimpleNamespace(table=None, unwritten=False),
    )  # fmt: skip
    with pytest.raises(CompanionError) as told:
        sitting(tmp_path).play(lambda: app, log, resume=False, mended="")
    went_on = f"companion play --table real --camera 0 --resume --journal {log}"
    assert str(told.value).startswith("the engine died 3 times within a minute: companion run was killed")
    assert str(told.value).endswith(f"; to go on: {went_on}")


def test_journals_of_this_evening_are_named_whatever_the_clock_shows(tmp_path: Path) -> None:
    for name in ("old.jsonl", "a.jsonl", "other.txt"):
        (tmp_path / name).write_text("a line")
    before = journals_of(tmp_path)
    evening = sitting(tmp_path, before=before)
    assert evening.written(tmp_path) == []
    (tmp_path / "a.jsonl").write_text("a line\nanother line")
    (tmp_path / "a-2.jsonl").write_text("a line")
    (tmp_path / "a-3.jsonl").touch()
    for path in tmp_path.iterdir():
        os.utime(path, (1000, 1000))  # a clock without a network
    both = [tmp_path / "a-2.jsonl", tmp_path / "a.jsonl"]
    assert evening.written(tmp_path) == evening.written(tmp_path / "a.jsonl") == both
    assert evening.written(tmp_path / "none.jsonl") == []


def test_several_rigs_keep_nobody_from_a_virtual_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("calibration.rig_store.rigs_dir", lambda: tmp_path)
    for name in ("mine", "table"):
        RigStore().save(name, RigProfile(), datetime(2026, 5, 1, tzinfo=UTC))
    settings = Config()
    assert played_rig.with_rig(settings, None, None, needed=False) is settings
    assert "there are several rigs: mine, table; add --rig NAME" in capsys.readouterr().err
    with pytest.raises(BadInputError, match="there are several rigs"):
        played_rig.with_rig(settings, None, None, needed=True)
    told = CliRunner().invoke(cli, ["play", "--game", "chess"]).exception
    assert "chess" in str(told)
    assert "rigs" not in str(told)


def test_the_first_screen_keeps_what_was_chosen_while_parts_were_set_up() -> None:
    offers = [GameOffer("one", {"basic": (2, 3)}), GameOffer("two", {"basic": (2, 3), "5+": (2, 3)})]
    both = [("real", "camera"), ("virtual", "a virtual table")]
    before = StartForm(offers, game=1, variant=1, players=2, names=["Anna", "Ben"], seat=2, row=3)
    form = StartForm(offers, players=3, tables=both)
    keep_choices(form, before)
    assert (form.game, form.variant, form.players, form.names[:2]) == (1, 1, 2, ["Anna", "Ben"])
    assert (form.tables[form.table][0], form.seat, form.row) == ("virtual", 2, 3)


def test_a_virtual_table_has_the_parts_of_a_rung_unless_a_rig_of_that_name_was_set_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("calibration.rig_store.rigs_dir", lambda: tmp_path)
    assert played_rig.rung_named("judge", "auto", None, None) == ("judge", None)
    assert played_rig.rung_named("judge", "real", None, None) == (None, "judge")
    assert played_rig.rung_named("judge", "auto", "0", None) == (None, "judge")
    assert played_rig.rung_named("pad", "auto", None, None) == (None, "pad"), "nobody sees its cards"
    with pytest.raises(BadInputError, match="no such rig"):
        played_rig.set_up_virtually("radar", "virtual", None, None)
    RigStore().save("judge", RigProfile(), datetime(2026, 5, 1, tzinfo=UTC))
    assert played_rig.rung_named("judge", "auto", None, None) == (None, "judge")
