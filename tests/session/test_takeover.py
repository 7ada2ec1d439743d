"""A table that was not watched for long is taken over as it lies, and what nobody can know is unknown."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import ClassVar

import pytest

from companion.advice.princess_knowledge import last_check, relive, team_knowledge
from companion.advice.sleepless_princess import answer
from companion.core.clock import ManualClock
from companion.core.errors import BadInputError
from companion.fusion.hypothesis import Step
from companion.fusion.publisher import Change
from companion.games.appearance import Survey, TakenOver
from companion.games.claims import Verdict
from companion.games.registry import load_game
from companion.games.sleepless_princess.hints.team_knowledge import TeamKnowledge
from companion.games.sleepless_princess.notation.state_notation import read_state
from companion.games.sleepless_princess.rules import actions as rules
from companion.games.sleepless_princess.rules.actions import Open, Recount
from companion.games.sleepless_princess.rules.apply import apply
from companion.games.sleepless_princess.rules.card_kinds import (
    BLANKET,
    KIND_TEXT,
    UNKNOWN,
    UNKNOWN_FACE,
    WITCH,
    face_text,
)
from companion.games.sleepless_princess.rules.cardsets import totals, unseen
from companion.games.sleepless_princess.rules.claim_rules import settled
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, OUT, Phase, State
from companion.games.sleepless_princess.rules.state_faults import status
from companion.games.sleepless_princess.sensing.appearance import bed_name, expected_view, needed_kinds
from companion.games.sleepless_princess.sensing.takeover import (
    FORGOTTEN,
    HIDDEN_FAULTS,
    _possible,
    at_turn,
    ended,
    take_over,
)
from companion.games.sleepless_princess.sensing.unseen_turns import MISCOUNTED, recounted
from companion.rehearse.games_in_observations import rehearse_observed
from companion.sensing.observation import Button, Count, Health, ManualEntry, Seen, Sighting
from companion.session.entries.way_back_gesture import GESTURE_S
from companion.session.journal.journal import Journal, Recorded
from companion.session.journal.journal_lines import Adopted, Done
from companion.session.journal.journal_replay import replay_journal
from companion.session.session import Session
from companion.session.stream.commands import (
    AskHint,
    Claim,
    Command,
    CompanionIsRight,
    EndGame,
    TableIsRight,
    Turn,
    Undo,
)
from companion.session.stream.events import Claimed, Question, Said, Score, SensorHealth, Table
from tests.support.journaled import Beginning, beginning, copy
from tests.support.observed import GAME, ObservedGame, SensedGame
from tests.support.sleepless import BLANK, walk

TABLES = [(variant, players) for variant, allowed in GAME.variants.items() for players in allowed]


def survey(truth: State, *, moved: bool = True) -> Survey:
    """What sensors that work tell of this table; nobody knows what was moved, or nothing was."""
    view = expected_view(truth)
    zones = dict(view.zones)
    zones["discard"] = tuple(KIND_TEXT[kind] for kind in truth.discard[-1:])
    for bed, fate in enumerate(truth.fates):
        zones[bed_name(bed)] = (f"P{truth.princesses[bed]}D",) if fate == ASLEEP else ()
    counts = {bed_name(bed): len(slots) for bed, slots in enumerate(truth.beds)}
    return Survey(zones, counts, frozenset(counts) if moved else frozenset())


def as_told(truth: State) -> State:
    """What a companion that saw everything holds: all mattresses, no hand, no deck."""
    hands = tuple((0,) * len(hand) for hand in truth.hands)
    return truth._replace(hands=hands, deck=(0,) * len(truth.deck))


@pytest.mark.parametrize("dreams", [True, False])
def test_players_say_that_a_princess_who_sleeps_by_a_verdict_still_plays(dreams: bool) -> None:
    """Her tile has the last word; without it nobody knows her mattresses, which were never turned up."""
    bed = 1
    begun = as_told(next(before for before, _, _ in walk("5+", 3, 1) if before.phase is Phase.PLAY))
    begun = begun._replace(faces=(UNKNOWN_FACE,) * len(begun.faces))
    believed = apply(begun, rules.Claim(bed, True))
    found = survey(believed, moved=False)
    if not dreams:
        found = replace(found, zones={**found.zones, bed_name(bed): ()})
    before = take_over(believed, found)
    assert [subject for subject, _ in before.judged if subject == bed] == ([] if dreams else [bed])
    taken = take_over(believed, replace(found, playing=frozenset({bed, 99, -1})))
    assert taken.state.fates[bed] == (ASLEEP if dreams else AWAKE)
    hers = set(believed.beds[bed])
    assert hers <= set(taken.state.shown) if dreams else hers.isdisjoint(taken.state.shown)
    assert taken.lost == (() if dreams else tuple(sorted(hers)))
    assert status(taken.state) == ()


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_whatever_passed_the_table_is_taken_over(variant: str, players: int) -> None:
    """From any moment of a game to any other: what can be seen holds, and no hidden card is known."""
    chance = Random(5)
    states = [before for seed in range(3) for before, _, _ in walk(variant, players, seed)]
    pairs = [sorted(chance.sample(range(len(states)), 2)) for _ in range(150)]
    for earlier, later in pairs:
        believed, truth = as_told(states[earlier]), states[later]
        if truth.phase >= Phase.FINAL or believed.phase >= Phase.FINAL:
            continue
        believed = believed._replace(princesses=truth.princesses)
        believed = believed._replace(faces=(UNKNOWN_FACE,) * len(believed.faces))
        if ASLEEP in believed.fates or OUT in believed.fates:
            continue
        taken = take_over(believed, survey(truth))
        after = taken.state
        assert status(after) == ()
        assert after.row == truth.row
        for bed, fate in enumerate(truth.fates):
            assert (after.fates[bed] == ASLEEP) == (fate == ASLEEP)
            assert len(after.beds[bed]) == len(truth.beds[bed])
            if after.fates[bed] == AWAKE and len(after.beds[bed]) == believed.game.variant.mattresses_per_bed:
                assert settled(after, bed) is not True or settled(truth, bed) is True
        if after.phase is Phase.OVER:
            continue
        for player in range(players):
            for missed in (True, False):
                turn = at_turn(after, player, missed=missed)
                assert status(turn) == ()
                assert turn.turn == player
                assert turn.phase is Phase.PLAY
                assert turn.row == truth.row
        end = ended(after, survey(truth)).state
        assert status(end) == ()
        assert end.phase is Phase.OVER
        assert end.fates.count(ASLEEP) == truth.fates.count(ASLEEP)


def started(seed: int = 3) -> State:
    game = ObservedGame(seed)
    game.set_up()
    state: State = game.tracker.state
    assert UNKNOWN_FACE not in state.faces
    return state


def counted(state: State, **counts: int) -> Survey:
    """The table of a state with other counts on some beds; mattresses were seen to move nowhere else."""
    beds = {bed_name(bed): len(slots) for bed, slots in enumerate(state.beds)}
    return Survey({}, beds | {f"bed {name[1:]}": n for name, n in counts.items()})


def test_mattresses_of_beds_that_did_not_change_stay_known() -> None:
    state = started()
    taken = take_over(state, counted(state, b1=2, b4=4))
    assert [len(slots) for slots in taken.state.beds] == [2, 3, 3, 4, 3]
    unknown = {slot for slot, face in enumerate(taken.state.faces) if face == UNKNOWN_FACE}
    assert unknown == {*state.beds[0], *state.beds[3]} == set(taken.lost)
    assert taken.state.beds[1] == state.beds[1]


def test_where_something_passed_unfelt_nothing_is_known_though_as_many_lie_there() -> None:
    state = started()
    found = Survey({}, counted(state).counts, frozenset({"bed 2"}))
    assert set(take_over(state, found).lost) == set(state.beds[1])


def test_more_mattresses_than_there_are_are_refused_and_fewer_are_not() -> None:
    state = started()
    with pytest.raises(ValueError, match="more mattresses than the game has"):
        take_over(state, counted(state, b2=5))
    assert len(take_over(state, counted(state, b2=2)).state.beds[1]) == 3


def test_a_scale_that_tells_nothing_leaves_its_bed_as_believed() -> None:
    state = started()
    counts = {station: n for station, n in counted(state, b1=2).counts.items() if station != "bed 3"}
    assert [len(slots) for slots in take_over(state, Survey({}, counts)).state.beds] == [2, 3, 4, 3, 3]
    assert take_over(state, Survey({}, {})).state == state


def test_a_tile_tells_who_sleeps_and_a_bed_turned_up_after_a_claim_who_is_out() -> None:
    state = started()
    zones = {"bed 1": (f"P{state.princesses[0]}D",), "bed 2": (), "bed 3": ()}
    after = take_over(state, Survey(zones, {}, claimed=frozenset({"bed 2"}))).state
    assert after.fates == (ASLEEP, OUT, AWAKE, AWAKE, AWAKE)
    assert set(after.beds[1]) <= set(after.shown)


def test_the_end_counts_tiles_and_mattresses_that_were_shown_alone() -> None:
    state = started()
    zones = {"bed 1": (f"P{state.princesses[0]}D",), "bed 2": ()}
    believed = state._replace(faces=(UNKNOWN_FACE,) * 15)
    found = Survey(zones, {}, shown={"bed 2": tuple(sorted(needed_kinds(state, 1)))})
    taken = ended(believed, found)
    assert taken.state.fates == (ASLEEP, ASLEEP, AWAKE, AWAKE, AWAKE)
    told = GAME.outcome(taken.state)
    assert told is not None
    assert (told.score, told.text) == (
        2,
        "2 princesses sleep. Of 3 princesses nobody knows whether they sleep.",
    )
    assert [place["badge"] for place in GAME.screen(taken.state, "referee")["places"]][1:3] == [
        "asleep",
        "unknown",
    ]
    assert status(taken.state) == ()
    (text,) = taken.open
    assert text.startswith("Not known, so not counted: ")
    with pytest.raises(ValueError, match="not begun"):
        ended(GAME.empty_table("basic", 3), found)
    hands = replace(found, counts={"bed 3": 40})
    assert ended(believed, hands).state == taken.state, "a game can be ended although a hand lies on a scale"


def test_an_end_of_which_nothing_is_known_says_so_and_cards_that_are_turned_up_then_tell() -> None:
    state = started()
    over = ended(state._replace(faces=(UNKNOWN_FACE,) * 15), Survey({}, {})).state
    told = GAME.outcome(over)
    assert told is not None
    assert (told.score, told.text) == (None, "Of 5 princesses nobody knows whether they sleep.")
    assert GAME.headline(told).line == "not known who sleeps"
    assert {place["badge"] for place in GAME.screen(over, "referee")["places"]} == {"unknown"}
    assert read_state(GAME.write_state(over)) == over
    hers = GAME.stacks.reveal(over, 1, tuple(sorted(needed_kinds(over, 1))))
    assert hers is not None
    assert GAME.outcome(hers.state).score == 1
    assert status(hers.state) == ()


@pytest.mark.parametrize(
    ("play", "played"),
    [
        (("3", "3", "B"), (UNKNOWN, 3, 3, BLANKET)),
        (("3", "3", "7", "B"), (3, 3, 7, BLANKET)),
        (("3", "3"), ()),
        ((), ()),
    ],
)
def test_a_play_with_an_unread_card_still_lies_there(play: tuple[str, ...], played: tuple[int, ...]) -> None:
    state = read_state(BLANK.replace("HANDS", "?x5/?x5/?x5"))
    state = apply(state._replace(deck=(UNKNOWN,) * 48), GAME.read_action("play ?~3 3 3"))
    row = tuple(map(str, state.row))
    assert take_over(state, Survey({"row": row, "play": play}, {})).state.played == played


def test_a_game_that_was_dealt_unseen_begins_when_somebody_says_so() -> None:
    game = ObservedGame(3)
    for batch in list(game.rig.setup(game.state))[: 2 * 5 + 4]:
        game.feed(batch)
    believed: State = game.tracker.state
    assert believed.phase is Phase.SETUP
    after = take_over(believed, survey(game.state)).state
    assert after.faces.count(UNKNOWN_FACE) == 15
    assert status(after) == ()
    turn = at_turn(after, 1, missed=True)
    assert (turn.phase, turn.turn, turn.turns) == (Phase.PLAY, 1, 2)
    nobody = believed._replace(princesses=(-1, *believed.princesses[1:]))
    with pytest.raises(ValueError, match="who sleeps in bed 1"):
        at_turn(nobody, 1, missed=True)


@pytest.mark.parametrize(("fresh", "deck", "spent"), [(3, 3, True), (5, 3, False), (3, 20, False)])
def test_a_deck_is_spent_when_the_row_was_not_refilled_for_a_whole_turn(
    fresh: int, deck: int, spent: bool
) -> None:
    """Five drawn cards can leave an empty row, three cannot, unless it was short before."""
    laid = next(
        state for state, _, _ in walk("basic", 4, 1) if state.phase is Phase.LAY and len(state.discard) > 5
    )
    believed = recounted(as_told(laid), (), deck=deck)._replace(fresh=fresh)
    assert status(believed) == ()
    after = take_over(believed, Survey({"row": ()}, {})).state
    assert status(after) == ()
    assert (after.phase is Phase.PLAY and after.deck == ()) == spent
    assert (after == believed) != spent


def test_cards_that_were_guessed_to_be_played_unseen_are_forgotten() -> None:
    """Also those that seem to be discarded last: players may have drawn them, and a row that is gone need not
    have been swept by a witch. What the camera sees on top is known."""
    believed = next(as_told(state) for state, _, _ in walk("basic", 3, 1) if WITCH in state.discard[6:-6])
    known = believed.discard[:3]
    found = Survey({"row": tuple(KIND_TEXT[kind] for kind in believed.row)}, {}, trusted=None)
    assert take_over(believed, found).state.discard == believed.discard
    trusted = believed._replace(discard=known)
    after = take_over(believed, replace(found, trusted=trusted)).state
    assert status(after) == ()
    hidden = (UNKNOWN,) * (len(believed.discard) - 3)
    assert after.discard == (*known, *hidden)
    top = believed.discard[-1]
    lies = replace(found, trusted=trusted, zones={**found.zones, "discard": (KIND_TEXT[top],)})
    assert take_over(believed, lies).state.discard == (*known, *hidden[1:], top)
    # A deck that nobody saw shrink holds the witches and more, an empty one none.
    for size in (0, 1):
        pile = (*known, *(UNKNOWN,) * (len(believed.deck) - size), *believed.discard[3:])
        small = believed._replace(deck=believed.deck[:size], discard=pile)
        after = take_over(small, replace(found, trusted=trusted)).state
        assert (len(after.deck) > unseen(after)[WITCH]) == (size > 0)
        assert after.discard.count(WITCH) == (0 if size else totals("basic", 3)[WITCH])


@pytest.mark.parametrize("phase", [Phase.PLAY, Phase.LAY])
def test_a_deck_that_turns_out_to_hold_cards_may_still_turn_out_to_be_spent(phase: Phase) -> None:
    """A card is laid open although the deck was believed empty, or to hold witches alone: how many follow is a
    guess."""
    laid = next(one for one, _, _ in walk("basic", 4, 1) if one.phase is Phase.LAY and len(one.discard) > 5)
    missed, witches = 3, totals("basic", 4)[WITCH]
    deck, swept = ((UNKNOWN,) * witches, 0) if phase is Phase.LAY else ((), witches)
    pile = (*(UNKNOWN,) * missed, *(WITCH,) * swept)
    believed = as_told(laid)._replace(phase=phase, row=(4, 5), deck=deck, discard=pile)
    proposed = GAME.propose(believed, {"row": ("4", "5", "6")}, {}, ())
    (found,) = [one for one in proposed if isinstance(one, Recount)]
    after = apply(believed, found)
    assert 0 < after.discard.count(UNKNOWN) < missed
    assert apply(after, Open(6)).row == (4, 5, 6)
    assert apply(after, Recount(0)).deck == ()


@pytest.mark.long
def test_a_play_guessed_in_an_outage_does_not_hinder_those_that_are_seen() -> None:
    """It took twelve keys: two turns were believed to have played the same cards."""
    report = rehearse_observed(102, "basic", 4, noise="home", outage="all", away_s=90.0)
    assert report.outage is not None
    assert report.outage.keys <= 6
    assert report.outage.score_right
    assert report.comparison.wrong_verdicts == 0


def public(taken: TakenOver[State]) -> tuple[object, ...]:
    """What of a table that was taken over goes to screens and hints."""
    return (taken.state.beds, taken.lost, taken.open, GAME.screen(taken.state, "memory"))


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_what_is_taken_over_shows_nothing_of_which_mattress_is_which(variant: str, players: int) -> None:
    """Tiles lie on beds of which nobody saw how they came to sleep: other faces below change no count and
    nothing that is forgotten, unless a bed would have been judged otherwise."""
    chance = Random(7)
    states = [as_told(before) for before, _, _ in walk(variant, players, 1) if before.phase is not Phase.SETUP]
    for believed in chance.choices([state for state in states if state.phase < Phase.FINAL], k=25):
        beds = range(len(believed.beds))
        tiles = [bed for bed in beds if believed.fates[bed] == ASLEEP or chance.random() < 0.4]
        zones = {bed_name(bed): (f"P{believed.princesses[bed]}D",) for bed in tiles}
        found = Survey(zones, {}, frozenset(bed_name(bed) for bed in beds if chance.random() < 0.3))
        there = [slot for bed in beds if believed.fates[bed] != ASLEEP for slot in believed.beds[bed]]
        shown: dict[tuple[bool, ...], tuple[object, ...]] = {}
        for _ in range(6):
            mixed = dict(
                zip(there, chance.sample([believed.faces[slot] for slot in there], len(there)), strict=True)
            )
            faces = tuple(mixed.get(slot, face) for slot, face in enumerate(believed.faces))
            world = believed._replace(faces=faces)
            judged = tuple(settled(world, bed) is True for bed in tiles)
            seen = (public(take_over(world, found)), public(ended(world, found)))
            assert shown.setdefault(judged, seen) == seen


class Away:
    """A session whose sensors all were away for 90 s of a game that went on."""

    _begun: ClassVar[list[Beginning]] = []
    """One that this process has led through the outage already."""

    def __init__(self, journal: Path) -> None:
        if self._begun:
            vars(self).update(copy(self._begun[0], journal))
            return
        self.game = SensedGame(3)
        self.events: list[object] = []
        self.journal = Journal(journal, sync=False)
        from companion.core.clock import ManualClock

        self.clock = ManualClock()
        self.session = Session(
            GAME, "basic", 3, clock=self.clock, publish=self.events.append, journal=self.journal
        )
        self.game.set_up()
        for t, batch in self.game.batches:
            self.take(t, batch)
        t = self.game.rig.t + 1
        self.take(t, [Health(t, "camera", False), Health(t, "board", False)])
        t += 90
        back = [Health(t, "camera", True), Health(t, "board", True)]
        self.take(t, [*back, Count(t, "bed 1", 2, 2.0), Count(t, "bed 4", 4, 4.0)])
        self.row = ("H01A", "H02B", "H07C", "H09B", "H10F")
        self.zone("row", *self.row)
        self.zone("discard", "H05B")
        self._begun.append(beginning(self, journal))

    def take(self, t: float, batch: list[object]) -> None:
        self.clock.sleep(max(0.0, t - self.clock.now()))
        self.session.take(t, batch)

    def zone(self, zone: str, *codes: str) -> None:
        t = self.clock.now() + 1
        self.take(t, [Sighting(t, zone, tuple(Seen(code, 0, 0) for code in codes))])

    def lay_as_believed(self) -> None:
        """All looks again as it did before the outage."""
        t = self.clock.now() + 1
        self.take(t, [Count(t, "bed 1", 3, 3.0), Count(t, "bed 4", 3, 3.0)])
        self.zone("discard")
        self.zone("row", *self.game.rig.row)

    def of(self, kind: type) -> list[object]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def state(self) -> State:
        state: State = self.session.tracker.state
        return state


@pytest.fixture
def away(tmp_path: Path) -> Away:
    return Away(tmp_path / "j.jsonl")


@pytest.mark.long
def test_an_outage_is_left_behind_with_two_keys(away: Away, tmp_path: Path) -> None:
    """t and the player's number, after which a play is followed."""
    before = away.state
    found = away.session.position()
    assert found.problem == ""
    assert [card.kind for row in found.rows for card in row.cards] == ["1", "2", "7", "9", "10"]
    assert any("open row" in line for line in found.lines)
    assert found.lines[-1] == FORGOTTEN
    assert away.state == before, "looking changes nothing"
    assert away.session.step([], [TableIsRight(2)]) == []
    assert (away.state.phase, away.state.turn) == (Phase.PLAY, 1)
    assert away.session.tracker.differences() == ()
    assert "It is the turn of player 2." in away.of(Said)[-1].text
    away.zone("play", "H03A", "H03B", "H03C")
    assert away.state.played == (3, 3, 3)
    assert replay_journal(tmp_path / "j.jsonl")["matches"]


def test_a_game_that_is_lost_says_so_within_half_a_minute(away: Away) -> None:
    """However much goes on: people who play on wait for no quiet moment."""
    away.session.step([], [TableIsRight(2)])
    asked = [event for event in away.events if isinstance(event, Question)]
    t = away.clock.now() + 1
    away.take(t, [Count(t, "bed 1", 5, 5.0), Count(t, "bed 4", 1, 1.0)])
    for number in range(14):
        away.zone("row", "H01A", "H02B", *(f"H08{letter}" for letter in "ABC"[: number % 3 + 1]))
        away.zone("play", *(f"H0{number % 4 + 2}{letter}" for letter in "BCDE"))
    news = [event for event in away.events if isinstance(event, Question)][len(asked) :]
    assert [one.id for one in news if one.text] == ["lost"]
    assert news[0].options == ("table_is_right",)
    away.session.step([], [TableIsRight(3)])
    away.take(away.clock.now() + 1, [])
    assert [event.text for event in away.events if isinstance(event, Question)][-1] == ""


def test_a_lost_game_goes_on_when_the_glass_is_laid_on_the_pad_and_nobody_moves(away: Away) -> None:
    away.session.step([], [TableIsRight(2)])

    def lay_the_glass(quiet: bool) -> None:
        """And wait, or move something meanwhile."""
        away.zone("pad", "G")
        for _ in range(round(4 * GESTURE_S) + 1):
            t = away.clock.now() + 0.25
            away.take(t, [] if quiet else [Count(t, "bed 1", 5, 5.0)])
        away.zone("pad")

    before = away.of(Said)
    lay_the_glass(quiet=True)
    assert away.of(Said) == before, "it is not lost"
    t = away.clock.now() + 1
    away.take(t, [Count(t, "bed 1", 5, 5.0), Count(t, "bed 4", 1, 1.0)])
    for number in range(14):
        away.zone("row", "H01A", "H02B", *(f"H08{letter}" for letter in "ABC"[: number % 3 + 1]))
        away.zone("play", *(f"H0{number % 4 + 2}{letter}" for letter in "BCDE"))
    assert away.session.tracker.lost(away.clock.now())
    lay_the_glass(quiet=False)
    assert away.session.tracker.lost(away.clock.now())
    lay_the_glass(quiet=True)
    assert "I took over what lies on the table." in away.of(Said)[-1].text
    assert not away.session.tracker.lost(away.clock.now())


def test_players_say_who_left_the_game_unseen(away: Away) -> None:
    """A camera takes the bare place of a tile for a tile that stands."""
    unseen = away.session.position().unseen
    names = [place.name for place in away.of(Table)[-1].places]
    assert [one.text for one in unseen] == [f"{name} has left the game" for name in names]
    away.session.step([], [TableIsRight(1, (4,))])
    assert [place.badge for place in away.of(Table)[-1].places] == [
        "out" if bed == 3 else "awake" for bed in range(5)
    ]
    assert away.session.position().unseen == (), "whoever settled it has told all"
    away.session.step([], [Undo()])
    assert {place.badge for place in away.of(Table)[-1].places} == {"awake"}


@pytest.mark.parametrize("refuted", ["x", 3, [None, "4", 4], [99, -1]])
def test_a_damaged_entry_marks_nobody_wrongly(away: Away, refuted: object) -> None:
    t = away.clock.now() + 1
    away.take(t, [ManualEntry(t, "table_is_right", {"player": 1, "refuted": refuted})])
    badges = [place.badge for place in away.of(Table)[-1].places]
    assert badges.count("out") == (isinstance(refuted, list) and 4 in refuted)


@pytest.mark.parametrize("what", ["turn", "table_is_right"])
def test_a_damaged_entry_gives_no_turn_to_who_does_not_play(what: str) -> None:
    game = load_game("sleeping-queens")
    session = Session(game, "basic", 3, clock=ManualClock(), publish=lambda _event: None)
    believed = session.tracker.state
    for t, player in enumerate((99, -5, 0, 4, "x", None), 1):
        session.take(t, [ManualEntry(t, what, {"player": player})])
    assert session.tracker.state.turn == believed.turn
    assert what != "turn" or session.tracker.state == believed


def test_a_table_that_was_laid_out_unseen_is_taken_over_with_its_first_turn(tmp_path: Path) -> None:
    """Beds are weighed as they are, although the rules deal each as many."""
    game = SensedGame(3)
    clock = ManualClock()
    session = Session(GAME, "basic", 3, clock=clock, publish=lambda _: None)
    game.set_up()
    for t, batch in game.batches:
        tiles = [seen for seen in batch if isinstance(seen, Sighting) and seen.zone.startswith("bed")]
        clock.sleep(t - clock.now())
        session.take(t, tiles)
    t = clock.now() + 1
    counts = [Count(t, f"bed {bed + 1}", n, float(n)) for bed, n in enumerate((2, 4, 3, 3, 3))]
    clock.sleep(1.0)
    session.take(t, counts)
    assert session.tracker.state.phase is Phase.SETUP
    assert session.step([], [TableIsRight(3)]) == []
    state = session.tracker.state
    assert (state.phase, state.turn) == (Phase.PLAY, 2)
    assert [len(slots) for slots in state.beds] == [2, 4, 3, 3, 3]
    assert session.tracker.differences() == ()


def test_what_cannot_be_taken_over_is_said_before_anybody_tries(away: Away) -> None:
    t = away.clock.now() + 1
    away.take(t, [Count(t, f"bed {bed}", 5, 5.0) for bed in range(1, 6)])
    found = away.session.position()
    assert found.problem.startswith("That cannot be: the scales carry more mattresses")
    assert found.rows == ()


@pytest.mark.parametrize(("deck", "left"), [(2, 0), (MISCOUNTED, 0), (MISCOUNTED + 10, MISCOUNTED + 10)])
def test_who_begins_before_a_bare_row_has_no_deck(deck: int, left: int) -> None:
    """Even if a turn is taken back, for which cards would return to the deck."""
    known = read_state(BLANK.replace("HANDS", "?x5/?x5/?x5"))
    known = known._replace(phase=Phase.LAY, row=(), deck=(0,) * deck, discard=(*(0,) * (48 - deck), 4), fresh=1)
    assert len(at_turn(known, 1, missed=True).deck) == left
    if not left:
        assert at_turn(known._replace(turns=10), 2, missed=False).deck == ()


@pytest.mark.parametrize(
    ("row", "deck", "missed", "spent"),
    [((1, 2, 3, 4), 8, True, True), ((1, 2, 3, 4), 8, False, False), ((1, 2, 3, 4), 40, True, False),
     ((1, 2, 3, 4, 5), 8, True, False)],
)  # fmt: skip
def test_who_begins_before_a_short_row_after_missed_turns_has_no_deck(
    row: tuple[int, ...], deck: int, missed: bool, spent: bool
) -> None:
    """Its number was a guess, and cards that are there are laid open."""
    known = read_state(BLANK.replace("HANDS", "?x5/?x5/?x5"))
    pile = (*(0,) * (48 - len(row) - deck), 4)
    known = known._replace(phase=Phase.LAY, row=row, deck=(0,) * deck, discard=pile, fresh=1, turns=10)
    assert (at_turn(known, 1, missed=missed).deck == ()) == spent


@pytest.mark.parametrize(("row", "left"), [((1, 2, 3, 4, 5), 2), ((1, 2, 3, 4), 0)])
def test_who_begins_before_a_full_row_may_have_a_deck(row: tuple[int, ...], left: int) -> None:
    """A deck believed too large is found out at the end, one believed empty stops a game that goes on."""
    known = read_state(BLANK.replace("HANDS", "?x5/?x5/?x5"))
    pile = (0,) * (47 - len(row))
    known = known._replace(phase=Phase.PLAY, row=row, deck=(0,) * 2, discard=pile, fresh=1)
    assert len(at_turn(known, 1, missed=True).deck) == left


def test_a_hand_guessed_in_an_outage_does_not_hinder_what_is_played() -> None:
    held = next(before for before, _, _ in walk("basic", 3, 1) if before.turns == 9)
    taken = take_over(held, Survey({}, {}, trusted=held))
    assert taken.state.hands == ((0,) * 5,) * 3
    assert take_over(held, Survey({}, {})).state.hands == held.hands


@pytest.mark.long
def test_an_outage_is_left_behind_with_three_keys(away: Away, tmp_path: Path) -> None:
    """t, g and a number: then a play is followed, and a claim waits for its cards."""
    assert away.session.step([], [TableIsRight()]) == []
    assert away.session.step([], [Turn(2)]) == []
    assert (away.state.phase, away.state.turn) == (Phase.PLAY, 1)
    assert away.session.tracker.differences() == ()
    away.zone("play", "H03A", "H03B", "H03C")
    assert away.state.played == (3, 3, 3)
    assert away.session.step([], [Claim(3)]) == []
    t = away.clock.now() + 2
    away.take(t, [])
    (claimed,) = away.of(Claimed)
    assert claimed.verdict == Verdict.CANNOT_TELL.value
    kinds = needed_kinds(away.state, 2)
    away.zone("bed 3", *(card.code for card in GAME.cards("basic") if card.kind in kinds))
    away.take(away.clock.now() + 2, [])
    assert away.of(Claimed)[-1].verdict == Verdict.PROVED.value
    assert replay_journal(tmp_path / "j.jsonl")["matches"]


def test_who_was_away_judges_nothing_until_the_table_is_taken_over(away: Away) -> None:
    """Before as well as after: mattresses may have been moved to and fro."""
    t = away.clock.now() + 1
    away.take(t, [Button(t, "bed 2")])
    away.take(t + 2, [])
    assert away.of(Claimed)[-1].verdict == Verdict.CANNOT_TELL.value


def test_what_was_settled_can_be_taken_back(away: Away, tmp_path: Path) -> None:
    before = away.state
    away.session.step([], [TableIsRight()])
    assert away.state != before
    assert away.session.step([], [Undo()]) == []
    assert away.state == before
    assert away.session.step([], [Undo()]) == ["There is nothing to take back."]
    assert replay_journal(tmp_path / "j.jsonl")["matches"]


@pytest.mark.parametrize("keys", [[TableIsRight()], [Turn(2)], [EndGame()], [TableIsRight(), Turn(2)]])
def test_the_team_knows_again_what_it_knew_once_it_is_taken_back(away: Away, keys: list[Command]) -> None:
    def known() -> object:
        game = relive(away.session.statements.recorded)
        return game._replace(state=None), vars(team_knowledge(game, range(3)))

    before = known()
    for key in keys:
        away.session.step([], [key])
        settled = known()
        away.session.step([], [Undo()])
        assert known() == before
        away.session.step([], [key])
        assert known() == settled
        before = settled


def test_a_refusal_names_no_mattress_that_only_sensors_know() -> None:
    state = GAME.setup("basic", 2, Random(1))
    smooth = next(face for face in state.faces[1:] if face & 1)
    wrong = state._replace(faces=(smooth, *state.faces[1:]))
    assert "too-many" in [one.code for one in status(wrong)]
    with pytest.raises(ValueError, match="do not fit the tiles") as refused:
        _possible(TakenOver(wrong))
    assert face_text(smooth) not in str(refused.value)


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_every_fault_that_other_faces_bring_is_refused_in_the_same_words(variant: str, players: int) -> None:
    chance = Random(3)
    told: set[str] = set()
    for state in chance.sample([before for before, _, _ in walk(variant, players, 2)], 20):
        others = [chance.choices(range(20), k=len(state.faces)) for _ in range(10)]
        worlds = [state._replace(faces=tuple(faces)) for faces in others]
        anyway = {one.code for one in status(state)}
        for world in worlds:
            assert {one.code for one in status(world)} - anyway <= HIDDEN_FAULTS
            try:
                _possible(TakenOver(world))
            except ValueError as refused:
                told.add(str(refused))
    assert len(told) == 1


def test_nothing_speaks_of_turns_when_the_game_is_over(away: Away) -> None:
    away.session.step([], [EndGame()])
    away.session.step([], [CompanionIsRight()])
    said = away.of(Said)[-1].text
    assert "over" in said or "Put it right" in said
    assert "turn" not in said


def test_a_claim_stays_open_after_the_takeover_was_taken_back(away: Away) -> None:
    """All looks as it did before the outage, but mattresses may have been exchanged."""
    away.lay_as_believed()
    away.session.step([], [TableIsRight()])
    assert away.state.faces == (UNKNOWN_FACE,) * 15
    away.session.step([], [Undo()])
    assert UNKNOWN_FACE not in away.state.faces
    assert away.session.tracker.differences() == ()
    t = away.clock.now() + 40
    away.take(t, [Button(t, "bed 2")])
    away.take(t + 2, [])
    assert [claimed.verdict for claimed in away.of(Claimed)] == ["cannot tell"]


def test_a_takeover_done_again_forgets_as_much(away: Away) -> None:
    away.session.step([], [TableIsRight()])
    after = away.state
    away.session.step([], [Undo()])
    away.session.step([], [TableIsRight()])
    assert away.state == after


def test_a_turn_taken_back_is_told_anew_like_the_first_time(away: Away) -> None:
    """Whether turns were missed is known from before the takeover."""
    for command in (TableIsRight(), Turn(1)):
        away.session.step([], [command])
    after = away.state
    for command in (Undo(), Turn(1)):
        away.session.step([], [command])
    assert away.state == after


def test_a_mattress_moved_without_explanation_is_remembered_when_a_takeover_is_taken_back(away: Away) -> None:
    away.lay_as_believed()
    away.session.tracker.sensed.outages.settled()
    t = away.clock.now() + 60
    away.take(t, [])
    away.take(t, [Count(t, "bed 2", 2, 2.0)])
    away.take(t + 3, [Count(t + 3, "bed 2", 3, 3.0)])
    for _ in range(2):
        away.session.step([], [TableIsRight()])
        unknown = {slot for slot, face in enumerate(away.state.faces) if face == UNKNOWN_FACE}
        assert unknown >= set(away.state.beds[1])
        away.session.step([], [Undo()])


def test_a_scale_that_missed_something_is_doubted_again_when_a_takeover_is_taken_back(away: Away) -> None:
    away.session.step([], [TableIsRight()])
    watch = away.session.monitor
    watch._missed.add("bed 3 scale")
    away.take(away.clock.now() + 1, [])
    assert away.session.tracker.doubted == {"bed 3 scale"}
    away.session.step([], [TableIsRight()])
    assert away.session.tracker.doubted == frozenset()
    away.session.step([], [Undo()])
    assert away.session.tracker.doubted == {"bed 3 scale"}


def test_what_was_lost_is_known_again_though_cards_were_turned_up_meanwhile(away: Away) -> None:
    """Cards that are turned up are adopted too, which takes nothing over."""
    recorded = away.session.statements.recorded
    before = relive(recorded)
    believed = away.state
    unknown = believed._replace(faces=(UNKNOWN_FACE,) * 15)
    seen = unknown._replace(faces=(believed.faces[0], *unknown.faces[1:]))
    adopted = [
        Adopted(500.0, GAME.write_state(unknown), lost=tuple(range(15))),
        Adopted(501.0, GAME.write_state(seen)),
        Adopted(502.0, GAME.write_state(believed), back=True),
    ]
    after = relive(Recorded(recorded.opened, (*recorded.lines, *adopted)))
    assert after == before


def test_a_recorded_game_that_breaks_the_rules_names_no_card(away: Away) -> None:
    recorded = away.session.statements.recorded
    broken = Recorded(recorded.opened, (*recorded.lines, Done(500.0, "know 1 7t")))
    for ask in (lambda: answer(broken, AskHint("nudge")), lambda: last_check(broken)):
        with pytest.raises(BadInputError, match="does not follow the rules") as refused:
            ask()
        assert "7t" not in str(refused.value)


def test_no_claim_is_spoken_of_when_a_table_is_taken_over_after_the_end(away: Away) -> None:
    away.session.step([], [EndGame()])
    away.session.step([], [TableIsRight()])
    said = away.of(Said)[-1].text
    assert said == "I took over what lies on the table."


def test_a_game_can_always_be_ended_with_a_score(away: Away, tmp_path: Path) -> None:
    tile = f"P{away.state.princesses[4]}D"
    away.zone("bed 5", tile)
    assert away.session.step([], [EndGame()]) == []
    assert [score.score for score in away.of(Score)] == [1]
    assert any("Not known" in said.text for said in away.of(Said))
    (score,) = away.of(Score)
    fates = ["unknown"] * 4 + ["asleep"]
    assert [one.badge for one in score.places] == fates
    assert [one.badge for one in away.of(Table)[-1].places] == fates
    assert away.session.step([], [EndGame()]) == ["The game is scored already."]
    assert replay_journal(tmp_path / "j.jsonl")["matches"]
    away.session.step([], [Undo()])
    assert away.state.phase is not Phase.OVER
    assert [one.badge for one in away.of(Table)[-1].places[:4]] == ["awake"] * 4


def test_nobody_is_player_nine(away: Away) -> None:
    for command in (Turn(9), Turn(0), TableIsRight(9), TableIsRight(-1)):
        assert away.session.step([], [command]) == [f"There is no player {command.player}."]


def test_the_team_forgets_what_went_astray_and_keeps_the_rest(away: Away) -> None:
    recorded = away.session.statements.recorded
    known = team_knowledge(relive(recorded), range(3))
    known.show(0, f"{known.princesses[0]}t")
    known.show(14, f"{known.princesses[1]}t")
    known.begin_anew({0}, [()] * 3, [6] * 10 + [5], 3)
    assert set(known.seen) == {14}
    away.session.step([], [TableIsRight()])
    after = relive(away.session.statements.recorded)
    assert set(after.settled[-1].lost) == set(range(15))
    again: TeamKnowledge = team_knowledge(after, range(3))
    assert [len(slots) for slots in again.beds] == [2, 3, 3, 4, 3]
    assert again.unseen[8] == 5


@pytest.mark.quick(1)
@pytest.mark.parametrize("what", ["camera", "all"])
def test_people_lead_the_companion_out_of_an_outage(what: str) -> None:
    report = rehearse_observed(6, "5+", 3, noise="home", outage=what)
    assert report.outage is not None
    assert report.outage.score_right
    assert report.outage.keys <= 6
    assert report.comparison.wrong_verdicts == 0


@pytest.mark.long
def test_beds_turned_up_one_after_the_other_after_an_outage_are_the_end_of_the_game() -> None:
    """Camera and board came back while people looked who sleeps. That was taken for failed claims whose buttons
    nobody had heard, of one bed and then of another."""
    report = rehearse_observed(9957006, "5+", 4, noise="home", outage="all", away_s=90.0)
    assert report.comparison.wrong_verdicts == 0
    assert report.outage is not None
    assert (report.outage.keys, report.outage.followed, report.outage.score_right) == (0, True, True)


def test_nothing_is_said_to_be_misread_before_somebody_settled_an_outage(away: Away) -> None:
    """All that is told then is provisional; a family heard of it four times in twenty seconds."""
    step = next(one for one in away.session.tracker.steps if GAME.message(one.before, one.action, one.after))
    change: Change[State, object] = Change(revoked=(step,))
    t = away.clock.now()
    assert not [said for said in away.session.tell_change(t, change, []) if isinstance(said, Said)]
    away.session.step([], [TableIsRight()])
    (said,) = away.session.tell_change(t, change, [])
    assert isinstance(said, Said)
    assert said.kind == "repair"


def test_a_verdict_that_is_taken_back_is_said_to_be_even_then(away: Away) -> None:
    state = away.session.tracker.state
    claim, t = next(one for one in GAME.legal_actions(state) if isinstance(one, rules.Claim)), away.clock.now()
    change: Change[State, rules.Action] = Change(revoked=(Step(t, state, claim, GAME.apply(state, claim)),))
    said = [one for one in away.session.tell_change(t, change, []) if isinstance(one, Said)]
    assert "repair" in [one.kind for one in said]


@pytest.mark.long
def test_scales_that_do_not_add_up_after_an_outage_are_not_to_blame(away: Away) -> None:
    t = away.clock.now() + 1
    away.take(t, [Count(t, "bed 2", 1, 1.0)])
    for _ in range(40):
        away.zone("play", "H03A")
        away.zone("play")
    assert not [said for said in away.of(SensorHealth) if "scale" in said.source]
