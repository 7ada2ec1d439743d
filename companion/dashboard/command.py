"""`companion dashboard`: attach a screen to a running engine."""

import os
import sys
from pathlib import Path

import click

from companion.errors import BadInputError
from companion.options import FILE_PATH


@click.command("dashboard")
@click.option("--socket", type=FILE_PATH, help="The engine's event stream.")
@click.option("--table", type=FILE_PATH, help="Control socket of a virtual table.")
@click.option("--truth", is_flag=True, help="What really lies on a virtual table; not for players.")
@click.option("--why", is_flag=True, help="What is believed of each bed and why; not for players.")
def dashboard(socket: Path | None, table: Path | None, truth: bool, why: bool) -> None:
    """Show the table in this terminal. Needs no engine to start: it waits for one."""
    from companion.addresses import CONTROL_NAME
    from companion.config import runtime_dir

    if not sys.stdout.isatty() and "TEXTUAL_DRIVER" not in os.environ:
        raise BadInputError("the dashboard needs a terminal", next_step="run it without a pipe")

    folder = runtime_dir()
    table = table or folder / CONTROL_NAME
    if truth and why:
        raise BadInputError("each of the two has a terminal of its own", where="--truth --why")
    if truth:
        from companion.dashboard.truth import TruthView

        TruthView(table).run()
        return
    if why:
        from companion.dashboard.why import WhyView
        from companion.stream import operator_path

        WhyView(operator_path(socket or folder / "engine.sock")).run()
        return
    from companion.dashboard.app import Dashboard
    from companion.dashboard.farewell import farewell
    from companion.terminal import say

    app = Dashboard(socket or folder / "engine.sock", table)
    app.run()
    for line in farewell(app.model, stopped=app.stopped_engine):
        say(line)
