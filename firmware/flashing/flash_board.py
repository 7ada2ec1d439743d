"""Flashes a board, from finding it to its restart.

It finds the board, gives it MicroPython, checks its rig, installs, and restarts it.
"""

import importlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import platformdirs

from firmware.clock import Clock
from firmware.errors import BoardError, UnusableError
from firmware.flashing import bootsel, port_survey
from firmware.flashing.board_install import (
    Plan,
    Tell,
    await_restart,
    check_board,
    compare,
    install,
    wanted_files,
)
from firmware.flashing.manifest import code_hash
from firmware.flashing.repl_driver import BoardAbout, Repl, reach_prompt
from firmware.host.ports import list_ports, nameable
from firmware.reasons import (
    At,
    BoardFound,
    Copying,
    NothingToWrite,
    NotMounted,
    RigFaults,
    RigNoJson,
    RigUnreadable,
    Running,
    SeveralBoardsToFlash,
    SeveralDrives,
    Simple,
    Uf2ForOtherChip,
    UpToDate,
    WouldRenew,
    WouldWrite,
)

PORT_WAIT_S = 20.0
"""Longest time (s) until a board with new MicroPython is a serial port. A guess."""


class Flashed(NamedTuple):
    """Result of flashing a board; all fields fit JSON.

    `code`: hash of the program, eight hexadecimal digits. `micropython`: its version on the board. `removed`,
    `written`: paths on the board, in a dry run the planned ones. `firmware`: version that the restarted
    program reports. `stations`: names of its stations. In a dry run `firmware` is None and `stations` is
    empty.
    """

    port: str
    done: str
    """"installed", "unchanged", or "planned" for a dry run."""
    code: str
    micropython: str
    removed: list[str]
    written: list[str]
    firmware: str | None
    stations: list[str]


RIGS_FOLDER = Path(__file__).parent / "rigs"
RECOMMENDED_RIG = "full"


def named_rig(name: str) -> bytes | None:
    """Rig of the build guide with this name, as JSON; None if it has none.

    `name`: RECOMMENDED_RIG, or that of a file in RIGS_FOLDER without its ending.
    """
    if name == RECOMMENDED_RIG:
        # Imported by name, because the board's code is untyped.
        return json.dumps(importlib.import_module("firmware.board.default_rig").DEFAULT_RIG).encode()
    return next((one.read_bytes() for one in RIGS_FOLDER.glob("*.json") if one.stem == name), None)


def read_rig(path: Path) -> bytes:
    """Read and check a rig file, or a rig of the build guide; return it as JSON.

    The JSON is compact. `path`: the file; if there is none, the name of such a rig (`named_rig`). UnusableError
    if it cannot be read, is no JSON, or has faults, all of which are listed.
    """
    try:
        named = None if path.exists() else named_rig(str(path))
        rig = json.loads(path.read_bytes() if named is None else named)
        json.dumps(rig, ensure_ascii=False).encode()  # a lone surrogate is valid JSON, but no letter
    except OSError as error:
        raise UnusableError(RigUnreadable(error.strerror or str(error)), str(path)) from None
    except (ValueError, RecursionError) as error:
        raise UnusableError(RigNoJson(str(error)), str(path)) from None
    # Imported by name, because the board's code is untyped.
    check: Any = importlib.import_module("firmware.flashing.rig_check")
    faults: list[str] = check.check(rig)
    if faults:
        raise UnusableError(RigFaults(tuple(faults)), str(path))
    return json.dumps(rig, separators=(",", ":")).encode()


def find_board(port: str, uf2: Path | None, clock: Clock, tell: Tell, *, dry_run: bool) -> str | None:
    """Find the port of the board to flash, and give the board MicroPython if needed.

    `port`: a port's name, or "auto" for the only board. With "auto", a board in its boot loader gets
    MicroPython. `uf2`: file with the MicroPython to install; None: only a board in its boot loader gets one,
    from the kept files. Returns None if a dry run would begin with MicroPython. BoardError if there is no
    board, or several. UnusableError if no UF2 file fits.
    """
    if port == "auto":
        drives = bootsel.find_drives()
        if drives and (uf2 is not None or not list_ports()):
            return _revive(drives, uf2, clock, tell, dry_run=dry_run)
    path = find_port(port)
    return path if uf2 is None else _renew(path, uf2, clock, tell, dry_run=dry_run)


def find_port(port: str) -> str:
    """Find the port of the board to flash, by name or as the only one.

    `port`: a name, returned if it exists, or "auto" for the only board. BoardError if there is no board, or
    several.
    """
    if port != "auto":
        if not nameable(port) or not Path(port).exists():
            raise BoardError(Simple.NO_PORT_TO_FLASH, port)
        return port
    ports = [found.best for found in list_ports()]
    if len(ports) == 1:
        return ports[0]
    if ports:
        raise BoardError(SeveralBoardsToFlash(tuple(ports)), "auto")
    if (waits := _unmounted()) is not None:
        raise waits
    raise BoardError(Simple.NO_BOARD_TO_FLASH, "auto")


def flash_board(
    path: str, rig: bytes | None, clock: Clock, tell: Tell, *, dry_run: bool, force: bool
) -> Flashed:
    """Bring the board on a port up to date.

    It does not matter what runs on it. `path`: name of the port. `rig`: content of a checked rig file; None
    leaves the board's. `tell` receives each step. `dry_run`: only tell the planned steps. `force`: write every
    file again, also on a board of another make or with a program of somebody else. BoardError says why it
    stopped; the board's own program then runs on.
    """
    found = port_survey.look(path, clock, end=True)
    if found.state == port_survey.CLOSED:
        raise BoardError(found.detail, path)
    tell(At(path, found.detail))
    reach_prompt(path, clock, tell)
    with Repl(path) as repl:
        try:
            about = repl.about()
            remark = check_board(about, path, force=force)
            tell(BoardFound(about.micropython, about.machine, remark))
            plan = compare(repl, rig, path, force=force)
        except BoardError:
            with suppress(BoardError):
                repl.restart()  # the board's program runs on
            raise
        if dry_run:
            for step in plan.steps():
                tell(step)
        elif plan.empty:
            tell(NothingToWrite(plan.code_hash))
        else:
            install(repl, plan, path, tell)
        repl.restart()
    if dry_run:
        return _result(path, "planned", about, plan)
    tell(Simple.RESTARTING)
    firmware, stations = await_restart(path, clock, plan.code_hash)
    tell(Running(firmware, stations))
    done = "unchanged" if plan.empty else "installed"
    return _result(path, done, about, plan, firmware, stations)


def plan_new_board(rig: bytes | None, tell: Tell) -> Flashed:
    """Tell each file that a board without any would get. `rig`: content of a checked rig file, or None."""
    files = wanted_files(rig)
    for name, data in files.items():
        tell(WouldWrite(name, len(data)))
    return Flashed("", "planned", f"{code_hash():08x}", "", [], list(files), None, [])


def _result(
    path: str,
    done: str,
    about: BoardAbout,
    plan: Plan,
    firmware: str | None = None,
    stations: tuple[str, ...] = (),
) -> Flashed:
    """Build the result of flashing; files that are written again do not count as removed."""
    written = [name for name, _ in plan.write]
    removed = [name for name in plan.remove if name not in written]
    code = f"{plan.code_hash:08x}"
    return Flashed(path, done, code, about.micropython, removed, written, firmware, list(stations))


def _renew(path: str, uf2: Path, clock: Clock, tell: Tell, *, dry_run: bool) -> str | None:
    """Give a board with MicroPython the version in a UF2 file, through its boot loader.

    Returns the board's port; None for a dry run. A board that has this version already stays as it is.
    UnusableError for another chip's file, BoardError if no drive comes within PORT_WAIT_S.
    """
    chosen = bootsel.check_uf2(uf2)
    if dry_run:
        tell(WouldRenew(path, str(uf2)))
        return None
    port_survey.look(path, clock, end=True)
    reach_prompt(path, clock, tell)
    with Repl(path) as repl:
        about = repl.about()
        if chosen.version == about.micropython:
            tell(UpToDate(chosen.version, str(uf2)))
            return path
        if chosen.chip not in about.machine:
            repl.restart()
            raise UnusableError(Uf2ForOtherChip(chosen.chip, about.machine), str(uf2))
        repl.enter_boot_loader()
    until = clock.now() + PORT_WAIT_S
    while clock.now() < until:
        drives = bootsel.find_drives()
        if drives:
            return _revive(drives, uf2, clock, tell, dry_run=False)
        clock.sleep(0.2)
    raise _unmounted() or BoardError(Simple.NO_DRIVE, path)


def _unmounted() -> BoardError | None:
    """Make the error that names an unmounted boot drive; None without such a drive."""
    device = bootsel.unmounted()
    return BoardError(NotMounted(device), device) if device else None


def _revive(
    drives: list[bootsel.BootDrive], uf2: Path | None, clock: Clock, tell: Tell, *, dry_run: bool
) -> str | None:
    """Copy MicroPython to a board in its boot loader, and wait for its port.

    `drives`: mounted boot drives. `uf2`: file to copy; None chooses one from the kept files. Returns the new
    port; None for a dry run. BoardError for several drives, or if no port comes within PORT_WAIT_S.
    """
    if len(drives) > 1:
        raise BoardError(SeveralDrives(tuple(str(drive.path) for drive in drives)))
    drive = drives[0]
    kept = Path(platformdirs.user_data_dir("companion"))
    chosen = bootsel.choose_uf2(uf2, kept, drive.chip)
    tell(Copying(str(chosen.path), chosen.version, chosen.chip, str(drive.path), dry_run))
    if dry_run:
        return None
    before = {found.device for found in list_ports()}
    bootsel.copy_uf2(chosen, drive)
    until = clock.now() + PORT_WAIT_S
    while clock.now() < until:
        fresh = [found.best for found in list_ports() if found.device not in before]
        if fresh:
            return fresh[0]
        clock.sleep(0.2)
    raise BoardError(Simple.NO_PORT_CAME, str(drive.path))
