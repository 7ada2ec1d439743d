"""The tracker follows whole games from what the sensors report, revises what it misread, and takes back."""

import pytest

from companion.games.engine import Verdict
from companion.games.sleepless_princess.actions import Claim, Discard, Move, Play, Take, Touch
from companion.games.sleepless_princess.claims import settled
from companion.games.sleepless_princess.state import Phase
from companion.observation import Button, Count, ManualEntry, Reach, Seen, Sighting, TagRead
from companion.observation import Touch as TouchSeen
from companion.rehearse.compare import differences
from tests.support.observed import GAME, ObservedGame

TABLES = [(variant, players) for variant, allowed in GAME.variants.items() for players in allowed]


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_whole_games_are_tracked_to_the_true_end(variant: str, players: int) -> None:
    for seed in range(3):
        game = ObservedGame(seed, variant, players)
        game.set_up()
        for _ in game.play_on():
            assert GAME.status(game.tracker.state) == ()
        assert differences(game.state, game.tracker.state) == ()
        assert GAME.outcome(game.tracker.state) == GAME.outcome(game.state)


def started(seed: int = 3, variant: str = "basic") -> ObservedGame:
    game = ObservedGame(seed, variant)
    game.set_up()
    assert game.tracker.state.phase is Phase.PLAY
    return game


def sighting(zone: str, *codes: str, t: float) -> Sighting:
    return Sighting(t, zone, tuple(Seen(code, 0, 0) for code in codes))


def test_setup_knows_every_mattress_that_was_tapped() -> None:
    game = started()
    assert game.tracker.state.faces == game.state.faces
    assert game.tracker.state.princesses == game.state.princesses


def test_a_mattress_dealt_without_the_pad_stays_unknown() -> None:
    game = ObservedGame(1)
    game.tracker.feed(1, [Count(1, "bed 2", 0, 0.0)])
    game.tracker.feed(2, [Count(2, "bed 2", 1, 1.0)])
    assert game.tracker.state.beds[1] == (0,)
    assert game.tracker.state.faces == (-1,)


def test_cards_laid_one_by_one_are_no_discard_until_they_are_swept() -> None:
    game = started()
    t = game.rig.t
    game.tracker.feed(t + 1, [sighting("play", "H03A", t=t + 1)])
    game.tracker.feed(t + 2, [sighting("play", "H03A", "H03B", t=t + 2)])
    assert game.tracker.state.phase is Phase.PLAY
    game.tracker.feed(t + 3, [sighting("play", "H03A", "H03B", "H03C", t=t + 3)])
    assert game.tracker.steps[-1].action == Play(((3,), (3,), (3,)))


def test_a_discard_is_what_lay_in_the_play_zone_before_it_was_swept() -> None:
    game = started()
    t = game.rig.t
    game.tracker.feed(t + 1, [sighting("play", "H03A", "H09B", t=t + 1)])
    game.tracker.feed(t + 2, [sighting("play", t=t + 2), sighting("discard", "H09B", t=t + 2)])
    assert game.tracker.steps[-1].action == Discard((3, 9))


def test_lifting_is_no_move_until_the_mattress_lies_again() -> None:
    game = started()
    t = game.rig.t
    game.tracker.feed(t + 1, [sighting("play", "H03A", "H03B", "H03C", t=t + 1)])
    game.tracker.feed(t + 2, [TouchSeen(t + 2, "bed 1", True)])
    assert game.tracker.steps[-1].action == Touch(0)
    game.tracker.feed(t + 3, [Count(t + 3, "bed 1", 2, 2.0)])
    assert game.tracker.steps[-1].action == Touch(0)
    game.tracker.feed(t + 4, [Count(t + 4, "bed 4", 4, 4.0)])
    assert game.tracker.steps[-1].action == Move(0, 3)


def test_a_mattress_back_on_its_own_bed_lies_on_top() -> None:
    game = started()
    t = game.rig.t
    game.tracker.feed(t + 1, [sighting("play", "H03A", "H03B", "H03C", t=t + 1)])
    game.tracker.feed(t + 2, [TouchSeen(t + 2, "bed 1", True)])
    game.tracker.feed(t + 3, [Count(t + 3, "bed 1", 2, 2.0)])
    game.tracker.feed(t + 5, [Count(t + 5, "bed 1", 3, 3.0)])
    assert game.tracker.state.beds[0] == (1, 2, 0)


def test_a_hand_over_the_deck_that_drew_nothing_is_revised() -> None:
    """A reach looks like a draw; three cards from the row then leave no room for it, and it is taken back."""
    game = ObservedGame(5, "basic", 2)
    game.set_up()
    t = game.rig.t
    tracker = game.tracker
    row = list(game.rig._row)
    tracker.feed(t + 1, [sighting("play", "H03A", "H09B", t=t + 1)])
    tracker.feed(t + 2, [sighting("play", t=t + 2), sighting("discard", "H09B", t=t + 2)])
    tracker.feed(t + 3, [Reach(t + 3, "deck")])
    tracker.feed(t + 4, [sighting("row", *row[1:], t=t + 4)])
    tracker.feed(t + 5, [sighting("row", *row[2:], t=t + 5)])
    change = tracker.feed(t + 8, [])
    assert change.revoked
    assert [type(step.action) for step in tracker.steps[-2:]] == [Take, Take]
    assert len(tracker.state.row) == 3


def test_undo_is_not_believed_again_from_the_same_view() -> None:
    game = started()
    t = game.rig.t
    game.tracker.feed(t + 1, [sighting("play", "H03A", "H03B", "H03C", t=t + 1)])
    before = game.tracker.steps[-1].before
    assert game.tracker.undo() is not None
    assert game.tracker.state == before
    game.tracker.feed(t + 2, [sighting("glass", "G", t=t + 2)])
    game.tracker.feed(t + 6, [])
    assert game.tracker.state == before
    assert game.tracker.differences() == ("play: 3 3 3 too many",)


def test_nonsense_is_bounded_and_changes_nothing() -> None:
    game = started()
    before = game.tracker.state
    t = game.rig.t
    every = [card.code for card in GAME.cards("basic") if card.payload]
    for n in range(1, 6):
        game.chance.shuffle(every)
        zones = [sighting(zone, *every[: 12 * n], t=t + n) for zone in ("play", "row", "discard", "bed 1")]
        game.tracker.feed(t + n, [*zones, TagRead(t + n, "pad", every[0]), Count(t + n, "bed 2", 40, 40.0)])
    assert game.tracker.state == before


def test_a_bed_that_is_not_in_the_game_is_nobodys_news() -> None:
    game = started(3, "5+")
    before = game.tracker.state
    t = game.rig.t
    stray = [
        Count(t, "bed 5", 2, 2.0),
        Button(t, "bed 5"),
        Button(t, "pad"),
        ManualEntry(t, "claim", {"bed": 77}),
    ]
    game.tracker.feed(t + 1, stray)
    game.tracker.feed(t + 5, [])
    assert game.tracker.state == before


def test_turning_up_after_a_claim_is_no_second_claim() -> None:
    game = started()
    claims = [action for action in GAME.legal_actions(game.state) if GAME.claim_of(action)]
    for claim in claims:
        game.do(claim)
        assert game.tracker.evidence.traces == []
    assert [step.action for step in game.tracker.steps[-len(claims) :]] == claims


def test_the_table_can_be_taken_over() -> None:
    game = started()
    t = game.rig.t
    state = game.tracker.state
    free = next(
        card.code for card in GAME.cards("basic") if card.kind == "9" and card.code not in game.rig._row
    )
    row = [*game.rig._row[1:4], free]
    game.tracker.evidence.feed([sighting("row", *row, t=t)])
    game.tracker.adopt(t)
    after = game.tracker.state
    assert GAME.status(after) == ()
    assert len(after.row) == 4
    assert 9 in after.row
    assert len(after.deck) + len(after.row) + len(after.discard) == len(state.deck) + len(state.row)


def test_a_claim_amid_doubt_stays_open_until_the_cards_are_shown() -> None:
    """Mattresses went astray before the button was pressed: nobody may be told what they do not know."""
    game = started()
    t = game.rig.t
    judged = GAME.judge(game.tracker.state, 0).verdict
    assert judged is not Verdict.CANNOT_TELL
    for n, bed in enumerate(("bed 2", "bed 3", "bed 2", "bed 3")):
        game.tracker.feed(t + n, [Count(t + n, bed, 3 - (n < 2), 3.0 - (n < 2))])
    change = game.tracker.feed(t + 5, [Count(t + 5, "bed 1", 1, 1.0), Button(t + 5, "bed 1")])
    assert change.steps == ()
    assert change.adopted == game.tracker.state
    assert GAME.judge(game.tracker.state, 0).verdict is Verdict.CANNOT_TELL
    game.tracker.feed(t + 6, [Count(t + 6, "bed 1", 3, 3.0)])
    princess = game.tracker.state.princesses[0]
    shown = [sighting("bed 1", f"M{princess}A", f"M{princess}B", f"M{princess}S", t=t + 7)]
    game.tracker.feed(t + 7, shown)
    assert game.tracker.steps[-1].action == Claim(0, True)


def test_a_claim_without_doubt_is_judged_at_once() -> None:
    game = started()
    change = game.tracker.feed(game.rig.t + 1, [Button(game.rig.t + 1, "bed 1")])
    assert [step.action for step in change.steps] == [Claim(0)]
    assert change.adopted is None


def test_forgetting_leaves_a_claim_open_and_the_rest_alone() -> None:
    state = started().tracker.state
    forgotten = GAME.forget(state, 1)
    assert settled(forgotten, 1) is None
    assert forgotten._replace(faces=state.faces) == state
    assert GAME.forget(forgotten, 1) == forgotten
