"""Parameters of models: numbers that say what sensors and people do, each with its unit and its source."""

from dataclasses import field
from typing import TypeVar

T = TypeVar("T")

SOURCES = ("data sheet", "rulebook", "counted", "chosen", "guess")
"""First word of a parameter's source.

`counted`: how often, or which bench prints it. `chosen`: a limit of this program, no fact about sensors or
people. `guess`: nobody has counted it.
"""


def parameter(default: T, *, unit: str, source: str) -> T:
    """Field of a frozen dataclass that holds one number of a model (or a tuple of numbers), with default, unit
    and source.

    `unit`: "s", "mm", "nats", "cards" and the like; "1" for shares and counts. `source`: begins with one of
    SOURCES. Both go into the field's `metadata`. The line below the field says in words what the number is.
    """
    return field(default=default, metadata={"unit": unit, "source": source})
