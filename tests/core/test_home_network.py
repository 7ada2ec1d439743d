"""Which addresses phones are told: those of real network cards, whatever the way to the internet is."""

import json
from pathlib import Path

import pytest

from companion.commands.serve import NETWORK_S, Addresses, following
from companion.core.home_network import HERE, Interface, home_addresses, interfaces
from companion.core.served_address import ServedAddress

WIFI, CABLE = Interface("wlan0", "192.168.178.23"), Interface("eth0", "192.168.1.5")
HOTSPOT = Interface("uap0", "10.42.0.1")
VPN, TAILSCALE = Interface("wg0", "10.8.0.2", True), Interface("tailscale0", "100.64.0.7", True)
DOCKER, CONTAINER = Interface("docker0", "172.17.0.1"), Interface("eth0", "172.17.0.2")
OWN = Interface("eth0", "169.254.12.9")
BRIDGE, VLAN = Interface("br0", "192.168.4.1"), Interface("eth0.7", "192.168.7.2")

CASES = {
    "at home": ([WIFI], WIFI.address, [WIFI]),
    "an access point without a way to the internet": ([HOTSPOT], "", [HOTSPOT]),
    "an access point beside a cable": ([CABLE, HOTSPOT], CABLE.address, [CABLE, HOTSPOT]),
    "a full tunnel": ([WIFI, VPN], VPN.address, [WIFI]),
    "two tunnels and a container bridge": ([DOCKER, WIFI, TAILSCALE, VPN], VPN.address, [WIFI]),
    "cable and wireless": ([CABLE, WIFI], WIFI.address, [WIFI, CABLE]),
    "a cable without DHCP beside wireless": ([OWN, WIFI], WIFI.address, [WIFI]),
    "a cable without DHCP alone": ([OWN], "", [OWN]),
    "a bridge of cable and access point": ([BRIDGE], "", [BRIDGE]),
    "a VLAN": ([VLAN], VLAN.address, [VLAN]),
    "in a container": ([CONTAINER], CONTAINER.address, [CONTAINER]),
    "a tunnel alone": ([VPN], VPN.address, [VPN]),
    "no network": ([], "", [Interface("lo", HERE)]),
}


@pytest.fixture
def sysfs(tmp_path: Path) -> Path:
    for card in ("wlan0", "uap0"):
        (tmp_path / card / "device").mkdir(parents=True)
    for over, under in (("br0", "wlan0"), ("br0", "veth1"), ("eth0.7", "wlan0"), ("docker0", "veth1")):
        (tmp_path / over).mkdir(exist_ok=True)
        (tmp_path / over / f"lower_{under}").symlink_to(tmp_path / under)
    return tmp_path


@pytest.mark.parametrize(("found", "route", "told"), CASES.values(), ids=CASES)
def test_phones_are_told_addresses_that_they_can_reach(
    sysfs: Path, found: list[Interface], route: str, told: list[Interface]
) -> None:
    if CONTAINER not in found:
        (sysfs / "eth0" / "device").mkdir(parents=True)
    addresses = home_addresses("0.0.0.0", lambda: found, lambda: route, sysfs)
    assert addresses == [one.address for one in told]


@pytest.mark.parametrize(
    ("bound", "told"), [("192.168.1.9", "192.168.1.9"), ("fd00::5", "[fd00::5]"), (HERE, HERE)]
)
def test_an_address_that_was_chosen_is_told_as_it_is(bound: str, told: str) -> None:
    assert home_addresses(bound, lambda: [WIFI], lambda: "") == [told]


def test_the_interfaces_of_this_machine_have_addresses_of_their_own() -> None:
    assert HERE not in [one.address for one in interfaces()]


def test_addresses_are_told_again_when_the_network_comes_and_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    hosts, clock = [HERE], [0.0]
    monkeypatch.setattr("companion.commands.serve.home_addresses", lambda _: list(hosts))
    engine = tmp_path / "engine.sock"
    addresses = Addresses(lambda: engine, "0.0.0.0", lambda: "key", control=False, as_json=False)
    still = following(lambda: True, addresses, lambda: clock[0])
    addresses.tell(8377)
    said = capsys.readouterr().out
    assert f"http://{HERE}:8377/key/" in said
    assert "There is no network" in said
    for now in ([WIFI.address], [WIFI.address], [CABLE.address, WIFI.address]):
        hosts[:] = now
        clock[0] += NETWORK_S
        assert still()
        assert ServedAddress(engine).read() == f"http://{now[0]}:8377/key/"
    said = capsys.readouterr().out
    assert said.count(f"http://{WIFI.address}:8377/key/") == 2
    assert "several networks" in said
    first, engine = engine, tmp_path / "next game.sock"
    addresses.tell(8377)
    assert [ServedAddress(one).read() for one in (first, engine)] == ["", f"http://{now[0]}:8377/key/"]
    assert capsys.readouterr().out == "", "the people at this terminal know it"
    addresses.remove()
    assert ServedAddress(engine).read() == ""


def test_programs_get_all_addresses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("companion.commands.serve.home_addresses", lambda _: [WIFI.address, HOTSPOT.address])
    Addresses(lambda: tmp_path / "e.sock", "0.0.0.0", lambda: "key", control=True, as_json=True).tell(1)
    told = json.loads(capsys.readouterr().out)
    assert told["address"] == told["addresses"][0] == f"http://{WIFI.address}:1/key/"
    assert told["addresses"][1] == f"http://{HOTSPOT.address}:1/key/"
