"""When a score is shown: not while hypotheses are divided on whether the game is over."""

from companion.fusion.hypothesis import Hypothesis
from companion.fusion.pruning import ScoredHypotheses
from companion.games.rules import Outcome
from companion.session.endings.sure_end import WAIT_S, SureEnd

ANNA_WINS, BEN_WINS = Outcome(5, 5, "Anna wins."), Outcome(5, 5, "Ben wins.")
ENDS = {"anna": ANNA_WINS, "ben": BEN_WINS, "goes on": None}


def _beam(**costs: float) -> ScoredHypotheses[str, str]:
    return [(cost, Hypothesis(state.replace("_", " "))) for state, cost in costs.items()]


def test_an_end_that_everything_agrees_on_is_shown_at_once() -> None:
    assert SureEnd().shows(0.0, ANNA_WINS, _beam(anna=3.0), ENDS.get)
    assert SureEnd().shows(0.0, ANNA_WINS, _beam(anna=3.0, goes_on=8.0, ben=9.0), ENDS.get)


def test_an_end_that_is_divided_waits_and_then_counts() -> None:
    for rival in ({"goes_on": 3.2}, {"ben": 3.2}):
        end = SureEnd()
        beam = _beam(anna=3.0, **rival)
        assert not end.shows(0.0, ANNA_WINS, beam, ENDS.get)
        assert not end.shows(WAIT_S - 0.1, ANNA_WINS, beam, ENDS.get)
        assert end.shows(WAIT_S, ANNA_WINS, beam, ENDS.get)


def test_the_wait_begins_anew_when_the_game_goes_on() -> None:
    end = SureEnd()
    beam = _beam(anna=3.0, goes_on=3.2)
    assert not end.shows(0.0, ANNA_WINS, beam, ENDS.get)
    assert not end.shows(5.0, None, beam, ENDS.get)
    assert not end.shows(WAIT_S, ANNA_WINS, beam, ENDS.get)
