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
"""SPEECH_S, LETTER_S: longest time (s) to speak a sentence: SPEECH_S plus LETTER_S a letter. Guesses."""
LATE_S = 3.0
"""LATE_S: time (s) for which failing programs may hold up a sentence; then it is dropped. A guess."""
CHIME_S = 5.0
"""CHIME_S: longest time (s) for playing a chime. A guess."""
_END_S = 1.0
"""_END_S: longest wait (s) for the end of a program that was killed."""


@dataclass(frozen=True, slots=True)
class Call:
    """Call of a program: its arguments, and bytes for its standard input (`reads`)."""

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
"""SPEAKERS: program that speaks -> function that makes its call from words to speak, the best one first.

The function's second argument is the words' language code (ISO 639-1).
"""
INTO_FILES = ("espeak-ng", "espeak")
"""INTO_FILES: speaking programs that are made to write a sound file, which another program then plays.

Called directly, they report no missing sound device.
"""
PLAYERS: dict[str, Sequence[str]] = {"pw-play": (), "paplay": (), "aplay": ("-q",)}
"""PLAYERS: program that plays a sound file -> its arguments before the file's name; the best one first."""


class SoundPrograms:
    """Installed programs for speech and sounds.

    The first working one is used; one that fails or takes too long is not tried again. Only `begin`, `cut` and
    `stop` may be called from another thread.
    """

    def __init__(self, folder: Path, path: str | None = None) -> None:
        """Look for installed programs that speak and play.

        `folder`: folder for sound files. `path`: folders to search for programs; None: the PATH variable.
        """
        self._folder = folder
        self.speakers = [name for name in SPEAKERS if shutil.which(name, path=path)]
        """Names of speaking programs that have not failed yet."""
        self.players = [name for name in PLAYERS if shutil.which(name, path=path)]
        self._path = path
        self._running: subprocess.Popen[bytes] | None = None
        self._stopped = self._cut = False
        self._guard = threading.Lock()

    def speak(self, words: str, language: str) -> bool:
        """Speak words, and wait until they are spoken.

        `language`: ISO 639-1 code. Returns False if no program can speak. After LATE_S of failing programs,
        the words are dropped, and True is returned.
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
        """Play a sound file, and wait for its end.

        A program that takes longer than `limit_s` (s) counts as failing. Returns False if no program can play
        the file.
        """
        while self.players and not self._stopped:
            name = self.players[0]
            if self._run(name, Call((*PLAYERS[name], str(file))), limit_s):
                return True
            if not self._stopped:
                self.players.remove(name)
        return self._stopped

    def begin(self) -> None:
        """Let words and sounds be heard again after `cut`."""
        with self._guard:
            self._cut = False

    def cut(self) -> None:
        """Cut off what is being heard, and all further sounds until `begin`.

        The program that was cut off counts as working, and is used again.
        """
        with self._guard:
            self._cut = True
            if self._running is not None:
                _end(self._running)

    def stop(self) -> None:
        """Cut off what is being heard, and start no program any more."""
        with self._guard:
            self._stopped = True
            if self._running is not None:
                _end(self._running)

    def _run(self, name: str, call: Call, limit_s: float) -> bool:
        """Run the sound program `name` for at most `limit_s` (s).

        `call`: its arguments and input. Returns True if it ended with status 0, or was cut off by `cut`; False
        if it failed, took too long, or is not installed.
        """
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
