"""Parts of a board with their terminals, from the data that the board itself uses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Rig = Mapping[str, Any]
"""Rig of a board, as `firmware/board/default_rig.py` describes it.

It has sections, and stations with their parts.
"""

RAIL_3V3, RAIL_5V, GROUND = "3.3 V", "VBUS", "GND"
_ADDRESS_WIRE = {0x5A: GROUND, 0x5B: RAIL_3V3, 0x5C: "SDA", 0x5D: "SCL"}
"""I2C address of an MPR121 chip -> where its address pin is wired (data sheet)."""


_NEAR_CARD = ("beside the strips, below the card's tag;", "SPI wires 20 cm at most")
"""Place of the tag reader. Copper strips would shield its field (13.56 MHz) and detune its antenna."""
_CELL = (
    "VCC to 3.3 V, GND to GND; wires 1.2 m at most",
    "green board: 22 kOhm beside its 20 kOhm (203)",
)
"""Notes on wiring a load cell's amplifier (HX711). A green board wants 4.29 V, which its regulator cannot
make of 3.3 V. The cell would then see the noise of the supply. 22 kOhm in parallel lower that to 2.9 V."""
_BUS = (
    "4.7 kOhm from SDA and from SCL to 3.3 V,",
    "if its board has none; wires 60 cm at most",
    "1 kOhm in the wire of each foil and button,",
    "50 cm at most to a foil",
)
"""Notes on wiring the I2C bus: pull-up resistors, and resistors that keep a finger's spark from the chip."""
_LAMPS = (
    f"5V to {RAIL_5V}, GND to GND; 470 uF between",
    "74AHCT125 in the wire: A from the pin,",
    f"Y by 330 Ohm to DIN, VCC to {RAIL_5V}; GND, OE",
    "and the inputs of its other gates to GND",
)
"""Notes on wiring the lamp strip (WS2812).

The strip needs 3.7 V, and at 5 V a data signal of 3.5 V. A pin of the Pico gives 3.3 V, so a level shifter
(74AHCT125) is needed.
"""
_BEEPER = ("- to GND; 220 Ohm in the wire: a buzzer", "sold as passive may be a coil of 16 Ohm")
ROW_OHM, SIG_OHM = 470, 2200
"""Resistors (ohm) of the pressure matrix to ground: from each row, and from pin SIG.

SIG belongs to the column multiplexer. Without them rows float, and current takes detours through other pressed
crossings (nodal analysis).
"""


@dataclass(frozen=True, slots=True)
class Terminal:
    """Terminal of a part, which is wired to the Pico.

    `name`: printed on the part. `gp`: number of the Pico's pin.
    """

    name: str
    gp: int


@dataclass(frozen=True, slots=True)
class WiredPart:
    """Rig's part on the wiring drawing: title, terminals, notes."""

    title: str
    terminals: tuple[Terminal, ...]
    notes: tuple[str, ...] = ()
    """Lines of text on power supply, and on sensors wired to the part."""


def wired_parts(rig: Rig, renamed: Mapping[str, Mapping[str, str]] | None = None) -> list[WiredPart]:
    """List all parts of a rig with their terminals.

    The rig must be free of faults. `renamed` puts crossed wires right: capability -> station that the board
    names -> true station.
    """
    stations: Sequence[Rig] = rig["stations"]
    names = _Names(renamed or {})
    return [
        *_readers(rig, stations, names),
        *_matrices(rig, stations, names),
        *_scales(rig, stations, names),
        *_touch(rig, stations, names),
        *_buttons(stations, names),
        *_lamps(rig, stations, names),
        *(
            [WiredPart("beeper (piezo)", (Terminal("+", rig["beeper"]["pin"]),), _BEEPER)]
            if "beeper" in rig
            else ()
        ),
    ]


class _Names:
    """Names of stations on the wiring drawing.

    Where wires are crossed, a part has both its names. `renamed`: see `wired_parts`.
    """

    def __init__(self, renamed: Mapping[str, Mapping[str, str]]) -> None:
        self._renamed = renamed

    def of(self, station: Rig, capability: str) -> str:
        """Name of the true station of a part, with the board's name if that differs."""
        name: str = station["name"]
        true = self._renamed.get(capability, {}).get(name, name)
        return name if true == name else f"{true} (wired as {name})"


def _readers(rig: Rig, stations: Sequence[Rig], names: _Names) -> list[WiredPart]:
    parts = []
    for station in stations:
        conf = station.get("reader")
        if conf is None:
            continue
        bus = [
            Terminal(name, rig["spi"][key])
            for name, key in (("SCK", "sck"), ("MOSI", "mosi"), ("MISO", "miso"))
        ]
        name = names.of(station, "reader")
        if conf.get("chip") == "pn5180":
            own = [
                Terminal(label, conf[key]) for label, key in (("NSS", "cs"), ("BUSY", "busy"), ("RST", "reset"))
            ]
            notes = ("3.3V to 3.3 V, 5V to VBUS, GND to GND", *_NEAR_CARD)
            parts.append(WiredPart(f"{name}: tag reader PN5180", (*bus, *own), notes))
        else:
            notes = ("3.3V and RST to 3.3 V, GND to GND", *_NEAR_CARD)
            parts.append(WiredPart(f"{name}: tag reader MFRC522", (*bus, Terminal("SDA", conf["cs"])), notes))
    return parts


def _matrices(rig: Rig, stations: Sequence[Rig], names: _Names) -> list[WiredPart]:
    parts = []
    for station in stations:
        if "texture" not in station:
            continue
        conf, name = station["texture"] or rig["matrix"], names.of(station, "texture")
        rows = [Terminal(f"S{bit}", pin) for bit, pin in enumerate(conf["rows"])]
        cols = [Terminal(f"S{bit}", pin) for bit, pin in enumerate(conf["cols"])]
        power = "VCC to 3.3 V, GND and EN to GND; 100 nF between"
        row, sig = (_ohm(conf.get(key, usual)) for key, usual in (("row_ohm", ROW_OHM), ("sig_ohm", SIG_OHM)))
        parts.append(
            WiredPart(
                f"{name}: row multiplexer 74HC4067",
                tuple(rows),
                ("SIG to 3.3 V", "C0 to C15: the 16 rows", f"{row} from each row to GND", power),
            )
        )
        notes = (f"{sig} from SIG to GND", "C0 to C15: the 16 columns", power)
        title = f"{name}: column multiplexer 74HC4067"
        parts.append(WiredPart(title, (Terminal("SIG", conf["adc"]), *cols), notes))
    return parts


def _ohm(ohm: int) -> str:
    return f"{ohm / 1000:g} kOhm" if ohm >= 1000 else f"{ohm} Ohm"


def _scales(rig: Rig, stations: Sequence[Rig], names: _Names) -> list[WiredPart]:
    return [
        WiredPart(
            f"{names.of(station, 'count')}: load cell with HX711",
            (Terminal("DT", station["count"]["dout"]), Terminal("SCK", rig["scales"]["sck"])),
            _CELL,
        )
        for station in stations
        if "count" in station
    ]


def _touch(rig: Rig, stations: Sequence[Rig], names: _Names) -> list[WiredPart]:
    hung = [(one["touch"], f"{names.of(one, 'touch')}, foil") for one in stations if "touch" in one]
    hung += [
        (one["button"]["touch_chip"], f"{names.of(one, 'button')}, button to GND")
        for one in stations
        if "touch_chip" in one.get("button", {})
    ]
    if not hung:
        return []
    address = rig["touch"]["addr"]
    notes = [f"VCC to 3.3 V, GND to GND, ADDR to {_ADDRESS_WIRE[address]}", *_BUS]
    notes += [f"electrode {electrode}: {what}" for electrode, what in sorted(hung)]
    bus = (Terminal("SDA", rig["i2c"]["sda"]), Terminal("SCL", rig["i2c"]["scl"]))
    return [WiredPart(f"touch chip MPR121 (address 0x{address:02X})", bus, tuple(notes))]


def _buttons(stations: Sequence[Rig], names: _Names) -> list[WiredPart]:
    return [
        WiredPart(
            f"{names.of(one, 'button')}: button",
            (Terminal("leg", one["button"]["pin"]),),
            ("1 kOhm in its wire; other leg to GND",),
        )
        for one in stations
        if "pin" in one.get("button", {})
    ]


def _lamps(rig: Rig, stations: Sequence[Rig], names: _Names) -> list[WiredPart]:
    chain = sorted((one["lamp"], names.of(one, "lamp")) for one in stations if "lamp" in one)
    if not chain:
        return []
    notes = (*_LAMPS, *(f"lamp {place + 1}: {name}" for place, name in chain))
    return [WiredPart("lamps WS2812, one chain", (Terminal("DIN", rig["lamps"]["pin"]),), notes)]
