"""Questions of yes or no: asked when waiting does not help, once, and believed."""

import pickle
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from math import exp, inf
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest
from msgspec import structs

from companion.core.clock import ManualClock
from companion.core.language import in_english, speaking
from companion.fusion.beam import Beam
from companion.fusion.claims import judge
from companion.fusion.claims.questions import QuestionPlanner, patience
from companion.fusion.detections import Detection
from companion.fusion.explain.reasons import why, why_lines
from companion.fusion.hypothesis import Step
from companion.fusion.parameters.claims import CLAIM, QUESTIONS
from companion.fusion.parameters.reading_costs import COSTS
from companion.fusion.pruning import ScoredHypotheses
from companion.fusion.tracker import Tracker
from companion.games.claims import Verdict
from companion.games.hidden_cards import AskableFact, numbered
from companion.games.signs import Sign, Verb
from companion.games.sleepless_princess import questions
from companion.games.sleepless_princess.rules.actions import Claim, Done, Know, Look, Move, Play, Touch
from companion.games.sleepless_princess.rules.state import AWAKE, OUT
from companion.rehearse import watched_session
from companion.rehearse.games_in_observations import rehearse_observed
from companion.sensing.observation import Button, Count, Health, ManualEntry, Observation, Reach
from companion.sensing.observation import Touch as TouchSeen
from companion.session.entries.commands_to_entries import entry_of
from companion.session.journal.journal import Journal, read_journal
from companion.session.journal.journal_replay import replay_journal
from companion.session.session import Session
from companion.session.stream.commands import Answer, Pause
from companion.session.stream.events import YES_NO, Claimed, Event, Question
from tests.support.inside import answer_of, beam_of, doubts_of, judge_of
from tests.support.observed import GAME, ObservedGame, choose, sighting

ASKED_AFTER_S = patience(0.26)
"""That it was laid on top is a quarter as likely here as that it stayed."""
STAYED, LAID = (0, 1, 2), (1, 2, 0)
"""The first bed after its bottom mattress was felt in place, and after it was laid on top."""


def batches(seed: int = 3) -> list[tuple[float, list[Observation]]]:
    """A game up to where nobody can tell: a mattress was felt; then its scale told one less for a while."""
    game = ObservedGame(seed)
    game.set_up()
    t = game.rig.t
    hand = [
        Health(t, "camera", True),
        Reach(t + 1, "bed 1", True),
        Reach(t + 2, "bed 1"),
        sighting("play", "H03A", "H03B", "H03C", t=t + 3),
        Reach(t + 3.6, "bed 1", True),
        TouchSeen(t + 4, "bed 1", True),
        TouchSeen(t + 5, "bed 1", False),
        Reach(t + 5.5, "bed 1"),
        Count(t + 7.0, "bed 1", 2, 2.0),
        Count(t + 9.4, "bed 1", 3, 3.0),
    ]
    return [*game.batches, *((seen.t, [seen]) for seen in hand)]


class Doubt:
    """A tracker that does not know whether the mattress stayed; `t` is now."""

    _begun: ClassVar[list[bytes]] = []
    """One that this process has brought into doubt already."""

    def __init__(self) -> None:
        if self._begun:
            vars(self).update(pickle.loads(self._begun[0]))
            return
        self.tracker: Tracker[Any, Any] = Tracker(GAME, "basic", GAME.empty_table("basic", 3))
        self.t = 0.0
        for self.t, batch in batches():
            self.tracker.feed(self.t, batch)
        self.begun = self.t
        self._begun.append(pickle.dumps(vars(self)))

    def wait(self, seconds: float) -> None:
        for _ in range(round(4 * seconds)):
            self.t += 0.25
            self.tracker.feed(self.t, [])

    @property
    def stories(self) -> set[tuple[int, ...]]:
        best = self.tracker.hypotheses[0][0]
        return {
            node.state.beds[0]
            for total, node in self.tracker.hypotheses
            if total <= best + CLAIM.verdict_log_odds
        }

    def answer(self, yes: bool) -> None:
        assert self.tracker.asked is not None
        self.tracker.answer(self.t, self.tracker.asked.fact, yes)
        self.tracker.feed(self.t, [])


@pytest.mark.quick(1)
@pytest.mark.parametrize(("yes", "lies"), [(True, LAID), (False, STAYED)])
def test_the_table_is_asked_when_waiting_did_not_help_and_is_believed(yes: bool, lies: tuple[int, ...]) -> None:
    doubt = Doubt()
    assert doubt.stories == {STAYED, LAID}
    doubt.wait(ASKED_AFTER_S - 2)
    assert doubt.tracker.asked is None
    doubt.wait(4)
    assert doubt.tracker.asked is not None
    assert "on top of the same bed?" in doubt.tracker.asked.fact.question
    doubt.answer(yes)
    assert doubt.tracker.asked is None
    assert doubt.stories == {lies}
    assert any(
        line.startswith("Asked at") and ("Yes." in line) == yes
        for line in why_lines(why(doubt.tracker, "bed 1"))
    )
    doubt.wait(5)
    assert doubt.tracker.state.beds[0] == lies
    assert (Move(0, 0) in [step.action for step in doubt.tracker.steps]) == yes
    doubt.wait(2 * ASKED_AFTER_S)
    assert doubt.tracker.asked is None, "nobody is asked twice"
    assert doubt.stories == {lies}, "and it is not thought of again"


def test_what_was_not_done_by_then_may_be_done_after_it() -> None:
    doubt = Doubt()
    doubt.wait(ASKED_AFTER_S + 2)
    doubt.answer(False)
    doubt.wait(3)
    t, tracker = doubt.t, doubt.tracker
    tracker.feed(t + 1, [Reach(t + 1, "bed 1", True)])
    tracker.feed(t + 2, [Count(t + 2, "bed 1", 2, 2.0)])
    tracker.feed(t + 5, [Count(t + 5, "bed 1", 3, 3.0)])
    doubt.t = t + 5
    doubt.wait(5)
    assert tracker.state.beds[0] == LAID


def test_the_less_likely_it_is_the_longer_the_sensors_are_left_to_it() -> None:
    assert patience(1.0) == QUESTIONS.ask_after_s
    assert patience(exp(-1)) == pytest.approx(QUESTIONS.ask_after_s + QUESTIONS.ask_later_s)
    assert patience(2.0) == QUESTIONS.ask_after_s, "many stories may speak for it"
    assert patience(0.9 * QUESTIONS.worth) == inf


def asked_at(doubt: Doubt, scored: ScoredHypotheses[Any, Any], claimed: str | None = None) -> float | None:
    """When (s from now) these hypotheses lead to a question; None within five minutes."""
    beam, planner = copy(beam_of(doubt.tracker)), QuestionPlanner(GAME)
    beam.scored = scored
    for t in range(300):
        planner.consider(float(t), beam, claimed=claimed)
        if planner.asked is not None:
            return planner.asked.t
    return None


def test_of_what_was_done_once_or_twice_in_a_turn_the_second_time_is_asked() -> None:
    doubt = Doubt()
    best, leader = doubt.tracker.hypotheses[0]
    once = next(one for _, one in doubt.tracker.hypotheses if one.state.beds != leader.state.beds)
    assert once.step is not None
    assert once.step.action == Move(0, 0)
    beds = ((2, 0, 1), *once.state.beds[1:])
    twice = structs.replace(once, state=once.state._replace(beds=beds), parent=once, depth=once.depth + 1)
    beam, planner = copy(beam_of(doubt.tracker)), QuestionPlanner(GAME)
    beam.scored = [(best, once), (best + 1.0, twice)]
    for t in range(60):
        planner.consider(float(t), beam, claimed=None)
    assert planner.asked is not None
    asked, first = planner.asked.fact, GAME.stacks.askable_fact(once.step.before, once.step.action)
    assert str(asked.question).endswith("on top of the same bed? More than once in that turn?")
    assert first is not None
    assert numbered([first, first]) == [first, asked]
    assert [planner.cost(asked, yes, one) for one in (once, twice) for yes in (True, False)] == [
        COSTS.denied,
        0.0,
        0.0,
        COSTS.denied,
    ]


def test_what_both_stories_have_is_not_asked_though_it_is_long_past_for_one_of_them() -> None:
    """A hypothesis that has moved nothing lately is compared over the same turns as one that has."""
    doubt = Doubt()
    best, leader = doubt.tracker.hypotheses[0]
    old = next(one for _, one in doubt.tracker.hypotheses if one.state.beds != leader.state.beds)
    assert old.step is not None
    stayed = structs.replace(old, state=old.state._replace(turns=old.step.before.turns + QUESTIONS.turns))
    beds = (stayed.state.beds[0], (4, 5, 3), *stayed.state.beds[2:])
    after = stayed.state._replace(beds=beds)
    move = Step(doubt.t, stayed.state, Move(1, 1), after)
    moved = structs.replace(stayed, state=after, step=move, parent=stayed, depth=stayed.depth + 1)
    beam, planner = copy(beam_of(doubt.tracker)), QuestionPlanner(GAME)
    beam.scored = [(best, moved), (best, stayed)]
    for t in range(60):
        planner.consider(float(t), beam, claimed=None)
    assert planner.asked is not None
    assert planner.asked.fact == GAME.stacks.askable_fact(move.before, move.action)
    fact = GAME.stacks.askable_fact(old.step.before, old.step.action)
    assert fact is not None
    assert [planner.cost(fact, True, one) for one in (moved, stayed)] == [0.0, 0.0]


def test_a_story_that_is_told_several_ways_is_one() -> None:
    """Hypotheses of one layout differ in what else explains the same signs: a layout counts once."""
    doubt = Doubt()
    once = doubt.tracker.hypotheses
    twice = [one for one in once for _ in range(2)]
    assert asked_at(doubt, twice) == asked_at(doubt, once) == pytest.approx(ASKED_AFTER_S, abs=1.0)


@pytest.mark.parametrize("cost", [0.0, 40.0], ids=["usual table", "restless table"])
def test_a_small_doubt_is_asked_about_only_when_a_verdict_waits_for_it(cost: float) -> None:
    doubt = Doubt()
    (best, leader), *others = [(total, one.charged(cost)) for total, one in doubt.tracker.hypotheses]
    order = next(one for _, one in others if one.state.beds != leader.state.beds)
    assert sorted(order.state.beds[0]) == sorted(leader.state.beds[0]), "the same ones in another order"
    top, *rest = reversed(leader.state.beds[0])
    beds = (tuple(rest[::-1]), (*leader.state.beds[1], top), *leader.state.beds[2:])
    apart = structs.replace(order, state=order.state._replace(beds=beds))
    for likely, behind in ((True, 1.5), (False, 1.7)):
        after = pytest.approx(patience(exp(-behind)), abs=1.0) if likely else None
        for other in (order, apart):
            scored = [(best, leader), (best + behind, other)]
            assert asked_at(doubt, scored) == asked_at(doubt, scored, "bed 3") == after
        assert asked_at(doubt, [(best, leader), (best + behind, order)], "bed 1") == after
    for bed in ("bed 1", "bed 2"):
        assert asked_at(doubt, [(best, leader), (best + 3.6, apart)], bed) == QUESTIONS.claimed_s


def test_an_answer_to_something_else_says_nothing() -> None:
    doubt = Doubt()
    doubt.wait(ASKED_AFTER_S + 2)
    asked = doubt.tracker.asked
    assert asked is not None
    for other in (
        AskableFact(asked.fact.turn, "Is it raining?", "rain"),
        replace(asked.fact, turn=asked.fact.turn + 3),
    ):
        doubt.tracker.answer(doubt.t, other, True)
        doubt.wait(1)
        assert doubt.tracker.asked == asked
    assert doubt.stories == {STAYED, LAID}


def test_what_the_sensors_tell_meanwhile_takes_the_question_back() -> None:
    """The mattress that lies lowest is lifted, and is the one that was felt: it had stayed."""
    doubt = Doubt()
    doubt.wait(ASKED_AFTER_S + 2)
    assert doubt.tracker.asked is not None
    doubt.tracker.feed(doubt.t + 1, [Count(doubt.t + 1, "bed 1", 2, 2.0)])
    doubt.tracker.feed(doubt.t + 3, [Count(doubt.t + 3, "bed 2", 4, 4.0)])
    doubt.t += 3
    doubt.wait(12)
    assert doubt.tracker.asked is None


def test_a_question_that_nobody_answers_goes_away() -> None:
    doubt = Doubt()
    doubt.wait(ASKED_AFTER_S + QUESTIONS.given_up_s - 2)
    assert doubt.tracker.asked is not None
    doubt.wait(4 + ASKED_AFTER_S)
    assert doubt.tracker.asked is None


class Table:
    """A session at that moment, with what it says and asks."""

    _begun: ClassVar[list[bytes]] = []
    """One without a journal that this process has brought there already."""

    def __init__(self, folder: Path | None = None) -> None:
        if self._begun and folder is None:
            vars(self).update(pickle.loads(self._begun[0]))
            return
        self.clock = ManualClock()
        self.events: list[Event] = []
        self.path = folder / "journal.jsonl" if folder else None
        self.journal = Journal(self.path, sync=False) if self.path else None
        self.session = Session(
            GAME, "basic", 3, clock=self.clock, publish=self.events.append, journal=self.journal
        )
        for t, batch in batches():
            self.clock.sleep(max(0.0, t - self.clock.now()))
            self.session.take(t, batch)
        if folder is None:
            self._begun.append(pickle.dumps(vars(self)))

    def wait(self, seconds: float) -> None:
        for _ in range(round(4 * seconds)):
            self.clock.sleep(0.25)
            self.session.step([])

    @property
    def asked(self) -> str:
        return next(one.text for one in reversed(self.events) if isinstance(one, Question))

    @property
    def asked_id(self) -> str:
        return next(one.id for one in reversed(self.events) if isinstance(one, Question))

    @property
    def claimed(self) -> list[str]:
        return [one.verdict for one in self.events if isinstance(one, Claimed)]

    def claim(self) -> None:
        self.session.take(self.clock.now(), [Button(self.clock.now(), "bed 1")])


def test_a_question_is_shown_answered_and_counted() -> None:
    table = Table()
    table.wait(ASKED_AFTER_S + 2)
    assert Question(table.asked, YES_NO, table.asked_id) in table.session.welcome(), (
        "a screen that comes later sees it too"
    )
    assert table.session.step([], [Answer(table.asked_id, False)]) == []
    assert table.asked == ""
    assert len(table.session.questions) == 1
    assert table.session.keys_pressed == 0
    assert table.session.step([], [Answer("Is it raining?", True)]) == ["That is not asked any more."]


def test_a_question_is_known_by_its_id_whatever_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    said = questions.askable_fact
    table = Table()
    table.wait(ASKED_AFTER_S + 2)
    moved = table.asked_id
    assert moved.startswith("move:turn")
    assert table.session.step([], [Answer(table.asked, False)]) == ["That is not asked any more."]

    def in_other_words(before: Any, action: Any) -> AskableFact | None:
        fact = said(before, action)
        return None if fact is None else replace(fact, question="Was it so?")

    monkeypatch.setattr(type(GAME.stacks), "askable_fact", staticmethod(in_other_words))
    assert table.session.step([], [Answer(moved, False)]) == []
    assert table.asked == ""
    assert [one.fact.id for one in table.session.tracker.answers] == [moved]


def test_an_answer_in_a_journal_is_matched_by_its_id() -> None:
    table = Table()
    table.wait(ASKED_AFTER_S + 2)
    now, asked = table.clock.now(), table.session.tracker.asked
    assert asked is not None
    args = {"turn": asked.fact.turn, "question": "Other words?", "id": asked.fact.id, "yes": False}
    table.session.take(now, [ManualEntry(now, "answer", args)])
    assert [one.fact for one in table.session.tracker.answers] == [asked.fact]


def test_an_old_answer_of_a_journal_is_told_in_the_language_of_its_reader() -> None:
    table = Table()
    table.wait(ASKED_AFTER_S + 2)
    session, now = table.session, table.clock.now()
    args = (GAME, session.tracker, 3, session.entries)
    entry = entry_of(Answer(table.asked_id, False), now, *args, over=False)
    kept = msgspec.json.decode(msgspec.json.encode(entry, enc_hook=in_english), type=ManualEntry)
    kept = structs.replace(kept, args=kept.args | {"id": "of a hypothesis that is not carried"})
    session.tracker.recorded.follow([], [session.tracker.state])
    with speaking("de"):
        session.take(now, [kept])
    assert [one.fact.question[:14] for one in session.tracker.answers] == ["Hat Spieler 1 "]


def test_nobody_is_asked_while_the_companion_is_paused() -> None:
    table = Table()
    table.session.step([], [Pause(True)])
    table.wait(ASKED_AFTER_S + 10)
    assert not [one for one in table.events if isinstance(one, Question) and one.text]


@pytest.mark.long
def test_an_answer_survives_a_power_cut_and_a_replay(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.wait(ASKED_AFTER_S + 2)
    table.session.step([], [Answer(table.asked_id, True)])
    table.wait(5)
    state = table.session.tracker.state
    assert state.beds[0] == LAID
    assert table.journal
    assert table.path
    table.journal.close()
    recorded = read_journal(table.path)
    assert replay_journal(table.path)["matches"]
    again = Session(GAME, "basic", 3, clock=table.clock, publish=table.events.append, recorded=recorded.lines)
    assert again.tracker.state == state


def one_came(doubt: Doubt, more: int) -> Beam[Any, Any]:
    """Nobody knows which mattress came to the second bed; with it, `more` than three lie there."""
    beam = copy(beam_of(doubt.tracker))
    _, leader = beam.scored[0]
    (one, other, third), two = leader.state.beds[:2]
    lying = [((other, third), (*two[: 2 + more], one)), ((one, third), (*two[: 2 + more], other))]
    beam.scored = [
        (n / 100, structs.replace(leader, state=leader.state._replace(beds=(*beds, *leader.state.beds[2:]))))
        for n, beds in enumerate(lying)
    ]
    beam.sensed.counts |= {"bed 1": 2, "bed 2": 3 + more}
    return beam


@pytest.mark.parametrize(("more", "waits"), [(1, False), (0, True)])
def test_a_claim_that_the_number_of_cards_settles_waits_for_no_answer(more: int, waits: bool) -> None:
    """Four mattresses are too many, whichever came there."""
    doubt = Doubt()
    press = Detection(10_000, doubt.t, Sign(Verb.PRESS, "bed 2"))
    beam = one_came(doubt, more)
    answer = answer_of(judge_of(doubt.tracker), doubt.t + 1.0, press, 1, beam, asked=True)
    assert (answer is None) == waits
    assert waits or (answer is not None and answer.verdict is Verdict.REFUTED)


@pytest.mark.parametrize("hopeless", [False, True])
def test_a_claim_that_stays_open_whatever_is_said_waits_for_no_answer(hopeless: bool) -> None:
    """A card may lie anywhere since a scale was found to be a card off: no answer ends that."""
    doubt = Doubt()
    press = Detection(10_000, doubt.t, Sign(Verb.PRESS, "bed 2"))
    beam = one_came(doubt, 0)
    beam.sensed.detections.append(press)
    if hopeless:
        doubts_of(doubt.tracker).astray(doubt.t)
    answer = answer_of(judge_of(doubt.tracker), doubt.t + 1.0, press, 1, beam, asked=True)
    assert (answer is None) is not hopeless
    assert (judge_of(doubt.tracker).divided(doubt.t + 1.0, beam, beam.best.state) is None) is hopeless


@pytest.mark.parametrize(("alike", "waits"), [(1, True), (4, False)])
def test_a_claim_waits_only_if_other_cards_are_likely_enough_in_all(alike: int, waits: bool) -> None:
    """Each of `alike` hypotheses has the likeliest cards there, and one that is near has others."""
    doubt = Doubt()
    press = Detection(10_000, doubt.t, Sign(Verb.PRESS, "bed 2"))
    beam = one_came(doubt, 0)
    (best, leader), (_, rival) = beam.scored
    beam.scored = [(best, leader)] * alike + [(best + CLAIM.verdict_log_odds - 0.1, rival)]
    beam.sensed.detections.append(press)
    assert (judge_of(doubt.tracker).divided(doubt.t + 1.0, beam, leader.state) is press) is waits
    answer = answer_of(judge_of(doubt.tracker), doubt.t + 1.0, press, 1, beam, asked=True)
    assert (answer is None) is waits


@pytest.mark.parametrize(
    ("after", "asked"), [(1.0, True), (QUESTIONS.ask_until_s - QUESTIONS.claimed_s + 0.5, False)]
)
def test_a_doubt_that_comes_late_after_a_claim_is_asked_no_sooner_than_others(
    after: float, asked: bool
) -> None:
    """People could not answer before the claim is left open."""
    doubt = Doubt()
    tracker, t = doubt.tracker, doubt.t + 30.0
    best, leader = tracker.hypotheses[0]
    other = next(one for _, one in tracker.hypotheses if one.state.beds != leader.state.beds)
    top, *rest = reversed(leader.state.beds[0])
    beds = (tuple(rest[::-1]), (*leader.state.beds[1], top), *leader.state.beds[2:])
    rival = structs.replace(other, state=other.state._replace(beds=beds))
    beam_of(tracker).sensed.detections.append(Detection(10_000, t, Sign(Verb.PRESS, "bed 2")))
    for n in range(28):
        late = [(best + 3.0, rival)] if n / 4 >= after else []
        beam_of(tracker).scored = [(best, leader), *late]
        tracker._ask(t + n / 4)
    assert (tracker.asked is not None) is tracker.claim_waits is asked


@pytest.mark.long
@pytest.mark.parametrize(("answers", "left_open"), [((2.0, 5.0), 0), ((1000.0, 1000.0), 1)])
def test_a_verdict_waits_for_an_answer_and_no_longer_than_people_do(
    monkeypatch: pytest.MonkeyPatch, answers: tuple[float, float], left_open: int
) -> None:
    """In this game a hand lay on a scale shortly before a claim on which that bears."""
    monkeypatch.setattr(watched_session, "ANSWER_S", answers)
    report = rehearse_observed(10072, "basic", 4, noise="home")
    assert report.comparison.wrong_verdicts == report.comparison.unjudged == 0
    assert report.comparison.cannot_tell == left_open
    assert len(report.questions) == 1
    assert report.troubles[-1].startswith("asked: Did player ")
    assert sum(trouble.endswith(": left open") for trouble in report.troubles) == left_open
    longest = max(report.comparison.verdict_ms)
    assert (longest > 1000 * answers[0]) if left_open == 0 else (longest >= 1000 * CLAIM.answered_s)


@pytest.mark.long
def test_who_turns_the_cards_up_before_the_answer_is_judged_by_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tracker, "claim_waits", property(lambda _: False, lambda *_: None), raising=False)
    report = rehearse_observed(10072, "basic", 4, noise="home")
    assert report.comparison.wrong_verdicts == report.comparison.cannot_tell == 0
    assert 1000 < max(report.comparison.verdict_ms) < 1000 * CLAIM.answered_s


@pytest.mark.long
def test_no_claim_waits_for_an_answer_that_could_not_settle_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge.Judge, "_frozen", staticmethod(lambda *_: True))
    report = rehearse_observed(10072, "basic", 4, noise="home")
    # The last claim waits for its cards in any case.
    assert report.comparison.cannot_tell == report.comparison.claims - 1
    assert max(report.comparison.verdict_ms[:-1]) < 1000 * (CLAIM.judge_after_s + 0.1)


def test_an_answer_in_a_journal_that_makes_no_sense_is_passed_over() -> None:
    table = Table()
    table.wait(ASKED_AFTER_S + 2)
    now, asked = table.clock.now(), table.asked
    for args in ({}, {"turn": [1], "question": asked, "yes": True}, {"turn": 1, "question": 7, "yes": "no"}):
        table.session.take(now, [ManualEntry(now, "answer", args)])
    assert table.session.tracker.asked is not None


def flicker(game: ObservedGame) -> None:
    """A hand at the first bed, and its scale tells one less for a while."""
    t, on_it = game.rig.t, len(game.state.beds[0])
    for seen in (
        Health(t, "camera", True),
        Reach(t + 1, "bed 1", True),
        Reach(t + 2, "bed 1"),
        Count(t + 3.5, "bed 1", on_it - 1, on_it - 1.0),
        Count(t + 5.9, "bed 1", on_it, float(on_it)),
    ):
        game.rig.t = seen.t
        game.feed([seen])


@pytest.mark.long
def test_what_one_player_did_not_do_another_may_have_done() -> None:
    """Both lead to the same table: only one of the two was carried, and the other must come back."""
    game = ObservedGame(5)
    game.set_up()
    felt: list[int] = []
    while len(felt) < 2:
        legal = GAME.legal_actions(game.state)
        if Touch(0) in legal and game.state.turn not in felt:
            felt.append(game.state.turn)
            game.do(Touch(0))
            flicker(game)
            game.do(Done())
        else:
            others = [one for one in legal if not isinstance(one, Claim | Know | Touch | Move | Look)]
            plays = [one for one in others if isinstance(one, Play)]
            game.do(game.chance.choice(plays or others))
    tracker = game.tracker
    while tracker.asked is None:
        game.rig.t += 0.25
        game.feed([])
    assert f"Did player {felt[0] + 1} take the bottom mattress" in tracker.asked.fact.question
    denied = tracker.asked.fact
    tracker.answer(game.rig.t, denied, False)
    game.feed([])
    most = tracker.hypotheses[0][0] + COSTS.denied
    total, laid = next((total, one) for total, one in tracker.hypotheses if one.state.beds[0] == LAID)
    assert total < most
    deeds = [GAME.stacks.askable_fact(one.before, one.action) for one in laid.steps()]
    assert denied not in deeds
    assert any(deeds)


def pressed_by_mistake() -> tuple[ObservedGame, Step[Any, Any]]:
    """A button was pressed, the claim refuted, and people play on: nobody turns up anything."""
    game = ObservedGame(3)
    game.set_up()
    game.feed([Button(game.rig.t, "bed 1")])
    for _ in range(8):
        game.rig.t += 0.25
        game.feed([])
    claim = game.tracker.steps[-1]
    assert claim.action == Claim(0)
    for _ in range(14):
        game.do(next(action for action in plays_on(game) if not isinstance(action, Claim)))
    return game, claim


def plays_on(game: ObservedGame) -> Iterator[Any]:
    while True:
        yield choose(game.state, game.chance)


def test_a_claim_that_nobody_meant_lapses_after_asking_once() -> None:
    game, claim = pressed_by_mistake()
    tracker = game.tracker
    assert tracker.state.fates[0] == OUT
    assert tracker.asked is not None
    assert tracker.asked.fact == GAME.stacks.askable_fact(claim.before, claim.action)
    tracker.answer(game.rig.t, tracker.asked.fact, yes=False)
    change = game.feed([])
    assert claim.action in [step.action for step in change.revoked]
    assert claim.action not in [step.action for step in change.steps]
    assert tracker.asked is None
    for _ in range(20):
        game.do(next(action for action in plays_on(game) if not isinstance(action, Claim)))
    assert tracker.asked is None
    assert tracker.state.fates[0] == AWAKE
    assert tracker.state.turns == game.state.turns
    game.do(Claim(0))
    assert GAME.claim_of(tracker.steps[-1].action) == (0, False), "the cards were turned up before the verdict"
    assert tracker.state.fates[0] == game.state.fates[0] == OUT


@pytest.mark.parametrize("answer", [True, None])
def test_a_claim_that_was_meant_stands(answer: bool | None) -> None:
    game, claim = pressed_by_mistake()
    assert game.tracker.asked is not None
    if answer is not None:
        game.tracker.answer(game.rig.t, game.tracker.asked.fact, answer)
    for _ in range(250):
        game.rig.t += 0.25
        game.feed([])
    assert game.tracker.asked is None
    assert claim.action in [step.action for step in game.tracker.steps]
    assert game.tracker.state.fates[0] == OUT


def test_nobody_is_asked_about_a_claim_whose_cards_were_turned_up() -> None:
    game = ObservedGame(3)
    game.set_up()
    game.do(Claim(0))
    for _ in range(200):
        game.rig.t += 0.25
        game.feed([])
        assert game.tracker.asked is None
