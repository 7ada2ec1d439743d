# mypy: ignore-errors
"""Touch chip of a rig: electrodes, and buttons on its free pins."""

from firmware.board.drivers.mpr121 import Mpr121
from firmware.board.drivers.switch import Switch
from firmware.wire import codec

TOUCH_US = 20000  # between two readings: a guess
SETTLED = 4  # readings after which nobody touches: 80 ms, a guess
PATIENCE = 5  # unanswered readings in a row of a missing chip; long wires cause single ones. A guess


class TouchPart:
    """Electrodes and buttons of one MPR121: lists of (station number, chip pin)."""

    def __init__(self, app, addr, electrodes, switches):
        self.app = app
        self.name = "touch (MPR121)"
        self.electrodes = electrodes
        self.switches = switches
        self.serves = [(s, codec.CAP_TOUCH) for s, _ in electrodes] + [
            (s, codec.CAP_BUTTON) for s, _ in switches
        ]
        count = 1 + max([pin for _, pin in electrodes] + [-1])
        self.chip = Mpr121(app.hal.i2c(), addr, count, [pin for _, pin in switches])
        self._touch = [Switch(2) for _ in electrodes]
        self._press = [Switch(2) for _ in switches]
        self._polls = 0
        self._unanswered = 0
        self._readings = 0

    def start(self):
        """Set up the chip.

        False if another chip answers, OSError if none does.
        """
        self._unanswered = 0
        return self.chip.start()

    def tick(self):
        """Read the chip and report changes.

        Returns the time (us) until the next reading.

        OSError after five readings in a row without an answer.
        """
        chip = self.chip
        try:
            chip.poll()
        except OSError:
            self._unanswered += 1
            if self._unanswered >= PATIENCE:
                raise
            return TOUCH_US
        self._unanswered = 0
        self._readings = (self._readings + 1) & 0x7FFF
        if self._polls < SETTLED:
            self._polls += 1
        settled = self._polls == SETTLED
        app = self.app
        at = 0
        for station, pin in self.electrodes:
            if self._touch[at].update(chip.touched[pin]) or (settled and app.touched[station] is None):
                app.touch(station, self._touch[at].state)
            at += 1
        at = 0
        for station, pin in self.switches:
            if self._press[at].update(chip.switch(pin)) or (settled and app.pressed[station] is None):
                app.press(station, self._press[at].state)
            at += 1
        return TOUCH_US

    def set_share(self, station, share):
        """Set the threshold of a station's electrode: `share`, in thousandths of its baseline.

        False if the station has none.
        """
        found = False
        for one, pin in self.electrodes:
            if station in (codec.NO_STATION, one):
                self.chip.set_share(pin, share)
                found = True
        return found

    def level(self, at):
        """Raw level of the nth sensor: counts of an electrode, then 0 or 1 of a button.

        The detail of an electrode is its capacitance in tenths of a pF, -1 for a wire on ground. None if the
        chip does not answer.
        """
        if at >= len(self.electrodes):
            pin = self.switches[at - len(self.electrodes)][1]
            return int(self.chip.switch(pin)), 0, 1, 0, 0, self._readings
        try:
            return self.chip.level(self.electrodes[at][1]) + (self._readings,)
        except OSError:
            return None

    def selftest(self):
        """Faults of electrodes, closed buttons, then the chip's numbers.

        Sound without a fault.
        """
        names = self.app.names
        faults = []
        for station, pin in self.electrodes:
            fault = self.chip.fault(pin)
            if fault:
                faults.append(names[station] + " " + fault)
        closed = [names[station] for station, pin in self.switches if self.chip.switch(pin)]
        texts = [", ".join(faults)] if faults else []
        if closed:
            texts.append("closed: " + ", ".join(closed))
        return not faults, "; ".join(texts + [self.chip.numbers()])[:120]
