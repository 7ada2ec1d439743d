"""The system's programs that speak and play: which are there, how they are called, when one is given up."""

import contextlib
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

SPEECH_S, LETTER_S = 5.0, 0.15
"""SPEECH_S, LETTER_S: longest time that a sentence may take: so much, and so much a letter (s)."""
LATE_S = 3.0
"""LATE_S: a sentence that a failing program has kept so long (s) is old, and dropped."""
CHIME_S = 5.0
"""CHIME_S: longest time that a chime may take (s)."""
_END_S = 1.0
"""Time that a program has to end when it is told to (s)."""


@dataclass(frozen=True, slots=True)
class Call:
    """How a program is called once: its arguments, and what it reads."""

    arguments: Sequence[str]
    reads: bytes = b""


def _spd_say(words: str, language: str) -> Call:
    return Call(("--wait", "--language", language, "--", words))


def _espeak(words: str, language: str) -> Call:
    return Call(("-v", language, "--stdin"), words.encode())


def _espeak_into(words: str, language: str, file: Path) -> Call:
    return Call(("-v", language, "-w", str(file), "--stdin"), words.encode())


SPEAKERS: dict[str, Callable[[str, str], Call]] = {
    "spd-say": _spd_say,
    "espeak-ng": _espeak,
    "espeak": _espeak,
}
"""Program that speaks -> how it is called with words and a language (ISO 639-1); the best one first."""
INTO_FILES = ("espeak-ng", "espeak")
"""Speakers that write a file for a player: alone they succeed even where there is no sound device."""
PLAYERS: dict[str, Sequence[str]] = {"pw-play": (), "paplay": (), "aplay": ("-q",)}
"""Program that plays a file -> its arguments before the file's name."""


class SoundPrograms:
    """Speaks and plays with the first program that works. One that fails, or takes too long, is given up.

    Not for several threads at once, except `stop`.
    """

    def __init__(self, folder: Path, path: str | None = None) -> None:
        """`folder`: for sound files. `path`: where programs are looked for; None: as the system does."""
        self._folder = folder
        self.speakers = [name for name in SPEAKERS if shutil.which(name, path=path)]
        """Those that still work, as far as known."""
        self.players = [name for name in PLAYERS if shutil.which(name, path=path)]
        self._path = path
        self._running: subprocess.Popen[bytes] | None = None
        self._stopped = self._cut = False
        self._guard = threading.Lock()

    def speak(self, words: str, language: str) -> bool:
        """Say it, and wait for the end. False if no program is left that can.

        What a hanging program has kept for long is dropped.
        """
        began = time.monotonic()
        limit_s = SPEECH_S + LETTER_S * len(words)
        while self.speakers and not self._stopped:
            name = self.speakers[0]
            if self._speak_with(name, words, language, limit_s):
                return True
            if not self._stopped:
                self.speakers.remove(name)
            if self.speakers and time.monotonic() - began > LATE_S:
                return True
        return self._stopped

    def _speak_with(self, name: str, words: str, language: str, limit_s: float) -> bool:
        if name not in INTO_FILES or not self.players:
            return self._run(name, SPEAKERS[name](words, language), limit_s)
        file = self._folder / "words.wav"
        return self._run(name, _espeak_into(words, language, file), limit_s) and (
            self._cut or self.play(file, limit_s) or self._run(name, SPEAKERS[name](words, language), limit_s)
        )

    def play(self, file: Path, limit_s: float = CHIME_S) -> bool:
        """Play a file, and wait for the end. False if no program is left that can."""
        while self.players and not self._stopped:
            name = self.players[0]
            if self._run(name, Call((*PLAYERS[name], str(file))), limit_s):
                return True
            if not self._stopped:
                self.players.remove(name)
        return self._stopped

    def begin(self) -> None:
        """What comes next is heard to its end, unless `cut` is called from here on."""
        with self._guard:
            self._cut = False

    def cut(self) -> None:
        """End what runs now, from another thread: something else is to be heard. No program is given up."""
        with self._guard:
            self._cut = True
            if self._running is not None:
                _end(self._running)

    def stop(self) -> None:
        """End what runs now, from another thread; nothing runs from here on."""
        with self._guard:
            self._stopped = True
            if self._running is not None:
                _end(self._running)

    def _run(self, name: str, call: Call, limit_s: float) -> bool:
        """Whether the program did its work in time."""
        program = shutil.which(name, path=self._path)
        with self._guard:
            if self._cut:
                return True
            if self._stopped or program is None:
                return False
            try:
                running = subprocess.Popen(
                    [program, *call.arguments],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    start_new_session=True,  # a program that hangs is ended with all that it started
                )
            except OSError:
                return False
            self._running = running
        try:
            running.communicate(call.reads, limit_s)
        except (subprocess.TimeoutExpired, OSError):
            _end(running)
            with contextlib.suppress(subprocess.TimeoutExpired):
                running.wait(_END_S)
            return self._cut
        finally:
            with self._guard:
                self._running = None
        return self._cut or running.returncode == 0


def _end(running: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(OSError):
        os.killpg(running.pid, signal.SIGKILL)
