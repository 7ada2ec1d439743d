"""Touch electrodes under the stations. Missed in 1 % of turns, spurious in 0.5 % (hardware notes)."""

from math import log

from companion.core.language import text
from companion.fusion.sensors.sign_model import BOARD_DELAY_S, SignModel

SIGNS = {
    "touch": SignModel(
        missed_nats=-log(0.01),
        clutter_nats=-log(0.005),
        delay_s=BOARD_DELAY_S,
        needs="touch",
        sensor=text("the electrode of {place}"),
        words=text("was touched"),
        health="{} electrode",
    ),
}
