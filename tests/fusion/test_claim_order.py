"""People claim in any order: the button first, the cards first, or the button when all is over."""

from collections.abc import Iterator
from typing import Any

import pytest

from companion.games.sleepless_princess.rules.actions import Claim
from companion.games.sleepless_princess.virtual.perfect_rig import PerfectRig
from companion.rehearse.observations import rehearse_observed
from companion.sensing.observation import Button, Observation

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
