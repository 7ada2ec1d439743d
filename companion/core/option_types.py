"""Types of command-line options that several commands share."""

import math
import os
from pathlib import Path
from typing import Any

import click

from companion.core.errors import BadInputError
from companion.core.files import name_fault

MOST_GAMES = 10_000_000
"""Most games of one run."""


class FiniteRange(click.FloatRange):
    """A number within bounds. Unlike click's own type it rejects nan and infinity."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is not a number that can be used.", param, ctx)
        return number


class FilePath(click.Path):
    """A path that a file can have; BadInputError for a name that no file system accepts."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        text = os.fspath(value)
        if fault := name_fault(text):
            where = param.opts[0] if param else ""
            raise BadInputError(fault, where=where, next_step="name a file")
        return Path(text)


FILE_PATH = FilePath()
