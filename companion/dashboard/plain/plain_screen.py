"""`--plain`: the table in lines of text without cursor movements, and commands as typed words."""

import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any, TextIO

import msgspec

from companion.core.config import SoundConfig
from companion.core.engine_command import ENGINE, page_command
from companion.core.language import CHOSEN, tr, use
from companion.core.printable import say
from companion.core.served_address import ServedAddress
from companion.dashboard.display_settings import PLAYER_NAMES, SILENT, KeptChoices
from companion.dashboard.model import PublicModel, WorldModel, to_decide_anew
from companion.dashboard.plain.plain_lines import event_lines, lesson_lines, state_lines, world_lines
from companion.dashboard.plain.typed_words import WORDS, TypedWords
from companion.dashboard.screens.hint_screen import FIRST, own_hand
from companion.dashboard.sound import Sound
from companion.session.journal.resume_progress import percent_read
from companion.session.stream.commands import AskHint, Command, NamePlayers, SetSignals
from companion.session.stream.events import Claimed, Event, Position, Said, Score, SensorHealth, Table, Welcome
from companion.session.stream.stream_client import SocketPath, StreamClient
from companion.session.stream.virtual_table_events import (
    TableState,
    TakeSeat,
    WorldCommand,
    WorldEvent,
    YourTurn,
)

RESTS_S = 2.0
"""RESTS_S: time (s) that a turn must last before its lines are printed. A turn that was only suggested by one
wrong sign is revised by then (measured once: after 1.7 s at speed 2)."""


class RestingTurns:
    """Lines on the turns of a game, printed only once a turn has lasted.

    Lines on a new turn are held back for RESTS_S, because it may be revised. Times (`now`) are in seconds of
    any clock.
    """

    def __init__(self, model: PublicModel) -> None:
        self._model = model
        self._told: Table | None = None
        """Table whose lines were printed last."""
        self._since: float | None = None
        """Time (s) at which a turn began whose lines are held back; None if no lines are."""
        self._whose: tuple[int, int] | None = None
        self._early: list[str] = []
        """Sentences that are not firm yet, and were printed because a turn begins after them."""

    def hear(self, table: Table, now: float) -> list[str]:
        """Lines to print for a new table of the engine.

        If it begins another turn, lines on that turn are held back. If sentences that were printed early turn
        out wrong, lines say so. A first table that no started sensor watches yet waits: its call to plug one in
        is too early.
        """
        if self._told is None and not table.turn and self._model.only_starts:
            return []
        lines = self._withdrawn(table)
        whose = (table.turn, table.player)
        if self._told is None or whose == (self._told.turn, self._told.player):
            self._since = None
            return [*lines, *self._tell(table)]
        if self._since is None or whose != self._whose:
            self._since, self._whose = now, whose
        return lines

    def watched(self, now: float) -> None:
        """Let the first table wait no longer than a turn: a sensor reports, and its own table may follow."""
        if self._told is None and self._since is None:
            self._since = now

    def due(self, now: float) -> float | None:
        """Time (s) until the held-back lines on a turn must be printed, at least 0.

        None if no lines are held back.
        """
        return None if self._since is None else max(0.0, self._since + RESTS_S - now)

    def rested(self) -> list[str]:
        """Lines on a turn that were held back, to print now.

        None are held back afterwards. Sentences on the actions that led to the turn come first, even if still
        provisional.
        """
        table = self._model.table
        self._since = None
        if table is None:
            return []
        early = [one for one in table.provisional if one not in self._early]
        self._early += early
        return [*map(self._model.names.put_into, early), *self._tell(table)]

    def before_choices(self, turn: YourTurn) -> list[str]:
        """Lines that were held back, if a seated person must choose in that turn.

        `turn`: private view of the seat. [] if none are held back, or if the choice belongs to another
        player's turn.
        """
        table = self._model.table
        waits = self._since is not None and bool(turn.actions) and table is not None
        return self.rested() if waits and table is not None and table.player == turn.player else []

    def said_already(self, said: Said) -> bool:
        """True if a sentence was already printed as provisional.

        That is then forgotten: a second call returns False.
        """
        if said.text not in self._early:
            return False
        self._early.remove(said.text)
        return True

    def _withdrawn(self, table: Table) -> list[str]:
        wrong = [one for one in self._early if one not in table.provisional]
        self._early = [one for one in self._early if one in table.provisional]
        return [tr("Not so: {what}", what=self._model.names.put_into(one)) for one in wrong]

    def _tell(self, table: Table) -> list[str]:
        before, self._told = self._told, table
        return event_lines(table, self._model, before)


LOOK_S = 5.0
"""LOOK_S: time (s) between two looks at how much of a resumed game's journal the engine has read."""


class PlainScreen:
    """Screen without drawings (`--plain`), for a screen reader or an ear.

    It prints a game as lines of text, and obeys typed words. `engine`: socket of the engine. `table`: control
    socket of a virtual table, None for a real one. `started`: parts that start with this screen ("engine",
    "camera", "board"). `seat`: seat (from 1) to take at once, 0 for none. `command`: command line that starts
    an engine. `words`, `lines`: streams that typed words come from, and that lines are printed to. `sound`:
    events that are spoken; with its `lines`, every printed line. `evening` returns one line for each game of
    the evening; called in a thread. `file`: settings file that keeps what people choose by typed words; None:
    they are forgotten. `teach`: beginners' lessons are on. `hints_always`: a hint comes at every move.
    """

    def __init__(
        self,
        engine: SocketPath,
        table: SocketPath | None = None,
        *,
        started: Sequence[str] = (),
        seat: int = 0,
        command: str = ENGINE,
        words: TextIO = sys.stdin,
        lines: TextIO = sys.stdout,
        sound: SoundConfig = SILENT,
        evening: Callable[[], Sequence[str]] | None = None,
        file: Path | None = None,
        teach: bool = False,
        hints_always: bool = False,
    ) -> None:
        self.model, self.world = PublicModel(started), WorldModel()
        self.model.lessons.on, self.model.hints_always = teach, hints_always
        self.model.command = command
        self.mend = self.theme = ""
        self.stops_engine = False
        self._typed = TypedWords(self.model, self.world)
        self._seat_wanted, self._words, self._lines = seat, words, lines
        self._engine: StreamClient[Event, Command] = StreamClient(engine, Event, self.take, self._link)
        self._table: StreamClient[WorldEvent, WorldCommand] | None = None
        if table is not None:
            self._table = StreamClient(table, WorldEvent, self._take_world, self.world.connected)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended = asyncio.Event()
        self._sound, self._sound_wanted = Sound(self._engine.path, self._silent), sound
        self._evening = evening
        self._kept = KeptChoices(file)
        self._turns = RestingTurns(self.model)
        self._printed: set[Said] = set()
        """Sentences of before the last greeting. An engine that is started again sends them once more."""
        self._due: asyncio.TimerHandle | None = None
        """What prints the lines of a turn that has begun."""
        self._state: list[str] = []
        """What was unusual when it was printed last."""

    def run(self) -> None:
        """Print the game and obey typed words, until somebody quits."""
        try:
            asyncio.run(self._run())
        finally:
            self._sound.close()

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._sound.switch(self._sound_wanted, self.model)
        self._tell([tr("Type {help} for all words.", help=WORDS["help"][0])])
        tasks = [asyncio.ensure_future(self._engine.run()), asyncio.ensure_future(self._look_how_far())]
        if self._table is not None:
            tasks.append(asyncio.ensure_future(self._table.run()))
        # A thread, for a terminal, a pipe and a file alike; it ends with the program, amid a line if need be.
        Thread(target=self._read, daemon=True).start()
        await self._ended.wait()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _look_how_far(self) -> None:
        """Until the first table, print how far the engine is.

        It is printed every LOOK_S. It is the share of a resumed game's journal that the engine has read.
        """
        while self.model.table is None:
            self.model.percent_read = percent_read(self._engine.path)
            self._tell_state()
            await asyncio.sleep(LOOK_S)
        self.model.percent_read = None

    def _read(self) -> None:
        for line in self._words:
            self.call_from_thread(self.obey, line)
        self.call_from_thread(self.exit)

    def obey(self, line: str) -> None:
        """Obey a line that a person has typed; an empty one silences the voice.

        Prints the answer, and sends commands to the engine or virtual table.
        """
        if not line.strip():
            return self._sound.hush()
        typed = self._typed.take(line)
        self._reply(typed.lines)
        if typed.engine and not all(map(self._engine.send, typed.engine)):
            self._reply([tr("Not sent: no engine is there that understands it.")])
        for order in typed.table:
            if self._table is not None:
                self._table.send(order)
        if typed.asks_screen:
            self._switch(*typed.asks_screen.split())
        for command in typed.engine:
            self._keep_sent(command)
        if typed.leaves:
            self.exit()
        return None

    def _switch(self, what: str, value: str = "") -> None:
        """Obey a typed word that concerns only this screen.

        `what`: "always", "teach", "aloud", "phones" or "language". `value`: code of the language, such as
        "de".
        """
        match what:
            case "always":
                self._switch_hints()
            case "teach":
                self._switch_lessons()
            case "aloud":
                now = self._sound.switches
                self._sound.switch(msgspec.structs.replace(now, lines=not now.lines), self.model)
                self._reply([tr("Every line is spoken.") if not now.lines else tr("No line is spoken.")])
                self._keep(not now.lines, "sound", "lines")
            case "phones":
                command = page_command(self._engine.path)
                none = tr("No page is served. Begin one in another terminal: {command}", command=command)
                self._reply([ServedAddress(self._engine.path).read() or none])
            case "language":
                self._speak(value)

    def _switch_hints(self) -> None:
        model = self.model
        model.hints_always = not model.hints_always
        self._reply([tr("Hints at every move.") if model.hints_always else tr("Hints only when asked.")])
        self._keep(model.hints_always, "screen", "hints_always")
        if model.hints_always:
            self._ask_hint()

    def _switch_lessons(self) -> None:
        model = self.model
        model.lessons.on = not model.lessons.on
        hello = model.welcome
        model.lessons.begin(hello.lessons if model.lessons.on and hello else ())
        on = tr("Each rule is explained when it first matters.")
        self._reply([on if model.lessons.on else tr("No lessons.")])
        self._keep(model.lessons.on, "screen", "teach")
        if model.table is not None:
            model.lessons.hear(model.table)
        self._teach()

    def _speak(self, language: str) -> None:
        """Speak another language from now on. `language`: its code, such as "de"."""
        use(language)
        if CHOSEN in os.environ:
            os.environ[CHOSEN] = language
        self._keep(language, "language")
        self._engine.renew()
        if self._table is not None:
            self._table.renew()

    def _keep_sent(self, command: Command) -> None:
        """Store what a command changes for games to come: names, lamps and beeper."""
        if isinstance(command, NamePlayers):
            self._keep(command.names, *PLAYER_NAMES)
        elif isinstance(command, SetSignals):
            for what in ("lamps", "beeper"):
                self._keep(getattr(command, what), "signals", what)

    def _keep(self, value: str | bool | Sequence[str], *keys: str) -> None:
        """Store a choice in the settings file at `keys`; if that fails, say so."""
        self._kept.choose(value, *keys)
        if wrong := self._kept.write():
            self._reply([wrong])

    def _ask_hint(self) -> None:
        self._engine.send(AskHint(FIRST, own_hand(self.world, self.model.table)))

    def take(self, event: Event) -> None:
        """Print and speak an event of the engine."""
        before, score = self.model.table, self.model.score
        if isinstance(event, Welcome):
            self._printed.update(self.model.said)
        self.model.take(event)
        self._tell_state()
        if self.model.foreign:
            return
        if isinstance(event, Position):
            self._typed.position = event
        self._tell_event(event, before)
        self._sound.hear(event, self.model)
        if isinstance(event, Claimed):
            self._sound.verdict(event, self.model)
        self._teach()
        if isinstance(event, Table) and self.model.hints_always and to_decide_anew(before, event):
            self._ask_hint()
        if isinstance(event, Score) and event != score and self._evening is not None:
            Thread(target=self._look_back, args=(self._evening,), daemon=True).start()

    def _tell_event(self, event: Event, before: Table | None) -> None:
        if isinstance(event, Welcome):
            self._turns = RestingTurns(self.model)
        if isinstance(event, Table):
            self._print(self._turns.hear(event, monotonic()))
            self._wait_for_turn()
        elif not (isinstance(event, Said) and (event in self._printed or self._turns.said_already(event))):
            self._print(event_lines(event, self.model, before))
        if isinstance(event, SensorHealth):
            self._turns.watched(monotonic())
            self._wait_for_turn()

    def _wait_for_turn(self) -> None:
        """Print a turn's held-back lines later, when they are due."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
        wait_s = self._turns.due(monotonic())
        if wait_s is not None and self._loop is not None:
            self._due = self._loop.call_later(wait_s, lambda: self._print(self._turns.rested()))

    def _teach(self) -> None:
        """Print and speak all beginners' lessons due now."""
        lessons = self.model.lessons
        while lessons.due is not None:
            self._tell(lesson_lines(lessons.due))
            lessons.read()
            if self.model.table is not None:
                lessons.hear(self.model.table)

    def _look_back(self, evening: Callable[[], Sequence[str]]) -> None:
        with suppress(OSError):
            if lines := evening():
                self.call_from_thread(self._tell, lines)

    def _link(self, live: bool) -> None:
        self.model.connected(live)
        self._tell_state()

    def _tell_state(self) -> None:
        """Print what is unusual now, if it differs from what was last printed."""
        now = state_lines(self.model)
        if now != self._state:
            self._state = now
            self._tell(now)

    def _take_world(self, event: WorldEvent) -> None:
        before, turn = self.world.state, self.world.turn
        self.world.take(event)
        if isinstance(event, TableState) and self._seat_wanted and self._table is not None:
            self._table.send(TakeSeat(self._seat_wanted))
            self._seat_wanted = 0
        self.world.hand_hidden = False  # nobody else looks at these lines
        if isinstance(event, YourTurn):
            self._print(self._turns.before_choices(event))
            self._wait_for_turn()
        self._print(world_lines(event, before, turn, self.model.names))
        self._sound.hear_world(event, self.world, self.model.names)

    def _silent(self, why: str) -> None:
        """Print why no sound can be heard.

        `why`: a sentence. Called from the voice's thread.
        """
        self.call_from_thread(self._print, [why])

    def _print(self, lines: Sequence[str]) -> None:
        for line in lines:
            say(line, file=self._lines)

    def _reply(self, lines: Sequence[str]) -> None:
        """Print and speak the answer to a typed word."""
        self._print(lines)
        self._sound.reply(lines)

    def _tell(self, lines: Sequence[str]) -> None:
        """Print and speak lines that answer no typed word."""
        self._print(lines)
        self._sound.tell(lines)

    # what starts a screen expects of it

    def notice(self, line: str) -> None:
        """Print and speak a line of text."""
        self._tell([line])

    def exit(self) -> None:
        """End the screen: `run` returns."""
        self._ended.set()

    def call_from_thread(self, function: Callable[..., Any], *given: Any) -> None:
        """Call `function` with arguments `given` in the `run` thread.

        Ignored before `run` and after its end. May be called from any thread.
        """
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *given)

    def engine_ended(self) -> None:
        """End the screen, because its engine has ended regularly.

        May be called from any thread.
        """
        self.model.ended = True
        self.call_from_thread(self.exit)
