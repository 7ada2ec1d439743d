"""`companion rehearse`: whole games on the virtual table, without a screen, compared with the truth."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from companion.core.errors import BadInputError
from companion.core.language import in_english
from companion.core.option_types import FILE_PATH, MOST_GAMES, FiniteRange
from companion.core.printable import say
from companion.games.registry import DEFAULT_GAME
from companion.rehearse.parallel_games import Way, rehearse_all, tables_for
from companion.rehearse.sensitivity import ALL, FACTORS, HIGH, LOW, sensitivity, settings_of
from companion.rehearse.summary import summary
from companion.rehearse.table_parts import AWAY_S, DEALS, OUTAGES, parts_of
from companion.rehearse.worlds import chosen_worlds, worlds_of, worlds_summary
from companion.virtual.card_art import ART, CORNERS, NO_MAT, PRINTED, STICKERS

if TYPE_CHECKING:
    from companion.rehearse.game_report import GameReport

MOST_RESTARTS = 20
"""Largest number of restarts of the program in one rehearsed game. A guess."""
MOST_EFFECTS = 20
"""Largest number of constants whose effect is printed, strongest first.

A constant is a number of the fusion that --sensitivity multiplies. --json has all of them.
"""
MOST_PULLS = 20
"""Largest number of pulls of the board's cable in a game: some seconds must lie between two."""
MOST_UNDOS = MOST_CHILDREN = 20
"""Largest number (--undos) of undo presses by mistake in one game. A guess."""


@click.command()
@click.option("--game", default=DEFAULT_GAME, show_default=True, help="The game.")
@click.option("--games", type=click.IntRange(1, MOST_GAMES), default=5, show_default=True)
@click.option(
    "--seed", type=int, default=7, show_default=True, help="Seed of the first game; the next has the next."
)
@click.option("--variant", help="Only this variant; both in turn without it.")
@click.option("--players", type=int, help="Only this number of players; all in turn without it.")
@click.option(
    "--noise", default="clean", show_default=True, help="clean, home, unkind, evening, rough or hostile."
)
@click.option("--through", type=click.Choice(["pixels", "bytes", "observations"]), default="pixels",
              show_default=True, help="Pictures and bytes, bytes alone, or only the fusion.")  # fmt: skip
@click.option("--rig", default="full", show_default=True,
              help="full; judge: no electrodes, no pressure matrix; pad: no camera; camera: no board, claims "
              "by key; camera+pad: no scales; full-reader: full without its reader (texture, electrodes, "
              "scales).")  # fmt: skip
@click.option("--deal", type=click.Choice(DEALS), default="pad", show_default=True,
              help="Cards are tapped on the pad as they are dealt, or not.")  # fmt: skip
@click.option("--cards", type=click.Choice([STICKERS, ART]), default=STICKERS, show_default=True,
              help="Cards are known by stickers, or by art alone, which tells no copies apart.")  # fmt: skip
@click.option("--mat", type=click.Choice([PRINTED, CORNERS, NO_MAT]), default=PRINTED, show_default=True,
              help="Through pixels: a printed mat, its corners on a cloth, or a cloth alone.")  # fmt: skip
@click.option("--unplug", type=click.IntRange(0, MOST_PULLS), default=0, metavar="N",
              help=f"Through bytes: pull the board's cable N times a game (at most {MOST_PULLS}).")  # fmt: skip
@click.option("--restarts", type=click.IntRange(0, MOST_RESTARTS), default=0, metavar="N",
              help=f"Through observations: kill the program N times a game and start it again (at most "
              f"{MOST_RESTARTS}).")  # fmt: skip
@click.option("--down", type=FiniteRange(0, 60), default=0.0, metavar="S",
              help="... after S seconds in which people go on playing.")  # fmt: skip
@click.option("--undos", type=click.IntRange(0, MOST_UNDOS), default=0, metavar="N",
              help=f"Through observations: press undo by mistake N times (at most {MOST_UNDOS}).")  # fmt: skip
@click.option("--children", type=click.IntRange(0, MOST_CHILDREN), default=0, metavar="N",
              help="Through observations: a child presses every button, N times a game.")  # fmt: skip
@click.option("--outage", type=click.Choice(OUTAGES),
              help="Through observations: this is away once, and people press keys.")  # fmt: skip
@click.option("--away", type=FiniteRange(1, 600), default=AWAY_S, show_default=True, metavar="S",
              help="How long an outage lasts, in seconds.")  # fmt: skip
@click.option("--world", metavar="NAME",
              help="People, wiring or sensors of this world, through observations; all, developed, held-out; "
              "list names them. --noise is home there by default.")  # fmt: skip
@click.option("--pace", type=FiniteRange(0.1, 2), default=0.5, show_default=True,
              help="How long people take, 1 is unhurried; cards always rest half a second.")  # fmt: skip
@click.option("--profile", metavar="NAME", default="", help="Through pixels: the rig that companion setup "
              "--table virtual --rig NAME set up, with what setup found out.")  # fmt: skip
@click.option("--first-evening", is_flag=True, help="Through pixels: a camera alone, and what the guided way "
              "of companion play finds out: four corner cards, cards by art.")  # fmt: skip
@click.option(
    "--jobs", type=click.IntRange(1), default=None, help="Games at the same time; all cores by default."
)
@click.option(
    "--record",
    type=FILE_PATH,
    help="Folder for journal and truth, through pixels also video and capture.",
)
@click.option("--sensitivity", "moved", metavar="NAME", help="Through observations: the games again with this "
              f"constant of the fusion times {LOW} and {HIGH}; all moves all of them at random.")  # fmt: skip
@click.option("--count-rates", is_flag=True, help="Through observations: how often each sign was missed and "
              "came without a cause, beside the sensor model.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def rehearse(
    context: click.Context,
    game: str,
    games: int,
    seed: int,
    variant: str | None,
    players: int | None,
    noise: str,
    through: str,
    rig: str,
    deal: str,
    cards: str,
    mat: str,
    unplug: int,
    restarts: int,
    down: float,
    undos: int,
    children: int,
    outage: str | None,
    away: float,
    world: str | None,
    pace: float,
    profile: str,
    first_evening: bool,
    jobs: int | None,
    record: Path | None,
    moved: str | None,
    count_rates: bool,
    as_json: bool,
) -> None:
    """Play whole games on the virtual table and hold what the companion saw against the truth.

    Prints how many games were tracked to the right end, how claims were judged, and delays in ms.
    """
    from companion.fusion.explain.sign_rates import rate_lines, rate_table
    from companion.virtual.rig.noise_profiles import profile as noise_profile

    if world is not None:
        through = _said(context, "through", through) or "observations"
        noise = _said(context, "noise", noise) or "home"
    noise_profile(noise)
    if first_evening:
        rig, cards, mat = "camera", ART, CORNERS
    way = Way(
        through,
        noise,
        rig,
        deal,
        unplug,
        restarts,
        down,
        undos,
        children,
        outage,
        away,
        pace,
        game,
        cards=cards,
        mat=mat,
        profile=profile,
        first_evening=first_evening,
    )
    _check_together(
        way,
        record=record is not None,
        world=world is not None,
        count_rates=count_rates,
        scaled=moved is not None,
    )
    if world == "list":
        _list_worlds(game, as_json)
        return
    tables = tables_for(variant, players, game)
    plan = [(seed + n, *tables[n % len(tables)]) for n in range(games)]
    result: dict[str, Any] = {
        "game": game,
        "games": games,
        "seed": seed,
        "profile": noise,
        "through": through,
        "rig": rig,
        "deal": deal,
        "cards": cards,
        "mat": mat,
    }
    if moved is not None:
        _print_sensitivity(moved, result | _moved(moved, plan, way, jobs), as_json)
        return
    if world is not None:
        counted, reports = _in_worlds(world, plan, way, jobs)
    else:
        reports = rehearse_all(plan, way, record, jobs)
        counted = summary(reports)
    result |= counted
    if count_rates:
        result["rates"] = rate_table(report.rates for report in reports)
    if as_json:
        click.echo(msgspec.json.encode(result, enc_hook=in_english))
        return
    (_print if world is None else _print_worlds)(result)
    for line in rate_lines(result["rates"]) if count_rates else ():
        say(line)


def _moved(moved: str, plan: list[tuple[int, str, int]], way: Way, jobs: int | None) -> dict[str, Any]:
    """Rehearse games again with constants of the fusion multiplied.

    `moved`: name of one constant, or "all". `plan`: (seed, variant, players) of each game. `way`: how the games
    are played. `jobs`: games at the same time; None: one a core. Returns what
    `companion.rehearse.sensitivity.sensitivity` returns: {"sensitivity": ...}.
    """
    seeds = [one for one, _, _ in plan]
    ways = [way._replace(scaled=one) for row in settings_of(moved, seeds) for one in row]
    return sensitivity(moved, seeds, rehearse_all(plan * (len(ways) // len(plan)), ways, None, jobs))


def _in_worlds(
    world: str, plan: list[tuple[int, str, int]], way: Way, jobs: int | None
) -> tuple[dict[str, Any], list["GameReport"]]:
    """Rehearse all games of a plan in each world; (summary, reports of the games).

    A world is a set of habits of people, wiring or sensors. `world`: its name, "all", "developed" or
    "held-out". `plan`: (seed, variant, players) of each game. `jobs`: games at the same time; None: one a core.
    """
    there = chosen_worlds(way.game, world)
    ways = [way._replace(world=one.name) for one in there for _ in plan]
    reports = rehearse_all(plan * len(there), ways, None, jobs)
    return worlds_summary(there, reports), reports


def _check_together(way: Way, *, record: bool, world: bool, count_rates: bool, scaled: bool) -> None:
    """Raise BadInputError for the first combination of options that _refusals forbids.

    `record`, `world`, `count_rates`, `scaled`: --record, --world, --count-rates or --sensitivity is given.
    """
    for impossible, reason, next_step in _refusals(way, record, world, count_rates, scaled):
        if impossible:
            raise BadInputError(reason, next_step=next_step)


def _refusals(
    way: Way, record: bool, world: bool, count_rates: bool, scaled: bool
) -> tuple[tuple[bool, str, str], ...]:
    """(asked for, reason, next step) of each unrehearsable combination.

    `asked for`: True if the options ask for this combination. The reason is a sentence, the next step an
    option. `way`: options that say how games are rehearsed. `record`, `world`, `count_rates`, `scaled`:
    --record, --world, --count-rates or --sensitivity is given.
    """
    board = parts_of(way.rig).board
    observed = way.through == "observations"
    pixels, through_bytes, art = way.through == "pixels", way.through == "bytes", way.cards == ART
    seen, plain = "--through pixels", "--through observations"
    either = "--through pixels or observations"
    return (
        (bool(way.profile) and not pixels, "a profile is rehearsed through pixels and bytes", seen),
        (bool(way.profile) and record, "a recording has the table's own enrolment", "leave out --profile"),
        (
            way.first_evening and (not pixels or bool(way.profile)),
            "a first evening is rehearsed through pixels, with no profile",
            seen,
        ),
        (through_bytes and record, "this way nothing is recorded", either),
        (pixels and record and way.rig != "full", "pictures and bytes are recorded together", "--rig full"),
        (through_bytes and not board, "a camera alone has no board to send bytes", either),
        (
            not observed and not parts_of(way.rig).stations,
            "a board without sensors at its stations is rehearsed by observations alone",
            plain,
        ),
        (art and through_bytes, "only a camera sees art", either),
        (art and bool(way.restarts), "numbers of cards by art are not continued", "--cards stickers"),
        (way.mat != PRINTED and not pixels, "only a camera sees the mat", seen),
        (art and record, "a recording has no file of enrolled cards", "--cards stickers"),
        (count_rates and not observed, "signs are counted in games through observations", plain),
        (
            scaled and (not observed or world or record or count_rates),
            "a constant is scaled in plain games through observations",
            "leave out the other options",
        ),
        (
            bool(way.unplug) and not through_bytes,
            "only a game through bytes has a cable to pull",
            "--through bytes",
        ),
        (bool(way.restarts) and not observed, "only games through observations are restarted", plain),
        (
            bool(way.undos) and (not observed or bool(way.restarts or way.outage or world)),
            "undos are rehearsed in plain games through observations",
            "leave out the other options",
        ),
        (bool(way.children) and not observed, "children press buttons in games through observations", plain),
        (
            bool(way.outage) and (not observed or way.rig != "full" or bool(way.restarts)),
            "an outage is rehearsed with a full rig, without restarts",
            plain,
        ),
        (
            world and (not observed or bool(way.restarts or way.outage) or record),
            "a world is rehearsed by itself, and not recorded",
            plain,
        ),
    )


def _said(context: click.Context, name: str, value: str) -> str | None:
    """`value` if somebody gave option `name`; else None.

    None means that it is the default.
    """
    given = context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT
    return value if given else None


def _list_worlds(game: str, as_json: bool) -> None:
    """Print name and description of each world of a game.

    A world marked "held out" was not looked at while the program was developed.
    """
    worlds = worlds_of(game).values()
    if as_json:
        rows = [{"name": one.name, "text": one.text, "held_out": one.held_out} for one in worlds]
        click.echo(msgspec.json.encode({"game": game, "worlds": rows}, enc_hook=in_english))
        return
    for one in worlds:
        say(f"{one.name:20} {'held out ' if one.held_out else 'developed'}  {one.text}")


def _print_sensitivity(moved: str, result: dict[str, Any], as_json: bool) -> None:
    """Print how results change when constants are multiplied.

    Results are claims, verdicts and questions. `moved`: name of a constant, or "all". `result`: what the
    command prints with --json, which it does if `as_json`.
    """
    if as_json:
        click.echo(msgspec.json.encode(result, enc_hook=in_english))
        return
    found = result["sensitivity"]
    say(f"{result['games']} games a row, noise {result['profile']}, through observations")
    say(f"{'':24}{'games':>7}{'tracked':>9}{'claims':>8}{'wrong':>7}{'open':>6}{'asked':>7}{'back':>6}")
    if moved == ALL:
        rows = {name: found[name] for name in ("as they are", "moved at random")}
    else:
        rows = {f"{one['constant']} x{one['factor']}": one for one in found}
    for name, row in rows.items():
        number = result["games"] * (len(FACTORS) if name == "moved at random" else 1)
        say(
            f"{name:24}{number:7}{row['games_matching_truth']:9}{row['claims']:8}"
            f"{row['wrong_verdicts']:7}{row['cannot_tell']:6}{row['questions_asked']:7}{row['retractions']:6}"
        )
    if moved == ALL:
        say(f"what x{HIGH} does to a game, compared with x{LOW}; * stands out among all")
        for one in found["effects"][:MOST_EFFECTS]:
            mark = "*" if one["stands_out"] else " "
            say(f"{mark} {one['constant']:22}{one['counted']:22}{one['effect']:+7.2f} +- {one['error']:.2f}")


def _print_worlds(result: dict[str, Any]) -> None:
    """Print a line for each world: claims, verdicts, and games followed to the end.

    `result`: what the command prints with --json.
    """
    say(f"{result['games']} games a world, noise {result['profile']}, through observations")
    say(f"{'world':22}{'claims':>7}{'given':>7}{'wrong':>7}{'open':>7}{'unheard':>9}{'followed':>10}")
    groups = {name: result[name] for name in ("developed", "held_out") if name in result}
    for name, row in (*result["worlds"].items(), *groups.items()):
        say(
            f"{name:22}{row['claims']:7}{row['verdicts_given']:7}{row['wrong_verdicts']:7}{row['cannot_tell']:7}"
            f"{row['unjudged']:9}{row['followed']:10}"
        )


def _print(result: dict[str, Any]) -> None:
    """Print a summary of rehearsed games.

    The summary has tracked games, claims, questions, delays and faults. `result`: what the command prints with
    --json.
    """
    by_hand = ", dealt by hand" if result["deal"] == "hand" else ""
    say(
        f"{result['games']} games, noise {result['profile']}, through {result['through']}, "
        f"rig {result['rig']}{by_hand}, cards by {result['cards']}"
    )
    say(f"  tracked to the true end     {result['games_matching_truth']}")
    if "same_end_without_restarts" in result:
        say(f"  same end without restarts   {result['same_end_without_restarts']}")
    say(
        f"  claims                      {result['claims']}: {result['wrong_verdicts']} judged wrongly, "
        f"{result['cannot_tell']} left open, {result['unjudged']} unheard"
    )
    say(f"  keys pressed, questions     {result['keys_pressed']}, {result['questions_asked']}")
    say(f"  taken back, a game          {result['retractions']}")
    say(f"  card at rest to event       {result['event_median_ms']} ms, p95 {result['event_p95_ms']} ms")
    if "shown_p95_ms" in result:
        say(f"  ... shown by the sensors    p95 {result['shown_p95_ms']} ms")
    say(f"  claim to verdict            {result['verdict_median_ms']} ms, p95 {result['verdict_p95_ms']} ms")
    say(f"  ... less people's answers   p95 {result['verdict_unasked_p95_ms']} ms")
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
