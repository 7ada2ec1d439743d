"""`make deb`, `make lock`, `make notices`: a Debian package with all libraries, for this or another machine.

The package is a virtual environment in /usr/lib/companion on the system's own Python. So picamera2, which only
the system has, is seen, while NumPy and OpenCV are the program's own. Libraries are the wheels that
`requirements.lock` names with their SHA-256. The same commit gives the same bytes.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from tools.installation.notices import copyright_file, notices

CHECKOUT = Path(__file__).parents[2]
FILES = Path(__file__).parent / "files"
LOCK = Path(__file__).parent / "requirements.lock"
DEVELOPMENT = Path(__file__).parent / "development.lock"
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
"""Debian's name of an architecture -> that of wheels."""
DEBIANS = {"13": "3.13", "12": "3.11"}
"""Debian and Raspberry Pi OS of that number -> its Python: wheels fit one of them. The first one is today's."""
NAMES = {"13": "trixie", "12": "bookworm"}
"""Number of a Debian -> its name."""
PYTHONS = tuple(sorted(DEBIANS.values()))
TESTED = ("3.11", "3.12", "3.13")
"""Python that the tests run on."""
_GLIBCS = (17, 24, 26, 27, 28, 31, 34, 35, 36)
"""Minor versions of glibc 2 that wheels may ask for: up to that of Debian 12."""
_ROOT = Path("usr/lib/companion")
_SYSTEM_ONLY = ("simplejpeg>=1.8,<2",)
"""_SYSTEM_ONLY: Bookworm's own was built for NumPy 1, and picamera2 needs one that goes with ours."""
_CONTROL = """\
Package: companion
Version: {version}
Architecture: {arch}
Maintainer: companion <companion@localhost>
Installed-Size: {size}
Depends: python{python}, libc6 (>= 2.36), libstdc++6
Recommends: libzbar0, v4l-utils
Suggests: python3-picamera2, speech-dispatcher | espeak-ng, network-manager, dnsmasq-base
Section: games
Priority: optional
Description: companion for a tabletop game on a real table
 It watches the game with an overhead camera and a small sensor board, checks
 claims, gives hints that spoil nothing, and scores the end. Without parts of
 your own a virtual table plays.
 .
 All Python libraries are part of this package; journals, profiles and settings
 are in the homes of its users and stay when it is removed.
"""
_POSTINST = """\
#!/bin/sh
set -e
if [ "$1" = configure ]; then
  # Compiled here and not in the package: a first start on a Pi would take seconds longer.
  /usr/lib/companion/bin/python3 -m compileall -q -j 0 /usr/lib/companion/lib || true
  if [ -d /run/udev ]; then udevadm control --reload && udevadm trigger --subsystem-match=tty || true; fi
  if command -v systemd-sysusers >/dev/null; then systemd-sysusers companion.conf; fi
  # Engines and pages of the version before go on with the files of this one; a game goes on where it was.
  if [ -n "$2" ] && [ -d /run/systemd/system ]; then
    systemctl daemon-reload || true
    systemctl try-restart companion-host.service || true
    for runtime in /run/user/*; do
      if [ -S "$runtime/systemd/private" ]; then
        user=$(id -nu "${runtime##*/}" 2>/dev/null) || continue
        manager() { runuser -u "$user" -- env XDG_RUNTIME_DIR="$runtime" systemctl --user "$@"; }
        manager daemon-reload || true
        manager try-restart companion.service 'companion@*.service' || true
        manager try-restart companion-serve.service 'companion-serve@*.service' || true
      fi
    done
  fi
  # The code on the screen comes by itself where no desktop has the screen, and only at the first installation.
  if [ -z "$2" ] && command -v systemctl >/dev/null; then
    if [ -e /etc/systemd/system/display-manager.service ]; then
      echo "A code on the screen, to play without a keyboard: sudo systemctl enable --now companion-host"
    else
      systemctl enable companion-host.service || true
      if [ -d /run/systemd/system ]; then
        systemctl daemon-reload && systemctl start --no-block companion-host.service || true
      fi
    fi
  fi
fi
"""
_PRERM = """\
#!/bin/sh
set -e
if [ "$1" = remove ] && command -v systemctl >/dev/null; then
  if [ -d /run/systemd/system ]; then systemctl stop companion-host.service || true; fi
  systemctl disable companion-host.service || true
fi
find /usr/lib/companion -name __pycache__ -type d -prune -exec rm -rf {} +
"""


def build(arch: str, debian: str, out: Path) -> Path:
    """The package for a Debian of this number, written to the folder `out`; its path."""
    python = DEBIANS[debian]
    if lacking := _not_locked():
        raise SystemExit(f"{LOCK.name} lacks {', '.join(lacking)}; run: make lock")
    environment = {**os.environ, "SOURCE_DATE_EPOCH": str(changed())}
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "root"
        libraries = root / _ROOT / f"lib/python{python}/site-packages"
        _libraries(libraries, arch, python, environment)
        _environment(root / _ROOT, python)
        command = root / "usr/bin/companion"
        _write(command, f"#!/{_ROOT}/bin/python3\nfrom companion.cli import main\n\nmain()\n", 0o755)
        written = [sys.executable, "-m", "tools.installation.system_files", "--packaged"]
        written += ["--root", str(root), "--prefix", "/usr", "--command", "/usr/bin/companion"]
        subprocess.run(written, cwd=CHECKOUT, env=environment, check=True, stdout=subprocess.DEVNULL)
        _write(root / "usr/lib/udev/rules.d/60-companion.rules", (FILES / "60-companion.rules").read_text())
        _write(root / "usr/share/doc/companion/changelog", (CHECKOUT / "CHANGELOG.md").read_text("utf-8"))
        place = libraries.relative_to(root).as_posix()
        _write(root / "usr/share/doc/companion/copyright", copyright_file(libraries, _locked(), place))
        packaged = _packaged()
        _debian(root, arch, python, packaged)
        _same_times(root, changed())
        out.mkdir(parents=True, exist_ok=True)
        package = out / f"companion_{packaged}_{arch}_debian{debian}.deb"
        made = ["dpkg-deb", "--build", "--root-owner-group", "-Zzstd", "-z6", str(root), str(package)]
        subprocess.run(made, env=environment, check=True, stdout=subprocess.DEVNULL)
    return package


def write_notices(arch: str, python: str, out: Path) -> Path:
    """The licences of what a package carries, written to the folder `out`; the file's path."""
    with tempfile.TemporaryDirectory() as folder:
        _libraries(Path(folder), arch, python, dict(os.environ))
        _write(out / "NOTICES.txt", notices(Path(folder), _locked()))
    return out / "NOTICES.txt"


def lock() -> None:
    """Write both locks anew: the newest allowed versions, wheels of each Python and machine."""
    versions = _lock(LOCK, PYTHONS, _wanted(), {}, "what `make deb` packs")
    _lock(DEVELOPMENT, TESTED, _wanted(development=True), versions, "what the program and its tests need")


def _lock(
    path: Path, pythons: tuple[str, ...], wanted: list[str], versions: dict[str, str], what: str
) -> dict[str, str]:
    """Write one lock, with these versions where it needs those libraries; its own versions."""
    found: dict[str, str] = {}
    hashes: dict[str, set[str]] = {}
    for python in pythons:
        for arch in MACHINES:
            pinned = [f"{name}=={version}" for name, version in (versions | found).items()]
            for item in _resolved(arch, python, wanted, pinned):
                name = item["metadata"]["name"].lower().replace("_", "-")
                found[name] = item["metadata"]["version"]
                hashes.setdefault(name, set()).add(item["download_info"]["archive_info"]["hashes"]["sha256"])
    lines = [f"# Written by `make lock`: {what}.\n"]
    for name in sorted(found):
        sums = "".join(f" \\\n    --hash=sha256:{one}" for one in sorted(hashes[name]))
        lines.append(f"{name}=={found[name]}{sums}\n")
    path.write_text("".join(lines))
    return found


def _resolved(arch: str, python: str, wanted: list[str], pinned: list[str]) -> list[dict]:  # type: ignore[type-arg] # pip's JSON
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        constraints = Path(folder) / "constraints.txt"
        constraints.write_text("\n".join(pinned))
        asked = ["--dry-run", "--ignore-installed", "--report", str(report), "-c", str(constraints)]
        _pip(["--target", folder, *_platform(arch, python), *wanted, *asked], dict(os.environ))
        found: list[dict] = json.loads(report.read_text())["install"]  # type: ignore[type-arg]
    return found


def _libraries(place: Path, arch: str, python: str, environment: dict[str, str]) -> None:
    """The locked wheels and the program's own, unpacked."""
    with tempfile.TemporaryDirectory() as folder:
        _pip(["--no-deps", "--require-hashes", "--no-compile", "--target", str(place), *_platform(arch, python),
              "-r", str(LOCK)], environment)  # fmt: skip
        made = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", folder, str(CHECKOUT)]
        subprocess.run(made, env=environment, check=True)
        wheel = next(Path(folder).glob("*.whl"))
        _pip(["--no-deps", "--no-compile", "--target", str(place), str(wheel)], environment)
    shutil.rmtree(place / "bin", ignore_errors=True)  # commands of the libraries
    for info in place.glob("*.dist-info"):
        # They name the machine and the way of the installation.
        for name in ("direct_url.json", "REQUESTED", "INSTALLER"):
            (info / name).unlink(missing_ok=True)
        record = info / "RECORD"
        kept = [line for line in record.read_text("utf-8").splitlines() if not _told(line)]
        record.write_text("\n".join(sorted(kept)) + "\n", "utf-8")


def _told(line: str) -> bool:
    path = line.split(",", maxsplit=1)[0]
    return path.endswith(("/direct_url.json", "/REQUESTED", "/INSTALLER")) or path.startswith(("../", "bin/"))


def _environment(place: Path, python: str) -> None:
    """What makes a folder a virtual environment: `pyvenv.cfg` and a link to the interpreter."""
    (place / "bin").mkdir(parents=True)
    for name in ("python", "python3"):
        (place / "bin" / name).symlink_to(f"/usr/bin/python{python}")
    _write(place / "pyvenv.cfg", f"home = /usr/bin\ninclude-system-site-packages = true\nversion = {python}\n")


def _debian(root: Path, arch: str, python: str, version: str) -> None:
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    size = sum(path.stat().st_size for path in files) // 1024
    sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n" for path in files]
    control = _CONTROL.format(version=version, arch=arch, size=size, python=python)
    _write(root / "DEBIAN/control", control)
    _write(root / "DEBIAN/md5sums", "".join(sums))
    _write(root / "DEBIAN/postinst", _POSTINST, 0o755)
    _write(root / "DEBIAN/prerm", _PRERM, 0o755)


def _same_times(root: Path, changed: int) -> None:
    """The commit's time and plain permissions for every file: what differs between machines."""
    for path in sorted(root.rglob("*"), reverse=True):
        if not path.is_symlink():
            executable = path.is_dir() or path.stat().st_mode & 0o100
            path.chmod(0o755 if executable else 0o644)
        os.utime(path, (changed, changed), follow_symlinks=False)
    root.chmod(0o755)
    os.utime(root, (changed, changed))


def _write(path: Path, text: str, mode: int = 0o644) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    path.chmod(mode)


def _project() -> dict:  # type: ignore[type-arg] # TOML
    read: dict = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))["project"]  # type: ignore[type-arg]
    return read


def version() -> str:
    """The program's version, in pyproject.toml."""
    return str(_project()["version"])


def _wanted(*, development: bool = False) -> list[str]:
    """Requirements of the program with every extra, that of its developers only if asked for."""
    extras = _project().get("optional-dependencies", {})
    more = [one for name, those in sorted(extras.items()) if development or name != "dev" for one in those]
    return [*_project()["dependencies"], *more, *_SYSTEM_ONLY]


def _not_locked(lock: Path = LOCK, development: bool = False) -> list[str]:
    """Names of requirements that a lock does not hold."""
    names = (re.match(r"[A-Za-z0-9._-]+", one) for one in _wanted(development=development))
    return sorted({found[0].lower().replace("_", "-") for found in names if found} - _locked(lock))


def _locked(lock: Path = LOCK) -> set[str]:
    """Names of the libraries that a lock holds."""
    return {line.split("==")[0] for line in lock.read_text().splitlines() if "==" in line}


def _platform(arch: str, python: str) -> list[str]:
    machine = MACHINES[arch]
    names = [f"manylinux_2_{minor}_{machine}" for minor in reversed(_GLIBCS)] + [f"manylinux2014_{machine}"]
    chosen = [word for name in names for word in ("--platform", name)]
    return [*chosen, "--python-version", python, "--implementation", "cp", "--only-binary", ":all:"]


def _pip(words: list[str], environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", *words]
    done = subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{done.stdout}{done.stderr}\npip could not install; check the network and try again")


def own_debian(release: Path) -> str:
    """Number of the Debian or Raspberry Pi OS of this machine; empty for another system."""
    try:
        told = dict(line.split("=", 1) for line in release.read_text("utf-8").splitlines() if "=" in line)
    except OSError:
        return ""
    debian = told.get("ID", "") in ("debian", "raspbian")
    return told.get("VERSION_ID", "").strip('"') if debian else ""


def what_fits(debian: str, own: str) -> str:
    """Where a package for this Debian can be installed, and which one fits this machine."""
    others = [one for one in DEBIANS if one != debian]
    other = ", ".join(f"{one} ({NAMES[one]}): make deb DEBIAN={one}" for one in others)
    name = f"{debian} ({NAMES[debian]}), Python {DEBIANS[debian]}"
    fits = f"It fits Debian and Raspberry Pi OS {name}. For {other}"
    if own and own != debian:
        here = f"make deb DEBIAN={own}" if own in DEBIANS else "make install"
        return f"{fits}\nThis machine has Debian {own}, where it cannot be installed: {here}"
    return fits


def changed() -> int:
    """Time of the last commit (s, Unix)."""
    return int(git("log", "-1", "--format=%ct"))


def _packaged() -> str:
    """Version of the package: at the version's tag that alone, before it with number and name of the commit, so
    that later packages have higher versions."""
    if f"v{version()}" in git("tag", "--points-at", "HEAD").split():
        return version()
    return f"{version()}~git{git('rev-list', '--count', 'HEAD')}.{git('rev-parse', '--short=8', 'HEAD')}"


def git(*words: str) -> str:
    """What git says in the checkout."""
    return subprocess.run(
        ["git", *words], cwd=CHECKOUT, check=True, capture_output=True, text=True
    ).stdout.strip()


def main() -> int:
    """The exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("build", "lock", "notices"))
    parser.add_argument("--arch", choices=sorted(MACHINES), default="amd64")
    parser.add_argument("--debian", choices=tuple(DEBIANS), default=next(iter(DEBIANS)))
    parser.add_argument("--out", type=Path, default=CHECKOUT / "dist")
    asked = parser.parse_args()
    if asked.what == "lock":
        lock()
        return 0
    if asked.what == "notices":
        print(write_notices(asked.arch, DEBIANS[asked.debian], asked.out))
        return 0
    if shutil.which("dpkg-deb") is None:
        print("make deb needs dpkg-deb: sudo apt install dpkg", file=sys.stderr)
        return 2
    package = build(asked.arch, asked.debian, asked.out)
    print(f"{package} ({package.stat().st_size / 1e6:.0f} MB)")
    print(what_fits(asked.debian, own_debian(Path("/etc/os-release"))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
