"""Kinds of command-line values that more than one command takes."""

import math
from typing import Any

import click


class FiniteRange(click.FloatRange):
    """A number within bounds; unlike click's own, not a number is no number."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is not a number that can be used.", param, ctx)
        return number
