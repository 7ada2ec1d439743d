"""`companion tables`: all tables of a café on one MQTT broker."""

import asyncio
import contextlib
import sys
from collections.abc import Sequence
from typing import Any

import click
import msgspec

from companion.commands.broker_options import broker_address, broker_options
from companion.core.errors import BadInputError
from companion.core.language import localized, text
from companion.core.option_types import FiniteRange, language_option
from companion.core.printable import say

GATHER_S = 1.5
"""GATHER_S: how long a list that is printed once waits for tables (s): a broker tells of all at once."""


@click.command()
@broker_options
@click.option("--once", is_flag=True, help="Print the list once.")
@click.option("--json", "as_json", is_flag=True, help="Print the list once, as one JSON object.")
@click.option("--seconds", type=FiniteRange(0.1, 60), default=GATHER_S, show_default=True,
              help="How long a list that is printed once waits for tables.")  # fmt: skip
@language_option
def tables(once: bool, as_json: bool, seconds: float, **broker: Any) -> None:
    """All tables on one broker, live: what each plays, whose turn it is, what is to be done, and what fails."""
    address = broker_address(**broker)
    from companion.bridges.mqtt.tables_list import TablesList, nothing_yet

    once = once or as_json or not sys.stdout.isatty()
    if not once:
        from companion.bridges.mqtt.tables_screen import TablesApp

        app = TablesApp(address)
        app.run()
        if app.error is not None:
            raise app.error
        return

    async def gather() -> list[dict[str, Any]]:
        listed = TablesList(address, lambda: None, lambda line: say(f"companion: {line}", err=True))
        following = asyncio.ensure_future(listed.broker.run())
        await asyncio.wait([following], timeout=seconds)
        reached = listed.broker.up
        following.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await following
        if not reached:
            raise BadInputError(
                listed.broker.trouble or text("no answer from the broker"),
                where="" if listed.broker.trouble else address.where,
                next_step=text("--seconds 10 waits longer"),
            )
        return listed.rows()

    rows = asyncio.run(gather())
    if as_json:
        click.echo(msgspec.json.encode({"tables": rows}))
    elif not rows:
        say(nothing_yet())
    else:
        for line in lined_up(rows):
            say(line)


def lined_up(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Rows as lines with aligned columns."""
    from companion.bridges.mqtt.tables_list import HEADS, in_words

    cells = [list(map(localized, HEADS.values())), *(list(in_words(row).values()) for row in rows)]
    widths = [max(len(row[at]) for row in cells) for at in range(len(HEADS))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells
    ]
