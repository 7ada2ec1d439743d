"""One game in one folder: nothing outside it names what only that game has."""

import re

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
OF_GAMES = ("companion/virtual/games/", "companion/advice/")
"""Folders whose parts belong to one game each, and are loaded by its name."""
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
        if path.is_relative_to(ROOT / folder)
        and path.relative_to(ROOT).as_posix() not in EXCEPT
        and not path.relative_to(ROOT).as_posix().startswith(OF_GAMES)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if WORDS.search(line)
    ]
    assert named == []
