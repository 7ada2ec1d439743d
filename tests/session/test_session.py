"""The session: verdicts with reasons, keys for what sensors miss, and no secret on any screen."""

import pickle
import re
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, ClassVar

import msgspec
import pytest

from companion.core.board_state import BoardState
from companion.core.clock import ManualClock
from companion.core.language import LANGUAGES, Language, on_wire, sentences
from companion.games.appearance import Difference
from companion.games.registry import GAME_NAMES, first_variant, load_game
from companion.games.rules import IllegalError
from companion.games.sleepless_princess.rules.card_kinds import UNKNOWN_FACE
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, OUT, Phase, State
from companion.sensing.observation import Button, Count, Health, Observation, Reach, Seen, Sighting
from companion.session.endings.heard_claims import SEVERAL_PRESSED
from companion.session.entries.without_keys import (
    AGREED,
    BEFORE_RESTART,
    LOST,
    NOT_LAST,
    PUT_RIGHT,
    RESULT_STAYS,
    WithoutKeys,
)
from companion.session.journal.journal import Journal
from companion.session.journal.journal_replay import replay_journal
from companion.session.narration import PATIENCE_S, UNLAID, question_of
from companion.session.provisional_sentences import FIRM_S
from companion.session.public_table import senses_of
from companion.session.sensor_monitor import SensorMonitor
from companion.session.session import LOOK_AT_LINK_S, Session
from companion.session.stream.commands import Claim, CompanionIsRight, Pause, TableIsRight, Undo
from companion.session.stream.events import (
    LOST_TRACK,
    LOST_UNSEEN,
    Claimed,
    ClaimHeard,
    Event,
    Question,
    Said,
    Score,
    SensorHealth,
    Table,
)
from tests.support.observed import GAME, SensedGame, choose


class Desk:
    """A session with its clock, its events, and the game that feeds it."""

    _laid_out: ClassVar[dict[tuple[int, str, int], bytes]] = {}
    """Desks of this process, laid out once each."""

    def __init__(self, seed: int = 3, variant: str = "basic", players: int = 3) -> None:
        known = self._laid_out.get((seed, variant, players))
        if known is not None:
            vars(self).update(pickle.loads(known))
            return
        self.game = SensedGame(seed, variant, players)
        self.clock = ManualClock()
        self.events: list[Event] = []
        self.session = Session(GAME, variant, players, clock=self.clock, publish=self.events.append)
        self.game.set_up()
        for t, batch in self.game.batches:
            self.take(batch, t)
        self._laid_out[seed, variant, players] = pickle.dumps(vars(self))

    def take(self, batch: list[Observation], t: float | None = None) -> None:
        t = self.clock.now() + 1 if t is None else t
        self.clock.sleep(max(0.0, t - self.clock.now()))
        self.session.take(t, batch)

    def zone(self, zone: str, *codes: str) -> None:
        t = self.clock.now() + 1
        self.take([Sighting(t, zone, tuple(Seen(code, 0, 0) for code in codes))], t)

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def state(self) -> State:
        state: State = self.session.tracker.state
        return state


def test_a_claim_by_key_is_judged_with_reasons() -> None:
    desk = Desk()
    assert desk.session.step([], [Claim(2)]) == []
    desk.take([])
    (claimed,) = desk.of(Claimed)
    assert (claimed.subject, claimed.verdict) == (2, "refuted")
    assert claimed.reasons
    assert desk.state.fates[1] != 0


def test_a_claim_is_told_when_it_is_heard_and_once_however_often_the_button_is_pressed() -> None:
    desk = Desk()
    t = desk.clock.now() + 1
    desk.take([Button(t, "bed 2"), Button(t, "bed 9"), Button(t, "play")], t)
    assert [(one.subject, one.name) for one in desk.of(ClaimHeard)] == [
        (2, f"{desk.session.welcome()[1].places[1].name}, bed 2")
    ]
    desk.take([Button(t + 0.4, "bed 2")], t + 0.4)
    desk.take([], t + 2)
    assert len(desk.of(ClaimHeard)) == len(desk.of(Claimed)) == 1
    kinds = [type(event) for event in desk.events]
    assert kinds.index(ClaimHeard) < kinds.index(Claimed)
    # She sleeps or is out now: nothing more is claimed of her.
    desk.take([Button(t + 9, "bed 2")], t + 9)
    assert len(desk.of(ClaimHeard)) == 1


def test_all_five_buttons_at_once_are_one_quiet_line_and_no_verdict_question_or_end() -> None:
    desk = Desk()
    for flood in (1, 2):
        t = desk.clock.now() + 20
        for n in range(10):
            desk.take([Button(t + n / 2, f"bed {n % 5 + 1}")], t + n / 2)
        for _ in range(30):
            desk.take([])
        lines = [said for said in desk.of(Said) if said.text == SEVERAL_PRESSED]
        assert [said.kind for said in lines] == ["notice"] * flood
        assert len(desk.of(ClaimHeard)) == 2 * flood, "two may still be claims"
    assert not [one for kind in (Claimed, Score) for one in desk.of(kind)]
    assert not desk.session.questions
    assert desk.state.fates == (AWAKE,) * 5


@pytest.mark.parametrize("bed", [0, 6, -1, 99])
def test_a_bed_that_is_not_there_is_refused(bed: int) -> None:
    desk = Desk()
    assert desk.session.step([], [Claim(bed)]) == [f"There is no bed {bed}."]
    assert not desk.of(Claimed)


@pytest.mark.parametrize("game", ["sleeping-queens", "sleeping-queens-2", "sleepless-princess"])
def test_a_subject_that_is_not_there_is_refused_in_every_game(game: str) -> None:
    rules = load_game(game)
    session = Session(rules, first_variant(rules), 3, clock=ManualClock(), publish=lambda _: None)
    for wrong in (-4, 0, 99, 10**30):
        for command in (Claim(wrong), TableIsRight(0, (wrong,)), TableIsRight(1, (), (1, wrong))):
            assert len(session.step([], [command])) == 1, command


def test_nobody_can_claim_before_the_game() -> None:
    session = Session(GAME, "basic", 3, clock=ManualClock(), publish=lambda _: None)
    assert session.step([], [Claim(1)]) == ["Nothing can be claimed yet."]


def test_nobody_is_told_to_lay_out_a_game_that_nothing_watches() -> None:
    screen = GAME.screen(GAME.empty_table("basic", 3), "referee", frozenset())
    assert (screen["call"], screen["symbol"]) == ("NOT YET", "eye")
    assert "plug in a camera or a board" in screen["may"][0]


def test_whose_tile_was_not_seen_is_said_by_its_bed() -> None:
    state = GAME.empty_table("basic", 3)
    assert "Lay each princess flat" in GAME.screen(state, "referee")["may"][0]
    seated = state._replace(princesses=(3, 4, -1, 6, -1))
    assert "beds 3 and 5:" in GAME.screen(seated, "referee")["may"][0]
    assert "seen" not in " ".join(GAME.screen(state._replace(princesses=(3, 4, 5, 6, 7)), "referee")["may"])


def unknown_table(*, asleep: bool) -> Desk:
    """A table dealt without the pad: nobody knows what lies on bed 1, which really holds her three or not."""
    desk = Desk()
    state = desk.state
    faces = (UNKNOWN_FACE,) * len(state.faces)
    desk.session.tracker.begin(state._replace(faces=faces))
    princess = state.princesses[0]
    other = state.princesses[1]
    right = [f"M{princess}A", f"M{princess}B", f"M{princess}S" if asleep else f"M{other}S"]
    desk.take([Button(desk.clock.now() + 1, "bed 1")])
    desk.take([])
    (claimed,) = desk.of(Claimed)
    assert claimed.verdict == "cannot tell"
    assert claimed.show.startswith("the mattresses in the bed of ")
    assert desk.of(Table)[-1].open_claims == (claimed.name,)
    desk.zone("bed 1", *right)
    desk.take([])
    return desk


@pytest.mark.parametrize("asleep", [True, False])
def test_what_cannot_be_told_is_settled_by_the_camera(asleep: bool) -> None:
    desk = unknown_table(asleep=asleep)
    assert desk.of(Claimed)[-1].verdict == ("proved" if asleep else "refuted")
    assert (desk.state.fates[0] == ASLEEP) is asleep
    assert desk.of(Table)[-1].open_claims == (), "it has its answer"


def test_undo_takes_back_and_says_so() -> None:
    desk = Desk()
    desk.zone("play", "H03A", "H03B", "H03C")
    assert desk.state.played == (3, 3, 3)
    desk.session.step([], [Undo()])
    assert desk.state.played == ()
    assert "Taken back" in desk.of(Said)[-1].text


def test_what_was_taken_back_can_be_right_after_all() -> None:
    desk = Desk()
    desk.zone("play", "H03A", "H03B", "H03C")
    desk.session.step([], [Undo()])
    desk.session.step([], [TableIsRight()])
    assert desk.state.played == (3, 3, 3)
    early = SensedGame(3)
    session = Session(GAME, "basic", 3, clock=desk.clock, publish=desk.events.append)
    batches = early.rig.setup(early.state)
    for _ in range(2):
        session.take(early.rig.t, next(batches))
    seated = session.tracker.state
    session.step([], [Undo()])
    assert session.tracker.state != seated
    session.step([], [TableIsRight()])
    assert session.tracker.state == seated


def test_taking_back_a_dealt_mattress_does_not_name_it() -> None:
    desk = Desk()
    session = Session(GAME, "basic", 3, clock=desk.clock, publish=desk.events.append)
    for t, batch in desk.game.batches[: 2 * 5 + 3 * 2]:
        session.take(t, batch)
    assert session.tracker.state.faces
    desk.events.clear()
    session.step([], [Undo()])
    (said,) = [said.text for said in desk.of(Said) if said.text.startswith("Taken back")]
    assert said.startswith("Taken back: A card is dealt to the bed of ")
    assert "attress" not in said


@pytest.mark.parametrize("name", GAME_NAMES)
def test_whatever_is_taken_back_has_public_words(name: str) -> None:
    game = load_game(name)
    variant = first_variant(game)
    players = game.variants[variant][0]
    chance = Random(5)
    state = game.setup(variant, players, chance)
    for _ in range(400):
        if game.outcome(state) is not None:
            break
        action = chance.choice(game.legal_actions(state))
        try:
            after = game.apply(state, action)
        except IllegalError:
            continue  # a card that chance must name first
        if game.message(state, action, after) is None:
            assert game.untold(state, action), action
        state = after


@pytest.mark.parametrize("by_key", [True, False])
def test_a_verdict_is_taken_back_only_by_its_own_words(by_key: bool) -> None:
    """An elbow on a button must not open a bed again and again."""
    desk = Desk()
    if by_key:
        desk.session.step([], [Claim(2)])
    else:
        desk.take([Button(desk.clock.now() + 1, "bed 2")])
    desk.take([])
    said = desk.of(Table)[-1].verdict
    assert said.text.endswith(" stays awake and leaves the game.")
    for wrong in ("", said.id.replace("stays awake", "sleeps")):
        assert desk.session.step([], [Undo(wrong)]) == [f"{said.text} To take that back, confirm it."]
        assert desk.state.fates[1] == OUT
    assert desk.session.step([], [Undo(said.id)]) == []
    assert desk.state.fates[1] == AWAKE
    assert desk.of(Said)[-1].text == f"Taken back: {said.text}"
    assert desk.of(Table)[-1].verdict is None
    assert desk.session.step([], [Undo(said.id)]) == [
        "The verdict is not the last action now. Press t, and mark who still plays."
    ]
    desk.zone("play", "H03A", "H03B", "H03C")
    assert desk.session.step([], [Undo()]) == [], "all else is taken back unasked"


def test_two_keys_at_once_do_not_take_back_a_verdict_unasked() -> None:
    desk = Desk()
    desk.session.step([], [Claim(2)])
    desk.take([])
    verdict = desk.of(Table)[-1].verdict
    desk.zone("play", "H03A", "H03B", "H03C")
    assert desk.state.played
    assert desk.session.step([], [Undo(), Undo()]) == []
    assert (desk.state.played, desk.state.fates[1]) == ((), OUT)
    assert desk.of(Said)[-1].text == f"{verdict.text} To take that back, confirm it."


def test_a_verdict_that_nobody_meant_is_taken_back_after_the_next_cards() -> None:
    """A child pressed the key, and it is noticed a turn later."""
    desk = Desk()
    desk.session.step([], [Claim(2)])
    desk.take([])
    faces = desk.state.faces
    desk.zone("play", "H03A", "H03B", "H03C")
    name = desk.of(Table)[-1].places[1].name
    judged = desk.session.position().judged
    assert [(one.id, one.text) for one in judged] == [("2", f"{name} still plays")]
    desk.session.step([], [TableIsRight()])
    assert desk.state.fates[1] == OUT, "only players can say it"
    desk.session.step([], [TableIsRight(0, (), (2,))])
    assert desk.state.fates[1] == AWAKE
    assert not {*desk.state.shown} & {*desk.state.beds[1]}, "nobody turned them up"
    assert (desk.state.played, desk.state.faces) == ((3, 3, 3), faces), "nothing else is taken back"
    assert desk.session.position().judged == ()
    desk.session.step([], [Claim(2)])
    desk.take([])
    assert [one.verdict for one in desk.of(Claimed)] == ["refuted", "refuted"], "she can be claimed again"


@pytest.mark.long
def test_the_end_is_taken_back_only_by_its_own_words() -> None:
    desk = Desk(4, "5+", 2)
    fed = len(desk.game.batches)
    for _ in desk.game.play_on():
        for t, batch in desk.game.batches[fed:]:
            desk.take(batch, t)
        fed = len(desk.game.batches)
    said = desk.of(Table)[-1].verdict
    assert said
    desk.session.step([], [Undo()])
    assert desk.state.phase is Phase.OVER
    desk.session.step([], [Undo(said.id)])
    assert desk.state.phase is not Phase.OVER


def test_no_screen_counts_a_bed() -> None:
    desk = Desk()
    desk.take([Count(desk.clock.now() + 1, "bed 1", 6, 6.0)])
    desk.clock.sleep(2 * PATIENCE_S)
    desk.session.step([])
    desk.session.step([], [CompanionIsRight()])
    texts = [desk.of(Question)[-1].text, desk.of(Said)[-1].text]
    for text in texts:
        assert "a mattress too many" in text
        assert "6" not in text
        assert "3" not in text


def test_undo_of_nothing_is_refused() -> None:
    session = Session(GAME, "basic", 3, clock=ManualClock(), publish=lambda _: None)
    assert session.step([], [Undo()]) == ["There is nothing to take back."]


def test_nothing_is_concluded_while_paused() -> None:
    desk = Desk()
    desk.session.step([], [Pause(True)])
    desk.zone("play", "H03A", "H03B", "H03C")
    assert desk.state.played == ()
    assert desk.of(Table)[-1].paused
    desk.session.step([], [Pause(False)])
    assert desk.state.played == (3, 3, 3)


def test_a_contradiction_is_asked_about_late_and_once_and_withdrawn() -> None:
    desk = Desk()
    row = list(desk.game.rig.row)
    desk.zone("row", *row, "H09F" if "H09F" not in row else "H09E")
    assert not desk.of(Question)
    for _ in range(5):
        desk.clock.sleep(PATIENCE_S / 2)
        desk.session.step([])
    first, question = desk.of(Question)
    assert first.text == "Something is off: row. Lay it right, or say here what is right."
    assert question.text == "On the open row I see a 9 too many. Lay it right, or say here what is right."
    assert desk.session.step([], [CompanionIsRight()]) == []
    assert "t: I take over what lies there" in desk.of(Said)[-1].text
    desk.zone("row", *row)
    desk.session.step([])
    assert desk.of(Question)[-1].text == ""
    assert len(desk.session.questions) == 1


def test_what_is_off_no_more_is_told_no_more() -> None:
    """Something else that is off has its own time, and its own words."""
    desk = Desk()
    row = list(desk.game.rig.row)
    desk.zone("row", *row, "H09F" if "H09F" not in row else "H09E")
    for _ in range(5):
        desk.clock.sleep(PATIENCE_S / 2)
        desk.session.step([])
    assert "a 9 too many" in desk.of(Question)[-1].text
    desk.zone("row", *row[1:])
    desk.session.step([])
    assert desk.of(Question)[-1].text == ""
    for _ in range(5):
        desk.clock.sleep(PATIENCE_S / 2)
        desk.session.step([])
    assert "miss" in desk.of(Question)[-1].text


def test_the_table_can_be_right() -> None:
    desk = Desk()
    row = list(desk.game.rig.row)
    desk.zone("row", *row[1:])
    desk.session.step([], [TableIsRight()])
    assert len(desk.state.row) == 4
    assert "took over" in desk.of(Said)[-1].text


def test_the_table_cannot_be_right_about_what_is_impossible() -> None:
    desk = Desk()
    before = desk.state
    desk.take([Count(desk.clock.now() + 1, "bed 1", 6, 6.0)])
    desk.session.step([], [TableIsRight()])
    assert desk.state == before
    text = desk.of(Said)[-1].text
    assert "more mattresses than the game has" in text
    assert "g at the table's own screen, whose turn it is, goes on" in text


@pytest.mark.long
def test_time_alone_revises_and_the_journal_knows(tmp_path: Path) -> None:
    """A hand over the deck looked like the last draw; then the row is swept by the witch that it was."""
    desk = Desk(5, "basic", 2)
    journal = Journal(tmp_path / "j.jsonl", sync=False)
    session = Session(GAME, "basic", 2, clock=ManualClock(), publish=desk.events.append, journal=journal)
    for t, batch in desk.game.batches:
        session.take(t, batch)
    t = desk.game.rig.t
    session.take(t + 1, [Sighting(t + 1, "play", (Seen("H09B", 0, 0),))])
    session.take(t + 2, [Sighting(t + 2, "play", ()), Sighting(t + 2, "discard", (Seen("H09B", 0, 0),))])
    session.take(t + 3, [Reach(t + 3, "deck")])
    session.take(t + 7, [])
    assert session.tracker.state.turns == 2
    assert desk.of(Table)[-1].provisional[-1] == "Player 1 draws from the deck."
    session.take(t + 8, [Sighting(t + 8, "row", ()), Sighting(t + 8, "discard", (Seen("W1", 0, 0),))])
    session.take(t + 11, [])
    session.take(t + 13, [])
    assert session.tracker.state.row == ()
    assert session.tracker.state.turns == 1
    assert "Player 1 draws from the deck." not in desk.of(Table)[-1].provisional
    session.take(t + 13 + FIRM_S, [])
    assert desk.of(Table)[-1].provisional == ()
    texts = [said.text for said in desk.of(Said)]
    assert texts[-2:] == ["Player 1 discards a 9.", "Player 1 draws a witch! The open cards are swept away."]
    assert "Player 1 draws from the deck." not in texts, "what was never firm is taken back without a word"
    assert not any(said.kind == "repair" for said in desk.of(Said))
    assert replay_journal(tmp_path / "j.jsonl")["matches"]


def test_a_table_that_lies_as_believed_keeps_what_was_told() -> None:
    desk = Desk()
    desk.zone("play", "H05A", "H05B", "H05C")
    pending = desk.of(Table)[-1].provisional
    assert pending
    desk.session.step([], [TableIsRight()])
    said = [one.text for one in desk.of(Said)]
    assert said[-len(pending) - 1 :] == [*pending, "I took over what lies on the table."]
    assert desk.of(Table)[-1].provisional == ()


def test_a_verdict_waits_for_no_other_sentence() -> None:
    desk = Desk()
    desk.zone("play", "H05A", "H05B", "H05C")
    pending = desk.of(Table)[-1].provisional
    assert pending
    desk.session.step([], [Claim(2)])
    desk.take([])
    said = [one for one in desk.of(Said) if one.kind in ("move", "claim")]
    assert [one.text for one in said[-len(pending) - 1 : -1]] == list(pending)
    assert said[-1].kind == "claim"
    assert desk.of(Table)[-1].provisional == ()


def test_sensors_come_and_go_on_the_screen() -> None:
    desk = Desk()
    desk.take([Health(1, "camera", False, "no picture")])
    assert desk.of(SensorHealth)[-1] == SensorHealth("camera", False, "no picture")
    assert SensorHealth("camera", False, "no picture") in desk.session.welcome()


class Cable:
    """A source that has nothing to report but how its link stands."""

    finished = False

    def __init__(self) -> None:
        self.state = BoardState("connected", rtt_ms=3)

    def poll(self) -> list[Observation]:
        return []

    def link_status(self, _now: float) -> BoardState:
        return self.state

    def close(self) -> None: ...


def test_the_link_is_told_when_it_changes_and_never_recorded(tmp_path: Path) -> None:
    desk = Desk()
    journal = Journal(tmp_path / "j.jsonl", sync=False)
    session = Session(GAME, "basic", 3, clock=desk.clock, publish=desk.events.append, journal=journal)
    cable = Cable()

    def look() -> list[BoardState]:
        for _ in range(500):
            desk.clock.sleep(0.02)
            session.step([cable])
        found: list[BoardState] = desk.of(BoardState)
        return found

    assert look() == [cable.state]
    assert cable.state in session.welcome()
    cable.state = BoardState("lost", "unplugged")
    assert look()[1:] == [cable.state]
    for count in range(500):
        cable.state = BoardState("connected", bad_frames=count)
        desk.clock.sleep(0.02)
        session.step([cable])
    assert len(desk.of(BoardState)) <= 2 + 10 / LOOK_AT_LINK_S + 1
    journal.close()
    assert "unplugged" not in (tmp_path / "j.jsonl").read_text()


def swapped(state: State, chance: Random) -> State:
    """The same for everybody who may not know: hidden faces, hands and the deck replaced by others."""
    hidden = [slot for slot in range(len(state.faces)) if slot not in state.shown]
    faces = list(state.faces)
    mixed = [faces[slot] for slot in hidden]
    chance.shuffle(mixed)
    for slot, face in zip(hidden, mixed, strict=True):
        faces[slot] = face
    cards = [kind for hand in state.hands for kind in hand] + list(state.deck)
    chance.shuffle(cards)
    hands = []
    for hand in state.hands:
        hands.append(tuple(sorted(cards[: len(hand)])))
        del cards[: len(hand)]
    return state._replace(faces=tuple(faces), hands=tuple(hands), deck=tuple(cards))


@pytest.mark.parametrize("assist", ["referee", "memory"])
def test_no_hidden_card_reaches_a_screen(assist: str) -> None:
    """Other hidden cards, the same bytes: the screen and every sentence that is no claim."""
    for seed in range(4):
        chance = Random(seed)
        state: State = GAME.setup("basic", 3, chance)
        while GAME.legal_actions(state):
            other = swapped(state, chance)
            assert msgspec.json.encode(GAME.screen(state, assist), enc_hook=on_wire) == msgspec.json.encode(
                GAME.screen(other, assist), enc_hook=on_wire
            )
            action = choose(state, chance)
            after = GAME.apply(state, action)
            if (
                GAME.claim_of(action) is None
                and len(after.discard) == len(state.discard)
                and after.shown == state.shown
            ):
                told = GAME.message(state, action, after)
                assert told == GAME.message(other, action, swapped(after, chance))
            state = after


def test_counting_beds_is_for_those_who_may() -> None:
    state = GAME.setup("basic", 3, Random(1))
    assert all(place["count"] is None for place in GAME.screen(state, "referee")["places"])
    assert [place["count"] for place in GAME.screen(state, "memory")["places"]] == [3] * 5


def test_the_end_is_scored_once() -> None:
    desk = Desk(4, "5+", 2)
    fed = len(desk.game.batches)
    for _ in desk.game.play_on():
        for t, batch in desk.game.batches[fed:]:
            desk.take(batch, t)
        fed = len(desk.game.batches)
    assert len(desk.of(Score)) == 1


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (Difference("row", ("8",), ()), "On the open row I see an 8 too many."),
        (
            Difference("play", ("3", "3", "W"), ()),
            "On the play zone I see 2 cards of value 3 and a witch too many.",
        ),
        (Difference("discard", ("4",), ("W",)), "On the discard pile I see a 4, and miss a witch."),
        (Difference("glass", (), ("G",)), "On the place of the looking glass I miss a looking glass."),
        (Difference("bed 2", ("?",), ()), "On the bed of Pizza I see a mattress too many."),
        (Difference("bed 2", ("0t", "3s"), ()), "On the bed of Pizza I see 2 mattresses too many."),
        (
            Difference("foot 3", ("P2A",), ()),
            "On the foot of the bed of Bats I see a tile of Bats too many.",
        ),
    ],
)
def test_what_is_off_is_said_in_words_that_give_no_mattress_away(found: Difference, words: str) -> None:
    state = GAME.empty_table("basic", 3)._replace(princesses=(0, 1, 2, 3, 4))
    assert GAME.difference(state, found) == words


def laid_out_by(*health: Health) -> Table:
    """The table's picture before anything lies there, with these parts at work."""
    session = Session(GAME, "basic", 3, clock=ManualClock(), publish=lambda _: None)
    session.take(0.0, list(health))
    return next(event for event in session.welcome() if isinstance(event, Table))


def test_people_are_asked_only_for_what_the_parts_that_work_can_follow() -> None:
    camera, board = Health(0.0, "camera", True), Health(0.0, "board", True)
    both = laid_out_by(camera, board)
    assert [text.split()[0] for text in both.may] == ["Lay", "Tap", "Give"]
    assert both.may_not == ()
    eyes = laid_out_by(camera)
    assert not any("pad" in text for text in (*eyes.may, *eyes.may_not))
    assert [text.split()[0] for text in eyes.may] == ["Lay", "Lay", "Give"]
    assert [text.split(":")[0] for text in eyes.may_not] == ["No board"]
    hands = laid_out_by(board)
    assert not any("flat" in text for text in hands.may)
    assert [text.split(":")[0] for text in hands.may_not] == ["No camera"]
    assert laid_out_by(Health(0.0, "camera", False, "cannot be opened"), board).may == hands.may


def test_with_no_part_yet_people_are_asked_to_wait() -> None:
    for health in ([], [Health(0.0, "camera", False), Health(0.0, "board", False)]):
        (only,) = laid_out_by(*health).may
        assert "wait" in only


def test_after_a_game_people_are_told_how_another_begins() -> None:
    over = GAME.screen(Desk().session.tracker.state._replace(phase=Phase.OVER), "referee")
    assert over["may"] == ["For another game clear the whole table, then lay it out anew."]


def test_how_many_mattresses_are_dealt_is_said_on_the_way() -> None:
    desk = Desk()
    said = {text for table in desk.of(Table) for text in table.may if text.startswith("Tap")}
    assert "Tap each mattress on the pad, then lay it face down on a bed (7 of 15 so far)." in said


def test_where_no_mattress_is_smooth_none_is_offered() -> None:
    seated = GAME.setup("5+", 3, Random(1))
    assert [one["id"] for one in GAME.screen(seated, "referee")["statements"]] == ["1", "2", "3", "4"]
    assert GAME.screen(GAME.empty_table("basic", 3), "referee")["statements"] == []


@pytest.mark.parametrize(
    ("senses", "words", "name"),
    [
        ({"camera", "board"}, "still see what lies open", LOST_TRACK),
        ({"board"}, "the board still works. Mend the camera, then t", LOST_UNSEEN),
        (set(), "Neither camera nor board works. Mend the camera, then t", LOST_UNSEEN),
    ],
)
def test_who_has_lost_track_says_what_still_works(senses: set[str], words: str, name: str) -> None:
    lost: Any = SimpleNamespace(asked=None, lost=lambda _t: True, steps=["a play"])
    asked = question_of(lost, Question(""), 9.0, quiet_s=0.0, senses=senses)
    assert asked.id == name
    assert words in asked.text
    without = WithoutKeys("en").say(asked.text)
    assert not _KEY.search(without)
    assert ("sees nothing" in without) is (name == LOST_UNSEEN)


@pytest.mark.parametrize(("read", "waits"), [((), True), (("queen 3",), False)])
def test_a_table_that_is_laid_out_is_not_a_lost_track(read: tuple[str, ...], waits: bool) -> None:
    zones = {"queen 1": (), "discard": read}
    bare: Any = SimpleNamespace(asked=None, lost=lambda _t: True, steps=[], sensed=SimpleNamespace(zones=zones))
    asked = question_of(bare, Question(""), 9.0, quiet_s=0.0, senses={"camera"})
    assert (asked == Question(UNLAID)) is waits
    assert (asked.id == LOST_TRACK) is not waits


_KEY = re.compile(r"\b(press|then|or) [a-z]\b", re.IGNORECASE)


def test_screens_without_keys_name_none_in_any_language() -> None:
    for code in LANGUAGES:
        for one in (LOST, AGREED, PUT_RIGHT, BEFORE_RESTART, NOT_LAST, RESULT_STAYS):
            assert _KEY.search(one)
            assert WithoutKeys(code).say(one) != Language(code).say(one)
            assert not _KEY.search(WithoutKeys(code).say(one))
    said = sentences([AGREED, PUT_RIGHT])
    assert not _KEY.search(WithoutKeys("en").say(said)), "also within other sentences"


def test_a_camera_that_missed_a_sign_still_watches() -> None:
    desk = Desk()
    failing = {"camera": SensorHealth("camera", False, "missed 1 of 2 signs: check it")}
    assert "camera" in senses_of(desk.session.tracker.sensed, failing)
    t = desk.clock.now() + 1
    desk.take([Health(t, "camera", False, "gone")], t)
    assert "camera" not in senses_of(desk.session.tracker.sensed, desk.session.screens.health)


@pytest.mark.parametrize("mends", [True, False])
def test_a_break_for_setup_is_advised_only_where_it_can_be_made(mends: bool) -> None:
    said = SensorMonitor(mends=mends)._lost(GAME, 1.0, "camera", "missed 3 of 4 signs", drifts=True).text
    assert ("In a break: q, then m" in said) is mends
    assert "I may miss some cards" in said


@pytest.mark.parametrize(
    ("variant", "said", "unsaid"),
    [
        ("basic", ("three mattresses", "Addition", "looking glass", "smooth", "three right"), ("two right",)),
        ("5+", ("two mattresses", "two right"), ("three mattresses", "Addition", "adds cards", "three right")),
    ],
)
def test_lessons_are_those_of_the_variant(variant: str, said: tuple[str, ...], unsaid: tuple[str, ...]) -> None:
    lessons = Desk(4, variant, 2).session.welcome()[0].lessons
    taught = " ".join(one.text for one in lessons)
    assert [words for words in said if words not in taught] == []
    assert [words for words in unsaid if words in taught] == []
    assert {"phase setup", "phase play", "phase check", "claim"} <= {one.when for one in lessons}
