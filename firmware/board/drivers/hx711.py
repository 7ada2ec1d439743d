# mypy: ignore-errors
"""HX711 load-cell converters on one clock line: 25 pulses read all of them."""

from array import array

from firmware.wire import hot_loops

# Silence of a dead converter: six times the 100 ms of a conversion (data sheet, 10 a second).
DEAD_US = 600000
LOWEST, HIGHEST = -0x800000, 0x7FFFFF  # counts at the ends of the range: an overloaded bridge, or a broken wire


class Hx711Group:
    """Converters that share SCK, each with a DOUT pin of its own.

    Pins are GP numbers; ValueError for a pin that cannot be used. `alive[n]` is False for a silent converter,
    `values[n]` its last signed 24-bit count.
    """

    def __init__(self, sck, douts, hal):
        self.sck = hal.pin_out(sck)
        self.douts = [hal.pin_in(pin) for pin in douts]
        self.hal = hal
        self.alive = [True] * len(douts)
        self.values = [0] * len(douts)
        # Registers show all pins at once. Without them each pin is read by itself.
        self._clock = 1 << sck if hot_loops.POKES else 0
        self._lines = list(douts) if hot_loops.POKES else list(range(len(douts)))
        self._words = array("I", [0] * 24)
        self._waiting_since = hal.ticks_us()

    def start(self):
        """Wake the load-cell converters by SCK low."""
        self.sck.value(0)
        self._waiting_since = self.hal.ticks_us()

    def poll(self):
        """Read all converters once each living one is ready.

        True if `values` is fresh.
        """
        ready = 0
        late = self.hal.since_us(self._waiting_since) > DEAD_US
        for at in range(len(self.douts)):
            if self.douts[at].value():
                if late:
                    self.alive[at] = False
                elif self.alive[at]:
                    return False
            else:
                self.alive[at] = True
                ready += 1
        if late:
            self._waiting_since = self.hal.ticks_us()
        if not ready:
            return False
        self._read()
        self._waiting_since = self.hal.ticks_us()
        return True

    def _read(self):
        words = self._words
        if self._clock:
            state = self.hal.lock()
            hot_loops.poke_cells(words, self._clock)
            self.hal.unlock(state)
        else:
            hot_loops.pulse_cells(self.sck, self.douts, words, self.hal)
        for at in range(len(self.douts)):
            line = self._lines[at]
            value = 0
            for pulse in range(24):
                value = value << 1 | words[pulse] >> line & 1
            self.values[at] = value - 0x1000000 if value & 0x800000 else value
