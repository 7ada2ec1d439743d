"""The web server: one page for everybody, a page for each player's own view, and their streams of pages.

Everything lies under a token in the address. Files come from a table made at the start: no path of a request
reaches the disk. Everybody's page is read-only unless `control` is set. A server with a desk (`companion host`)
serves the page under LOOK, too, without a token and read-only.
"""

import asyncio
import contextlib
import errno
import json
import logging
import signal
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from html import escape
from importlib.resources import files
from ipaddress import ip_address
from pathlib import Path
from typing import Protocol

import msgspec
from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError

from companion.bridges.web.access import Seats, same_token
from companion.bridges.web.bounded_connections import SILENT_S, Bounds
from companion.bridges.web.page_state import Page, page_words, players
from companion.bridges.web.private_view import PrivateView
from companion.bridges.web.view import WebView
from companion.core.errors import SourceError, as_told
from companion.core.language import LANGUAGES, accepted, current, speaking, tr
from companion.core.system_words import system_words
from companion.dashboard.model import PublicModel
from companion.dashboard.screens.verdict_and_score import BREATH_S
from companion.dashboard.svg_pictures import svg_picture
from companion.dashboard.themes import CONTRAST, DAY, NIGHT, Palette, variables
from companion.dashboard.widgets.call_pictures import COLOURS, PICTURES
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

STREAMS = 40
"""So many browsers may follow the table at once."""
ABANDONED_S = 300.0
"""After so long (s) without a browser, another phone may take a private view. A guess."""
WRITE_S = 10.0
"""A browser that receives nothing for so long (s) is cut off. It then connects again."""
ALIVE_S = 12.0
"""Time (s) between two signs of life to a browser while the page stays the same."""
FIRST_PAGE_S = 0.5
"""The first page in a new language waits so long (s) for the engine's events."""
BODY_BYTES = 4096
"""A request's body may have so many bytes."""
HEADER_BYTES = 4096
"""Each line, and each header, of a request may have so many bytes."""
LOOK = "look"
"""Word in place of the token, for a page on which people can only look on. Served only with a desk."""
_FOLDER = files("companion.bridges.web") / "page"
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
ControlCommand = Claim | Answer | Undo | Pause | TableIsRight | CompanionIsRight | Turn | NextParty
"""Commands that a page with `control` may send. None ends the engine; a game ends only for the next people."""
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class SeatWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A phone's request for the private view of a player (from 1).

    `token`: earlier token of this browser tab, or "".
    """

    player: int
    token: str = ""


class HintWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A private view's request for a hint.

    `more`: a stronger one. `hand`: cards, e.g. "3 3 7".
    """

    more: bool = False
    hand: str = ""


class Desk(Protocol):
    """The part of the page with which people begin and end games, and set up parts (`companion host`)."""

    changed: Callable[[], None]
    """The desk calls this after each change of its part of the page."""

    @property
    def picture(self) -> bytes:
        """What the camera sees during the set-up, as JPEG. b"" if there is none."""
        ...

    def page(self, *, holder: bool) -> Page:
        """This part of the web page, in the reader's language.

        `holder`: the reader has the page's token.
        """
        ...

    def words(self) -> dict[str, str]:
        """Words for this part's buttons, by name."""
        ...

    def knows(self, name: str) -> bool:
        """True if requests of this name ("begin", "end", ...) are for this part of the page."""
        ...

    async def do(self, name: str, body: bytes) -> str:
        """Carry out a request.

        Returns why it is refused, as a sentence; "" if it is not.

        `body`: its JSON. MsgspecError if that is malformed.
        """
        ...


class PageServer:
    """Web server for a table: pages of the engine at the socket `engine`, under a secret `token`."""

    def __init__(
        self,
        engine: Path,
        token: str,
        *,
        control: bool = False,
        desk: Desk | None = None,
        breath_s: float = BREATH_S,
        write_s: float = WRITE_S,
    ) -> None:
        """`control`: everybody's page may send commands.

        `desk`: part of the page that begins and ends games; it implies `control`.

        `breath_s`: pause (s) before a verdict's word. `write_s` replaces WRITE_S.
        """
        self.seats = Seats()
        self.streams = 0
        self._engine, self._token, self._control = engine, token, control or desk is not None
        self._desk = desk
        self._write_s = write_s
        self._template = (_FOLDER / "index.html").read_bytes()
        self._files = _page_files()
        self._private: dict[int, PrivateView] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._breath_s = breath_s
        self.view = WebView(engine, self._common, breath_s=breath_s)
        self._others: dict[tuple[str, bool], tuple[WebView, asyncio.Task[None]]] = {}
        """(Language, whether its readers only look on) -> a view, and what follows the engine for it."""
        if desk is not None:
            desk.changed = self._tell_all
        self._bounds: Bounds | None = None
        self.error: BaseException | None = None
        """What ended a view, which would look alive and never change: the server has to end, too."""

    async def serve(self, host: str, ports: Sequence[int]) -> AsyncGenerator[int]:
        """Serve at the address `host` on the first free of `ports`, which is yielded once, until the generator
        is closed.

        SourceError if none can be used.
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
        following = self._follow(self.view)
        try:
            assert runner.server is not None
            self._bounds = Bounds(runner.server)
            listener = await _listen(self._bounds, host, ports)
            try:
                yield listener.sockets[0].getsockname()[1]
            finally:
                listener.close()
        finally:
            for task in (following, *self._tasks.values(), *(task for _, task in self._others.values())):
                task.cancel()
            await runner.cleanup()

    @property
    def token(self) -> str:
        """Secret token in the page's address."""
        return self._token

    def use_token(self, token: str) -> None:
        """Change the token.

        Pages under the old one end, and private views are given back.
        """
        if token == self._token:
            return
        self._token = token
        for player in self.seats.taken:
            self._give_back(player)
        self._tell_all()

    def _follow(self, view: WebView) -> asyncio.Task[None]:
        """Start a task in which a view follows the engine."""
        task = asyncio.ensure_future(view.run())
        task.add_done_callback(self._follows_no_more)
        return task

    def _follows_no_more(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled():
            self.error = self.error or task.exception()

    @web.middleware
    async def _bounded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer a request, or refuse it; either with security headers."""
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
        with speaking(_wished(request)):
            return await self._told(request)

    async def _without_slash(self, request: web.Request) -> web.StreamResponse:
        """Redirect to the page's address with a slash at its end."""
        token = request.match_info["token"]
        if same_token(self._token, token) or self.seats.player(token) or self._looks_on(request, token):
            raw = request.rel_url.raw_query_string  # as it came: a line break in it would end the header
            query = f"?{raw}" if raw else ""
            return web.Response(status=308, headers={"Location": f"/{token}/{query}"})
        with speaking(_wished(request)):
            return _gone()

    async def _without_token(self, _request: web.Request) -> web.StreamResponse:
        """Redirect the machine's bare address to the page for looking on."""
        return web.Response(status=307, headers={"Location": f"/{LOOK}/"})

    def _looks_on(self, request: web.Request, token: str) -> bool:
        """True if a request is for the page for looking on, under a name that this machine has at home.

        Other names are refused, because a page on the internet could let its name point to this machine.
        """
        return self._desk is not None and token == LOOK and _is_home_name(request.host)

    async def _told(self, request: web.Request) -> web.StreamResponse:
        token, name = request.match_info["token"], request.match_info["name"]
        mine = self.seats.player(token)
        looks = self._looks_on(request, token)
        if not (same_token(self._token, token) or mine or looks):
            return _gone()
        view = self._private[mine] if mine else await self._view_of(current().code, looks=looks)
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
        if name == "":
            view.speak(current().code)
            return web.Response(body=self._page(view), content_type="text/html", charset="utf-8")
        if name == "state":
            return web.Response(body=view.newest, content_type="application/json")
        if name == "events" and request.method == "GET":
            return await self._stream(request, view)
        if name in self._files:
            kind, content = self._files[name]
            return web.Response(body=content, content_type=kind, charset="utf-8")
        return _text(404, tr("Nothing is served there."))

    async def _view_of(self, language: str, *, looks: bool = False) -> WebView:
        """The public view in a language; its first reader makes it.

        `looks`: the view for looking on, without a token.
        """
        if language == self.view.language and not looks:
            return self.view
        if (language, looks) not in self._others:
            common = self._looked_on if looks else self._common
            view = WebView(self._engine, common, breath_s=self._breath_s, language=language)
            self._others[language, looks] = view, self._follow(view)
            # The first page shows the table at once if there is an engine.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FIRST_PAGE_S):
                    while view.model.table is None:
                        await view.newer_than(view.version)
        return self._others[language, looks][0]

    async def _stream(self, request: web.Request, view: WebView) -> web.StreamResponse:
        """Send a browser each new page as a server-sent event, until it leaves or receives no more."""
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
        await asyncio.wait_for(answer.write(data), self._write_s)

    async def _done(self, request: web.Request, token: str, mine: int, name: str) -> web.Response:
        """Carry out a page's request: JSON, sent by a page of this server.

        Others are refused.
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
        if mine != self.seats.player(token):
            return _gone()  # the view was given back, and perhaps taken by somebody else, while the body came
        try:
            match name, mine:
                case "seat", 0:
                    return self._take_seat(msgspec.json.decode(body, type=SeatWish))
                case "command", _ if self._control:
                    command = msgspec.json.decode(body, type=ControlCommand)
                    # Over everybody's connection in the reader's language: that of an own view is for hints.
                    return _json({"refused": await (await self._view_of(current().code)).command(command)})
                case "hint", int(player) if player:
                    wish = msgspec.json.decode(body, type=HintWish)
                    return _json({"refused": self._private[player].ask(more=wish.more, hand=wish.hand)})
                case "leave", int(player) if player:
                    self._give_back(player)
                    return _json({"path": f"/{self._token}/"})
                case _, 0 if self._desk is not None and self._desk.knows(name):
                    return _json({"refused": await self._desk.do(name, body)})
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return _text(400, tr("That is no request of this page."))
        return _text(403, tr("Pages may only look on."))

    def _take_seat(self, wish: SeatWish) -> web.Response:
        if not 1 <= wish.player <= self.view.model.players:
            return _text(404, tr("There is no player {n}.", n=wish.player))
        if self.seats.player(wish.token) == wish.player:
            return _json({"path": f"/{wish.token}/"})  # its owner went back to everybody's page
        held, now = self._private.get(wish.player), time.monotonic()
        if held is not None and not held.followers and now - held.left_s > ABANDONED_S:
            self._give_back(wish.player)
        token = self.seats.take(wish.player)
        if token is None:
            return _text(409, tr("Somebody has this view already."))
        view = PrivateView(self._engine, wish.player, self._common, current().code)
        self._private[wish.player] = view
        self._tasks[wish.player] = self._follow(view)
        self._tell_all()
        return _json({"path": f"/{token}/"})

    def _give_back(self, player: int) -> None:
        self.seats.give_back(player)
        self._private.pop(player).end()
        self._tasks.pop(player).cancel()
        self._tell_all()

    def _tell_all(self) -> None:
        for view in (self.view, *(view for view, _ in self._others.values()), *self._private.values()):
            view.changed()

    def _common(self, model: PublicModel) -> Page:
        """What every page shows besides the table: players, private views taken, control, the desk."""
        taken = self.seats.taken
        table = model.table
        return {
            "players": [{**one, "taken": one["player"] in taken} for one in players(model)],
            "control": self._control,
            "paused": table is not None and table.paused,
            "desk": None if self._desk is None else self._desk.page(holder=True),
        }

    def _looked_on(self, model: PublicModel) -> Page:
        """What the page for looking on shows besides the table: no private views, no buttons."""
        desk = None if self._desk is None else self._desk.page(holder=False)
        return self._common(model) | {"players": [], "control": False, "desk": desk}

    def _page(self, view: WebView) -> bytes:
        """HTML of the page, with its words and the table as it is, so that the first paint needs no stream."""
        page = self._template
        desk = self._desk.words() if self._desk is not None else {}
        words = json.dumps({**page_words(), **desk, "languages": dict(LANGUAGES)}).encode()
        for mark, data in (
            (b"%too old%", tr("This browser is too old for this page. Open it with a newer one.").encode()),
            (b"%words%", words),
            (b"%state%", view.newest),
            (b"%language%", current().code.encode()),
        ):
            page = page.replace(mark, data.replace(b"<", b"\\u003c"))
        return page


def _wished(request: web.Request) -> str:
    """Language code for a request: chosen on the page, else the browser's, else this process's."""
    chosen = request.query.get("language", "")
    return (
        chosen
        if chosen in LANGUAGES
        else accepted(request.headers.get("Accept-Language", "")) or current().code
    )


def _is_home_name(host: str) -> bool:
    """True if a request's Host header is an IP address, or a name that no public DNS can have."""
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return "." not in name or name.lower().endswith((".local", ".home.arpa", ".lan"))
    return True


def _page_files() -> dict[str, tuple[str, bytes]]:
    """Files that the page loads: name in the address -> (media type, content)."""
    kinds = dict.fromkeys(("page.css", "desk.css"), "text/css")
    kinds |= dict.fromkeys(("page.js", "desk.js"), "text/javascript")
    found = {name: (kind, (_FOLDER / name).read_bytes()) for name, kind in kinds.items()}
    found["colours.css"] = ("text/css", colours_css().encode())
    found["icon.svg"] = ("image/svg+xml", icon_svg().encode())
    return found


def colours_css() -> str:
    """Style sheet with the terminal's themes: night or day as the browser wishes, or a chosen one."""

    def rules(palette: Palette) -> str:
        scheme = "dark" if palette.dark else "light"
        given = "".join(f"--{name}:{value};" for name, value in variables(palette).items())
        return f"{{color-scheme:{scheme};{given}}}"

    wished = f":root{rules(NIGHT)}@media(prefers-color-scheme:light){{:root{rules(DAY)}}}"
    wished += f"@media(prefers-contrast:more){{:root{rules(CONTRAST)}}}"
    chosen = (f":root[data-theme={one.name}]{rules(one)}" for one in (NIGHT, DAY, CONTRAST))
    looks = {**{f"p{n}": f"p{n}" for n in range(1, 6)}, "yes": "yes", "no": "no", "perhaps": "perhaps"}
    looks |= {name: name for name in ("awake", "asleep", "out")}
    grounds = "".join(f".g-{name}{{background:var(--{name});color:var(--state-ink)}}" for name in looks)
    cards = "".join(
        f".c-{name}{{background:var(--{name});color:var(--{name}-ink)}}"
        for name in variables(NIGHT)
        if f"{name}-ink" in variables(NIGHT)
    )
    return wished + "".join(chosen) + grounds + cards


def icon_svg() -> str:
    """Icon of the browser's tab as SVG: a moon."""
    return svg_picture(PICTURES["moon"], COLOURS, fills=variables(NIGHT))


def _log() -> logging.Logger:
    """The server's logger, silent about bytes that are no request."""
    log = logging.getLogger("companion.web")
    log.filters = [lambda record: not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))]
    return log


def _text(status: int, text: str) -> web.Response:
    return web.Response(status=status, text=text + "\n", headers=_SECURITY)


def _gone() -> web.Response:
    """The answer to an old or wrong address: what to do."""
    said = tr("This address is no longer valid. Scan the code on the table's screen again.")
    page = f"""<!doctype html><html lang="{current().code}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>404</title><h1>{escape(said)}</h1></html>
"""
    return web.Response(status=404, text=page, content_type="text/html", headers=_SECURITY)


def _json(value: Page) -> web.Response:
    return web.Response(body=msgspec.json.encode(value), content_type="application/json")


async def _listen(bounds: Bounds, host: str, ports: Sequence[int]) -> asyncio.Server:
    loop = asyncio.get_running_loop()
    for port in ports:
        try:
            return await loop.create_server(bounds, host, port, backlog=64)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and port != ports[-1]:
                continue
            raise SourceError(
                tr("cannot serve there ({why})", why=system_words(error)),
                where=f"{host}:{port}",
                next_step=tr("is one served already? else: --port NUMBER"),
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

    `on_ready` gets the port when the server is ready, and again after a change of the token. `token`:
    returns the token to use; "" for no change. CompanionError if a view has failed.
    """
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, stopped.set)
    async with contextlib.aclosing(server.serve(host, ports)) as serving:
        async for given in serving:
            on_ready(given)
            while alive() and not stopped.is_set():
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(stopped.wait(), 0.5)
                if (wanted := token()) and wanted != server.token:
                    server.use_token(wanted)
                    on_ready(given)
                if server.error is not None:
                    raise as_told(server.error)
            break
