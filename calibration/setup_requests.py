"""What a setup step asks the person at the table to do, in words and as data that a virtual person obeys."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from companion.core.language import plural, term, text
from companion.core.sensor_terms import place_name


@dataclass(frozen=True, slots=True)
class Request:
    """One request. `words` are its sentence. `confirmed`: no sensor can tell that it was done, so the person
    says so."""

    confirmed: ClassVar[bool] = False
    no: ClassVar[str] = ""
    """What `n` says instead of Enter, for the screen; empty where it says nothing."""
    typed: ClassVar[bool] = False
    """Whether the answer is a text."""
    true_unwatched: ClassVar[bool] = False
    """Whether it counts as confirmed where nobody sits at a terminal."""
    leaves_clear: ClassVar[bool] = False
    """Whether a table that was clear is clear again after it."""

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
    """Nothing lies on the mat or the cloth, the pad or a scale, and no hand is over the table."""

    confirmed: ClassVar[bool] = True
    true_unwatched: ClassVar[bool] = True

    board: bool = True
    """True if the rig has a pad and scales."""

    @property
    def words(self) -> str:
        if not self.board:
            return text("Take all cards off the table. What lies at its four corners stays. Hands away.")
        return text("Clear the space below the camera, the pad and every scale, and take your hands away.")

    @property
    def big(self) -> str:
        return term("request", "CLEAR ALL")


@dataclass(frozen=True, slots=True)
class LayCorners(Request):
    """There is no mat: a card of the game, without a sleeve, lies face down at each corner of the play area.

    `wide`, `deep`: size of the play area in cm.
    """

    wide: int
    deep: int
    confirmed: ClassVar[bool] = True
    no: ClassVar[str] = text("there is a mat")

    @property
    def words(self) -> str:
        return text(
            "No mat is in sight. Play without one? Lay a card face down, upright, without a sleeve, at each of "
            "the four corners of a space {wide} x {deep} cm.",
            wide=self.wide,
            deep=self.deep,
        )

    @property
    def big(self) -> str:
        return term("request", "4 CARDS: CORNERS")


@dataclass(frozen=True, slots=True)
class LayPaper(Request):
    """The four printed corner cards of `file`, a PDF, lie on the cloth, and nothing else.

    `wide`, `deep`: size of the play area in cm. `seen`: the corner cards in sight when it was asked, of four.
    """

    file: str
    wide: int
    deep: int
    seen: int = 0
    confirmed: ClassVar[bool] = True
    no: ClassVar[str] = text("no printer: four cards of the game do it")

    @property
    def words(self) -> str:
        return text(
            "Print {file} at 100 % and cut off its four corner cards. Lay them on a plain cloth, "
            "{wide} x {deep} cm apart, and nothing else.",
            file=self.file,
            wide=self.wide,
            deep=self.deep,
        )

    @property
    def big(self) -> str:
        return term("request", "PRINT, LAY 4 CORNERS")


@dataclass(frozen=True, slots=True)
class NameLacking(Request):
    """Which one of these kinds, by what people call them, the family does not have: empty for none."""

    called: tuple[str, ...]
    confirmed: ClassVar[bool] = True
    typed: ClassVar[bool] = True
    leaves_clear: ClassVar[bool] = True

    @property
    def words(self) -> str:
        return text(
            "Which of these do you not have? {kinds}. Type it; empty: none, look again.",
            kinds=in_a_row(self.called),
        )

    @property
    def big(self) -> str:
        return term("request", "ONE MISSING?")


@dataclass(frozen=True, slots=True)
class ChooseCamera(Request):
    """One of several cameras shows its picture: the person says whether it is the one above the table."""

    name: str
    confirmed: ClassVar[bool] = True
    no: ClassVar[str] = text("show the next camera")
    leaves_clear: ClassVar[bool] = True

    @property
    def words(self) -> str:
        return text("Is this the picture of the camera above the table? It is {camera}.", camera=self.name)

    @property
    def big(self) -> str:
        return term("request", "THIS ONE?")


@dataclass(frozen=True, slots=True)
class LayLensSheet(Request):
    """The printed lens sheet lies somewhere else for each view (from 1 `of` many); the last ones are tilted."""

    view: int
    of: int
    tilted: bool
    confirmed: ClassVar[bool] = True
    no: ClassVar[str] = text("no more views")

    @property
    def words(self) -> str:
        flat = text("View {view} of {of}: lay the lens sheet flat, elsewhere than before.")
        tilted = text(
            "View {view} of {of}: lay the lens sheet with one edge raised by a hand's breadth, on a box, "
            "elsewhere than before."
        )
        return (tilted if self.tilted else flat).of(view=self.view, of=self.of)

    @property
    def big(self) -> str:
        tilted, flat = term("request", "SHEET {view}: TILTED"), term("request", "SHEET {view}: FLAT")
        return (tilted if self.tilted else flat).of(view=self.view)


@dataclass(frozen=True, slots=True)
class LayRows(Request):
    """As many cards that were not shown yet as find room lie below the camera in rows, face up."""

    photo: int
    confirmed: ClassVar[bool] = True
    no: ClassVar[str] = text("no more cards")

    @property
    def words(self) -> str:
        return text("Photograph {photo}: lay cards in rows, face up, as many as fit.", photo=self.photo)

    @property
    def big(self) -> str:
        return term("request", "LAY ROWS")


def in_a_row(names: Sequence[str]) -> str:
    """Names of cards that lie side by side, in the reader's language; numbers need no dots between them."""
    numbers = all(name.isdecimal() for name in names)
    whole = names[0] if names else ""
    for name in names[1:]:
        whole = (
            text("{before} {after}", before=whole, after=name)
            if numbers
            else text("{before} · {after}", before=whole, after=name)
        )
    return whole


@dataclass(frozen=True, slots=True)
class LayInOrder(Request):
    """One card of each of these kinds lies there, face up, row by row in this order, as many as fit.

    `called`: what people call each of them.
    """

    kinds: tuple[str, ...]
    called: tuple[str, ...]
    confirmed: ClassVar[bool] = True
    no: ClassVar[str] = text("no more cards")

    @property
    def words(self) -> str:
        return text(
            "Take the cards away, then lay one of each in rows, face up and upright, a finger's breadth apart, "
            "in this order, as many as fit: {kinds}",
            kinds=in_a_row(self.called),
        )

    @property
    def big(self) -> str:
        if len(self.called) == 1:
            return self.called[0]
        return term("request", "{first} TO {last}", first=self.called[0], last=self.called[-1])


@dataclass(frozen=True, slots=True)
class LeaveOut(Request):
    """Nobody lays the rest of the cards that are asked for: `count` kinds, whose names are `kinds`."""

    count: int
    kinds: str
    confirmed: ClassVar[bool] = True
    no: ClassVar[str] = text("back: lay them")
    true_unwatched: ClassVar[bool] = True

    @property
    def words(self) -> str:
        return plural(
            "Leave out {n} kind of card? The camera will not know it: {kinds}.",
            "Leave out {n} kinds of cards? The camera will not know them: {kinds}.",
            n=self.count,
            kinds=self.kinds,
        )

    @property
    def big(self) -> str:
        return term("request", "LEAVE OUT?")


@dataclass(frozen=True, slots=True)
class LayLeftOut(Request):
    """The cards that were left out before are laid after all; `kinds` are their names."""

    kinds: str
    confirmed: ClassVar[bool] = True
    no: ClassVar[str] = text("leave them out")

    @property
    def words(self) -> str:
        return text("Left out: {kinds}. Show these cards after all?", kinds=self.kinds)

    @property
    def big(self) -> str:
        return term("request", "AFTER ALL?")


@dataclass(frozen=True, slots=True)
class ConfirmOrder(Request):
    """These cards, by what people call them, lie there in this order, row by row."""

    rows: tuple[tuple[str, ...], ...]
    confirmed: ClassVar[bool] = True
    no: ClassVar[str] = text("look again")
    true_unwatched: ClassVar[bool] = True

    @property
    def words(self) -> str:
        count = sum(map(len, self.rows))
        rows = [in_a_row(row) for row in self.rows]
        order = rows[0] if rows else ""
        for row in rows[1:]:
            order = text("{before} / {after}", before=order, after=row)
        return plural(
            "{n} card: {order}. Is it this one?",
            "{n} cards, row by row: {order}. Do they lie in this order?",
            n=count,
            order=order,
        )

    @property
    def big(self) -> str:
        return term("request", "IN ORDER?")


@dataclass(frozen=True, slots=True)
class NameCharacter(Request):
    """The family's name for a character that is called `usual` until then, and `before` at the last setup."""

    usual: str
    before: str = ""
    confirmed: ClassVar[bool] = True
    typed: ClassVar[bool] = True
    leaves_clear: ClassVar[bool] = True

    @property
    def words(self) -> str:
        if self.before:
            return text(
                "What does your family call {usual}? Empty: {before}.", usual=self.usual, before=self.before
            )
        return text("What does your family call {usual}? Empty: no more names.", usual=self.usual)

    @property
    def big(self) -> str:
        return term("request", "A NAME")


def with_code(name: str, code: str) -> str:
    """What people call a card, and the code on its sticker, which tells it from its copies."""
    return text("{card} ({code})", card=name, code=code) if name else code


@dataclass(frozen=True, slots=True)
class ShowCard(Request):
    """A card lies face up on the pad, is pressed with the flat hand, and is taken away. `code`: this one, else
    any that was not shown yet. `called`: what people call a card without a sticker; `name`: one with it."""

    station: str
    code: str = ""
    called: str = ""
    name: str = ""
    leaves_clear: ClassVar[bool] = True

    @property
    def words(self) -> str:
        place = place_name(self.station)
        if not self.code:
            return text(
                "Lay the next card on the {place}, face up. Press it with your flat hand, then take it away.",
                place=place,
            )
        return text(
            "Lay the card {card} on the {place}, face up. Press it with your flat hand, then take it away.",
            card=self.called or with_code(self.name, self.code),
            place=place,
        )

    @property
    def big(self) -> str:
        return self.called or self.name or self.code or term("request", "NEXT CARD")


@dataclass(frozen=True, slots=True)
class PressCard(Request):
    """A card is pressed on the pad once more, turned. `called`: what people call a card without a sticker;
    `name`: one with it."""

    station: str
    code: str
    called: str = ""
    name: str = ""
    leaves_clear: ClassVar[bool] = True

    @property
    def words(self) -> str:
        return text(
            "Press the card {card} on the {place} once more, turned, and take it away.",
            card=self.called or with_code(self.name, self.code),
            place=place_name(self.station),
        )

    @property
    def big(self) -> str:
        return term("request", "PRESS {card}", card=self.called or self.name or self.code)


@dataclass(frozen=True, slots=True)
class LoadScale(Request):
    """The scale of a station carries exactly `cards` cards and nothing else: the table is clear once
    no scale is loaded."""

    station: str
    cards: int
    leaves_clear: ClassVar[bool] = True

    @property
    def words(self) -> str:
        if not self.cards:
            return text("Take everything off {place}.", place=place_name(self.station))
        return plural(
            "Put {n} card on {place}.",
            "Put {n} cards on {place}.",
            n=self.cards,
            place=place_name(self.station),
        )

    @property
    def big(self) -> str:
        if not self.cards:
            return term("request", "NONE ON {place}", place=place_name(self.station))
        return term("request", "{cards} ON {place}", cards=self.cards, place=place_name(self.station))


@dataclass(frozen=True, slots=True)
class TouchElectrode(Request):
    """A finger lies on the electrode of a station for a moment."""

    station: str
    leaves_clear: ClassVar[bool] = True

    @property
    def words(self) -> str:
        return text("Touch the metal of {place} for a second.", place=place_name(self.station))

    @property
    def big(self) -> str:
        return term("request", "TOUCH {place}", place=place_name(self.station))


@dataclass(frozen=True, slots=True)
class PushButton(Request):
    """The button of a station is pushed and let go."""

    station: str
    leaves_clear: ClassVar[bool] = True

    @property
    def words(self) -> str:
        return text("Push the button of {place}.", place=place_name(self.station))

    @property
    def big(self) -> str:
        return term("request", "PUSH {place}", place=place_name(self.station))


@dataclass(frozen=True, slots=True)
class LampsBeside(Request):
    """Whether the lamp beside each button was lit when the button was pushed."""

    confirmed: ClassVar[bool] = True
    no: ClassVar[str] = text("another one was, or none")
    true_unwatched: ClassVar[bool] = True
    leaves_clear: ClassVar[bool] = True

    @property
    def words(self) -> str:
        return text("Was the lamp beside each button lit while you pushed it?")

    @property
    def big(self) -> str:
        return term("request", "ALL LIT?")


@dataclass(frozen=True, slots=True)
class PushBesideLamp(Request):
    """One lamp is lit: the button beside it is pushed and let go."""

    leaves_clear: ClassVar[bool] = True

    @property
    def words(self) -> str:
        return text("One lamp is lit now. Push the button beside it.")

    @property
    def big(self) -> str:
        return term("request", "WHICH IS LIT?")


@dataclass(frozen=True, slots=True)
class LayCard(Request):
    """A card lies face up in a zone of the mat; with `code` "" the zone is cleared. `called`: what people call
    a card that carries no sticker with its code; `name`: one that does."""

    zone: str
    code: str
    called: str = ""
    name: str = ""

    @property
    def words(self) -> str:
        place = place_name(self.zone)
        if not self.code:
            return text("Clear {place}.", place=place)
        return text(
            "Lay the card {card} alone into the zone {place}, face up.",
            card=self.called or with_code(self.name, self.code),
            place=place,
        )

    @property
    def big(self) -> str:
        return (
            term("request", "SHOW {card}", card=self.called or self.name or self.code)
            if self.code
            else term("request", "CLEAR IT")
        )
