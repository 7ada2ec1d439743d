"""Current readings of camera and board, without the game's secrets."""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, runtime_checkable

from companion.core.language import text
from companion.sensing.station_readings import StationReading
from companion.session.session import Session
from companion.session.stream.events import SensorView, StationView, ZoneView

MOST_PX = (200, 120)
"""Largest camera picture that is sent to a screen (columns, rows; px). A guess."""
HIDDEN = text("While a game is on, counts and the pressed picture are hidden: they would tell what lies where.")
CORNER = text("No picture: hands are shown to this camera in the private corner.")


@runtime_checkable
class Picturing(Protocol):
    """A source of observations that has camera pictures."""

    def picture(self, width: int, height: int) -> tuple[int, int, bytes] | None:
        """The newest camera picture, reduced to at most `width` x `height` px; None before the first.

        Returns width and height (px), and 3 bytes (red, green, blue) a pixel, row by row.
        """
        ...


@runtime_checkable
class Measuring(Protocol):
    """A source whose stations have readings, e.g. a board."""

    @property
    def readings(self) -> Iterable[StationReading]:
        """The last reading of each station of the board."""
        ...


def sensor_view(
    session: Session, sources: Sequence[Any], width: int, height: int, *, secret: bool
) -> SensorView:
    """Collect what camera and board read now, for one screen.

    `width`, `height`: largest camera picture (px) that the screen wants. `secret`: True if readings may give
    hidden cards away; the pressure picture is then left out. So are loads of scales, unless players may count
    cards.
    """
    table = session.table
    counted = not secret or any(place.count is not None for place in table.places)
    wide, high, pixels = _picture(session, sources, width, height) or (0, 0, b"")
    read = _readings(session, sources)
    stations = tuple(
        StationView(one.station, one.cards if counted else None, one.loaded, one.touched, one.tag, one.pressed)
        for one in read
    )
    # A tag shows that a card lies on the pad, perhaps before any sensor has reported the card.
    hidden = secret or any(one.tag for one in read)
    pressed = "" if hidden else next((one.picture.hex() for one in reversed(read) if one.picture), "")
    why = CORNER if session.corner.used else HIDDEN if stations and (hidden or not counted) else ""
    return SensorView(wide, high, b64encode(pixels).decode(), _zones(session), stations, pressed, why)


def _picture(
    session: Session, sources: Sequence[Any], width: int, height: int
) -> tuple[int, int, bytes] | None:
    """Camera's picture (width, height, pixels) of at most `width` x `height` px.

    None without a picture, and always if the mat has a private corner, where hands are shown.
    """
    picture = None
    for source in sources:
        if isinstance(source, Picturing) and not session.corner.used:
            picture = source.picture(min(width, MOST_PX[0]), min(height, MOST_PX[1]))
    return picture


def _readings(session: Session, sources: Sequence[Any]) -> list[StationReading]:
    """Readings of the board's stations, only of those that the game uses.

    `sources`: all sources of the table; a board is one that is `Measuring`.
    """
    places = {zone.name for zone in session.game.mat(session.variant).zones}
    boards = [source for source in sources if isinstance(source, Measuring)]
    return [one for board in boards for one in board.readings if one.station in places]


def _zones(session: Session) -> tuple[ZoneView, ...]:
    """Names of the cards that the camera reads, per zone with any."""
    names = {card.kind: card.name for card in reversed(session.game.cards(session.variant))}
    return tuple(
        ZoneView(zone, tuple(names.get(kind, kind) for kind in kinds))
        for zone, kinds in sorted(session.tracker.sensed.zones.items())
        if kinds
    )
