"""A game that goes on after the program was killed: what was believed, what was open, and what is not known."""

from pathlib import Path
from typing import Any, ClassVar

import pytest

from companion.core.clock import ManualClock
from companion.fusion.hypothesis import Step
from companion.fusion.parameters.health import HEALTH
from companion.fusion.publisher import Change
from companion.games.sleepless_princess.rules.state import AWAKE
from companion.rehearse.games_in_observations import rehearse_observed
from companion.rehearse.watched_session import Told
from companion.sensing.observation import Button, Count, Health, ManualEntry, Observation
from companion.session.entries.without_keys import BEFORE_RESTART
from companion.session.journal.journal import Journal, read_journal
from companion.session.journal.journal_fold import fold
from companion.session.journal.journal_lines import Adopted, Done, Line, Observed, Opened, Revoked
from companion.session.journal.journal_replay import replay_journal
from companion.session.recovery import BREAK_S, REBOOT_S
from companion.session.session import Session
from companion.session.stream.commands import Undo
from companion.session.stream.events import Claimed, Event, Said, SensorHealth
from tests.support.journaled import Beginning, beginning, copy
from tests.support.observed import GAME, SensedGame


class Table:
    """A session with a journal on disk, that can be killed and started again."""

    _played: ClassVar[dict[str, Beginning]] = {}

    def __init__(self, folder: Path, variant: str = "basic", players: int = 3) -> None:
        self.path = folder / "game.jsonl"
        self.clock = ManualClock()
        self.events: list[Event] = []
        self._table = (GAME, variant, players)
        self.session = self._session(None)

    def take(self, t: float, *batch: Observation) -> None:
        self.clock.sleep(max(0.0, t - self.clock.now()))
        self.session.take(t, batch)

    def wait(self, seconds: float) -> None:
        """Nothing is heard for so long."""
        for _ in range(int(4 * seconds)):
            self.clock.sleep(0.25)
            self.session.take(self.session.now(), [])

    def play(self, game: SensedGame) -> None:
        """All that was sensed of a game so far, by a session that begins: followed once, copied later."""
        assert not self.clock.now()
        key = repr(game.batches)
        if key in self._played:
            self.journal.close()
            vars(self).update(copy(self._played[key], self.path) | {"path": self.path})
            return
        for t, batch in game.batches:
            self.take(t, *batch)
        self._played[key] = beginning(self, self.path)

    def restart(self, clock: ManualClock | None = None) -> Session:
        """The program is killed and started again, perhaps by another clock; the session before."""
        before = self.session
        self.journal.close()
        self.clock = clock or self.clock
        self.events.clear()
        self.session = self._session(read_journal(self.path).lines)
        return before

    def report(self, game: SensedGame) -> list[Observation]:
        """What the sensors tell a program that has just started: all that lies there."""
        t, beds = self.session.now(), game.state.beds
        counts = [Count(t, f"bed {n}", len(bed), float(len(bed))) for n, bed in enumerate(beds, 1)]
        return [Health(t, "camera", True), Health(t, "board", True), *counts]

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    def _session(self, recorded: tuple[Line, ...] | None) -> Session:
        game, variant, players = self._table
        self.journal = Journal(self.path, sync=False, resume=recorded is not None)
        return Session(
            game,
            variant,
            players,
            clock=self.clock,
            publish=self.events.append,
            journal=self.journal,
            recorded=recorded,
        )


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path)


def laid_out() -> SensedGame:
    game = SensedGame(3)
    game.set_up()
    return game


def beliefs(session: Session) -> list[tuple[float, Any]]:
    return [(round(cost, 6), node.state) for cost, node in session.tracker.hypotheses]


@pytest.mark.long
def test_every_hypothesis_is_kept_with_its_cost(tmp_path: Path) -> None:
    """Amid this deal several are carried; one of them alone led to wrong verdicts at the end of the game."""
    rehearse_observed(5, "basic", 2, noise="home", record=tmp_path / "game", rash=1.0)
    recorded = read_journal(tmp_path / "game/journal.jsonl")
    batches = [line for line in recorded.lines if isinstance(line, Observed)][:84]
    table = Table(tmp_path, "basic", 2)
    for line in batches:
        table.take(line.t, *line.o)
    assert len({state for _, state in beliefs(table.session)}) > 1
    before = table.restart()
    assert beliefs(table.session) == beliefs(before)
    assert [one.sign for one in table.session.tracker.sensed.detections] == [
        one.sign for one in before.tracker.sensed.detections
    ]


@pytest.mark.long
def test_a_history_that_the_rules_refuse_stops_no_game(table: Table) -> None:
    game = laid_out()
    table.play(game)
    table.journal.write([Done(game.rig.t, "claim 1=asleep"), Done(game.rig.t, "claim 1=asleep")])
    before = table.restart()
    assert beliefs(table.session) == beliefs(before)
    assert isinstance(read_journal(table.path).lines[-2], Adopted | Observed)


@pytest.mark.long
def test_a_claim_pressed_just_before_is_judged_when_the_sensors_are_back(table: Table) -> None:
    game = laid_out()
    table.play(game)
    table.take(game.rig.t + 1, Button(game.rig.t + 1, "bed 2"))
    table.restart()
    table.wait(3)
    assert not table.of(Claimed)  # what lies there nobody has told yet
    table.session.take(table.session.now(), table.report(game))
    table.wait(3)
    assert [(said.subject, said.verdict) for said in table.of(Claimed)] == [(2, "refuted")]


def test_a_claim_waits_no_longer_than_some_seconds_for_sensors_that_do_not_come(table: Table) -> None:
    game = laid_out()
    table.play(game)
    table.take(game.rig.t + 1, Button(game.rig.t + 1, "bed 2"))
    table.restart()
    table.wait(10)
    assert [(said.subject, said.verdict) for said in table.of(Claimed)] == [(2, "cannot tell")]


def test_an_open_claim_is_still_open_and_named_again(table: Table) -> None:
    game = laid_out()
    table.play(game)
    t = game.rig.t
    table.take(t + 1, Health(t + 1, "board", False, "the cable was pulled"))
    table.take(t + 2, ManualEntry(t + 2, "claim", {"station": "bed 2"}))
    table.wait(3)
    assert [(said.subject, said.verdict) for said in table.of(Claimed)] == [(2, "cannot tell")]
    table.restart()
    table.wait(10)
    assert [(said.subject, said.verdict) for said in table.of(Claimed)] == [(2, "cannot tell")]
    assert [claim.subject for claim in table.session.tracker.open_claims] == [1]


@pytest.mark.quick(1)
@pytest.mark.parametrize(("shown", "counts"), [(3.0, 3.0), (3600.0, BREAK_S), (-1.0, REBOOT_S)])
def test_time_goes_on_from_the_last_line_whatever_the_clock_shows(
    table: Table, shown: float, counts: float
) -> None:
    """`reveal`: what the machine's clock is ahead of the last line (s), or that it began anew."""
    game = laid_out()
    table.play(game)
    last = table.session.now()
    table.restart(ManualClock(last + shown if shown > 0 else 7.0))
    assert table.session.now() == pytest.approx(last + counts)
    source = Told()
    source.waiting = [Count(table.clock.now(), "bed 1", 2, 2.0)]
    table.session.step([source])
    times = [line.t for line in read_journal(table.path).lines if isinstance(line, Observed)]
    assert times == sorted(times)
    (seen,) = [line.o for line in read_journal(table.path).lines if isinstance(line, Observed)][-1]
    assert seen.t == pytest.approx(table.session.now(), abs=1e-3)


def test_sensors_count_as_away_until_they_are_heard(table: Table) -> None:
    table.play(laid_out())
    table.restart()
    assert table.session.tracker.sensed.silent == {"camera", "board"}
    # Screens show them as starting: neither well nor broken.
    assert not {"camera", "board"} & table.session.screens.health.keys()
    t = table.session.now()
    table.session.take(t, [Health(t, "camera", True), Count(t, "bed 1", 1, 1.0)])
    assert not table.session.tracker.sensed.silent


@pytest.mark.quick(1)
@pytest.mark.parametrize("wait", [4, 40])
def test_cards_that_were_moved_meanwhile_are_seen_to_be_elsewhere_and_no_claim_is_settled_on_them(
    table: Table, wait: int
) -> None:
    game = laid_out()
    table.play(game)
    table.restart(ManualClock(table.clock.now() + 3600))
    t = table.session.now()
    counts = {f"bed {n}": len(bed) for n, bed in enumerate(game.state.beds, 1)}
    counts["bed 1"] -= 2
    counts["bed 3"] += 2
    told = [Count(t, station, n, float(n)) for station, n in counts.items()]
    table.session.take(t, [Health(t, "camera", True), Health(t, "board", True), *told])
    table.wait(wait)
    t = table.session.now()
    table.session.take(t, [Button(t, "bed 1"), Button(t, "bed 3")])
    table.wait(10)
    assert {said.verdict for said in table.of(Claimed)} == {"cannot tell"}
    assert not [said for said in table.of(Said) if said.kind == "fault"]  # the sensors were there in time
    assert set(table.session.tracker.state.fates) == {AWAKE}


def test_what_people_answered_is_told_as_known_and_not_as_misread(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.play(laid_out())
    told: list[bool] = []
    announcer = table.session._announcer
    tell = announcer.tell

    def heard(t: float, change: Change[Any, Any], *, answered: bool = False) -> list[Event]:
        told.append(answered)
        return tell(t, change, answered=answered)

    monkeypatch.setattr(announcer, "tell", heard)
    t = table.session.now()
    answer = {"turn": 1, "question": "any", "id": "x", "yes": True}
    table.session.take(t, [ManualEntry(t, "answer", answer)])
    table.session.take(t + 1, [Health(t + 1, "camera", True)])
    assert (told[0], told[-1]) == (True, False)


@pytest.mark.long
def test_restarts_are_no_fault_of_the_camera(table: Table) -> None:
    """One that loses the mat so often in ten minutes is told to be loose."""
    game = laid_out()
    table.play(game)
    for _ in range(HEALTH.losses + 1):
        table.restart()
        table.wait(1)
        table.session.take(table.session.now(), table.report(game))
    assert not [said for said in table.of(SensorHealth) if "hold" in said.source]


@pytest.mark.long
def test_a_journal_that_another_version_understood_otherwise_is_gone_on_with_consistently(table: Table) -> None:
    table.play(laid_out())
    t = table.session.now()
    table.journal.write([Revoked(t, 1), Observed(t, (Health(t, "stickers", True),))])
    table.restart()
    table.wait(1)
    assert [line for line in read_journal(table.path).lines if isinstance(line, Adopted)]
    recorded = read_journal(table.path)
    state = fold(GAME, recorded.opened, recorded.lines).state
    assert state == table.session.tracker.state


@pytest.mark.long
def test_what_another_version_published_stands_and_is_not_taken_back_in_its_journal(table: Table) -> None:
    table.play(laid_out())
    state = table.session.tracker.state
    other = next(
        action for action in GAME.legal_actions(state) if GAME.outcome(GAME.apply(state, action)) is None
    )
    table.journal.write([Done(table.session.now(), GAME.write_action(other))])
    published = GAME.apply(state, other)
    for _ in range(2):  # the second start finds what the first one has adopted
        table.restart()
        assert table.session.step([], [Undo("")]) == [BEFORE_RESTART]
        recorded = read_journal(table.path)
        assert fold(GAME, recorded.opened, recorded.lines).state == table.session.tracker.state == published


def test_what_is_recorded_as_it_was_understood_can_be_taken_back_after_a_restart(table: Table) -> None:
    table.play(laid_out())
    steps = len(table.session.tracker.steps)
    table.restart()
    assert table.session.step([], [Undo("")]) == []
    assert len(table.session.tracker.steps) == steps - 1
    assert table.session.keep()
    recorded = read_journal(table.path)
    assert fold(GAME, recorded.opened, recorded.lines).state == table.session.tracker.state


def test_cards_that_were_corrected_amid_a_revised_history_are_in_its_journal(table: Table) -> None:
    """Turned up cards had said that two hidden ones were each other; then what came before was revised."""
    table.play(laid_out())
    session = table.session
    *_, first, last = session.tracker.steps
    faces = list(last.before.faces)
    faces[0], faces[3] = faces[3], faces[0]
    corrected = last.before._replace(faces=tuple(faces))
    assert corrected != last.before
    after = GAME.apply(corrected, last.action)
    session.tracker._publisher.state = after
    lines: list[Line] = []
    session.tell_change(
        session.now(), Change((last, first), (first, Step(last.t, corrected, last.action, after))), lines
    )
    recorded = read_journal(table.path)
    assert fold(GAME, recorded.opened, [*recorded.lines, *lines]).state == after


@pytest.mark.long
def test_what_a_power_cut_kept_from_the_journal_is_recorded_once(table: Table) -> None:
    game = laid_out()
    table.play(game)
    table.journal.close()
    lines = table.path.read_bytes().splitlines(keepends=True)
    assert b'"done"' in lines[-1]
    table.path.write_bytes(b"".join(lines[:-1]))
    table.restart()
    written = read_journal(table.path).lines
    assert written[len(lines) - 2] == next(line for line in reversed(written) if isinstance(line, Done))
    told = [line for line in table.session.statements.recorded.lines if isinstance(line, Done)]
    assert told == [line for line in written if isinstance(line, Done)]
    assert replay_journal(table.path)["matches"]


def test_a_journal_of_nothing_but_its_first_line_begins_at_once(table: Table) -> None:
    table.restart(ManualClock(5.0))
    assert table.session.now() == 5.0
    assert not table.of(SensorHealth)
    assert isinstance(read_journal(table.path).opened, Opened)


@pytest.mark.long
def test_a_rehearsed_game_comes_to_the_same_end_with_three_restarts() -> None:
    report = rehearse_observed(4, "5+", 2, restarts=3, rash=1.0)
    assert report.comparison.faults == ()
    assert report.comparison.wrong_verdicts == report.comparison.unjudged == 0
