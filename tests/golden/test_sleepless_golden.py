"""Whole games, line by line; `python -m tests.golden.make` writes them anew after a wanted change."""

import pytest

from companion.games.sleepless_princess.rules.rulebook import RULES
from tests.golden.make import IN_FULL, SIMULATED, TABLES, path_of, playthrough, simulated


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_a_playthrough_has_not_changed(variant: str, players: int) -> None:
    written = path_of(variant, players).read_text(encoding="utf-8")
    assert playthrough(variant, players).splitlines() == written.splitlines()


@pytest.mark.parametrize(("variant", "players"), TABLES)
def test_a_playthrough_can_be_read_and_replayed(variant: str, players: int) -> None:
    lines = path_of(variant, players).read_text(encoding="utf-8").splitlines()
    states = [RULES.read_state(line.partition(" ")[2]) for line in lines if line.startswith("state ")]
    actions = [RULES.read_action(line.partition(" ")[2]) for line in lines if line.startswith("action ")]
    for number in range(IN_FULL):
        assert RULES.apply(states[number], actions[number]) == states[number + 1]
    assert RULES.outcome(states[-1]) is not None


def test_simulated_games_have_not_changed() -> None:
    assert simulated().splitlines() == SIMULATED.read_text(encoding="utf-8").splitlines()
