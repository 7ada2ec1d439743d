"""The observations of all sensors, as messages: the input of fusion.

Times `t` are seconds on the host's clock. A missing value is None or no observation at all, never zero.
`Health` says when a sensor's values are out of date.
"""

from typing import Any

import msgspec

UNREAD = "?"
"""Code of a card that lies there and cannot be read: its sticker reflects, or it lies face down."""


class Seen(msgspec.Struct, frozen=True, array_like=True):
    """One card at rest: centre in mm, angle in degrees, quality 0..1.

    `card`: the code of a copy, or UNREAD, or what `companion.core.art_codes` makes of a kind known by its art;
    then `quality` is the probability of that kind.
    """

    card: str
    x: float
    y: float
    angle: float = 0.0
    quality: float = 1.0


class Sighting(msgspec.Struct, frozen=True, tag="sighting", tag_field="o"):
    """Everything that lies at rest in one zone; empty if nothing does.

    Sent when a zone is clear of hands and steady, and its content differs from the last sighting.
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
    """Number of cards that a load cell carries at rest: `n` rounded, `raw` in cards before rounding."""

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
    """The best texture class on a pressure matrix (None for a smooth card), with its probability 0..1."""

    t: float
    station: str
    cls: str | None
    p: float


class ManualEntry(msgspec.Struct, frozen=True, tag="manual", tag_field="o"):
    """A person pressed a key; `what` names it (claim, undo, table_is_right, companion_is_right, ...)."""

    t: float
    what: str
    args: dict[str, Any] = {}


class Health(msgspec.Struct, frozen=True, tag="health", tag_field="o"):
    """Health of a sensor: `source` (camera, board, ...), whether it works, and a line about it."""

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
"""Type of observation -> its source. A source that observes anything is not silent."""

Observation = Sighting | Reach | TagRead | Count | Touch | Button | Texture | ManualEntry | Health
"""Anything a source can report; tagged by the field `o` in JSON."""
