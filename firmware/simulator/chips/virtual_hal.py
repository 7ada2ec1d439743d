# mypy: ignore-errors
"""The board's hardware layer on chip models.

Buses cost model time, never real time.
"""

from firmware.board.default_rig import COUNTS_PER_GRAM
from firmware.simulator.chips.button_strip_beeper import BeeperModel, ButtonModel, StripModel
from firmware.simulator.chips.hx711_model import Hx711Model
from firmware.simulator.chips.matrix_model import MatrixModel
from firmware.simulator.chips.matrix_network import as_drawn_without_row_resistors
from firmware.simulator.chips.mfrc522_model import Mfrc522Model
from firmware.simulator.chips.mpr121_model import Mpr121Model

# time (us) of a pin's reading, a conversion, a multiplexer's switching: guesses
PIN_US, ADC_US, SELECT_US = 2, 11, 4
SPI_US, SPI_BYTE_US = 20, 2  # 4 MHz, and MicroPython's time around a transfer: a guess
I2C_US, I2C_BYTE_US = 60, 23  # 400 kHz, and MicroPython's time around a transfer: a guess
OSCILLATOR_US = 900  # step (us) between the conversion times of neighbouring load cells, about 1 %: a guess
INNER_PINS = (23, 24, 25, 29)
HIGHEST_PIN = 28
ADC_PINS = (26, 27, 28)


class HeapGuard:
    """Locks the heap while the board's code runs, and unlocks it for the models.

    Models stand for silicon, so their allocations are not the board's. It does nothing where no such lock
    exists.
    """

    def __init__(self):
        self.on = False

    def open(self):
        """Unlock the heap for a model."""
        if self.on:
            import micropython

            micropython.heap_unlock()

    def close(self):
        """Lock the heap for the board's code."""
        if self.on:
            import micropython

            micropython.heap_lock()


class Chips:
    """Models of all chips that a rig names.

    `readers`, `matrices`, `cells`, `buttons`, `electrodes`: station -> model. `touch`: the one touch chip.
    `strip`, `beeper`: lamps and beeper of the board.
    """

    def __init__(self, rig, time, chance):
        self.readers = {}
        self.matrices = {}
        self.cells = {}
        self.buttons = {}
        lamps = 0
        for at, station in enumerate(rig["stations"]):
            name = station["name"]
            if "reader" in station:
                self.readers[name] = reader_model(station["reader"], time, chance)
            if "texture" in station:
                circuit = matrix_circuit(station["texture"] or rig["matrix"])
                self.matrices[name] = MatrixModel(time, chance, circuit)
            if "count" in station:
                per_gram = station["count"].get("counts_per_gram", COUNTS_PER_GRAM)
                self.cells[name] = Hx711Model(time, chance, per_gram, 7000 * at)
                # Each chip has its own oscillator.
                self.cells[name].period_us += OSCILLATOR_US * (at % 5 - 2)
            if "pin" in station.get("button", {}):
                self.buttons[name] = ButtonModel(time, chance)
            lamps = max(lamps, station.get("lamp", -1) + 1)
        self.touch = Mpr121Model(time, chance)
        self.electrodes = {
            station["name"]: self.touch.electrodes[station["touch"]]
            for station in rig["stations"]
            if "touch" in station
        }
        self.strip = StripModel(lamps)
        self.beeper = BeeperModel()

    def find(self, part, station):
        """Find a station part's chip model; KeyError without one.

        `part`: "reader", "texture", "count" (load cell), "button", "electrode", or "touch" for the one chip of
        all electrodes, whatever the station.
        """
        if part == "touch":
            return self.touch
        return {
            "reader": self.readers,
            "texture": self.matrices,
            "count": self.cells,
            "button": self.buttons,
            "electrode": self.electrodes,
        }[part][station]


def matrix_circuit(conf):
    """Make the circuit of a pressure matrix from its section in a rig.

    `conf`: its values. Without `row_ohm` it has no row resistors, without `sig_ohm` 10 kilohm at SIG.
    """
    drawn = as_drawn_without_row_resistors()
    row_ohm, sig_ohm = conf.get("row_ohm", drawn.row_ohm), conf.get("sig_ohm", drawn.sig_ohm)
    return drawn.changed(row_ohm=row_ohm, sig_ohm=sig_ohm)


def reader_model(conf, time, chance):
    """Make the model of the reader chip that a rig's section names; MFRC522 by default."""
    if conf.get("chip", "mfrc522") == "pn5180":
        from firmware.simulator.chips.pn5180_model import Pn5180Model

        return Pn5180Model(time, chance)
    return Mfrc522Model(time, chance)


class VirtualHal:
    """Hardware layer with the calls of `PicoHal`, on chip models.

    `line` is the board's serial end: read_into(buffer), send(data). `cause` is the reset cause. `first_ticks`
    is the first value of the tick counter; near its end the counter wraps soon.
    """

    TICKS_MASK = (1 << 30) - 1
    WRITE_CHUNK = 16

    def __init__(self, rig, time, chance, chips, line, cause, code_hash=0, first_ticks=0):
        self._rig = rig
        self._time = time
        self._chance = chance
        self._chips = chips
        self._line = line
        self._cause = cause
        self._code_hash = code_hash
        self._origin = (first_ticks - time.us) & self.TICKS_MASK
        self.guard = HeapGuard()
        self._by_select = {}
        self._by_adc = {}
        self._inputs = {}
        self._outputs = {}
        for station in rig["stations"]:
            name = station["name"]
            if "reader" in station:
                conf = station["reader"]
                self._by_select[conf["cs"]] = chips.readers[name]
                if "busy" in conf:
                    self._inputs[conf["busy"]] = chips.readers[name].busy
                    self._outputs[conf["reset"]] = [chips.readers[name].reset]
            if "texture" in station:
                self._by_adc[(station["texture"] or rig["matrix"])["adc"]] = chips.matrices[name]
            if "count" in station:
                self._inputs[station["count"]["dout"]] = chips.cells[name].value
            if "pin" in station.get("button", {}):
                self._inputs[station["button"]["pin"]] = chips.buttons[name].value
        if "scales" in rig:
            self._outputs[rig["scales"].get("sck")] = [cell.clock for cell in chips.cells.values()]

    def ticks_us(self):
        """Microsecond counter; wraps after 17.9 minutes, as on the Pico."""
        return (self._time.us + self._origin) & self.TICKS_MASK

    def since_us(self, ticks):
        """Time (us) since `ticks`, over a wrap, too."""
        return (self.ticks_us() - ticks) & self.TICKS_MASK

    def sleep_us(self, count):
        """Advance the model time by `count` microseconds."""
        self._time.us += count

    def lock(self):
        """Switch interrupts off, and return their state; there are none here, so 0."""
        return 0

    def unlock(self, state):
        """Switch interrupts on again."""

    def feed(self):
        """Do nothing: there is no watchdog."""

    def read_serial(self, buffer):
        """Read the host's bytes into the front of `buffer`, and return their number."""
        self.guard.open()
        count = self._line.read_into(buffer)
        self.guard.close()
        return count

    def write_serial(self, data):
        """Send bytes to the host, and return how many were taken, in whole chunks of 16."""
        self.guard.open()
        taken = self._line.send(data)
        self.guard.close()
        return taken

    def random_u32(self):
        """Random number of 32 bits, by the board's seed."""
        return self._chance.u32()

    def board_id(self):
        """Serial number of 8 bytes, as `machine.unique_id` returns."""
        return b"virtual\0"

    def reset_cause(self):
        """Cause of the last reset: 1 power-on, 3 reset."""
        return self._cause

    def code_hash(self):
        """Hash of the board's files."""
        return self._code_hash

    def spi_device(self, chip_select):
        """Get the SPI device behind a chip select pin; an unwired one reads 0xFF.

        ValueError for an impossible pin.
        """
        _check(chip_select)
        return _Spi(self._by_select.get(chip_select), self._time, self.guard)

    def i2c(self):
        """I2C bus with the touch chip on it."""
        return _I2c(self._chips.touch, self._rig["touch"]["addr"], self._time, self.guard)

    def pin_in(self, number):
        """Input pin with pull-up; ValueError for an impossible pin."""
        _check(number)
        return _PinIn(self._inputs.get(number, _pulled_up), self._time, self.guard)

    def pin_out(self, number):
        """Output pin; ValueError for an impossible pin."""
        _check(number)
        return _PinOut(self._outputs.get(number, []), self._time, self.guard)

    def adc(self, number):
        """Analogue input; ValueError except for GP26 to GP28."""
        if number not in ADC_PINS:
            raise ValueError("pin " + str(number) + " has no converter")
        return _Adc(self._by_adc[number], self._time, self.guard)

    def selector(self, pins):
        """Get the multiplexer whose four select pins are `pins`.

        KeyError if no multiplexer is wired so. ValueError for an impossible pin.
        """
        for number in pins:
            _check(number)
        for station in self._rig["stations"]:
            if "texture" in station:
                conf = station["texture"] or self._rig["matrix"]
                matrix = self._chips.matrices[station["name"]]
                if tuple(conf["rows"]) == tuple(pins):
                    return _Selector(matrix.select_row, self._time, self.guard)
                if tuple(conf["cols"]) == tuple(pins):
                    return _Selector(matrix.select_col, self._time, self.guard)
        raise KeyError(pins)

    def strip(self, pin, count):
        """Get the chain of all lamps of the model; ValueError for an impossible pin."""
        _check(pin)
        return self._chips.strip

    def pwm(self, pin):
        """Get the beeper; ValueError for an impossible pin."""
        _check(pin)
        return self._chips.beeper


def _check(number):
    """Raise ValueError if `number` is no Pico header pin."""
    if not isinstance(number, int) or not 0 <= number <= HIGHEST_PIN or number in INNER_PINS:
        raise ValueError("pin " + repr(number) + " is no pin")


def _pulled_up():
    """Level of an unwired pin: 1, because the pin is pulled up."""
    return 1


class _Spi:
    def __init__(self, chip, time, guard):
        self._chip = chip
        self._time = time
        self._guard = guard

    def transfer(self, data):
        """Exchange `data` with the chip; its answer overwrites `data`."""
        self.exchange(data)

    def release(self):
        """Raise the chip select."""
        self._time.us += PIN_US
        self._guard.open()
        self._chip.release()
        self._guard.close()

    def exchange(self, data):
        """Exchange `data` with the chip; its answer overwrites `data`.

        An unwired chip answers 0xFF.
        """
        self._time.us += SPI_US + SPI_BYTE_US * len(data)
        self._guard.open()
        if self._chip is None:
            for at in range(len(data)):
                data[at] = 0xFF  # nobody drives the line
        else:
            self._chip.transfer(data)
        self._guard.close()


class _I2c:
    def __init__(self, chip, addr, time, guard):
        self._chip = chip
        self._addr = addr
        self._time = time
        self._guard = guard

    def readfrom_mem_into(self, addr, register, data):
        """Fill `data` with registers of the chip at address `addr`, from number `register` on.

        OSError if it does not answer.
        """
        self._charge(addr, len(data))
        self._guard.open()
        try:
            self._chip.read(register, data)
        finally:
            self._guard.close()

    def writeto_mem(self, addr, register, data):
        """Write `data` to registers of the chip at address `addr`, from number `register` on.

        OSError if it does not answer.
        """
        self._charge(addr, len(data))
        self._guard.open()
        try:
            self._chip.write(register, data)
        finally:
            self._guard.close()

    def _charge(self, addr, size):
        self._time.us += I2C_US + I2C_BYTE_US * (size + 2)
        if addr != self._addr:
            raise OSError(19)


class _PinIn:
    def __init__(self, value, time, guard):
        self._value = value
        self._time = time
        self._guard = guard

    def value(self):
        """Level of the input pin, 0 or 1."""
        self._time.us += PIN_US
        if not self._guard.on:
            return int(self._value())
        self._guard.open()
        level = int(self._value())
        self._guard.close()
        return level


class _PinOut:
    """Output pin and the models wired to it; all load cells share one clock pin."""

    def __init__(self, listeners, time, guard):
        self._listeners = listeners
        self._time = time
        self._guard = guard

    def value(self, level):
        """Set the output pin, which all wired models see."""
        self._time.us += PIN_US
        self._guard.open()
        for listener in self._listeners:
            listener(level)
        self._guard.close()


class _Adc:
    def __init__(self, matrix, time, guard):
        self._read = matrix.read_u16
        self._time = time
        self._guard = guard

    def read_u16(self):
        """Read the analogue input, 0 to 65535."""
        self._time.us += ADC_US
        if not self._guard.on:
            return self._read()
        self._guard.open()
        value = self._read()
        self._guard.close()
        return value


class _Selector:
    def __init__(self, connect, time, guard):
        self._connect = connect
        self._time = time
        self._guard = guard

    def select(self, channel):
        """Connect another channel of the multiplexer, 0 to 15."""
        self._guard.open()
        self._connect(channel)
        self._guard.close()
        self._time.us += SELECT_US
