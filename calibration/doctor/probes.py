"""Probes of `companion doctor`: functions that ask machine and devices.

Tests replace them.
"""

import ctypes.util
import grp
import importlib
import os
import pwd
import re
import shutil
import stat
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from calibration.rig_store import RigStore
from companion import DISTRIBUTION
from companion.core.clock import Clock, RealClock
from companion.core.errors import SourceError
from companion.core.language import text
from companion.sensing.board_check import BoardReport, examine_board
from companion.session.journal.journal_order import newest_journal

if TYPE_CHECKING:
    from vision.camera.frames import Camera, CameraInfo, Image
    from vision.codes.sticker_set import Gray
    from vision.scene.picture_faults import PictureFault

CAMERA_LIMIT_S, BOARD_LIMIT_S = 12.0, 40.0
"""Longest waits (s) for a camera's driver, and for a board. Guesses.

A device that hangs longer is given up.
"""
WATCH_S = 3.0
"""Time (s) for which a camera is watched. A guess.

Its rate is measured meanwhile, and focus and exposure can settle.
"""
STILL_WATCH_S = 6.0
"""Longest time (s) for which a camera is watched while no pixel changes. A guess."""
FLICKER_FRAMES = 16
"""Fewest frames in which a lamp's bands are recognised: they give 15 differences. A guess."""
_IMPORTED = ("cv2", "numpy", "zxingcpp", "serial", "textual", "msgspec")
"""Modules that must load, not only be installed: compiled, or needed everywhere."""
MOUNT_POINT = 4
"""Index of the mount point among the fields of a line in /proc/self/mountinfo (proc(5))."""
_OCTAL = re.compile(r"\\([0-7]{3})")
r"""Pattern of an escaped character in a path of /proc/self/mountinfo, e.g. a space as \040."""
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9._-]+)\s*([^;]*)(;.*)?")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Package:
    """Library that the program needs.

    `accepted`: versions that will do. `version`: the installed one, "" for none.
    """

    name: str
    accepted: str
    version: str


@dataclass(frozen=True, slots=True)
class Libraries:
    """Libraries that this program needs, as they are installed."""

    packages: tuple[Package, ...]
    broken: tuple[tuple[str, str], ...] = ()
    """Modules that do not load, each with the reason."""
    opencvs: tuple[str, ...] = ("opencv-python-headless",)
    """Installed packages that provide `cv2`; several of them break each other."""


@dataclass(frozen=True, slots=True)
class Access:
    """Right of this program to open a device file.

    `allowed`: whether it may.
    """

    device: str
    allowed: bool
    group: str
    """Group that may open the file; "" if no group may."""
    member: bool
    """True if the user is in that group, now or after the next login."""


@dataclass(frozen=True, slots=True)
class CameraLook:
    """Last picture of a camera that was watched for some seconds, with measurements.

    `picture`: grey. `image`: as it came. `detail`: the camera's state in words. `faults`: faults of the
    picture.
    """

    detail: str
    picture: "Gray"
    image: "Image"
    info: "CameraInfo"
    flicker: float | None
    """Strength of a lamp's bands, as a share (0 to 1) of brightness; None if too few pictures came."""
    rate_hz: float | None = None
    """Measured pictures per second; None for a recording."""
    faults: "tuple[PictureFault, ...]" = ()


def limited(attempt: Callable[[str], T], spec: str, seconds: float) -> T:
    """Run `attempt(spec)` in a thread; return its result.

    SourceError if it takes longer than `seconds`; the thread then goes on.
    """
    results: list[T] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            results.append(attempt(spec))
        except BaseException as error:  # raised again in the caller's thread
            errors.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    if not results:
        raise SourceError(
            text("no word from it in {seconds} seconds", seconds=f"{seconds:g}"),
            where=spec,
            next_step=text("unplug it, try again"),
        )
    return results[0]


def installed_libraries() -> Libraries:
    """List the libraries that this program requires, missing and broken ones too."""
    packages = []
    for line in metadata.requires(DISTRIBUTION) or ():
        found = _REQUIREMENT.fullmatch(line)
        if found and "extra" not in (found[3] or ""):
            packages.append(Package(found[1], found[2].strip(), _version(found[1])))
    broken = []
    for name in _IMPORTED:
        try:
            importlib.import_module(name)
        except Exception as error:  # a compiled module may raise anything
            broken.append((name, f"{type(error).__name__}: {error}"))
    names = ("", "-headless", "-contrib", "-contrib-headless")
    opencvs = tuple(f"opencv{name}" for name in (f"-python{one}" for one in names) if _version(f"opencv{name}"))
    return Libraries(tuple(packages), tuple(broken), opencvs)


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def device_access(device: str) -> Access | None:
    """Right of this program to open a device file.

    None if no such file exists.
    """
    try:
        there = Path(device).stat()
    except OSError:
        return None
    if not stat.S_ISCHR(there.st_mode):
        return None
    try:
        group = grp.getgrgid(there.st_gid)
        name, listed = group.gr_name, user_name() in group.gr_mem
    except KeyError:
        name, listed = str(there.st_gid), False
    usable = there.st_gid != 0 and (there.st_mode & 0o060) == 0o060
    member = usable and (listed or there.st_gid in os.getgroups())
    return Access(device, os.access(device, os.R_OK | os.W_OK), name if usable else "", member)


def file_system_in(mounts: str, folder: Path) -> str:
    """Type of a folder's file system, e.g. ext4; "" if unknown.

    `mounts`: the text of /proc/self/mountinfo. `folder`: an absolute path.
    """
    held, kind = -1, ""
    for line in mounts.splitlines():
        about, _, source = line.partition(" - ")
        fields, kinds = about.split(" "), source.split(" ")
        if len(fields) > MOUNT_POINT and kinds[0]:
            at = Path(_OCTAL.sub(lambda found: chr(int(found[1], 8)), fields[MOUNT_POINT]))
            # The last of several at one place hides the others.
            if folder.is_relative_to(at) and len(at.parts) >= held:
                held, kind = len(at.parts), kinds[0]
    return kind


def connected_boards() -> list[str]:
    """Ports at which boards are connected, by names that outlive replugging if possible."""
    from firmware.host.ports import list_ports

    return [port.best for port in list_ports()]


def user_name() -> str:
    """Login name of the user, or the user's number without one."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


def watch_camera(spec: str, clock: Clock | None = None) -> CameraLook:
    """Open a camera (`spec`), and watch it for 3 s.

    While no pixel changes, it is watched for up to 6 s. SourceError if no picture comes.
    """
    from companion.sensing.vision_words import in_words
    from vision.camera.open_camera import open_camera

    clock = clock or RealClock()
    with in_words(), open_camera(spec, clock) as camera:
        return watched(camera, spec, clock)


def _with_late(
    faults: "tuple[PictureFault, ...]", unchanged_s: float, rate_hz: float | None
) -> "tuple[PictureFault, ...]":
    """Add the faults of a picture that show only over the whole time of watching.

    `faults`: of the last picture. `unchanged_s`: how long (s) the picture has not changed. `rate_hz`: pictures
    a second; None: unknown.
    """
    from vision.scene.picture_faults import FROZEN_S, SLOW_HZ, PictureFault

    if unchanged_s >= FROZEN_S and PictureFault.FROZEN not in faults:
        faults = (PictureFault.FROZEN, *faults)
    if rate_hz is not None and rate_hz < SLOW_HZ and PictureFault.SLOW not in faults:
        faults = (*faults, PictureFault.SLOW)  # the first pictures of a slow stream come at once
    return faults


def watched(camera: "Camera", spec: str, clock: Clock) -> CameraLook:
    """Watch an open camera, as `watch_camera` does.

    Errors name the camera `spec`.
    """
    import cv2

    from companion.sensing.vision_words import words_of
    from vision.camera.frames import Live
    from vision.scene.lamp_flicker import LampFlicker
    from vision.scene.picture_faults import FROZEN_S, PictureFault, PictureFaults
    from vision.scene.small_picture import SMALL_WIDTH

    lamp, count, detail, unchanged = LampFlicker(), 0, "", 0.0
    live = camera if isinstance(camera, Live) else None
    judge = PictureFaults(live=live is not None)
    faults: tuple[PictureFault, ...] = ()
    first = clock.now()
    until, before, frame = first + 5, None, None
    while clock.now() < until and not camera.finished:
        newest = camera.read()
        if newest is None:
            clock.sleep(0.02)
            continue
        if frame is None:
            first, until = clock.now(), clock.now() + WATCH_S
        frame, gray, detail = newest, newest.gray, words_of(camera.state.detail)
        faults = judge.look(frame, live.rate_hz if live is not None else None)
        unchanged = judge.unchanged_s(frame.t)
        if WATCH_S / 2 < unchanged < FROZEN_S:
            until = first + STILL_WATCH_S
        size = (SMALL_WIDTH, round(gray.shape[0] * SMALL_WIDTH / gray.shape[1]))
        small = np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_AREA), np.uint8)
        if before is not None and before.shape == small.shape:
            lamp.level(small, before)
        before, count = small, count + 1
    if frame is None:
        raise SourceError(
            words_of(camera.state.detail) or text("no picture in five seconds"),
            where=spec,
            next_step=text("check the cable"),
        )
    rate = live.rate_hz if live is not None else None
    faults = _with_late(faults, unchanged, rate)
    strength = lamp.strength if count >= FLICKER_FRAMES else None
    return CameraLook(detail, frame.gray, frame.image, camera.info, strength, rate, faults)


def examine_in_time(spec: str, expected: str) -> BoardReport:
    """Examine the board at a port (`spec`, or "auto") for its report.

    `expected`: serial number of the board that was set up. SourceError if it takes longer than 40 s.
    """
    return limited(lambda port: examine_board(port, RealClock(), expected), spec, BOARD_LIMIT_S)


@dataclass(frozen=True, slots=True)
class Probes:
    """Functions by which checks ask the machine and its devices.

    Tests replace single ones.
    """

    python: Callable[[], tuple[int, int, int]] = lambda: sys.version_info[:3]
    libraries: Callable[[], Libraries] = installed_libraries
    library: Callable[[str], bool] = lambda name: bool(ctypes.util.find_library(name))
    """Function (name) -> whether a system library with this name (e.g. zbar) is installed."""
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    free_mb: Callable[[Path], float] = lambda folder: shutil.disk_usage(folder).free / (1 << 20)
    writable: Callable[[Path], bool] = lambda folder: os.access(folder, os.W_OK | os.X_OK)
    read_only: Callable[[Path], bool] = lambda folder: bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    """Function (folder) -> whether it is on a file system that is mounted read-only."""
    file_system: Callable[[Path], str] = lambda folder: file_system_in(
        Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace"), folder.resolve()
    )
    """Function (folder) -> type of the file system that holds it, e.g. ext4; "" if unknown."""
    access: Callable[[str], Access | None] = device_access
    """Function (device file) -> right to open it; None if no such file exists."""
    boards: Callable[[], Sequence[str]] = connected_boards
    """Function () -> names of the ports at which boards are connected."""
    camera: Callable[[str], CameraLook] = lambda spec: limited(watch_camera, spec, CAMERA_LIMIT_S)
    board: Callable[[str, str], BoardReport] = examine_in_time
    """Function (port, serial number known from setup) -> report of the board there."""
    rigs: Callable[[], RigStore] = RigStore
    journal: Callable[[], Path | None] = newest_journal
    user: Callable[[], str] = user_name
    terminal: Callable[[], tuple[int, int]] = lambda: (
        shutil.get_terminal_size().columns,
        shutil.get_terminal_size().lines,
    )
