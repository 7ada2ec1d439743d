"""Requests of setup steps to the person at the table.

A virtual person obeys them, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from companion.core.language import plural, term, text
from companion.core.sensor_terms import place_name


@dataclass(frozen=True, slots=True)
class Request:
    """Request to the person at the table."""

    confirmed: ClassVar[bool] = False
    """True if the person must say that the request was done, because no sensor can tell."""
    no: ClassVar[str] = ""
    """What the key `n` means, in words for the screen; "" if it is not offered."""
    question: ClassVar[bool] = False
    """True if the request asks whether something is so: Enter says yes, not that something is done."""
    typed: ClassVar[bool] = False
    """True if the answer is a text that the person types."""
    true_unwatched: ClassVar[bool] = False
    """True if the request counts as done where nobody sits at the terminal."""
    leaves_clear: ClassVar[bool] = False
    """True if a table that was clear before the request is clear again afterwards."""

    @property
    def sentence(self) -> str:
        """Sentence by which the person is asked."""
        raise NotImplementedError

    @property
    def headline(self) -> str:
        """Two or three words by which the person is asked, for big letters."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ClearTable(Request):
    """Request to clear mat, pad and scales, and to take the hands away."""

    confirmed: ClassVar[bool] = True
    true_unwatched: ClassVar[bool] = True

    board: bool = True
    """True if the rig has a pad and scales."""

    @property
    def sentence(self) -> str:
        """Sentence that asks to clear the table."""
        if not self.board:
            return text("Take all cards off the table. What lies at its four corners stays. Hands away.")
        return text("Clear the space below the camera, the pad and every scale, and take your hands away.")

    @property
    def headline(self) -> str:
        """Headline that asks to clear the table."""
        return term("request", "CLEAR ALL")


@dataclass(frozen=True, slots=True)
class LayCorners(Request):
    """Request to lay a card face down at each corner of the play area, which has no mat.

    The cards must have no sleeves. `wide` and `deep`: size (cm) of the play area.
    """

    wide: int
    deep: int
    confirmed: ClassVar[bool] = True
    no: ClassVar[str] = text("there is a mat")

    @property
    def sentence(self) -> str:
        """Sentence that asks to lay four cards as corners."""
        return text(
            "No mat is in sight. Play without one? Lay a card face down, upright, without a sleeve, at each of "
            "the four corners of a space {wide} x {deep} cm.",
            wide=self.wide,
            deep=self.deep,
        )

    @property
    def headline(self) -> str:
        """Headline that asks to lay four cards as corners."""
        return term("request", "4 CARDS: CORNERS")


@dataclass(frozen=True, slots=True)
class LayPaper(Request):
    """Request to lay four printed corner cards, and nothing else.

    `file`: the PDF to print. `wide` and `deep`: size (cm) of the play area.
    """

    file: str
    wide: int
    deep: int
    seen: int = 0
    """Number of the four corner cards that are in sight so far."""
    confirmed: ClassVar[bool] = True
    no: ClassVar[str] = text("no printer: four cards of the game do it")

    @property
    def sentence(self) -> str:
        """Sentence that asks to print and lay the corner cards."""
        return text(
            "Print {file} at 100 % and cut off its four corner cards. Lay them on a plain cloth, "
            "{wide} x {deep} cm apart, and nothing else.",
            file=self.file,
            wide=self.wide,
            deep=self.deep,
        )

    @property
    def headline(self) -> str:
        """Headline that asks to print and lay the corner cards."""
        return term("request", "PRINT, LAY 4 CORNERS")


@dataclass(frozen=True, slots=True)
class NameLacking(Request):
    """Question which of some kinds of cards the family lacks.

    `called`: names of the kinds. An empty answer means none.
    """

    called: tuple[str, ...]
    confirmed: ClassVar[bool] = True
    typed: ClassVar[bool] = True
    leaves_clear: ClassVar[bool] = True

    @property
    def sentence(self) -> str:
        """Sentence that asks which of the named kinds of cards the family lacks."""
        return text(
            "Which of these do you not have? {kinds}. Type it; empty: none, then I ask for fewer.",
            kinds=in_a_row(self.called),
        )

    @property
    def headline(self) -> str:
        """Headline of the question whether the family lacks a kind of card."""
        return term("request", "ONE MISSING?")


@dataclass(frozen=True, slots=True)
class ChooseCamera(Request):
    """Question whether the shown picture comes from the table's camera, called `name`."""

    name: str
    confirmed: ClassVar[bool] = True
    question: ClassVar[bool] = True
    no: ClassVar[str] = text("show the next camera")
    leaves_clear: ClassVar[bool] = True

    @property
    def sentence(self) -> str:
        """Sentence that asks to accept the camera shown."""
        return text("Is this the picture of the camera above the table? It is {camera}.", camera=self.name)

    @property
    def headline(self) -> str:
        """Headline that asks to accept the camera shown."""
        return term("request", "THIS ONE?")


@dataclass(frozen=True, slots=True)
class LayLensSheet(Request):
    """Request to lay the printed lens sheet at a new place, for view `view` (from 1) of `of`.

    `tilted`: with one edge raised.
    """

    view: int
    of: int
    tilted: bool
    confirmed: ClassVar[bool] = True
    no: ClassVar[str] = text("no more views")

    @property
    def sentence(self) -> str:
        """Sentence that asks to lay the lens sheet."""
        flat = text("View {view} of {of}: lay the lens sheet flat, elsewhere than before.")
        tilted = text(
            "View {view} of {of}: lay the lens sheet with one edge raised by a hand's breadth, on a box, "
            "elsewhere than before."
        )
        return (tilted if self.tilted else flat).of(view=self.view, of=self.of)

    @property
    def headline(self) -> str:
        """Headline that asks to lay the lens sheet."""
        tilted, flat = term("request", "SHEET {view}: TILTED"), term("request", "SHEET {view}: FLAT")
        return (tilted if self.tilted else flat).of(view=self.view)


@dataclass(frozen=True, slots=True)
class LayRows(Request):
    """Request to lay cards not photographed yet in rows, face up.

    As many as fit. `photo`: number (from 1) of the photograph.
    """

    photo: int
    confirmed: ClassVar[bool] = True
    no: ClassVar[str] = text("no more cards")

    @property
    def sentence(self) -> str:
        """Sentence that asks to lay cards in rows."""
        return text("Photograph {photo}: lay cards in rows, face up, as many as fit.", photo=self.photo)

    @property
    def headline(self) -> str:
        """Headline that asks to lay cards in rows."""
        return term("request", "LAY ROWS")


def in_a_row(names: Sequence[str]) -> str:
    """Join names of cards to one text, with dots between them unless all are numbers."""
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
    """Request to lay one card of each kind face up, in a given order.

    As many as fit. `called`: names of the kinds for people.
    """

    kinds: tuple[str, ...]
    called: tuple[str, ...]
    confirmed: ClassVar[bool] = True
    no: ClassVar[str] = text("no more cards")

    @property
    def sentence(self) -> str:
        """Sentence that asks to lay cards in an order."""
        return text(
            "Take the cards away, then lay one of each in rows, face up and upright, a finger's breadth apart, "
            "in this order, as many as fit: {kinds}",
            kinds=in_a_row(self.called),
        )

    @property
    def headline(self) -> str:
        """Headline that asks to lay cards in an order."""
        if len(self.called) == 1:
            return self.called[0]
        return term("request", "{first} TO {last}", first=self.called[0], last=self.called[-1])


@dataclass(frozen=True, slots=True)
class LeaveOut(Request):
    """Question whether some kinds of cards may be left out.

    `count`: their number. `kinds`: their names. The person has laid the other kinds that were asked for.
    """

    count: int
    kinds: str
    confirmed: ClassVar[bool] = True
    question: ClassVar[bool] = True
    no: ClassVar[str] = text("back: lay them")
    true_unwatched: ClassVar[bool] = True

    @property
    def sentence(self) -> str:
        """Sentence that asks to confirm that cards are left out."""
        return plural(
            "Leave out {n} kind of card? The camera will not know it: {kinds}.",
            "Leave out {n} kinds of cards? The camera will not know them: {kinds}.",
            n=self.count,
            kinds=self.kinds,
        )

    @property
    def headline(self) -> str:
        """Headline that asks to confirm that cards are left out."""
        return term("request", "LEAVE OUT?")


@dataclass(frozen=True, slots=True)
class LayLeftOut(Request):
    """Question whether the person lays kinds left out before, after all.

    `kinds`: their names.
    """

    kinds: str
    confirmed: ClassVar[bool] = True
    question: ClassVar[bool] = True
    no: ClassVar[str] = text("leave them out")

    @property
    def sentence(self) -> str:
        """Sentence that asks to lay cards left out before."""
        return text("Left out: {kinds}. Show these cards after all?", kinds=self.kinds)

    @property
    def headline(self) -> str:
        """Headline that asks to lay cards left out before."""
        return term("request", "AFTER ALL?")


@dataclass(frozen=True, slots=True)
class ConfirmOrder(Request):
    """Question whether the cards on the mat lie in an order.

    `rows`: their names, row by row.
    """

    rows: tuple[tuple[str, ...], ...]
    confirmed: ClassVar[bool] = True
    question: ClassVar[bool] = True
    no: ClassVar[str] = text("they lie otherwise, or one is missing")
    true_unwatched: ClassVar[bool] = True

    @property
    def sentence(self) -> str:
        """Sentence that asks to confirm the order of cards."""
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
    def headline(self) -> str:
        """Headline that asks to confirm the order of cards."""
        return term("request", "IN ORDER?")


@dataclass(frozen=True, slots=True)
class NameCharacter(Request):
    """Question how the family calls a character of the game.

    `usual`: its usual name. `before`: the family's name at the last setup, "" for none.
    """

    usual: str
    before: str = ""
    confirmed: ClassVar[bool] = True
    typed: ClassVar[bool] = True
    leaves_clear: ClassVar[bool] = True

    @property
    def sentence(self) -> str:
        """Sentence that asks to type the name of a character."""
        if self.before:
            return text(
                "What does your family call {usual}? Empty: {before}.", usual=self.usual, before=self.before
            )
        return text("What does your family call {usual}? Empty: no more names.", usual=self.usual)

    @property
    def headline(self) -> str:
        """Headline that asks to type the name of a character."""
        return term("request", "A NAME")


def with_code(name: str, code: str) -> str:
    """Join a card's name and its sticker's code, which tells it from its copies.

    The code alone if the name is "".
    """
    return text("{card} ({code})", card=name, code=code) if name else code


@dataclass(frozen=True, slots=True)
class ShowCard(Request):
    """Request to lay a card on the pad, press it, and take it away.

    It lies face up and is pressed with the flat hand. `code`: the card's code, "" for any card not shown yet.
    `called`: name of a card without a sticker, `name`: of one with a sticker; the other is "".
    """

    station: str
    code: str = ""
    called: str = ""
    name: str = ""
    leaves_clear: ClassVar[bool] = True

    @property
    def sentence(self) -> str:
        """Sentence that asks to press a card on the pad."""
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
    def headline(self) -> str:
        """Headline that asks to press a card on the pad."""
        return self.called or self.name or self.code or term("request", "NEXT CARD")


@dataclass(frozen=True, slots=True)
class PressCard(Request):
    """Request to press a card on the pad once more, turned.

    `called`: name of a card without a sticker, `name`: of one with a sticker; the other is "".
    """

    station: str
    code: str
    called: str = ""
    name: str = ""
    leaves_clear: ClassVar[bool] = True

    @property
    def sentence(self) -> str:
        """Sentence that asks to press a card once more."""
        return text(
            "Press the card {card} on the {place} once more, turned, and take it away.",
            card=self.called or with_code(self.name, self.code),
            place=place_name(self.station),
        )

    @property
    def headline(self) -> str:
        """Headline that asks to press a card once more."""
        return term("request", "PRESS {card}", card=self.called or self.name or self.code)


@dataclass(frozen=True, slots=True)
class LoadScale(Request):
    """Request to lay exactly `cards` cards on a station's scale.

    With 0 cards: to take everything off.
    """

    station: str
    cards: int
    leaves_clear: ClassVar[bool] = True

    @property
    def sentence(self) -> str:
        """Sentence that asks to load a scale."""
        if not self.cards:
            return text("Take everything off {place}.", place=place_name(self.station))
        return plural(
            "Put {n} card on {place}.",
            "Put {n} cards on {place}.",
            n=self.cards,
            place=place_name(self.station),
        )

    @property
    def headline(self) -> str:
        """Headline that asks to load a scale."""
        if not self.cards:
            return term("request", "NONE ON {place}", place=place_name(self.station))
        return term("request", "{cards} ON {place}", cards=self.cards, place=place_name(self.station))


@dataclass(frozen=True, slots=True)
class TouchElectrode(Request):
    """Request to touch a station's metal for a second."""

    station: str
    leaves_clear: ClassVar[bool] = True

    @property
    def sentence(self) -> str:
        """Sentence that asks to touch a station."""
        return text("Touch the metal of {place} for a second.", place=place_name(self.station))

    @property
    def headline(self) -> str:
        """Headline that asks to touch a station."""
        return term("request", "TOUCH {place}", place=place_name(self.station))


@dataclass(frozen=True, slots=True)
class PushButton(Request):
    """Request to push and release the button of a station."""

    station: str
    leaves_clear: ClassVar[bool] = True

    @property
    def sentence(self) -> str:
        """Sentence that asks to push a button."""
        return text("Push the button of {place}.", place=place_name(self.station))

    @property
    def headline(self) -> str:
        """Headline that asks to push a button."""
        return term("request", "PUSH {place}", place=place_name(self.station))


@dataclass(frozen=True, slots=True)
class LampsBeside(Request):
    """Question whether the lamp beside each pushed button was lit."""

    confirmed: ClassVar[bool] = True
    question: ClassVar[bool] = True
    no: ClassVar[str] = text("another one was, or none")
    true_unwatched: ClassVar[bool] = True
    leaves_clear: ClassVar[bool] = True

    @property
    def sentence(self) -> str:
        """Sentence that asks whether the pushed buttons' lamps were lit."""
        return text("Was the lamp beside each button lit while you pushed it?")

    @property
    def headline(self) -> str:
        """Headline that asks whether the pushed buttons' lamps were lit."""
        return term("request", "ALL LIT?")


@dataclass(frozen=True, slots=True)
class PushBesideLamp(Request):
    """Request to push the button beside the one lamp that is lit."""

    leaves_clear: ClassVar[bool] = True

    @property
    def sentence(self) -> str:
        """Sentence that asks to push the lit lamp's button."""
        return text("One lamp is lit now. Push the button beside it.")

    @property
    def headline(self) -> str:
        """Headline that asks to push the lit lamp's button."""
        return term("request", "WHICH IS LIT?")


@dataclass(frozen=True, slots=True)
class LayCard(Request):
    """Request to lay one card alone and face up into a zone.

    The zone is to be cleared if `code` is "". `called`: name of a card without a sticker, `name`: of one with
    a sticker; the other is "".
    """

    zone: str
    code: str
    called: str = ""
    name: str = ""

    @property
    def sentence(self) -> str:
        """Sentence that asks to lay a card into a zone."""
        place = place_name(self.zone)
        if not self.code:
            return text("Clear {place}.", place=place)
        return text(
            "Lay the card {card} alone into the zone {place}, face up.",
            card=self.called or with_code(self.name, self.code),
            place=place,
        )

    @property
    def headline(self) -> str:
        """Headline that asks to lay a card into a zone."""
        return (
            term("request", "SHOW {card}", card=self.called or self.name or self.code)
            if self.code
            else term("request", "CLEAR IT")
        )
