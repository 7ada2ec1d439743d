"""The notation: worked examples, and errors that name what is wrong."""

from pathlib import Path
from random import Random

import pytest

from companion.games.rules import IllegalError
from companion.games.sleepless_princess.notation.state_notation import (
    FIELDS,
    read_action,
    read_state,
    write_action,
    write_state,
)
from companion.games.sleepless_princess.rules.actions import (
    Claim,
    Discard,
    Final,
    Know,
    Later,
    Lay,
    Look,
    MoveOn,
    Open,
    Play,
    Recount,
    Seat,
    Touch,
)
from companion.games.sleepless_princess.rules.card_kinds import WITCH
from companion.games.sleepless_princess.rules.dealing import empty_table, setup
from companion.games.sleepless_princess.rules.plays import BONUS, why_no_play
from companion.games.sleepless_princess.rules.plays import SECTION as PLAYING
from companion.games.sleepless_princess.rules.state import BASIC

PAGE = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")


def test_the_example_of_the_documentation_is_a_state() -> None:
    (line,) = [line.strip() for line in PAGE.splitlines() if line.startswith("    5+ 2 ")]
    assert write_state(read_state(line)) == line


def test_every_field_is_documented() -> None:
    for field in FIELDS:
        assert f"`{field}`" in PAGE


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("seat 1=3", Seat(0, 3)),
        ("lay 2=3t", Lay(1, 6)),
        ("lay 2=?", Lay(1, -1)),
        ("open=7", Open(7)),
        ("open", Open()),
        ("open=W", Open(WITCH)),
        ("open=?", Open(0)),
        ("discard 3 B", Discard((3, 11))),
        ("play 1+4 5 9~5", Play(((1, 4), (5,), (9,)), 9)),
        ("play 4 4 4~4", Play(((4,), (4,), (4,)), 4)),
        ("play 2+2 4 4~4", Play(((2, 2), (4,), (4,)), 4)),
        ("play ?~5 1+4 5", Play(((0,), (1, 4), (5,)), 0)),
        ("claim 3", Claim(2)),
        ("claim 3=asleep", Claim(2, True)),
        ("claim 3=out", Claim(2, False)),
        ("final", Final()),
        ("final asleep out - - -", Final((True, False, None, None, None))),
        ("know 5=3s", Know(4, 7)),
        ("know 5=?", Know(4, -1)),
        ("touch 2", Touch(1)),
        ("touch 2 pad", Touch(1, on_pad=True)),
        ("look 2 extra", Look(1, extra=True)),
        ("on 2 4", MoveOn(1, 3)),
        ("later", Later()),
        ("recount 3", Recount(3)),
    ],
)
def test_actions_in_words(text: str, action: object) -> None:
    assert read_action(text) == action
    assert write_action(read_action(text)) == text


def test_cards_are_read_in_any_order() -> None:
    assert read_action("play 5 4+1 9~5") == read_action("play 9~5 1+4 5")
    assert read_action("discard B 3") == read_action("discard 3 B")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "at least one word"),
        ("dance", "unknown action 'dance'"),
        ("touch 0", "touch: counted from 1"),
        ("touch", "touch: 1 words wanted, 0 given"),
        ("move 1", "move: 2 words wanted"),
        ("take ?", "take: the card has to be named"),
        ("deck=?", "deck: the card has to be named"),
        ("take 11", "take: not a card: '11'"),
        ("open 7", "written open=7"),
        ("deck=", "deck: not a card"),
        ("claim=3", "claim: '=' belongs to what follows"),
        ("claim 3=perhaps", "neither asleep nor out"),
        ("final maybe", "neither asleep, out nor -"),
        ("play 5 5 9~4", "counts as 5 here"),
        ("play 5 5 ?", "play: the card has to be named"),
        ("play 5 5 ?~4", "counts as 5 here"),
        ("play 5 ?+1~5 5", "play: the card has to be named"),
        ("play 5 5 9~x", "play: not a number: 'x'"),
        ("seat 1=?", "a princess that is seated is known"),
        ("know 5", "lacks its '='"),
        ("know 5=4x", "not a mattress"),
        ("done now", "0 words wanted, 1 given"),
    ],
)
def test_wrong_actions_are_explained(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_action(text)


@pytest.mark.parametrize(
    ("text", "code", "section", "cards"),
    [
        ("play 5 9~5 8~5", "play-two-blankets", PLAYING, ("5", "9", "8")),
        ("play 5 5 1+4~2", "play-blanket-on-addend", BONUS, ("5", "5", "1", "4")),
        ("play 5 5 9~4", "play-not-equal", PLAYING, ("5", "5", "9")),
        ("play 5 6 9~5", "play-not-equal", PLAYING, ("5", "6", "9")),
    ],
)
def test_a_blanket_where_the_rules_refuse_it(
    text: str, code: str, section: str, cards: tuple[str, ...]
) -> None:
    with pytest.raises(IllegalError) as refused:
        read_action(text)
    assert (refused.value.code, refused.value.section, refused.value.cards) == (code, section, cards)


@pytest.mark.parametrize(
    ("play", "text", "code"),
    [
        (Play(((1, 4), (5,), (5,)), 4), "play 1+4~5 5 5", "play-blanket-on-addend"),
        (Play(((3,), (4,), (9,)), 9), "play 3 4 9~3", "play-not-equal"),
        (Play(((4,), (4,), (4,)), 4), "play 4 4 4~4", "play-blanket-adds"),
    ],
)
def test_a_play_against_the_rules_is_written_as_it_is_and_refused_alike(
    play: Play, text: str, code: str
) -> None:
    assert write_action(play) == text
    for refuse in (lambda: why_no_play(BASIC, play), lambda: why_no_play(BASIC, read_action(text))):
        try:
            error = refuse()
        except IllegalError as raised:
            error = raised
        assert error.code == code


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("basic 3", "medium 3", "no variant 'medium'"),
        ("basic 3", "basic 9", "9 players cannot play"),
        ("basic 3", "basic x", "players: not a number"),
        ("phase=play", "phase=lunch", "phase: 'lunch' is not one of"),
        ("turn=1", "turn=4", "turn: there is no player 4"),
        ("turns=1", "turns=-1", "turns: not a number"),
        ("fates=aaaaa", "fates=aaax", "fates: not a fate"),
        ("fates=aaaaa", "fates=aaaa", "fates: 4 given, this game has 5"),
        ("skips=0", "", "skips: missing"),
        ("skips=0", "skips=0 skips=1", "skips: given twice"),
        ("skips=0", "skips=0 mood=good", "unknown word 'mood=good'"),
        ("looks=0", "looks=99999999999", "looks: not a number"),
        ("row=", "row=X,", "row: not a card: 'X'"),
        ("checked=-", "checked=4", "checked: not a check"),
        ("shown=-", "shown=0", "shown: counted from 1"),
    ],
)
def test_wrong_states_are_explained(old: str, new: str, message: str) -> None:
    line = write_state(setup("basic", 3, Random(1)))
    assert old in line
    with pytest.raises(ValueError, match=message):
        read_state(line.replace(old, new, 1))


def test_the_empty_table_in_one_line() -> None:
    line = write_state(empty_table("5+", 4, silent=True))
    assert line.startswith("5+ 4 silent phase=setup turn=1 turns=0 hands=?x5/?x5/?x5/?x5 row=- deck=?x15 ")
    assert read_state(line) == empty_table("5+", 4, silent=True)
