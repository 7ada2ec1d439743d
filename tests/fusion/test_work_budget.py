"""The budget of a batch: what it cuts off goes on in later batches, and leads to the same."""

from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from companion.fusion import work_budget
from companion.fusion.beam import Beam
from companion.fusion.parameters.search import WORK
from companion.sensing.observation import Count
from companion.virtual.games.sleepless_princess.comparison import differences
from tests.support.inside import beam_of
from tests.support.observed import ObservedGame, sighting


def started() -> ObservedGame:
    game = ObservedGame(3)
    game.set_up()
    return game


def found(beam: Beam[Any, Any]) -> list[tuple[float, Any]]:
    return [(round(cost, 6), hypothesis.state) for cost, hypothesis in beam.scored]


def puzzled(left: int) -> tuple[Beam[Any, Any], float]:
    """A beam that has begun to explain two cards played and a mattress that moved, with so much work left."""
    game = started()
    beam, t = beam_of(game.tracker), game.rig.t + 1
    beam.take(t, [sighting("play", "H03A", "H03B", t=t), Count(t, "bed 5", 2, 2.0), Count(t, "bed 4", 4, 4.0)])
    beam.budget.left = left
    beam.think(t)
    return beam, t


def test_a_search_that_was_cut_off_goes_on_to_the_same_hypotheses() -> None:
    whole, _ = puzzled(10**9)
    assert not whole.unfinished
    cut, t = puzzled(200)
    assert cut.unfinished
    assert found(cut) != found(whole)
    batches = 0
    while cut.unfinished:
        cut.budget.left = 200
        cut.think(t + 0.25 * batches)
        batches += 1
    assert batches > 5
    assert found(cut) == found(whole)
    assert cut.looked == whole.looked


def test_a_search_that_was_cut_off_begins_anew_once_something_is_sensed() -> None:
    beam, t = puzzled(200)
    beam.take(t + 1, [Count(t + 1, "bed 4", 3, 3.0)])
    beam.budget.left = 10**9
    beam.think(t + 1)
    assert not beam.unfinished
    assert any(one.sign[:2] == ("lift", "bed 4") and one.t == t + 1 for one in beam.sensed.detections)


def test_a_game_is_followed_with_a_fraction_of_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_budget, "WORK", replace(WORK, batch=300))
    game, cut_off = started(), 0
    beam_of(game.tracker).budget.refill()
    for _ in islice(game.play_on(), 30):
        for _ in range(40):
            cut_off += beam_of(game.tracker).unfinished
            game.rig.t += 0.25
            game.feed([])
        assert differences(game.state, game.tracker.state) == ()
    assert cut_off > 30
