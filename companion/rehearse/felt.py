"""What the host holds of the board's senses, compared with what really lies and presses there."""

from collections.abc import Iterable
from dataclasses import dataclass

from companion.rehearse.cable import Cable
from companion.virtual.rig import MATTRESS_G, PAD, RoughRig
from firmware.messages import ButtonEvent, Message, TagEvent, TouchEvent, WeightEvent
from firmware.virtual import VirtualBoard

SETTLE_S = 2.0
"""So long after the last movement, or after a reconnect, the host may still be wrong."""
REST_S = 3.0
"""A rest of this length must have been understood before the table moves again."""
NEAR_G = MATTRESS_G / 2


@dataclass(slots=True)
class Rests:
    """How often the table lay still long enough for the host to know all of it, and how often it did not.

    `returned` and `returned_untrue` count the first rest after each reconnect alone.
    """

    rested: int = 0
    untrue: int = 0
    returned: int = 0
    returned_untrue: int = 0


class Felt:
    """Folds the link's messages, and looks at every rest of the table whether they add up to the truth."""

    def __init__(self, board: VirtualBoard, rig: RoughRig, cable: Cable) -> None:
        self.rests = Rests()
        self._board = board
        self._rig = rig
        self._cable = cable
        self._tag: bytes | None = None
        self._grams: dict[str, float] = {}
        self._touched: dict[str, bool] = {}
        self._pressed: dict[str, bool] = {}
        self._since = 0.0
        self._up_since: float | None = None
        self._returned = False
        self._true = False

    def heard(self, messages: Iterable[Message]) -> None:
        """Believe what the link says."""
        for message in messages:
            match message:
                case TagEvent(_, _, uid):
                    self._tag = uid
                case WeightEvent(_, station, grams):
                    self._grams[station] = grams
                case TouchEvent(_, station, pressed):
                    self._touched[station] = pressed
                case ButtonEvent(_, station, pressed):
                    self._pressed[station] = pressed

    def moved(self, now: float) -> None:
        """Something is done at the table: the rest before it counts if it was long enough."""
        if self._up_since is not None and now - self._since >= REST_S:
            self.rests.rested += 1
            self.rests.untrue += not self._true
            if self._returned:
                self._returned = False
                self.rests.returned += 1
                self.rests.returned_untrue += not self._true
        self._since, self._true = now, False

    def look(self, now: float) -> None:
        """One round."""
        if self._cable.up_since != self._up_since:
            # Gone or back: a rest ends, another begins.
            self.moved(now)
            self._up_since = self._cable.up_since
            self._returned = self._up_since is not None and self._cable.pulled
        if self._up_since is not None and not self._true and now - self._since >= SETTLE_S:
            self._true = not self.differences(now)

    def differences(self, now: float) -> list[str]:
        """The stations of which the host holds something that is not so."""
        chips, off = self._board.chips, []
        readable = {tag.uid for tag in chips.readers[PAD].tags if tag.well_placed}
        if (self._tag is None) != (not readable) or (self._tag is not None and self._tag not in readable):
            off.append(PAD)
        for bed, station in enumerate(sorted(chips.cells)):
            place = self._board.rig["stations"][bed]
            if abs(self._grams.get(station, 0.0) - self._rig.bears(bed, now)) > NEAR_G:
                off.append(f"{station} count")
            if self._touched.get(station, False) != chips.touch.touched[place["touch"]]:
                off.append(f"{station} touch")
            if self._pressed.get(station, False) != chips.touch.closed[place["button"]["touch_chip"]]:
                off.append(f"{station} button")
        return off
