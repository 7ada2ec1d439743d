"""Simulated games: played by policies, with statistics and logs."""

import hashlib
import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Generic, NamedTuple, TextIO, TypeVar

from companion.core.errors import BadInputError
from companion.games.rules import CHANCE, Rules

S = TypeVar("S")
A = TypeVar("A")

CONFIDENCE = 1.96
"""Half width of a 95 % confidence interval, in standard errors (normal distribution)."""


def check_table_size(rules: Rules[Any, Any], variant: str, players: int, games: int) -> None:
    """Raise BadInputError for an unknown variant, an impossible number of players, or no game.

    `rules`: of the game, which tell what is possible. `games`: number of games to play.
    """
    if variant not in rules.variants:
        known = ", ".join(rules.variants)
        raise BadInputError(f"no variant {variant!r}", where="--variant", next_step=f"there are: {known}")
    allowed = rules.variants[variant]
    if players not in allowed:
        takes = f"{variant} takes {allowed[0]} to {allowed[-1]}"
        raise BadInputError(f"{players} players is not possible", where="--players", next_step=takes)
    if games < 1:
        raise BadInputError(f"{games} games cannot be played", where="--games", next_step="give 1 or more")


def mean(values: Sequence[float]) -> float | None:
    """Mean of the values, rounded to 6 digits.

    None if there are no values.
    """
    return round(sum(values) / len(values), 6) if values else None


def interval(values: Sequence[float]) -> list[float] | None:
    """95 % confidence interval of the values' mean: [low, high].

    None for fewer than two values. Rounded to 6 digits.
    """
    count = len(values)
    if count < 2:
        return None
    middle = sum(values) / count
    spread = math.sqrt(sum((value - middle) ** 2 for value in values) / (count - 1) / count)
    return [round(middle - CONFIDENCE * spread, 6), round(middle + CONFIDENCE * spread, 6)]


class GameLog:
    """Record of a simulated game, for a file: each step with legal actions, choice and next state.

    `number`: of the game, from 1. `setup`: the dealt state, in notation.
    """

    def __init__(self, number: int, setup: str) -> None:
        self.record: dict[str, Any] = {"game": number, "setup": setup, "steps": []}

    def step(self, legal: Sequence[str], action: str, state: str) -> None:
        """Add a step: legal actions, chosen action, next state. All are in the game's notation."""
        self.record["steps"].append({"legal": list(legal), "action": action, "state": state})

    def write(self, stream: TextIO) -> None:
        """Write the game as a JSON line into `stream`.

        The object is {"game", "setup", "steps"}. Each step has "legal", "action" and "state".
        """
        stream.write(json.dumps(self.record) + "\n")


def policies_of_seats(policy: str, players: int) -> list[str]:
    """Name of each seat's policy in the first game.

    `policy`: one name for all seats, or one for each of `players` seats, separated by commas. BadInputError
    for another number of names.
    """
    names = policy.split(",")
    if len(names) == 1:
        return names * players
    if len(names) != players:
        raise BadInputError(
            f"{len(names)} policies for {players} players",
            where="--policy",
            next_step="give one, or one for each player",
        )
    return names


def seated(names: Sequence[str], number: int) -> list[str]:
    """Name of each seat's policy in game `number` (from 0).

    After each game the names move on by one seat.
    """
    return [names[(seat - number) % len(names)] for seat in range(len(names))]


class SimulatedStep(NamedTuple, Generic[S, A]):
    """One step of a simulated game.

    `before`, `after`: the states around it. `legal`: actions that were legal. `action`: the chosen one.
    """

    before: S
    legal: tuple[A, ...]
    action: A
    after: S


Policy = Callable[[Mapping[str, Any], Sequence[A], Random], A]
"""A way to play: function (what the player sees, legal actions, chance) -> chosen action."""


def play_at_random(view: Mapping[str, Any], legal: Sequence[A], chance: Random) -> A:
    """Choose any legal action with equal chance."""
    return chance.choice(legal)


@dataclass(frozen=True, slots=True)
class Simulation(Generic[S, A]):
    """A game set up for play between policies, which are functions that choose actions.

    Each policy sees only its own player's view.
    """

    rules: Rules[S, A]
    policies: Mapping[str, Policy[A]]
    """Policy name -> policy."""
    by_chance: Callable[[S, tuple[A, ...], Random], A]
    """Function for steps of chance: (state with every card known, legal actions, chance) -> action."""
    winners: Callable[[S], Sequence[int]]
    """Function: final state -> winning players (from 0)."""
    turns: Callable[[S], int]
    """Function: final state -> number of turns played."""

    def policy(self, name: str) -> Policy[A]:
        """Policy of a name.

        BadInputError, which lists the known names, for another.
        """
        if name not in self.policies:
            known = ", ".join(self.policies)
            raise BadInputError(f"no policy {name!r}", where="--policy", next_step=f"there are: {known}")
        return self.policies[name]

    def play_out(self, dealt: S, seats: Sequence[Policy[A]], chance: Random) -> Iterator[SimulatedStep[S, A]]:
        """Play a dealt game to its end, yielding each step.

        `dealt`: a state with every card known. `seats`: one policy for each player.
        """
        rules, state = self.rules, dealt
        while legal := rules.legal_actions(state):
            actor = rules.actor(state)
            if actor == CHANCE:
                action = self.by_chance(state, legal, chance)
            else:
                action = seats[actor](rules.view(state, actor), legal, chance)
            after = rules.apply(state, action)
            yield SimulatedStep(state, legal, action, after)
            state = after

    def check(self, variant: str, players: int, games: int, policy: str) -> None:
        """Raise BadInputError if a variant, number of players, number of games or policy does not exist."""
        check_table_size(self.rules, variant, players, games)
        for name in policies_of_seats(policy, players):
            self.policy(name)

    def simulate(
        self, variant: str, players: int, games: int, seed: int, policy: str, log: TextIO | None = None
    ) -> dict[str, Any]:
        """Play `games` games and return their statistics.

        Keys: "mean_turns", "turns_ci95", "most_turns", "wins_by_seat", "wins_by_policy", "steps",
        "steps_per_second", "digest" and the arguments. All but "steps_per_second" depend only on the arguments.
        `policy`: one name for all seats, or one for each seat, separated by commas; names move on by one seat
        after each game. If players share a win, each of their seats counts a full win, and each policy a
        fraction. `log`: receives each game as a line of JSON. BadInputError for an argument that does not
        exist.
        """
        self.check(variant, players, games, policy)
        rules, names = self.rules, policies_of_seats(policy, players)
        won_by: dict[str, float] = dict.fromkeys(names, 0.0)
        digest = hashlib.sha256()
        turns: list[int] = []
        wins = [0] * players
        steps = 0
        began = time.perf_counter()
        for number in range(games):
            chance = Random(f"{seed}:{number}")
            state = rules.setup(variant, players, chance)
            setup = rules.write_state(state)
            digest.update(setup.encode())
            record = GameLog(number + 1, setup)
            sitting = seated(names, number)
            for step in self.play_out(state, [self.policies[name] for name in sitting], chance):
                state = step.after
                steps += 1
                if log is not None:
                    legal = [rules.write_action(action) for action in step.legal]
                    record.step(legal, rules.write_action(step.action), rules.write_state(state))
            digest.update(rules.write_state(state).encode())
            if log is not None:
                record.write(log)
            won = self.winners(state)
            for player in won:
                wins[player] += 1
                won_by[sitting[player]] += 1 / len(won)
            turns.append(self.turns(state))
        took = time.perf_counter() - began
        return {
            "game": rules.name,
            "variant": variant,
            "players": players,
            "policy": policy,
            "seed": seed,
            "games": games,
            "mean_turns": mean(turns),
            "turns_ci95": interval(turns),
            "most_turns": max(turns),
            "wins_by_seat": [round(number / games, 6) for number in wins],
            "wins_by_policy": {name: round(number / games, 6) for name, number in won_by.items()},
            "steps": steps,
            "steps_per_second": round(steps / took),
            "digest": digest.hexdigest(),
        }
