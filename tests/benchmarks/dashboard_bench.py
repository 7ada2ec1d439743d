"""What the dashboard costs: the real program in a pseudo-terminal, fed by the real stream server."""

import contextlib
import fcntl
import os
import pty
import select
import statistics
import struct
import subprocess
import tempfile
import termios
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from companion.core.child_python import companion_command
from companion.dashboard.themes import PALETTES, contrast, pairs, variables
from companion.games.registry import DEFAULT_GAME, first_variant, load_game
from companion.games.rules import IllegalError
from companion.games.table_game import TableGame
from companion.session.stream.commands import Command
from companion.session.stream.events import PROTOCOL, Event, Said, SensorHealth, Table, Welcome
from companion.session.stream.stream import StreamServer
from tests.benchmarks.browser_bench import bench_browser

SIZE = (120, 40)
"""SIZE: columns and rows of the terminal."""
UPDATES_S = 4
"""UPDATES_S: tables sent each second while a game is measured."""
KEYS = 9
"""KEYS: how often a key is pressed."""
LONGEST_S = 30.0
"""LONGEST_S: longest wait for anything on the screen (s)."""
TICKS = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
_PAINTED, _HELP, _BACK = b"F1", b"HELP", b"all"


class Terminal:
    """A dashboard in a pseudo-terminal, and the engine's end of its stream."""

    def __init__(self, folder: Path, greeting: Sequence[Event]) -> None:
        self.greeting = greeting
        self.peers: list[Any] = []
        """The screens that have connected."""
        self.server: StreamServer[Event, Command] = StreamServer(folder / "engine.sock", Command)
        self.screen, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", SIZE[1], SIZE[0], 0, 0))
        environment = os.environ | {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
        words = ["dashboard", "--socket", str(folder / "engine.sock"), "--table", str(folder / "none.sock")]
        self.began = time.perf_counter()
        self.process = subprocess.Popen(
            companion_command(*words),
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=environment,
            start_new_session=True,
        )
        os.close(inner)

    def serve(self, seconds: float) -> bytes:
        """Answer newcomers, and read what is painted, for so long (s)."""
        end, painted = time.perf_counter() + seconds, b""
        while (left := end - time.perf_counter()) > 0:
            new, _ = self.server.poll()
            self.peers += new
            for peer in new:
                for event in self.greeting:
                    self.server.send(event, [peer])
            if select.select([self.screen], [], [], min(left, 0.005))[0]:
                with contextlib.suppress(OSError):
                    painted += os.read(self.screen, 1 << 16)
        return painted

    @property
    def waiting(self) -> int:
        """Bytes that no screen has taken yet."""
        return sum(len(peer.out) for peer in self.peers)

    def wait_for(self, words: bytes) -> float:
        """Time until these words are painted (s); TimeoutError if they never are."""
        began, painted = time.perf_counter(), b""
        while words not in painted:
            if time.perf_counter() - began > LONGEST_S:
                raise TimeoutError(f"{words!r} is not painted within {LONGEST_S:g} s")
            painted = painted[-64:] + self.serve(0.002)
        return time.perf_counter() - began

    def press(self, key: bytes) -> None:
        """Type on its keyboard."""
        os.write(self.screen, key)

    def processor_s(self) -> float:
        """Processor time that it has used (s)."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def memory_mb(self) -> float:
        """Resident memory (MB)."""
        fields = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()
        return int(fields[1]) * PAGE / 1e6

    def close(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait()
        self.server.close()
        os.close(self.screen)


def bench_dashboard(seconds: float) -> dict[str, Any]:
    """First paint (s), a key (ms), processor time at rest and in play (% of a core), growth of memory (MB).

    `seconds`: of each of rest, play, and the flood of events for memory. First paint is from the start of the
    process until all keys are painted, Python's own start included; the processor time of that
    says what it takes on a machine that is not busy. The rest is about the page for browsers
    (`browser_bench.bench_browser`).
    """
    chance = Random(1)
    game = load_game(DEFAULT_GAME)
    tables = played(game, chance)
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        terminal = Terminal(Path(folder), [*_hello(game), next(tables)[0]])
        stack.callback(terminal.close)
        terminal.wait_for(_PAINTED)
        first_paint = time.perf_counter() - terminal.began
        first_cpu = terminal.processor_s()
        terminal.serve(1.5)
        keys = []
        for _ in range(KEYS):
            terminal.press(b"?")
            keys.append(terminal.wait_for(_HELP))
            terminal.press(b"x")
            terminal.wait_for(_BACK)
            terminal.serve(0.3)
        idle = _share(terminal, seconds, iter(()))
        play = _share(terminal, seconds, tables)
        before, events = terminal.memory_mb(), 0
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            for event in next(tables):
                terminal.server.send(event)
                events += 1
            terminal.serve(0.0005)
        terminal.serve(0.5)
        grown = terminal.memory_mb() - before
        greeting = terminal.greeting
    return {
        "first_paint_s": round(first_paint, 3),
        "first_paint_cpu_s": round(first_cpu, 2),
        "key_ms": round(1000 * statistics.median(keys), 1),
        "idle_cpu_percent": round(idle, 2),
        "play_cpu_percent": round(play, 2),
        "rss_growth_mb": round(grown, 2),
        "events": events,
        **bench_browser(greeting),
        "lowest_contrast": round(lowest_contrast(), 2),
        "columns": SIZE[0],
        "rows": SIZE[1],
    }


def lowest_contrast() -> float:
    """The lowest contrast of any text in any theme."""
    return min(
        contrast(colours[ink], colours[ground])
        for colours in map(variables, PALETTES)
        for ink, ground in pairs()
    )


def played(game: TableGame[Any, Any], chance: Random) -> Iterator[tuple[Event, ...]]:
    """What an engine tells of random games, one after another without an end: a table for each step, and its
    sentence."""
    variant, t = first_variant(game), 0.0
    while True:
        state = game.setup(variant, 3, chance)
        while game.outcome(state) is None:
            options = list(game.legal_actions(state))
            chance.shuffle(options)
            before, state, action = state, *_first_possible(game, state, options)
            if action is None:
                break
            t += 1
            table = msgspec.convert({"e": "table", **game.screen(state, "memory")}, Table)
            told = game.message(before, action, state)
            yield (table, Said(t, told.text)) if told else (table,)


def _first_possible(game: TableGame[Any, Any], state: Any, options: Sequence[Any]) -> tuple[Any, Any]:
    """The state after the first option that names all it has to, and that option; None without one."""
    for action in options:
        try:
            return game.apply(state, action), action
        except IllegalError:
            continue  # an outcome of chance that has to be named
    return state, None


def _hello(game: TableGame[Any, Any]) -> tuple[Event, ...]:
    words = game.words
    hello = Welcome(
        PROTOCOL, "bench", game.name, first_variant(game), 3, titles=words.titles, turn_titles=words.turn_titles
    )
    return (hello, SensorHealth("camera", True), SensorHealth("board", True))


def _share(terminal: Terminal, seconds: float, tables: Iterator[tuple[Event, ...]]) -> float:
    """Processor time (% of a core) while tables come UPDATES_S times a second."""
    before, began = terminal.processor_s(), time.perf_counter()
    while time.perf_counter() - began < seconds:
        for event in next(tables, ()):
            terminal.server.send(event)
        terminal.serve(1 / UPDATES_S)
    return 100 * (terminal.processor_s() - before) / (time.perf_counter() - began)
