"""A turn from play to the next player, witches, claims and the end, told as small stories."""

from collections import Counter
from random import Random

import pytest

from companion.games.registry import load_game
from companion.games.rules import CHANCE
from companion.games.sleepless_princess.notation.state_notation import read_action, read_state, write_action
from companion.games.sleepless_princess.rules.actions import (
    Claim,
    Deck,
    Final,
    Know,
    Later,
    Lay,
    Look,
    Move,
    MoveOn,
    Open,
    Recount,
    Take,
)
from companion.games.sleepless_princess.rules.card_kinds import KIND_TEXT, WITCH, face_from_text
from companion.games.sleepless_princess.rules.cardsets import totals, unseen
from companion.games.sleepless_princess.rules.dealing import setup
from companion.games.sleepless_princess.rules.hidden_state import hide
from companion.games.sleepless_princess.rules.legal_actions import legal_actions
from companion.games.sleepless_princess.rules.player_view import told, touch_text, view
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import ASLEEP, AWAKE, OUT, VARIANTS, Phase, State
from tests.support.sleepless import BLANK, refused

GAME = load_game("sleepless-princess")
FACES = "2t,0t,0s,1t,1t,1s,0t,2t,2s,3t,3t,3s,4t,4t,4s"
"""Beds 2, 4 and 5 are right from the beginning; beds 1 and 3 have swapped two mattresses."""
SORTED = BLANK.replace(",".join("?" * 15), FACES)


def do(state: State, *texts: str) -> State:
    for text in texts:
        state = RULES.apply(state, read_action(text))
        assert [fault for fault in RULES.status(state) if fault.code not in IGNORED] == []
    return state


# The stories are cut from whole games: their decks are shorter than real ones.
IGNORED = {"card-count", "too-many", "witch-missing"}


def story(hands: str = "1,1,1,1,1/1,1,1,1,1/1,1,1,1,1", *, base: str = SORTED, **fields: str) -> State:
    line = base.replace("HANDS", hands)
    words = [word for word in line.split() if word.partition("=")[0] not in fields]
    return read_state(" ".join([*words, *(f"{name}={value}" for name, value in fields.items())]))


@pytest.mark.parametrize(("variant", "players"), [(v, n) for v in VARIANTS for n in VARIANTS[v].players])
def test_a_dealt_game(variant: str, players: int) -> None:
    rule = VARIANTS[variant]
    state = setup(variant, players, Random(5))
    assert RULES.status(state) == ()
    assert state.phase is Phase.PLAY
    assert [len(hand) for hand in state.hands] == [5] * players
    assert len(state.row) == 5
    assert len(state.deck) == 6 * rule.helpers_up_to + 5 - 5 * players - 5 + rule.witches[players - 2]
    assert state.deck.count(WITCH) == rule.witches[players - 2]
    assert setup(variant, players, Random(5)) == state
    assert setup(variant, players, Random(6)) != state


@pytest.mark.parametrize("variant", VARIANTS)
def test_as_many_cards_are_printed_as_are_played_with(variant: str) -> None:
    rule = VARIANTS[variant]
    printed = Counter(card.kind for card in GAME.cards(variant))
    # Two players play with all witches.
    played = {name: count for name, count in zip(KIND_TEXT, totals(variant, 2), strict=True) if count}
    assert {kind: printed[kind] for kind in KIND_TEXT if printed[kind]} == played
    assert {printed[f"{princess}t"] for princess in range(10)} == {2}
    assert {printed[f"{princess}s"] for princess in range(10)} == {int(rule.smooth)}


def test_setup_refuses_what_does_not_exist() -> None:
    with pytest.raises(ValueError, match="no variant 'large'"):
        setup("large", 3, Random(1))
    with pytest.raises(ValueError, match="5 players cannot play 5"):
        setup("5+", 5, Random(1))
    with pytest.raises(ValueError, match="different princess types"):
        setup("basic", 3, Random(1), princesses=[1, 1, 2, 3, 4])
    assert setup("basic", 3, Random(1), princesses=[5, 6, 7, 8, 9]).princesses == (5, 6, 7, 8, 9)


def test_the_example_of_the_rulebook() -> None:
    # Beds: Watermelons 0, Pizza 1, Bats 2, Daisies 4, Teddy Bear 5. Kate, Alex and Ellen in this order.
    state = story(
        "3,3,3,7,8/1,4,5,5,9/2,4,6,9,B",
        princesses="0,1,2,4,5",
        beds="1,2,3/4,5,6/7,8,9/10,11,12/13,14,15",
        faces="4t,2t,2s,4t,1t,0t,5t,5t,2t,1s,4s,1t,0s,5s,0t",
        row="1,2,3,4,5",
        deck="7,8,9,10,7,8,9,10,7,8,9,10,7,8,9,10,7,8,9,10",
    )
    state = do(state, "play 3 3 3", "touch 5")
    assert view(state, None)["felt"] == [{"bed": 4, "result": "smooth"}]
    assert refused(state, Look(4)) == "no-look-left"
    state = do(state, "done", "take 1", "take 2", "take 3", "open", "open", "open")
    assert state.turn == 1
    state = do(state, "play 5 5 4+1", "look 5")
    assert view(state, None)["felt"] == [{"bed": 4, "result": "0s"}]
    state = do(state, "move 5 1", "touch 2")
    assert view(state, None)["felt"] == [{"bed": 1, "result": "4"}]
    state = do(state, "move 2 4")
    assert state.beds == ((0, 1, 2, 12), (4, 5), (6, 7, 8), (9, 10, 11, 3), (13, 14))
    state = do(state, "done", "deck", "deck", "deck", "deck")
    assert state.turn == 2
    state = do(state, "play 6 4+2 9~6", "touch 4")
    assert view(state, None)["felt"] == [{"bed": 3, "result": "smooth"}]
    state = do(state, "look 4")
    assert view(state, None)["felt"] == [{"bed": 3, "result": "1s"}]
    state = do(state, "move 4 2", "done")
    assert state.discard[-5:] == (2, 4, 6, 9, 11)
    assert state.fresh == 5
    for _ in range(5):
        state = do(state, "deck")
    assert (state.turn, state.phase, state.turns) == (0, Phase.PLAY, 4)
    assert state.beds[1] == (4, 5, 9)


def test_a_mattress_goes_on_from_the_top_of_a_bed_to_the_top_of_another() -> None:
    """No move of the game, but what people do who have laid it at a wrong bed: whenever they see it."""
    state = story("1,2,3,4,5/1,1,1,1,1/1,1,1,1,1")
    after = do(state, "on 1 3")
    assert after == state._replace(beds=((0, 1), state.beds[1], (*state.beds[2], 2), *state.beds[3:]))
    assert not any(isinstance(action, MoveOn) for action in RULES.legal_actions(state))
    emptied = state._replace(beds=((), *state.beds[1:]))
    refusals = [refused(state, MoveOn(1, 1)), refused(emptied, MoveOn(0, 1))]
    refusals.append(refused(state._replace(phase=Phase.FINAL), MoveOn(0, 1)))
    assert refusals == ["nothing-to-put-right"] * 3
    assert refused(state._replace(fates=(ASLEEP, *state.fates[1:])), MoveOn(1, 0)) == "bed-asleep"
    checked = do(state, "play 5 1+4 2+3", "touch 1")
    assert refused(checked, MoveOn(0, 2)) == "bottom-checked"
    assert do(checked, "on 2 3").beds[2][-1] == checked.beds[1][-1]


def test_two_sums_give_two_looks_and_a_check_is_used_up_by_a_move() -> None:
    state = do(story("1,2,3,4,5/1,1,1,1,1/1,1,1,1,1"), "play 5 1+4 2+3")
    assert (state.touches, state.looks) == (1, 2)
    assert refused(state, Move(0, 1)) == "move-not-checked"
    state = do(state, "look 1", "move 1 3")
    assert refused(state, Move(0, 1)) == "move-not-checked"
    assert refused(state, Move(2, 1)) == "move-not-checked"
    assert state.checked == ()
    state = do(state, "touch 3", "look 3", "move 3 3")
    assert state.beds[2] == (7, 8, 0, 6)
    assert refused(state, read_action("touch 1")) == "no-touch-left"


def test_a_mattress_that_was_felt_and_is_looked_at_leaves_the_other_checks() -> None:
    state = do(story("1,4,5,2,3/1,1,1,1,1/1,1,1,1,1"), "play 5 4+1 3+2", "touch 1", "look 2", "look 1")
    assert view(state, None)["felt"] == [{"bed": 0, "result": "2t"}, {"bed": 1, "result": "1t"}]
    assert do(state, "move 2 1").beds[:2] == ((0, 1, 2, 3), (4, 5))


def test_a_witch_drawn_to_the_hand_scares_the_open_cards() -> None:
    state = story("2,2,3,3,4/1,1,1,1,1/1,1,1,1,1", row="1,1,5,5,6", deck="7,8,9,10,2,3,4,W,8")
    state = do(state, "discard 2 2", "deck")
    assert state.hands[0] == (3, 3, 4, 8)
    state = do(state, "deck")
    assert (state.phase, state.row, state.discard[-6:], state.fresh) == (
        Phase.LAY,
        (),
        (1, 1, 5, 5, 6, WITCH),
        6,
    )
    assert RULES.actor(state) == CHANCE
    state = do(state, "open", "open", "open", "open", "open")
    assert (state.phase, state.turn, state.row) == (Phase.DRAW, 0, (2, 3, 4, 9, 10))
    state = do(state, "take 9")
    assert (state.phase, state.turn) == (Phase.LAY, 0)
    assert do(state, "open").turn == 1


def test_a_witch_while_laying_out_starts_again() -> None:
    state = story("2,2,3,3,4/1,1,1,1,1/1,1,1,1,1", row="1,1,5,5,6", deck="7,8,9,10,2,W,4")
    state = do(state, "discard 2 2", "take 1", "take 1", "open", "open")
    assert (state.phase, state.row, state.discard) == (Phase.LAY, (), (2, 2, 4, 5, 5, 6, WITCH))
    state = do(state, "open", "open", "open", "open", "open")
    assert (state.phase, state.turn, state.row, state.deck) == (Phase.PLAY, 1, (2, 7, 8, 9, 10), ())


def test_a_witch_meets_an_empty_row() -> None:
    state = story("2,2,3,3,4/1,1,1,1,1/1,1,1,1,1", row="-", deck="7,W,W,8")
    state = do(state, "discard 2 2", "deck", "deck")
    assert (state.phase, state.discard, state.fresh) == (Phase.DRAW, (2, 2, WITCH), 1)
    state = do(state, "deck", "deck")
    assert (state.phase, state.turn, state.hands[0]) == (Phase.PLAY, 1, (3, 3, 4, 7, 8))


def test_a_hidden_witch_leaves_the_hand_short_and_ends_the_game() -> None:
    state = story("2,2,3,3,4/1,1,1,1,1/1,1,1,2,3", row="7", deck="W")
    state = do(state, "discard 2 2", "deck")
    assert (state.phase, state.turn, state.last, state.row) == (Phase.PLAY, 1, 2, ())
    state = do(state, "play 1 1 1", "done")
    assert (state.phase, state.turn, state.last) == (Phase.PLAY, 2, 1)
    state = do(state, "play 1 1 1", "done")
    assert (state.phase, state.last) == (Phase.FINAL, 0)
    assert view(state, None)["last_turns"] == 0
    assert legal_actions(state) == (Final(),)
    state = do(state, "final")
    assert state.fates == (OUT, ASLEEP, OUT, ASLEEP, ASLEEP)
    result = RULES.outcome(state)
    assert result is not None
    assert (result.score, result.out_of) == (3, 5)
    assert legal_actions(state) == ()
    one = RULES.outcome(state._replace(fates=(OUT, ASLEEP, OUT, OUT, OUT)))
    assert one is not None
    assert one.text == "One princess sleeps, the others are out."


def test_the_last_card_of_the_deck_ends_a_turn_with_a_short_hand() -> None:
    state = do(story("2,2,2,3,4/1,1,1,1,1/1,1,1,2,3", row="-", deck="9"), "play 2 2 2", "done", "deck")
    assert (state.hands[0], state.phase, state.turn, state.last) == ((3, 4, 9), Phase.PLAY, 1, 2)
    assert view(state, None)["last_turns"] == 2


def test_without_a_mattress_to_turn_up_the_game_is_over_with_its_last_turn() -> None:
    beds = "-/1,2,3,4,5,6/7,8,9/10,11,12/13,14,15"
    hands = "1,2,4,7/1,2,4,7,10/1,2,4,7,10"
    state = story(
        hands, row="-", deck="-", beds=beds, turn="3", turns="3", last="1", discard="3,3,3,3,3", fresh="5"
    )
    state = state._replace(shown=tuple(range(15)), fates=(AWAKE, OUT, OUT, ASLEEP, ASLEEP))
    after = do(state, "skip")
    assert (after.phase, after.last, after.fates) == (Phase.OVER, 0, (OUT, OUT, OUT, ASLEEP, ASLEEP))
    assert do(state._replace(fates=(AWAKE, AWAKE, OUT, ASLEEP, ASLEEP)), "skip").phase is Phase.FINAL


def test_a_full_hand_with_nothing_left_skips_and_skipping_all_round_ends() -> None:
    stuck = "1,2,4,7,10"
    state = story(f"{stuck}/{stuck}/{stuck}", row="-", deck="-")
    assert write_action(legal_actions(state)[0]) == "skip"
    state = do(state, "skip")
    assert (state.turn, state.last, state.skips) == (1, -1, 1)
    assert do(state, "skip", "skip").phase is Phase.FINAL
    able = story(f"{stuck}/1,1,1,2,4/{stuck}", row="-", deck="-")
    able = do(able, "skip")
    assert refused(able, read_action("skip")) == "skip-can-play"
    assert do(able, "play 1 1 1").skips == 0
    assert refused(story(f"{stuck}/{stuck}/{stuck}"), read_action("skip")) == "skip-can-discard"


def test_claims() -> None:
    state = story("1,1,1,4,5/1,1,1,1,1/1,1,1,1,1")
    state = do(state, "claim 2")
    assert (state.fates[1], state.shown) == (ASLEEP, (3, 4, 5))
    assert refused(state, Claim(1)) == "claim-not-awake"
    assert refused(state, Claim(0, True)) == "claim-contradicted"
    state = do(state, "play 1 1 1", "touch 1", "claim 1")
    assert (state.fates[0], state.beds[0], state.phase) == (OUT, (0, 1, 2), Phase.CHECK)
    assert refused(state, Move(0, 1)) == "bed-asleep"
    # A bed whose princess is out stays in play, and the touched mattress may still move.
    state = do(state, "move 1 1", "claim 3", "claim 4", "claim 5")
    assert (state.phase, state.fates.count(ASLEEP)) == (Phase.OVER, 3)


def test_claims_on_hidden_mattresses() -> None:
    state = hide(story())
    assert {Claim(0, True), Claim(0, False)} <= set(legal_actions(state))
    assert refused(state, Claim(0)) == "claim-open"
    wrong = RULES.apply(state, Know(0, 5))
    assert Claim(0) in legal_actions(wrong)
    assert RULES.apply(wrong, Claim(0)).fates[0] == OUT
    elsewhere = RULES.apply(state, Know(14, 1))
    assert refused(elsewhere, Claim(0, True)) == "claim-contradicted"
    right = RULES.apply(RULES.apply(state, Know(0, 0)), Know(1, 1))
    asleep = RULES.apply(right, Claim(0, True))
    assert asleep.faces[:3] == (0, 1, 0)  # only the second textured one is left
    open_pair = RULES.apply(RULES.apply(state, Know(0, 0)), Claim(0, True))
    assert open_pair.faces[:3] == (0, -1, -1)
    assert open_pair.shown == (0, 1, 2)


def test_a_face_that_the_small_game_does_not_have_is_not_known() -> None:
    state = RULES.setup("5+", 2, Random(1))
    smooth, textured = Know(0, face_from_text("3s")), Know(0, face_from_text("3t"))
    assert refused(state, smooth) == "no-such-face"
    assert RULES.apply(state, textured).faces[0] == textured.face
    assert RULES.apply(RULES.setup("basic", 2, Random(1)), smooth).faces[0] == smooth.face


@pytest.mark.parametrize(
    ("fates", "score", "says"),
    [
        ((AWAKE, AWAKE, OUT, OUT, OUT), None, "Of 2 princesses nobody knows whether they sleep."),
        (
            (ASLEEP, AWAKE, OUT, ASLEEP, OUT),
            2,
            "2 princesses sleep. Of 1 princess nobody knows whether she sleeps.",
        ),
    ],
)
def test_a_game_that_people_end_early_scores_what_is_known(
    fates: tuple[int, ...], score: int | None, says: str
) -> None:
    result = RULES.outcome(setup("basic", 3, Random(1))._replace(phase=Phase.OVER, fates=fates))
    assert result is not None
    assert (result.score, result.out_of, result.text) == (score, 5, says)


def test_the_final_check_lists_only_outcomes_that_can_be() -> None:
    state = story()._replace(phase=Phase.FINAL, last=0)
    for slot in (0, 6):
        state = RULES.apply(state, Know(slot, -1))
    # Two unknown mattresses are right where they lie, or swapped; they cannot be right on one bed only.
    assert state.faces.count(-1) == 2
    outcomes = {final.asleep for final in legal_actions(state) if isinstance(final, Final)}
    assert outcomes == {(True, None, True, None, None), (False, None, False, None, None)}


def test_hidden_hands_and_deck() -> None:
    state = read_state(BLANK.replace("HANDS", "?,?,?,?,?/?x5/?x5"))._replace(discard=(9,) * 6, fresh=6)
    actions = {write_action(action) for action in legal_actions(state)}
    assert "play 8 8 8" in actions
    assert "play 9 9 9" not in actions
    assert "discard 9" not in actions
    assert refused(state, read_action("discard 9")) == "card-not-left"
    state = RULES.apply(state, read_action("discard 3 3"))
    assert state.hands[0] == (0, 0, 0)
    assert RULES.apply(state, Deck()).hands[0] == (0, 0, 0, 0)
    assert RULES.apply(state, Deck(WITCH)).phase is Phase.LAY
    assert refused(state, Deck(5)) == "deck-unseen"
    state = RULES.apply(state, Take(5))
    assert state.hands[0] == (0, 0, 0, 5)
    laying = RULES.apply(state, Take(4))
    assert refused(laying, Open()) == "open-unnamed"
    assert refused(laying, Open(9)) == "card-not-left"


def test_what_people_put_off() -> None:
    """Played cards that still lie there while their player draws; a row that is filled in the next turn."""
    state = story("1,1,1,2,3/4,4,4,5,6/1,1,1,1,1", deck="9,8,7,W,6,5,4,3,2,1", row="2,3,6,7,B")
    assert refused(state, Later()) == "later-wrong-time"
    state = do(state, "play 1 1 1", "later")
    assert (state.phase, state.played, state.discard) == (Phase.DRAW, (1, 1, 1), ())
    assert (state.touches, state.looks, state.checked) == (0, 0, ())
    assert GAME.screen(state, "referee")["may"][-1] == "Put the played cards on the discard pile."
    state = do(state, "take 2", "take 3")
    assert refused(state, Later()) == "later-wrong-time"
    swept = do(state, "done")
    assert (swept.phase, swept.played, swept.discard, swept.fresh) == (Phase.DRAW, (), (1, 1, 1), 3)
    assert refused(swept, read_action("done")) == "done-wrong-time"
    state = do(state, "take B")
    assert (state.phase, state.played, state.row) == (Phase.LAY, (1, 1, 1), (6, 7))
    assert do(state, "done").discard == (1, 1, 1)
    state = do(state, "open", "later")
    assert (state.phase, state.turn, state.turns, state.row) == (Phase.PLAY, 1, 2, (1, 6, 7))
    assert (state.played, state.discard, state.fresh) == ((), (1, 1, 1), 3), "swept with the turn at the latest"
    assert GAME.screen(state, "referee")["may"][-1] == "Fill the open row up to 5 from the deck."
    state = do(state, "open", "play 4 4 4", "touch 1", "open")
    assert "Fill the open row" not in str(GAME.screen(state, "referee")["may"])
    assert (state.phase, state.row, state.touches) == (Phase.CHECK, (1, 2, 3, 6, 7), 0)
    assert refused(state, Open()) == "open-wrong-time"
    state = do(state._replace(row=(1, 2)), "open", "open")
    assert (state.phase, state.row) == (Phase.CHECK, (1, 2, 4, 5))
    state = do(state._replace(deck=state.deck[:-1]), "open")
    assert (state.phase, state.row, state.discard[-5:]) == (Phase.CHECK, (), (1, 2, 4, 5, WITCH))
    state = do(state, "open", "done", "deck", "deck")
    assert (state.phase, state.row, state.deck) == (Phase.DRAW, (7,), ())


def test_the_first_turn_begins_before_the_row_is_full() -> None:
    state = RULES.empty_table("5+", 2)
    assert refused(state, Later()) == "later-wrong-time"
    for bed, kind in enumerate((3, 1, 8, 0)):
        state = do(state, f"seat {bed + 1}={kind}", f"lay {bed + 1}=?", f"lay {bed + 1}=?")
    state = do(state, "open=4", "later")
    assert (state.phase, state.turn, state.turns, state.row) == (Phase.PLAY, 0, 1, (4,))
    state = do(state, "play 5 5 5", "open=3", "open=2", "open=5", "open=B")
    assert (state.phase, state.row) == (Phase.CHECK, (2, 3, 4, 5, 11))


def test_the_deck_is_counted_anew_after_turns_that_nobody_watched() -> None:
    state = read_state(BLANK.replace("HANDS", "?x5/?x5/?x5"))
    state = state._replace(phase=Phase.LAY, row=(1, 2, 3), deck=(0,) * 7, discard=(*(0,) * 36, 4), fresh=1)
    total = len(state.deck) + len(state.discard)
    empty = do(state, "recount 0")
    assert (empty.phase, empty.turn, empty.deck) == (Phase.PLAY, 1, ())
    assert len(empty.discard) == total
    assert empty.discard[-1] == 4
    assert empty.discard.count(WITCH) == unseen(state)[WITCH] > 0, "a witch must lie on the pile"
    more = do(empty, "recount 2", "open=5")
    assert (len(more.deck), more.row) == (1, (1, 2, 3, 5))
    assert refused(state, Recount(total)) == "recount-number"
    few = state._replace(deck=(), discard=(0, 4))
    assert refused(few, Recount(1)) == "recount-number", "no place is left for the witches"
    assert refused(state, Recount(-1)) == "recount-number"
    assert refused(state._replace(discard=(4, 4)), Recount(0)) == "recount-known"


def test_whoever_can_draw_nothing_any_more_ends_their_turn() -> None:
    state = read_state(BLANK.replace("HANDS", "?x3/?x5/?x5"))
    state = state._replace(phase=Phase.DRAW, row=(), deck=(0,) * 4, discard=(*(0,) * 36, 4), fresh=1)
    after = do(state, "recount 0")
    assert (after.phase, after.turn, after.last) == (Phase.PLAY, 1, 2), "a hand that stays short ends the game"


def test_a_deck_of_witches_gives_nothing_else() -> None:
    state = read_state(BLANK.replace("HANDS", "?x3/?x5/?x5"))._replace(phase=Phase.DRAW, deck=(0, 0, 0))
    assert Deck(WITCH) in legal_actions(state)
    assert Deck() not in legal_actions(state)
    assert refused(state, Deck()) == "deck-only-witches"


def test_setting_up_a_table_of_which_nothing_is_known() -> None:
    state = RULES.empty_table("5+", 2)
    assert RULES.status(state) == ()
    assert refused(state, Open(WITCH)) == "witch-in-setup"
    assert refused(state, read_action("play 1 1 1")) == "play-wrong-time"
    for bed, kind in enumerate((3, 1, 8, 0)):
        state = do(state, f"seat {bed + 1}={kind}")
    assert refused(state, read_action("seat 1=5")) == "bed-taken"
    assert refused(state, Lay(0, 4)) == "mattress-not-left"
    assert refused(state, Lay(0, 7)) == "mattress-not-left"
    state = do(state, "lay 1=3t", "lay 1=?", "lay 2=3t")
    assert refused(state, Lay(1, 6)) == "mattress-not-left"
    assert refused(state, Lay(0, -1)) == "bed-full"
    undealt = GAME.screen(state, "referee")
    assert set(undealt["hands"]) == {0}, "people are still asked to deal the hands"
    assert undealt["piles"][0]["count"] == undealt["piles"][0]["full"]
    state = do(
        state, "lay 2=?", "lay 3=?", "lay 3=?", "lay 4=?", "open=1", "open=B", "open=5", "open=5", "open=2"
    )
    assert set(GAME.screen(state, "referee")["hands"]) == {5}
    assert state.phase is Phase.SETUP
    assert refused(state, Open(1)) == "open-wrong-time"
    state = do(state, "lay 4=8t")
    assert (state.phase, state.turn, state.turns, state.row) == (Phase.PLAY, 0, 1, (1, 2, 5, 5, 11))
    assert state.beds == ((0, 1), (2, 3), (4, 5), (6, 7))


def test_what_was_felt_is_told_while_it_lies_at_the_bottom() -> None:
    """After a claim that failed the cards of a bed may be put back in another order."""
    state = do(story("1,1,1,4,5/1,1,1,1,1/1,1,1,1,1"), "play 1 1 1", "touch 1")
    first, *others = state.beds
    assert view(state._replace(beds=(first[::-1], *others)), None)["felt"] == []


@pytest.mark.parametrize(
    ("face", "felt"), [("0t", "0"), ("0s", "smooth"), ("7t", "7"), ("7s", "smooth"), ("?", "?")]
)
def test_fingers_tell_the_type_of_a_textured_mattress_alone(face: str, felt: str) -> None:
    assert touch_text(face_from_text(face)) == felt


def test_what_an_action_shows_to_people() -> None:
    state = do(story("1,1,1,4,5/1,1,1,1,1/1,1,1,1,1"), "play 1 1 1")
    shown = {
        text: told(state, read_action(text)) for text in ("touch 1", "look 1", "claim 2", "done", "move 1 2")
    }
    assert shown == {
        "touch 1": ("2",),
        "look 1": ("2t",),
        "claim 2": ("1t", "1t", "1s"),
        "done": (),
        "move 1 2": (),
    }


def test_what_a_silent_player_felt_is_theirs() -> None:
    state = do(story("1,1,1,4,5/1,1,1,1,1/1,1,1,1,1"), "play 1 1 1", "touch 1")
    assert view(state, 2)["felt"] == [{"bed": 0, "result": "2"}]
    silent = state._replace(game=RULES.setup("basic", 3, Random(1), silent=True).game)
    assert view(silent, 0)["felt"] == [{"bed": 0, "result": "2"}]
    assert "felt" not in view(silent, 2)
    assert "felt" not in view(silent, None)
    assert view(silent, 2)["checked_beds"] == [0]


def test_a_view_counts_beds_only_when_asked() -> None:
    state = setup("basic", 3, Random(1))
    assert "bed_counts" not in view(state, 0)
    assert view(state, 0, counts=True)["bed_counts"] == [3] * 5
    assert "hand" not in view(state, None)


def test_every_fault_is_told_at_once() -> None:
    state = setup("basic", 3, Random(1))
    broken = state._replace(
        hands=((1,) * 6, *state.hands[1:]),
        beds=((0, 1, 2, 3), *state.beds[1:]),
        fates=(AWAKE,) * 4 + (ASLEEP,),
        looks=3,
    )
    codes = {fault.code for fault in RULES.status(broken)}
    assert {"hand-too-long", "card-count", "mattress-twice", "checks", "asleep-unshown"} <= codes
    assert {fault.code for fault in RULES.status(state._replace(hands=state.hands[:2], turn=7))} == {
        "hands",
        "turn",
    }
    extra = state._replace(row=(3,) * 5, deck=(3,) * len(state.deck))
    assert "too-many" in {fault.code for fault in RULES.status(extra)}
