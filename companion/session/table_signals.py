"""The signals on the board: lamps and beeper, driven by the events for screens."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from companion.games.claims import Verdict
from companion.session.stream.events import Claimed, ClaimHeard, Event, Question, Score, Table, Welcome

Colour = tuple[int, int, int]
"""Colour of a lamp: red, green and blue, each 0 to 255."""

DARK: Colour = (0, 0, 0)
FEEL: Colour = (0, 12, 40)
"""Colour of the lamp at each place where the player on turn may act."""
ASKED: Colour = (40, 0, 40)
"""Colour in which all lamps blink when a question to people appears."""
HEARD: Colour = (90, 60, 0)
"""Colour of the lamp at a claimed place, from the claim until the verdict."""
VERDICTS: Mapping[str, Colour] = {
    Verdict.PROVED.value: (0, 90, 10),
    Verdict.REFUTED.value: (110, 0, 0),
    Verdict.CANNOT_TELL.value: (90, 60, 0),
}
"""Verdict on a claim -> colour of the lamp at the claimed place.

A refuted claim also blinks, so that nobody depends on colours.
"""
TURNS: tuple[Colour, ...] = ((60, 15, 20), (60, 35, 0), (10, 50, 15), (15, 30, 70), (45, 20, 60))
"""Colour of each player, as on the screens. All lamps show it when the player's turn begins."""
TURN_S, HEARD_S, VERDICT_S = 1.0, 30.0, 6.0
"""Longest time (s) that a lamp shines: TURN_S for a turn, HEARD_S for a claim, VERDICT_S for a verdict.

Guesses.
"""
BLINK_S, BLINKS = 0.5, 6
"""BLINK_S: time (s) that a blinking lamp is on or off.

BLINKS: number of such times until the lamps of a question go dark. Guesses.
"""
TONES: Mapping[str, tuple[tuple[int, int], ...]] = {
    "heard": ((1200, 60),),
    Verdict.PROVED.value: ((1568, 120),),
    Verdict.REFUTED.value: ((392, 250),),
    Verdict.CANNOT_TELL.value: ((784, 80),),
    "asked": ((988, 60),),
    "end": ((2093, 300),),
}
"""Occasion -> (frequency in Hz, length in ms) of the beeper's tones, one after another.

"heard": a claim. "asked": a question. "end": the score. Else the verdict on a claim.
"""


@runtime_checkable
class Signalling(Protocol):
    """A source whose device has lamps or a beeper."""

    def light(self, station: str, colour: Colour) -> None:
        """Set the colour of a station's lamp.

        Nothing happens if the station has none.
        """
        ...

    def beep(self, hertz: int, milliseconds: int) -> None:
        """Sound the beeper at `hertz` for `milliseconds`; nothing happens if the device has none."""
        ...


@dataclass(frozen=True, slots=True)
class _Lit:
    """The signal of a lamp: it shines or blinks in a colour for `seconds` (s), from time `t` (s) on."""

    t: float
    seconds: float
    colour: Colour
    blinks: bool = False

    def at(self, now: float) -> Colour | None:
        """Lamp's colour at `now` (s); None after the signal."""
        if now - self.t >= self.seconds:
            return None
        return DARK if self.blinks and _off(now - self.t) else self.colour


class TableSignals:
    """The lamps and the beeper at a table, driven by the events for screens.

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
        """Set lamps and tones by an event at `now` (s)."""
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
        """Place number (from 1) -> lamp colour at `now` (s).

        Empty before the first `Table`.
        """
        table = self._table
        if table is None:
            return {}
        return {
            subject: self._colour(now, subject, lit=place.lit) if self.lamps else DARK
            for subject, place in enumerate(table.places, 1)
        }

    def tones(self) -> list[tuple[int, int]]:
        """Return and remove the tones that wait for the beeper: (frequency in Hz, length in ms)."""
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
    """True if a blinking lamp is dark, `passed` (s) after it began to blink."""
    return bool(int(passed / BLINK_S) % 2)
