"""Evenings: the history made of journals, its statistics, its export, and the souvenir of a game."""

import contextlib
import csv
import errno
import io
import json
import os
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest
from click.testing import CliRunner

from companion.cli import cli
from companion.commands.chosen_start import listed_games
from companion.commands.history import COLUMNS, table_lines
from companion.commands.what_is_played import how_to_go_on
from companion.core.errors import BadInputError, JournalError
from companion.core.language import CHOSEN, ENGLISH, localized, text, use
from companion.games.appearance import Survey
from companion.games.registry import load_game
from companion.games.rules import IllegalError
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE
from companion.history.database import (
    GameRecord,
    History,
    began,
    evenings,
    in_words,
    last_games,
    left_open,
    record_of,
)
from companion.history.evening import last_evening
from companion.history.game_course import Action, Correction, TimelineEntry, by_turns, course_of
from companion.history.plots import plots
from companion.history.souvenir import _with_colon, souvenir_page
from companion.history.statistics import TABLES, by_evening, by_game, by_person, each
from companion.sensing.observation import Button, Count, Health, ManualEntry, Seen, Sighting
from companion.session.journal.journal import Journal, read_journal
from companion.session.journal.journal_fold import fold
from companion.session.journal.journal_lines import (
    PLAYERS_NAMED,
    VERSION,
    Adopted,
    Done,
    Line,
    Observed,
    Opened,
    Revoked,
)
from companion.session.journal.journal_replay import game_of
from companion.session.journal.retold_journal import AGAINST_RULES
from companion.session.sensor_monitor import SENSORS_KNOWN

HOUR = 3600.0


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The journal of a whole game, played at random from a known deal."""
    chance, game, t = Random(4), load_game("sleepless-princess"), 100.0
    state = game.setup("basic", 3, chance)
    lines: list[Line] = [Adopted(t, game.write_state(state))]
    while game.outcome(state) is None:
        options = list(game.legal_actions(state))
        claims = [one for one in options if game.claim_of(one) is not None]
        others = [one for one in options if one not in claims]
        action = chance.choice(claims if claims and (not others or chance.random() < 0.01) else others)
        with contextlib.suppress(IllegalError):
            state = game.apply(state, action)
            lines.append(Done(t := t + 3.0, game.write_action(action)))
    path = tmp_path_factory.mktemp("game") / "2026-01-02-190000.jsonl"
    _written(path, Opened(VERSION, game.name, "basic", 3), lines)
    return path


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    """A folder with a whole game with names, one that was broken off, and one that is damaged."""
    journals = tmp_path / "journals"
    journals.mkdir()
    recorded = read_journal(played)
    named = msgspec.structs.replace(recorded.opened, people=("Anna", "Ben", "<b>Cleo"))
    _written(journals / "2026-01-02-190000.jsonl", named, recorded.lines)
    _written(journals / "2026-01-02-200000.jsonl", named, recorded.lines[: len(recorded.lines) // 2])
    (journals / "2026-01-05-200000.jsonl").write_bytes(b"no journal\n")
    return journals


def _written(path: Path, opened: Opened, lines: object) -> None:
    journal = Journal(path, sync=False)
    journal.write([opened, *lines])
    journal.close()


def test_a_game_begins_with_what_is_done_not_with_what_lies_there(played: Path, tmp_path: Path) -> None:
    """The journal of a second game begins with what was seen before it, when that was."""
    recorded = read_journal(played)
    late = [Observed(9e3, (ManualEntry(9e3, "log"),))]
    known = Observed(0.0, (ManualEntry(0.0, SENSORS_KNOWN, {}),))
    glass = Sighting(0.0, "glass", (Seen("G", 777.6, 298.1, -1.7),))
    bare = [Observed(t, (glass, Sighting(t, "row", ()), Count(t, "bed 1", 0, 0.0))) for t in (0.0, 40.0)]
    _written(tmp_path / "second.jsonl", recorded.opened, [known, *bare, *recorded.lines, *late])
    assert course_of(tmp_path / "second.jsonl").lasted_s == course_of(played).lasted_s > 0


def test_the_course_has_claims_turns_and_the_score(played: Path) -> None:
    course = course_of(played)
    assert course.score is not None
    assert course.out_of == 5
    assert course.claims("proved") + course.claims("refuted") >= course.score
    assert course.turns > 3
    assert set(course.turn_s) <= {1, 2, 3}
    assert [one.at for one in course.moments] == sorted(one.at for one in course.moments)


def test_a_turn_belongs_to_who_began_it_also_where_another_player_answers() -> None:
    told = [(1, 1, "a knight"), (1, 2, "she goes"), (2, 2, "a king"), (2, 0, "the end")]
    moments = [TimelineEntry(0.0, turn, player, said) for turn, player, said in told]
    assert [one.player for one in by_turns(moments)] == [1, 1, 2, 0]


def test_a_game_that_ended_with_nothing_known_is_over_without_a_score(played: Path, tmp_path: Path) -> None:
    recorded = read_journal(played)
    game = game_of(recorded.opened)
    lines = recorded.lines[: len(recorded.lines) // 2]
    state = fold(game, recorded.opened, lines).state
    if ASLEEP in state.fates:
        state = state._replace(fates=(AWAKE,) * 5)
    over = Adopted(lines[-1].t + 1, game.write_state(game.ended(state, Survey({}, {})).state))
    path = tmp_path / "2026-01-02-190000.jsonl"
    _written(path, recorded.opened, [*lines, over])
    course = course_of(path)
    assert (course.score, course.headline) == (None, "not known who sleeps")
    page = souvenir_page(course, 0.0)
    assert "not known who sleeps" in page
    assert "Nobody sleeps" not in page
    assert "OUT" not in page
    (record,) = (record_of(course, 0.0),)
    assert record.over
    assert by_game([record])[0] | {"ended": 1, "score_mean": None} == by_game([record])[0]


def test_what_was_taken_back_is_not_in_the_course(played: Path, tmp_path: Path) -> None:
    recorded = read_journal(played)
    whole = course_of(played)
    again = tmp_path / "back.jsonl"
    last = [line for line in recorded.lines if isinstance(line, Done)][-1]
    _written(again, recorded.opened, [*recorded.lines, Revoked(last.t + 1, 1)])
    course = course_of(again)
    assert course.actions == whole.actions - 1
    assert course.score is None
    assert len(course.moments) < len(whole.moments)


def test_what_a_correction_notes_anew_keeps_the_time_of_its_first_note(played: Path, tmp_path: Path) -> None:
    recorded, whole = read_journal(played), course_of(played)
    done = [line for line in recorded.lines if isinstance(line, Done)]
    late = done[-1].t + 200.0
    anew = [Done(late, line.a) for line in done[-12:]]
    _written(tmp_path / "late.jsonl", recorded.opened, [*recorded.lines, Revoked(late, len(anew)), *anew])
    corrected = course_of(tmp_path / "late.jsonl")
    assert corrected.moments == whole.moments
    assert corrected.turn_s == whole.turn_s


def test_what_was_missed_happened_before_what_was_noted_after_it() -> None:
    first, second = Action("a", 1.0, None), Action("b", 2.0, None)
    kept, *anew = (Action(text, at, None) for text, at in (("x", 0.5), *((one, 9.0) for one in "manbc")))
    Correction(9.0, [first, second], 1).give_times([kept, *anew])
    assert [one.at for one in (kept, *anew)] == [0.5, 1.0, 1.0, 2.0, 2.0, 9.0]


def test_a_course_that_the_rules_refuse_names_no_hidden_card(played: Path, tmp_path: Path) -> None:
    recorded = read_journal(played)
    lines = [*recorded.lines[: len(recorded.lines) // 2], Done(9e3, "deal=3t")]
    _written(tmp_path / "refused.jsonl", recorded.opened, lines)
    assert course_of(tmp_path / "refused.jsonl").fault == AGAINST_RULES


def test_the_history_follows_the_journals(folder: Path) -> None:
    file = folder.parent / "history.sqlite"
    file.touch(0o644)
    with History(folder) as history:
        assert file.stat().st_mode & 0o777 == 0o600, "it names people"
        assert history.update() == 3
        assert history.update() == 0
        games = history.games()
        assert [one.over for one in games] == [False, True]
        assert games[1].people == ("Anna", "Ben", "<b>Cleo")
        assert "Anna" in in_words(games[1])
        won = msgspec.structs.replace(games[1], headline=text("Player {number} wins", number=1))
        assert won.end == "Anna wins"
        assert "Player 1, Ben" in in_words(msgspec.structs.replace(games[1], people=("", "Ben")))
        assert [Path(one.journal).name for one in history.faults()] == ["2026-01-05-200000.jsonl"]
        assert len(history.games(person="anna")) == 2
        assert history.games(person="nobody") == []
        (folder / "2026-01-02-200000.jsonl").unlink()
        assert history.update() == 0
        assert len(history.games()) == 1


def test_the_history_is_made_anew_from_the_journals_alone(folder: Path) -> None:
    with History(folder) as history:
        history.update()
        before = history.games()
        file = history.file
    whole = file.read_bytes()
    for damage in (b"", whole[:4096] + bytes(range(256)) * 16 + whole[8192:]):
        file.write_bytes(damage)
        with History(folder) as history:
            history.update()
            assert history.games() == before
    with sqlite3.connect(file) as base:
        base.execute("UPDATE games SET record = x'7b7d'")
    with History(folder) as history:
        assert history.games() == []
        assert history.update() == 3
        assert history.games() == before
    with sqlite3.connect(file) as base:
        base.execute("PRAGMA user_version = 99")
    with History(folder) as history:
        assert history.update() == 3
        assert history.games() == before
        assert history.update(anew=True) == 3


def test_a_further_game_of_an_engine_began_when_its_own_journal_did(folder: Path) -> None:
    first = folder / "2026-01-02-190000.jsonl"
    further = first.rename(folder / "2026-01-02-190000-2.jsonl")
    ended = began(first) + 5 * HOUR
    os.utime(further, (ended, ended))
    course = course_of(further)
    assert record_of(course, ended).began == ended - course.lasted_s
    assert record_of(course_of(folder / "2026-01-02-200000.jsonl"), ended).began == began(first) + HOUR


def test_who_won_is_told_by_the_names_entered_last(folder: Path) -> None:
    path = folder / "2026-01-02-190000.jsonl"
    recorded = read_journal(path)
    entry = ManualEntry(200.0, PLAYERS_NAMED, {"people": ["Dan", "Eve", "Fay"]})
    path.unlink()
    _written(path, recorded.opened, [recorded.lines[0], Observed(200.0, (entry,)), *recorded.lines[1:]])
    record = msgspec.structs.replace(record_of(course_of(path), 0.0), winners=(2, 3))
    assert (each([record])[0]["players"], each([record])[0]["won"]) == ("Dan, Eve, Fay", "Eve, Fay")


def test_a_folder_that_cannot_be_written_still_has_a_history(folder: Path, tmp_path: Path) -> None:
    with History(folder, tmp_path / "journals" / "2026-01-05-200000.jsonl" / "x.sqlite") as history:
        history.update()
        assert len(history.games()) == 2


def test_a_start_that_failed_is_no_game(folder: Path) -> None:
    opened = Opened(VERSION, "sleepless-princess", "basic", 3)
    away = Observed(5.0, (Health(5.0, "camera", False, "no such camera"),))
    _written(folder / "2026-01-02-230000.jsonl", opened, [away])
    with History(folder) as history:
        history.update()
        assert "2026-01-02-230000" not in " ".join(one.journal for one in history.games())
    assert (folder / "2026-01-02-230000.jsonl").exists()


def test_a_start_screen_looks_at_the_newest_alone(folder: Path) -> None:
    assert len(last_games(1, folder)) == 1
    assert [one.over for one in last_games(4, folder)] == [False, True]


def _game(began: float, **more: object) -> GameRecord:
    usual: dict[str, object] = {
        "journal": f"{began}.jsonl",
        "began": began,
        "lasted_s": 1800.0,
        "game": "sleepless-princess",
        "variant": "basic",
        "players": 2,
        "people": ("Anna", "Ben"),
        "turns": 20,
        "actions": 90,
        "score": 4,
        "out_of": 5,
        "headline": "",
        "winners": (),
        "proved": 4,
        "refuted": 1,
        "open": 0,
        "turn_s": {1: (10, 100.0), 2: (10, 200.0)},
    }
    return msgspec.convert({**usual, **more}, GameRecord)


def _left(began: float, **more: object) -> GameRecord:
    """A game that people left in the middle."""
    return _game(began, **{"score": None, "out_of": None, **more})


@pytest.mark.parametrize(
    ("games", "says"),
    [
        ([], ""),
        ([_left(2 * HOUR, out_of=5)], ""),
        ([_left(2 * HOUR)], "go on with this game: the same command with --resume"),
        (
            [_left(3 * HOUR, turns=0), _left(2 * HOUR)],
            "the game before: the same command with --resume --journal",
        ),
        ([_left(3 * HOUR, virtual=True), _left(2 * HOUR)], "go on with this game"),
        ([_left(3 * HOUR, turns=0), _left(2 * HOUR, out_of=5), _left(HOUR)], ""),
        ([_left(30 * HOUR, turns=0), _left(2 * HOUR)], ""),
    ],
)
def test_who_leaves_a_game_in_the_middle_is_told_how_it_goes_on(
    games: list[GameRecord], says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.history.database.last_games", lambda _most: games)
    assert says in how_to_go_on() if says else not how_to_go_on()


def test_a_start_without_a_turn_makes_room_for_the_game_left_that_evening() -> None:
    begun, left = _left(3 * HOUR, turns=0), _left(2 * HOUR)
    assert left_open([begun, left]) is left
    assert left_open([begun]) is begun
    assert left_open([begun, _left(2 * HOUR, out_of=5)]) is begun
    assert left_open([_left(30 * HOUR, turns=0), left]).began == 30 * HOUR
    assert left_open([_left(3 * HOUR, out_of=5), left]) is None
    assert left_open([_left(3 * HOUR, virtual=True)]) is None


def test_statistics_count_what_was_played() -> None:
    games = [
        _game(0.0),
        _game(2 * HOUR, score=2),
        _game(30 * HOUR, game="sleeping-queens", winners=(2,), score=50, out_of=50, people=("ANNA", "Cleo")),
        _game(31 * HOUR, score=None, out_of=None),
    ]
    first = by_game(games)[0]
    assert (first["games"], first["ended"], first["score_mean"], first["score_best"]) == (3, 2, 3.0, 4)
    assert (first["claims"], first["proved"], first["refuted"]) == (15, 12, 3)
    people = {row["player"]: row for row in by_person(games)}
    assert (people["Anna"]["games"], people["Anna"]["won"], people["Anna"]["contests"]) == (4, 0, 1)
    assert people["Anna"]["together_percent"] == 60.0
    assert people["Cleo"]["won"] == 1
    assert (people["Anna"]["turn_s"], people["Ben"]["turn_s"]) == (10.0, 20.0)
    nights = by_evening(games)
    assert [row["games"] for row in nights] == [2, 2]
    assert nights[0]["score_mean"] is None
    assert [len(one) for one in evenings(games)] == [2, 2]


def test_plots_are_as_large_as_wanted_and_without_colours_if_wanted() -> None:
    games = [_game(HOUR * 24 * day, score=day % 6) for day in range(70)]
    drawn = plots(games, 60, 14, colours=False)
    assert len(drawn) == 2
    for plot in drawn:
        assert "\x1b" not in plot
        assert max(map(len, plot.splitlines())) <= 60
        assert len(plot.splitlines()) <= 15
    assert plots([_game(0.0, score=None, lasted_s=0.0)], 60, 14) == []
    assert plots([msgspec.structs.replace(games[0], virtual=True)], 60, 14) == []
    alone = plots(games[3:4], 60, 14, colours=False)[0]
    assert 0 < max(line.count("█") for line in alone.splitlines()) < 10


@pytest.fixture
def told(folder: Path) -> Iterator[object]:
    def run(*words: str) -> str:
        result = CliRunner().invoke(cli, ["history", "--journals", str(folder), *words])
        assert result.exit_code == 0, result.output
        return result.stdout

    return run


def test_the_command_lists_exports_and_names_what_is_damaged(folder: Path, told) -> None:
    text = told()
    assert "Sleepless Princess" in text
    assert "Anna" in text
    rows = list(csv.DictReader(io.StringIO(told("--csv"))))
    assert [row["out_of"] for row in rows] == ["", "5"]
    whole = json.loads(told("--json"))
    assert [row["player"] for row in whole["player"]] == ["<b>Cleo", "Anna", "Ben"]
    assert whole["faults"][0][0].endswith("2026-01-05-200000.jsonl")
    assert list(csv.DictReader(io.StringIO(told("--csv", "--by", "player"))))[1]["player"] == "Anna"
    assert told("--csv", "--player", "anna", "--game", "sleeping-queens") == ""


@pytest.mark.parametrize("language", ["en", "de", "fr", "it"])
@pytest.mark.parametrize("room", [60, 80, 100, 120])
def test_a_table_fits_the_terminal_and_its_headings_stay_whole(room: int, language: str) -> None:
    games = [_game(0.0, players=5, people=(), winners=(1, 4), turns=22), _game(9e5)]
    use(language)
    try:
        heads = {localized(COLUMNS[name]) for name in COLUMNS}
        for table in TABLES.values():
            whole, fitting = table_lines(table(games), None, None), table_lines(table(games), None, room)
            assert max(map(len, fitting)) <= room
            assert set(re.split("  +", fitting[0].strip())) <= heads
            assert len(fitting) == len(whole)
            assert table_lines(table(games), None, 500) == whole
        listed = table_lines(TABLES["each"](games), None, room)
        assert "Sleepless Princess" in listed[1]
    finally:
        use(ENGLISH)


def test_a_name_that_nobody_has_is_refused_with_the_names_that_there_are(folder: Path) -> None:
    for unknown, known in (("--player=Nobody", "<b>Cleo, Anna, Ben"), ("--game=chess", "sleeping-queens-2")):
        with pytest.raises(BadInputError, match=known):
            CliRunner().invoke(cli, ["history", "--journals", str(folder), unknown], catch_exceptions=False)


def test_a_game_that_begins_is_no_damaged_journal(folder: Path) -> None:
    empty = folder / "2026-01-06-200000.jsonl"
    for begun in (b"", b'{"j":"open","ver'):
        empty.write_bytes(begun)
        with History(folder) as history:
            history.update()
            assert str(empty) not in [one.journal for one in history.faults()]
    empty.write_bytes(b"")
    os.utime(empty, (1.7e9, 1.7e9))
    with History(folder) as history:
        history.update()
        assert [one.fault.rsplit(": ", 1)[1] for one in history.faults() if one.journal == str(empty)] == [
            "it is empty; name a journal.jsonl file"
        ]


def test_virtual_games_without_an_end_take_two_lines_of_the_first_screen() -> None:
    played = [_game(9.0, virtual=True, out_of=None, headline=f"v{n}") for n in range(7)]
    real = _game(1.0, headline="real")
    lines = listed_games([played[0], real, *played[1:]])
    assert ["v0" in lines[0], "real" in lines[1], len(lines)] == [True, True, 3]
    assert lines[2] == "and 6 more virtual games without an end"


def test_a_souvenir_is_one_page_with_names_as_text(folder: Path, tmp_path: Path) -> None:
    journal, out = folder / "2026-01-02-190000.jsonl", tmp_path / "evening.html"
    result = CliRunner().invoke(cli, ["souvenir", str(journal), "-o", str(out)])
    assert result.exit_code == 0, result.output
    page = out.read_text(encoding="utf-8")
    assert "&lt;b&gt;Cleo" in page
    assert "<b>Cleo" not in page
    assert "<script" not in page
    assert not re.search(r"(?:src|href)=|url\(|@import", page)
    course = course_of(journal)
    assert page.count("<circle") == sum(one.claim is not None for one in course.moments)
    assert course.headline in page
    again = CliRunner().invoke(cli, ["souvenir", str(journal), "-o", str(out)], standalone_mode=False)
    assert again.exception is not None
    assert out.read_text(encoding="utf-8") == page


@pytest.mark.parametrize("onto", ["its journal", "a device"])
def test_a_souvenir_is_never_written_over_the_game_itself(folder: Path, tmp_path: Path, onto: str) -> None:
    journal = folder / "2026-01-02-190000.jsonl"
    before = journal.read_bytes()
    out = tmp_path / "link"
    out.symlink_to(journal if onto == "its journal" else "/dev/null")
    words = ["souvenir", str(journal), "-o", str(out), "--force"]
    assert isinstance(CliRunner().invoke(cli, words, standalone_mode=False).exception, BadInputError)
    assert journal.read_bytes() == before
    assert out.is_symlink()


def test_a_souvenir_that_cannot_be_written_leaves_the_one_before(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "evening.html"
    out.write_text("the one before")

    def full(_file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("companion.core.files.os.fsync", full)
    words = ["souvenir", str(folder / "2026-01-02-190000.jsonl"), "-o", str(out), "--force", "--language", "de"]
    monkeypatch.setenv(CHOSEN, "de")
    try:
        error = CliRunner().invoke(cli, words, standalone_mode=False).exception
        assert isinstance(error, BadInputError)
        assert "kein Speicherplatz" in localized(error.told)
    finally:
        use(ENGLISH)
    assert [path.name for path in tmp_path.glob("*.*")] == ["evening.html"]
    assert out.read_text() == "the one before"


def test_a_souvenir_of_a_game_that_goes_on_tells_what_everybody_saw(folder: Path) -> None:
    journal = folder / "2026-01-02-200000.jsonl"
    course = course_of(journal)
    assert course.score is None
    page = souvenir_page(course, 0.0)
    assert "did not come to its end" in page
    assert course.table is not None
    assert all(place.count is None for place in course.table.places)
    use("de")
    try:
        assert "AWAKE" not in souvenir_page(course, 0.0)
    finally:
        use(ENGLISH)


def test_nothing_is_made_of_what_is_no_journal(folder: Path) -> None:
    with pytest.raises(JournalError, match="not a journal"):
        course_of(folder / "2026-01-05-200000.jsonl")
    with pytest.raises(JournalError, match="cannot be read"):
        course_of(folder / "none.jsonl")


def test_games_at_a_virtual_table_are_listed_and_count_for_nothing(folder: Path) -> None:
    recorded = read_journal(folder / "2026-01-02-190000.jsonl")
    virtual = msgspec.structs.replace(recorded.opened, virtual=True)
    _written(folder / "2026-01-09-190000.jsonl", virtual, recorded.lines)
    with History(folder) as history:
        history.update()
        games = history.games()
    assert [one.virtual for one in games] == [True, False, False]
    assert "virtual" in in_words(games[0])
    assert [row["games"] for row in by_game(games)] == [2]
    assert [row["games"] for row in by_evening(games)] == [2]
    assert {row["games"] for row in by_person(games)} == {2}
    assert by_game(games[:1]) == by_person(games[:1]) == by_evening(games[:1]) == []
    assert last_evening(games) == games[:0:-1]


def test_a_souvenir_of_a_journal_whose_time_jumps_ends_before_that(played: Path, tmp_path: Path) -> None:
    recorded = read_journal(played)
    _written(tmp_path / "jumps.jsonl", recorded.opened, [*recorded.lines[:40], Observed(1e300, ())])
    words = ["souvenir", str(tmp_path / "jumps.jsonl"), "-o", str(tmp_path / "page.html")]
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.output
    assert "an impossible time" in result.stderr


def test_a_journal_of_a_newer_version_is_called_so_everywhere(
    played: Path, folder: Path, tmp_path: Path
) -> None:
    newer = folder / "2026-02-02-190000.jsonl"
    recorded = read_journal(played)
    _written(newer, msgspec.structs.replace(recorded.opened, version=VERSION + 1), recorded.lines)
    told = f"{newer}: written in version {VERSION + 1}, this program reads {VERSION}; update companion"
    for words in (["replay", str(newer)], ["souvenir", str(newer), "-o", str(tmp_path / "page.html")]):
        error = CliRunner().invoke(cli, words, standalone_mode=False).exception
        assert isinstance(error, JournalError)
        assert str(error) == told
    listed = CliRunner().invoke(cli, ["history", "--journals", str(folder)])
    assert f"companion: {told}\n" in listed.stderr
    assert f"damaged: {newer}" not in listed.stderr
    newer.unlink()
    with History(folder) as history:
        _written(newer, recorded.opened, recorded.lines)
        assert history.update() >= 1
        assert str(newer) in {one.journal for one in history.games()}


def test_what_is_no_file_is_refused_as_by_replay(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    for path in (tmp_path / "pipe.jsonl", Path("/dev/zero"), tmp_path):
        with pytest.raises(JournalError, match="not a file"):
            course_of(path)


def test_the_history_of_a_folder_that_is_none_is_refused(played: Path, tmp_path: Path) -> None:
    for path, why in ((tmp_path / "nope", "there is no such folder"), (played, "not a folder")):
        error = CliRunner().invoke(cli, ["history", "--journals", str(path)], standalone_mode=False).exception
        assert isinstance(error, BadInputError)
        assert why in str(error)
    assert not list(tmp_path.iterdir())


def test_a_claim_that_nothing_answered_is_told_and_counted_as_open(played: Path, tmp_path: Path) -> None:
    recorded = read_journal(played)
    game = game_of(recorded.opened)
    half = recorded.lines[: len(recorded.lines) // 2]
    state, t = fold(game, recorded.opened, half).state, half[-1].t
    awake = next(bed for bed in range(5) if state.fates[bed] == AWAKE)
    pressed = [Observed(t + s, (Button(t + s, f"bed {awake + 1}"),)) for s in (1.0, 5.0)]
    path = tmp_path / "2026-01-02-190000.jsonl"
    _written(path, recorded.opened, [*half, *pressed])
    course, before = course_of(path), course_of(played)
    assert course.claims("cannot tell") == 1
    assert record_of(course, 0.0).open == 1
    assert "A claim stays open" in souvenir_page(course, 0.0)
    # A verdict that comes later is its answer; and what is pressed in a pause is no claim.
    claim = next(one for one in game.legal_actions(state) if (game.claim_of(one) or [None])[0] == awake)
    _written(tmp_path / "b.jsonl", recorded.opened, [*half, *pressed, Done(t + 6, game.write_action(claim))])
    assert course_of(tmp_path / "b.jsonl").claims("cannot tell") == before.claims("cannot tell") == 0
    paused = Observed(t + 0.5, (ManualEntry(t + 0.5, "pause", {"paused": True}),))
    _written(tmp_path / "c.jsonl", recorded.opened, [*half, paused, *pressed])
    assert course_of(tmp_path / "c.jsonl").claims("cannot tell") == 0


def test_a_table_that_was_taken_over_is_told_and_what_it_contradicts_is_no_fact(
    played: Path, tmp_path: Path
) -> None:
    recorded = read_journal(played)
    game = game_of(recorded.opened)
    half = recorded.lines[: len(recorded.lines) // 2]
    before, t = fold(game, recorded.opened, half).state, half[-1].t
    claim = next(one for one in game.legal_actions(before) if game.claim_of(one) is not None)
    lines = [*half, Done(t + 1, game.write_action(claim))]
    state, t = fold(game, recorded.opened, lines).state, t + 9
    assert state.fates != before.fates
    entry = Observed(t, (ManualEntry(t, "table_is_right"),))

    def told(*more: Line) -> list[str]:
        path = tmp_path / "taken.jsonl"
        path.unlink(missing_ok=True)
        _written(path, recorded.opened, [*lines, entry, *more])
        return [localized(one.text) for one in course_of(path).moments][-2:]

    seemed, taken = told(Adopted(t, game.write_state(before)))
    assert seemed.startswith("It seemed so, and the table lay otherwise: ")
    assert taken == f"Not followed in turn {state.turns}: taken over from the table."
    later = before._replace(turns=state.turns + 3)
    earlier, taken = told(Adopted(t, game.write_state(later)))
    assert not earlier.startswith("It seemed")  # turns are missing in which she may have woken
    assert taken == (
        f"Not followed from turn {state.turns} to turn {state.turns + 3}: taken over from the table."
    )
    back = told(Adopted(t, game.write_state(before)), Adopted(t + 1, game.write_state(state), back=True))
    assert not any("taken over" in one or "seemed" in one for one in back)


def test_a_claimed_question_has_no_colon_after_it(folder: Path) -> None:
    assert _with_colon("Ben has won?") == "Ben has won?"
    assert _with_colon("Princess 7, bed 2") == "Princess 7, bed 2:"
