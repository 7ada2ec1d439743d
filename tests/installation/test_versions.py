"""A version is installed beside the one before, which whoever uses it goes on with."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.installation import install as installing
from tools.installation.install import Places, begin_from, install, remove_unused

PACKAGES = Path(f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages")


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """Nothing is installed there yet; pip and the system's files are left out."""
    monkeypatch.setattr(installing, "_write_system_files", lambda _places: set())
    monkeypatch.setattr(installing, "next_steps", lambda _places: ())
    fill(monkeypatch, "one")
    return Places(tmp_path / "a prefix")


def fill(monkeypatch: pytest.MonkeyPatch, content: str, status: int = 0) -> None:
    """What pip would do: each file it changes is another one from then on."""

    def make(version: Path) -> int:
        (version / "bin").mkdir(parents=True)
        (version / "bin/companion").write_text(content)
        (version / "bin/python").symlink_to(sys.executable)
        module = version / PACKAGES / "companion.py"
        module.parent.mkdir(parents=True, exist_ok=True)
        module.unlink(missing_ok=True)
        module.write_text(content)
        library = version / PACKAGES / "library.so"
        if not library.exists():
            library.write_text("large")
        return status

    monkeypatch.setattr(installing, "_make", make)


@pytest.fixture
def game(places: Places) -> Iterator["subprocess.Popen[bytes]"]:
    """A program that was started by the command, as its first line names the interpreter."""
    assert install(places) == 0
    assert places.version is not None
    python = places.version / "bin/python"
    process = subprocess.Popen([str(python), "-c", "import time; time.sleep(60)", str(places.command)])
    yield process
    process.kill()
    process.wait()


def test_a_game_that_is_on_keeps_its_files_and_is_named(
    places: Places,
    game: "subprocess.Popen[bytes]",
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = places.version
    assert before is not None
    fill(monkeypatch, "two")
    assert install(places) == 0
    assert places.command.read_text() == "two"
    assert (before / PACKAGES / "companion.py").read_text() == "one", "modules that it loads later are its own"
    assert f"Still running as before (process {game.pid})" in capsys.readouterr().out
    game.kill()
    game.wait()
    assert install(places) == 0
    assert not before.exists(), "nobody uses it any more"
    assert "Still running" not in capsys.readouterr().out
    assert len(places.versions) == 1


def test_libraries_that_stay_take_no_space_twice(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    assert install(places) == 0
    before = places.version
    assert before is not None
    kept = (before / PACKAGES / "library.so").stat().st_ino
    fill(monkeypatch, "two")
    assert install(places) == 0
    assert places.version is not None
    assert (places.version / PACKAGES / "library.so").stat().st_ino == kept


def test_where_files_cannot_be_linked_they_are_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "1" / PACKAGES).mkdir(parents=True)
    (tmp_path / "1" / PACKAGES / "library.so").write_text("large")

    def refuse(*_: object, **__: object) -> None:
        raise OSError

    monkeypatch.setattr("os.link", refuse)
    begin_from(tmp_path / "1", tmp_path / "2")
    assert (tmp_path / "2" / PACKAGES / "library.so").read_text() == "large"


def test_an_update_that_fails_leaves_the_version_before(
    places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert install(places) == 0
    before = places.version
    fill(monkeypatch, "half", status=1)
    assert install(places) == 1
    assert places.version == before
    assert places.command.read_text() == "one"
    assert places.versions == [before]


def test_an_installation_without_versions_goes_on(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    flat = places.program
    installing._make(flat)
    (flat / "pyvenv.cfg").write_text("home = /usr/bin\n")
    places.command.parent.mkdir(parents=True)
    places.command.symlink_to(flat / "bin/companion")
    fill(monkeypatch, "two")
    processes = flat.parent / "proc"
    (processes / "7").mkdir(parents=True)
    (processes / "7/cmdline").write_bytes(f"{flat}/bin/python\0{places.command}\0run\0".encode())
    assert install(places) == 0
    assert places.command.read_text() == "two"
    installing._make(flat)
    (flat / "pyvenv.cfg").write_text("home = /usr/bin\n")
    assert remove_unused(places, processes) == [7]
    assert (flat / PACKAGES / "companion.py").exists()
    (processes / "7/cmdline").unlink()
    assert remove_unused(places, processes) == []
    assert not (flat / "bin").exists()
    assert places.command.read_text() == "two"


def test_what_is_not_ours_is_not_replaced(places: Places) -> None:
    places.command.parent.mkdir(parents=True)
    places.command.write_text("somebody's")
    assert install(places) == 2
    assert places.command.read_text() == "somebody's"


def test_an_update_names_the_room_that_it_takes(places: Places, capsys: pytest.CaptureFixture[str]) -> None:
    """An update shares the libraries, so it does not announce the room of a first installation."""
    assert install(places) == 0
    assert "about 310 MB" in capsys.readouterr().out
    assert install(places) == 0
    again = capsys.readouterr().out
    assert "some 20 MB" in again
    assert "310" not in again
