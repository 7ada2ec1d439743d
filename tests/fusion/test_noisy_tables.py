"""A table that is noisier than the model: claims that would fail stay open, for as long as it is so."""

from types import SimpleNamespace
from typing import Any

import pytest

from companion.fusion.claims.doubts import Doubts
from companion.fusion.claims.judge import Judge
from companion.fusion.detections import Detection, SensedTable
from companion.fusion.hypothesis import Hypothesis, Step
from companion.fusion.occlusion import HandOcclusion
from companion.fusion.parameters.claims import CLAIM
from companion.games.signs import Sign, Verb
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE
from companion.sensing.observation import Button
from tests.support.observed import GAME, ObservedGame


def chain(*steps: tuple[float, float]) -> Hypothesis[str, str]:
    """A hypothesis with steps of these times (s) and costs (nats)."""
    one: Hypothesis[str, str] = Hypothesis("")
    for t, cost in steps:
        one = Hypothesis("", one.cost + cost, step=Step(t, "", "", ""), parent=one, depth=one.depth + 1)
    return one


@pytest.mark.parametrize(
    ("early", "late", "noisy"),
    [(3 * CLAIM.noisy, 0.5 * CLAIM.noisy, False), (0.1 * CLAIM.noisy, 1.1 * CLAIM.noisy, True)],
    ids=["at first", "now"],
)
def test_only_the_noise_of_the_last_minutes_counts(early: float, late: float, noisy: bool) -> None:
    now = 1000.0
    before = [(now - CLAIM.noisy_s - n, early) for n in range(100, 0, -1)]
    lately = [(now - n, late) for n in range(2 * CLAIM.noisy_steps, 0, -1)]
    assert Judge._noisy(now, chain(*before, *lately)) is noisy


def test_few_steps_say_nothing_of_a_table() -> None:
    assert not Judge._noisy(50.0, chain(*((float(n), 9.0) for n in range(CLAIM.noisy_steps - 1))))


@pytest.mark.parametrize("hers", [True, False], ids=["she sleeps", "still awake"])
def test_noise_holds_back_that_a_claim_fails_and_never_that_she_sleeps(
    monkeypatch: pytest.MonkeyPatch, hers: bool
) -> None:
    game = ObservedGame(3)
    game.set_up()
    if hers:
        state = game.tracker.state
        own = tuple(2 * kind + (n == 2) for kind in state.princesses for n in range(3))
        game.tracker.begin(state._replace(faces=own))
    monkeypatch.setattr(Judge, "_noisy", staticmethod(lambda *_: True))
    t = game.rig.t
    for n in range(6):
        game.tracker.feed(t + n / 2, [Button(t, "bed 1")] if not n else [])
    assert game.tracker.state.fates[0] == (ASLEEP if hers else AWAKE)
    assert bool(game.tracker.open_claims) is not hers


@pytest.mark.parametrize("counted", [True, False])
def test_where_the_number_of_cards_settles_a_claim_nobody_is_asked(
    monkeypatch: pytest.MonkeyPatch, counted: bool
) -> None:
    monkeypatch.setattr(Judge, "_counted", lambda *_: counted)
    monkeypatch.setattr(Judge, "_divides", lambda *_: True)
    state: Any = GAME.empty_table("basic", 3)
    sensed = SensedTable({}, (), {})
    press = Detection(0, 10.0, Sign(Verb.PRESS, "bed 1"))
    sensed.detections.append(press)
    beam: Any = SimpleNamespace(sensed=sensed)
    judge: Judge[Any, Any] = Judge(GAME, Doubts(GAME, HandOcclusion()))
    assert judge.divided(10.0 + CLAIM.judge_after_s, beam, state) == (None if counted else press)
