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
"""Time (s) for which an announcement is valid.

After it, the table of a killed program disappears from lists.
"""
ASK_AGAIN_S = 20.0
"""Time (s) after which a table is asked for its details again.

It is shorter than LIVES_S, after which the library forgets the details; it lists a vanished service for 19
minutes.
"""
LOOK_S = 2.0
"""Time (s) between two checks whether network or game have changed."""
ANSWER_MS = 3000
"""How long (ms) to wait for a table's details."""
LONGEST_TEXT = 60
"""Largest number of letters of a game's title from the network.

A longer title is cut.
"""


_NO_WAY = (OSError, ZeroconfError, RuntimeError)
"""Errors of the library if nothing can be sent. RuntimeError: there is no network at all."""


def _why(error: Exception) -> str:
    """Why nothing can be sent, in words."""
    return system_words(error) if isinstance(error, OSError) else text("there is no network")


def announcement(table: str, model: PublicModel) -> dict[str, str]:
    """Announce a table on the network: keys "table", "game" and "status", values as text.

    "status" is a key of STATUS. No player and no token is told. `table`: its name. `model`:
    what its engine has told.
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

    `table`: its name. `port`: the page's. `addresses`: returns this machine's addresses, of which IPv4 ones are
    used. `now`: returns the details, as from `announcement`; changes are announced within LOOK_S. `say`: gets
    one sentence when announcing fails.
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
    """Announce a table's page until this machine's addresses change.

    `there`: the IPv4 addresses (as text) at which the page is announced. The other arguments are those of
    `announce`.
    """
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
        """Prepare the list; `run` fills it.

        `on_change`: called without arguments when a row may have changed. `skip`: returns pages ("host:port")
        that are left out, because another source lists them.
        """
        self.wrong = ""
        """Why no table can be found, in words. "" if the search works."""
        self._on_change, self._skip = on_change, skip
        self._known: set[str] = set()
        """Names of services that are announced now."""
        self._found: dict[str, ListedTable] = {}
        self._asking: dict[str, asyncio.Task[None]] = {}

    def rows(self) -> list[dict[str, Any]]:
        """A row for each table, as from `ListedTable.row`, sorted by service name.

        Two services with one page are listed once.
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
        """Handle an announcement: a table came, changed or left.

        A table that left is dropped. The details of any other are asked for, unless MOST tables are known.
        """
        if state_change is ServiceStateChange.Removed:
            self._known.discard(name)
            self._list(name, None)
        elif name in self._known or len(self._known) < MOST:
            self._known.add(name)
            self._ask_soon(zeroconf, name)

    def _ask_soon(self, zeroconf: Zeroconf, name: str) -> None:
        """Start a task that asks for a table's details.

        Nothing happens while such a task runs.
        """
        if name not in self._asking:
            self._asking[name] = asyncio.ensure_future(self._ask(zeroconf, name))
            self._asking[name].add_done_callback(lambda _: self._asking.pop(name, None))

    async def _ask(self, zeroconf: Zeroconf, name: str) -> None:
        """Ask for a table's details for at most ANSWER_MS, and list it.

        The table is dropped if it does not answer, or if the details describe none.
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
        """Put a table into the list, or drop it for None. `name`: of its service."""
        if listed is not None:
            self._found[name] = listed
        else:
            self._found.pop(name, None)
        self._on_change()


def listed_of(told: Mapping[str, str | None], addresses: list[str], port: int | None) -> ListedTable | None:
    """The table that details from the network describe.

    `told`: "table", "game" and "status" as a stranger sent them. `addresses`: of the machine. None without a
    name, an IPv4 address, a port or a known status. Texts are cut to one short line. The address of the page
    lacks the token, so it opens nothing.
    """
    name, status = shown_name(told.get("table") or ""), told.get("status")
    where = next((one for one in addresses if _is_v4(one)), "")
    if not name or not where or not port or status not in STATUS:
        return None
    game = printable(told.get("game") or "")[:LONGEST_TEXT]
    state = {"table": name, "game": game}
    return ListedTable(name, state=state, told=status, page=f"http://{where}:{port}")


def _is_v4(address: str) -> bool:
    """True if the text is an IPv4 address."""
    try:
        return ip_address(address).version == 4
    except ValueError:
        return False
