"""Recorded games with a sensor that is dead, dies, is away or loses some: what is left, and what is judged."""

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from companion.commands.replay import replay
from companion.core.errors import BadInputError
from companion.rehearse.games_in_observations import rehearse_observed
from companion.sensing.board_source import BoardSource
from companion.sensing.observation import Button, Count, Health, ManualEntry, Sighting, TagRead, Touch
from companion.session.journal import journal_replay
from companion.session.journal.fault_injection import damaged, sensors_in
from companion.session.journal.journal import Recorded
from companion.session.journal.journal_lines import VERSION, Observed, Opened
from companion.session.journal.journal_replay import LAST_S, _held_against, relive
from companion.session.stream.events import Claimed
from companion.session.time_grid import QUIET_S
from firmware.host.messages import Part, PartState
from tests.support.observed import GAME
from tests.support.told_link import ToldLink

LINES = [
    Observed(float(t), (Count(t, f"bed {t % 2 + 1}", t, t), Sighting(t, "row", ()), TagRead(t, "pad", None)))
    for t in range(1, 31)
]


def left(name: str, damage: str, lines: list[Observed] = LINES) -> list[Observed]:
    sensor = next(one for one in sensors_in(lines) if one.name == name)
    return list(damaged(lines, sensor, damage))


def times(lines: list[Observed], kind: type) -> list[float]:
    return [line.t for line in lines for seen in line.o if isinstance(seen, kind)]


def test_every_sensor_that_says_anything_can_be_damaged() -> None:
    names = [sensor.name for sensor in sensors_in(LINES)]
    assert names == ["camera", "board", "reader", "scales", "bed 1 scale", "bed 2 scale"]


def test_a_dead_sensor_says_nothing_and_the_others_all() -> None:
    lines = left("bed 1 scale", "dead")
    assert {seen.station for line in lines for seen in line.o if isinstance(seen, Count)} == {"bed 2"}
    assert times(lines, Sighting) == times(LINES, Sighting)
    assert not times(left("board", "dead"), TagRead)


def test_one_that_dies_is_missed_and_one_that_is_stuck_is_not() -> None:
    for damage, word in (("dying", [16.0]), ("stuck", [])):
        lines = left("bed 1 scale", damage)
        assert not [seen for line in lines[15:] for seen in line.o if getattr(seen, "station", "") == "bed 1"]
        assert times(lines, Health) == word
    lines = left("camera", "dying")
    assert max(times(lines, Sighting)) < 16
    (gone,) = [seen for line in lines for seen in line.o if isinstance(seen, Health)]
    assert (gone.source, gone.ok) == ("camera", False)


def test_a_damaged_touch_chip_is_told_as_the_board_tells_of_it() -> None:
    recorded = BoardSource(ToldLink(PartState(20.0, Part(None, ("touch", "button")), False)), {}).poll()
    lines = [
        Observed(1.0, (Touch(1.0, "bed 1", True),)),
        Observed(20.0, (*recorded, Count(20.0, "bed 1", 1, 1.0))),
    ]
    told = [seen for line in left("touch", "dead", lines) for seen in line.o if isinstance(seen, Health)]
    assert [(seen.t, seen.source, seen.ok) for seen in told] == [(1.0, "touch", False)]


def test_one_that_is_back_tells_what_lies_there_by_then() -> None:
    lines = left("board", "away")
    word = [seen for line in lines for seen in line.o if isinstance(seen, Health)]
    assert [seen.ok for seen in word] == [False, True]
    back = next(line for line in lines if Health(line.t, "board", True) in line.o)
    assert {seen.station: seen.n for seen in back.o if isinstance(seen, Count)} == {"bed 1": 20, "bed 2": 21}
    assert not [t for t in times(lines, Count) if word[0].t <= t < word[1].t]


def test_a_lossy_sensor_loses_a_part_and_always_the_same() -> None:
    many = [Observed(float(t), (Count(t, "bed 1", t, t),)) for t in range(1000)]
    lines = left("scales", "lossy", many)
    assert 150 < 1000 - len(times(lines, Count)) < 250
    assert lines == left("scales", "lossy", many)


@pytest.mark.parametrize("jump", [0.0, 1e12])
def test_no_time_passes_before_the_first_report_and_a_day_at_most_between_two(
    jump: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    passed: list[float] = []
    monkeypatch.setattr(
        journal_replay, "pass_time", lambda _session, clock, until: passed.append(until - clock.now())
    )
    empty = (Observed(864_000.0, ()), Observed(864_001.0 + jump, ()))
    relive(GAME, Recorded(Opened(VERSION, GAME.name, "basic", 3), empty), silence=True)
    assert passed == [0.0, min(1.0 + jump, QUIET_S), LAST_S]


def test_keys_that_answered_what_was_said_then_are_left_out() -> None:
    keys = [
        Observed(
            1.0,
            (Button(1.0, "bed 1"), ManualEntry(1.0, "undo"), ManualEntry(1.0, "claim", {"station": "bed 1"})),
        )
    ]
    assert [seen for line in left("buttons", "dead", keys) for seen in line.o] == [keys[0].o[2]]


def test_a_verdict_against_the_truth_or_for_nobody_is_wrong() -> None:
    def said(bed: int, verdict: str) -> Claimed:
        return Claimed(1.0, bed, "", verdict, "", "", ())

    truth = {1: True, 2: True, 3: False, 4: False}
    verdicts = [said(1, "cannot tell"), said(1, "proved"), said(2, "cannot tell"), said(3, "proved")]
    found = {"right": 1, "cannot_tell": 1, "unheard": 1, "wrong": 1}
    assert _held_against(verdicts, truth) == found
    assert _held_against([*verdicts, said(5, "refuted")], truth) == found | {"wrong": 2}
    assert _held_against([*verdicts, said(5, "cannot tell")], truth) == found


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recorded") / "game"
    rehearse_observed(4, "5+", 2, record=folder)
    return folder / "journal.jsonl"


@pytest.mark.long
def test_no_verdict_is_wrong_whatever_is_dead(recorded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Single scales are damaged in test_without_a_truth_the_undamaged_verdicts_count.
    monkeypatch.setattr(
        journal_replay, "sensors_in", lambda lines: [one for one in sensors_in(lines) if not one.station]
    )
    result = CliRunner().invoke(replay, [str(recorded), "--damage", "dead", "--json"])
    found = msgspec.json.decode(result.stdout)
    assert (result.exit_code, found["wrong_verdicts"]) == (0, 0)
    assert found["truth"] == "truth.jsonl"
    assert found["undamaged"] == {"right": found["claims"], "cannot_tell": 0, "unheard": 0, "wrong": 0}
    runs = {run["sensor"]: run for run in found["runs"]}
    assert runs["camera"]["cannot_tell"] == found["claims"]
    # Without buttons the cards that are turned up, and the tile, tell of a claim.
    assert runs["touch"]["right"] == runs["buttons"]["right"] == found["claims"]
    assert runs["touch"]["same_end"]
    assert not runs["scales"]["same_end"]


def test_a_replay_with_damage_tells_what_it_was_held_against(
    recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_replay, "sensors_in", lambda lines: sensors_in(lines)[:1])
    journal = tmp_path / "journal.jsonl"
    lines = recorded.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[: len(lines) // 10]))
    (tmp_path / "truth.jsonl").write_text('{"subject":1,"true":true}\n{"subject":2}\n')
    result = CliRunner().invoke(replay, [str(journal), "--damage", "dead", "--json"])
    found = msgspec.json.decode(result.stdout)
    assert (found["damage"], found["truth"], found["claims"]) == ("dead", "truth.jsonl", 1)
    nothing = {"right": 0, "cannot_tell": 0, "unheard": 1, "wrong": 0}
    assert found["undamaged"] == nothing, "nobody claimed anything yet"
    (run,) = found["runs"]
    assert run == {**run, **nothing, "damage": "dead"}
    assert found["wrong_verdicts"] == 0


@pytest.mark.long
def test_without_a_truth_the_undamaged_verdicts_count(recorded: Path, tmp_path: Path) -> None:
    journal = tmp_path / "journal.jsonl"
    lines = recorded.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[: len(lines) // 3]))
    result = CliRunner().invoke(replay, [str(journal), "--damage", "dying"])
    assert result.exit_code == 0
    assert "held against the undamaged game" in result.output
    assert "bed 1 scale" in result.output


@pytest.mark.quick(1)
@pytest.mark.parametrize(("damage", "says"), [("burnt", "no damage"), ("dead", "not a recording's truth")])
def test_what_is_no_damage_or_no_truth_is_said(recorded: Path, tmp_path: Path, damage: str, says: str) -> None:
    journal = tmp_path / "journal.jsonl"
    journal.write_bytes(recorded.read_bytes())
    (tmp_path / "truth.jsonl").write_text("{}" if damage == "burnt" else "nonsense")
    result = CliRunner().invoke(replay, [str(journal), "--damage", damage])
    assert isinstance(result.exception, BadInputError)
    assert says in str(result.exception)
