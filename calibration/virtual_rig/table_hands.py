"""Virtual hands that do a setup step in a break of a game, and put everything back afterwards."""

from random import Random
from typing import Any

import msgspec

from calibration.virtual_rig.setup_hands import Script, SetupHands
from calibration.wizard import setup_requests
from calibration.wizard.setup_requests import Request
from companion.core.errors import BadInputError
from companion.core.language import text
from companion.virtual.virtual_table import VirtualTable
from companion.virtual.world import Hand, Thing

BEGIN_S = 1.0
"""Time (s) from a request to the virtual hands' first movement. A guess."""


class TableHands:
    """Hands that do setup requests on a virtual table.

    The players pause meanwhile. `step` moves the hands on as time passes.
    """

    def __init__(self, table: VirtualTable) -> None:
        self._table = table
        self.hands: SetupHands | None = None
        self._things: list[Thing] = []
        self._hand: Hand | None = None
        self._loads: dict[str, float] = {}
        self._script: Script | None = None
        self._due = 0.0
        self._now = 0.0

    def ask(self, what: str, values: dict[str, Any]) -> bool:
        """Begin to obey a request of a setup step.

        `what`: its class in `setup_requests`. `values`: its fields. False if the hands have nothing more to
        show, or answer a question with no. BadInputError for an unknown request, or while the players are
        playing.
        """
        request = _request(what, values)
        if not self._table.held:
            raise BadInputError(text("the players are playing"), next_step=text("pause them first"))
        hands = self.hands or self._begin()
        answer = hands.answer(request)
        if isinstance(answer, bool):
            return answer
        self._script, self._due = answer, self._now + BEGIN_S
        return True

    def step(self, now: float) -> None:
        """Move the hands on to the table's time `now` (s)."""
        self._now = now
        while self._script is not None and self._due <= now:
            pause = next(self._script, None)
            if pause is None:
                self._script = None
            else:
                self._due += pause

    def end(self) -> None:
        """Put everything back as before the first request.

        Cards, hand and loads go back. Nothing happens without a request.
        """
        if self.hands is None:
            return
        self.hands = self._script = None
        table = self._table
        table.world.clear()
        table.rig.clear()
        for thing in sorted(self._things, key=lambda one: one.z):
            table.world.put(thing.code, (thing.x, thing.y), thing.angle, thing.side, glare=thing.glare)
        table.world.hand = self._hand
        for station, grams in self._loads.items():
            table.rig.load(station, 0, grams)

    def _begin(self) -> SetupHands:
        table = self._table
        self._things, self._hand = list(table.world.things.values()), table.world.hand
        self._loads = table.rig.loads
        self.hands = SetupHands(
            table.world,
            table.rig,
            table.mat,
            table.looks,
            table.cards,
            table.noise,
            Random(f"{table.seed} setup"),
            lambda: table.board.lamps,
            lay_paper=table.lay_corners if table.bare else None,
            bare=table.bare,
            art=table.coloured,
        )
        return self.hands


def _request(what: str, values: dict[str, Any]) -> Request:
    kind = getattr(setup_requests, what, None)
    if not (isinstance(kind, type) and issubclass(kind, Request)):
        raise BadInputError(text("no request {what}", what=repr(what[:40])), where="setup")
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as error:
        raise BadInputError(f"not a request ({error})", where=what) from None
