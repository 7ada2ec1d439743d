"""Crossed buttons and electrodes are found by the hands over the stations and by turned up cards."""

from collections.abc import Iterable

from companion.fusion.detections import SensedTable
from companion.fusion.parameters.sensors import HANDS, WIRING
from companion.fusion.wiring import Crossed, Wiring
from companion.sensing.observation import Button, Health, ManualEntry, Observation, Reach, Seen, Sighting, Touch

BEDS = ("bed 1", "bed 2", "bed 3")
TWO = ("bed 1", "bed 2")


def watched(*, hands: bool = True) -> Wiring:
    """A wiring whose camera has seen a hand at each bed, or none anywhere."""
    wiring = Wiring(BEDS)
    visits = [
        Reach(t, bed, over) for n, bed in enumerate(BEDS) for t, over in ((2.0 * n, True), (2.0 * n + 1, False))
    ]
    wiring.read(10.0, visits if hands else [Health(0.0, "camera", True)])
    return wiring


def hand(t: float, place: str) -> list[Observation]:
    """A hand is at a place about a time (s)."""
    return [Reach(t - 0.4, place, True), Reach(t + 0.5, place)]


def told(
    wiring: Wiring, t: float, seen: Iterable[Observation] = (), *, until: float = 0.0
) -> list[tuple[str, float]]:
    """What is told of buttons and electrodes from a batch at `t` (s) on, until so long after it."""
    batches = [wiring.read(t, list(seen))]
    batches += [wiring.read(t + n / 4, []) for n in range(1, round(4 * until) + 1)]
    return [(one.station, one.t) for batch in batches for one in batch if isinstance(one, Button | Touch)]


def cards(t: float, place: str) -> Sighting:
    """Cards are turned up."""
    return Sighting(t, place, (Seen("M1", 0.0, 0.0),))


def test_a_press_beneath_its_hand_is_told_at_once() -> None:
    wiring = watched()
    assert told(wiring, 20.0, [*hand(20.0, "bed 1"), Button(20.0, "bed 1")]) == [("bed 1", 20.0)]
    assert not wiring.found


def test_a_press_with_no_hand_anywhere_is_told_at_once() -> None:
    assert told(watched(), 20.0, [Button(20.0, "bed 1")]) == [("bed 1", 20.0)]


def test_a_button_is_known_to_be_its_own_by_the_only_hand_or_by_the_cards_that_follow() -> None:
    wiring = watched()
    told(wiring, 20.0, [*hand(20.0, "bed 1"), *hand(20.0, "bed 2"), Button(20.0, "bed 1")])
    told(wiring, 30.0, [*hand(30.0, "bed 3"), Button(30.0, "bed 3")])
    assert [bed for bed in BEDS if wiring.straight(bed)] == ["bed 3"]
    wiring.read(32.0, [cards(32.0, "bed 1")])
    assert [bed for bed in BEDS if wiring.straight(bed)] == ["bed 1", "bed 3"]


def test_a_button_that_was_checked_before_the_game_is_its_own_until_something_speaks_against_that() -> None:
    wiring = Wiring(BEDS, BEDS)
    wiring.read(10.0, [Health(0.0, "camera", True)])
    told(wiring, 20.0, [*hand(20.0, "bed 1"), *hand(20.0, "bed 2"), Button(20.0, "bed 1")])
    assert all(map(wiring.straight, BEDS))
    # A plug was changed since.
    wiring.read(22.0, [cards(22.0, "bed 2")])
    assert [bed for bed in BEDS if wiring.straight(bed)] == ["bed 3"]
    told(wiring, 40.0, [*hand(40.0, "bed 2"), Button(40.0, "bed 1")], until=HANDS.near_s)
    assert wiring.found == [Crossed("buttons", *TWO)]


def test_a_press_at_another_hand_waits_for_the_cards_which_tell_its_bed() -> None:
    wiring = watched()
    assert told(wiring, 20.0, [*hand(20.0, "bed 2"), Button(20.0, "bed 1")], until=HANDS.near_s) == []
    assert told(wiring, 22.0, [cards(22.0, "bed 2")]) == [("bed 2", 20.0)]
    assert wiring.found == [Crossed("buttons", *TWO)]
    assert not wiring.doubtful
    # From now on each is the other, at once.
    assert told(wiring, 50.0, [*hand(50.0, "bed 1"), Button(50.0, "bed 2")]) == [("bed 1", 50.0)]
    assert told(wiring, 70.0, [*hand(70.0, "bed 3"), Button(70.0, "bed 3")]) == [("bed 3", 70.0)]


def test_cards_at_the_bed_of_the_button_end_the_doubt() -> None:
    wiring = watched()
    assert told(wiring, 20.0, [*hand(20.0, "bed 2"), Button(20.0, "bed 1")], until=HANDS.near_s) == []
    assert told(wiring, 22.0, [cards(22.0, "bed 1")]) == [("bed 1", 20.0)]
    assert not wiring.found
    assert not wiring.doubtful


def test_cards_of_the_final_check_after_those_of_a_doubtful_press_cross_nothing() -> None:
    wiring = watched()
    told(wiring, 20.0, [*hand(20.0, "bed 3"), Button(20.0, "bed 1")])
    assert told(wiring, 22.0, [cards(22.0, "bed 1")]) == [("bed 1", 20.0)]
    assert told(wiring, 28.0, [cards(28.0, "bed 3")]) == []
    assert not wiring.found
    assert wiring.straight("bed 1")


def test_a_press_that_nothing_follows_is_told_as_doubtful() -> None:
    wiring = watched()
    seen = [*hand(20.0, "bed 2"), Button(20.0, "bed 1")]
    assert told(wiring, 20.0, seen, until=WIRING.press_waits_s) == [("bed 1", 20.0)]
    assert wiring.doubtful == {20.0}
    # The second one settles it.
    seen = [*hand(60.0, "bed 2"), Button(60.0, "bed 1")]
    assert told(wiring, 60.0, seen, until=HANDS.near_s) == [("bed 2", 60.0)]
    assert wiring.found == [Crossed("buttons", *TWO)]


def test_a_hand_that_is_seen_late_ends_the_doubt_at_once() -> None:
    wiring = watched()
    assert told(wiring, 20.0, [*hand(20.0, "bed 2"), Button(20.0, "bed 1")], until=0.5) == []
    assert told(wiring, 20.8, [Reach(20.8, "bed 1", True)]) == [("bed 1", 20.0)]


def test_without_hands_two_claims_with_cards_elsewhere_tell() -> None:
    wiring = watched(hands=False)
    for n, (pressed, meant) in enumerate((TWO, TWO[::-1])):
        t = 20.0 + 40 * n
        # After the first one a press waits for its cards.
        told(wiring, t, [Button(t, pressed)])
        told(wiring, t + 2, [cards(t + 2, meant)])
        told(wiring, t + 8, [Sighting(t + 8, meant, ())], until=WIRING.press_waits_s)
    assert wiring.found == [Crossed("buttons", *TWO)]


def test_claims_one_after_the_other_cross_nothing() -> None:
    wiring = watched(hands=False)
    for n in range(4):
        one, other = TWO if n % 2 else TWO[::-1]
        t = 20.0 + 40 * n
        told(wiring, t, [Button(t, one)])
        told(wiring, t + 2, [cards(t + 2, one), Button(t + 2.5, other)], until=1.0)
        told(wiring, t + 4, [cards(t + 4, other), Sighting(t + 5, one, ()), Sighting(t + 5, other, ())])
    assert not wiring.found


def test_touches_at_another_hand_cross_electrodes_and_leave_the_buttons() -> None:
    wiring = watched()
    for t in (20.0, 40.0):
        seen = [*hand(t, "bed 3"), Touch(t, "bed 1", True), Touch(t + 0.2, "bed 1", False)]
        assert told(wiring, t, seen, until=HANDS.near_s + 0.25) == [("bed 1", t), ("bed 1", t + 0.2)]
    assert wiring.found == [Crossed("electrodes", "bed 1", "bed 3")]
    assert told(wiring, 60.0, [Touch(60.0, "bed 3", True)]) == [("bed 1", 60.0)]
    assert told(wiring, 60.0, [*hand(60.0, "bed 3"), Button(60.0, "bed 3")]) == [("bed 3", 60.0)]


def test_electrodes_that_were_felt_rightly_need_more_to_be_crossed() -> None:
    """A restless electrode fires while a hand is elsewhere, too."""
    wiring = watched()
    for t, bed in ((20.0, "bed 1"), (40.0, "bed 3")):
        told(wiring, t, [*hand(t, bed), Touch(t, bed, True)], until=HANDS.near_s + 0.25)
    for t in (60.0, 80.0):
        assert not wiring.found
        told(wiring, t, [*hand(t, "bed 3"), Touch(t, "bed 1", True)], until=HANDS.near_s + 0.25)
    assert not wiring.found
    told(wiring, 100.0, [*hand(100.0, "bed 3"), Touch(100.0, "bed 1", True)], until=HANDS.near_s + 0.25)
    assert wiring.found == [Crossed("electrodes", "bed 1", "bed 3")]


def test_an_arm_over_two_beds_crosses_nothing() -> None:
    wiring = watched()
    for n in range(6):
        t = 20.0 + 20 * n
        seen = [*hand(t, "bed 1"), *hand(t, "bed 2"), Touch(t, "bed 1", True)]
        told(wiring, t, seen, until=HANDS.near_s + 0.25)
    assert not wiring.found


def test_a_blind_camera_and_a_key_hold_nothing_back() -> None:
    wiring = watched()
    wiring.read(15.0, [*hand(15.0, "bed 2"), Health(15.5, "camera", False)])
    assert told(wiring, 20.0, [Button(20.0, "bed 1")]) == [("bed 1", 20.0)]
    key = ManualEntry(21.0, "claim", {"station": "bed 1"})
    assert wiring.read(21.0, [key]) == [key]


def test_a_press_whose_cards_show_that_buttons_are_crossed_is_told_where_it_was_meant() -> None:
    wiring = watched()
    for t in (20.0, 60.0):
        arm = [*hand(t, "bed 1"), *hand(t, "bed 2")]
        assert told(wiring, t, [*arm, Button(t, "bed 1")]) == [("bed 1", t)]
        assert told(wiring, t + 2, [cards(t + 2, "bed 2")]) == [("bed 2", t)]
        told(wiring, t + 5, [Sighting(t + 5, "bed 2", ())])
    assert wiring.found == [Crossed("buttons", *TWO)]


def test_a_touch_beneath_an_arm_over_two_beds_may_be_at_either_until_an_electrode_is_known() -> None:
    wiring = watched()
    arm = [*hand(20.0, "bed 1"), *hand(20.0, "bed 2")]
    touch = Touch(20.0, "bed 1", True)
    told(wiring, 20.0, [*arm, touch], until=HANDS.near_s)
    ((other, cost),) = wiring.meant(touch)
    assert (other, round(cost, 1)) == ("bed 2", 6.9)
    assert wiring.meant(Touch(50.0, "bed 1", True)) == ()
    told(wiring, 60.0, [*hand(60.0, "bed 2"), Touch(60.0, "bed 1", True)], until=HANDS.near_s)
    ((_, doubtful),) = wiring.meant(touch)
    assert doubtful < 2.0
    straight = watched()
    told(straight, 10.0, [*hand(10.0, "bed 2"), Touch(10.0, "bed 2", True)], until=HANDS.near_s)
    told(straight, 20.0, [*arm, touch], until=HANDS.near_s)
    assert straight.meant(touch) == ()


def test_touches_that_showed_that_electrodes_are_crossed_are_read_where_they_were_meant() -> None:
    """The finger as well, which is lifted from the other electrode: else it seems to stay for ever, and every
    later hand to have made these touches."""
    sensed = SensedTable({}, [(verb, bed) for verb in ("touch", "lift") for bed in BEDS], {})
    for t, bed in ((2.0, "bed 1"), (4.0, "bed 3"), (20.0, "bed 3"), (40.0, "bed 3")):
        sensed.feed(hand(t, bed))
        if t >= 20.0:
            sensed.feed([Touch(t, "bed 1", True)])
    assert [(one.sign.place, one.t, one.alone) for one in sensed.detections] == [
        ("bed 1", 20.0, True),
        ("bed 1", 40.0, True),
    ]
    sensed.rewired(41.5, "bed 1", "bed 3")
    assert [(one.sign.place, one.t, one.alone) for one in sensed.detections] == [("bed 3", 40.0, False)]
    assert sensed.hands.felt(41.5, "bed 3")
    sensed.feed([Touch(42.0, "bed 3", False)])
    assert not any(sensed.hands.felt(43.0, bed) for bed in BEDS)
