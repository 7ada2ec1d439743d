# mypy: ignore-errors
"""Builds a rig's parts.

Wrong wiring is reported by name, and the rest works.
"""

from firmware.board.default_rig import COUNTS_PER_GRAM
from firmware.board.drivers.lamps import Lamps
from firmware.board.drivers.matrix import Matrix
from firmware.board.parts.buttons_part import ButtonsPart
from firmware.board.parts.reader_part import ReaderPart
from firmware.board.parts.scales_part import ScalesPart
from firmware.board.parts.texture_part import TexturePart
from firmware.board.parts.touch_part import TouchPart
from firmware.wire import codec

ELECTRODES, LAMPS = 12, 64  # pins of the MPR121 (data sheet); longest chain of lamps: a guess
FIRST_SWITCH = 4  # pins 0 to 3 of the touch chip are electrodes only (data sheet)
# errors that a wrong rig file causes
WRONG = (ValueError, KeyError, TypeError, AttributeError, IndexError, OSError, ImportError)


def build(app):
    """Build the parts of `app.rig`, and set the app's capabilities, lamps and beeper.

    A part that cannot be built is a missing part, with a complaint.
    """
    return _Builder(app).build()


class _Builder:
    def __init__(self, app):
        self.app = app
        self.rig = app.rig
        self.parts = []
        self._pins = {}

    def build(self):
        """Build all parts, in a fixed order: pins go to the first that claims them."""
        app = self.app
        rig = self.rig
        for at, station in enumerate(rig["stations"]):
            for bit, cap in enumerate(codec.CAPABILITIES):
                if cap in station:
                    app.caps[at] |= 1 << bit
        if "beeper" in rig:
            app.beeper = self._try(self._beeper, "beeper")
        self._stations("reader", codec.CAP_READER, self._reader)
        self._stations("texture", codec.CAP_TEXTURE, self._texture)
        self._scales()
        self._touch()
        buttons = self._stations("button", codec.CAP_BUTTON, self._button)
        if buttons:
            self.parts.append(ButtonsPart(app, buttons))
        self._lamps()
        return self.parts

    def _claim(self, who, *pins):
        """Give pins to one owner.

        ValueError names the owner who has one already.
        """
        claimed = {}
        for pin in pins:
            other = self._pins.get(pin) or claimed.get(pin)
            if other:
                raise ValueError("pin " + str(pin) + " is already used by " + other)
            claimed[pin] = who
        self._pins.update(claimed)

    def _bus(self, section, *keys):
        """Claim the pins of a shared bus for its section, when its first part is built."""
        conf = self.rig[section]
        if section not in self._pins.values():
            self._claim(section, *[conf[key] for key in keys])

    def _try(self, make, name, *arguments):
        """Result of `make`. If the rig file is wrong, None, after a complaint to the app."""
        try:
            return make(name, *arguments)
        except WRONG as error:
            text = "no " + str(error.args[0]) + " in the rig" if isinstance(error, KeyError) else str(error)
            self.app.complain(name + ": " + (text or type(error).__name__))
        return None

    def _stations(self, part, cap, make):
        """Call `make(name, station number, conf)` for each station whose rig entry names `part`.

        Returns its results, without ELSEWHERE (the part was stored by `make`). If `make` fails, the
        capability `cap` of the station counts as missing.
        """
        made = []
        for at, station in enumerate(self.rig["stations"]):
            if part in station:
                thing = self._try(make, self.app.names[at] + " " + _SAID.get(part, part), at, station[part])
                if thing is None:
                    self.app.dead[at] |= cap
                elif thing is not ELSEWHERE:
                    made.append(thing)
        return made

    def _reader(self, name, at, conf):
        app = self.app
        chip = conf.get("chip", "mfrc522")
        if chip not in ("mfrc522", "pn5180"):
            raise ValueError("no driver for " + str(chip))
        self._bus("spi", "sck", "mosi", "miso")
        pins = [conf[key] for key in (("cs", "busy", "reset") if chip == "pn5180" else ("cs",))]
        self._claim(name, *pins)
        spi = app.hal.spi_device(pins[0])
        # Imported on demand, because each driver costs memory.
        if chip == "pn5180":
            from firmware.board.drivers.pn5180 import Pn5180

            driver = Pn5180(spi, app.hal.pin_in(pins[1]), app.hal.pin_out(pins[2]), app.hal)
        else:
            from firmware.board.drivers.mfrc522 import Mfrc522

            driver = Mfrc522(spi, app.hal)
        self.parts.append(ReaderPart(app, at, driver))
        return ELSEWHERE

    def _texture(self, name, at, conf):
        conf = conf or self.rig["matrix"]
        rows, cols = list(conf["rows"]), list(conf["cols"])
        self._claim(name, conf["adc"], *(rows + cols))
        self.parts.append(TexturePart(self.app, at, Matrix(conf["adc"], rows, cols, self.app.hal)))
        return ELSEWHERE

    def _scales(self):
        app = self.app
        if any(caps & codec.CAP_COUNT for caps in app.caps):
            conf = self._try(self._clock, "scales")
            cells = self._stations("count", codec.CAP_COUNT, self._cell)
            if conf is None:
                for at, _, _ in cells:
                    app.dead[at] |= codec.CAP_COUNT
            elif cells:
                app.scales = ScalesPart(app, conf["sck"], cells, conf.get("step", 18), conf.get("band", 45))
                self.parts.append(app.scales)

    def _clock(self, name):
        conf = self.rig["scales"]
        self._claim(name, conf["sck"])
        self.app.hal.pin_out(conf["sck"])
        return conf

    def _cell(self, name, at, conf):
        self._claim(name, conf["dout"])
        self.app.hal.pin_in(conf["dout"])
        per_gram = conf.get("counts_per_gram", COUNTS_PER_GRAM)
        if not abs(per_gram) >= 1:
            raise ValueError(str(per_gram) + " counts per gram cannot be")
        return at, conf["dout"], per_gram

    def _touch(self):
        app = self.app
        self._taken = {}
        electrodes = self._stations("touch", codec.CAP_TOUCH, self._electrode)
        self._feeling = 1 + max([pin for _, pin in electrodes] + [-1])
        switches = self._stations("button", codec.CAP_BUTTON, self._switch)
        if electrodes or switches:
            part = self._try(self._touch_part, "touch", electrodes, switches)
            if part is not None:
                app.electrodes = part
                self.parts.append(part)
                return
        for at, _ in electrodes:
            app.dead[at] |= codec.CAP_TOUCH
        for at, _ in switches:
            app.dead[at] |= codec.CAP_BUTTON

    def _touch_part(self, _name, electrodes, switches):
        self._bus("i2c", "sda", "scl")
        return TouchPart(self.app, self.rig["touch"]["addr"], electrodes, switches)

    def _electrode(self, name, at, pin):
        _check(pin, ELECTRODES, "electrode")
        if pin in self._taken:
            raise ValueError("electrode " + str(pin) + " is already used by " + self._taken[pin])
        self._taken[pin] = name
        return at, pin

    def _switch(self, name, at, conf):
        if "touch_chip" not in conf:
            return ELSEWHERE
        pin = self._electrode(name, at, conf["touch_chip"])[1]
        if pin < max(FIRST_SWITCH, self._feeling):
            # The chip runs its electrodes from 0 to the last one in use.
            raise ValueError("electrode " + str(pin) + " cannot be a switch beside the ones that feel")
        return at, pin

    def _button(self, name, at, conf):
        if "touch_chip" in conf:
            return ELSEWHERE
        self._claim(name, conf["pin"])
        return at, self.app.hal.pin_in(conf["pin"])

    def _lamps(self):
        app = self.app
        lamps = self._stations("lamp", codec.CAP_LAMP, self._lamp)
        if lamps:
            app.lamps = self._try(self._strip, "lamps", 1 + max([index for _, index in lamps]))
            for at, index in lamps:
                if app.lamps is None:
                    app.dead[at] |= codec.CAP_LAMP
                else:
                    app.lamp_of[at] = index

    def _lamp(self, _name, at, index):
        _check(index, LAMPS, "lamp")
        return at, index

    def _beeper(self, name):
        pin = self.rig[name]["pin"]
        self._claim(name, pin)
        return self.app.hal.pwm(pin)

    def _strip(self, name, count):
        pin = self.rig["lamps"]["pin"]
        self._claim(name, pin)
        return Lamps(self.app.hal.strip(pin, count), count)


def _check(number, count, what):
    if not isinstance(number, int) or not 0 <= number < count:
        raise ValueError(str(number) + " is no " + what + ", there are 0 to " + str(count - 1))


ELSEWHERE = ()  # result of a part that is kept elsewhere
_SAID = {"count": "scale", "texture": "pressure matrix"}  # names for people
