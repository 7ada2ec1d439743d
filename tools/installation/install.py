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
_UNITS = ("companion.service", "companion-serve.service", "companion@.service", "companion-serve@.service")
_INSTANCES = ("companion@*", "companion-serve@*")
"""_INSTANCES: services of tables with names."""
_VERSIONS = "versions"
"""_VERSIONS: folder with a virtual environment for each version: 1, 2, ..."""
_GROUPS = ("dialout", "video")
"""_GROUPS: who may open the board's port and a camera from a service."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where everything goes, from one prefix."""

    prefix: Path

    @property
    def program(self) -> Path:
        """The folder of all versions, and of what the system needs of them."""
        return self.prefix / "lib" / "companion"

    @property
    def version(self) -> Path | None:
        """The virtual environment with the program and its libraries that the command starts; None without."""
        target = self.command.readlink() if self.command.is_symlink() else None
        return target.parents[1] if target is not None and target.is_relative_to(self.program) else None

    @property
    def versions(self) -> list[Path]:
        """All virtual environments here. Installations of before had a single one, in `program` itself."""
        flat = [self.program] if (self.program / "pyvenv.cfg").exists() else []
        return flat + sorted((self.program / _VERSIONS).glob("[0-9]*"), key=lambda one: int(one.name))

    @property
    def python(self) -> Path:
        """The interpreter of the version that the command starts."""
        return (self.version or self.program) / "bin" / "python"

    @property
    def command(self) -> Path:
        """What is typed."""
        return self.prefix / "bin" / "companion"

    @property
    def manifest(self) -> Path:
        """List of the files outside `program`, a path each line."""
        return self.program / "installed-files"


def install(places: Places) -> int:
    """Install, or bring an installation up to date; the exit status.

    A new version lies beside the one before, which a game that is on goes on with. If something fails, the one
    before stays.
    """
    if places.command.exists() and not _ours(places):
        print(f"companion: {places.command} belongs to something else; remove it, or: make install PREFIX=...")
        return 2
    try:
        places.program.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = f"{places.program} cannot be written ({error.strerror})"
        print(f"companion: {why}; another place: make install PREFIX=...")
        return 2
    room = "about 310 MB" if places.version is None else "some 20 MB beside the version before"
    print(
        f"Installing into {places.program}: {room}; half a minute on a PC, some minutes on a Pi",
        flush=True,
    )
    there = places.versions
    number = max((int(one.name) for one in there if one != places.program), default=0) + 1
    version = places.program / _VERSIONS / str(number)
    try:
        if places.version is not None:
            begin_from(places.version, version)
        status = _make(version)
    except BaseException:
        shutil.rmtree(version, ignore_errors=True)
        raise
    if status:
        shutil.rmtree(version, ignore_errors=True)
        return status
    before = _listed(places)
    _link(places, version)
    now = _write_system_files(places)
    for path in sorted(before - now):
        path.unlink(missing_ok=True)
    begin = "companion" if _on_path(places) else shlex.quote(str(places.command))
    print(f"\nInstalled. Try: {begin} play")
    if running := remove_unused(places):
        who = ", ".join(map(str, running))
        print(f"Still running as before (process {who}): each goes on so until its next start.")
    for step in next_steps(places):
        print(f"  {step}")
    return 0


def begin_from(before: Path, version: Path) -> None:
    """Let a version begin with the libraries of the one before: most stay, and need neither time nor space.

    Files are linked and not copied: pip replaces a file and never writes into it. Nothing is taken over from
    another Python.
    """
    packages = Path("lib", f"python{sys.version_info.major}.{sys.version_info.minor}", "site-packages")
    if (before / packages).is_dir():
        shutil.copytree(before / packages, version / packages, symlinks=True, copy_function=_linked)


def _linked(source: str, target: str) -> None:
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:  # a file system without links
        shutil.copy2(source, target, follow_symlinks=False)


def _make(version: Path) -> int:
    """Fill a virtual environment; the exit status."""
    # The system's packages stay visible: picamera2 comes from nowhere else.
    made = [sys.executable, "-m", "venv", "--system-site-packages", str(version)]
    status = subprocess.call(made) or _pip(version, _wanted())
    if not status and _simplejpeg_is_old(version):
        _pip(version, "simplejpeg>=1.8,<2")
    return status


def remove_unused(places: Places, processes: Path = Path("/proc")) -> list[int]:
    """Remove the versions that neither the command nor a process uses; the processes that use others.

    `processes`: where Linux describes them.
    """
    using: dict[Path, list[int]] = {one: [] for one in places.versions if one != places.version}
    for process in processes.glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (process / "cmdline").read_bytes().split(b"\0")
            for version, found in using.items():
                if any(word.startswith(os.fsencode(version / "bin") + b"/") for word in words):
                    found.append(int(process.name))
    for version, found in using.items():
        if not found:
            _remove_version(places, version)
    return sorted(pid for found in using.values() for pid in found)


def _remove_version(places: Places, version: Path) -> None:
    if version != places.program:
        shutil.rmtree(version, ignore_errors=True)
        return
    for name in ("bin", "include", "lib", "share"):
        shutil.rmtree(version / name, ignore_errors=True)
    for name in ("lib64", "pyvenv.cfg"):
        (version / name).unlink(missing_ok=True)


def uninstall(places: Places) -> int:
    """Remove what `install` wrote; journals, profiles and settings stay. The exit status."""
    if not places.program.is_dir() and not _ours(places):
        print(f"companion is not installed below {places.prefix}")
        return 0
    if shutil.which("systemctl") and os.getuid() != 0:
        off = ["systemctl", "--user", "disable", "--now", *_UNITS]
        subprocess.call(off, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        stop = ["systemctl", "--user", "stop", *_INSTANCES]
        subprocess.call(stop, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    listed = sorted(_listed(places))
    for path in listed:
        path.unlink(missing_ok=True)
    if _ours(places):
        places.command.unlink()
    shutil.rmtree(places.program, ignore_errors=True)
    _remove_empty(places, (*listed, places.command, places.program))
    print(f"Removed {places.program} and {places.command}.")
    for line in _kept(places):
        print(line)
    if UDEV_RULE.exists() and _system_wide(places):
        UDEV_RULE.unlink()
    elif UDEV_RULE.exists():
        print(f"With root: sudo rm {UDEV_RULE}")
    return 0


def _kept(places: Places) -> Iterator[str]:
    """Which folders of this user stay, a line each: those that there are, where the system says they lie."""
    if _system_wide(places):
        yield "Kept: settings, profiles and journals in the home of each user."
        return
    homes = {
        "settings": os.environ.get("XDG_CONFIG_HOME") or "~/.config",
        "profiles": os.environ.get("XDG_DATA_HOME") or "~/.local/share",
        "journals": os.environ.get("XDG_STATE_HOME") or "~/.local/state",
    }
    folders = {what: Path(home).expanduser() / "companion" for what, home in homes.items()}
    there = {what: folder for what, folder in folders.items() if folder.is_dir()}
    if there:
        yield "Kept, remove these folders by hand if you want them gone:"
    yield from (f"  {what}: {folder}" for what, folder in there.items())


def _remove_empty(places: Places, removed: Iterable[Path]) -> None:
    """Remove the folders below the prefix that held these and are empty now, the deepest first."""
    folders = {folder for path in removed for folder in path.parents if places.prefix in folder.parents}
    for folder in sorted(folders, key=lambda one: len(one.parts), reverse=True):
        with contextlib.suppress(OSError):  # something else lies there
            folder.rmdir()


def usual_prefix() -> Path:
    """Where `make install` puts the program without PREFIX."""
    return Path("/usr/local") if os.getuid() == 0 else Path.home() / ".local"


def next_steps(places: Places) -> Iterator[str]:
    """What is left to a person, a line each: the path, what needs root, the services."""
    usual = places.prefix in {Path("/usr/local"), Path.home() / ".local"}
    if not _on_path(places):
        folder = places.command.parent
        path = f"export PATH={shlex.quote(str(folder))}:$PATH"
        # A login finds the usual folders by itself, no other.
        lasts = "or log in again" if usual else "to keep it, add that line to ~/.profile"
        yield f"put {folder} on your PATH: {path}; {lasts}"
    root = list(_as_root(places))
    if root:
        yield "with root, for parts of your own (nothing of it was run):"
        yield from (f"  sudo {command}" for command in root)
    enable = "systemctl --user enable --now companion"
    if not usual:  # systemd looks for services in the usual folders alone
        services = shlex.quote(str(places.prefix / "share/systemd/user"))
        enable = f"systemctl --user link {services}/*.service && {enable}"
    yield f"the engine, now and at each login: {enable}"
    prefix = "" if places.prefix == usual_prefix() else f" PREFIX={shlex.quote(str(places.prefix))}"
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


def _pip(version: Path, wanted: str) -> int:
    return subprocess.call(
        [str(version / "bin" / "python"), str(CHECKOUT / "tools" / "install"), "--upgrade", wanted]
    )


def _simplejpeg_is_old(version: Path) -> bool:
    """Whether the system's simplejpeg was built for NumPy 1, as Bookworm's: picamera2 needs it to load."""
    command = [str(version / "bin" / "python"), "-c", "import simplejpeg"]
    asked = subprocess.run(command, capture_output=True, text=True, check=False)
    return "numpy.dtype size" in asked.stderr


def _link(places: Places, version: Path) -> None:
    """Let the command start this version: at any time it starts this one or the one before."""
    places.command.parent.mkdir(parents=True, exist_ok=True)
    draft = places.command.with_name(f".{places.command.name}.part")
    draft.unlink(missing_ok=True)
    draft.symlink_to(version / "bin" / "companion")
    draft.replace(places.command)


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
    """Whether the command is a link that `install` makes."""
    return places.version is not None


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
    places = Places((asked.prefix or usual_prefix()).expanduser().absolute())
    return (install if asked.what == "install" else uninstall)(places)


if __name__ == "__main__":
    sys.exit(main())
