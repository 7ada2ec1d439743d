"""The tables of this user at this machine: engines by their sockets, each followed like a screen does."""

import asyncio
import os
import shlex
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from companion.bridges.mqtt.table_topics import state_of
from companion.bridges.tables.listed_table import MOST, ListedTable
from companion.core.config import make_runtime_dir
from companion.core.errors import BadInputError
from companion.core.language import either, plural
from companion.core.served_address import ServedAddress
from companion.core.table_names import own_name
from companion.dashboard.model import Link, PublicModel
from companion.session.stream.commands import Command
from companion.session.stream.events import Event
from companion.session.stream.stream import process_behind
from companion.session.stream.stream_client import StreamClient

LOOK_S = 1.0
"""Time (s) between two searches for engines' sockets."""
ENGINE = "engine.sock"
"""File name of an engine's socket.

It lies in the folder for sockets, or in the folder of a named table within that.
"""
GAME = "game-"
"""Start of the name of a link to a game's folder.

A game at a table without a name has such a link; its process id follows.
"""


@contextmanager
def listed_here(home: Path) -> Iterator[None]:
    """Context in which other programs can find a game's engine.

    A link to the game's folder `home`, in which the engine's socket lies, is made in the folder for sockets,
    and removed at the end. A table with a name (`--at`) needs no link. If none can be made, the game goes on.
    """
    if own_name():
        yield
        return
    folder = make_runtime_dir()
    link = folder / f"{GAME}{os.getpid()}"
    with suppress(OSError):  # where it cannot be made the game is played all the same
        for old in folder.glob(f"{GAME}*"):
            if not old.exists():  # of a program that was killed
                old.unlink()
        link.symlink_to(home)
    try:
        yield
    finally:
        with suppress(OSError):
            link.unlink()


def engine_to_show(usual: Path, command: str) -> Path:
    """Socket of the engine to show if people named none.

    It is `usual` if an engine runs there, if no game runs at all, or at a named table (`--at`); else that of
    the only running game. BadInputError if several games run, or if the only one has a named table; it offers
    commands to choose from. `command`: how they begin, such as "companion dashboard".
    """
    if own_name() or process_behind(usual) is not None:
        return usual
    there = [path for path in sorted(usual.parent.glob(f"*/{ENGINE}")) if process_behind(path) is not None]
    if len(there) == 1 and there[0].parent.name.startswith(GAME):
        return there[0].resolve()
    if there:
        raise BadInputError(
            plural("{n} game is on at this machine", "{n} games are on at this machine", n=len(there)),
            next_step=either([f"{command} {_named(path)}" for path in there]),
        )
    return usual


def shown_engine(usual: Path, command: str) -> Callable[[], Path]:
    """Make a function that finds the engine to show again and again.

    Its first path is that of `engine_to_show`, which has these arguments and errors. The path changes only once
    no engine runs there, so that a screen goes on with the next game.
    """
    shown = engine_to_show(usual, command)

    def find() -> Path:
        nonlocal shown
        if process_behind(shown) is None:
            with suppress(BadInputError):  # of several games people choose one
                shown = engine_to_show(usual, command)
        return shown

    return find


def _named(engine: Path) -> str:
    """Command-line option that names an engine: "--socket PATH" or "--at NAME"."""
    if engine.parent.name.startswith(GAME):
        return shlex.join(["--socket", str(engine.resolve())])
    return shlex.join(["--at", engine.parent.name])


class TablesHere:
    """Tables of this machine, one for each engine's socket.

    The sockets lie in `folder`, or in a folder directly in it.
    """

    def __init__(self, folder: Path, on_change: Callable[[], None]) -> None:
        """Prepare the list; `run` fills it.

        `folder`: the folder for sockets. `on_change`: called without arguments when a row may have changed.
        """
        self._folder, self._on_change = folder, on_change
        self._followed: dict[Path, tuple[PublicModel, asyncio.Task[None]]] = {}
        self._called: dict[Path, str] = {}
        """Engine's socket -> the table's name for people, also while its engine is started again."""

    def rows(self) -> list[dict[str, Any]]:
        """A row for each table, as from `ListedTable.row`, sorted by socket.

        A table without a name gets this machine's name; of several, each further one with a number.
        """
        rows, nameless = [], 0
        for path, (model, _) in sorted(self._followed.items()):
            nameless += self._is_nameless(path)
            rows.append(self._listed(path, model, nameless).row())
        return rows

    def pages(self) -> set[str]:
        """Web pages of these tables, as "host:port"."""
        served = (ServedAddress(path).read() for path in self._followed)
        return {one.split("/")[2] for one in served if one.count("/") >= 3}

    async def run(self) -> None:
        """Search for engines' sockets and follow them, until cancelled."""
        try:
            while True:
                there = sorted([*self._folder.glob(ENGINE), *self._folder.glob(f"*/{ENGINE}")])[:MOST]
                for path in [one for one in self._followed if one not in there]:
                    self._followed.pop(path)[1].cancel()
                    self._on_change()
                for path in there:
                    if path not in self._followed:
                        self._followed[path] = self._follow(path)
                await asyncio.sleep(LOOK_S)
        finally:
            for _, task in self._followed.values():
                task.cancel()

    def _follow(self, path: Path) -> tuple[PublicModel, "asyncio.Task[None]"]:
        """Follow the engine at a socket: (model of its table, task that follows)."""
        model = PublicModel()

        def take(event: Event) -> None:
            model.take(event)
            self._on_change()

        def link(live: bool) -> None:
            model.connected(live)
            self._on_change()

        client: StreamClient[Event, Command] = StreamClient(path, Event, take, link)
        return model, asyncio.ensure_future(client.run())

    def _is_nameless(self, path: Path) -> bool:
        return path.parent == self._folder or path.parent.name.startswith(GAME)

    def _listed(self, path: Path, model: PublicModel, number: int) -> ListedTable:
        """The table whose engine is at the socket `path`.

        `model`: what its engine has told. `number`: which of the tables without a name it is, from 1.
        """
        if model.welcome is not None and model.welcome.table:
            self._called[path] = model.welcome.table
        machine = socket.gethostname() + (f" ({number})" if number > 1 else "")
        name = machine if self._is_nameless(path) else path.parent.name
        live = model.link is Link.LIVE and not model.foreign
        state = state_of(model, None) | {"table": self._called.get(path, name)}
        page = ServedAddress(path).read()
        told = "starting" if live and model.welcome is None else ""
        return ListedTable(name, bridge=True, engine=live, state=state, page=page, told=told)
