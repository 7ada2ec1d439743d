# mypy: ignore-errors
"""Claim buttons on pins of their own, closed to ground."""

from firmware.board.drivers.switch import Switch
from firmware.wire import codec

BUTTON_US = 10000  # between two readings: a press counts after two, so 10 to 20 ms: a guess


class ButtonsPart:
    """Debounced buttons: `buttons` lists (station number, pin object)."""

    def __init__(self, app, buttons):
        self.app = app
        self.name = "buttons"
        self.serves = [(station, codec.CAP_BUTTON) for station, _ in buttons]
        self._readings = 0
        self._pins = [(station, pin, Switch(2)) for station, pin in buttons]

    def start(self):
        """Always True: a pin cannot be missing."""
        return True

    def tick(self):
        """Read all buttons and report changes.

        Returns the time (us) until the next reading.
        """
        self._readings = (self._readings + 1) & 0x7FFF
        pressed = self.app.pressed
        for station, pin, switch in self._pins:
            if switch.update(not pin.value()) or pressed[station] is None:
                self.app.press(station, switch.state)
        return BUTTON_US

    def level(self, at):
        """Raw level of the nth button: 1 closed, 0 open."""
        return int(not self._pins[at][1].value()), 0, 1, 0, 0, self._readings

    def selftest(self):
        """Present level of each button, "open" or "closed", as text."""
        names = self.app.names
        texts = [names[station] + (" open" if pin.value() else " closed") for station, pin, _ in self._pins]
        return True, ", ".join(texts)[:120]
