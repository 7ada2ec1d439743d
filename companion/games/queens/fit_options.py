"""Command-line options of programs that fit weights of hints."""

import argparse
from collections.abc import Sequence
from pathlib import Path


def fit_options(
    arguments: Sequence[str] | None, about: str, *, rate: float, trace: float
) -> argparse.Namespace:
    """Parse the command line of a program that fits the weights of hints.

    Its options are --games, --seed, --rate, --trace, --start and --out. `arguments`: without the program's
    name; None: those of this process. `about`: the help text. `rate`: default learning rate. `trace`: default
    lambda of the temporal differences, 0 to 1.
    """
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000, help="number of games")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same weights")
    parser.add_argument("--rate", type=float, default=rate, help="step at the beginning")
    parser.add_argument("--trace", type=float, default=trace, help="lambda, 0 to 1")
    parser.add_argument("--start", type=Path, help="weights to go on from")
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    return parser.parse_args(arguments)
