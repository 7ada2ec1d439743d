"""Summary of many rehearsed games in numbers, faults included."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from companion.rehearse.truth_comparison import calibration

if TYPE_CHECKING:
    from companion.rehearse.game_report import GameReport


def summary(reports: Iterable["GameReport"]) -> dict[str, Any]:
    """Sum up all games in counts and quantiles, for JSON.

    Times are in ms unless the key says otherwise. Link, outage, undo and restart keys appear only if some game
    had them. `failing_seeds` has the worst game first. ZeroDivisionError without reports.
    """
    reports = list(reports)
    wired = [report for report in reports if report.link is not None]
    restarted = any(report.same_end is not None for report in reports)
    undos = sum(report.undone for report in reports)
    outages = [report.outage for report in reports if report.outage is not None]
    compared = [report.comparison for report in reports]
    events = sorted(ms for one in compared for ms in one.event_ms)
    verdicts = sorted(ms for one in compared for ms in one.verdict_ms)
    own = sorted(ms for one in compared for ms in one.own_ms)
    shown = sorted(ms for report in reports for ms in report.shown_ms)
    batches = sorted(ms for report in reports for ms in report.batch_ms)
    failing = sorted((report for report in reports if not _flawless(report)), key=_badness, reverse=True)
    return {
        "games_matching_truth": sum(one.matches for one in compared),
        **({"same_end_without_restarts": sum(bool(one.same_end) for one in reports)} if restarted else {}),
        "claims": sum(one.claims for one in compared),
        "wrong_verdicts": sum(one.wrong_verdicts for one in compared),
        "cannot_tell": sum(one.cannot_tell for one in compared),
        "unjudged": sum(one.unjudged for one in compared),
        "keys_pressed": sum(report.keys_pressed for report in reports),
        "questions_asked": sum(len(report.questions) for report in reports),
        "calibration": calibration(report.judged for report in reports),
        **({"undos": undos, "made_up": sum(report.made_up for report in reports)} if undos else {}),
        "retractions": round(sum(report.retractions for report in reports) / len(reports), 2),
        "mean_score": round(sum(one.score for one in compared) / len(reports), 3),
        "event_median_ms": _quantile(events, 0.5),
        "event_p95_ms": _quantile(events, 0.95),
        **({"shown_p95_ms": _quantile(shown, 0.95)} if shown else {}),
        "verdict_median_ms": _quantile(verdicts, 0.5),
        "verdict_p95_ms": _quantile(verdicts, 0.95),
        "verdict_unasked_p95_ms": _quantile(own, 0.95),
        **(_link_summary(wired) if wired else {}),
        **(_outage_summary(outages) if outages else {}),
        "tracker_p95_ms": _quantile(batches, 0.95, 2),
        "tracker_most_ms": round(batches[-1], 2) if batches else None,
        "table_seconds": round(sum(report.table_seconds for report in reports), 1),
        "cpu_seconds": round(sum(report.cpu_seconds for report in reports), 1),
        "failing_seeds": [report.seed for report in failing],
        "faults": {str(report.seed): [*report.troubles, *_link_faults(report)] for report in failing},
    }


def _link_summary(reports: list[Any]) -> dict[str, Any]:
    """Sum up link events and table rests, for JSON.

    A rest is a time without movement on the table. The keys are numbers summed over all games, and the 95th
    percentiles of reconnects (s) and round trips (ms). `LinkReport` and `Rests` describe each number; all
    `reports` must have both.
    """
    links, rests = [report.link for report in reports], [report.rests for report in reports]
    return {
        "unplugged": sum(link.unplugged for link in links),
        "reconnects": sum(len(link.reconnect_s) for link in links),
        "reconnect_p95_s": _quantile(sorted(s for link in links for s in link.reconnect_s), 0.95, 3),
        "board_events": sum(link.events for link in links),
        "events_lost": sum(link.lost for link in links),
        "events_doubled": sum(link.doubled for link in links),
        "events_cut_by_power": sum(link.cut_by_power for link in links),
        "rests": sum(one.rested for one in rests),
        "rests_untrue": sum(one.untrue for one in rests),
        "rests_misfelt": sum(one.misfelt for one in rests),
        "rests_after_reconnect": sum(one.returned for one in rests),
        "rests_after_reconnect_misfelt": sum(one.returned_misfelt for one in rests),
        "bad_frames": sum(link.bad_frames for link in links),
        "resends": sum(link.resends for link in links),
        "repeats": sum(link.repeats for link in links),
        "rtt_p95_ms": _quantile(sorted(ms for link in links for ms in link.rtt_ms), 0.95, 3),
    }


def _outage_summary(reports: list[Any]) -> dict[str, Any]:
    """Sum up the outages of several games, for JSON.

    Keys: games whose end was noticed, games with a right score, mean and greatest number of repairing keys,
    and games with three keys at most. `reports`: at least one `OutageReport`, which describes each number.
    """
    return {
        "outages_followed": sum(one.followed for one in reports),
        "outages_score_right": sum(one.score_right for one in reports),
        "outage_keys_mean": round(sum(one.keys for one in reports) / len(reports), 2),
        "outage_keys_most": max(one.keys for one in reports),
        "outages_of_three_keys_at_most": sum(one.keys <= 3 for one in reports),
    }


def _link_faults(report: Any) -> list[str]:
    """Name faults of a game's link, in words; empty if there are none.

    Faults are events lost or doubled, rests in which the host held wrong values, and pulled cables that never
    reconnected.
    """
    if report.link is None:
        return []
    counts = {
        "events lost": report.link.lost,
        "events doubled": report.link.doubled,
        "rests of which the host held something untrue": report.rests.untrue,
        "cables that nobody noticed to be back": report.link.unplugged - len(report.link.reconnect_s),
    }
    return [f"link: {count} {what}" for what, count in counts.items() if count]


def _flawless(report: Any) -> bool:
    """Whether a game has no trouble, no fault of the link, and its end does not depend on restarts."""
    return not report.troubles and not _link_faults(report) and report.same_end is not False


def _badness(report: Any) -> tuple[int, ...]:
    """Sort key of a failing game: greater is worse.

    The key is a tuple. Order of its members: wrong verdicts, faults of the final state, claims without a
    verdict, claims left open, questions.
    """
    one = report.comparison
    return (one.wrong_verdicts, len(one.faults), one.unjudged, one.cannot_tell, len(report.questions))


def _quantile(ordered: list[float], share: float, digits: int = 1) -> float | None:
    """Value at `share` (0 to 1) of the ascending list `ordered`, rounded to `digits`.

    No interpolation. None for an empty list.
    """
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], digits) if ordered else None
