# mypy: ignore-errors
"""HX711 load-cell converters on one shared clock line: all of them are read in the same 25 pulses."""

# A line that stays high this long belongs to a dead or missing converter (10 samples a second).
DEAD_US = 600000


class Hx711Group:
    """Converters with one SCK and a DOUT each."""

    def __init__(self, sck, douts, hal):
        self.sck = sck
        self.douts = douts
        self.hal = hal
        self.alive = [True] * len(douts)
        self.values = [0] * len(douts)
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
        values = self.values
        douts = self.douts
        count = len(douts)
        sck = self.sck
        for at in range(count):
            values[at] = 0
        for _ in range(24):
            # SCK held high for 60 us puts the chips to sleep: nothing may come between.
            state = self.hal.lock()
            sck.value(1)
            for at in range(count):
                values[at] = values[at] << 1 | douts[at].value()
            sck.value(0)
            self.hal.unlock(state)
        state = self.hal.lock()
        sck.value(1)  # the 25th pulse asks for channel A at gain 128 next time
        sck.value(0)
        self.hal.unlock(state)
        for at in range(count):
            if values[at] & 0x800000:
                values[at] -= 0x1000000
