"""The detection model of one sign: how often it is missed or spurious, how late it is, and its words."""

from dataclasses import dataclass

from companion.core.language import Text

CAMERA_DELAY_S = (0.0, 0.4)
BOARD_DELAY_S = (0.0, 0.1)


@dataclass(frozen=True, slots=True)
class SignModel:
    """One row of a sensor. Costs are in nats.

    `missed_nats`: -log(1 - P_D), an action happened without this detection. `clutter_nats`: -log of the clutter
    rate, this detection came without an action. `young_nats`: the same for the first `young_s` seconds, in
    which it may still be undone.
    """

    missed_nats: float
    clutter_nats: float
    young_nats: float = 0.0
    young_s: float = 0.0
    delay_s: tuple[float, float] = CAMERA_DELAY_S
    """Least and greatest delay (s) from the event to the detection."""
    detected_as: str = ""
    """The verb as which a sign is detected that is missed more easily; empty for its own."""
    needs: str = ""
    """The verb that must have been detected once before a missing detection means anything."""
    sensor: Text = Text("")  # noqa: RUF009 - a text never changes
    """The sensor in words for `why`, with its `place`. Empty for what is never detected by itself."""
    words: Text = Text("")  # noqa: RUF009 - a text never changes
    """What the sensor noticed, in words for `why`, with the `cards`."""
    health: str = ""
    """The sensor that is blamed for a miss; {} is the place. Empty where people may skip what leaves the
    sign."""
