"""States and actions of Sleeping Queens 2 as text."""

from pathlib import Path
from random import Random

import pytest

from companion.games.sleeping_queens_2.notation.action_notation import _FORMS, _INSTANTS
from companion.games.sleeping_queens_2.notation.state_notation import FIELDS, PHASES
from companion.games.sleeping_queens_2.rules.parts import DRAGON, Parts
from companion.games.sleeping_queens_2.rules.rulebook import RULES, SleepingQueens2

PAGE = Path(__file__).parents[3] / "docs" / "notation-sleeping-queens-2.md"


@pytest.mark.parametrize(
    "text",
    [
        *("", "gnome 1", "reroll=1", "roll 4", "roll Dragon", "knight ?", "knight blue", "draw 7", "draw=RC01"),
        *("draw=?", "shuffle=", "shuffle=1,?", "mix=?x10", "fetch", "fetch 11", "fetch 0", "fetch 4=Q01"),
        *(
            "steal 2",
            "steal Q01 2",
            "take 7",
            "exchange 1",
            "swap 1 2",
            "equation",
            "equation 1 Q01",
            "pair Q01",
        ),
        *("book SB", "rescue Q01 Q02", "rescue RC01 Q01", "back -1", "discard ?", "end now", "END"),
    ],
)
def test_text_that_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        RULES.read_action(text)


@pytest.mark.parametrize(
    "text", ["swap RC01 2 RC05", "equation 1 1 2", "mix=RC02,RC01", "exchange 1 3", "fetch 10"]
)
def test_an_action_is_written_as_it_was_read(text: str) -> None:
    assert RULES.write_action(RULES.read_action(text)) == text


def test_cards_of_an_equation_are_written_ascending() -> None:
    assert RULES.write_action(RULES.read_action("equation 8 3 2 3")) == "equation 2 3 3 8"


LINE = RULES.write_state(RULES.setup("standard", 3, Random(1)))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("standard 3", "basic 3", "begins with"),
        ("standard 3", "standard 6", "2 to 5"),
        ("phase=roll", "phase=rest", "phase"),
        ("phase=roll", "", "phase: missing"),
        ("turn=1", "turn=4", "no player 4"),
        ("turns=1", "turns=1 turns=1", "given twice"),
        ("draws=0", "draws=x", "draws: not a number"),
        ("realms=-/-/-", "realms=-/-", "realms: 2 given, this game has 3"),
        ("asleep=-/-/-", "asleep=Q13/-/-", "asleep: not a card"),
        ("kings=0/0/0", "kings=0/-1/0", "kings"),
        ("knights=", "knights=blue/", "knights: not a knight"),
        ("played=-", "played=?", "played"),
        ("grid=", "grid=Q01/", "grid: not a companion"),
        ("die=1,1,2,2,3,dragon", "die=4", "die"),
        ("die=1,1,2,2,3,dragon", "die=dragon", "not dragons alone"),
        ("symbols=a", "symbols=", "queens: 12"),
        ("aaabbbccc*", "aaabbbccc?", "companions: 10"),
        ("colours=red,", "colours=", "colours: 6"),
        ("fresh=1", "fresh=1 odd=2", "unknown word"),
    ],
)
def test_a_line_that_is_no_state_is_refused_by_field(old: str, new: str, says: str) -> None:
    assert old in LINE
    with pytest.raises(ValueError, match=says):
        RULES.read_state(LINE.replace(old, new))


def test_the_parts_of_another_box_are_kept_in_the_line() -> None:
    colours = ("pink", "black", "blue", "brown", "white", "green")
    parts = Parts((1, 2, 3, 3, 3, DRAGON), "ababababcccc", "*bcabcabca", colours)
    state = SleepingQueens2(parts).setup("standard", 4, Random(2))
    assert state.parts == parts
    assert RULES.read_state(RULES.write_state(state)) == state
    with pytest.raises(ValueError, match="ascending"):
        Parts((2, 1, DRAGON))


def test_the_names_of_symbols_are_kept_in_the_line() -> None:
    parts = Parts(names=("Röslein", "shell"))
    state = SleepingQueens2(parts).setup("standard", 4, Random(2))
    assert RULES.read_state(RULES.write_state(state)).parts == parts
    for wrong in (("rose", "rose"), ("a/b",), ("two words",), ("",), ("x" * 13,)):
        with pytest.raises(ValueError, match="different words of 1 to 12 letters"):
            Parts(names=wrong)


def test_fields_are_read_in_any_order() -> None:
    variant, players, *fields = LINE.split()
    assert RULES.read_state(" ".join([variant, players, *reversed(fields)])) == RULES.read_state(LINE)


def test_the_page_names_every_field_phase_and_verb() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for word in (*FIELDS, *PHASES):
        assert f"`{word}`" in page, word
    for verb in (*_FORMS, *_INSTANTS):
        assert f"`{verb}" in page, verb
