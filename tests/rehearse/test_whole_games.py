"""Whole games as long as people play them, on which minutes are spent: `make rehearse`.

Short games of the same kinds are played by tests/rehearse/test_rehearse.py.
"""

import pytest

from companion.rehearse.games_in_bytes import rehearse_wired
from companion.rehearse.games_in_observations import rehearse_observed
from companion.rehearse.games_in_pixels import rehearse_game
from companion.rehearse.parallel_games import tables_for

pytestmark = pytest.mark.long


def test_a_clean_game_is_tracked_to_its_true_end() -> None:
    report = rehearse_game(21, "basic", 3, pace=0.4)
    compared = report.comparison
    assert compared.faults == ()
    assert compared.claims > 0
    assert (compared.wrong_verdicts, compared.cannot_tell, compared.unjudged) == (0, 0, 0)
    assert (report.keys_pressed, report.troubles) == (0, ())
    assert max(compared.verdict_ms) <= 2500  # of table time, not of this machine's


def test_a_game_of_five_plus_is_tracked_to_its_true_end() -> None:
    assert rehearse_game(22, "5+", 2, pace=0.4).comparison.faults == ()


def test_many_games_through_observations() -> None:
    claims = 0
    for seed in range(2):
        for variant, players in tables_for(None, None):
            report = rehearse_observed(seed, variant, players)
            compared = report.comparison
            assert compared.faults == (), (seed, variant, players)
            assert (compared.wrong_verdicts, compared.cannot_tell, compared.unjudged) == (0, 0, 0)
            claims += compared.claims
    assert claims > 25


@pytest.mark.parametrize(
    ("seed", "noise", "variant", "players"),
    [
        (3554, "rough", "basic", 3),  # laid back beneath a hand twice in one turn
        (3617, "rough", "basic", 3),  # a question that named another player's turn
        (30407, "rough", "basic", 3),  # a swept row had so many stories that others were never followed
        (30480, "rough", "5+", 2),  # the final check, while the board was away
        (30549, "rough", "basic", 5),  # a look under a mattress while the camera was away
        (200139, "rough", "5+", 4),  # a touch by a hand that the camera missed, and once more
        (200353, "rough", "basic", 5),  # the first touch of all was missed, its end was not
        (200437, "rough", "basic", 5),  # a scale flickered as a finger came down
        (200723, "rough", "basic", 4),  # a touch whose hand the camera saw late
        (300210, "rough", "basic", 2),  # an arm above the row hid all of it, and what else was open with it
        (9896855, "rough", "basic", 3),  # a story of two looks that was found with one hidden layout alone
        (70217, "home", "basic", 2),  # a play of which one card was never seen
        (71017, "home", "basic", 5),  # a restless scale came back as a hand came
        (700709, "home", "basic", 4),  # a trouble that the best stories alone were rid of again
        (700184, "home", "basic", 4),  # a search that ended at 250 positions lost the true story at a swept row
        (700863, "home", "basic", 4),  # a true story that paid for something passing was not weighed anew
    ],
)
def test_what_was_judged_wrongly_once_is_not_any_more(
    seed: int, noise: str, variant: str, players: int
) -> None:
    compared = rehearse_observed(seed, variant, players, noise=noise).comparison
    assert compared.claims > 0
    assert (compared.wrong_verdicts, compared.unjudged) == (0, 0)


@pytest.mark.parametrize(
    ("seed", "noise", "variant", "players"),
    [
        (70121, "home", "basic", 4),  # a discard from a known hand, one card of it unseen
        (70391, "home", "5+", 4),  # a final check that the camera did not see
        (100026, "home", "5+", 3),  # a final check, and late news of the discard pile
        (60012, "rough", "5+", 3),  # a final check, the last sticker hidden
        (8620029, "home", "basic", 3),  # a witch before the play was swept: too many stories of a swept row
        (8630005, "rough", "5+", 3),  # a mattress without a tag, whose scale was not a card off
    ],
)
def test_what_was_lost_once_is_tracked(seed: int, noise: str, variant: str, players: int) -> None:
    assert rehearse_observed(seed, variant, players, noise=noise).comparison.faults == ()


def test_a_clean_game_through_bytes_survives_its_cable() -> None:
    """People go on playing while the board is away, and the companion still finds the true end."""
    report = rehearse_wired(7, "basic", 2, unplug=3)
    assert report.comparison.faults == ()
    assert report.comparison.wrong_verdicts == 0
    link, rests = report.link, report.rests
    assert link is not None
    assert rests is not None
    assert (link.unplugged, len(link.reconnect_s)) == (3, 3)
    assert max(link.reconnect_s) <= 3.0
    assert link.events > 100
    assert (link.lost, link.doubled, link.bad_frames) == (0, 0, 0)
    assert (rests.untrue, rests.misfelt, rests.returned, rests.returned_misfelt) == (0, 0, 3, 0)


def test_noise_costs_frames_but_no_event_and_repeats_itself() -> None:
    one, other = (rehearse_wired(8, "basic", 3, noise="rough", unplug=2) for _ in range(2))
    link, rests = one.link, one.rests
    assert link is not None
    assert rests is not None
    assert link.unplugged >= 2
    assert link.bad_frames > 10
    assert link.resends > 3
    assert (link.lost, link.doubled, rests.untrue) == (0, 0, 0)
    assert one == other
