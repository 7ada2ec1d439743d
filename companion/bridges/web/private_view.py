"""A player's own view: the table, and hints for this player alone.

It has a connection of its own to the engine: answers come to who asked, and cards in the private corner of the
mat belong to who asked first. What it shows reaches no other view.
"""

import asyncio
from collections.abc import Callable

from companion.bridges.web.newest_page import WebView
from companion.bridges.web.page_state import Page, hand_cards
from companion.core.language import tr
from companion.dashboard.model import PublicModel
from companion.dashboard.screens.hint_screen import FIRST, stronger
from companion.session.stream.commands import AskHint
from companion.session.stream.events import Advice, Event, Refused
from companion.session.stream.stream_client import SocketPath

LEAST_ASKED_S = 1.0
"""Shortest time (s) between two requests for a hint from one view.

A hint costs the engine up to 0.1 s.
"""


class PrivateView(WebView):
    """Page of one player alone: the public table, and hints for this player.

    `player`: from 1. `common`: makes the part of the page that all readers have. `language`: its code; "": this
    process's. The page has the key "mine" in addition.
    """

    def __init__(
        self, engine: SocketPath, player: int, common: Callable[[PublicModel], Page], language: str = ""
    ) -> None:
        self.player = player
        self._level = FIRST
        self._notice = ""
        self._asked_s = float("-inf")
        self._waiting = False
        super().__init__(engine, lambda model: common(model) | {"mine": self._mine(model)}, language=language)

    def ask(self, *, more: bool, hand: str) -> str:
        """Ask the engine for a hint for this player.

        Returns why that is refused, as a sentence; "" if it was sent. It is refused if the player is not on
        turn, less than LEAST_ASKED_S after the last request, and without an engine. `more`: a stronger hint
        than the last. `hand`: the player's cards, e.g. "3 3 7"; "" if the private corner of the mat shows them.
        """
        model = self.model
        if model.foreign or model.table is None:
            return tr("No engine is there that understands it.")
        if not self._on_turn(model):
            return tr("A hint comes on your turn.")
        now = asyncio.get_running_loop().time()
        if now - self._asked_s < LEAST_ASKED_S:
            return tr("One moment.")
        self._asked_s = now
        if more and model.advice is not None:
            hello = model.welcome
            self._level = stronger(model.advice.level, hello.assist if hello else "")
        self._notice, self._waiting = "", True
        if not self.client.send(AskHint(self._level, hand[:80])):
            return tr("Not sent: no connection.")
        return ""

    def _take(self, event: Event) -> None:
        """Note an event of the engine. Advice for another player is dropped."""
        match event:
            case Advice(_, player) if player not in (0, self.player):
                return  # the turn has changed meanwhile: it is not for this player
            case Refused(text):
                if self._waiting and self._on_turn(self.model):
                    self._notice = text
                self._waiting = False
                self.changed()
                return
            case Advice(aloud=False):
                self._waiting = False
        before = self.model.advice
        super()._take(event)
        if before is not None and self.model.advice is None:
            self._level = FIRST
        if not self._on_turn(self.model):
            self._notice = ""

    def _on_turn(self, model: PublicModel) -> bool:
        """True if this view's player is on turn."""
        return model.table is not None and model.table.player == self.player

    def _mine(self, model: PublicModel) -> Page:
        """The page's private part: player, kinds of cards to tap, whether on turn, private corner, notice."""
        return {
            "player": self.player,
            "kinds": hand_cards(model),
            "on_turn": self._on_turn(model),
            "corner": model.welcome is not None and model.welcome.corner,
            "notice": model.names.put_into(self._notice),
        }
