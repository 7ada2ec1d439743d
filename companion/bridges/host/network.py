"""The way to the home network: an access point where there is none, and a page that joins it."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion.bridges.host.nmcli import HOTSPOT, PROFILES, Nmcli, Wifi, WifiError, shown_ssid
from companion.core.files import replace_file
from companion.core.language import localized, text, tr
from companion.core.system_words import system_words

LOOK_S = 2.0
"""Time (s) between two checks of the network."""
ALONE_S = 45.0
"""Time (s) without a network after which the access point opens. A guess.

Routers start slowly.
"""
AGAIN_S = 600.0
"""Time (s) without a request after which the access point closes. A guess.

A known network is then tried, whose router may be on again.
"""
FAILED_S = 60.0
"""Time (s) until an access point that could not open is tried again. A guess."""
SAID_S = 4.0
"""Time (s) that the access point stays open after the page's answer. A guess.

The phone must have shown the answer before it loses the connection.
"""
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters of a passphrase. Those that look alike (i, l, o, 0, 1) are left out."""
LEAST_PASSWORD, MOST_PASSWORD = 8, 63
"""Shortest and longest WPA passphrase (bytes; IEEE 802.11i).

64 hex digits are no passphrase but the key itself.
"""


class JoinWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person's request to join a Wi-Fi network.

    `network`: name of one in reach, in hex digits. `name`: name of a hidden one, as typed. `password`: "" for
    an open network.
    """

    network: str = ""
    name: str = ""
    password: str = ""

    def __repr__(self) -> str:
        """The request without its password, fit for a log."""
        return f"JoinWish({self.network!r}, {self.name!r})"


class Hotspot(NamedTuple):
    """This machine's own Wi-Fi access point: name and passphrase."""

    name: str
    passphrase: str

    @property
    def code(self) -> str:
        """Text of the QR code with which a phone joins: "WIFI:T:WPA;S:NAME;P:PASSPHRASE;;"."""
        return f"WIFI:T:WPA;S:{self.name};P:{self.passphrase};;"


def kept_hotspot(path: Path) -> Hotspot:
    """The access point in the file `path`, as "NAME PASSPHRASE".

    A new one is made and written if the file is missing or damaged. The file is kept so that phones know the
    network again. OSError if it cannot be written.
    """
    with contextlib.suppress(OSError, ValueError):
        name, passphrase = path.read_text(encoding="ascii").split()
        if name.startswith("companion-") and len(passphrase) >= LEAST_PASSWORD:
            return Hotspot(name, passphrase)
    drawn = "".join(secrets.choice(_LETTERS) for _ in range(16))
    found = Hotspot(f"companion-{drawn[:4]}", f"{drawn[4:8]}-{drawn[8:12]}-{drawn[12:]}")
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, f"{found.name} {found.passphrase}\n".encode())
    return found


class HomeNetwork:
    """Keeps this machine in a network.

    It opens an access point if there is no network, and joins the one that people name on the page. `kept`:
    file with the access point's name and passphrase. `reachable`: returns True if phones can reach this machine
    now. `now`: clock (s). `sleep`: waits for a time (s). `networks`: found last. `changed`: called without
    arguments after each change.
    """

    def __init__(
        self,
        nmcli: Nmcli,
        kept: Path,
        reachable: Callable[[], bool],
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Any] = asyncio.sleep,
    ) -> None:
        self.hotspot: Hotspot | None = None
        """The access point; None while it is closed."""
        self.said = ""
        """Last fault of the network, as a sentence; "" for none."""
        self.joining = ""
        """Name of the network that is being joined; "" for none."""
        self.networks: list[Wifi] = []
        self.changed: Callable[[], None] = lambda: None
        self._nmcli, self._kept, self._reachable = nmcli, kept, reachable
        self._now, self._sleep = now, sleep
        self._device = ""
        self._since = now()
        """When phones reached this machine last (s)."""
        self._asked = now()
        """When somebody looked at the page last, while the access point is open (s)."""
        self._failed = float("-inf")
        self._task: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Check the network every LOOK_S until cancelled.

        The access point closes at the end.
        """
        try:
            while True:
                try:
                    await self.look()
                except OSError as error:  # a full disk keeps no name of an access point
                    self.said = system_words(error)
                await self._sleep(LOOK_S)
        finally:
            if self.hotspot is not None:
                await self._close()

    async def look(self) -> None:
        """Check the network once, and open or close the access point.

        It opens after ALONE_S without a network. It closes if a cable is connected, or after AGAIN_S without a
        request if another network is stored. Nothing is done while a network is being joined.
        """
        if self.joining:
            return
        devices = await self._nmcli.devices()
        self._device = next((one.name for one in devices if one.kind == "wifi"), "")
        if self.hotspot is not None:
            cable = any(one.kind == "ethernet" and one.state == "connected" for one in devices)
            if cable or (self._now() - self._asked > AGAIN_S and await self._known()):
                await self._close()
            return
        if self._reachable():
            self._since = self._now()
            if not self.networks and self._device:
                await self._search()
        elif self._device and self._now() - max(self._since, self._failed) >= self._patience:
            await self._open()

    @property
    def _patience(self) -> float:
        """Time (s) without network until the access point opens.

        FAILED_S if it could not open last time, else ALONE_S.
        """
        return FAILED_S if self._failed > self._since else ALONE_S

    def page(self) -> dict[str, Any]:
        """Network's state for the web page, as plain values.

        Keys: "wifi" (there is a Wi-Fi device), "hotspot" (it is open), "joining" and "said" (sentences, "" for
        none), and "networks" ("id" in hex, "says", "locked", "signal" 0 to 100), without those that cannot be
        joined.
        """
        return {
            "wifi": bool(self._device),
            "hotspot": self.hotspot is not None,
            "joining": tr("Joining {network}...", network=self.joining) if self.joining else "",
            "said": localized(self.said),
            "networks": [
                {"id": one.ssid.hex(), "says": one.shown, "locked": bool(one.security), "signal": one.signal}
                for one in self.networks
                if not one.enterprise
            ],
        }

    def asked(self) -> None:
        """Note that a page has sent a request, so that the access point stays open."""
        self._asked = self._now()

    def join(self, wish: JoinWish) -> str:
        """Begin to join a network; `said` tells the result later.

        Returns why the request is refused, as a sentence; "" if it is not.
        """
        self.asked()
        if self.joining:
            return tr("One moment.")
        wifi = next((one for one in self.networks if one.ssid.hex() == wish.network), None)
        hidden = wifi is None
        if wifi is None:
            wifi = Wifi(wish.name.strip().encode("utf-8", "replace"), 0, "WPA2" if wish.password else "")
        if not 0 < len(wifi.ssid) <= 32 or b"\0" in wifi.ssid:
            return tr("Choose a network, or type its name.")
        if refused := _wrong_password(wifi, wish.password):
            return refused
        self.joining, self.said = shown_ssid(wifi.ssid), ""
        self._task = asyncio.ensure_future(self._join(wifi, wish.password if wifi.security else "", hidden))
        return ""

    async def _join(self, wifi: Wifi, password: str, hidden: bool) -> None:
        """Join a network. If that fails, the access point opens again, if it was open."""
        before, self.said = self.hotspot, ""
        try:
            await self._sleep(SAID_S)
            if before is not None:
                await self._close()
            await self._nmcli.join(wifi, password, hidden=hidden)
            self.said = text("{network} is joined.", network=wifi.shown)
            self._since = self._now()
        except WifiError as error:
            self.said = text("{network} was not joined: {why}", network=wifi.shown, why=error.told)
            if before is not None:
                await self._open()
        finally:
            self.joining = ""
            self.changed()

    async def _known(self) -> bool:
        """True if a Wi-Fi network is stored, which may be tried again."""
        with contextlib.suppress(WifiError):
            return bool(await self._nmcli.profiles())
        return False

    async def _search(self) -> None:
        """Search for networks. If that fails, the earlier ones stay."""
        with contextlib.suppress(WifiError):
            self.networks = await self._nmcli.networks(self._device, search=True) or self.networks
            self.changed()

    async def _open(self) -> None:
        """Search for networks, then open the access point.

        The search comes first, because the radio cannot do both at once.
        """
        await self._search()
        hotspot = kept_hotspot(self._kept)
        try:
            await self._nmcli.open_hotspot(self._device, *hotspot)
        except WifiError as error:
            self._failed = self._now()
            self.said = text("The access point was not opened: {why}", why=error.told)
        else:
            self.hotspot, self._asked = hotspot, self._now()
        self.changed()

    async def _close(self) -> None:
        """Close the access point."""
        self.hotspot, self._since = None, self._now()
        with contextlib.suppress(WifiError):
            await self._nmcli.forget(HOTSPOT)
        self.changed()


def _wrong_password(wifi: Wifi, password: str) -> str:
    """Sentence: why a password cannot be right for a network. "" if it can be.

    The sentence does not contain the password. Any is right for an open network; else 8 to 63 printable
    letters, or 64 hex digits.
    """
    if wifi.enterprise:
        return tr("This network wants more than a password. Use a network cable.")
    if not wifi.security:
        return ""
    length = len(password.encode("utf-8", "replace"))
    key = length == 64 and all(letter in "0123456789abcdefABCDEF" for letter in password)
    if not key and not LEAST_PASSWORD <= length <= MOST_PASSWORD:
        return tr("A password of a network has 8 to 63 letters.")
    if not password.isprintable():
        return tr("This password has a letter that nobody can type.")
    return ""


async def forget_networks(nmcli: Nmcli) -> None:
    """Delete all NetworkManager profiles that this program made.

    WifiError if one cannot be deleted.
    """
    for profile in PROFILES if nmcli.there else ():
        await nmcli.forget(profile)
