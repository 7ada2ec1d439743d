"""Load cells under the stations: cards that come and go, hands that rest there.

Young are a card in a hand and a scale that lies between two counts.
"""

from math import log

from companion.core.language import text
from companion.fusion.sensors.sign_model import SignModel

_DELAY_S = (0.1, 0.5)
_SENSOR = text("the scale of {place}")
SIGNS = {
    "lift": SignModel(
        missed_nats=-log(0.01),
        clutter_nats=-log(0.01),
        young_nats=-log(0.13),
        young_s=12.0,
        delay_s=_DELAY_S,
        sensor=_SENSOR,
        words=text("lost a card"),
        health="{} scale",
    ),
    "put": SignModel(
        missed_nats=-log(0.01),
        clutter_nats=-log(0.01),
        young_nats=-log(0.13),
        young_s=4.0,
        delay_s=_DELAY_S,
        sensor=_SENSOR,
        words=text("gained a card"),
        health="{} scale",
    ),
    "off": SignModel(
        missed_nats=0.0, clutter_nats=-log(0.005), sensor=_SENSOR, words=text("was empty for a moment")
    ),
    "hand": SignModel(
        missed_nats=0.0, clutter_nats=0.0, sensor=_SENSOR, words=text("carried a hand for a while")
    ),
}
MOVES = ("lift", "put")
"""A card that goes or comes."""
