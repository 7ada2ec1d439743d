"""The grid of time: what is believed follows from the recorded observations, however their batches came."""

from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.clock import ManualClock
from companion.fusion.tracker import Tracker
from companion.sensing.observation import Button, Count, Observation
from companion.session.journal.journal import Journal, read_journal
from companion.session.journal.journal_lines import Observed
from companion.session.journal.journal_replay import relive
from companion.session.session import Session
from companion.session.stream.events import Event
from companion.session.time_grid import EVERY_POINT_S, GRID_S, QUIET_S, TimeGrid
from tests.support.observed import GAME, ObservedGame

TABLE = ("5+", 2)


def moments(grid: TimeGrid, t: float, *times: float) -> list[tuple[float, int]]:
    return [(at, len(seen)) for at, seen in grid.moments(t, [Button(own, "bed 1") for own in times])]


def test_observations_have_moments_of_their_own_between_the_points_of_the_grid() -> None:
    grid = TimeGrid()
    assert moments(grid, 0.9) == [], "nothing was reported yet"
    assert moments(grid, 1.1, 1.02, 1.02, 1.1) == [(1.02, 2), (1.1, 1)]
    assert moments(grid, 1.65) == [(1.35, 0), (1.6, 0)]
    assert moments(grid, 1.8) == []
    assert moments(grid, 1.9, 1.84, 1.88) == [(1.85, 0), (1.9, 2)], "one is older than a point that has passed"
    assert moments(grid, 1.91, 1.89) == [(1.91, 1)]
    assert moments(grid, 2.3, 2.2, 2.3) == [(2.16, 0), (2.2, 1), (2.3, 1)]
    assert moments(grid, 3.0) == [(2.55, 0), (2.8, 0)]


def test_moments_that_are_recorded_lead_to_the_same_moments() -> None:
    grid, again = TimeGrid(), TimeGrid()
    times = [(1.0, [1.0]), (1.7, [1.1, 1.6]), (1.79, []), (2.3, [2.2, 2.29, 2.1]), (2.9, [2.85, 2.9])]
    told = [one for t, own in times for one in grid.moments(t, [Button(at, "bed 1") for at in own])]
    recorded = [one for t, seen in told if seen for one in again.moments(t, seen)]
    assert recorded == told
    assert [at for at, seen in told if seen] == [1.0, 1.7, 2.3, 2.85, 2.9]


def test_time_in_which_the_program_did_not_run_has_no_moments() -> None:
    grid = TimeGrid()
    moments(grid, 1.1, 1.1)
    grid.skip(9.1)
    assert moments(grid, 9.4, 9.3) == [(9.35, 0), (9.4, 1)]


def test_a_long_silence_has_few_moments() -> None:
    grid = TimeGrid()
    moments(grid, 10.0, 10.0)
    quiet = [at for at, _ in moments(grid, 1810.0)]
    assert quiet[: int(EVERY_POINT_S / GRID_S)] == [10 + GRID_S * n for n in range(1, 49)]
    assert len(quiet) < 600


def test_a_time_that_jumps_has_no_more_moments_than_a_day() -> None:
    grid = TimeGrid()
    moments(grid, 10.0, 10.0)
    quiet = [at for at, _ in moments(grid, 1e12, 1e12)]
    assert quiet[-2:] == [10 + QUIET_S, 1e12]
    assert len(quiet) < 20_000
    assert moments(grid, 1e12 + 0.3) == [(1e12 + GRID_S, 0)], "then it goes on as ever"


def played() -> list[Observation]:
    """What is reported of a deal and some turns, with a restless scale and a claim."""
    game = ObservedGame(3, *TABLE)
    game.set_up()
    for _ in islice(game.play_on(), 6):
        game.rig.t += 5
    seen = [one for _, batch in game.batches for one in batch]
    end, there = seen[-1].t, game.tracker.sensed.counts["bed 3"]
    restless = [Count(end + 0.3, "bed 3", there + 1, 0.0), Count(end + 3.2, "bed 3", there, 0.0)]
    return [*seen, restless[0], Button(end + 2.1, "bed 2"), restless[1]]


def believed(tracker: Tracker[Any, Any]) -> tuple[Any, ...]:
    steps = [(step.t, step.action, round(step.cost, 9)) for step in tracker.steps]
    carried = [(round(cost, 9), hypothesis.state) for cost, hypothesis in tracker.hypotheses]
    return tracker.state, steps, carried, list(tracker.posteriors)


def batches(seen: list[Observation], chance: Random) -> list[tuple[float, list[Observation]]]:
    """The same observations in other batches, with empty ones between. Within the grid all come in time."""
    cut: list[list[Observation]] = []
    point = 0.0
    for one in seen:
        if cut and (one.t == cut[-1][-1].t or (one.t < point and chance.random() < 0.5)):
            cut[-1].append(one)
            continue
        last = cut[-1][-1].t if cut else one.t
        point = last + GRID_S * (1 + int((one.t - last) / GRID_S))
        cut.append([one])
    found: list[tuple[float, list[Observation]]] = []
    for together in cut:
        if found and chance.random() < 0.7:
            since, until = found[-1][0], together[0].t
            found += [(t, []) for t in sorted(chance.uniform(since, until) for _ in range(chance.randrange(6)))]
        found.append((together[-1].t, together))
    return found


def followed(
    fed: list[tuple[float, list[Observation]]], journal: Journal | None = None
) -> tuple[Session, list[Event]]:
    clock, events = ManualClock(), list[Event]()
    session = Session(GAME, *TABLE, clock=clock, publish=events.append, journal=journal)
    for t, together in fed:
        clock.sleep(max(0.0, t - clock.now()))
        session.take(t, together)
    return session, events


@pytest.mark.long
def test_batches_cut_otherwise_and_empty_ones_change_nothing(tmp_path: Path) -> None:
    seen = played()
    end = seen[-1].t + 16
    groups: dict[float, list[Observation]] = {}
    for one in seen:
        groups.setdefault(one.t, []).append(one)
    plain, told = followed([*groups.items(), (end, [])])
    journal = Journal(tmp_path / "game.jsonl", sync=False)
    other, said = followed([*batches(seen, Random(1)), (end - 7, []), (end, [])], journal)
    assert believed(other.tracker) == believed(plain.tracker)
    assert said == told
    journal.close()
    recorded = read_journal(tmp_path / "game.jsonl")
    again, _ = relive(GAME, recorded)
    again.take(end, [])
    assert believed(again.tracker) == believed(plain.tracker)
    assert any(isinstance(line, Observed) and not line.o for line in recorded.lines), "time alone led to a step"
