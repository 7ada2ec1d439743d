"""A Pico in emulation behind a pty, with the parts of the recommended rig except its tag reader; a program.

    python -m tests.hardware.rp2040 FILE.uf2 CLOCK

The first line it prints is the port's path. Lines that come in: `["grams", [1, 8.0]]` for bed 1's load cell,
`["press", [256 of 0..1]]` for the matrix, `["touch", [0, true]]` for a finger on electrode 0.
The file CLOCK holds the emulated seconds as float64. They never pass faster than real ones, but often slower.
"""

import dataclasses
import json
import os
import select
import struct
import sys
import time
from collections.abc import Callable
from typing import Any

from rp2040py.boards import BOARDS
from rp2040py.device import MicroPythonDevice
from rp2040py.execute_batch import execute_batch
from rp2040py.memory_map import FLASH_START_ADDRESS

from firmware.board.default_rig import COUNTS_PER_GRAM, DEFAULT_RIG
from firmware.simulator.chips.hx711_model import Hx711Model
from firmware.simulator.chips.matrix_model import MatrixModel
from firmware.simulator.chips.model_time import Chance
from firmware.simulator.chips.mpr121_model import Mpr121Model
from firmware.simulator.virtual_port import PtyEnd

TICK_NS = 1_000_000
BEHIND = 0.1
"""Seconds behind real time that are still made up for; a slow stretch beyond that is forgotten."""
NAP = 0.002
COMMAND_BYTES = 65536


class UsbHost:
    """The computer's end of the board's USB: the port appears with it, and vanishes when the chip resets."""

    def __init__(self, device: Any) -> None:
        self.end = PtyEnd()
        self._cdc = device.cdc
        self._usb = device.mcu.usb_ctrl
        self._down = bytearray()
        self._up = bytearray()
        self._room: int | None = None  # what the chip's endpoint waits for
        self._plugged = False
        self._control, self._left_bus = self._usb.on_endpoint_read, self._usb.on_reset
        self._usb.on_endpoint_read = self._asked
        self._usb.on_reset = self._gone
        self._cdc.on_serial_data = self._up.extend
        self._cdc.on_device_connected = self._there

    def exchange(self) -> None:
        """Move bytes both ways as far as they go."""
        if not self._plugged:
            return
        self._down += self.end.read()
        self._give()
        if self._up:
            del self._up[: self.end.write(bytes(self._up))]

    def _there(self) -> None:
        self.end.plug()
        self._plugged = True

    def _gone(self) -> None:
        self.end.unplug()
        self._plugged = False
        self._down.clear()
        self._up.clear()
        self._room = None
        self._left_bus()

    def _asked(self, endpoint: int, size: int) -> None:
        if endpoint != self._cdc._out_endpoint:
            self._control(endpoint, size)
            return
        # A computer with nothing to say sends nothing. The emulator's own answer, an empty packet, would
        # wake the chip again and again and make every idle microsecond cost a real one.
        self._room = size
        self._give()

    def _give(self) -> None:
        if self._room is not None and self._down:
            packet = bytes(self._down[: self._room])
            del self._down[: self._room]
            self._room = None
            self._usb.endpoint_read_done(self._cdc._out_endpoint, packet)


class TouchBus:
    """The touch chip on the Pico's I2C bus."""

    def __init__(self, bus: Any, address: int, chip: Mpr121Model, tick: Callable[[], None]) -> None:
        self._bus, self._address, self._chip, self._tick = bus, address, chip, tick
        self._register = 0
        self._written = bytearray()
        self._writes = False
        bus.on_start = self._started
        bus.on_connect = self._connected
        bus.on_write_byte = self._write
        bus.on_read_byte = self._read
        bus.on_stop = self._stopped

    def _started(self, _repeated: bool) -> None:
        self._flush()
        self._bus.complete_start()

    def _connected(self, address: int, mode: int) -> None:
        self._writes = mode == 0
        self._bus.complete_connect(address == self._address)

    def _write(self, value: int) -> None:
        self._written.append(value)
        self._bus.complete_write(True)

    def _read(self, _more: bool) -> None:
        data = bytearray(1)
        self._tick()
        self._chip.read(self._register, data)
        self._register += 1
        self._bus.complete_read(data[0])

    def _stopped(self) -> None:
        self._flush()
        self._bus.complete_stop()

    def _flush(self) -> None:
        """Hand over what was written: the register's number, then its bytes."""
        if self._writes and self._written:
            self._register = self._written[0]
            if len(self._written) > 1:
                self._tick()
                self._chip.write(self._register, bytes(self._written[1:]))
        self._written.clear()
        self._writes = False


class Bench:
    """What is wired to the pins: five load cells, the touch chip and the matrix, as in the recommended rig."""

    def __init__(self, mcu: Any) -> None:
        self.us: float = 0  # as the models want their time
        self._mcu = mcu
        douts = [one["count"]["dout"] for one in DEFAULT_RIG["stations"] if "count" in one]
        self._cells = [
            (Hx711Model(self, Chance(3 + at), COUNTS_PER_GRAM, 13000 * at), mcu.gpio[dout])
            for at, dout in enumerate(douts)
        ]
        self._matrix = MatrixModel(self, Chance(4))
        self._touch = Mpr121Model(self, Chance(5))
        self._touch.sigma = 1.0
        i2c = DEFAULT_RIG["i2c"]
        TouchBus(mcu.i2c[i2c["id"]], DEFAULT_RIG["touch"]["addr"], self._touch, self._now)
        for pin in (i2c["sda"], i2c["scl"]):
            mcu.gpio[pin].set_input_value(True)  # the pull-ups
        conf = DEFAULT_RIG["matrix"]
        self._rows, self._cols = conf["rows"], conf["cols"]
        self._sck = mcu.gpio[DEFAULT_RIG["scales"]["sck"]]
        self._sck.add_listener(self._clocked)
        self._convert = mcu.adc.on_adc_read
        mcu.adc.on_adc_read = self._measure

    def look(self) -> None:
        """Time has passed: a conversion may be ready."""
        self._now()
        for cell, dout in self._cells:
            dout.set_input_value(bool(cell.value()))

    def told(self, what: str, value: Any) -> None:
        """Grams on a bed's cell, pressures 0..1 on the matrix, or a finger on an electrode."""
        if what == "grams":
            bed, grams = value
            self._cells[bed - 1][0].grams = grams
        elif what == "press":
            self._matrix.press(value)
        elif what == "touch":
            electrode, finger = value
            self._touch.touched[electrode] = finger

    def _now(self) -> None:
        self.us = int(self._mcu.clock.micros)

    def _clocked(self, *_: object) -> None:
        self._now()
        level = int(self._sck.output_value)
        for cell, dout in self._cells:
            cell.clock(level)
            dout.set_input_value(bool(cell.value()))

    def _measure(self, channel: int) -> None:
        self._now()
        self._matrix.select_row(self._selected(self._rows))
        self._matrix.select_col(self._selected(self._cols))
        self.us += self._matrix.circuit.adc_hold_us
        self._mcu.adc.channel_values[0] = self._matrix.read_u16() >> 4  # 12 bits
        self._convert(channel)

    def _selected(self, pins: tuple[int, ...]) -> int:
        return sum(self._mcu.gpio[pin].output_value << at for at, pin in enumerate(pins))


class Commands:
    """Lines of JSON on stdin: what is put on the bench."""

    def __init__(self) -> None:
        self._rest = b""
        self.closed = False

    def wait(self, seconds: float) -> list[Any]:
        """Whole lines that came within `seconds`, parsed. `closed` is True after the last."""
        # A buffered reader would hold back lines that `select` no longer sees.
        readable, _, _ = select.select([0], [], [], seconds)
        if not readable:
            return []
        data = os.read(0, COMMAND_BYTES)
        self.closed = not data
        *lines, self._rest = (self._rest + data).split(b"\n")
        return [json.loads(line) for line in lines]


def run(uf2: str, clock_path: str) -> None:
    """Emulate until the other end of stdin closes."""
    device = MicroPythonDevice(board=dataclasses.replace(BOARDS["pico"], image=uf2))
    simulator, mcu = device.simulator, device.mcu
    usb, bench, commands = UsbHost(device), Bench(mcu), Commands()
    clock = os.open(clock_path, os.O_WRONLY)
    print(usb.end.path, flush=True)

    def tick() -> None:
        bench.look()
        simulator.stopped = True  # ends the batch: an idle chip would run hours ahead in one
        alarm.schedule(TICK_NS)

    alarm = simulator.clock.create_alarm(tick)
    alarm.schedule(TICK_NS)
    mcu.core.pc = FLASH_START_ADDRESS
    start = time.monotonic()
    while not commands.closed:
        simulator.stopped = False
        execute_batch(simulator, 1)
        now = simulator.clock.nanos / 1e9
        os.pwrite(clock, struct.pack("<d", now), 0)
        usb.exchange()
        ahead = now - (time.monotonic() - start)
        if ahead < -BEHIND:
            start -= ahead
        for what, value in commands.wait(min(max(ahead, 0), NAP)):
            bench.told(what, value)
    usb.end.close()


if __name__ == "__main__":
    run(*sys.argv[1:])
