"""What people announce in Sleeping Queens 2 is checked; what the rules forbid stands if the table insists."""

from collections import Counter
from random import Random

import pytest

from companion.core.language import listed
from companion.games.claims import Verdict
from companion.games.rules import IllegalError
from companion.games.sleeping_queens_2.rules.actions import FalsePair
from companion.games.sleeping_queens_2.rules.equations import is_mixed
from companion.games.sleeping_queens_2.rules.hidden_state import hide, reordered, spell_out
from companion.games.sleeping_queens_2.rules.rulebook import RULES
from companion.games.sleeping_queens_2.rules.state import Phase, State
from companion.games.sleeping_queens_2.sensing.appearance import expected_view
from companion.games.sleeping_queens_2.sensing.proposals import propose
from companion.games.sleeping_queens_2.wording import MESSAGES
from companion.games.win_claims import ClaimWin, Insist, TakeBack
from companion.session.stream.commands import Claim
from companion.session.stream.events import Claimed
from tests.games.sleeping_queens_2.test_queens_2_table import GAME, Watched, dealt
from tests.support.sleeping_queens_2 import forbidden, legal, names, play, refused, table, walk_against_rules

PLAIN = "witch/math/willow"
"""Knights of three, of whom player 1 has one that changes nothing of their own turn."""


def says(state: State, action: str) -> str:
    """What is told of an action."""
    done = RULES.read_action(action)
    message = GAME.message(state, done, RULES.apply(state, done))
    assert message is not None
    return message.text


@pytest.mark.parametrize(
    ("cards", "knights", "reason"),
    [
        ("3 6 8", PLAIN, "3 + 6 is 9 and 3 x 6 is 18, not 8"),
        ("3 6 8", "willow/witch/math", "one more or less takes the red knight"),
        ("2 3 4 5", PLAIN, "an equation has one operation, on one side"),
        ("3 6", PLAIN, "an equation has at least three numbers"),
    ],
)
def test_an_equation_that_is_none_is_told_with_its_reason_and_may_stand_or_be_taken_back(
    cards: str, knights: str, reason: str
) -> None:
    state = table(f"{cards.replace(' ', ',')},10/-/-", knights=knights)
    if reason.startswith("3 + 6"):
        state = table("3,6,7,10/-/-", knights=knights)
        cards, reason = "3 6 7", "3 + 6 is 9 and 3 x 6 is 18, not 7"
    assert refused(state, f"equation {cards}") == "no-equation"
    assert says(state, f"insist equation {cards}") == (
        f"Player 1 lays {listed(cards.split())} as an equation: {reason} "
        "(rulebook, Finding Rescue Companions). Take it back, or play on."
    )
    laid = play(state, f"insist equation {cards}")
    assert (names(laid.realms[0]), laid.phase, legal(laid)[-1]) == ("10", Phase.FETCH, "pass")
    fetched = play(laid, "fetch 4")
    assert play(fetched, "end").turn == 1
    assert play(laid, "pass").phase is Phase.PLAY
    assert play(laid, "take back") == play(fetched, "take back") == state


def test_only_what_the_rules_forbid_is_insisted_on_and_none_of_it_is_legal() -> None:
    state = table("2,3,5,7/-/-", asleep="Q01/-/-", companions="RC01/-/-")
    assert refused(state, "insist equation 2 3 5") == "allowed"
    assert refused(state, "insist equation 2 3 8") == "not-there"
    assert refused(state, "insist end") == "allowed"
    assert refused(state, "insist steal 2 RC01") == "phase"
    assert refused(state, "insist pair 3 4") == "not-there"
    assert refused(state, "insist willow 2") == "phase"
    assert refused(state, "take back") == "nothing-to-take-back"
    assert refused(state, "won 4") == "no-player"
    assert not {text for text in legal(state) if text.startswith(("insist", "take back", "won"))}
    for text in (
        "insist",
        "insist insist end",
        "insist keep",
        "pair 3 6",
        "early",
        "won",
        "won 0",
        "insist won 1",
    ):
        with pytest.raises(ValueError, match=r"\w"):
            RULES.read_action(text)


def test_a_pair_that_is_none_wakes_the_queens_if_it_stands() -> None:
    state = table("3,6,7/-/-", asleep="Q01,Q02/-/-")
    after = play(state, "insist pair 3 6")
    assert (names(after.realms[0]), after.asleep[0]) == ("7,Q01,Q02", ())
    assert play(after, "take back") == state
    assert says(state, "insist pair 3 6").startswith(
        "Player 1 lays 3 and 6 as a pair: a pair is two equal numbers (rulebook, How to Wake a Sleeping Queen)."
    )
    assert refused(table("3,6/-/-"), "insist pair 3 6") == "nobody-asleep"
    for one, two in ((3, 3), (6, 3), (0, 3), (3, 11)):
        with pytest.raises(IllegalError) as error:
            RULES.apply(state, Insist(FalsePair(one, two)))
        assert error.value.code == "no-numbers"


def test_rescues_without_a_match_and_by_who_sleeps() -> None:
    state = table("Q01/-/-", asleep="Q02/-/-", companions="RC01,RC04/-/-")
    wrong = play(state, "insist rescue Q01 RC04")
    assert says(state, "insist rescue Q01 RC04").startswith(
        "Player 1 rescues a king with queen 1 and companion 4: their symbols are a and b "
        "(rulebook, How to Rescue a King)."
    )
    assert play(wrong, "take back") == state
    back = play(wrong, "back 1")
    assert (back.kings, play(back, "take back")) == ((1, 0, 0), state)
    slept = play(state, "insist rescue Q02 RC01", "back 1")
    assert (slept.kings[0], slept.asleep[0], names(slept.discard)) == (1, (), "Q02")
    assert refused(state, "insist rescue Q01 RC01") == "allowed"


def test_thefts_and_swaps_that_a_rule_forbids() -> None:
    stolen = table("-/-/-", phase="steal", knights=PLAIN, played="WG", companions="-/RC01/-")
    after = play(stolen, "insist steal 2 RC01")
    assert (names(after.companions[0]), after.phase, names(after.discard)) == ("RC01", Phase.PLAY, "WG")
    assert play(after, "take back") == stolen
    shielded = table("3/7/-", phase="swap", knights="math/witch/willow", played="SW", companions="RC01/-/-")
    assert says(shielded, "insist swap 3 2 7").startswith(
        "Player 1 swaps a 3 for a 7 of player 2: the black knight protects that realm (rulebook, Knights)."
    )
    assert play(play(shielded, "insist swap 3 2 7"), "take back") == shielded
    mixed = table("3/7/-", phase="swap", knights=PLAIN, played="SW", companions="RC01/-/-")
    assert names(play(mixed, "insist swap RC01 2 7").companions[1]) == "RC01"
    assert refused(mixed, "insist swap 3 2 7") == "allowed"


def test_a_willow_that_meets_a_shield_or_the_wrong_player_and_a_knight_who_says_so_late() -> None:
    state = table("Q01/Q02/Q03", phase="instant", drawn="WI", knights="willow/math/witch")
    assert names(play(state, "willow").asleep[1]) == "Q02"
    assert refused(state, "insist willow 2") == "allowed"
    wrong = play(state, "insist willow 1")
    assert (names(wrong.asleep[0]), wrong.asleep[1], names(wrong.discard)) == ("Q01", (), "WI")
    assert play(wrong, "take back", "willow") == play(state, "willow")


def test_instant_cards_that_come_late_or_are_laid_aside() -> None:
    state = table("2,3,5/-/-", phase="instant", drawn="9,SW", knights=PLAIN)
    late = play(state, "insist early")
    assert (late.phase, names(late.drawn), names(late.realms[0])) == (Phase.PLAY, "SW", "2,3,5,9")
    assert "end" not in legal(late)
    assert refused(late, "end") == "instants-first"
    assert "witch" in legal(late)
    after = play(late, "equation 2 3 5", "fetch 1", "witch", "pass", "end")
    assert (after.turn, names(after.discard)) == (1, "2,3,5,SW")
    assert names(play(state, "insist discard SW").discard) == "SW"
    assert play(late, "take back") == state


def test_a_knight_of_whom_it_is_too_late_or_who_is_another_player_s() -> None:
    state = table("-/-/-", phase="roll", deck="9,4,2", knights="witch/reroll/math")
    again = play(state, "roll 1", "insist reroll")
    assert again.phase is Phase.ROLL
    assert names(play(again, "roll 2", "draw", "draw").realms[0]) == "2,4"
    more = play(state, "roll 1", "draw", "insist draw")
    assert (names(more.realms[0]), names(play(more, "take back").realms[0])) == ("2,4", "2")
    hidden = hide(play(state, "roll 1", "draw"))
    assert names(RULES.apply(hidden, RULES.read_action("insist draw=4")).realms[0]) == "2,4"


def test_more_cards_than_five_are_kept() -> None:
    state = table("1,2,3,4,5,6,7/-/-", knights="six/math/witch")
    assert says(state, "insist end").startswith(
        "Player 1 keeps 7 cards: 6 may be kept (rulebook, How to Play)."
    )
    kept = play(state, "insist end")
    assert (kept.turn, len(kept.realms[0])) == (1, 7)
    assert play(kept, "take back", "discard 7", "end").turn == 1
    assert refused(state, "end") == "too-many-cards"


def test_a_claim_of_a_win_has_three_answers() -> None:
    state = table("Q01/-/-", companions="RC01/-/-", kings="2/1/0")
    assert GAME.judge(state, 0).reasons == ("2 kings; it takes 3 kings (rulebook, Ending the Game).",)
    assert GAME.judge(state, 0).verdict is Verdict.REFUTED
    coming = play(state, "rescue Q01 RC01")
    assert GAME.judge(coming, 0).verdict is Verdict.CANNOT_TELL
    assert GAME.judge(coming, 1).verdict is Verdict.REFUTED
    assert GAME.judge(play(coming, "back 1"), 0).verdict is Verdict.PROVED
    assert says(state, "won 3") == "Player 3 has not won yet: no kings; 3 kings win."


def test_cards_that_need_several_operations() -> None:
    assert is_mixed((2, 2, 5, 8)), "5 x 2 - 8 = 2"
    assert is_mixed((2, 3, 4, 5)), "4 + 3 = 5 + 2"
    assert not is_mixed((2, 3, 5))
    assert not is_mixed((3, 6, 8))


@pytest.mark.quick(2)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games_in_which_the_rules_are_set_aside_stay_possible(players: int) -> None:
    """States stay possible, notation is exact, hidden cards are needed for nothing, all can be taken back."""
    done: Counter[str] = Counter()
    for seed in range(4):
        hidden = hide(RULES.setup("standard", players, Random(seed)))
        for state, action, after in walk_against_rules("standard", players, seed):
            told = spell_out(state, action)
            assert RULES.read_action(RULES.write_action(told)) == told
            assert RULES.status(after) == ()
            assert RULES.read_state(RULES.write_state(after)) == after
            if isinstance(action, Insist):
                done[type(action.action).__name__] += 1
                assert action not in RULES.legal_actions(state)
                assert RULES.apply(after, TakeBack()) == state._replace(undo=None)
                message = GAME.message(state, action, after)
                assert message is not None
                assert "{" not in message.text
                assert "rulebook" in message.text
            hidden = RULES.apply(hidden, told)
            assert hide(hidden) == hide(after)
        assert RULES.outcome(after) == RULES.outcome(hidden) is not None
    wanted = {"Equation", "Discard", "OutOfOrder", "Draw", "Reroll", "Rescue"}
    assert wanted <= set(done), done


def test_what_the_rules_forbid_is_thought_of_by_what_the_camera_sees() -> None:
    """The camera's view of what comes of it suggests it; what it cannot tell apart is left out."""
    thought: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    chance = Random(3)
    for seed in range(6):
        state = RULES.setup("standard", 3, Random(seed))
        for _ in range(300):
            options = RULES.legal_actions(state)
            if not options:
                break
            for action in forbidden(state, chance):
                hidden = hide(state)
                told = spell_out(state, action)
                after = GAME.apply(hidden, told)
                view = expected_view(after)
                tops = {zone: tuple(sorted(kinds))[:1] for zone, kinds in view.tops.items()}
                die = [("came", "die", ("die 1",))]
                found = [
                    *propose(hidden, {**view.zones, **tops}, {}, ()),
                    *propose(hidden, view.zones, {}, die),
                ]
                name = type(action.action).__name__
                (thought if told in found else missed)[name] += 1
            state = RULES.apply(state, reordered(state, chance.choice(options), chance))
    for name in ("Equation", "End", "Steal", "Swap", "Lull", "FalsePair", "Rescue"):
        assert thought[name] > 9 * missed[name], (name, thought, missed)


def test_a_companion_fetched_with_the_wrong_result_is_told_and_stands() -> None:
    game = Watched(dealt("3 6 7 9", knights="reroll/math/draw"))
    game.do("roll 3", "draw", "draw", "draw", "insist equation 3 6 7", "fetch 2")
    game.rest(6.0)
    assert game.said[-2].startswith(
        "Player 1 lays 3, 6 and 7 as an equation: 3 + 6 is 9 and 3 x 6 is 18, not 7"
    )
    game.do("end", "roll 1")
    game.rest(6.0)
    assert game.followed


def test_a_companion_fetched_with_the_wrong_result_is_taken_back() -> None:
    game = Watched(dealt("3 6 7 9", knights="reroll/math/draw"))
    game.do("roll 3", "draw", "draw", "draw", "insist equation 3 6 7", "fetch 2")
    game.rest(6.0)
    game.do("take back")
    game.rest(6.0)
    assert game.said[-1] == "Player 1 takes the cards back."
    game.do("end", "roll 1")
    game.rest(6.0)
    assert game.followed


SLEEPERS = (
    *("roll 2", "draw", "draw", "end"),
    *("roll 1", "keep", "draw", "willow", "end"),
    *("roll 1", "draw", "draw", "end"),
    *("roll 2", "draw", "draw"),
)
"""The queen of player 1 falls asleep; then that player has 3, 6 and 7."""


def test_a_pair_that_is_none_stands_or_is_taken_back() -> None:
    game = Watched(dealt("Q01 3 WI 5 8 6 7"))
    game.do(*SLEEPERS, "insist pair 3 6")
    game.rest(6.0)
    assert game.said[-1].startswith("Player 1 lays 3 and 6 as a pair: a pair is two equal numbers")
    assert game.table.places[0].shown == ("7", "queen 1")
    game.do("take back")
    game.rest(6.0)
    assert game.table.places[0].shown == ("3", "6", "7", "queen 1 asleep")
    assert game.table.places[0].cards[-1].symbol == "sleeping queen"
    game.do("end", "roll 1")
    assert game.followed


def test_too_many_cards_that_are_kept_are_told() -> None:
    game = Watched(dealt("1 2 4 7 9 10 Q01 3 3 3 Q02"))
    game.do(
        "roll 3",
        "draw",
        "draw",
        "draw",
        "end",
        "roll 1",
        "keep",
        "draw",
        "end",
        "roll 1",
        "draw",
        "draw",
        "end",
    )
    game.do("roll 3", "draw", "draw", "draw", "insist end", "roll 2")
    game.rest(6.0)
    assert any(text.startswith("Player 1 keeps 6 cards: 5 may be kept") for text in game.said)
    assert game.followed


def test_a_win_that_is_claimed_is_judged() -> None:
    game = Watched(dealt("3 6 7"))
    game.session.step([], [Claim(2)])
    game.rest(2.0)
    said = [event for event in game.events if isinstance(event, Claimed)]
    assert [(one.verdict, one.subject) for one in said] == [(Verdict.REFUTED, 2)]
    assert said[0].reasons == ("no kings; it takes 3 kings (rulebook, Ending the Game).",)
    assert game.said[-1] == "Player 2 has not won yet: no kings; 3 kings win."
    assert GAME.claim_of(ClaimWin(1)) == (1, None)
    assert {"won", "not won", "not clear", "taken back", "forbidden"} <= set(MESSAGES)
