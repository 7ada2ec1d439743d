# mypy: ignore-errors
"""The wiring: the recommended rig as data, or the owner's rig file.

A rig is a dict. `stations` lists the stations in the order of their numbers on the wire, each with its parts. A
part that is not listed does not exist. Pins are GP numbers of the Pico.

`row_ohm` and `sig_ohm` are the matrix's resistors to ground. The five claim buttons hang on the touch chip,
because the matrix takes nine of the Pico's pins.

Weights are in tenths of a gram: `step` between two reports, and `band` of noise that still counts as rest. Both
are replaced by a host that knows the weight of a card. docs/board.md has the wiring.
"""

import json

COUNTS_PER_GRAM = 2100  # of the recommended load cell: 1 kg, 1 mV/V, gain 128 (data sheets)


def _bed(number):
    return {
        "name": "bed " + str(number),
        "count": {"dout": 5 + number, "counts_per_gram": COUNTS_PER_GRAM},
        "touch": number - 1,
        "button": {"touch_chip": 5 + number},
        "lamp": number - 1,
    }


DEFAULT_RIG = {
    "spi": {"id": 0, "sck": 18, "mosi": 19, "miso": 16},
    "i2c": {"id": 0, "sda": 4, "scl": 5},
    "touch": {"addr": 0x5A},
    "scales": {"sck": 11, "step": 18, "band": 45},
    "matrix": {"adc": 26, "rows": (0, 1, 2, 3), "cols": (12, 13, 14, 15), "row_ohm": 470, "sig_ohm": 2200},
    "lamps": {"pin": 22},
    "beeper": {"pin": 21},
    "stations": [_bed(1), _bed(2), _bed(3), _bed(4), _bed(5)]
    + [{"name": "pad", "reader": {"cs": 17}, "texture": {}, "touch": 5}],
}


def load(path="rig.json"):
    """Load the rig file at `path`: (rig, list of complaints in words).

    Without a file it is the recommended rig. A file that is no rig at all is ignored, with a complaint. A file
    with single wrong pins is used, because the other parts work.
    """
    try:
        with open(path) as file:
            rig = json.load(file)
    except OSError:
        return DEFAULT_RIG, []
    except (ValueError, RuntimeError, MemoryError):
        return DEFAULT_RIG, [path + " is not JSON: the recommended rig is used"]
    broken = check_shape(rig)
    if broken:
        return DEFAULT_RIG, [path + ": " + broken + ": the recommended rig is used"]
    return rig, []


def check_shape(rig):
    """Reason why `rig` is no rig at all, "" if it is one: stations with names."""
    stations = rig.get("stations") if isinstance(rig, dict) else None
    if not isinstance(stations, list) or not stations:
        return "the list of stations is missing"
    for at, station in enumerate(stations):
        if not isinstance(station, dict) or not isinstance(station.get("name"), str) or not station["name"]:
            return "station " + str(at + 1) + " has no name"
    return ""
