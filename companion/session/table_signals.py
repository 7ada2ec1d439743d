"""The signals of the board: lamps and beeper, from public events."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from companion.games.api import Verdict
from companion.session.stream.events import Claimed, ClaimHeard, Event, Question, Score, Table, Welcome

Colour = tuple[int, int, int]
"""Red, green and blue, each 0 to 255."""

DARK: Colour = (0, 0, 0)
FEEL: Colour = (0, 12, 40)
"""Colour of places where the player on turn may act."""
ASKED: Colour = (40, 0, 40)
"""Colour that blinks everywhere while a question waits."""
HEARD: Colour = (90, 60, 0)
"""Colour at a claimed place until the verdict."""
VERDICTS: Mapping[str, Colour] = {
    Verdict.PROVED.value: (0, 90, 10),
    Verdict.REFUTED.value: (110, 0, 0),
    Verdict.CANNOT_TELL.value: (90, 60, 0),
}
"""Verdict -> colour at the claimed place. A refuted claim also blinks, so that nobody depends on colours."""
TURNS: tuple[Colour, ...] = ((60, 15, 20), (60, 35, 0), (10, 50, 15), (15, 30, 70), (45, 20, 60))
"""Colour of each player, as on the screens. All places show it when the player's turn begins."""
TURN_S, HEARD_S, VERDICT_S = 1.0, 30.0, 6.0
"""TURN_S, HEARD_S, VERDICT_S: shining times (s) for turn, claim, verdict. Guesses."""
BLINK_S, BLINKS = 0.5, 6
"""BLINK_S: time (s) between on and off of a blinking lamp. BLINKS: changes before it stays dark. Guesses."""
TONES: Mapping[str, tuple[tuple[int, int], ...]] = {
    "heard": ((1200, 60),),
    Verdict.PROVED.value: ((1568, 120),),
    Verdict.REFUTED.value: ((392, 250),),
    Verdict.CANNOT_TELL.value: ((784, 80),),
    "asked": ((988, 60),),
    "end": ((2093, 300),),
}
"""Occasion -> tones (Hz, ms), played one after another."""


@runtime_checkable
class Signalling(Protocol):
    """A source whose device has lamps or a beeper."""

    def light(self, station: str, colour: Colour) -> None:
        """Set the colour of a station's lamp, if it has one."""
        ...

    def beep(self, hertz: int, milliseconds: int) -> None:
        """Sound the beeper, if there is one."""
        ...


@dataclass(frozen=True, slots=True)
class _Lit:
    """A lamp that shines from `t` (s) on for `seconds` (s)."""

    t: float
    seconds: float
    colour: Colour
    blinks: bool = False

    def at(self, now: float) -> Colour | None:
        """The lamp's colour at `now` (s); None afterwards."""
        if now - self.t >= self.seconds:
            return None
        return DARK if self.blinks and _off(now - self.t) else self.colour


class TableSignals:
    """The lamps and the beeper of a table, driven by the events for its screens.

    `lamps`, `beeper`: True if switched on.
    """

    def __init__(self, *, lamps: bool = True, beeper: bool = True) -> None:
        self.lamps, self.beeper = lamps, beeper
        self._table: Table | None = None
        self._asked: float | None = None
        self._turn: _Lit | None = None
        self._places: dict[int, _Lit] = {}
        """Claimed place (from 1) -> its lamp's signal."""
        self._tones: list[tuple[int, int]] = []

    def hear(self, now: float, event: Event) -> None:
        """Process an event that the screens get at `now` (s)."""
        match event:
            case Welcome():  # another game begins, so old questions and claims are over
                self._asked = None
                self._places.clear()
            case Table():
                before = self._table
                self._table = event
                if event.player and (
                    before is None or (before.turn, before.player) != (event.turn, event.player)
                ):
                    self._turn = _Lit(now, TURN_S, TURNS[(event.player - 1) % len(TURNS)])
            case ClaimHeard(_, subject):
                self._places[subject] = _Lit(now, HEARD_S, HEARD)
                self._sound("heard")
            case Claimed(_, subject, _, verdict):
                blinks = verdict == Verdict.REFUTED.value
                self._places[subject] = _Lit(now, VERDICT_S, VERDICTS.get(verdict, DARK), blinks)
                self._sound(verdict)
            case Question(text):
                self._sound("asked" if text and self._asked is None else "")
                self._asked = (self._asked if self._asked is not None else now) if text else None
            case Score():
                self._sound("end")

    def colours(self, now: float) -> dict[int, Colour]:
        """Place (from 1) -> colour of its lamp at `now` (s)."""
        table = self._table
        if table is None:
            return {}
        return {
            subject: self._colour(now, subject, lit=place.lit) if self.lamps else DARK
            for subject, place in enumerate(table.places, 1)
        }

    def tones(self) -> list[tuple[int, int]]:
        """Return and forget the tones (Hz, ms) since the last call."""
        tones, self._tones = self._tones, []
        return tones

    def _colour(self, now: float, subject: int, *, lit: bool) -> Colour:
        claim = self._places.get(subject)
        if claim is not None and (colour := claim.at(now)) is not None:
            return colour
        if self._asked is not None and now - self._asked < BLINK_S * BLINKS:
            return DARK if _off(now - self._asked) else ASKED
        if self._turn is not None and (colour := self._turn.at(now)) is not None:
            return colour
        return FEEL if lit else DARK

    def _sound(self, occasion: str) -> None:
        if self.beeper:
            self._tones += TONES.get(occasion, ())


def _off(passed: float) -> bool:
    """True if a blinking lamp is dark `passed` (s) after lighting."""
    return bool(int(passed / BLINK_S) % 2)
