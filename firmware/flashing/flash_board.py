"""Flashes a board: find it, give it MicroPython, check its rig, install, restart."""

import importlib
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

import platformdirs

from companion.core.clock import Clock
from companion.core.errors import BadInputError, SourceError
from companion.core.files import name_fault
from companion.core.language import text, tr
from firmware.flashing import bootsel, port_survey
from firmware.flashing.board_install import Plan, await_restart, check_board, compare, install
from firmware.flashing.repl_driver import BoardAbout, Repl, reach_prompt
from firmware.host.ports import list_ports

PORT_WAIT_S = 20.0
"""Longest time (s) until a board with new MicroPython is a serial port. A guess."""


Say = Callable[[str], None]


class Flashed(NamedTuple):
    """Result of flashing a board.

    Every field can be written as JSON.
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


def read_rig(path: Path) -> bytes:
    """Read and check a rig file, as compact JSON.

    BadInputError lists every fault.
    """
    try:
        data = path.read_bytes()
        rig = json.loads(data)
        json.dumps(rig, ensure_ascii=False).encode()  # a lone surrogate is valid JSON, but no letter
    except OSError as error:
        raise BadInputError(
            error.strerror or str(error), where=str(path), next_step=text("name a rig file, see docs/board.md")
        ) from None
    except (ValueError, RecursionError) as error:
        raise BadInputError(
            text("not JSON ({why})", why=str(error)),
            where=str(path),
            next_step=text("mend it, see docs/board.md"),
        ) from None
    # Imported by name, because the board's code is untyped.
    check: Any = importlib.import_module("firmware.flashing.rig_check")
    faults: list[str] = check.check(rig)
    if faults:
        raise BadInputError("; ".join(faults), where=str(path), next_step=text("mend it, see docs/board.md"))
    return json.dumps(rig, separators=(",", ":")).encode()


def find_board(port: str, uf2: Path | None, clock: Clock, say: Say, *, dry_run: bool) -> str | None:
    """Port of the board to flash.

    A board in its boot loader gets MicroPython first.

    `port` is a name or "auto". None if a dry run would begin with MicroPython. SourceError if there is no
    board, or several.
    """
    if port == "auto":
        drives = bootsel.find_drives()
        if drives and (uf2 is not None or not list_ports()):
            return _revive(drives, uf2, clock, say, dry_run=dry_run)
    path = find_port(port)
    return path if uf2 is None else _renew(path, uf2, clock, say, dry_run=dry_run)


def find_port(port: str) -> str:
    """Port that is named, or ("auto") that of the only board.

    SourceError if there is no board, or several.
    """
    if port != "auto":
        if name_fault(port) or not Path(port).exists():
            raise SourceError(
                text("no such port"), where=port, next_step=text("plug the board in, or leave --port out")
            )
        return port
    ports = [found.best for found in list_ports()]
    if len(ports) == 1:
        return ports[0]
    if ports:
        names = ", ".join(ports)
        raise SourceError(
            text("several boards found: {names}", names=names),
            where="auto",
            next_step=text("name one of them with --port"),
        )
    if (waits := _unmounted()) is not None:
        raise waits
    raise SourceError(
        text("no board found"),
        where="auto",
        next_step=text("plug it in; if MicroPython is not on it yet: {how}", how=bootsel.HOW),
    )


def flash_board(path: str, rig: bytes | None, clock: Clock, say: Say, *, dry_run: bool, force: bool) -> Flashed:
    """Bring the board on a port up to date, whatever runs on it.

    `rig` is a checked rig file, None to leave the board's. `say` receives each step as a sentence. SourceError
    explains why it stopped.
    """
    found = port_survey.look(path, clock, end=True)
    if found.state == port_survey.CLOSED:
        raise SourceError(
            found.detail, where=path, next_step=found.next_step or text("plug the board in again")
        )
    say(text("{where}: {what}", where=path, what=found.detail))
    reach_prompt(path, clock, say)
    with Repl(path) as repl:
        try:
            about = repl.about()
            known = check_board(about, path, force=force)
            say(f"MicroPython {about.micropython}, {about.machine}: {known}")
            plan = compare(repl, rig, path, force=force)
        except SourceError:
            with suppress(SourceError):
                repl.restart()  # the board's program runs on
            raise
        if dry_run:
            for line in plan.lines():
                say(f"would {line}")
        elif plan.empty:
            say(text("nothing to write: code {code} is complete", code=f"{plan.code_hash:08x}"))
        else:
            install(repl, plan, path, say)
        repl.restart()
    if dry_run:
        return _result(path, "planned", about, plan)
    say(text("restarting"))
    firmware, stations = await_restart(path, clock, plan.code_hash)
    say(port_survey.running(firmware, stations))
    done = "unchanged" if plan.empty else "installed"
    return _result(path, done, about, plan, firmware, stations)


def _result(
    path: str,
    done: str,
    about: BoardAbout,
    plan: Plan,
    firmware: str | None = None,
    stations: tuple[str, ...] = (),
) -> Flashed:
    written = [name for name, _ in plan.write]
    removed = [name for name in plan.remove if name not in written]
    code = f"{plan.code_hash:08x}"
    return Flashed(path, done, code, about.micropython, removed, written, firmware, list(stations))


def _renew(path: str, uf2: Path, clock: Clock, say: Say, *, dry_run: bool) -> str | None:
    """Give a board with MicroPython the version of a UF2 file, through its boot loader.

    Returns the board's port, None for a dry run. BadInputError for another chip's file, SourceError if no drive
    comes.
    """
    chosen = bootsel.check_uf2(uf2)
    if dry_run:
        say(text("would restart {port} into its boot loader and copy {path} to it", port=path, path=str(uf2)))
        return None
    port_survey.look(path, clock, end=True)
    reach_prompt(path, clock, say)
    with Repl(path) as repl:
        about = repl.about()
        if chosen.version == about.micropython:
            said = text(
                "MicroPython {version} is on it already: {path} is not needed",
                version=chosen.version,
                path=str(uf2),
            )
            say(said)
            return path
        if chosen.chip not in about.machine:
            repl.restart()
            raise BadInputError(
                text("made for {chip}, the board has {other}", chip=chosen.chip, other=about.machine),
                where=str(uf2),
                next_step=text("take the file for this board"),
            )
        repl.enter_boot_loader()
    until = clock.now() + PORT_WAIT_S
    while clock.now() < until:
        drives = bootsel.find_drives()
        if drives:
            return _revive(drives, uf2, clock, say, dry_run=False)
        clock.sleep(0.2)
    raise _unmounted() or SourceError(
        text("the board went into its boot loader, but no drive came"),
        where=path,
        next_step=text("unplug it, and {how}", how=bootsel.HOW),
    )


def _unmounted() -> SourceError | None:
    """Error that names an unmounted boot drive; None without one."""
    device = bootsel.unmounted()
    if not device:
        return None
    what = text("a board waits for MicroPython, but its drive is not mounted")
    step = text("run: udisksctl mount -b {device}, then this again", device=device)
    return SourceError(what, where=device, next_step=step)


def _revive(
    drives: list[bootsel.BootDrive], uf2: Path | None, clock: Clock, say: Say, *, dry_run: bool
) -> str | None:
    if len(drives) > 1:
        names = ", ".join(str(drive.path) for drive in drives)
        raise SourceError(
            text("several boards wait for MicroPython: {names}", names=names),
            next_step=text("unplug all but one"),
        )
    drive = drives[0]
    kept = Path(platformdirs.user_data_dir("companion"))
    chosen = bootsel.choose_uf2(uf2, kept, drive.chip)
    named = f"MicroPython {chosen.version}".strip()
    if dry_run:
        say(
            tr(
                "would copy {path} ({name}, {chip}) to {drive}, then write the board's program",
                path=str(chosen.path),
                name=named,
                chip=chosen.chip,
                drive=str(drive.path),
            )
        )
        return None
    before = {found.device for found in list_ports()}
    say(
        tr(
            "copy {path} ({name}, {chip}) to {drive}",
            path=str(chosen.path),
            name=named,
            chip=chosen.chip,
            drive=str(drive.path),
        )
    )
    bootsel.copy_uf2(chosen, drive)
    until = clock.now() + PORT_WAIT_S
    while clock.now() < until:
        fresh = [found.best for found in list_ports() if found.device not in before]
        if fresh:
            return fresh[0]
        clock.sleep(0.2)
    raise SourceError(
        text("MicroPython was copied, but no serial port came"),
        where=str(drive.path),
        next_step=text("unplug the board, plug it in without the button and run this again"),
    )
