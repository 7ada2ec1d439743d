"""Presses at many beds in a row are no claims until cards are turned up; no end is told because of presses."""

from collections.abc import Sequence

import pytest

from companion.fusion.claims.button_floods import ButtonFloods
from companion.fusion.claims.questions import OpenQuestion, QuestionPlanner
from companion.fusion.parameters.claims import CLAIM
from companion.fusion.parameters.people import PEOPLE
from companion.games.hidden_cards import AskableFact
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, OUT, Phase
from companion.sensing.observation import Button, ManualEntry, Observation
from tests.support.observed import ObservedGame

BEDS = tuple(f"bed {bed}" for bed in range(1, 6))


def floods(*presses: tuple[float, str]) -> ButtonFloods:
    found = ButtonFloods(BEDS)
    for t, place in presses:
        found.hear([Button(t, place)])
    return found


@pytest.mark.parametrize(
    ("presses", "flood"),
    [
        ([(1.0, "bed 1"), (2.0, "bed 2"), (5.9, "bed 3")], True),
        ([(1.0, "bed 1"), (2.0, "bed 2"), (6.1, "bed 3")], False),
        ([(1.0, "bed 1"), (2.0, "bed 2"), (3.0, "bed 1"), (4.0, "bed 2")], False),
        ([(1.0, "bed 1"), (2.0, "bed 2"), (3.0, "pad")], False),
    ],
    ids=["three beds", "too late", "two beds", "no bed"],
)
def test_three_beds_within_five_seconds_are_a_flood(presses: list[tuple[float, str]], flood: bool) -> None:
    found = floods(*presses)
    assert found.includes(2.0) is flood
    assert len(found.found) == flood


def test_a_long_flood_is_one_and_a_later_one_is_another() -> None:
    found = floods(*((n * 0.9, f"bed {n % 5 + 1}") for n in range(20)))
    assert len(found.found) == 1
    for n, t in enumerate((40.0, 40.4, 40.8)):
        found.hear([ManualEntry(t, "claim", {"station": BEDS[n]})])
    assert [one[2] for one in found.found] == [frozenset(BEDS), frozenset(BEDS[:3])]
    assert not found.includes(30.0)


def test_a_press_beside_another_one_may_become_a_flood_for_five_seconds() -> None:
    found = floods((10.0, "bed 1"))
    assert not found.may_include(10.0, "bed 1", 10.1), "a single press waits for nothing"
    found.hear([Button(12.0, "bed 2")])
    for t, place in ((10.0, "bed 1"), (12.0, "bed 2")):
        assert found.may_include(t, place, 10.0 + PEOPLE.flood_s)
        assert not found.may_include(t, place, 10.1 + PEOPLE.flood_s)


class Buttons:
    """A game amid its first turns, and hands at its buttons."""

    def __init__(self) -> None:
        self.game = ObservedGame(3)
        self.game.set_up()
        self.tracker = self.game.tracker

    @property
    def fates(self) -> tuple[int, ...]:
        fates: tuple[int, ...] = self.tracker.state.fates
        return fates

    def press(self, *beds: int, gap: float = 0.6) -> None:
        for bed in beds:
            self.feed([Button(self.game.rig.t + gap, f"bed {bed}")], gap)

    def feed(self, batch: Sequence[Observation], after: float = 0.0) -> None:
        self.game.rig.t += after
        self.game.feed(list(batch))

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.5)):
            self.feed([], 0.5)

    def turn_up(self, bed: int) -> None:
        """The mattresses of a bed are turned up."""
        rig = self.game.rig
        lying = [rig.slots[slot] for slot in self.game.state.beds[bed - 1]]
        self.feed([rig.count(bed - 1, -3), rig.zone(f"bed {bed}", lying)])
        self.wait(3)


def test_a_child_at_the_buttons_claims_nothing_until_cards_are_turned_up() -> None:
    table = Buttons()
    for _ in range(3):
        table.press(1, 2, 3, 4, 5)
        table.wait(9)
    assert table.fates == (AWAKE,) * 5
    assert len(table.tracker.floods.found) == 3
    assert not table.tracker.open_claims
    assert not table.tracker.posteriors
    assert table.tracker.asked is None
    table.turn_up(2)
    assert [bed for bed, fate in enumerate(table.fates, 1) if fate != AWAKE] == [2]


@pytest.mark.parametrize("flood", [True, False])
def test_only_a_question_that_a_flood_led_to_is_withdrawn(monkeypatch: pytest.MonkeyPatch, flood: bool) -> None:
    monkeypatch.setattr(QuestionPlanner, "consider", lambda *_, **__: None)
    table = Buttons()
    table.press(1)
    asked = OpenQuestion(table.game.rig.t, AskableFact(1, "Did player 1 touch it?", "touch:1"))
    table.tracker._questions.asked = asked
    table.press(2, 3 if flood else 1)
    assert table.tracker.asked == (None if flood else asked)


def test_after_a_flood_a_claim_is_judged_as_ever() -> None:
    table = Buttons()
    table.press(1, 2, 3, 4, 5)
    table.wait(8)
    table.press(4)
    pressed = table.game.rig.t
    table.wait(CLAIM.judge_after_s + 0.5)
    assert [bed for bed, fate in enumerate(table.fates, 1) if fate != AWAKE] == [4]
    (claim,) = [step for step in table.tracker.steps if any(one.sign.verb == "press" for one in step.used)]
    assert [one.t for one in claim.used if one.sign.verb == "press"] == [pressed]
    table.wait(CLAIM.lapsed_s)
    assert not [one for one in table.tracker.sensed.detections if one.sign.verb == "press" and one.t < pressed]


def test_what_was_said_before_the_flood_stands() -> None:
    table = Buttons()
    table.press(1)
    table.wait(1.5)
    said = table.fates[0]
    assert said in (ASLEEP, OUT)
    table.press(2, 3, 4)
    table.wait(10)
    assert table.fates == (said, *(AWAKE,) * 4)


def test_two_claims_in_a_row_wait_until_they_can_be_no_flood() -> None:
    table = Buttons()
    table.press(1, 2)
    table.wait(4)
    assert table.fates == (AWAKE,) * 5
    table.wait(2)
    assert AWAKE not in table.fates[:2]


@pytest.mark.parametrize("sure", [True, False], ids=["judged in turn", "judged at once"])
def test_no_end_is_told_because_of_a_press_alone(sure: bool) -> None:
    """The last princess is claimed: her cards have to be turned up, whatever is believed of them."""
    table = Buttons()
    for bed in (1, 2, 3) if sure else (1, 2):
        table.press(bed)
        table.wait(7)
    table.press(4) if sure else table.press(3)
    table.wait(7)
    last = (5,) if sure else (4, 5)
    table.press(*last)
    table.wait(12)
    assert table.fates.count(AWAKE) == 1
    assert table.tracker.state.phase is not Phase.OVER
    (left_open,) = table.tracker.open_claims
    bed = left_open.subject + 1
    table.turn_up(bed)
    assert table.tracker.state.phase is Phase.OVER
