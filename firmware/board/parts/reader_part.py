# mypy: ignore-errors
"""A tag reader with any chip: one field is on at a time, and a tag counts after two consecutive scans."""

from firmware.board.tag_debounce import TagField
from firmware.wire import codec

SCAN_US = 60000
WAIT_US = 5000  # while another reader has the field
SETTLED = 4  # scans after which the absence of tags is a fact


class ReaderPart:
    """One reader. Only one field is on at a time, because neighbouring fields cause phantoms."""

    def __init__(self, app, station, chip):
        self.app = app
        self.station = station
        self.chip = chip
        self.name = app.names[station] + " reader (" + chip.NAME + ")"
        self.serves = [(station, codec.CAP_READER)]
        self.field = TagField(2, SETTLED)
        self._on = False
        self._stuck = False
        self._scans = 0
        self._found = 0
        self._readings = 0
        self._heard = 0

    def start(self):
        if not self.chip.start():
            return False
        if self.chip.warning:
            self.app.log(1, self.name + ": " + self.chip.warning)
        return True

    def tick(self):
        app = self.app
        if not self._on:
            if app.field_owner is not None:
                return WAIT_US
            if not self.chip.present():
                raise OSError("no answer")
            app.field_owner = self
        try:
            return self._turn()
        except OSError:
            self._release()
            # A chip that hung once is set up again at once. One that hangs again counts as missing.
            if self._stuck or not self.chip.start():
                raise
            self._stuck = True
            return SCAN_US

    def _turn(self):
        chip = self.chip
        if not self._on:
            chip.field(True)
            self._on = True
            return chip.FIELD_UP_US
        found = chip.scan()
        if found < 0:
            return -found
        chip.field(False)
        self._release()
        self._count(found)
        self._stuck = False
        if self._scans < SETTLED:
            self._scans += 1
        app = self.app
        changed = self.field.update(chip.found, found, chip.garbled)
        if changed or (self._scans == SETTLED and app.tags[self.station] is None):
            app.tag(self.station, self.field.uids)
        return SCAN_US

    def _count(self, found):
        self._found = found
        self._readings = (self._readings + 1) & 0x7FFF
        if found:
            self._heard = (self._heard + 1) & 0x7FFF

    def _release(self):
        self._on = False
        self.app.field_owner = None

    def level(self, _sensor):
        """Tags in the last scan, 0 at rest, 1 that counts, no noise, and a counter of scans with a tag."""
        return self._found, 0, 1, 0, self._heard, self._readings

    def selftest(self):
        """The chip's own numbers, and the number of tags in the field."""
        ok, text = self.chip.selftest()
        return ok, text + ", at rest " + str(len(self.field.uids))
