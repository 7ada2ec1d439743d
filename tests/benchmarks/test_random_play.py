"""The bench of rules plays whole games of any game beside python-chess."""

import pytest

from companion.core.errors import BadInputError
from tests.benchmarks.random_play import bench_random_play


@pytest.mark.parametrize("game", ["sleeping-queens", "sleeping-queens-2", "sleepless-princess"])
def test_whole_games_are_counted_beside_chess(game: str) -> None:
    found = bench_random_play(0.3, game)
    assert found["games"] >= 1, "each round plays one at least"
    ratio = found["steps_per_second"] / found["python_chess_moves_per_second"]
    # It has two digits after the point, which are more than a hundredth of a small ratio.
    assert found["python_chess_ratio"] == pytest.approx(ratio, rel=0.01, abs=0.006)


def test_a_game_that_is_not_there_is_named() -> None:
    with pytest.raises(BadInputError, match="poker"):
        bench_random_play(0.3, "poker")
