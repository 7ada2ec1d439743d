"""The sensor models: for each sign how often it is missed or spurious, how late it is, and its words."""

from dataclasses import dataclass
from math import log

from companion.core.language import Text, text
from companion.core.parameters import parameter
from companion.fusion.parameters.reading_costs import COSTS
from companion.games.signs import Verb


@dataclass(frozen=True, slots=True)
class SensorDelays:
    """Least and greatest delay of each source, from an event to its detection."""

    camera_s: tuple[float, float] = parameter((0.0, 0.4), unit="s", source="guess")
    """A card that comes to rest, or is taken away, until the camera reports it."""
    board_s: tuple[float, float] = parameter((0.0, 0.1), unit="s", source="guess")
    """A tag, a touch, a press, until the board reports it."""
    scale_s: tuple[float, float] = parameter((0.1, 0.5), unit="s", source="guess")
    """A load, until the board reports its count: the scale comes to rest first."""


DELAYS = SensorDelays()


@dataclass(frozen=True, slots=True)
class SignModel:
    """The detection model of one sign. Costs are in nats.

    `missed_nats`: -log(1 - P_D), an action happened without this detection. `clutter_nats`: -log of the clutter
    rate, this detection came without an action. `young_nats`: the same for the first `young_s` seconds, in
    which it may still be undone.
    """

    missed_nats: float
    clutter_nats: float
    source: str
    """Where these numbers come from: begins with one of `companion.core.parameters.SOURCES`."""
    young_nats: float = 0.0
    young_s: float = 0.0
    delay_s: tuple[float, float] = DELAYS.camera_s
    """Least and greatest delay (s) from the event to the detection."""
    detected_as: Verb | None = None
    """The verb as which a sign is detected that is missed more easily; None for its own."""
    needs: Verb | None = None
    """The verb that must have been detected once before a missing detection means anything."""
    sensor: Text = Text("")  # noqa: RUF009 - a text never changes
    """The sensor in words for `why`, with its `place`. Empty for what is never detected by itself."""
    words: Text = Text("")  # noqa: RUF009 - a text never changes
    """What the sensor noticed, in words for `why`, with the `cards`."""
    health: str = ""
    """The sensor that is blamed for a miss; {} is the place. Empty where people may skip what leaves the
    sign."""


_SCALE = text("the scale of {place}")
_AT, _OVER = text("the camera over the {place}"), text("the camera over {place}")

UNDETECTED = {
    # An action that leaves no sign although the pad could have read its card.
    Verb.SILENT: SignModel(
        missed_nats=-log(0.05), clutter_nats=0.0, source="guess", needs=Verb.TAG, health="pad reader"
    ),
    # Cards that somebody played without a check.
    Verb.IDLE: SignModel(missed_nats=-log(0.05), clutter_nats=0.0, source="guess"),
    # Cards that somebody played for a look alone, although an electrode would have felt a touch, which is free.
    Verb.UNTOUCHED: SignModel(
        missed_nats=-log(0.05),
        clutter_nats=0.0,
        source="guess: in rehearsals nobody does; families may",
        needs=Verb.TOUCH,
    ),
    # A card that is checked on the pad although an electrode could feel it in place.
    Verb.ON_PAD: SignModel(
        missed_nats=-log(0.1), clutter_nats=0.0, source="guess: some tables do it always", needs=Verb.TOUCH
    ),
    # Something that the rules forbid.
    Verb.IRREGULAR: SignModel(missed_nats=-log(0.015), clutter_nats=0.0, source="guess"),
    # A card goes on from a place to which it came lately: that was a mistake.
    Verb.MOVED_ON: SignModel(missed_nats=-log(0.005), clutter_nats=0.0, source="guess"),
    # A card that the camera saw and never read.
    Verb.UNREADABLE: SignModel(missed_nats=-log(0.05), clutter_nats=0.0, source="guess", health="camera"),
    # A card beneath another that the camera never read, of at least two possible kinds.
    Verb.BENEATH: SignModel(
        missed_nats=-log(0.07),
        clutter_nats=0.0,
        source="guess: each kind would lie hidden in 5 % of views, and none may lead by `COSTS.margin`",
    ),
    # A pile holds another number of cards than was guessed when nobody watched it.
    Verb.RECOUNTED: SignModel(missed_nats=-log(0.3), clutter_nats=0.0, source="guess"),
    # An action that people put off although the rules do not know that.
    Verb.LATER: SignModel(missed_nats=-log(0.1), clutter_nats=0.0, source="guess"),
}
"""Signs that no sensor detects: their cost is that of a step of which nothing shows."""

MOVED_ON = Verb.MOVED_ON
"""The sign, of its place, of a card that goes on from there: see UNDETECTED."""

SIGN_MODELS = {
    # Touch electrodes under the stations: missed in 1 % of turns, spurious in 0.5 %.
    Verb.TOUCH: SignModel(
        missed_nats=-log(0.01),
        clutter_nats=-log(0.005),
        source="guess: profile `home` of the virtual table",
        delay_s=DELAYS.board_s,
        needs=Verb.TOUCH,
        sensor=text("the electrode of {place}"),
        words=text("was touched"),
        health="{} electrode",
    ),
    # Claim buttons at the stations, also pressed as a key on a screen.
    Verb.PRESS: SignModel(
        missed_nats=-log(0.0001),
        clutter_nats=-log(0.001),
        source="guess",
        delay_s=DELAYS.board_s,
        sensor=text("the button of {place}"),
        words=text("was pressed"),
    ),
    # Load cells under the stations. Young are a card in a hand and a scale that lies between two counts.
    Verb.LIFT: SignModel(
        missed_nats=-log(0.01),
        clutter_nats=-log(0.01),
        source="guess",
        young_nats=-log(0.13),
        young_s=12.0,
        delay_s=DELAYS.scale_s,
        sensor=_SCALE,
        words=text("lost a card"),
        health="{} scale",
    ),
    Verb.PUT: SignModel(
        missed_nats=-log(0.01),
        clutter_nats=-log(0.01),
        source="guess",
        young_nats=-log(0.13),
        young_s=4.0,
        delay_s=DELAYS.scale_s,
        sensor=_SCALE,
        words=text("gained a card"),
        health="{} scale",
    ),
    Verb.OFF: SignModel(
        missed_nats=0.0,
        clutter_nats=-log(0.005),
        source="guess",
        sensor=_SCALE,
        words=text("was empty for a moment"),
    ),
    Verb.HAND: SignModel(
        missed_nats=0.0,
        clutter_nats=0.0,
        source="guess",
        sensor=_SCALE,
        words=text("carried a hand for a while"),
    ),
    # The RFID reader of the pad. Young is a card that is still on its way to its place.
    Verb.TAG: SignModel(
        missed_nats=-log(0.05),
        clutter_nats=-log(0.01),
        source="guess: above the 2 % of profile `home`, below the 6 % of `rough`",
        young_nats=-log(0.5),
        young_s=6.0,
        delay_s=DELAYS.board_s,
        sensor=text("the reader at the {place}"),
        words=text("read {cards}"),
        health="{} reader",
    ),
    # People may show a card to the pad, or not.
    Verb.VISIT: SignModel(missed_nats=-log(0.7), clutter_nats=-log(0.01), source="guess", detected_as=Verb.TAG),
    # The pressure matrix of the pad. Presses of a part of a card, or of two, say nothing.
    Verb.TEXTURE: SignModel(
        missed_nats=-log(0.4),
        clutter_nats=-log(0.01),
        source="guess: above what `companion bench texture` counts",
        young_nats=-log(0.5),
        young_s=6.0,
        delay_s=DELAYS.board_s,
        needs=Verb.TEXTURE,
        sensor=text("the pressure matrix at the {place}"),
        words=text("felt {cards}"),
        health="{} pressure matrix",
    ),
    # People may press a card, or not.
    Verb.PRESSED: SignModel(
        missed_nats=0.0, clutter_nats=-log(0.01), source="guess", detected_as=Verb.TEXTURE, needs=Verb.TEXTURE
    ),
    # The camera: cards that come to rest in a zone or leave it, and hands. A sticker is hidden in 5 % of views,
    # and never read as another. Young is a sticker that lies hidden for a moment.
    Verb.NEW: SignModel(
        missed_nats=-log(0.002),
        clutter_nats=-log(0.05),
        source="guess",
        sensor=_AT,
        words=text("saw {cards} for the first time"),
    ),
    Verb.GONE: SignModel(
        missed_nats=-log(0.01),
        clutter_nats=-log(0.1),
        source="guess",
        young_nats=-log(0.6),
        young_s=6.0,
        sensor=_AT,
        words=text("saw {cards} no more"),
    ),
    Verb.BACK: SignModel(
        missed_nats=0.0, clutter_nats=-log(0.005), source="guess", sensor=_AT, words=text("saw {cards} again")
    ),
    Verb.AGAIN: SignModel(
        missed_nats=0.0,
        clutter_nats=-log(0.001),
        source="guess",
        sensor=_AT,
        words=text("saw {cards} laid down again"),
    ),
    Verb.LEFT: SignModel(
        missed_nats=-log(0.01),
        clutter_nats=-log(0.02),
        source="guess",
        sensor=_OVER,
        words=text("saw {cards} go"),
        health="camera",
    ),
    # A single card: where a reflection hides it as it lies there, nothing of it is seen.
    Verb.SINGLE: SignModel(
        missed_nats=COSTS.hidden_card,
        clutter_nats=-log(0.02),
        source="guess: profile `home` of the virtual table hides 5 % of stickers",
        detected_as=Verb.LEFT,
        health="camera",
    ),
    # Cards that lay in view for a while are hardly missed when all of them go.
    Verb.SWEPT: SignModel(
        missed_nats=-log(0.0005),
        clutter_nats=-log(0.02),
        source="guess",
        detected_as=Verb.LEFT,
        health="camera",
    ),
    Verb.CAME: SignModel(
        missed_nats=-log(0.000003),
        clutter_nats=-log(0.003),
        source="guess",
        sensor=_OVER,
        words=text("saw {cards}"),
    ),
    Verb.SHOWN: SignModel(
        missed_nats=-log(0.02), clutter_nats=-log(0.003), source="guess", detected_as=Verb.CAME
    ),
    Verb.TOP: SignModel(missed_nats=-log(0.4), clutter_nats=-log(0.05), source="guess", detected_as=Verb.NEW),
    # The same where a card that lay on the pile before counts, too. It is missed if it stays unread until the
    # next one, or is the one that lay on top before the pile was shuffled. Some piles lie out of sight.
    Verb.TOPPED: SignModel(
        missed_nats=-log(0.03),
        clutter_nats=-log(0.05),
        source="guess",
        needs=Verb.TOPPED,
        sensor=_AT,
        words=text("saw {cards} on top"),
        health="camera",
    ),
    # A card that comes to a zone in which it may have lain before: then it is not seen for the first time.
    Verb.LAID: SignModel(missed_nats=-log(0.1), clutter_nats=-log(0.05), source="guess", detected_as=Verb.NEW),
    Verb.GLANCE: SignModel(
        missed_nats=-log(0.01), clutter_nats=-log(0.003), source="guess", detected_as=Verb.CAME, health="camera"
    ),
    Verb.UNREAD: SignModel(
        missed_nats=-log(0.002),
        clutter_nats=-log(0.02),
        source="guess",
        sensor=_AT,
        words=text("saw a card go that it had not read"),
    ),
    # A reach says least: hands pass over a deck for many reasons.
    Verb.REACH: SignModel(
        missed_nats=-log(0.2), clutter_nats=-log(0.4), source="guess", sensor=_AT, words=text("saw a hand")
    ),
    Verb.STAY: SignModel(
        missed_nats=0.0,
        clutter_nats=-log(0.03),
        source="guess",
        young_s=1.0,
        sensor=_OVER,
        words=text("saw a hand for a while"),
    ),
    **UNDETECTED,
}
"""Verb -> its model."""
SCALE_SIGNS = (Verb.LIFT, Verb.PUT)
"""A card that goes or comes."""
SINGLE_CARDS = (Verb.NEW, Verb.BACK, Verb.GONE)
"""Signs of single cards in a zone."""
ON_PAD = (Verb.TAG, Verb.TEXTURE)
"""Signs of a card that lies on the pad."""
PILE_SIGNS = (Verb.TOP, Verb.TOPPED)
"""Signs of one of the cards that came to a pile together."""
CARD_SIGNS = (Verb.GONE, Verb.BACK, Verb.NEW, Verb.TOPPED, Verb.LEFT, Verb.REACH)
"""Signs of cards: a card may be swept away or laid open long after its turn."""
UNREPORTED_BY_CAMERA = (Verb.LEFT, Verb.SINGLE, Verb.SWEPT, Verb.GLANCE)
"""Signs of a look beneath a card, which a camera cannot see after an outage."""
CHECK_SIGNS = {Verb.TOUCH: "board", Verb.GLANCE: "camera"}
"""Verb of a check of a card in place -> the source that detects it."""
MISSED_ALONE = (*SCALE_SIGNS, *CHECK_SIGNS)
"""Signs of a finger, a look or a single card: clutter of one says nothing of the next."""


def detected_as(verb: Verb) -> Verb:
    """The verb as which a sign is detected."""
    return SIGN_MODELS[verb].detected_as or verb
