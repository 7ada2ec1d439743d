"""Rates of signs are counted in followed games, with intervals, beside those of the sensor model."""

from companion.fusion.explain.sign_rates import SignCount, count_signs, rate_lines, rate_table
from companion.games.sleepless_princess.rules.actions import Play
from companion.sensing.observation import Count, Observation, TagRead
from tests.support.observed import ObservedGame, choose


def followed() -> ObservedGame:
    """A deal and the first play of a perfect rig."""
    game = ObservedGame(3)
    game.set_up()
    while not isinstance(action := choose(game.state, game.chance), Play):
        game.do(action)
    game.do(action)
    return game


def test_a_perfect_rig_misses_nothing_and_has_no_spurious_signs() -> None:
    counts = count_signs(followed().tracker)
    assert counts["put"].due == counts["tag"].due == 15
    assert all(
        one.missed == one.spurious == 0 for verb, one in counts.items() if verb in ("put", "tag", "left")
    )


def test_a_missed_tag_and_a_restless_scale_are_counted() -> None:
    whole, again = ObservedGame(3), ObservedGame(3)
    whole.set_up()
    # The last card of the deal is not read.
    unread = max(t for t, batch in whole.batches if any(isinstance(one, TagRead) and one.card for one in batch))
    for t, batch in whole.batches:
        seen: list[Observation] = [one for one in batch if t != unread or not isinstance(one, TagRead)]
        again.tracker.feed(t, seen)
    t = whole.rig.t
    for n, more in ((1, 4), (2, 3)):
        again.tracker.feed(t + n, [Count(t + n, "bed 1", more, float(more))])
    counts = count_signs(again.tracker)
    assert counts["put"].spurious == 1
    assert counts["tag"][:2] == (15, 1)


def test_rates_of_several_games_are_summed_with_their_intervals() -> None:
    games = [{"touch": SignCount(60, 1, 1)}, {"touch": SignCount(40, 1, 0), "top": SignCount(10, 4, 0)}]
    table = rate_table(games)
    touch = table["touch"]
    assert (touch["due"], touch["missed"], touch["missed_rate"], touch["model_missed"]) == (100, 2, 0.02, 0.01)
    # Wilson's interval of 2 in 100 and the Poisson interval of 1, from tables.
    assert touch["missed_95"] == [0.0055, 0.07001]
    assert 0.0 <= touch["spurious_95"][0] < 0.01 < touch["spurious_95"][1] < 0.07
    assert "spurious" not in table["top"]
    assert len(rate_lines(table)) == 3
