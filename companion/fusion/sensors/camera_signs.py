"""The camera: cards that come to rest in a zone or leave it, and hands.

A sticker is hidden in 5 % of views, and never read as another (hardware notes). A reach says least: hands pass
over a deck for many reasons. Young is a sticker that lies hidden for a moment. The cost of "unread" is set, not
measured.
"""

from math import log

from companion.core.language import text
from companion.fusion.likelihood import HIDDEN_CARD
from companion.fusion.sensors.sign_model import SignModel

_AT, _OVER = text("the camera over the {place}"), text("the camera over {place}")
SIGNS = {
    "new": SignModel(
        missed_nats=-log(0.002),
        clutter_nats=-log(0.05),
        sensor=_AT,
        words=text("saw {cards} for the first time"),
    ),
    "gone": SignModel(
        missed_nats=-log(0.01),
        clutter_nats=-log(0.1),
        young_nats=-log(0.6),
        young_s=6.0,
        sensor=_AT,
        words=text("saw {cards} no more"),
    ),
    "back": SignModel(missed_nats=0.0, clutter_nats=-log(0.005), sensor=_AT, words=text("saw {cards} again")),
    "again": SignModel(
        missed_nats=0.0, clutter_nats=-log(0.001), sensor=_AT, words=text("saw {cards} laid down again")
    ),
    "left": SignModel(
        missed_nats=-log(0.01),
        clutter_nats=-log(0.02),
        sensor=_OVER,
        words=text("saw {cards} go"),
        health="camera",
    ),
    # A single card: where a reflection hides it as it lies there, nothing of it is seen.
    "single": SignModel(missed_nats=HIDDEN_CARD, clutter_nats=-log(0.02), detected_as="left", health="camera"),
    # Cards that lay in view for a while are hardly missed when all of them go.
    "swept": SignModel(missed_nats=-log(0.0005), clutter_nats=-log(0.02), detected_as="left", health="camera"),
    "came": SignModel(
        missed_nats=-log(0.000003), clutter_nats=-log(0.003), sensor=_OVER, words=text("saw {cards}")
    ),
    "shown": SignModel(missed_nats=-log(0.02), clutter_nats=-log(0.003), detected_as="came"),
    "top": SignModel(missed_nats=-log(0.4), clutter_nats=-log(0.05), detected_as="new"),
    # The same where a card that lay on the pile before counts, too. It is missed if it stays unread until the
    # next one, or is the one that lay on top before the pile was shuffled. Some piles lie out of sight.
    "topped": SignModel(
        missed_nats=-log(0.03),
        clutter_nats=-log(0.05),
        needs="topped",
        sensor=_AT,
        words=text("saw {cards} on top"),
        health="camera",
    ),
    # A card that comes to a zone in which it may have lain before: then it is not seen for the first time.
    "laid": SignModel(missed_nats=-log(0.1), clutter_nats=-log(0.05), detected_as="new"),
    "glance": SignModel(missed_nats=-log(0.01), clutter_nats=-log(0.003), detected_as="came", health="camera"),
    "unread": SignModel(
        missed_nats=-log(0.002),
        clutter_nats=-log(0.02),
        sensor=_AT,
        words=text("saw a card go that it had not read"),
    ),
    "reach": SignModel(missed_nats=-log(0.2), clutter_nats=-log(0.4), sensor=_AT, words=text("saw a hand")),
    "stay": SignModel(
        missed_nats=0.0,
        clutter_nats=-log(0.03),
        young_nats=0.0,
        young_s=1.0,
        sensor=_OVER,
        words=text("saw a hand for a while"),
    ),
}
SINGLE_CARDS = ("new", "back", "gone")
"""Signs of single cards in a zone."""
