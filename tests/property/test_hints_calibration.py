"""When the belief says 70 %, it is so seven times out of ten: in games in which fingers err."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.rules import CHANCE
from companion.games.sleepless_princess.hints.team_knowledge import SMOOTH, TeamKnowledge
from companion.games.sleepless_princess.players.policies import SensiblePolicy, View
from companion.games.sleepless_princess.players.simulation import play_out
from companion.games.sleepless_princess.rules.actions import Action, Touch
from companion.games.sleepless_princess.rules.rulebook import RULES
from tests.support.hinting import golden

GAMES = 100
TABLES = (("basic", 2), ("basic", 3), ("5+", 2), ("basic", 5))
EVERY = 25
"""So many decisions lie between two looks at the belief."""
BINS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.96, 0.99, 1.000001)
ERRORS = 4.0
"""Standard errors that a bin may be off; games are what is independent, not the mattresses within one."""


class MisledPolicy(SensiblePolicy):
    """A team whose fingers err with the chance `misread`; what it does follows from what it says it felt."""

    def __init__(self, people: Random, misread: float, believed: float) -> None:
        super().__init__(rash=0.1)
        self._people, self._misread, self._believed = people, misread, believed
        self.known: TeamKnowledge

    def start(self, view: View) -> None:
        super().start(view)
        self.known = TeamKnowledge(view, self._believed)
        self._words = [str(kind) for kind in view["princesses"]] + [SMOOTH] * (view["variant"] == "basic")

    def observe(self, player: int, action: Action, seen: Sequence[str]) -> None:
        if isinstance(action, Touch) and self._people.random() < self._misread:
            seen = [self._people.choice([word for word in self._words if word != seen[0]])]
        super().observe(player, action, seen)
        self.known.observe(player, action, seen)


class Said(NamedTuple):
    """One game: chances given that a mattress belongs to a bed, and whether it did."""

    chances: NDArray[np.float64]
    true: NDArray[np.float64]


def games(misread: float, believed: float) -> list[Said]:
    """What was believed of every mattress and bed, now and then in games of people who err."""
    found = []
    for seed in range(GAMES):
        variant, players = TABLES[seed % len(TABLES)]
        chance = Random(seed)
        dealt = RULES.setup(variant, players, chance)
        team = MisledPolicy(Random(f"{seed} people"), misread, believed)
        hers = np.array([[face // 2 == kind for kind in dealt.princesses] for face in dealt.faces], float)
        chances = []
        for number, step in enumerate(play_out(dealt, team, chance)):
            if number % EVERY == 0 and RULES.actor(step.after) != CHANCE:
                chances.append([team.known.homes(slot) for slot in range(len(dealt.faces))])
        found.append(Said(np.array(chances), np.broadcast_to(hers, np.shape(chances))))
    return found


def reliability(said: list[Said]) -> list[tuple[float, int, float, float, float]]:
    """For each bin: its lower end, how often it was said, the mean chance said, the share true, the error.

    The error is the standard error of their difference, from the spread between games.
    """
    table = []
    for low, high in pairwise(BINS):
        rows = [(low <= one.chances) & (one.chances < high) for one in said]
        off = np.array([(one.true - one.chances)[row].sum() for one, row in zip(said, rows, strict=True)])
        count = sum(int(row.sum()) for row in rows)
        if count:
            mean = sum(one.chances[row].sum() for one, row in zip(said, rows, strict=True)) / count
            true = sum(one.true[row].sum() for one, row in zip(said, rows, strict=True)) / count
            table.append((low, count, mean, true, float(np.sqrt((off**2).sum())) / count))
    return table


def off(said: list[Said]) -> list[float]:
    """By how many standard errors each bin is off; one that is exactly right is off by nothing."""
    return [abs(true - mean) / error if error else 0.0 for _, _, mean, true, error in reliability(said)]


@pytest.fixture(scope="module")
def erring() -> dict[float, list[Said]]:
    return {misread: games(misread, misread) for misread in (0.03, 0.10)}


@pytest.mark.parametrize("misread", [0.03, 0.10])
def test_what_is_said_comes_true_as_often_as_said(erring: dict[float, list[Said]], misread: float) -> None:
    said = erring[misread]
    assert sum(row[1] for row in reliability(said)) > 10_000
    assert max(off(said)) < ERRORS


def test_the_reliability_table(erring: dict[float, list[Said]]) -> None:
    """The table itself, for people to read; UPDATE_GOLDEN=1 writes it anew."""
    lines = [f"{GAMES} games each; chance that a mattress is hers: said, and come true"]
    for misread, said in erring.items():
        lines += ["", f"fingers err {misread:.0%}", "   from    times     said     true  std.err"]
        lines += [
            f"{low:7.2f}{count:9d}{mean:9.4f}{true:9.4f}{error:9.4f}"
            for low, count, mean, true, error in reliability(said)
        ]
    golden("reliability.txt", "\n".join(lines) + "\n")


def test_believing_fingers_too_much_would_be_seen() -> None:
    """The proof can fail: a belief that takes 25 % of errors for 3 % is off by far."""
    assert max(off(games(0.25, 0.03))) > ERRORS
