"""The signals of the board, from public events alone: which lamps shine, and when the beeper sounds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from companion.games.api import Verdict
from companion.session.stream.events import Claimed, ClaimHeard, Event, Question, Score, Table, Welcome

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""

DARK: Colour = (0, 0, 0)
FEEL: Colour = (0, 12, 40)
"""FEEL: at every place where the player on turn may do now what the screen says, e.g. feel a card."""
ASKED: Colour = (40, 0, 40)
"""ASKED: at all places, blinking, while a question waits for an answer."""
HEARD: Colour = (90, 60, 0)
"""HEARD: at the place of a claim, until its verdict."""
VERDICTS: Mapping[str, Colour] = {
    Verdict.PROVED.value: (0, 90, 10),
    Verdict.REFUTED.value: (110, 0, 0),
    Verdict.CANNOT_TELL.value: (90, 60, 0),
}
"""Verdict -> colour. One that is refuted blinks as well: nobody depends on colours."""
TURNS: tuple[Colour, ...] = ((60, 15, 20), (60, 35, 0), (10, 50, 15), (15, 30, 70), (45, 20, 60))
"""Colour of each player, as on the screens: all places show it when a turn begins."""
TURN_S, HEARD_S, VERDICT_S = 1.0, 30.0, 6.0
"""How long (s) each of them shines."""
BLINK_S, BLINKS = 0.5, 6
"""BLINK_S: time between on and off (s). BLINKS: changes before a blinking lamp stays dark."""
TONES: Mapping[str, tuple[tuple[int, int], ...]] = {
    "heard": ((1200, 60),),
    Verdict.PROVED.value: ((1568, 120),),
    Verdict.REFUTED.value: ((392, 250),),
    Verdict.CANNOT_TELL.value: ((784, 80),),
    "asked": ((988, 60),),
    "end": ((2093, 300),),
}
"""Occasion -> tones: Hz, ms. The board plays one at a time."""


@runtime_checkable
class Signalling(Protocol):
    """A source whose device has lamps or a beeper."""

    def light(self, station: str, colour: Colour) -> None:
        """Let the lamp of a station shine; nothing happens where there is none."""
        ...

    def beep(self, hertz: int, milliseconds: int) -> None:
        """Sound the beeper; nothing happens if there is none."""
        ...


@dataclass(frozen=True, slots=True)
class _Lit:
    """A lamp that was switched on for a while, from `t` (s) on."""

    t: float
    seconds: float
    colour: Colour
    blinks: bool = False

    def at(self, now: float) -> Colour | None:
        """Its colour at `now` (s); None when it is over."""
        if now - self.t >= self.seconds:
            return None
        return DARK if self.blinks and _off(now - self.t) else self.colour


class TableSignals:
    """Hears every event of a table and says what shines and sounds. `lamps`, `beeper`: whether each is on."""

    def __init__(self, *, lamps: bool = True, beeper: bool = True) -> None:
        self.lamps, self.beeper = lamps, beeper
        self._table: Table | None = None
        self._asked: float | None = None
        self._turn: _Lit | None = None
        self._places: dict[int, _Lit] = {}
        """Subject (from 1) -> what shines there because of a claim."""
        self._tones: list[tuple[int, int]] = []

    def hear(self, now: float, event: Event) -> None:
        """Take an event that the screens get, at `now` (s)."""
        match event:
            case Welcome():  # another game: questions and claims of the last one are over
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
        """Subject (from 1) -> what its lamp shows at `now` (s)."""
        table = self._table
        if table is None:
            return {}
        return {
            subject: self._colour(now, subject, lit=place.lit) if self.lamps else DARK
            for subject, place in enumerate(table.places, 1)
        }

    def tones(self) -> list[tuple[int, int]]:
        """Tones since the last call: Hz, ms."""
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
    """Whether a blinking lamp is dark `passed` seconds after it was lit."""
    return bool(int(passed / BLINK_S) % 2)
