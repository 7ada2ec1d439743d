"""Installs the board's program: compare, write, verify, restart, wait.

It waits for the board's answer.
"""

import re
from binascii import crc32
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from firmware.clock import Clock
from firmware.errors import BoardError
from firmware.flashing.manifest import CRASH, HASH, MAIN, RIG, board_files, code_hash
from firmware.flashing.port_survey import await_hello
from firmware.flashing.repl_driver import BoardAbout, BoardFile, Repl
from firmware.host.link import Link
from firmware.reasons import (
    Fact,
    InstalledBut,
    LastCrash,
    OldMicroPython,
    OtherCode,
    OtherKindOfBoard,
    ProgramCrashed,
    Reason,
    Removing,
    Simple,
    TooLittleRoom,
    UnknownPico,
    Verified,
    WouldLeave,
    WouldRemove,
    WouldRemoveFolder,
    WouldWrite,
    Writing,
)

OLDEST_MICROPYTHON = (1, 24, 0)  # the oldest version whose Python subset the board's code uses
PLATFORM = "rp2"  # `sys.platform` of MicroPython on a Pico
PICO = re.compile(r"Raspberry Pi Pico ?(2?) ?(W?) with (RP2040|RP2350)")
"""MicroPython's names of boards whose header and cores this program knows."""
FOLDER = "firmware"
"""Folder of the program on the board."""
FORMER = "companion"
"""Folder that earlier flashes wrote, with a folder `firmware` and an `__init__.py`."""
BLOCK_BYTES = 4096
"""Least flash that a file takes (bytes), because the file system allocates sectors."""
RESTART_S = 20.0
"""Longest time (s) until a reset board answers: USB, window, imports, handshake. A guess."""

Tell = Callable[[Reason | str], None]
"""Function that receives each step of an installation, as a reason or as plain words."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps of an installation, in the order of the fields.

    `remove`: paths of files to remove. `write`: pairs (path, content); the main program
    is the last. `hash_missing`: whether the file with the hash must be written. `code_hash`: CRC-32 of the
    program.
    """

    remove: tuple[str, ...]
    write: tuple[tuple[str, bytes], ...]
    folders: tuple[str, ...]
    """Own folders that are now empty, deepest first."""
    kept: int
    """Number of files that are right already."""
    hash_missing: bool
    code_hash: int

    @property
    def empty(self) -> bool:
        """True if nothing has to be changed."""
        return not (self.remove or self.write or self.folders or self.hash_missing)

    def steps(self) -> list[Fact]:
        """List each step as it would be done, for a dry run.

        Order: files to remove, files to write, folders to remove, and the number of files that stay.
        """
        steps: list[Fact] = [WouldRemove(name) for name in self.remove]
        steps += [WouldWrite(name, len(data)) for name, data in self.write]
        steps += [WouldRemoveFolder(name) for name in self.folders]
        return [*steps, WouldLeave(self.kept)]


def wanted_files(rig: bytes | None) -> dict[str, bytes]:
    """Map each wanted file's board path to its content.

    `rig`: content of an owner's rig file; None leaves it out. The main program is the last entry.
    """
    files = {} if rig is None else {RIG: rig}
    return files | {name: path.read_bytes() for name, path in board_files()}


def check_board(about: BoardAbout, port: str, *, force: bool = False) -> Simple:
    """Check that a board can run this program.

    Returns a remark on its kind: NOT_A_PICO, PICO_W or SUPPORTED. BoardError for another platform than
    MicroPython's rp2, a MicroPython older than OLDEST_MICROPYTHON, or an unknown make. `about`: what the board
    says of itself. `port`: its name, for the error. `force` accepts a board of another make, whatever its
    header is like.
    """
    if about.platform != PLATFORM:
        raise BoardError(OtherKindOfBoard(about.machine or about.platform), port)
    if about.version < OLDEST_MICROPYTHON:
        raise BoardError(OldMicroPython(about.micropython), port)
    found = PICO.fullmatch(about.machine)
    if found is None and not force:
        raise BoardError(UnknownPico(about.machine), port)
    if found is None:
        return Simple.NOT_A_PICO
    return Simple.PICO_W if found[2] else Simple.SUPPORTED


def compare(repl: Repl, rig: bytes | None, port: str, *, force: bool = False) -> Plan:
    """Compare a board's files with the wanted; plan the installation.

    Nothing is written. `rig`: content of an owner's rig file; None leaves the board's. `port`: its name, for
    errors. `force` writes every file again. BoardError for a main.py of somebody else (unless `force`), or too
    little room.
    """
    there = repl.files(FOLDER, MAIN, RIG) | _former(repl)
    ours = any(name.endswith((HASH, f"{FOLDER}/__init__.py")) for name in there)
    if MAIN in there and not ours and not force:
        raise BoardError(Simple.FOREIGN_PROGRAM, port)
    plan = _plan(there, wanted_files(rig), force=force)
    _check_room(repl.about(), there, plan, port)
    return plan


def _stale(there: dict[str, BoardFile], wanted: dict[str, bytes]) -> tuple[list[str], list[str]]:
    """(files, folders) that are `there` and that nothing `wanted` needs; the hash and the rig file stay."""
    stale = [name for name in there if name not in wanted and name not in (HASH, RIG)]
    needed = {folder for name in wanted for folder in _folders(name)}
    files = [name for name in stale if there[name].crc is not None]
    return files, [name for name in stale if there[name].crc is None and name not in needed]


def _plan(there: dict[str, BoardFile], wanted: dict[str, bytes], *, force: bool) -> Plan:
    """Plan what makes the `wanted` files of the ones that are `there`. `force` writes every file again."""
    write = {name: data for name, data in wanted.items() if force or _differs(there.get(name), data)}
    hash_missing = _differs(there.get(HASH), f"{code_hash():08x}".encode())
    gone, folders = _stale(there, wanted)
    if any(name != RIG for name in write) or any(name != CRASH for name in gone):
        # Until everything is in place nothing may run, so a board cut off here shows its prompt.
        write[MAIN] = wanted[MAIN]
        gone = [name for name in (HASH, MAIN) if name in there] + gone
        hash_missing = True
    order = sorted(write, key=lambda name: name == MAIN)
    return Plan(
        remove=tuple(gone),
        write=tuple((name, wanted[name]) for name in order),
        folders=tuple(sorted(folders, key=lambda name: -name.count("/"))),
        kept=len(wanted) - len(write),
        hash_missing=hash_missing,
        code_hash=code_hash(),
    )


def install(repl: Repl, plan: Plan, port: str, tell: Tell) -> None:
    """Carry out a plan; verify every file by its checksum.

    BoardError if a file is not on the board as it was written. After an interruption, begin again with
    `compare`. `port`: its name, for errors. `tell` receives each step.
    """
    for name in plan.remove:
        tell(Removing(name))
        repl.remove(name)
    for number, (name, data) in enumerate(plan.write, 1):
        tell(Writing(name, number, len(plan.write)))
        repl.write(name, data)
    for name in plan.folders:
        repl.remove(name, folder=True)
    there = repl.files(FOLDER, MAIN, RIG)
    for name, path in board_files():
        verify(there, name, path.read_bytes(), port)
    for name, data in plan.write:
        verify(there, name, data, port)
    if plan.hash_missing:
        repl.write(HASH, f"{plan.code_hash:08x}".encode())
    tell(Verified(len(board_files()), plan.code_hash))


def await_restart(
    port: str, clock: Clock, expected: int, patience: float = RESTART_S
) -> tuple[str, tuple[str, ...]]:
    """Wait until the restarted program answers.

    Returns (version, names of its stations). BoardError if it stays silent for `patience` seconds, crashed, or
    has another code hash than `expected`.
    """
    link = Link(port, clock)
    try:
        hello, said = await_hello(link, clock, patience, Simple.CRASHED, ProgramCrashed)
    finally:
        link.close()
    if hello is None:
        crash = _last_crash(port) if said is Simple.AT_PROMPT else None
        raise BoardError(InstalledBut(crash or said or Simple.NO_GREETING), port)
    if hello.code_hash != expected:
        raise BoardError(OtherCode(hello.code_hash, expected), port)
    return hello.firmware, tuple(station.name for station in hello.stations)


def _last_crash(port: str) -> LastCrash | None:
    """Read the last line of a crashed program's traceback from the board; None without one."""
    with suppress(BoardError), Repl(port) as repl:
        lines = repl.read(CRASH).decode(errors="replace").strip().splitlines()
        return LastCrash(lines[-1]) if lines else None
    return None


def _former(repl: Repl) -> dict[str, BoardFile]:
    """Find an earlier flash's files, from the folder FORMER.

    Returns path -> file. Files that somebody else put there are left out. FORMER itself is included only if
    nothing else lies in it.
    """
    there = repl.files(FORMER)
    package, starts = f"{FORMER}/{FOLDER}", f"{FORMER}/__init__.py"
    if package not in there:
        return {}
    ours = {
        name: file for name, file in there.items() if name == starts or f"{name}/".startswith(f"{package}/")
    }
    return ours if len(ours) < len(there) else ours | {FORMER: BoardFile(None, 0)}


def _differs(there: BoardFile | None, data: bytes) -> bool:
    """Whether a file on the board is missing, or differs from `data` in size or CRC-32."""
    return there is None or there.size != len(data) or there.crc != crc32(data)


def verify(there: dict[str, BoardFile], name: str, data: bytes, port: str) -> None:
    """Raise BoardError if a board file differs from `data`.

    `there`: path on the board -> file. `name`: the file's path. `port`: its name, for the error.
    """
    if _differs(there.get(name), data):
        raise BoardError(Simple.NOT_KEPT, f"{port}: {name}")


def _folders(name: str) -> list[str]:
    """List all folders above a path, the outermost first."""
    parts = name.split("/")[:-1]
    return ["/".join(parts[: at + 1]) for at in range(len(parts))]


def _blocks(size: int) -> int:
    """Number of flash blocks (BLOCK_BYTES each) that `size` bytes take."""
    return -(-size // BLOCK_BYTES)


def _check_room(about: BoardAbout, there: dict[str, BoardFile], plan: Plan, port: str) -> None:
    """Raise BoardError if the board has too little flash for a plan.

    Files that are removed or replaced give their blocks back. Nothing is checked if the free room is unknown.
    """
    if about.free_bytes is None:
        return
    before = {name: _blocks(file.size) for name, file in there.items()}
    grows = sum(_blocks(len(data)) - before.get(name, 0) for name, data in plan.write)
    written = {name for name, _ in plan.write}
    grows -= sum(before.get(name, 0) for name in plan.remove if name not in written)
    if grows * BLOCK_BYTES > about.free_bytes:
        raise BoardError(TooLittleRoom(grows * BLOCK_BYTES >> 10, about.free_bytes >> 10), port)
