"""People claim in any order: the button first, the cards first, or the button when all is over."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from companion.fusion.parameters.claims import CLAIM
from companion.fusion.tracker import ToldTable, Tracker
from companion.games.sleepless_princess.rules.actions import Claim, Know, Move, Play, Touch
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, OUT, Phase
from companion.rehearse.games_in_observations import rehearse_observed
from companion.sensing.observation import Button, Count, Health, ManualEntry, Observation, Reach, Sighting
from companion.virtual.games.sleepless_princess.perfect_rig import PerfectRig
from tests.support.observed import GAME, ObservedGame, sighting

PRESSED = {"after the cards are turned up": 1, "when the tile lies there": 2}
"""When the button is pressed: its place among cards up, and cards down with the tile."""
_notice = PerfectRig.notice


@pytest.mark.long
@pytest.mark.parametrize("seed", [7101, 7102])
@pytest.mark.parametrize("when", PRESSED)
def test_the_cards_and_the_tile_have_the_last_word(
    monkeypatch: pytest.MonkeyPatch, when: str, seed: int
) -> None:
    def notice(rig: PerfectRig, before: Any, action: Any, after: Any) -> Iterator[list[Observation]]:
        if not isinstance(action, Claim):
            yield from _notice(rig, before, action, after)
            return
        batches = list(rig._turn_up(before, after, action.bed))
        yield from batches[: PRESSED[when]]
        yield [Button(rig._tick(), f"bed {action.bed + 1}")]
        yield from batches[PRESSED[when] :]

    monkeypatch.setattr(PerfectRig, "notice", notice)
    report = rehearse_observed(seed, "basic", 3, noise="clean")
    assert report.comparison.faults == ()
    assert report.comparison.claims == 5
    assert report.comparison.wrong_verdicts == 0


@pytest.mark.parametrize("tile", [False, True])
def test_a_part_of_her_mattresses_is_a_failed_claim_without_scales_unless_her_tile_comes(tile: bool) -> None:
    """The camera alone: nobody weighs whether the third one lay there, hidden. Her tile may still come."""
    game = ObservedGame(3)
    tracker: Tracker[Any, Any] = Tracker(GAME, "basic", GAME.empty_table("basic", 3))
    for batch in game.rig.setup(game.state):
        tracker.feed(game.rig.t, [seen for seen in batch if isinstance(seen, Sighting)])
    t, hers = game.rig.t + 20, f"M{game.state.princesses[1]}"
    tracker.feed(t, [sighting("play", "H02D", "H06E", "H03E", "H05C", "H08C", t=t)])
    tracker.feed(t + 10, [ManualEntry(t + 10, "claim", {"station": "bed 2"})])
    tracker.feed(t + 12, [sighting("bed 2", f"{hers}A", f"{hers}B", t=t + 12)])
    tracker.feed(t + 15, [sighting("bed 2", t=t + 15)])
    fates = []
    for n in range(round(2 * CLAIM.fan_timeout_s)):
        hers_seen = [sighting("bed 2", f"P{game.state.princesses[1]}D", t=t + 17)] if tile and n == 2 else []
        tracker.feed(t + 15 + n, hers_seen)
        fates.append(tracker.state.fates[1])
    assert fates[1] == AWAKE
    assert OUT not in fates[: round(CLAIM.fan_timeout_s)]
    assert fates[-1] == (ASLEEP if tile else OUT)


def camera_alone(seed: int) -> tuple[ObservedGame, Tracker[Any, Any], float]:
    """A game that only a camera watches, laid out, and when people begin to play (s)."""
    game = ObservedGame(seed)
    tracker: Tracker[Any, Any] = Tracker(GAME, "basic", GAME.empty_table("basic", 3))
    for batch in game.rig.setup(game.state):
        tracker.feed(game.rig.t, [seen for seen in batch if isinstance(seen, Sighting)])
    return game, tracker, game.rig.t + 20


@pytest.mark.parametrize(
    ("answers", "fate"),
    [([True], ASLEEP), ([False, True], OUT), ([False, False], AWAKE)],
    ids=["she sleeps", "the claim failed", "nobody claimed"],
)
def test_after_a_claim_whose_cards_the_camera_did_not_see_people_say_what_they_saw(
    answers: list[bool], fate: int
) -> None:
    """The camera alone: hands were over the cards all the time, and other players play on."""
    _, tracker, t = camera_alone(3)
    tracker.feed(t, [ManualEntry(t, "claim", {"station": "bed 2"})])
    tracker.feed(t + CLAIM.unshown_s - 1, [sighting("play", "H02D", "H06E", "H03E", "H05C", "H08C", t=t + 12)])
    assert tracker.open_claims
    assert tracker.asked is None
    t += CLAIM.unshown_s
    for question, yes in zip(("Does she sleep?", "Was that claim meant?"), answers, strict=False):
        for n in range(3):
            tracker.feed(t + n, [])
        assert tracker.asked is not None
        assert tracker.asked.fact.question.endswith(question)
        t += 5
        tracker.answer(t, tracker.asked.fact, yes)
    for n in range(20):
        tracker.feed(t + n, [])
        assert tracker.asked is None
    assert tracker.state.fates[1] == fate
    assert not tracker.open_claims
    assert tracker.state.phase is Phase.CHECK


def test_a_claim_that_nobody_meant_does_not_answer_for_the_next_on_that_bed() -> None:
    game, tracker, t = camera_alone(3)
    tracker.feed(t, [sighting("play", "H02D", "H06E", "H03E", "H05C", "H08C", t=t)])
    for question in ("Does she sleep?", "Was that claim meant?") * 2:
        if question == "Does she sleep?":
            t += 60
            tracker.feed(t, [ManualEntry(t, "claim", {"station": "bed 2"})])
            t += CLAIM.unshown_s
        for n in range(3):
            tracker.feed(t + n, [])
        assert tracker.asked is not None
        assert tracker.asked.fact.question.endswith(question)
        t += 4
        tracker.answer(t, tracker.asked.fact, yes=False)
    assert tracker.state.fates[1] == AWAKE
    assert game.state.fates[1] == AWAKE


@pytest.mark.parametrize("tile", [True, False])
def test_who_claims_by_a_key_may_forget_it_if_she_sleeps(tile: bool) -> None:
    """Cards that lie open without a key may have slipped from a hand."""
    game, tracker, t = camera_alone(3)
    tracker.feed(t, [sighting("play", "H02D", "H06E", "H03E", "H05C", "H08C", t=t)])
    princess = game.state.princesses[1]
    shown = [f"M{princess}{copy}" for copy in ("ABS" if tile else "AB")]
    tracker.feed(t + 10, [sighting("bed 2", *shown, t=t + 10)])
    tracker.feed(t + 12, [sighting("bed 2", *([f"P{princess}D"] if tile else []), t=t + 12)])
    for n in range(40):
        tracker.feed(t + 13 + n, [])
    assert tracker.state.fates[1] == (ASLEEP if tile else AWAKE)


def test_her_tile_alone_proves_a_claim_whose_cards_the_camera_did_not_see() -> None:
    game, tracker, t = camera_alone(3)
    tracker.feed(t, [sighting("play", "H02D", "H06E", "H03E", "H05C", "H08C", t=t)])
    tracker.feed(t + 10, [ManualEntry(t + 10, "claim", {"station": "bed 2"})])
    tracker.feed(t + 16, [sighting("bed 2", f"P{game.state.princesses[1]}D", t=t + 16)])
    for n in range(round(CLAIM.unshown_s) + 10):
        tracker.feed(t + 17 + n, [])
        assert tracker.asked is None
    assert tracker.state.fates == (AWAKE, ASLEEP, AWAKE, AWAKE, AWAKE)
    assert not tracker.open_claims


@pytest.mark.parametrize("third", [None, "stranger", "tile"])
def test_without_scales_her_cards_prove_a_claim_once_her_tile_is_laid_or_no_other_card_shows(
    third: str | None,
) -> None:
    """A stranger's sticker was hidden at first: the princess slept by the two cards that were read."""
    game = ObservedGame(3, "5+")
    tracker: Tracker[Any, Any] = Tracker(GAME, "5+", GAME.empty_table("5+", 3))
    for batch in game.rig.setup(game.state):
        tracker.feed(game.rig.t, [seen for seen in batch if isinstance(seen, Sighting)])
    t, princess = game.rig.t + 20, game.state.princesses[1]
    hers = (f"M{princess}A", f"M{princess}B")
    tracker.feed(t, [ManualEntry(t, "claim", {"station": "bed 2"})])
    tracker.feed(t + 3, [sighting("bed 2", *hers, t=t + 3)])
    tracker.feed(t + 4, [])
    assert tracker.state.fates[1] == AWAKE
    if third == "tile":
        tracker.feed(t + 5, [sighting("bed 2", f"P{princess}D", t=t + 5)])
    elif third is not None:
        stranger = f"M{game.state.princesses[0]}A"
        tracker.feed(t + 5, [sighting("bed 2", *hers, stranger, t=t + 5)])
    for n in range(6, 12):
        tracker.feed(t + n, [])
    assert tracker.state.fates[1] == (OUT if third == "stranger" else ASLEEP)


def shown_with_a_stranger(*cards: str) -> tuple[Tracker[Any, Any], float, int]:
    """A bed that was claimed and turned up, where only a camera watches; when (s); and who lies there.

    `cards`: what it reads, with names for her kind and another one's.
    """
    game, tracker, t = camera_alone(3)
    tracker.feed(t, [sighting("play", "H02D", "H06E", "H03E", "H05C", "H08C", t=t)])
    hers, other = game.state.princesses[1], game.state.princesses[0]
    shown = [card.format(hers=hers, other=other) for card in cards]
    tracker.feed(t + 10, [ManualEntry(t + 10, "claim", {"station": "bed 2"})])
    tracker.feed(t + 13, [sighting("bed 2", *shown, t=t + 13)])
    tracker.feed(t + 14, [])
    return tracker, t + 14, hers


@pytest.mark.parametrize(
    "cards",
    [
        ("{hers}t~1", "{hers}t~2", "{other}s~3"),  # one may be misread
        ("{hers}t~1", "{hers}t~2", "{hers}s~3"),  # a fourth may lie there unread
        ("M{hers}A", "M{hers}B", "M{hers}S"),
        ("{hers}t~1", "{hers}t~2"),  # as may the third
    ],
)
@pytest.mark.parametrize("then", ["tile", "she sleeps", "she does not"])
def test_cards_that_may_be_misread_fail_no_claim_although_no_tile_was_read(
    cards: tuple[str, ...], then: str
) -> None:
    """In half the light the tile may lie there unread as well. Who turned the cards up saw them."""
    tracker, t, hers = shown_with_a_stranger(*cards)
    tile = [f"P{hers}D" if cards[0].startswith("M") else f"P{hers}D~4"] if then == "tile" else []
    tracker.feed(t + 1, [sighting("bed 2", *tile, t=t + 1)])
    for n in range(round(CLAIM.unshown_s)):
        tracker.feed(t + 2 + n, [])
        assert tracker.state.fates[1] != OUT
    t += CLAIM.unshown_s + 2
    if then != "tile":
        assert tracker.asked is not None
        assert tracker.asked.fact.question.endswith("Does she sleep?")
        tracker.answer(t, tracker.asked.fact, then == "she sleeps")
    for n in range(4):
        tracker.feed(t + n, [])
    assert tracker.state.fates[1] == (OUT if then == "she does not" else ASLEEP)
    assert not tracker.open_claims
    assert tracker.asked is None


@pytest.mark.parametrize("then", [(), ("P9D~4",)], ids=["nothing else", "another princess's tile"])
def test_cards_known_by_their_art_that_no_tile_follows_are_asked_about(then: tuple[str, ...]) -> None:
    """They lie there for long, or what looks like the tile of somebody else lies on them."""
    tracker, t, _ = shown_with_a_stranger("{hers}t~1", "{hers}t~2", "{other}s~3")
    if then:
        tracker.feed(t + 1, [sighting("bed 2", *then, t=t + 1)])
    for n in range(round(CLAIM.unshown_s)):
        tracker.feed(t + 2 + n, [])
    assert tracker.state.fates[1] == AWAKE
    assert tracker.asked is not None


@pytest.mark.parametrize(
    "cards",
    [("M{hers}A", "M{hers}B", "M{other}S"), ("{hers}t~1", "{other}t~2", "{other}s~3")],
    ids=["by its sticker", "two by their art"],
)
def test_foreign_cards_that_were_hardly_misread_fail_a_claim_at_once(cards: tuple[str, ...]) -> None:
    tracker, _, _ = shown_with_a_stranger(*cards)
    assert tracker.state.fates[1] == OUT


def begun(variant: str) -> ObservedGame:
    """A game after its first two turns, in which no mattress was moved."""
    game = ObservedGame(3, variant)
    game.set_up()
    while game.state.turns < 3:
        legal = GAME.legal_actions(game.state)
        game.do(next(action for action in legal if not isinstance(action, Claim | Move | Know)))
    return game


@pytest.mark.parametrize("tile", [False, True])
def test_a_bed_turned_up_while_the_board_was_away_is_taken_over_as_claimed(tile: bool) -> None:
    """Nobody heard its button. Her two cards were read, a third one lay there hidden, and no tile came."""
    game = begun("5+")
    tracker, t, princess = game.tracker, game.rig.t + 20, game.state.princesses[1]
    tracker.feed(t, [Health(t, "board", False)])
    tracker.feed(t + 30, [sighting("bed 2", f"M{princess}A", f"M{princess}B", t=t + 30)])
    left = [f"P{princess}D"] if tile else []
    tracker.feed(t + 32, [sighting("bed 2", *left, t=t + 32)])
    counts = [Count(t + 34, "bed 1", 1, 1.0), Count(t + 34, "bed 2", 2 if tile else 3, 3.0)]
    tracker.feed(t + 34, [Health(t + 34, "board", True), *counts[tile:]])
    tracker.adopt(t + 36, ToldTable(tracker.state.turn))
    assert tracker.state.fates[1] == (ASLEEP if tile else OUT)


@pytest.mark.parametrize(
    ("before", "turned_up", "tile", "fate"),
    [
        (False, True, False, OUT),
        (False, True, True, ASLEEP),
        (False, False, False, AWAKE),
        (True, True, False, AWAKE),
    ],
    ids=["the claim failed", "she sleeps", "nobody turned it up", "claimed before the outage"],
)
def test_a_bed_claimed_and_turned_up_while_the_camera_was_away_is_taken_over(
    before: bool, turned_up: bool, tile: bool, fate: int
) -> None:
    """Its button was heard and the claim waits for cards that nobody saw; its scale was emptied."""
    game = begun("5+")
    tracker, t, princess = game.tracker, game.rig.t + 20, game.state.princesses[1]
    heard: list[Observation] = [Button(t - 10 if before else t + 12, "bed 2")]
    if turned_up:
        heard += [Count(t + 15, "bed 2", 0, 0.0), Count(t + 25, "bed 2", 2, 2.0)]
    beds, at = ("bed 1", "bed 2"), t - 30 if before else t + 2
    # What is felt and moved while nobody sees the play makes these beds unknown.
    moved = [Count(at + n, bed, 1 + (n > 2), 1.0 + (n > 2)) for n, bed in enumerate((*beds, *beds), 1)]
    away = [Health(t, "camera", False), *moved]
    for one in sorted([*heard, *away], key=lambda one: one.t):
        tracker.feed(one.t, [one])
    left = [f"P{princess}D"] if tile else []
    tracker.feed(t + 60, [Health(t + 60, "camera", True), sighting("bed 2", *left, t=t + 60)])
    offered = {bed for bed, _ in tracker.proposal(t + 70).unseen}
    assert (1 in offered) == (fate == AWAKE)
    tracker.adopt(t + 70, ToldTable(tracker.state.turn))
    assert tracker.state.fates[1] == fate


def test_a_verdict_stands_when_the_board_tells_later_what_was_moved_to_the_bed_before() -> None:
    """The cable was out for the move and the claim; hands were at the bed again after its cards had shown."""
    game = begun("5+")
    while game.state.phase is not Phase.CHECK:
        legal = [one for one in GAME.legal_actions(game.state) if not isinstance(one, Claim | Move | Know)]
        game.do(next((one for one in legal if isinstance(one, Play)), legal[0]))
    game.do(Touch(0))
    tracker, t = game.tracker, game.rig.t + 10
    moved = game.state.beds[0][0]
    lying = Counter(game.state.faces[slot] >> 1 for slot in (*game.state.beds[1], moved))
    cards = [f"M{one}{copy}" for one, count in lying.items() for copy in "AB"[:count]]
    moments: list[list[Observation]] = [
        [Reach(t, "bed 1", True)],
        [Health(t + 1, "board", False)],
        [Reach(t + 2, "bed 2", True), Reach(t + 2.5, "bed 1")],
        [Reach(t + 3, "bed 2")],
        [Reach(t + 15, "bed 2", True)],
        [Reach(t + 16, "bed 2"), sighting("bed 2", *cards, t=t + 16)],
        [Reach(t + 18, "bed 2", True)],
        [Reach(t + 19, "bed 2"), sighting("bed 2", t=t + 19)],
    ]
    for batch in moments:
        tracker.feed(batch[-1].t, batch)
    for n in range(40):
        tracker.feed(t + 20 + n / 2, [])
    assert tracker.state.fates[1] == OUT
    back = t + 42
    tracker.feed(back, [Health(back, "board", True)])
    counts = [Count(back + 1, "bed 1", 1, 1.0), Count(back + 1, "bed 2", 3, 3.0)]
    tracker.feed(back + 1, counts)
    for n in range(40):
        tracker.feed(back + 2 + n / 2, [])
    assert [len(slots) for slots in tracker.state.beds[:2]] == [1, 3]
    assert tracker.state.fates[1] == OUT


def test_strangers_among_more_cards_than_believed_settle_a_claim_whose_button_nobody_heard() -> None:
    game = begun("basic")
    tracker, t = game.tracker, game.rig.t + 20
    tracker.feed(t, [Health(t, "board", False)])
    others = [f"M{one}{copy}" for one in game.state.princesses[2:4] for copy in "AB"]
    tracker.feed(t + 30, [sighting("bed 2", *others, t=t + 30)])
    for n in range(5):
        tracker.feed(t + 31 + n, [])
    assert tracker.state.fates[1] == OUT
