"""Reports of the camera side, one record for each kind.

`t` is always the frame's time (s).
"""

from dataclasses import dataclass

from vision.reasons import Reason


@dataclass(frozen=True, slots=True)
class CardSeen:
    """Card that lies at rest on the mat.

    `code`: of the card. `x`, `y`: its centre (mm). `angle`: clockwise turn (degrees). `quality` 1: read in
    this frame. 0.9: read in it by comparison with known stickers, or enlarged. 0.7: read a frame or two
    before. 0.5: not read again, but nothing changed where it lies.
    """

    code: str
    x: float
    y: float
    angle: float
    quality: float


@dataclass(frozen=True, slots=True)
class ZoneSeen:
    """All cards at rest in one zone of the mat.

    `t`: time of the frame (s). `cards`: from left to right; empty if no card lies there. `unread`: number of
    things like stickers that could not be read (glare, half covered); all readable cards are listed.
    `strangers`: centres (mm) of things as large as a card that were laid there and show no sticker.
    """

    t: float
    zone: str
    cards: tuple[CardSeen, ...]
    unread: int = 0
    strangers: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class HandCame:
    """A hand has come over a zone (area of the mat) at time `t` (s)."""

    t: float
    zone: str


@dataclass(frozen=True, slots=True)
class HandLeft:
    """The hand over a zone (area of the mat) has left at time `t` (s)."""

    t: float
    zone: str


@dataclass(frozen=True, slots=True)
class LampFlickers:
    """Bands of a flickering lamp run through the picture.

    `strength`: amplitude as a share of the brightness; 0 once they have gone.
    """

    t: float
    strength: float


@dataclass(frozen=True, slots=True)
class PictureQuality:
    """Focus and exposure of a picture, measured at corner markers.

    `edge_px`: width (px) of an edge from 10 to 90 %. `black`, `white`: grey levels (0 to 255) of print and
    paper.
    """

    t: float
    edge_px: float
    black: float
    white: float


@dataclass(frozen=True, slots=True)
class CameraState:
    """The camera's frames can be used from time `t` (s) on (`ok`), or no longer.

    `detail`: why. Sent when `ok` or `detail` changes.
    """

    t: float
    ok: bool
    detail: Reason | str


@dataclass(frozen=True, slots=True)
class Foreign:
    """A foreign QR code was seen: no game's sticker.

    `text`: safe to show. Each text is sent once.
    """

    t: float
    text: str


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The code of one card is seen at several places.

    `places`: (zone, x, y) of each, in mm. Which of them is right is not decided here. An empty code without
    places says that no code is seen twice any more.
    """

    t: float
    code: str
    places: tuple[tuple[str, float, float], ...]


Seen = LampFlickers | ZoneSeen | HandCame | HandLeft | CameraState | Foreign | Duplicate
"""Report that `Vision.feed` may return."""
