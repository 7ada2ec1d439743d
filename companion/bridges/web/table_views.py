"""All views of one table: the public one in each language, and the private view of each player.

A view is made for its first reader. Each follows the engine in a task of its own.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import Protocol

from companion.bridges.web.access import Seats
from companion.bridges.web.newest_page import WebView
from companion.bridges.web.page_state import Page, players
from companion.bridges.web.private_view import PrivateView
from companion.core.language import current
from companion.dashboard.model import PublicModel
from companion.session.stream.stream_client import SocketPath

ABANDONED_S = 300.0
"""Time (s) without a browser after which another phone may take a private view. A guess."""
FIRST_PAGE_S = 3.0
"""Longest wait (s) of the first page in a new language until the engine has sent its `Table`.

An idle machine sends it in 0.02 s.
"""


class Desk(Protocol):
    """Part of the page with which people begin and end games, and set up parts.

    Only `companion host` has it.
    """

    changed: Callable[[], None]
    """Function without arguments, called after each change of this part of the page."""

    @property
    def picture(self) -> bytes:
        """What the camera sees during the set-up, as JPEG. b"" if there is none."""
        ...

    def page(self, *, holder: bool) -> Page:
        """This part of the web page, as plain values in the reader's language.

        `holder`: True if the reader has the page's token.
        """
        ...

    def words(self) -> dict[str, str]:
        """Texts of this part's buttons: name used by the page -> text."""
        ...

    def knows(self, name: str) -> bool:
        """True if requests of this name ("begin", "end", ...) are for this part of the page."""
        ...

    async def do(self, name: str, body: bytes) -> str:
        """Carry out a request of a person.

        Returns why it is refused, as a sentence; "" if it is not. `name`: one that `knows` accepts. `body`:
        JSON of the request. MsgspecError if it is malformed.
        """
        ...


class TableViews:
    """Views of one table, and the phones that have private ones.

    `seats`: which phone has which private view. `public`: the public view in this process's language. `error`:
    the error that ended a view; None while all work. The server then has to end, too, because the view would
    look alive and never change.
    """

    def __init__(self, engine: SocketPath, *, control: bool, desk: Desk | None, breath_s: float) -> None:
        """Make the public view; `open` has it follow the engine.

        The arguments are those of PageServer.
        """
        self.seats = Seats()
        self.error: BaseException | None = None
        self._engine, self._control, self._desk, self._breath_s = engine, control, desk, breath_s
        self.public = WebView(engine, self._common, breath_s=breath_s)
        self._others: dict[tuple[str, bool], WebView] = {}
        """(language code, True for the page for looking on) -> view."""
        self._private: dict[int, PrivateView] = {}
        """Player (from 1) -> the view that a phone has taken."""
        self._tasks: dict[WebView, asyncio.Task[None]] = {}
        """View -> task in which it follows the engine."""
        if desk is not None:
            desk.changed = self.all_changed

    def open(self) -> None:
        """Let the public view follow the engine."""
        self._follow(self.public)

    def close(self) -> None:
        """Let no view follow the engine any more."""
        for task in self._tasks.values():
            task.cancel()

    async def public_in(self, language: str, *, looks: bool = False) -> WebView:
        """The public view in a language; the first reader has it made.

        `looks`: the view for looking on, without a token. A new view waits for its table, up to FIRST_PAGE_S,
        where the engine has one.
        """
        if language == self.public.language and not looks:
            return self.public
        if (language, looks) not in self._others:
            common = self._looked_on if looks else self._common
            view = WebView(self._engine, common, breath_s=self._breath_s, language=language)
            self._others[language, looks] = view
            self._follow(view)
            if self.public.model.fresh:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(FIRST_PAGE_S):
                        while not view.shows_table:
                            await view.newer_than(view.version)
        return self._others[language, looks]

    def private(self, player: int) -> PrivateView:
        """The private view of a player (from 1). KeyError if no phone has it."""
        return self._private[player]

    def take_private(self, player: int) -> str | None:
        """Make the private view of a player for a phone, and return its token.

        None if another phone has the view, and has followed it within ABANDONED_S. `player`: from 1.
        """
        held, now = self._private.get(player), time.monotonic()
        if held is not None and not held.followers and now - held.left_s > ABANDONED_S:
            self.give_back(player)
        token = self.seats.take(player)
        if token is not None:
            view = PrivateView(self._engine, player, self._common, current().code)
            self._private[player] = view
            self._follow(view)
            self.all_changed()
        return token

    def give_back(self, player: int) -> None:
        """End the private view of a player (from 1), so that another phone can take it."""
        self.seats.give_back(player)
        view = self._private.pop(player)
        view.end()
        self._tasks.pop(view).cancel()
        self.all_changed()

    def all_changed(self) -> None:
        """Have all views make a new page."""
        for view in (self.public, *self._others.values(), *self._private.values()):
            view.changed()

    def _follow(self, view: WebView) -> None:
        """Start the task in which a view follows the engine. Its error is kept in `error`."""
        task = asyncio.ensure_future(view.run())
        task.add_done_callback(self._follows_no_more)
        self._tasks[view] = task

    def _follows_no_more(self, task: asyncio.Task[None]) -> None:
        """Keep the first error of a view's task in `error`."""
        if not task.cancelled():
            self.error = self.error or task.exception()

    def _common(self, model: PublicModel) -> Page:
        """What every page shows besides the table.

        Keys: "players" (with "taken": a phone has the private view), "control", "paused" and "desk" (None
        without).
        """
        taken = self.seats.taken
        table = model.table
        return {
            "players": [{**one, "taken": one["player"] in taken} for one in players(model)],
            "control": self._control,
            "paused": table is not None and table.paused,
            "desk": None if self._desk is None else self._desk.page(holder=True),
        }

    def _looked_on(self, model: PublicModel) -> Page:
        """What the page for looking on shows besides the table.

        It has no private views and no buttons: "players" is [], "control" is False.
        """
        desk = None if self._desk is None else self._desk.page(holder=False)
        return self._common(model) | {"players": [], "control": False, "desk": desk}
