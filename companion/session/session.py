"""A session: one game at one table, from observations to what screens show."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from math import inf
from typing import Any

import msgspec

from companion import __version__
from companion.core.clock import Clock
from companion.core.language import text
from companion.fusion.publisher import Change
from companion.fusion.tracker import Tracker
from companion.games.registry import printed_parts
from companion.games.table_game import TableGame
from companion.sensing.observation import (
    Count,
    Health,
    ManualEntry,
    Observation,
    shows_card,
)
from companion.sensing.source import Hearing, Linked, Source, Watching
from companion.session.announcer import Announcer
from companion.session.endings.heard_claims import HeardClaims
from companion.session.endings.open_places import OpenPlaces
from companion.session.endings.scored_game import ScoredGame
from companion.session.endings.unread_claims import UnreadClaims
from companion.session.entries.commands_to_entries import entry_of
from companion.session.entries.player_entries import BY_CARDS, PlayerEntries
from companion.session.entries.player_statements import PlayerStatements
from companion.session.entries.private_corner import PrivateCorner
from companion.session.entries.way_back_gesture import WayBackGesture
from companion.session.entries.without_keys import RESULT_STAYS
from companion.session.journal.change_lines import change_lines
from companion.session.journal.journal import Journal
from companion.session.journal.journal_backlog import JournalBacklog
from companion.session.journal.journal_lines import PLAYERS_NAMED, Adopted, Line, Observed, Opened
from companion.session.journal.journal_lines import VERSION as JOURNAL_VERSION
from companion.session.journal.reading_effort import ReadingEffort
from companion.session.narration import question_of
from companion.session.provisional_sentences import ProvisionalMessages
from companion.session.public_table import PublicTable, Shown, senses_of
from companion.session.recovery import Recovery
from companion.session.screen_channel import Screens
from companion.session.sensor_monitor import RESTARTED, SensorMonitor
from companion.session.stream.commands import Answer, CardsLaidBack, Command, Quit, TableIsRight
from companion.session.stream.events import (
    LOST_TRACK,
    LOST_UNSEEN,
    NEXT_PARTY,
    Claimed,
    Event,
    Position,
    Question,
    Said,
    Score,
    SensorHealth,
    Table,
)
from companion.session.time_grid import ROUNDING_S, TimeGrid
from companion.session.unread_cards import UnreadCards

LOOK_AT_LINK_S = 2.0
"""Time (s) between two checks of the connection to the board. A guess."""
BY_TOKEN = {"by": "token"}
"""`ManualEntry.args` of an entry that the session makes itself, because people laid down the token for it."""
LEFT = "left"
"""`ManualEntry.what` of an entry by which players leave the game to other people."""
CLEAR_FOR_OTHERS = text("Next party: clear the table, then lay out the next game.")


class Session:
    """One game at one table, from observations to events for screens.

    `publish` gets every event for all screens.
    """

    def __init__(
        self,
        game: TableGame[Any, Any],
        variant: str,
        players: int,
        *,
        clock: Clock,
        publish: Callable[[Event], None],
        journal: Journal | None = None,
        assist: str = "",
        options: Collection[str] = (),
        names: tuple[str, ...] = (),
        player_names: tuple[str, ...] = (),
        buttons: Collection[str] = (),
        virtual: bool = False,
        recorded: Sequence[Line] | None = None,
        along: Callable[[Sequence[Line]], Iterable[Line]] = iter,
        effort: ReadingEffort | None = None,
        mended: str = "",
        watch: SensorMonitor | None = None,
    ) -> None:
        """Begin a new game, or resume a recorded one.

        `recorded`: journal lines of the game to resume; None: a new game. `clock`: gives all times (s).
        `journal`: gets every line; None for a replay, which writes nothing. For a resumed game it is the
        journal of `recorded`.

        `assist`: most that hints may tell, out of ASSIST (referee, memory, nudge, coach); empty if nobody
        chose. `options`: the game's options that are on. `names`: the family's names for characters, for the
        journal; registry.give_names puts them into sentences. `player_names`: shown on screens instead of
        numbers. `buttons`: stations whose claim button was tried out and belongs to them. `virtual`: True if
        a virtual table is watched.

        `along`: function that yields the recorded lines one by one, e.g. to show progress. `effort`: limits
        the work of replaying them; None: no limit. `mended`: setup step that was done during the break; empty
        for none. `watch`: monitor of the table's sensors, shared with earlier games; None: a new one.
        """
        self.game = game
        self.variant = variant
        self.players = players
        self.assist = assist
        self.player_names = player_names
        self.quit = False
        self.carded_at = -inf
        """Clock time (s) of the last sensed card; -inf before the first."""
        self._clock = clock
        self._ahead = 0.0
        """Clock time minus session time (s)."""
        self._effort = effort
        self._backlog = JournalBacklog(journal, clock)
        self.monitor = watch or SensorMonitor(mends=not virtual)
        self.screens = Screens(publish, {one.source: one for one in self.monitor.standing})
        self._next_look = self._quiet_since = clock.now()
        self._settled = True
        corner = "" if game.hands is None else game.hands.private_corner(players, options)
        self.corner = PrivateCorner(corner, game.cards(variant))
        opened = Opened(
            JOURNAL_VERSION,
            game.name,
            variant,
            players,
            __version__,
            names=names,
            options=tuple(sorted(options)),
            parts=printed_parts(game),
            people=player_names,
            buttons=tuple(sorted(buttons)),
            virtual=virtual,
        )
        self.begin(opened)
        if recorded is None:
            self._record([opened])
        else:
            self._resume(Recovery(self, opened, recorded, along, effort), mended)

    def begin(self, opened: Opened) -> None:
        """Begin the game at its empty table.

        `opened`: the first line of its journal.
        """
        game = self.game
        state = game.empty_table(opened.variant, opened.players, opened.options)
        self.tracker: Tracker[Any, Any] = Tracker(game, opened.variant, state, opened.buttons)
        self.paused = False
        self.keys_pressed = 0
        self.questions: list[str] = []
        self._public = PublicTable(game, opened.variant, opened.players, self.assist)
        self._provisional = ProvisionalMessages()
        self.monitor.begin()
        self.entries = PlayerEntries(game, self.tracker, opened.players, self.monitor, self._provisional)
        self._end = ScoredGame(game, self.tracker)
        self._way_back = WayBackGesture(game.words.way_back)
        self._unread_cards = UnreadCards(game.words.unread)
        self._grid = TimeGrid()
        self._claims = HeardClaims(game, self.tracker)
        self._unread_claims = UnreadClaims(game, self.tracker)
        self._open_places = OpenPlaces(game, self.tracker)
        self._announcer = Announcer(
            game,
            self.tracker,
            self._provisional,
            self.entries,
            self._end,
            self._open_places,
            self._make_table,
        )
        self.statements = PlayerStatements(game, opened, state)

    def now(self) -> float:
        """Session time (s): clock time without breaks between program runs."""
        return self._clock.now() - self._ahead

    @property
    def over(self) -> bool:
        """True if the game has its score."""
        return self._end.score is not None

    def next_game(self) -> list[Observation] | None:
        """Observations of the next game so far, with clock times (s), once the table of this game is cleared.

        None before that.
        """
        kept = self._end.laid_out(self.now())
        if kept is None:
            return None
        return [msgspec.structs.replace(seen, t=round(seen.t + self._ahead, 4)) for seen in kept]

    def name_players(self, names: tuple[str, ...]) -> None:
        """Rename the players, player 1 first; screens and journal get the names."""
        now, self.player_names = self.now(), names
        self.take(now, [ManualEntry(now, PLAYERS_NAMED, {"people": list(names)})])

    @property
    def left(self) -> bool:
        """True if the players left this game to other people."""
        return self._end.left

    @property
    def _holds(self) -> bool:
        """True while nothing is concluded, because people paused or a virtual table lays cards back."""
        return self.paused or self.entries.laying_back

    def to_lay_back(self) -> tuple[str, str] | None:
        """Return (state before, undone action), once after each undo.

        None otherwise. A virtual table lays its cards back by them. Both are in the notation of the rules.
        """
        return self.entries.to_lay_back()

    def leave(self) -> None:
        """Let the players leave this game to other people.

        Screens drop their names.
        """
        now, self.player_names = self.now(), ()
        self.take(now, [ManualEntry(now, LEFT)])

    def lying(self) -> list[Observation]:
        """Cards on the table as observations, dated now (clock time).

        The next game may begin with them.
        """
        t = round(self._clock.now(), 4)
        counts = [Count(t, station, n, float(n)) for station, n in sorted(self.tracker.sensed.counts.items())]
        return [*(msgspec.structs.replace(seen, t=t) for seen in self._end.lying.values()), *counts]

    @property
    def table(self) -> Table:
        """The game's public state, as screens got it last."""
        return self._public.last or self._make_table()

    def tell(self, text: str, kind: str) -> None:
        """Show a sentence on every screen, also on those that connect later.

        It does not get into the journal. `kind`: as in `Said`, e.g. notice or fault.
        """
        self.screens.show(Said(self._clock.now(), text, kind))

    def report(self, health: SensorHealth) -> None:
        """Tell screens the health of something that is no sensor, e.g. of the machine."""
        self.screens.show(health)

    def welcome(self) -> list[Event]:
        """All events that a new screen needs, `Welcome` first."""
        state, table, score = self.tracker.state, self._make_table(), self._end.score
        used, kept = self.corner.used, self._backlog.kept
        hello = self._public.welcome(state, table, self.player_names, corner=used, kept=kept)
        return [hello, table, *self.screens.kept(), *([score] if score else [])]

    def _entry_of(self, command: Command) -> ManualEntry | str | None:
        """Journal entry of a screen's command now; a sentence if it is refused, None if it is no entry."""
        now = self.now()
        if self._end.closed(now) and isinstance(command, TableIsRight) and command.new_game is None:
            entry: ManualEntry | str | None = RESULT_STAYS
        else:
            entry = entry_of(command, now, self.game, self.tracker, self.players, self.entries, over=self.over)
        return CLEAR_FOR_OTHERS if self.left and entry is not None else entry

    def step(
        self,
        sources: Sequence[Source],
        commands: Sequence[Command] = (),
        *,
        refuse: Callable[[int, str], None] = lambda _at, _why: None,
    ) -> list[str]:
        """Do one round: read sensors, carry out commands, tell screens what changed.

        Returns a sentence for each refused command. `refuse(index, sentence)` is called for it, too; `index`:
        of the command in `commands`.
        """
        refused = []
        observations: list[Observation] = []
        for source in sources:
            observations += (self._timed(seen) for seen in source.poll())
        if observations:
            for source in sources:
                if isinstance(source, Hearing):
                    source.hear(observations)
        for at, command in enumerate(commands):
            self.keys_pressed += not isinstance(command, Quit | Answer | CardsLaidBack)
            self.quit |= isinstance(command, Quit)
            entry = self._entry_of(command)
            if isinstance(entry, str):
                refused.append(entry)
                refuse(at, entry)
            elif entry is not None:
                observations.append(entry)
        self._settled = all(source.settled for source in sources if isinstance(source, Watching))
        self.take(self.now(), observations)
        if self._backlog.due:
            self.keep()
        self._look_at_links(sources)
        return refused

    def _timed(self, seen: Observation) -> Observation:
        return msgspec.structs.replace(seen, t=round(seen.t - self._ahead, 4)) if self._ahead else seen

    def _look_at_links(self, sources: Sequence[Source]) -> None:
        now = self._clock.now()
        if now < self._next_look:
            return
        self._next_look = now + LOOK_AT_LINK_S
        for source in sources:
            if isinstance(source, Linked):
                # The journal does not get it, because cables are no part of the game.
                self.screens.show_board(source.link_status(now))

    def take(self, t: float, observations: Sequence[Observation]) -> list[Line]:
        """Process observations that arrived at `t` (s), in any number.

        The game changes only by this method and by `follow`. Returns the conclusions as journal lines.
        """
        concluded = [line for moment in self._moments(t, observations) for line in self._advance(*moment)]
        self._show_table()
        return concluded

    def follow(self, t: float, observations: Sequence[Observation]) -> list[Line]:
        """Process recorded observations whose conclusions are followed: nothing happened before `t` (s).

        Returns the conclusions as journal lines.
        """
        moments = ((at, seen) for at, seen in self._moments(t, observations) if seen or at >= t - ROUNDING_S)
        return [line for moment in moments for line in self._advance(*moment)]

    def _moments(
        self, t: float, observations: Sequence[Observation]
    ) -> Iterator[tuple[float, list[Observation]]]:
        """Yield (time in s, observations of this time) up to `t` (s), when `observations` arrived."""
        # The session made some entries itself: a replay makes them again from the recorded observations.
        given = [
            one
            for one in self.corner.without(observations)
            if not (isinstance(one, ManualEntry) and one.args in (BY_TOKEN, BY_CARDS))
        ]
        if any(isinstance(one, ManualEntry) and one.what == "resumed" for one in given):
            self._grid.skip(t)
        yield from self._grid.moments(t, given)

    def _advance(self, t: float, observations: Sequence[Observation]) -> Sequence[Line]:
        """Advance the game by the observations of time `t` (s); return the conclusions as journal lines."""
        if self._effort is not None:
            self._effort.spend(observations, self.tracker)
        if self._way_back.made(t, observations, self.tracker):
            observations = [*observations, ManualEntry(t, "table_is_right", BY_TOKEN)]
        if not self._holds and (self._unread_claims.proved(t) or self._open_places.due(t, scored=self.over)):
            observations = [*observations, ManualEntry(t, "table_is_right", BY_CARDS)]
        lines: list[Line] = [Observed(t, tuple(observations))]
        events = self._conclude(t, observations, lines)
        # Time alone may cause a revision, which is recorded with the empty batch that caused it.
        if observations or len(lines) > 1:
            self._record(lines)
        for event in events:
            self.screens.show(event)
        if observations:
            self._quiet_since = t
        if any(map(shows_card, observations)):
            self.carded_at = self._clock.now()
        self._ask_if_stuck(t)
        self._show_table()
        return lines[1:]

    def _resume(self, recovery: Recovery, mended: str) -> None:
        """Go on from the end of a recorded game.

        `mended`: setup step that was done during the break; empty for none. Every sensor that had reported
        counts as away during the break.
        """
        recovered = recovery.recover()
        self.screens.silent = False
        self._effort = None
        self.write(recovered.cut_off)
        if recovered.adopted is not None:
            self._record([recovered.adopted])
        self.entries.to_lay_back()  # drop it: a virtual table laid these cards back before the break
        self.keys_pressed, self.questions = 0, []
        self.statements.asked = False
        now = recovered.resumed_at(self._clock.now())
        self._ahead = self._clock.now() - now
        self._quiet_since = now
        self.screens.await_news({*recovered.sensors} - self.monitor.gone.keys())
        silent = [Health(recovered.ended, name, False, RESTARTED) for name in recovered.sensors]
        self.take(now, [ManualEntry(now, "resumed", {"mended": mended} if mended else {}), *silent])

    def _conclude(self, t: float, observations: Sequence[Observation], lines: list[Line]) -> list[Event]:
        events: list[Event] = []
        for seen in observations:
            if isinstance(seen, ManualEntry):
                events += self._manual(seen, lines)
        before = self.tracker.state
        waiting: list[Claimed] = []
        self.entries.look_at_time(t)
        if self._end.closed(t) or self.entries.laying_back:
            self.tracker.watch(observations)
            change: Change[Any, Any] = Change()
        else:
            given = observations
            if not self.paused:
                given, waiting = self._unread_claims.hold(t, observations)
            change = self.tracker.feed(t, given, hold=self.paused)
            self.statements.look(observations, self.tracker.state)
            events += self._unread_cards.look(t, observations)
        if not self._holds:
            events += self._claims.hear(t, observations, before)
        events += waiting
        heard = self.monitor.hear(t, observations, self.tracker)
        events += heard.events
        lines += heard.lines
        answered = any(isinstance(seen, ManualEntry) and seen.what == "answer" for seen in observations)
        events += self.tell_change(t, change, lines, answered=answered)
        events += self._claims.left_open(t)
        scores = [event for event in events if isinstance(event, Score)]
        if scores:
            self._end.scored(t, scores[-1])
        self._end.watch(t, observations)
        return events

    def tell_change(
        self, t: float, change: Change[Any, Any], lines: list[Line], *, answered: bool = False
    ) -> list[Event]:
        """Events on actions that the tracker has published or revoked; their journal lines join `lines`.

        `answered`: people's answer to a question led to the change.
        """
        lines += change_lines(self.game, t, change, self.tracker.state)
        return self._announcer.tell(t, change, answered=answered)

    @property
    def lost(self) -> bool:
        """True while people are told that no history explains the observations."""
        return self.screens.question.id in (LOST_TRACK, LOST_UNSEEN)

    def position(self) -> Position:
        """What the companion would believe of the game if people said that the table is right.

        The game does not change.
        """
        return self._public.position(self.tracker, self._shown(), self.now())

    def _manual(self, entry: ManualEntry, lines: list[Line]) -> list[Event]:
        match entry.what:
            case "resumed":
                self._claims.name_again()
            case "pause":
                self.paused = bool(entry.args.get("paused"))
            case what if what == LEFT:
                self._end.leave()
        done = self.entries.take(entry, over=self.over)
        if done.reopened or done.change is not None or any(isinstance(line, Adopted) for line in done.lines):
            self._announcer.forget_verdicts()
        if done.reopened:
            self._end.reopen()
            self._open_places.leave()
        lines += done.lines
        return [*done.said, *(self.tell_change(entry.t, done.change, lines) if done.change is not None else ())]

    def _ask_if_stuck(self, t: float) -> None:
        """Tell screens the question for people if it has changed, e.g. if no history fits any more."""
        if self.screens.silent:
            return
        question = Question("")
        if self.left:
            question = Question(CLEAR_FOR_OTHERS, ("table_is_right",), NEXT_PARTY)
        elif not self._holds and not self._end.closed(t):
            quiet_s, senses = t - self._quiet_since, self._shown().senses
            question = question_of(self.tracker, self.screens.question, t, quiet_s=quiet_s, senses=senses)
        if question != self.screens.question:
            if question.text and question.options != self.screens.question.options:
                self.questions.append(question.text)
            self.screens.show(question)

    def _make_table(self) -> Table:
        """Make the public table of the state that is published now."""
        return self._public.made(self.tracker, self._shown())

    def _shown(self) -> Shown:
        return Shown(
            senses_of(self.tracker.sensed, self.screens.health),
            self.statements.turned_up,
            self.paused,
            self._provisional.texts,
            self.entries.put_right(),
            self._settled,
            (*self._claims.waiting, *self._unread_claims.waiting),
        )

    def _show_table(self) -> None:
        table = None if self.screens.silent else self._public.news(self.tracker, self._shown())
        if table is not None:
            self.screens.send(table)

    def _record(self, lines: Sequence[Line]) -> None:
        self.statements.hear(lines, self.tracker.state)
        if not self.screens.silent:
            self.write(lines)

    def write(self, lines: Sequence[Line]) -> None:
        """Add lines to the journal; some wait in memory for the next write to the disk."""
        self._backlog.add(lines)
        if self._backlog.due:
            self.keep()

    def keep(self) -> bool:
        """Write waiting journal lines; False if the disk refuses them."""
        news = self._backlog.write()
        if news is not None:
            self.screens.show(news)
            if news.ok:
                self.tell(text("There is room on the disk again: nothing of this game is lost."), "notice")
        return not self._backlog

    def what_is_lost(self) -> str:
        """Sentence for people: up to which turn the game is on the disk."""
        return self._backlog.what_is_lost(self.game)
