"""Two stories that fit what was seen: both are kept, weighed alike, and nothing is made up to choose."""

from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from companion.fusion import action_search
from companion.fusion.action_search import Search
from companion.fusion.association import Associator
from companion.fusion.clutter import clutter_cost
from companion.fusion.detections import Detection, SensedTable
from companion.fusion.hypothesis import Hypothesis, Step
from companion.fusion.parameters.claims import CLAIM
from companion.fusion.parameters.reading_costs import COSTS
from companion.fusion.parameters.search import SEARCH
from companion.fusion.parameters.sensors import CAMERA, DETECTIONS
from companion.fusion.parameters.sign_models import detected_as
from companion.fusion.transition_cache import TransitionCache
from companion.games.signs import Sign, Verb
from companion.games.sleepless_princess.hints.team_knowledge import TeamKnowledge
from companion.games.sleepless_princess.rules.actions import Deck, Done, Know, Look, Move, Open, Play
from companion.games.sleepless_princess.rules.card_kinds import UNKNOWN_FACE, WITCH, face_text
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import OUT, Phase, State
from companion.sensing.observation import Button, Count, Health, Reach, TagRead, Texture
from companion.sensing.observation import Touch as TouchSeen
from tests.support.inside import beam_of
from tests.support.observed import GAME, ObservedGame, nats, sighting
from vision.art_codes import CardKinds


def started() -> ObservedGame:
    game = ObservedGame(3)
    game.set_up()
    return game


def test_a_restless_scale_costs_the_same_when_it_is_long_ago() -> None:
    """Its two signs expire one after the other: neither is left alone and dear."""
    game = started()
    t, tracker = game.rig.t, game.tracker
    tracker.feed(t + 1, [Count(t + 1, "bed 5", 4, 4.0)])
    tracker.feed(t + 5, [Count(t + 5, "bed 5", 3, 3.0)])
    before = tracker.hypotheses[0][0]
    for n in range(int(DETECTIONS.life_s) + 10):
        tracker.feed(t + 6 + n, [])
    total, best = tracker.hypotheses[0]
    assert not tracker.sensed.detections
    assert total == pytest.approx(before)
    assert best.cost == pytest.approx(total)


def test_another_story_of_what_lies_hidden_is_not_crowded_out() -> None:
    """Many that differ in the row alone, all better than the one in which a mattress lies elsewhere."""
    state = started().tracker.state
    beds = list(state.beds)
    beds[1], beds[0] = (*beds[1], beds[0][0]), beds[0][1:]
    faces = list(state.faces)
    faces[0], faces[1] = faces[1], faces[0]
    crowd = [
        Hypothesis(state._replace(turns=n, faces=which), cost=n / 100)
        for n in range(SEARCH.beam_width)
        for which in (state.faces, tuple(faces))
    ]
    other = Hypothesis(state._replace(beds=tuple(beds)), cost=1.0)
    search = Search(GAME, SensedTable({}, (), {}), lambda node, action: True, TransitionCache(GAME))
    kept = [node for _, node in search.explain(0.0, [*crowd, other])]
    assert other in kept
    assert crowd[0] in kept
    assert len(kept) <= SEARCH.beam_width


def test_another_way_to_the_same_table_is_remembered_until_players_deny_the_first() -> None:
    """One player or the next laid a mattress on top of its bed: only the cheaper way is followed."""
    state = started().tracker.state
    beds = ((*state.beds[0][1:], state.beds[0][0]), *state.beds[1:])
    later, turn = (
        state._replace(turns=state.turns + 1),
        Step(1.0, state, Done(), state._replace(turns=state.turns + 1)),
    )
    moved, end = state._replace(beds=beds), later._replace(beds=beds)
    root = Hypothesis(state)
    first, second = Step(0.5, state, Move(0, 0), moved), Step(2.0, later, Move(0, 0), end)

    def chain(cost: float, *steps: Step[State, Any]) -> Hypothesis[State, Any]:
        node = root
        for step in steps:
            node = Hypothesis(step.after, cost, step=step, parent=node, depth=node.depth + 1)
        return node

    early, late = chain(1.0, first, structs.replace(turn, before=moved, after=end)), chain(2.5, turn, second)
    beam = beam_of(started().tracker).copy()
    for one, other in ((early, late), (late, early)):
        beam.scored = [(node.cost, structs.replace(node, merged=[])) for node in (one, other)]
        beam.expand(3.0)
        ((total_cost, only),) = [one for one in beam.scored if one[1].state == end]
        assert only.step is early.step
    fact = GAME.stacks.askable_fact
    denied = fact(first.before, first.action)

    def cost(node: Hypothesis[State, Any]) -> float:
        return COSTS.denied * (denied in {fact(step.before, step.action) for step in node.steps()})

    beam.learn(3.0, cost)
    (dearer, left), (dearest, denied_one) = [one for one in beam.scored if one[1].state == end]
    assert (left.step, denied_one.step) == (second, early.step)
    assert [dearer - total_cost, dearest - total_cost] == pytest.approx([1.5, COSTS.denied])
    assert left.cost == pytest.approx(2.5)


def test_what_contradicts_lingers_once_it_has_lain_there_for_a_moment() -> None:
    """Cards come to one zone after the other; those that have just come count against no hypothesis yet."""
    game = started()
    t, beam = game.rig.t, beam_of(game.tracker)
    state, search = beam.best.state, beam._search
    assert search.lingering(state, t) == 0.0
    beam.take(t, [sighting("play", "H03A", t=t)])
    beam.expand(t)
    due = beam.mismatch(state)
    assert due > 0.0
    assert search.lingering(state, t + CAMERA.lingers_s / 2) == 0.0
    assert search.lingering(state, t + 2 * CAMERA.lingers_s) == pytest.approx(due)
    beam.take(t + 1, [Count(t + 1, "bed 5", 2, 2.0)])
    beam.expand(t + 1)
    assert search.lingering(state, t + 1) == pytest.approx(beam.mismatch(state)), "a scale is always heard"


def test_a_hand_that_hesitates_leaves_one_story() -> None:
    """Laid back, taken up again, laid on another bed: that two scales were restless together is unlikely."""
    game = started()
    t, tracker = game.rig.t, game.tracker
    tracker.feed(t + 1, [sighting("play", "H03A", "H03B", "H03C", t=t + 1)])
    tracker.feed(t + 2, [TouchSeen(t + 2, "bed 1", True), TouchSeen(t + 2, "bed 1", False)])
    for at, n in ((3, 2), (4, 3), (5, 2)):
        tracker.feed(t + at, [Count(t + at, "bed 1", n, float(n))])
    tracker.feed(t + 6, [Count(t + 6, "bed 4", 4, 4.0)])
    total, best = tracker.hypotheses[0]
    assert best.step is not None
    assert best.step.action == Move(0, 3)
    others = [other for other, node in tracker.hypotheses if node.state.beds != best.state.beds]
    assert all(other - total > CLAIM.verdict_log_odds for other in others)


def test_a_mattress_is_taken_while_its_scale_shows_one_too_many() -> None:
    """Restless, it told one more; then it tells two less at once."""
    game = started()
    t, tracker = game.rig.t, game.tracker
    tracker.feed(t + 1, [sighting("play", "H03A", "H03B", "H03C", t=t + 1)])
    tracker.feed(t + 2, [TouchSeen(t + 2, "bed 1", True), TouchSeen(t + 2, "bed 1", False)])
    for at, station, n in ((3, "bed 1", 4), (5, "bed 1", 2), (8, "bed 4", 4)):
        tracker.feed(t + at, [Count(t + at, station, n, float(n))])
    total, best = tracker.hypotheses[0]
    assert best.step is not None
    assert best.step.action == Move(0, 3)
    assert total == pytest.approx(best.cost + nats(0.003)), (
        "and there is nothing else that it leaves unexplained"
    )


def test_beneath_a_hand_a_mattress_may_have_been_laid_back() -> None:
    """Or it was not: both are carried, and no claim may rest on either."""
    game = started()
    t, tracker = game.rig.t, game.tracker
    tracker.feed(t + 1, [sighting("play", "H03A", "H03B", "H03C", t=t + 1)])
    tracker.feed(t + 2, [TouchSeen(t + 2, "bed 1", True), TouchSeen(t + 2, "bed 1", False)])
    tracker.feed(t + 5, [Count(t + 5, "bed 1", 19, 19.0)])
    tracker.feed(t + 7, [Count(t + 7, "bed 1", 3, 3.0)])
    tracker.feed(t + 9, [sighting("play", t=t + 9), sighting("discard", "H03B", t=t + 9)])
    best = tracker.hypotheses[0][0]
    near = {node.state.beds[0] for total, node in tracker.hypotheses if total <= best + CLAIM.verdict_log_odds}
    assert near == {(0, 1, 2), (1, 2, 0)}


def test_a_put_after_a_lift_is_no_restless_scale() -> None:
    lift, put = Detection(0, 1.0, Sign(Verb.LIFT, "bed 1")), Detection(1, 2.0, Sign(Verb.PUT, "bed 2"))
    assert clutter_cost([put], 2.5) == nats(0.13)
    assert clutter_cost([lift, put], 2.5) == nats(0.13) + nats(0.01)
    assert clutter_cost([lift, put._replace(sign=Sign(Verb.PUT, "bed 1"))], 2.5) == nats(0.003)


def test_a_row_that_is_swept_away_is_late_once() -> None:
    """The witch was met before the play was swept: all her signs came too early, together."""
    game = started()
    state = game.tracker.state._replace(row=(1, 2, 3, 4, 5))
    sensed = SensedTable({}, (), {})
    sensed.detections = [
        Detection(0, 10.0, Sign(Verb.REACH, "deck")),
        *(Detection(n, 11.0, Sign(Verb.GONE, "row", (str(n),))) for n in range(1, 6)),
    ]
    sensed.heard = {"reach", "gone"}
    associator = Associator(sensed, 16.0)
    signs = GAME.signs(state, Open(WITCH))[:-1]
    assert signs == tuple(detection.sign for detection in sensed.detections)
    (match,) = associator.associations(associator.waiting(frozenset()), signs)
    assert len(match.used) == 6
    assert match.cost + match.late(16.0) == pytest.approx(nats(0.01))


def test_every_story_is_followed_through_a_row_that_is_swept_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """There are hundreds of ways in which five cards go, for each of many stories that differ in little."""
    state = started().tracker.state
    hands = (state.hands[0][:1], *state.hands[1:])
    state = state._replace(row=(1, 2, 3, 4, 5), phase=Phase.DRAW, turn=0, hands=hands)
    beds = list(state.beds)
    beds[1], beds[0] = (*beds[1], beds[0][0]), beds[0][1:]
    sensed = SensedTable({}, (), {})
    sensed.zones["row"] = ()
    sensed.detections = [
        Detection(0, 10.0, Sign(Verb.REACH, "deck")),
        *(Detection(n, 11.0, Sign(Verb.GONE, "row", (str(n),))) for n in range(1, 6)),
    ]
    sensed.heard = {"reach", "gone"}
    crowd = [Hypothesis(state._replace(turns=n), cost=n / 100) for n in range(60)]
    other = Hypothesis(state._replace(beds=tuple(beds)), cost=2.7)
    search = Search(GAME, sensed, lambda node, action: True, TransitionCache(GAME))
    # In less time than it takes to look at all of them.
    monkeypatch.setattr(action_search, "SEARCH", replace(SEARCH, max_expansions=len(crowd) // 2))
    kept = [node for _, node in search.explain(16.0, [*crowd, other])]
    assert any(node.parent is other and not node.state.row for node in kept)


def test_a_story_found_for_one_hidden_layout_is_tried_with_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next player plays while the row is short. A search that had no time left found that for the worse of
    two layouts alone, which was told from then on, and a true claim refuted."""
    state = started().tracker.state._replace(row=(1, 2, 3, 4), phase=Phase.LAY, turn=0)
    beds = list(state.beds)
    beds[1], beds[0] = (*beds[1], beds[0][0]), beds[0][1:]
    kinds = CardKinds({card.code: card.kind for card in GAME.cards("basic")})
    sensed = SensedTable(kinds, GAME.watched("basic"), {})
    sensed.feed([sighting("row", "H01A", "H02A", "H03A", "H04A", t=1.0)])
    sensed.detections = []
    sensed.feed([sighting("play", "H01F", "H07C", "H03B", "H05F", "H08B", t=5.0)])
    roots = [Hypothesis(state), Hypothesis(state._replace(beds=tuple(beds)), cost=5.0)]
    # Three positions are enough to explain the play with the cheaper layout, and leave none for the other.
    monkeypatch.setattr(action_search, "SEARCH", replace(SEARCH, max_expansions=3))
    search = Search(GAME, sensed, lambda node, action: True, TransitionCache(GAME))
    kept = search.explain(6.0, roots)
    (total, best), (more, other) = (
        next(one for one in kept if one[1].state.beds == root.state.beds) for root in roots
    )
    assert [step.action for step in best.steps()] == [step.action for step in other.steps()]
    assert isinstance(next(best.steps()).action, Play)
    assert more == pytest.approx(total + 5.0)


def test_a_story_is_not_tried_where_nobody_would_tell_it() -> None:
    """That a mattress is read on the pad names it if it was unknown. Where it is known already it is not taken
    for another one, though the rules would accept that."""
    state = started().tracker.state._replace(phase=Phase.CHECK, played=(1, 2, 3), touches=1)
    lost = list(state.faces)
    lost[0] = lost[3] = UNKNOWN_FACE
    kind = face_text(state.faces[3])
    cards = GAME.cards("basic")
    codes = CardKinds({card.code: card.kind for card in cards})
    sensed = SensedTable(codes, GAME.watched("basic"), {kind: (kind,)})
    sensed.feed([Count(0.5, bed, 3, 3.0) for bed in ("bed 1", "bed 2", "bed 3", "bed 4", "bed 5")])
    sensed.detections = []
    sensed.feed([TouchSeen(1.5, "bed 1", True), Count(2.0, "bed 1", 2, 2.0)])
    sensed.feed([TagRead(2.5, "pad", next(card.code for card in cards if card.kind == kind))])
    sensed.feed([Texture(2.9, "pad", kind, 0.99)])
    search = Search(GAME, sensed, lambda node, action: True, TransitionCache(GAME))
    known, unknown = Hypothesis(state), Hypothesis(state._replace(faces=tuple(lost)), cost=3.0)
    kept = [node for _, node in search.explain(3.0, [known, unknown])]
    named = [node for node in kept if Know(0, state.faces[3]) in [step.action for step in node.steps()]]
    assert named
    assert all(next(reversed([*node.back()])).parent is unknown for node in named)


def test_a_witch_that_is_read_late_is_the_one_that_swept_the_row() -> None:
    """Five of the hand are to be drawn, so any of the open cards may have been taken before: there are more
    stories than are looked at. That a second witch came, or a card was drawn before, explains her as well."""
    game = started()
    t, tracker = game.rig.t, game.tracker
    steps = len(tracker.steps)
    play = ("H02A", "H07A", "H03A", "H06A", "H09A")
    tracker.feed(t + 1, [sighting("play", *play, t=t + 1)])
    tracker.feed(t + 3, [TouchSeen(t + 3, "bed 1", True), TouchSeen(t + 4, "bed 1", False)])
    tracker.feed(t + 8, [sighting("discard", "H07A", t=t + 8)])
    tracker.feed(t + 8.1, [sighting("play", t=t + 8.1)])
    tracker.feed(t + 11.5, [Reach(t + 11.5, "deck")])
    tracker.feed(t + 12.8, [sighting("discard", t=t + 12.8)])
    tracker.feed(t + 12.9, [sighting("row", t=t + 12.9)])
    tracker.feed(t + 14.3, [sighting("discard", "W1", t=t + 14.3)])
    for n in range(20):
        tracker.feed(t + 14.5 + n / 4, [])
    assert [step.action for step in tracker.steps[steps + 2 :]] == [Done(), Deck(WITCH)]


@pytest.mark.parametrize(("gone", "used"), [(80.0, (0, 1)), (10.0, (1,))])
def test_a_glass_that_was_taken_up_long_ago_is_of_another_look(gone: float, used: tuple[int, ...]) -> None:
    """A look a turn ago that nobody believed paid for a part of the next one, and was cheaper unbelieved than
    believed: what had been moved by it was never followed."""
    look = GAME.signs(started().tracker.state, Look(1))
    sensed = SensedTable({}, (), {})
    sensed.detections = [
        Detection(n, t, Sign(detected_as(verb), place, kinds))
        for n, (t, (verb, place, kinds)) in enumerate(zip((gone, 95.0), look, strict=True))
    ]
    sensed.heard = {detection.sign.verb for detection in sensed.detections}
    associator = Associator(sensed, 95.0)
    first = associator.associations(associator.waiting(frozenset()), look)[0]
    assert tuple(detection.id for detection in first.used) == used
    assert first.cost > 1.0 or len(used) == 2


def test_a_tag_names_no_mattress_that_lies_elsewhere() -> None:
    """All of its kind are known: that one was read again says nothing of another."""
    game = started()
    t, tracker, before = game.rig.t, game.tracker, game.tracker.state
    top = before.beds[0][0]
    faces = (*before.faces[:top], UNKNOWN_FACE, *before.faces[top + 1 :])
    tracker.begin(before._replace(faces=faces))
    tracker.feed(t + 1, [sighting("play", "H03A", "H03B", "H03C", t=t + 1)])
    tracker.feed(t + 2, [TouchSeen(t + 2, "bed 1", True), TouchSeen(t + 2, "bed 1", False)])
    state = tracker.hypotheses[0][1].state
    smooth = next(face for face in faces if face >= 0 and face & 1)
    for face, named in ((smooth, False), (before.faces[top], True)):
        signs = [Sign(Verb.TAG, "pad", (face_text(face),)), Sign(Verb.LIFT, "bed 1"), Sign(Verb.PUT, "bed 2")]
        found = [one for one in GAME.propose(state, {}, {}, signs) if isinstance(one, Know)]
        assert bool(found) is named


def test_a_fan_does_not_tell_which_mattress_is_which() -> None:
    state = started().tracker.state
    slots = state.beds[1]
    faces = [state.faces[slot] for slot in slots]
    kinds = tuple(sorted(face_text(face) for face in faces))
    blank = tuple(UNKNOWN_FACE if slot in slots else face for slot, face in enumerate(state.faces))
    found = GAME.stacks.reveal(state._replace(faces=blank), 1, kinds)
    assert found is not None
    assert [found.state.faces[slot] for slot in slots] == [UNKNOWN_FACE] * 3
    # One that nobody knew is told by the others.
    one = list(state.faces)
    one[slots[2]] = UNKNOWN_FACE
    found = GAME.stacks.reveal(state._replace(faces=tuple(one)), 1, kinds)
    assert found is not None
    assert found.state.faces == state.faces
    # Of a part of the bed nobody knows which part it is.
    found = GAME.stacks.reveal(state._replace(faces=blank), 1, kinds[:1])
    assert found is None or found.state.faces == blank


def test_a_stranger_that_is_turned_up_settles_a_claim_that_was_open() -> None:
    """Nothing is known of the bed, and the camera sees a part of it."""
    game = started()
    tracker, t = game.tracker, game.rig.t
    state = tracker.state
    tracker.begin(state._replace(faces=(UNKNOWN_FACE,) * len(state.faces)))
    tracker.feed(t + 1, [Button(t + 1, "bed 1")])
    tracker.feed(t + 2, [])
    assert [claim.subject for claim in tracker.open_claims] == [0]
    stranger = next(princess for princess in state.princesses if princess != state.princesses[0])
    tracker.feed(t + 3, [sighting("bed 1", f"M{stranger}A", t=t + 3)])
    tracker.feed(t + 5, [])
    assert tracker.state.fates[0] == OUT
    assert tracker.open_claims == []


def test_a_mattress_of_another_game_that_is_turned_up_is_one_that_a_journal_can_hold() -> None:
    """Somebody mixed it in: it refutes the claim, everybody is told, and hints go on without it."""
    game = started()
    tracker, t, state = game.tracker, game.rig.t, game.state
    stranger = next(princess for princess in range(10) if princess not in state.princesses)
    codes = (*(game.rig.slots[slot] for slot in state.beds[0][:2]), f"M{stranger}A")
    tracker.feed(t + 1, [Button(t + 1, "bed 1")])
    tracker.feed(t + 3, [sighting("bed 1", *codes, t=t + 3)])
    assert tracker.state.fates[0] == OUT
    found = GAME.read_state(GAME.write_state(tracker.state))
    assert found.faces[2] == 2 * stranger
    assert GAME.status(found) == ()
    kinds = tuple(face_text(found.faces[slot]) for slot in found.beds[0])
    told = GAME.screen(found, "none", turned_up={"bed 1": kinds})["may"]
    assert [line for line in told if "does not belong to this game" in line] == told[-1:]
    known = TeamKnowledge(RULES.view(found, None))
    known.turn_up(found.beds[0], kinds)
    assert known.turned_up == []


def test_what_passed_while_the_camera_was_away_need_not_have_been_seen() -> None:
    """The looking glass was taken and put back meanwhile, perhaps."""
    look = GAME.signs(started().tracker.state, Look(0))

    def cost(sensed: SensedTable, now: float) -> float:
        associator = Associator(sensed, now)
        (match,) = associator.associations(associator.waiting(frozenset()), look)
        return match.cost

    sensed = SensedTable({}, (), {})
    watched = cost(sensed, 10.0)
    unwatched = nats(0.2)  # the glass is missed as a whole
    sensed.feed([Health(10.0, "camera", False, "no corner marker in sight")])
    assert unwatched < watched
    assert cost(sensed, 11.0) == pytest.approx(unwatched)
    sensed.feed([Health(12.0, "camera", True)])
    assert cost(sensed.copy(), 13.0) == cost(sensed, 13.0) == pytest.approx(unwatched)
    assert cost(sensed, 12.0 + COSTS.unfelt_s) == watched


@pytest.mark.parametrize(("taken", "excused"), [(6.0, False), (8.5, True)])
def test_what_was_over_before_the_camera_was_away_should_have_been_seen(taken: float, excused: bool) -> None:
    """The glass was taken so long before that it lay at the bed's foot while the camera still saw."""
    state = started().tracker.state
    sensed = SensedTable({}, (), {})
    sensed.detections = [Detection(0, taken, Sign(Verb.LEFT, "glass", ("G",)))]
    sensed.feed([Health(10.0, "camera", False, "no corner marker in sight"), Health(12.0, "camera", True)])
    associator = Associator(sensed, 13.0)
    match = associator.associations(associator.waiting(frozenset()), GAME.signs(state, Look(0)))[0]
    assert match.used
    assert match.cost == pytest.approx(nats(0.2) if excused else nats(0.01))


@pytest.mark.parametrize(("taken", "excused"), [(9.0, False), (14.0, True)])
def test_a_check_before_a_mattress_was_taken_was_made_before_that(taken: float, excused: bool) -> None:
    """It was excused for the camera was away a moment ago; but the mattress was out before that."""
    state = started().tracker.state
    sensed = SensedTable({}, (), {})
    sensed.feed([Health(10.0, "camera", False, "no corner marker in sight"), Health(12.0, "camera", True)])
    search = Search(GAME, sensed.copy(), lambda node, action: True, TransitionCache(GAME))
    full = nats(0.01)
    looked = Step(13.0, state, Look(0), state, (), nats(0.2))
    (check,) = search._unseen_checks(looked)
    assert search._not_away(check, taken) == pytest.approx(0.0 if excused else full - nats(0.2))
    (paid,) = search._unseen_checks(structs.replace(looked, cost=full))
    assert search._not_away(paid, taken) == 0
    assert not search._unseen_checks(None)


def test_a_tag_read_while_a_mattress_was_carried_is_of_no_other_card() -> None:
    lift = Detection(0, 10.0, Sign(Verb.LIFT, "bed 1"))
    tag = Detection(1, 11.0, Sign(Verb.TAG, "pad", ("4t",)))
    put = Detection(2, 12.0, Sign(Verb.PUT, "bed 2"))
    assert clutter_cost([lift, tag, put], 13.0, {0, 2}) == pytest.approx(nats(0.01))
    assert clutter_cost([lift, tag], 13.0, {0}) == pytest.approx(nats(0.5)), "it may be still in the hand"
    after = Detection(1, 12.5, tag.sign)
    assert clutter_cost([lift, put, after], 13.0, {0, 2}) == pytest.approx(nats(0.5))


def test_a_card_that_was_tapped_once_for_nothing_is_one_event() -> None:
    """Its tag and its texture are signs of the same visit; another card's texture is not."""
    tag, texture = Sign(Verb.TAG, "pad", ("4t",)), Sign(Verb.TEXTURE, "pad", ("4t",))
    once = [Detection(0, 11.0, tag), Detection(1, 11.6, texture)]
    assert clutter_cost(once, 30.0) == pytest.approx(nats(0.01) + nats(0.5))
    other = once[1]._replace(sign=Sign(Verb.TEXTURE, "pad", ("5t",)))
    assert clutter_cost([once[0], other], 30.0) == pytest.approx(2 * nats(0.01))


def test_a_scale_that_tells_late_follows_what_was_done_before_the_next_thing() -> None:
    """A mattress was laid down at 9, and another one tapped at 10, before the scale told of the first."""
    sensed = SensedTable({}, (), {})
    late = Detection(0, 11.0, Sign(Verb.PUT, "bed 1"), made=(8.5, 9.0))
    tag = Detection(1, 10.0, Sign(Verb.TAG, "pad", ("4t",)))

    def lateness(put: Detection) -> float:
        sensed.detections = [put, tag]
        associator = Associator(sensed, 12.0)
        waiting = associator.waiting(frozenset())
        (first,) = associator.associations(waiting, (put.sign,))
        (second,) = associator.associations(associator.after(waiting, first), (tag.sign,))
        return second.late(first.last_from)

    assert lateness(late) == 0
    assert lateness(late._replace(made=None)) > 0
