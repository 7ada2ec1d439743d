"""Games by camera alone whose engine gets so little of the machine that it misses whole turns."""

from companion.games.registry import load_virtual
from tests.support.slow_camera import acted, followed, looks, sightings


def test_a_game_that_is_looked_at_every_six_seconds_is_scored_by_whose_queens_lie_where() -> None:
    played = acted("sleeping-queens", 3, 2)
    session = followed("sleeping-queens", 2, looks(sightings(played), every=6.0))
    assert session.over
    assert load_virtual("sleeping-queens").score_right(played.end, session.tracker.state)
