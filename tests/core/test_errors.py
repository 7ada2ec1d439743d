"""Errors that people see: one line, without passwords of addresses."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import cli
from companion.core.errors import BadInputError
from companion.core.language import speaking, text
from companion.core.printable import without_passwords

ADDRESS = "http://anna:GEHEIM@cam/shot.jpg?usr=anna&pwd=GEHEIM"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (ADDRESS, "http://cam/shot.jpg"),
        (str(Path(ADDRESS)), "http:/cam/shot.jpg"),
        (f"'{ADDRESS}' is none", "'http://cam/shot.jpg' is none"),
        ("RTSP://a:GE@HE/IM@cam:554/live is none", "RTSP://cam:554/live is none"),
        ("anna@home, 2?3, C:/x, see http://cam/x", "anna@home, 2?3, C:/x, see http://cam/x"),
    ],
)
def test_an_address_is_shown_without_its_password(said: str, shown: str) -> None:
    assert without_passwords(said) == shown


def test_an_error_names_no_password_in_any_language() -> None:
    what = text("{where}: {what}", where=ADDRESS, what=text("{items} and {last}", items=(ADDRESS,), last="x"))
    error = BadInputError(what, where=ADDRESS)
    assert "GEHEIM" not in str(error)
    with speaking("de"):
        assert "GEHEIM" not in repr(error.told.values)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "command",
    [
        ["read", ADDRESS],
        ["read", "--json", ADDRESS],
        ["read", "--book", ADDRESS, "none.png"],
        ["press", "--port", ADDRESS, "3t"],
        ["why", "--place", "1", "--game", ADDRESS],
        ["replay", ADDRESS],
        ["doctor", "--config", ADDRESS],
        ["hint", "--game", ADDRESS],
        ["run", "--camera", ADDRESS.replace("http", "gopher")],
    ],
    ids=" ".join,
)
def test_no_command_repeats_the_password_of_an_address(command: list[str]) -> None:
    done = CliRunner().invoke(cli, command)
    assert done.exit_code != 0
    assert "GEHEIM" not in f"{done.output} {done.exception}"
