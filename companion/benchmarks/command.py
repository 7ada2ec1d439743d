"""`companion bench`: speed and memory, as ratios against something run beside it."""

from collections.abc import Callable
from typing import Any

import click
import msgspec

from companion.options import FiniteRange


def _engine(seconds: float) -> dict[str, Any]:
    from companion.benchmarks.engine import bench_engine

    return bench_engine(seconds)


def _link(seconds: float) -> dict[str, Any]:
    from companion.benchmarks.link import bench_link

    return bench_link(seconds)


def _hints(seconds: float) -> dict[str, Any]:
    from companion.benchmarks.hints import bench_hints

    return bench_hints(seconds)


_BENCHES: dict[str, Callable[[float], dict[str, Any]]] = {"engine": _engine, "link": _link, "hints": _hints}


@click.command()
@click.argument("what", type=click.Choice(list(_BENCHES)))
@click.option(
    "--seconds", type=FiniteRange(0.2, 600), default=6.0, show_default=True, help="How long to measure."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench(what: str, seconds: float, as_json: bool) -> None:
    """Measure a part: engine (the rules, beside python-chess), link (the wire, in real MicroPython), hints."""
    result = {"bench": what, **_BENCHES[what](seconds)}
    if as_json:
        click.echo(msgspec.json.encode(result))
    else:
        width = max(map(len, result))
        for name, value in result.items():
            click.echo(
                f"{name:{width}}  {value:,}" if isinstance(value, int | float) else f"{name:{width}}  {value}"
            )
