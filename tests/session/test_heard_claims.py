"""Claims as they are heard: each one that stays open is answered once, at the place that the tracker reads."""

from companion.fusion.claims.due_cards import OpenClaim
from companion.fusion.parameters.sensors import WIRING
from companion.fusion.wiring import Crossed
from companion.sensing.observation import Button
from companion.session.endings.heard_claims import HeardClaims
from tests.support.inside import wiring_of
from tests.support.observed import GAME, ObservedGame


def test_a_claim_that_is_decided_after_a_later_one_is_answered_too() -> None:
    game = ObservedGame(3)
    game.set_up()
    claims, t = HeardClaims(GAME, game.tracker), game.rig.t
    game.tracker.open_claims.append(OpenClaim(t + 1, 1))
    assert [told.subject for told in claims.left_open(t + 2)] == [2]
    game.tracker.open_claims.append(OpenClaim(t, 0))  # it had waited for a player's answer
    assert [told.subject for told in claims.left_open(t + 8)] == [1]
    assert claims.left_open(t + 9) == []
    assert claims.waiting == (1, 0)
    claims.name_again()
    assert sorted(told.subject for told in claims.left_open(t + 10)) == [1, 2]


def test_a_press_is_told_at_the_station_that_the_tracker_reads() -> None:
    game = ObservedGame(3)
    game.set_up()
    wiring = wiring_of(game.tracker)
    one, two, three = (
        Crossed("buttons", *pair) for pair in (("bed 1", "bed 2"), ("bed 2", "bed 3"), ("bed 1", "bed 2"))
    )
    # Crossed, a cycle of three, and a pair that was found twice.
    for pair, meant in ((one, [2, 1, 3]), (two, [3, 1, 2]), (three, [3, 2, 1])):
        wiring._add(pair, WIRING.sure - WIRING.prior + 1)
        told = [HeardClaims(GAME, game.tracker).hear(9, [Button(9, f"bed {bed}")]) for bed in (1, 2, 3)]
        assert [one.subject for [one] in told] == meant
        assert [wiring.station(Button(9, f"bed {bed}")) for bed in (1, 2, 3)] == [f"bed {n}" for n in meant]
