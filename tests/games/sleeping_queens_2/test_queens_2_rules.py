"""The rules of Sleeping Queens 2, one by one."""

from itertools import combinations_with_replacement
from math import prod
from random import Random

import pytest

from companion.games.rules import CHANCE, IllegalError
from companion.games.sleeping_queens_2.rules.actions import Instant
from companion.games.sleeping_queens_2.rules.equations import equations, is_equation
from companion.games.sleeping_queens_2.rules.hidden_state import by_chance
from companion.games.sleeping_queens_2.rules.kinds import COPIES, DECK_CARDS, KIND_TEXT, Knight
from companion.games.sleeping_queens_2.rules.parts import DRAGON, Parts
from companion.games.sleeping_queens_2.rules.rulebook import RULES, SleepingQueens2
from companion.games.sleeping_queens_2.rules.state import Phase
from tests.support.sleeping_queens_2 import GRID, legal, names, play, refused, table

PLAIN = "witch/math/willow"
"""Knights of three, of whom player 1 has one that changes nothing of their own turn."""


# The die.


@pytest.mark.parametrize(("face", "draws"), [("1", 1), ("2", 2), ("3", 3)])
def test_the_number_rolled_is_drawn_and_comes_to_the_realm(face: str, draws: int) -> None:
    state = table("9/-/-", phase="roll", knights=PLAIN, deck="Q01,4,2")
    after = play(state, f"roll {face}")
    assert RULES.actor(after) == CHANCE
    assert after.draws == draws
    after = play(after, *["draw"] * draws)
    assert names(after.realms[0]) == ["2,9", "2,4,9", "2,4,9,Q01"][draws - 1]
    assert after.phase is Phase.PLAY


def test_a_knight_draws_one_card_more() -> None:
    after = play(table("-/-/-", phase="roll", knights="draw/witch/math", deck="4,2"), "roll 1")
    assert after.draws == 2
    assert names(play(after, "draw", "draw").realms[0]) == "2,4"


def test_a_knight_may_roll_a_1_again_and_nothing_else() -> None:
    state = table("-/-/-", phase="roll", knights="reroll/witch/math", deck="4,2")
    asked = play(state, "roll 1")
    assert RULES.actor(asked) == 0
    assert legal(asked) == ["reroll", "keep"]
    assert play(asked, "keep").draws == 1
    assert play(asked, "reroll", "roll 1").phase is Phase.REROLL, "as often as a 1 comes"
    assert play(asked, "reroll", "roll 3").draws == 3
    assert play(state, "roll 2").phase is Phase.DRAW
    assert play(table("-/-/-", phase="roll", knights="math/reroll/witch"), "roll 1").phase is Phase.DRAW


def test_a_dragon_passes_all_knights_to_the_left_wakes_one_queen_and_rolls_again() -> None:
    state = table("-/-/-", phase="roll", asleep="Q01,Q02/Q03/-", knights="six/draw/willow")
    after = play(state, "roll dragon")
    assert after.knights == (Knight.WILLOW, Knight.SIX, Knight.DRAW)
    assert RULES.actor(after) == 0
    assert legal(after) == ["wake Q01", "wake Q02", "pass"]
    assert refused(after, "wake Q03") == "not-asleep"
    woken = play(after, "wake Q02")
    assert (names(woken.realms[0]), names(woken.asleep[0]), woken.phase) == ("Q02", "Q01", Phase.ROLL)
    again = play(woken, "roll dragon", "pass")
    assert again.knights == (Knight.DRAW, Knight.WILLOW, Knight.SIX)
    assert (again.turn, again.turns, names(again.asleep[0])) == (0, 1, "Q01")
    nobody = play(table("-/-/-", phase="roll", knights="six/draw/willow"), "roll dragon")
    assert nobody.phase is Phase.ROLL


def test_the_die_has_the_faces_of_the_box_and_falls_on_them_as_often() -> None:
    rules = SleepingQueens2(Parts(die=(1, 1, 1, DRAGON)))
    state = rules.setup("standard", 3, Random(1))
    assert legal(state) == ["roll 1", "roll dragon"]
    assert refused(state, "roll 2") == "no-such-face"
    chance = Random(2)
    ones = sum(by_chance(state, chance).face == 1 for _ in range(400))
    assert 270 < ones < 330
    with pytest.raises(ValueError, match="phase play"):
        by_chance(table("-/-/-"), chance)


# Instant cards.


def test_instant_cards_are_played_in_any_order_before_the_other_cards_are_placed() -> None:
    state = table("1/-/-", phase="roll", knights=PLAIN, deck="WI,Q01,WG")
    drawn = play(state, "roll 3", "draw", "draw", "draw")
    assert names(drawn.drawn) == "Q01,WG,WI"
    assert legal(drawn) == ["gnome", "willow"]
    assert refused(drawn, "witch") == "not-drawn"
    assert refused(drawn, "end") == "phase"
    first = play(drawn, "willow")
    assert legal(first) == ["gnome"]
    after = play(first, "gnome", "roll 1", "pass")
    assert names(after.realms[0]) == "1,Q01", "a queen just drawn was in no realm when the willow came"
    assert names(after.discard[-2:]) == "WI,WG"
    two = play(table("-/-/-", phase="instant", drawn="SW,SW"), "witch", "pass")
    assert (legal(two), names(two.discard)) == (["witch"], "SW"), "two of a kind are two actions"


def test_only_gnomes_witches_and_willows_are_instant_cards() -> None:
    state = table("-/-/-", phase="instant", drawn="3,WG,WI")
    told = {}
    for kind, name in enumerate(KIND_TEXT):
        try:
            RULES.apply(state, Instant(kind))
        except IllegalError as error:
            told[name] = error.code
    assert {name for name in KIND_TEXT if name not in told} == {"WG", "WI"}
    assert {name for name, code in told.items() if code != "no-instant"} == {"SW"}


def test_a_gnome_takes_a_companion_with_a_1() -> None:
    state = table("-/-/-", phase="instant", knights=PLAIN, drawn="WG", companions="RC02/-/-")
    asked = play(state, "gnome", "roll 1")
    assert legal(asked) == [f"fetch {n}" for n in (1, 3, 4, 5, 6, 7, 8, 9, 10)] + ["pass"]
    after = play(asked, "fetch 10")
    assert (names(after.companions[0]), after.phase, names(after.discard)) == ("RC02,RC10", Phase.PLAY, "WG")
    assert refused(asked, "fetch 2") == "nobody-there"
    assert refused(asked, "fetch 3=RC04") == "another-card"


def test_a_gnome_steals_a_card_with_a_2_but_no_companion_asleep_queens_too() -> None:
    state = table(
        "1/7,7/SB", phase="instant", knights=PLAIN, drawn="WG", asleep="-/Q04/-", companions="-/RC01/-"
    )
    asked = play(state, "gnome", "roll 2")
    assert legal(asked) == ["steal 2 7", "steal 2 Q04", "steal 3 SB", "pass"]
    assert refused(asked, "steal 2 RC01") == "companion"
    assert refused(asked, "steal 1 1") == "no-victim"
    assert refused(asked, "steal 3 7") == "not-there"
    slept = play(asked, "steal 2 Q04")
    assert (names(slept.asleep[0]), slept.asleep[1]) == ("Q04", ())
    assert names(play(asked, "steal 2 7").realms[0]) == "1,7"


def test_a_gnome_takes_a_queen_from_the_discard_pile_with_a_3() -> None:
    asked = play(
        table("-/-/-", phase="instant", knights=PLAIN, drawn="WG", discard="3,Q09,Q02,5"), "gnome", "roll 3"
    )
    assert legal(asked) == ["take Q02", "take Q09", "pass"]
    after = play(asked, "take Q09")
    assert (names(after.realms[0]), names(after.discard)) == ("Q09", "3,Q02,5,WG")
    assert refused(asked, "take Q01") == "no-queen-there"
    assert legal(play(table("-/-/-", phase="instant", knights=PLAIN, drawn="WG"), "gnome", "roll 3")) == [
        "pass"
    ]


def test_a_gnome_exchanges_two_knights_with_a_dragon_and_no_knight_moves_on() -> None:
    asked = play(table("-/-/-", phase="instant", knights=PLAIN, drawn="WG"), "gnome", "roll dragon")
    assert asked.knights == (Knight.WITCH, Knight.MATH, Knight.WILLOW)
    assert legal(asked) == ["exchange 1 2", "exchange 1 3", "exchange 2 3", "pass"]
    assert play(asked, "exchange 1 3").knights == (Knight.WILLOW, Knight.MATH, Knight.WITCH)
    assert refused(asked, "exchange 3 3") == "no-two-knights"


def test_the_reroll_knight_helps_with_a_gnome() -> None:
    asked = play(table("-/-/-", phase="instant", knights="reroll/math/six", drawn="WG"), "gnome", "roll 1")
    assert asked.phase is Phase.REROLL
    assert play(asked, "keep").phase is Phase.FETCH
    assert play(asked, "reroll").phase is Phase.GNOME


def test_a_witch_swaps_one_card_for_one_of_another_player() -> None:
    state = table("1,Q01/7,SB/-", phase="instant", knights="math/six/draw", drawn="5,SW", asleep="-/Q04/-")
    asked = play(state, "witch")
    assert legal(asked) == [
        f"swap {own} 2 {theirs}" for own in ("1", "Q01") for theirs in ("7", "SB", "Q04")
    ] + ["pass"]
    after = play(asked, "swap 1 2 Q04")
    assert (names(after.realms[0]), names(after.asleep[0])) == ("5,Q01", "Q04"), "she stays asleep"
    assert (names(after.realms[1]), names(after.discard)) == ("1,7,SB", "SW")
    assert refused(asked, "swap 5 2 7") == "not-there", "a card just drawn is in no realm"
    assert refused(asked, "swap 1 1 Q01") == "no-victim"
    assert names(play(asked, "pass").realms[0]) == "1,5,Q01"


def test_a_witch_swaps_a_companion_for_a_companion_only() -> None:
    state = table("1/7/8", phase="instant", knights="math/six/draw", drawn="SW", companions="RC01/RC02/-")
    asked = play(state, "witch")
    assert "swap RC01 2 RC02" in legal(asked)
    assert refused(asked, "swap RC01 2 7") == "companion"
    assert refused(asked, "swap 1 2 RC02") == "companion"
    assert refused(asked, "swap RC01 3 RC02") == "not-there"
    after = play(asked, "swap RC01 2 RC02")
    assert (names(after.companions[0]), names(after.companions[1])) == ("RC02", "RC01")


def test_a_knight_protects_from_the_witch() -> None:
    asked = play(table("1/7/8", phase="instant", knights="math/witch/draw", drawn="SW"), "witch")
    assert legal(asked) == ["swap 1 3 8", "pass"]
    assert refused(asked, "swap 1 2 7") == "shielded"


def test_a_willow_puts_all_ones_queens_to_sleep() -> None:
    state = table("1,Q01,Q02/Q03/-", phase="instant", knights="math/six/draw", drawn="WI", asleep="Q05/-/-")
    after = play(state, "willow")
    assert (names(after.realms[0]), names(after.asleep[0])) == ("1", "Q01,Q02,Q05")
    assert (names(after.realms[1]), names(after.discard)) == ("Q03", "WI")


@pytest.mark.parametrize(
    ("realms", "knights", "asleep"),
    [
        ("-/1/Q03", "math/six/draw", "-/-/Q03"),
        ("Q01/1/Q03", "willow/six/draw", "-/-/Q03"),
        ("Q01/Q02/Q03", "willow/six/draw", "-/Q02/-"),
        ("-/Q02/Q03", "math/willow/draw", "-/-/Q03"),
        ("Q01/1/2", "willow/six/draw", "-/-/-"),
        ("1/2/3", "math/six/draw", "-/-/-"),
    ],
)
def test_a_willow_blows_on_to_the_left_past_shields_and_who_has_nobody_awake(
    realms: str, knights: str, asleep: str
) -> None:
    after = play(table(realms, phase="instant", knights=knights, drawn="WI"), "willow")
    assert "/".join(names(own) or "-" for own in after.asleep) == asleep


# Equations and companions.


@pytest.mark.parametrize(
    ("cards", "plain", "knight"),
    [
        ((2, 3, 3, 8), True, True),
        ((2, 3, 6), True, True),
        ((1, 1, 1), True, True),
        ((2, 2, 2, 8), True, True),
        ((3, 4, 5, 7), False, False),
        ((2, 5, 8), False, True),
        ((2, 3, 10), False, False),
        ((3, 3, 10), False, True),
        ((5, 5), False, False),
        ((1, 2, 3, 5), False, True),
        ((9, 10, 10), False, False),
        ((1, 10, 10), True, True),
        ((2, 3, 11), False, False),
    ],
)
def test_what_is_an_equation(cards: tuple[int, ...], plain: bool, knight: bool) -> None:
    assert is_equation(cards, False) is plain
    assert is_equation(cards, True) is knight


def _by_trial(cards: tuple[int, ...], knight: bool) -> bool:
    """Every result, every operation, every first card, as children try it; with a knight every card changed."""
    changed = [cards]
    if knight:
        changed += [
            (*cards[:at], cards[at] + change, *cards[at + 1 :])
            for at in range(len(cards))
            for change in (-1, 1)
        ]
    for values in changed:
        for at, result in enumerate(values):
            others = values[:at] + values[at + 1 :]
            if result in (sum(others), prod(others)):
                return True
            for first_at, first in enumerate(others):
                rest = others[:first_at] + others[first_at + 1 :]
                if first - sum(rest) == result or (prod(rest) and first == result * prod(rest)):
                    return True
    return False


@pytest.mark.parametrize("knight", [False, True])
def test_equations_are_those_that_trial_finds(knight: bool) -> None:
    for size in (3, 4):
        for cards in combinations_with_replacement(range(1, 11), size):
            assert is_equation(cards, knight) is _by_trial(cards, knight), cards
    chance = Random(4)
    deck = [number for number in range(1, 11) for _ in range(4)]
    for _ in range(150):
        numbers = tuple(sorted(chance.sample(deck, 7)))
        sets = {
            tuple(card for at, card in enumerate(numbers) if chosen >> at & 1)
            for chosen in range(1 << len(numbers))
        }
        wanted = sorted(cards for cards in sets if len(cards) > 2 and is_equation(cards, knight))
        assert list(equations(numbers, knight)) == wanted


def test_an_equation_is_discarded_for_a_face_down_companion() -> None:
    state = table("2,3,5,9/-/-", knights=PLAIN)
    after = play(state, "equation 5 2 3")
    assert (names(after.discard), after.fresh, after.phase) == ("2,3,5", 3, Phase.FETCH)
    assert refused(after, "pass") == "must-take"
    done = play(after, "fetch 7=RC07")
    assert (names(done.companions[0]), names(done.realms[0]), done.phase) == ("RC07", "9", Phase.PLAY)
    assert refused(state, "equation 2 3 9") == "no-equation"
    assert refused(state, "equation 2 3 6") == "not-there"
    assert refused(state, "equation 2 3") == "no-equation"


def test_the_knight_of_plus_or_minus_one_completes_an_equation() -> None:
    assert "equation 2 5 8" in legal(table("2,5,8/-/-", knights="math/six/draw"))
    plain = table("2,5,8/-/-", knights="six/math/draw")
    assert refused(plain, "equation 2 5 8") == "no-equation"
    assert not any(words.startswith("equation") for words in legal(plain))


def test_face_up_companions_are_not_taken_but_shuffled_when_no_other_lies_there() -> None:
    some = play(table("1,1,2/-/-", grid=GRID.replace("RC01", "!RC01")), "equation 1 1 2")
    assert "fetch 1" not in legal(some)
    assert refused(some, "fetch 1") == "face-up"
    assert refused(some, "mix") == "face-down-left"
    taken = "RC03,RC04,RC05/RC06,RC07,RC08/RC09,RC10"
    face_up = "!RC01/-/-/!RC02/-/-/-/-/-/-"
    state = table("1,1,2/-/-", companions=taken, grid=face_up)
    asked = play(state, "equation 1 1 2")
    assert RULES.actor(asked) == CHANCE
    assert legal(asked) == ["mix"]
    assert refused(asked, "mix=RC01,RC03") == "other-cards"
    mixed = play(asked, "mix=RC02,RC01")
    assert RULES.actor(mixed) == 0
    assert legal(mixed) == ["fetch 1", "fetch 4"]
    assert "RC02" in names(play(mixed, "fetch 1").companions[0])
    unseen = play(asked, "mix")
    assert refused(unseen, "fetch 1") == "unnamed"
    assert refused(play(unseen, "fetch 1=RC02"), "fetch 4") == "phase"
    gnome = play(table("1/-/-", companions=taken, drawn="WG", phase="instant", grid=face_up), "gnome", "roll 1")
    assert legal(gnome) == ["mix"]
    assert refused(gnome, "pass") == "mix-first"
    assert legal(play(gnome, "mix")) == ["fetch 1", "fetch 4", "pass"]


def test_without_a_companion_in_the_grid_nothing_is_taken() -> None:
    taken = "RC01,RC02,RC03,RC04/RC05,RC06,RC07/RC08,RC09,RC10"
    state = table("1,1,2/-/-", companions=taken)
    assert refused(state, "equation 1 1 2") == "nothing-to-take"
    assert "equation 1 1 2" not in legal(state)
    gnome = table("-/-/-", phase="instant", knights=PLAIN, drawn="WG", companions=taken)
    assert legal(play(gnome, "gnome", "roll 1")) == ["pass"]


# Pairs, books, rescues.


def test_a_pair_wakes_all_ones_queens() -> None:
    state = table("4,7,7,7/-/-", asleep="Q01,Q09/Q02/-")
    after = play(state, "pair 7")
    assert (names(after.realms[0]), after.asleep[0], names(after.asleep[1])) == ("4,7,Q01,Q09", (), "Q02")
    assert (names(after.discard), after.fresh) == ("7,7", 2)
    assert refused(state, "pair 4") == "not-there"
    assert refused(table("7,7/-/-", asleep="-/Q02/-"), "pair 7") == "nobody-asleep"


def test_a_spell_book_brings_a_number_from_the_discard_pile() -> None:
    state = table("1,SB/-/-", discard="7,Q01,7,SB")
    assert [words for words in legal(state) if words.startswith("book")] == ["book 7"]
    after = play(state, "book 7")
    assert (names(after.realms[0]), names(after.discard), after.fresh) == ("1,7", "7,Q01,SB,SB", 1)
    assert refused(state, "book 3") == "no-number-there"
    assert refused(table("1/-/-", discard="7"), "book 7") == "not-there"


def test_a_queen_and_her_companion_rescue_a_king() -> None:
    state = table("Q01,Q05/-/-", companions="RC02,RC04,RC10/-/-", asleep="Q02/-/-")
    assert [words for words in legal(state) if words.startswith("rescue")] == [
        *("rescue Q01 RC02", "rescue Q01 RC10"),
        *("rescue Q05 RC04", "rescue Q05 RC10"),
    ]
    after = play(state, "rescue Q01 RC02")
    assert (names(after.discard), after.kings[0], after.phase) == ("Q01", 0, Phase.RETURN)
    assert legal(after) == ["back 2", "back 4", "back 10"]
    assert refused(after, "back 1") == "no-room"
    done = play(after, "back 4")
    assert (done.kings, done.phase) == ((1, 0, 0), Phase.PLAY)
    assert RULES.view(done, None)["grid"][3] == "RC02"
    assert refused(state, "rescue Q02 RC02") == "asleep"
    assert refused(state, "rescue Q01 RC04") == "no-match"
    assert refused(state, "rescue Q03 RC02") == "no-queen-there"
    assert refused(state, "rescue Q01 RC03") == "not-there"


@pytest.mark.parametrize(("players", "wanted"), [(2, 4), (3, 3), (4, 3), (5, 2)])
def test_the_last_king_ends_the_game_at_once(players: int, wanted: int) -> None:
    rest = "/-" * (players - 1)
    knights = ["math", "six", "draw", "willow", "witch"][:players]
    for before, phase in ((wanted - 2, Phase.PLAY), (wanted - 1, Phase.OVER)):
        state = table(
            f"Q01{rest}",
            companions=f"RC01{rest}",
            kings="/".join([str(before), *"0" * (players - 1)]),
            knights="/".join(knights),
        )
        assert play(state, "rescue Q01 RC01", "back 1").phase is phase
    over = play(state, "rescue Q01 RC01", "back 1")
    assert RULES.legal_actions(over) == ()
    outcome = RULES.outcome(over)
    assert outcome is not None
    assert (outcome.score, outcome.out_of) == (wanted, wanted)
    assert outcome.text.startswith(f"Player 1 wins. Player 1: {wanted} kings, Player 2: 0 kings")
    assert RULES.outcome(state) is None


# The end of a turn.


def test_five_cards_are_kept_sleeping_queens_included_companions_not() -> None:
    state = table("1,2,3,4,Q01/-/-", asleep="Q02/-/-", companions="RC01,RC02/-/-", knights=PLAIN)
    assert "end" not in legal(state)
    assert refused(state, "end") == "too-many-cards"
    assert refused(state, "discard RC01") == "companion"
    one = play(state, "discard Q02")
    assert refused(one, "equation 1 2 3") == "phase"
    assert legal(one) == ["discard 1", "discard 2", "discard 3", "discard 4", "discard Q01", "end"]
    more = play(one, "discard 4")
    assert (names(more.discard), more.fresh) == ("Q02,4", 2)
    after = play(more, "end")
    assert (after.turn, after.turns, after.phase) == (1, 2, Phase.ROLL)
    assert RULES.actor(play(table("-/-/-"), "end")) == CHANCE


def test_a_knight_keeps_six_cards() -> None:
    state = table("1,2,3,4,5,6/-/-", knights="six/math/draw")
    assert "end" in legal(state)
    assert refused(table("1,2,3,4,5,6,7/-/-", knights="six/math/draw"), "end") == "too-many-cards"


def test_the_discard_pile_is_shuffled_when_a_card_is_to_be_drawn_and_none_is_there() -> None:
    full = RULES.setup("standard", 2, Random(3))
    state = full._replace(deck=full.deck[-1:], discard=full.discard + full.deck[:-1], knights=(5, 0))
    asked = play(state, "roll 3", "draw")
    assert RULES.actor(asked) == CHANCE
    assert legal(asked) == ["shuffle"]
    assert refused(asked, "draw") == "no-deck"
    assert refused(asked, "shuffle=1,2") == "other-cards"
    order = names(tuple(sorted(asked.discard)))
    after = play(asked, f"shuffle={order}", "draw")
    assert (len(after.deck), after.discard, names(after.drawn[-1:])) == (DECK_CARDS - 2, (), "WI")
    assert refused(play(asked, "shuffle"), "draw") == "unnamed"
    assert refused(play(state, "roll 1"), "shuffle") == "enough-cards"


def test_with_both_piles_empty_drawing_is_over() -> None:
    # Nobody could hold so many cards: the table is impossible, the rules go on.
    cards = tuple(kind for kind in range(1, 24) for _ in range(COPIES[kind]))
    state = table("-/-/-", phase="roll", knights=PLAIN)._replace(deck=(), realms=((), cards, ()))
    after = RULES.apply(state, RULES.read_action("roll 3"))
    assert (after.phase, after.draws) == (Phase.PLAY, 0)


# Beginning, hidden cards, views.


def test_a_game_begins_with_a_knight_each_and_no_instant_card_on_the_discard_pile() -> None:
    for seed in range(60):
        for players in (2, 5):
            state = RULES.setup("standard", players, Random(seed))
            assert RULES.status(state) == ()
            assert len(set(state.knights)) == players
            assert players > 2 or Knight.WITCH not in state.knights
            assert state.discard[0] < 24
    with pytest.raises(ValueError, match="2 to 5"):
        RULES.setup("standard", 6, Random(1))
    with pytest.raises(ValueError, match="no variant"):
        RULES.setup("basic", 3, Random(1))
    with pytest.raises(ValueError, match="no option"):
        RULES.empty_table("standard", 3, ("silent",))


def test_an_empty_table_is_told_the_knights_and_the_first_card() -> None:
    state = RULES.empty_table("standard", 2)
    assert RULES.actor(state) == CHANCE
    assert legal(state) == [f"knight {word}" for word in ("math", "reroll", "draw", "willow", "six")]
    assert refused(state, "knight witch") == "no-such-knight"
    assert refused(state, "open=7") == "knights-first"
    one = play(state, "knight six")
    assert refused(one, "knight six") == "knight-given"
    both = play(one, "knight draw")
    assert refused(both, "knight math") == "all-given"
    assert legal(both) == ["open"]
    assert refused(both, "open") == "unnamed"
    assert refused(both, "open=WG") == "instant"
    begun = play(both, "open=7")
    assert (begun.phase, names(begun.discard), begun.knights) == (Phase.ROLL, "7", (Knight.SIX, Knight.DRAW))


def test_in_a_hidden_game_a_name_settles_what_nobody_knew_but_no_card_exists_twice() -> None:
    begun = play(RULES.empty_table("standard", 2), "knight six", "knight draw", "open=Q01", "roll 3")
    assert refused(begun, "draw") == "unnamed"
    assert refused(begun, "draw=Q01") == "too-many"
    after = play(begun, "draw=2", "draw=3", "draw=5", "equation 2 3 5")
    assert refused(after, "fetch 4") == "unnamed"
    taken = play(after, "fetch 4=RC09")
    assert names(taken.companions[0]) == "RC09"
    assert refused(play(table("-/-/-", phase="roll", deck="7"), "roll 1"), "draw=8") == "another-card"


def test_a_view_shows_all_but_the_draw_pile_and_companions_face_down() -> None:
    state = table("1/-/Q07", asleep="-/Q02/-", discard="7,3", grid=GRID.replace("RC03", "!RC03"))
    seen = RULES.view(state, 2)
    assert seen["player"] == 3
    assert (seen["realms"], seen["asleep"]) == ([["1"], [], ["Q07"]], [[], ["Q02"], []])
    assert seen["grid"] == ["?", "?", "RC03", *["?"] * 7]
    assert (seen["deck"], seen["discard"]) == (DECK_CARDS - 5, ["7", "3"])
    assert seen["knights"] == ["math", "witch", "reroll"]
    assert "player" not in RULES.view(state, None)


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("realms=1,2/", "realms=1/", "card-count"),
        ("realms=1,2/", "realms=1,Q07/", "too-many"),
        ("realms=1,2/", "realms=2,1/", "order"),
        ("realms=1,2/", "realms=1,WG/", "realm"),
        ("realms=1,2/", "realms=?,2/", "realm"),
        ("asleep=-/-/-", "asleep=3/-/-", "asleep"),
        ("companions=-/-/-", "companions=RC01/-/-", "companion-count"),
        ("grid=RC01/RC02", "grid=RC02/RC02", "too-many"),
        ("grid=RC01/", "grid=-/", "companion-count"),
        ("kings=0/0/0", "kings=2/5/4", "kings"),
        ("kings=0/0/0", "kings=0/0/3", "end"),
        ("kings=0/0/0", "kings=0/0/3", "winner"),
        ("knights=math/witch", "knights=math/math", "knights"),
        ("knights=math", "knights=?", "unknown-knight"),
        ("fresh=1", "fresh=3", "fresh"),
        ("draws=0", "draws=1", "draws"),
        ("phase=play", "phase=draw", "draws"),
        ("phase=play", "phase=over", "end"),
        ("phase=play", "phase=swap", "played"),
        ("phase=play", "phase=instant", "instant"),
        ("phase=play", "phase=return", "carried"),
        ("phase=play", "phase=wake", "nobody-asleep"),
        ("played=-", "played=WI", "played"),
        ("played=-", "played=WG", "played"),
        ("drawn=-", "drawn=3", "drawn"),
        ("drawn=-", "drawn=3,WG", "instant"),
        ("carried=-", "carried=RC01", "carried"),
        ("carried=-", "carried=SB", "carried"),
        ("discard=7,3", "discard=7,RC03", "pile"),
        ("deck=1", "deck=RC03", "deck"),
    ],
)
def test_status_names_what_is_wrong(old: str, new: str, code: str) -> None:
    line = RULES.write_state(table("1,2/-/Q07", discard="7,3"))
    assert old in line
    assert code in {fault.code for fault in RULES.status(RULES.read_state(line.replace(old, new)))}


@pytest.mark.parametrize(("kings", "too_many"), [(10, False), (11, True)])
def test_the_box_has_ten_kings(kings: int, too_many: bool) -> None:
    state = table("1,2/-/Q07")._replace(kings=(kings, 0, 0))
    assert ("kings" in {fault.code for fault in RULES.status(state)}) is too_many


def test_status_of_a_state_of_the_wrong_shape_says_so() -> None:
    state = table("1,2/-/Q07")
    assert {fault.code for fault in RULES.status(state._replace(turn=3, cells=state.cells[1:]))} == {
        "player",
        "grid",
    }
    assert {fault.code for fault in RULES.status(state._replace(players=6))} == {"players", "seats"}
