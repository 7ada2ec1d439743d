"""What a setup step asks the person at the table to do, in words and as data that a virtual person obeys."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Request:
    """One request. `words` are its sentence. `confirmed`: no sensor can tell that it was done, so the person
    says so."""

    confirmed: ClassVar[bool] = False

    @property
    def words(self) -> str:
        """The sentence for the screen."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ClearTable(Request):
    """Nothing lies on the mat, the pad or a scale, and no hand is over the table."""

    confirmed: ClassVar[bool] = True

    @property
    def words(self) -> str:
        return "Clear the mat, the pad and every scale, and take your hands away."


@dataclass(frozen=True, slots=True)
class LayLensSheet(Request):
    """The printed lens sheet lies somewhere else for each view (from 1 `of` many); the last ones are tilted."""

    view: int
    of: int
    tilted: bool
    confirmed: ClassVar[bool] = True

    @property
    def words(self) -> str:
        how = "with one edge raised by a hand's breadth, on a box" if self.tilted else "flat"
        return f"View {self.view} of {self.of}: lay the lens sheet {how}, elsewhere than before."


@dataclass(frozen=True, slots=True)
class LayRows(Request):
    """As many cards that were not shown yet as find room lie on the mat in rows, face up."""

    photo: int
    confirmed: ClassVar[bool] = True

    @property
    def words(self) -> str:
        return f"Photograph {self.photo}: lay cards in rows, face up, as many as fit. None left? Say no more."


@dataclass(frozen=True, slots=True)
class ShowCard(Request):
    """A card lies face up on the pad, is pressed with the flat hand, and is taken away. `code`: this one, else
    any that was not shown yet."""

    station: str
    code: str = ""

    @property
    def words(self) -> str:
        which = f"the card {self.code}" if self.code else "the next card"
        return f"Lay {which} on the {self.station}, face up. Press it with your flat hand, then take it away."


@dataclass(frozen=True, slots=True)
class PressCard(Request):
    """A card is pressed on the pad once more, turned."""

    station: str
    code: str

    @property
    def words(self) -> str:
        return f"Press the card {self.code} on the {self.station} once more, turned, and take it away."


@dataclass(frozen=True, slots=True)
class LoadScale(Request):
    """The scale of a station carries exactly `cards` cards and nothing else."""

    station: str
    cards: int

    @property
    def words(self) -> str:
        if not self.cards:
            return f"Take everything off {self.station}."
        return f"Put {self.cards} card{'s' if self.cards > 1 else ''} on {self.station}."


@dataclass(frozen=True, slots=True)
class TouchElectrode(Request):
    """A finger lies on the electrode of a station, or leaves it."""

    station: str
    down: bool

    @property
    def words(self) -> str:
        if self.down:
            return f"Put a finger on the metal of {self.station} and leave it there."
        return f"Take the finger off {self.station}."


@dataclass(frozen=True, slots=True)
class PushButton(Request):
    """The button of a station is pushed and let go."""

    station: str

    @property
    def words(self) -> str:
        return f"Push the button of {self.station}."


@dataclass(frozen=True, slots=True)
class LayCard(Request):
    """A card lies face up in a zone of the mat; with `code` "" the zone is cleared."""

    zone: str
    code: str

    @property
    def words(self) -> str:
        return (
            f"Lay the card {self.code} into the zone {self.zone}, face up."
            if self.code
            else f"Clear {self.zone}."
        )
