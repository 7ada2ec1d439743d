"""The home network of `companion host`: an access point without one, a network joined, no password told."""

import asyncio
import json
import logging
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.bridges.host.network import (
    AGAIN_S,
    ALONE_S,
    FAILED_S,
    HomeNetwork,
    JoinWish,
    forget_networks,
    kept_hotspot,
)
from companion.bridges.host.nmcli import HOME, HOTSPOT, Nmcli, Wifi, WifiError, fields, secret_line, shown_ssid

FAKE = Path(__file__).parents[1] / "support" / "fake_nmcli.py"
PASSWORD = " pass:wörd\\ 1 "
BAD = b"\xff\x1b[31mbad\xe2\x80\xae"
WORLD: dict[str, Any] = {
    "devices": [["wlan0", "wifi", "disconnected"], ["eth0", "ethernet", "unavailable"]],
    "networks": {
        b"Zuhause".hex(): {"security": "WPA2", "signal": 40, "signals": [40, 71], "password": PASSWORD},
        b"a:b\\c".hex(): {"security": "WPA1 WPA2", "signal": 90, "password": "12345678"},
        b"open".hex(): {"security": "", "signal": 20, "password": ""},
        BAD.hex(): {"security": "WPA3", "signal": 10, "password": "x" * 63},
        b"work".hex(): {"security": "WPA2 802.1X", "signal": 99, "password": "none at all"},
    },
}


class Machine:
    """A machine with NetworkManager, the network of `companion host` on it, and a clock."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.s, self.there = folder, 0.0, False
        self.is_so(**WORLD)
        tool = folder / "nmcli"
        tool.write_text(
            f'#!/bin/sh\nFAKE_NMCLI={shlex.quote(str(folder))} exec {sys.executable} -I -S {FAKE} "$@"\n'
        )
        tool.chmod(0o755)
        self.nmcli = Nmcli(str(tool))
        self.network = HomeNetwork(
            self.nmcli, folder / "hotspot", lambda: self.there, now=lambda: self.s, sleep=self.sleep
        )

    async def sleep(self, seconds: float) -> None:
        self.s += seconds
        await asyncio.sleep(0)

    def is_so(self, **world: Any) -> None:
        """Change the world."""
        path = self.folder / "world.json"
        before = json.loads(path.read_text()) if path.exists() else {}
        path.write_text(json.dumps(before | world))

    @property
    def profiles(self) -> dict[str, Any]:
        path = self.folder / "profiles.json"
        found: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
        return found

    @property
    def calls(self) -> str:
        return (self.folder / "calls").read_text()

    async def alone(self) -> None:
        """Nobody reaches the machine for so long that its access point opens."""
        await self.network.look()
        self.s += ALONE_S
        await self.network.look()

    async def joined(self, **wish: str) -> str:
        """Join a network, and wait for the end; why it was refused at once."""
        refused = self.network.join(JoinWish(**wish))
        async with asyncio.timeout(60):
            while self.network.joining:
                await asyncio.sleep(0.01)
        return refused


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_fields_have_colons_and_backslashes_within_them() -> None:
    assert fields(r"a\:b\\c:71:WPA2 802.1X") == ["a:b\\c", "71", "WPA2 802.1X"]
    assert fields("::") == ["", "", ""]
    assert fields("end\\") == ["end"]


def test_a_secret_has_no_byte_that_a_file_of_passwords_would_change() -> None:
    assert secret_line(" a\\#\n") == b"802-11-wireless-security.psk:\\040\\141\\134\\043\\012\n"


def test_a_name_that_is_no_text_is_shown_safely() -> None:
    assert shown_ssid(BAD) == "??[31mbad?"
    assert shown_ssid("Café ☕".encode()) == "Café ☕"


async def test_networks_are_told_once_the_strongest_first(machine: Machine) -> None:
    found = await machine.nmcli.networks("wlan0", search=True)
    assert [(one.shown, one.signal) for one in found] == [
        ("work", 99), ("a:b\\c", 90), ("Zuhause", 71), ("open", 20), ("??[31mbad?", 10)]  # fmt: skip


async def test_without_a_network_an_access_point_opens_and_joins_the_home(machine: Machine) -> None:
    network = machine.network
    await network.look()
    assert network.hotspot is None, "a router takes its time, too"
    machine.s += ALONE_S
    await network.look()
    assert network.hotspot is not None
    assert machine.profiles[HOTSPOT]["psk"] == network.hotspot.passphrase
    assert machine.profiles[HOTSPOT]["settings"]["save"] == "no", "gone with the next start"
    shown = network.page()
    assert shown["hotspot"]
    assert "work" not in [one["says"] for one in shown["networks"]], "a password alone opens it not"
    assert await machine.joined(network=b"Zuhause".hex(), password=PASSWORD) == ""
    assert (network.hotspot, network.said) == (None, "Zuhause is joined.")
    assert list(machine.profiles) == [HOME]
    assert machine.profiles[HOME]["psk"] == PASSWORD
    assert machine.profiles[HOME]["ssid"] == b"Zuhause".hex()


async def test_a_password_is_in_no_argument_no_log_and_no_file_of_ours(
    machine: Machine, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    await machine.alone()
    for password in ("wrong-" + PASSWORD, PASSWORD):
        await machine.joined(network=b"Zuhause".hex(), password=password)
        assert "wörd" not in repr(JoinWish(b"Zuhause".hex(), password=password))
        assert "wörd" not in json.dumps(machine.network.page(), ensure_ascii=False)
    assert "rd\\" not in machine.calls
    assert "w\\303" not in machine.calls
    assert kept_hotspot(machine.folder / "hotspot").passphrase not in machine.calls
    assert "wörd" not in caplog.text
    ours = [one for one in machine.folder.iterdir() if one.name not in ("profiles.json", "world.json", "heard")]
    assert all("wörd" not in one.read_text() for one in ours)
    assert ((machine.folder / "hotspot").stat().st_mode & 0o777) == 0o600


async def test_a_wrong_password_is_said_and_the_access_point_is_back(machine: Machine) -> None:
    await machine.alone()
    before = machine.network.hotspot
    await machine.joined(network=b"a:b\\c".hex(), password="wrong one")
    assert machine.network.said == "a:b\\c was not joined: the password is wrong; try once more"
    assert machine.network.hotspot == before, "phones know it again"
    assert list(machine.profiles) == [HOTSPOT]
    await machine.joined(network=b"a:b\\c".hex(), password="12345678")
    assert machine.profiles[HOME]["ssid"] == b"a:b\\c".hex()


async def test_a_network_that_fails_leaves_the_one_joined_before(machine: Machine) -> None:
    machine.there = True
    await machine.network.look()
    await machine.joined(network=b"a:b\\c".hex(), password="12345678")
    await machine.joined(network=b"Zuhause".hex(), password="wrong one")
    assert "password is wrong" in machine.network.said
    assert machine.network.hotspot is None, "a cable or the former network is there"
    assert machine.profiles[HOME]["ssid"] == b"a:b\\c".hex()


async def test_a_name_of_any_bytes_is_joined_as_it_is(machine: Machine) -> None:
    await machine.alone()
    await machine.joined(network=BAD.hex(), password="x" * 63)
    assert machine.profiles[HOME]["ssid"] == BAD.hex()
    assert machine.profiles[HOME]["settings"]["wifi-sec.key-mgmt"] == "sae", "WPA3 alone"
    assert machine.network.said == "??[31mbad? is joined."


async def test_open_and_hidden_networks_are_joined(machine: Machine) -> None:
    await machine.alone()
    await machine.joined(network=b"open".hex(), password="needs none")
    assert "wifi-sec.key-mgmt" not in machine.profiles[HOME]["settings"]
    machine.is_so(networks={b"--hidden".hex(): {"security": "WPA2", "signal": 1, "password": "87654321"}})
    await machine.joined(name="--hidden", password="87654321")
    assert machine.profiles[HOME]["ssid"] == b"--hidden".hex()
    assert machine.profiles[HOME]["settings"]["wifi.hidden"] == "yes"


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ({}, "Choose a network"),
        ({"name": "x" * 33}, "Choose a network"),
        ({"name": "x\0y"}, "Choose a network"),
        ({"network": b"Zuhause".hex()}, "8 to 63"),
        ({"network": b"Zuhause".hex(), "password": "x" * 64}, "8 to 63"),
        ({"network": b"Zuhause".hex(), "password": "new\nline 1"}, "nobody can type"),
        ({"network": b"work".hex(), "password": "12345678"}, "more than a password"),
    ],
)
async def test_what_cannot_be_joined_is_refused_before_the_access_point_goes(
    machine: Machine, wish: dict[str, str], why: str
) -> None:
    await machine.alone()
    assert why in machine.network.join(JoinWish(**wish))
    assert machine.network.hotspot is not None
    assert not machine.network.joining


@pytest.mark.parametrize(
    ("world", "why"),
    [
        ({"denied": True}, "this user may not change the network"),
        ({"no dnsmasq": True}, "dnsmasq is missing"),
    ],
)
async def test_an_access_point_that_does_not_open_says_why_and_is_tried_again(
    machine: Machine, world: dict[str, Any], why: str
) -> None:
    machine.is_so(**world)
    await machine.alone()
    assert machine.network.hotspot is None
    assert why in machine.network.said
    machine.is_so(**dict.fromkeys(world, False))
    machine.s += FAILED_S / 2
    await machine.network.look()
    assert machine.network.hotspot is None
    machine.s += FAILED_S
    await machine.network.look()
    assert machine.network.hotspot is not None


@pytest.mark.parametrize("world", [{"stopped": True}, {"devices": [["eth0", "ethernet", "connected"]]}])
async def test_without_wifi_nothing_opens_and_nothing_breaks(machine: Machine, world: dict[str, Any]) -> None:
    machine.is_so(**world)
    await machine.alone()
    assert machine.network.hotspot is None
    assert machine.network.page()["wifi"] is False


async def test_without_networkmanager_everything_else_goes_on(tmp_path: Path) -> None:
    network = HomeNetwork(Nmcli(str(tmp_path / "none")), tmp_path / "hotspot", lambda: False)
    await network.look()
    assert network.page()["wifi"] is False
    with pytest.raises(WifiError, match="not installed"):
        await Nmcli(str(tmp_path / "none")).profiles()
    await forget_networks(Nmcli(str(tmp_path / "none")))


async def test_what_cannot_be_forgotten_is_said(machine: Machine) -> None:
    machine.is_so(stopped=True)
    with pytest.raises(WifiError, match="does not run"):
        await forget_networks(machine.nmcli)


async def test_a_slow_network_is_given_up(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    await machine.alone()
    monkeypatch.setattr("companion.bridges.host.nmcli.JOIN_S", 0.2)
    monkeypatch.setattr("companion.bridges.host.nmcli.ANSWER_S", 1.5)
    machine.is_so(slow=4)
    with pytest.raises(WifiError, match="does not answer"):
        await machine.nmcli.join(Wifi(b"open", 1, ""), "")
    assert HOME not in machine.profiles


async def test_the_access_point_makes_room_for_a_known_network(machine: Machine) -> None:
    await machine.alone()
    machine.s += AGAIN_S + 1
    await machine.network.look()
    assert machine.network.hotspot is not None, "no network is known that could be back"
    machine.is_so(others=["preconfigured"])
    machine.network.asked()
    await machine.network.look()
    assert machine.network.hotspot is not None, "somebody looks at the page"
    machine.s += AGAIN_S + 1
    await machine.network.look()
    assert machine.network.hotspot is None
    machine.s += ALONE_S + 1
    await machine.network.look()
    assert machine.network.hotspot is not None, "it was not back"


async def test_a_disk_that_keeps_nothing_ends_no_watch(machine: Machine) -> None:
    (machine.folder / "hotspot").mkdir()
    watching = asyncio.ensure_future(machine.network.run())
    async with asyncio.timeout(30):
        while not machine.network.said:
            await asyncio.sleep(0.01)
    assert not watching.done()
    (machine.folder / "hotspot").rmdir()
    async with asyncio.timeout(30):
        while machine.network.hotspot is None:
            await asyncio.sleep(0.01)
    watching.cancel()
    await asyncio.wait([watching])
    assert HOTSPOT not in machine.profiles, "it goes with whoever opened it"


async def test_a_cable_closes_the_access_point(machine: Machine) -> None:
    await machine.alone()
    machine.is_so(devices=[["wlan0", "wifi", "connected"], ["eth0", "ethernet", "connected"]])
    await machine.network.look()
    assert machine.network.hotspot is None
    assert HOTSPOT not in machine.profiles


async def test_profiles_of_others_are_never_removed(machine: Machine) -> None:
    machine.is_so(others=["preconfigured"])
    await machine.alone()
    await machine.joined(network=b"open".hex())
    await forget_networks(machine.nmcli)
    assert machine.profiles == {}
    removed = [json.loads(line)[3] for line in machine.calls.splitlines() if '"delete"' in line]
    assert all(name.startswith("companion-") for name in removed)


def test_the_access_point_keeps_its_name_and_passphrase(tmp_path: Path) -> None:
    first = kept_hotspot(tmp_path / "hotspot")
    assert kept_hotspot(tmp_path / "hotspot") == first
    assert first.code == f"WIFI:T:WPA;S:{first.name};P:{first.passphrase};;"
    for wrong in (b"", b"x y", b"companion-abcd short", b"\xff"):
        (tmp_path / "hotspot").write_bytes(wrong)
        assert kept_hotspot(tmp_path / "hotspot") != first
