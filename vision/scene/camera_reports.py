"""Reports of the camera side, a frozen record per kind.

`t` is the frame's time (s).
"""

from dataclasses import dataclass

from vision.reasons import Reason


@dataclass(frozen=True, slots=True)
class CardSeen:
    """A card at rest: code, centre, turn and quality.

    The centre is in mm, the turn clockwise in degrees, the quality 0 to 1. Quality 1: read in this frame. 0.9:
    read in it by comparison with known stickers, or enlarged. 0.7: read a frame or two before. 0.5: not read
    again, but nothing changed where it lies.
    """

    code: str
    x: float
    y: float
    angle: float
    quality: float


@dataclass(frozen=True, slots=True)
class ZoneSeen:
    """Everything at rest in one zone (area of the mat), cards from left to right; no cards if it is empty.

    `unread`: number of things like stickers that could not be read (glare, half covered); all readable cards
    are listed. `strangers`: centres (mm) of things as large as a card that were laid there and show no sticker.
    """

    t: float
    zone: str
    cards: tuple[CardSeen, ...]
    unread: int = 0
    strangers: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class HandCame:
    """A hand begins to cover the zone."""

    t: float
    zone: str


@dataclass(frozen=True, slots=True)
class HandLeft:
    """The hand that covered the zone has left."""

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
    """Focus and exposure, measured at the mat's corner markers.

    `edge_px`: width (px) of an edge from 10 to 90 %. `black`, `white`: grey levels (0 to 255) of print and
    paper.
    """

    t: float
    edge_px: float
    black: float
    white: float


@dataclass(frozen=True, slots=True)
class CameraState:
    """State of the camera: whether its frames can be used, and the reason.

    Sent when it changes.
    """

    t: float
    ok: bool
    detail: Reason | str


@dataclass(frozen=True, slots=True)
class Foreign:
    """A QR code that is no sticker of ours.

    Its text is safe to show. Sent once for each text.
    """

    t: float
    text: str


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A card code seen at several places at once.

    `places`: (zone, x, y) of each, in mm. Nothing is decided here. An empty code without places says that no
    code is seen twice any more.
    """

    t: float
    code: str
    places: tuple[tuple[str, float, float], ...]


Seen = LampFlickers | ZoneSeen | HandCame | HandLeft | CameraState | Foreign | Duplicate
"""Everything that Vision.feed may report."""
