"""NetworkManager by its command nmcli: networks in reach, an access point of our own, the home's network.

A password goes to nmcli's standard input alone, never into its arguments, which every user of a machine can
list. Only NetworkManager keeps it.
"""

import asyncio
import contextlib
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from companion.core.errors import CompanionError
from companion.core.language import text
from companion.core.printable import printable

HOME, JOINING, HOTSPOT = PROFILES = "companion-home", "companion-joining", "companion-hotspot"
"""Names of the NetworkManager profiles that this program makes.

HOME: the home's network. JOINING: a network being joined. HOTSPOT: the access point. It changes no others.
"""
JOIN_S = 60
"""How long (s) to wait until a network has let this machine in. A guess."""
ANSWER_S = 20
"""Longest time (s) for any nmcli command but joining. A search takes up to 10 s."""
OUTPUT_BYTES = 1 << 20
"""Largest number of bytes of nmcli's output that are read."""
_TIMED_OUT, _STOPPED, _NO_SUCH = 3, 8, 10
"""Exit statuses of nmcli (from its manual): timed out, NetworkManager not running, no such thing."""


class WifiError(CompanionError):
    """NetworkManager could not do what was asked."""


@dataclass(frozen=True, slots=True)
class Wifi:
    """A Wi-Fi network in reach.

    `ssid`: its name, up to 32 bytes of any kind. `signal`: strength, 0 to 100.
    """

    ssid: bytes
    signal: int
    security: str
    """In NetworkManager's words: "WPA2", "WPA1 WPA2", "WPA3", "WPA2 802.1X". "" for an open network."""

    @property
    def shown(self) -> str:
        """The name for people, unprintable bytes as `?`."""
        return shown_ssid(self.ssid)

    @property
    def enterprise(self) -> bool:
        """True if the network cannot be joined here.

        Such a network needs a user name or certificate (802.1X), or uses WEP.
        """
        return "802.1X" in self.security or "WEP" in self.security


class Device(NamedTuple):
    """A network device of this machine.

    `name`: such as "wlan0". `kind`: "wifi", "ethernet", ... `state`: "connected", "disconnected", ...
    """

    name: str
    kind: str
    state: str


def shown_ssid(ssid: bytes) -> str:
    """A network's name for people, unprintable bytes as `?`."""
    return printable(ssid.decode("utf-8", "replace").replace("\ufffd", "?"))


def fields(line: str) -> list[str]:
    """Split an `nmcli -t -e yes` line at its colons.

    A backslash before a colon or backslash is removed, and that letter belongs to the field.
    """
    found, escaped = [""], False
    for letter in line:
        if escaped or letter not in "\\:":
            found[-1] += letter
            escaped = False
        elif letter == "\\":
            escaped = True
        else:
            found.append("")
    return found


def secret_line(password: str) -> bytes:
    """A password as a line of nmcli's `passwd-file`.

    Each byte is written in octal, so that spaces at the ends stay.
    """
    octal = "".join(f"\\{byte:03o}" for byte in password.encode())
    return f"802-11-wireless-security.psk:{octal}\n".encode()


class Nmcli:
    """NetworkManager, controlled by its command nmcli.

    `program`: name or path of the command. A method that fails raises WifiError, which says why.
    """

    def __init__(self, program: str = "nmcli") -> None:
        self._program = program

    @property
    def there(self) -> bool:
        """True if nmcli is installed."""
        return shutil.which(self._program) is not None

    async def devices(self) -> list[Device]:
        """Network devices that NetworkManager controls; [] without NetworkManager."""
        try:
            lines = await self._lines("DEVICE,TYPE,STATE", "device", "status")
        except WifiError:
            return []
        found = [Device(*line[:3]) for line in lines if len(line) >= 3]
        return [one for one in found if one.state not in ("unmanaged", "unavailable")]

    async def networks(self, device: str, *, search: bool) -> list[Wifi]:
        """Wi-Fi networks that a device receives, strongest first.

        Each name comes once. `device`: its name. `search`: True: search now, which takes up to 10 s; False:
        results of the last search.
        """
        asked = ["device", "wifi", "list", "ifname", device, "--rescan", "yes" if search else "no"]
        strongest: dict[bytes, Wifi] = {}
        for line in await self._lines("SSID-HEX,SIGNAL,SECURITY", *asked):
            with contextlib.suppress(ValueError):
                ssid, signal, security = bytes.fromhex(line[0]), int(line[1]), line[2].strip("- ")
                known = strongest.get(ssid)
                if 0 < len(ssid) <= 32 and b"\0" not in ssid and (known is None or known.signal < signal):
                    strongest[ssid] = Wifi(ssid, signal, security)
        return sorted(strongest.values(), key=lambda one: -one.signal)

    async def profiles(self) -> list[str]:
        """Stored Wi-Fi networks' names, without this program's access point."""
        lines = await self._lines("NAME,TYPE", "connection", "show")
        return [one[0] for one in lines if one[1:] == ["802-11-wireless"] and one[0] != HOTSPOT]

    async def open_hotspot(self, device: str, name: str, passphrase: str) -> None:
        """Open an access point on a Wi-Fi device, and close an earlier one.

        `device`: the device's name. `name`: the network's. A restart of the machine ends it. WifiError if that
        fails.
        """
        await self.forget(HOTSPOT)
        settings = ["wifi.mode", "ap", "ipv4.method", "shared", "ipv6.method", "disabled"]
        secured = ["wifi-sec.key-mgmt", "wpa-psk"]
        await self._add(HOTSPOT, device, name.encode(), "save", "no", "autoconnect", "no", *settings, *secured)
        try:
            await self._up(HOTSPOT, passphrase)
        except WifiError as error:
            if error.what != _NO_ADDRESS:
                raise
            # Addresses for phones come from dnsmasq, which NetworkManager starts.
            step = text("sudo apt install dnsmasq-base, or a network cable")
            raise WifiError(text("the program dnsmasq is missing or does not start"), next_step=step) from None

    async def join(self, wifi: Wifi, password: str, *, hidden: bool = False) -> None:
        """Join a Wi-Fi network, now and after each restart.

        It replaces the network that this program joined before. `password`: "" for an
        open network. `hidden`: the network does not announce its name. WifiError if that fails; the earlier
        network then stays stored.
        """
        await self.forget(JOINING)
        how = "sae" if wifi.security.split() == ["WPA3"] else "wpa-psk"
        secured = ["wifi-sec.key-mgmt", how] if password else []
        sought = ["wifi.hidden", "yes"] if hidden else []
        try:
            await self._add(JOINING, "*", wifi.ssid, *sought, *secured)
            await self._up(JOINING, password)
        except BaseException:
            with contextlib.suppress(WifiError):
                await self.forget(JOINING)
            raise
        await self.forget(HOME)
        status, _, said = await self._run("connection", "modify", "id", JOINING, "connection.id", HOME)
        if status:
            raise _refused(status, said)

    async def forget(self, profile: str) -> None:
        """Delete a profile, and leave its network.

        Nothing happens if there is no such profile. WifiError if it cannot be deleted.
        """
        status, _, said = await self._run("connection", "delete", "id", profile)
        if status not in (0, _NO_SUCH):
            raise _refused(status, said)

    async def _add(self, profile: str, device: str, ssid: bytes, *settings: str) -> None:
        """Store a Wi-Fi profile.

        `device`: for this device; "*": any. `settings`: further words of the nmcli command, as a name and its
        value in turn.
        """
        words = ["connection", "add", "type", "wifi", "con-name", profile, "ifname", device]
        status, _, said = await self._run(*words, "ssid", ssid, *settings)
        if status:
            raise _refused(status, said)

    async def _up(self, profile: str, password: str) -> None:
        """Connect by a stored profile.

        `password`: "" for an open network.
        """
        words = ["-w", str(JOIN_S), "connection", "up", "id", profile]
        if password:
            words += ["passwd-file", "/dev/stdin"]
        status, _, said = await self._run(*words, secret=password, longest_s=JOIN_S + ANSWER_S)
        if status:
            raise _refused(status, said)

    async def _lines(self, names: str, *words: str) -> list[list[str]]:
        """Run nmcli, and return the fields of each line. `names`: fields wanted, with commas."""
        status, out, said = await self._run("-t", "-e", "yes", "-f", names, *words)
        if status:
            raise _refused(status, said)
        return [fields(line) for line in out.splitlines() if line]

    async def _run(
        self, *words: str | bytes, secret: str = "", longest_s: float = ANSWER_S
    ) -> tuple[int, str, str]:
        """Run nmcli: (exit status, output, error output).

        `secret`: password, given on standard input. `longest_s`: after this time (s) nmcli is killed, and the
        result is (_TIMED_OUT, "", ""). WifiError if nmcli cannot be started.
        """
        try:
            given = _pipe(secret_line(secret) if secret else b"")
            try:
                process = await asyncio.create_subprocess_exec(
                    self._program,
                    *words,
                    stdin=given,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.PIPE,
                    env={**os.environ, "LC_ALL": "C.UTF-8"},
                )
            finally:
                os.close(given)
        except OSError:
            raise WifiError(
                text("NetworkManager is not installed"), next_step=text("plug a network cable in")
            ) from None
        try:
            out, said = await asyncio.wait_for(process.communicate(), longest_s)
        except (TimeoutError, asyncio.CancelledError) as error:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
            if isinstance(error, asyncio.CancelledError):
                raise
            return _TIMED_OUT, "", ""
        return process.returncode or 0, _decoded(out), _decoded(said)


def _pipe(data: bytes) -> int:
    """Reading end (file descriptor) of a pipe with `data`, for a child's standard input.

    nmcli opens /dev/stdin by name: that works with a pipe, but not with a socket, which asyncio may use.
    """
    end, filled = os.pipe()
    try:
        os.write(filled, data)  # far less than a pipe holds
    finally:
        os.close(filled)
    return end


def _decoded(data: bytes) -> str:
    return data[:OUTPUT_BYTES].decode("utf-8", "replace")


_NO_ADDRESS = text("the network gives this machine no address")
_REASONS: Sequence[tuple[str, str]] = (
    ("Secrets were required", text("the password is wrong")),
    ("could not be found", text("the network is not in reach")),
    ("SSID not found", text("the network is not in reach")),
    ("IP configuration", _NO_ADDRESS),
    ("Insufficient privileges", text("this user may not change the network")),
    ("Not authorized", text("this user may not change the network")),
    ("No suitable device", text("no Wi-Fi device is there")),
    ("property is invalid", text("the password is wrong")),
)
"""Part of nmcli's error message -> what it means, for people."""


def _refused(status: int, said: str) -> WifiError:
    """WifiError for a failed nmcli command; returned, not raised.

    `status`: exit status. `said`: nmcli's error output.
    """
    again = text("try once more")
    if status == _STOPPED or "not running" in said:
        return WifiError(text("NetworkManager does not run"), next_step=text("plug a network cable in"))
    for words, meaning in _REASONS:
        if words in said:
            return WifiError(meaning, next_step=again)
    if status == _TIMED_OUT or "imeout" in said:
        return WifiError(text("the network does not answer"), next_step=again)
    lines = said.strip().splitlines()
    why = printable(lines[-1].removeprefix("Error: "))[:200] if lines else str(status)
    return WifiError(text("NetworkManager says: {why}", why=why), next_step=again)
