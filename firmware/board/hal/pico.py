# mypy: ignore-errors
"""Hardware layer of the Pico: pins, buses, USB serial, watchdog, reset-proof values."""

import os
import select
import sys
import time

import machine
import micropython
import neopixel

from firmware.wire.hot_loops import const

# The header carries GP0 to 22 and 26 to 28 (Pico data sheet). The others belong to regulator, supply sense, LED
# and, on a W, the radio.
_LOW_PINS = const(22)
ADC_PINS = (26, 27, 28)
_HALF_CLOCK_US = const(5)  # half a period of a 100 kHz I2C clock
# the RP2040 takes 8388 at most (data sheet); a step that writes to a deaf host takes seconds
_WATCHDOG_MS = const(8000)
# Hz: PWM cannot divide down to less, and nobody hears more.
_LOWEST_TONE = const(20)
_HIGHEST_TONE = const(20000)

# The scratch registers keep their values over every reset except power-on and the RUN pin. The boot ROM uses
# only 4 to 7 (data sheets RP2040 4.7, RP2350 12.9).
WATCHDOG_BASE = 0x400D8000 if "RP2350" in sys.implementation._machine else 0x40058000
REASON = WATCHDOG_BASE + 0x08
SCRATCH_EXIT = WATCHDOG_BASE + 0x0C
SCRATCH_STARTS = WATCHDOG_BASE + 0x10
_REASON_TIMER = const(1)
_EXIT_MARK = const(0x45584954)  # "EXIT" in ASCII
_STARTS_MARK = const(0x5354A000)  # "ST" in ASCII; the lowest byte counts starts


class PicoHal:
    """Hardware of one Pico, wired as `rig` says.

    ValueError names an unusable pin.
    """

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
        """Microsecond counter; wraps at 30 bits, after 17.9 minutes."""
        return time.ticks_us()

    def since_us(self, ticks):
        """Time (us) since `ticks`, over a wrap, too."""
        return (time.ticks_us() - ticks) & self.TICKS_MASK

    def sleep_us(self, count):
        """Wait `count` microseconds."""
        time.sleep_us(count)

    def lock(self):
        """Switch interrupts off, and return their state for `unlock`."""
        return machine.disable_irq()

    def unlock(self, state):
        """Restore the interrupts to the state that `lock` returned."""
        machine.enable_irq(state)

    def arm(self):
        """Start the watchdog: more than 8 s between two `feed` reset the board."""
        self._watchdog = machine.WDT(timeout=_WATCHDOG_MS)

    def feed(self):
        """Restart the watchdog's 8 s; call it more often than that."""
        if self._watchdog is not None:
            self._watchdog.feed()

    def random_u32(self):
        """Random number of 32 bits."""
        return int.from_bytes(os.urandom(4), "little") or 1

    def board_id(self):
        """Unique number of the board, 8 bytes."""
        return machine.unique_id()

    def reset_cause(self):
        """Cause of the last reset: 1 power-on, 3 watchdog or the program.

        A program resets the chip by its watchdog, too.
        """
        return machine.reset_cause() & 0xFF

    def code_hash(self):
        """CRC-32 of the code as the flasher stored it, 0 without one."""
        return self._hash

    def spi_device(self, chip_select):
        """SPI device behind a chip select pin, at 4 MHz."""
        select_pin = _output(chip_select, 1)
        if self._spi is None:
            conf = self._rig["spi"]
            pins = {name: _pin(conf[name]) for name in ("sck", "mosi", "miso")}
            self._spi = machine.SPI(conf["id"], baudrate=4000000, polarity=0, phase=0, **pins)
        return SpiDevice(self._spi, select_pin)

    def i2c(self):
        """I2C bus at 400 kHz, freed first from a chip that holds SDA low."""
        if self._i2c is None:
            conf = self._rig["i2c"]
            sda, scl = _pin(conf["sda"]), _pin(conf["scl"])
            free_bus(sda, scl)
            self._i2c = machine.I2C(conf["id"], sda=sda, scl=scl, freq=400000, timeout=5000)
        return self._i2c

    def pin_in(self, number):
        """Input pin GP`number`, with pull-up."""
        check_pin(number)
        return machine.Pin(number, machine.Pin.IN, machine.Pin.PULL_UP)

    def pin_out(self, number):
        """Output pin GP`number`, low at first."""
        return _output(number, 0)

    def adc(self, number):
        # machine.ADC takes 0 to 3 for channels and would measure another pin.
        """Analogue input at GP`number`; ValueError except for GP26 to GP28."""
        if number not in ADC_PINS:
            raise ValueError("GP" + str(number) + " cannot measure: only GP26 to GP28 can")
        return machine.ADC(number)

    def selector(self, pins):
        """Select lines of a multiplexer on four pins, lowest bit first."""
        return Selector([_output(number, 0) for number in pins])

    def strip(self, pin, count):
        """Chain of `count` WS2812 lamps on a data pin."""
        return Strip(_pin(pin), count)

    def pwm(self, pin):
        """Beeper on a pin."""
        return Beeper(machine.PWM(_pin(pin)))

    def _deselect_readers(self):
        """Set all chip selects high: a floating one lets its chip disturb the bus."""
        for station in self._rig["stations"]:
            conf = station.get("reader")
            if isinstance(conf, dict) and is_pin(conf.get("cs")):
                _output(conf["cs"], 1)


class Port:
    """USB serial port, shared with MicroPython's prompt."""

    def __init__(self):
        self._in = select.poll()
        self._in.register(sys.stdin.buffer, select.POLLIN)
        self._out = select.poll()
        self._out.register(sys.stdout.buffer, select.POLLOUT)
        self._byte = bytearray(1)
        self._take = sys.stdin.buffer.readinto
        self._give = sys.stdout.buffer.write

    def read(self, buffer):
        """Read bytes from the host into the front of `buffer`.

        Returns their number, 0 if none arrived. Allocates nothing.
        """
        byte = self._byte
        count = 0
        while count < len(buffer):
            ready = False
            for _ in self._in.ipoll(0):
                ready = True
            if not ready:
                break
            self._take(byte)  # a longer read would wait until all bytes are there
            buffer[count] = byte[0]
            count += 1
        return count

    def write(self, data):
        """Write what the port takes at once.

        Returns the number of bytes.

        `data` comes in whole chunks of 16 bytes. A write without room would wait half a second and cut its
        data. The poll only says whether there is any room. Ring and packets are multiples of a chunk, so any
        room is room for a chunk.
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
    """Chip behind one chip select of the SPI bus."""

    def __init__(self, spi, select_pin):
        self._write_readinto = spi.write_readinto
        self._select = select_pin

    def transfer(self, data):
        """Exchange `data` with the chip, and overwrite it by the chip's answer.

        The chip is deselected afterwards.
        """
        self.exchange(data)
        self.release()

    def exchange(self, data):
        """Exchange `data` with the chip, and overwrite it by the chip's answer.

        The chip stays selected until `release`.
        """
        self._select.value(0)
        self._write_readinto(data, data)

    def release(self):
        """Deselect the chip."""
        self._select.value(1)


class Selector:
    """Select lines of a multiplexer, lowest bit first.

    Channel 0 is selected at first.
    """

    def __init__(self, pins):
        self._pins = pins
        self._channel = 0

    def select(self, channel):
        """Select channel 0 to 15, changing only lines that differ."""
        changed = channel ^ self._channel
        self._channel = channel
        at = 0
        while changed:
            if changed & 1:
                self._pins[at].value(channel >> at & 1)
            changed >>= 1
            at += 1


class Strip:
    """WS2812 chain on a data pin."""

    def __init__(self, pin, count):
        self._pixels = neopixel.NeoPixel(pin, count)

    def write(self, data):
        """Show new colours: bytes green, red, blue for each lamp."""
        self._pixels.buf[:] = data
        self._pixels.write()


class Beeper:
    """Piezo beeper on a PWM pin."""

    def __init__(self, pwm):
        self._pwm = pwm

    def tone(self, hertz):
        """Sound `hertz`, limited to 20 to 20000 Hz; 0 is silence."""
        if hertz:
            self._pwm.freq(min(max(hertz, _LOWEST_TONE), _HIGHEST_TONE))
        self._pwm.duty_u16(32768 if hertz else 0)


def is_pin(number):
    """True if GP`number` is on the Pico's header."""
    return isinstance(number, int) and (0 <= number <= _LOW_PINS or number in ADC_PINS)


def check_pin(number):
    """Raise ValueError if GP`number` is not on the Pico's header."""
    if not is_pin(number):
        raise ValueError("GP" + str(number) + " is no pin of a Pico's header")


def free_bus(sda, scl):
    """Free an I2C bus (pins `sda`, `scl`) on which a chip holds SDA low.

    A reset in the middle of a byte leaves it so. Nine clocks let the chip finish, a stop ends the transfer
    (UM10204, 3.1.16).
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
    """CRC-32 of the code as the flasher stored it, 0 without one."""
    try:
        with open("firmware/hash") as file:
            return int(file.read(), 16)
    except (OSError, ValueError):
        return 0


def release_port():
    """Let Ctrl-C from the serial port interrupt the program again."""
    micropython.kbd_intr(3)


def reset():
    """Reset the chip."""
    machine.reset()


def hung():
    """True if the watchdog's timer caused the last reset."""
    return bool(machine.mem32[REASON] & _REASON_TIMER)


def leave_exit_mark():
    """Make the next start go to the prompt."""
    machine.mem32[SCRATCH_EXIT] = _EXIT_MARK


def take_exit_mark():
    """True if the exit mark was set; clears it."""
    there = machine.mem32[SCRATCH_EXIT] == _EXIT_MARK
    machine.mem32[SCRATCH_EXIT] = 0
    return there


def starts():
    """Number of starts in a row without a minute of good running, since power-on."""
    value = machine.mem32[SCRATCH_STARTS]
    return value & 0xFF if value & ~0xFF == _STARTS_MARK else 0


def set_starts(count):
    """Keep the number of failed starts (`count`, 0 to 255) over the next reset."""
    machine.mem32[SCRATCH_STARTS] = _STARTS_MARK | count


def _pin(number):
    check_pin(number)
    return machine.Pin(number)


def _output(number, level):
    check_pin(number)
    return machine.Pin(number, machine.Pin.OUT, value=level)
