"""Installs MicroPython on a Pico in its boot loader.

The boot loader shows a drive.
"""

import errno
import os
import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from firmware.errors import BoardError, UnusableError
from firmware.reasons import (
    NoMicroPython,
    Simple,
    Uf2Cut,
    Uf2Damaged,
    Uf2ForOtherChip,
    Uf2NotCopied,
    Uf2OfOtherFamily,
    Uf2Unreadable,
)

# UF2 format (https://github.com/microsoft/uf2): blocks of 512 bytes, a header of 32 bytes, a third magic number
# at the end.
_HEAD = struct.Struct("<8I")
_MAGIC_FIRST, _MAGIC_SECOND, _MAGIC_END = 0x0A324655, 0x9E5D5157, 0x0AB16F30
_BLOCK = 512
_HAS_FAMILY = 0x2000
_FAMILIES = {0xE48BFF56: "RP2040", 0xE48BFF59: "RP2350"}
_ABSOLUTE = 0xE48BFF57
"""Family of an extra block in RP2350 files (erratum E10).
It belongs to no chip."""
_BOARD_IDS = {"RPI-RP2": "RP2040", "RP2350": "RP2350"}
_INFO = "INFO_UF2.TXT"
_MOUNTS = Path("/proc/mounts")
_LABELS = Path("/dev/disk/by-label")


@dataclass(frozen=True, slots=True)
class Uf2:
    """Verified UF2 file: MicroPython for one kind of chip.

    `chip`: "RP2040" or "RP2350". `version`: MicroPython's version, for example "1.24.1"; "" if the file names
    none.
    """

    path: Path
    chip: str
    version: str


@dataclass(frozen=True, slots=True)
class BootDrive:
    """Board in its boot loader, mounted as a drive.

    `path`: folder of the drive. `chip`: "RP2040" or "RP2350".
    """

    path: Path
    chip: str


def check_uf2(path: Path) -> Uf2:
    """Read and verify a UF2 file.

    UnusableError if it is missing, cut off, damaged, no UF2 file, or for a chip other than RP2040 and RP2350.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UnusableError(Uf2Unreadable(error.strerror or str(error)), str(path)) from None
    if len(data) < _BLOCK or _HEAD.unpack_from(data)[:2] != (_MAGIC_FIRST, _MAGIC_SECOND):
        raise UnusableError(Simple.NO_UF2, str(path))
    if len(data) % _BLOCK:
        raise UnusableError(Simple.UF2_CUT_IN_BLOCK, str(path))
    blocks, total, content = _content(data, path)
    if len(blocks) != 1 or next(iter(blocks)) not in _FAMILIES:
        named = ", ".join(f"{family:#010x}" for family in blocks)
        raise UnusableError(Uf2OfOtherFamily(named), str(path))
    (family,) = blocks
    if len(blocks[family]) != total[family]:
        raise UnusableError(Uf2Cut(len(blocks[family]), total[family]), str(path))
    said = re.search(rb"MicroPython v([0-9.]+)", content)
    return Uf2(path, _FAMILIES[family], said[1].decode() if said else "")


def _content(data: bytes, path: Path) -> tuple[dict[int, set[int]], dict[int, int], bytes]:
    """Content of a UF2 file: (family of chips -> numbers of blocks, family -> blocks in all, bytes to flash).

    Blocks for every chip are left out. UnusableError, with the file's `path`, for a damaged block.
    """
    blocks: dict[int, set[int]] = {}
    total: dict[int, int] = {}
    content = bytearray()
    for at in range(0, len(data), _BLOCK):
        first, second, flags, _, size, number, count, family = _HEAD.unpack_from(data, at)
        end = int.from_bytes(data[at + _BLOCK - 4 : at + _BLOCK], "little")
        if (first, second, end) != (_MAGIC_FIRST, _MAGIC_SECOND, _MAGIC_END) or size > 476:
            raise UnusableError(Uf2Damaged(at // _BLOCK), str(path))
        family = family if flags & _HAS_FAMILY else 0
        if family != _ABSOLUTE:
            blocks.setdefault(family, set()).add(number)
            total[family] = count
            content += data[at + 32 : at + 32 + size]
    return blocks, total, bytes(content)


def find_drives(mounts: Path = _MOUNTS) -> list[BootDrive]:
    """List the mounted drives of boards in their boot loader.

    `mounts`: the system's table of mounts, in the format of /proc/mounts. Empty if it cannot be read.
    """
    return list(_drives(mounts))


def _drives(mounts: Path) -> Iterator[BootDrive]:
    """Yield each mounted boot drive.

    A boot drive is a folder whose INFO_UF2.TXT names a known board.
    """
    try:
        lines = mounts.read_text(errors="replace").splitlines()
    except OSError:
        return
    for line in lines:
        fields = line.split(" ")
        if len(fields) < 2:
            continue
        # The kernel writes spaces in names as octal escapes.
        folder = Path(re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), fields[1]))
        try:
            info = (folder / _INFO).read_text(errors="replace")
        except (OSError, ValueError):
            continue
        board = re.search(r"^Board-ID:\s*(\S+)", info, re.MULTILINE)
        if board and board[1] in _BOARD_IDS:
            yield BootDrive(folder, _BOARD_IDS[board[1]])


def unmounted(labels: Path = _LABELS) -> str:
    """Name the device of a boot loader's drive that is not mounted; "" if there is none.

    `labels`: folder with the drives' devices by label. A Raspberry Pi without a desktop mounts nothing by
    itself.
    """
    return next((str(labels / name) for name in _BOARD_IDS if (labels / name).exists()), "")


def choose_uf2(named: Path | None, kept: Path, chip: str) -> Uf2:
    """Choose the UF2 file for a chip.

    `named`: this file is taken, and UnusableError raised if it is damaged or for another chip. With None the
    newest file that fits is taken from the folder `kept`; UnusableError if none fits. `chip`: "RP2040" or
    "RP2350".
    """
    if named is not None:
        found = check_uf2(named)
        if found.chip != chip:
            raise UnusableError(Uf2ForOtherChip(found.chip, chip), str(named))
        return found
    fitting = []
    for path in sorted(kept.glob("*.uf2"), key=lambda path: path.stat().st_mtime, reverse=True):
        try:
            fitting.append(check_uf2(path))
        except UnusableError:
            continue
    for uf2 in fitting:
        if uf2.chip == chip:
            return uf2
    raise UnusableError(NoMicroPython(chip), str(kept))


def copy_uf2(uf2: Uf2, drive: BootDrive) -> None:
    """Copy a UF2 file to a boot drive.

    The drive disappears with the last block, as the board restarts; this counts as success. BoardError if
    writing fails otherwise.
    """
    target = drive.path / uf2.path.name
    try:
        with target.open("wb") as file:
            file.write(uf2.path.read_bytes())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        gone = error.errno in (errno.EIO, errno.ENODEV, errno.ENXIO, errno.EROFS, errno.ENOENT)
        if gone and not (drive.path / _INFO).exists():
            return  # the board has the whole file and starts already
        raise BoardError(Uf2NotCopied(error.strerror or str(error)), str(target)) from None
