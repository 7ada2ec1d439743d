"""`make install` and `make uninstall`: below ~/.local for one user, or as root below /usr/local for all.

Needs the standard library alone. Nothing is run as another user: what needs root is printed at the end.
"""

import argparse
import contextlib
import grp
import os
import pwd
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]
UDEV_RULE = Path("/etc/udev/rules.d/60-companion.rules")
_RULE = "60-companion.rules"
_UNITS = ("companion.service", "companion-serve.service")
_GROUPS = ("dialout", "video")
"""_GROUPS: who may open the board's port and a camera from a service."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where everything goes, from one prefix."""

    prefix: Path

    @property
    def program(self) -> Path:
        """The virtual environment with companion and its libraries."""
        return self.prefix / "lib" / "companion"

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.program / "bin" / "python"

    @property
    def command(self) -> Path:
        """What is typed."""
        return self.prefix / "bin" / "companion"

    @property
    def manifest(self) -> Path:
        """List of the files outside `program`, a path each line."""
        return self.program / "installed-files"


def install(places: Places) -> int:
    """Install, or bring an installation up to date; the exit status."""
    if places.command.exists() and not _ours(places):
        print(f"companion: {places.command} belongs to something else; remove it, or: make install PREFIX=...")
        return 2
    try:
        places.program.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = f"{places.program} cannot be written ({error.strerror})"
        print(f"companion: {why}; another place: make install PREFIX=...")
        return 2
    print(
        f"Installing into {places.program}: about 310 MB; half a minute on a PC, some minutes on a Pi",
        flush=True,
    )
    # The system's packages stay visible: picamera2 comes from nowhere else. `--upgrade` keeps what is there.
    made = [sys.executable, "-m", "venv", "--system-site-packages", "--upgrade", str(places.program)]
    status = subprocess.call(made) or _pip(places, _wanted())
    if status:
        return status
    if _simplejpeg_is_old(places):
        _pip(places, "simplejpeg>=1.8,<2")
    before = _listed(places)
    _link(places)
    now = _write_system_files(places)
    for path in sorted(before - now):
        path.unlink(missing_ok=True)
    print(f"\nInstalled. Try: {'companion play' if _on_path(places) else f'{places.command} play'}")
    for step in next_steps(places):
        print(f"  {step}")
    return 0


def uninstall(places: Places) -> int:
    """Remove what `install` wrote; journals, profiles and settings stay. The exit status."""
    if not places.program.is_dir() and not _ours(places):
        print(f"companion is not installed below {places.prefix}")
        return 0
    if shutil.which("systemctl") and os.getuid() != 0:
        off = ["systemctl", "--user", "disable", "--now", *_UNITS]
        subprocess.call(off, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    listed = sorted(_listed(places))
    for path in listed:
        path.unlink(missing_ok=True)
    if _ours(places):
        places.command.unlink()
    shutil.rmtree(places.program, ignore_errors=True)
    _remove_empty(places, (*listed, places.command, places.program))
    print(f"Removed {places.program} and {places.command}.")
    print("Kept: settings (~/.config/companion), profiles (~/.local/share/companion), journals")
    print("(~/.local/state/companion). Remove these folders by hand if you want them gone.")
    if UDEV_RULE.exists() and _system_wide(places):
        UDEV_RULE.unlink()
    elif UDEV_RULE.exists():
        print(f"With root: sudo rm {UDEV_RULE}")
    return 0


def _remove_empty(places: Places, removed: Iterable[Path]) -> None:
    """Remove the folders below the prefix that held these and are empty now, the deepest first."""
    folders = {folder for path in removed for folder in path.parents if places.prefix in folder.parents}
    for folder in sorted(folders, key=lambda one: len(one.parts), reverse=True):
        with contextlib.suppress(OSError):  # something else lies there
            folder.rmdir()


def next_steps(places: Places) -> Iterator[str]:
    """What is left to a person, a line each: the path, what needs root, the services."""
    if not _on_path(places):
        folder = places.command.parent
        yield f"put {folder} on your PATH: log in again, or: export PATH={shlex.quote(str(folder))}:$PATH"
    root = list(_as_root(places))
    if root:
        yield "with root, for parts of your own (nothing of it was run):"
        yield from (f"  sudo {command}" for command in root)
    yield "the engine at each start of the machine: systemctl --user enable --now companion"
    usual = places.prefix in {Path("/usr/local"), Path.home() / ".local"}
    prefix = "" if usual else f" PREFIX={shlex.quote(str(places.prefix))}"
    yield f"to remove it (journals and profiles stay): make uninstall{prefix}"


def _as_root(places: Places) -> Iterator[str]:
    rule = places.program / _RULE
    if not UDEV_RULE.exists() or UDEV_RULE.read_bytes() != rule.read_bytes():
        file = shlex.quote(str(rule))
        yield f"install -m 644 {file} {UDEV_RULE} && sudo udevadm control --reload && sudo udevadm trigger"
    user = pwd.getpwuid(os.getuid()).pw_name
    there = [one for one in grp.getgrall() if one.gr_name in _GROUPS]
    lacking = [one.gr_name for one in there if user not in one.gr_mem and one.gr_gid not in os.getgroups()]
    if lacking and os.getuid() != 0:
        yield f"usermod -aG {','.join(sorted(lacking))} {user}   # from your next login on"
    probe = "import ctypes.util, sys; sys.exit(ctypes.util.find_library('zbar') is None)"
    if subprocess.call([str(places.python), "-c", probe]):
        yield "apt install libzbar0   # a second opinion on stickers"
    if os.getuid() != 0 and shutil.which("loginctl"):
        yield f"loginctl enable-linger {user}   # only if the engine should run without a login"


def _wanted() -> str:
    """The checkout with the extras of a family's machine."""
    import tomllib

    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = sorted(set(project.get("optional-dependencies", {})) - {"dev"})
    return f"{CHECKOUT}[{','.join(extras)}]" if extras else str(CHECKOUT)


def _pip(places: Places, wanted: str) -> int:
    return subprocess.call([str(places.python), str(CHECKOUT / "tools" / "install"), "--upgrade", wanted])


def _simplejpeg_is_old(places: Places) -> bool:
    """Whether the system's simplejpeg was built for NumPy 1, as Bookworm's: picamera2 needs it to load."""
    asked = subprocess.run(
        [str(places.python), "-c", "import simplejpeg"], capture_output=True, text=True, check=False
    )
    return "numpy.dtype size" in asked.stderr


def _link(places: Places) -> None:
    places.command.parent.mkdir(parents=True, exist_ok=True)
    if places.command.is_symlink():
        places.command.unlink()
    places.command.symlink_to(places.program / "bin" / "companion")


def _write_system_files(places: Places) -> set[Path]:
    """Write them, and the list that `uninstall` reads; the paths."""
    shutil.copyfile(Path(__file__).parent / "files" / _RULE, places.program / _RULE)
    if _system_wide(places) and UDEV_RULE.parent.is_dir():
        shutil.copyfile(places.program / _RULE, UDEV_RULE)
    asked = [str(places.python), "-m", "tools.installation.system_files"]
    asked += ["--prefix", str(places.prefix), "--command", str(places.command)]
    written = subprocess.run(asked, cwd=CHECKOUT, check=True, capture_output=True, text=True).stdout
    places.manifest.write_text(written)
    return _listed(places)


def _listed(places: Places) -> set[Path]:
    try:
        return {Path(line) for line in places.manifest.read_text().splitlines() if line}
    except FileNotFoundError:
        return set()


def _ours(places: Places) -> bool:
    """Whether the command is the link that `install` makes."""
    return places.command.is_symlink() and places.command.readlink() == places.program / "bin" / "companion"


def _system_wide(places: Places) -> bool:
    """Whether root installs for everybody; another prefix is filled without touching /etc."""
    return os.getuid() == 0 and places.prefix.is_relative_to("/usr")


def _on_path(places: Places) -> bool:
    return str(places.command.parent) in os.environ.get("PATH", "").split(os.pathsep)


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("install", "uninstall"))
    parser.add_argument("--prefix", type=Path, help="~/.local, or /usr/local for root, if not given")
    asked = parser.parse_args()
    usual = Path("/usr/local") if os.getuid() == 0 else Path.home() / ".local"
    places = Places((asked.prefix or usual).expanduser().absolute())
    return (install if asked.what == "install" else uninstall)(places)


if __name__ == "__main__":
    sys.exit(main())
