"""Live values as text for people: a line or a bar for each sensor, with its fault."""

from collections.abc import Sequence

from rich.text import Text

from calibration.watch.live_values import Reading
from companion.core.language import localized, term, tr
from companion.core.sensor_terms import place_name

BAR, SHORTEST = 24, 6
"""Longest and shortest bar (letters); the threshold lies in its middle."""
CALLED = {
    "scale": term("part", "scale"),
    "touch": term("part", "touch"),
    "matrix": term("part", "pressure matrix"),
    "reader": term("part", "tag reader"),
    "button": term("part", "button"),
    "camera": term("sensor", "camera"),
}
"""Sensor -> its name for people."""
_HEADS = (
    term("live value", "value"),
    term("live value", "rest"),
    term("live value", "felt at"),
    term("live value", "noise"),
    term("live value", "a second"),
)


def bar(felt: float, length: int) -> str:
    """Draw a sensor's distance from rest as a bar.

    The bar consists of letters. `felt`: 1.0 at the threshold, which lies in the middle of the bar. The bar is
    full at 2.0. `length`: in letters.
    """
    middle = length // 2
    full = round(middle * max(0.0, min(2.0, felt)))
    cells = "█" * full + "·" * (length - full)
    return cells if full > middle else f"{cells[:middle]}┃{cells[middle + 1 :]}"


def columns(one: Reading) -> tuple[str, ...]:
    """Reading's columns as texts: value, at rest, threshold, noise, rate.

    "-" for an unknown one.
    """
    numbers = (one.value, one.baseline, one.threshold)
    whole = tuple("-" if number is None else str(number) for number in numbers)
    noise = "-" if one.noise is None else f"{one.noise:.1f}"
    return (*whole, noise, "-" if one.rate_hz is None else f"{one.rate_hz:.0f}")


def measure(one: Reading) -> str:
    """Text of a reading's measured quantity with its unit; "" for none."""
    return "" if one.measure is None else f"{round(one.measure, 1) + 0.0:.1f} {one.measured_in}"


def line(one: Reading) -> str:
    """Line of text with a sensor's reading, and its fault if it has one."""
    value, rest, least, noise, rate = columns(one)
    said = tr(
        "{place}, {part}: value {value}, rest {rest}, felt at {least}, noise {noise}, {rate} a second",
        place=place_name(one.station),
        part=CALLED[one.part],
        value=value,
        rest=rest,
        least=least,
        noise=noise,
        rate=rate,
    )
    shown = f"{said}, {own}" if (own := measure(one)) else said
    return f"{shown}: {localized(one.fault)}" if one.fault else shown


def bars(readings: Sequence[Reading], width: int, *, bad: str = "red", muted: str = "bright_black") -> Text:
    """Draw readings as a table with bars.

    The table is at most `width` letters wide. `bad` and `muted` are the colours of faults and of unimportant
    text.
    """
    heads = ("", "", *(localized(head) for head in _HEADS), "")
    rows = [
        (localized(place_name(one.station)), localized(CALLED[one.part]), *columns(one), measure(one))
        for one in readings
    ]
    wide = [max(len(row[at]) for row in (heads, *rows)) for at in range(len(heads))]
    length = max(SHORTEST, min(BAR, width - sum(wide) - len(wide)))
    drawn = Text(no_wrap=True)
    drawn.append(_row(heads, wide, " " * length), muted)
    for one, row in zip(readings, rows, strict=True):
        drawn.append("\n")
        drawn.append(_row(row, wide, bar(one.felt, length)), bad if one.fault else "")
        if one.fault:
            drawn.append(f"\n  └ {localized(one.fault)}", bad)
    return drawn


def _row(cells: Sequence[str], wide: Sequence[int], middle: str) -> str:
    """Write a reading's table row: place, sensor, bar, numbers.

    `middle`: the bar. `wide`: widths of the columns (letters).
    """
    numbers = (f"{cell:>{size}}" for cell, size in zip(cells[2:], wide[2:], strict=True))
    return " ".join((f"{cells[0]:{wide[0]}}", f"{cells[1]:{wide[1]}}", middle, *numbers)).rstrip()
