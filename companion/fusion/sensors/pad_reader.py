"""The RFID reader of the pad: 2 % of tags are missed at home (hardware notes), 6 % on a rough table.

Young is a card that is still on its way to its place.
"""

from math import log

from companion.core.language import text
from companion.fusion.sensors.sign_model import BOARD_DELAY_S, SignModel

SIGNS = {
    "tag": SignModel(
        missed_nats=-log(0.05),
        clutter_nats=-log(0.01),
        young_nats=-log(0.5),
        young_s=6.0,
        delay_s=BOARD_DELAY_S,
        sensor=text("the reader at the {place}"),
        words=text("read {cards}"),
        health="{} reader",
    ),
    # People may show a card to the pad, or not.
    "visit": SignModel(missed_nats=-log(0.7), clutter_nats=-log(0.01), detected_as="tag"),
}
