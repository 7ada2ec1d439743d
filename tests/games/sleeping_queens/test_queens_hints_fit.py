"""How the weights that judge the end of a turn are fitted."""

from math import log
from pathlib import Path
from random import Random

import numpy as np

from companion.games.sleeping_queens.hints.fit_win_chance import fit, learned, main, write
from companion.games.sleeping_queens.hints.player_knowledge import known_state
from companion.games.sleeping_queens.hints.win_network import Numbers, WinChance, fitted, inputs
from companion.games.sleeping_queens.players.policies import play_sensibly
from companion.games.sleeping_queens.players.simulation import play_out
from companion.games.sleeping_queens.rules.game_end import winners
from companion.games.sleeping_queens.rules.rulebook import RULES
from companion.games.sleeping_queens.rules.state import Phase

PLAYERS = 4


def turns_of(seed: int) -> tuple[list[Numbers], float]:
    """The ends of turns of a game as its first player sees them, and whether that player won."""
    chance = Random(seed)
    state = RULES.setup("basic", PLAYERS, chance)
    seen = []
    for step in play_out(state, [play_sensibly] * PLAYERS, chance):
        state = step.after
        if step.before.phase is Phase.REFILL:
            seen.append(inputs(known_state(RULES.view(step.before, 0)), 0))
    return seen, float(0 in winners(state))


def surprise(weights: WinChance, games: range) -> float:
    """Mean surprise of the ends of games, in nats a turn: the less, the better the weights judge."""
    costs = []
    for seed in games:
        seen, won = turns_of(seed)
        costs += [-log(weights.of(one) if won else 1.0 - weights.of(one)) for one in seen]
    return sum(costs) / len(costs)


def test_weights_learn_who_wins() -> None:
    flat = learned(fit(1, 1, hidden=8), *turns_of(0), rate=0.0)
    ignorant = surprise(flat, range(200, 240))
    weights = flat
    for seed in range(150):
        weights = learned(weights, *turns_of(seed), rate=0.01)
    assert surprise(weights, range(200, 240)) < 0.9 * ignorant
    assert surprise(fitted(), range(200, 240)) < surprise(weights, range(200, 240)) + 0.02


def test_the_same_seed_gives_the_same_weights_and_a_file_keeps_them(tmp_path: Path) -> None:
    one, again = (fit(3, seed=7, hidden=4) for _ in range(2))
    assert all(np.array_equal(left, right) for left, right in zip(one, again, strict=True))
    path = tmp_path / "weights.json"
    write(one, path)
    read = fitted(path)
    for left, right in zip(one, read, strict=True):
        assert np.allclose(left, right, atol=1e-4)
    further = fit(2, seed=8, start=one)
    assert not np.array_equal(further.hidden, one.hidden)


def test_the_program_writes_what_it_fitted(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    main(["--games", "2", "--seed", "3", "--out", str(path)])
    assert fitted(path).hidden.shape == fitted().hidden.shape
    assert fitted(path).output_bias != fitted().output_bias
    further = tmp_path / "further.json"
    main(["--games", "2", "--trace", "0.4", "--rate", "0.1", "--start", str(path), "--out", str(further)])
    assert further.read_text() != path.read_text()
