"""Screen of `companion replay --screen`, which the first screen of `companion play` can show as well."""

from pathlib import Path

from companion.commands.screen_terminal import check_screen_terminal
from companion.core.config import config_file, load_config
from companion.dashboard.display_settings import look_of
from companion.dashboard.replay_app import ReplayApp
from companion.session.journal.recorded_game import recorded_game


def watch(journal: Path, theme: str | None = None) -> None:
    """Show a recorded game in the terminal until people leave.

    `theme`: name of the colours; None: the settings'. BadInputError without a terminal, JournalError if the
    journal cannot be read.
    """
    check_screen_terminal()
    settings = load_config()
    game = recorded_game(journal, settings.assist)
    look = look_of(settings.screen, theme, calm=False, big=False, file=config_file())
    ReplayApp(game, look).run()
