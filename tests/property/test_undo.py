"""Undo pressed by mistake, at any moment: the game is followed all the same, and nothing is made up."""

import pytest

from companion.rehearse.games_in_observations import rehearse_observed

GAMES = [
    ("sleeping-queens", "basic", 3),
    ("sleepless-princess", "5+", 2),
    ("sleepless-princess", "basic", 3),
    ("sleeping-queens-2", "standard", 2),
]


@pytest.mark.quick(1)
@pytest.mark.parametrize(("game", "variant", "players"), GAMES)
@pytest.mark.parametrize("seed", [9990101, 9990102])
def test_a_mistaken_undo_leads_back_to_the_true_state(seed: int, game: str, variant: str, players: int) -> None:
    """In the first one a draw was undone; its discard was then published twice."""
    report = rehearse_observed(seed, variant, players, game=game, undos=8)
    assert report.undone >= 6
    assert report.comparison.faults == ()
    assert (report.made_up, report.comparison.wrong_verdicts) == (0, 0)
