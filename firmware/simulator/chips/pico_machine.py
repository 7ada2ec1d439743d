# mypy: ignore-errors
"""Model of a Pico with its rig: power, boots, crashes, a serial line with faults.

MicroPython subset: CPython and real MicroPython run the same machine.
"""

from firmware.board.app import SERIAL_US, App
from firmware.simulator.chips.model_time import Chance, ModelTime
from firmware.simulator.chips.virtual_hal import Chips, VirtualHal

SAFE_MODE_US = 1500000  # window for Ctrl-C of the main program (`board.main`)
FIFO = 256  # bytes of the Pico's USB sending buffer (MicroPython)
POWER_ON, RESET = 1, 3  # as in `machine.reset_cause()`
BANNER = "MicroPython v1.24.1; Raspberry Pi Pico with RP2040\r\n>>> "


class Machine:
    """Pico with its rig, advanced by `run(until_us)`.

    `rig`: the wiring that the board believes in. `wired`: the real wiring if it differs. `port` has read(),
    write(bytes) -> number of bytes taken, and host_there(). `code_hash`: hash that the board reports. Inputs
    are physical: grams, tags, fingers. KeyError if a station lacks the part. `chips` holds the models, for
    noise and faults. `delivered` and `taken` count bytes of this connection, to and from the host.
    """

    def __init__(self, rig, seed, port, code_hash=0, wired=None):
        self.rig = rig
        self._wired = wired or rig
        self.port = port
        self.time = ModelTime()
        self.app = None
        self.delivered = 0
        self.taken = 0
        self.events = 0  # events queued by earlier runs of the board
        self.powered = False
        self.first_ticks = 0
        self._chance = Chance(seed)
        self._code_hash = code_hash
        self.chips = Chips(self._wired, self.time, self._chance)
        self._stations = {}
        for station in rig["stations"]:
            self._stations[station["name"]] = station
        self._outbox = bytearray()
        self._inbox = bytearray()
        self._stalled_until = 0
        self._deaf_until = 0
        self._flip_rate = 0.0
        self._bits_to_flip = 0
        self._crashed = False

    def run(self, until_us):
        """Advance the board to model time `until_us` (us), without waiting for the host."""
        time = self.time
        while time.us < until_us:
            if not self.powered or self._crashed:
                time.us = until_us
            elif time.us < self._deaf_until:
                time.us = min(until_us, self._deaf_until)
                self.listen()
                self._inbox = bytearray()  # nobody reads yet
            else:
                self.app.step()
                wait = SERIAL_US if self._inbox or self._outbox else self.app.idle_us
                time.us = max(min(time.us + wait, until_us), time.us + 1)
                if self.app.exit:
                    self._prompt("")
            self._flush()

    def listen(self):
        """Receive the host's bytes, for the board to read later."""
        if not self.port.host_there():
            self.delivered = self.taken = 0
        data = self.port.read()
        self.taken += len(data)
        self._inbox += data

    def boot(self, cause=POWER_ON, window_us=SAFE_MODE_US):
        """Switch power on: the program starts from nothing, after the window for Ctrl-C.

        `cause` is the reset cause that the board reports.
        """
        if self.app is not None:
            self.events += self.app.uplink.events
        self.powered = True
        self._deaf_until = self.time.us + window_us
        self.forget_line()
        self._crashed = False
        hal = VirtualHal(
            self._wired, self.time, self._chance, self.chips, self, cause, self._code_hash, self.first_ticks
        )
        self.app = App(hal, self.rig)

    def wrap_soon(self, seconds):
        """Make the tick counter wrap `seconds` after each later boot.

        A real counter wraps after 17.9 minutes.
        """
        self.first_ticks = (1 << 30) - int(seconds * 1000000)

    def cut_power(self):
        """Switch power off: program and unsent bytes are lost."""
        self.powered = False
        self.forget_line()

    def keep_power(self):
        """Continue the program after the line alone was gone."""
        self.powered = True

    def forget_line(self):
        """Lose all bytes on the line, because it was pulled."""
        self._outbox = bytearray()
        self._inbox = bytearray()
        self.delivered = self.taken = 0

    def crash(self, traceback):
        """End the program with a traceback and the prompt, on the same port."""
        self._prompt("Traceback (most recent call last):\r\n" + traceback + "\r\n")

    def flip_bits(self, rate):
        """Flip each bit on the line with probability `rate` from now on, in both directions."""
        self._flip_rate = rate
        self._draw_flip()

    def stall(self, seconds):
        """Block the line for `seconds` of board time."""
        self._stalled_until = self.time.us + int(seconds * 1000000)

    def place_tag(self, station, uid, well):
        """Lay a tag on a reader.

        A badly placed tag (`well` False) is never heard.
        """
        self.chips.readers[station].place(uid).well_placed = well

    def lift_tag(self, station, uid):
        """Take a tag off a reader.

        ValueError if it is not there.
        """
        self.chips.readers[station].lift(uid)

    def set_weight(self, station, grams):
        """Set the whole load of a station's scale, in grams."""
        self.chips.cells[station].grams = grams

    def touch(self, station, pressed):
        """Touch a station's electrode (`pressed` True) or release it."""
        self.chips.touch.touched[self._stations[station]["touch"]] = pressed

    def press_button(self, station, pressed):
        """Press a station's button (`pressed` True) or release it, at the touch chip or at a pin."""
        where = self._stations[station]["button"]
        if "touch_chip" in where:
            self.chips.touch.closed[where["touch_chip"]] = pressed
        else:
            self.chips.buttons[station].press(pressed)

    def press_texture(self, station, cells):
        """Press a station's matrix with 256 pressures (0 to 1), row by row."""
        self.chips.matrices[station].press(cells)

    def misbehave(self, part, station, fault, value):
        """Set an attribute of a station's chip model, such as a fault.

        `part`: as in `Chips.find`. `fault`: name of the attribute; AttributeError if the model has none.
        `value`: new value.
        """
        model = self.chips.find(part, station)
        getattr(model, fault)
        setattr(model, fault, value)

    def read_into(self, buffer):
        """Read bytes that the host sent into the front of `buffer`; the board's program calls it.

        Returns the number of bytes.
        """
        if self.time.us < self._stalled_until:
            return 0
        self.listen()
        count = min(len(buffer), len(self._inbox))
        if count:
            buffer[:count] = self._damage(self._inbox[:count])
            self._inbox = self._inbox[count:]
        return count

    def send(self, data):
        """Send bytes to the host, as far as the buffer has room; the board's program calls it.

        Returns the number of bytes taken, in whole chunks of 16 bytes. The rest must be sent again.
        """
        self._flush()
        room = FIFO - len(self._outbox)
        taken = min(len(data), room - room % VirtualHal.WRITE_CHUNK)
        if taken:
            self._outbox += self._damage(data[:taken])
            self._flush()
        return taken

    def _prompt(self, text):
        """End the program, and print `text` and MicroPython's prompt."""
        self._crashed = True
        self._outbox += (text + BANNER).encode()
        self._flush()

    def _flush(self):
        """Send the host what the line takes."""
        if not self._outbox or self.time.us < self._stalled_until:
            return
        if not self.port.host_there():
            self._outbox = bytearray()  # lost, as on USB without a host
            return
        taken = self.port.write(bytes(self._outbox))
        self.delivered += taken
        self._outbox = self._outbox[taken:]

    def _damage(self, data):
        """Copy `data` with random bits flipped, at rate `flip_bits`."""
        if not self._flip_rate or not data:
            return data
        out = bytearray(data)
        while self._bits_to_flip < len(out) * 8:
            out[self._bits_to_flip // 8] ^= 1 << self._bits_to_flip % 8
            ahead = self._bits_to_flip
            self._draw_flip()
            self._bits_to_flip += ahead + 1
        self._bits_to_flip -= len(out) * 8
        return out

    def _draw_flip(self):
        """Draw the number of bits until the next flipped one, uniform around the mean."""
        if self._flip_rate:
            self._bits_to_flip = int(self._chance.random() * 2 / self._flip_rate)
