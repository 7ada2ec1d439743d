# mypy: ignore-errors
"""The Raspberry Pi Pico: `machine` pins and buses, USB serial, the chip's own clock."""

import os
import select
import sys
import time

import machine
import micropython
import neopixel


class PicoHal:
    """Hardware of one Pico, opened as the rig describes it."""

    TICKS_MASK = (1 << 30) - 1

    def __init__(self, rig):
        self._rig = rig
        self._spi = None
        self._i2c = None
        self._poll = select.poll()
        self._poll.register(sys.stdin.buffer, select.POLLIN)
        self._received = bytearray()

    def ticks_us(self):
        return time.ticks_us()

    def since_us(self, ticks):
        return time.ticks_diff(time.ticks_us(), ticks)

    def sleep_us(self, count):
        time.sleep_us(count)

    def lock(self):
        return machine.disable_irq()

    def unlock(self, state):
        machine.enable_irq(state)

    def read_serial(self):
        """What has come, at most 256 bytes; read(n) would wait for all n, so one byte after each poll."""
        received = bytearray()
        while len(received) < 256 and self._poll.poll(0):
            received += sys.stdin.buffer.read(1)
        return bytes(received)

    def write_serial(self, data):
        """Blocks up to half a second when the host does not read; the rest is then lost."""
        sys.stdout.buffer.write(data)

    def random_u32(self):
        return int.from_bytes(os.urandom(4), "little") or 1

    def board_id(self):
        return machine.unique_id()

    def reset_cause(self):
        return machine.reset_cause() & 0xFF

    def code_hash(self):
        try:
            with open("firmware/hash") as file:
                return int(file.read(), 16)
        except (OSError, ValueError):
            return 0

    def spi_device(self, chip_select):
        if self._spi is None:
            conf = self._rig["spi"]
            pins = {name: machine.Pin(conf[name]) for name in ("sck", "mosi", "miso")}
            self._spi = machine.SPI(conf["id"], baudrate=4000000, polarity=0, phase=0, **pins)
        return SpiDevice(self._spi, machine.Pin(chip_select, machine.Pin.OUT, value=1))

    def i2c(self):
        if self._i2c is None:
            conf = self._rig["i2c"]
            self._i2c = machine.I2C(
                conf["id"],
                sda=machine.Pin(conf["sda"]),
                scl=machine.Pin(conf["scl"]),
                freq=400000,
                timeout=5000,
            )
        return self._i2c

    def pin_in(self, number):
        return machine.Pin(number, machine.Pin.IN, machine.Pin.PULL_UP)

    def pin_out(self, number):
        return machine.Pin(number, machine.Pin.OUT, value=0)

    def adc(self, number):
        return machine.ADC(number)

    def selector(self, pins):
        return Selector([machine.Pin(number, machine.Pin.OUT, value=0) for number in pins])

    def strip(self, pin, count):
        return Strip(machine.Pin(pin), count)

    def pwm(self, pin):
        return Beeper(machine.PWM(machine.Pin(pin)))


class SpiDevice:
    """One chip select on the shared bus."""

    def __init__(self, spi, select_pin):
        self._spi = spi
        self._select = select_pin

    def transfer(self, data):
        """Exchange `data` in place."""
        self._select.value(0)
        self._spi.write_readinto(data, data)
        self._select.value(1)


class Selector:
    """Select lines of a multiplexer, lowest bit first."""

    def __init__(self, pins):
        self._pins = pins
        self._channel = 0

    def select(self, channel):
        changed = channel ^ self._channel
        self._channel = channel
        for at in range(4):
            if changed >> at & 1:
                self._pins[at].value(channel >> at & 1)


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
        if hertz:
            self._pwm.freq(hertz)
        self._pwm.duty_u16(32768 if hertz else 0)


def take_over_port():
    """Byte 3 must not interrupt any more: frames may hold it."""
    micropython.kbd_intr(-1)


def release_port():
    """Give Ctrl-C back to the prompt."""
    micropython.kbd_intr(3)


def reset():
    """Start from the beginning."""
    machine.reset()
