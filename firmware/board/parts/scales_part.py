# mypy: ignore-errors
"""All of a rig's scales: load cells on one clock."""

import struct

from firmware.board.drivers.hx711 import HIGHEST, LOWEST, Hx711Group
from firmware.board.weight_debounce import Scale
from firmware.wire import codec

REST_US = 80000  # from a reading to the next look: a conversion takes 100 ms (HX711 data sheet)
POLL_US = 5000  # between two looks for a finished conversion: a guess
BROKEN = 10  # readings in a row (1 s) that no load makes: a wire of the bridge is broken. A guess
FAR_BELOW_G = 1000  # grams below zero: nothing that is lifted from a station weighs as much
JUMP_BANDS = 3  # a reading that jumps by more bands of noise must be confirmed by the next: a guess
WHAT = "scale (HX711)"  # name for people
REVERSED_DG = -100  # tenths of a gram: a load below that means a cell upside down, or A+ and A- swapped
RATE_OVER = 64  # readings over which the self-test measures the rate: 6.4 s


class ScalesPart:
    """Scales of all stations: `cells` lists (station number, DOUT pin, counts per gram).

    Counts per gram are negative for a cell that hangs upside down. `step` and `band` are in tenths of a gram,
    as in `Scale`. `samples` True sends every reading to the host.
    """

    def __init__(self, app, sck, cells, step, band):
        self.app = app
        self.name = "scales (HX711)"
        self.stations = [station for station, _, _ in cells]
        self.serves = [(station, codec.CAP_COUNT) for station in self.stations]
        self.chips = Hx711Group(sck, [dout for _, dout, _ in cells], app.hal)
        self.scales = [Scale(abs(per_gram), step, band) for _, _, per_gram in cells]
        self._signs = [1 if per_gram > 0 else -1 for _, _, per_gram in cells]
        self._last = [0] * len(cells)
        self._jumped = [True] * len(cells)
        self.samples = False
        self._odd = bytearray(len(cells))
        self._why = [""] * len(cells)  # fault of each broken cell in words
        self._reads = 0
        self._readings = 0
        self._since = 0

    def start(self):
        """Wake the load-cell converters.

        Always True: a dead cell is reported by itself.
        """
        self.chips.start()
        return True

    def tick(self):
        """Read all cells whose conversion is done, and report loads.

        Returns the time (us) until the next look.
        """
        chips = self.chips
        if chips.poll():
            if not self._reads or self._reads == RATE_OVER:
                self._reads = 0
                self._since = self.app.hal.ticks_us()
            self._reads += 1
            self._readings = (self._readings + 1) & 0x7FFF
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
        scale = self.scales[at]
        broken = self._broken(at, raw)
        if broken:
            self._jumped[at] = True
            # A hand may press as hard for a moment, and two readings may be equal. A broken wire stays.
            if self._odd[at] < BROKEN:
                self._odd[at] += 1
            else:
                self._why[at] = broken
                app.mark(station, codec.CAP_COUNT, False, self._named(at), codec.FAULT_BROKEN_WIRE)
            self._last[at] = raw
            return
        self._odd[at] = 0
        self._why[at] = ""
        app.mark(station, codec.CAP_COUNT, True, WHAT)
        # A conversion that ends during a read garbles it, so the next reading must confirm a jump.
        jump = 10 * abs(raw - self._last[at]) > JUMP_BANDS * scale.band * scale.counts_per_gram
        if jump and not self._jumped[at]:
            self._jumped[at] = True
            return
        self._jumped[at] = False
        self._last[at] = raw
        raw *= self._signs[at]
        if scale.update(raw):
            app.weigh(station, scale.report())
        if self.samples:
            app.uplink.sample(codec.SAMPLE_WEIGHT, station, b"", struct.pack("<i", raw))

    def _broken(self, at, raw):
        """Fault, in words, of a reading that no real load can cause; "" for a sound reading.

        `raw` is the reading in counts, `at` the index of the load cell.
        """
        if raw == LOWEST or raw == HIGHEST:
            return "beyond its range"
        if raw == 0 or raw == -1:
            return "0 or -1"
        if raw == self._last[at]:
            return "one number without noise"
        scale = self.scales[at]
        if scale.zero is not None and raw * self._signs[at] < scale.zero - FAR_BELOW_G * scale.counts_per_gram:
            return "far below zero"
        return ""

    def report(self):
        """Tell the app, for each load cell, whether it answers."""
        for at in range(len(self.stations)):
            fault = codec.FAULT_BROKEN_WIRE if self._why[at] else codec.FAULT_NONE
            self.app.tell_of(self.stations[at], codec.CAP_COUNT, self._named(at), fault)

    def _named(self, at):
        """Name of the kind of cell for people, with the fault of cell `at`."""
        return WHAT + (", broken wire: " + self._why[at] if self._why[at] else "")

    def level(self, at):
        """Raw level of the nth cell (`at`) in counts; None while it is silent.

        The baseline is its zero, the threshold the step between two reports, the detail its counts per gram.
        """
        if not self.chips.alive[at]:
            return None
        scale = self.scales[at]
        zero = codec.NO_LEVEL if scale.zero is None else scale.zero
        unit = scale.counts_per_gram
        noise = int(256 * (scale.sigma() or 0))
        return (
            self._signs[at] * self.chips.values[at],
            zero,
            scale.step * unit // 10,
            noise,
            unit,
            self._readings,
        )

    def selftest(self):
        """Readings a second, then counts and noise of each cell.

        Not sound if one is dead or reversed.
        """
        ok = True
        texts = []
        for at in range(len(self.stations)):
            sigma = self.scales[at].sigma()
            if not self.chips.alive[at]:
                text = "no answer"
            elif self._odd[at] == BROKEN:
                text = "broken wire"
            elif sigma is None:
                text = "waiting"
            else:
                text = str(self.scales[at].raw) + "+-" + str(int(sigma + 0.5))
                load = self.scales[at].decigrams
                if load is not None and load < REVERSED_DG:
                    text = "reversed"
            ok = ok and text not in ("no answer", "broken wire", "reversed")
            texts.append(self.app.names[self.stations[at]] + " " + text)
        rate = 0
        if self._reads > 1:
            rate = (self._reads - 1) * 10000000 // max(self.app.hal.since_us(self._since), 1)
        return ok, (str(rate // 10) + "." + str(rate % 10) + "/s " + ", ".join(texts))[:120]
