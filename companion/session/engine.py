"""The engine: owns camera, port and journal, serves the event stream, notices when a new game begins."""

import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from functools import cache
from itertools import groupby
from math import inf
from pathlib import Path
from typing import Any

import msgspec

from companion.core.clock import Clock
from companion.core.config import checked_names, state_dir
from companion.core.errors import BadInputError, CompanionError, JournalError
from companion.core.language import sentences, text
from companion.core.process_tuning import freeze_garbage
from companion.fusion.detections import SensedTable
from companion.games.api import TableGame
from companion.games.registry import load_adviser
from companion.sensing.observation import Health, Observation
from companion.sensing.source import Picturing, Source, Warming
from companion.session.entries.next_game import CLEAR_S
from companion.session.entries.private_corner import SHOWN
from companion.session.journal.journal import Journal, Line, people_of, read_journal
from companion.session.journal.journal_order import note_begun
from companion.session.journal.reading_effort import ReadingEffort
from companion.session.machine_load import MachineLoad
from companion.session.narration import NO_HINT
from companion.session.sensor_monitor import SensorMonitor
from companion.session.sensor_view import sensor_view
from companion.session.session import Session
from companion.session.stream.events import (
    Accepted,
    Advice,
    AskHint,
    AskPosition,
    AskSensors,
    AskWhy,
    Command,
    Event,
    Explained,
    Goodbye,
    NamePlayers,
    Names,
    NextParty,
    OperatorCommand,
    OperatorEvent,
    Refused,
    Said,
    SetSignals,
    Signals,
    Table,
    TableIsRight,
    Tell,
    Welcome,
)
from companion.session.stream.stream import StreamServer
from companion.session.table_signals import Signalling, TableSignals

LOOP_S = 0.02
"""LOOP_S: longest wait between two polls of the sources (s): a third of a camera frame."""


FOR_OTHERS = text("A new game for the next party.")
_Asked = AskHint | AskPosition | AskSensors
"""Questions that only the screen that asks gets an answer to."""


class Engine:
    """Runs sessions one after another over the same sources."""

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
        """`journals` is a folder, or the file (ending in .jsonl) of the first game.

        `sources` may follow (`watch`): the first line of the journal is on the disk before a camera is opened.
        `stream` serves screens. `operator` serves only those who run the table. With `resume` the journal file
        holds a game to go on with; `mended` is the step of setup that was done meanwhile. `on_ready` is called
        once, when every source has been ready and its first observations have been taken: whatever waits for an
        engine may begin. `on_followed` gets after each round when (s) the newest picture was made, and whether
        all that it shows was read and explained. `on_taken_back` gets the state after an undo and the action
        taken back, in the notation of the rules: a virtual table lays its cards back. `on_game` gets the
        journal of each game when it begins or goes on, the clock's time (s), and by how much (s) that is ahead
        of the journal's. `on_party` is called when other people begin to play. `signals`: what lamps and beeper
        do; None for nothing. `load`: whether this machine keeps up; None if nobody asks.
        `buttons`: stations whose claim button is known to be theirs. `table`: its name, where a machine has
        several.
        `virtual`: whether a virtual table is watched; `mends`: whether a step of setup can be done in a break.
        `along` hands out the lines of a resumed game and may tell how far it is.
        """
        self._game, self._variant, self._players = game, variant, players
        self._sources, self._stream, self._clock, self._assist = sources, stream, clock, assist
        self._operator = operator
        self._options, self._names, self._player_names = options, names, player_names
        self._buttons, self._virtual, self._table = buttons, virtual, table
        self._journals = journals
        self._signals = signals or TableSignals(lamps=False, beeper=False)
        self._load = load
        self._watch = SensorMonitor(mends=mends)
        self._games = _games_in(journals) - 1 if resume else 0
        self._laid_out = self._dealing = False
        self._along = along
        self._resumed = resume
        self._journal = self._opened(resume=resume, further=False)
        self.session = self._new_game(self._journal, resume=resume, mended=mended)
        if self._journal.salvaged:
            self.session.tell(self._journal.salvaged, "fault")
        self._advised: Any = None
        self._prepared = False
        self._bare_since: float | None = None
        self._stopped = False
        self._on_ready, self._on_followed, self._on_game = on_ready, on_followed, on_game
        self._on_party, self._on_taken_back = on_party, on_taken_back
        if self.session.left:
            self._player_names = self.session.player_names = ()
        self._tell_game(self._journal)
        self._looking = False

    def run(self, alive: Callable[[], bool] = lambda: True) -> str:
        """Run until told to stop, until `alive` returns False, or until every recording has ended. Returns
        the reason as a sentence."""
        freeze_garbage()
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
            self._stream.send(Goodbye(reason, ended))
            self._stream.poll()
            self.close()
        return reason

    def watch(self, sources: Sequence[Source]) -> None:
        """Watch the table by these sources from now on."""
        self._sources = sources

    def give_up(self) -> None:
        """Close everything before a game has begun. A new journal, which has its first line alone, goes."""
        self.close()
        if not self._resumed:
            with suppress(OSError):
                self._journal.path.unlink()

    @property
    def salvaged(self) -> str:
        """What was wrong with the journal of the resumed game, as a sentence; empty if nothing."""
        return self._journal.salvaged

    def stop(self) -> None:
        """Ask the loop to end after this round."""
        self._stopped = True

    def round(self) -> None:
        """One round: screens, commands, sources, and whether the table was cleared."""
        new, received = self._stream.poll()
        for peer in new:
            for event in self._welcome():
                self._stream.send(event, [peer])
        began, before = self._clock.now(), self._seen_at
        asked = self._obey(received)
        if self._seen_at != before:
            self._keeps_up(self._clock.now() - began)
        if not self._looking and all(source.ready for source in self._sources if isinstance(source, Warming)):
            self._looking = True
            self._on_ready()
        for source in self._sources:
            if isinstance(source, Picturing) and source.seen_at is not None:
                self._on_followed(source.seen_at, source.read and not self.session.tracker.thinks)
        if (undone := self.session.to_lay_back()) is not None:
            self._on_taken_back(*undone)
        for peer, question in asked:
            self._stream.send(self._answer(peer, question), [peer])
        self._serve_operator()
        self._signal()
        if self.session.statements.asked:
            self.session.statements.asked = False
            self._advise_table()
        if self._laid_out and not self._prepared:
            self._prepared = True
            threading.Thread(target=self._prepare, name="hints", daemon=True).start()
        kept = self.session.next_game()
        if self._cleared() or kept is not None:
            self._next_game(kept or (), text("The table is clear: a new game."))

    @property
    def _seen_at(self) -> list[float | None]:
        """When the newest picture of each camera was made."""
        return [source.seen_at for source in self._sources if isinstance(source, Picturing)]

    def _keeps_up(self, spent_s: float) -> None:
        """A picture took this time (s): say so when this machine is too slow, or no longer."""
        news = None if self._load is None else self._load.took(self._clock.now(), spent_s)
        if news is not None:
            self.session.report(news)

    def _next_game(self, kept: Iterable[Observation], why: str) -> None:
        """Close the journal of this game and begin the next one, of which `kept` was sensed already."""
        whole = self.session.keep()
        self._journal.close()
        self._begin_anew(kept)
        for event in self._welcome():
            self._publish(event)
        self._publish(Said(self._clock.now(), why, "notice"))
        if not whole:
            self.session.tell(text("The disk is full: the end of the last game is not kept."), "fault")

    def _new_game_lies_there(self, peer: Any, command: TableIsRight) -> bool:
        """People say that another game than the scored one lies there: it begins. Whether it has."""
        if not self.session.over:
            self._stream.send(Refused(text("The game that I follow is not over.")), [peer])
            return False
        self._next_game(self.session.lying(), text("A new game: the result of the last one is kept."))
        return True

    def _obey(self, received: Iterable[tuple[Any, Command | str]]) -> dict[tuple[Any, _Asked], None]:
        """Step the session with what the screens command. Returns what single screens asked for."""
        # Replaying a game takes tens of milliseconds: it is done once a round, however many players tell
        # something.
        last = cache(self._last_check)
        commands: list[Command] = []
        givers: list[Any] = []
        # The same question within one round has the same answer.
        asked: dict[tuple[Any, _Asked], None] = {}
        for peer, command in received:
            match command:
                case str():
                    self._stream.send(Refused(command), [peer])
                case AskHint() | AskPosition() | AskSensors():
                    asked[peer, command] = None
                case SetSignals(lamps, beeper):
                    self._signals.lamps, self._signals.beeper = lamps, beeper
                    self._publish(Signals(lamps, beeper))
                case NamePlayers(names):
                    self._name_players(peer, names)
                case NextParty(ends):
                    self._next_party(peer, ends=ends)
                case TableIsRight() if self.session.left:
                    self._next_game(self.session.lying(), FOR_OTHERS)
                    self._stream.send(Accepted(), [peer])
                case TableIsRight(new_game=True) if not self._new_game_lies_there(peer, command):
                    pass
                case Tell(told) if reason := self._untold(last, told):
                    self._stream.send(Refused(reason), [peer])
                case _:
                    commands.append(command)
                    givers.append(peer)
        refused: dict[int, str] = {}
        self.session.step(self._sources, commands, refuse=refused.__setitem__)
        for at, giver in enumerate(givers):
            self._stream.send(Refused(refused[at]) if at in refused else Accepted(), [giver])
        return asked

    def close(self) -> None:
        """Close every source, socket and file."""
        for source in self._sources:
            source.close()
        self._journal.close()
        self._stream.close()
        if self._operator is not None:
            self._operator.close()

    def _publish(self, event: Event) -> None:
        """Send to all screens. The operator is told when the table changed."""
        self._stream.send(event)
        self._signals.hear(self._clock.now(), event)
        if self._operator is not None and isinstance(event, Table):
            self._operator.send(event)

    def _welcome(self) -> list[Event]:
        """All events that a new screen needs."""
        signals = [Signals(self._signals.lamps, self._signals.beeper)] if self._signalling else []
        hello, *rest = self.session.welcome()
        if isinstance(hello, Welcome):
            hello = msgspec.structs.replace(hello, table=self._table)
        return [hello, *rest, *signals]

    def _name_players(self, peer: Any, names: tuple[str, ...]) -> None:
        """Players were named on a screen: all screens are told."""
        try:
            self._player_names = checked_names(names[: self._players])
        except ValueError as error:
            self._stream.send(Refused(text("Not taken: {why}.", why=error.args[0])), [peer])
            return
        self.session.name_players(self._player_names)
        self._publish(Names(self._player_names))

    def _next_party(self, peer: Any, *, ends: bool) -> None:
        """Other people play from now on: nothing of those before is on any screen."""
        table, dealt = self.session.table, self._laid_out or self.session.carded_at > -inf
        if table.turn and dealt and not (table.over or ends or self.session.left):
            self._stream.send(Refused(text("A game is on. Say that it ends here.")), [peer])
            return
        self._player_names = ()
        self._on_party()
        if self.session.left:
            self._next_game(self.session.lying(), FOR_OTHERS)
        elif dealt:
            self.session.leave()
        else:
            self.session.name_players(())
        self._publish(Names(()))
        self._stream.send(Accepted(), [peer])

    @property
    def _signalling(self) -> list[Signalling]:
        return [source for source in self._sources if isinstance(source, Signalling)]

    def _signal(self) -> None:
        """Let lamps shine and the beeper sound. The link sends only what has changed."""
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
        """Answer the questions of those who run the table. The answers name hidden cards."""
        if self._operator is None:
            return
        _, received = self._operator.poll()
        for peer, command in dict.fromkeys(received):
            self._operator.send(
                self._explain(command.place) if isinstance(command, AskWhy) else Refused(command), [peer]
            )

    def _prepare(self) -> None:
        """Prepare hints while a game is being laid out. Otherwise the first hint would delay the table."""
        if (adviser := load_adviser(self._game.name)) is not None:
            adviser.prepare(self._variant, self._players, self._options)

    def _answer(self, peer: Any, question: _Asked) -> Event:
        """The answer to one screen that asked something."""
        match question:
            case AskHint():
                return self._advise_one(peer, question)
            case AskSensors(width, height):
                return sensor_view(self.session, self._sources, width, height, secret=self._secret)
            case _:
                return self.session.position()

    @property
    def _secret(self) -> bool:
        """Whether a pressed picture may be that of a card in play: from the first card that is sensed until the
        table is bare and the next game begins. While a game is dealt the cards are pressed that nobody may see,
        and with a camera alone the table looks bare until cards lie face up."""
        return self._dealing or self.session.carded_at > -inf

    def _advise_one(self, peer: Any, question: AskHint) -> Event:
        """The answer to one screen; a player may have shown the hand to the camera."""
        if question.hand.strip().lower() != SHOWN:
            return self._advise(question)
        try:
            hand = self.session.corner.hand(peer)
        except BadInputError as error:
            return Refused(error.told)
        answer = self._advise(msgspec.structs.replace(question, hand=hand))
        # A sticker that was not read is missing: the player has to hear which ones were.
        return (
            Refused(text("I read {hand} in the private corner: {answer}", hand=hand, answer=answer.text))
            if isinstance(answer, Refused)
            else answer
        )

    def _advise(self, question: AskHint, *, aloud: bool = False) -> Event:
        """The answer to one screen, or to all (`aloud`). Hints are loaded and computed when somebody asks."""
        adviser = load_adviser(self._game.name)
        if adviser is None:
            return Refused(text("There are no hints for {game}.", game=self._game.name))
        if self.session.lost:
            return Refused(NO_HINT)
        try:
            advice: Advice = adviser.answer(
                self.session.statements.recorded, question, assist=self._assist, aloud=aloud
            )
        except CompanionError as error:
            return Refused(error.told)
        return advice

    def _explain(self, place: int) -> Explained:
        from companion.fusion.explain.reasons import places_of, why, why_lines

        places = places_of(self.session.tracker)
        if not 1 <= place <= len(places):
            return Explained(place, (text("There is no place {place} in this game.", place=place),), places)
        return Explained(place, tuple(why_lines(why(self.session.tracker, places[place - 1]))), places)

    def _advise_table(self) -> None:
        """Answer a question that was asked at the table, on all screens: first a nudge, on a second question
        the move."""
        again = self._advised == self.session.tracker.state
        self._advised = self.session.tracker.state
        advice = self._advise(AskHint("coach" if again else "nudge"), aloud=True)
        if isinstance(advice, Advice) and advice.hints:
            self._stream.send(msgspec.structs.replace(advice, aloud=True))

    def _last_check(self) -> Any:
        adviser = load_adviser(self._game.name)
        return None if adviser is None else adviser.last_check(self.session.statements.recorded)

    def _untold(self, last: Callable[[], Any], told: str) -> str:
        """Why no player can tell this now; empty if one can."""
        adviser = load_adviser(self._game.name)
        if adviser is None:
            return text("There is nothing to tell in {game}.", game=self._game.name)
        try:
            adviser.check_told(last(), told)
        except CompanionError as error:
            return error.told
        return ""

    def _opened(self, *, resume: bool, further: bool) -> Journal:
        """The journal of a game: of the first one, or of a `further` one. JournalError if it cannot be kept."""
        self._games += 1
        path = self._journals
        if path.suffix != ".jsonl":
            path = _unused(path, time.strftime("%Y-%m-%d-%H%M%S"), self._games)
        else:
            path = _nth(path, self._games)
            while further and path.exists():  # of another evening
                self._games += 1
                path = _nth(self._journals, self._games)
        journal = Journal(path, resume=resume)
        if path.parent == state_dir() / "journals" or self._journals.suffix != ".jsonl":
            note_begun(path)
        return journal

    def _new_game(self, journal: Journal | None, *, resume: bool = False, mended: str = "") -> Session:
        # The journal is locked and mended before it is read: another engine may be writing it.
        read = read_journal(journal.path) if journal is not None and resume else None
        recorded = None if read is None else read.lines
        self._laid_out = bool(recorded)
        session = Session(
            self._game,
            self._variant,
            self._players,
            clock=self._clock,
            publish=self._publish,
            journal=journal,
            assist=self._assist,
            options=self._options,
            names=self._names,
            player_names=self._player_names,
            buttons=self._buttons,
            virtual=self._virtual,
            recorded=recorded,
            along=self._along,
            effort=None if recorded is None or journal is None else ReadingEffort(journal.path),
            mended=mended,
            watch=self._watch,
        )
        if read is not None and self._player_names != people_of(read.opened, read.lines):
            session.name_players(self._player_names)
        return session

    def _begin_anew(self, kept: Iterable[Observation]) -> None:
        """Begin the next game, of which `kept` was sensed already. A sensor that is gone stays so."""
        # Hands may press cards of the next game on the pad before one lies where anything sees it.
        self._dealing = self._bare_since is not None and self.session.carded_at >= self._bare_since
        self._bare_since, self._laid_out = None, False
        works = {source: one for source, one in self.session.health.items() if one.ok}
        gone = self._watch.gone
        unkept = ""
        try:
            self._journal = self._opened(resume=False, further=True)
        except JournalError as error:
            # Nobody may have to stop because the disk cannot be written any more.
            unkept = text("{Why}: this game is played and not kept.", why=error.what)
        self.session = self._new_game(None if unkept else self._journal)
        freeze_garbage()  # the game before is garbage
        if not unkept:
            self._tell_game(self._journal)
        self.session.health = works | self.session.health
        if self._load is not None and self._load.told is not None:
            self.session.report(self._load.told)
        if unkept:
            self.session.tell(unkept, "fault")
        sensed = list(kept)
        now = min([self._clock.now(), *(seen.t for seen in sensed)])
        away = [Health(now, source, False, detail) for source, detail in gone.items()]
        if known := [*self._watch.known(now), *away]:
            self.session.take(now, known)
        for t, together in groupby(sensed, key=lambda seen: seen.t):
            self.session.take(t, list(together))

    def _tell_game(self, journal: Journal) -> None:
        now = self._clock.now()
        self._on_game(journal.path, now, now - self.session.now())

    def _cleared(self) -> bool:
        """True once, when the table has been bare for CLEAR_S after a game was laid out."""
        sensed, now = self.session.tracker.sensed, self._clock.now()
        if _bare(sensed):
            if self._laid_out and self._bare_since is None:
                self._bare_since = now
        else:
            self._bare_since = None
            # Single cards come and go while a game is laid out. It counts as laid out once a scale carries
            # cards, or a zone has several.
            self._laid_out |= any(sensed.counts.values()) or any(len(c) > 2 for c in sensed.zones.values())
        return self._bare_since is not None and now - self._bare_since >= CLEAR_S


def _unused(folder: Path, when: str, game: int) -> Path:
    """Path of a new journal in a folder. Counts up if the name is taken: another engine may have begun a
    game in the same second."""
    path = folder / f"{when}-{game}.jsonl"
    while path.exists():
        game += 1
        path = folder / f"{when}-{game}.jsonl"
    return path


def _nth(journals: Path, game: int) -> Path:
    """Path of the journal of the first, second, ... game of one engine."""
    return journals if game == 1 else journals.with_stem(f"{journals.stem}-{game}")


def _games_in(journals: Path) -> int:
    """Number of games with a journal of this name."""
    game = 1
    while _nth(journals, game + 1).exists():
        game += 1
    return game


def _bare(sensed: SensedTable) -> bool:
    """Whether no scale carries anything and no card lies in any zone that was seen."""
    return bool(sensed.zones) and not any(sensed.counts.values()) and not any(sensed.zones.values())
