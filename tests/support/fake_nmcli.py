#!/usr/bin/env python3
"""A NetworkManager of files, as far as companion asks it: nmcli's own output, exit statuses and complaints.

The folder FAKE_NMCLI has `world.json`, which a test writes: networks in reach (hex of the name -> security,
signal, password), devices, and what is wrong: `stopped`, `denied`, `slow` (s), `no dnsmasq`. It keeps
`profiles.json`, and notes in `calls` how it was called, in `heard` what came on its standard input.
"""

import json
import os
import re
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

FOLDER = Path(os.environ.get("FAKE_NMCLI", ""))


def end(status: int, said: str) -> NoReturn:
    if said:
        print(f"Error: {said}", file=sys.stderr)
    sys.exit(status)


def terse(*values: object) -> None:
    """A line of `-t -e yes`: colons and backslashes in values have a backslash before."""
    print(":".join(re.sub(r"([\\:])", r"\\\1", str(one)) for one in values))


def unescaped(value: str) -> str:
    """The secret of a `passwd-file`: octal escapes, blanks at both ends cut off."""
    found = re.sub(rb"\\([0-7]{3})", lambda one: bytes([int(one[1], 8)]), value.strip().encode())
    return found.decode()


class Manager:
    """Answers one call."""

    def __init__(self) -> None:
        self.world: dict[str, Any] = json.loads((FOLDER / "world.json").read_text())
        self.kept = FOLDER / "profiles.json"
        self.profiles: dict[str, Any] = json.loads(self.kept.read_text()) if self.kept.exists() else {}

    def keep(self) -> None:
        self.kept.write_text(json.dumps(self.profiles))

    def device_status(self, _words: list[str]) -> None:
        for one in self.world["devices"]:
            terse(*one)

    def device_wifi(self, words: list[str]) -> None:
        assert words[0] == "list"
        hotspot = any(one["up"] and one["settings"].get("wifi.mode") == "ap" for one in self.profiles.values())
        for ssid, one in self.world["networks"].items() if not hotspot else ():
            for signal in one.get("signals", [one["signal"]]):
                terse(ssid.upper(), signal, one["security"])

    def connection_show(self, _words: list[str]) -> None:
        terse("Wired connection 1", "802-3-ethernet")
        for name in [*self.world.get("others", []), *self.profiles]:
            terse(name, "802-11-wireless")

    def connection_add(self, words: list[str]) -> None:
        given = dict(zip(words[::2], words[1::2], strict=True))
        if not 0 < len(os.fsencode(given["ssid"])) <= 32:
            end(2, f"invalid property 'ssid': '{given['ssid']}' is not valid.")
        assert given["type"] == "wifi"
        self.profiles[given["con-name"]] = {
            "ssid": os.fsencode(given["ssid"]).hex(), "settings": given, "psk": "", "up": False}  # fmt: skip
        self.keep()

    def connection_delete(self, words: list[str]) -> None:
        if self.profiles.pop(words[1], None) is None:
            end(10, f"unknown connection '{words[1]}'.\nError: cannot delete unknown connection(s).")
        self.keep()

    def connection_modify(self, words: list[str]) -> None:
        self.profiles[words[3]] = self.profiles.pop(words[1])
        self.keep()

    def connection_up(self, words: list[str]) -> None:
        one = self.profiles[words[1]]
        if words[2:] == ["passwd-file", "/dev/stdin"]:
            heard = Path(words[3]).read_text()  # opened by its name, which a socket refuses
            (FOLDER / "heard").open("a").write(heard)
            name, _, value = heard.partition(":")
            assert name == "802-11-wireless-security.psk"
            one["psk"] = unescaped(value)
        failed = "Connection activation failed: "
        time.sleep(self.world.get("slow", 0))
        if one["settings"].get("wifi.mode") == "ap":
            if self.world.get("no dnsmasq"):
                end(4, failed + "IP configuration could not be reserved (no available address, timeout, etc.)")
        else:
            there = self.world["networks"].get(one["ssid"])
            if there is None:
                end(4, failed + "The Wi-Fi network could not be found")
            if there["password"] != one["psk"]:
                end(4, failed + "Secrets were required, but not provided.")
        one["up"] = True
        self.keep()


def main() -> None:
    words = sys.argv[1:]
    with (FOLDER / "calls").open("a") as calls:
        calls.write(json.dumps([os.fsencode(word).decode("utf-8", "replace") for word in words]) + "\n")
    while words[0].startswith("-"):
        words = words[1:] if words[0] == "-t" else words[2:]
    manager = Manager()
    if manager.world.get("stopped"):
        end(8, "NetworkManager is not running.")
    if manager.world.get("denied") and words[:2] in (["connection", "add"], ["connection", "delete"]):
        end(1, "Failed to add 'companion-home' connection: Insufficient privileges")
    getattr(manager, "_".join(words[:2]))(words[2:])


if __name__ == "__main__":
    main()
