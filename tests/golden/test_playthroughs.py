"""Whole games, line by line; `python -m tests.golden.make` writes them anew after a wanted change."""

import pytest

from tests.golden.make import GAMES, IN_FULL, SIMULATED, TABLES, path_of, playthrough, simulated


@pytest.mark.parametrize(("game", "variant", "players"), TABLES)
def test_a_playthrough_has_not_changed(game: str, variant: str, players: int) -> None:
    written = path_of(game, variant, players).read_text(encoding="utf-8")
    assert playthrough(game, variant, players).splitlines() == written.splitlines()


@pytest.mark.parametrize(("game", "variant", "players"), TABLES)
def test_a_playthrough_can_be_read_and_replayed(game: str, variant: str, players: int) -> None:
    rules, _ = GAMES[game]
    lines = path_of(game, variant, players).read_text(encoding="utf-8").splitlines()
    words = [line.split(maxsplit=1) for line in lines if line.startswith(("state ", "action "))]
    states = [rules.read_state(text) for word, text in words if word == "state"]
    actions = [rules.read_action(text) for word, text in words if word == "action"]
    for number in range(IN_FULL):
        assert rules.apply(states[number], actions[number]) == states[number + 1]
    assert rules.outcome(states[-1]) is not None


def test_simulated_games_have_not_changed() -> None:
    assert simulated().splitlines() == SIMULATED.read_text(encoding="utf-8").splitlines()
