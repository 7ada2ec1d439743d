"""Several tables on one machine: processor share and memory of each engine, beside its virtual table."""

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from companion.core.address_card import card_in
from companion.core.child_python import companion_command
from companion.session.stream.stream import connect, decode_line, encode_line
from companion.session.stream.virtual_table_events import SetPaused, TableState, WorldEvent

WARM_S = 20.0
"""WARM_S: time (s) before it is measured: libraries are loaded, cards dealt."""
START_S = 120.0
"""START_S: longest time (s) until a table and its engine are there."""
END_S = 20.0
"""END_S: longest time (s) in which a table or an engine ends when told to; then it is killed. A guess."""
REST_S = 10.0
"""REST_S: time (s) after which players who were told to pause have ended what they did. A guess."""
_TICKS = os.sysconf("SC_CLK_TCK")


class Used(NamedTuple):
    """What a process has used so far (s): on a processor, and waiting for one."""

    cpu_s: float
    waiting_s: float


def bench_tables(
    seconds: float, *, tables: int = 4, noise: str = "clean", rest: bool = False
) -> dict[str, Any]:
    """So many virtual tables with an engine each, measured together; means over the tables.

    Each camera sends 1080p MJPEG, 15 pictures a second. `rest`: the players pause before it is measured.
    """
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder, ExitStack() as stack:
        pairs = [stack.enter_context(_table(Path(folder), number, noise)) for number in range(tables)]
        time.sleep(WARM_S)
        if rest:
            for number in range(tables):
                _pause(Path(folder) / str(number) / "table.json")
            time.sleep(REST_S)
        before = [(_used(table), _used(engine)) for table, engine in pairs]
        began = time.monotonic()
        time.sleep(seconds)
        passed = time.monotonic() - began
        after = [(_used(table), _used(engine)) for table, engine in pairs]
        memory = [_memory_mb(engine) for _, engine in pairs]
        worlds = [_memory_mb(table) for table, _ in pairs]
    engines = [_share(one[1], two[1], passed) for one, two in zip(before, after, strict=True)]
    players = [_share(one[0], two[0], passed) for one, two in zip(before, after, strict=True)]
    return {
        "tables": tables,
        "noise": noise,
        "rest": rest,
        "cores": os.cpu_count(),
        "seconds": round(passed, 1),
        "engine_core_percent": [round(100 * one.cpu_s, 1) for one in engines],
        "engine_waits_percent": [round(100 * one.waiting_s, 1) for one in engines],
        "engine_mb": [round(one, 1) for one in memory],
        "virtual_table_core_percent": [round(100 * one.cpu_s, 1) for one in players],
        "virtual_table_mb": [round(one, 1) for one in worlds],
    }


@contextmanager
def _table(folder: Path, number: int, noise: str) -> Iterator[tuple[int, int]]:
    """A virtual table and its engine; their process ids."""
    folder /= str(number)
    folder.mkdir()
    card, socket = folder / "table.json", folder / "engine.sock"
    table = _started(
        "table", "--seed", str(number + 1), "--noise", noise, "--address", str(card), log=folder / "table.log"
    )
    engine = None
    try:
        _wait_for(card)
        journal = folder / "game.jsonl"
        words = ["run", "--table", str(card), "--socket", str(socket), "--journal", str(journal)]
        engine = _started(*words, log=folder / "engine.log")
        _wait_for(socket)
        yield table.pid, engine.pid
    finally:
        for process in filter(None, (engine, table)):
            _end(process)


def _pause(path: Path) -> None:
    card = card_in(path)
    if card is None:
        raise ValueError(f"{path} is no address card")
    with connect(Path(card.control)) as controls:
        controls.settimeout(START_S)
        controls.sendall(encode_line(SetPaused(True)))
        for line in controls.makefile("rb"):
            told = decode_line(line, WorldEvent)
            if isinstance(told, TableState) and told.paused:
                return


def _started(*words: str, log: Path) -> "subprocess.Popen[bytes]":
    with log.open("wb") as output:
        return subprocess.Popen(
            companion_command(*words), stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )


def _end(process: "subprocess.Popen[bytes]") -> None:
    """A process that is too slow on a busy machine is killed: none stays behind."""
    process.terminate()
    try:
        process.wait(END_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _wait_for(path: Path) -> None:
    until = time.monotonic() + START_S
    while not path.exists():
        if time.monotonic() > until:
            raise TimeoutError(f"no {path.name} after {START_S:.0f} s")
        time.sleep(0.1)


def _used(pid: int) -> Used:
    """What all threads of a process have used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    waited = sum(int(one.read_text().split()[1]) for one in Path(f"/proc/{pid}/task").glob("*/schedstat"))
    return Used((int(fields[11]) + int(fields[12])) / _TICKS, waited / 1e9)


def _share(before: Used, after: Used, passed: float) -> Used:
    return Used((after.cpu_s - before.cpu_s) / passed, (after.waiting_s - before.waiting_s) / passed)


def _memory_mb(pid: int) -> float:
    """Memory (MB) that a process has for itself, and its part of what several share (PSS)."""
    rows = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:])
    return int(rows["Pss"].split()[0]) / 1024
