# mypy: ignore-errors
"""Checks a rig file before flashing, naming all its faults.

The board itself checks only the shape. It finds wrong pins when it builds its parts.
"""

import importlib

from firmware.wire.codec import NAME_BYTES, STATIONS_ROOM

check_shape = importlib.import_module("firmware.board.default_rig").check_shape

STATIONS = 16  # most stations: a guess
ELECTRODES = 12  # pins of the MPR121 (data sheet)
LAMPS = 64  # longest chain of lamps: a guess
INNER_PINS = (23, 24, 25, 29)  # GP pins of regulator, supply sense and LED, or of a W's radio (Pico data sheet)
CHIPS = ("mfrc522", "pn5180")

# Fields of each section: name -> (kind, True if required). A kind is a table like this one, or pin, pins, adc,
# sensitivity, positive, electrode, lamp, chip, name, bus, address.
_MATRIX = {
    "adc": ("adc", True),
    "rows": ("pins", True),
    "cols": ("pins", True),
    "row_ohm": ("positive", False),
    "sig_ohm": ("positive", False),
}
_BUTTON = {"touch_chip": ("electrode", False), "pin": ("pin", False)}
_STATION = {
    "name": ("name", True),
    "reader": (
        {"chip": ("chip", False), "cs": ("pin", True), "busy": ("pin", False), "reset": ("pin", False)},
        False,
    ),
    "texture": (_MATRIX, False),
    "count": ({"dout": ("pin", True), "counts_per_gram": ("sensitivity", False)}, False),
    "touch": ("electrode", False),
    "button": (_BUTTON, False),
    "lamp": ("lamp", False),
}
_RIG = {
    "spi": ({"id": ("bus", True), "sck": ("pin", True), "mosi": ("pin", True), "miso": ("pin", True)}, False),
    "i2c": ({"id": ("bus", True), "sda": ("pin", True), "scl": ("pin", True)}, False),
    "touch": ({"addr": ("address", True)}, False),
    "scales": ({"sck": ("pin", True), "step": ("positive", False), "band": ("positive", False)}, False),
    "matrix": (_MATRIX, False),
    "lamps": ({"pin": ("pin", True)}, False),
    "beeper": ({"pin": ("pin", True)}, False),
}
# kind -> (lowest, highest, bounds in words)
_NUMBERS = {
    "pin": (0, 28, "a pin GP0 to GP22 or GP26 to GP28"),
    "adc": (26, 28, "a pin that measures, GP26 to GP28"),
    "electrode": (0, ELECTRODES - 1, "an electrode 0 to 11"),
    "lamp": (0, LAMPS - 1, "a lamp 0 to 63"),
    "bus": (0, 1, "0 or 1"),
    "address": (0x5A, 0x5D, "an address 90 to 93"),
    "positive": (1, 1000000, "a whole number from 1 on"),
}


_INNER = "the Pico itself uses it, a W for its radio"


def check(rig):
    """Check a rig: description of a board's stations and pins.

    `rig`: the JSON value of a rig file. Returns a sentence for each fault, with its station and part; empty
    for a good rig.
    """
    broken = check_shape(rig)
    if broken:
        return [broken]
    faults = _check_names(rig["stations"])
    for key, table in _RIG.items():
        _check_section(faults, "", rig, key, table[0])
    for station in rig["stations"]:
        for key, table in _STATION.items():
            _check_section(faults, station["name"], station, key, table[0])
    if faults:
        return faults
    _check_table(faults, "", rig, _RIG, ("stations",))
    for station in rig["stations"]:
        _check_table(faults, station["name"], station, _STATION, ())
        _check_parts(faults, rig, station)
    _check_buses(faults, rig)
    _check_doubles(faults, rig)
    return faults


def _check_names(stations):
    """Faults of station names: too long for HELLO, or double."""
    faults = []
    if len(stations) > STATIONS:
        faults.append(str(len(stations)) + " stations, at most 16 are possible")
    names = [station["name"] for station in stations]
    for at, name in enumerate(names):
        if len(name.encode()) > NAME_BYTES:
            faults.append(name + ": a name has at most 15 bytes")
        if name in names[:at]:
            faults.append(name + ": two stations have this name")
    if sum(len(name.encode()) + 3 for name in names) > STATIONS_ROOM:
        faults.append("the stations' names are too long together: shorten them")
    return faults


def _check_section(faults, name, holder, key, kind):
    """Add a fault if a section that should be an object is none.

    `faults`: list to add to. `name`: station; "" for the rig itself. `holder`: dict with the section `key`.
    `kind`: table of its fields, or the name of a kind.
    """
    if isinstance(kind, dict) and key in holder and not isinstance(holder[key], dict):
        faults.append(_where(name, key) + " must be an object")


def _where(name, key):
    """Name a place in the rig: "station: key", or "key" alone without a station."""
    return name + ": " + key if name else key


def _check_table(faults, name, holder, table, others):
    """Add a fault for each unknown, missing or wrong field of a section.

    `faults`: list to add to. `name`: place of the section. `holder`: its fields. `table`: field -> (kind, True
    if required). `others`: further keys that are allowed.
    """
    for key in holder:
        if key not in table and key not in others:
            faults.append(_where(name, str(key)) + " is not known here")
    for key, (kind, needed) in table.items():
        if key not in holder:
            if needed:
                faults.append(_where(name, key) + " is missing")
        elif isinstance(kind, dict):
            if holder[key] or key != "texture":  # an empty texture means the common matrix
                _check_table(faults, _where(name, key), holder[key], kind, ())
        else:
            _check_value(faults, _where(name, key), holder[key], kind)


def _check_value(faults, where, value, kind):
    """Add a fault if a value is not of its kind.

    `where`: place of the value. `kind`: name of a kind, such as "pin" or "chip".
    """
    if kind == "name":
        return
    if kind == "chip":
        if value not in CHIPS:
            faults.append(where + ": no driver for " + str(value) + ", there are " + ", ".join(CHIPS))
    elif kind == "sensitivity":
        # negative for a cell that hangs upside down
        _check_value(faults, where, abs(value) if type(value) is int else value, "positive")
    elif kind == "pins":
        if not isinstance(value, (list, tuple)) or len(value) != 4:
            faults.append(where + " must be four pins")
            return
        for pin in value:
            _check_value(faults, where, pin, "pin")
    else:
        low, high, said = _NUMBERS[kind]
        if kind in ("pin", "adc") and value in INNER_PINS:
            faults.append(where + ": GP" + str(value) + " is not on the header: " + _INNER)
            return
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            faults.append(where + ": " + str(value) + " is not " + said)


def _check_parts(faults, rig, station):
    """Add a fault for each pin or section that a station's parts lack."""
    name = station["name"]
    button = station.get("button")
    if button is not None and len(button) != 1:
        faults.append(name + ": button needs either a pin or a touch_chip electrode")
    if station.get("reader", {}).get("chip") == "pn5180":
        for key in ("busy", "reset"):
            if key not in station["reader"]:
                faults.append(name + ": reader: a pn5180 needs its pin " + key)
    needs = [("reader", "spi"), ("count", "scales"), ("lamp", "lamps"), ("touch", "touch"), ("touch", "i2c")]
    if station.get("texture") == {}:
        needs.append(("texture", "matrix"))
    if "touch_chip" in (button or {}):
        needs += [("button", "touch"), ("button", "i2c")]
    for part, section in needs:
        if part in station and section not in rig:
            faults.append(name + ": " + part + " needs the section " + section)


def _check_buses(faults, rig):
    """Add a fault for each pin that cannot reach its bus.

    RP2040 data sheet, table 2. The RP2350's first 30 pins are alike.
    """
    spi, i2c = rig.get("spi"), rig.get("i2c")
    places = []
    if spi:
        places += [("spi", spi, key, 4, at, 3) for key, at in (("miso", 0), ("sck", 2), ("mosi", 3))]
    if i2c:
        places += [("i2c", i2c, key, 2, at, 1) for key, at in (("sda", 0), ("scl", 1))]
    for section, conf, key, step, at, shift in places:
        pin, bus = conf.get(key), conf.get("id")
        if isinstance(pin, int) and bus in (0, 1) and (pin % step != at or (pin >> shift) & 1 != bus):
            faults.append(section + ": GP" + str(pin) + " cannot be " + key + " of bus " + str(bus))


def _check_doubles(faults, rig):
    """Add a fault for each pin, electrode or lamp that is used twice.

    Only one station may use the common matrix.
    """
    used = {}
    _claim(faults, used, "", rig, _RIG)
    for station in rig["stations"]:
        _claim(faults, used, station["name"], station, _STATION)
    shared = [station["name"] for station in rig["stations"] if station.get("texture") == {}]
    if len(shared) > 1:
        faults.append(" and ".join(shared) + " both use the common matrix")


def _claim(faults, used, name, holder, table):
    """Note each pin, electrode and lamp that a section uses, with a fault for each second use.

    `used`: label such as "GP3" -> place of its first use. `name`, `holder`, `table`: as in `_check_table`.
    """
    for key, (kind, _needed) in table.items():
        if key not in holder:
            continue
        value, where = holder[key], _where(name, key)
        if isinstance(kind, dict):
            _claim(faults, used, where, value, kind)
        elif kind in ("pin", "adc", "electrode", "lamp"):
            _claim_one(faults, used, where, value, "GP" if kind in ("pin", "adc") else kind + " ")
        elif kind == "pins" and isinstance(value, (list, tuple)):
            for pin in value:
                _claim_one(faults, used, where, pin, "GP")


def _claim_one(faults, used, where, value, what):
    """Note that `where` uses a pin, electrode or lamp; add a fault if another place does already.

    The label is `what` + `value`, for example "GP3".
    """
    label = what + str(value)
    if label in used:
        faults.append(where + ": " + label + " is already used by " + used[label])
    else:
        used[label] = where
