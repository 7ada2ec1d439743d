"""What each sensor is worth: the same games with a rig that lacks it, and with each rung of the ladder."""

from typing import Any

import click
import msgspec

from calibration.guide.build_steps import load_guide
from calibration.guide.parts_list import hours_of, price_of
from companion.core.printable import say
from companion.games.registry import DEFAULT_GAME
from companion.rehearse.parallel_games import Way, rehearse_all, tables_for
from companion.rehearse.summary import summary
from companion.rehearse.table_parts import DEALS, RIGS, SENSORS, parts_of

LADDER = [name for name in RIGS if parts_of(name).camera]
ROWS = [*LADDER, *(f"full-{sensor}" for sensor in SENSORS)]
NOISES = ("home", "rough")


def sensor_row(rig: str, noise: str, games: int, seed: int, jobs: int | None = None) -> dict[str, int]:
    """Counts over `games` games of the default game with this rig; the first has this seed.

    `alone`: claims judged before their cards were turned up. `open`: judged by the cards alone.
    """
    way = Way("observations", noise, rig, DEALS[0], 0, 0, 0.0, 0, 0, None, 0.0, 1.0)
    tables = tables_for(None, None, DEFAULT_GAME)
    found = summary(rehearse_all([(seed + n, *tables[n % len(tables)]) for n in range(games)], way, jobs=jobs))
    left = found["cannot_tell"] + found["unjudged"]
    return {
        "claims": found["claims"],
        "alone": found["claims"] - left - found["wrong_verdicts"],
        "open": left,
        "wrong": found["wrong_verdicts"],
        "questions": found["questions_asked"],
        "end_right": found["games_matching_truth"],
        "games": games,
    }


def line(rig: str, rows: dict[str, dict[str, int]]) -> str:
    """The counts of one rig, for each noise profile, and what it costs."""
    counts = "; ".join(
        f"{noise}: {one['alone']} judged alone, {one['open']} open, {one['wrong']} wrong, "
        f"{one['questions']} questions, {one['end_right']} of {one['games']} ends right"
        for noise, one in rows.items()
    )
    return ", ".join(filter(None, (rig, cost(rig)))) + ": " + counts


def cost(rig: str) -> str:
    """Price and hours of a rung of the build guide; nothing for a rig that it does not build."""
    guide = load_guide()
    for rung in guide.rung:
        if rung.rig == rig:
            least, most = price_of(guide, rung)
            return f"{least} to {most} euros, {hours_of(guide, rung)} h"
    return ""


@click.command()
@click.option("--games", type=click.IntRange(1), default=60, show_default=True, help="Games of each cell.")
@click.option("--seed", type=click.IntRange(0), default=9_130_000, show_default=True, help="Of the first game.")
@click.option("--rig", "rigs", multiple=True, metavar="NAME", help="Only these rigs, such as full-reader.")
@click.option("--noise", "noises", multiple=True, type=click.Choice(NOISES), help="Only this profile.")
@click.option("--jobs", type=click.IntRange(1), help="Games at the same time; all cores by default.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def sensors(
    games: int, seed: int, rigs: tuple[str, ...], noises: tuple[str, ...], jobs: int | None, as_json: bool
) -> None:
    """What each sensor is worth: whole games with each rung, and with the full rig less one sensor."""
    rows = rigs or tuple(ROWS)
    for rig in rows:
        parts_of(rig)
    result: dict[str, Any] = {"bench": "sensors", "games": games, "seed": seed}
    for rig in rows:
        counts = {noise: sensor_row(rig, noise, games, seed, jobs) for noise in noises or NOISES}
        result[rig] = {"cost": cost(rig), **counts}
        if not as_json:
            say(line(rig, counts))
    if as_json:
        click.echo(msgspec.json.encode(result))
