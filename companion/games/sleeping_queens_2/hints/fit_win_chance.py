"""Fit the weights of `win_chance` by games of hints against sensible players.

    python -m companion.games.sleeping_queens_2.hints.fit_win_chance --games 1000 --seed 1 --out win_chance.json

Temporal differences with eligibility (TD lambda, Sutton 1988), steps by Adam (Kingma and Ba 2015).
The rate falls geometrically. Old games are learned from again, and the mean of the last weights is kept.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np

from companion.games.queens.fit_command import fit_by_options
from companion.games.sleeping_queens_2.hints.options import Outlook
from companion.games.sleeping_queens_2.hints.player_knowledge import known_state
from companion.games.sleeping_queens_2.hints.win_chance import (
    FACTS,
    SEATS,
    TABLE_FACTS,
    Floats,
    Weights,
    draw_facts,
    facts,
    fitted,
    standings,
    table_facts,
)
from companion.games.sleeping_queens_2.players.policies import Policy, View, play_sensibly
from companion.games.sleeping_queens_2.players.simulation import play_out
from companion.games.sleeping_queens_2.rules.actions import Action
from companion.games.sleeping_queens_2.rules.game_end import winner
from companion.games.sleeping_queens_2.rules.rulebook import RULES
from companion.games.sleeping_queens_2.rules.state import PLAYERS, VARIANT, Phase, State

UNITS = 64
"""Number of hidden units of the network. A guess."""
EXPLORED = 0.04
"""Share of decisions made at random, so that games reach unusual positions. A guess."""
TRACE = 0.7
"""Lambda (0 to 1) of the temporal differences. A guess.

At 1 only the end of a game counts, at 0 only the value of the next turn.
"""
LEARNED_FROM_OTHERS = 0.05
"""Share of the games, from the first on, in which nobody follows hints. A guess.

The weights are still poor then.
"""
FOUR_PLAYERS = 0.85
"""Share of games with four players. The rest have a random number. A guess."""
TWO_FOLLOW = 0.25
"""Share of games in which two players, not one, follow hints. A guess."""
RATE, LAST_RATE = 0.0007, 0.00002
"""Step size of the optimiser in its first step (RATE) and its last (LAST_RATE). Guesses."""
BATCH = 64
"""Number of games in one step of the optimiser. A guess.

A game counts once for each player who saw it.
"""
AGAIN, REMEMBERED = 2, 4000
"""Numbers of old games. Guesses.

AGAIN: old games learned from again with each new one. REMEMBERED: old games kept for this.
"""
MEAN = 0.002
"""Share (0 to 1) of the newest weights in the running mean that is shipped. A guess."""


class Seen(NamedTuple):
    """Finished game as one player saw it: network inputs.

    Row t of each array is turn t, from 0.
    """

    seats: Floats
    """Inputs on each player, shape (turns, players, FACTS). Player 0 is the one who saw the game."""
    table: Floats
    """Inputs on piles and grid, shape (turns, TABLE_FACTS)."""
    won: int
    """The winner's seat, counted to the left from the player who saw the game (0)."""


class _Adam:
    """Optimiser Adam (Kingma and Ba 2015) for network weights."""

    def __init__(self, weights: Weights) -> None:
        self._mean = [np.zeros_like(part) for part in weights.parts()]
        self._square = [np.zeros_like(part) for part in weights.parts()]
        self._steps = 0

    def step(self, weights: Weights, slope: Weights, rate: float) -> Weights:
        """The weights after one step against the gradient `slope`.

        `rate`: step size.
        """
        self._steps += 1
        parts = []
        for at, (part, change) in enumerate(zip(weights.parts(), slope.parts(), strict=True)):
            self._mean[at] = 0.9 * self._mean[at] + 0.1 * change
            self._square[at] = 0.999 * self._square[at] + 0.001 * change * change
            mean = self._mean[at] / (1.0 - 0.9**self._steps)
            square = self._square[at] / (1.0 - 0.999**self._steps)
            parts.append(part - rate * mean / (np.sqrt(square) + 1e-7))
        return Weights(*parts)


def fit(
    games: int, seed: int, *, rate: float = RATE, trace: float = TRACE, start: Weights | None = None
) -> Weights:
    """Fit the network's weights by `games` simulated games.

    Equal arguments give equal weights.

    `rate`: step size at the start. `trace`: lambda, see TRACE. `start`: weights to begin with; None: random
    ones.
    """
    chance = Random(seed)
    weights = kept = start or random_weights(chance)
    adam = _Adam(weights)
    steps = 0
    memory: list[Seen] = []
    batch: list[Seen] = []
    for game in range(games):
        players = 4 if chance.random() < FOUR_PLAYERS else chance.choice(PLAYERS)
        followers = chance.sample(range(players), 2 if chance.random() < TWO_FOLLOW else 1)
        seats: list[Policy] = [play_sensibly] * players
        if start is not None or game >= LEARNED_FROM_OTHERS * games:
            for player in followers:
                seats[player] = _explorer(weights)
        turns, won = turns_of(players, seats, chance)
        for player in followers:
            seen = seen_by(player, turns, won)
            if len(memory) < REMEMBERED:
                memory.append(seen)
            else:
                memory[chance.randrange(REMEMBERED)] = seen
            batch += [seen, *(chance.choice(memory) for _ in range(AGAIN))]
        if len(batch) >= BATCH or game == games - 1:
            now = rate * (LAST_RATE / RATE) ** (game / games)
            weights = adam.step(weights, gradient(weights, batch, trace), now)
            steps += 1
            kept = _nearer(kept, weights, max(MEAN, 1.0 / steps))
            batch = []
    return kept


def _nearer(old: Weights, new: Weights, share: float) -> Weights:
    """Interpolate weights between `old` and `new`, linearly.

    `share`: 0 for `old`, 1 for `new`.
    """
    return Weights(*(one + share * (other - one) for one, other in zip(old.parts(), new.parts(), strict=True)))


def turns_of(players: int, seats: Sequence[Policy], chance: Random) -> tuple[list[State], int]:
    """Play a game: (states at the turns' starts, winner).

    The winner counts from 0. `players`: how many. `seats`: a policy for each player. `chance`: random stream.
    """
    state = RULES.setup(VARIANT, players, chance)
    turns: list[State] = []
    for step in play_out(state, seats, chance):
        state = step.after
        before = step.before
        if before.phase is Phase.ROLL and (not turns or turns[-1].turns < before.turns):
            turns.append(before)
    won = winner(state)
    assert won is not None, "play_out ends with the game"
    return turns, won


def seen_by(player: int, turns: Sequence[State], won: int) -> Seen:
    """Game as `player` (from 0) saw it: network inputs.

    `turns`: the state at the start of each turn. `won`: the winner (from 0).
    """
    known = [known_state(RULES.view(state, player), state.parts) for state in turns]
    seats = [[facts(own) for own in standings(state, player)] for state in known]
    table = [table_facts(state, draw_facts(state)) for state in known]
    return Seen(np.array(seats), np.array(table), (won - player) % turns[0].players)


def chances(weights: Weights, seen: Seen) -> Floats:
    """Each player's chance to win at each turn: one row a turn, one column a seat.

    `seen`: a finished game, as inputs of the network with `weights`.
    """
    _, judged = _judged(weights, seen)
    return judged


def _judged(weights: Weights, seen: Seen) -> tuple[Floats, Floats]:
    """(values of hidden units, chances of each player to win), one row for each turn.

    `seen`: a finished game, as inputs of the network with `weights`.
    """
    players = seen.seats.shape[1]
    added = np.einsum("tpf,pfu->tpu", seen.seats, weights.seats[:players])
    units = np.maximum(seen.table @ weights.table + weights.bias + added[:, :, :-1].sum(axis=1), 0.0)
    outputs = units @ weights.output[:players].T + weights.output_bias[:players] + added[:, :, -1]
    powers = np.exp(outputs - outputs.max(axis=1, keepdims=True))
    return units, powers / powers.sum(axis=1, keepdims=True)


def gradient(weights: Weights, batch: Sequence[Seen], trace: float = TRACE) -> Weights:
    """Mean gradient of the prediction error over a batch.

    The batch consists of games. It has the shape of the weights; steps go against it. `trace`: lambda (0 to 1),
    see TRACE.
    """
    total = Weights(*(np.zeros_like(part) for part in weights.parts()))
    for seen in batch:
        units, judged = _judged(weights, seen)
        players = judged.shape[1]
        wanted = np.zeros(players)
        wanted[seen.won] = 1.0
        error = np.empty_like(judged)
        for turn in reversed(range(len(judged))):
            error[turn] = judged[turn] - wanted
            wanted = trace * wanted + (1.0 - trace) * judged[turn]
        back = error @ weights.output[:players] * (units > 0.0)
        total.seats[:players, :, :-1] += np.einsum("tpf,tu->pfu", seen.seats, back)
        own = np.einsum("tpf,tp->pf", seen.seats, error)
        total.seats[0, :, -1] += own[0]
        # Weights from facts to the player's own output are shared by all seats except the first.
        total.seats[1:, :, -1] += own[1:].sum(axis=0)
        total.table[...] += seen.table.T @ back
        total.bias[...] += back.sum(axis=0)
        total.output[:players] += error.T @ units
        total.output_bias[:players] += error.sum(axis=0)
    return Weights(*(part / len(batch) for part in total.parts()))


def random_weights(chance: Random, units: int = UNITS) -> Weights:
    """Small random weights to begin with.

    `units`: number of hidden units. Direct weights from a player's facts to that player's output are 0.
    """
    draw = np.random.default_rng(chance.getrandbits(32))
    seats = draw.uniform(-0.15, 0.15, (SEATS, len(FACTS), units + 1))
    seats[:, :, -1] = 0.0
    table = draw.uniform(-0.15, 0.15, (len(TABLE_FACTS), units))
    return Weights(seats, table, np.zeros(units), draw.uniform(-0.05, 0.05, (SEATS, units)), np.zeros(SEATS))


def write(weights: Weights, path: Path) -> None:
    """Write weights as JSON for `win_chance.fitted`, rounded to three digits."""

    def row(numbers: Floats) -> str:
        return json.dumps([round(float(number), 3) for number in numbers])

    def rows(names: Sequence[str], texts: Sequence[str]) -> str:
        return ",\n".join(f"  {json.dumps(name)}: {text}" for name, text in zip(names, texts, strict=True))

    seats = [f"[{', '.join(map(row, weights.seats[:, at]))}]" for at in range(len(FACTS))]
    output = ",\n".join(f"  {row(numbers)}" for numbers in weights.output)
    path.write_text(
        f'{{\n "facts": {{\n{rows(FACTS, seats)}\n }},\n'
        f' "table": {{\n{rows(TABLE_FACTS, [row(numbers) for numbers in weights.table])}\n }},\n'
        f' "bias": {row(weights.bias)},\n "output": [\n{output}\n ],\n'
        f' "output_bias": {row(weights.output_bias)}\n}}\n',
        encoding="utf-8",
    )


def _explorer(weights: Weights) -> Policy:
    """Policy that follows hints made with these weights.

    A share EXPLORED of its decisions is random.
    """

    def choose(view: View, legal: Sequence[Action], chance: Random) -> Action:
        if len(legal) == 1:
            return legal[0]
        options = Outlook(known_state(view), weights).options()
        return (chance.choice(options) if chance.random() < EXPLORED else options[0]).action

    return choose


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit weights and write them to the file of `--out`.

    `arguments`: command line without the program's name; None: that of this process.
    """
    fit_by_options(arguments, fit, fitted, write, __doc__, rate=RATE, trace=TRACE)


if __name__ == "__main__":
    main()
