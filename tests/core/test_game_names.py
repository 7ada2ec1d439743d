"""One game in one folder: nothing outside it names what only that game has."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORDS = re.compile(r"\b(princess(es)?|mattress(es)?|beds?|glass|witch(es)?|blankets?)\b", re.IGNORECASE)
FOLDERS = tuple(
    sorted(
        path.name
        for path in (ROOT / "companion").iterdir()
        if path.is_dir() and path.name not in ("games", "__pycache__")
    )
)
"""Of `companion`, with everything in them."""
EXCEPT = {
    "companion/session/journal_versions.py",  # reads what older programs wrote, in their words
    # The recommended rig's stations have the names that people read on them; these drive it.
    "companion/firmware/board/default_rig.py",
    "companion/firmware/simulator/line_torture.py",
    "companion/benchmarks/link_bench.py",
    "companion/benchmarks/bus_cost.py",
}


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_word_of_one_game_stands_outside_its_folder(folder: str) -> None:
    named = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sorted((ROOT / "companion" / folder).rglob("*.py"))
        if path.relative_to(ROOT).as_posix() not in EXCEPT
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if WORDS.search(line)
    ]
    assert named == []


def test_no_game_is_imported_outside_its_folder_but_by_name() -> None:
    pattern = r"(from|import) companion\.games\.(sleepless|sleeping)"
    found = subprocess.run(
        ["grep", "-rnE", pattern, *(f"companion/{one}" for one in FOLDERS)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.stdout == ""
