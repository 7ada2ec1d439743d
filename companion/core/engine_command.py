"""Commands in full, as people type them in another terminal."""

import shlex
from contextlib import suppress
from pathlib import Path

from companion.core.address_card import CONTROL_NAME
from companion.core.config import load_config, rigs_dir, runtime_path
from companion.core.errors import BadInputError
from companion.core.table_names import own_name

ENGINE = "companion run --camera 0 --port auto"
"""Command that starts the engine with the first camera and the first board."""


def engine_command(socket: Path | None = None) -> str:
    """Typed command that starts the engine with camera and board.

    Both are this user's. `socket`: where screens look for the engine; None: the usual place. Camera and board
    are left out if settings or a rig name them.
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
    """The option `--at` with the name of this process's table.

    Empty for a machine's only table.
    """
    return ["--at", own_name()] if own_name() else []


def page_command(socket: Path) -> str:
    """Typed command that shows the engine at `socket` to phones.

    A usual socket is left out.
    """
    words = ["companion", "serve", *at_words()]
    if socket != runtime_path() / "engine.sock":
        words += ["--socket", str(socket)]
    return shlex.join(words)


def screen_command(socket: Path, control: str) -> str:
    """Typed command that opens a dashboard on engine at `socket`.

    Usual sockets are left out.

    `control`: socket of its virtual table; "" for a real table.
    """
    words = ["companion", "dashboard", *at_words()]
    if socket != runtime_path() / "engine.sock":
        words += ["--socket", str(socket)]
    if control and Path(control) != runtime_path() / CONTROL_NAME:
        words += ["--table", control]
    return shlex.join(words)
