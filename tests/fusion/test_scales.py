"""Scales that are slow, that feel the hand as well, or that tell of two at once: what is made of it."""

import pytest

from companion.fusion.association import Associator
from companion.fusion.clutter import clutter_cost
from companion.fusion.detections import Detection, SensedTable
from companion.fusion.parameters.claims import CLAIM
from companion.fusion.parameters.reading_costs import COSTS
from companion.fusion.parameters.sensors import DETECTIONS, SCALES
from companion.games.signs import Sign, Verb
from companion.games.sleepless_princess.rules.state import AWAKE, Phase
from companion.sensing.observation import Button, Count, Health, Observation, Reach
from companion.sensing.observation import Touch as TouchSeen
from tests.support.observed import ObservedGame, nats, sighting

WATCHED = [(verb, "bed 1") for verb in ("lift", "put", "off")]


def counted(*counts: tuple[float, int]) -> SensedTable:
    """What the scale of the first bed told at which times (s)."""
    sensed = SensedTable({}, WATCHED, {})
    for t, n in counts:
        sensed.feed([Count(t, "bed 1", n, float(n))])
    return sensed


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        (((8, 4), (10, 2), (11, 3)), ["lift"]),
        (((8, 4), (10, 2), (10 + 2 * SCALES.overshot_s, 3)), ["put"]),
        (((8, 4), (10, 6), (11, 5)), ["put"]),
        (((8, 4), (10, 2), (11, 1)), ["lift"]),
        (((8, 4), (9, 3), (10, 5), (11, 4)), ["lift", "put", "put", "lift"]),
    ],
)
def test_a_scale_that_felt_the_hand_as_well_told_of_one_card(
    counts: tuple[tuple[float, int], ...], told: list[str]
) -> None:
    """Two less, and a moment later one more: one was taken. Two of which it had told before are two."""
    (_, before), *later = ((float(t), n) for t, n in counts)
    sensed = counted((-60.0, before - 3), (-50.0, before), *later)
    assert [one.sign.verb for one in sensed.detections if one.t > 0] == told


def test_of_two_mattresses_laid_at_once_a_scale_misses_neither() -> None:
    """Before it has come to rest after the first one. A bed that was turned up only has as many as it had."""
    at_once = Associator(counted((1.0, 0), (5.0, 2)), 5.0)
    (match,) = at_once.associations(at_once.waiting(frozenset()), (Sign(Verb.PUT, "bed 1"),))
    assert match.cost == pytest.approx(nats(0.2))
    turned_up = counted((1.0, 1), (2.0, 2), (5.0, 0), (9.0, 2))
    turned_up.detections.clear()
    for associator in (
        Associator(counted((1.0, 0), (5.0, 2)), 5.0 + COSTS.covered_s),
        Associator(turned_up, 9.0),
    ):
        (match,) = associator.associations(associator.waiting(frozenset()), (Sign(Verb.PUT, "bed 1"),))
        assert match.cost == pytest.approx(nats(0.01))


def test_a_scale_is_late_rather_than_made_up_when_a_mattress_was_on_its_way() -> None:
    lift = Detection(0, 10.0, Sign(Verb.LIFT, "bed 1"))
    put = Detection(1, 14.0, Sign(Verb.PUT, "bed 2"), alone=True, made=(11.5, 12.0))
    (dear, ghost) = nats(0.13), nats(0.01)
    assert clutter_cost([lift, put], 14.0) == pytest.approx(dear + ghost)
    assert clutter_cost([lift, put._replace(made=None)], 14.0) == pytest.approx(dear + nats(0.2))
    assert clutter_cost([put], 14.0) == pytest.approx(nats(0.2)), (
        "with nothing taken up it is a part that is restless"
    )
    early, late = (
        put._replace(t=10.0, alone=False, made=None),
        lift._replace(t=12.0, alone=True, made=(9.0, 9.5)),
    )
    assert clutter_cost([early, late], 12.0) == pytest.approx(nats(0.13) + nats(0.01))
    assert clutter_cost([late], 12.0) == pytest.approx(nats(0.2))


def test_a_mattress_laid_back_and_taken_again_is_a_change_of_mind() -> None:
    lift, put = Detection(0, 10.0, Sign(Verb.LIFT, "bed 1")), Detection(1, 11.5, Sign(Verb.PUT, "bed 1"))
    again, away = Detection(2, 13.5, Sign(Verb.LIFT, "bed 1")), Detection(3, 15.0, Sign(Verb.PUT, "bed 2"))
    assert clutter_cost([lift, put, again, away], 20.0, {2, 3}) == pytest.approx(nats(0.04))
    assert clutter_cost([lift, put], 20.0) == pytest.approx(nats(0.003))
    later = again._replace(t=put.t + COSTS.check_s + 1)
    assert clutter_cost([lift, put, later, away], 20.0, {2, 3}) == pytest.approx(nats(0.003))


@pytest.mark.parametrize(
    ("lifted", "put_back", "cost"),
    [
        ({}, {}, nats(0.003)),
        ({}, {"alone": True}, nats(0.008)),
        ({"alone": True}, {}, nats(0.008)),
        ({"alone": True}, {"alone": True}, nats(0.2)),
    ],
)
def test_a_hand_that_was_there_in_one_moment_of_two_speaks_for_a_mattress(
    lifted: dict[str, bool], put_back: dict[str, bool], cost: float
) -> None:
    """A scale that is restless by itself is seldom so just when a hand comes by."""
    lift, put = Detection(0, 10.0, Sign(Verb.LIFT, "bed 1")), Detection(1, 13.0, Sign(Verb.PUT, "bed 1"))
    assert clutter_cost([lift._replace(**lifted), put._replace(**put_back)], 20.0) == pytest.approx(cost)


@pytest.mark.parametrize(
    ("gap_s", "made", "place", "cost"),
    [
        (COSTS.quick_s - 0.2, None, "bed 1", nats(0.015)),
        (COSTS.quick_s + 0.2, None, "bed 1", 0.0),
        (COSTS.quick_s - 0.2, None, "bed 2", 0.0),
        (COSTS.quick_s + 0.2, (10.2, 10.6), "bed 1", nats(0.15)),
    ],
)
def test_nobody_lays_a_mattress_back_at_once(
    gap_s: float, made: tuple[float, float] | None, place: str, cost: float
) -> None:
    """Nor is it likely that a scale tells late of it: both look more like a part that is restless."""
    sensed = SensedTable({}, (), {})
    sensed.detections = [
        Detection(0, 10.0, Sign(Verb.LIFT, "bed 1")),
        Detection(1, 10.0 + gap_s, Sign(Verb.PUT, place), made=made),
    ]
    associator = Associator(sensed, 12.0)
    signs = (Sign(Verb.LIFT, "bed 1"), Sign(Verb.PUT, place))
    match = associator.associations(associator.waiting(frozenset()), signs)[0]
    assert match.cost == pytest.approx(cost)


def test_what_was_told_by_mistake_long_ago_hides_no_finger_that_was_missed() -> None:
    """An electrode that told of nobody, and later missed a finger on the same mattress."""
    sensed = SensedTable({}, (), {})
    sensed.detections = [Detection(0, 10.0, Sign(Verb.TOUCH, "bed 1"))]
    sensed.heard = {"touch"}
    for now, costs in ((10.0 + DETECTIONS.stale_s, [0.0]), (11.0 + DETECTIONS.stale_s, [0.0, nats(0.01)])):
        associator = Associator(sensed, now)
        matches = associator.associations(associator.waiting(frozenset()), (Sign(Verb.TOUCH, "bed 1"),))
        assert [match.cost for match in matches] == pytest.approx(costs)


@pytest.mark.parametrize("gap_s", [2.0, COSTS.check_s + 2.0])
def test_between_two_grips_nobody_checks_another_mattress(gap_s: float) -> None:
    """Taken out, laid back, and out again at once: the same one, and a claim can rest on it. With time between
    them it may have been laid on top, and the next one checked though no sensor told."""
    game = ObservedGame(3)
    game.set_up()
    tracker = game.tracker
    tracker.feed(game.rig.t, [Health(game.rig.t, "camera", True)])
    t = game.rig.t + 30
    again = t + 9.6 + gap_s
    for batch in (
        sighting("glass", "G", t=t + 2),
        sighting("play", "H02D", "H06E", "H03E", "H05C", "H08C", t=t + 3),
        Reach(t + 3.6, "bed 1", True),
        TouchSeen(t + 4, "bed 1", True),
        TouchSeen(t + 5, "bed 1", False),
        Count(t + 8, "bed 1", 2, 2.0),
        Count(t + 9.6, "bed 1", 3, 3.0),
        Count(again, "bed 1", 2, 2.0),
        Reach(again + 0.5, "bed 1"),
        Reach(again + 1, "bed 2", True),
        Count(again + 1.6, "bed 2", 4, 4.0),
        Reach(again + 2.5, "bed 2"),
    ):
        tracker.feed(batch.t, [batch])
    tracker.feed(again + 15, [])
    best = tracker.hypotheses[0][0]
    first, second, _ = game.state.beds[0]
    moved = {
        node.state.beds[1][-1] for total, node in tracker.hypotheses if total <= best + CLAIM.verdict_log_odds
    }
    assert moved == ({first} if gap_s < COSTS.check_s else {first, second})


@pytest.mark.parametrize("stuck", [1, 2])
def test_a_mattress_that_left_or_came_to_a_stuck_scale_may_have_been_moved(stuck: int) -> None:
    """From bed 1 to bed 2, while one of the two scales says nothing."""
    game = ObservedGame(3)
    game.set_up()
    tracker = game.tracker
    t = game.rig.t + 30
    for batch in (
        sighting("play", "H02D", "H06E", "H03E", "H05C", "H08C", t=t + 3),
        TouchSeen(t + 4, "bed 1", True),
        TouchSeen(t + 5, "bed 1", False),
        *([Count(t + 8, "bed 1", 2, 2.0)] if stuck == 2 else [Count(t + 9.6, "bed 2", 4, 4.0)]),
    ):
        tracker.feed(batch.t, [batch])
    tracker.feed(t + 25, [])
    best = tracker.hypotheses[0][0]
    (first, *rest), other, *_ = game.state.beds
    moved = (tuple(rest), (*other, first))
    # About as likely as a scale that is wrong by itself: nothing rests on one of them alone.
    assert min(total for total, one in tracker.hypotheses if one.state.beds[:2] == moved) < best + 1


@pytest.mark.parametrize("away", [1, 2])
@pytest.mark.parametrize("restless", [False, True])
def test_a_mattress_that_left_or_came_to_a_scale_that_is_away_was_moved(away: int, restless: bool) -> None:
    """From bed 1 to bed 2, while one of the two scales does not answer. Its last count says nothing of it, nor
    does another scale that was restless a while before."""
    game = ObservedGame(3)
    game.set_up()
    tracker = game.tracker
    t = game.rig.t + 30
    flicker = [Count(t - 20, "bed 4", 2, 2.0), Count(t - 19.5, "bed 4", 3, 3.0)]
    for batch in (
        *(flicker if restless else ()),
        Health(t, f"bed {away} scale", False, "does not answer"),
        sighting("play", "H02D", "H06E", "H03E", "H05C", "H08C", t=t + 3),
        TouchSeen(t + 4, "bed 1", True),
        TouchSeen(t + 5, "bed 1", False),
        *([Count(t + 8, "bed 1", 2, 2.0)] if away == 2 else [Count(t + 9.6, "bed 2", 4, 4.0)]),
    ):
        tracker.feed(batch.t, [batch])
    tracker.feed(t + 25, [])
    tracker.feed(t + 40, [])  # until then it might be in a hand
    (first, *rest), other, *_ = game.state.beds
    assert tracker.state.beds[:2] == (tuple(rest), (*other, first))


def test_a_scale_that_is_drummed_on_is_not_weighed_until_it_rests() -> None:
    game = ObservedGame(3)
    game.set_up()
    t, tracker = game.rig.t, game.tracker
    published = tracker.state
    for beat in range(40):
        t += 0.5
        tracker.feed(t, [Count(t, "bed 1", 3 + beat % 2, 3.0)])
    assert "bed 1" not in tracker.sensed.counts
    assert tracker.state == published
    assert not [one for one in tracker.sensed.detections if one.sign.verb in ("lift", "put") and one.t > t - 10]
    for _ in range(50):
        t += 0.25
        tracker.feed(t, [])
    assert tracker.sensed.counts["bed 1"] == 4
    assert tracker.sensed.outages.deaf("bed 1") is False


@pytest.mark.parametrize("then", ["lost", "came", ""])
def test_a_bed_that_carries_too_few_is_not_refuted_if_one_more_may_lie_there(then: str) -> None:
    """Bed 1 carries two mattresses, then one of bed 2 is `lost`: to bed 1, whose scale does not tell of it. Or
    one `came` to bed 1, and no other scale tells from where."""
    game = ObservedGame(3)
    game.set_up()
    tracker, t = game.tracker, game.rig.t + 30
    moved_back = [
        Reach(t + 13, "bed 2", True),
        TouchSeen(t + 14, "bed 2", True),
        TouchSeen(t + 15, "bed 2", False),
        Reach(t + 16, "bed 2", False),
        Reach(t + 19, "bed 2", True),
        Count(t + 19.7, "bed 2", 39, 39.0),
        Reach(t + 20.8, "bed 1", True),
        Count(t + 20.9, "bed 2", 3, 3.0),
        Reach(t + 21, "bed 2", False),
        Reach(t + 22, "bed 1", False),
    ]
    came = [Reach(t + 22, "bed 1", True), Count(t + 23.5, "bed 1", 3, 3.0), Reach(t + 24.5, "bed 1", False)]
    for batch in (
        *(Reach(t - 20 + bed, f"bed {bed}", over) for bed in range(1, 6) for over in (True, False)),
        sighting("play", "H02D", "H06E", "H03E", "H05C", "H08C", t=t + 3),
        Reach(t + 3.5, "bed 1", True),
        TouchSeen(t + 4, "bed 1", True),
        TouchSeen(t + 5, "bed 1", False),
        Count(t + 8, "bed 1", 2, 2.0),
        Reach(t + 8.5, "bed 1", False),
        Reach(t + 9, "bed 2", True),
        Count(t + 9.6, "bed 2", 4, 4.0),
        Reach(t + 10, "bed 2", False),
        *{"lost": moved_back, "came": came}.get(then, ()),
        Button(t + 26, "bed 1"),
    ):
        tracker.feed(batch.t, [batch])
    for n in range(1, 41):
        tracker.feed(t + 26 + n / 4, [])
    assert (tracker.state.fates[0] == AWAKE) is bool(then)
    assert [one.uncounted for one in tracker.open_claims] == {"lost": [True], "came": [False]}.get(then, [])


@pytest.mark.long
@pytest.mark.parametrize("bed", [1, 5])
def test_the_deal_ends_though_a_scale_counts_in_steps_of_two(bed: int) -> None:
    """It shows two of three mattresses: the open row and the first turn say that all are dealt."""

    def coarse(batch: list[Observation]) -> list[Observation]:
        return [
            Count(seen.t, seen.station, seen.n // 2 * 2, seen.raw)
            if isinstance(seen, Count) and seen.station == f"bed {bed}"
            else seen
            for seen in batch
        ]

    game = ObservedGame(3)
    for batch in game.rig.setup(game.state):
        game.feed(coarse(batch))
    actions = game.play_on()
    next(actions), next(actions)
    assert game.tracker.state.phase is not Phase.SETUP
    assert {len(pile) for pile in game.tracker.state.beds} == {3}


@pytest.mark.parametrize(
    ("meanwhile", "told"),
    [
        ([Count(11.0, "bed 2", 3, 2.7), Count(12.1, "bed 2", 2, 2.1)], True),
        ([Count(11.0, "bed 2", 8, 7.7), Count(12.1, "bed 2", 2, 2.1)], True),
        ([Count(11.0, "bed 2", 3, 2.7), Count(11.6, "bed 2", 2, 2.1)], True),
        ([Count(11.0, "bed 2", 3, 3.0)], False),
        ([Count(11.0, "bed 2", 1, 1.0), Count(11.6, "bed 2", 2, 2.0)], False),
        ([TouchSeen(11.0, "bed 2", True), Count(11.1, "bed 2", 3, 2.7), Count(11.6, "bed 2", 2, 2.1)], False),
        ([Count(11.0, "bed 2", 3, 2.7), Count(14.0, "bed 2", 2, 2.1)], False),
    ],
)
def test_an_arm_on_another_scale_explains_no_hand_that_stays(meanwhile: list[Observation], told: bool) -> None:
    """Its weight comes and goes. A card that another scale lost, or has gained, explains the hand."""
    watched = [(verb, bed) for verb in ("lift", "put", "touch", "stay") for bed in ("bed 1", "bed 2")]
    sensed = SensedTable({}, watched, {})
    sensed.feed([Count(1.0, "bed 1", 2, 2.0), Count(1.0, "bed 2", 2, 2.0), Reach(2.0, "bed 1", False)])
    hand: list[Observation] = [Reach(10.0, "bed 1", True), Reach(12.0, "bed 1", False)]
    sensed.feed(sorted([*hand, *meanwhile], key=lambda one: one.t))
    assert [one.t for one in sensed.detections if one.sign == Sign(Verb.STAY, "bed 1")] == [12.0] * told
