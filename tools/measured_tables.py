"""Tables of docs/measurements: what each one measures, and its place on a page."""

import json
import re
import shlex
import subprocess
import sys
from functools import reduce
from itertools import product
from pathlib import Path
from typing import Any

import msgspec

_HERE = Path(__file__).parent
PAGES = _HERE.parent / "docs" / "measurements"
_TOOL = "make measurements TABLE="
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_FIELD = re.compile(r"\{([^}:]+)(?::([^}]*))?\}")


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row: its first cell, what its command adds to the table's, and where in the result its numbers are.

    `key` takes the place of `KEY` in the templates of the columns.
    """

    label: str
    args: str = ""
    at: str = ""
    key: str = ""


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table: `columns` are pairs of a heading and a template, such as `["p95", "{event_p95_ms:.0f} ms"]`.

    `{a.b}` goes down by keys and by numbers of a list; `{results.scene=x&reader=y.wrong}` takes the first entry
    of a list with these values; `{runs.*.wrong}` adds the numbers of all entries; `{share / 10:.0%}` a tenth.
    A path that begins with `/` begins at the top and not at the row's `at`. `command` has `ROW` where the
    arguments of a row go. `before`: commands that run first; all may name `FOLDER`, a new one.

    `--seed {1,2}` stands for a command with each, and numbers of the same name are added: counts, not times.
    The same braces twice in a command take the same value.
    """

    page: str
    title: str
    command: str
    columns: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]
    first: str = ""
    before: tuple[str, ...] = ()
    name: str = ""

    def command_of(self, row: Row) -> str:
        """The command of a row."""
        return self.command.replace("ROW", row.args)

    def head(self) -> list[str]:
        """The first two lines of the table."""
        shown = ["ROW"] if "ROW" in self.command else []
        cells = [self.first, *shown, *(heading for heading, _ in self.columns)]
        return [_line(cells), "|" + "---|" * len(cells)]

    def start_of(self, row: Row) -> list[str]:
        """The cells of a row that no measurement fills."""
        return [row.label, *([f"`{row.args}`"] if "ROW" in self.command else [])]

    def foot(self) -> list[str]:
        """The lines under the table: its command, and what writes it."""
        return [f"    {line}" for line in (*self.before, self.command, f"{_TOOL}{self.name}")]

    def filled(self, row: Row, result: Any) -> str:
        """The line of a row with the numbers of its command; KeyError names a number that is not there."""
        base = _found(result, row.at) if row.at else result

        def number(match: re.Match[str]) -> str:
            path, _, parts = match[1].partition(" / ")
            value = _found(result, path[1:]) if path.startswith("/") else _found(base, path)
            return "" if value is None else format(value / int(parts) if parts else value, match[2] or "")

        templates = [template.replace("KEY", row.key) for _, template in self.columns]
        return _line([*self.start_of(row), *(_FIELD.sub(number, one) for one in templates)])


def load_tables() -> dict[str, Table]:
    """Name -> table, as `measurements.toml` beside this file has them."""
    told = msgspec.toml.decode((_HERE / "measurements.toml").read_bytes(), type=dict[str, Table])
    return {name: msgspec.structs.replace(table, name=name) for name, table in told.items()}


def run_command(command: str) -> Any:
    """The JSON object that a `companion` command prints; of several by braces, their numbers added.

    SystemExit names a command that fails.
    """
    return reduce(added, map(_told, expanded(command)))


def expanded(command: str) -> list[str]:
    """The commands of one with braces: `a {1,2}` is `a 1` and `a 2`; the same braces take the same value."""
    groups = dict.fromkeys(_BRACES.findall(command))
    commands = []
    for values in product(*(group.split(",") for group in groups)):
        chosen = dict(zip(groups, values, strict=True))
        commands.append(_BRACES.sub(lambda match, chosen=chosen: chosen[match[1]], command))
    return commands


def _told(command: str) -> Any:
    words = [sys.executable, "-m", "companion", *shlex.split(command)[1:]]
    done = subprocess.run(words, stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1) or not done.stdout.strip():
        raise SystemExit(f"{command}: ended with {done.returncode} and told no numbers; run it by itself")
    return json.loads(done.stdout)


def added(one: Any, other: Any) -> Any:
    """Two results as one: numbers are added, lists joined, objects key by key; of all else the first counts."""
    if isinstance(one, dict):
        return {key: added(value, other[key]) if key in other else value for key, value in one.items()}
    if isinstance(one, list):
        return [*one, *other]
    return one + other if isinstance(one, int | float) and not isinstance(one, bool) else one


def with_table(page: str, table: Table, lines: list[str]) -> str:
    """The page with this table in the place of its former one, or at its end; other tables stay as they are."""
    section = "\n".join([f"## {table.title}", "", *table.head(), *lines, "", *table.foot(), ""])
    page = page or f"# Measured: {table.page}\n"
    start = re.search(rf"^## {re.escape(table.title)}\n", page, re.MULTILINE)
    if start is None:
        return f"{page.rstrip()}\n\n{section}"
    after = page.find("\n## ", start.end())
    return page[: start.start()] + section + (page[after:] if after >= 0 else "")


def with_row(page: str, table: Table, row: Row, line: str) -> str:
    """The page with this line for this row; other rows keep their former line, if they have one."""
    former = page.partition(f"## {table.title}\n")[2].partition("\n## ")[0].splitlines()
    lines = []
    for one in table.rows:
        start = _line(table.start_of(one))
        lines += [line] if one == row else [old for old in former if old.startswith(start)][:1]
    return with_table(page, table, lines)


def missing(table: Table) -> list[str]:
    """What a page lacks of a table: its heading, its columns, a row, its command. Numbers are not looked at."""
    page = PAGES / f"{table.page}.md"
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    _, begin, rest = text.partition(f"## {table.title}\n")
    section = rest.partition("\n## ")[0].splitlines()
    if not begin:
        return [f"{table.name}: {page.name} has no table {table.title!r}"]
    rows = [line for line in section if line.startswith("|")]
    starts = [*table.head(), *(_line(table.start_of(row)) for row in table.rows)]
    width = table.head()[0].count("|")
    wrong = [
        f"{table.name}: {page.name} has no row {start!r}"
        for start, row in zip(starts, [*rows, *[""] * len(starts)], strict=False)
        if not row.startswith(start) or row.count("|") != width
    ]
    lost = [line.strip() for line in table.foot() if line not in section]
    wrong += [f"{table.name}: {page.name} lacks {line!r}" for line in lost]
    return wrong if len(rows) == len(starts) else [*wrong, f"{table.name}: {page.name} has {len(rows)} lines"]


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _found(value: Any, path: str) -> Any:
    if isinstance(value, dict) and path in value:
        return value[path]
    steps = path.split(".")
    for number, step in enumerate(steps, 1):
        if step == "*":
            return sum(_found(one, ".".join(steps[number:])) if steps[number:] else one for one in value)
        if "=" in step:
            wanted = [pair.partition("=")[::2] for pair in step.split("&")]
            found = [one for one in value if all(str(one[key]) == word for key, word in wanted)]
            if not found:
                raise KeyError(step)
            value = found[0]
        else:
            value = value[int(step)] if isinstance(value, list) else value[step]
    return value
