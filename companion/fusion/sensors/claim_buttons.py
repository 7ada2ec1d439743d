"""Claim buttons at the stations, also pressed as a key on a screen."""

from math import log

from companion.core.language import text
from companion.fusion.sensors.sign_model import BOARD_DELAY_S, SignModel

SIGNS = {
    "press": SignModel(
        missed_nats=-log(0.0001),
        clutter_nats=-log(0.001),
        delay_s=BOARD_DELAY_S,
        sensor=text("the button of {place}"),
        words=text("was pressed"),
    ),
}
