"""Plays and discards: how many there are, which hands allow them, and why others are refused."""

import pytest

from companion.games.rules import IllegalError
from companion.games.sleepless_princess.notation.state_notation import read_action, read_state, write_action
from companion.games.sleepless_princess.rules.actions import Discard, Play
from companion.games.sleepless_princess.rules.apply import apply
from companion.games.sleepless_princess.rules.card_kinds import BLANKET, UNKNOWN
from companion.games.sleepless_princess.rules.legal_actions import legal_actions
from companion.games.sleepless_princess.rules.plays import (
    discards_for,
    play_table,
    play_value,
    plays_but_one,
    plays_for,
    plays_of_all,
)
from companion.games.sleepless_princess.wording import message
from tests.support.sleepless import BLANK, refused


def test_the_number_of_plays_of_each_variant() -> None:
    # Counted by hand: 10 triples, 45 with a blanket, 25 + 31 with one sum of two or three cards,
    # 55 with two sums, 70 with a sum and a blanket; 5 triples and 10 with a blanket in 5+.
    assert len(play_table("basic")) == 10 + 45 + 25 + 31 + 55 + 70
    assert len(play_table("5+")) == 5 + 10


@pytest.mark.parametrize(
    ("hand", "count"),
    [
        ((3, 3, 3, 3, 3), 1),
        ((1, 2, 4, 7, 10), 0),
        ((3, 3, 3, 9, 11), 2),  # 3 3 3; 3 3 9~3
        ((2, 4, 6, 6, 6), 2),  # 6 6 6; 6 6 2+4
        ((1, 1, 1, 1, 1), 1),
        ((1, 1, 1, 1, 2), 3),  # 1 1 1; 2 1+1 1+1; and no blanket, no 1 1 2
        ((2, 3, 5, 9, 11), 1),  # 5 2+3 9~5
        ((11, 11, 11, 11, 11), 0),
        ((0, 0, 0, 0, 0), 236),
        ((0,), 0),
        ((0, 0, 5), 1),
        ((0, 3, 3), 1),
        ((), 0),
    ],
)
def test_plays_of_a_hand(hand: tuple[int, ...], count: int) -> None:
    found = plays_for("basic", hand)
    # 1 1 1 1 2 has a triple and two sums only.
    assert len(found) == (2 if hand == (1, 1, 1, 1, 2) else count), found


def test_every_play_is_three_groups_of_one_value_from_one_to_five_cards() -> None:
    for play, use in play_table("basic").items():
        assert len(play.groups) == 3
        value = play_value(play)
        assert value is not None
        assert 1 <= value <= 10
        assert 3 <= len(use.cards) <= 5
        assert play.covered is None or play.covered > value


@pytest.mark.parametrize(
    ("hand", "most", "count"),
    [
        ((1, 2, 3, 4, 5), 2, 15),
        ((1, 1, 1, 1, 1), 2, 2),
        ((1, 1, 2), 2, 4),
        ((1, 1, 2), 1, 2),
        ((1, 2), 0, 0),
        ((0, 0), 2, 77),
    ],
)
def test_discards_of_a_hand(hand: tuple[int, ...], most: int, count: int) -> None:
    assert len(discards_for("basic", hand, most)) == count


def test_plays_of_exactly_some_cards() -> None:
    assert plays_of_all((1, 4, 5, 5)) == (read_action("play 5 5 4+1"),)
    assert plays_of_all((5, 5, 5, 5)) == ()


@pytest.mark.parametrize(
    ("cards", "plays"),
    [
        ((9, 9), ["play 9 9 9", "play ?~9 9 9"]),
        ((1, 9, 9), ["play 1+8 9 9"]),
        ((9, 9, BLANKET), ["play 9 9 10~9", "play ?~9 9 9"]),
        ((6, BLANKET), ["play ?~6 6 6"]),
    ],
)
def test_plays_of_some_cards_and_one_more(cards: tuple[int, ...], plays: list[str]) -> None:
    assert [write_action(play) for play in plays_but_one(cards)] == plays


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("play 5 5 4", "play-not-equal"),
        ("play 5 5", "play-not-three-groups"),
        ("play 5 5 1+1+1+2", "play-group-size"),
        ("play 1+1 1+1 1+1", "play-too-many-cards"),
        ("play 5 5 B", "play-not-helpers"),
        ("play 2 2 2", "card-not-in-hand"),
        ("play 10 10 5+5", "card-not-in-hand"),
        ("play 5 5 5", "card-not-in-hand"),
    ],
)
def test_why_a_play_is_refused(words: str, code: str) -> None:
    state = read_state(BLANK.replace("HANDS", "1,4,5,5,9/-/-"))
    assert refused(state, read_action(words)) == code


def test_why_a_blanket_is_refused() -> None:
    state = read_state(BLANK.replace("HANDS", "1,4,5,9,B/-/-"))
    assert refused(state, Play(((1, 4), (5,), (9,)), 4)) == "play-blanket-on-addend"
    assert refused(state, Play(((1, 4), (5,), (9,)), 7)) == "play-blanket-on-nothing"
    assert refused(state, Play(((3,), (5,), (5,)), 3)) == "play-blanket-adds"
    assert refused(state, Play(((9,), (5,), (1, 4)), 9)) == "play-not-sorted"
    assert apply(state, Play(((1, 4), (5,), (9,)), 9)).played == (1, 4, 5, 9, 11)


@pytest.mark.parametrize(
    ("hand", "words", "left"),
    [
        ("?x5", "play ?~3 3 3", (UNKNOWN,)),
        ("2,3,3,8,B", "play ?~3 3 3", "play-covered-known"),
        ("?,3,3,8,B", "play ?~3 3 3", (UNKNOWN,)),
        ("3,3,8,9,B", "play ?~3 3 3", (UNKNOWN,)),
        ("?,?,2,3,B", "play ?~3 3 3", (2,)),
        ("?,?,?,?,9", "play ?~8 8 8", (UNKNOWN,)),
        ("?,?,?,?,8", "play ?~9 9 9", "play-covered-known"),
        ("1,2,3,3,B", "play ?~3 3 3", "card-not-in-hand"),
        ("2,3,3,8,9", "play ?~3 3 3", "card-not-in-hand"),
        ("?x5", "play ?~5 1+4 5", ()),
    ],
)
def test_the_card_beneath_a_blanket_may_be_unread(hand: str, words: str, left: tuple[int, ...] | str) -> None:
    """It stays open where two kinds or more can lie there; of the hand stays what cannot have been it."""
    state = read_state(BLANK.replace("HANDS", f"{hand}/?x5/?x5"))
    play = read_action(words)
    if isinstance(left, str):
        assert refused(state, play) == left
        return
    after = apply(state, play)
    assert after.hands[0] == left
    assert (after.played.count(UNKNOWN), BLANKET in after.played) == (1, True)
    assert after.looks == sum(len(group) > 1 for group in play.groups)
    assert play not in legal_actions(state)
    said = message(state, play, after)
    assert said is not None
    assert "a card under a blanket" in said.text


def test_where_every_card_is_known_the_covered_one_is_named() -> None:
    state = read_state(BLANK.replace("HANDS", "3,3,8,9,B/-/-"))._replace(deck=(1, 2))
    assert refused(state, read_action("play ?~3 3 3")) == "play-not-helpers"


def test_no_sums_in_the_small_game() -> None:
    small = BLANK.replace("basic 3", "5+ 3").replace("HANDS", "1,4,5,5,B/-/-")
    small = small.replace("beds=1,2,3/4,5,6/7,8,9/10,11,12/13,14,15", "beds=1,2/3,4/5,6/7,8")
    small = small.replace("faces=" + ",".join("?" * 15), "faces=" + ",".join("?" * 8))
    small = small.replace("princesses=0,1,2,3,4 fates=aaaaa", "princesses=0,1,2,3 fates=aaaa")
    state = read_state(small)
    assert refused(state, read_action("play 5 5 4+1")) == "play-no-addition"
    assert apply(state, read_action("discard 1 4")).discard == (1, 4)


def test_discards_refused() -> None:
    state = read_state(BLANK.replace("HANDS", "1,4,5,9,B/-/-"))
    assert refused(state, Discard((1, 4, 5))) == "discard-number"
    assert refused(state, Discard((4, 1))) == "discard-cards"
    assert refused(state, Discard((7,))) == "card-not-in-hand"
    few = state._replace(row=(2,), deck=())
    assert refused(few, Discard((1, 4))) == "discard-no-cards-left"
    assert apply(few, Discard((1,))).discard == (1,)


def test_errors_carry_section_and_cards() -> None:
    state = read_state(BLANK.replace("HANDS", "1,4,5,5,9/-/-"))
    with pytest.raises(IllegalError) as caught:
        apply(state, read_action("play 5 5 5"))
    assert caught.value.cards == ("5",)
    assert caught.value.section == "Play 3 or more cards"
