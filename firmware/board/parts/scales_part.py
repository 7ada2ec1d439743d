# mypy: ignore-errors
"""All load cells of a rig, on one clock line."""

import struct

from firmware.board.drivers.hx711 import HIGHEST, LOWEST, Hx711Group
from firmware.board.weight_debounce import Scale
from firmware.wire import codec

REST_US = 80000  # the next conversion takes 100 ms
POLL_US = 5000
BEYOND = 10  # readings at the end of the range that make a cell a broken one
WHAT = "scale (HX711)"
RATE_OVER = 64  # readings


class ScalesPart:
    """`cells` is [(station, pin of DOUT, counts per gram)]; step and band in tenths of a gram as in `Scale`."""

    def __init__(self, app, sck, cells, step, band):
        self.app = app
        self.name = "scales (HX711)"
        self.stations = [station for station, _, _ in cells]
        self.serves = [(station, codec.CAP_COUNT) for station in self.stations]
        self.chips = Hx711Group(sck, [dout for _, dout, _ in cells], app.hal)
        self.scales = [Scale(per_gram, step, band) for _, _, per_gram in cells]
        self.samples = False
        self._beyond = bytearray(len(cells))
        self._reads = 0
        self._since = 0

    def start(self):
        self.chips.start()
        return True

    def tick(self):
        chips = self.chips
        if chips.poll():
            if not self._reads or self._reads == RATE_OVER:
                self._reads = 0
                self._since = self.app.hal.ticks_us()
            self._reads += 1
            for at in range(len(self.stations)):
                self._take(at, chips.alive[at], chips.values[at])
            return REST_US
        if not any(chips.alive):
            for station in self.stations:
                self.app.mark(station, codec.CAP_COUNT, False, WHAT)
        return POLL_US

    def _take(self, at, alive, raw):
        app = self.app
        station = self.stations[at]
        if not alive:
            app.mark(station, codec.CAP_COUNT, False, WHAT)
            return
        if raw == LOWEST or raw == HIGHEST:
            # A hand may press this hard for a moment, but a broken wire stays.
            if self._beyond[at] < BEYOND:
                self._beyond[at] += 1
            else:
                app.mark(station, codec.CAP_COUNT, False, WHAT + ", beyond its range")
            return
        self._beyond[at] = 0
        app.mark(station, codec.CAP_COUNT, True, WHAT)
        scale = self.scales[at]
        if scale.update(raw):
            app.weigh(station, scale.report())
        if self.samples:
            app.uplink.sample(codec.SAMPLE_WEIGHT, station, b"", struct.pack("<i", raw))

    def report(self):
        """Report for each cell whether it answers."""
        for station in self.stations:
            self.app.tell_of(station, codec.CAP_COUNT, WHAT)

    def selftest(self):
        """Readings a second, then the last counts of each cell and their standard deviation."""
        ok = True
        texts = []
        for at in range(len(self.stations)):
            sigma = self.scales[at].sigma()
            if not self.chips.alive[at]:
                text = "no answer"
            elif self._beyond[at]:
                text = "beyond range"
            elif sigma is None:
                text = "waiting"
            else:
                text = str(self.scales[at].raw) + "+-" + str(int(sigma + 0.5))
            ok = ok and text not in ("no answer", "beyond range")
            texts.append(self.app.names[self.stations[at]] + " " + text)
        rate = 0
        if self._reads > 1:
            rate = (self._reads - 1) * 10000000 // max(self.app.hal.since_us(self._since), 1)
        return ok, (str(rate // 10) + "." + str(rate % 10) + "/s " + ", ".join(texts))[:120]
