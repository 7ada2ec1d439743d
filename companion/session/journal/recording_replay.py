"""Replays of a recorded evening from its frames and bytes.

Decoder, camera and session conclude anew. A recording holds a folder for each run of the program, called a
part.
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
    read_parts,
)
from companion.sensing.source import Source
from companion.session.journal.journal import Fold, Journal, Line, Observed, Opened, Scan, read_good_lines
from companion.session.journal.recorded_board import RecordedBoard
from companion.session.journal.recorded_timeline import STEP_S, Timeline
from companion.session.narration import verdict_of
from companion.session.sensor_monitor import SensorMonitor
from companion.session.session import Session
from companion.session.stream.events import Claimed

_AROUND_S = 5.0
"""Time (s) around the end in which conclusions are compared.

A replay's observations come slightly earlier or later. A guess.
"""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The belief about a game from `t` (s) on.

    `state`: in the game's notation. `score`, `out_of`: points and highest possible points; None before the end.
    `outcome`: the end in a sentence; empty before.
    """

    t: float
    state: str
    verdicts: tuple[tuple[int, str], ...]
    """Each judged claim: place (from 1), and verdict. A verdict is proved, refuted or cannot tell."""
    score: int | None
    out_of: int | None
    outcome: str


def conclusions(game: TableGame[Any, Any], opened: Opened, lines: Iterable[Line]) -> list[Conclusion]:
    """Compute every belief that a journal recorded, oldest first.

    The list ends where the rules refuse a line.
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
    """A recorded game after its replay.

    `then`: conclusions of its journal. `now`: conclusions of the replay. `journal`: file name of the journal.
    `end`: time (s) in the journal at which the replay ends.
    """

    journal: str
    opened: Opened
    then: list[Conclusion]
    """Conclusions of the journal, oldest first; empty without any."""
    now: list[Conclusion]
    end: float

    @property
    def agree(self) -> bool:
        """True if journal and replay agree about the end.

        They need a common state, verdicts and score within _AROUND_S (5 s) of it.
        """
        last = [
            {(one.state, one.verdicts, one.score) for one in _about(side, self.end)}
            for side in (self.then, self.now)
        ]
        return bool(last[0] & last[1])

    def as_dict(self) -> dict[str, Any]:
        """The comparison as JSON-ready values.

        `final_state`, `verdicts` and `score` are the journal's, `replayed_...` the replay's. `matches` is
        `agree`; docs/recordings.md lists all keys.
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
        }


def _about(side: Sequence[Conclusion], end: float) -> list[Conclusion]:
    """Those conclusions of `side` that held within _AROUND_S of `end` (s).

    They are sorted, oldest first. At least one is returned if any is known by then.
    """
    known = [one for one in side if one.t <= end + _AROUND_S]
    last = [one for one in known if one.t > end - _AROUND_S]
    return [*known[: len(known) - len(last)][-1:], *last]


def replay_recording(folder: Path, along: Callable[[Sequence[int]], Iterable[int]] = iter) -> dict[str, Any]:
    """Replay the recording in a folder.

    Returns each game's comparison with its journal, as JSON-ready values. `along`: function that yields the
    seconds of a part one by one, e.g. to show progress. BadInputError if the folder is no recording, or if
    nothing in it can be replayed.
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
    """One replay of the recording in `folder`.

    BadInputError if the folder is no recording. `parts`: the recording's parts. `missing`: what of them is
    missing or damaged, in sentences.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.parts = read_parts(folder)
        self.missing: list[str] = [fault for part in self.parts for fault in part.faults]
        self._journals: dict[str, Scan | None] = {}
        self._games: list[_Game] = []
        self._pictures: RecordedPictures | None = None

    def run(self, along: Callable[[Sequence[int]], Iterable[int]] = iter) -> list[ReplayedGame]:
        """Replay every part and compare each game with its journal.

        `along`: function that yields the seconds of a part one by one, e.g. to show progress.
        """
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
        """Begin the next game at the table of `before`.

        It takes over what lies there and which sensors work.
        """
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
        """The game of a journal, resumed or new. `off`: replay's clock minus journal time (s)."""
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
        """The good lines of a journal, decoded once; None without any."""
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
        """Time (s, replay's clock) of a part's last journal line. Infinite if unknown."""
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
        """The only journal of a recording, for a part without games. Empty if it has several or none."""
        try:
            journals = sorted((self._folder / JOURNALS).glob("*.jsonl"))
        except OSError:
            journals = []
        times = [frame.t for frame in part.frames[:1]] + [t for t, _ in part.port[:1]]
        if len(journals) != 1 or not times:
            return []
        return [RecordedGame(journals[0].name, min(times))]

    def _settings_unnamed(self, games: Sequence[RecordedGame]) -> RecordedSettings | None:
        """Settings of a part that has lost them, from its journal."""
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
    """Make the camera source of a recorded part.

    `lying`: zone -> positions (mm) of cards that lay unread at the start. `missing` gets a sentence for each
    file that cannot be read.
    """
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
    """Zone -> positions (mm) of cards unread at time `t` (s)."""
    found: dict[str, tuple[tuple[float, float], ...]] = {}
    for line in lines:
        for one in line.o if isinstance(line, Observed) and line.t <= t else ():
            if isinstance(one, Sighting):
                found[one.zone] = tuple((card.x, card.y) for card in one.cards if card.card == UNREAD)
    return {zone: places for zone, places in found.items() if places}


class _Game:
    """A game during its replay: its new session, and its recorded journal."""

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
        """Replay what no part recorded, up to `begins` (s). Returns people's later entries as a source."""
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
        """A source of people's entries from journal time `since` (s) on."""
        return _People(self, [line for line in self.lines if isinstance(line, Observed) and line.t >= since])

    def now(self) -> float:
        """Time now (s), on the journal's clock."""
        return self.clock.now() - self._off

    def replayed(self) -> ReplayedGame:
        """The conclusions of the journal and of the replay so far."""
        then = conclusions(self.game, self.opened, self.lines) if self.lines else []
        now = conclusions(self.game, self.opened, self._told.lines)
        moved = [Conclusion(one.t - self._off, *_rest(one)) for one in now]
        return ReplayedGame(self.journal, self.opened, then, moved, self.end - self._off)


def _rest(one: Conclusion) -> tuple[str, tuple[tuple[int, str], ...], int | None, int | None, str]:
    return one.state, one.verdicts, one.score, one.out_of, one.outcome


class _People:
    """A source of people's recorded entries."""

    def __init__(self, game: _Game, lines: Sequence[Observed]) -> None:
        self._game = game
        self._lines: Iterator[Observed] = iter(lines)
        self._next = next(self._lines, None)
        self.end = lines[-1].t if lines else game.now()
        self.finished = False

    def poll(self) -> list[Observation]:
        """Entries whose time has come since the last call, oldest first."""
        due: list[Observation] = []
        while self._next is not None and self._next.t <= self._game.now():
            self._game.taken_until = self._next.t
            # After a break the program, not a sensor, reports that sensors are silent: replay these reports.
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
