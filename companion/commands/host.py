"""`companion host`: a page that begins and ends games.

The console shows a QR code that leads to this page.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.serve import (
    HERE_ALONE,
    NO_PAGES,
    PORT,
    PORTS,
    announced,
    beside,
    engine_socket,
    following,
)
from companion.core.config import config_file, load_config, make_runtime_dir, speak_as_set, state_dir
from companion.core.errors import BadInputError
from companion.core.home_network import HERE, home_addresses
from companion.core.language import text, tr
from companion.core.option_types import FILE_PATH, at_option, is_host, language_option
from companion.core.optional_packages import needing
from companion.core.plugged_in import boards, cameras
from companion.core.printable import say
from companion.core.process_tuning import parent_watch
from companion.core.served_address import ServedAddress
from companion.core.settings_file import before
from companion.core.table_names import own_name

if TYPE_CHECKING:
    from companion.bridges.host.network import HomeNetwork
    from companion.bridges.host.nmcli import Nmcli

FORGOTTEN = ("host.token", "hotspot", "last_start.json")
"""Files of the state folder that `--begin-anew` removes.

They hold the page's token, the access point's name, and what was chosen at the last start. The settings file is
removed as well.
"""


@click.command()
@click.option("--socket", type=FILE_PATH, help="Where the engine of a game lets screens connect.")
@click.option("--bind", default="0.0.0.0", show_default=True, metavar="ADDRESS",
              help="Where to listen: the home network, or 127.0.0.1: this machine alone.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), help=f"{PORT} without it, or the next one.")
@click.option("--begin-anew", is_flag=True,
              help="Forget code, home network and settings, and end; games and rigs stay.")  # fmt: skip
@click.option("--new-code", is_flag=True, help="A new code: whoever has the old one only looks on.")
@language_option
@at_option
def host(socket: Path | None, bind: str, port: int | None, begin_anew: bool, new_code: bool) -> None:
    """Run without a keyboard: a code on this screen leads to a page that begins and ends games.

    Whoever has scanned the code picks game, variant, players, names and language there. Whoever knows only the
    address of this machine looks on. Nothing is encrypted: keep it within the home network. With --at it is one
    of several: its table needs a rig (companion setup --at), and the home network is left to the one without.
    """
    with needing("aiohttp", NO_PAGES):
        from companion.bridges.web.server import PageServer, run_server
    from companion.bridges.host.desk import HostDesk
    from companion.bridges.host.hosted_setup import HostedSetup
    from companion.bridges.host.network import HomeNetwork
    from companion.bridges.host.nmcli import Nmcli
    from companion.bridges.web.access import kept_token, token_in
    from companion.commands.chosen_start import filled_form
    from companion.commands.hosted_game import HostedGame
    from companion.core.language import choose
    from companion.dashboard.screens.verdict_and_score import BREATH_S

    if begin_anew:
        asyncio.run(forget_everything(Nmcli()))
        return
    settings = load_config()
    speak_as_set(settings)
    if not is_host(bind):
        raise BadInputError(text("no address of this machine"), where="--bind", next_step="--bind 127.0.0.1")
    make_runtime_dir()
    engine = engine_socket(socket)
    file = state_dir() / "host.token"
    token = kept_token(file, renew=new_code)
    game = HostedGame(engine)
    setup = HostedSetup()
    # Of several hosts at one machine, the one without a name has the Wi-Fi.
    joins = bind not in HERE_ALONE and not own_name()
    network = HomeNetwork(Nmcli(), state_dir() / "hotspot", lambda: home_addresses(bind) != [HERE])
    language = choose(settings.language)
    desk = HostDesk(game, setup, network, lambda: filled_form(load_config())[0], config_file(), language)
    breath = BREATH_S if settings.screen.motion else 0.0
    server = PageServer(engine, token, desk=desk, breath_s=breath)
    served = ServedAddress(engine)
    console = Console(served, bind, lambda: server.token, network)
    ports = range(PORT, PORT + PORTS) if port is None else (port,)

    async def run() -> None:
        loop = asyncio.get_running_loop()

        def renew() -> None:
            loop.call_soon_threadsafe(desk.renew)

        game.changed = renew
        noticed = following(noticing(parent_watch(), renew), console)

        def alive() -> bool:
            if server.streams:
                network.asked()  # a page that only follows keeps the access point open
            return noticed()

        token_now = partial(token_in, file)
        try:
            alone = bind in HERE_ALONE
            telling = partial(announced, server, bind, lambda: console.port)
            async with beside(network.run if joins else None), beside(None if alone else telling):
                await run_server(server, bind, ports, on_ready=console.tell, alive=alive, token=token_now)
        finally:
            await setup.end()

    try:
        asyncio.run(run())
    finally:
        console.leave()
        game.end()
        served.remove()


async def forget_everything(nmcli: "Nmcli") -> None:
    """Remove token, settings, access point's name and Wi-Fi profiles.

    Wi-Fi profiles go if this program has made them. Games, rigs and
    enrolled cards stay. At a named table (`--at`) the Wi-Fi profiles stay, too. `nmcli`: controls the network.
    WifiError if a Wi-Fi profile cannot be removed; all else is removed by then.
    """
    from companion.bridges.host.network import forget_networks

    settings = config_file()
    for path in (*(state_dir() / name for name in FORGOTTEN), settings, before(settings)):
        if path.is_file():
            path.unlink()
            say(tr("Removed: {file}", file=str(path)))
    if not own_name():
        await forget_networks(nmcli)
    say(tr("companion begins anew. Games and rigs are still there."))


def noticing(alive: Callable[[], bool], renew: Callable[[], None]) -> Callable[[], bool]:
    """Wrap `alive` so that it also notices cameras and boards.

    Each call of the result calls `renew` if a camera or board was plugged in or out since the last call. It
    returns what `alive()` returns.
    """
    there = cameras(), boards()

    def still() -> bool:
        nonlocal there
        if (now := (cameras(), boards())) != there:
            there = now
            renew()
        return alive()

    return still


class Console:
    """Console of `companion host`: its page's QR code and address.

    It is redrawn when network, language or screen size change. If the output is a log, each address is one
    line, printed once. `served`: file in which other commands find the addresses. `bind`: address on which the
    page listens. `token`: returns the secret part of the page's address. `network`: tells of the access point.
    """

    def __init__(
        self, served: ServedAddress, bind: str, token: Callable[[], str], network: "HomeNetwork"
    ) -> None:
        self._served, self._bind, self._token, self._network = served, bind, token, network
        self.port = 0
        """TCP port of the page; 0 until the page is served."""
        self._halves = True
        """True if the console's font has half blocks.

        A QR code made of half blocks takes half as many lines.
        """
        self._shown: list[str] = []
        self._addresses: list[str] = []

    def tell(self, port: int) -> None:
        """Show the page's addresses, if anything shown has changed.

        `port`: TCP port of the page.
        """
        from companion.bridges.host.console import console_page, draw, is_console, load_font, screen_size

        if not self.port and is_console():
            self._halves = load_font()
        self.port = port
        hosts = home_addresses(self._bind)
        addresses = [f"http://{one}:{port}/{self._token()}/" for one in hosts]
        if addresses != self._addresses:
            self._served.write(*addresses)
        unnamed = hosts == [HERE] != [self._bind]
        if is_console():
            network = self._network
            rows = console_page(
                addresses,
                screen_size(),
                unnamed=unnamed,
                hotspot=network.hotspot,
                trouble=network.said,
                halves=self._halves,
            )
            if rows != self._shown:
                self._shown = rows
                draw(rows)
        elif addresses != self._addresses:
            for one in addresses:
                say(one)
            if unnamed:
                say(tr("There is no network: only this machine reaches this address. Another one follows."))
        self._addresses = addresses

    def leave(self) -> None:
        """Clear the screen at the program's end, if it shows code and address."""
        from companion.bridges.host.console import leave

        if self._shown:
            leave()
