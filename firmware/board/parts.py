# mypy: ignore-errors
"""The sensing parts of a rig: each drives one chip, feels one kind of thing, and tells the app.

A part has `name`, `serves` [(station number, capability)], `start()` -> whether it is there, and
`tick()` -> microseconds until it wants to run again. OSError or False means: missing, try later.
"""

import struct

from firmware import wire
from firmware.board.drivers.buttons import Switch
from firmware.board.drivers.hx711 import Hx711Group
from firmware.board.drivers.lamps import Lamps
from firmware.board.drivers.matrix import Matrix
from firmware.board.drivers.mfrc522 import FIELD_UP_US, Mfrc522
from firmware.board.drivers.mpr121 import Mpr121
from firmware.board.senses import Scale, TagField

TOUCH_US = 20000
BUTTON_US = 10000
SCAN_US = 60000
MATRIX_IDLE_US = 100000
MATRIX_PRESSED_US = 66000
SETTLED = 4  # readings after which the absence of a thing is a fact
PRESSED_AT = 24  # of 255: over the resting state


class ReaderPart:
    """A tag reader. Only one field is on at a time: neighbours give phantoms."""

    def __init__(self, app, station, conf):
        self.app = app
        self.station = station
        self.name = app.names[station] + " reader (MFRC522)"
        self.serves = [(station, wire.CAP_READER)]
        self.chip = Mfrc522(app.hal.spi_device(conf["cs"]), app.hal)
        self.field = TagField(2, 4)
        self._on = False
        self._scans = 0

    def start(self):
        if not self.chip.start():
            return False
        if not self.chip.genuine():
            self.app.log(1, self.name + ": version " + hex(self.chip.version) + ", a clone that may miss tags")
        return True

    def tick(self):
        app = self.app
        if not self._on:
            if app.field_owner is not None:
                return FIELD_UP_US
            if not self.chip.present():
                raise OSError("no answer")
            app.field_owner = self
            self._on = True
            self.chip.field(True)
            return FIELD_UP_US
        try:
            found = self.chip.scan(3)
            self.chip.field(False)
        finally:
            self._on = False
            app.field_owner = None
        self._scans += 1
        if self.field.update(found) or (self._scans >= SETTLED and app.tags[self.station] is None):
            app.tag(self.station, self.field.uids)
        return SCAN_US


class ScalesPart:
    """All load cells, on one clock line."""

    def __init__(self, app, conf, cells):
        self.app = app
        self.name = "scales (HX711)"
        self.stations = [station for station, _ in cells]
        self.serves = [(station, wire.CAP_COUNT) for station in self.stations]
        hal = app.hal
        self.chips = Hx711Group(hal.pin_out(conf["sck"]), [hal.pin_in(c["dout"]) for _, c in cells], hal)
        self.scales = [
            Scale(c.get("counts_per_gram", 420), conf.get("step", 8), conf.get("band", 35)) for _, c in cells
        ]
        self.samples = False

    def start(self):
        self.chips.start()
        return True

    def tick(self):
        if self.chips.poll():
            for at, station in enumerate(self.stations):
                self.app.mark(station, wire.CAP_COUNT, self.chips.alive[at], "scale (HX711)")
                if self.chips.alive[at]:
                    self._take(station, self.scales[at], self.chips.values[at])
            return 80000
        if not any(self.chips.alive):
            for station in self.stations:
                self.app.mark(station, wire.CAP_COUNT, False, "scale (HX711)")
            return 100000
        return 5000

    def _take(self, station, scale, raw):
        if scale.update(raw):
            self.app.weights[station] = scale.report()
            self.app.uplink.event(wire.EV_WEIGHT, station, wire.pack_weight(*scale.report()))
        if self.samples:
            self.app.uplink.sample(wire.SAMPLE_WEIGHT, station, b"", struct.pack("<i", int(raw)))


class TouchPart:
    """The touch chip: electrodes, and switches on its free pins."""

    def __init__(self, app, conf, electrodes, switches):
        self.app = app
        self.name = "touch (MPR121)"
        self.electrodes = electrodes
        self.switches = switches
        self.serves = [(s, wire.CAP_TOUCH) for s, _ in electrodes] + [(s, wire.CAP_BUTTON) for s, _ in switches]
        count = 1 + max([pin for _, pin in electrodes] + [-1])
        self.chip = Mpr121(app.hal.i2c(), conf["addr"], count, [pin for _, pin in switches])
        self._touch = [Switch(2) for _ in electrodes]
        self._press = [Switch(2) for _ in switches]
        self._polls = 0

    def start(self):
        return self.chip.start()

    def tick(self):
        chip = self.chip
        chip.poll()
        self._polls = min(self._polls + 1, SETTLED)
        settled = self._polls == SETTLED
        for at, (station, pin) in enumerate(self.electrodes):
            if self._touch[at].update(chip.touched[pin]) or (settled and self.app.touched[station] is None):
                self.app.touch(station, self._touch[at].state)
        for at, (station, pin) in enumerate(self.switches):
            if self._press[at].update(chip.switch(pin)) or (settled and self.app.pressed[station] is None):
                self.app.press(station, self._press[at].state)
        return TOUCH_US


class ButtonsPart:
    """Push buttons on pins of their own, closed to ground."""

    def __init__(self, app, buttons):
        self.app = app
        self.name = "buttons"
        self.serves = [(station, wire.CAP_BUTTON) for station, _ in buttons]
        self._pins = [(station, app.hal.pin_in(pin), Switch(2)) for station, pin in buttons]

    def start(self):
        return True

    def tick(self):
        for station, pin, switch in self._pins:
            if switch.update(not pin.value()) or self.app.pressed[station] is None:
                self.app.press(station, switch.state)
        return BUTTON_US


class TexturePart:
    """The pressure matrix: frames while something presses, and one more when it let go."""

    def __init__(self, app, station, conf):
        self.app = app
        self.station = station
        self.name = app.names[station] + " pressure matrix"
        self.serves = [(station, wire.CAP_TEXTURE)]
        hal = app.hal
        self.matrix = Matrix(hal.adc(conf["adc"]), hal.selector(conf["rows"]), hal.selector(conf["cols"]))
        self._number = 0
        self._rest = 0
        self._pressed = False

    def start(self):
        return True

    def tick(self):
        high = self.matrix.scan()
        pressed = high - (self._rest >> 12) >= PRESSED_AT
        # Velostat creeps: what counts as rest follows within seconds, under a press within minutes,
        # so that a trace left behind does not look pressed for ever.
        self._rest += ((high << 12) - self._rest) >> (11 if pressed else 5)
        if pressed or self._pressed:
            self._number = (self._number + 1) & 255
            for part in range(2):
                head = bytes((self._number, part, 2))
                half = bytes(self.matrix.frame[128 * part : 128 * part + 128])
                self.app.uplink.sample(wire.SAMPLE_TEXTURE, self.station, head, half)
        self._pressed = pressed
        return MATRIX_PRESSED_US if pressed else MATRIX_IDLE_US


def build(app):
    """All parts of the app's rig; sets its capabilities, scales and lamps."""
    rig = app.rig
    parts, electrodes, switches, buttons, cells, lamps = [], [], [], [], [], {}
    for at, station in enumerate(rig["stations"]):
        for bit, cap in enumerate(wire.CAPABILITIES):
            if cap in station:
                app.caps[at] |= 1 << bit
        if "reader" in station:
            parts.append(ReaderPart(app, at, station["reader"]))
        if "texture" in station:
            parts.append(TexturePart(app, at, station["texture"] or rig["matrix"]))
        if "count" in station:
            cells.append((at, station["count"]))
        if "touch" in station:
            electrodes.append((at, station["touch"]))
        if "lamp" in station:
            lamps[at] = station["lamp"]
        if "button" in station:
            where = station["button"]
            if "touch_chip" in where:
                switches.append((at, where["touch_chip"]))
            else:
                buttons.append((at, where["pin"]))
    if cells:
        app.scales = ScalesPart(app, rig["scales"], cells)
        parts.append(app.scales)
    if electrodes or switches:
        parts.append(TouchPart(app, rig["touch"], electrodes, switches))
    if buttons:
        parts.append(ButtonsPart(app, buttons))
    app.lamp_of = lamps
    count = 1 + max(list(lamps.values()) + [-1])
    if lamps:
        app.lamps = Lamps(app.hal.strip(rig["lamps"]["pin"], count), count)
    return parts
