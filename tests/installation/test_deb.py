"""What `make deb` packs: every requirement is locked, and the archive's own files say what is in it."""

import hashlib
from pathlib import Path

import pytest

from tools.installation.deb import DEVELOPMENT, LOCK, _debian, _environment, _not_locked, _same_times


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
