"""The pressure matrix of the pad: the texture of a pressed card.

Four in ten presses say nothing; `companion bench texture` measures how many.
"""

from math import log

from companion.core.language import text
from companion.fusion.sensors.sign_model import BOARD_DELAY_S, SignModel

SIGNS = {
    "texture": SignModel(
        missed_nats=-log(0.4),
        clutter_nats=-log(0.01),
        young_nats=-log(0.5),
        young_s=6.0,
        delay_s=BOARD_DELAY_S,
        needs="texture",
        sensor=text("the pressure matrix at the {place}"),
        words=text("felt {cards}"),
        health="{} pressure matrix",
    ),
    # People may press a card, or not.
    "pressed": SignModel(missed_nats=0.0, clutter_nats=-log(0.01), detected_as="texture", needs="texture"),
}
