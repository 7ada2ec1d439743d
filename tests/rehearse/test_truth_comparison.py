"""Verdicts are held against the claims that they answer, and with the probability that they were given with."""

from companion.fusion.claims.judge import Posterior
from companion.games.claims import Verdict
from companion.rehearse.truth_comparison import calibration, compare, judged
from companion.session.stream.events import Claimed
from companion.virtual.ground_truth import ClaimTruth


def said(t: float, subject: int, verdict: Verdict) -> tuple[float, Claimed]:
    return t, Claimed(t, subject, "", verdict.value, "", "", (), "")


def based(t: float, subject: int, verdict: Verdict, error: float = 0.001) -> Posterior:
    return Posterior(t, subject - 1, verdict, error, 0.0)


def test_a_verdict_before_the_cards_is_held_against_its_own_claim() -> None:
    claims = [ClaimTruth(10.0, 1, True), ClaimTruth(50.0, 2, False), ClaimTruth(90.0, 1, False)]
    verdicts = [
        said(10.5, 1, Verdict.PROVED),
        said(50.5, 2, Verdict.CANNOT_TELL),
        said(58.0, 2, Verdict.REFUTED),
        said(90.5, 1, Verdict.PROVED),
    ]
    posteriors = [based(10.0, 1, Verdict.PROVED), based(90.0, 1, Verdict.PROVED, 0.004)]
    assert judged(posteriors, claims, verdicts) == ((0.999, True), (0.996, False))
    assert calibration([judged(posteriors, claims, verdicts)]) == {"0.995": [1, 0], "0.999": [1, 1]}
    assert compare((), None, (), claims, verdicts).wrong_verdicts == 1


def test_the_time_of_a_verdict_is_told_with_and_without_the_time_of_answers() -> None:
    claims = [ClaimTruth(10.0, 1, True), ClaimTruth(50.0, 2, False)]
    verdicts = [said(10.5, 1, Verdict.PROVED), said(54.0, 2, Verdict.REFUTED)]
    asked = [(8.0, 9.0), (49.0, 51.0), (51.5, 53.75), (60.0, 70.0)]
    compared = compare((), None, (), claims, verdicts, asked)
    assert compared.verdict_ms == (500.0, 4000.0)
    assert compared.own_ms == (500.0, 750.0)


def test_a_report_that_comes_late_is_no_verdict_without_a_claim() -> None:
    """A button whose report was on its way for nine seconds."""
    claims, verdicts = [ClaimTruth(10.0, 1, True)], [said(19.5, 1, Verdict.PROVED)]
    assert judged([based(19.0, 1, Verdict.PROVED)], claims, verdicts) == ((0.999, True),)
    assert compare((), None, (), claims, verdicts).wrong_verdicts == 0


def test_a_verdict_that_nobody_claimed_is_wrong() -> None:
    verdicts = [said(19.5, 3, Verdict.REFUTED)]
    assert judged([based(19.0, 3, Verdict.REFUTED)], [ClaimTruth(19.0, 4, True)], verdicts) == ((0.999, False),)


def test_a_verdict_that_was_not_published_counts_for_nothing() -> None:
    """The cards were turned up first, and then claimed and judged again."""
    claims = [ClaimTruth(10.0, 1, True), ClaimTruth(30.0, 1, True)]
    posteriors = [based(10.0, 1, Verdict.REFUTED), based(30.0, 1, Verdict.PROVED)]
    assert judged(posteriors, claims, [said(30.5, 1, Verdict.PROVED)]) == ((0.999, True),)
