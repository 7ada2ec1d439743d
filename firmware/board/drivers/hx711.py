# mypy: ignore-errors
"""HX711 load-cell converters on one shared clock line. The same 25 pulses read all of them."""

from array import array

from firmware.wire import hot_loops

# A line that stays high this long belongs to a dead or missing converter, because it converts 10 times a
# second.
DEAD_US = 600000
LOWEST, HIGHEST = -0x800000, 0x7FFFFF  # what a bridge beyond the range reads, or one with a broken wire


class Hx711Group:
    """Converters with one SCK and a DOUT each, by pin number. The hal raises ValueError for a wrong pin."""

    def __init__(self, sck, douts, hal):
        self.sck = hal.pin_out(sck)
        self.douts = [hal.pin_in(pin) for pin in douts]
        self.hal = hal
        self.alive = [True] * len(douts)
        self.values = [0] * len(douts)
        # One look at all pins for each of the 25 pulses where that works, otherwise one look at each pin.
        self._clock = 1 << sck if hot_loops.POKES else 0
        self._lines = list(douts) if hot_loops.POKES else list(range(len(douts)))
        self._words = array("I", [0] * 24)
        self._waiting_since = hal.ticks_us()

    def start(self):
        """Wake the converters: SCK low."""
        self.sck.value(0)
        self._waiting_since = self.hal.ticks_us()

    def poll(self):
        """True when `values` holds a fresh signed 24-bit count for every living converter."""
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
