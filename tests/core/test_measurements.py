"""Tables of docs/measurements: as `tools/measurements.toml` has them, filled by commands."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import cli

sys.path.insert(0, str(Path(__file__).parents[2]))
from tools import measured_tables as measured

TABLES = measured.load_tables()


@pytest.mark.parametrize("name", TABLES)
def test_every_table_stands_on_its_page_with_its_rows_and_its_command(name: str) -> None:
    assert measured.missing(TABLES[name]) == []


def test_the_pages_hold_tables_and_commands_alone() -> None:
    pages = sorted(measured.PAGES.glob("*.md"))
    assert {page.stem for page in pages} == {table.page for table in TABLES.values()}
    for page in pages:
        titles = {f"## {table.title}" for table in TABLES.values() if table.page == page.stem}
        lines = page.read_text(encoding="utf-8").splitlines()
        assert lines[0] == f"# Measured: {page.stem}"
        assert [one for one in lines[1:] if one and one[0] not in "| " and one not in titles] == []


def test_every_command_of_a_table_exists() -> None:
    known = set(cli.list_commands(None))
    for table in TABLES.values():
        for command in (*table.before, table.command):
            program, name = command.split()[:2]
            assert (program, name in known) == ("companion", True)


def table(**changed: object) -> measured.Table:
    given = {
        "page": "games",
        "title": "Games",
        "command": "companion rehearse ROW --json",
        "columns": (("claims", "{claims}"), ("p95", "{times.1:.0f} ms")),
        "rows": (measured.Row("family", "--noise home"), measured.Row("noisy", "--noise rough")),
        "first": "table",
        "name": "games",
    }
    return measured.Table(**{**given, **changed})


def test_a_row_has_its_arguments_and_the_numbers_of_its_command() -> None:
    one = table()
    assert one.command_of(one.rows[1]) == "companion rehearse --noise rough --json"
    assert (
        one.filled(one.rows[0], {"claims": 5, "times": [1.0, 2.6]}) == "| family | `--noise home` | 5 | 3 ms |"
    )


def test_numbers_are_found_by_values_in_lists_by_sums_and_below_the_place_of_a_row() -> None:
    result = {
        "results": [{"scene": "a", "reader": "x", "wrong": 1}, {"scene": "a", "reader": "y", "wrong": 2}],
        "runs": [{"right": 3}, {"right": 4}],
        "k1_-0.1": 0.5,
        "none": None,
    }
    columns = (("", "{wrong}, {/runs.*.right}, {/k1_-0.1}, {/none}, {wrong / 4:.0%}"),)
    one = table(columns=columns, rows=(measured.Row("y", "-y", "results.scene=a&reader=y"),))
    assert one.filled(one.rows[0], result) == "| y | `-y` | 2, 7, 0.5, , 50% |"


def test_a_number_that_the_command_does_not_say_is_named() -> None:
    one = table()
    with pytest.raises(KeyError, match="claims"):
        one.filled(one.rows[0], {"times": [1, 2]})


def test_a_table_takes_the_place_of_its_former_one_and_leaves_the_others() -> None:
    first = measured.with_table("", table(), ["| old |"])
    both = measured.with_table(first, table(title="Others", name="others"), ["| kept |"])
    again = measured.with_table(both, table(), ["| new |"])
    assert "| old |" not in again
    assert "| kept |" in again
    assert again.index("| new |") < again.index("## Others")
    assert measured.with_table(again, table(), ["| new |"]) == again


def test_a_row_is_written_alone_and_the_others_keep_their_numbers() -> None:
    family, noisy = table().rows
    first = measured.with_row("", table(), noisy, "| noisy | `--noise rough` | 5 | 3 ms |")
    assert "| family |" not in first
    both = measured.with_row(first, table(), family, "| family | `--noise home` | 1 | 2 ms |")
    again = measured.with_row(both, table(), noisy, "| noisy | `--noise rough` | 6 | 4 ms |")
    assert again.splitlines()[6:8] == [
        "| family | `--noise home` | 1 | 2 ms |",
        "| noisy | `--noise rough` | 6 | 4 ms |",
    ]


def test_what_a_page_lacks_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured, "PAGES", tmp_path)
    assert measured.missing(table()) == ["games: games.md has no table 'Games'"]
    lines = ["| family | `--noise home` | 5 | 3 ms |", "| noisy | `--noise rough` | 5 | 3 ms |"]
    page = tmp_path / "games.md"
    page.write_text(measured.with_table("", table(), lines), encoding="utf-8")
    assert measured.missing(table()) == []
    page.write_text(page.read_text(encoding="utf-8").replace("rough", "hostile"), encoding="utf-8")
    assert any("--noise rough" in line for line in measured.missing(table()))
    page.write_text(measured.with_table("", table(), lines[:1]), encoding="utf-8")
    assert measured.missing(table())


def test_results_of_several_commands_are_added() -> None:
    one = {"claims": 2, "journal": "a", "runs": [{"right": 1}], "ok": True}
    other = {"claims": 3, "journal": "b", "runs": [{"right": 4}], "ok": False}
    assert measured.added(one, other) == {
        "claims": 5,
        "journal": "a",
        "runs": [{"right": 1}, {"right": 4}],
        "ok": True,
    }


def test_braces_stand_for_several_commands() -> None:
    assert measured.expanded("rehearse --json") == ["rehearse --json"]
    assert measured.expanded("a --seed {1,2} --to F/{1,2}") == ["a --seed 1 --to F/1", "a --seed 2 --to F/2"]
    assert len(measured.expanded("a {1,2} {x,y,z}")) == 6


def test_a_command_that_fails_ends_with_its_name() -> None:
    with pytest.raises(SystemExit, match="companion guide radar --json"):
        measured.run_command("companion guide radar --json")
    assert CliRunner().invoke(cli, ["guide", "--json"]).exit_code == 0
