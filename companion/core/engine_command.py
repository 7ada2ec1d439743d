"""Commands in full, as people type them in another terminal: one starts an engine, one shows it."""

import shlex
from contextlib import suppress
from pathlib import Path

from companion.core.address_card import CONTROL_NAME
from companion.core.config import load_config, rigs_dir, runtime_path
from companion.core.errors import BadInputError
from companion.core.table_names import own_name

ENGINE = "companion run --camera 0 --port auto"
"""ENGINE: starts an engine with the first camera and the first board."""


def engine_command(socket: Path | None = None) -> str:
    """The command that starts an engine with this user's parts; `socket`: where screens look for it.

    Camera and board are named unless the settings or a rig do that.
    """
    words = ENGINE.split()
    named = any(rigs_dir().glob("*.toml"))
    with suppress(BadInputError):  # damaged settings are told by the command itself
        settings = load_config()
        named = named or bool(settings.camera or settings.port)
    if named:
        words = words[:2]
    words += at_words()
    if socket is not None and socket != runtime_path() / "engine.sock":
        words += ["--socket", str(socket)]
    return shlex.join(words)


def at_words() -> list[str]:
    """The option that names this process's table; none for a machine's only table."""
    return ["--at", own_name()] if own_name() else []


def page_command(socket: Path) -> str:
    """The command that shows the engine at this socket to phones; a usual socket is not named."""
    words = ["companion", "serve", *at_words()]
    if socket != runtime_path() / "engine.sock":
        words += ["--socket", str(socket)]
    return shlex.join(words)


def screen_command(socket: Path, control: str) -> str:
    """The command that shows the engine at this socket; `control`: socket of its virtual table, or empty.

    What a dashboard looks for anyway is not named.
    """
    words = ["companion", "dashboard", *at_words()]
    if socket != runtime_path() / "engine.sock":
        words += ["--socket", str(socket)]
    if control and Path(control) != runtime_path() / CONTROL_NAME:
        words += ["--table", control]
    return shlex.join(words)
