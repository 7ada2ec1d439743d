"""Screen of `companion replay --screen`, which the first screen of `companion play` can show as well."""

import sys
from pathlib import Path

from companion.core.config import config_file, load_config
from companion.core.errors import BadInputError
from companion.core.language import text
from companion.dashboard.display_settings import look_of
from companion.dashboard.replay_app import ReplayApp
from companion.session.journal.recorded_game import recorded_game


def watch(journal: Path, theme: str | None = None) -> None:
    """Show a recorded game in the terminal until people leave.

    `theme`: name of the colours; None: the settings'. BadInputError without a terminal, JournalError if the
    journal cannot be read.
    """
    if not sys.stdout.isatty():
        raise BadInputError(text("the screen needs a terminal"), next_step=text("run it without a pipe"))
    settings = load_config()
    game = recorded_game(journal, settings.assist)
    look = look_of(settings.screen, theme, calm=False, big=False, file=config_file())
    ReplayApp(game, look).run()
