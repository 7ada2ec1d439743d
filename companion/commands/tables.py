"""`companion tables`: all tables of this machine and of the home network, or those on an MQTT broker."""

import asyncio
import contextlib
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click
import msgspec

from companion.commands.broker_options import broker_address, broker_options
from companion.core.config import load_config, runtime_dir, shared_runtime_path, speak_as_set
from companion.core.errors import BadInputError
from companion.core.language import in_english, localized, text
from companion.core.option_types import FiniteRange, language_option
from companion.core.printable import say

if TYPE_CHECKING:
    from companion.bridges.tables.listed_table import TablesSource

GATHER_S = 1.5
"""Time (s) for which tables may answer before a list is printed once. A guess."""


@click.command()
@broker_options(required=False)
@click.option("--once", is_flag=True, help="Print the list once.")
@click.option("--json", "as_json", is_flag=True, help="Print the list once, as one JSON object.")
@click.option("--seconds", type=FiniteRange(0.1, 60), default=GATHER_S, show_default=True,
              help="How long a list that is printed once waits for tables.")  # fmt: skip
@language_option
def tables(once: bool, as_json: bool, seconds: float, **broker: Any) -> None:
    """All tables, live: what each plays, whose turn it is, what is to be done, and what fails.

    Of this machine, and those that other machines of the home network announce (companion serve). With
    --broker: all that bridges tell that MQTT broker.
    """
    once = once or as_json or not sys.stdout.isatty()
    source = _at_home if broker["broker"] is None else _of_broker(broker)
    if not once:
        from companion.bridges.tables.tables_screen import TablesApp

        app = TablesApp(source)
        app.run()
        if app.error is not None:
            raise app.error
        return
    rows, said, nothing = asyncio.run(_gathered(source, seconds))
    if said:
        say(f"companion: {said}", err=True)
    if as_json:
        click.echo(msgspec.json.encode({"tables": rows}, enc_hook=in_english))
    elif not rows:
        say(nothing)
    else:
        for line in lined_up(rows):
            say(line)


def _at_home(on_change: Callable[[], None]) -> "TablesSource":
    """Make the list of this machine's and home network's tables.

    The list keeps itself current. `on_change`: called without arguments when a row may have changed.
    BadInputError if other users may write to the folder of the tables' sockets.
    """
    from companion.bridges.tables.home_tables import HomeTables

    settings = load_config()
    speak_as_set(settings)
    runtime_dir()  # BadInputError if others may put sockets there
    return HomeTables(shared_runtime_path(), on_change)


def _of_broker(options: Mapping[str, Any]) -> "Callable[[Callable[[], None]], TablesSource]":
    """Function that makes the list of an MQTT broker's tables.

    `options`: values of the broker options. The function's argument is called when a row
    may have changed.
    """
    address = broker_address(**options)
    from companion.bridges.mqtt.tables_list import TablesList

    return lambda on_change: TablesList(address, on_change)


async def _gathered(
    source: "Callable[[Callable[[], None]], TablesSource]", seconds: float
) -> tuple[list[dict[str, Any]], str, str]:
    """Collect tables for `seconds`: (rows, fault, sentence for none).

    The sentence explains an empty list. A row is as from `ListedTable.row`. The fault is a sentence, "" for
    none. `source`: makes the list of tables. BadInputError if a broker was not reached in time.
    """
    listed = source(lambda: None)
    following = asyncio.ensure_future(listed.run())
    await asyncio.wait([following], timeout=seconds)
    rows, said = listed.rows(), listed.said
    following.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await following
    if said and listed.needed:
        raise BadInputError(said, next_step=text("--seconds 10 waits longer"))
    return rows, said, listed.nothing_yet()


LONGEST_TO_DO = 40
"""Most letters of what is to be done, in a list of lines. Chosen: usual names fit into 120 columns."""


def lined_up(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Rows about tables as lines with aligned columns, headings first.

    `rows`: as from `ListedTable.row`. The column of web pages is left out if no table has one.
    """
    from companion.bridges.tables.listed_table import HEADS, in_words

    columns = [name for name in HEADS if name != "page" or any(row["page"] for row in rows)]
    cells = [[localized(HEADS[name]) for name in columns]]
    for told in map(in_words, rows):
        # A question is a sentence: whole it would push all further columns out of the window.
        told["to_do"] = textwrap.shorten(told["to_do"], LONGEST_TO_DO, placeholder=" ..")
        cells.append([told[name] for name in columns])
    widths = [max(len(row[at]) for row in cells) for at in range(len(columns))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells
    ]
