"""Memory of the dashboard over many games: the real program in a pseudo-terminal, fed whole recorded games."""

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.core.clock import ManualClock
from companion.core.option_types import FILE_PATH
from companion.core.printable import say
from companion.games.registry import load_game
from companion.session.journal.journal import read_journal
from companion.session.journal.journal_lines import Observed
from companion.session.session import Session
from companion.session.stream.events import Event, Table
from tests.benchmarks.dashboard_bench import Terminal

LOOKS = (10, 100, 1000, 10_000)
"""LOOKS: numbers of games after which memory is read."""
WAITING = 1 << 15
"""WAITING: bytes that may wait for the screen. With more the next game's events wait: an engine drops a screen
that lags far behind."""
LOOK_S, SETTLED_S = 0.05, 3.0
"""After each game the screen gets time to do what it was told, at most SETTLED_S (s): a flooded one holds
much that waits. It has done so once its processor time stands still for LOOK_S (s)."""


def told(journal: Path) -> list[Event]:
    """What an engine tells a screen of a recorded game, from its welcome to its end."""
    recorded = read_journal(journal)
    opened = recorded.opened
    game = load_game(opened.game, opened.parts)
    clock, events = ManualClock(), list[Event]()
    session = Session(
        game, opened.variant, opened.players, clock=clock, publish=events.append, options=opened.options
    )
    welcome = session.welcome()
    for line in recorded.lines:
        if isinstance(line, Observed):
            clock.sleep(max(0.0, line.t - clock.now()))
            session.take(line.t, line.o)
    return [*welcome, *events]


def soaked(journals: Sequence[Path], games: int) -> Iterator[dict[str, Any]]:
    """Resident memory (MB) and processor time (s) of the screen after so many games and events."""
    with tempfile.TemporaryDirectory() as scratch, contextlib.ExitStack() as stack:
        stories = [told(one) for one in journals]
        first = next(at for at, one in enumerate(stories[0]) if isinstance(one, Table))
        greeting = stories[0][: 1 + first]
        terminal = Terminal(Path(scratch), greeting)
        stack.callback(terminal.close)
        terminal.wait_for(b"F1")
        events = 0
        for number, game in zip(range(1, games + 1), cycle(stories), strict=False):
            for event in game:
                terminal.server.send(event)
                events += 1
                while terminal.waiting > WAITING:
                    terminal.serve(0.005)
            terminal.press(b"\x1b")  # whatever opened over the table
            _settle(terminal)
            if number in LOOKS or number == games:
                yield {
                    "games": number,
                    "events": events,
                    "rss_mb": round(terminal.memory_mb(), 1),
                    "cpu_s": round(terminal.processor_s(), 1),
                }


def _settle(terminal: Terminal) -> None:
    before = -1.0
    for _ in range(round(SETTLED_S / LOOK_S)):
        terminal.serve(LOOK_S)
        now = terminal.processor_s()
        if now == before:
            return
        before = now


@click.command()
@click.argument("journals", nargs=-1, required=True, type=FILE_PATH)
@click.option("--games", type=click.IntRange(1), default=1000, show_default=True, help="How many games.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def soak(journals: tuple[Path, ...], games: int, as_json: bool) -> None:
    """Memory of the screen while recorded games are told to it again and again."""
    looks = []
    for one in soaked(journals, games):
        looks.append(one)
        if not as_json:
            say("  ".join(f"{name} {value:,}" for name, value in one.items()))
    if as_json:
        click.echo(msgspec.json.encode({"bench": "soak", "looks": looks}))
