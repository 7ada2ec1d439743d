"""The reports of the camera side, one frozen record for each kind."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CardSeen:
    """A card at rest: code, centre in mm, degrees clockwise, quality 0..1.

    Quality 1: read in this frame. 0.9: in this frame, from the codebook or enlarged. 0.7: read a frame or two
    before. 0.5: not read again, but nothing has changed where it lies.
    """

    code: str
    x: float
    y: float
    angle: float
    quality: float


@dataclass(frozen=True, slots=True)
class ZoneSeen:
    """Everything that lies at rest in one zone, from left to right; an empty tuple: nothing does.

    `unread` counts things that look like stickers and could not be read (glare, half covered); all other cards
    are listed. `strangers`: centres (mm) of things as large as a card that were laid there and show no sticker.
    """

    t: float
    zone: str
    cards: tuple[CardSeen, ...]
    unread: int = 0
    strangers: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class HandCame:
    """A hand covers that zone; before, none did."""

    t: float
    zone: str


@dataclass(frozen=True, slots=True)
class HandLeft:
    """A hand that covered that zone has left."""

    t: float
    zone: str


@dataclass(frozen=True, slots=True)
class LampFlickers:
    """Bands run through the picture; `strength`: their amplitude as a share of the brightness, 0 when they have
    gone."""

    t: float
    strength: float


@dataclass(frozen=True, slots=True)
class PictureQuality:
    """What the mat's corner markers show of focus and exposure.

    `edge_px`: width of an edge from 10 to 90 %. `black`, `white`: grey levels of print and paper.
    """

    t: float
    edge_px: float
    black: float
    white: float


@dataclass(frozen=True, slots=True)
class CameraState:
    """Whether frames can be used, and a line about it for people; sent on changes."""

    t: float
    ok: bool
    detail: str


@dataclass(frozen=True, slots=True)
class Foreign:
    """A QR code that is in no tag table, its text sanitised. Sent once for each text."""

    t: float
    text: str


@dataclass(frozen=True, slots=True)
class Duplicate:
    """One card seen at several places at once: (zone, x, y) in mm of each. It is not resolved here.

    Without a code and places: none is seen so any more.
    """

    t: float
    code: str
    places: tuple[tuple[str, float, float], ...]


Seen = LampFlickers | ZoneSeen | HandCame | HandLeft | CameraState | Foreign | Duplicate
"""Everything that Vision.feed may report."""
