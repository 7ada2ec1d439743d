"""Replays of a recorded evening from camera pictures and board bytes, which are decoded anew.

A recording has a folder, called a part, for each run of the program.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from companion.core.clock import Clock, ManualClock
from companion.core.errors import BadInputError, JournalError
from companion.core.language import plural, text
from companion.fusion.hypothesis import Step
from companion.games.registry import check_table, load_game
from companion.games.table_game import TableGame
from companion.sensing.camera_source import CameraSource, watch
from companion.sensing.observation import UNREAD, Health, ManualEntry, Observation, Sighting
from companion.sensing.recorded_pictures import RecordedPictures
from companion.sensing.recording_folder import (
    ART,
    HOME,
    JOURNALS,
    Part,
    RecordedGame,
    RecordedSettings,
    read_parts,
)
from companion.sensing.source import Source
from companion.session.journal.journal import Journal, Scan, read_good_lines
from companion.session.journal.journal_fold import Fold
from companion.session.journal.journal_lines import Line, Observed, Opened
from companion.session.journal.recorded_board import RecordedBoard
from companion.session.journal.recorded_timeline import STEP_S, Timeline
from companion.session.narration import verdict_of
from companion.session.sensor_monitor import SensorMonitor
from companion.session.session import Session
from companion.session.stream.events import Claimed

_AROUND_S = 5.0
"""Time (s) before and after a replay's end in which its beliefs are compared with the journal's.

Observations of a replay come slightly earlier or later than recorded. A guess.
"""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What was believed about a game from `t` (s) on.

    `state`: in the notation of the rules. `score`, `out_of`: points, and highest possible points; None before
    the end. `outcome`: sentence about the end; empty before it.
    """

    t: float
    state: str
    verdicts: tuple[tuple[int, str], ...]
    """(claimed place from 1, verdict) of each judged claim. A verdict is proved, refuted or cannot tell."""
    score: int | None
    out_of: int | None
    outcome: str


def conclusions(game: TableGame[Any, Any], opened: Opened, lines: Iterable[Line]) -> list[Conclusion]:
    """Compute from journal lines what was believed about the game after each of them, oldest first.

    The first belief is the empty table. The list ends at the first line that the rules do not allow.
    """
    fold = Fold(game, game.empty_table(opened.variant, opened.players, opened.options))
    claims: list[Claimed | None] = []
    found = [_concluded(game, fold.state, claims, -inf)]
    for line in lines:
        if isinstance(line, Opened | Observed):
            continue
        before, count = fold.state, len(fold.before)
        try:
            fold.take(line)
        except JournalError:
            break
        if len(fold.before) > count:
            action = game.read_action(getattr(line, "a", ""))
            claims.append(verdict_of(game, Step(line.t, before, action, fold.state)))
        del claims[len(fold.before) :]
        if fold.state is not before or len(fold.before) != count:
            found.append(_concluded(game, fold.state, claims, line.t))
    return found


def _concluded(game: TableGame[Any, Any], state: Any, claims: Sequence[Claimed | None], t: float) -> Conclusion:
    outcome = game.outcome(state)
    verdicts = tuple((one.subject, str(one.verdict)) for one in claims if one is not None)
    score, out_of = (None, None) if outcome is None else (outcome.score, outcome.out_of)
    return Conclusion(
        t, game.write_state(state), verdicts, score, out_of, "" if outcome is None else outcome.text
    )


@dataclass(slots=True)
class ReplayedGame:
    """What journal and replay believed about a recorded game, to be compared.

    `then`: beliefs in the journal. `now`: beliefs of the replay. `journal`: name of the journal's file. `end`:
    time of the journal (s) at which the replay ends.
    """

    journal: str
    opened: Opened
    then: list[Conclusion]
    """Beliefs in the journal, oldest first; empty if it cannot be read."""
    now: list[Conclusion]
    end: float

    @property
    def agree(self) -> bool:
        """True if journal and replay agree at the replay's end.

        Each side's beliefs within _AROUND_S (5 s) of the end are taken. Any one of the journal's must have the
        same state, verdicts and score as any one of the replay's.
        """
        last = [
            {(one.state, one.verdicts, one.score) for one in _about(side, self.end)}
            for side in (self.then, self.now)
        ]
        return bool(last[0] & last[1])

    def as_dict(self) -> dict[str, Any]:
        """The final beliefs of journal and replay, as JSON-ready values.

        `final_state`, `verdicts` and `score` are of the journal; `replayed_state` and so on of the replay.
        `matches`: True if both agree. `differs`: parts of the state, by their names in the notation of the
        rules, in which they do not. docs/recordings.md lists all keys.
        """
        then = _about(self.then, self.end)[-1] if self.then else None
        now = _about(self.now, self.end)[-1]
        return {
            "journal": self.journal,
            "game": self.opened.game,
            "variant": self.opened.variant,
            "players": self.opened.players,
            "final_state": None if then is None else then.state,
            "replayed_state": now.state,
            "verdicts": None if then is None else then.verdicts,
            "replayed_verdicts": now.verdicts,
            "score": None if then is None else then.score,
            "replayed_score": now.score,
            "out_of": now.out_of,
            "over": now.score is not None,
            "outcome": now.outcome,
            "matches": self.agree,
            "differs": [] if then is None or self.agree else _unlike(then.state, now.state),
        }


def _unlike(then: str, now: str) -> list[str]:
    """Names of the parts in which two states differ, e.g. ["hands", "discard"], without what lies there."""
    before, after = (dict(part.partition("=")[::2] for part in state.split()) for state in (then, now))
    return [name for name in {**before, **after} if before.get(name) != after.get(name)]


def _about(side: Sequence[Conclusion], end: float) -> list[Conclusion]:
    """Beliefs held within _AROUND_S of `end` (s), oldest first.

    The belief held at the beginning of this time is included.
    """
    known = [one for one in side if one.t <= end + _AROUND_S]
    last = [one for one in known if one.t > end - _AROUND_S]
    return [*known[: len(known) - len(last)][-1:], *last]


def replay_recording(folder: Path, along: Callable[[Sequence[int]], Iterable[int]] = iter) -> dict[str, Any]:
    """Replay a recording, and compare each game with its journal.

    Returns JSON-ready values: `games`, and `matches`, True if all of them agree. `along`: yields the seconds
    of a run of the program one by one, e.g. to show progress. BadInputError if `folder` is no recording, or
    if nothing in it can be replayed.
    """
    replay = Replay(folder)
    games = replay.run(along)
    if not games:
        raise BadInputError(
            text("nothing of this recording can be replayed: {why}", why=tuple(replay.missing)),
            where=str(folder),
            next_step=text("copy it again from where it was recorded"),
        )
    return {
        "recording": str(folder),
        "games": [one.as_dict() for one in games],
        "matches": all(one.agree for one in games),
        "over": all(one.as_dict()["over"] for one in games),
        "missing": replay.missing,
    }


class Replay:
    """A replay of the recording in `folder`.

    BadInputError if `folder` is no recording. `parts`: the recorded runs of the program. `missing`: sentences
    about lost or damaged files.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.parts = read_parts(folder)
        self.missing: list[str] = [fault for part in self.parts for fault in part.faults]
        self._journals: dict[str, Scan | None] = {}
        self._games: list[_Game] = []
        self._pictures: RecordedPictures | None = None

    def run(self, along: Callable[[Sequence[int]], Iterable[int]] = iter) -> list[ReplayedGame]:
        """Replay all runs, and compare each game with its journal.

        `along`: yields the seconds of a run one by one, e.g. to show progress.
        """
        for part in self.parts:
            self._replay_part(part, along)
        return [game.replayed() for game in self._games]

    def _replay_part(self, part: Part, along: Callable[[Sequence[int]], Iterable[int]]) -> None:
        if not (part.games or part.frames or part.port):
            return  # the table was never opened
        games = part.games or self._games_unnamed(part)
        settings = part.settings or self._settings_unnamed(games)
        if not games or settings is None:
            self.missing.append(text("{part}: nobody knows which game it is", part=part.folder.name))
            return
        self._replay_games(part, games, settings, along)

    def _replay_games(
        self,
        part: Part,
        games: Sequence[RecordedGame],
        settings: RecordedSettings,
        along: Callable[[Sequence[int]], Iterable[int]],
    ) -> None:
        self._pictures = None
        shift = games[0].ahead
        timeline = Timeline.of(part, shift, self._end_of(part, games, shift), self.missing)
        if timeline is None:
            self.missing.append(text("{part}: neither pictures nor bytes", part=part.folder.name))
        game = self._game(games[0], settings)
        begins = games[0].begins - shift
        waiting = game.go_on(begins)
        clock = game.clock
        clock.sleep(max(0.0, begins - clock.now()))
        if timeline is None:
            game.end = waiting.end
            return
        sources = self._sources(part, settings, timeline, game)
        later = [one for one in games[1:] if one.begins - shift <= timeline.end]
        try:
            for _ in along(range(max(1, int(timeline.end - clock.now()) + 1))):
                second = clock.now() + 1.0
                while clock.now() < min(second, timeline.end):
                    clock.sleep(timeline.step(clock.now()))
                    if later and clock.now() >= later[0].begins - shift:
                        one = later.pop(0)
                        waiting, game = self._next_game(game, one, settings, clock, one.ahead - shift)
                    game.session.step([*sources, waiting])
                game.end = clock.now()
                if clock.now() >= timeline.end:
                    break
        finally:
            for source in sources:
                source.close()
        self._note_unread(part.folder.name, sources)

    def _note_unread(self, part: str, sources: Iterable[object]) -> None:
        """Add a sentence to `missing` for damaged frames of the board, and for unreadable pictures.

        `part`: name of the run of the program. `sources`: those of the run, of which only boards are asked.
        """
        for damaged in [one.damaged for one in sources if isinstance(one, RecordedBoard)]:
            if damaged:
                self.missing.append(
                    plural(
                        "{part}: the port's bytes: {n} frame is damaged",
                        "{part}: the port's bytes: {n} frames are damaged",
                        n=damaged,
                        part=part,
                    )
                )
        if self._pictures is not None and self._pictures.unreadable:
            self.missing.append(
                plural(
                    "{part}: {n} picture cannot be read",
                    "{part}: {n} pictures cannot be read",
                    n=self._pictures.unreadable,
                    part=part,
                )
            )

    def _next_game(
        self, before: "_Game", begun: RecordedGame, settings: RecordedSettings, clock: ManualClock, off: float
    ) -> "tuple[_People, _Game]":
        """Begin a further game at the same table, within one run of the program.

        `before`: the game before it, whose table and sensors the new game takes over. `begun`: what is
        recorded of the new game. `off`: time of the replay's clock minus journal time (s). Returns people's
        recorded entries as a source, and the game.
        """
        lying, works = before.session.lying(), dict(before.session.screens.health)
        game = self._game(begun, settings, clock, before.watch, off)
        game.session.screens.health = works | game.session.screens.health
        if lying:
            game.session.take(clock.now(), lying)
        return game.entries(begun.begins - begun.ahead), game

    def _game(
        self,
        begun: RecordedGame,
        settings: RecordedSettings,
        clock: ManualClock | None = None,
        sensors: SensorMonitor | None = None,
        off: float = 0.0,
    ) -> "_Game":
        """Begin to replay a game, or go on with the newest one if `begun` is a later piece of it.

        `clock`, `sensors`: those of the game before; None: new ones. `off`: time of the replay's clock minus
        journal time (s).
        """
        if clock is None and self._games and self._games[-1].journal == begun.journal:
            return self._games[-1]
        scan = self._scan(begun.journal)
        opened = Opened(
            1, settings.game, settings.variant, settings.players, options=settings.options, parts=settings.parts
        )
        if scan is not None and isinstance(scan.lines[0], Opened):
            opened = scan.lines[0]
        own = ManualClock(begun.begins - begun.ahead) if clock is None else clock
        lines = () if scan is None else tuple(scan.lines)
        game = _Game(begun.journal, opened, settings.buttons, lines, own, off, sensors)
        self._games.append(game)
        return game

    def _scan(self, name: str) -> Scan | None:
        """The lines of journal `name` before any damage, decoded once.

        None if its first line is damaged.
        """
        if name not in self._journals:
            try:
                scan = read_good_lines(self._folder / JOURNALS / Path(name).name)
                if scan.fault or scan.cut:
                    line = len(scan.lines) + 1
                    self.missing.append(text("{journal}: damaged from line {line} on", journal=name, line=line))
                self._journals[name] = scan
            except JournalError as error:
                self.missing.append(text("{journal}: {why}", journal=name, why=error.what))
                self._journals[name] = None
        return self._journals[name]

    def _end_of(self, part: Part, games: Sequence[RecordedGame], shift: float) -> float:
        """Time (s, replay's clock) of the last journal line from a run of the program; infinite if unknown.

        `shift`: recorded time minus time of the replay's clock (s).
        """
        later = [game for one in self.parts[self.parts.index(part) + 1 :] for game in one.games]
        ends = []
        for one in games:
            goes_on = [game.begins - game.ahead for game in later if game.journal == one.journal]
            until = min(goes_on, default=inf)
            scan = self._scan(one.journal)
            lines = () if scan is None else [line for line in scan.lines if _time(line) < until - STEP_S]
            if scan is not None and len(lines) > 1 and (until < inf or not (scan.fault or scan.cut)):
                ends.append(_time(lines[-1]) + one.ahead - shift)
        return max(ends, default=inf)

    def _games_unnamed(self, part: Part) -> list[RecordedGame]:
        """Games of a run whose list of games is lost: the only journal of the recording.

        Empty if the recording has several journals or none, or if nothing of the run is recorded.
        """
        try:
            journals = sorted((self._folder / JOURNALS).glob("*.jsonl"))
        except OSError:
            journals = []
        times = [frame.t for frame in part.frames[:1]] + [t for t, _ in part.port[:1]]
        if len(journals) != 1 or not times:
            return []
        return [RecordedGame(journals[0].name, min(times))]

    def _settings_unnamed(self, games: Sequence[RecordedGame]) -> RecordedSettings | None:
        """Settings of a run whose own are lost, from the journal of its first game.

        None without a journal.
        """
        scan = self._scan(games[0].journal) if games else None
        if scan is None:
            return None
        opened = scan.lines[0]
        assert isinstance(opened, Opened)
        return RecordedSettings(
            opened.game, opened.variant, opened.players, opened.options, opened.parts, buttons=opened.buttons
        )

    def _sources(
        self, part: Part, settings: RecordedSettings, timeline: "Timeline", game: "_Game"
    ) -> list[Source]:
        sources: list[Source] = []
        if timeline.port:
            sources.append(RecordedBoard(timeline.port, settings, game.clock))
        if timeline.frames:
            lying = unread_before(game.lines, game.clock.now())
            self._pictures = RecordedPictures(timeline.frames, game.clock, settings.left_out)
            sources.append(
                camera_of(part, settings, self._pictures, game.clock, game.game, lying, self.missing)
            )
        return sources


def camera_of(
    part: Part,
    settings: RecordedSettings,
    pictures: RecordedPictures,
    clock: Clock,
    game: TableGame[Any, Any],
    lying: Mapping[str, Sequence[tuple[float, float]]],
    missing: list[str],
) -> CameraSource:
    """Make the source that decodes the recorded camera pictures of one run of the program.

    `pictures`: yields the pictures at their times. `lying`: zone -> positions (mm) of cards that lay unread
    at the start. `missing`: list to which a sentence is added for each file that cannot be read.
    """
    from companion.sensing.vision_words import told
    from vision.art.art_book import load_book
    from vision.art.art_recogniser import ArtBook
    from vision.errors import UnusableError
    from vision.mat.remembered_table import home_of

    book = home = None
    try:
        if settings.art:
            kinds = {card.kind for card in game.cards(settings.variant)}
            views = load_book(part.folder / ART).views
            book = ArtBook(tuple(view for view in views if view.name in kinds))
        if settings.home:
            home = home_of((part.folder / HOME).read_bytes(), str(part.folder / HOME))
    except (OSError, UnusableError) as error:
        what = told(error).told if isinstance(error, UnusableError) else str(error)
        missing.append(text("{part}: {what}", part=part.folder.name, what=what))
    return watch(game, settings.variant, pictures, clock, settings.lens, book, lying, home)


def unread_before(lines: Iterable[Line], t: float) -> dict[str, tuple[tuple[float, float], ...]]:
    """Find the cards that the camera saw, but could not read, at time `t` (s).

    Returns zone of the mat -> positions (x, y; mm).
    """
    found: dict[str, tuple[tuple[float, float], ...]] = {}
    for line in lines:
        for one in line.o if isinstance(line, Observed) and line.t <= t else ():
            if isinstance(one, Sighting):
                found[one.zone] = tuple((card.x, card.y) for card in one.cards if card.card == UNREAD)
    return {zone: places for zone, places in found.items() if places}


class _Game:
    """A game in replay: new session and recorded journal."""

    def __init__(
        self,
        journal: str,
        opened: Opened,
        buttons: Sequence[str],
        lines: Sequence[Line],
        clock: ManualClock,
        off: float,
        sensors: SensorMonitor | None,
    ) -> None:
        self.journal, self.opened, self.lines, self.clock, self._off = journal, opened, lines, clock, off
        self.game = load_game(opened.game, opened.parts)
        check_table(self.game, opened.variant, opened.players)
        self.watch = sensors or SensorMonitor()
        self._told = _Lines()
        self.end = clock.now()
        self.taken_until = -inf
        self.session = Session(
            self.game,
            opened.variant,
            opened.players,
            clock=clock,
            publish=lambda _: None,
            journal=self._told,
            options=opened.options,
            buttons=opened.buttons or tuple(buttons),
            watch=self.watch,
        )

    def go_on(self, begins: float) -> "_People":
        """Replay the journal lines of an earlier run that was not recorded, up to time `begins` (s).

        Returns people's later entries as a source.
        """
        resumed = max(
            (_time(line) for line in self.lines if _resumes(line) and _time(line) <= begins + STEP_S),
            default=-inf,
        )
        unrecorded = [
            line for line in self.lines if isinstance(line, Observed) and self.taken_until < line.t < resumed
        ]
        for line in unrecorded:
            self.clock.sleep(max(0.0, line.t - self.clock.now()))
            self.session.take(line.t, line.o)
        return self.entries(max(resumed, self.taken_until) if resumed > -inf else -inf)

    def entries(self, since: float) -> "_People":
        """Source of people's recorded entries from journal time `since` (s)."""
        return _People(self, [line for line in self.lines if isinstance(line, Observed) and line.t >= since])

    def now(self) -> float:
        """Time now (s), as the journal counts it."""
        return self.clock.now() - self._off

    def replayed(self) -> ReplayedGame:
        """Return journal's and replay's beliefs so far, to compare them."""
        then = conclusions(self.game, self.opened, self.lines) if self.lines else []
        now = conclusions(self.game, self.opened, self._told.lines)
        moved = [Conclusion(one.t - self._off, *_rest(one)) for one in now]
        return ReplayedGame(self.journal, self.opened, then, moved, self.end - self._off)


def _rest(one: Conclusion) -> tuple[str, tuple[tuple[int, str], ...], int | None, int | None, str]:
    return one.state, one.verdicts, one.score, one.out_of, one.outcome


class _People:
    """A source that repeats people's entries in a recorded game."""

    def __init__(self, game: _Game, lines: Sequence[Observed]) -> None:
        self._game = game
        self._lines: Iterator[Observed] = iter(lines)
        self._next = next(self._lines, None)
        self.end = lines[-1].t if lines else game.now()
        self.finished = False

    def poll(self) -> list[Observation]:
        """Return entries due since the last call, oldest first."""
        due: list[Observation] = []
        while self._next is not None and self._next.t <= self._game.now():
            self._game.taken_until = self._next.t
            # After a break the program, not a sensor, reports that sensors are silent: replay these reports.
            silent = Health if _resumes(self._next) else ManualEntry
            due += [one for one in self._next.o if isinstance(one, ManualEntry | silent)]
            self._next = next(self._lines, None)
        return due

    def close(self) -> None:
        """Do nothing, because the entries are in memory."""


def _resumes(line: Line) -> bool:
    return isinstance(line, Observed) and any(
        isinstance(one, ManualEntry) and one.what == "resumed" for one in line.o
    )


def _time(line: Line) -> float:
    return 0.0 if isinstance(line, Opened) else line.t


class _Lines(Journal):
    """A journal without a file: its lines stay in memory."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.path, self.salvaged = Path(), ""

    def write(self, lines: Iterable[Line]) -> None:
        """Append lines in memory."""
        self.lines += lines

    def close(self) -> None:
        """Do nothing, because there is no file."""
