"""Errors that people see: one line, without passwords of addresses."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import cli, main
from companion.core.errors import BadInputError, as_told, is_own_module
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
        assert "GEHEIM" not in repr(error.told.values)


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


@pytest.mark.parametrize(
    ("name", "own"), [("companion.gone", True), ("vision", True), ("visions", False), ("", False)]
)
def test_a_missing_module_of_the_program_is_told_as_an_update_and_no_fault(name: str, own: bool) -> None:
    error = ModuleNotFoundError("gone", name=name or None)
    assert is_own_module(error) is own
    assert ("was it updated while it ran?" in str(as_told(error))) is own


def test_a_command_whose_module_is_gone_ends_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def gone(*_: object, **__: object) -> None:
        raise ModuleNotFoundError("gone", name="companion.gone")

    monkeypatch.setattr(cli, "main", gone)
    monkeypatch.setattr("sys.argv", ["companion"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith(
        "companion: a part of the program is missing: was it updated while it ran?; start it"
    )
    assert said.count("\n") == 1
