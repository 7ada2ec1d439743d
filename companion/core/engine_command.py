"""Commands in full, as people type them in another terminal."""

import shlex
from contextlib import suppress
from pathlib import Path

from companion.core.address_card import CONTROL_NAME
from companion.core.config import load_config, rigs_dir, runtime_path
from companion.core.errors import BadInputError
from companion.core.table_names import own_name

ENGINE = "companion run --camera 0 --port auto"
"""Command that starts an engine with the first camera and the first board."""


def engine_command(socket: Path | None = None) -> str:
    """Command that starts an engine with this user's parts.

    `socket` is where screens look for it. Camera and board are left out if settings or a rig name them.
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
    """Option that names this process's table, empty for a machine's only table."""
    return ["--at", own_name()] if own_name() else []


def page_command(socket: Path) -> str:
    """Command that shows the engine at this socket to phones.

    A usual socket is not named.
    """
    words = ["companion", "serve", *at_words()]
    if socket != runtime_path() / "engine.sock":
        words += ["--socket", str(socket)]
    return shlex.join(words)


def screen_command(socket: Path, control: str) -> str:
    """Command that shows the engine at this socket on a dashboard.

    `control` is the socket of its virtual table, or "". Usual sockets are not named.
    """
    words = ["companion", "dashboard", *at_words()]
    if socket != runtime_path() / "engine.sock":
        words += ["--socket", str(socket)]
    if control and Path(control) != runtime_path() / CONTROL_NAME:
        words += ["--table", control]
    return shlex.join(words)
