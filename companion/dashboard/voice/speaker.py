"""One voice for a table: says what is due, one after another, and drops what has become old meanwhile."""

import contextlib
import fcntl
import os
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Protocol

from companion.core.config import SoundConfig
from companion.core.files import Scratch
from companion.core.language import tr
from companion.dashboard.model import PublicModel, WorldModel
from companion.dashboard.plain.plain_lines import event_lines, world_lines
from companion.dashboard.player_names import NOBODY_NAMED, PlayerNames
from companion.dashboard.voice.announcements import (
    HEARD,
    REQUEST,
    SCORE,
    SHOW,
    SIGHT,
    TURN,
    URGENT,
    VERDICT,
    Announcement,
    Announcer,
    spoken_language,
)
from companion.dashboard.voice.chimes import chime
from companion.dashboard.voice.sound_programs import SoundPrograms
from companion.dashboard.voice.spoken_lines import (
    LinesToSpeak,
    SpokenLine,
    lines_of_event,
    lines_of_world,
    news,
    replies,
)
from companion.session.stream.events import Claimed, Event, Table
from companion.session.stream.virtual_table_events import TableState, WorldEvent, YourTurn

OLD_S = 5.0
"""OLD_S: longest time (s) that a due announcement waits for earlier ones; then it is dropped. A guess."""
JOIN_S = 2.0
"""JOIN_S: longest wait (s) for the thread that speaks to end, when the screen closes. A guess."""


class SpeaksAndPlays(Protocol):
    """Programs that speak and play sounds: SoundPrograms, or a fake in tests.

    SoundPrograms describes the methods.
    """

    def speak(self, words: str, language: str) -> bool:
        """Speak words, and wait; False if no program can speak."""

    def play(self, file: Path) -> bool:
        """Play a sound file, and wait; False if no program can play it."""

    def begin(self) -> None:
        """Let words and sounds be heard again after `cut`."""

    def cut(self) -> None:
        """Cut off what is being heard, and all further sounds until `begin`."""

    def stop(self) -> None:
        """Cut off what is being heard, and start no program any more."""


class Speaker:
    """Thread that speaks announcements and lines, the most urgent first.

    Of each kind of announcement only the newest is spoken. `programs`: speak and play sounds. `on_silent` is
    called in this thread with a sentence if no program can speak, and once more if none can play chimes.
    """

    def __init__(
        self,
        programs: SpeaksAndPlays,
        folder: Path,
        on_silent: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start the thread that speaks.

        `folder`: folder for sound files of chimes. `clock` returns a time in seconds.
        """
        self._programs, self._folder, self._on_silent, self._clock = programs, folder, on_silent, clock
        self._waiting: dict[str, tuple[float, Announcement]] = {}
        """Kind of announcement -> time (s) at which the waiting one is due, and the announcement."""
        self._said: dict[str, object] = {}
        """Kind of announcement -> subject of the last spoken one."""
        self._lines = LinesToSpeak()
        self._closed = False
        self._news = threading.Condition()
        self._complained: set[str] = set()
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def say(self, announcements: Sequence[Announcement]) -> None:
        """Queue announcements to be spoken, and return at once.

        Each replaces the waiting one of its kind. One without words and chime only removes it.
        """
        now = self._clock()
        with self._news:
            for one in announcements:
                self._waiting.pop(one.kind, None)
                if one.words or one.chime:
                    self._waiting[one.kind] = (now + one.after_s, one)
            self._news.notify_all()

    def read(self, lines: Sequence[SpokenLine]) -> None:
        """Queue lines of text for speech; return at once.

        If one of them is more urgent than the line being spoken, that line is cut.
        """
        with self._news:
            if self._lines.put(lines, self._clock()):
                self._programs.cut()
            self._news.notify_all()

    def hush(self, *, everything: bool) -> None:
        """Drop lines of text that are being spoken or wait.

        `everything`: True for all of them; False for answers to commands alone. Announcements stay.
        """
        with self._news:
            if self._lines.clear() if everything else self._lines.forget():
                self._programs.cut()

    def close(self) -> None:
        """Stop all speech at once, and end the thread."""
        with self._news:
            self._closed = True
            self._waiting.clear()
            self._news.notify_all()
        self._programs.stop()
        self._thread.join(JOIN_S)

    def due(self, now: float) -> tuple[Announcement | None, float | None]:
        """Remove and return the announcement or line to speak at time `now` (s).

        Returns (announcement, None), where a line to speak has the kind "line". If nothing is due: (None, time
        (s) until the next is, or None if none waits). Announcements that are OLD_S late, or have the subject
        of the last spoken one of their kind, are dropped.
        """
        for kind, (at, one) in list(self._waiting.items()):
            again = one.what is not None and self._said.get(kind) == one.what
            if now - at > OLD_S or (again and at <= now):
                del self._waiting[kind]
        for kind in URGENT:
            if kind in self._waiting and self._waiting[kind][0] <= now:
                one = self._waiting.pop(kind)[1]
                self._said[kind] = one.what
                return one, None
        line = self._lines.now = self._lines.next(now)
        if line is not None:
            return Announcement("line", line.words, language=line.language), None
        return None, min((at - now for at, _ in self._waiting.values()), default=None)

    def _run(self) -> None:
        while True:
            with self._news:
                one, wait_s = self.due(self._clock())
                if self._closed:
                    return
                if one is None:
                    self._news.wait(wait_s)
                    continue
                self._programs.begin()
            if one.chime and not self._programs.play(self._chime(one.chime)):
                self._complain("chime", tr("No chimes: nothing here plays sounds. sudo apt install alsa-utils"))
            if one.words and not self._programs.speak(one.words, one.language):
                self._complain("words", tr("Nothing is said: nothing here speaks. sudo apt install espeak-ng"))

    def _chime(self, name: str) -> Path:
        file = self._folder / f"{name}.wav"
        if not file.exists():
            with contextlib.suppress(OSError):  # a full disk: then the player says that there is no such file
                file.write_bytes(chime(name))
        return file

    def _complain(self, what: str, sentence: str) -> None:
        if what not in self._complained and not self._closed:
            self._complained.add(what)
            self._on_silent(sentence)


def speak_once(words: str) -> None:
    """Speak one sentence, and wait until it is spoken.

    Nothing is heard if no program can speak.
    """
    with contextlib.closing(Scratch("sound-")) as scratch:
        SoundPrograms(scratch.path).speak(words, spoken_language())


class Voice:
    """Voice of a screen; speaks the events that `switches` want.

    Of several screens at one engine, only one speaks: the one that holds the lock on a file beside the
    engine's socket (`engine`). `on_silent` is called with a sentence if no program can make a sound.
    `programs` makes the sound programs, for a folder of sound files.
    """

    def __init__(
        self,
        engine: Path,
        switches: SoundConfig,
        on_silent: Callable[[str], None],
        programs: Callable[[Path], SpeaksAndPlays] = SoundPrograms,
    ) -> None:
        self.switches = switches
        self._announcer = Announcer()
        self._table: Table | None = None
        self._state: TableState | None = None
        self._turn: YourTurn | None = None
        """Newest table, virtual table and seat's turn, for comparison with the next event."""
        self._on_silent = on_silent
        self._programs = programs
        self._lock_file = engine.with_name(f"{engine.stem}.voice")
        self._lock: IO[bytes] | None = None
        self._scratch: Scratch | None = None
        self._speaker: Speaker | None = None

    def hear(self, event: Event, model: PublicModel) -> None:
        """Speak an engine event that `model` has already taken.

        Verdicts are left to `verdict`.
        """
        self._say(self._announcer.hear(event, model))
        before = self._table
        if isinstance(event, Table):
            self._table = event
        if not isinstance(event, Claimed) and not model.foreign:
            self._read(lines_of_event(event, event_lines(event, model, before), model))

    def verdict(self, claimed: Claimed, model: PublicModel) -> None:
        """Speak a verdict that the screen now shows."""
        self._say(self._announcer.verdict(claimed, model.names))
        self._read(lines_of_event(claimed, event_lines(claimed, model, None), model))

    def hear_world(self, event: WorldEvent, world: WorldModel, names: PlayerNames = NOBODY_NAMED) -> None:
        """Speak an event of the virtual table, which `world` has already taken.

        A hidden hand of cards is not spoken. `names`: players' names.
        """
        lines = world_lines(event, self._state, self._turn, names)
        if isinstance(event, TableState):
            self._state = event
            self._turn = self._turn if event.seat else None
        if isinstance(event, YourTurn):
            if world.hand_hidden:
                return
            self._turn = event
        self._read(lines_of_world(event, lines, world))

    def reply(self, lines: Sequence[str]) -> None:
        """Speak lines that answer a person's command or choice.

        Earlier answers are dropped. Only if every line is spoken (`switches.lines`).
        """
        if self._speaker is not None:
            self._speaker.hush(everything=False)
        self._read(replies(lines))

    def tell(self, lines: Sequence[str]) -> None:
        """Speak lines that answer nobody, once nothing more urgent waits.

        Only if every line is spoken (`switches.lines`).
        """
        self._read(news(lines))

    def hush(self) -> None:
        """Stop the line being spoken, and drop all waiting lines.

        Announcements stay.
        """
        if self._speaker is not None:
            self._speaker.hush(everything=True)

    def close(self) -> None:
        """Stop all speech, and let another screen speak."""
        if self._speaker is not None:
            self._speaker.close()
            self._speaker = None
        if self._scratch is not None:
            self._scratch.close()
            self._scratch = None
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _say(self, announcements: Sequence[Announcement]) -> None:
        wanted = [self._wanted(one) for one in announcements]
        if wanted and (speaker := self._speaking()) is not None:
            speaker.say(wanted)

    def _read(self, lines: Sequence[SpokenLine]) -> None:
        if lines and self.switches.lines and (speaker := self._speaking()) is not None:
            speaker.read(lines)

    def _speaking(self) -> Speaker | None:
        """Thread that speaks for this screen, started when needed.

        None if another screen holds the lock.
        """
        if not self._may_speak():
            return None
        if self._speaker is None:
            self._scratch = Scratch("sound-")
            self._speaker = Speaker(self._programs(self._scratch.path), self._scratch.path, self._on_silent)
        return self._speaker

    def _wanted(self, one: Announcement) -> Announcement:
        """Announcement without the words or chime that the settings switch off.

        Its words are also left out if every line is spoken anyway.
        """
        said = (
            not self.switches.lines
            and {
                TURN: self.switches.turn,
                VERDICT: self.switches.verdict,
                SCORE: self.switches.score,
                **dict.fromkeys((REQUEST, SIGHT, SHOW), self.switches.request),
                HEARD: False,
            }[one.kind]
        )
        sounds = one.chime if self.switches.chimes else ""
        return Announcement(one.kind, one.words if said else "", sounds, one.after_s, one.what, one.language)

    def _may_speak(self) -> bool:
        """True if this screen holds the lock to speak; first takes it if it is free."""
        if self._lock is None:
            try:
                held = os.fdopen(os.open(self._lock_file, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW, 0o600), "wb")
            except OSError:
                return False  # no engine was ever here
            try:
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                held.close()
                return False
            self._lock = held
        return True
