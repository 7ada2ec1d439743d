"""People claim in any order: the button first, the cards first, or the button when all is over."""

from collections.abc import Iterator
from typing import Any

import pytest

from companion.fusion.claims.judge import BARE_S, GIVEN_UP_S
from companion.fusion.tracker import Tracker
from companion.games.sleepless_princess.rules.actions import Claim
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, OUT, Phase
from companion.games.sleepless_princess.virtual.perfect_rig import PerfectRig
from companion.rehearse.observations import rehearse_observed
from companion.sensing.observation import Button, ManualEntry, Observation, Sighting
from tests.support.observed import GAME, ObservedGame, sighting

PRESSED = {"after the cards are turned up": 1, "when the tile lies there": 2}
"""When the button is pressed: its place among cards up, and cards down with the tile."""
_notice = PerfectRig.notice


@pytest.mark.parametrize("seed", [7101, 7102])
@pytest.mark.parametrize("when", PRESSED)
def test_the_cards_and_the_tile_have_the_last_word(
    monkeypatch: pytest.MonkeyPatch, when: str, seed: int
) -> None:
    def notice(rig: PerfectRig, before: Any, action: Any, after: Any) -> Iterator[list[Observation]]:
        if not isinstance(action, Claim):
            yield from _notice(rig, before, action, after)
            return
        batches = list(rig._turn_up(before, after, action.bed))
        yield from batches[: PRESSED[when]]
        yield [Button(rig._tick(), f"bed {action.bed + 1}")]
        yield from batches[PRESSED[when] :]

    monkeypatch.setattr(PerfectRig, "notice", notice)
    report = rehearse_observed(seed, "basic", 3, noise="clean")
    assert report.comparison.faults == ()
    assert report.comparison.claims == 5
    assert report.comparison.wrong_verdicts == 0


@pytest.mark.parametrize("tile", [False, True])
def test_a_part_of_her_mattresses_is_a_failed_claim_without_scales_unless_her_tile_comes(tile: bool) -> None:
    """The camera alone: nobody weighs whether the third one lay there, hidden. Her tile may still come."""
    game = ObservedGame(3)
    tracker: Tracker[Any, Any] = Tracker(GAME, "basic", GAME.empty_table("basic", 3))
    for batch in game.rig.setup(game.state):
        tracker.feed(game.rig.t, [seen for seen in batch if isinstance(seen, Sighting)])
    t, hers = game.rig.t + 20, f"M{game.state.princesses[1]}"
    tracker.feed(t, [sighting("play", "H02D", "H06E", "H03E", "H05C", "H08C", t=t)])
    tracker.feed(t + 10, [ManualEntry(t + 10, "claim", {"station": "bed 2"})])
    tracker.feed(t + 12, [sighting("bed 2", f"{hers}A", f"{hers}B", t=t + 12)])
    tracker.feed(t + 15, [sighting("bed 2", t=t + 15)])
    fates = []
    for n in range(round(2 * GIVEN_UP_S)):
        hers_seen = [sighting("bed 2", f"P{game.state.princesses[1]}D", t=t + 17)] if tile and n == 2 else []
        tracker.feed(t + 15 + n, hers_seen)
        fates.append(tracker.state.fates[1])
    assert fates[1] == AWAKE
    assert OUT not in fates[: round(GIVEN_UP_S)]
    assert fates[-1] == (ASLEEP if tile else OUT)


@pytest.mark.parametrize("empty", [True, False])
def test_a_claim_after_which_nothing_is_turned_up_asks_whether_the_bed_is_empty(empty: bool) -> None:
    """The camera alone: nobody weighs that no mattress lies there, and other players play on."""
    game = ObservedGame(3)
    tracker: Tracker[Any, Any] = Tracker(GAME, "basic", GAME.empty_table("basic", 3))
    for batch in game.rig.setup(game.state):
        tracker.feed(game.rig.t, [seen for seen in batch if isinstance(seen, Sighting)])
    t = game.rig.t + 20
    tracker.feed(t, [ManualEntry(t, "claim", {"station": "bed 2"})])
    tracker.feed(t + BARE_S - 1, [sighting("play", "H02D", "H06E", "H03E", "H05C", "H08C", t=t + 12)])
    assert tracker.open_claims
    assert tracker.asked is None
    for n in range(3):
        tracker.feed(t + BARE_S + n, [])
    assert tracker.asked is not None
    assert tracker.asked.fact == GAME.empty_fact(tracker.state, 1)
    tracker.answer(t + 20, tracker.asked.fact, empty)
    for n in range(10):
        tracker.feed(t + 21 + n, [])
        assert tracker.asked is None
    assert tracker.state.fates[1] == (OUT if empty else AWAKE)
    assert bool(tracker.open_claims) is not empty
    assert tracker.state.phase is Phase.CHECK
