# mypy: ignore-errors
"""From single readings to facts worth an event: which tags rest in a field, what rests on a scale."""


class TagField:
    """The tags that rest in one reader's field.

    A UID counts after `arrive` scans in a row, so that one phantom does not; it is gone after
    `leave` scans without it, because two tags on a pad miss each other now and then.
    """

    def __init__(self, arrive, leave):
        self.uids = []
        self._arrive = arrive
        self._leave = leave
        self._seen = {}  # uid -> scans in a row; negative: scans in a row without it

    def update(self, found):
        """Take one scan's UIDs; True when `uids` changed."""
        seen = self._seen
        changed = False
        for uid in found:
            if uid in self.uids:
                seen[uid] = 1
            else:
                seen[uid] = seen.get(uid, 0) + 1
                if seen[uid] >= self._arrive:
                    self.uids.append(uid)
                    changed = True
        for uid in list(seen):
            if uid in found:
                continue
            if uid not in self.uids:
                del seen[uid]
                continue
            seen[uid] = min(seen[uid], 0) - 1
            if -seen[uid] >= self._leave:
                self.uids.remove(uid)
                del seen[uid]
                changed = True
        return changed


class Scale:
    """What rests on one load cell, in tenths of a gram over zero.

    Four readings that agree are a resting load. Their mean is reported when it differs from the last
    report by `step`; it is refined while the load rests and reported once more when sixteen agree.
    """

    def __init__(self, counts_per_gram, step, band):
        self.counts_per_gram = counts_per_gram
        self.step = step
        self.band = band
        self.zero = None
        self.raw = 0
        self.decigrams = None
        self._last = []
        self._mean = None
        self._sum = 0
        self._n = 0
        self._zeroing = True

    def update(self, raw):
        """Take one reading in counts; True when `decigrams` has a new value to report."""
        self.raw = raw
        last = self._last
        last.append(raw)
        if len(last) > 4:
            last.pop(0)
        unit = self.counts_per_gram / 10
        before = self._mean
        self._mean = mean = sum(last) / len(last)
        if len(last) < 4 or max(last) - min(last) > self.band * unit:
            self._n = 0
            return False
        if abs(mean - before) > self.step * unit / 2:
            self._n = 0
            return False
        if self._zeroing:
            self._zeroing = False
            self.zero = int(mean)
            self._n = 0
        if self._n and abs(mean - self._sum / self._n) > self.step * unit:
            self._n = 0
        if not self._n:
            self._sum = sum(last)
            self._n = 4
        elif self._n < 64:
            self._sum += raw
            self._n += 1
        value = round((self._sum / self._n - self.zero) / unit)
        threshold = self.step
        if self._n == 16:
            threshold = self.step / 4
        if self.decigrams is None or abs(value - self.decigrams) >= threshold:
            self.decigrams = value
            return True
        return False

    def report(self):
        """(tenths of a gram, mean counts, counts at zero) of the last report."""
        return self.decigrams, int(self._sum / self._n), int(self.zero)

    def set_zero(self, counts):
        """Take back a zero that was found earlier; the load is reported again when it rests."""
        self.zero = counts
        self._zeroing = False
        self._last = []
        self.decigrams = None

    def tare(self):
        """Take the next resting load as zero."""
        self._zeroing = True
        self._last = []
        self.decigrams = None
