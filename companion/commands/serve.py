"""`companion serve`: the table in browsers on the home network, beside a running engine."""

import asyncio
import json
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from companion.core.config import load_config, runtime_dir, speak_as_set, state_dir
from companion.core.errors import BadInputError
from companion.core.extras import install_step
from companion.core.home_network import HERE, home_addresses
from companion.core.language import text, tr
from companion.core.option_types import FILE_PATH, is_host, language_option
from companion.core.printable import say, show
from companion.core.process_tuning import parent_watch
from companion.core.served_address import ServedAddress, code_rows

PORT, PORTS = 8377, 10
"""PORT: where a browser finds the table if nothing else is said. PORTS: how many are tried from there on."""

NETWORK_S = 2.0
"""NETWORK_S: time (s) between two looks at the network: somebody waits for the code."""


@click.command()
@click.option("--socket", type=FILE_PATH, help="The engine's event stream.")
@click.option("--bind", default="0.0.0.0", show_default=True, metavar="ADDRESS",
              help="Where to listen: the home network, or 127.0.0.1: this machine alone.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), help=f"{PORT} without it, or the next one.")
@click.option(
    "--control",
    is_flag=True,
    help="Pages may also claim, answer, undo, pause and begin the next game; else they look on.",
)
@click.option("--new-token", is_flag=True, help="A new address: whoever has the old one is locked out.")
@click.option("--calm", is_flag=True, help="No motion: verdicts come at once.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the addresses as JSON, one object for each change.",
)
@language_option
def serve(
    socket: Path | None, bind: str, port: int | None, control: bool, new_token: bool, calm: bool, as_json: bool
) -> None:
    """Show the table in browsers and on phones: scan the code, or type the address.

    Needs no engine to start: the page waits for one. Whoever has the address sees what the table sees, and
    can take the own view of one player, with hints for that player alone. Nothing is encrypted: keep it within
    the home network.
    """
    try:
        from companion.bridges.web.server import PageServer, run_server
    except ImportError as error:
        raise BadInputError(
            text("pages need a package that is not installed ({name})", name=error.name),
            next_step=install_step("aiohttp"),
        ) from None
    from companion.bridges.web.access import kept_token, token_in
    from companion.dashboard.screens.verdict_and_score import BREATH_S

    settings = load_config()
    speak_as_set(settings)
    if not is_host(bind):
        raise BadInputError(text("no address of this machine"), where="--bind", next_step="--bind 127.0.0.1")
    engine = engine_socket(socket)
    file = state_dir() / "serve.token"
    token = kept_token(file, renew=new_token)
    breath = 0.0 if calm or not settings.screen.motion else BREATH_S
    server = PageServer(engine, token, control=control, breath_s=breath)
    served = ServedAddress(engine)

    addresses = Addresses(served, bind, lambda: server.token, control=control, as_json=as_json)
    try:
        ports = range(PORT, PORT + PORTS) if port is None else (port,)
        alive = addresses.following(parent_watch())
        now = partial(token_in, file)
        asyncio.run(run_server(server, bind, ports, on_ready=addresses.tell, alive=alive, token=now))
    finally:
        served.remove()


def engine_socket(named: Path | None) -> Path:
    """The socket of the engine that is served; BadInputError for a path that can be none."""
    from companion.session.stream import check_socket

    engine = named or runtime_dir() / "engine.sock"
    check_socket(engine)
    if engine.is_dir():
        raise BadInputError(
            text("a folder, and no socket of an engine"), where=str(engine), next_step=text("check --socket")
        )
    return engine


class Addresses:
    """Tells under which addresses the page is served, again whenever network or token change."""

    def __init__(
        self, served: ServedAddress, bind: str, token: Callable[[], str], *, control: bool, as_json: bool
    ) -> None:
        self._served, self._bind, self._token = served, bind, token
        self._control, self._as_json = control, as_json
        self._port = 0
        self._told: list[str] = []

    def tell(self, port: int) -> None:
        """Name the addresses at a port, if they are others than before."""
        self._port = port
        hosts = home_addresses(self._bind)
        addresses = [f"http://{host}:{port}/{self._token()}/" for host in hosts]
        if addresses == self._told:
            return
        self._told = addresses
        self._served.write(*addresses)
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
            tr("Whoever opens it may claim, answer, undo and pause.")
            if self._control
            else tr("Whoever opens it looks on; a player's own view gives hints.")
        )
        say(tr("Ctrl+C ends it; the game goes on."))

    def following(
        self, alive: Callable[[], bool], now: Callable[[], float] = time.monotonic
    ) -> Callable[[], bool]:
        """`alive`, and at each call a look at the network if the last one is NETWORK_S ago."""
        looked = now()

        def still() -> bool:
            nonlocal looked
            if self._port and now() - looked >= NETWORK_S:
                looked = now()
                self.tell(self._port)
            return alive()

        return still
