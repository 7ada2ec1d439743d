"""What the board's sensors cost in bus time: register transfers, tag scans, a round over pad and scales."""

import importlib
from typing import Any

from companion.core.clock import ManualClock
from firmware.simulator.virtual_board import VirtualBoard
from firmware.simulator.virtual_port import MemoryEnd

POPULAR_DRIVER_TRANSFERS = 2_000
"""Register reads that a widely copied MFRC522 driver spins through before it believes in an empty field."""
UIDS = [bytes.fromhex("04a1b2c3d4e580"), bytes.fromhex("04a1b2c3d4e681")]
WATCHED_S = 5.0


def bench_sensors() -> dict[str, Any]:
    """Model time and register transfers of the recommended rig; exact, the same on every machine."""
    scans = [_scan(UIDS[:count]) for count in range(3)]
    return {
        "scan_empty_transfers": scans[0][0],
        "scan_empty_ratio_to_popular_driver": round(scans[0][0] / POPULAR_DRIVER_TRANSFERS, 4),
        "scan_empty_ms": scans[0][1],
        "scan_one_tag_ms": scans[1][1],
        "scan_two_tags_ms": scans[2][1],
        "cycle_ms": _cycle(),
    }


class _Counted:
    """An SPI device that counts its transactions."""

    def __init__(self, spi: Any) -> None:
        self._spi = spi
        self.transfers = 0

    def transfer(self, data: bytearray) -> None:
        self.transfers += 1
        self._spi.transfer(data)


def _scan(uids: list[bytes]) -> tuple[int, float]:
    """(register transfers, milliseconds) of one scan with these tags in the field."""
    machine = VirtualBoard(clock=ManualClock(), end=MemoryEnd()).machine
    for uid in uids:
        machine.place_tag("pad", uid, True)
    spi = _Counted(machine.app.hal.spi_device(machine.rig["stations"][5]["reader"]["cs"]))
    driver = importlib.import_module("firmware.board.drivers.mfrc522").Mfrc522(spi, machine.app.hal)
    driver.start()
    driver.field(True)
    machine.time.us += driver.FIELD_UP_US
    spi.transfers, began = 0, machine.time.us
    found = driver.scan()
    while found < 0:  # it waits for the tags and lets others work meanwhile
        machine.time.us -= found
        found = driver.scan()
    if found != len(uids):
        raise AssertionError(f"the scan found {found} tags of {len(uids)}")
    return spi.transfers, round((machine.time.us - began) / 1000, 2)


def _cycle() -> float:
    """Milliseconds to read everything once: each part's longest turn, and a reader's wait for its field."""
    board = VirtualBoard(clock=ManualClock(), end=MemoryEnd())
    machine = board.machine
    longest: dict[int, int] = {}
    waits = 0
    for at, part in enumerate(machine.app.parts):
        longest[at] = 0
        part.tick = _timed(part.tick, machine, longest, at)
        waits += getattr(getattr(part, "chip", None), "FIELD_UP_US", 0)
    board.place_tag("pad", UIDS[0])
    board.press_texture("pad", [[0.5] * 16] * 16)
    board.touch("bed 1", True)
    board.step(WATCHED_S)
    return round((sum(longest.values()) + waits) / 1000, 2)


def _timed(tick: Any, machine: Any, longest: dict[int, int], at: int) -> Any:
    def timed() -> int:
        began = machine.time.us
        pause: int = tick()
        longest[at] = max(longest[at], machine.time.us - began)
        return pause

    return timed
