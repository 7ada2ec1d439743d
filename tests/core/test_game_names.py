"""One game in one folder: nothing outside it names what only that game has."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORDS = re.compile(r"\b(princess(es)?|mattress(es)?|beds?|glass|witch(es)?|blankets?)\b", re.IGNORECASE)
FOLDERS = ("core", "sensing", "fusion", "session", "dashboard", "virtual", "rehearse")
"""Of `companion`, with everything in them."""
OLD_WORDS = "companion/session/journal_versions.py"
"""Reads what older programs wrote, in their words."""


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_word_of_one_game_stands_outside_its_folder(folder: str) -> None:
    named = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sorted((ROOT / "companion" / folder).rglob("*.py"))
        if path.relative_to(ROOT).as_posix() != OLD_WORDS
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
