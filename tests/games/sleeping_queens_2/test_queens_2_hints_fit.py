"""How the weights that judge the beginning of a turn are fitted."""

from math import log
from pathlib import Path
from random import Random

import numpy as np
import pytest

from companion.games.sleeping_queens_2.hints.fit_win_chance import (
    Seen,
    chances,
    fit,
    gradient,
    main,
    random_weights,
    seen_by,
    turns_of,
    write,
)
from companion.games.sleeping_queens_2.hints.player_knowledge import known_state
from companion.games.sleeping_queens_2.hints.win_chance import Weights, chance, fitted
from companion.games.sleeping_queens_2.players.policies import play_sensibly
from companion.games.sleeping_queens_2.rules.rulebook import RULES

PLAYERS = 4


def game(seed: int, players: int = PLAYERS) -> Seen:
    """A game as its first player saw it."""
    turns, won = turns_of(players, [play_sensibly] * players, Random(seed))
    return seen_by(0, turns, won)


def surprise(weights: Weights, games: list[Seen]) -> float:
    """Mean surprise of the ends of games, in nats a turn: the less, the better the weights judge."""
    return float(-np.log(np.concatenate([chances(weights, seen)[:, seen.won] for seen in games])).mean())


def alike(one: Weights, other: Weights, within: float = 0.0) -> bool:
    return all(
        np.allclose(left, right, 0.0, within) for left, right in zip(one.parts(), other.parts(), strict=True)
    )


@pytest.mark.long
def test_weights_learn_who_wins() -> None:
    held_out = [game(seed) for seed in range(200, 240)]
    weights = random_weights(Random(1), units=8)
    before = surprise(weights, held_out)
    assert before == pytest.approx(log(PLAYERS), abs=0.3)
    for seed in range(0, 100, 10):
        slope = gradient(weights, [game(one) for one in range(seed, seed + 10)], trace=1.0)
        weights = Weights(
            *(part - 0.01 * change for part, change in zip(weights.parts(), slope.parts(), strict=True))
        )
    assert surprise(weights, held_out) < before - 0.02
    assert surprise(fitted(), held_out) < surprise(weights, held_out)


def test_the_slope_is_that_of_the_surprise() -> None:
    chance, seen = Random(2), game(7)
    weights = random_weights(chance, units=4)
    slope = gradient(weights, [seen], trace=1.0)
    turns = len(seen.table)
    for part, change in ((0, slope.seats), (1, slope.table), (2, slope.bias), (3, slope.output)):
        at = tuple(axis[0] for axis in np.nonzero(change))
        moved = [array.copy() for array in weights.parts()]
        moved[part][at] += 1e-6
        risen = (surprise(Weights(*moved), [seen]) - surprise(weights, [seen])) * turns / 1e-6
        assert risen == pytest.approx(float(change[at]), rel=1e-3)


@pytest.mark.parametrize("players", [2, 4, 5])
def test_a_player_and_who_fits_judge_alike(players: int) -> None:
    turns, won = turns_of(players, [play_sensibly] * players, Random(1))
    for player in range(players):
        judged = chances(fitted(), seen_by(player, turns, won))[:, 0]
        for turn in range(0, len(turns), 5):
            known = known_state(RULES.view(turns[turn], player))
            assert chance(fitted(), known, player) == pytest.approx(float(judged[turn]))


def test_the_same_seed_gives_the_same_weights_and_a_file_keeps_them(tmp_path: Path) -> None:
    one, again = (fit(3, seed=7, rate=0.02) for _ in range(2))
    assert alike(one, again)
    assert not alike(one, fit(3, seed=8, rate=0.02))
    path = tmp_path / "weights.json"
    write(one, path)
    assert alike(one, fitted(path), within=1e-3)
    assert not alike(fit(1, seed=8, start=one), one)


def test_the_program_writes_what_it_fitted(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    main(["--games", "2", "--seed", "3", "--rate", "0.05", "--out", str(path)])
    assert not alike(fitted(path), fitted())
    further = tmp_path / "further.json"
    main(["--games", "1", "--trace", "0.4", "--rate", "0.1", "--start", str(path), "--out", str(further)])
    assert further.read_text() != path.read_text()
