"""The players of Sleeping Queens 2 and many games of theirs: the same on every run, a log that replays."""

import json
from io import StringIO
from random import Random

import pytest

from companion.core.errors import BadInputError
from companion.games.sleeping_queens_2.players.policies import play_sensibly
from companion.games.sleeping_queens_2.players.simulation import check_simulation, make_policy, simulate
from companion.games.sleeping_queens_2.rules.rulebook import RULES
from companion.games.sleeping_queens_2.rules.state import State
from tests.support.sleeping_queens_2 import play, table

PLAIN = "six/math/willow"


def chosen(state: State) -> str:
    """What a sensible player does."""
    view = RULES.view(state, RULES.actor(state))
    return RULES.write_action(play_sensibly(view, RULES.legal_actions(state), Random(1)))


@pytest.mark.parametrize(
    ("state", "action"),
    [
        (table("2,3,5,Q01/-/-", companions="RC01,RC10/-/-"), "rescue Q01 RC01"),
        (table("2,3,5,7,7/-/-", asleep="Q01/-/-", knights=PLAIN), "pair 7"),
        (table("1,2,3,5,6/-/-", knights=PLAIN), "equation 1 2 3"),
        (table("2,3,SB/-/-", discard="9,5,10", knights=PLAIN), "book 5"),
        (table("2,9,SB/-/-", discard="8", knights=PLAIN), "end"),
        (table("1,4,6,9,Q01,Q05,SB/-/-", companions="RC07/-/-", knights=PLAIN), "discard 1"),
        (table("1/-/-", phase="wake", asleep="Q01,Q05/-/-", companions="RC04/-/-"), "wake Q05"),
        (table("1/9,Q05/Q01", phase="steal", played="WG", companions="RC01/-/-"), "steal 3 Q01"),
        (table("1,Q01/9/-", phase="swap", played="SW", companions="RC01/-/-", knights=PLAIN), "pass"),
        (table("1,Q01/Q05/-", phase="swap", played="SW", knights=PLAIN), "swap 1 2 Q05"),
        (table("-/-/-", phase="take", played="WG", discard="Q05,Q01", companions="RC01/-/-"), "take Q01"),
        (table("-/-/-", phase="exchange", played="WG", knights="reroll/draw/math"), "exchange 1 2"),
        (table("-/-/-", phase="exchange", played="WG", knights="draw/math/reroll"), "pass"),
        (table("-/-/-", phase="reroll", knights="reroll/draw/math"), "reroll"),
        (table("-/-/-", phase="reroll", played="WG", knights="reroll/draw/math"), "keep"),
        (table("Q01/-/-", phase="instant", drawn="WG,SW,WI"), "willow"),
    ],
)
def test_a_sensible_player_does_what_brings_most(state: State, action: str) -> None:
    assert chosen(state) == action


def test_a_sensible_player_gives_away_what_is_worth_less_to_them() -> None:
    state = table(
        "1/-/-", phase="instant", drawn="SW", companions="RC05/RC01/-", asleep="Q01/-/-", knights=PLAIN
    )
    assert chosen(play(state, "witch")) == "swap RC05 2 RC01"


def test_the_same_seed_gives_the_same_games_and_one_wins_each() -> None:
    first, again, other = (simulate("standard", 4, 15, seed, "sensible") for seed in (7, 7, 8))
    assert first["digest"] == again["digest"] != other["digest"]
    assert sum(first["wins_by_seat"]) == pytest.approx(1)
    assert 10 < first["mean_turns"] < 60


def test_sensible_players_end_a_game_sooner() -> None:
    sensible, wild = (simulate("standard", 3, 20, 1, name)["mean_turns"] for name in ("sensible", "random"))
    assert sensible < 0.5 * wild


def test_a_log_replays() -> None:
    log = StringIO()
    simulate("standard", 3, 2, 5, "sensible", log)
    for line in log.getvalue().splitlines():
        game = json.loads(line)
        state = RULES.read_state(game["setup"])
        for step in game["steps"]:
            assert step["legal"] == [RULES.write_action(action) for action in RULES.legal_actions(state)]
            state = RULES.apply(state, RULES.read_action(step["action"]))
            assert step["state"] == RULES.write_state(state)
        assert RULES.outcome(state) is not None


def test_what_cannot_be_simulated_is_named() -> None:
    with pytest.raises(BadInputError, match="standard takes 2 to 5"):
        check_simulation("standard", 6, 1, "random")
    with pytest.raises(BadInputError, match="there are: sensible, random, hinted"):
        make_policy("coach")


def test_each_seat_may_have_its_policy_and_seats_change() -> None:
    result = simulate("standard", 4, 40, 5, "sensible,random,random,random")
    won = result["wins_by_policy"]
    assert won["sensible"] + won["random"] == pytest.approx(1.0)
    assert won["sensible"] > 0.8
    assert max(result["wins_by_seat"]) < 0.6
    with pytest.raises(BadInputError, match="2 policies for 4 players"):
        simulate("standard", 4, 1, 1, "sensible,random")
