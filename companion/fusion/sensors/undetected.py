"""Signs that no sensor detects: their cost is that of a step of which nothing shows."""

from math import log

from companion.fusion.sensors.sign_model import SignModel

SIGNS = {
    # An action that leaves no sign although the pad could have read its card.
    "silent": SignModel(missed_nats=-log(0.05), clutter_nats=0.0, needs="tag", health="pad reader"),
    # Cards that somebody played without a check.
    "idle": SignModel(missed_nats=-log(0.05), clutter_nats=0.0),
    # Cards that somebody played for a look alone, although an electrode would have felt a touch, which is free.
    # In rehearsals nobody does; families may. Set, not measured.
    "untouched": SignModel(missed_nats=-log(0.05), clutter_nats=0.0, needs="touch"),
    # A card that is checked on the pad although an electrode could feel it in place. Set, not measured: some
    # tables do it always.
    "on pad": SignModel(missed_nats=-log(0.1), clutter_nats=0.0, needs="touch"),
    # Something that the rules forbid.
    "irregular": SignModel(missed_nats=-log(0.015), clutter_nats=0.0),
    # A card that the camera saw and never read.
    "unreadable": SignModel(missed_nats=-log(0.05), clutter_nats=0.0, health="camera"),
    # A card beneath another that the camera never read, of at least two possible kinds. Set, not measured: each
    # of them would lie hidden in 5 % of views, and as long as one may still be read, none leads by MARGIN.
    "beneath": SignModel(missed_nats=-log(0.07), clutter_nats=0.0),
    # A pile holds another number of cards than was guessed when nobody watched it.
    "recounted": SignModel(missed_nats=-log(0.3), clutter_nats=0.0),
    # An action that people put off although the rules do not know that.
    "later": SignModel(missed_nats=-log(0.1), clutter_nats=0.0),
}
