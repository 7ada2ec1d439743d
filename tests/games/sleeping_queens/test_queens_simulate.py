"""`companion simulate --game sleeping-queens`: the same on every run, a log that replays."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.commands.simulate import simulate
from companion.core.errors import BadInputError
from companion.games.sleeping_queens.rules.rulebook import RULES


def run(*options: str) -> dict[str, object]:
    result = CliRunner().invoke(
        simulate, ["--game", RULES.name, "--json", *options], catch_exceptions=False, standalone_mode=False
    )
    told: dict[str, object] = json.loads(result.stdout)
    return told


def test_the_same_seed_gives_the_same_games_and_somebody_wins_each() -> None:
    first, again, other = (run("--games", "20", "--players", "4", "--seed", seed) for seed in ("7", "7", "8"))
    assert first["digest"] == again["digest"] != other["digest"]
    assert sum(first["wins_by_seat"]) >= 1
    assert 5 < first["mean_turns"] < 100


def test_sensible_players_end_a_game_sooner() -> None:
    sensible, wild = (run("--games", "60", "--policy", name)["mean_turns"] for name in ("sensible", "random"))
    assert sensible < 0.5 * wild


def test_a_log_replays(tmp_path: Path) -> None:
    log = tmp_path / "games.jsonl"
    run("--games", "3", "--policy", "random", "--log", str(log))
    for line in log.read_text(encoding="utf-8").splitlines():
        game = json.loads(line)
        state = RULES.read_state(game["setup"])
        for step in game["steps"]:
            assert step["legal"] == [RULES.write_action(action) for action in RULES.legal_actions(state)]
            state = RULES.apply(state, RULES.read_action(step["action"]))
            assert step["state"] == RULES.write_state(state)
        assert RULES.outcome(state) is not None


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--silent"], "sleeping-queens has no --silent"),
        (["--forget", "0.1"], "no --forget"),
        (["--variant", "5\\+"], "no variant"),
        (["--players", "6"], "basic takes 2 to 5"),
        (["--policy", "coach"], "there are: sensible, random"),
    ],
)
def test_what_cannot_be_simulated_is_named(options: list[str], says: str) -> None:
    with pytest.raises(BadInputError, match=says):
        run("--games", "1", *options)
