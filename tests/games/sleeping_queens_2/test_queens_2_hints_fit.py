"""How the weights that judge the beginning of a turn are fitted."""

from math import log
from pathlib import Path
from random import Random

import pytest

from companion.games.sleeping_queens_2.hints.fit_win_chance import (
    Table,
    chances,
    fit,
    learned,
    main,
    seen_by,
    turns_of,
    write,
)
from companion.games.sleeping_queens_2.hints.win_chance import FACTS, Weights, chance, fitted
from companion.games.sleeping_queens_2.players.policies import play_sensibly

PLAYERS = 4
FLAT = Weights((0.0,) * len(FACTS), (0.0,) * len(FACTS))


def game(seed: int) -> tuple[list[Table], int]:
    """The turns of a game as its first player sees them, and who won."""
    turns, won = turns_of(PLAYERS, [play_sensibly] * PLAYERS, Random(seed))
    return [seen_by(0, state) for state in turns], won


def surprise(weights: Weights, games: range) -> float:
    """Mean surprise of the ends of games, in nats a turn: the less, the better the weights judge."""
    costs = []
    for seed in games:
        tables, won = game(seed)
        costs += [-log(chances(weights, table)[won]) for table in tables]
    return sum(costs) / len(costs)


def test_weights_learn_who_wins() -> None:
    held_out = range(200, 260)
    assert surprise(FLAT, held_out) == pytest.approx(log(PLAYERS))
    weights = FLAT
    for seed in range(150):
        weights = learned(weights, *game(seed), rate=0.01)
    assert surprise(weights, held_out) < 0.95 * log(PLAYERS)
    assert surprise(fitted(), held_out) < surprise(weights, held_out)


def test_a_player_and_who_fits_judge_alike() -> None:
    turns, _ = turns_of(3, [play_sensibly] * 3, Random(1))
    for state in turns[::5]:
        for player in range(3):
            table = seen_by(player, state)
            assert chance(fitted(), state, player) == pytest.approx(float(chances(fitted(), table)[0]))


def test_the_same_seed_gives_the_same_weights_and_a_file_keeps_them(tmp_path: Path) -> None:
    one, again = (fit(3, seed=7, rate=0.02) for _ in range(2))
    assert one == again != FLAT
    path = tmp_path / "weights.json"
    write(one, path)
    for left, right in zip(one, fitted(path), strict=True):
        assert left == pytest.approx(right, abs=1e-3)
    assert fit(2, seed=8, start=one) != one


def test_the_program_writes_what_it_fitted(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    main(["--games", "2", "--seed", "3", "--rate", "0.05", "--out", str(path)])
    assert fitted(path) not in (fitted(), FLAT)
    further = tmp_path / "further.json"
    main(["--games", "2", "--trace", "0.4", "--rate", "0.1", "--start", str(path), "--out", str(further)])
    assert further.read_text() != path.read_text()
