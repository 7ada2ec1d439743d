# mypy: ignore-errors
"""Debounces the readings of a load cell: the load that rests on a scale."""

RING = 16  # readings kept: 1.6 s at ten a second
ZERO_READINGS = 16  # readings that agree before they become the zero: its error is in every later load


class Scale:
    """Load of one scale in tenths of a gram (`decigrams`, None before the first report).

    `step` is the difference between two reports, `band` the noise that counts as rest, in tenths of a gram.
    `zero` is in counts.

    The first 16 readings that agree become the zero. Four that agree are a resting load. Their mean is reported
    if it differs from the last report by `step`. It is refined while the load rests: with 8, 16 and 32 readings
    a quarter of `step` is enough.

    All numbers are small integers, so a reading costs no heap.
    """

    def __init__(self, counts_per_gram, step, band):
        self.counts_per_gram = int(counts_per_gram + 0.5)
        self.step = step
        self.band = band
        self.zero = None
        self.raw = 0
        self.decigrams = None
        self._ring = [0] * RING
        self._at = 0
        self._filled = 0
        self._before = 0  # sum of the last four readings, one reading ago
        self._origin = 0  # first mean of the resting load; `_sum` adds up `_n` differences to it
        self._sum = 0
        self._n = 0
        self._zeroing = True

    def update(self, raw):
        """Debounce one load-cell reading (counts).

        Returns True if `decigrams` has a new value to report.
        """
        ring = self._ring
        self.raw = raw
        at = self._at
        ring[at] = raw
        self._at = (at + 1) % RING
        if self._filled < RING:
            self._filled += 1
        low = high = raw
        four = 0
        for back in range(4):
            value = ring[at - back]  # negative indices count from the end
            four += value
            if value < low:
                low = value
            if value > high:
                high = value
        before = self._before
        self._before = four
        # counts per gram: comparisons below are ten times over, because loads are tenths
        unit = self.counts_per_gram
        if self._filled < 4 or 10 * (high - low) > self.band * unit:
            self._n = 0
            return False
        if 5 * abs(four - before) > self.step * unit:
            self._n = 0
            return False
        if self._n and 10 * abs((four >> 2) - self.mean()) > self.step * unit:
            self._n = 0
        if not self._n:
            self._origin = four >> 2
            self._sum = four & 3
            self._n = 4
        elif self._n < 64:
            self._sum += raw - self._origin
            self._n += 1
        if self._zeroing:
            if self._n < ZERO_READINGS:
                return False
            self._zeroing = False
            self.zero = self.mean()
        value = (10 * (self.mean() - self.zero) + unit // 2) // unit
        threshold = self.step
        if self._n in (8, 16, 32):
            threshold = (self.step + 3) >> 2
        if self.decigrams is None or abs(value - self.decigrams) >= threshold:
            self.decigrams = value
            return True
        return False

    def mean(self):
        """Mean reading (counts) of the load at rest, over up to 64 readings."""
        return self._origin + (self._sum + self._n // 2) // self._n

    def report(self):
        """Last report: (tenths of a gram, mean counts, counts at zero)."""
        return self.decigrams, self.mean(), self.zero

    def sigma(self):
        """Standard deviation (counts) of the last 16 readings.

        None with fewer than four.
        """
        count = self._filled
        if count < 4:
            return None
        mean = sum(self._ring[:count]) / count
        return (sum([(raw - mean) ** 2 for raw in self._ring[:count]]) / count) ** 0.5

    def set_zero(self, counts):
        """Restore an earlier zero (counts).

        The load is reported again when it rests.
        """
        self.zero = counts
        self._zeroing = False
        self._restart()

    def tare(self):
        """Make the next resting load the scale's zero."""
        self._zeroing = True
        self._restart()

    def _restart(self):
        self._filled = self._at = self._n = 0
        self.decigrams = None
