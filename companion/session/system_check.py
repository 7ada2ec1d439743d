"""Checks this machine: libraries, settings, folders, camera, board, last game; with the fix for each fault."""

import ctypes.util
import math
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from companion.core.clock import RealClock
from companion.core.config import Config, config_file, load_config, newest_journal, runtime_dir, state_dir
from companion.core.errors import BadInputError, CompanionError, SourceError
from companion.games.registry import check_table, first_variant, load_configured, mats_by_marker

if TYPE_CHECKING:
    from companion.sensing.board_check import BoardReport
    from vision.codes.sticker_set import Gray

CAMERA_LIMIT_S, BOARD_LIMIT_S = 12.0, 40.0
"""Longest time (s) for a driver or an address: one that hangs is given up after it."""


WATCH_S = 3.0
"""WATCH_S: time (s) to watch a camera: its rate is measured, and focus and exposure get locked."""


LOOKS = 24
"""LOOKS: number of frames with the last picture that vision gets, as from a table at rest."""


MODULE_PX = 1.0
"""MODULE_PX: pixels a module at which stickers are read in ordinary light."""


T = TypeVar("T")


class Finding(NamedTuple):
    """One checked thing: its name, its state (ok, missing or broken), what was found, and the fix if any."""

    name: str
    state: str
    detail: str
    fix: str = ""


class _Look(NamedTuple):
    """A camera's own report, and its last picture."""

    detail: str
    picture: "Gray"


def examine(
    config: Path | None,
    camera: str | None,
    port: str | None,
    met: Callable[["BoardReport"], None] = lambda _report: None,
) -> Iterator[Finding]:
    """Check everything that the program needs, one finding after another. `met` gets the board's report."""
    yield Finding("python", "ok", sys.version.split()[0])
    yield Finding("opencv", "ok", metadata.version("opencv-python-headless"))
    yield Finding("zxing-cpp", "ok", metadata.version("zxing-cpp"))
    if ctypes.util.find_library("zbar"):
        yield Finding("libzbar0", "ok", "a second opinion on stickers")
    else:
        yield Finding("libzbar0", "missing", "no second opinion on stickers", "sudo apt install libzbar0")
    settings = Config()
    try:
        read = load_config(config)
        check_table(load_configured(read.game, read.parts), read.variant, read.players)
        settings = read
        yield Finding(
            "settings", "ok", str(config or config_file()) if (config or config_file()).exists() else "defaults"
        )
    except CompanionError as error:
        yield Finding("settings", "broken", error.what, error.next_step)
    yield _writable("journals", state_dir())
    try:
        yield _writable("sockets", runtime_dir())
    except BadInputError as error:
        yield Finding("sockets", "broken", f"{error.where}: {error.what}", error.next_step)
    yield from _camera(camera or settings.camera, settings)
    yield from _board(port or settings.port, met)
    yield from _last_game()
    colours = os.environ.get("COLORTERM") or os.environ.get("TERM", "unknown")
    size = shutil.get_terminal_size()
    small = size.columns < 80 or size.lines < 24
    fix = "make the window at least 80 x 24" if small and sys.stdout.isatty() else ""
    yield Finding("terminal", "ok", f"{size.columns} x {size.lines}, {colours}", fix)


def _writable(name: str, folder: Path) -> Finding:
    """Whether the folder can be used or made. The check creates nothing."""
    there = folder
    while not there.exists() and there != there.parent:
        there = there.parent
    if not there.is_dir():
        return Finding(name, "broken", f"{there} is not a folder", "free the path or set XDG_STATE_HOME")
    if not os.access(there, os.W_OK | os.X_OK):
        return Finding(
            name, "broken", f"{there} is not writable", f"chown it to {os.environ.get('USER', 'you')}"
        )
    free = shutil.disk_usage(there).free
    if free < 50 << 20:
        return Finding(name, "broken", f"{folder}: only {free >> 20} MB free", "free some space")
    made = "" if there == folder else ", made when needed"
    return Finding(name, "ok", f"{folder}, {free >> 30} GB free{made}")


def _last_game() -> Iterator[Finding]:
    """Faults of sensors in the last recorded game."""
    from companion.session.journal import Noticed, read_journal

    path = newest_journal()
    if path is None:
        return
    try:
        lines = read_journal(path).lines
    except CompanionError as error:
        yield Finding("last game", "missing", error.what, error.next_step)
        return
    worst = {line.source: line for line in lines if isinstance(line, Noticed)}
    failing = [line for line in worst.values() if not line.ok]
    if not failing:
        yield Finding("last game", "ok", f"{path.name}: nothing was noticed of any sensor")
    for line in failing:
        yield Finding(line.source, "missing", f"{line.detail} (noticed in {path.name})", f"why: {path}")


def _camera(spec: str, settings: Config) -> Iterator[Finding]:
    """The camera with its negotiated settings, and the mat in its picture."""
    if not spec:
        yield Finding("camera", "missing", "none is named: the virtual table is used", "name one: --camera 0")
        return
    try:
        look = _limited(_try_camera, spec, CAMERA_LIMIT_S)
    except CompanionError as error:
        yield _broken("camera", error)
        return
    yield Finding("camera", "ok", f"{spec}: {look.detail}")
    try:
        yield from _table(look.picture, settings)
    except CompanionError as error:
        yield _broken("mat", error)


def _table(gray: "Gray", settings: Config) -> Iterator[Finding]:
    """The place of the game's mat, the least size of readable stickers, and the cards that are read."""
    from companion.sensing.camera_source import measured
    from vision.camera.frames import Frame
    from vision.codes.sticker_set import STICKER_MODULES, Tags
    from vision.scene.camera_reports import CameraState
    from vision.scene.card_tracks import Presence
    from vision.scene.zone_tracker import Vision

    game = load_configured(settings.game, settings.parts)
    variant = first_variant(game, settings.variant)
    mat = game.mat(variant)
    vision = Vision(mat, Tags.of(game.cards(variant)), lens=measured(settings.lens), mat_names=mats_by_marker)
    seen = [one for n in range(LOOKS) for one in vision.feed(Frame(n / 15, gray))]
    found = vision.registration
    if found is None:
        why = next(one.detail for one in reversed(seen) if isinstance(one, CameraState))
        fix = "lay it under the camera, its corners in the picture; companion sheets prints it"
        yield Finding("mat", "missing", why, fix)
        return
    least = math.ceil(STICKER_MODULES * MODULE_PX / found.px_per_mm(mat.w / 2, mat.h / 2))
    detail = f"found by {found.markers} markers, {found.words}, stickers from {least} mm on are read"
    yield Finding("mat", "ok", detail)
    cards = [f"{t.card.code} ({t.zone})" for t in vision.tracks if t.presence is Presence.IN_SIGHT]
    yield Finding("cards", "ok", f"{len(cards)} in sight{': ' if cards else ''}{', '.join(cards)}")


def _board(spec: str, met: Callable[["BoardReport"], None]) -> Iterator[Finding]:
    """The board, its program, its line, and each station by name."""
    if not spec:
        fix = "plug it in and name it: --port auto"
        yield Finding("board", "missing", "none is named: the virtual table is used", fix)
        return
    try:
        report = _limited(_try_board, spec, BOARD_LIMIT_S)
    except CompanionError as error:
        yield _broken("board", error)
        return
    met(report)
    yield Finding("board", "ok", f"{report.port}: board {report.board_id}, protocol {report.protocol}")
    program = f"{report.firmware}, code {report.code}"
    if report.same_code:
        yield Finding("firmware", "ok", f"{program}, the same as this program's")
    else:
        yield Finding("firmware", "missing", f"{program}, not this program's", "flash it: companion flash")
    trips = f"{max(report.rtt_ms):g} ms round trip" if report.rtt_ms else "no round trip: a recording"
    yield Finding("link", "ok", f"{trips}, {report.bad_frames} damaged frames, {report.resends} sent again")
    for station in report.stations:
        parts = ", ".join(station.parts)
        said = f": {station.selftest}" if station.selftest else ""
        if station.missing:
            gone = f"no answer from {', '.join(station.missing)} (of {parts}){said}"
            yield Finding(station.name, "broken", gone, "check its wires and the pins in the rig file")
        else:
            fix = "" if station.ok else "check the part that its test names; nothing should lie or press there"
            yield Finding(station.name, "ok" if station.ok else "broken", f"{parts}{said}", fix)
    for text in report.said:
        yield Finding("board's log", "missing", text)


def _broken(name: str, error: CompanionError) -> Finding:
    where = f"{error.where}: " if error.where else ""
    return Finding(name, "broken", f"{where}{error.what}", error.next_step)


def _limited(attempt: Callable[[str], T], spec: str, seconds: float) -> T:
    """The result of `attempt`. If it hangs, it is left in its thread; SourceError."""
    results: list[T] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            results.append(attempt(spec))
        except BaseException as error:  # it is raised again in the caller's thread
            errors.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    if not results:
        raise SourceError(
            f"no word from it in {seconds:g} seconds", where=spec, next_step="unplug it, try again"
        )
    return results[0]


def _try_camera(spec: str) -> _Look:
    from vision.camera.open_camera import open_camera

    clock = RealClock()
    with open_camera(spec, clock) as camera:
        until = clock.now() + 5
        look = None
        while clock.now() < until and not camera.finished:
            frame = camera.read()
            if frame is None:
                clock.sleep(0.02)
                continue
            if look is None:
                until = clock.now() + WATCH_S
            look = _Look(camera.state.detail, frame.gray)
        if look is None:
            raise SourceError(
                camera.state.detail or "no picture in five seconds", where=spec, next_step="check the cable"
            )
        return look


def _try_board(spec: str) -> "BoardReport":
    from companion.sensing.board_check import examine_board

    return examine_board(spec, RealClock())
