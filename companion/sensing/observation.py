"""The observations of all sensors: the input of fusion.

Times `t` are seconds on the host's clock. A missing value is None or no observation at all, never zero.
`Health` says when a sensor's values are out of date.
"""

from typing import Any

import msgspec

UNREAD = "?"
"""Code of a card that the camera sees but cannot read: its sticker reflects a lamp, or it lies face down."""


class Seen(msgspec.Struct, frozen=True, array_like=True):
    """A card at rest on the mat.

    `x`, `y`: its middle (mm). `angle`: degrees. `card`: code of a physical card, UNREAD, or code of a kind
    known by its print (`vision.art_codes`). `quality`: of the reading, 0 to 1; for a kind known by its print
    the probability.
    """

    card: str
    x: float
    y: float
    angle: float = 0.0
    quality: float = 1.0


class Sighting(msgspec.Struct, frozen=True, tag="sighting", tag_field="o"):
    """All cards at rest in a zone of the mat.

    `cards` is empty for an empty zone.

    Sent when the zone is steady and clear of hands, and other cards lie there than at its last sighting.
    """

    t: float
    zone: str
    cards: tuple[Seen, ...]


class Reach(msgspec.Struct, frozen=True, tag="reach", tag_field="o"):
    """A hand has come over a zone of the mat (`over`), or has left it."""

    t: float
    zone: str
    over: bool = False


class TagRead(msgspec.Struct, frozen=True, tag="tag", tag_field="o"):
    """A card lies on a station's RFID reader: its code.

    None: the reader's field has become empty.
    """

    t: float
    station: str
    card: str | None


class Count(msgspec.Struct, frozen=True, tag="count", tag_field="o"):
    """Number of cards on a station's scale at rest: `n` rounded, `raw` as weighed, in cards."""

    t: float
    station: str
    n: int
    raw: float


class Touch(msgspec.Struct, frozen=True, tag="touch", tag_field="o"):
    """A finger touched a station's electrode (True), or left (False)."""

    t: float
    station: str
    pressed: bool


class Button(msgspec.Struct, frozen=True, tag="button", tag_field="o"):
    """The claim button of a station was pressed."""

    t: float
    station: str


class Texture(msgspec.Struct, frozen=True, tag="texture", tag_field="o"):
    """A card was recognised on a pressure matrix.

    Its raised picture tells it. `cls`: class of the picture; None for a smooth card. `p`: probability (0 to 1)
    of `cls`.
    """

    t: float
    station: str
    cls: str | None
    p: float


class ManualEntry(msgspec.Struct, frozen=True, tag="manual", tag_field="o"):
    """What a person entered on a screen.

    `what`: name of the statement or command (claim, undo, table_is_right, companion_is_right, ...). `args`:
    its values.
    """

    t: float
    what: str
    args: dict[str, Any] = {}


class Health(msgspec.Struct, frozen=True, tag="health", tag_field="o"):
    """State of a sensor, valid until the next report of the same `source` (camera, board, ...).

    `ok`: True if it works. `detail`: what is wrong, as a sentence for people; "" if all is well.
    """

    t: float
    source: str
    ok: bool
    detail: str = ""


SOURCES = {
    Sighting: "camera",
    Count: "board",
    TagRead: "board",
    Touch: "board",
    Button: "board",
    Texture: "board",
}
"""Type of observation -> the only source ("camera" or "board") that makes it, to tell which one is silent."""

Observation = Sighting | Reach | TagRead | Count | Touch | Button | Texture | ManualEntry | Health
"""Any observation. In JSON its field `o` names the type."""


def shows_card(seen: Observation) -> bool:
    """True if an observation shows a card in play."""
    match seen:
        case Texture() | TagRead(card=str()):
            return True
        case Sighting(cards=cards):
            return bool(cards)
        case Count(n=n):
            return n > 0
    return False
