"""Whole games through real pixels and real serial bytes, held against the truth; and recordings of them."""

from pathlib import Path

import pytest

from companion.clock import ManualClock
from companion.config import load_config
from companion.events import Event, Score
from companion.games.registry import load_game
from companion.rehearse.command import tables_for
from companion.rehearse.compare import differences
from companion.rehearse.harness import FRAME_S, rehearse_game
from companion.rehearse.observed import rehearse_observed
from companion.replay import replay_journal
from companion.session import Session
from companion.sources import BoardSource, watch
from companion.virtual.truth import read_truth
from firmware.link import open_link
from vision.capture import open_camera


@pytest.mark.parametrize(("seed", "variant", "players"), [(21, "basic", 3), (23, "5+", 4)])
def test_a_clean_game_is_tracked_to_its_true_end(seed: int, variant: str, players: int) -> None:
    report = rehearse_game(seed, variant, players, pace=0.4)
    compared = report.comparison
    assert compared.faults == ()
    assert compared.claims > 0
    assert (compared.wrong_verdicts, compared.cannot_tell, compared.unjudged) == (0, 0, 0)
    assert (report.keys_pressed, report.questions_asked) == (0, 0)
    assert max(compared.verdict_ms) <= 1000  # of table time, not of this machine's


def test_a_recorded_game_is_watched_again(tmp_path: Path) -> None:
    """Video and capture lead the companion to the same end; so does the journal."""
    folder = tmp_path / "game"
    report = rehearse_game(22, "5+", 2, pace=0.4, record=folder)
    assert report.comparison.faults == ()
    replayed = replay_journal(folder / "journal.jsonl")
    assert replayed["matches"]
    assert replayed["score"] == report.comparison.score

    settings = load_config(folder / "companion.toml")
    game, clock, events = load_game(settings.game), ManualClock(), list[Event]()
    sources = [
        BoardSource(open_link(settings.port, clock), settings.tags, settings.stations),
        watch(game, settings.variant, open_camera(settings.camera, clock), clock),
    ]
    session = Session(game, settings.variant, settings.players, clock=clock, publish=events.append)
    while not all(source.finished for source in sources):
        session.step(sources)
        clock.sleep(FRAME_S)
    truth = game.read_state(read_truth(folder / "truth.jsonl")[-1].state)
    assert differences(truth, session.tracker.state) == ()
    assert [event.lulled for event in events if isinstance(event, Score)] == [report.comparison.score]


def test_many_games_through_observations() -> None:
    claims = 0
    for seed in range(4):
        for variant, players in tables_for(None, None):
            report = rehearse_observed(seed, variant, players)
            compared = report.comparison
            assert compared.faults == (), (seed, variant, players)
            assert (compared.wrong_verdicts, compared.cannot_tell, compared.unjudged) == (0, 0, 0)
            claims += compared.claims
    assert claims > 50


def test_the_plan_covers_every_table() -> None:
    assert tables_for(None, None) == [("basic", n) for n in (2, 3, 4, 5)] + [("5+", n) for n in (2, 3, 4)]
    assert tables_for("5+", 3) == [("5+", 3)]
