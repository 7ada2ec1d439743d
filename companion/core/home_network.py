"""Addresses under which phones at home reach this machine."""

import contextlib
import fcntl
import socket
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address
from pathlib import Path

HERE = "127.0.0.1"
"""Address that only this machine reaches."""
_SYSFS = Path("/sys/class/net")
_GET_FLAGS, _GET_ADDRESS = 0x8913, 0x8915
"""Requests SIOCGIFFLAGS and SIOCGIFADDR of linux/sockios.h, for a struct ifreq."""
_REQUEST = struct.Struct("=16s24s")
_UP, _LOOPBACK, _POINT_TO_POINT, _RUNNING = 0x1, 0x8, 0x10, 0x40
"""Interface flags of linux/if.h. A tunnel (VPN) is point to point."""
_DEEPEST = 4
"""Number of layers followed below an interface, e.g. a VLAN on a bridge on a bond on a card."""


@dataclass(frozen=True, slots=True)
class Interface:
    """A network interface that is up, and its IPv4 address."""

    name: str
    address: str
    point_to_point: bool = False


def interfaces() -> list[Interface]:
    """Network interfaces with an address, without loopback.

    Only those that are up.
    """
    found = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):  # no address, or just gone
                flags = struct.unpack_from("=H", _asked(asked, _GET_FLAGS, name))[0]
                address = str(IPv4Address(_asked(asked, _GET_ADDRESS, name)[4:8]))
                if flags & _UP and flags & _RUNNING and not flags & _LOOPBACK:
                    found.append(Interface(name, address, bool(flags & _POINT_TO_POINT)))
    return found


def _asked(asked: socket.socket, request: int, name: str) -> bytes:
    """What the system answers to `request` about interface `name`.

    The name in front is removed.
    """
    answer = fcntl.ioctl(asked, request, _REQUEST.pack(name.encode()[:15], b""))
    return bytes(_REQUEST.unpack(answer)[1])


def route_address() -> str:
    """Address from which this machine would send to the internet. "" without a route."""
    # Nothing is sent. The system only chooses a route.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return ""


def home_addresses(
    bound: str,
    found: Callable[[], Iterable[Interface]] = interfaces,
    route: Callable[[], str] = route_address,
    sysfs: Path = _SYSFS,
) -> list[str]:
    """Machine's addresses for phones at home, likeliest first.

    Only HERE without a network.

    `bound`: where the server listens; a single address is returned as it is. Otherwise network cards count,
    also a card that is an access point without internet. Tunnels (VPN) and container bridges are left out
    unless there is no card, as in a virtual machine.
    `sysfs`: folder of the system's interfaces.
    """
    if bound not in ("", "0.0.0.0", "::"):
        return [f"[{bound}]" if ":" in bound else bound]
    first = route()
    listed = list(found())
    ways: tuple[list[Interface], ...] = (
        [one for one in listed if _has_card(sysfs / one.name)],
        [one for one in listed if not one.point_to_point],
        [Interface("", first)] if first else [],
    )
    addresses = dict.fromkeys(one.address for one in next(filter(None, ways), []))
    # An address that a card gave itself (RFC 3927) counts only without another.
    given = [one for one in addresses if not IPv4Address(one).is_link_local] or list(addresses)
    return sorted(given, key=lambda one: one != first) or [HERE]


def _has_card(folder: Path, depth: int = 0) -> bool:
    """True if an interface is a network card, or is built on one, as a bridge may be."""
    if (folder / "device").exists():
        return True
    below = folder.glob("lower_*") if depth < _DEEPEST else ()
    return any(_has_card(folder.parent / one.name.removeprefix("lower_"), depth + 1) for one in below)
