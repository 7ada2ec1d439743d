"""What a setup step asks the person at the table to do, in words and as data that a virtual person obeys."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Request:
    """One request. `words` are its sentence. `confirmed`: no sensor can tell that it was done, so the person
    says so."""

    confirmed: ClassVar[bool] = False
    typed: ClassVar[bool] = False
    """Whether the answer is a text."""

    @property
    def words(self) -> str:
        """The sentence for the screen."""
        raise NotImplementedError

    @property
    def big(self) -> str:
        """The same in two or three words, in big letters."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ClearTable(Request):
    """Nothing lies on the mat, the pad or a scale, and no hand is over the table."""

    confirmed: ClassVar[bool] = True

    @property
    def words(self) -> str:
        return "Clear the mat, the pad and every scale, and take your hands away."

    @property
    def big(self) -> str:
        return "CLEAR ALL"


@dataclass(frozen=True, slots=True)
class ChooseCamera(Request):
    """One of several cameras shows its picture: the person says whether it is the one above the table."""

    name: str
    confirmed: ClassVar[bool] = True

    @property
    def words(self) -> str:
        return f"Is this the picture of the camera above the table? It is {self.name}. (No more: the next one.)"

    @property
    def big(self) -> str:
        return "THIS ONE?"


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

    @property
    def big(self) -> str:
        return f"SHEET {self.view}: {'TILTED' if self.tilted else 'FLAT'}"


@dataclass(frozen=True, slots=True)
class LayRows(Request):
    """As many cards that were not shown yet as find room lie on the mat in rows, face up."""

    photo: int
    confirmed: ClassVar[bool] = True

    @property
    def words(self) -> str:
        return f"Photograph {self.photo}: lay cards in rows, face up, as many as fit. None left? Say no more."

    @property
    def big(self) -> str:
        return "LAY ROWS"


@dataclass(frozen=True, slots=True)
class NameCharacter(Request):
    """The family's name for a character that is called `usual` until then, and `before` at the last setup."""

    usual: str
    before: str = ""
    confirmed: ClassVar[bool] = True
    typed: ClassVar[bool] = True

    @property
    def words(self) -> str:
        kept = f" Empty: {self.before}." if self.before else ""
        return f"What does your family call {self.usual}?{kept}"

    @property
    def big(self) -> str:
        return "A NAME"


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

    @property
    def big(self) -> str:
        return self.code or "NEXT CARD"


@dataclass(frozen=True, slots=True)
class PressCard(Request):
    """A card is pressed on the pad once more, turned."""

    station: str
    code: str

    @property
    def words(self) -> str:
        return f"Press the card {self.code} on the {self.station} once more, turned, and take it away."

    @property
    def big(self) -> str:
        return f"PRESS {self.code}"


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

    @property
    def big(self) -> str:
        return f"{self.cards or 'NONE'} ON {self.station}"


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

    @property
    def big(self) -> str:
        return f"{'FINGER ON' if self.down else 'LET GO'} {self.station}"


@dataclass(frozen=True, slots=True)
class PushButton(Request):
    """The button of a station is pushed and let go."""

    station: str

    @property
    def words(self) -> str:
        return f"Push the button of {self.station}."

    @property
    def big(self) -> str:
        return f"PUSH {self.station}"


@dataclass(frozen=True, slots=True)
class PushBesideLamp(Request):
    """One lamp is lit: the button beside it is pushed and let go."""

    @property
    def words(self) -> str:
        return "One lamp is lit now. Push the button beside it."

    @property
    def big(self) -> str:
        return "WHICH IS LIT?"


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

    @property
    def big(self) -> str:
        return f"SHOW {self.code}" if self.code else "CLEAR IT"
