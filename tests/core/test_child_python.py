"""Children of the program run Python's own modules, whatever lies in the folder where it was started."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.core.child_python import companion_command
from tests.support.sources import ROOT, modules

FOREIGN = "import pathlib; pathlib.Path(__file__).with_name('ran').touch(); raise SystemExit(9)"


@pytest.fixture
def foreign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with modules named like those that the program and multiprocessing import."""
    folder = tmp_path / "foreign"
    folder.mkdir()
    for name in ("glob", "json", "click", "multiprocessing"):
        (folder / f"{name}.py").write_text(FOREIGN)
    monkeypatch.chdir(folder)
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    return folder


def _run_within_the_program(task: str, folder: Path) -> None:
    """Have the console script do this: its own folder comes first for it, and not the current one."""
    script = folder / "companion_script.py"
    script.write_text(
        "import os, sys\n"
        "from companion import cli\n"
        f"cli.cli.main = lambda **_: exec({task!r}, {{}})\n"
        "if __name__ == '__main__':\n    cli.main()\n"
    )
    assert subprocess.run([sys.executable, str(script)], check=False, timeout=60).returncode == 0


def test_a_part_runs_nothing_from_the_current_folder(foreign: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    task = (
        "from pathlib import Path\n"
        "from companion.core.supervised_process import Part\n"
        f"with Part(['--version'], Path({str(log)!r})) as part:\n"
        "    part._process.wait(60)\n"
        "    assert not part.complaint()\n"
    )
    _run_within_the_program(task, tmp_path)
    assert "version" in log.read_text()
    assert not (foreign / "ran").exists()


def test_a_spawned_process_runs_nothing_from_the_current_folder(foreign: Path, tmp_path: Path) -> None:
    task = (
        "from multiprocessing import get_context\n"
        "one = get_context('spawn').Process(target=print)\n"
        "one.start()\n"
        "one.join()\n"
    )
    _run_within_the_program(task, tmp_path)
    assert not (foreign / "ran").exists()


def test_the_program_as_a_module_runs_nothing_from_the_current_folder(foreign: Path) -> None:
    told = subprocess.check_output(companion_command("--version"), text=True, timeout=60)
    assert "version" in told
    assert not (foreign / "ran").exists()


def test_a_checkout_is_found_by_pythonpath(foreign: Path, tmp_path: Path) -> None:
    (tmp_path / "checkout" / "companion").mkdir(parents=True)
    (tmp_path / "checkout" / "companion" / "__main__.py").write_text("print('from the checkout')")
    (tmp_path / "checkout" / "companion" / "__init__.py").touch()
    environment = os.environ | {"PYTHONPATH": str(tmp_path / "checkout")}
    told = subprocess.check_output(companion_command("play"), env=environment, text=True, timeout=60)
    assert told == "from the checkout\n"


def test_every_child_is_started_by_that_command() -> None:
    own = {
        ROOT / "companion" / "core" / "child_python.py",
        ROOT
        / "vision"
        / "codes"
        / "zbar_process.py",  # a library, which starts itself by the inherited settings
    }
    found = [path for path in modules() if '"-m"' in path.read_text("utf-8") and path not in own]
    assert not found
