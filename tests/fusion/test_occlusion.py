"""Hands over the beds: what moved with none near was moved by nobody, and with one near perhaps by it."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest

from companion.fusion.association import Associator, matching
from companion.fusion.occlusion import HandOcclusion
from companion.fusion.parameters.claims import CLAIM
from companion.games.claims import Verdict
from companion.games.signs import Sign, Verb
from companion.games.sleepless_princess.rules.actions import Look, Move, Touch
from companion.games.sleepless_princess.rules.card_kinds import face_text
from companion.games.sleepless_princess.rules.state import AWAKE, OUT
from companion.rehearse.games_in_observations import rehearse_observed
from companion.sensing.observation import Button, Count, Health, ManualEntry, Observation, Reach, TagRead
from companion.sensing.observation import Touch as TouchSeen
from companion.virtual.games.sleepless_princess import VIRTUAL
from companion.virtual.rig.hovering_hands import reaches
from tests.support.inside import answer_of, beam_of, judge_of, wiring_of
from tests.support.observed import GAME, ObservedGame, nats, sighting


def started(*played: str, seed: int = 3) -> ObservedGame:
    """A game whose first player has played; hands were seen over the first bed before."""
    game = ObservedGame(seed)
    game.set_up()
    t = game.rig.t
    game.tracker.feed(t, [Health(t, "camera", True)])
    game.tracker.feed(t, [Reach(t, "bed 1", True), Reach(t, "bed 1")])
    game.tracker.feed(t + 3, [sighting("play", *(played or ("H03A", "H03B", "H03C")), t=t + 3)])
    game.rig.t = t + 4
    return game


def feed(tracker: Any, *observations: Observation) -> None:
    """Each on its own, at its time."""
    for seen in observations:
        tracker.feed(seen.t, [seen])


def sure_of(tracker: Any) -> list[tuple[float, Any]]:
    """The explanations that a verdict regards."""
    best = tracker.hypotheses[0][0]
    return [(total, node) for total, node in tracker.hypotheses if total <= best + CLAIM.verdict_log_odds]


def touched(t: float) -> tuple[Observation, ...]:
    """A finger at the foot of the first bed, from t to t + 1 (s), its hand a little longer."""
    return (
        Reach(t - 0.4, "bed 1", True),
        TouchSeen(t, "bed 1", True),
        TouchSeen(t + 1, "bed 1", False),
        Reach(t + 1.5, "bed 1"),
    )


def flickered(t: float) -> tuple[Observation, ...]:
    return Count(t, "bed 1", 2, 2.0), Count(t + 1.5, "bed 1", 3, 3.0)


@pytest.mark.parametrize("arms", [("bed 1", "bed 2"), ("bed 2",)])
def test_what_was_felt_beneath_an_arm_over_two_beds_may_be_moved_at_either(arms: tuple[str, ...]) -> None:
    """The electrodes may be connected crosswise: else only a restless scale would explain the first bed."""
    game = started()
    t, tracker = game.rig.t, game.tracker
    feed(tracker, *(Reach(t - 0.4, bed, True) for bed in arms), TouchSeen(t, "bed 2", True))
    feed(tracker, TouchSeen(t + 1, "bed 2", False), *(Reach(t + 1.5, bed) for bed in arms))
    feed(tracker, Reach(t + 5, "bed 1", True), *flickered(t + 5.8), Reach(t + 8, "bed 1"))
    tracker.feed(t + 12, [])
    lie = {node.state.beds[0] for _, node in sure_of(tracker)}
    assert lie == {(0, 1, 2), *([(1, 2, 0)] if len(arms) > 1 else [])}
    moved = next((node for _, node in sure_of(tracker) if node.state.beds[0] == (1, 2, 0)), None)
    if moved is not None:
        felt = next(one.step for one in moved.back() if one.step is not None and one.step.action == Touch(0))
        assert matching(Sign(Verb.TOUCH, "bed 1"), [*felt.used]) is not None


def test_an_arm_that_shows_only_after_the_touch_may_have_touched_the_other_bed_as_well() -> None:
    game = started()
    t, tracker = game.rig.t, game.tracker
    feed(tracker, *(Reach(t - 20, bed, over) for bed in ("bed 1", "bed 2") for over in (True, False)))
    tracker.feed(t, [TouchSeen(t, "bed 2", True)])
    tracker.feed(t + 0.3, [Reach(t - 0.2, bed, True) for bed in ("bed 1", "bed 2")])
    touch = next(one for one in tracker.sensed.detections if one.sign[:2] == ("touch", "bed 2"))
    assert [place for place, _ in touch.meant] == ["bed 1"]


def test_a_hand_is_near_from_when_it_comes_until_after_it_has_left() -> None:
    hands = HandOcclusion()
    assert not hands.absent(5.0, "bed 1", weighed=False)  # nothing was ever seen there
    hands.see(10.0, "bed 1", over=True)
    hands.see(12.0, "bed 1", over=False)
    found = {t: hands.absent(t, "bed 1", weighed=False) for t in (11.55, 11.9, 13.0, 13.4, 13.6, 60.0)}
    assert found == {11.55: False, 11.9: False, 13.0: False, 13.4: False, 13.6: True, 60.0: True}
    hands.see(60.2, "bed 1", over=True)
    assert not hands.absent(60.0, "bed 1", weighed=False)
    assert not hands.absent(500.0, "bed 1", weighed=False)  # it rests there
    assert not hands.absent(60.0, "bed 2", weighed=False)


def test_a_scale_tells_no_sooner_than_a_card_lies() -> None:
    """Nobody comes to a bed, lays a mattress there, and has it weighed within a fifth of a second."""
    hands = HandOcclusion()
    hands.see(10.0, "bed 1", over=True)
    hands.see(11.0, "bed 1", over=False)
    hands.see(20.0, "bed 1", over=True)
    assert [hands.absent(t, "bed 1", weighed=True) for t in (19.9, 20.1, 20.3)] == [True, True, False]
    assert [hands.absent(t, "bed 1", weighed=False) for t in (19.6, 19.9, 20.1)] == [True, False, False]


@pytest.mark.parametrize(("came", "moved"), [(0.15, False), (0.4, True)])
def test_a_hand_that_comes_with_the_scales_news_moved_nothing(came: float, moved: bool) -> None:
    game = started()
    t = game.rig.t
    feed(game.tracker, *touched(t), Count(t + 2.5, "bed 1", 2, 2.0))
    feed(
        game.tracker, Reach(t + 4 - came, "bed 1", True), Count(t + 4, "bed 1", 3, 3.0), Reach(t + 4.2, "bed 1")
    )
    game.tracker.feed(t + 7, [])
    assert (Move(0, 0) in [step.action for step in game.tracker.steps]) is moved


def test_who_does_not_see_does_not_know() -> None:
    hands = HandOcclusion()
    hands.see(10.0, "bed 1", over=True)
    hands.sight(20.0, ok=False)
    assert not hands.absent(25.0, "bed 1", weighed=False)
    hands.sight(30.0, ok=True)
    assert not hands.absent(31.0, "bed 1", weighed=False)
    assert hands.absent(31.6, "bed 1", weighed=False), (
        "who was there when the camera went blind is not there for ever"
    )


def test_a_scale_that_tells_late_is_dated_by_the_last_hand() -> None:
    hands = HandOcclusion()
    assert hands.made(5.0, "bed 1") is None  # nobody was looking
    hands.sight(0.0, ok=True)
    for came, left in ((10.0, 11.0), (12.0, 13.0)):
        hands.see(came, "bed 1", over=True)
        hands.see(left, "bed 1", over=False)
    found = {t: hands.made(t, "bed 1") for t in (11.9, 12.1, 13.4, 13.6, 17.4, 17.6)}
    one, two = (10.0, 11.0), (12.0, 13.0)
    assert found == {11.9: one, 12.1: one, 13.4: None, 13.6: two, 17.4: two, 17.6: None}
    hands.sight(14.0, ok=False)
    assert hands.made(14.5, "bed 1") is None


def test_a_hand_works_at_a_bed_for_a_while() -> None:
    hands = HandOcclusion()
    assert hands.worked(11.3, "bed 1")  # nobody was looking
    hands.sight(0.0, ok=True)
    for came, left in ((10.0, 11.2), (30.0, 32.5)):
        hands.see(came, "bed 1", over=True)
        hands.see(left, "bed 1", over=False)
    assert not hands.worked(11.3, "bed 1")
    assert hands.worked(32.7, "bed 1")
    assert hands.worked(60.0, "bed 1")  # felt, but not seen: the camera says nothing of it


def test_a_finger_on_the_electrode_lifts_nothing() -> None:
    hands = HandOcclusion()
    hands.feel(10.0, "bed 1", pressed=True)
    assert not hands.busy(9.95, "bed 1")
    assert hands.busy(10.05, "bed 1"), "the hand that lifted it then cannot be here now"
    assert hands.busy(10.5, "bed 1")
    assert not hands.busy(10.5, "bed 2")
    assert not hands.busy(17.0, "bed 1"), "nobody feels that long: something lies on the electrode"
    hands.feel(11.0, "bed 1", pressed=False)
    assert hands.busy(11.05, "bed 1")
    assert not hands.busy(11.2, "bed 1")


def test_a_hand_that_shows_while_the_finger_is_there_still_is_its_hand() -> None:
    game = started()
    t = game.rig.t
    feed(game.tracker, TouchSeen(t, "bed 1", True))
    assert [
        detection.alone for detection in game.tracker.sensed.detections if detection.sign.verb == "touch"
    ] == [True]
    feed(game.tracker, Reach(t + 0.9, "bed 1", True))
    assert [
        detection.alone for detection in game.tracker.sensed.detections if detection.sign.verb == "touch"
    ] == [False]


def test_a_scale_that_flickers_with_no_hand_near_moved_nothing() -> None:
    game = started()
    t, tracker = game.rig.t, game.tracker
    feed(tracker, *touched(t), *flickered(t + 6))
    tracker.feed(t + 12, [])
    assert tracker.steps[-1].action == Touch(0)
    assert tracker.hypotheses[0][1].state.beds[0] == (0, 1, 2)


def test_with_a_hand_there_the_same_signs_are_a_move() -> None:
    game = started()
    t, tracker = game.rig.t, game.tracker
    hand = (Reach(t + 5.5, "bed 1", True), *flickered(t + 6), Reach(t + 8, "bed 1"))
    feed(tracker, *touched(t), *hand)
    tracker.feed(t + 12, [])
    assert tracker.steps[-1].action == Move(0, 0)


def test_without_eyes_they_are_a_move_too() -> None:
    game = ObservedGame(3)
    game.set_up()
    t, tracker = game.rig.t, game.tracker
    tracker.feed(t + 1, [sighting("play", "H03A", "H03B", "H03C", t=t + 1)])
    feed(tracker, *(seen for seen in touched(t + 3) if not isinstance(seen, Reach)), *flickered(t + 9))
    tracker.feed(t + 15, [])
    assert tracker.steps[-1].action == Move(0, 0)


def test_a_scale_that_moves_before_the_finger_comes_is_restless() -> None:
    """Whoever lays a mattress back has felt it first: of the two stories neither is sure."""
    game = started()
    t, tracker = game.rig.t, game.tracker
    come, press, release, leave = touched(t)
    lift, put = Count(t - 0.2, "bed 1", 2, 2.0), Count(t + 1.4, "bed 1", 3, 3.0)
    feed(tracker, come, lift, press, release, put, leave)
    tracker.feed(t + 8, [])
    near = {node.state.beds[0] for _, node in sure_of(tracker)}
    assert near == {(0, 1, 2), (1, 2, 0)}


def test_who_saw_the_cards_and_left_no_tile_found_what_is_believed() -> None:
    """The scales are out of order: the claim stays open until the bed has been turned up and down again."""
    game = started()
    t, tracker = game.rig.t, game.tracker
    state = tracker.state
    one, two = (slot for slot in state.beds[1][:2])
    princess = state.princesses[0]
    faces = list(state.faces)
    faces[one], faces[two] = 2 * princess, 2 * princess + 1
    beds = ((one, two), (*state.beds[0], *state.beds[1][2:]), *state.beds[2:])
    tracker.begin(state._replace(faces=tuple(faces), beds=beds))
    feed(tracker, Count(t, "bed 1", 2, 2.0), Count(t, "bed 2", 4, 4.0))
    tracker.begin(tracker.state)
    tracker.doubted = frozenset({"bed 4 scale"})
    feed(tracker, Button(t + 1, "bed 1"))
    for n in range(1, 6):
        tracker.feed(t + 1 + n / 4, [])
    assert [claim.subject for claim in tracker.open_claims] == [0]
    feed(tracker, sighting("bed 1", f"M{princess}A", f"M{princess}S", t=t + 3), sighting("bed 1", t=t + 5))
    tracker.feed(t + 7, [])
    assert [claim.subject for claim in tracker.open_claims] == [0], "the tile may come yet"
    for n in range(4):
        tracker.feed(t + 8.5 + n, [])
    assert tracker.open_claims == []
    assert tracker.state.fates[0] == OUT


def test_every_deed_at_a_bed_is_done_by_a_hand() -> None:
    deeds = [Count(5.0 * n, f"bed {1 + n % 5}", n, float(n)) for n in range(1, 200)]
    rests = {"bed 3": [(13.0, 14.5)]}
    told = sorted(reaches(deeds, VIRTUAL.rig("basic"), Random(4), rests), key=lambda seen: seen.t)
    for fact in [*deeds, Count(14.0, "bed 3", 9, 9.0)]:
        here = [seen for seen in told if seen.zone == fact.station]
        assert [one.over for one in here] == [n % 2 == 0 for n in range(len(here))]
        assert any(one.over and one.t <= fact.t <= other.t for one, other in pairwise(here))
    alone = {fact.station for fact in deeds} == {seen.zone for seen in told}
    assert alone
    assert len(told) > 2 * len(deeds), "arms cover other beds too"


def test_beneath_a_hand_that_was_there_for_a_second_nothing_was_laid_back() -> None:
    """The camera saw when it came and left; one that stayed for longer may have."""
    for stayed, stories in ((1.2, {(0, 1, 2)}), (3.0, {(0, 1, 2), (1, 2, 0)})):
        game = started()
        t, tracker = game.rig.t, game.tracker
        hand = (Reach(t + 11, "bed 1", True), Count(t + 11.8, "bed 1", 19, 19.0))
        feed(tracker, *touched(t), *hand, Reach(t + 11 + stayed, "bed 1"))
        feed(tracker, Count(t + 11.2 + stayed, "bed 1", 3, 3.0))
        tracker.feed(t + 16, [])
        best = tracker.hypotheses[0][0]
        near = {
            node.state.beds[0] for total, node in tracker.hypotheses if total <= best + CLAIM.verdict_log_odds
        }
        assert near == stories


def test_after_a_break_no_hand_of_before_is_known() -> None:
    """Nobody watched meanwhile: a hand may have come and gone, and one that was there may have left."""
    game = started()
    t, tracker = game.rig.t, game.tracker
    feed(tracker, Reach(t, "bed 1", True))
    feed(tracker, ManualEntry(t + 5, "resumed"), Health(t + 1, "camera", False))
    hands = tracker.sensed.hands
    feed(tracker, Health(t + 6, "camera", True), Reach(t + 7, "bed 1", True), Reach(t + 8, "bed 1"))
    assert not hands.absent(t + 3, "bed 1", weighed=False)
    assert hands.absent(t + 20, "bed 1", weighed=False)


@pytest.mark.parametrize(("touches", "left_open"), [(1, False), (40, True)])
def test_no_claim_is_settled_by_a_story_that_explains_too_little(touches: int, left_open: bool) -> None:
    """Fingers are felt that nobody put there, over five minutes: at last even the best story says little."""
    game = ObservedGame(3)
    game.set_up()
    t, tracker = game.rig.t, game.tracker
    for n in range(touches):
        at = t + 300 * n / touches
        feed(tracker, TouchSeen(at, "bed 4", True), TouchSeen(at + 0.2, "bed 4", False))
    tracker.feed(t + 430, [])
    feed(tracker, Button(t + 431, "bed 1"))
    for n in range(1, 8):
        tracker.feed(t + 431 + n / 4, [])
    assert bool(tracker.open_claims) == left_open
    assert (tracker.state.fates[0] == AWAKE) == left_open


def test_what_a_scale_told_of_something_else_before_stands_for_nothing_that_a_hand_hid() -> None:
    """It was restless a minute ago; now a hand rests there for long after its mattress was felt."""
    game = started()
    t, tracker = game.rig.t + 60, game.tracker
    feed(tracker, *flickered(t - 55), *touched(t))
    hand = (Reach(t + 11, "bed 1", True), Count(t + 11.8, "bed 1", 19, 19.0), Reach(t + 14, "bed 1"))
    feed(tracker, *hand, Count(t + 14.2, "bed 1", 3, 3.0))
    tracker.feed(t + 16, [])
    near = {node.state.beds[0] for _, node in sure_of(tracker)}
    assert near == {(0, 1, 2), (1, 2, 0)}


def looked(game: ObservedGame, bed: int) -> None:
    """Somebody looks beneath a bed (from 0) through the glass; then two seconds pass."""
    state = game.tracker.state
    for batch in game.rig.notice(state, Look(bed), state):
        game.feed(batch)
    game.rig.t += 2


@pytest.mark.parametrize("felt", [False, True])
def test_a_hand_that_rested_on_a_bed_may_have_touched_there_unfelt(felt: bool) -> None:
    """The touch is free, so hardly anybody leaves it out for a look; unless it was felt elsewhere."""
    game = started("H02D", "H06E", "H03E", "H05C", "H08C")
    t, tracker = game.rig.t, game.tracker
    tracker.sensed.heard.add("touch")
    if felt:
        feed(tracker, Reach(t - 2, "bed 2", True), TouchSeen(t - 1.5, "bed 2", True), Reach(t - 0.5, "bed 2"))
    hand = (Reach(t, "bed 1", True), Count(t + 0.8, "bed 1", 19, 19.0), Count(t + 3.4, "bed 1", 3, 3.0))
    feed(tracker, *hand, Reach(t + 3.5, "bed 1"))
    game.rig.t = t + 5
    looked(game, 0)
    feed(tracker, Reach(t + 12, "bed 1", True), Count(t + 13, "bed 1", 2, 2.0), Reach(t + 13.5, "bed 1"))
    feed(tracker, Reach(t + 14, "bed 4", True), Count(t + 14.8, "bed 4", 4, 4.0), Reach(t + 15.5, "bed 4"))
    tracker.feed(t + 17, [])
    likely = tracker.hypotheses[0][0] + CLAIM.verdict_log_odds
    near = {node.state.beds[0] for total, node in tracker.hypotheses if total <= likely}
    assert near == ({(1, 2)} if felt else {(1, 2), (2, 0)})


def test_a_mattress_that_nobody_had_the_right_to_look_at_may_be_moved() -> None:
    game = started()
    t, tracker = game.rig.t, game.tracker
    slot = tracker.state.beds[1][0]
    feed(tracker, *touched(t))
    game.rig.t = t + 4
    looked(game, 1)
    t = game.rig.t + 2
    feed(tracker, Reach(t, "bed 2", True), Count(t + 1, "bed 2", 2, 2.0), Reach(t + 1.5, "bed 2"))
    feed(tracker, Reach(t + 2, "bed 4", True), Count(t + 2.8, "bed 4", 4, 4.0), Reach(t + 3.5, "bed 4"))
    tracker.feed(t + 8, [])
    assert [step.action for step in tracker.steps][-2:] == [Look(1, extra=True), Move(1, 3)]
    assert tracker.state.beds[3][-1] == slot
    with pytest.raises(ValueError, match="A look is left"):
        GAME.apply(tracker.state._replace(looks=1), Look(0, extra=True))


@pytest.mark.parametrize("stayed_s", [1.2, 2.2])
def test_a_scale_that_missed_one_moment_missed_both_its_ends(stayed_s: float) -> None:
    """A mattress may have been laid back on its own bed before the scale came to rest: nothing else tells what
    the hand was at that long. The next one out fits. A hand that was there for a moment cannot have done it."""
    game = started("H02D", "H06E", "H03E", "H05C", "H08C")
    t, tracker = game.rig.t, game.tracker
    feed(tracker, sighting("glass", "G", t=t))
    feed(tracker, *touched(t), Reach(t + 4, "bed 1", True), Reach(t + 4 + stayed_s, "bed 1"))
    feed(tracker, sighting("glass", t=t + 8), sighting("foot 1", "G", t=t + 8.4))
    feed(tracker, sighting("foot 1", t=t + 9.8), sighting("glass", "G", t=t + 10))
    assert tracker.steps[-1].action == Look(0)
    first, second, third = tracker.state.beds[0]
    orders = {node.state.beds[0] for _, node in sure_of(tracker)}
    assert (first, second, third) in orders
    assert ((second, third, first) in orders) == (stayed_s > 2)
    tag = next(card.code for card in GAME.cards("basic") if card.kind == face_text(tracker.state.faces[second]))
    feed(tracker, Reach(t + 11, "bed 1", True), Count(t + 11.6, "bed 1", 2, 2.0), Reach(t + 12, "bed 1"))
    feed(tracker, TagRead(t + 12.5, "pad", tag), TagRead(t + 13.2, "pad", None))
    feed(tracker, Reach(t + 14, "bed 2", True), Count(t + 14.6, "bed 2", 4, 4.0), Reach(t + 15, "bed 2"))
    tracker.feed(t + 20, [])
    orders = {node.state.beds[0] for _, node in sure_of(tracker)}
    assert ((third, first) in orders) == (stayed_s > 2)


@pytest.mark.parametrize("told_s", [1.0, None])
def test_a_claim_waits_for_a_mattress_in_a_hand(told_s: float | None) -> None:
    """One was taken up, the button is pressed, and no scale has told yet where it was laid."""
    game = started()
    t, tracker = game.rig.t, game.tracker
    feed(tracker, *touched(t), Reach(t + 4, "bed 1", True), Count(t + 4.6, "bed 1", 2, 2.0))
    feed(tracker, Reach(t + 5, "bed 1"), Reach(t + 5.2, "bed 2", True), Reach(t + 6, "bed 2"))
    feed(tracker, Button(t + 6.4, "bed 2"))
    for n in range(4):
        tracker.feed(t + 6.5 + n / 4, [])
    assert not tracker.open_claims
    assert tracker.state.fates[1] == AWAKE
    if told_s is not None:
        feed(tracker, Count(t + 6.4 + told_s, "bed 2", 4, 4.0))
    tracker.feed(t + 8.0, [])
    tracker.feed(t + 9.0, [])
    assert (tracker.state.fates[1] == AWAKE) == (told_s is None)
    assert bool(tracker.open_claims) == (told_s is None)
    assert len(tracker.state.beds[1]) == (3 if told_s is None else 4)


def test_a_mattress_that_was_taken_up_a_while_ago_may_lie_on_a_scale_that_is_stuck() -> None:
    """Nothing was told of it for eight seconds: the count of a bed settles no claim."""
    game = started()
    t, tracker = game.rig.t, game.tracker
    feed(
        tracker,
        *touched(t),
        Reach(t + 4, "bed 1", True),
        Count(t + 4.6, "bed 1", 2, 2.0),
        Reach(t + 5, "bed 1"),
    )
    feed(tracker, Reach(t + 6, "bed 2", True), Reach(t + 7, "bed 2"), Button(t + 12.6, "bed 1"))
    for n in range(8):
        tracker.feed(t + 13 + n / 4, [])
    assert tracker.open_claims
    assert tracker.state.fates[0] == AWAKE


@pytest.mark.parametrize("touches", [1, 2])
def test_a_camera_that_shows_no_hand_at_two_touches_may_be_frozen(touches: int) -> None:
    """It shows no cards that are played, either: nobody knows which of the mattresses were moved."""
    game = ObservedGame(3)
    game.set_up()
    t, tracker = game.rig.t, game.tracker
    feed(tracker, Health(t, "camera", True), Reach(t, "bed 1", True), Reach(t, "bed 1"))
    for n in range(touches):
        at = t + 10 + 30 * n
        feed(tracker, TouchSeen(at, "bed 1", True), TouchSeen(at + 1, "bed 1", False))
    feed(tracker, Button(t + 80, "bed 2"))
    for n in range(4):
        tracker.feed(t + 80.3 + n / 4, [])
    assert bool(tracker.open_claims) == (touches == 2)


@pytest.mark.parametrize("laid_back", [True, False])
def test_beneath_a_hand_on_the_claimed_bed_lies_only_what_was_taken_elsewhere(laid_back: bool) -> None:
    """Its scale weighs the hand. Whatever the others have told of lies where it was, or may lie beneath it."""
    game = started()
    t, tracker = game.rig.t, game.tracker
    feed(tracker, *touched(t), Reach(t + 4, "bed 2", True), Count(t + 4.6, "bed 2", 2, 2.0))
    if laid_back:
        feed(tracker, Count(t + 6.4, "bed 2", 3, 3.0))
    feed(tracker, Reach(t + 7, "bed 2"), Reach(t + 14, "bed 1", True), Count(t + 15, "bed 1", 20, 20.0))
    feed(tracker, Button(t + 16, "bed 1"))
    for n in range(8):
        tracker.feed(t + 16.3 + n / 4, [])
    assert bool(tracker.open_claims) == (not laid_back)
    assert (tracker.state.fates[0] == AWAKE) == (not laid_back)


def test_a_glass_whose_sticker_lies_hidden_is_missed_once() -> None:
    game = started()
    associator = Associator(game.tracker.sensed, game.rig.t + 60)
    signs = GAME.signs(game.tracker.state, Look(0))
    assert len(signs) == 2
    (missed,) = associator.associations(associator.waiting(frozenset()), signs)
    assert missed.cost == pytest.approx(nats(0.01))


def test_what_a_scale_shows_once_the_hand_has_left_it_shows_for_good() -> None:
    """A card just taken out may be back in a moment; beneath a hand that is gone it was not laid back."""
    game = started()
    t, tracker = game.rig.t, game.tracker
    best = tracker.state
    feed(tracker, Count(t + 4, "bed 1", 2, 2.0))
    assert beam_of(tracker).mismatch(best) == nats(0.13)
    feed(tracker, Count(t + 6, "bed 1", 19, 19.0), Count(t + 8, "bed 1", 2, 2.0))
    assert beam_of(tracker).mismatch(best) == nats(0.01)


@pytest.mark.long
def test_no_verdict_while_a_hand_rests_on_the_claimed_bed() -> None:
    """A mattress was laid beneath a hand that still rested there when the button was pressed."""
    compared = rehearse_observed(930001, "basic", 2, noise="home").comparison
    assert (compared.claims, compared.wrong_verdicts, compared.faults) == (5, 0, ())
    assert (compared.cannot_tell, compared.unjudged) == (0, 0)


@pytest.mark.parametrize(
    ("arm", "shown", "verdicts"),
    [
        ("bed 2", "", [Verdict.REFUTED, Verdict.REFUTED]),
        ("bed 3", "", [None, Verdict.REFUTED]),
        ("bed 1", "", [None, Verdict.REFUTED]),
        ("bed 1", "bed 1", [Verdict.CANNOT_TELL]),
        ("bed 1", "bed 2", [Verdict.REFUTED]),
    ],
)
def test_with_a_hand_over_another_bed_too_a_claim_waits_for_its_cards(
    arm: str, shown: str, verdicts: list[Verdict | None]
) -> None:
    """Two buttons may be connected crosswise. Two mattresses lie on the third bed, four on the second."""
    game = started()
    t, tracker = game.rig.t, game.tracker
    one, two, (slot, *rest), *others = tracker.state.beds
    tracker.begin(tracker.state._replace(beds=(one, (*two, slot), tuple(rest), *others)))
    feed(tracker, Count(t, "bed 2", 4, 4.0), Count(t, "bed 3", 2, 2.0))
    feed(tracker, Reach(t + 30, "bed 2", True), Reach(t + 30.1, arm, True), Button(t + 30.5, "bed 2"))
    if shown:
        feed(tracker, sighting(shown, "M1A", "M2A", t=t + 30.9))
    press = next(one for one in tracker.sensed.detections if one.sign.verb == "press")
    found = [
        answer_of(judge_of(tracker), t + at, press, 1, beam_of(tracker), asked=False) for at in (31.3, 35.0)
    ]
    assert [one and one.verdict for one in found[: len(verdicts)]] == verdicts
    if shown == "bed 1":
        tracker.feed(t + 31.5, [])
        assert not tracker.open_claims, "that bed was not claimed"
        assert all(one.subject == 0 for one in tracker.posteriors), "but the one whose cards were turned up"
        told = [one.sign.place for one in tracker.sensed.detections if one.sign.verb == "press"]
        assert told == ["bed 2", "bed 1"]
    wiring_of(tracker)._fitting["buttons", "bed 2"] = 1
    at_once = answer_of(judge_of(tracker), t + 31.3, press, 1, beam_of(tracker), asked=False)
    assert at_once
    assert at_once.verdict is Verdict.REFUTED, "its button is known to be its own"


def test_what_a_board_tells_when_it_is_back_was_done_by_the_hand_of_the_outage() -> None:
    """A mattress was laid down while the cable was out: its scale tells seconds after the hand had left."""
    game = started()
    t, sensed = game.rig.t, game.tracker.sensed
    feed(game.tracker, Health(t + 1, "board", False), Reach(t + 2, "bed 1", True), Reach(t + 3, "bed 1"))
    back = t + 9
    game.tracker.feed(back, [Health(back, "board", True), Count(back, "bed 1", 4, 4.0)])
    put = next(one for one in reversed(sensed.detections) if one.sign == Sign(Verb.PUT, "bed 1"))
    assert (put.t, put.alone, put.made) == (t + 3, False, None)


@pytest.mark.parametrize(("pressed", "turned_up", "read"), [(2.0, 4.0, 2), (2.0, 7.0, 2), (2.0, 7.0, 1)])
def test_a_claim_of_too_few_mattresses_is_understood_though_its_button_was_not_heard(
    pressed: float, turned_up: float, read: int
) -> None:
    """A mattress was moved away; her bed is claimed without the cable, and all that lies there is hers."""
    game = started(seed=33)
    tracker, t = game.tracker, game.rig.t
    feed(
        tracker,
        *touched(t),
        Reach(t + 3.6, "bed 1", True),
        Count(t + 4, "bed 1", 2, 2.0),
        Reach(t + 5, "bed 1"),
    )
    feed(tracker, Reach(t + 6, "bed 2", True), Count(t + 6.4, "bed 2", 4, 4.0), Reach(t + 7, "bed 2"))
    t += 10
    back = t + 6
    off = max(back, t + turned_up + 0.4)
    assert [face_text(tracker.state.faces[slot]) for slot in tracker.state.beds[0]] == ["9t", "9t"]
    cards = ("M9A", "M9B")[:read]
    moments: list[tuple[float, list[Observation]]] = [
        (t, [Health(t, "board", False)]),
        (t + pressed, [Reach(t + pressed, "bed 1", True)]),
        (back, [Health(back, "board", True)]),
        (t + turned_up, [sighting("bed 1", *cards, t=t + turned_up)]),
        (t + turned_up + 2, [sighting("bed 1", t=t + turned_up + 2)]),
        (off, [Count(off, "bed 1", 0, 0.0)]),
        (t + turned_up + 2.3, [Count(t + turned_up + 2.3, "bed 1", 2, 2.0)]),
        (t + turned_up + 2.5, [Reach(t + turned_up + 2.5, "bed 1")]),
    ]
    for at, seen in sorted(moments, key=lambda one: one[0]):
        tracker.feed(at, seen)
    for n in range(24 if read == 2 else 48):
        tracker.feed(t + turned_up + 3 + n / 4, [])
    assert tracker.state.fates[0] == OUT
