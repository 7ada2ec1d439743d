# mypy: ignore-errors
"""The pressure matrix of a station: frames while something presses, and some after it was let go."""

from firmware.board.drivers.matrix import SIZE
from firmware.wire import codec, hot_loops

IDLE_US = 100000
PRESSED_US = 66000
PRESSED_AT = 12  # of 255: over the resting state; six times the noise of converter and sheet
AFTER = 3  # pictures of the empty matrix after a press: one alone may be lost
FULL = 255
FLOATING_AT = 60  # crossings at full reading at once: the rows float, for their resistors are missing
SHORTED_AT = 200  # a resting state that high is a short circuit


class TexturePart:
    """A `Matrix`, and the threshold of a press."""

    def __init__(self, app, station, matrix):
        self.app = app
        self.station = station
        self.matrix = matrix
        self.name = app.names[station] + " pressure matrix"
        self.serves = [(station, codec.CAP_TEXTURE)]
        self._number = 0
        self._rest = 0
        self._noise = 0
        self._pressed = False
        self._after = 0
        self._presses = 0
        self._high = 0
        self._readings = 0
        self._full = 0  # most crossings that were at full reading at once
        self._peak = bytearray(SIZE * SIZE)

    def start(self):
        return True

    def tick(self):
        high = self._high = self.matrix.scan()
        self._readings = (self._readings + 1) & 0x7FFF
        over = high - (self._rest >> 12)
        pressed = over >= PRESSED_AT
        # Velostat creeps: the resting state follows within seconds, under a press within minutes, so that an
        # imprint does not look pressed for ever.
        self._rest += ((high << 12) - self._rest) >> (11 if pressed else 5)
        if not pressed and over > self._noise:
            self._noise = over
        if pressed or self._after:
            self._after -= 1
            self._tell()
        elif self.app.levels.on:
            self._tell()
        if pressed:
            self._after = AFTER
            hot_loops.raise_to(self._peak, self.matrix.frame)
            if high == FULL:
                self._count_full()
            if not self._pressed:
                self._presses += 1
        self._pressed = pressed
        return PRESSED_US if pressed else IDLE_US

    def _count_full(self):
        full = 0
        for value in self.matrix.frame:
            if value == FULL:
                full += 1
        self._full = max(self._full, full)

    def _tell(self):
        self._number = (self._number + 1) & 255
        for part in range(2):
            head = bytes((self._number, part, 2))
            half = bytes(self.matrix.frame[128 * part : 128 * part + 128])
            self.app.uplink.sample(codec.SAMPLE_TEXTURE, self.station, head, half)

    def level(self, _sensor):
        """Highest crossing, resting level, threshold of a press, noise, most crossings at full reading."""
        rest = self._rest >> 12
        return self._high, rest, rest + PRESSED_AT, self._noise << 8, self._full, self._readings

    def selftest(self):
        """Resting level, highest noise above it, and the lines that no press has reached since the start."""
        rest = self._rest >> 12
        text = "rest " + str(rest) + " noise " + str(self._noise) + " presses " + str(self._presses)
        if self._presses:
            least = rest + PRESSED_AT
            lines = range(SIZE)
            rows = [str(n) for n in lines if max(self._peak[SIZE * n : SIZE * n + SIZE]) < least]
            cols = [str(n) for n in lines if max([self._peak[SIZE * row + n] for row in lines]) < least]
            text += (
                ", not reached: rows " + (" ".join(rows) or "none") + " columns " + (" ".join(cols) or "none")
            )
        if self._full >= FLOATING_AT:
            text = "rows float: no 470 ohm at each row, or no 2.2 k at SIG; " + text
        whole = rest < SHORTED_AT and max(self.matrix.frame) < FULL and self._full < FLOATING_AT
        return whole, text[:120]
