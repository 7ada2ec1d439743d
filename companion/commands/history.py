"""`companion history`: what was played, with statistics, plots and export."""

import csv
import io
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec
from rich.cells import cell_len

from companion.core.config import load_config
from companion.core.errors import BadInputError
from companion.core.language import choose, localized, term, text, tr, use
from companion.core.option_types import FILE_PATH, at_option, language_option
from companion.core.printable import say, show
from companion.games.registry import load_game

if TYPE_CHECKING:
    from companion.history.database import GameRecord

COLUMNS = {
    "began": term("column", "began"),
    "game": term("column", "game"),
    "variant": term("column", "variant"),
    "players": term("column", "players"),
    "minutes": term("column", "minutes"),
    "turns": term("column", "turns"),
    "score": term("column", "score"),
    "out_of": term("column", "out of"),
    "won": term("column", "won"),
    "proved": term("column", "proved"),
    "refuted": term("column", "refuted"),
    "open": term("column", "open"),
    "table": term("column", "table"),
    "games": term("column", "games"),
    "ended": term("column", "ended"),
    "score_mean": term("column", "score mean"),
    "score_best": term("column", "score best"),
    "minutes_mean": term("column", "minutes mean"),
    "turns_mean": term("column", "turns mean"),
    "claims": term("column", "claims"),
    "player": term("column", "player"),
    "contests": term("column", "contests"),
    "together_percent": term("column", "together percent"),
    "turn_s": term("column", "turn s"),
    "evening": term("column", "evening"),
    "people": term("column", "people"),
}
"""Column of a table of statistics -> its heading on screens. CSV and JSON use the column's name."""
SHOWN = 10
"""Number of rows that each table shows if --by is not given."""


@click.command()
@click.option("--by", type=click.Choice(["each", "game", "player", "evening"]), help="One table, not all.")
@click.option("--game", default="", help="Only this game, by its name.")
@click.option("--player", default="", help="Only games with this person.")
@click.option("--plot", is_flag=True, help="Also plots of scores and evenings.")
@click.option("--csv", "as_csv", is_flag=True, help="Print one table as CSV; each game without --by.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--journals", type=FILE_PATH, help="Folder of the journals, if not the usual one.")
@click.option("--rebuild", is_flag=True, help="Make the history anew from all journals.")
@language_option
@at_option
def history(
    by: str | None,
    game: str,
    player: str,
    plot: bool,
    as_csv: bool,
    as_json: bool,
    journals: Path | None,
    rebuild: bool,
) -> None:
    """Games, players and evenings, counted from the journals, which stay the truth.

    Games that did not come to their end count as played; averages are of those that did.
    """
    from companion.history.database import History
    from companion.history.statistics import TABLES

    use(choose(load_config().language))
    if journals is not None:
        _check_folder(journals)
    if game:
        load_game(game)
    with History(journals) as kept:
        made = kept.update(anew=rebuild)
        games, faults, people = kept.games(game, player), kept.faults(), kept.people()
    if player and player.casefold() not in map(str.casefold, people):
        raise _nobody(player, people)
    if kept.unkept:
        say(text("companion: {error}", error=kept.unkept), err=True)
    if as_csv:
        _say_csv(TABLES[by or "each"](games))
        return
    if as_json:
        told = {"journals_read": made, "faults": [(one.journal, one.fault) for one in faults]}
        click.echo(msgspec.json.encode({**_tables(games, [by] if by else list(TABLES)), **told}))
        return
    if games:
        _say_tables(games, by)
        if plot:
            _show_plots(games)
    else:
        chosen = game or player
        say(tr("No such game was played yet.") if chosen else tr("No game was played yet."))
    _say_faults(faults)


def _check_folder(journals: Path) -> None:
    """Raise BadInputError unless `journals` is a folder that exists."""
    if not journals.is_dir():
        what = text("not a folder") if journals.exists() else text("there is no such folder")
        raise BadInputError(what, where=str(journals), next_step=text("name the folder of the journals"))


def _nobody(player: str, people: Sequence[str]) -> BadInputError:
    """The error for a name that no player has; it is returned, not raised.

    `player`: that name. `people`: names of all players, which the error offers.
    """
    known = text("choose one of: {names}", names=tuple(people))
    unknown = text("name the players: companion play --names")
    return BadInputError(
        text("nobody called {name} played a game here", name=player),
        where="--player",
        next_step=known if people else unknown,
    )


def _tables(games: "Sequence[GameRecord]", names: Sequence[str]) -> dict[str, Any]:
    """Tables of statistics for JSON: table's name -> rows.

    A row maps a column (see COLUMNS) to its value. `names`: "each", "game", "player" or "evening".
    """
    from companion.history.statistics import TABLES

    return {name: TABLES[name](games) for name in names}


def _say_tables(games: "Sequence[GameRecord]", by: str | None) -> None:
    """Print the table `by` with all its rows.

    None: the tables "each", "game", "player" and "evening", at most SHOWN rows each. A table without rows is
    left out.
    """
    from companion.history.statistics import TABLES

    room = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for name in [by] if by else ["each", "game", "player", "evening"]:
        if rows := TABLES[name](games):
            for line in [*table_lines(rows, SHOWN if by is None else None, room), ""]:
                say(line)


def _say_faults(faults: "Sequence[GameRecord]") -> None:
    """Print on stderr which journals are damaged or unreadable."""
    for one in faults:
        damaged = tr("damaged: {journal} ({fault})", journal=one.journal, fault=one.fault)
        say(damaged if one.read else text("companion: {error}", error=one.fault), err=True)


def _show_plots(games: "Sequence[GameRecord]") -> None:
    """Draw plots of the games at real tables.

    Each is as wide as the terminal, at most 100 columns wide and 16 lines high. Without such a game a
    sentence says so.
    """
    from companion.history.plots import plots

    width = min(100, shutil.get_terminal_size().columns)
    drawn = plots(games, width, 16, colours=sys.stdout.isatty())
    for one in drawn or [tr("No game at a real table yet.")]:
        show(f"\n{one}")


def _say_csv(rows: Sequence[dict[str, Any]]) -> None:
    """Print rows of a table as CSV, with a line of column names first."""
    for line in _csv(rows).splitlines():
        say(line)


def _csv(rows: Sequence[dict[str, Any]]) -> str:
    """Rows of a table as CSV text, with a line of column names first. "" without rows."""
    out = io.StringIO()
    if rows:
        writer = csv.DictWriter(out, list(rows[0]))
        writer.writeheader()
        writer.writerows([{name: _harmless(value) for name, value in row.items()} for row in rows])
    return out.getvalue()


def _harmless(value: Any) -> Any:
    """A value that is safe in a CSV file.

    A text that begins with =, +, -, @, a tab or a carriage return gets a ' in front, because a spreadsheet
    would take it for a formula. Any other value is returned as it is.
    """
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" and value[:1] else value


_HIDDEN = ("journal",)
"""Columns that are never printed."""
_SHORTENED = ("players", "people", "player", "won")
"""Columns of names, which are cut short to fit a narrow terminal."""
_LEAST_COLUMNS = 16
"""Least width (terminal columns) to which a column of names is cut."""
_GOES_FIRST = (
    *("open", "refuted", "proved", "claims", "turns_mean", "turns", "turn_s", "minutes_mean", "minutes"),
    *("variant", "contests", "ended", "out_of", "table", "together_percent", "score_mean", "score_best"),
    *("won", "began"),
)
"""Columns that a narrow terminal leaves out, least important first."""
_GAP = "  "
"""Space between two columns of a printed table."""
_VALUES = {"virtual": term("table", "virtual")}
"""Value in a table -> its printed word. CSV and JSON use the value."""


def _printed(column: str, value: Any) -> str:
    """Printed word for a column's value; "" for None."""
    from companion.dashboard.labels import title, variant_title

    if value is None:
        return ""
    if column == "game":
        return title(value)
    if column == "variant":
        return variant_title(value)
    return localized(_VALUES.get(value, value))


def _fitting(widths: dict[str, int], empty: Sequence[str], room: int) -> dict[str, int]:
    """Reduce columns' widths until they fit into `room` (terminal columns).

    `widths`: column -> its full width. Returns column -> its width, for the columns that stay. Columns in
    `empty` are left out first, then those in _GOES_FIRST, in that order. Columns of names (_SHORTENED) shrink
    to _LEAST_COLUMNS, and share what room is left. One column always stays.
    """
    least = {name: min(wide, _LEAST_COLUMNS) if name in _SHORTENED else wide for name, wide in widths.items()}

    def spare() -> int:
        return room - sum(least.values()) - len(_GAP) * (len(least) - 1)

    for name in (*empty, *_GOES_FIRST):
        if spare() >= 0:
            break
        if len(least) > 1:
            least.pop(name, None)
    for name in _SHORTENED:
        if name in least:
            least[name] += max(0, min(widths[name] - least[name], spare()))
    return least


def _aligned(cells: Sequence[str], values: Sequence[Any], width: int) -> list[str]:
    """Pad a column's heading and cells to `width` terminal columns.

    `cells`: heading first. `values`: what the cells stand for. Cells are right-aligned if all values are
    numbers or None; else left-aligned and cut to `width`.
    """
    from companion.dashboard.labels import fit, padded

    if all(isinstance(one, int | float | None) for one in values):
        return [cell.rjust(width) for cell in cells]
    return [padded(fit(cell, width), width) for cell in cells]


def table_lines(rows: Sequence[dict[str, Any]], most: int | None, room: int | None) -> list[str]:
    """A table as lines of aligned columns, headings first.

    Empty without rows. `rows`: column -> value each. Numbers are right-aligned. `most`: number of rows shown
    (None: all); a last line then counts the rest. `room`: width of the terminal in columns (None: unlimited);
    the least important columns are left out until the table fits.
    """
    if not rows:
        return []
    shown = list(rows)[:most]
    cells = {
        name: [localized(COLUMNS[name]), *(_printed(name, row[name]) for row in shown)]
        for name in shown[0]
        if name not in _HIDDEN
    }
    widths = {name: max(map(cell_len, column)) for name, column in cells.items()}
    empty = [name for name, column in cells.items() if not any(column[1:])]
    if room is not None:
        widths = _fitting(widths, empty, room)
    columns = [_aligned(cells[name], [row[name] for row in shown], width) for name, width in widths.items()]
    lines = [_GAP.join(line).rstrip() for line in zip(*columns, strict=True)]
    if len(shown) < len(rows):
        lines.append(tr("... and {n} more", n=len(rows) - len(shown)))
    return lines
