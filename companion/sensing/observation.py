"""What the sensors say, in one vocabulary: left of fusion everything is a thing seen.

Times `t` are seconds on the host's clock. Missing is None or the absence of an observation,
zero is zero, and stale is said by `Health`.
"""

from typing import Any

import msgspec

UNREAD = "?"
"""The code of a card that lies there and cannot be read: a reflection on its sticker, or its back."""


class Seen(msgspec.Struct, frozen=True, array_like=True):
    """One card at rest: catalogue code or UNREAD, centre in mm, angle in degrees, quality 0..1."""

    card: str
    x: float
    y: float
    angle: float = 0.0
    quality: float = 1.0


class Sighting(msgspec.Struct, frozen=True, tag="sighting", tag_field="o"):
    """Everything that lies at rest in one zone, complete; an empty tuple says that nothing does.

    Sent when a zone is clear of hands and steady, and its content differs from what was last sent.
    """

    t: float
    zone: str
    cards: tuple[Seen, ...]


class Reach(msgspec.Struct, frozen=True, tag="reach", tag_field="o"):
    """A hand covers a zone now (`over`), or covered it and has left."""

    t: float
    zone: str
    over: bool = False


class TagRead(msgspec.Struct, frozen=True, tag="tag", tag_field="o"):
    """A reader's field: the catalogue code of the enrolled card on it, or None when it became empty."""

    t: float
    station: str
    card: str | None


class Count(msgspec.Struct, frozen=True, tag="count", tag_field="o"):
    """How many cards a load cell carries at rest: `n` rounded, `raw` in cards before rounding."""

    t: float
    station: str
    n: int
    raw: float


class Touch(msgspec.Struct, frozen=True, tag="touch", tag_field="o"):
    """A touch electrode was pressed (True) or let go (False)."""

    t: float
    station: str
    pressed: bool


class Button(msgspec.Struct, frozen=True, tag="button", tag_field="o"):
    """A claim button was pressed."""

    t: float
    station: str


class Texture(msgspec.Struct, frozen=True, tag="texture", tag_field="o"):
    """The best texture class on a pressure matrix with its probability 0..1, or None for a smooth card."""

    t: float
    station: str
    cls: str | None
    p: float


class ManualEntry(msgspec.Struct, frozen=True, tag="manual", tag_field="o"):
    """A person pressed a key: `what` names it (claim, undo, table_is_right, companion_is_right, ...)."""

    t: float
    what: str
    args: dict[str, Any] = {}


class Health(msgspec.Struct, frozen=True, tag="health", tag_field="o"):
    """A sensor's state: `source` such as camera or board, whether it delivers, and a line on it."""

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
"""Which source tells what, by type of observation: a source that tells anything is not silent."""

Observation = Sighting | Reach | TagRead | Count | Touch | Button | Texture | ManualEntry | Health
"""Anything a source can report; tagged by the field `o` in JSON."""
