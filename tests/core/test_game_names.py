"""One game in one folder: nothing outside it names what only that game has."""

import re
import subprocess

import pytest

from tests.support.sources import PACKAGES, ROOT, modules

WORDS = re.compile(r"\b(princess(es)?|mattress(es)?|beds?|glass|witch(es)?|blankets?)\b", re.IGNORECASE)
FOLDERS = sorted(
    path.relative_to(ROOT).as_posix()
    for package in PACKAGES
    for path in (ROOT / package).iterdir()
    if path.name not in ("games", "__pycache__") and (path.is_dir() or path.suffix == ".py")
)
"""Files and folders in the packages, with everything in them."""
EXCEPT = {
    "companion/session/journal_versions.py",  # reads what older programs wrote, in their words
    # The recommended rig's stations have the names that people read on them.
    "firmware/board/default_rig.py",
}


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_word_of_one_game_stands_outside_its_folder(folder: str) -> None:
    named = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in modules()
        if path.is_relative_to(ROOT / folder) and path.relative_to(ROOT).as_posix() not in EXCEPT
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if WORDS.search(line)
    ]
    assert named == []


def test_no_game_is_imported_outside_its_folder_but_by_name() -> None:
    pattern = r"(from|import) companion\.games\.(sleepless|sleeping)"
    found = subprocess.run(
        ["grep", "-rnE", pattern, *FOLDERS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.stdout == ""
