"""How often tests reach behind the public doors of what they test."""

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
MOST = 120
"""MOST: most accesses of a private attribute in all tests together."""
OF_TUPLES = frozenset(("_replace", "_fields", "_asdict", "_make"))
"""OF_TUPLES: public methods of every NamedTuple, named so in the standard library."""


def private_accesses(source: str) -> list[tuple[int, str]]:
    """Line and name of each private attribute of something other than `self` and `cls`."""
    return [
        (one.lineno, one.attr)
        for one in ast.walk(ast.parse(source))
        if isinstance(one, ast.Attribute)
        and one.attr.startswith("_")
        and not one.attr.startswith("__")
        and one.attr not in OF_TUPLES
        and not (isinstance(one.value, ast.Name) and one.value.id in ("self", "cls"))
    ]


def test_tests_use_public_doors() -> None:
    found = [
        f"{path.relative_to(TESTS)}:{line} {name}"
        for path in sorted(TESTS.rglob("*.py"))
        for line, name in private_accesses(path.read_text(encoding="utf-8"))
    ]
    assert len(found) <= MOST, "\n".join(found)


@pytest.mark.parametrize(
    ("source", "found"),
    [("game._table", 1), ("self._table", 0), ("self.game._table", 1), ("state._replace(x=1)", 0)],
)
def test_what_counts_as_a_private_attribute(source: str, found: int) -> None:
    assert len(private_accesses(source)) == found
