"""status() finds what no game could reach; setup never reaches what it would find."""

from random import Random
from typing import Any

import pytest

from companion.games.rules import FaultyStateError, IllegalError
from companion.games.sleepless_princess.rules.actions import Lay, Open, Seat
from companion.games.sleepless_princess.rules.claim_rules import settled
from companion.games.sleepless_princess.rules.hidden_state import hide
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import OUT, Phase

BASE = (
    "basic 2 phase=play turn=1 turns=3 hands=3,8,9,10,10/1,2,3,4,B row=1,1,5,8,9 "
    "deck=1,1,1,2,2,2,2,2,3,3,3,3,4,4,4,4,4,5,5,5,5,5,6,6,6,6,6,6,7,7,7,7,7,7,8,8,8,8,9,9,9,9,10,10,10,10,"
    "B,B,B,B,W,W,W,W discard=- fresh=0 played=- beds=1,2,3/4,5,6/7,8,9/10,11,12/13,14,15 "
    "faces=6t,6t,6s,4t,4t,4s,5t,5t,5s,8t,8t,8s,9t,9t,9s princesses=6,4,5,8,9 fates=aaaaa touches=0 looks=0 "
    "checked=- shown=- last=- skips=0"
)


def codes(line: str) -> set[str]:
    return {fault.code for fault in RULES.status(RULES.read_state(line))}


def with_fields(**fields: str) -> str:
    words = [f"{name}={fields.get(name, value)}" for name, value in (w.split("=") for w in BASE.split()[2:])]
    return " ".join(["basic 2", *words])


def test_the_line_they_start_from_is_possible() -> None:
    assert codes(BASE) == set()


def test_for_a_mattress_of_another_game_one_is_missing_that_nobody_knows() -> None:
    """It is no fault, and what is missing for it may be the one that would prove a claim."""
    faces = "6t,6t,?,4t,{one},4s,5t,5t,5s,8t,8t,8s,9t,9t,9s"
    for one, hers in (("4t", True), ("1s", None), ("?", None)):
        line = with_fields(faces=faces.format(one=one))
        assert codes(line) == set()
        assert settled(RULES.read_state(line), 0) is hers
    assert settled(RULES.read_state(with_fields(faces=faces.format(one="1s"))), 1) is False


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"hands": "3,8/1,2,3,4,B"}, "hand-short"),
        ({"hands": "3,8,9,10,10/1,2"}, "hand-short"),
        ({"phase": "check", "played": "2,2,2", "touches": "1"}, "hand-and-play"),
        (
            {"phase": "check", "hands": "9,10/1,2,3,4,B", "played": "2,2,2", "touches": "1", "looks": "2"},
            "looks",
        ),
        ({"phase": "check", "hands": "9,10/1,2,3,4,B", "played": "2,2,2", "checked": "1:seen"}, "looks"),
        (
            {
                "phase": "check",
                "hands": "9,10/1,2,3,4,B",
                "played": "2,2,2",
                "touches": "1",
                "checked": "1:felt",
            },
            "touched",
        ),
        ({"phase": "check", "hands": "9,10/1,2,3,4,B", "played": "?,2,2"}, "open-card-unknown"),
        ({"phase": "check", "hands": "9/1,2,3,4,B", "played": "?,?,2,B"}, "open-card-unknown"),
        ({"phase": "check", "hands": "9/1,2,3,4,B", "played": "?,2,3,B"}, "played"),
        ({"phase": "check", "hands": "9/1,2,3,4,B", "played": "?,2,2,B", "looks": "1"}, "looks"),
        ({"last": "1"}, "last"),
        ({"skips": "2"}, "skips"),
        ({"phase": "final"}, "final"),
        ({"phase": "final", "last": "1"}, "final"),
        ({"turns": "4"}, "turn-order"),
        ({"shown": "1,2,3"}, "shown"),
        ({"fates": "oaaaa"}, "out-unshown"),
        ({"fates": "oaaaa", "shown": "1,2"}, "out-unshown"),
        ({"phase": "draw", "hands": "3,8,9,10/1,2"}, "hand-short"),
        # Six cards have bought three checks at most, and four moves are needed.
        ({"fates": "oaaaa", "shown": "1", "discard": "1,2,2,2,3,3", "fresh": "3"}, "out-unshown"),
        # Seven cards have bought four checks at most: three to empty the bed, but not three more to fill it.
        ({"fates": "oaaaa", "discard": "1,2,2,2,3,3,3", "fresh": "3"}, "out-unshown"),
        (
            {"fates": "saaaa", "shown": "1,2,3", "faces": "?,?,?,6t,4t,4s,5t,5t,5s,8t,8t,8s,9t,9t,9s"},
            "asleep-elsewhere",
        ),
        ({"beds": "1,2,3/3,5,6/7,8,9/10,11,12/13,14,15"}, "mattress-twice"),
        ({"beds": "1,2,3/4,5/7,8,9/10,11,12/13,14,15"}, "mattress-nowhere"),
        # A witch has swept the row away, so that much lies there. One turn checks three mattresses at most.
        (
            {"turns": "1", "fates": "oaaaa", "shown": "1", "discard": "1,1,5,8,9,W,1,2,2,2", "fresh": "4"},
            "out-unshown",
        ),
    ],
)
def test_every_impossible_change_is_named(fields: dict[str, str], code: str) -> None:
    assert code in codes(with_fields(**fields))


@pytest.mark.parametrize(
    "fields",
    [
        # Seven cards have bought four checks: two mattresses that were shown went away, two others came.
        {"fates": "oaaaa", "shown": "1", "discard": "1,2,2,2,3,3,3", "fresh": "3"},
    ],
)
def test_what_the_most_checks_can_do_is_possible(fields: dict[str, str]) -> None:
    assert "out-unshown" not in codes(with_fields(**fields))


@pytest.mark.parametrize(("cards", "out"), [("1,2,2,4,4", True), ("1,2,2,4,4,4", False)])
def test_each_check_of_the_small_game_costs_three_cards(cards: str, out: bool) -> None:
    line = (
        "5+ 2 phase=play turn=1 turns=9 hands=1,4,5,5,B/1,3,4,5,B row=1,2,2,4,4 deck=4,3,W,2,3 "
        f"discard={cards} fresh=1 played=- beds=1,2/3,4/5,6/7,8 faces=2t,1t,2t,4t,4t,1t,0t,0t "
        "princesses=2,1,4,0 fates=oaaa touches=0 looks=0 checked=- shown=1 last=- skips=0"
    )
    assert ("out-unshown" in codes(line)) is out


@pytest.mark.parametrize("face", [-2, 20])
def test_a_mattress_has_a_face_of_some_princess_or_an_unknown_one(face: int) -> None:
    state = RULES.read_state(BASE)
    wrong = state._replace(faces=(face, *state.faces[1:]))
    assert [fault.code for fault in RULES.status(wrong)] == ["no-such-face"]


def test_the_last_hidden_cards_may_all_be_witches() -> None:
    assert codes(BASE.replace("W,W,W,W", "?,?,?,?")) == set()


def test_a_bed_that_was_empty_when_it_was_claimed_shows_nothing() -> None:
    line = with_fields(phase="check", hands="-/1,2,3,4,B", played="1,1,1,1,2", touches="1", looks="2")
    state = RULES.read_state(line)
    for text in ("touch 1", "move 1 2", "look 1", "move 1 2", "look 1", "move 1 2", "claim 1"):
        state = RULES.apply(state, RULES.read_action(text))
    assert (state.fates[0], state.shown) == (OUT, ())
    assert "out-unshown" not in {fault.code for fault in RULES.status(state)}


@pytest.mark.parametrize(
    "change",
    [
        {"hands": ()},
        {"turn": 7},
        {"fates": (0,) * 4},
        {"princesses": ()},
        {"faces": (-1,) * 3},
        {"phase": Phase.CHECK, "beds": ((),)},
        {"phase": Phase.DRAW, "hands": ((1,), (0, 0)), "row": (40,), "deck": (0, 0)},
    ],
)
def test_what_is_legal_in_a_faulty_state_is_refused_with_its_faults(change: dict[str, Any]) -> None:
    state = hide(RULES.read_state(BASE))._replace(**change)
    with pytest.raises(FaultyStateError) as refused:
        RULES.legal_actions(state)
    assert refused.value.faults == RULES.status(state)


def test_a_princess_without_mattresses_is_not_seated() -> None:
    state = RULES.empty_table("5+", 2)
    for action in (Lay(0, 12), Seat(0, 0), Seat(1, 1), Seat(2, 2)):
        state = RULES.apply(state, action)
    assert Seat(3, 3) not in RULES.legal_actions(state)
    with pytest.raises(IllegalError, match="princess-without-mattresses"):
        RULES.apply(state, Seat(3, 3))
    assert RULES.status(RULES.apply(state, Seat(3, 6))) == ()


@pytest.mark.parametrize(("variant", "players"), [("basic", 3), ("5+", 2)])
def test_setup_in_any_order_reaches_possible_tables_only(variant: str, players: int) -> None:
    for seed in range(12):
        chance = Random(seed)
        state = RULES.empty_table(variant, players)
        while state.turns == 0:
            legal = [action for action in RULES.legal_actions(state) if isinstance(action, Seat | Lay | Open)]
            state = RULES.apply(state, chance.choice(legal))
            assert RULES.status(state) == ()


@pytest.mark.parametrize("player", [-1, 2, 7])
def test_a_view_is_somebodys(player: int) -> None:
    with pytest.raises(ValueError, match="no player"):
        RULES.view(RULES.read_state(BASE), player)
