# mypy: ignore-errors
"""Tag reader with any chip: a tag counts after two consecutive scans."""

from firmware.board.tag_debounce import TagField
from firmware.wire import codec

SCAN_US = 60000  # between two scans: a guess
WAIT_US = 5000  # between two looks while another reader has the field: a guess
SETTLED = 4  # scans without a tag that make it gone, or a reader empty: a guess


class ReaderPart:
    """Tag reader of one station.

    Readers take turns, because neighbouring fields cause phantoms.
    """

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
        """Set up the chip.

        False if nothing answers. A doubtful chip is logged.
        """
        if not self.chip.start():
            return False
        if self.chip.warning:
            self.app.log(1, self.name + ": " + self.chip.warning)
        return True

    def tick(self):
        """Take the next step of a scan and report changed tags.

        Returns the time (us) until the next step. OSError if the chip is gone, or hung twice in a row.
        """
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
            # A chip that hung is set up again at once. It counts as missing if it hangs again.
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
        """Raw level: number of tags in the last scan, as `LiveLevels` describes.

        The detail counts scans that heard a tag.
        """
        return self._found, 0, 1, 0, self._heard, self._readings

    def selftest(self):
        """Test the reader: (True if its chip works, the chip's findings and the tags at rest as text)."""
        ok, text = self.chip.selftest()
        return ok, text + ", at rest " + str(len(self.field.uids))
