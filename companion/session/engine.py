"""The engine of one table: it reads sensors, serves screens, and follows one game after another."""

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from functools import cache
from itertools import groupby
from math import inf
from pathlib import Path
from typing import Any

import msgspec

from companion.core import process_tuning
from companion.core.clock import Clock
from companion.core.config import checked_names
from companion.core.errors import BadInputError, CompanionError, JournalError
from companion.core.language import sentences, text
from companion.games.table_game import TableGame
from companion.sensing.observation import Health, Observation
from companion.sensing.source import Picturing, Source, Warming
from companion.session.endings.cleared_table import ClearedTable
from companion.session.hint_desk import HintDesk
from companion.session.journal.journal import Journal, read_journal
from companion.session.journal.journal_files import JournalFiles
from companion.session.journal.journal_lines import Line, people_of
from companion.session.journal.reading_effort import ReadingEffort
from companion.session.machine_load import MachineLoad
from companion.session.sensor_monitor import SensorMonitor
from companion.session.sensor_view import sensor_view
from companion.session.session import Session
from companion.session.stream.commands import (
    AskHint,
    AskPosition,
    AskSensors,
    AskWhy,
    Command,
    NamePlayers,
    NextParty,
    OperatorCommand,
    SetSignals,
    TableIsRight,
    Tell,
)
from companion.session.stream.events import (
    Accepted,
    Event,
    Explained,
    Goodbye,
    Names,
    OperatorEvent,
    Refused,
    Said,
    Signals,
    Table,
    Welcome,
)
from companion.session.stream.stream import StreamServer
from companion.session.table_signals import Signalling, TableSignals

LOOP_S = 0.02
"""Wait (s) between two rounds of the engine, a third of the time between two camera pictures."""


FOR_OTHERS = text("A new game for the next party.")
_Asked = AskHint | AskPosition | AskSensors
"""Commands that ask a question whose answer only the asking screen gets."""


class Engine:
    """The engine of one table: it follows one game after another with the same sensors."""

    def __init__(
        self,
        game: TableGame[Any, Any],
        variant: str,
        players: int,
        *,
        sources: Sequence[Source] = (),
        stream: StreamServer[Event, Command],
        operator: StreamServer[OperatorEvent, OperatorCommand] | None = None,
        journals: Path,
        clock: Clock,
        assist: str = "",
        options: Collection[str] = (),
        names: tuple[str, ...] = (),
        player_names: tuple[str, ...] = (),
        buttons: Collection[str] = (),
        table: str = "",
        virtual: bool = False,
        mends: bool = True,
        resume: bool = False,
        mended: str = "",
        signals: TableSignals | None = None,
        load: MachineLoad | None = None,
        on_ready: Callable[[], None] = lambda: None,
        on_followed: Callable[[float, bool], None] = lambda _seen_at, _read: None,
        on_taken_back: Callable[[str, str], None] = lambda _state, _action: None,
        on_game: Callable[[Path, float, float], None] = lambda _journal, _now, _ahead: None,
        on_party: Callable[[], None] = lambda: None,
        along: Callable[[Sequence[Line]], Iterable[Line]] = iter,
    ) -> None:
        """Open a journal, and begin a game or resume one.

        `sources`: camera and board; `watch` can set them later, once the journal's first line is on the disk.
        `stream`: server for the screens. `operator`: server for those who run the table; None: nobody.
        `journals`: folder for journals, or the file (ending in .jsonl) of the first game.

        `assist`: most that hints may tell, out of ASSIST (referee, memory, nudge, coach); empty if nobody
        chose. `options`: the game's options that are on. `names`: the family's names for characters.
        `player_names`: player 1 first; empty: players go by number. `buttons`: stations whose claim button
        was tried out and belongs to them. `table`: name of the table on a machine with several.

        `virtual`: True if a virtual table is watched. `mends`: True if a setup step can be done in a break.
        `resume`: True to go on with the game in the file `journals`. `mended`: setup step that was done
        before resuming; empty for none. `signals`: switches of lamps and beeper; None: both off. `load`:
        check that the machine is fast enough; None: no check.

        `on_ready()` runs once, when every source is ready and its first observations are processed.
        `on_followed(seen_at, read)` runs after each round, for each camera. `seen_at`: time (s) of its newest
        picture; `read`: True if everything in the picture is decoded and explained. `on_taken_back(state,
        action)` runs after an undo, so that a virtual table lays its cards back. `on_game(journal, now,
        ahead)` runs when a game begins or resumes. `now`: clock time (s); `ahead`: clock minus journal time
        (s). `on_party()` runs when other people begin to play. `along`: function that yields the lines of a
        resumed game one by one, e.g. to show progress.

        JournalError if the journal cannot be written or resumed.
        """
        self._game, self._variant, self._players = game, variant, players
        self._sources, self.stream, self._clock, self._assist = sources, stream, clock, assist
        self._operator = operator
        self._options, self._names, self.player_names = options, names, player_names
        self._buttons, self._virtual, self._table = buttons, virtual, table
        self._journals = JournalFiles(journals, resume=resume)
        self._signals = signals or TableSignals(lamps=False, beeper=False)
        self._load = load
        self.monitor = SensorMonitor(mends=mends)
        self._along = along
        self.resumed = resume
        self.journal = self._journals.open(resume=resume)
        self._cleared_table = ClearedTable()
        self.session = self._new_game(self.journal, resume=resume, mended=mended)
        if self.journal.salvaged:
            self.session.tell(self.journal.salvaged, "fault")
        self._hints = HintDesk(game.name, assist)
        self._stopped = False
        self._on_ready, self._on_followed, self._on_game = on_ready, on_followed, on_game
        self._on_party, self._on_taken_back = on_party, on_taken_back
        if self.session.left:
            self.player_names = self.session.player_names = ()
        self._tell_game(self.journal)
        self._looking = False

    def run(self, alive: Callable[[], bool] = lambda: True) -> str:
        """Follow games until told to stop, then close everything.

        Returns why it stopped, in a sentence. The engine stops after `stop` or the command `Quit`, or when
        `alive()` returns False. It also stops when all watched recordings have ended. BadInputError if these
        hold no game.
        """
        process_tuning.freeze_garbage()
        reason: str = text("The companion was stopped.")
        ended = False
        try:
            while not self._stopped and not self.session.quit and alive():
                self.round()
                if self._sources and all(source.finished for source in self._sources):
                    reason = text("The recording has come to its end.")
                    if not self.session.tracker.steps:
                        raise BadInputError(
                            text("nothing of a game was seen in the recording"),
                            next_step=text("is this the right file, and the right game?"),
                        )
                    ended = True
                    break
                self._clock.sleep(LOOP_S)
        except CompanionError as error:
            reason = error.told
            raise
        finally:
            if not self.session.keep():
                lost = self.session.what_is_lost()
                reason = sentences([reason, lost]) if reason else lost
            self.stream.send(Goodbye(reason, ended))
            self.stream.poll()
            self.close()
        return reason

    def watch(self, sources: Sequence[Source]) -> None:
        """Read the table with these cameras and boards from now on."""
        self._sources = sources

    def give_up(self) -> None:
        """Close everything before a game has begun.

        A new journal is deleted, because it holds no game.
        """
        self.close()
        if not self.resumed:
            with suppress(OSError):
                self.journal.path.unlink()

    @property
    def salvaged(self) -> str:
        """Sentence on damage to the resumed journal; empty for none."""
        return self.journal.salvaged

    def stop(self) -> None:
        """Let `run` end after the round that runs now."""
        self._stopped = True

    def round(self) -> None:
        """Do one round: greet new screens, carry out commands, read sensors, send answers.

        The next game begins if the table was cleared.
        """
        new, received = self.stream.poll()
        for peer in new:
            for event in self.welcome():
                self.stream.send(event, [peer])
        began, before = self._clock.now(), self._seen_at
        asked = self.obey(received)
        if self._seen_at != before:
            self._keeps_up(self._clock.now() - began)
        self._tell_virtual_table()
        for peer, question in asked:
            self.stream.send(self._answer(peer, question), [peer])
        self._serve_operator()
        self._signal()
        if self.session.statements.asked:
            self.session.statements.asked = False
            if (advice := self._hints.for_table(self.session)) is not None:
                self.stream.send(advice)
        if self._cleared_table.laid_out:
            self._hints.prepare(self._variant, self._players, self._options)
        kept = self.session.next_game()
        cleared = self._cleared_table.is_cleared(self._clock.now(), self.session.tracker.sensed)
        if cleared or kept is not None:
            self._next_game(kept or (), text("The table is clear: a new game."))

    def _tell_virtual_table(self) -> None:
        """Tell a virtual table that its engine looks, how far it has followed, and what to lay back."""
        if not self._looking and all(source.ready for source in self._sources if isinstance(source, Warming)):
            self._looking = True
            self._on_ready()
        for source in self._sources:
            if isinstance(source, Picturing) and source.seen_at is not None:
                self._on_followed(source.seen_at, source.read and not self.session.tracker.thinks)
        if (undone := self.session.to_lay_back()) is not None:
            self._on_taken_back(*undone)

    @property
    def _seen_at(self) -> list[float | None]:
        """Time (s) of the newest picture of each camera; None before its first."""
        return [source.seen_at for source in self._sources if isinstance(source, Picturing)]

    def _keeps_up(self, spent_s: float) -> None:
        """Note that a camera picture took `spent_s` (s), and tell people if the machine is too slow."""
        news = None if self._load is None else self._load.took(self._clock.now(), spent_s)
        if news is not None:
            self.session.report(news)

    def _next_game(self, kept: Iterable[Observation], why: str) -> None:
        """Close this game's journal, and begin the next game.

        `kept`: first observations of the next game. `why`: sentence for screens.
        """
        whole = self.session.keep()
        self.journal.close()
        self.begin_anew(kept)
        for event in self.welcome():
            self.publish(event)
        self.publish(Said(self._clock.now(), why, "notice"))
        if not whole:
            self.session.tell(text("The disk is full: the end of the last game is not kept."), "fault")

    def _new_game_lies_there(self, peer: Any, command: TableIsRight) -> bool:
        """Begin another game, because people say on a screen (`peer`) that its cards lie on the table.

        False, and `peer` gets a refusal, if the game before is not over.
        """
        if not self.session.over:
            self.stream.send(Refused(text("The game that I follow is not over.")), [peer])
            return False
        self._next_game(self.session.lying(), text("A new game: the result of the last one is kept."))
        return True

    def obey(self, received: Iterable[tuple[Any, Command | str]]) -> dict[tuple[Any, _Asked], None]:
        """Carry out screens' commands, and advance the game one round.

        `received`: (screen, command), or (screen, complaint) for a line that is no command. Returns (screen,
        question) for each question that only its screen gets an answer to, as keys.
        """
        # Replaying a game takes tens of milliseconds, so one replay a round serves all statements.
        last = cache(lambda: self._hints.last_check(self.session))
        commands: list[Command] = []
        givers: list[Any] = []
        # Equal questions of one screen within a round get one answer.
        asked: dict[tuple[Any, _Asked], None] = {}
        for peer, command in received:
            match command:
                case str():
                    self.stream.send(Refused(command), [peer])
                case AskHint() | AskPosition() | AskSensors():
                    asked[peer, command] = None
                case SetSignals(lamps, beeper):
                    self._signals.lamps, self._signals.beeper = lamps, beeper
                    self.publish(Signals(lamps, beeper))
                case NamePlayers(names):
                    self._name_players(peer, names)
                case NextParty(ends):
                    self._next_party(peer, ends=ends)
                case TableIsRight() if self.session.left:
                    self._next_game(self.session.lying(), FOR_OTHERS)
                    self.stream.send(Accepted(), [peer])
                case TableIsRight(new_game=True) if not self._new_game_lies_there(peer, command):
                    pass
                case Tell(told) if reason := self._hints.why_untold(last, told):
                    self.stream.send(Refused(reason), [peer])
                case _:
                    commands.append(command)
                    givers.append(peer)
        refused: dict[int, str] = {}
        self.session.step(self._sources, commands, refuse=refused.__setitem__)
        for at, giver in enumerate(givers):
            self.stream.send(Refused(refused[at]) if at in refused else Accepted(), [giver])
        return asked

    def close(self) -> None:
        """Close all sensors, sockets and the journal."""
        for source in self._sources:
            source.close()
        self.journal.close()
        self.stream.close()
        if self._operator is not None:
            self._operator.close()

    def publish(self, event: Event) -> None:
        """Send an event to all screens."""
        self.stream.send(event)
        self._signals.hear(self._clock.now(), event)
        if self._operator is not None and isinstance(event, Table):
            self._operator.send(event)

    def welcome(self) -> list[Event]:
        """Events that tell a new screen the whole state."""
        signals = [Signals(self._signals.lamps, self._signals.beeper)] if self._signalling else []
        hello, *rest = self.session.welcome()
        if isinstance(hello, Welcome):
            hello = msgspec.structs.replace(hello, table=self._table)
        return [hello, *rest, *signals]

    def _name_players(self, peer: Any, names: tuple[str, ...]) -> None:
        """Rename the players as a screen (`peer`) asks.

        Unfit names are refused.
        """
        try:
            self.player_names = checked_names(names[: self._players])
        except ValueError as error:
            self.stream.send(Refused(text("Not taken: {why}.", why=error.args[0])), [peer])
            return
        self.session.name_players(self.player_names)
        self.publish(Names(self.player_names))

    def _next_party(self, peer: Any, *, ends: bool) -> None:
        """Let other people play: the names and the game of the people before them leave every screen.

        `ends`: True if a person has agreed to end a running game; else the screen `peer` gets a refusal.
        """
        table, dealt = self.session.table, self._cleared_table.laid_out or self.session.carded_at > -inf
        if table.turn and dealt and not (table.over or ends or self.session.left):
            self.stream.send(Refused(text("A game is on. Say that it ends here.")), [peer])
            return
        self.player_names = ()
        self._on_party()
        if self.session.left:
            self._next_game(self.session.lying(), FOR_OTHERS)
        elif dealt:
            self.session.leave()
        else:
            self.session.name_players(())
        self.publish(Names(()))
        self.stream.send(Accepted(), [peer])

    @property
    def _signalling(self) -> list[Signalling]:
        return [source for source in self._sources if isinstance(source, Signalling)]

    def _signal(self) -> None:
        """Set the board's lamps, and play the beeper's tones that wait."""
        devices = self._signalling
        if not devices:
            return
        state, tones = self.session.tracker.state, self._signals.tones()
        for subject, colour in self._signals.colours(self._clock.now()).items():
            station = self._game.claim_station(state, subject - 1)
            for device in devices:
                device.light(station, colour)
        for tone in tones:
            for device in devices:
                device.beep(*tone)

    def _serve_operator(self) -> None:
        """Answer the questions of the operator, who runs the table.

        The answers name hidden cards.
        """
        if self._operator is None:
            return
        _, received = self._operator.poll()
        for peer, command in dict.fromkeys(received):
            self._operator.send(
                self._explain(command.place) if isinstance(command, AskWhy) else Refused(command), [peer]
            )

    def _answer(self, peer: Any, question: _Asked) -> Event:
        match question:
            case AskHint():
                return self._hints.for_screen(self.session, peer, question)
            case AskSensors(width, height):
                return sensor_view(self.session, self._sources, width, height, secret=self._secret)
            case _:
                return self.session.position()

    @property
    def _secret(self) -> bool:
        """True if the picture of the pressure pad may give a hidden card away, so that nobody gets it.

        That is the case from a game's first sensed card until the next game begins on a bare table. It is
        also the case while a game is dealt, because hidden cards may then be pressed.
        """
        return self._cleared_table.dealt_since_bare or self.session.carded_at > -inf

    def _explain(self, place: int) -> Explained:
        from companion.fusion.explain.reasons import places_of, why, why_lines

        places = places_of(self.session.tracker)
        if not 1 <= place <= len(places):
            return Explained(place, (text("There is no place {place} in this game.", place=place),), places)
        return Explained(place, tuple(why_lines(why(self.session.tracker, places[place - 1]))), places)

    def _new_game(self, journal: Journal | None, *, resume: bool = False, mended: str = "") -> Session:
        # Opening locked and mended the journal; before that another engine might have written it.
        read = read_journal(journal.path) if journal is not None and resume else None
        recorded = None if read is None else read.lines
        self._cleared_table.laid_out = bool(recorded)
        session = Session(
            self._game,
            self._variant,
            self._players,
            clock=self._clock,
            publish=self.publish,
            journal=journal,
            assist=self._assist,
            options=self._options,
            names=self._names,
            player_names=self.player_names,
            buttons=self._buttons,
            virtual=self._virtual,
            recorded=recorded,
            along=self._along,
            effort=None if recorded is None or journal is None else ReadingEffort(journal.path),
            mended=mended,
            watch=self.monitor,
        )
        if read is not None and self.player_names != people_of(read.opened, read.lines):
            session.name_players(self.player_names)
        return session

    def begin_anew(self, kept: Iterable[Observation]) -> None:
        """Begin the next game. `kept`: its observations so far."""
        # Hands may press cards of the next game on the pad before any sensor sees one.
        self._cleared_table = self._cleared_table.next(self.session.carded_at)
        works = {source: one for source, one in self.session.screens.health.items() if one.ok}
        gone = self.monitor.gone
        unkept = ""
        try:
            self.journal = self._journals.open(further=True)
        except JournalError as error:
            # A disk that refuses the journal must not stop people.
            unkept = text("{Why}: this game is played and not kept.", why=error.what)
        self.session = self._new_game(None if unkept else self.journal)
        process_tuning.freeze_garbage()  # frees the last game
        if not unkept:
            self._tell_game(self.journal)
        self.session.screens.health = works | self.session.screens.health
        if self._load is not None and self._load.told is not None:
            self.session.report(self._load.told)
        if unkept:
            self.session.tell(unkept, "fault")
        sensed = list(kept)
        now = min([self._clock.now(), *(seen.t for seen in sensed)])
        away = [Health(now, source, False, detail) for source, detail in gone.items()]
        if known := [*self.monitor.known(now), *away]:
            self.session.take(now, known)
        for t, together in groupby(sensed, key=lambda seen: seen.t):
            self.session.take(t, list(together))

    def _tell_game(self, journal: Journal) -> None:
        now = self._clock.now()
        self._on_game(journal.path, now, now - self.session.now())
