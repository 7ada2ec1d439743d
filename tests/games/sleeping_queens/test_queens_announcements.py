"""What people announce in Sleeping Queens is checked: discards, thefts, answers in time, a win."""

import pytest

from companion.games.claims import Verdict
from companion.games.sleeping_queens.rules.kinds import EMPTY, QUEEN_NAMES
from companion.games.sleeping_queens.rules.rulebook import RULES
from companion.games.sleeping_queens.rules.state import Phase, State
from companion.sensing.observation import UNREAD, Seen, Sighting
from companion.session.stream.commands import Claim
from companion.session.stream.events import Claimed
from tests.games.sleeping_queens.test_queens_rules import GRID, OTHERS, awake, legal, play, refused, table
from tests.games.sleeping_queens.test_queens_table import GAME, Watched, dealt


def test_a_discard_against_the_rules_is_insisted_on() -> None:
    state = table(f"1,3,6,8,9/{OTHERS}", deck="7,JE,KI")
    after = play(state, "insist discard 3 6 8")
    assert [len(after.hands[0]), after.played] == [2, (3, 6, 8)]
    assert play(after, "take back") == state
    assert play(after, "refill").turn == 1
    assert refused(state, "insist discard 3 6 9") == "allowed"
    assert play(state, "discard 3 6 9", "take back") == state
    assert play(table(f"1,3,6,8,JE/{OTHERS}"), "jester", "take back").phase is Phase.PLAY
    assert refused(state, "take back") == "phase"
    woken = play(table(f"1,3,6,8,KI/{OTHERS}"), "king", "wake 2")
    assert refused(woken, "take back") == "nothing-to-take-back"
    assert not {text for text in legal(state) if text.startswith("insist")}


def cat_and_dog(hand: str) -> State:
    grid = "-/-/Rainbow/Starfish/Ladybug/Moon/Peacock/Sunflower/-/-/Pancake/Heart"
    return table(f"{hand}/{OTHERS}", grid=grid, awake="Cat/Dog,Rose/Cake", deck="7,JE,KI")


def test_a_theft_against_cat_and_dog_is_insisted_on() -> None:
    state = cat_and_dog("1,3,6,8,KN")
    aimed = play(state, "knight")
    assert refused(aimed, "target Dog") == "cat-and-dog"
    assert refused(aimed, "insist target Rose") == "not-insisted"
    stolen = RULES.apply(RULES.apply(aimed, RULES.read_action("insist target Dog")), RULES.read_action("yield"))
    assert awake(stolen, 1) == ["Cat", "Dog"]


def test_a_dragon_that_comes_late_gives_the_queen_back() -> None:
    grid = "-/-/Rainbow/Starfish/Ladybug/Moon/Peacock/Sunflower/Cat/-/Pancake/Heart"
    state = table("1,3,6,8,KN/6,7,8,9,DR/1,2,3,4,5", grid=grid, awake="-/Dog,Rose/Cake", deck="7,JE,KI,2")
    taken = play(state, "knight", "target Dog", "yield")
    after = play(taken, "late Dog 2")
    assert (awake(after, 1), awake(after, 2)) == ([], ["Rose", "Dog"])
    assert after.hands[1] == (6, 7, 8, 9)
    assert refused(taken, "late Rose 2") == "no-queen-there"
    assert refused(after, "late Dog 2") == "nothing-to-answer"


def test_a_wand_of_the_first_player_that_comes_late_gives_the_queen_back() -> None:
    grid = GRID.replace("Dog", "-").replace("Rose", "-")
    state = table("1,3,6,8,WA/1,3,6,8,PO/2,2,4,4,5", grid=grid, awake="Dog,Rose/-/-", deck="7,JE,KI,2")
    state = state._replace(turn=1, acting=1, turns=2)
    slept = play(state, "potion", "target Rose", "yield", "sleep 1")
    after = play(slept, "late Rose 1")
    assert (awake(after, 1), after.cells[0], after.seen[0]) == (["Rose", "Dog"], EMPTY, False)
    assert after.hands[0] == (1, 3, 6, 8)
    assert refused(slept, "late Rose 2") == "nothing-to-answer", "player 2 attacked her"
    assert refused(slept, "late Rose 4") == "nothing-to-answer", "nobody sits there"


def test_actions_against_the_rules_are_written_and_read() -> None:
    written = "insist discard 3 6 8,insist target Dog,insist knight,take back,late Dog 2,won 3"
    for text in written.split(","):
        assert RULES.write_action(RULES.read_action(text)) == text
    for text in ("insist", "insist defend", "insist insist knight", "late Dog", "late 2", "won 0", "won"):
        with pytest.raises(ValueError, match=r"\w"):
            RULES.read_action(text)


def test_a_false_equation_is_told_while_it_lies_there_and_stands_if_it_is_left() -> None:
    game = Watched(dealt("3 6 8 9 KI", "4 4 5 6 KN", "7 8 9 10 DR"))
    game.middle("N03A", "N06A")
    game.middle("N03A", "N06A", "N08A")
    assert game.said == [], "a ninth may follow"
    game.rest(7.0)
    assert game.said == [
        "Player 1 discards a 3, a 6 and an 8: 3 + 6 is 9, not 8 (rulebook, Discard one or more cards). "
        "Take them back, or play on."
    ]
    game.middle()
    game.pile("N08A")
    assert game.table.player == 2
    assert game.session.tracker.state.discard == (3, 6, 8)


def test_a_false_pair_is_taken_back() -> None:
    game = Watched(dealt("3 6 8 9 KI", "4 4 5 6 KN", "7 8 9 10 DR"))
    game.do("discard 8", "refill")
    game.middle("N03A", "N06A")
    game.rest(7.0)
    assert game.said[-1].startswith("Player 2 discards a 3 and a 6: 3 and 6 are no pair")
    game.middle()
    game.middle("N03A", "N06A", "N09A")
    game.middle()
    game.pile("N09A")
    assert game.said[-2:] == ["Player 2 takes the cards back.", "Player 2 discards an equation: 3 + 6 = 9."]
    assert game.table.player == 3


def test_cards_that_cannot_be_read_are_no_false_equation() -> None:
    game = Watched(dealt("3 6 8 9 KI", "4 4 5 6 KN", "7 8 9 10 DR"))
    game.middle("N03A", "N06A", UNREAD)
    game.rest(7.0)
    assert game.said == []
    game.middle()
    assert game.said == ["Player 1 discards a 3 and a 6 and a card, unread."]


def queens(game: Watched, player: int, *names: str) -> Sighting:
    game.rig.t += 0.5
    codes = (game.rig._copies.queen(QUEEN_NAMES.index(name)) for name in names)
    return Sighting(game.rig.t, f"player {player}", tuple(Seen(code, 0, 0) for code in codes))


def woken(game: Watched, *names: str) -> None:
    """Every player in turn wakes a queen with a king."""
    for name in names:
        cell = game.state.cells.index(QUEEN_NAMES.index(name)) + 1
        game.do("king", f"wake {cell}", "refill")


def test_a_theft_that_cat_and_dog_forbid_is_told_and_stands() -> None:
    game = Watched(dealt("3 6 8 KN KI", "4 4 5 6 KI", "7 8 9 10 DR"))
    woken(game, "Cat", "Dog")
    game.do("discard 7", "refill")
    game.middle("KN1")
    game.see([queens(game, 2), queens(game, 1, "Cat", "Dog")])
    assert any("Cat and Dog are never together (rulebook, Special Queen Powers)" in text for text in game.said)
    game.middle()
    game.pile("KN1")
    assert [place.shown for place in game.table.places] == [("Cat 15", "Dog 15"), (), ()]
    assert game.table.player == 2


def test_a_late_dragon_is_told() -> None:
    game = Watched(dealt("3 6 8 KN 1", "4 4 5 DR KI", "7 8 9 10 DR"))
    game.do("discard 3", "refill")
    woken(game, "Moon")
    game.do("discard 7", "refill")
    game.middle("KN1")
    game.see([queens(game, 2), queens(game, 1, "Moon")])
    assert game.said[-1] == "Player 1 takes the Moon queen from player 2."
    game.rest(7.0)
    game.middle("KN1", "DR1")
    game.see([queens(game, 1), queens(game, 2, "Moon")])
    assert game.said[-1].startswith("The dragon came when the Moon queen had gone (rulebook, Queenly")
    assert [place.shown for place in game.table.places] == [(), ("Moon 10",), ()]


def test_a_win_that_is_claimed_is_judged() -> None:
    game = Watched(dealt("3 6 8 9 KI", "4 4 5 6 KI", "7 8 9 10 DR"))
    woken(game, "Heart")
    game.session.step([], [Claim(1)])
    game.rest(2.0)
    said = [event for event in game.events if isinstance(event, Claimed)]
    assert [(one.verdict, one.subject) for one in said] == [(Verdict.REFUTED, 1)]
    (reason,) = said[0].reasons
    assert reason == "1 queen, 20 points; it takes 5 queens or 50 points (rulebook, Ending the Game)."
    assert game.said[-1] == "Player 1 has not won yet: 1 queen, 20 points; 5 queens or 50 points win."
    game.middle("KI2")
    game.session.step([], [Claim(2)])
    game.rest(2.0)
    said = [event for event in game.events if isinstance(event, Claimed)]
    assert said[-1].verdict == Verdict.REFUTED, "no queen that may wake yet brings the win"
    assert said[-1].name == "player 2 has won?"


def test_a_won_position_is_proved() -> None:
    queens = tuple(map(QUEEN_NAMES.index, ("Cat", "Pancake", "Heart")))
    state = table(f"1,3,6,8,KI/{OTHERS}", deck="7")._replace(awake=(queens, (), ()))
    assert GAME.judge(state, 0).verdict is Verdict.PROVED
    assert GAME.judge(state, 1).verdict is Verdict.REFUTED
    nearly = state._replace(awake=(queens[:2], (), ()), phase=Phase.WAKE)
    assert GAME.judge(nearly, 0).verdict is Verdict.CANNOT_TELL, "a queen may wake yet"
    assert GAME.judge(nearly, 1).verdict is Verdict.REFUTED
