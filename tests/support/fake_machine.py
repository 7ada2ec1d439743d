"""A Pico's modules (machine, neopixel, micropython, select, time, sys) that obey the real ones' rules.

Written in the MicroPython subset: tests run it on CPython, and in MicroPython's build for node. The chip has
a `world`, which supplies time and the USB port: us(), sleep_us(n), poll() -> bool, read() -> byte,
room() -> bytes, write(data), reset().
"""

RP2040, RP2350 = "RP2040", "RP2350"
WATCHDOG_LIMIT_MS = {RP2040: 8388, RP2350: 16777}
WATCHDOG_BASE = {RP2040: 0x40058000, RP2350: 0x400D8000}
REASON_TIMER, REASON_FORCE = 1, 2
CTRL_C = 3


class BoardReset(BaseException):
    """The chip starts again; no program can catch it as an Exception."""


class Chip:
    """What a reset keeps (scratch registers, the reason) and what it does not.

    `held`: pin whose line a chip on the bus holds low -> (pin of the clock, rising edges until it lets go).
    """

    def __init__(self, world, kind=RP2040):
        self.world = world
        self.kind = kind
        self.reason = 0
        self.scratch = [0] * 8
        self.start()

    def power_on(self):
        """Power came: nothing is remembered."""
        self.reason = 0
        self.scratch = [0] * 8
        self.start()

    def start(self):
        """What each reset does."""
        self.levels = {}
        self.outputs = set()
        self.watchdog_us = None
        self.fed_us = 0
        self.interrupt = CTRL_C
        self.tones = []
        self.held = {}

    def reset(self, reason=REASON_FORCE):
        """As machine.reset()."""
        self.reason = reason
        self.watchdog_us = None
        self.world.reset()
        raise BoardReset(reason)

    def tick(self):
        """Time has passed: a watchdog that was not fed bites."""
        if self.watchdog_us is not None and self.world.us() - self.fed_us > self.watchdog_us:
            self.reset(REASON_TIMER)


def modules(chip):
    """Name -> module-like object, for `import`."""
    return {
        "machine": Machine(chip),
        "micropython": MicroPython(chip),
        "neopixel": NeoPixelModule(),
        "select": Select(chip),
        "time": Time(chip),
    }


class Machine:
    """`machine`."""

    PWRON_RESET, WDT_RESET = 1, 3

    def __init__(self, chip):
        self._chip = chip
        self.mem32 = Registers(chip)

        # Classes of this chip, so that machine.Pin.OUT and machine.Pin(4) both work.
        class Pin(_Pin):
            pass

        Pin.chip = chip
        self.Pin = Pin

    def reset(self):
        self._chip.reset()

    def reset_cause(self):
        return self.WDT_RESET if self._chip.reason else self.PWRON_RESET

    def unique_id(self):
        return b"\xe6\x60\x58\x38\x83\x00\x00\x01"

    def disable_irq(self):
        return 1

    def enable_irq(self, state):
        assert state == 1

    def WDT(self, id=0, timeout=5000):  # noqa: A002, N802 - the real one's names
        if id != 0:
            raise ValueError(f"WDT({id}) doesn't exist")
        limit = WATCHDOG_LIMIT_MS[self._chip.kind]
        if timeout > limit:
            raise ValueError(f"timeout exceeds {limit}")
        self._chip.watchdog_us = timeout * 1000
        self._chip.fed_us = self._chip.world.us()
        return Wdt(self._chip)

    def ADC(self, pin):  # noqa: N802
        number = pin.number if hasattr(pin, "number") else pin
        # Small numbers are channels, as in the port's own code.
        if not (26 <= number <= 29 or 0 <= number <= 4):
            raise ValueError("Pin doesn't have ADC capabilities")
        return Adc(number)

    def PWM(self, pin):  # noqa: N802
        return Pwm(self._chip, pin)

    def SPI(self, id, baudrate=1000000, polarity=0, phase=0, sck=None, mosi=None, miso=None):  # noqa: A002, N802
        if id not in (0, 1):
            raise ValueError(f"SPI({id}) doesn't exist")
        for name, pin, at in (("SCK", sck, 2), ("MOSI", mosi, 3), ("MISO", miso, 0)):
            if pin.number & 3 != at or (pin.number & 8) >> 3 != id:
                raise ValueError(f"bad {name} pin")
        return Spi()

    def I2C(self, id, scl=None, sda=None, freq=400000, timeout=50000):  # noqa: A002, N802
        if id not in (0, 1):
            raise ValueError(f"I2C({id}) doesn't exist")
        for name, pin, at in (("SCL", scl, 1), ("SDA", sda, 0)):
            if pin.number & 1 != at or (pin.number & 2) >> 1 != id:
                raise ValueError(f"bad {name} pin")
        return I2c()


class _Pin:
    """`machine.Pin`."""

    IN, OUT, OPEN_DRAIN, PULL_UP, PULL_DOWN = 0, 1, 2, 1, 2
    chip = None

    def __init__(self, id, mode=-1, pull=-1, value=None):  # noqa: A002
        if not isinstance(id, int) or not 0 <= id <= 29:
            raise ValueError("invalid pin")
        self.number = id
        if mode == self.OUT:
            self.chip.outputs.add(id)
            self.chip.levels[id] = value or 0
        elif mode == self.IN and pull == self.PULL_UP:
            self.chip.levels[id] = 1

    def init(self, mode=-1, pull=-1):
        if mode in (self.OUT, self.OPEN_DRAIN):
            self.chip.outputs.add(self.number)
        elif mode == self.IN:
            self.chip.outputs.discard(self.number)
        if pull == self.PULL_UP:
            self.chip.levels[self.number] = 1

    def value(self, level=None):
        chip = self.chip
        if level is None:
            # A chip on the bus may hold the line down, whatever the pull-up says.
            return 0 if self.number in chip.held else chip.levels.get(self.number, 0)
        assert self.number in chip.outputs
        before, chip.levels[self.number] = chip.levels.get(self.number, 0), 1 if level else 0
        for line, (clock, left) in list(chip.held.items()):
            if clock == self.number and level and not before:
                chip.held[line] = clock, left - 1
                if left == 1:
                    del chip.held[line]
        return None


class Registers:
    """`machine.mem32`, as far as a program has any business there; elsewhere is a hard fault."""

    def __init__(self, chip):
        self._chip = chip

    def __getitem__(self, address):
        at = self._offset(address)
        return self._chip.reason if at == 0x08 else self._chip.scratch[(at - 0x0C) // 4]

    def __setitem__(self, address, value):
        at = self._offset(address)
        if at == 0x08 or at >= 0x1C:
            raise BoardReset(f"hard fault: register {address:x} is not ours")
        self._chip.scratch[(at - 0x0C) // 4] = value & 0xFFFFFFFF

    def _offset(self, address):
        at = address - WATCHDOG_BASE[self._chip.kind]
        if not 0x08 <= at <= 0x28 or at % 4:
            raise BoardReset(f"hard fault at {address:x}")
        return at


class Wdt:
    """`machine.WDT`: there is no way to stop it."""

    def __init__(self, chip):
        self._chip = chip

    def feed(self):
        self._chip.fed_us = self._chip.world.us()


class Adc:
    """`machine.ADC`."""

    def __init__(self, number):
        self.number = number

    def read_u16(self):
        return 0


class Pwm:
    """`machine.PWM`."""

    def __init__(self, chip, pin):
        self._chip = chip
        self._hertz = 0
        self.pin = pin

    def freq(self, hertz):
        if hertz < 8:
            raise ValueError("freq too small")
        if hertz > 62500000:
            raise ValueError("freq too large")
        self._hertz = hertz

    def duty_u16(self, duty):
        self._chip.tones.append(self._hertz if duty else 0)


class Spi:
    """`machine.SPI` with nothing on it: the line floats low."""

    def write_readinto(self, out, into):
        assert len(out) == len(into)
        for at in range(len(into)):
            into[at] = 0


class I2c:
    """`machine.I2C` with nothing on it: nobody acknowledges."""

    def readfrom_mem_into(self, addr, reg, buf):
        raise OSError(5)

    def writeto_mem(self, addr, reg, buf):
        raise OSError(5)


class NeoPixelModule:
    """`neopixel`."""

    def NeoPixel(self, pin, count):  # noqa: N802
        return NeoPixel(pin, count)


class NeoPixel:
    """Three bytes a lamp."""

    def __init__(self, pin, count):
        pin.init(_Pin.OUT)
        self.buf = bytearray(3 * count)

    def write(self):
        pass


class MicroPython:
    """`micropython`."""

    def __init__(self, chip):
        self._chip = chip

    def kbd_intr(self, char):
        self._chip.interrupt = char


class Time:
    """`time`: ticks wrap after 2^30."""

    def __init__(self, chip):
        self._chip = chip

    def ticks_us(self):
        self._chip.tick()
        return self._chip.world.us() & 0x3FFFFFFF

    def ticks_ms(self):
        self._chip.tick()
        return self._chip.world.us() // 1000 & 0x3FFFFFFF

    def ticks_diff(self, later, earlier):
        return ((later - earlier + 0x20000000) & 0x3FFFFFFF) - 0x20000000

    def sleep_us(self, count):
        self._chip.world.sleep_us(count)
        self._chip.tick()

    def sleep_ms(self, count):
        self.sleep_us(count * 1000)


class Select:
    """`select`."""

    POLLIN, POLLOUT = 1, 4

    def __init__(self, chip):
        self._chip = chip

    def poll(self):
        return Poll(self._chip)


class Poll:
    """The poll object, as far as one stream needs it."""

    def __init__(self, chip):
        self._chip = chip
        self._stream = None

    def register(self, stream, events):
        self._stream = (stream, events)

    def ipoll(self, timeout):
        assert timeout == 0
        world = self._chip.world
        ready = world.poll() if self._stream[1] == Select.POLLIN else world.room() > 0
        return (self._stream,) if ready else ()


class Stdin:
    """`sys.stdin.buffer`: whoever asks for more than there is waits for ever."""

    def __init__(self, chip):
        self._chip = chip

    def readinto(self, buffer):
        for at in range(len(buffer)):
            if not self._chip.world.poll():
                raise BoardReset("the program waits for bytes for ever")
            buffer[at] = self._chip.world.read()
        return len(buffer)


class Stdout:
    """`sys.stdout.buffer`."""

    def __init__(self, chip):
        self._chip = chip

    def write(self, data):
        data = bytes(data)
        room = self._chip.world.room()
        if len(data) > room:
            self._chip.world.sleep_us(500000)
        self._chip.world.write(data[:room])
        return len(data)


class Stream:
    """`sys.stdin` or `sys.stdout`: only `buffer` is of use."""

    def __init__(self, buffer):
        self.buffer = buffer


class Implementation:
    """`sys.implementation`."""

    def __init__(self, kind):
        self.name = "micropython"
        self.version = (1, 24, 1, "")
        self._machine = "Raspberry Pi Pico with " + kind


class Sys:
    """`sys`; `real` supplies what is the same everywhere."""

    platform = "rp2"

    def __init__(self, chip, real, print_exception):
        self.implementation = Implementation(chip.kind)
        self.stdin = Stream(Stdin(chip))
        self.stdout = Stream(Stdout(chip))
        self.path = real.path
        self.modules = real.modules
        self.print_exception = print_exception
