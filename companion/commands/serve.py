"""`companion serve`: a table's page for browsers on the home network, beside a running engine."""

import asyncio
import contextlib
import json
import socket as socket_names
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import click

from companion.core.config import load_config, runtime_dir, speak_as_set, state_dir
from companion.core.errors import BadInputError
from companion.core.files import read_start, replace_file
from companion.core.home_network import HERE, home_addresses
from companion.core.language import text, tr
from companion.core.option_types import FILE_PATH, at_option, is_host, language_option
from companion.core.optional_packages import needing
from companion.core.printable import say, show
from companion.core.process_tuning import parent_watch
from companion.core.served_address import ServedAddress, code_rows
from companion.core.table_names import own_name

if TYPE_CHECKING:
    from companion.bridges.web.server import PageServer

PORT, PORTS = 8377, 10
"""TCP ports tried for the page: PORTS of them, from PORT on.

The port that this table's page had last is tried before them.
"""

NETWORK_S = 2.0
"""Time (s) between two checks of this machine's network addresses.

It is short, because somebody waits for the QR code.
"""


@click.command()
@click.option("--socket", type=FILE_PATH, help="The engine's event stream.")
@click.option("--bind", default="0.0.0.0", show_default=True, metavar="ADDRESS",
              help="Where to listen: the home network, or 127.0.0.1: this machine alone.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), help=f"The last one without it, {PORT}, or the next.")
@click.option(
    "--control",
    is_flag=True,
    help="Pages may also claim, answer, undo, pause and begin the next game or party; else they look on.",
)
@click.option("--announce/--no-announce", default=True, show_default=True,
              help="Tell the home network of this table, for companion tables elsewhere.")  # fmt: skip
@click.option("--new-token", is_flag=True, help="A new address: whoever has the old one is locked out.")
@click.option("--calm", is_flag=True, help="No motion: verdicts come at once.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the addresses as JSON, one object for each change.",
)
@language_option
@at_option
def serve(
    socket: Path | None,
    bind: str,
    port: int | None,
    control: bool,
    announce: bool,
    new_token: bool,
    calm: bool,
    as_json: bool,
) -> None:
    """Show the table in browsers and on phones: scan the code, or type the address.

    Needs no engine to start: the page waits for one. Whoever has the address sees what the table sees, and
    can take the own view of one player, with hints for that player alone. Nothing is encrypted: keep it within
    the home network.
    """
    with needing("aiohttp", NO_PAGES):
        from companion.bridges.web.server import PageServer, run_server
    from companion.bridges.tables.on_this_machine import shown_engine
    from companion.bridges.web.access import kept_token, token_in
    from companion.dashboard.screens.verdict_and_score import BREATH_S

    settings = load_config()
    speak_as_set(settings)
    if not is_host(bind):
        raise BadInputError(text("no address of this machine"), where="--bind", next_step="--bind 127.0.0.1")
    if socket is None and sys.stdout.isatty():  # a service waits for the usual engine
        engine = shown_engine(runtime_dir() / "engine.sock", "companion serve")
    else:
        engine = partial(Path, engine_socket(socket))
    file = state_dir() / "serve.token"
    token = kept_token(file, renew=new_token)
    breath = 0.0 if calm or not settings.screen.motion else BREATH_S
    server = PageServer(engine, token, control=control, breath_s=breath)
    addresses = Addresses(
        lambda: server.views.public.client.path, bind, lambda: server.token, control=control, as_json=as_json
    )
    try:
        last = LastPort(state_dir() / "serve.port")
        ports = (port,) if port is not None else (*last.read(), *range(PORT, PORT + PORTS))

        def ready(given: int) -> None:
            last.keep(given)
            addresses.tell(given)

        async def run() -> None:
            telling = partial(announced, server, bind, lambda: addresses.port)
            alive = following(parent_watch(), addresses)
            now = partial(token_in, file)
            async with beside(telling if announce and bind not in HERE_ALONE else None):
                await run_server(server, bind, ports, on_ready=ready, alive=alive, token=now)

        asyncio.run(run())
    finally:
        addresses.remove()


def engine_socket(named: Path | None) -> Path:
    """Unix socket of the engine whose table is shown: `named`, or the usual one.

    The engine need not run. SourceError if the path is another kind of file, or cannot be a socket's.
    """
    from companion.session.stream.stream import check_served

    engine = named or runtime_dir() / "engine.sock"
    check_served(engine)
    return engine


NO_PAGES = text("pages need a package that is not installed ({name})")
"""Error of a command that serves pages, without the package for them."""
HERE_ALONE = (HERE, "localhost", "::1")
"""Values of --bind that only this machine can reach."""


@contextlib.asynccontextmanager
async def beside(work: Callable[[], Awaitable[None]] | None) -> AsyncIterator[None]:
    """Context in which an asynchronous function runs beside the body.

    `work()` is cancelled at the end of the context, and its errors are not raised. None: nothing runs.
    """
    task = None if work is None else asyncio.ensure_future(work())
    try:
        yield
    finally:
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


async def announced(server: "PageServer", bind: str, port: Callable[[], int]) -> None:
    """Announce the page to the home network until cancelled.

    Does nothing without the package zeroconf. `server`: tells game and status of the table. `bind`: address on
    which the page listens. `port`: returns the page's TCP port; the call waits while that is 0.
    """
    if find_spec("zeroconf") is None:
        return
    from companion.bridges.tables.on_the_network import announce, announcement

    while not port():
        await asyncio.sleep(NETWORK_S / 10)
    name = own_name() or socket_names.gethostname()
    await announce(
        name,
        port(),
        lambda: home_addresses(bind),
        lambda: announcement(name, server.views.public.model),
        lambda why: say(text("companion: the table is not announced on the network: {why}", why=why), err=True),
    )


class LastPort:
    """TCP port of this table's page, kept in file `path`.

    With the same port at the next start, the address in a printed QR code stays valid.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> tuple[int, ...]:
        """(port,) as kept in the file.

        () if none was kept, or the file is damaged.
        """
        kept = (read_start(self._path, 8) or b"").decode("ascii", "replace").strip()
        return (int(kept),) if kept.isdecimal() and 0 < int(kept) < 65536 else ()

    def keep(self, port: int) -> None:
        """Write the page's TCP port into the file for the next start.

        Errors are ignored.
        """
        with contextlib.suppress(OSError):
            replace_file(self._path, f"{port}\n".encode())


class Addresses:
    """Prints the page's addresses, again when network or token change.

    Other commands find the addresses in a file beside the engine's socket. `engine`: returns the path of this
    socket; the file follows it. `bind`: address on which the page listens. `token`: returns the secret part of
    the page's address. `control`: pages may also play. `as_json`: JSON instead of a QR code and sentences.
    """

    def __init__(
        self, engine: Callable[[], Path], bind: str, token: Callable[[], str], *, control: bool, as_json: bool
    ) -> None:
        self._engine, self._bind, self._token = engine, bind, token
        self._served = ServedAddress(engine())
        self._control, self._as_json = control, as_json
        self.port = 0
        """Port of the page; 0 until it is served."""
        self._told: list[str] = []

    def tell(self, port: int) -> None:
        """Print the page's addresses, if they have changed.

        `port`: its TCP port.
        """
        self.port = port
        hosts = home_addresses(self._bind)
        addresses = [f"http://{host}:{port}/{self._token()}/" for host in hosts]
        beside = ServedAddress(self._engine())
        if addresses == self._told and beside.path == self._served.path:
            return
        self.remove()
        self._served = beside
        self._served.write(*addresses)
        if addresses == self._told:
            return
        self._told = addresses
        if self._as_json:
            line = {"address": addresses[0], "addresses": addresses, "control": self._control}
            click.echo(json.dumps(line))
            return
        for row in code_rows(addresses[0]):
            show(click.style(row, fg="bright_white", bg="black"))
        for address in addresses:
            say(address)
        if addresses[1:]:
            say(tr("This machine is in several networks. The code is the first address; try the others, too."))
        if hosts == [HERE] != [self._bind]:
            say(tr("There is no network: only this machine reaches this address. Another one follows."))
        say(
            tr("Whoever opens it may claim, answer, undo, pause and begin anew for the next party.")
            if self._control
            else tr("Whoever opens it looks on; a player's own view gives hints.")
        )
        say(tr("Ctrl+C ends it; the game goes on."))

    def remove(self) -> None:
        """Delete the file with the page's addresses."""
        self._served.remove()


class Told(Protocol):
    """Where the address of the served web page is shown: a terminal or a console.

    An implementation has the page's port, and shows the address when told.
    """

    port: int
    """TCP port of the page; 0 until it is served."""

    def tell(self, port: int) -> None:
        """Show the page's address, if it has changed.

        `port`: its TCP port.
        """


def following(
    alive: Callable[[], bool], told: Told, now: Callable[[], float] = time.monotonic
) -> Callable[[], bool]:
    """Wrap `alive` so that the shown address stays right.

    Each call of the result returns `alive()`. Every NETWORK_S it lets `told` show the page's address, if that
    has changed. `now`: clock (s).
    """
    looked = now()

    def still() -> bool:
        nonlocal looked
        if told.port and now() - looked >= NETWORK_S:
            looked = now()
            told.tell(told.port)
        return alive()

    return still
