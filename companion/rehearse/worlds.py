"""Rehearsals in worlds: tables whose people, wiring or sensors differ from the noise profiles."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.core.errors import BadInputError
from companion.games.registry import DEFAULT_GAME, load_virtual
from companion.rehearse.truth_comparison import calibration
from companion.virtual.rehearsal_world import RehearsalWorld

if TYPE_CHECKING:
    from companion.rehearse.game_report import GameReport

ALL, DEVELOPED, HELD_OUT = "all", "developed", "held-out"
"""Names of groups of worlds (tables with unusual people, wiring or sensors).

DEVELOPED: worlds whose games developers may look at. HELD_OUT: worlds for tests only. ALL: both.
"""
GROUPS = (ALL, DEVELOPED, HELD_OUT)
"""Names of groups that `chosen_worlds` accepts."""


def worlds_of(game: str) -> Mapping[str, RehearsalWorld]:
    """Look up all worlds of a game: name -> world, in alphabetical order.

    A world is a table with unusual people, wiring or sensors. BadInputError if the game has no worlds.
    """
    found: Mapping[str, RehearsalWorld] = getattr(load_virtual(game), "worlds", {})
    if not found:
        raise BadInputError(f"{game} has no worlds", where="world", next_step=f"--game {DEFAULT_GAME}")
    return found


def world_of(game: str, name: str) -> RehearsalWorld:
    """Look up a game's world: a table with unusual people, wiring or sensors.

    BadInputError, which says how to list worlds, if there is none of this name.
    """
    found = worlds_of(game).get(name)
    if found is None:
        raise BadInputError(f"no world {name!r}", where="world", next_step="--world list names them all")
    return found


def chosen_worlds(game: str, name: str) -> list[RehearsalWorld]:
    """List the worlds of a group in alphabetical order, or one single world.

    `game`: its name. `name`: one of GROUPS, or the name of a world. BadInputError if it is neither.
    """
    if name not in GROUPS:
        return [world_of(game, name)]
    return [world for world in worlds_of(game).values() if name == ALL or world.held_out == (name == HELD_OUT)]


def worlds_summary(worlds: Sequence[RehearsalWorld], reports: Sequence["GameReport"]) -> dict[str, Any]:
    """Count faults and verdicts per world and group, for JSON.

    Keys: "worlds" (name of a world -> its counts), "developed" and "held_out" (counts of the group; left out
    without games). `worlds`: at least one. `reports` holds equally many games of each world, in the order of
    `worlds`. Seeds and faults of single games are left out for held-out worlds.
    """
    each = len(reports) // len(worlds)
    played = [(world, reports[n * each : (n + 1) * each]) for n, world in enumerate(worlds)]
    groups = {
        name: [one for world, games in played for one in games if world.held_out is held_out]
        for name, held_out in ((DEVELOPED, False), (HELD_OUT, True))
    }
    return {
        "worlds": {world.name: _counts(world, games) for world, games in played},
        **{name.replace("-", "_"): _numbers(games) for name, games in groups.items() if games},
    }


def _counts(world: RehearsalWorld, reports: Sequence["GameReport"]) -> dict[str, Any]:
    """Count one world's faults and verdicts, for JSON.

    Returns the world's text, whether it is held out, and the counts of `_numbers`. A world that is not held
    out also has "faults": seed -> faults in words.
    """
    counts = {"text": world.text, "held_out": world.held_out, **_numbers(reports)}
    if not world.held_out:
        counts["faults"] = {str(one.seed): list(one.troubles) for one in reports if _failing(one)}
    return counts


def _failing(report: "GameReport") -> bool:
    """Whether a game in a world had a wrong claim, verdict or public fact at its end."""
    return bool(report.comparison.troubles) or not report.followed


def _numbers(reports: Iterable["GameReport"]) -> dict[str, Any]:
    """Sum up games of worlds in counts and ratios, for JSON; at least one game.

    "right_of_given": share of right verdicts (0 to 1), None without verdicts. "followed": games whose public
    facts were right at the end. "retractions": mean corrections per game. Other keys are sums, named as in
    `GameReport` and `Comparison`.
    """
    reports = list(reports)
    compared = [report.comparison for report in reports]
    given, wrong = sum(one.given for one in compared), sum(one.wrong_verdicts for one in compared)
    return {
        "games": len(reports),
        "happened": sum(report.happened for report in reports),
        "claims": sum(one.claims for one in compared),
        "verdicts_given": given,
        "wrong_verdicts": wrong,
        "right_of_given": round(1 - wrong / given, 4) if given else None,
        "cannot_tell": sum(one.cannot_tell for one in compared),
        "unjudged": sum(one.unjudged for one in compared),
        "followed": sum(bool(report.followed) for report in reports),
        "games_matching_truth": sum(one.matches for one in compared),
        "calibration": calibration(report.judged for report in reports),
        "retractions": round(sum(report.retractions for report in reports) / len(reports), 2),
        "questions_asked": sum(len(report.questions) for report in reports),
        "tracker_most_ms": round(max((ms for one in reports for ms in one.batch_ms), default=0.0), 1),
    }
