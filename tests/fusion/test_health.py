"""Sensors that get worse are named before they fail, and nothing is settled by those that miss what happens."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from companion.cli import cli
from companion.core.clock import ManualClock
from companion.fusion.detections import Detection
from companion.fusion.explain.control_charts import MissTest, ScaleLine
from companion.fusion.explain.sensor_health import Finding, SensorWatch
from companion.fusion.hypothesis import Step
from companion.fusion.parameters.health import HEALTH
from companion.fusion.parameters.sensors import OUTAGES, SCALES
from companion.games.signs import Sign, Verb
from companion.games.sleepless_princess.rules.actions import Claim, Lay, Move
from companion.games.sleepless_princess.rules.state import AWAKE
from companion.rehearse.games_in_observations import rehearse_observed
from companion.rehearse.pulled_cable import WatchedLink
from companion.sensing.board_source import BoardSource
from companion.sensing.observation import (
    Button,
    Count,
    Health,
    ManualEntry,
    Observation,
    Seen,
    Sighting,
    TagRead,
    Texture,
)
from companion.sensing.observation import Touch as TouchSeen
from companion.session.journal.journal import Journal, read_journal
from companion.session.journal.journal_fold import fold
from companion.session.journal.journal_lines import Noticed, Opened
from companion.session.sensor_monitor import (
    RESTART_S,
    RESTARTED,
    RESTLESS_SCALES,
    SCALES_UNEVEN,
    SensorMonitor,
    blind_spots,
    lost_claims,
)
from companion.session.session import Session
from companion.session.stream.events import Event, Said, SensorHealth
from companion.virtual.games.sleepless_princess import VIRTUAL
from companion.virtual.rig.board_readings import RoughRig
from companion.virtual.rig.noise_profiles import profile
from firmware.simulator.virtual_board import VirtualBoard
from firmware.simulator.virtual_port import MemoryEnd
from tests.support.inside import findings_of, note_step, wiring_of
from tests.support.observed import GAME, ObservedGame, sighting


def test_single_misses_are_bad_luck_and_two_together_are_not() -> None:
    test = MissTest(0.01, 0.25)
    for n in range(200):
        test.take(n % 20 == 0)
        assert not test.failing
    for missed in (True, False, True):
        test.take(missed)
    assert test.failing
    for _ in range(5):
        test.take(False)
    assert not test.failing


def test_a_few_signs_are_too_few_to_tell_that_a_sensor_misses_them() -> None:
    watch = SensorWatch()
    test = watch.misses["camera"] = MissTest(0.0005, 0.25)
    for missed, told in ((False, False), (True, False), (True, False), (True, True)):
        test.take(missed)
        assert bool(findings_of(watch, 0.0)) is told
        assert test.failing is (test.misses > 1), "one miss alone is bad luck, however seldom it is"
    assert "more light, clear its view" in findings_of(watch, 0.0)["camera"].detail


def test_what_a_scale_missed_in_one_moment_it_missed_once() -> None:
    """A mattress that is laid back before the scale comes to rest is no sign of a scale that fails."""
    game = ObservedGame(3)
    game.set_up()
    before = game.tracker.state
    stay = Detection(10_000, game.rig.t, Sign(Verb.STAY, "bed 1"))
    watch = SensorWatch()
    note_step(watch, game.tracker, Step(game.rig.t, before, Move(0, 0), before, (stay,)))
    assert (watch.misses["bed 1 scale"].misses, watch.failing) == (1, frozenset())
    game.tracker.sensed.counts["bed 1"] += 1
    note_step(watch, game.tracker, Step(game.rig.t, before, Move(0, 1), before, (stay,)))
    assert watch.failing == {"bed 1 scale"}


def test_a_scale_that_told_of_two_at_once_missed_nothing() -> None:
    """Mattresses are dealt faster than a scale finds its zero: what it shows then is right all the same."""
    game = ObservedGame(3)
    game.set_up()
    before = game.tracker.state
    dealt = Lay(0, 3)
    signs = game.tracker.game.signs(before, dealt)
    seen = tuple(Detection(10_000 + n, game.rig.t, sign) for n, sign in enumerate(signs) if sign.verb == "tag")
    watch = SensorWatch()
    for _ in range(3):
        note_step(watch, game.tracker, Step(game.rig.t, before, dealt, before, seen))
    assert not watch.failing
    game.tracker.sensed.counts["bed 1"] -= 1
    for _ in range(2):
        note_step(watch, game.tracker, Step(game.rig.t, before, dealt, before, seen))
    assert watch.failing == {"bed 1 scale"}


@pytest.mark.parametrize("source", ["board", "bed 1 scale"])
def test_what_passed_while_a_source_was_away_is_no_sensors_fault(source: str) -> None:
    """A step is as old as the one before it at most: what left its signs in between may have been away then."""
    game, watch = ObservedGame(3), SensorWatch()
    game.set_up()
    before, t = game.tracker.state, game.rig.t
    game.tracker.sensed.counts["bed 1"] += 1
    touched = Detection(10_000, t, Sign(Verb.TOUCH, "bed 1"))
    watch.feed(t, [Health(t, source, False)], game.tracker)
    watch.feed(t + 10, [Health(t + 10, source, True)], game.tracker)
    for _ in range(4):
        note_step(watch, game.tracker, Step(t + 5, before, Move(0, 1), before, (touched,)))
        note_step(watch, game.tracker, Step(t + 90, before, Move(0, 1), before, (touched,)), t + 1)
    assert not watch.failing
    for _ in range(2):
        note_step(watch, game.tracker, Step(t + 90, before, Move(0, 1), before, (touched,)), t + 60)
    assert watch.failing == {"bed 1 scale"}


def test_a_scale_that_is_away_puts_the_others_in_no_doubt() -> None:
    """What it told last is no part of the sum."""
    game, watch = ObservedGame(3), SensorMonitor()
    game.set_up()
    heard_by(game, watch, Health(game.rig.t, "bed 1 scale", False))
    game.tracker.sensed.counts["bed 1"] += 1
    for n in range(40):
        game.rig.t += 3
        heard_by(game, watch, Count(game.rig.t, "bed 2", 3, 3.0 + n / 100))
    assert game.tracker.doubted == {"bed 1 scale"}


@pytest.mark.parametrize(
    ("done", "missed"),
    [(-SCALES.hand_on_scale_s - 1, {"bed 1 scale"}), (-2.0, set()), (1.0, set()), (20.0, {"bed 1 scale"})],
)
def test_what_a_hand_hides_from_a_scale_is_not_missed(done: float, missed: set[str]) -> None:
    """People rest a hand on the bed whose cards they turn up. `done`: time (s) after the hand left."""
    game, watch = ObservedGame(3), SensorWatch()
    game.set_up()
    t, before = game.rig.t + 20, game.tracker.state
    game.tracker.feed(t - 2, [Count(t - 2, "bed 1", 19, 19.0)])
    game.tracker.feed(t, [Count(t, "bed 1", 3, 3.0)])
    game.tracker.sensed.counts["bed 1"] += 1
    put = Detection(10_000, t, Sign(Verb.PUT, "bed 2"))
    note_step(watch, game.tracker, Step(t + done, before, Move(0, 1), before, (put,)))
    assert {source for source, test in watch.misses.items() if test.misses and "scale" in source} == missed


def test_good_sensors_are_seldom_suspected_and_bad_ones_soon() -> None:
    chance = Random(1)

    def alarms(rate: float) -> list[int]:
        found = []
        for _ in range(300):
            test = MissTest(0.01, 0.25)
            first = next((n for n in range(40) if test.take(chance.random() < rate) or test.failing), 40)
            found.append(first)
        return sorted(found)

    assert alarms(0.01)[15] == 40  # under five in a hundred within forty signs
    assert alarms(0.5)[150] < 8


@pytest.mark.parametrize(("off", "unit"), [(0.0, 1.0), (0.5, 1.0), (-0.4, 1.0), (0.0, 1.15), (0.2, 0.9)])
def test_a_scales_line_is_found_from_what_it_is_known_to_carry(off: float, unit: float) -> None:
    line, chance = ScaleLine(), Random(2)
    for n in range(80):
        line.take(n % 5, off + unit * (n % 5) + chance.gauss(0, 0.1))
    assert line.at(0) == pytest.approx(off, abs=0.1)
    assert line.at(4) == pytest.approx(off + 4 * unit, abs=0.1)


@pytest.mark.long
def test_a_worn_scale_is_seen_through_the_boards_code_while_it_still_counts_rightly() -> None:
    """The rig drifts on command; the reading before correction goes with the count."""
    clock, end = ManualClock(), MemoryEnd()
    board = VirtualBoard(clock=clock, seed=1, end=end)
    rig = RoughRig(board, {}, VIRTUAL.rig("basic"), profile("clean"), Random(1))
    source = BoardSource(WatchedLink(clock, end, session=5), {})

    def weigh(load: int) -> list[Count]:
        rig.load("bed 1", load)
        found: list[Observation] = []
        for _ in range(100):
            clock.sleep(0.02)
            rig.step(clock.now())
            found += source.poll()
        return [one for one in found if isinstance(one, Count) and one.station == "bed 1"]

    weigh(0)
    watch = SensorWatch()
    line = watch.lines.setdefault("bed 1 scale", ScaleLine())
    for step in range(60):
        rig.wear("bed 1", 0.01 * step)
        for count in weigh(step % 4):
            assert count.n == step % 4, "it failed before it was named"
            line.take(count.n, count.raw)
        if named := list(findings_of(watch, 0.0).values()):
            break
    assert [found.source for found in named] == ["bed 1 scale"]
    assert "when empty" in named[0].detail


def live(game: ObservedGame, watch: SensorWatch, batches: list[Any]) -> list[Finding]:
    found = []
    for batch in batches:
        game.rig.t += 1
        game.tracker.feed(game.rig.t, batch(game.rig.t))
        found += watch.feed(game.rig.t, batch(game.rig.t), game.tracker)
    return found


def test_touches_that_nobody_made_are_the_electrodes() -> None:
    game, watch = ObservedGame(3), SensorWatch()
    game.set_up()

    def ghost(t: float) -> list[Observation]:
        return [TouchSeen(t, "bed 2", True), TouchSeen(t, "bed 2", False)]

    found = live(game, watch, [ghost] * 120)
    assert [(one.source, one.ok) for one in found] == [("bed 2 electrode", False)]
    assert "no cause" in found[0].detail
    for step, well in (("camera", []), ("stations", [("bed 2 electrode", True)])):
        mended = live(game, watch, [lambda t, step=step: [ManualEntry(t, "resumed", {"mended": step})]])
        assert [(one.source, one.ok) for one in mended] == well


def test_a_camera_that_gets_dull_or_loose_is_named() -> None:
    game, watch = ObservedGame(3), SensorWatch()

    def look(quality: float) -> Any:
        return lambda t: [Sighting(t, "row", (Seen("H01A", 0, 0, 0, quality), Seen("H02A", 0, 0, 0, quality)))]

    assert not live(game, watch, [look(0.9)] * HEALTH.looks)
    dull = live(game, watch, [look(0.3)] * HEALTH.looks)
    assert [(one.source, one.ok) for one in dull] == [("camera's view", False)]
    well = live(game, watch, [look(0.9)] * HEALTH.looks)
    assert [(one.source, one.ok) for one in well] == [("camera's view", True)]
    loose = live(game, watch, [lambda t: [Health(t, "camera", False)]] * HEALTH.losses)
    assert [one.source for one in loose] == ["camera's hold"]


def heard_by(game: ObservedGame, watch: SensorMonitor, *observations: Observation) -> list[Event]:
    game.tracker.feed(game.rig.t, observations)
    return watch.hear(game.rig.t, observations, game.tracker).events


def said(events: list[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, Said)]


def test_a_sensor_that_stays_away_is_told_with_what_is_lost_and_so_is_its_return() -> None:
    game, watch = ObservedGame(3), SensorMonitor()
    game.set_up()
    game.rig.t += 1
    gone = heard_by(game, watch, Health(game.rig.t, "camera", False, "mat not found"))
    assert [event for event in gone if isinstance(event, SensorHealth)] == [
        SensorHealth("camera", False, "mat not found")
    ]
    assert said(gone) == []
    game.rig.t += 4
    (text,) = said(heard_by(game, watch))
    assert "mat not found" in text
    assert "claims stay open" in text
    assert said(heard_by(game, watch)) == []
    assert said(heard_by(game, watch, Health(game.rig.t, "camera", True))) == ["Camera works again."]


def test_a_camera_that_starts_again_after_a_restart_is_not_told_as_gone_at_once() -> None:
    game, watch = ObservedGame(3), SensorMonitor()
    game.set_up()
    start = game.rig.t = game.rig.t + 1
    assert heard_by(game, watch, Health(start - 9, "camera", False, RESTARTED)) == []
    game.rig.t = start + 20
    assert heard_by(game, watch) == []
    back = heard_by(game, watch, Health(game.rig.t, "camera", True))
    assert [type(event) for event in back] == [SensorHealth]
    heard_by(game, watch, Health(game.rig.t, "camera", False, RESTARTED))
    game.rig.t += RESTART_S
    told = heard_by(game, watch)
    assert said(told)[0].startswith("Camera: not heard since the companion was restarted.")
    assert SensorHealth("camera", False, RESTARTED) in told


def test_a_camera_that_fails_while_it_starts_again_says_why() -> None:
    game, watch = ObservedGame(3), SensorMonitor()
    game.set_up()
    heard_by(game, watch, Health(game.rig.t, "camera", False, RESTARTED))
    game.rig.t += 2
    heard_by(game, watch, Health(game.rig.t, "camera", False, "no such device"))
    game.rig.t += 4
    (told,) = said(heard_by(game, watch))
    assert told.startswith("Camera: no such device.")


def test_a_sensor_that_drifts_names_the_setup_step_that_mends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    game, watch = ObservedGame(3), SensorMonitor()
    game.set_up()
    news = [Finding("bed 3 scale", False, "it drifts")]
    monkeypatch.setattr(watch.sensors, "feed", lambda *_: news)
    monkeypatch.setattr(SensorWatch, "failing", frozenset({"bed 3 scale"}))
    (text,) = said(heard_by(game, watch))
    assert text.startswith("Bed 3 scale: it drifts.")
    assert "q, then m (companion setup stations)" in text


def test_a_camera_that_misses_signs_is_not_told_as_one_that_sees_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Claims are judged by what it sees all the same."""
    game, watch = ObservedGame(3), SensorMonitor()
    game.set_up()
    monkeypatch.setattr(watch.sensors, "feed", lambda *_: [Finding("camera", False, "missed 2 of 8 signs")])
    monkeypatch.setattr(SensorWatch, "failing", frozenset({"camera"}))
    events = heard_by(game, watch)
    assert [one.works for one in events if isinstance(one, SensorHealth)] == [True]
    (text,) = said(events)
    assert "missed 2 of 8 signs" in text
    assert "I may miss some cards, or read them late" in text
    assert "claims stay open" not in text


def test_a_board_that_stays_away_is_told_with_the_touches_and_moves_that_are_not_felt() -> None:
    game, watch = ObservedGame(3), SensorMonitor()
    game.set_up()
    game.rig.t += 1
    heard_by(game, watch, Health(game.rig.t, "board", False, "the port vanished"))
    game.rig.t += 4
    (text,) = said(heard_by(game, watch))
    assert "Until that is mended: I feel no touch, follow no mattress that is moved, hear no button" in text


def test_no_claim_is_settled_while_a_scale_is_away_nor_after_it_missed_a_part_of_the_game() -> None:
    game, watch = ObservedGame(3), SensorMonitor()
    game.set_up()
    heard_by(game, watch, Health(game.rig.t, "bed 2 scale", False, "bed 2 scale does not answer"))
    assert game.tracker.doubted == {"bed 2 scale"}
    assert blind_spots(game.tracker) == (
        "The scale of bed 2 may have missed a move. The claim waits until all cards there are turned up.",
    )
    game.tracker.doubted = frozenset({"scales", "restless scales"})
    assert blind_spots(game.tracker) == (RESTLESS_SCALES,)
    game.tracker.doubted = frozenset({"scales"})
    assert blind_spots(game.tracker) == (SCALES_UNEVEN,)
    game.tracker.doubted = frozenset({"bed 2 scale"})
    game.rig.t += OUTAGES.long_s + 1
    heard_by(game, watch, Health(game.rig.t, "bed 2 scale", True))
    assert game.tracker.doubted == frozenset()  # nothing was played meanwhile
    heard_by(game, watch, Health(game.rig.t, "bed 2 scale", False))
    for _ in range(6):
        game.do(next(action for action in GAME.legal_actions(game.state)))
    assert len(game.tracker.steps) > 0
    heard_by(game, watch, Health(game.rig.t, "bed 2 scale", True))
    assert game.tracker.doubted == {"bed 2 scale"}
    watch.begin()
    heard_by(game, watch)
    assert game.tracker.doubted == frozenset()


def test_scales_that_do_not_add_up_are_doubted_until_they_do_and_have_moved() -> None:
    game, watch = ObservedGame(3), SensorMonitor()
    game.set_up()
    for n in range(40):
        game.rig.t += 3
        heard_by(game, watch, Count(game.rig.t, "bed 1", 2 if n >= 25 else 3, 2.0))
    assert game.tracker.doubted == {"scales"}
    assert not any(
        "2" in text for text in said([Said(0, blind_spots(game.tracker)[0])])
    )  # players may not count
    # That it adds up again says nothing as long as it may be stuck there; a move that it felt does.
    for n in range(20):
        game.rig.t += 3
        heard_by(game, watch, Count(game.rig.t, "bed 1", 3, 3.0 + n / 100))
    assert game.tracker.doubted == {"scales"}
    t = game.rig.t
    batches: list[list[Observation]] = [
        [sighting("play", "H03A", "H03B", "H03C", t=t + 1)],
        [TouchSeen(t + 2, "bed 1", True), TouchSeen(t + 2, "bed 1", False)],
        [Count(t + 3, "bed 1", 2, 2.0)],
        [Count(t + 4, "bed 4", 4, 4.0)],
    ]
    for batch in batches:
        game.rig.t += 1
        heard_by(game, watch, *batch)
    for n in range(20):
        game.rig.t += 3
        heard_by(game, watch, Count(game.rig.t, "bed 2", 3, 3.0 + n / 100))
    assert game.tracker.steps[-1].action == Move(0, 3)
    assert game.tracker.doubted == frozenset()


def slow_move(game: ObservedGame, watch: SensorMonitor, laid: int) -> list[Event]:
    """A mattress comes from bed 1 to the pad, stays in a hand and comes to bed 4, whose scale shows `laid`."""
    heard_by(game, watch, Count(game.rig.t, "bed 2", 3, 3.0))
    game.rig.t += 70
    code = game.rig.slots[game.state.beds[0][0]]
    felt = next(card.texture for card in GAME.cards("basic") if card.code == code)
    batches: list[tuple[float, list[Observation]]] = [
        (1.0, [sighting("play", "H03A", "H03B", "H03C", t=game.rig.t + 1)]),
        (6.0, [TouchSeen(game.rig.t + 7, "bed 1", True)]),
        (1.0, [TouchSeen(game.rig.t + 8, "bed 1", False)]),
        (8.0, [Count(game.rig.t + 16, "bed 1", 2, 2.0)]),
        (7.0, [TagRead(game.rig.t + 23, "pad", code)]),
        (0.7, [Texture(game.rig.t + 23.7, "pad", felt, 0.99)]),
        (3.3, [TagRead(game.rig.t + 27, "pad", None)]),
        (5.0, [Count(game.rig.t + 32, "bed 2", 3, 3.01)]),
        (5.0, [Count(game.rig.t + 37, "bed 2", 3, 3.02)]),
        (2.0, [Count(game.rig.t + 39, "bed 4", laid, float(laid))]),
        (2.0, [Count(game.rig.t + 41, "bed 2", 3, 3.04)]),
    ]
    told = []
    for later, batch in batches:
        until = game.rig.t + later
        while game.rig.t < until:
            game.rig.t = min(until, game.rig.t + 0.5)
            game.tracker.feed(game.rig.t, [])
        told += heard_by(game, watch, *batch)
    return told


def test_a_card_that_is_held_for_long_puts_its_scales_in_no_doubt_once_it_is_laid_down() -> None:
    game, watch = ObservedGame(3), SensorMonitor()
    game.set_up()
    told = slow_move(game, watch, laid=4)
    moved = game.tracker.steps[-1]
    assert moved.action == Move(0, 3)
    assert {one.sign.verb for one in moved.used} == {"lift", "tag", "texture", "put"}
    assert game.tracker.doubted == frozenset()
    assert not [one for one in told if isinstance(one, SensorHealth)]


def test_a_card_that_no_scale_gains_puts_all_of_them_in_doubt() -> None:
    game, watch = ObservedGame(3), SensorMonitor()
    game.set_up()
    slow_move(game, watch, laid=3)
    assert game.tracker.doubted == {"scales"}


def test_a_scale_in_doubt_that_was_emptied_is_not_stuck() -> None:
    game, watch = ObservedGame(3), SensorMonitor()
    game.set_up()
    for n in range(40):
        game.rig.t += 3
        heard_by(game, watch, Count(game.rig.t, "bed 1", 2 if n >= 25 else 3, 2.0 + n / 100))
    assert game.tracker.doubted == {"scales"}
    for n, shown in enumerate((3, 0, *(3,) * 12)):
        game.rig.t += 3
        heard_by(game, watch, Count(game.rig.t, "bed 1", shown, shown + n / 100))
    assert game.tracker.doubted == frozenset()


def test_a_scale_that_was_never_heard_is_doubted() -> None:
    game, watch = ObservedGame(3), SensorMonitor()
    game.set_up()
    del game.tracker.sensed.counts["bed 4"]
    events = heard_by(game, watch, Count(game.rig.t, "bed 1", 3, 3.0))
    assert game.tracker.doubted == {"bed 4 scale"}
    assert "never heard" in said(events)[0]


def test_what_is_noticed_is_in_the_journal_and_doctor_tells_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    path = tmp_path / "companion" / "journals" / "one.jsonl"
    clock, heard = ManualClock(), list[Event]()
    journal = Journal(path, sync=False)
    session = Session(GAME, "basic", 3, clock=clock, publish=heard.append, journal=journal)
    for _ in range(HEALTH.losses):
        clock.sleep(HEALTH.certain_s)
        session.take(clock.now(), [Health(clock.now(), "camera", False, "the camera moved")])
    journal.close()
    recorded = read_journal(path)
    assert [line.source for line in recorded.lines if isinstance(line, Noticed)] == ["camera's hold"]
    assert isinstance(recorded.opened, Opened)
    assert fold(GAME, recorded.opened, recorded.lines).actions == 0
    assert any(isinstance(event, SensorHealth) and event.source == "camera's hold" for event in heard)
    output = CliRunner().invoke(cli, ["doctor"]).output
    assert "camera's hold:" in output
    assert "lost the mat" in output.split("camera's hold:")[1].splitlines()[0]


def test_a_claim_in_a_game_that_was_not_followed_is_answered_all_the_same() -> None:
    """Without a camera nobody knows who sits where: the setup never ends for the companion."""
    report = rehearse_observed(3, "5+", 2, rig="pad")
    assert report.comparison.claims > 0
    assert (report.comparison.unjudged, report.comparison.wrong_verdicts) == (0, 0)
    assert report.comparison.cannot_tell == report.comparison.claims


def test_who_was_judged_already_is_not_claimed_again() -> None:
    game = ObservedGame(3)
    game.set_up()
    for n in range(2):
        game.rig.t += 3 * n
        game.tracker.feed(game.rig.t, [Button(game.rig.t, "bed 1")])
        game.rig.t += 1
        game.tracker.feed(game.rig.t, [])
    assert game.tracker.steps[-1].action == Claim(0)
    assert list(lost_claims(game.rig.t + 3, game.tracker)) == []


@pytest.mark.parametrize("doubted", [frozenset[str](), frozenset({"bed 2 scale"})])
def test_doubt_leaves_a_claim_open(doubted: frozenset[str]) -> None:
    game = ObservedGame(3)
    game.set_up()
    game.rig.t += 3
    game.tracker.doubted = doubted
    game.tracker.feed(game.rig.t, [Button(game.rig.t, "bed 1")])
    game.tracker.feed(game.rig.t + 1, [])
    assert (game.tracker.steps[-1].action == Claim(0)) != bool(doubted)
    assert [one.subject for one in game.tracker.open_claims] == ([0] if doubted else [])


def test_a_press_that_was_meant_at_another_bed_is_no_claim_without_an_answer() -> None:
    game = ObservedGame(3)
    game.tracker.feed(5.0, [Button(5.0, "bed 1")])
    assert list(lost_claims(20.0, game.tracker)) == [(5.0, 0)]
    wiring_of(game.tracker).moved.add(("bed 1", 5.0))
    assert list(lost_claims(20.0, game.tracker)) == []


def test_a_rig_without_scales_misses_none_at_its_claims() -> None:
    game = ObservedGame(3)
    game.set_up()
    del game.tracker.sensed.counts["bed 2"]
    assert blind_spots(game.tracker) == ("No scale is heard of bed 2: what was moved there nobody felt.",)
    game.tracker.sensed.counts.clear()
    assert blind_spots(game.tracker) == (GAME.words.unclear,)


def test_several_scales_work_again() -> None:
    game, watch = ObservedGame(3), SensorMonitor()
    game.set_up()
    heard_by(game, watch, Health(game.rig.t, "buttons", False, "they do not answer"))
    game.rig.t += OUTAGES.long_s + 1
    heard_by(game, watch)
    assert said(heard_by(game, watch, Health(game.rig.t, "buttons", True))) == ["Buttons work again."]


def test_a_mattress_forgotten_on_the_pad_is_named_and_no_scale_is_blamed() -> None:
    """The reader still sees it: the scales lack it rightly, and a claim waits for it."""
    game, watch = ObservedGame(3), SensorMonitor()
    game.set_up()
    game.rig.t += 70
    code = game.rig.slots[game.state.beds[0][0]]
    told = heard_by(game, watch, Count(game.rig.t, "bed 1", 2, 2.0))
    told += heard_by(game, watch, TagRead(game.rig.t + 1, "pad", code))
    for n in range(40):
        game.rig.t += 3
        told += heard_by(game, watch, Count(game.rig.t, "bed 2", 3, 3.0 + n / 100))
    assert not [one for one in told if isinstance(one, SensorHealth)]
    assert game.tracker.scales_off == []
    (left,) = game.tracker.differences()
    assert GAME.difference(game.tracker.state, left) == "A mattress still lies on the pad."
    game.rig.t += 1
    game.tracker.feed(game.rig.t, [Button(game.rig.t, "bed 1")])
    for _ in range(20):
        game.rig.t += 0.5
        game.tracker.feed(game.rig.t, [])
    assert game.tracker.state.fates[0] == AWAKE
    assert blind_spots(game.tracker) == ("A mattress still lies on the pad.",)
    # It comes back to its bed: the scales are right, and were.
    heard_by(game, watch, TagRead(game.rig.t + 1, "pad", None), Count(game.rig.t + 1, "bed 1", 3, 3.0))
    game.rig.t += 3
    heard_by(game, watch, Count(game.rig.t, "bed 2", 3, 3.0))
    assert game.tracker.doubted == frozenset()
    assert game.tracker.differences() == ()
