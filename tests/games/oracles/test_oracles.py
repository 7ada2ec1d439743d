"""Second implementations of the queens games agree with ours; many games: `python -m tests.games.oracles`."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement

import pytest

from companion.games.sleeping_queens.rules.rulebook import RULES as QUEENS
from companion.games.sleeping_queens_2.rules.equations import is_equation
from tests.games.oracles.judge import GAMES, Judge, judge
from tests.games.oracles.sleeping_queens_2_oracle import makes_equation

RARE = {"sleeping-queens": {"defend", "sleep", "shuffle"}, "sleeping-queens-2": {"mix", "back", "take"}}
"""Game -> verbs that few games have."""


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("name", "games", "seed"),
    [
        ("sleeping-queens", 3, 5),
        ("sleeping-queens-2", 1, 5),
        ("sleeping-queens", 4, 3),
        ("sleeping-queens-2", 3, 3),
    ],
)
def test_rules_and_oracle_agree_on_every_step(name: str, games: int, seed: int) -> None:
    found = judge(name, games, seed)
    assert not found.disagreements, str(next(iter(found.disagreements.values()))[0])
    assert found.steps > 800
    assert found.refused > 800
    assert all(found.chosen[verb] for verb in RARE[name]), "too few of them tell nothing"


class _Mistaken:
    """The oracle of Sleeping Queens as if it knew no knight, no second turn and no winner."""

    def __init__(self) -> None:
        self.right = GAMES["sleeping-queens"].oracle

    def legal(self, line: str) -> set[str]:
        return self.right.legal(line) - {"knight"}

    def actor(self, line: str) -> int:
        return self.right.actor(line)

    def winners(self, line: str) -> list[int]:
        return self.right.winners(line)[:0]

    def after(self, line: str, action: str) -> str:
        after = self.right.after(line, action)
        return after.replace(" turns=2 ", " turns=1 ") if action == "refill" else after


def test_a_judge_finds_what_an_oracle_has_wrong() -> None:
    found = Judge(replace(GAMES["sleeping-queens"], oracle=_Mistaken()), seed=1)
    found.play(2, "rare")
    assert set(found.disagreements) == {
        "phase=play  ours knight",
        "winners",
        "phase=refill refill ours basic oracle basic",
    }
    first = found.disagreements["phase=play  ours knight"][0]
    assert (first.ours, first.oracle) == ("knight", "nothing more")
    assert "knight" in {
        QUEENS.write_action(action) for action in QUEENS.legal_actions(QUEENS.read_state(first.state))
    }


def _sets_of_numbers(most: int) -> Iterator[tuple[int, ...]]:
    for size in range(3, most + 1):
        yield from (
            cards
            for cards in combinations_with_replacement(range(1, 11), size)
            if max(map(cards.count, cards)) <= 4
        )


@pytest.mark.parametrize("knight", [False, True])
def test_both_know_the_same_equations(knight: bool) -> None:
    found = 0
    for cards in _sets_of_numbers(5):
        theirs = makes_equation(tuple(map(str, cards)), math_knight=knight)
        assert is_equation(cards, knight) == theirs, cards
        found += theirs
    assert found > 100
