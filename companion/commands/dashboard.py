"""`companion dashboard`: attach a screen to a running engine."""

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.screen_terminal import check_screen_terminal
from companion.core.errors import BadInputError
from companion.core.language import text
from companion.core.option_types import FILE_PATH, at_option, plain_options, screen_options

if TYPE_CHECKING:
    from companion.dashboard.model import PublicModel


@click.command("dashboard")
@click.option("--socket", type=FILE_PATH, help="The engine's event stream.")
@click.option("--table", type=FILE_PATH, help="Control socket of a virtual table.")
@click.option("--truth", is_flag=True, help="What really lies on a virtual table; not for players.")
@click.option("--why", is_flag=True, help="What is believed of each place and why; not for players.")
@plain_options
@screen_options
@at_option
def dashboard(
    socket: Path | None,
    table: Path | None,
    truth: bool,
    why: bool,
    plain: bool,
    aloud: bool,
    theme: str | None,
    switch: str | None,
    calm: bool,
    big: bool,
    children: bool,
) -> None:
    """Show the table in this terminal. Needs no engine to start: it waits for one.

    Beside `companion play` it shows that game.
    """
    from companion.bridges.tables.on_this_machine import shown_engine
    from companion.core.address_card import CONTROL_NAME
    from companion.core.config import config_file, load_config, runtime_dir, speak_as_set, with_switch
    from companion.core.engine_command import engine_command
    from companion.session.stream.stream import check_served

    if not plain and "TEXTUAL_DRIVER" not in os.environ:
        check_screen_terminal()

    folder = runtime_dir()
    settings = with_switch(load_config(), switch)
    speak_as_set(settings)
    engine = partial(Path, socket) if socket else shown_engine(folder / "engine.sock", "companion dashboard")
    check_served(engine())
    if socket and table is None:
        table = folder / CONTROL_NAME
    if table is not None:
        check_served(table, "--table")
    control = table or (lambda: engine().with_name(CONTROL_NAME))
    command = engine_command(engine())
    if truth and why:
        raise BadInputError(text("each of the two has a terminal of its own"), where="--truth --why")
    if truth:
        from companion.dashboard.screens.truth_screen import TruthView

        TruthView(control).run()
        return
    if why:
        from companion.dashboard.screens.why_screen import WhyView
        from companion.session.stream.stream import operator_path

        WhyView(lambda: operator_path(engine()), command).run()
        return
    import msgspec

    sound = msgspec.structs.replace(settings.sound, lines=settings.sound.lines or aloud)
    if plain:
        from companion.dashboard.plain.plain_screen import PlainScreen

        screen = PlainScreen(
            engine,
            control,
            command=command,
            sound=sound,
            evening=_evening,
            file=config_file(),
            teach=settings.screen.teach,
            hints_always=settings.screen.hints_always,
        )
        screen.run()
        _say_farewell(screen.model, stopped=False)
        return
    from companion.dashboard.app import Dashboard
    from companion.dashboard.display_settings import look_of

    look = look_of(
        settings.screen, theme, calm=calm, big=big, children=children, sound=sound, file=config_file()
    )
    app = Dashboard(engine, control, look=look, evening=_evening, command=command)
    app.run()
    if app.stops_engine:
        from companion.dashboard.exit_summary import stop_and_hear

        stop_and_hear(app.model, app.client.path)
    _say_farewell(app.model, stopped=app.stops_engine)


def _say_farewell(model: "PublicModel", *, stopped: bool) -> None:
    """Print the dashboard's last lines about the shown game.

    `stopped`: the dashboard has also stopped the engine.
    """
    from companion.core.printable import say
    from companion.dashboard.exit_summary import farewell

    for line in farewell(model, stopped=stopped):
        say(line)


def _evening() -> list[str]:
    """Lines about the games that were played this evening, for the end of the program."""
    # Loaded late: people who play a single game must not wait for these modules.
    from companion.history.evening import this_evening

    return this_evening()
