# mypy: ignore-errors
"""Debounces scans of a reader: which tags rest in its field."""

GARBLED = 20  # garbled scans in a row that are believed: 1.2 s or more, a burst of noise is shorter
SLOTS = 16  # tags that one field can hold, phantoms of the last scans included


class TagField:
    """The tags that rest in one reader's field.

    A UID counts after `arrive` consecutive scans, so that a single phantom does not. It is gone after `leave`
    scans without it, because two tags on a pad sometimes miss each other. A garbled scan, in which a tag
    answered and could not be read, tells of no removal, at most GARBLED times in a row.
    """

    def __init__(self, arrive, leave):
        self.uids = []
        self._arrive = arrive
        self._leave = leave
        self._slots = [bytearray(11) for _ in range(SLOTS)]
        self._seen = bytearray(SLOTS)  # scans in a row with it while it is new; 0: the slot is free
        self._missed = bytearray(SLOTS)  # scans in a row without it
        self._garbled = 0  # garbled scans in a row

    def update(self, found, count, garbled=False):
        """Take one scan's tags, `found[:count]` as length byte and UID. Returns True if `uids` changed.

        Allocates nothing unless something changed. Tags beyond the slots are left out.
        """
        seen = self._seen
        missed = self._missed
        slots = self._slots
        self._garbled = min(self._garbled + 1, GARBLED + 1) if garbled else 0
        patient = 0 < self._garbled <= GARBLED
        for slot in range(SLOTS):
            if not patient or seen[slot] <= self._arrive:
                missed[slot] += 1
        for at in range(count):
            tag = found[at]
            for rest in range(tag[0] + 1, 11):
                tag[rest] = 0
            free = -1
            for slot in range(SLOTS):
                if not seen[slot]:
                    free = slot
                elif slots[slot] == tag:
                    break
            else:
                slot = free
                if slot < 0:
                    continue
                slots[slot][:] = tag
                seen[slot] = 0
            if missed[slot] or not seen[slot]:
                missed[slot] = 0
                if seen[slot] <= self._arrive:
                    seen[slot] += 1
        return self._settle()

    def _settle(self):
        """Add UIDs that were seen often enough, and remove those missed too often."""
        changed = False
        seen = self._seen
        missed = self._missed
        for slot in range(SLOTS):
            if not seen[slot]:
                missed[slot] = 0
            elif seen[slot] <= self._arrive and not missed[slot]:
                if seen[slot] == self._arrive:
                    seen[slot] += 1
                    self.uids.append(self._uid(slot))
                    changed = True
            elif seen[slot] <= self._arrive:
                seen[slot] = 0
            elif missed[slot] >= self._leave:
                self.uids.remove(self._uid(slot))
                seen[slot] = 0
                changed = True
        return changed

    def _uid(self, slot):
        tag = self._slots[slot]
        return bytes(tag[1 : tag[0] + 1])
