"""The last reading of each station of the board, for people who look at its sensors."""

from companion.sensing.observation import Count
from firmware.host import messages as wire


class StationReading:
    """What a station last reported; None where it has no such part or has not reported."""

    def __init__(self, station: str) -> None:
        self.station = station
        self.cards: float | None = None
        """Load of the scale in cards, before rounding."""
        self.touched: bool | None = None
        self.tag: bool | None = None
        """Whether a tag rests in the reader's field; not which one."""
        self.picture = b""
        """The last pressure picture: 16 rows of 16, 0 to 255; empty for none."""

    @property
    def loaded(self) -> bool | None:
        """Whether anything lies on the scale."""
        return None if self.cards is None else self.cards >= 0.5

    @property
    def pressed(self) -> bool | None:
        """Whether the pressure matrix is pressed."""
        return any(self.picture) if self.picture else None


class StationReadings:
    """Follows a board's messages."""

    def __init__(self) -> None:
        self._of: dict[str, StationReading] = {}

    def hear(self, message: wire.Message) -> None:
        """Take a message, at its true station."""
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
        """Take the load of a scale."""
        self._at(count.station).cards = count.raw

    def all(self) -> list[StationReading]:
        """One for each station that has reported, by name."""
        return [self._of[name] for name in sorted(self._of)]

    def _at(self, station: str) -> StationReading:
        return self._of.setdefault(station, StationReading(station))
