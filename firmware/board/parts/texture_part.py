# mypy: ignore-errors
"""Pressure matrix of a station: sends pictures while something presses."""

from firmware.board.drivers.matrix import SIZE
from firmware.wire import codec, hot_loops

IDLE_US = 100000  # between two scans at rest: a guess
PRESSED_US = 66000  # between two scans while something presses: 15 pictures a second
PRESSED_AT = 12  # of 255 above the resting level: six times the noise of converter and sheet in the model
AFTER = 3  # pictures of the empty matrix after a press, because one of them may be lost
FULL = 255  # highest value of a crossing
FLOATING_AT = 60  # crossings at full reading at once: rows without resistors float (nodal analysis)
SHORTED_AT = 200  # of 255: a resting level this high is a short circuit


class TexturePart:
    """One station's pressure matrix, and a press's threshold."""

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
        self._full = 0  # most crossings at full reading at once since the start
        self._peak = bytearray(SIZE * SIZE)

    def start(self):
        """Always True: a matrix cannot say that it is missing."""
        return True

    def tick(self):
        """Scan the matrix and send its picture if something presses.

        Returns the time (us) until the next scan.
        """
        high = self._high = self.matrix.scan()
        self._readings = (self._readings + 1) & 0x7FFF
        over = high - (self._rest >> 12)
        pressed = over >= PRESSED_AT
        # Velostat creeps, so the resting level follows: within seconds at rest, within minutes under a press.
        # An imprint does not look pressed for ever.
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
        """Raw level: highest crossing (0 to 255), as `LiveLevels` describes.

        The detail is the most crossings at full reading at once.
        """
        rest = self._rest >> 12
        return self._high, rest, rest + PRESSED_AT, self._noise << 8, self._full, self._readings

    def selftest(self):
        """Resting level, noise, and rows and columns that no press has reached since the start."""
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
