"""Progress of a rehearsal on a terminal: finished games, seconds, and an estimate of the rest."""

import sys
import threading
from typing import Self, TextIO

from companion.core.clock import Clock, RealClock

EVERY_S = 1.0
"""Time (s) between two updates of the progress line."""


class Progress:
    """Progress line on a terminal that overwrites itself every second.

    `games`: number of games to be played. `stream`: where the line is written; None: standard error. Nothing is
    shown if the stream is no terminal. Use it in a `with` block.
    """

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
        """Count one more finished game, which the progress line then shows."""
        self._done += 1

    @property
    def words(self) -> str:
        """Progress as a line of text, for example "2 of 8 games, 10 s, about 30 s to go"."""
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
        # Go back to the start of the line, and clear it.
        self._stream.write(f"\r\x1b[K{line}")
        self._stream.flush()
