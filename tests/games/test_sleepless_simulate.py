"""Simulated games: the same on every run, a log that replays, policies that play as promised."""

import json
from io import StringIO
from random import Random

import pytest
from click.testing import CliRunner

from companion.commands.simulate import simulate as command
from companion.core.errors import BadInputError
from companion.games.rules import CHANCE
from companion.games.sleepless_princess.players.perfect_memory import Memory
from companion.games.sleepless_princess.players.policies import SensiblePolicy, make_policy
from companion.games.sleepless_princess.players.simulation import play_out, simulate
from companion.games.sleepless_princess.rules.actions import Claim, Look, Move, Touch
from companion.games.sleepless_princess.rules.dealing import setup
from companion.games.sleepless_princess.rules.player_view import view
from companion.games.sleepless_princess.rules.rulebook import RULES
from tests.benchmarks.rules_bench import bench_engine

GAME = "sleepless-princess"


def test_one_json_object_and_the_same_digest_again() -> None:
    options = ["--games", "4", "--seed", "7", "--policy", "random", "--json"]
    first, second = (json.loads(CliRunner().invoke(command, options).stdout) for _ in range(2))
    assert first["digest"] == second["digest"]
    assert first["games"] == 4
    assert first["mean_checks_to_finish"] is first["mean_cards_left"] is None
    other = json.loads(CliRunner().invoke(command, [*options, "--seed", "8"]).stdout)
    assert other["digest"] != first["digest"]


def test_the_log_replays() -> None:
    log = StringIO()
    simulate("5+", 2, 2, 3, "sensible", log)
    games = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [game["game"] for game in games] == [1, 2]
    for game in games:
        state = RULES.read_state(game["setup"])
        for step in game["steps"]:
            assert [RULES.write_action(action) for action in RULES.legal_actions(state)] == step["legal"]
            assert step["action"] in step["legal"]
            state = RULES.apply(state, RULES.read_action(step["action"]))
            assert RULES.write_state(state) == step["state"]
        assert RULES.outcome(state) is not None


def test_sensible_players_lull_more_than_random_ones() -> None:
    sensible = simulate("basic", 4, 8, 1, "sensible")
    random = simulate("basic", 4, 8, 1, "random")
    assert sensible["mean_lulled"] > 3
    assert random["mean_lulled"] < 1


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"variant": "6+"}, "--variant: no variant '6\\+'"),
        ({"players": 6}, "--players: 6 players is not possible; basic takes 2 to 5"),
        ({"games": 0}, "--games: 0 games"),
        ({"policy": "wild"}, "--policy: no policy 'wild'"),
    ],
)
def test_what_cannot_be_simulated_is_named(options: dict[str, object], where: str) -> None:
    asked = {
        "variant": "basic",
        "players": 3,
        "games": 1,
        "seed": 1,
        "policy": "random",
        **options,
    }
    with pytest.raises(BadInputError, match=where):
        simulate(**asked)


def test_a_sensible_player_never_claims_wrongly_and_a_rash_one_does() -> None:
    for rash, wrong in ((0.0, False), (1.0, True)):
        failed = False
        for step in play_out(setup("basic", 3, Random(2)), SensiblePolicy(rash), Random(2)):
            if isinstance(step.action, Claim):
                failed |= step.after.fates[step.action.bed] == 2
        assert failed is wrong


def test_a_sensible_player_decides_from_the_view_alone() -> None:
    # The same view with other hidden cards behind it: the same choice.
    state = setup("basic", 3, Random(9))
    mixed = state._replace(
        faces=state.faces[::-1], deck=state.deck[::-1], hands=(state.hands[0], *state.hands[:0:-1])
    )
    choices = []
    for dealt in (state, mixed):
        policy = make_policy("sensible")
        policy.start(view(dealt, 0))
        choices.append(policy.choose(view(dealt, 0), RULES.legal_actions(dealt), Random(1)))
    assert choices[0] == choices[1]


def test_memory_follows_mattresses() -> None:
    memory = Memory("basic")
    memory.observe(Touch(0), ["smooth"])
    memory.observe(Look(0), ["4s"])
    memory.observe(Move(0, 2), [])
    memory.observe(Touch(0), [])
    assert memory.beds[0] == [1, 2]
    assert memory.beds[2] == [6, 7, 8, 0]
    assert memory.types == {0: 4}
    assert memory.smooth == {0}
    seen = {"fates": ["awake"] * 5, "princesses": [0, 1, 2, 3, 4]}
    memory.observe(Claim(1), ["1t", "1t", "1s"])
    assert memory.certain(seen) == [1]
    assert memory.home(0, seen) == 4


def test_play_out_ends_and_every_step_is_legal() -> None:
    steps = list(play_out(setup("5+", 3, Random(3)), make_policy("random"), Random(3)))
    assert all(step.action in step.legal for step in steps)
    assert any(RULES.actor(step.before) == CHANCE for step in steps)
    assert RULES.outcome(steps[-1].after) is not None


def test_the_bench_measures_both_programs() -> None:
    result = bench_engine(0.4)
    assert result["python_chess_moves_per_second"] > 0
    assert result["steps_per_second"] == pytest.approx(
        result["decisions_per_second"] + result["chance_steps_per_second"], abs=1
    )
    # Far from the goal, so that a busy machine does not fail it, yet it catches a change of order.
    assert result["python_chess_ratio"] > 1
    assert result["copy_microseconds"] < 50
