"""Command line of the programs that fit weights of hints."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

Weights = TypeVar("Weights")


def fit_by_options(
    arguments: Sequence[str] | None,
    fit: Callable[..., Weights],
    fitted: Callable[[Path], Weights],
    write: Callable[[Weights, Path], None],
    about: str,
    *,
    rate: float,
    trace: float,
) -> None:
    """Fit the weights of hints as a command line says, and write them to a file.

    Its options are --games, --seed, --rate, --trace, --start and --out. `arguments`: the command line without
    the program's name; None: that of this process. `fit`: called with (games, seed, rate=,
    trace=, start=). `fitted` reads weights from a file, `write` writes them. `about`: the help text. `rate`:
    default learning rate. `trace`: default lambda of the temporal differences, 0 to 1.
    """
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000, help="number of games")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same weights")
    parser.add_argument("--rate", type=float, default=rate, help="step at the beginning")
    parser.add_argument("--trace", type=float, default=trace, help="lambda, 0 to 1")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    given = parser.parse_args(arguments)
    start = fitted(given.start) if given.start else None
    write(fit(given.games, given.seed, rate=given.rate, trace=given.trace, start=start), given.out)
