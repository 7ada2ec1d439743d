"""`companion bench`: every benchmark by name, its module imported only when it is called."""

from importlib import import_module
from typing import Any

import click
import msgspec

from companion.core.option_types import FILE_PATH, FiniteRange
from companion.core.printable import say
from companion.games.registry import DEFAULT_GAME
from companion.virtual.rig.noise_profiles import PROFILES

_TIMED = {
    "engine": ("rules_bench:bench_engine", "The rules, beside python-chess."),
    "rules": (
        "random_play:bench_random_play",
        "The rules of any game, whole games at random, beside python-chess.",
    ),
    "link": ("link_bench:bench_link", "The wire, in real MicroPython."),
    "hints": ("hints_bench:bench_hints", "Hints at every point of whole games."),
    "dashboard": (
        "dashboard_bench:bench_dashboard",
        "The screen in a terminal: first paint, keys, processor time, memory, contrast.",
    ),
    "places": (
        "place_accuracy:bench_places",
        "Places on the mat through bent lenses, beside a plain homography.",
    ),
    "tables": (
        "tables_bench:bench_tables",
        "Several virtual tables at once: processor share and memory of each engine.",
    ),
    "art": (
        "art_bench:bench_art",
        "Cards known by their art among strangers: live, and in photographs beside ORB.",
    ),
}
"""Name -> function of (seconds, own options), and what it measures."""
_COMMANDS = {
    "texture": ("press_bench:texture", "Presses on the pressure matrix, told apart."),
    "parts": ("parts_bench:parts", "Circuits of the rig against models of their parts."),
    "sensors": ("sensors_bench:sensors", "What each sensor is worth: whole games without it."),
    "calibration": ("calibration_bench:calibration", "What setup measures, against the truth."),
    "soak": ("dashboard_soak:soak", "Memory of the screen over a thousand games."),
    "mat": ("mat_bench:mat", "Hostile pictures of the mat: found, refused, wrong."),
    "vision": ("vision_bench:vision", "The camera's code, beside the stock decoders."),
}
"""Name -> click command, and what it measures."""
_OWN_OPTIONS = {
    "rules": [click.option("--game", default=DEFAULT_GAME, show_default=True, help="The game.")],
    "tables": [
        click.option("--tables", type=click.IntRange(1, 32), default=4, show_default=True, help="How many."),
        click.option(
            "--noise",
            type=click.Choice(PROFILES),
            default="clean",
            show_default=True,
            help="Of camera and board.",
        ),
        click.option("--rest", is_flag=True, help="The players pause: nothing moves on the table."),
    ],
    "art": [
        click.option(
            "--seed", type=click.IntRange(0), default=7, show_default=True, help="Seed of everything drawn."
        ),
        click.option("--held-out", is_flag=True, help="Styles that nothing was chosen for, live."),
        click.option(
            "--photos", type=FILE_PATH, metavar="DIR", help="Real photographs, beside a hash, ORB, SIFT."
        ),
        click.option("--live", is_flag=True, help="Those photographs on real cloth, beside drawn cards."),
    ],
}


class _Benches(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*_TIMED, *_COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _TIMED:
            return _timed(cmd_name)
        if cmd_name not in _COMMANDS:
            return None
        command: click.Command = _loaded(_COMMANDS[cmd_name][0])
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            rows = {**_TIMED, **_COMMANDS}.items()
            formatter.write_dl([(name, words) for name, (_, words) in rows])


def _loaded(place: str) -> Any:
    module, name = place.split(":")
    return getattr(import_module(f"tests.benchmarks.{module}"), name)


def _timed(what: str) -> click.Command:
    place, words = _TIMED[what]

    @click.command(what, help=words)
    @click.option(
        "--seconds", type=FiniteRange(0.2, 600), default=6.0, show_default=True, help="How long to measure."
    )
    @click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
    def command(seconds: float, as_json: bool, **own: Any) -> None:
        result = {"bench": what, **_loaded(place)(seconds, **own)}
        if as_json:
            click.echo(msgspec.json.encode(result))
            return
        width = max(map(len, result))
        for name, value in result.items():
            shown = f"{value:,}" if isinstance(value, int | float) else f"{value}"
            say(f"{name:{width}}  {shown}")

    for option in _OWN_OPTIONS.get(what, ()):
        option(command)
    return command


@click.group(cls=_Benches)
def bench() -> None:
    """Measure a part, as ratios against something run beside it."""
