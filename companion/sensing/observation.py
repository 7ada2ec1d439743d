"""The observations of all sensors: the input of fusion.

Times `t` are seconds on the host's clock. A missing value is None or no observation at all, never zero.
`Health` says when a sensor's values are out of date.
"""

from typing import Any

import msgspec

UNREAD = "?"
"""Code of a card that the camera sees but cannot read: its sticker reflects, or it lies face down."""


class Seen(msgspec.Struct, frozen=True, array_like=True):
    """One card at rest on the mat: centre in mm, angle in degrees, quality of the reading 0 to 1.

    `card`: code of one physical card, UNREAD, or the code of a kind recognised by its printed face
    (`vision.art_codes`). In the last case `quality` is the probability of this kind.
    """

    card: str
    x: float
    y: float
    angle: float = 0.0
    quality: float = 1.0


class Sighting(msgspec.Struct, frozen=True, tag="sighting", tag_field="o"):
    """All cards at rest in one zone of the mat; `cards` is () for an empty zone.

    Sent when the zone is clear of hands and steady, and its content has changed since its last sighting.
    """

    t: float
    zone: str
    cards: tuple[Seen, ...]


class Reach(msgspec.Struct, frozen=True, tag="reach", tag_field="o"):
    """Hand over a zone of the mat: it has come (`over`), or has left."""

    t: float
    zone: str
    over: bool = False


class TagRead(msgspec.Struct, frozen=True, tag="tag", tag_field="o"):
    """Card on an RFID reader: code of the card enrolled with this tag; None when the field became empty."""

    t: float
    station: str
    card: str | None


class Count(msgspec.Struct, frozen=True, tag="count", tag_field="o"):
    """Cards on a scale at rest: `n` rounded, `raw` the load in cards before rounding."""

    t: float
    station: str
    n: int
    raw: float


class Touch(msgspec.Struct, frozen=True, tag="touch", tag_field="o"):
    """Touch electrode of a station: pressed (True) or released (False)."""

    t: float
    station: str
    pressed: bool


class Button(msgspec.Struct, frozen=True, tag="button", tag_field="o"):
    """Press of the claim button at a station."""

    t: float
    station: str


class Texture(msgspec.Struct, frozen=True, tag="texture", tag_field="o"):
    """Card recognised by its raised picture on a pressure matrix.

    `cls`: class of the picture, None for a smooth card. `p`: probability of `cls`, 0 to 1.
    """

    t: float
    station: str
    cls: str | None
    p: float


class ManualEntry(msgspec.Struct, frozen=True, tag="manual", tag_field="o"):
    """Statement or command that a person entered on a screen.

    `what` names it (claim, undo, table_is_right, companion_is_right, ...); `args` holds its values.
    """

    t: float
    what: str
    args: dict[str, Any] = {}


class Health(msgspec.Struct, frozen=True, tag="health", tag_field="o"):
    """Health of a sensor, in force until the next report of the same `source` (camera, board, ...).

    `detail`: sentence for people; "" if all is well.
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
"""Type of observation -> "camera" or "board", the source that alone makes it. Shows which one is silent."""

Observation = Sighting | Reach | TagRead | Count | Touch | Button | Texture | ManualEntry | Health
"""Any observation. In JSON, the field `o` names its type."""
