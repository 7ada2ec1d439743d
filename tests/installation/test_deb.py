"""What `make deb` packs: every requirement is locked, and the archive's own files say what is in it."""

import hashlib
import os
import socket
import subprocess
from pathlib import Path

import pytest

from tools.installation import clean_root
from tools.installation.deb import (
    CHECKOUT,
    DEBIANS,
    DEVELOPMENT,
    LOCK,
    MACHINES,
    _debian,
    _environment,
    _not_locked,
    _same_times,
    own_debian,
    what_fits,
)


@pytest.mark.parametrize(("lock", "development"), [(LOCK, False), (DEVELOPMENT, True)])
def test_the_lock_names_every_requirement_with_its_wheels(lock: Path, development: bool) -> None:
    assert _not_locked(lock, development) == [], "make lock"
    entries = lock.read_text().split("\n\n")[0].replace("\\\n", "").splitlines()[1:]
    assert all("--hash=sha256:" in entry for entry in entries if "==" in entry)


def test_sums_and_times_are_those_of_the_files(tmp_path: Path) -> None:
    root = tmp_path / "root"
    _environment(root / "usr/lib/companion", "3.11")
    (root / "usr/bin").mkdir()
    (root / "usr/bin/companion").write_text("#!/usr/lib/companion/bin/python3\n")
    (root / "usr/bin/companion").chmod(0o700)
    _debian(root, "arm64", "3.11", "1.2")
    _same_times(root, 1_000_000_000)
    for line in (root / "DEBIAN/md5sums").read_text().splitlines():
        told, _, path = line.partition("  ")
        assert told == hashlib.md5((root / path).read_bytes()).hexdigest()
    control = (root / "DEBIAN/control").read_text()
    assert "Architecture: arm64\n" in control
    assert "python3.11, " in control
    assert {path.lstat().st_mtime for path in root.rglob("*")} == {1_000_000_000}
    assert (root / "usr/bin/companion").stat().st_mode & 0o777 == 0o755
    assert (root / "usr/lib/companion/bin/python3").readlink() == Path("/usr/bin/python3.11")


def test_the_package_is_for_the_debian_of_today_unless_another_is_asked_for() -> None:
    asked = subprocess.run(
        ["make", "--dry-run", "deb", "deb-test"], cwd=CHECKOUT, capture_output=True, text=True, check=True
    ).stdout
    assert "deb build --arch" in asked
    assert "--debian 13\n" in asked
    assert "--debian 13 --debian 12" in asked, "both roots"
    assert next(iter(DEBIANS)) == "13"
    assert DEBIANS == {"13": "3.13", "12": "3.11"}


@pytest.mark.parametrize(
    ("release", "own"),
    [
        ('ID=debian\nVERSION_ID="12"\n', "12"),
        ('PRETTY_NAME="x"\nID=raspbian\nVERSION_ID="13"\n', "13"),
        ('ID=ubuntu\nVERSION_ID="24.04"\n', ""),
        ("ID=debian\n", ""),
        ("nonsense", ""),
    ],
)
def test_what_fits_this_machine_is_named(release: str, own: str, tmp_path: Path) -> None:
    (tmp_path / "os-release").write_text(release)
    assert own_debian(tmp_path / "os-release") == own
    assert own_debian(tmp_path / "none") == ""


def test_a_package_that_does_not_fit_this_machine_says_which_does() -> None:
    assert what_fits("13", "13") == (
        "It fits Debian and Raspberry Pi OS 13 (trixie), Python 3.13. For 12 (bookworm): make deb DEBIAN=12"
    )
    assert what_fits("13", "12").endswith("Debian 12, where it cannot be installed: make deb DEBIAN=12")
    assert what_fits("12", "11").endswith("make install")
    assert "cannot" not in what_fits("13", "")


def test_an_update_starts_the_new_version_in_place_of_the_old_one(tmp_path: Path) -> None:
    root = tmp_path / "root"
    _environment(root / "usr/lib/companion", "3.13")
    _debian(root, "amd64", "3.13", "1.2")
    script = (root / "DEBIAN/postinst").read_text()
    subprocess.run(["sh", "-n", str(root / "DEBIAN/postinst")], check=True)
    tools, calls = tmp_path / "bin", tmp_path / "calls"
    tools.mkdir()
    for name in ("systemctl", "udevadm", "systemd-sysusers", "runuser", "id"):
        (tools / name).write_text(f'#!/bin/sh\necho {name} "$@" >>{calls}\necho ann\n')
        (tools / name).chmod(0o755)
    system, session = tmp_path / "system", tmp_path / "user/1000/systemd"
    system.mkdir()
    session.mkdir(parents=True)
    with socket.socket(socket.AF_UNIX) as manager:
        manager.bind(str(session / "private"))
        script = script.replace("/run/systemd/system", str(system)).replace("/run/user", str(tmp_path / "user"))
        script = script.replace("/usr/lib/companion/bin/python3", "true")
        subprocess.run(
            ["sh", "-c", script, "postinst", "configure", "1.1"],
            env={"PATH": f"{tools}:/bin:/usr/bin"},
            check=True,
        )
    told = calls.read_text()
    assert "systemctl try-restart companion-host.service\n" in told
    user = f"runuser -u ann -- env XDG_RUNTIME_DIR={tmp_path}/user/1000 systemctl --user "
    assert f"{user}daemon-reload\n" in told
    assert f"{user}try-restart companion.service companion@*.service\n" in told
    assert f"{user}try-restart companion-serve.service companion-serve@*.service\n" in told
    assert "enable" not in told


@pytest.mark.parametrize("lacking", ["mmdebstrap", "arch-test"])
def test_a_clean_root_of_another_processor_names_the_program_that_it_lacks(
    lacking: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.getuid", lambda: 0)
    monkeypatch.setattr("shutil.which", lambda tool: None if tool == lacking else f"/usr/bin/{tool}")
    monkeypatch.setattr(Path, "exists", lambda _path: True)
    other = next(arch for arch, machine in MACHINES.items() if machine != os.uname().machine)
    assert clean_root.missing(other).startswith(f"{lacking} is not installed: apt install ")


def test_a_clean_root_that_cannot_be_built_ends_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clean_root, "CHECKOUT", tmp_path)
    monkeypatch.setattr("subprocess.call", lambda _words: 25)
    with pytest.raises(SystemExit, match="mmdebstrap built no Debian 13 for arm64"):
        clean_root.base("arm64", "13")
    assert not list((tmp_path / "dist").iterdir())
