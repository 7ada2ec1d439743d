"""`companion bridge mqtt`: a table's state is sent to an MQTT broker, for home automation."""

import asyncio
import contextlib
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from companion.commands.broker_options import broker_address, broker_options
from companion.core.config import runtime_dir
from companion.core.errors import BadInputError
from companion.core.language import text, tr
from companion.core.option_types import FILE_PATH, at_option, language_option
from companion.core.printable import say
from companion.core.process_tuning import parent_watch
from companion.core.table_names import own_name


@click.group()
def bridge() -> None:
    """Send the table's public state to other systems, such as home automation."""


@bridge.command()
@broker_options(required=True)
@click.option("--table", default="", help="Its name on the broker; without it that of --at, or this machine's.")
@click.option("--discovery", default="homeassistant", show_default=True, metavar="PREFIX",
              help="Home Assistant's discovery prefix; empty: no discovery.")  # fmt: skip
@click.option("--socket", type=FILE_PATH, help="The engine's event stream.")
@language_option
@at_option
def mqtt(table: str, discovery: str, socket: Path | None, **broker: Any) -> None:
    """Tell an MQTT broker of the table: game, turn, phase, verdict, score, sensors; Home Assistant finds it.

    Needs no engine and no broker to start: it waits for both. It takes no orders.
    """
    address = broker_address(**broker)
    from companion.bridges.mqtt.home_assistant import HomeAssistantBridge
    from companion.bridges.mqtt.table_topics import table_name, topic
    from companion.session.stream.stream import check_served

    if any(sign in discovery for sign in "+#\0"):
        raise BadInputError(
            text("no topic prefix"), where="--discovery", next_step=text("homeassistant is the usual one")
        )
    name = table_name(table)
    engine = socket or runtime_dir() / "engine.sock"
    check_served(engine)

    async def run() -> None:
        one = HomeAssistantBridge(
            engine,
            address,
            name,
            prefix=discovery,
            shown=table or own_name(),
            say=lambda line: say(f"companion: {line}", err=True),
        )
        say(
            tr(
                "Table {table}: {topic} at {where}",
                table=table or own_name() or name,
                topic=topic(name, "state"),
                where=address.where,
            )
        )
        await _until_stopped(one.run(), one.say_goodbye)

    asyncio.run(run())


async def _until_stopped(work: Any, goodbye: Callable[[], None]) -> None:
    """Await `work` until it ends, or the program is stopped by a signal or by the end of its parent process.

    If stopped, `goodbye` is called and `work` cancelled. Errors of `work` are raised.
    """
    task = asyncio.ensure_future(work)
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    alive = parent_watch()
    waiting = asyncio.ensure_future(stopped.wait())
    while alive() and not stopped.is_set() and not task.done():
        await asyncio.wait([task, waiting], timeout=0.5, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    if task.done():
        await task
        return
    goodbye()
    await asyncio.sleep(0.2)  # for the last words to be sent
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
