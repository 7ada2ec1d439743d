"""Fits the weights of `win_chance`: hints play sensible players, and every beginning of a turn learns who won.

    python -m companion.games.sleeping_queens_2.hints.fit_win_chance --games 1000 --seed 1 --out win_chance.json

Temporal differences with eligibility (TD lambda, Sutton 1988), a gradient step a game, the rate falling to 0.
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from companion.games.sleeping_queens_2.hints.options import Outlook
from companion.games.sleeping_queens_2.hints.player_knowledge import known_state
from companion.games.sleeping_queens_2.hints.win_chance import FACTS, Weights, facts, fitted, standing
from companion.games.sleeping_queens_2.players.policies import Policy, View, play_sensibly
from companion.games.sleeping_queens_2.players.simulation import play_out
from companion.games.sleeping_queens_2.rules.actions import Action
from companion.games.sleeping_queens_2.rules.game_end import winner
from companion.games.sleeping_queens_2.rules.rulebook import RULES
from companion.games.sleeping_queens_2.rules.state import PLAYERS, VARIANT, Phase, State

Table = NDArray[np.float64]
"""A row a player, the one who follows hints first: their facts."""
EXPLORED = 0.03
"""Share of decisions left to chance, so that other positions are seen."""
TRACE = 0.85
"""Lambda: how far the end of the game counts before the judgement of the next turn; 1: nothing else does."""
LEARNED_FROM_OTHERS = 0.05
"""Share of the games that sensible players begin with, before the weights are worth following."""
FOUR_PLAYERS = 0.7
"""Share of games of four players; the others are of any number."""
TWO_FOLLOW = 0.35
"""Share of games in which two players follow hints, not one."""
RATE = 0.002


def fit(
    games: int, seed: int, *, rate: float = RATE, trace: float = TRACE, start: Weights | None = None
) -> Weights:
    """Weights after so many games, from `start` or from zeros; the same seed gives the same weights."""
    chance = Random(seed)
    weights = start or Weights((0.0,) * len(FACTS), (0.0,) * len(FACTS))
    for game in range(games):
        players = 4 if chance.random() < FOUR_PLAYERS else chance.choice(PLAYERS)
        followers = chance.sample(range(players), 2 if chance.random() < TWO_FOLLOW else 1)
        seats: list[Policy] = [play_sensibly] * players
        if start is not None or game >= LEARNED_FROM_OTHERS * games:
            for player in followers:
                seats[player] = _explorer(weights)
        turns, won = turns_of(players, seats, chance)
        for player in followers:
            tables = [seen_by(player, state) for state in turns]
            place = (won - player) % players
            weights = learned(weights, tables, place, rate * (1.0 - game / games), trace)
    return weights


def turns_of(players: int, seats: Sequence[Policy], chance: Random) -> tuple[list[State], int]:
    """The beginning of every turn of a game, and who won it (from 0)."""
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


def seen_by(player: int, state: State) -> Table:
    """The facts of everybody, from this player on to the left."""
    known = known_state(RULES.view(state, player), state.parts)
    seats = [(player + seat) % state.players for seat in range(state.players)]
    return np.array([facts(standing(known, seat)) for seat in seats])


def chances(weights: Weights, table: Table) -> Table:
    """The chance to win of each row of a table."""
    strengths = table @ np.array(weights.others)
    strengths[0] = table[0] @ np.array(weights.you)
    powers = np.exp(strengths - strengths.max())
    shares: Table = powers / powers.sum()
    return shares


def learned(weights: Weights, turns: Sequence[Table], won: int, rate: float, trace: float = TRACE) -> Weights:
    """The weights after one gradient step on the turns of a game that the player of row `won` won."""
    you, others = np.zeros(len(FACTS)), np.zeros(len(FACTS))
    wanted = np.zeros(len(turns[0]))
    wanted[won] = 1.0
    for table in reversed(turns):
        judged = chances(weights, table)
        error = judged - wanted
        you += error[0] * table[0]
        others += error[1:] @ table[1:]
        wanted = trace * wanted + (1.0 - trace) * judged
    return Weights(
        tuple((np.array(weights.you) - rate * you).tolist()),
        tuple((np.array(weights.others) - rate * others).tolist()),
    )


def write(weights: Weights, path: Path) -> None:
    """Write the weights as `win_chance.fitted` reads them, a fact a line, to three digits."""
    rows = [
        f" {json.dumps(fact)}: [{round(you, 3)}, {round(other, 3)}]"
        for fact, you, other in zip(FACTS, weights.you, weights.others, strict=True)
    ]
    path.write_text("{\n" + ",\n".join(rows) + "\n}\n", encoding="utf-8")


def _explorer(weights: Weights) -> Policy:
    """A player who follows hints of these weights, and sometimes chance."""

    def choose(view: View, legal: Sequence[Action], chance: Random) -> Action:
        if len(legal) == 1:
            return legal[0]
        options = Outlook(known_state(view), weights).options()
        return (chance.choice(options) if chance.random() < EXPLORED else options[0]).action

    return choose


def main(arguments: Sequence[str] | None = None) -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000, help="number of games")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same weights")
    parser.add_argument("--rate", type=float, default=RATE, help="step at the beginning")
    parser.add_argument("--trace", type=float, default=TRACE, help="lambda, 0 to 1")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    given = parser.parse_args(arguments)
    start = fitted(given.start) if given.start else None
    write(fit(given.games, given.seed, rate=given.rate, trace=given.trace, start=start), given.out)


if __name__ == "__main__":
    main()
