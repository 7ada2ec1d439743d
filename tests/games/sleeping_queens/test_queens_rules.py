"""The rules of Sleeping Queens, one by one."""

from random import Random

import pytest

from companion.games.rules import CHANCE
from companion.games.sleeping_queens.rules.equations import discards, is_equation
from companion.games.sleeping_queens.rules.game_end import winners
from companion.games.sleeping_queens.rules.hidden_state import hide
from companion.games.sleeping_queens.rules.kinds import CELLS, COPIES, KIND_TEXT, QUEEN_NAMES
from companion.games.sleeping_queens.rules.rulebook import RULES
from companion.games.sleeping_queens.rules.state import Phase, State
from tests.support.notated_rules import NotatedRules

GRID = "Rose/Cake/Rainbow/Starfish/Ladybug/Moon/Peacock/Sunflower/Cat/Dog/Pancake/Heart"


def table(hands: str, *, grid: str = GRID, awake: str = "-/-/-", deck: str = "", played: str = "") -> State:
    """A position of three in which the cards not named lie on the discard pile; player 1 is on turn."""
    used = ",".join(filter(None, (hands.replace("/", ","), deck, played))).split(",")
    left = {kind: copies - used.count(kind) for kind, copies in zip(KIND_TEXT[1:], COPIES[1:], strict=True)}
    rest = [kind for kind, copies in left.items() for _ in range(copies)]
    line = (
        f"basic 3 phase=play turn=1 acting=1 turns=1 hands={hands} deck={deck or '-'} "
        f"discard={','.join(rest)} fresh=1 played={played or '-'} grid={grid} awake={awake} target=-"
    )
    state = RULES.read_state(line)
    assert RULES.status(state) == ()
    return state


NOTATED = NotatedRules(RULES)
play, refused = NOTATED.play, NOTATED.refused


def legal(state: State) -> set[str]:
    return {RULES.write_action(action) for action in RULES.legal_actions(state)}


OTHERS = "1,2,3,4,5/6,7,8,9,10"


def awake(state: State, player: int) -> list[str]:
    return [QUEEN_NAMES[queen] for queen in state.awake[player - 1]]


def test_a_king_wakes_one_queen_and_hands_are_filled() -> None:
    state = table(f"1,1,2,2,KI/{OTHERS}", deck="7,JE")
    after = play(state, "king", "wake 2")
    assert awake(after, 1) == ["Cake"]
    assert RULES.actor(after) == CHANCE
    after = play(after, "refill")
    assert after.hands[0] == (1, 1, 2, 2, 12)
    assert after.discard[-1] == 11
    assert (after.turn, after.turns, after.phase) == (1, 2, Phase.PLAY)


def test_the_rose_queen_brings_another_also_after_she_was_put_to_sleep_again() -> None:
    state = play(table(f"1,1,2,2,KI/{OTHERS}"), "king", "wake 1")
    assert state.phase is Phase.WAKE
    assert awake(play(state, "wake 12"), 1) == ["Rose", "Heart"]
    slept = table(f"1,1,2,2,PO/{OTHERS}", grid=GRID.replace("Rose", "-"), awake="-/Rose/-", deck="3,3")
    slept = play(slept, "potion", "target Rose", "yield", "sleep 1", "refill")
    assert slept.seen[0]
    again = slept._replace(hands=((1, 1, 2, 2, 3), (1, 2, 3, 4, 11), slept.hands[2]), discard=slept.discard)
    again = RULES.apply(again, RULES.read_action("king"))
    assert RULES.apply(again, RULES.read_action("wake 1")).phase is Phase.WAKE


def test_cat_and_dog_are_never_together() -> None:
    cat = table(f"1,1,2,2,KI/{OTHERS}", grid=GRID.replace("Cat", "-"), awake="Cat/-/-")
    after = play(cat, "king", "wake 10")
    assert (awake(after, 1), after.phase) == (["Cat"], Phase.REFILL)
    assert after.seen[9], "everybody has seen the dog"
    no_dog = GRID.replace("Cat", "-").replace("Dog", "-")
    both = table(f"1,1,2,2,KN/{OTHERS}", grid=no_dog, awake="Cat/Dog/-")
    assert refused(both, "knight") == "nothing-to-act-on"
    third = table(f"1,1,2,2,KN/{OTHERS}", grid=no_dog.replace("Cake", "-"), awake="Cat/Dog/Cake")
    assert legal(play(third, "knight")) == {"target Cake"}
    assert refused(play(third, "knight"), "target Dog") == "cat-and-dog"
    potion = table(f"1,1,2,2,PO/{OTHERS}", grid=no_dog, awake="Cat/Dog/-")
    assert legal(play(potion, "potion")) == {"target Dog"}, "she may be put to sleep"


def test_a_dragon_stops_a_knight_and_both_draw() -> None:
    state = table(
        "1,1,2,2,KN/1,2,3,4,DR/6,7,8,9,10", grid=GRID.replace("Cake", "-"), awake="-/Cake/-", deck="5,6"
    )
    asked = play(state, "knight", "target Cake")
    assert RULES.actor(asked) == 1
    assert legal(asked) == {"defend", "yield"}
    after = play(asked, "defend", "refill")
    assert awake(after, 2) == ["Cake"]
    assert [len(hand) for hand in after.hands] == [5, 5, 5]
    assert set(after.discard[-2:]) == {13, 16}
    assert after.turn == 1, "defending is no turn"
    assert awake(play(asked, "yield"), 1) == ["Cake"]


def test_a_wand_stops_a_potion_and_nothing_else_does() -> None:
    grid = GRID.replace("Cake", "-")
    dragon = table("1,1,2,2,PO/1,2,3,4,DR/6,7,8,9,10", grid=grid, awake="-/Cake/-")
    asked = play(dragon, "potion", "target Cake")
    assert legal(asked) == {"yield"}
    assert refused(asked, "defend") == "not-in-hand"
    assert legal(play(asked, "yield")) == {"sleep 2"}
    assert refused(play(asked, "yield"), "sleep 1") == "no-room"
    wand = table("1,1,2,2,PO/1,2,3,4,WA/6,7,8,9,10", grid=grid, awake="-/Cake/-")
    assert awake(play(wand, "potion", "target Cake", "defend"), 2) == ["Cake"]


@pytest.mark.parametrize(("number", "player"), [(1, 1), (2, 2), (3, 3), (4, 1), (10, 1)])
def test_a_jester_counts_from_who_played_it(number: int, player: int) -> None:
    state = table("1,1,2,2,JE/1,2,3,4,5/6,7,8,8,9", deck=str(number))
    after = play(state, "jester", "reveal")
    assert RULES.actor(after) == player - 1
    assert awake(play(after, "wake 12"), player) == ["Heart"]
    assert play(after, "wake 12").acting == 0


def test_a_jester_that_turns_up_a_power_gives_it_and_another_turn() -> None:
    state = table(f"1,1,2,2,JE/{OTHERS}", deck="KI")
    after = play(state, "jester", "reveal")
    assert (after.phase, after.turn, after.turns, after.hands[0]) == (Phase.PLAY, 0, 2, (1, 1, 2, 2, 11))
    assert after.discard[-1] == 12


def test_another_player_wins_by_a_jester() -> None:
    grid = "/".join("-" if name in ("Pancake", "Cat") else name for name in QUEEN_NAMES)
    state = table("1,1,2,2,JE/1,2,3,4,5/6,7,8,9,10", grid=grid, awake="-/Cat,Pancake/-", deck="2")
    over = play(state, "jester", "reveal", "wake 12")
    assert over.phase is Phase.OVER
    assert winners(over) == (1,)
    assert RULES.legal_actions(over) == ()


@pytest.mark.parametrize(
    ("cards", "right"),
    [
        ((2, 3, 5), True),
        ((2, 3, 4, 9), True),
        ((1, 1, 1, 2, 5), True),
        ((3, 4, 5, 6), False),
        ((2, 3), False),
        ((2, 2), False),
        ((2, 3, 6), False),
        ((5, 11, 16), False),
    ],
)
def test_what_is_an_equation(cards: tuple[int, ...], right: bool) -> None:
    assert is_equation(cards) is right


def test_what_a_hand_may_discard() -> None:
    assert set(discards((2, 3, 5, 5, 11))) == {(2,), (3,), (5,), (11,), (5, 5), (2, 3, 5)}
    assert (1, 1) in discards((0, 0, 0, 0, 0))
    assert (11, 11) not in discards((0, 0, 0, 0, 0)), "only numbers are pairs"
    assert (1, 2, 3) not in discards((0, 0, 5, 5, 5))


def test_cards_that_are_no_discard_are_refused_with_the_reason() -> None:
    state = table(f"3,4,5,6,KI/{OTHERS}")
    assert refused(state, "discard 3 4 5 6") == "no-discard"
    assert refused(state, "discard 3 4") == "no-discard"
    assert refused(state, "discard 7") == "not-in-hand"
    assert refused(state, "jester") == "not-in-hand"
    assert refused(state, "refill") == "phase"
    assert refused(play(state, "king"), "wake 3=Rose") == "another-queen"


def test_the_discard_pile_is_shuffled_in_the_middle_of_a_refill() -> None:
    state = table(f"2,3,5,KI,KI/{OTHERS}", deck="9")
    asked = play(state, "discard 2 3 5")
    assert legal(asked) == {"shuffle"}
    assert refused(asked, "refill") == "shuffle-first"
    pile = sorted(asked.discard + asked.played)
    shuffled = play(asked, "shuffle=" + ",".join(KIND_TEXT[kind] for kind in pile))
    after = play(shuffled, "refill")
    assert 9 in after.hands[0], "the last of the old pile is drawn first"
    assert after.discard == ()
    assert len(after.deck) == len(pile) - 2


def test_no_queen_left_asleep_ends_the_game_and_equal_points_share_it() -> None:
    grid = "/".join(["Cake", *["-"] * 11])
    awake = "Rose,Rainbow,Starfish,Cat/Ladybug,Moon,Dog/Peacock,Sunflower,Pancake"
    line = table(f"1,1,2,2,KI/{OTHERS}", grid=GRID)
    state = RULES.read_state(
        RULES.write_state(line).replace(f"grid={GRID}", f"grid={grid}").replace("awake=-/-/-", f"awake={awake}")
    )
    # The Heart queen is left out of this table, so that three players have as many points.
    over = RULES.apply(RULES.apply(state, RULES.read_action("king")), RULES.read_action("wake 1"))
    assert over.phase is Phase.OVER
    assert winners(over) == (0,), "five queens"
    even = over._replace(awake=((0, 2, 3, 8), (4, 5, 9), (6, 7, 10)))
    assert winners(even) == (1, 2)
    assert "share the win" in RULES.outcome(even).text


def test_in_a_hidden_game_a_name_settles_what_nobody_knew() -> None:
    state = RULES.empty_table("basic", 2)
    after = play(state, "king", "wake 4=Moon", "refill", "jester", "reveal=7")
    assert (awake(after, 1), after.cells[3]) == (["Moon"], -2)
    assert refused(play(after, "wake 1=Cat", "refill", "king"), "wake 2=Cat") == "twice"
    assert refused(state, "wake 1") == "phase"
    assert refused(play(state, "king"), "wake 1") == "unnamed"
    many = play(state, *["discard 4", "refill"] * 4)
    assert refused(many, "discard 4") == "too-many"


def test_an_unknown_hand_may_hold_no_card_of_which_all_copies_were_seen() -> None:
    state = RULES.empty_table("basic", 2)
    assert {"discard DR", "discard 4 4", "discard 4 4 8", "knight"} <= legal(
        play(state, "king", "wake 1=Moon", "refill")
    )
    some = play(state, *["discard 4", "refill"] * 3)
    assert {"discard 4", "discard 1 3 4", "discard 1 1 2", "discard 2 2"} <= legal(some)
    assert not {"discard 4 4", "discard 4 4 8"} & legal(some)
    none = play(some, "discard 4", "refill", *["discard JE", "refill"] * 5)
    assert not {"discard 4", "discard 1 3 4", "jester", "discard JE"} & legal(none)
    attacked = play(
        state, *["discard DR", "refill"] * 2, "king", "wake 1=Moon", "refill", "knight", "target Moon"
    )
    assert legal(attacked) == {"yield", "defend"}
    bare = play(attacked, "defend", "refill", "discard 1", "refill", "knight", "target Moon")
    assert legal(bare) == {"yield"}


def test_a_view_gives_a_player_their_own_hand_and_what_all_have_seen() -> None:
    state = table(f"1,1,2,2,KI/{OTHERS}", grid=GRID.replace("Rose", "!Rose"))
    seen = RULES.view(state, 0)
    assert seen["hand"] == ["1", "1", "2", "2", "KI"]
    assert seen["cells"] == ["Rose", *["?"] * (CELLS - 1)]
    assert "hand" not in RULES.view(state, None)


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("hands=1,1,2,2,KI", "hands=1,1,2,2,2,KI", "hand"),
        ("hands=1,1,2,2,KI", "hands=1,1,1,1,1", "too-many"),
        ("awake=-/-/-", "awake=Rose/-/-", "twice"),
        ("grid=Rose", "grid=-", "queen-count"),
        ("phase=play", "phase=over", "end"),
        ("phase=play", "phase=target", "no-attack"),
        ("target=-", "target=Rose", "target"),
        ("played=-", "played=3", "card-count"),
    ],
)
def test_status_names_what_is_wrong(old: str, new: str, code: str) -> None:
    line = RULES.write_state(table(f"1,1,2,2,KI/{OTHERS}"))
    assert old in line
    assert code in {fault.code for fault in RULES.status(RULES.read_state(line.replace(old, new)))}


@pytest.mark.parametrize("field", ["cells", "seen"])
def test_status_of_a_grid_that_lacks_a_place_says_so(field: str) -> None:
    state = table(f"1,1,2,2,KI/{OTHERS}")
    assert "grid" in {
        fault.code for fault in RULES.status(state._replace(**{field: getattr(state, field)[1:]}))
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "king 3",
        "discard",
        "discard x",
        "reveal=3 1",
        "reveal 1",
        "reveal=? 0",
        "wake 13",
        "wake 0",
        "target Roze",
    ],
)
def test_text_that_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        RULES.read_action(text)


def test_players_and_variants() -> None:
    with pytest.raises(ValueError, match="2 to 5"):
        RULES.setup("basic", 6, Random(1))
    with pytest.raises(ValueError, match="no variant"):
        RULES.setup("5+", 3, Random(1))
    with pytest.raises(ValueError, match="no option"):
        RULES.empty_table("basic", 3, ("silent",))


def unread(state: State, *actions: str) -> State:
    """Play on from a table that a camera watches: hands and draw pile are hidden."""
    return play(hide(state), *actions)


def test_unread_cards_are_discarded_where_some_cards_would_fit() -> None:
    state = table(f"1,2,2,4,9/{OTHERS}", deck="7,JE,KI,8,3")
    for cards in ("?", "? ?", "? 2", "? 2 9", "? ? ?", "? 2 2 4", "? ? 2 2 4"):
        after = unread(state, f"discard {cards}")
        assert after.phase is Phase.REFILL
        assert len(after.hands[0]) == 5 - len(cards.split())
        assert RULES.read_state(RULES.write_state(after)) == after
        assert unread(after, "refill").discard[-len(cards.split()) :] == after.played
    for cards in ("? KI", "? 2 KI", "? ? ? ? ? ?"):
        assert refused(hide(state), f"discard {cards}") == "no-discard"
    assert refused(state, "discard ?") == "not-in-hand", "who holds known cards discards known cards"


def test_a_known_card_may_be_the_unread_one() -> None:
    state = hide(table(f"1,2,2,4,JE/{OTHERS}", deck="7,KN"))._replace(deck=(0, 0))
    drawn = play(state, "jester", "reveal=KN")
    assert drawn.hands[0].count(KIND_TEXT.index("KN")) == 1
    after = play(drawn, "discard ?")
    assert after.hands[0] == (0, 0, 0, 0), "nobody knows whether the knight is still there"


def test_a_jester_may_turn_up_a_card_that_nobody_reads() -> None:
    state = hide(table(f"1,2,2,4,JE/{OTHERS}", deck="7,3"))
    number = play(state, "jester", "reveal=? 2")
    assert (number.phase, number.acting, number.played) == (Phase.WAKE, 1, (0, KIND_TEXT.index("JE")))
    power = play(state, "jester", "reveal=?")
    assert (power.phase, power.turn, power.hands[0]) == (Phase.PLAY, 0, (0, 0, 0, 0, 0))
    assert refused(play(state, "jester"), "reveal=? 4") == "no-choice"
    for text in ("reveal=? 2", "reveal=?", "discard ? 3"):
        assert RULES.write_action(RULES.read_action(text)) == text
