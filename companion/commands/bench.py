"""`companion bench`: speed and memory, as ratios against something run beside it. Only in a checkout."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import click
import msgspec

from companion.core.errors import BadInputError
from companion.core.option_types import FiniteRange
from companion.core.printable import say


def _of_game(part: str) -> Any:
    from companion.games.registry import DEFAULT_GAME, load_part

    return load_part(DEFAULT_GAME, f"benchmarks.{part}")


def _engine(seconds: float) -> dict[str, Any]:
    result: dict[str, Any] = _of_game("rules_bench").bench_engine(seconds)
    return result


def _rules(seconds: float, game: str) -> dict[str, Any]:
    from companion.benchmarks.random_play import bench_random_play

    return bench_random_play(seconds, game)


def _link(seconds: float) -> dict[str, Any]:
    from companion.benchmarks.link_bench import bench_link

    return bench_link(seconds)


def _hints(seconds: float) -> dict[str, Any]:
    result: dict[str, Any] = _of_game("hints_bench").bench_hints(seconds)
    return result


def _dashboard(seconds: float) -> dict[str, Any]:
    from companion.benchmarks.dashboard_bench import bench_dashboard

    return bench_dashboard(seconds)


def _places(seconds: float) -> dict[str, Any]:
    from companion.benchmarks.place_accuracy import bench_places

    return bench_places(seconds)


def _art(seconds: float, seed: int = 7, held_out: bool = False) -> dict[str, Any]:
    from companion.benchmarks.art_bench import bench_art

    return bench_art(seconds, seed, held_out=held_out)


_TIMED: dict[str, tuple[Callable[..., dict[str, Any]], str]] = {
    "engine": (_engine, "The rules, beside python-chess."),
    "rules": (_rules, "The rules of any game, whole games at random, beside python-chess."),
    "link": (_link, "The wire, in real MicroPython."),
    "hints": (_hints, "Hints at every point of whole games."),
    "dashboard": (_dashboard, "The screen in a terminal: first paint, keys, processor time, memory, contrast."),
    "places": (_places, "Places on the mat through bent lenses, beside a plain homography."),
    "art": (_art, "Cards known by their art among strangers: live, and in photographs beside ORB."),
}
"""Benchmarks that run for a number of seconds."""
_SEEDED = ("art",)
"""Those with a seed."""
_OTHERS = {
    "texture": ("companion.benchmarks.press_bench:texture", "Presses on the pressure matrix, told apart."),
    "calibration": (
        "companion.benchmarks.calibration_bench:calibration",
        "What setup measures, against the truth.",
    ),
    "soak": ("companion.benchmarks.dashboard_soak:soak", "Memory of the screen over a thousand games."),
    "vision": ("companion.benchmarks.vision_bench:vision", "The camera's code, beside the stock decoders."),
}
"""Benchmarks with options of their own, imported when they are called."""


class _Benches(click.Group):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if find_spec("companion.benchmarks") is None:
            # The wheel leaves the benchmarks out (pyproject.toml): no family needs them.
            raise BadInputError(
                "the benchmarks are not part of an installed program",
                where="bench",
                next_step="run it in a checkout of the source, after: make dev",
            )
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*_TIMED, *_OTHERS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _TIMED:
            return _timed(cmd_name)
        if cmd_name not in _OTHERS:
            return None
        module, name = _OTHERS[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in [*_TIMED.items(), *_OTHERS.items()]])


def _timed(what: str) -> click.Command:
    measure, words = _TIMED[what]

    @click.command(what, help=words)
    @click.option(
        "--seconds", type=FiniteRange(0.2, 600), default=6.0, show_default=True, help="How long to measure."
    )
    @click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
    def command(seconds: float, as_json: bool, **more: Any) -> None:
        result = {"bench": what, **measure(seconds, **more)}
        if as_json:
            click.echo(msgspec.json.encode(result))
            return
        width = max(map(len, result))
        for name, value in result.items():
            shown = f"{value:,}" if isinstance(value, int | float) else f"{value}"
            say(f"{name:{width}}  {shown}")

    if what == "rules":
        from companion.games.registry import DEFAULT_GAME

        return click.option("--game", default=DEFAULT_GAME, show_default=True, help="The game.")(command)
    if what in _SEEDED:
        seed = click.option(
            "--seed", type=click.IntRange(0), default=7, show_default=True, help="Of all drawn."
        )
        held_out = click.option("--held-out", is_flag=True, help="Styles that nothing was chosen for, live.")
        return seed(held_out(command))
    return command


@click.group(cls=_Benches)
def bench() -> None:
    """Measure a part, as ratios against something run beside it."""
