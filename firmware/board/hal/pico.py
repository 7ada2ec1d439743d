# mypy: ignore-errors
"""The Pico's hardware layer (RP2040, RP2350): pins, buses, USB serial, watchdog, values kept over a reset."""

import os
import select
import sys
import time

import machine
import micropython
import neopixel

from firmware.wire.hot_loops import const

# The header carries GP0 to 22 and 26 to 28. GP23 to 25 and 29 belong to the regulator, the supply's sense and
# the LED, on a W to its radio.
_LOW_PINS = const(22)
ADC_PINS = (26, 27, 28)
_HALF_CLOCK_US = const(5)  # 100 kHz
_WATCHDOG_MS = const(8000)  # the RP2040 takes 8388 at most; a step that writes to a deaf host takes seconds
# PWM refuses frequencies that it cannot divide down to
_LOWEST_TONE = const(20)
_HIGHEST_TONE = const(20000)

# Data sheets of the RP2040 (4.7) and RP2350 (12.9): the scratch registers keep their values over every reset
# except power-on and the RUN pin. The boot ROM uses only 4 to 7.
WATCHDOG_BASE = 0x400D8000 if "RP2350" in sys.implementation._machine else 0x40058000
REASON = WATCHDOG_BASE + 0x08
SCRATCH_EXIT = WATCHDOG_BASE + 0x0C
SCRATCH_STARTS = WATCHDOG_BASE + 0x10
_REASON_TIMER = const(1)
_EXIT_MARK = const(0x45584954)
_STARTS_MARK = const(0x5354A000)  # the lowest byte counts


class PicoHal:
    """Hardware of one Pico, set up as the rig describes it. ValueError names a pin that cannot be used so."""

    TICKS_MASK = (1 << 30) - 1
    WRITE_CHUNK = 16

    def __init__(self, rig):
        self._rig = rig
        self._spi = None
        self._i2c = None
        self._watchdog = None
        port = Port()
        self.read_serial = port.read
        self.write_serial = port.write
        self._hash = stored_hash()
        self._deselect_readers()

    def ticks_us(self):
        return time.ticks_us()

    def since_us(self, ticks):
        return (time.ticks_us() - ticks) & self.TICKS_MASK

    def sleep_us(self, count):
        time.sleep_us(count)

    def lock(self):
        return machine.disable_irq()

    def unlock(self, state):
        machine.enable_irq(state)

    def arm(self):
        """Start the watchdog: from now on a pause of more than 8 s between two `feed` resets the board."""
        self._watchdog = machine.WDT(timeout=_WATCHDOG_MS)

    def feed(self):
        """Reset the watchdog's timer."""
        if self._watchdog is not None:
            self._watchdog.feed()

    def random_u32(self):
        return int.from_bytes(os.urandom(4), "little") or 1

    def board_id(self):
        return machine.unique_id()

    def reset_cause(self):
        """1: power-on; 3: watchdog, or a reset by the program, which uses the watchdog."""
        return machine.reset_cause() & 0xFF

    def code_hash(self):
        """The hash that the flasher stored, 0 for none."""
        return self._hash

    def spi_device(self, chip_select):
        select_pin = _output(chip_select, 1)
        if self._spi is None:
            conf = self._rig["spi"]
            pins = {name: _pin(conf[name]) for name in ("sck", "mosi", "miso")}
            self._spi = machine.SPI(conf["id"], baudrate=4000000, polarity=0, phase=0, **pins)
        return SpiDevice(self._spi, select_pin)

    def i2c(self):
        if self._i2c is None:
            conf = self._rig["i2c"]
            sda, scl = _pin(conf["sda"]), _pin(conf["scl"])
            free_bus(sda, scl)
            self._i2c = machine.I2C(conf["id"], sda=sda, scl=scl, freq=400000, timeout=5000)
        return self._i2c

    def pin_in(self, number):
        check_pin(number)
        return machine.Pin(number, machine.Pin.IN, machine.Pin.PULL_UP)

    def pin_out(self, number):
        return _output(number, 0)

    def adc(self, number):
        # machine.ADC takes 0 to 3 as channels and would measure another pin.
        if number not in ADC_PINS:
            raise ValueError("GP" + str(number) + " cannot measure: only GP26 to GP28 can")
        return machine.ADC(number)

    def selector(self, pins):
        return Selector([_output(number, 0) for number in pins])

    def strip(self, pin, count):
        return Strip(_pin(pin), count)

    def pwm(self, pin):
        return Beeper(machine.PWM(_pin(pin)))

    def _deselect_readers(self):
        """A chip with a floating select line would answer on the bus while another one is addressed."""
        for station in self._rig["stations"]:
            conf = station.get("reader")
            if isinstance(conf, dict) and is_pin(conf.get("cs")):
                _output(conf["cs"], 1)


class Port:
    """USB serial, which the prompt uses as well."""

    def __init__(self):
        self._in = select.poll()
        self._in.register(sys.stdin.buffer, select.POLLIN)
        self._out = select.poll()
        self._out.register(sys.stdout.buffer, select.POLLOUT)
        self._byte = bytearray(1)
        self._take = sys.stdin.buffer.readinto
        self._give = sys.stdout.buffer.write

    def read(self, buffer):
        """Read into the front of `buffer`. Returns the number of bytes. Never blocks, allocates nothing."""
        byte = self._byte
        count = 0
        while count < len(buffer):
            ready = False
            for _ in self._in.ipoll(0):
                ready = True
            if not ready:
                break
            self._take(byte)  # longer reads would wait until all of it is there
            buffer[count] = byte[0]
            count += 1
        return count

    def write(self, data):
        """Write what the port takes without blocking. Returns the number of bytes. `data` comes in whole
        chunks.

        A write without room waits half a second and truncates its data, and the poll only tells whether there
        is any room. The ring and the packets are multiples of a chunk, so any room is room for a chunk.
        """
        view = memoryview(data)
        taken = 0
        while taken < len(data):
            ready = False
            for _ in self._out.ipoll(0):
                ready = True
            if not ready:
                break
            self._give(view[taken : taken + PicoHal.WRITE_CHUNK])
            taken += PicoHal.WRITE_CHUNK
        return min(taken, len(data))


class SpiDevice:
    """One chip select on the shared bus."""

    def __init__(self, spi, select_pin):
        self._write_readinto = spi.write_readinto
        self._select = select_pin

    def transfer(self, data):
        """Exchange `data` in place."""
        self.exchange(data)
        self.release()

    def exchange(self, data):
        """Exchange `data` in place, and leave the chip selected until `release`."""
        self._select.value(0)
        self._write_readinto(data, data)

    def release(self):
        """End what `exchange` began."""
        self._select.value(1)


class Selector:
    """Select lines of a multiplexer, lowest bit first."""

    def __init__(self, pins):
        self._pins = pins
        self._channel = 0

    def select(self, channel):
        changed = channel ^ self._channel
        self._channel = channel
        at = 0
        while changed:
            if changed & 1:
                self._pins[at].value(channel >> at & 1)
            changed >>= 1
            at += 1


class Strip:
    """A WS2812 chain."""

    def __init__(self, pin, count):
        self._pixels = neopixel.NeoPixel(pin, count)

    def write(self, data):
        self._pixels.buf[:] = data
        self._pixels.write()


class Beeper:
    """A piezo on a PWM pin."""

    def __init__(self, pwm):
        self._pwm = pwm

    def tone(self, hertz):
        """Set the frequency, 0 for silence. Inaudible frequencies are moved into the audible range."""
        if hertz:
            self._pwm.freq(min(max(hertz, _LOWEST_TONE), _HIGHEST_TONE))
        self._pwm.duty_u16(32768 if hertz else 0)


def is_pin(number):
    """Whether GP`number` is on the header."""
    return isinstance(number, int) and (0 <= number <= _LOW_PINS or number in ADC_PINS)


def check_pin(number):
    """ValueError with the number when there is no such pin."""
    if not is_pin(number):
        raise ValueError("GP" + str(number) + " is no pin of a Pico's header")


def free_bus(sda, scl):
    """Free an I2C bus on which a chip holds SDA low, in the middle of a byte that a reset cut.

    UM10204, 3.1.16: nine clocks let it finish, a stop ends the transfer.
    """
    sda.init(machine.Pin.IN, machine.Pin.PULL_UP)
    if sda.value():
        return
    scl.init(machine.Pin.OPEN_DRAIN, machine.Pin.PULL_UP)
    for _ in range(9):
        scl.value(0)
        time.sleep_us(_HALF_CLOCK_US)
        scl.value(1)
        time.sleep_us(_HALF_CLOCK_US)
    sda.init(machine.Pin.OPEN_DRAIN, machine.Pin.PULL_UP)
    sda.value(0)
    time.sleep_us(_HALF_CLOCK_US)
    sda.value(1)
    time.sleep_us(_HALF_CLOCK_US)


def stored_hash():
    """CRC-32 of the code, which the flasher wrote after verifying everything else; 0 for none."""
    try:
        with open("firmware/hash") as file:
            return int(file.read(), 16)
    except (OSError, ValueError):
        return 0


def release_port():
    """Let Ctrl-C interrupt the program again."""
    micropython.kbd_intr(3)


def reset():
    """Reset the whole chip, with the watchdog."""
    machine.reset()


def hung():
    """Whether the watchdog's timer caused the last reset, and not the program."""
    return bool(machine.mem32[REASON] & _REASON_TIMER)


def leave_exit_mark():
    """Make the next start go to the prompt."""
    machine.mem32[SCRATCH_EXIT] = _EXIT_MARK


def take_exit_mark():
    """Whether the mark was set. Clears it."""
    there = machine.mem32[SCRATCH_EXIT] == _EXIT_MARK
    machine.mem32[SCRATCH_EXIT] = 0
    return there


def starts():
    """Number of consecutive starts since power-on that did not run well for long."""
    value = machine.mem32[SCRATCH_STARTS]
    return value & 0xFF if value & ~0xFF == _STARTS_MARK else 0


def set_starts(count):
    """Store that number over the next reset."""
    machine.mem32[SCRATCH_STARTS] = _STARTS_MARK | count


def _pin(number):
    check_pin(number)
    return machine.Pin(number)


def _output(number, level):
    check_pin(number)
    return machine.Pin(number, machine.Pin.OUT, value=level)
