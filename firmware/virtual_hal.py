"""The board's hardware layer over chip models: buses cost model time, nothing costs real time."""

from collections.abc import Callable
from typing import Any

from firmware.chips.hx711 import Hx711Model
from firmware.chips.matrix import MatrixModel
from firmware.chips.mfrc522 import Mfrc522Model
from firmware.chips.mpr121 import Mpr121Model
from firmware.chips.simple import BeeperModel, ButtonModel, StripModel
from firmware.chips.world import Chance, ModelTime
from firmware.manifest import code_hash

PIN_US, ADC_US, SELECT_US = 2, 11, 4
SPI_US, SPI_BYTE_US = 20, 2  # 4 MHz, and what MicroPython takes around it
I2C_US, I2C_BYTE_US = 60, 23  # 400 kHz


class Chips:
    """All parts that a rig names, by station; the physical side of a virtual board."""

    def __init__(self, rig: dict[str, Any], time: ModelTime, chance: Chance) -> None:
        stations = rig["stations"]
        self.readers = {s["name"]: Mfrc522Model(time, chance) for s in stations if "reader" in s}
        self.matrices = {s["name"]: MatrixModel(chance) for s in stations if "texture" in s}
        self.cells = {
            s["name"]: Hx711Model(time, chance, s["count"].get("counts_per_gram", 420), 7000 * at)
            for at, s in enumerate(stations)
            if "count" in s
        }
        self.buttons = {s["name"]: ButtonModel(time, chance) for s in stations if "pin" in s.get("button", {})}
        self.touch = Mpr121Model(chance)
        self.strip = StripModel(1 + max([s["lamp"] for s in stations if "lamp" in s], default=-1))
        self.beeper = BeeperModel()


class VirtualHal:
    """Same calls as the Pico's layer. `read_serial` and `write_serial` are the board's."""

    TICKS_MASK = (1 << 30) - 1

    def __init__(
        self,
        rig: dict[str, Any],
        time: ModelTime,
        chance: Chance,
        chips: Chips,
        read_serial: Callable[[], bytes],
        write_serial: Callable[[bytes], None],
        cause: int,
    ) -> None:
        self._rig = rig
        self._time = time
        self._chance = chance
        self._chips = chips
        self._cause = cause
        self._started = time.us
        self.read_serial = read_serial
        self.write_serial = write_serial
        stations = rig["stations"]
        self._by_select = {s["reader"]["cs"]: chips.readers[s["name"]] for s in stations if "reader" in s}
        self._by_adc = {
            (s["texture"] or rig["matrix"])["adc"]: chips.matrices[s["name"]]
            for s in stations
            if "texture" in s
        }
        self._inputs: dict[int, Any] = {
            s["count"]["dout"]: chips.cells[s["name"]] for s in stations if "count" in s
        }
        self._inputs |= {
            s["button"]["pin"]: chips.buttons[s["name"]] for s in stations if "pin" in s.get("button", {})
        }

    def ticks_us(self) -> int:
        """Wraps after 17.9 minutes, as on the Pico."""
        return self._time.us - self._started & self.TICKS_MASK

    def since_us(self, ticks: int) -> int:
        """Microseconds since `ticks`."""
        return self.ticks_us() - ticks & self.TICKS_MASK

    def sleep_us(self, count: int) -> None:
        """Let model time pass."""
        self._time.us += count

    def lock(self) -> int:
        """Interrupts off: nothing interrupts here."""
        return 0

    def unlock(self, _state: int) -> None:
        """Interrupts on again."""

    def random_u32(self) -> int:
        """Seeded, so that a run can be repeated."""
        return self._chance.u32()

    def board_id(self) -> bytes:
        """Eight bytes, as `machine.unique_id` gives."""
        return b"virtual\0"

    def reset_cause(self) -> int:
        """1 for power on, 3 for a reset, as in `machine`."""
        return self._cause

    def code_hash(self) -> int:
        """The hash of the very files that run."""
        return code_hash()

    def spi_device(self, chip_select: int) -> "_Spi":
        return _Spi(self._by_select[chip_select], self._time)

    def i2c(self) -> "_I2c":
        return _I2c(self._chips.touch, self._rig["touch"]["addr"], self._time)

    def pin_in(self, number: int) -> "_PinIn":
        return _PinIn(self._inputs[number], self._time)

    def pin_out(self, _number: int) -> "_Clock":
        return _Clock(list(self._chips.cells.values()), self._time)

    def adc(self, number: int) -> "_Adc":
        return _Adc(self._by_adc[number], self._time)

    def selector(self, pins: tuple[int, ...]) -> "_Selector":
        for station in self._rig["stations"]:
            if "texture" in station:
                conf = station["texture"] or self._rig["matrix"]
                matrix = self._chips.matrices[station["name"]]
                if tuple(conf["rows"]) == tuple(pins):
                    return _Selector(matrix, "row", self._time)
                if tuple(conf["cols"]) == tuple(pins):
                    return _Selector(matrix, "col", self._time)
        raise KeyError(pins)

    def strip(self, _pin: int, _count: int) -> StripModel:
        return self._chips.strip

    def pwm(self, _pin: int) -> BeeperModel:
        return self._chips.beeper


class _Spi:
    def __init__(self, chip: Mfrc522Model, time: ModelTime) -> None:
        self._chip = chip
        self._time = time

    def transfer(self, data: bytearray) -> None:
        self._time.us += SPI_US + SPI_BYTE_US * len(data)
        self._chip.transfer(data)


class _I2c:
    def __init__(self, chip: Mpr121Model, addr: int, time: ModelTime) -> None:
        self._chip = chip
        self._addr = addr
        self._time = time

    def readfrom_mem_into(self, addr: int, register: int, data: bytearray) -> None:
        self._charge(addr, len(data))
        self._chip.read(register, data)

    def writeto_mem(self, addr: int, register: int, data: bytes) -> None:
        self._charge(addr, len(data))
        self._chip.write(register, data)

    def _charge(self, addr: int, size: int) -> None:
        self._time.us += I2C_US + I2C_BYTE_US * (size + 2)
        if addr != self._addr:
            raise OSError(19, "no device at this address")


class _PinIn:
    def __init__(self, chip: Any, time: ModelTime) -> None:
        self._value = chip.value
        self._time = time

    def value(self) -> int:
        self._time.us += PIN_US
        return int(self._value())


class _Clock:
    """The one output pin the rig has: the load cells' shared clock."""

    def __init__(self, cells: list[Hx711Model], time: ModelTime) -> None:
        self._cells = cells
        self._time = time

    def value(self, level: int) -> None:
        self._time.us += PIN_US
        for cell in self._cells:
            cell.clock(level)


class _Adc:
    def __init__(self, matrix: MatrixModel, time: ModelTime) -> None:
        self._read = matrix.read_u16
        self._time = time

    def read_u16(self) -> int:
        self._time.us += ADC_US
        return self._read()


class _Selector:
    def __init__(self, matrix: MatrixModel, axis: str, time: ModelTime) -> None:
        self._matrix = matrix
        self._axis = axis
        self._time = time

    def select(self, channel: int) -> None:
        self._time.us += SELECT_US
        setattr(self._matrix, self._axis, channel)
