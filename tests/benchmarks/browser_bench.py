"""What the page for browsers costs: first paint in Chromium, and what ten of them add to the engine's work."""

import asyncio
import contextlib
import json
import os
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from companion.core.child_python import companion_command
from companion.core.clock import ManualClock
from companion.session.journal.journal import Recorded, read_journal
from companion.session.journal.journal_lines import Observed
from companion.session.journal.journal_replay import game_of
from companion.session.session import Session
from companion.session.stream.commands import Command
from companion.session.stream.events import Event
from companion.session.stream.stream import StreamServer
from tests.benchmarks.browser import browser_tab, chromium

PHONE = (360, 740)
"""PHONE: width and height of a small phone (CSS px)."""
CLIENTS = 10
"""CLIENTS: browsers at a time."""
SEED = 12
"""SEED: of the game that the engine relives."""
BATCH_S = 0.004
"""BATCH_S: pause between two batches of the game (s): a game of minutes in seconds."""
TICKS = os.sysconf("SC_CLK_TCK")


def bench_browser(greeting: Sequence[Event]) -> dict[str, Any]:
    """First paint in a browser (s), and processor time (%) that CLIENTS browsers add to the engine's.

    First paint is from the start of the navigation until the table is drawn, with an empty cache; None without
    Chromium. The engine's work is one recorded game, relived with the page's stream and without.
    """
    if find_spec("aiohttp") is None:
        return {"browser_paint_s": None, "clients_cost_percent": None, "clients_server_cpu_percent": None}
    return asyncio.run(_measured(greeting))


async def _measured(greeting: Sequence[Event]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        paint = await _paint(Path(folder) / "paint", greeting) if chromium() else None
        recorded = _recorded(Path(folder) / "game")
        runs: dict[int, list[tuple[float, float]]] = {0: [], CLIENTS: []}
        for turn in range(6):  # in turn: whatever else the machine does meets both
            clients = CLIENTS if turn % 2 else 0
            runs[clients].append(await _relived(Path(folder) / str(turn), recorded, clients))
        alone, among = min(runs[0])[0], min(runs[CLIENTS])[0]
        served = min(server for _, server in runs[CLIENTS])
    return {
        "browser_paint_s": paint,
        "clients": CLIENTS,
        "clients_cost_percent": round(100 * (among / alone - 1), 1),
        "clients_server_cpu_percent": round(100 * served, 1),
    }


async def _paint(folder: Path, greeting: Sequence[Event]) -> float:
    """The median of three first paints (s)."""
    found = []
    async with _serving(folder) as (stream, address, _):

        async def greet() -> None:
            while True:
                new, _ = stream.poll()
                for event in greeting:
                    stream.send(event, new)
                await asyncio.sleep(0.005)

        greeting_task = asyncio.ensure_future(greet())
        try:
            for _ in range(3):
                async with browser_tab(chromium()) as tab:
                    await tab.size(*PHONE, scale=2, touch=True)
                    await tab.open(address)
                    await tab.wait_for("performance.getEntriesByName('first-contentful-paint').length")
                    await tab.wait_for("performance.getEntriesByName('drawn').length")
                    times = "performance.getEntries().filter(e => /paint|mark/.test(e.entryType))"
                    found.append(await tab.value(f"Math.max(...{times}.map(e => e.startTime))"))
        finally:
            greeting_task.cancel()
    return round(float(sorted(found)[1]) / 1000, 3)


def _recorded(folder: Path) -> Recorded:
    words = ["rehearse", "--games", "1", "--seed", str(SEED), "--through", "observations"]
    command = companion_command(*words, "--record", str(folder))
    subprocess.run(command, check=True, capture_output=True)
    return read_journal(next(folder.rglob("journal.jsonl")))


async def _relived(folder: Path, recorded: Recorded, clients: int) -> tuple[float, float]:
    """Processor time of one game in an engine with so many browsers (s), and the page server's as a share
    of a core."""
    import aiohttp

    async with (
        _serving(folder, serve=bool(clients)) as (stream, address, process),
        aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http,
    ):
        readers = [asyncio.ensure_future(_follow(http, address)) for _ in range(clients)]
        # The browsers are in this process: what they cost must not be counted as the engine's.
        task = asyncio.get_running_loop().run_in_executor(None, _play, stream, recorded)
        before, began = _processor_s(process), time.perf_counter()
        used = await task
        share = (_processor_s(process) - before) / (time.perf_counter() - began)
        for reader in readers:
            reader.cancel()
    return used, share


def _play(stream: StreamServer[Event, Command], recorded: Recorded) -> float:
    """Relive the game as the engine does; the processor time of this thread alone (s)."""
    clock, began = ManualClock(), time.thread_time()
    opened = recorded.opened
    session = Session(game_of(opened), opened.variant, opened.players, clock=clock, publish=stream.send)
    for line in recorded.lines:
        if isinstance(line, Observed):
            for peer in stream.poll()[0]:
                for event in session.welcome():
                    stream.send(event, [peer])
            clock.sleep(max(0.0, line.t - clock.now()))
            session.take(line.t, line.o)
            time.sleep(BATCH_S)
    return time.thread_time() - began


async def _follow(http: Any, address: str) -> None:
    with contextlib.suppress(Exception):
        async with http.get(f"{address}events") as reply:
            while await reply.content.readany():
                pass


@contextlib.asynccontextmanager
async def _serving(
    folder: Path, *, serve: bool = True
) -> AsyncIterator[tuple[StreamServer[Event, Command], str, int]]:
    """An engine's stream, the address of its page, and the process that serves it (0 without one)."""
    folder.mkdir()
    stream: StreamServer[Event, Command] = StreamServer(folder / "engine.sock", Command)
    process = None
    try:
        address = ""
        if serve:
            words = ["serve", "--socket", str(stream.path), "--bind", "127.0.0.1", "--port", "0", "--json"]
            process = subprocess.Popen(
                companion_command(*words),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=os.environ | {"XDG_STATE_HOME": str(folder)},
            )
            assert process.stdout is not None
            line = await asyncio.get_running_loop().run_in_executor(None, process.stdout.readline)
            address = json.loads(line)["address"]
        yield stream, address, process.pid if process else 0
    finally:
        if process is not None:
            process.terminate()
            process.wait()
        stream.close()


def _processor_s(pid: int) -> float:
    if not pid:
        return 0.0
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS
