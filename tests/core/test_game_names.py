"""One game in one folder: no identifier and no string outside it names what only that game has.

Docstrings and comments are prose: they may say bed, mattress or princess where that is what they mean.
"""

import ast
import re

import pytest

from tests.support.sources import PACKAGES, ROOT, modules

GAME_WORDS = {
    *("princess", "princesses", "mattress", "mattresses", "bed", "beds", "glass"),
    *("witch", "witches", "blanket", "blankets"),
}
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
"""A word of a sentence, of `snake_case` and of `CamelCase`."""
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
    # The recommended rig's stations have the names that people read on them.
    "firmware/board/default_rig.py",
}


def named_in(source: str) -> list[str]:
    """Each identifier and string of a module that has a game's word in it, with its line."""
    tree = ast.parse(source)
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = []
    for node in ast.walk(tree):
        if id(node) in prose and isinstance(node, ast.Constant):
            continue
        values = [value for _, value in ast.iter_fields(node)]
        if isinstance(node, ast.Global | ast.Nonlocal):
            values = list(node.names)
        found += [
            f"{getattr(node, 'lineno', 0)}: {value}"
            for value in values
            if isinstance(value, str) and GAME_WORDS & {word.lower() for word in WORD.findall(value)}
        ]
    return found


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_identifier_and_no_string_of_one_game_stands_outside_its_folder(folder: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{named}"
        for path in modules()
        if path.is_relative_to(ROOT / folder)
        and path.relative_to(ROOT).as_posix() not in EXCEPT
        and not path.relative_to(ROOT).as_posix().startswith(OF_GAMES)
        for named in named_in(path.read_text(encoding="utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        "bed = 1",
        "ask(bed=1)",
        "class BedScale: pass",
        "def lift_mattress(): pass",
        "NAME = 'the glass'",
        "f'{n} beds'",
    ],
)
def test_a_word_of_a_game_is_found_in_names_and_strings(source: str) -> None:
    assert named_in(source)


@pytest.mark.parametrize(
    "source", ["X = 1\n'A bed.'", "def f():\n    'A mattress.'", "x = 1  # a witch", "embedded = 1"]
)
def test_prose_may_say_a_word_of_a_game(source: str) -> None:
    assert named_in(source) == []
