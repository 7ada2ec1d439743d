"""How far a rehearsal is, on a terminal: games done, seconds, and about how long it still takes."""

import sys
import threading
from typing import Self, TextIO

from companion.core.clock import Clock, RealClock

EVERY_S = 1.0
"""How often the line is written."""


class Progress:
    """One line on `stream` that is written over; nothing where that is no terminal."""

    def __init__(self, games: int, clock: Clock | None = None, stream: TextIO | None = None) -> None:
        self._games = games
        self._clock = clock or RealClock()
        self._stream = stream or sys.stderr
        self._done = 0
        self._began = self._clock.now()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        if self._stream.isatty():
            self._thread = threading.Thread(target=self._show, name="progress", daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()
            self._write("")

    def game_done(self) -> None:
        """One game more has come to its end."""
        self._done += 1

    @property
    def words(self) -> str:
        """How far it is at this moment."""
        passed = self._clock.now() - self._began
        line = f"{self._done} of {self._games} games, {passed:.0f} s"
        if 0 < self._done < self._games:
            line += f", about {passed / self._done * (self._games - self._done):.0f} s to go"
        return line

    def _show(self) -> None:
        self._write(self.words)
        while not self._over.wait(EVERY_S):
            self._write(self.words)

    def _write(self, line: str) -> None:
        # To the line's beginning, and what stood there is cleared.
        self._stream.write(f"\r\x1b[K{line}")
        self._stream.flush()
