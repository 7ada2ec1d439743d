"""Tables of other machines on the home network: announced and found by DNS-SD over multicast DNS (RFC 6763).

A table is announced by whoever serves its page. Everybody on the network can read that and can announce
anything: names are foreign text, and the page's key is never in it.
"""

import asyncio
import contextlib
import socket
from collections.abc import Callable, Mapping
from ipaddress import IPv4Address, ip_address
from typing import Any

from zeroconf import BadTypeInNameException, IPVersion, ServiceStateChange, Zeroconf
from zeroconf import Error as ZeroconfError
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from companion.bridges.mqtt.table_topics import state_of
from companion.bridges.tables.listed_table import MOST, STATUS, ListedTable
from companion.core.home_network import HERE
from companion.core.language import text
from companion.core.printable import printable
from companion.core.system_words import system_words
from companion.core.table_names import plain_name, shown_name
from companion.dashboard.model import PublicModel

SERVICE = "_companion-table._tcp.local."
"""DNS-SD service type of a table's page (RFC 6335: up to 15 letters before the protocol)."""
LIVES_S = 60
"""An announcement is valid for so long (s). Then the table of a killed program disappears."""
ASK_AGAIN_S = 20.0
"""A table is asked again after so long (s). The library lists a vanished service for 19 minutes, but keeps its
details only for LIVES_S."""
LOOK_S = 2.0
"""Time (s) between two checks whether network or game have changed."""
ANSWER_MS = 3000
"""How long (ms) to wait for a table's details."""
LONGEST_TEXT = 60
"""A game's title from the network is cut to so many letters."""


_NO_WAY = (OSError, ZeroconfError, RuntimeError)
"""Errors of the library if nothing can be sent. RuntimeError: there is no network at all."""


def _why(error: Exception) -> str:
    return system_words(error) if isinstance(error, OSError) else text("there is no network")


def announcement(table: str, model: PublicModel) -> dict[str, str]:
    """What the network may know of a table: name, game, status.

    No player, and no token.
    """
    state = state_of(model, None)
    listed = ListedTable(table, bridge=True, engine=state.get("live") is True, state=state)
    return {"table": table, "game": str(state.get("game") or ""), "status": listed.status}


async def announce(
    table: str,
    port: int,
    addresses: Callable[[], list[str]],
    now: Callable[[], Mapping[str, str]],
    say: Callable[[str], None],
) -> None:
    """Announce a table's page on the home network until cancelled.

    `port`: the page's. `addresses`: returns this machine's IPv4 addresses. `now`: returns the table's
    details, as from `announcement`; changes are announced. `say` gets, once, why nothing can be announced.
    """
    complained = False
    while True:
        there = [one for one in addresses() if one != HERE and _is_v4(one)]
        if there:
            try:
                await _announce_at(table, port, there, addresses, now)
                complained = False
            except _NO_WAY as error:
                if not complained:
                    say(_why(error))
                complained = True
        await asyncio.sleep(LOOK_S)


async def _announce_at(
    table: str,
    port: int,
    there: list[str],
    addresses: Callable[[], list[str]],
    now: Callable[[], Mapping[str, str]],
) -> None:
    """Announce from the addresses `there`, until this machine's addresses differ from them."""
    machine = plain_name(socket.gethostname())
    told = dict(now())

    def info(name: str) -> AsyncServiceInfo:
        return AsyncServiceInfo(
            SERVICE,
            name,
            port=port,
            properties=told,
            addresses=[IPv4Address(one).packed for one in there],
            server=f"companion-{machine}.local.",
            host_ttl=LIVES_S,
            other_ttl=LIVES_S,
        )

    # An instance is one label: at most 63 bytes.
    named = info(f"{plain_name(table)[:30]}-{machine[:30]}.{SERVICE}")
    zeroconf = AsyncZeroconf(interfaces=there, ip_version=IPVersion.V4Only)
    try:
        await (await zeroconf.async_register_service(named, allow_name_change=True))
        while [one for one in addresses() if one != HERE and _is_v4(one)] == there:
            if (news := dict(now())) != told:
                told = news
                named = info(named.name)
                await (await zeroconf.async_update_service(named))
            await asyncio.sleep(LOOK_S)
    finally:
        # The others are told that it goes, if there is still a network.
        with contextlib.suppress(*_NO_WAY):
            await zeroconf.async_unregister_all_services()
        await zeroconf.async_close()


class TablesOnNetwork:
    """Tables that other machines announce on the home network."""

    def __init__(self, on_change: Callable[[], None], skip: Callable[[], set[str]] = set) -> None:
        """`on_change`: called when a row may have changed.

        `skip`: returns pages ("host:port") that another source lists.
        """
        self.wrong = ""
        """Why no table can be found, in words. "" if the search works."""
        self._on_change, self._skip = on_change, skip
        self._known: set[str] = set()
        """Names of services that are announced now."""
        self._found: dict[str, ListedTable] = {}
        self._asking: dict[str, asyncio.Task[None]] = {}

    def rows(self) -> list[dict[str, Any]]:
        """A row for each table, sorted by service name.

        Each page once.
        """
        skipped = self._skip()
        found = {one.page: one for _, one in sorted(self._found.items())}
        return [one.row() for page, one in found.items() if page.removeprefix("http://") not in skipped]

    async def run(self) -> None:
        """Listen for announcements until cancelled.

        Without a network, try again every LOOK_S.
        """
        while True:
            try:
                zeroconf = AsyncZeroconf(ip_version=IPVersion.V4Only)
            except _NO_WAY as error:
                self.wrong = _why(error)
                self._on_change()
                await asyncio.sleep(LOOK_S)
                continue
            self.wrong = ""
            browser = AsyncServiceBrowser(zeroconf.zeroconf, SERVICE, handlers=[self._heard])
            try:
                while True:
                    await asyncio.sleep(ASK_AGAIN_S)
                    for name in tuple(self._known):
                        self._ask_soon(zeroconf.zeroconf, name)
            finally:
                for task in self._asking.values():
                    task.cancel()
                await browser.async_cancel()
                await zeroconf.async_close()

    def _heard(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        """A table was announced, changed or withdrawn: ask for its details, or drop it."""
        if state_change is ServiceStateChange.Removed:
            self._known.discard(name)
            self._list(name, None)
        elif name in self._known or len(self._known) < MOST:
            self._known.add(name)
            self._ask_soon(zeroconf, name)

    def _ask_soon(self, zeroconf: Zeroconf, name: str) -> None:
        """Start to ask for a table's details, unless that is being done."""
        if name not in self._asking:
            self._asking[name] = asyncio.ensure_future(self._ask(zeroconf, name))
            self._asking[name].add_done_callback(lambda _: self._asking.pop(name, None))

    async def _ask(self, zeroconf: Zeroconf, name: str) -> None:
        """Ask for a table's details, and list it.

        Drop it if it does not answer.
        """
        listed = None
        with contextlib.suppress(*_NO_WAY, BadTypeInNameException, ValueError):
            info = AsyncServiceInfo(SERVICE, name)
            if await info.async_request(zeroconf, ANSWER_MS):
                addresses = info.parsed_addresses(IPVersion.V4Only)
                listed = listed_of(info.decoded_properties, addresses, info.port)
        if name in self._known:
            self._list(name, listed)

    def _list(self, name: str, listed: ListedTable | None) -> None:
        if listed is not None:
            self._found[name] = listed
        else:
            self._found.pop(name, None)
        self._on_change()


def listed_of(told: Mapping[str, str | None], addresses: list[str], port: int | None) -> ListedTable | None:
    """The table in details that a stranger on the network has sent.

    None if they describe none.

    Texts are cut to one short line. The page's address leads nowhere without the token, which only the
    table's screen shows.
    """
    name, status = shown_name(told.get("table") or ""), told.get("status")
    where = next((one for one in addresses if _is_v4(one)), "")
    if not name or not where or not port or status not in STATUS:
        return None
    game = printable(told.get("game") or "")[:LONGEST_TEXT]
    state = {"table": name, "game": game}
    return ListedTable(name, state=state, told=status, page=f"http://{where}:{port}")


def _is_v4(address: str) -> bool:
    try:
        return ip_address(address).version == 4
    except ValueError:
        return False
