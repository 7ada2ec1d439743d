"""Comparison of the host's picture of the board's sensors with the true cards, loads and fingers.

The host is the computer that runs the engine. It knows the board only by the messages of the link.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from companion.rehearse.pulled_cable import Cable
from companion.virtual.parameters import LOAD_CELL
from companion.virtual.rig.board_readings import PAD, RoughRig
from firmware.host.messages import ButtonEvent, Message, TagEvent, TouchEvent, WeightEvent
from firmware.simulator.virtual_board import VirtualBoard

SETTLE_S = 2.0
"""Wait (s) after a movement or reconnect before the host is compared with the table.

Messages need this time to reach the host, the computer that runs the engine.
"""
REST_S = 3.0
"""Shortest time (s) without movement on the table that is counted as a rest."""
NEAR_G = LOAD_CELL.card_g / 2
"""Greatest error (g) of a weight that still counts as right: half a card."""


@dataclass(slots=True)
class Rests:
    """Counts of the table's rests, and of the host's errors.

    A rest is a time of at least REST_S in which nothing moved on the table and the link was up. The host is
    the computer that runs the engine. `rested`: all rests. `untrue`: rests in which the host's values never
    equalled the board's, a fault of the link. `misfelt`: rests in which the host's values never fitted the
    true table; a sensor may have caused this. `returned`: rests that were the first after a reconnect.
    `returned_misfelt`: rests that were both `returned` and `misfelt`.
    """

    rested: int = 0
    untrue: int = 0
    misfelt: int = 0
    returned: int = 0
    returned_misfelt: int = 0


class Felt:
    """Check that the host knows what the sensors truly feel.

    The host is the computer that runs the engine. At each rest (a time without movement on the table) its
    values are compared with the board's and with the true table. `rests` holds the counts.
    """

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
        self._agreed = False
        self._right = False

    def heard(self, messages: Iterable[Message]) -> None:
        """Note the values that the board reports to the host, the computer that runs the engine.

        `messages`: new messages of the link, oldest first. Tags, weights, touches and buttons are noted, all
        other messages ignored. A new value replaces the old one of its station.
        """
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
        """End the present rest, as something moves at `now` (s).

        A rest is a time without movement on the table. It is counted in `rests` if it lasted REST_S or longer
        while the link was up. A new rest begins at `now`.
        """
        if self._up_since is not None and now - self._since >= REST_S:
            self.rests.rested += 1
            self.rests.untrue += not self._agreed
            self.rests.misfelt += not self._right
            if self._returned:
                self._returned = False
                self.rests.returned += 1
                self.rests.returned_misfelt += not self._right
        self._since, self._agreed, self._right = now, False, False

    def look(self, now: float) -> None:
        """Compare the host's values with the board's and the truth.

        The truth is the true table. Call it in each round of the rehearsal,
        at `now` (s). The host is the computer that runs the engine. Nothing is compared while the link is down,
        or before SETTLE_S (s) without movement. One agreement during a rest makes the whole rest count as
        right. The results go into `rests` when the rest ends.
        """
        if self._cable.up_since != self._up_since:
            # A disconnection or reconnection ends a rest and begins another.
            self.moved(now)
            self._up_since = self._cable.up_since
            self._returned = self._up_since is not None and self._cable.pulled
        if self._up_since is not None and now - self._since >= SETTLE_S:
            self._agreed = self._agreed or self._as_the_board()
            self._right = self._right or not self.differences(now)

    def differences(self, now: float) -> list[str]:
        """Name sensors whose reported value differs from the truth.

        The truth is the true table. `now`: time (s). A name is the station and "reader", "count" (its scale),
        "touch" or "button", for example "pad reader". A weight may be wrong by NEAR_G (g). Empty if all agree.
        """
        chips, off = self._board.chips, []
        readable = {tag.uid for tag in chips.readers[PAD].tags if tag.well_placed}
        if not self._is_tag(readable):
            off.append(f"{PAD} reader")
        for at, station in enumerate(sorted(chips.cells)):
            place = self._board.rig["stations"][at]
            if abs(self._grams.get(station, 0.0) - self._rig.bears(station, now)) > NEAR_G:
                off.append(f"{station} count")
            if "touch" in place and self._touched.get(station, False) != chips.touch.touched[place["touch"]]:
                off.append(f"{station} touch")
            at_chip = place["button"].get("touch_chip")
            held = chips.buttons[station].pressed if at_chip is None else chips.touch.closed[at_chip]
            if self._pressed.get(station, False) != held:
                off.append(f"{station} button")
        return off

    def _as_the_board(self) -> bool:
        """Whether the host's values equal the board program's values.

        The host is the computer that runs the engine. Readings that the board does not have yet are not
        compared.
        """
        app = self._board.machine.app
        for at, name in enumerate(app.names):
            weight = app.weights[at]
            if weight is not None and self._grams.get(name) != weight[0] / 10:
                return False
            if self._touched.get(name, False) != bool(app.touched[at]):
                return False
            if self._pressed.get(name, False) != bool(app.pressed[at]):
                return False
        return self._is_tag({bytes(uid) for uid in app.tags[app.names.index(PAD)] or ()})

    def _is_tag(self, uids: set[bytes]) -> bool:
        """Whether the pad's last reported tag is one of `uids`.

        If `uids` is empty, the last report must be None. If two tags lie on the pad, either may be reported.
        """
        return self._tag in uids if uids else self._tag is None
