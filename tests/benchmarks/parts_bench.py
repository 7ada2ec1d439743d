"""The circuits of the rig against models of their parts: today's and the recommended ones, side by side.

Networks of the pressure matrix are drawn at random, electrodes and cells too: nothing was tuned on them. Board
code and the host's recogniser are the real ones.
"""

from collections import Counter
from collections.abc import Callable
from importlib import import_module
from random import Random
from typing import Any

import click
import msgspec

from companion.core.clock import ManualClock
from companion.core.printable import say
from companion.fusion.parameters.reading_costs import COSTS
from companion.games.registry import DEFAULT_GAME, load_virtual
from companion.sensing.press_recogniser import TextureBook, as_enrolled
from companion.sensing.press_segmentation import Press, Presses, texture_of
from companion.virtual.parameters import PRESS
from companion.virtual.rig.matrix_presses import Matrix, RaisedCards, Relief
from companion.virtual.rig.noise_profiles import profile
from firmware.host.link import Link
from firmware.host.messages import Message, PartState, TextureFrame, WeightEvent
from firmware.simulator.chips.hx711_model import ONE_KG, Hx711Model
from firmware.simulator.chips.matrix_model import MatrixModel
from firmware.simulator.chips.matrix_network import MatrixCircuit, as_drawn_without_row_resistors
from firmware.simulator.chips.model_time import Chance, ModelTime
from firmware.simulator.chips.mpr121_model import Mpr121Model
from firmware.simulator.virtual_board import VirtualBoard
from firmware.simulator.virtual_port import MemoryEnd
from firmware.wire import hot_loops

# Loaded by name: the board's code is untyped MicroPython.
_touch: Any = import_module("firmware.board.drivers.mpr121")
_switch: Any = import_module("firmware.board.drivers.switch")
_scales: Any = import_module("firmware.board.drivers.hx711")

VARIANT = "basic"
FRAMES, AFTER = 6, 3
"""FRAMES of a press and AFTER it: 0.4 s at 15 frames a second, and what the board sends of the empty matrix."""
TRIES = 3
"""Attempts at each press of an enrolment."""
SMOOTH_SHARE = 0.2
"""Share of presses with a smooth card."""


def random_circuit(chance: Random, circuit: MatrixCircuit) -> MatrixCircuit:
    """The circuit with parts of another batch: switches, sheet, capacitances, and resistors of 5 %."""
    return circuit.changed(
        switch_ohm=chance.uniform(70, 100),
        pressed_ohm=circuit.pressed_ohm * 2 ** chance.uniform(-1, 1),
        curve=chance.uniform(0.7, 1.2),
        idle_ohm=10 ** chance.uniform(5.5, 7),
        strip_pf=chance.uniform(60, 160),
        sig_pf=chance.uniform(40, 80),
        row_ohm=circuit.row_ohm * chance.uniform(0.95, 1.05),
        sig_ohm=circuit.sig_ohm * chance.uniform(0.95, 1.05),
    )


class _Converter:
    """The analog pin: a reading takes 2 us, as in the viper loop."""

    def __init__(self, model: MatrixModel) -> None:
        self._model = model

    def read_u16(self) -> int:
        self._model.time.us += 2
        return self._model.read_u16()


class _Lines:
    def __init__(self, select: Callable[[int], None]) -> None:
        self.select = select


class MatrixBench:
    """One pressure matrix with the pictures of a game's cards, pressed by people of one noise profile."""

    def __init__(self, circuit: MatrixCircuit, noise: str, seed: int) -> None:
        raised: RaisedCards = load_virtual(DEFAULT_GAME).rig(VARIANT).raised
        self.pictures = dict(raised.pictures)
        self._careful = Matrix(raised, profile("clean"), Random(f"{seed} matrix"))
        self._people = Matrix(raised, profile(noise), Random(f"{seed} matrix"))
        self._model = MatrixModel(ModelTime(), Chance(seed), circuit)
        self._sigma = profile(noise).texture_sigma
        self._presses = Presses()
        self._t = 0.0
        self.refused: list[str] = []
        self.book = TextureBook(self._enrolled())

    def _enrolled(self) -> dict[str, list[bytes]]:
        book: dict[str, list[bytes]] = {}
        for kind, raised in self.pictures.items():
            found: list[bytes] = []
            for _ in range(TRIES * PRESS.enrolled):
                press = self._press(self._careful, raised, 0.0)
                try:
                    if press is not None and not press.rows_float and len(found) < PRESS.enrolled:
                        found.append(as_enrolled(press.picture, press.rest))
                except ValueError:
                    continue
            if len(found) == PRESS.enrolled:
                book[kind] = found
            else:
                self.refused.append(kind)
        return book

    def press(self, raised: Relief | None, now: float) -> Press | None:
        """A press `now` seconds into a game, as the host collects it from the board's frames."""
        self._model.sigma = self._sigma
        return self._press(self._people, raised, now)

    def _press(self, matrix: Matrix, raised: Relief | None, now: float) -> Press | None:
        self._model.creep = matrix.creep(now)
        self._model.press([float(cell) for row in matrix.press((raised,), now) for cell in row])
        found = [self._frame() for _ in range(FRAMES)]
        self._model.press([0.0] * 256)
        found += [self._frame() for _ in range(AFTER)]
        return next((press for press in found if press is not None), None)

    def _frame(self) -> Press | None:
        self._t += 0.066
        frame = bytearray(256)
        lines = _Lines(self._model.select_row), _Lines(self._model.select_col)
        hot_loops.scan_matrix(_Converter(self._model), *lines, frame)
        return self._presses.hear(TextureFrame(self._t, "pad", bytes(frame)))


def presses_told(circuit: MatrixCircuit, noise: str, presses: int, seed: int) -> Counter[str]:
    """What presses on one matrix are told as: right, wrong, untold; for raised pictures and smooth cards."""
    chance = Random(f"{seed} {noise}")
    bench = MatrixBench(circuit, noise, seed)
    told: Counter[str] = Counter({"refused": len(bench.refused), "kinds": len(bench.pictures)})
    for number in range(presses):
        kind = None if chance.random() < SMOOTH_SHARE else chance.choice(sorted(bench.pictures))
        press = bench.press(bench.pictures[kind] if kind else None, PRESS.drift_s * number / presses)
        lay = "smooth" if kind is None else "raised"
        told[lay] += 1
        if press is not None and press.rows_float:
            told["rows float"] += 1
        felt = texture_of(press, bench.book) if press is not None else None
        if felt is not None and felt.p >= COSTS.sure_texture:
            told[f"{lay} right" if felt.cls == kind else f"{lay} wrong"] += 1
    return told


def matrix_row(circuit: MatrixCircuit, noise: str, networks: int, presses: int, seed: int) -> dict[str, Any]:
    """Shares of presses over random networks of one circuit."""
    told: Counter[str] = Counter()
    chance = Random(seed)
    for number in range(networks):
        told += presses_told(random_circuit(chance, circuit), noise, presses, seed + number)
    raised, smooth = max(1, told["raised"]), max(1, told["smooth"])
    return {
        "presses": told["raised"] + told["smooth"],
        "pictures refused": round(told["refused"] / told["kinds"], 4),
        "right": round(told["raised right"] / raised, 4),
        "wrong": round((told["raised wrong"] + told["smooth wrong"]) / (raised + smooth), 4),
        "smooth right": round(told["smooth right"] / smooth, 4),
        "said to float": round(told["rows float"] / (raised + smooth), 4),
    }


FIXED_PRESS, FIXED_RELEASE = 30, 18
"""Thresholds (counts) of a driver that leaves the chip's power-on charge as it is."""
POLL_US, FINGER_S, TURN_S = 20000, 0.4, 3.0
"""Time between two looks (us); how long a finger stays, and how often one comes (s)."""
DRIFT_PF_S, BAR_PF = 0.002, 10.0
"""DRIFT_PF_S: drift (pF a second) of warmth and damp, a guess. BAR_PF: what a grounded bar below adds."""


class _Bus:
    """The touch chip's driver on the model, by the calls of the board's I2C."""

    def __init__(self, chip: Mpr121Model) -> None:
        self._chip = chip

    def readfrom_mem_into(self, _addr: int, register: int, data: bytearray) -> None:
        self._chip.read(register, data)

    def writeto_mem(self, _addr: int, register: int, data: bytes) -> None:
        self._chip.write(register, data)


class _FixedCharge:
    """A driver without autoconfiguration: 16 uA, 0.5 us, 30 counts below the first reading."""

    def __init__(self, bus: _Bus) -> None:
        self._bus = bus
        self._rest = 0
        self.touched = [False]

    def start(self) -> None:
        self._bus.writeto_mem(0, 0x5D, b"\x20")
        self._bus.writeto_mem(0, 0x5E, b"\x01")

    def poll(self) -> None:
        data = bytearray(2)
        self._bus.readfrom_mem_into(0, 4, data)
        value = data[0] | data[1] << 8
        self._rest = self._rest or value
        self.touched[0] = self._rest - value > (FIXED_RELEASE if self.touched[0] else FIXED_PRESS)


def touch_row(
    pf: float, turns: int, seed: int, *, bar_pf: float = 0.0, finger_pf: float = 1.8, fixed: bool = False
) -> dict[str, Any]:
    """Share of turns in which a finger is found, and in which a touch is reported that nobody made."""
    chance = Random(seed)
    time = ModelTime()
    chip = Mpr121Model(time, Chance(seed))
    chip.sigma = 1.0
    foil = chip.electrodes[0]
    foil.pf, foil.finger_pf, foil.bar_pf = pf, finger_pf, bar_pf
    driver: Any = _FixedCharge(_Bus(chip)) if fixed else _touch.Mpr121(_Bus(chip), 0x5A, 1, [])
    driver.start()
    found = false = 0
    switch = _switch.Switch(2)
    for _ in range(turns):
        press_us = time.us + int(chance.uniform(1.0, TURN_S - 1.0) * 1e6)
        end_us = time.us + int(TURN_S * 1e6)
        pace = chance.uniform(-DRIFT_PF_S, DRIFT_PF_S)
        felt = wrong = False
        while time.us < end_us:
            time.us += POLL_US
            foil.drift_pf = max(-1.0, min(1.0, foil.drift_pf + pace * POLL_US / 1e6))
            chip.touched[0] = press_us <= time.us < press_us + FINGER_S * 1e6
            driver.poll()
            switch.update(driver.touched[0])
            felt = felt or (switch.state and chip.touched[0])
            wrong = wrong or (switch.state and not press_us <= time.us < press_us + (FINGER_S + 0.3) * 1e6)
        found += felt
        false += wrong
    return {"turns": turns, "found": round(found / turns, 4), "false": round(false / turns, 4)}


class _Board:
    """Pins of load cells; a look at one takes `look_us`, as plain Python does on a Pico."""

    def __init__(self, cells: int, look_us: int, seed: int) -> None:
        self.time = ModelTime()
        self._look_us = look_us
        chance = Chance(seed)
        self.cells = [Hx711Model(self.time, chance, ONE_KG.counts_per_gram, 13000 * at) for at in range(cells)]
        for at, cell in enumerate(self.cells):
            cell.period_us += 900 * (at % 5 - 2)

    def pin_out(self, _number: int) -> "_Board":
        return self

    def pin_in(self, number: int) -> Any:
        return _Dout(self.cells[number], self.time, self._look_us)

    def value(self, level: int) -> None:
        self.time.us += 2
        for cell in self.cells:
            cell.clock(level)

    def ticks_us(self) -> int:
        return self.time.us

    def since_us(self, ticks: int) -> int:
        return self.time.us - ticks

    def lock(self) -> int:
        return 0

    def unlock(self, _state: int) -> None:
        """Interrupts on again. There are none here."""


class _Dout:
    def __init__(self, cell: Hx711Model, time: ModelTime, look_us: int) -> None:
        self._cell, self._time, self._look_us = cell, time, look_us

    def value(self) -> int:
        self._time.us += self._look_us
        return self._cell.value()


def _hasty(sck: Any, douts: list[Any], words: Any, hal: Any) -> None:
    """25 pulses that look at all lines while SCK is high."""
    for pulse in range(25):
        sck.value(1)
        if pulse < 24:
            words[pulse] = sum(line.value() << at for at, line in enumerate(douts))
        sck.value(0)


def scales_row(cells: int, seconds: int, seed: int, *, hasty: bool = False) -> dict[str, Any]:
    """Readings a second of cells read in plain Python at a Pico's pace, and the share of wrong ones."""
    board = _Board(cells, 15, seed)
    group = _scales.Hx711Group(20, range(cells), board)
    pulses = hot_loops.pulse_cells
    if hasty:
        hot_loops.pulse_cells = _hasty
    try:
        group.start()
        reads = wrong = 0
        while board.time.us < seconds * 1e6:
            board.time.us += 5000
            if group.poll():
                reads += cells
                wrong += sum(abs(value - 81234) > 1000 for value in group.values)
                board.time.us += 80000
    finally:
        hot_loops.pulse_cells = pulses
    return {"a second": round(reads / cells / seconds, 2), "wrong": round(wrong / max(1, reads), 4)}


WIRES = ("high", "low", "stuck", "zero")
"""Faults of a load cell's wires, as `Hx711Model.wire` has them."""
SETTLED_S, NAMED_WITHIN_S = 6.0, 3.0
"""SETTLED_S: until all cells have their zero. NAMED_WITHIN_S: how long a wire is off; no claim waits longer."""


def wires_row(seed: int) -> dict[str, int]:
    """Cells whose broken wire the board names within NAMED_WITHIN_S, and loads that it reports of them.

    Each fault of WIRES breaks all five cells of the default rig at once, with 10 g on them.
    """
    clock, end = ManualClock(), MemoryEnd()
    board = VirtualBoard(clock=clock, seed=seed, end=end)
    link = Link(end.path, clock, opener=end.open, session=seed | 1)
    cells = [str(station["name"]) for station in board.rig["stations"] if "count" in station]

    def heard(seconds: float) -> list[Message]:
        found: list[Message] = []
        until = clock.now() + seconds
        while clock.now() < until:
            clock.sleep(0.02)
            board.step(clock.now())
            found += link.poll()
        return found

    heard(SETTLED_S)
    for cell in cells:
        board.set_weight(cell, 10.0)
    heard(SETTLED_S)
    told = Counter[str]()
    for wire in WIRES:
        for cell in cells:
            board.misbehave("count", cell, "wire", wire)
        found = heard(NAMED_WITHIN_S)
        named = {one.part.station for one in found if isinstance(one, PartState) and one.broken_wire}
        told.update(cells=len(cells), named=len(named & set(cells)))
        told["taken for a load"] += sum(isinstance(one, WeightEvent) for one in found)
        for cell in cells:
            board.misbehave("count", cell, "wire", "")
        heard(SETTLED_S)
    link.close()
    board.close()
    return dict(told)


@click.command()
@click.option("--networks", type=click.IntRange(1), default=12, show_default=True, help="Random matrices.")
@click.option(
    "--presses", type=click.IntRange(1), default=100, show_default=True, help="Presses on each matrix."
)
@click.option("--turns", type=click.IntRange(1), default=1000, show_default=True, help="Of an electrode.")
@click.option("--seed", type=click.IntRange(0), default=11, show_default=True, help="Of parts and accidents.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def parts(networks: int, presses: int, turns: int, seed: int, as_json: bool) -> None:
    """The rig's circuits against models of their parts; the circuit without the resistors beside ours."""
    ours, drawn = MatrixCircuit(), as_drawn_without_row_resistors()
    result = {
        "matrix, home": matrix_row(ours, "home", networks, presses, seed),
        "matrix, rough": matrix_row(ours, "rough", networks, presses, seed),
        "matrix without row resistors, home": matrix_row(drawn, "home", 2, 20, seed),
        "touch 20 pF": touch_row(20.0, turns, seed),
        "touch 20 pF over a grounded bar": touch_row(20.0, turns, seed, bar_pf=BAR_PF),
        "touch 40 pF": touch_row(40.0, turns, seed),
        "touch 20 pF, fixed charge": touch_row(20.0, turns, seed, fixed=True),
        "5 cells": scales_row(5, 60, seed),
        "16 cells": scales_row(16, 60, seed),
        "5 cells read while SCK is high": scales_row(5, 60, seed, hasty=True),
        "5 cells with loose wires": wires_row(seed),
    }
    if as_json:
        click.echo(msgspec.json.encode({"bench": "parts", "networks": networks, "seed": seed, **result}))
        return
    for name, row in result.items():
        say(f"{name:36} " + ", ".join(f"{what} {value}" for what, value in row.items()))
