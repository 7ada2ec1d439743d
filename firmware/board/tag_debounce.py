# mypy: ignore-errors
"""Debounces the scans of a tag reader: which tags rest in its field."""

GARBLED = 20  # garbled scans in a row that may keep a tag (1.2 s). A burst of noise is shorter: a guess
SLOTS = 16  # tags that one field can hold, phantoms of the last scans included: a guess


class TagField:
    """Tags that rest in one reader's field; `uids` lists them.

    A tag counts after `arrive` scans in a row, so a single phantom does not. It is gone after `leave` scans
    without it, because two tags on a pad sometimes miss each other.

    In a garbled scan a tag answered but could not be read. Such scans never remove a tag, up to GARBLED in a
    row.
    """

    def __init__(self, arrive, leave):
        self.uids = []
        self._arrive = arrive
        self._leave = leave
        self._slots = [bytearray(11) for _ in range(SLOTS)]
        self._seen = bytearray(SLOTS)  # scans in a row with a new tag; 0: the slot is free
        self._missed = bytearray(SLOTS)  # scans in a row without the tag
        self._garbled = 0  # garbled scans in a row

    def update(self, found, count, garbled=False):
        """Count one scan, and return True if `uids` changed.

        `found`: tags as bytes, each a length byte, then the UID; the first `count` are used. `garbled`: a tag
        answered but could not be read. Nothing is allocated without a change. Tags beyond SLOTS are ignored.
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
        """Add tags seen often enough, remove tags missed too often.

        True if `uids` changed.
        """
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
