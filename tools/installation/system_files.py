"""The files that make a system know companion: manual pages, completion, menu entry, units, udev rule.

Run by the Python that has companion's libraries, from the checkout:
`python -m tools.installation.system_files --root DIR --prefix /usr --command /usr/bin/companion`.
"""

import argparse
import gzip
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from click.shell_completion import get_completion_class

from companion import __version__
from companion.cli import cli
from tools.installation.man_pages import man_pages

FILES = Path(__file__).parent / "files"
_COMPLETIONS = {
    "bash": "share/bash-completion/completions/companion",
    "zsh": "share/zsh/{zsh}/_companion",
    "fish": "share/fish/vendor_completions.d/companion.fish",
}
"""Shell -> where its completion is found, below a prefix."""


def system_files(command: str, *, packaged: bool, changed: datetime) -> Iterator[tuple[str, bytes]]:
    """(path below the prefix, content) of each file; `command` is the absolute path of the program.

    `packaged`: in the places of a Debian package under /usr; otherwise in those of /usr/local and ~/.local.
    The udev rule is not among them: its place does not depend on the prefix.
    """
    for name, page in man_pages(__version__, changed):
        yield f"share/man/man1/{name}.1.gz", gzip.compress(page.encode(), 9, mtime=0)
    zsh = "vendor-completions" if packaged else "site-functions"
    for shell, path in _COMPLETIONS.items():
        found = get_completion_class(shell)
        assert found is not None
        source = found(cli, {}, "companion", "_COMPANION_COMPLETE").source()
        yield path.format(zsh=zsh), source.encode()
    units = "lib/systemd/user" if packaged else "share/systemd/user"
    for unit in (
        "companion.service",
        "companion@.service",
        "companion-serve.service",
        "companion-serve@.service",
    ):
        yield f"{units}/{unit}", _filled(unit, command)
    if packaged:
        # A service of the whole machine, which a package alone may bring, with a user of its own.
        for unit in ("companion-host.service", "companion-reset.service"):
            yield f"lib/systemd/system/{unit}", _filled(unit, command)
        yield "lib/sysusers.d/companion.conf", (FILES / "companion.sysusers").read_bytes()
        yield "share/polkit-1/rules.d/60-companion.rules", (FILES / "60-companion-polkit.rules").read_bytes()
    yield "share/applications/companion.desktop", _filled("companion.desktop", command)
    yield "share/icons/hicolor/scalable/apps/companion.svg", (FILES / "companion.svg").read_bytes()


def _filled(name: str, command: str) -> bytes:
    quoted = in_menu_entry(command) if name.endswith(".desktop") else in_unit(command)
    return (FILES / name).read_text("utf-8").replace("@COMMAND@", quoted).encode()


_PLAIN = re.compile(r"[\w/.+-]+")
"""A path that units and menu entries take as it is."""


def in_unit(command: str) -> str:
    """The path of a program as a systemd unit writes it: with a blank in quotes (systemd.service(5))."""
    if _PLAIN.fullmatch(command):
        return command
    escaped = command.replace("\\", r"\\").replace('"', r"\"").replace("%", "%%")
    return f'"{escaped}"'


def in_menu_entry(command: str) -> str:
    """The path of a program as a menu entry writes it (Desktop Entry Specification, "The Exec key").

    The quoting rule comes first; then every backslash is doubled, as in all strings of such a file.
    """
    if _PLAIN.fullmatch(command):
        return command
    escaped = re.sub(r'(["`$\\])', r"\\\1", command).replace("%", "%%")
    return '"' + escaped.replace("\\", r"\\") + '"'


def main() -> None:
    """Write the files below --root, and print their paths there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, default=Path("/"))
    parser.add_argument("--prefix", type=Path, required=True)
    parser.add_argument("--command", required=True)
    parser.add_argument("--packaged", action="store_true")
    asked = parser.parse_args()
    changed = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")) or _today(), UTC)
    for path, content in system_files(asked.command, packaged=asked.packaged, changed=changed):
        placed = asked.prefix / path
        there = asked.root / placed.relative_to("/")
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_bytes(content)
        there.chmod(0o644)
        print(placed)


def _today() -> float:
    return datetime.now(UTC).timestamp()


if __name__ == "__main__":
    main()
