"""Replays a recorded evening from its frames and bytes: decoder, reader and session conclude anew."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import inf
from pathlib import Path
from typing import Any

from companion.core.clock import Clock, ManualClock
from companion.core.errors import BadInputError, JournalError
from companion.core.language import plural, text
from companion.fusion.hypothesis import Step
from companion.games.api import TableGame
from companion.games.registry import check_table, load_game
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
    StoredFrame,
    read_parts,
)
from companion.sensing.source import Source
from companion.session.journal.journal import Fold, Journal, Line, Observed, Opened, Scan, read_good_lines
from companion.session.journal.recorded_board import SILENT_S, RecordedBoard
from companion.session.narration import verdict_of
from companion.session.sensor_monitor import SensorMonitor
from companion.session.session import Session
from companion.session.stream.events import Claimed
from firmware.host.port_recording import Records

STEP_S = 1 / 15
"""STEP_S: one round of the lock step (s), the time between two frames of a camera."""
AFTER_S = 2.0
"""AFTER_S: time (s) that passes after the last frame and the last byte: less than a lost camera needs."""
_BACK_S = 0.5
"""_BACK_S: a clock that goes back by more (s) is damage."""
_BEYOND_S = 60.0
"""_BEYOND_S: what is dated so much later (s) than the end of the last journal has a wrong clock."""
_AROUND_S = 5.0
"""_AROUND_S: conclusions of both sides within so many seconds of the end are held against each other: the
sensors report a little earlier or later than they did."""
_IDLE_S = 60.0
"""_IDLE_S: time (s) without anything recorded after which the clock is moved on at once."""
_MISSED_S = 3.0
"""_MISSED_S: a longer gap between two frames (s) is told: one was kept every second."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What was believed at the time `t` (s): the state in the game's notation, verdicts, and the score."""

    t: float
    state: str
    verdicts: tuple[tuple[int, str], ...]
    """Each claim in order: its subject (from 1), and the verdict."""
    score: int | None
    out_of: int | None
    outcome: str


def conclusions(game: TableGame[Any, Any], opened: Opened, lines: Iterable[Line]) -> list[Conclusion]:
    """Everything that a journal has believed, one after another; it ends where the rules refuse a line."""
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
    """A game of the recording: what its journal concluded and what is concluded now, until the end (s)."""

    journal: str
    opened: Opened
    then: list[Conclusion]
    """Empty without a journal that can be read."""
    now: list[Conclusion]
    end: float

    @property
    def agree(self) -> bool:
        """Whether both have come to the same state, verdicts and score about the end."""
        last = [
            {(one.state, one.verdicts, one.score) for one in _about(side, self.end)}
            for side in (self.then, self.now)
        ]
        return bool(last[0] & last[1])

    def as_dict(self) -> dict[str, Any]:
        """For a program; see docs/recordings.md."""
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
        }


def _about(side: Sequence[Conclusion], end: float) -> list[Conclusion]:
    """The conclusions that held within _AROUND_S of the end, oldest first; never none of some."""
    known = [one for one in side if one.t <= end + _AROUND_S]
    last = [one for one in known if one.t > end - _AROUND_S]
    return [*known[: len(known) - len(last)][-1:], *last]


def replay_recording(folder: Path, along: Callable[[Sequence[int]], Iterable[int]] = iter) -> dict[str, Any]:
    """Replay the recording in a folder. BadInputError if there is none, or if nothing of it can be replayed.

    `along` hands out the seconds of the recording and may tell how far it is.
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
    """One replay of a recording. `missing`: what of it is missing or damaged, as sentences."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.parts = read_parts(folder)
        self.missing: list[str] = [fault for part in self.parts for fault in part.faults]
        self._journals: dict[str, Scan | None] = {}
        self._games: list[_Game] = []
        self._pictures: RecordedPictures | None = None

    def run(self, along: Callable[[Sequence[int]], Iterable[int]] = iter) -> list[ReplayedGame]:
        """Replay every part, and hold each game against its journal."""
        for part in self.parts:
            self._replay_part(part, along)
        return [game.replayed() for game in self._games]

    def _replay_part(self, part: Part, along: Callable[[Sequence[int]], Iterable[int]]) -> None:
        if not part.games and not part.frames and not part.port:
            return  # the table was never opened
        games = part.games or self._games_unnamed(part)
        settings = part.settings or self._settings_unnamed(games)
        if not games or settings is None:
            self.missing.append(text("{part}: nobody knows which game it is", part=part.folder.name))
            return
        self._pictures = None
        shift = games[0].ahead
        timeline = _Timeline.of(part, shift, self._end_of(part, games, shift), self.missing)
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
        for damaged in [one.damaged for one in sources if isinstance(one, RecordedBoard)]:
            if damaged:
                self.missing.append(
                    plural(
                        "{part}: the port's bytes: {n} frame is damaged",
                        "{part}: the port's bytes: {n} frames are damaged",
                        n=damaged,
                        part=part.folder.name,
                    )
                )
        if self._pictures is not None and self._pictures.unreadable:
            self.missing.append(
                plural(
                    "{part}: {n} picture cannot be read",
                    "{part}: {n} pictures cannot be read",
                    n=self._pictures.unreadable,
                    part=part.folder.name,
                )
            )

    def _next_game(
        self, before: "_Game", begun: RecordedGame, settings: RecordedSettings, clock: ManualClock, off: float
    ) -> "tuple[_People, _Game]":
        """The next game at the same table, of which is known what lies there."""
        lying, works = before.session.lying(), dict(before.session.health)
        game = self._game(begun, settings, clock, before.watch, off)
        game.session.health = works | game.session.health
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
        """The game of this journal: the one that goes on, or a new one. `off`: clock minus journal (s)."""
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
        """The readable lines of a journal; None without any."""
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
        """When this part wrote the last line of these games' journals (s on the replay's clock); infinite if
        nobody knows."""
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
        """The game of a part that does not say it: the only journal there is."""
        try:
            journals = sorted((self._folder / JOURNALS).glob("*.jsonl"))
        except OSError:
            journals = []
        times = [frame.t for frame in part.frames[:1]] + [t for t, _ in part.port[:1]]
        if len(journals) != 1 or not times:
            return []
        return [RecordedGame(journals[0].name, min(times))]

    def _settings_unnamed(self, games: Sequence[RecordedGame]) -> RecordedSettings | None:
        """What the journal says of the table, for a part whose settings are lost."""
        scan = self._scan(games[0].journal) if games else None
        if scan is None:
            return None
        opened = scan.lines[0]
        assert isinstance(opened, Opened)
        return RecordedSettings(
            opened.game, opened.variant, opened.players, opened.options, opened.parts, buttons=opened.buttons
        )

    def _sources(
        self, part: Part, settings: RecordedSettings, timeline: "_Timeline", game: "_Game"
    ) -> list[Source]:
        """Camera and board of a part, as they were watched, but from the recording."""
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
    """The camera of a part, watched as it was."""
    from vision.art.art_book import load_book
    from vision.art.art_recogniser import ArtBook
    from vision.mat.home import home_of

    book = home = None
    try:
        if settings.art:
            kinds = {card.kind for card in game.cards(settings.variant)}
            views = load_book(part.folder / ART).views
            book = ArtBook(tuple(view for view in views if view.name in kinds))
        if settings.home:
            home = home_of((part.folder / HOME).read_bytes(), str(part.folder / HOME))
    except (OSError, BadInputError) as error:
        what = error.told if isinstance(error, BadInputError) else str(error)
        missing.append(text("{part}: {what}", part=part.folder.name, what=what))
    return watch(game, settings.variant, pictures, clock, settings.lens, book, lying, home)


def unread_before(lines: Iterable[Line], t: float) -> dict[str, tuple[tuple[float, float], ...]]:
    """Zone -> places (mm) of cards that lay there unread at the time `t` (s), by a journal's lines."""
    found: dict[str, tuple[tuple[float, float], ...]] = {}
    for line in lines:
        for one in line.o if isinstance(line, Observed) and line.t <= t else ():
            if isinstance(one, Sighting):
                found[one.zone] = tuple((card.x, card.y) for card in one.cards if card.card == UNREAD)
    return {zone: places for zone, places in found.items() if places}


@dataclass(slots=True)
class _Timeline:
    """Frames and bytes of a part with times of the replay's clock, as far as both go; `end`: until when (s)."""

    frames: list[StoredFrame]
    port: Records
    end: float
    _times: list[float] = field(default_factory=list)

    @classmethod
    def of(cls, part: Part, shift: float, journal_end: float, missing: list[str]) -> "_Timeline | None":
        """What can be replayed of a part; None if nothing can."""
        name, last = part.folder.name, journal_end + _BEYOND_S
        begins = min((one.begins for one in part.games), default=-inf) - shift - _BEYOND_S
        frames = [_moved(one, shift) for one in part.frames]
        inside = [one for one in frames if begins <= one.t <= last]
        if len(inside) < len(frames):
            missing.append(
                plural(
                    "{part}: {n} picture has an impossible time",
                    "{part}: {n} pictures have impossible times",
                    n=len(frames) - len(inside),
                    part=name,
                )
            )
        port, fault = _steady([(t - shift, data) for t, data in part.port], begins, last)
        if fault:
            missing.append(text("{part}: the port's bytes: {fault}", part=name, fault=fault))
        ends = [side for side in ([one.t for one in inside][-1:], [t for t, _ in port][-1:]) if side]
        if not ends:
            return None
        end = min(one[0] for one in ends)
        latest = max(journal_end if journal_end < inf else end, *(one[0] for one in ends))
        if latest - end > _MISSED_S:
            early = round(latest - end)
            pictures_end = bool(inside) and inside[-1].t == end
            missing.append(
                text(
                    "{part}: the pictures end {seconds} s before the rest, and the replay with them",
                    part=name,
                    seconds=early,
                )
                if pictures_end
                else text(
                    "{part}: the bytes end {seconds} s before the rest, and the replay with them",
                    part=name,
                    seconds=early,
                )
            )
        gaps = [(before.t, after.t) for before, after in pairwise(inside) if after.t - before.t > _MISSED_S]
        if gaps:
            missing.append(
                plural(
                    "{part}: no picture for {seconds} s, in {n} gap",
                    "{part}: no picture for {seconds} s, in {n} gaps",
                    n=len(gaps),
                    part=name,
                    seconds=round(sum(after - before for before, after in gaps)),
                )
            )
        kept = [one for one in inside if one.t <= end + AFTER_S]
        bytes_kept = [(t, data) for t, data in port if t <= end + AFTER_S]
        times = sorted([one.t for one in kept] + [t for t, _ in bytes_kept], reverse=True)
        return cls(kept, bytes_kept, end + AFTER_S, times)

    def step(self, now: float) -> float:
        """How long (s) the next round is: long where nothing was recorded."""
        while self._times and self._times[-1] <= now:
            self._times.pop()
        quiet = (self._times[-1] if self._times else self.end) - now
        return quiet - SILENT_S if quiet > _IDLE_S else STEP_S


def _moved(frame: StoredFrame, shift: float) -> StoredFrame:
    return replace(frame, t=frame.t - shift)


def _steady(records: Records, begins: float, last: float) -> tuple[Records, str]:
    """The records up to where their clock goes back or leaves the evening, and what is wrong there."""
    before = begins
    for number, (t, _) in enumerate(records):
        if t < before - _BACK_S or t < begins or t > last:
            return records[:number], text("the clock jumps in record {number}", number=number + 1)
        before = max(before, t)
    return records, ""


class _Game:
    """A game that is replayed: its session, and the lines of its journal."""

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
        """Take from the journal what no part has recorded, up to `begins` (s); what people do after that."""
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
        """What people did and said from a time of the journal (s) on."""
        return _People(self, [line for line in self.lines if isinstance(line, Observed) and line.t >= since])

    def now(self) -> float:
        """The time in the journal (s)."""
        return self.clock.now() - self._off

    def replayed(self) -> ReplayedGame:
        """What its journal concluded, and what is concluded now."""
        then = conclusions(self.game, self.opened, self.lines) if self.lines else []
        now = conclusions(self.game, self.opened, self._told.lines)
        moved = [Conclusion(one.t - self._off, *_rest(one)) for one in now]
        return ReplayedGame(self.journal, self.opened, then, moved, self.end - self._off)


def _rest(one: Conclusion) -> tuple[str, tuple[tuple[int, str], ...], int | None, int | None, str]:
    return one.state, one.verdicts, one.score, one.out_of, one.outcome


class _People:
    """A source of what people did by keys and said, at the times of a journal."""

    def __init__(self, game: _Game, lines: Sequence[Observed]) -> None:
        self._game = game
        self._lines: Iterator[Observed] = iter(lines)
        self._next = next(self._lines, None)
        self.end = lines[-1].t if lines else game.now()
        self.finished = False

    def poll(self) -> list[Observation]:
        """What has become due."""
        due: list[Observation] = []
        while self._next is not None and self._next.t <= self._game.now():
            self._game.taken_until = self._next.t
            # Sensors that are silent after a break are no observation of theirs: the program says so.
            silent = Health if _resumes(self._next) else ManualEntry
            due += [one for one in self._next.o if isinstance(one, ManualEntry | silent)]
            self._next = next(self._lines, None)
        return due

    def close(self) -> None:
        """Nothing to close."""


def _resumes(line: Line) -> bool:
    return isinstance(line, Observed) and any(
        isinstance(one, ManualEntry) and one.what == "resumed" for one in line.o
    )


def _time(line: Line) -> float:
    return 0.0 if isinstance(line, Opened) else line.t


class _Lines(Journal):
    """A journal in memory."""

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.path, self.salvaged = Path(), ""

    def write(self, lines: Iterable[Line]) -> None:
        self.lines += lines

    def close(self) -> None:
        """Nothing to close."""
