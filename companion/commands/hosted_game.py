"""Game of `companion host`: its engine, and perhaps a virtual table, as child processes."""

import contextlib
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import SystemRandom

from companion.bridges.host.desk import GameWish
from companion.commands.play import SEEDS
from companion.commands.sitting import new_journal
from companion.commands.what_is_played import journal_to_go_on_with
from companion.core.config import Config, journals_of, load_config, make_runtime_dir, rigs_dir, state_dir
from companion.core.files import Scratch
from companion.core.language import text
from companion.core.last_start import LastStart, remember, remembered
from companion.core.plugged_in import boards, cameras
from companion.core.supervised_process import Part
from companion.core.table_names import own_name
from companion.session.journal.journal_order import by_writing


class HostedGame:
    """The one game that `companion host` plays at a time.

    An engine that dies is started again, and goes on with the game in its journal. `on`: True while a game is
    on. `said`: why the last game ended; "" if people ended it. `changed`: called without arguments, in any
    thread, when a game has ended by itself.
    """

    def __init__(self, socket: Path | None = None) -> None:
        """`socket`: Unix socket on which the engine listens for screens.

        None: the usual one.
        """
        self.on = False
        self.said = ""
        self.changed: Callable[[], None] = lambda: None
        self._socket = socket or make_runtime_dir() / "engine.sock"
        self._stack = contextlib.ExitStack()
        self._parts: list[Part] = []
        self._closing = threading.Lock()
        """Lock held while a game is ended, by any thread."""

    @property
    def pids(self) -> tuple[int, ...]:
        """Process ids of the game: virtual table's (if any), engine's.

        Empty while no game is on.
        """
        return tuple(part.pid for part in self._parts) if self.on else ()

    def begin(self, wish: GameWish) -> None:
        """End the present game and begin another one.

        `wish`: game, variant, number and names of players, and kind of table that a person chose. OSError or
        CompanionError if the game cannot begin.
        """
        asked = remembered().asked
        remember(LastStart(wish.game, wish.variant, wish.players, wish.names, asked=asked))
        played = ["--game", wish.game, "--variant", wish.variant, "--players", str(wish.players)]
        self._start(played, wish.names, virtual=wish.table == "virtual")

    def go_on(self) -> None:
        """Go on with the last game at a real table.

        BadInputError if none was recorded; OSError or another CompanionError if that fails.
        """
        self._start([], (), virtual=False, journal=journal_to_go_on_with(None, virtual=False))

    def end(self) -> None:
        """End the game's processes, if a game is on.

        Its journal stays.
        """
        with self._closing:
            self.on, self.said = False, ""
            self._stack.close()

    def _start(
        self, played: list[str], names: tuple[str, ...], *, virtual: bool, journal: Path | None = None
    ) -> None:
        """End the present game, and start the next one's processes.

        `played`: options that name game, variant and number of players. `names`: the players'. `virtual`: with
        a virtual table. `journal`: game to go on with; None: a new game with a new journal.
        """
        self.end()
        with contextlib.ExitStack() as stack:
            scratch = stack.enter_context(Scratch())
            folder = state_dir() / "journals"
            log = journal or stack.enter_context(new_journal(folder, scratch.path / "journals"))
            before = {} if journal else journals_of(log)
            engine = ["run", *played, "--socket", str(self._socket)]
            parts = []
            if virtual:
                card = scratch.path / "table.json"
                seed = str(SystemRandom().randrange(1, SEEDS))
                world = ["table", *played, "--seed", seed, "--address", str(card)]
                parts.append(stack.enter_context(Part(world, scratch.path / "table.log", keep=scratch.lock)))
                engine += ["--table", str(card), "--table-pid", str(parts[0].pid)]
            else:
                engine += plugged_in(load_config())
            engine += ["--journal", str(log)]
            named = ["--names", ",".join(names)] if names else []

            def goes_on() -> list[str]:
                written = [path for path, size in journals_of(log).items() if size != before.get(path, 0)]
                newest = next(iter(by_writing(written)), log)
                begun = newest.is_file() and newest.stat().st_size
                return [*engine[:-1], str(newest), *(["--resume"] if begun else named)]

            begins = [*engine, *(["--resume"] if journal else named)]
            parts.append(
                stack.enter_context(Part(begins, scratch.path / "engine.log", goes_on, keep=scratch.lock))
            )
            self._stack = stack.pop_all()
        self._parts, self.on = parts, True
        for part in parts:
            part.tell_when_failed(partial(self._over, part), well=partial(self._over, part))

    def _over(self, part: Part) -> None:
        """Note why process `part` ended by itself; end the others."""
        with self._closing:
            if self.on:
                self.on, self.said = False, part.complaint() or text("The game has come to its end.")
                self._stack.close()
        self.changed()


def plugged_in(settings: Config) -> list[str]:
    """Options for an engine that name the first camera and the board plugged in.

    Empty if a rig exists or the settings name a camera or port. Also empty at a named table (`--at`), because
    another table may use these devices.
    """
    if own_name() or settings.camera or settings.port or any(rigs_dir().glob("*.toml")):
        return []
    found = cameras()
    camera = ["--camera", found[0][0]] if found else []
    return [*camera, *(["--port", "auto"] if boards() else [])]
