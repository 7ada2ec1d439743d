"""Bench-test ranges for the build guide, from `companion watch --bench`."""

from typing import NamedTuple

from calibration.watch.bench_tests import BACK_SHARE, COUNTS_PER_GRAM, HEARD_SHARE, TOUCH_TIMES
from calibration.watch.camera_values import EDGES_PX, LIGHT, RATE
from calibration.watch.live_values import FOIL_PF, MATRIX_REST, NOISE_G, SCALE_HZ


class Range(NamedTuple):
    """Range in which a bench test's measured number passes.

    `what`: the number's name. `low`, `high`: ends of the range, in `unit`.
    """

    what: str
    low: float
    high: float
    unit: str = ""

    @property
    def words(self) -> str:
        """Range as text, e.g. "0 to 3 g"."""
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.low:g}{unit}" if self.low == self.high else f"{self.low:g} to {self.high:g}{unit}"


RANGES = {
    "scale": (
        Range("noise", 0, NOISE_G, "g"),
        Range("readings a second", SCALE_HZ, 100),
        Range("counts a gram", *COUNTS_PER_GRAM),
        Range("left after unloading", -BACK_SHARE, BACK_SHARE, "%"),
    ),
    "touch": (Range("foil", *FOIL_PF, "pF"), Range("depth of a finger, in thresholds", *TOUCH_TIMES)),
    "matrix": (
        Range("level at rest", 0, MATRIX_REST),
        Range("rows reached", 16, 16),
        Range("columns reached", 16, 16),
    ),
    "reader": (Range("scans that hear the tag", *HEARD_SHARE, "%"),),
    "button": (Range("closed while held", 95, 100, "%"),),
    "camera": (
        Range("pictures a second", *RATE),
        Range("mean light", *LIGHT),
        Range("width of the sharpest edges", *EDGES_PX, "px"),
    ),
}
"""Part that `companion watch PART --bench` tests -> its numbers with ranges, in the order of the report."""
