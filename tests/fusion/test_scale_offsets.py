"""A scale that is a card off for long is corrected; a card in a hand or on its way is no offset."""

import pytest

from companion.fusion.detections import SensedTable
from companion.fusion.parameters.sensors import SCALES
from companion.fusion.scale_offsets import ScaleOffsets
from companion.sensing.observation import Count, Observation, Reach, TagRead

STATIONS = ("bed 1", "bed 2")
EXPECTED = dict.fromkeys(STATIONS, 3)
BUMP_S = 100.0


def table() -> SensedTable:
    """Two scales with three cards each."""
    watched = {(verb, bed) for verb in ("lift", "put") for bed in STATIONS} | {("tag", "pad")}
    sensed = SensedTable({"M8A": "8t"}, watched, {})
    sensed.feed(Count(float(n), bed, n, float(n)) for bed in STATIONS for n in (1, 2, 3))
    sensed.detections.clear()
    return sensed


def found_after(sensed: SensedTable, offsets: ScaleOffsets, seen: list[Observation]) -> float | None:
    """Time (s) from the bump to the correction; None if there is none."""
    sensed.feed(offsets.read(seen))
    for n in range(600):
        if offsets.find(BUMP_S + n / 4, EXPECTED, sensed, lambda: True):
            return n / 4
    return None


@pytest.mark.parametrize("n", [4, 2])
def test_a_scale_that_stays_a_card_off_is_corrected_and_its_sign_dropped(n: int) -> None:
    sensed, offsets = table(), ScaleOffsets()
    assert found_after(sensed, offsets, [Count(BUMP_S, "bed 1", n, float(n))]) == SCALES.somebody_s
    assert sensed.counts == EXPECTED
    assert not sensed.detections
    assert offsets.found == ["bed 1"]
    assert offsets.unsure, "a hand may have been there: another scale may be stuck"
    # A card that comes now is counted as one.
    sensed.feed(offsets.read([Count(BUMP_S + 190, "bed 1", n + 1, n + 1.0)]))
    assert sensed.counts["bed 1"] == 4


def test_a_scale_that_goes_back_is_corrected_sooner() -> None:
    sensed, offsets = table(), ScaleOffsets()
    found_after(sensed, offsets, [Count(BUMP_S, "bed 1", 4, 4.0)])
    assert found_after(sensed, offsets, [Count(BUMP_S, "bed 1", 3, 3.0)]) == SCALES.nobody_s
    assert offsets.read([Count(BUMP_S, "bed 1", 3, 3.0)]) == [Count(BUMP_S, "bed 1", 3, 3.0)]


def test_while_cards_are_dealt_a_scale_with_one_more_is_not_off() -> None:
    sensed, offsets = table(), ScaleOffsets()
    sensed.feed([Count(BUMP_S, "bed 1", 4, 4.0)])
    later = [BUMP_S + n / 4 for n in range(600)]
    assert not any(offsets.find(t, EXPECTED, sensed, lambda: False) for t in later)
    assert offsets.find(later[-1], EXPECTED, sensed, lambda: True) == "bed 1"


def test_nobody_near_is_an_offset_sooner() -> None:
    sensed, offsets = table(), ScaleOffsets()
    sensed.feed([Reach(50.0, "bed 1", True), Reach(51.0, "bed 1")])
    assert found_after(sensed, offsets, [Count(BUMP_S, "bed 1", 2, 2.0)]) == SCALES.nobody_s
    assert not offsets.unsure


def test_a_card_that_is_read_on_the_pad_was_taken_by_a_hand_that_the_camera_missed() -> None:
    sensed = table()
    sensed.feed([Reach(50.0, "bed 1", True), Reach(51.0, "bed 1")])
    seen: list[Observation] = [Count(BUMP_S, "bed 1", 2, 2.0), TagRead(BUMP_S + 3, "pad", "M8A")]
    assert found_after(sensed, ScaleOffsets(), seen) == SCALES.somebody_s


@pytest.mark.parametrize(
    "seen",
    [
        [Count(BUMP_S, "bed 1", 2, 2.0), Count(BUMP_S, "bed 2", 4, 4.0)],
        [Count(BUMP_S, "bed 1", 1, 1.0)],
        [],
    ],
    ids=["a move", "two cards", "nothing"],
)
def test_what_cards_explain_is_no_offset(seen: list[Observation]) -> None:
    assert found_after(table(), ScaleOffsets(), seen) is None


def test_a_card_that_is_laid_down_in_time_is_no_offset() -> None:
    sensed, offsets = table(), ScaleOffsets()
    sensed.feed([Count(BUMP_S, "bed 1", 2, 2.0)])
    assert not any(
        offsets.find(BUMP_S + n, EXPECTED, sensed, lambda: True) for n in range(int(SCALES.somebody_s))
    )
    sensed.feed([Count(BUMP_S + SCALES.somebody_s, "bed 1", 3, 3.0)])
    assert not any(
        offsets.find(BUMP_S + SCALES.somebody_s + n, EXPECTED, sensed, lambda: True) for n in range(60)
    )


def test_a_stuck_scale_from_which_a_card_was_moved_is_no_offset() -> None:
    sensed, offsets = table(), ScaleOffsets()
    sensed.feed([Count(BUMP_S, "bed 2", 4, 4.0)])
    believed = {"bed 1": 2, "bed 2": 4}
    assert not any(offsets.find(BUMP_S + n, believed, sensed, lambda: True) for n in range(300))


def test_a_scale_that_took_a_sign_back_is_not_off_because_of_it() -> None:
    """It was restless with nobody near. Long after, a move that it had no part in is believed to be its own."""
    sensed, offsets = table(), ScaleOffsets()
    sensed.feed([Reach(50.0, "bed 1", True), Reach(51.0, "bed 1")])
    sensed.feed([Count(BUMP_S, "bed 1", 4, 4.0)])
    sensed.feed([Count(BUMP_S + 1.4, "bed 1", 3, 3.0)])
    believed = {"bed 1": 2, "bed 2": 3}
    assert not any(offsets.find(BUMP_S + 30 + n, believed, sensed, lambda: True) for n in range(150))
