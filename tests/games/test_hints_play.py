"""Hints played out: what following them brings, and what the coach says where the position is clear."""

import json
from collections import Counter
from io import StringIO
from random import Random
from typing import Any

import pytest

from companion.core.errors import BadInputError
from companion.games.rules import CHANCE
from companion.games.sleepless_princess.hints.bed_plan import BedPlan
from companion.games.sleepless_princess.hints.hint_wording import rule
from companion.games.sleepless_princess.hints.hinted_players import CoachPolicy
from companion.games.sleepless_princess.hints.ranked_options import checks_ahead, options
from companion.games.sleepless_princess.hints.team_knowledge import TeamKnowledge
from companion.games.sleepless_princess.players.policies import RandomPolicy
from companion.games.sleepless_princess.players.simulation import play_out, simulate
from companion.games.sleepless_princess.rules.actions import Claim, Done, Look, Move, Touch
from companion.games.sleepless_princess.rules.card_kinds import BLANKET, WITCH, face_text
from companion.games.sleepless_princess.rules.hidden_state import spell_out
from companion.games.sleepless_princess.rules.player_view import told
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import OUT, Phase, State
from tests.benchmarks.hints_bench import bench_hints

GAME = "sleepless-princess"


def played(
    policy: str, games: int = 8, players: int = 3, variant: str = "basic", **people: float
) -> dict[str, Any]:
    return simulate(variant, players, games, 5, policy, **people)


def checking(state: State, touches: int, looks: int) -> State:
    """The same table in the middle of a turn."""
    return state._replace(phase=Phase.CHECK, touches=touches, looks=looks)


def test_following_hints_beats_greed_and_greed_beats_carelessness() -> None:
    careless, greedy, coach = (played(name)["mean_lulled"] for name in ("careless", "greedy", "coach"))
    assert coach == 5.0
    assert careless < 1 < greedy <= coach


def test_who_keeps_silent_is_helped_by_hints_and_less_than_who_talks() -> None:
    alone, all_alone = (simulate("basic", 3, 6, 5, name, silent=True) for name in ("coach", "careless"))
    together = played("coach", 6)
    assert all_alone["mean_lulled"] < 1 < alone["mean_lulled"] <= together["mean_lulled"]
    assert alone["mean_checks_to_finish"] > 1.2 * together["mean_checks_to_finish"]


def test_the_coach_needs_more_checks_than_who_sees_everything_and_not_many_more() -> None:
    coach, clairvoyant = played("coach"), played("clairvoyant")
    assert clairvoyant["mean_checks_to_finish"] < coach["mean_checks_to_finish"] < 17


def test_the_more_often_careless_people_ask_the_better_they_do() -> None:
    lulled = [played(f"coach-every-{every}", 6)["mean_lulled"] for every in (1, 2, 8)]
    assert lulled[0] > 4.5
    assert lulled == sorted(lulled, reverse=True)
    assert lulled[2] < 2


def test_forgetting_does_not_matter_to_those_who_always_ask() -> None:
    none, all_of_it = (played("coach-every-1", 4, forget=share, misread=0.0) for share in (0.0, 1.0))
    assert none["digest"] == all_of_it["digest"]


@pytest.mark.parametrize(("forget", "misread"), [(0.0, 0.0), (1.0, 0.0), (0.08, 0.5)])
def test_carelessness_is_what_it_is_told_to_be(forget: float, misread: float) -> None:
    result = played("careless", 6, forget=forget, misread=misread)
    assert (result["forget"], result["misread"]) == (forget, misread)
    assert result["digest"] != played("careless", 6)["digest"]


def test_policies_are_compared_on_the_same_deals() -> None:
    deals = []
    for policy in ("coach", "careless", "clairvoyant", "random"):
        log = StringIO()
        simulate("5+", 2, 2, 3, policy, log)
        deals.append([json.loads(line)["setup"] for line in log.getvalue().splitlines()])
    assert deals == [deals[0]] * len(deals)


@pytest.mark.parametrize("name", ["coach-every-0", "coach-every-", "coach-every-1000", "coach-every-two"])
def test_only_whole_numbers_of_turns(name: str) -> None:
    with pytest.raises(BadInputError, match="--policy"):
        played(name, 1)


@pytest.mark.parametrize(("variant", "players"), [("basic", 2), ("basic", 5), ("5+", 3)])
def test_all_the_coach_offers_is_legal_wherever_people_stray(variant: str, players: int) -> None:
    chance = Random(players)
    state = RULES.setup(variant, players, chance)
    known = TeamKnowledge(RULES.view(state, 0))
    asked = 0
    for step in play_out(state, RandomPolicy(), chance):
        actor = RULES.actor(step.before)
        if actor != CHANCE:
            offered = [option.action for option in options(known, RULES.view(step.before, actor))]
            assert offered
            assert set(offered) <= set(step.legal)
            asked += 1
        known.observe(actor, spell_out(step.before, step.action), told(step.before, step.action))
    assert asked > 30


@pytest.mark.parametrize(("variant", "players"), [("basic", 4), ("5+", 2)])
def test_no_claim_is_wrong_where_nobody_errs(variant: str, players: int) -> None:
    claims = 0
    for seed in range(6):
        chance = Random(seed)
        for step in play_out(RULES.setup(variant, players, chance), CoachPolicy(), chance):
            if isinstance(step.action, Claim):
                claims += 1
                assert step.after.fates[step.action.bed] != OUT
    assert claims > 6


def test_a_bed_found_right_is_claimed_and_not_before() -> None:
    state = RULES.setup("basic", 2, Random(0))
    hers = [slot for slot, face in enumerate(state.faces) if face >> 1 == state.princesses[0]]
    others = [slot for slot in range(len(state.faces)) if slot not in hers]
    laid = state._replace(beds=(tuple(hers), *(tuple(others[at : at + 3]) for at in range(0, 12, 3))))
    known = TeamKnowledge(RULES.view(laid, 0), beds=laid.beds)
    for slot in hers[:2]:
        known.show(slot, face_text(state.faces[slot]))
    view = RULES.view(laid, laid.turn)
    assert not isinstance(options(known, view)[0].action, Claim)
    known.show(hers[2], face_text(state.faces[hers[2]]))
    first = options(known, view)[0]
    assert (first.action, first.chance) == (Claim(0), 1.0)


def test_a_mattress_that_was_checked_goes_home() -> None:
    state = checking(RULES.setup("basic", 2, Random(1)), 1, 0)
    bed, slot, home = next(
        (bed, slots[0], state.princesses.index(state.faces[slots[0]] >> 1))
        for bed, slots in enumerate(state.beds)
        if state.princesses[bed] != state.faces[slots[0]] >> 1
    )
    known = TeamKnowledge(RULES.view(state, 0), beds=state.beds)
    known.show(slot, face_text(state.faces[slot]))
    first = options(known, RULES.view(state, state.turn))[0].action
    assert first == Touch(bed)
    felt = RULES.apply(state, first)
    assert options(known, RULES.view(felt, felt.turn))[0].action == Move(bed, home)


def test_fingers_are_not_sent_to_what_they_cannot_tell() -> None:
    state = RULES.setup("basic", 2, Random(2))
    known = TeamKnowledge(RULES.view(state, 0), beds=state.beds)
    for slots in state.beds[1:]:
        known.feel(slots[0], "smooth")
    assert options(known, RULES.view(checking(state, 1, 0), state.turn))[0].action == Touch(0)
    known.feel(state.beds[0][0], "smooth")
    fingers = options(known, RULES.view(checking(state, 1, 0), state.turn))[0].action
    glass = options(known, RULES.view(checking(state, 0, 1), state.turn))[0].action
    assert isinstance(fingers, Done)
    assert isinstance(glass, Look)


def test_the_glass_goes_before_fingers_that_may_find_nothing() -> None:
    """What it shows tells where fingers will be of use; but what is known needs no glass to be carried home."""
    state = checking(RULES.setup("basic", 2, Random(2)), 1, 1)
    known = TeamKnowledge(RULES.view(state, 0), beds=state.beds)
    view = RULES.view(state, state.turn)
    assert isinstance(options(known, view)[0].action, Look)
    assert isinstance(options(known, {**view, "silent": True})[0].action, Touch)
    bed = next(bed for bed in range(5) if state.princesses[bed] != state.faces[state.beds[bed][0]] >> 1)
    known.show(state.beds[bed][0], face_text(state.faces[state.beds[bed][0]]))
    assert options(known, RULES.view(state, state.turn))[0].action == Touch(bed)


@pytest.mark.parametrize("silent", [False, True])
def test_no_touch_that_can_tell_something_is_left_out(silent: bool) -> None:
    """A touch is free: to end the turn without it costs a whole turn later."""
    ended = unused = 0
    for seed in range(5):
        chance = Random(seed)
        coach = CoachPolicy()
        for step in play_out(RULES.setup("basic", 2, chance, silent=silent), coach, chance):
            if isinstance(step.action, Done):
                ended += 1
                view = RULES.view(step.before, step.before.turn)
                touches = BedPlan(coach.known, view["fates"]).checks(view["checked_beds"], False)
                unused += bool(step.before.touches and touches)
    assert ended > 20
    assert unused == 0


@pytest.mark.parametrize(("players", "turns"), [(2, 11.2), (4, 12.9)])
def test_who_follows_hints_is_done_soon(players: int, turns: float) -> None:
    result = played("coach", 25, players)
    assert result["mean_lulled"] == 5.0
    assert result["mean_turns"] <= turns
    assert 0 < result["mean_cards_left"] < 40


def test_the_bench_counts_work_and_idling_costs_none_of_it() -> None:
    result = bench_hints(0.2)
    assert result["idle_steps"] == 0
    assert 0 < result["steps_mean"] <= result["steps_max"]
    assert result["brute_ratio"] > 0
    assert result["p50_ms"] <= result["p95_ms"] <= result["max_ms"]


def test_cards_that_were_seen_are_not_expected_from_the_deck() -> None:
    chance = Random(4)
    state = RULES.setup("basic", 2, chance)
    known = TeamKnowledge(RULES.view(state, 0))
    for step in play_out(state, RandomPolicy(), chance):
        actor = RULES.actor(step.before)
        if actor != CHANCE and step.before.deck:
            hands, deck = step.before.hands, step.before.deck
            hidden = [kind for kind in (*deck, *hands[1 - actor]) if kind != WITCH]
            public = Counter(known.held[1 - actor])
            left = [hidden.count(kind) - public[kind] for kind in range(1, BLANKET + 1)]
            odds = known.odds(actor, hands[actor])
            assert odds == pytest.approx([count / sum(left) for count in left])
        known.observe(actor, spell_out(step.before, step.action), told(step.before, step.action))


def test_where_there_is_no_glass_nobody_hears_of_looks() -> None:
    for variant, looks in (("basic", True), ("5+", False)):
        state = RULES.setup(variant, 2, Random(5))
        view = {**RULES.view(state, 0), "hand": ["?"] * 5}
        known = TeamKnowledge(RULES.view(state, None))
        ahead = checks_ahead(known, view)
        assert any(isinstance(option.action, Touch) for option in ahead)
        assert any(isinstance(option.action, Look) for option in ahead) is looks
        assert ("look" in rule(variant, "play") + rule(variant, "check")) is looks
