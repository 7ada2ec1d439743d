"""One sitting of `companion play`: engine and screen together, from one start to the next, or to the end."""

import contextlib
import shlex
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.play_break import hold_players
from companion.core.address_card import wait_for_card
from companion.core.clock import RealClock
from companion.core.config import journals_of
from companion.core.errors import CompanionError
from companion.core.files import Scratch, new_private_file
from companion.core.language import Text, text, tr
from companion.core.printable import erase_passing, say
from companion.core.supervised_process import DEATHS, Part
from companion.session.journal.journal_order import by_writing, note_begun

if TYPE_CHECKING:
    from companion.core.address_card import AddressCard
    from companion.dashboard.app import Dashboard
    from companion.dashboard.model import WorldModel
    from companion.dashboard.plain.plain_screen import PlainScreen
    from companion.session.entries.table_break import TableBreak

WAIT_S = 0.1
"""Time (s) until another name for a journal is tried.

A name holds the time in seconds, so it is free again after one second at most.
"""


@dataclass(slots=True)
class Sitting:
    """Engine and screen of one game, until people leave.

    Both run together. `scratch`: folder for logs. `engine`: arguments of the engine, without journal and names.
    `parts`: processes already started, such as a virtual table's. `page`: process that serves the page for
    browsers; None: none. `card`: file with the address card of a virtual table; None: a real one. `log`:
    journal of the newest game. `theme`: name of the screen's colours when people left.
    """

    scratch: Scratch
    socket: Path
    """Unix socket on which the engine listens for screens."""
    engine: list[str]
    parts: list[Part]
    page: Part | None
    before: Mapping[Path, int]
    """Journals that existed before this evening -> their sizes (bytes)."""
    card: Path | None
    dealt: int
    """Seed of the first game at a virtual table."""
    command: tuple[str, ...]
    """Words of `companion play` that name this table, without seed and journal."""
    recording: Path | None = None
    """Folder of the evening's recording; None if nothing is recorded."""
    unkept: str = ""
    """Why the game is not kept; "" if it is."""
    names: tuple[str, ...] = ()
    """Names of the players at the start. An engine that goes on uses those entered last."""
    log: Path = Path()
    theme: str = ""
    table: "tuple[AddressCard, TableBreak] | None" = None
    """(address card, break) of a virtual table.

    Its players are held during the break. None at a real table, or before a break.
    """

    def play(
        self, screen: "Callable[[], Dashboard | PlainScreen]", log: Path, *, resume: bool, mended: str
    ) -> str:
        """Run engine and screen until people leave.

        Returns the setup step that people want to repeat before the game goes on; "" for none. `screen`: makes
        the screen. `log`: the journal. `resume`: the game in it goes on. `mended`: setup step that was done
        just before; "" for none. CompanionError if the engine, or the virtual table's process, failed.
        """
        # Loaded before the screen, because an update of the checkout during the game may move the module.

        recorded = [*self.engine, *self._named, "--journal", str(log)]
        output = self.scratch.path / "engine.log"
        begins = [*recorded, "--resume", *(["--mended", mended] if mended else [])] if resume else recorded
        with Part(begins, output, partial(self.goes_on, log), keep=self.scratch.lock) as engine:
            app = screen()
            failed = partial(app.call_from_thread, app.exit)
            for part in self.parts:
                part.tell_when_failed(failed)
            engine.tell_when_failed(failed, well=app.engine_ended)
            _tell_if_unserved(self.page, app)
            erase_passing()
            app.run()
            complaints = [complaint for part in (*self.parts, engine) if (complaint := part.complaint())]
            # Said before the other processes end, as nobody should look at an empty terminal.
            if (app.model.table is not None or not complaints) and not app.mend:
                self._say_goodbye(app, log)
            if app.mend and self.card is not None:
                address = wait_for_card(self.card, RealClock())
                self.table = address, hold_players(address)
        self.log = self._newest(log)
        if engine.gave_up:
            raise CompanionError(
                text("the engine died {n} times within a minute: {why}", n=DEATHS, why=complaints[-1]),
                next_step=self._next_step(),
            )
        if complaints:
            raise CompanionError(complaints[0])
        self.theme = app.theme
        return app.mend

    def _say_goodbye(self, app: "Dashboard | PlainScreen", log: Path) -> None:
        """Print the result, where the game is kept, and how to play with the same cards."""
        from companion.dashboard.exit_summary import farewell, stop_and_hear

        kept = [] if self.unkept else self.written(log)
        if app.model.unwritten:
            stop_and_hear(app.model, self.socket)
        again = [same_cards(self.dealt, app.world)] if self.card is not None else []
        told = [*filter(None, [self.unkept]), *unserved(self.page)]
        for line in [*again, *farewell(app.model, kept, recording=self.recording), *told]:
            say(line)

    def goes_on(self, log: Path) -> list[str]:
        """Arguments for an engine that follows one that died.

        It goes on with this evening's newest game. `log`: the journal given to the first engine.
        """
        newest = self._newest(log)
        begun = newest.is_file() and newest.stat().st_size
        known = ["--resume"] if begun else self._named
        return [*self.engine, "--journal", str(newest), *known]

    @property
    def _named(self) -> list[str]:
        """["--names", names with commas], or [] without names."""
        return ["--names", ",".join(self.names)] if self.names else []

    def _newest(self, log: Path) -> Path:
        """Newest journal of this evening; `log` if there is none."""
        return next(iter(by_writing(self.written(log))), log)

    def written(self, log: Path) -> list[Path]:
        """Journals that were begun or continued this evening.

        `log`: a journal, in whose folder they are sought, or that folder.
        """
        return [path for path, size in journals_of(log).items() if size != self.before.get(path, 0)]

    def _next_step(self) -> Text:
        """Sentence with the command that goes on with the newest game.

        A virtual game cannot go on: there the command plays the same cards from the start.
        """
        if self.card is not None:
            again = [*self.command, "--table", "virtual", "--seed", str(self.dealt)]
            return text("to play the same cards from the start: {command}", command=shlex.join(again))
        on = [*self.command, "--resume", "--journal", str(self.log)]
        return text("to go on: {command}", command=shlex.join(on))


def same_cards(dealt: int, world: "WorldModel") -> str:
    """Sentence that tells how to get the cards of the last virtual game again.

    `dealt`: seed of the first game, used if `world` knows no newer one.
    """
    seed = dealt if world.seed is None else world.seed
    return tr("The same cards and players again: --seed {seed}", seed=seed)


@contextlib.contextmanager
def new_journal(folder: Path, spare: Path | None = None) -> Iterator[Path]:
    """Context that gives a new, empty journal named by time.

    No other game can take the name meanwhile. The file is removed if it is still empty at the end. It lies in
    `folder`, or in `spare` if nothing can be written there. Without `spare` the path is given all the same, and
    the engine reports the error.
    """
    while True:
        path = folder / f"{time.strftime('%Y-%m-%d-%H%M%S')}.jsonl"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            new_private_file(path).close()
            if spare is not None:
                note_begun(path)
        except OSError:
            if path.exists():
                time.sleep(WAIT_S)
                continue
            if spare is not None:
                folder, spare = spare, None
                continue
        break
    try:
        yield path
    finally:
        with contextlib.suppress(OSError):
            if not path.stat().st_size:
                path.unlink()


def _tell_if_unserved(page: Part | None, app: "Dashboard | PlainScreen") -> None:
    """Say on the screen if the browser page has failed."""
    if page is not None:
        page.tell_when_failed(lambda: app.call_from_thread(app.notice, " ".join(unserved(page))))


def unserved(page: Part | None) -> list[str]:
    """Why the page for browsers failed, as a list of one sentence.

    Empty while it is served, or not wanted.
    """
    why = page.complaint() if page is not None else ""
    return [tr("No page for phones: {why}", why=why)] if why else []
