"""Installs the board's program: compare, write, verify, restart, await its answer."""

import re
from binascii import crc32
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from companion.core.clock import Clock
from companion.core.errors import SourceError, without_place
from companion.core.language import text
from companion.core.printable import printable
from firmware.flashing.manifest import CRASH, HASH, MAIN, RIG, board_files, code_hash
from firmware.flashing.port_survey import BARE_PROMPT, CRASHED, await_hello
from firmware.flashing.repl_driver import BoardAbout, BoardFile, Repl
from firmware.host.link import Link

OLDEST_MICROPYTHON = (1, 24, 0)  # the oldest version whose Python subset the board's code uses
PLATFORM = "rp2"  # `sys.platform` of MicroPython on a Pico
PICO = re.compile(r"Raspberry Pi Pico ?(2?) ?(W?) with (RP2040|RP2350)")
"""MicroPython's names of boards whose header and cores this program knows."""
FOLDER = "firmware"
FORMER = "companion"
"""Folder that earlier flashes wrote, with a folder `firmware` and an `__init__.py`."""
BLOCK_BYTES = 4096
"""Least flash that a file takes (bytes), because the file system allocates sectors."""
RESTART_S = 20.0
"""Longest time (s) until a reset board answers: USB, window, imports, handshake. A guess."""

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps of an installation, in this order.

    The main program is written last.
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

    def lines(self) -> list[str]:
        """Each step in words."""
        steps = [f"remove {name}" for name in self.remove]
        steps += [f"write {name} ({len(data)} bytes)" for name, data in self.write]
        steps += [f"remove the empty folder {name}" for name in self.folders]
        return [*steps, f"leave {self.kept} files that are right already"]


def wanted_files(rig: bytes | None) -> dict[str, bytes]:
    """Files that belong on a board by path: an owner's rig file if any, the program, the main program last."""
    files = {} if rig is None else {RIG: rig}
    return files | {name: path.read_bytes() for name, path in board_files()}


def check_board(about: BoardAbout, port: str, *, force: bool = False) -> str:
    """Remark about a board in words.

    SourceError if it cannot run this program.

    `force` accepts a board of another make, whatever its header is like.
    """
    if about.platform != PLATFORM:
        what = text("a board of another kind ({kind})", kind=about.machine or about.platform)
        raise SourceError(
            what, where=port, next_step=text("plug in a Raspberry Pi Pico, or name its port with --port")
        )
    if about.version < OLDEST_MICROPYTHON:
        what = text(
            "MicroPython {version} is too old, 1.24 is the oldest that will do", version=about.micropython
        )
        step = text("hold BOOTSEL while plugging it in and run: companion flash --uf2 FILE")
        raise SourceError(what, where=port, next_step=step)
    found = PICO.fullmatch(about.machine)
    if found is None and not force:
        what = text("no Pico whose header this program knows ({kind})", kind=about.machine)
        step = text(
            "plug in a Pico, Pico W, Pico 2 or Pico 2 W with MicroPython for its Arm cores, or add --force"
        )
        raise SourceError(what, where=port, next_step=step)
    if found is None:
        return text("not a Pico: compare its pins with the rig file")
    if found[2]:
        return text("a Pico W is supported; its radio is not used")
    return text("this board is supported")


def compare(repl: Repl, rig: bytes | None, port: str, *, force: bool = False) -> Plan:
    """Compare a board's files with the wanted ones, and plan the installation. Writes nothing.

    SourceError for a foreign main.py (unless `force`), or too little room. `force` writes every file again.
    """
    there = repl.files(FOLDER, MAIN, RIG) | _former(repl)
    ours = any(name.endswith((HASH, f"{FOLDER}/__init__.py")) for name in there)
    if MAIN in there and not ours and not force:
        what = text("another program is on this board (main.py)")
        raise SourceError(what, where=port, next_step=text("to replace it, run this again with --force"))
    wanted = wanted_files(rig)
    write = {name: data for name, data in wanted.items() if force or _differs(there.get(name), data)}
    stale = [name for name in there if name not in wanted and name not in (HASH, RIG)]
    right_hash = f"{code_hash():08x}".encode()
    hash_missing = _differs(there.get(HASH), right_hash)
    gone = [name for name in stale if there[name].crc is not None]
    if any(name != RIG for name in write) or any(name != CRASH for name in gone):
        # Until everything is in place nothing may run, so a board cut off here shows its prompt.
        write[MAIN] = wanted[MAIN]
        gone = [name for name in (HASH, MAIN) if name in there] + gone
        hash_missing = True
    order = sorted(write, key=lambda name: name == MAIN)
    needed = {folder for name in wanted for folder in _folders(name)}
    folders = [name for name in stale if there[name].crc is None and name not in needed]
    plan = Plan(
        remove=tuple(gone),
        write=tuple((name, wanted[name]) for name in order),
        folders=tuple(sorted(folders, key=lambda name: -name.count("/"))),
        kept=len(wanted) - len(write),
        hash_missing=hash_missing,
        code_hash=code_hash(),
    )
    _check_room(repl.about(), there, plan, port)
    return plan


def install(repl: Repl, plan: Plan, port: str, say: Say) -> None:
    """Carry out a plan and verify every file by checksum.

    After an interruption it can be repeated from `compare`. `say` receives each step.
    """
    for name in plan.remove:
        say(text("remove {name}", name=name))
        repl.remove(name)
    for number, (name, data) in enumerate(plan.write, 1):
        say(text("write {name} ({number} of {all})", name=name, number=number, all=len(plan.write)))
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
    say(text("verified: {files} files, code {code}", files=len(board_files()), code=f"{plan.code_hash:08x}"))


def await_restart(
    port: str, clock: Clock, expected: int, patience: float = RESTART_S
) -> tuple[str, tuple[str, ...]]:
    """Wait until the restarted program answers.

    Returns its version and stations.

    SourceError if it stays silent for `patience` seconds, crashed, or has another hash than `expected`.
    """
    link = Link(port, clock)
    try:
        hello, said = await_hello(link, clock, patience, CRASHED)
    finally:
        link.close()
    if hello is None:
        what = without_place(said, port) or text("the program does not answer")
        if BARE_PROMPT in said:
            what = _last_crash(port) or what
        raise SourceError(
            text("installed, but {what}", what=what),
            where=port,
            next_step=text("unplug the board and plug it in; then: companion doctor"),
        )
    if hello.code_hash != expected:
        what = text(
            "the board reports code {code} instead of {expected}",
            code=f"{hello.code_hash:08x}",
            expected=f"{expected:08x}",
        )
        raise SourceError(what, where=port, next_step=text("run this again"))
    return hello.firmware, tuple(station.name for station in hello.stations)


def _last_crash(port: str) -> str:
    """Last crash of a program that stays off, in words.

    "" without one.
    """
    with suppress(SourceError), Repl(port) as repl:
        lines = repl.read(CRASH).decode(errors="replace").strip().splitlines()
        return f"the program crashed: {printable(lines[-1])}" if lines else ""
    return ""


def _former(repl: Repl) -> dict[str, BoardFile]:
    """Files of an earlier flash, without files that somebody else put there."""
    there = repl.files(FORMER)
    package, starts = f"{FORMER}/{FOLDER}", f"{FORMER}/__init__.py"
    if package not in there:
        return {}
    ours = {
        name: file for name, file in there.items() if name == starts or f"{name}/".startswith(f"{package}/")
    }
    return ours if len(ours) < len(there) else ours | {FORMER: BoardFile(None, 0)}


def _differs(there: BoardFile | None, data: bytes) -> bool:
    return there is None or there.size != len(data) or there.crc != crc32(data)


def verify(there: dict[str, BoardFile], name: str, data: bytes, port: str) -> None:
    """Raise SourceError if the board's file of this name differs from `data`."""
    if _differs(there.get(name), data):
        what = text("the board did not keep what was written")
        raise SourceError(
            what, where=f"{port}: {name}", next_step=text("run this again; if it stays, the flash is worn out")
        )


def _folders(name: str) -> list[str]:
    parts = name.split("/")[:-1]
    return ["/".join(parts[: at + 1]) for at in range(len(parts))]


def _blocks(size: int) -> int:
    return -(-size // BLOCK_BYTES)


def _check_room(about: BoardAbout, there: dict[str, BoardFile], plan: Plan, port: str) -> None:
    if about.free_bytes is None:
        return
    before = {name: _blocks(file.size) for name, file in there.items()}
    grows = sum(_blocks(len(data)) - before.get(name, 0) for name, data in plan.write)
    written = {name for name, _ in plan.write}
    grows -= sum(before.get(name, 0) for name in plan.remove if name not in written)
    if grows * BLOCK_BYTES > about.free_bytes:
        what = text(
            "the board's flash is full: {needed} KB are needed, {free} are free",
            needed=grows * BLOCK_BYTES >> 10,
            free=about.free_bytes >> 10,
        )
        step = text("remove files of your own from it (mpremote ls, mpremote rm) and run this again")
        raise SourceError(what, where=port, next_step=step)
