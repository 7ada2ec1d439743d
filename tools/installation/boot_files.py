"""`make boot-files`: the folder for the boot partition of Raspberry Pi OS 13: from it a Pi installs companion.

The card is written, the folder's content is copied onto its boot partition, the Pi is switched on: no command
is typed. cloud-init, which Raspberry Pi OS has since Debian 13, reads user-data, network-config and meta-data
there at the first start. The package lies beside them, so that no network is needed.
"""

import argparse
import json
import os
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from companion.core.language import ENGLISH, LANGUAGES
from tools.installation.deb import CHECKOUT, build

BOOT = "/boot/firmware"
"""BOOT: where Raspberry Pi OS mounts its boot partition."""
DEBIAN = "13"
"""DEBIAN: the first whose Raspberry Pi OS has cloud-init."""
SETTINGS = "/etc/default/companion"
"""SETTINGS: environment of the service companion-host."""
_README = """\
Files for the boot partition of Raspberry Pi OS Lite (64-bit, Debian 13)

1. Write the card with Raspberry Pi Imager. Leave its own customisation out.
2. Copy everything in this folder onto the card's partition `bootfs`. Replace the files that are there.
3. Put the card into the Pi, connect a screen, switch on.
4. After some minutes the screen shows a code. Scan it with a phone.

A ribbon camera needs one package more: plug a network cable in for the first start. USB cameras need none.

If no code comes, the file companion-install.log on the card says why.
To begin anew later: put an empty file named companion-reset onto the card.
"""
_NETWORK = """\
# A cable, if there is one. The home's Wi-Fi is chosen on the page.
network:
  version: 2
  ethernets:
    eth0:
      dhcp4: true
      optional: true
"""


def run_commands(country: str) -> list[list[str]]:
    """What the Pi does at its first start, in this order."""
    log = f"{BOOT}/companion-install.log"
    install = (
        f"DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends {BOOT}/companion/*.deb"
        f" >/tmp/companion-install.log 2>&1"
        f" && rm -f {log} || {{ cp /tmp/companion-install.log {log}; exit 1; }}"
    )
    ribbon = (
        "python3 -c 'import picamera2' 2>/dev/null || { apt-get update && DEBIAN_FRONTEND=noninteractive"
        " apt-get install -y --no-install-recommends python3-picamera2; } >/dev/null 2>&1 || true"
    )
    return [
        # Wi-Fi stays off until the country is known: each has its own channels.
        ["sh", "-c", f"raspi-config nonint do_wifi_country {country} || true; rfkill unblock wifi || true"],
        ["sh", "-c", "echo 'companion is being installed. A code appears on this screen in some minutes.'"],
        ["sh", "-c", install],
        ["systemctl", "enable", "companion-host.service"],
        ["systemctl", "start", "--no-block", "companion-host.service"],
        ["sh", "-c", ribbon],
    ]


BOOT_COMMANDS = [
    # The question for a user's name would wait on the screen, and the start of the system with it.
    ["sh", "-c", "systemctl mask userconfig.service && systemctl --no-block stop userconfig.service || true"],
]
"""BOOT_COMMANDS: what the Pi does early at each start."""


def user_data(country: str, language: str, timezone: str) -> str:
    """The file user-data. Lists are JSON, which is YAML, too."""
    lines = [
        "#cloud-config",
        "# Nobody logs in there. To do so, replace [] by a list as in",
        "# https://cloudinit.readthedocs.io/en/latest/reference/yaml_examples/user_groups.html",
        "users: []",
        "hostname: companion",
        "manage_etc_hosts: true",
        *([f"timezone: {timezone}"] if timezone else []),
        "write_files:",
        f"  - path: {SETTINGS}",
        f'    content: "LANGUAGE={language}\\n"',
        "bootcmd:",
        *(f"  - {json.dumps(command)}" for command in BOOT_COMMANDS),
        "runcmd:",
        *(f"  - {json.dumps(command)}" for command in run_commands(country)),
    ]
    return "\n".join(lines) + "\n"


def write_folder(out: Path, package: Path, *, country: str, language: str, timezone: str) -> None:
    """The folder, written anew; SystemExit if something else lies there."""
    names = {"user-data", "network-config", "meta-data", "README.txt", "companion"}
    if out.exists() and not {one.name for one in out.iterdir()} <= names:
        raise SystemExit(f"{out}: other files lie there; name another folder, or remove them")
    shutil.rmtree(out, ignore_errors=True)
    (out / "companion").mkdir(parents=True)
    shutil.copyfile(package, out / "companion" / package.name)
    version = package.name.split("_")[1]
    texts = {
        "user-data": user_data(country, language, timezone),
        "network-config": _NETWORK,
        # A newer package is another instance: its commands run again on a card that has played already.
        "meta-data": f"instance-id: companion-{re.sub('[^0-9A-Za-z.-]', '-', version)}\ndsmode: local\n",
        "README.txt": _README,
    }
    for name, words in texts.items():
        (out / name).write_text(words, "utf-8", newline="\n")


def place(environment: Mapping[str, str]) -> tuple[str, str]:
    """Country and language of this machine, as in de_DE.UTF-8; empty if it does not say."""
    for name in ("LC_ALL", "LANG"):
        if found := re.match(r"([a-z]{2})_([A-Z]{2})\b", environment.get(name, "")):
            return found[2], found[1] if found[1] in LANGUAGES else ENGLISH
    return "", ENGLISH


def timezone_here(localtime: Path = Path("/etc/localtime")) -> str:
    """The time zone of this machine, e.g. Europe/Berlin; empty if it does not say."""
    _, _, zone = str(localtime.resolve()).partition("/zoneinfo/")
    return zone if re.fullmatch(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,2}", zone) else ""


def main() -> int:
    """The exit status."""
    country, language = place(os.environ)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--country", default=country, help="where the Pi is, e.g. DE")
    parser.add_argument("--language", choices=list(LANGUAGES), default=language, help="of its first screen")
    parser.add_argument("--deb", type=Path, help="this package, not one built now")
    parser.add_argument("--out", type=Path, default=CHECKOUT / "dist" / "boot-files")
    asked = parser.parse_args()
    if not re.fullmatch("[A-Z]{2}", asked.country):
        asks = "name the country of the Pi, whose Wi-Fi channels differ: make boot-files COUNTRY=DE"
        print(f"make boot-files: {asks}", file=sys.stderr)
        return 2
    package = asked.deb or build("arm64", DEBIAN, CHECKOUT / "dist")
    zone = timezone_here()
    write_folder(asked.out, package, country=asked.country, language=asked.language, timezone=zone)
    print(f"{asked.out}: copy its content onto the card's partition bootfs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
