"""Fit the weights of `win_network` by games of hints against sensible players.

    python -m companion.games.sleeping_queens.hints.fit_win_chance --games 1000 --seed 1 --out win_chance.json

Temporal differences with eligibility (TD lambda, Sutton 1988): one gradient step a game, with a rate that
falls to 0.
"""

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from companion.games.queens.fit_command import fit_by_options
from companion.games.sleeping_queens.hints.options import Outlook, different
from companion.games.sleeping_queens.hints.player_knowledge import known_state
from companion.games.sleeping_queens.hints.win_network import Numbers, WinChance, fitted, inputs
from companion.games.sleeping_queens.players.policies import Policy, View, play_sensibly
from companion.games.sleeping_queens.players.simulation import play_out
from companion.games.sleeping_queens.rules.actions import Action
from companion.games.sleeping_queens.rules.game_end import winners
from companion.games.sleeping_queens.rules.rulebook import RULES
from companion.games.sleeping_queens.rules.state import PLAYERS, VARIANT, Phase

EXPLORED = 0.04
"""Share of decisions made at random, so that games reach unusual positions. A guess."""
TRACE = 0.9
"""Lambda (0 to 1) of the temporal differences. A guess.

At 1 only the end of a game counts, at 0 only the value of the next turn.
"""
LEARNED_FROM_OTHERS = 0.1
"""Share of the games, from the first on, in which nobody follows hints. A guess.

The weights are still poor then.
"""
FOUR_PLAYERS = 0.5
"""Share of games with four players. The rest have a random number. A guess."""
RATE = 0.005
"""Learning rate in the first game. It falls to 0 by the last. A guess."""
HIDDEN = 48
"""Number of hidden units of the network. A guess."""


def fit(
    games: int,
    seed: int,
    *,
    rate: float = RATE,
    trace: float = TRACE,
    hidden: int = HIDDEN,
    start: WinChance | None = None,
) -> WinChance:
    """Fit the network's weights by `games` simulated games.

    Equal arguments give equal weights.

    `rate`: learning rate at the start. `trace`: lambda, see TRACE. `hidden`: number of hidden units.
    `start`: weights to begin with; None: random ones. ValueError if no game had a finished turn.
    """
    chance = Random(seed)
    weights = start
    for game in range(games):
        follows = start is not None or game >= LEARNED_FROM_OTHERS * games
        turns, won = _played(weights if follows else None, chance)
        for player, seen in turns.items():
            if seen:
                weights = weights or _random_weights(len(seen[0]), hidden, chance)
                share = float(player in won) / len(won)
                weights = learned(weights, seen, share, rate * (1.0 - game / games), trace)
    if weights is None:
        raise ValueError("no game had a turn that ended")
    return weights


def learned(
    weights: WinChance, turns: Sequence[Numbers], won: float, rate: float, trace: float = TRACE
) -> WinChance:
    """The weights after a gradient step on one game's turns.

    `weights`: before it. `turns[turn][input]`: network inputs at the end of each turn of one player. `won`:
    this player's share of the win, 0 to 1. `rate`: learning rate. `trace`: lambda, see TRACE.
    """
    seen = np.array(turns, np.float32)
    units = np.maximum(seen @ weights.hidden + weights.hidden_bias, 0.0)
    judged = 1.0 / (1.0 + np.exp(-(units @ weights.output + weights.output_bias)))
    wanted = np.empty(len(turns))
    following = won
    for turn in reversed(range(len(turns))):
        wanted[turn] = following
        following = trace * following + (1.0 - trace) * judged[turn]
    error = (judged - wanted).astype(np.float32)
    back = np.outer(error, weights.output) * (units > 0.0)
    return WinChance(
        weights.hidden - rate * (seen.T @ back),
        weights.hidden_bias - rate * back.sum(axis=0),
        weights.output - rate * (error @ units),
        weights.output_bias - rate * float(error.sum()),
    )


def write(weights: WinChance, path: Path) -> None:
    """Write weights as JSON for `win_network.fitted`, rounded to four digits."""
    rows = ",\n".join(f"  {_rounded(row)}" for row in weights.hidden)
    path.write_text(
        f'{{\n "hidden": [\n{rows}\n ],\n "hidden_bias": {_rounded(weights.hidden_bias)},\n'
        f' "output": {_rounded(weights.output)},\n "output_bias": {weights.output_bias:.4f}\n}}\n',
        encoding="utf-8",
    )


def _rounded(row: NDArray[np.float32]) -> str:
    return json.dumps([round(float(number), 4) for number in row])


def _random_weights(number: int, hidden: int, chance: Random) -> WinChance:
    """Random weights for `number` inputs and `hidden` units."""

    def spread(width: float) -> float:
        return chance.uniform(-width, width)

    rows = [[spread(number**-0.5) for _ in range(hidden)] for _ in range(number)]
    output = [spread(hidden**-0.5) for _ in range(hidden)]
    zeros = np.zeros(hidden, np.float32)
    return WinChance(np.array(rows, np.float32), zeros, np.array(output, np.float32), 0.0)


def _explorer(weights: WinChance) -> Policy:
    """Policy that follows hints made with these weights.

    A share EXPLORED of its decisions is random.
    """

    def choose(view: View, legal: Sequence[Action], chance: Random) -> Action:
        known = known_state(view)
        choices = different(known)
        if len(choices) == 1:
            return choices[0]
        if chance.random() < EXPLORED:
            return chance.choice(choices)
        return Outlook(known, view["player"] - 1, weights).options()[0].action

    return choose


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit weights and write them to the file of `--out`.

    `arguments`: command line without the program's name; None: that of this process.
    """
    fit_by_options(arguments, fit, fitted, write, __doc__, rate=RATE, trace=TRACE)


if __name__ == "__main__":
    main()


def _played(weights: WinChance | None, chance: Random) -> tuple[dict[int, list[Numbers]], Collection[int]]:
    """Play a game, in which one or two players follow the weights, but for explored moves.

    Returns (such a player -> inputs after each turn, winners). `weights`: None: all play sensibly.
    """
    players = 4 if chance.random() < FOUR_PLAYERS else chance.choice(PLAYERS)
    followers = chance.sample(range(players), 2 if chance.random() < 1 / 3 else 1)
    seats: list[Policy] = [play_sensibly] * players
    if weights is not None:
        for player in followers:
            seats[player] = _explorer(weights)
    turns: dict[int, list[Numbers]] = {player: [] for player in followers}
    state = RULES.setup(VARIANT, players, chance)
    for step in play_out(state, seats, chance):
        state = step.after
        if step.before.phase is Phase.REFILL:
            for player, seen in turns.items():
                seen.append(inputs(known_state(RULES.view(step.before, player)), player))
    return turns, winners(state)
