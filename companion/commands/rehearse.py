"""`companion rehearse`: whole games on the virtual table, without a screen, against the truth."""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import msgspec

from companion.core.errors import BadInputError
from companion.core.option_types import FILE_PATH, MOST_GAMES, FiniteRange
from companion.core.printable import say
from companion.core.processes import calm
from companion.games.registry import DEFAULT_GAME, check_table, load_game
from companion.rehearse.table_parts import AWAY_S, DEALS, OUTAGES, parts_of

if TYPE_CHECKING:
    from companion.rehearse.pixels import GameReport

MOST_RESTARTS = 20
MOST_PULLS = 20
"""Times a game's cable can be pulled: it needs some seconds between two."""


class Way(NamedTuple):
    """How games are rehearsed: each option by its name."""

    through: str
    noise: str
    rig: str
    deal: str
    unplug: int
    restarts: int
    down: float
    outage: str | None
    away: float
    pace: float
    game: str = DEFAULT_GAME


@click.command()
@click.option("--game", default=DEFAULT_GAME, show_default=True, help="The game.")
@click.option("--games", type=click.IntRange(1, MOST_GAMES), default=5, show_default=True)
@click.option(
    "--seed", type=int, default=7, show_default=True, help="Seed of the first game; the next has the next."
)
@click.option("--variant", help="Only this variant; both in turn without it.")
@click.option("--players", type=int, help="Only this number of players; all in turn without it.")
@click.option("--noise", default="clean", show_default=True, help="clean, home, rough or hostile.")
@click.option("--through", type=click.Choice(["pixels", "bytes", "observations"]), default="pixels",
              show_default=True, help="Pictures and bytes, bytes alone, or only the fusion.")  # fmt: skip
@click.option("--rig", default="full", show_default=True,
              help="full; pad: no camera; camera: nothing else, and claims are keys.")  # fmt: skip
@click.option("--deal", type=click.Choice(DEALS), default="pad", show_default=True,
              help="Cards are tapped on the pad as they are dealt, or not.")  # fmt: skip
@click.option("--unplug", type=click.IntRange(0, MOST_PULLS), default=0, metavar="N",
              help=f"Through bytes: pull the board's cable N times a game (at most {MOST_PULLS}).")  # fmt: skip
@click.option("--restarts", type=click.IntRange(0, MOST_RESTARTS), default=0, metavar="N",
              help=f"Through observations: kill the program N times a game and start it again (at most "
              f"{MOST_RESTARTS}).")  # fmt: skip
@click.option("--down", type=FiniteRange(0, 60), default=0.0, metavar="S",
              help="... after S seconds in which people go on playing.")  # fmt: skip
@click.option("--outage", type=click.Choice(OUTAGES),
              help="Through observations: this is away once, and people press keys.")  # fmt: skip
@click.option("--away", type=FiniteRange(1, 600), default=AWAY_S, show_default=True, metavar="S",
              help="How long an outage lasts, in seconds.")  # fmt: skip
@click.option("--pace", type=FiniteRange(0.1, 2), default=0.5, show_default=True,
              help="How long people take, 1 is unhurried; cards always rest half a second.")  # fmt: skip
@click.option(
    "--jobs", type=click.IntRange(1), default=None, help="Games at the same time; all cores by default."
)
@click.option(
    "--record",
    type=FILE_PATH,
    help="Folder for journal and truth, through pixels also video and capture.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def rehearse(
    game: str,
    games: int,
    seed: int,
    variant: str | None,
    players: int | None,
    noise: str,
    through: str,
    rig: str,
    deal: str,
    unplug: int,
    restarts: int,
    down: float,
    outage: str | None,
    away: float,
    pace: float,
    jobs: int | None,
    record: Path | None,
    as_json: bool,
) -> None:
    """Play whole games on the virtual table and hold what the companion saw against the truth."""
    from companion.virtual.rig.noise_profiles import profile

    profile(noise)
    parts = parts_of(rig)
    if through == "bytes" and record:
        raise BadInputError("this way nothing is recorded", next_step="--through pixels or observations")
    if through == "pixels" and record and rig != "full":
        raise BadInputError("pictures and bytes are recorded together", next_step="--rig full")
    if through == "bytes" and not parts.board:
        raise BadInputError(
            "a camera alone has no board to send bytes", next_step="--through pixels or observations"
        )
    if through != "bytes" and unplug:
        raise BadInputError("only a game through bytes has a cable to pull", next_step="--through bytes")
    if through != "observations" and restarts:
        raise BadInputError("only games through observations are restarted", next_step="--through observations")
    if outage and (through != "observations" or rig != "full" or restarts):
        raise BadInputError(
            "an outage is rehearsed with a full rig, without restarts", next_step="--through observations"
        )
    tables = tables_for(variant, players, game)
    plan = [(seed + n, *tables[n % len(tables)]) for n in range(games)]
    way = Way(through, noise, rig, deal, unplug, restarts, down, outage, away, pace, game)
    result = {
        "game": game,
        "games": games,
        "seed": seed,
        "profile": noise,
        "through": through,
        "rig": rig,
        "deal": deal,
        **_summary(_play_all(plan, way, record, jobs)),
    }
    if as_json:
        click.echo(msgspec.json.encode(result))
    else:
        _print(result)


def tables_for(variant: str | None, players: int | None, name: str = DEFAULT_GAME) -> list[tuple[str, int]]:
    """Every (variant, players) that was asked for; BadInputError when there is none."""
    game = load_game(name)
    if variant is not None and players is not None:
        check_table(game, variant, players)
    elif variant is not None:
        check_table(game, variant, game.variants.get(variant, (2,))[0])
    elif players is not None and not any(players in allowed for allowed in game.variants.values()):
        raise BadInputError(f"no variant is for {players} players", next_step="--players 2 to 5")
    return [
        (name, number)
        for name, allowed in game.variants.items()
        for number in allowed
        if variant in (None, name) and players in (None, number)
    ]


def _play_all(
    plan: list[tuple[int, str, int]], way: Way, record: Path | None, jobs: int | None
) -> Iterable["GameReport"]:
    """The reports in the order of the plan, however many games are played at the same time."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    from companion.rehearse.progress import Progress

    folders = [record / f"game-{seed}" if record and len(plan) > 1 else record for seed, _, _ in plan]
    work = [(*table, way, folder) for table, folder in zip(plan, folders, strict=True)]
    workers = min(jobs or os.cpu_count() or 1, len(work))
    with Progress(len(work)) as progress, contextlib.ExitStack() as stack:
        games: Iterable[GameReport] = map(_play_one, work)
        if workers > 1:
            # Fresh processes: OpenCV's threads do not survive a fork.
            pool = stack.enter_context(ProcessPoolExecutor(workers, mp_context=get_context("spawn")))
            games = pool.map(_play_one, work)
        reports = []
        for report in games:
            reports.append(report)
            progress.game_done()
        return reports


def _play_one(work: tuple[int, str, int, Way, Path | None]) -> "GameReport":
    calm()
    seed, variant, players, way, record = work
    given: Any = {"game": way.game, "noise": way.noise, "rig": way.rig, "deal": way.deal}
    if way.through == "observations":
        from companion.rehearse.observations import rehearse_observed

        report = rehearse_observed(
            seed,
            variant,
            players,
            record=record,
            restarts=way.restarts,
            down_s=way.down,
            outage=way.outage,
            away_s=way.away,
            **given,
        )
        if way.restarts:
            without = rehearse_observed(seed, variant, players, **given)
            report.same_end = report.comparison.faults == without.comparison.faults
        return report
    if way.through == "bytes":
        from companion.rehearse.bytes import rehearse_wired

        return rehearse_wired(seed, variant, players, unplug=way.unplug, **given)
    import cv2

    from companion.rehearse.pixels import rehearse_game

    cv2.setNumThreads(1)  # games run beside each other already
    return rehearse_game(seed, variant, players, pace=way.pace, record=record, **given)


def _summary(reports: Iterable["GameReport"]) -> dict[str, Any]:
    reports = list(reports)
    wired = [report for report in reports if report.link is not None]
    restarted = any(report.same_end is not None for report in reports)
    outages = [report.outage for report in reports if report.outage is not None]
    compared = [report.comparison for report in reports]
    events = sorted(ms for one in compared for ms in one.event_ms)
    verdicts = sorted(ms for one in compared for ms in one.verdict_ms)
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
        "repairs_a_game": round(sum(report.repairs for report in reports) / len(reports), 2),
        "mean_score": round(sum(one.score for one in compared) / len(reports), 3),
        "event_median_ms": _quantile(events, 0.5),
        "event_p95_ms": _quantile(events, 0.95),
        **({"shown_p95_ms": _quantile(shown, 0.95)} if shown else {}),
        "verdict_median_ms": _quantile(verdicts, 0.5),
        "verdict_p95_ms": _quantile(verdicts, 0.95),
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
    """What became of the events; `LinkReport` and `Rests` say what each number means."""
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
    """What came of outages; `OutageReport` says what each number means."""
    return {
        "outages_followed": sum(one.followed for one in reports),
        "outages_score_right": sum(one.score_right for one in reports),
        "outage_keys_mean": round(sum(one.keys for one in reports) / len(reports), 2),
        "outage_keys_most": max(one.keys for one in reports),
        "outages_of_six_keys_at_most": sum(one.keys <= 6 for one in reports),
    }


def _link_faults(report: Any) -> list[str]:
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
    return not report.troubles and not _link_faults(report) and report.same_end is not False


def _badness(report: Any) -> tuple[int, ...]:
    """The greater the worse: false verdicts first."""
    one = report.comparison
    return (one.wrong_verdicts, len(one.faults), one.unjudged, one.cannot_tell, len(report.questions))


def _quantile(ordered: list[float], share: float, digits: int = 1) -> float | None:
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], digits) if ordered else None


def _print(result: dict[str, Any]) -> None:
    by_hand = ", dealt by hand" if result["deal"] == "hand" else ""
    say(
        f"{result['games']} games, noise {result['profile']}, through {result['through']}, "
        f"rig {result['rig']}{by_hand}"
    )
    say(f"  tracked to the true end     {result['games_matching_truth']}")
    if "same_end_without_restarts" in result:
        say(f"  same end without restarts   {result['same_end_without_restarts']}")
    say(
        f"  claims                      {result['claims']}: {result['wrong_verdicts']} judged wrongly, "
        f"{result['cannot_tell']} left open, {result['unjudged']} unheard"
    )
    say(f"  keys pressed, questions     {result['keys_pressed']}, {result['questions_asked']}")
    say(f"  put right, a game           {result['repairs_a_game']}")
    say(f"  card at rest to event       {result['event_median_ms']} ms, p95 {result['event_p95_ms']} ms")
    if "shown_p95_ms" in result:
        say(f"  ... shown by the sensors    p95 {result['shown_p95_ms']} ms")
    say(f"  claim to verdict            {result['verdict_median_ms']} ms, p95 {result['verdict_p95_ms']} ms")
    say(f"  this machine, a batch       p95 {result['tracker_p95_ms']} ms, most {result['tracker_most_ms']} ms")
    if "board_events" in result:
        say(
            f"  events of the board         {result['board_events']}: {result['events_lost']} lost, "
            f"{result['events_doubled']} doubled, {result['events_cut_by_power']} cut off with the power"
        )
        say(
            f"  cable pulled                {result['unplugged']}, back {result['reconnects']} times "
            f"(p95 {result['reconnect_p95_s']} s)"
        )
        say(f"  the table lay still         {result['rests']} times, misfelt {result['rests_misfelt']}")
    if "outages_followed" in result:
        say(
            f"  after an outage             {result['outages_followed']} followed to the end, "
            f"{result['outages_score_right']} scores right, {result['outage_keys_mean']} keys a game "
            f"({result['outage_keys_most']} at most)"
        )
    for seed, faults in result["faults"].items():
        say(f"  seed {seed}: {'; '.join(faults)}")
