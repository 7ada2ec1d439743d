"""`companion bench`: the program's speed and memory, beside something comparable.

The command works only in a checkout of the source, because the benchmarks are not installed.
"""

from importlib import import_module
from pathlib import Path

import click

import companion
from companion.core.errors import BadInputError

_CHECKOUT = Path(companion.__file__).parents[1]


@click.command(add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def _absent(words: tuple[str, ...]) -> None:
    raise BadInputError(
        "the benchmarks are not part of an installed program",
        where="bench",
        next_step="they are in tests/benchmarks of the source: run it in a checkout, after: make dev",
    )


_there = (_CHECKOUT / "tests" / "benchmarks" / "cli.py").is_file()
bench: click.Command = import_module("tests.benchmarks.cli").bench if _there else _absent
"""The command `companion bench`.

In an installed program, without the benchmarks, a command that only raises BadInputError.
"""
