"""The web server: one page for everybody, a page for each player's own view, and their streams of pages.

Everything lies under a token in the address. Files come from a table made at the start: no path of a request
reaches the disk. Everybody's page is read-only unless `control` is set. A server with a desk (`companion host`)
serves the page under LOOK, too, without a token and read-only.
"""

import asyncio
import contextlib
import errno
import logging
import signal
import socket
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from html import escape
from ipaddress import ip_address

import msgspec
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from companion.bridges.web.access import same_token
from companion.bridges.web.bounded_connections import SILENT_S, Bounds
from companion.bridges.web.newest_page import WebView
from companion.bridges.web.page_files import HtmlPage, page_files
from companion.bridges.web.page_state import Page
from companion.bridges.web.table_views import Desk, TableViews
from companion.core.errors import SourceError, as_told
from companion.core.language import LANGUAGES, accepted, current, speaking, tr
from companion.core.system_words import system_words
from companion.dashboard.screens.verdict_and_score import BREATH_S
from companion.session.stream.commands import (
    Answer,
    Claim,
    CompanionIsRight,
    NextParty,
    Pause,
    TableIsRight,
    Turn,
    Undo,
)
from companion.session.stream.stream_client import SocketPath

STREAMS = 40
"""Largest number of browsers that follow the table at once."""
WRITE_S = 10.0
"""Time (s) after which a browser that receives nothing is cut off. It then connects again."""
ALIVE_S = 12.0
"""Time (s) between two signs of life to a browser while the page stays the same."""
BODY_BYTES = 4096
"""Largest body (bytes) of a request."""
HEADER_BYTES = 4096
"""Largest length (bytes) of a request's first line, and of each header."""
LOOK = "look"
"""Word that stands in the address in place of the token.

Under it the page is read-only. It is served only with a desk (`companion host`).
"""
_SECURITY = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
    "Server": "companion",
}
"""Headers of every answer, which restrict what a browser may do with it."""
ControlCommand = Claim | Answer | Undo | Pause | TableIsRight | CompanionIsRight | Turn | NextParty
"""Commands to the engine that a page with `control` may send.

No command among them stops the engine. Only NextParty ends a game, when other people want to play.
"""
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
"""aiohttp function that answers a request."""


class SeatWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A phone's request for the private view of a player.

    `player`: from 1. `token`: the one that this browser tab got earlier; "": none.
    """

    player: int
    token: str = ""


class HintWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A private view's request for a hint.

    `more`: a stronger one than the last. `hand`: the player's cards, e.g. "3 3 7".
    """

    more: bool = False
    hand: str = ""


class PageServer:
    """Web server for one table, with its pages under a secret token.

    `streams`: number of browsers that follow the table. `views`: what they show.
    """

    def __init__(
        self,
        engine: SocketPath,
        token: str,
        *,
        control: bool = False,
        desk: Desk | None = None,
        breath_s: float = BREATH_S,
        write_s: float = WRITE_S,
    ) -> None:
        """Prepare the server; `serve` opens it.

        `engine`: socket of the table's engine. `token`: secret part of the page's address. `control`:
        everybody's page may send commands. `desk`: part of the page that begins and ends games; it implies
        `control`. `breath_s`: pause (s) before a verdict's word. `write_s`: time (s) after which a browser that
        receives nothing is cut off.
        """
        self.streams = 0
        self._token, self._control, self._desk = token, control or desk is not None, desk
        self.views = TableViews(engine, control=self._control, desk=desk, breath_s=breath_s)
        self._write_s = write_s
        self._html = HtmlPage()
        self._files = page_files()
        self._bounds: Bounds | None = None

    @contextlib.asynccontextmanager
    async def serving(self, host: str, ports: Sequence[int]) -> AsyncGenerator[int]:
        """Context in which the page is served; it gives the port in use.

        That is the first free one of `ports`. `host`: address to listen on. SourceError if no port can be used.
        """
        app = web.Application(client_max_size=BODY_BYTES, middlewares=[self._bounded])
        app.router.add_route("*", "/{token}/{name:[^/]*}", self._answer)
        app.router.add_get("/{token}", self._without_slash)
        if self._desk is not None:
            app.router.add_get("/", self._without_token)
        runner = web.AppRunner(
            app,
            access_log=None,
            logger=_log(),
            handle_signals=False,
            handler_cancellation=True,  # or a browser that has left counts until the next page
            keepalive_timeout=SILENT_S,
            max_line_size=HEADER_BYTES,
            max_field_size=HEADER_BYTES,
            shutdown_timeout=0.1,
        )
        await runner.setup()
        self.views.open()
        try:
            assert runner.server is not None
            self._bounds = Bounds(runner.server)
            listener = await _listen(self._bounds, host, ports)
            try:
                yield listener.sockets[0].getsockname()[1]
            finally:
                listener.close()
        finally:
            self.views.close()
            await runner.cleanup()

    @property
    def token(self) -> str:
        """Secret token in the page's address."""
        return self._token

    def use_token(self, token: str) -> None:
        """Change the token of the page's address.

        Streams under the old token end, and private views are given back. Nothing happens if it is the same
        token.
        """
        if token == self._token:
            return
        self._token = token
        for player in self.views.seats.taken:
            self.views.give_back(player)
        self.views.all_changed()

    @web.middleware
    async def _bounded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer a request, or refuse it, with security headers.

        aiohttp calls it around each handler.
        """
        assert self._bounds is not None
        self._bounds.stop_idle_timer(request.protocol)
        try:
            try:
                answer = await handler(request)
            except (ConnectionError, web.RequestPayloadError):
                answer = _text(400, tr("The request took too long."))  # for nobody: the browser has left
            except web.HTTPException as refusal:
                with speaking(_wished(request)):
                    answer = _gone() if refusal.status == 404 else _text(refusal.status, refusal.reason)
            if not answer.prepared:
                answer.headers.update(_SECURITY)
            return answer
        finally:
            self._bounds.start_idle_timer(request.protocol)

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        """Answer a request in the language that it asks for."""
        with speaking(_wished(request)):
            return await self._told(request)

    async def _without_slash(self, request: web.Request) -> web.StreamResponse:
        """Redirect an address without a final slash to the page (308).

        A wrong token gets the answer of `_gone`.
        """
        token = request.match_info["token"]
        if same_token(self._token, token) or self.views.seats.player(token) or self._looks_on(request, token):
            raw = request.rel_url.raw_query_string  # as it came: a line break in it would end the header
            query = f"?{raw}" if raw else ""
            return web.Response(status=308, headers={"Location": f"/{token}/{query}"})
        with speaking(_wished(request)):
            return _gone()

    async def _without_token(self, _request: web.Request) -> web.StreamResponse:
        """Redirect the machine's bare address to the page for looking on."""
        return web.Response(status=307, headers={"Location": f"/{LOOK}/"})

    def _looks_on(self, request: web.Request, token: str) -> bool:
        """True if a request is for the page for looking on.

        The Host header must be a name that only a home network has (see `_is_home_name`), because a page on the
        internet could let its own name point to this machine.
        """
        return self._desk is not None and token == LOOK and _is_home_name(request.host)

    async def _told(self, request: web.Request) -> web.StreamResponse:
        """Answer a request according to its token: everybody's, a player's, or LOOK."""
        token, name = request.match_info["token"], request.match_info["name"]
        mine = self.views.seats.player(token)
        looks = self._looks_on(request, token)
        if not (same_token(self._token, token) or mine or looks):
            return _gone()
        view = self.views.private(mine) if mine else await self.views.public_in(current().code, looks=looks)
        if request.method in ("GET", "HEAD"):
            if name == "picture" and self._desk is not None and not (mine or looks):
                return web.Response(body=self._desk.picture, content_type="image/jpeg")
            return await self._shown(request, view, name)
        if request.method == "POST":
            if looks:
                return _text(403, tr("Pages may only look on."))
            return await self._done(request, token, mine, name)
        return _text(405, "GET, POST")

    async def _shown(self, request: web.Request, view: WebView, name: str) -> web.StreamResponse:
        """Answer a GET: the page (""), "state", "events", or a file of the page. Else 404."""
        if name == "":
            view.speak(current().code)
            words = {} if self._desk is None else self._desk.words()
            html = self._html.filled(view.newest, words)
            return web.Response(body=html, content_type="text/html", charset="utf-8")
        if name == "state":
            return web.Response(body=view.newest, content_type="application/json")
        if name == "events" and request.method == "GET":
            return await self._stream(request, view)
        if name in self._files:
            kind, content = self._files[name]
            return web.Response(body=content, content_type=kind, charset="utf-8")
        return _text(404, tr("Nothing is served there."))

    async def _stream(self, request: web.Request, view: WebView) -> web.StreamResponse:
        """Send a browser each new page as a server-sent event.

        It ends when the browser leaves or receives no more, or the token changes. 503 if STREAMS browsers
        follow.
        """
        if self.streams >= STREAMS:
            return _text(503, tr("Too many screens are connected. Close one of them."))
        answer = web.StreamResponse(headers={"Content-Type": "text/event-stream; charset=utf-8", **_SECURITY})
        answer.enable_chunked_encoding()
        self.streams += 1
        view.followers += 1
        try:
            await answer.prepare(request)
            await self._write(answer, b"retry: 1000\n\n")
            version, token = 0, self._token
            while not view.ended and token == self._token:
                try:
                    version, page = await asyncio.wait_for(view.newer_than(version), ALIVE_S)
                except TimeoutError:
                    await self._write(answer, b"event: alive\ndata:\n\n")
                    continue
                await self._write(answer, b"data: " + page + b"\n\n")
        except (TimeoutError, ConnectionError):
            if request.transport is not None:
                request.transport.abort()
        finally:
            self.streams -= 1
            view.followers -= 1
            view.left_s = time.monotonic()
        return answer

    async def _write(self, answer: web.StreamResponse, data: bytes) -> None:
        """Send bytes to a browser. TimeoutError if it receives nothing for `write_s`."""
        await asyncio.wait_for(answer.write(data), self._write_s)

    async def _done(self, request: web.Request, token: str, mine: int, name: str) -> web.Response:
        """Carry out a POST request: "seat", "command", "hint", "leave", or the desk's.

        Its body must be JSON, and its Origin this server; else it is refused (403). `mine`: player (from 1)
        whose token was used; 0: everybody's token.
        """
        origin = request.headers.get("Origin")
        if request.content_type != "application/json" or (
            origin and origin.partition("://")[2] != request.host
        ):
            return _text(403, tr("That does not come from a page of this server."))
        try:
            body = await asyncio.wait_for(request.read(), SILENT_S)
        except TimeoutError:
            return _text(408, tr("The request took too long."))
        if mine != self.views.seats.player(token):
            return _gone()  # the view was given back, and perhaps taken by somebody else, while the body came
        try:
            match name, mine:
                case "seat", 0:
                    return self._take_seat(msgspec.json.decode(body, type=SeatWish))
                case "command", _ if self._control:
                    command = msgspec.json.decode(body, type=ControlCommand)
                    # Over everybody's connection in the reader's language: that of an own view is for hints.
                    view = await self.views.public_in(current().code)
                    return _json({"refused": await view.command(command)})
                case "hint", int(player) if player:
                    wish = msgspec.json.decode(body, type=HintWish)
                    return _json({"refused": self.views.private(player).ask(more=wish.more, hand=wish.hand)})
                case "leave", int(player) if player:
                    self.views.give_back(player)
                    return _json({"path": f"/{self._token}/"})
                case _, _ if self._desk is not None and self._desk.knows(name):
                    return _json({"refused": await self._desk.do(name, body)})
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return _text(400, tr("That is no request of this page."))
        return _text(403, tr("Pages may only look on."))

    def _take_seat(self, wish: SeatWish) -> web.Response:
        """Give a phone a private view: {"path": its address}.

        404 if there is no such player, 409 if another phone has the view.
        """
        if not 1 <= wish.player <= self.views.public.model.players:
            return _text(404, tr("There is no player {n}.", n=wish.player))
        if self.views.seats.player(wish.token) == wish.player:
            return _json({"path": f"/{wish.token}/"})  # its owner went back to everybody's page
        token = self.views.take_private(wish.player)
        if token is None:
            return _text(409, tr("Somebody has this view already."))
        return _json({"path": f"/{token}/"})


def _wished(request: web.Request) -> str:
    """Language code for a request.

    It is the one chosen on the page, else the browser's, else this process's.
    """
    chosen = request.query.get("language", "")
    return (
        chosen
        if chosen in LANGUAGES
        else accepted(request.headers.get("Accept-Language", "")) or current().code
    )


def _is_home_name(host: str) -> bool:
    """True if a Host header is an IP address, or a name that no public DNS can have.

    Such a name has no dot, or ends in .local, .home.arpa or .lan. `host`: perhaps with a port.
    """
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return "." not in name or name.lower().endswith((".local", ".home.arpa", ".lan"))
    return True


def _log() -> logging.Logger:
    """The server's logger, silent about bytes that are no request."""
    log = logging.getLogger("companion.web")
    log.filters = [lambda record: not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))]
    return log


def _text(status: int, text: str) -> web.Response:
    """An answer of plain text with an HTTP status."""
    return web.Response(status=status, text=text + "\n", headers=_SECURITY)


def _gone() -> web.Response:
    """The answer (404) to an old or wrong address; it says what to do."""
    said = tr("This address is no longer valid. Scan the code on the table's screen again.")
    page = f"""<!doctype html><html lang="{current().code}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>404</title><h1>{escape(said)}</h1></html>
"""
    return web.Response(status=404, text=page, content_type="text/html", headers=_SECURITY)


def _json(value: Page) -> web.Response:
    """An answer of JSON."""
    return web.Response(body=msgspec.json.encode(value), content_type="application/json")


async def _listen(bounds: Bounds, host: str, ports: Sequence[int]) -> asyncio.Server:
    """Listen on the first free one of `ports`.

    SourceError if none can be used.
    """
    loop = asyncio.get_running_loop()
    for port in ports:
        try:
            return await loop.create_server(bounds, host, port, backlog=64)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and port != ports[-1]:
                continue
            # This machine has no such address; with another port it would have none either.
            astray = isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
            raise SourceError(
                tr("cannot serve there ({why})", why=system_words(error)),
                where=f"{host}:{port}",
                next_step=tr("check --bind") if astray else tr("is one served already? else: --port NUMBER"),
            ) from None
    raise ValueError("no port")


async def run_server(
    server: PageServer,
    host: str,
    ports: Sequence[int],
    *,
    on_ready: Callable[[int], None],
    alive: Callable[[], bool],
    token: Callable[[], str] = str,
) -> None:
    """Run the web server until SIGINT or SIGTERM, or until `alive` returns False.

    `host`, `ports`: as for PageServer.serving. `on_ready`: gets the port when the server is ready, and again
    after a change of the token. `token`: returns the token to use; "" for no change. CompanionError if a view
    has failed.
    """
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, stopped.set)
    async with server.serving(host, ports) as port:
        on_ready(port)
        while alive() and not stopped.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(stopped.wait(), 0.5)
            if (wanted := token()) and wanted != server.token:
                server.use_token(wanted)
                on_ready(port)
            if server.views.error is not None:
                raise as_told(server.views.error)
