"""How surprising a reading is: costs in nats (negative log-likelihood), one table for every sensor.

Taken from the measured rates of the rig (hardware notes: a touch is missed in 1 % and ghosted in 0.5 % of
turns, a tag is missed on 2 % of placements, a sticker is unread in 5 % of frames but confirmed over several).
"""

from dataclasses import dataclass
from math import log


@dataclass(frozen=True, slots=True)
class TraceCost:
    """`missed`: an action happened and left no such trace. `ghost`: such a trace came without an action."""

    missed: float
    ghost: float


TRACE_COSTS = {
    "touch": TraceCost(missed=-log(0.01), ghost=-log(0.005)),
    "press": TraceCost(missed=-log(0.0001), ghost=-log(0.001)),
    "lift": TraceCost(missed=-log(0.01), ghost=-log(0.01)),
    "put": TraceCost(missed=-log(0.01), ghost=-log(0.01)),
    "left": TraceCost(missed=-log(0.01), ghost=-log(0.02)),
    "came": TraceCost(missed=-log(0.005), ghost=-log(0.05)),
    "tag": TraceCost(missed=-log(0.02), ghost=-log(0.01)),
    "reach": TraceCost(missed=-log(0.2), ghost=-log(0.4)),
}
"""By verb. A reach says least: hands pass over a deck for many reasons."""

WRONG_CARD = -log(0.005)
"""Cost of each card that a settled zone shows and the state does not expect there, or the reverse."""

WRONG_COUNT = -log(0.01)
"""Cost of each card by which a load cell at rest differs from the state."""

MARGIN = 0.4
"""An explanation is believed when it is better than doing nothing by this much."""
