"""The last reading of each station of the board, for people who look at its sensors."""

from companion.sensing.observation import Count
from firmware.host import messages as wire


class StationReading:
    """Last readings of a station's sensors.

    The sensors are scale, electrode, reader and pressure matrix. None: the sensor is absent, or silent so far.
    """

    def __init__(self, station: str) -> None:
        self.station = station
        self.cards: float | None = None
        """Load of the scale in cards, before rounding."""
        self.touched: bool | None = None
        self.tag: bool | None = None
        """True if any tag rests in the field of the RFID reader."""
        self.picture = b""
        """Last frame of the pressure matrix: 256 bytes, row by row; b"" for none."""

    @property
    def loaded(self) -> bool | None:
        """True if the scale carries half a card or more.

        None if it has not reported.
        """
        return None if self.cards is None else self.cards >= 0.5

    @property
    def pressed(self) -> bool | None:
        """True if a pressure matrix crossing reads above 0.

        None if it has not reported.
        """
        return any(self.picture) if self.picture else None


class StationReadings:
    """Last readings of every station's sensors, for people.

    `hear` and `weigh` update them.
    """

    def __init__(self) -> None:
        self._of: dict[str, StationReading] = {}

    def hear(self, message: wire.Message) -> None:
        """Update a station by a message.

        Crossed wires are already corrected in it. A disconnection clears all stations.
        """
        match message:
            case wire.TagEvent(_, station, uid):
                self._at(station).tag = uid is not None
            case wire.TouchEvent(_, station, pressed):
                self._at(station).touched = pressed
            case wire.TextureFrame(_, station, pixels):
                self._at(station).picture = pixels
            case wire.Disconnected():
                self._of.clear()

    def weigh(self, count: Count) -> None:
        """Update the number of cards on a station's scale by an observation (`count`)."""
        self._at(count.station).cards = count.raw

    def all(self) -> list[StationReading]:
        """Readings of each station that has reported, sorted by name."""
        return [self._of[name] for name in sorted(self._of)]

    def _at(self, station: str) -> StationReading:
        return self._of.setdefault(station, StationReading(station))
