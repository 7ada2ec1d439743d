"""Judges the machine: Python, libraries, clock, disk, folders, permissions."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from calibration.doctor.probes import Access, Libraries
from calibration.wizard.step_result import Check, Verdict, rate
from companion.core.language import listed, text
from companion.core.system_words import READ_ONLY_FIX

OLDEST_PYTHON = (3, 11)
FREE_GOOD_MB, FREE_USABLE_MB = 500.0, 50.0
"""Least free space (MB) at which the disk is good, or usable. Guesses.

The journal of a game takes 2 MB.
"""
FIRST_DATE = datetime(2025, 1, 1, tzinfo=UTC)
"""Date before which this program did not exist; a clock that shows an earlier one is wrong."""
BEHIND_DAYS = 1.0
"""Most days that a right clock may be behind the newest recording. A guess."""
FORGETFUL = {
    "overlay": text("an overlay"),
    "overlayfs": text("an overlay"),
    "aufs": text("an overlay"),
    "tmpfs": text("a tmpfs"),
    "ramfs": text("a tmpfs"),
}
"""Type of a file system that loses everything at power-off -> its name for people."""
_PYTHON = "sudo apt install python3.11 python3.11-venv"
_UDEV = (
    'echo \'SUBSYSTEM=="tty", ATTRS{{idVendor}}=="2e8a", MODE="0660", GROUP="dialout"\' | '
    "sudo tee /etc/udev/rules.d/60-companion.rules && sudo udevadm control --reload && sudo udevadm trigger"
)


def python(version: tuple[int, int, int]) -> Check:
    """Check the version of Python that runs this program."""
    said = ".".join(map(str, version))
    if version[:2] >= OLDEST_PYTHON:
        return Check("python", Verdict.GOOD, said=said)
    fix = text("{command}; then: {next}", command=_PYTHON, next="make setup PYTHON=python3.11")
    said = text("{version}; 3.11 is the oldest that will do", version=said)
    return Check("python", Verdict.NOT_GOOD, said=said, fix=fix, fault="old python")


def packages(found: Libraries, interpreter: str) -> Check:
    """Check that all libraries are installed and load, and only one provides `cv2`.

    `interpreter`: path of Python for the printed command that installs what is missing.
    """
    said: str
    fix: str
    missing = [one for one in found.packages if not one.version]
    count = len(found.packages) - len(missing)
    if missing:
        wanted = " ".join(f"'{one.name}{one.accepted}'" for one in missing)
        said = text("not installed: {names}", names=tuple(one.name for one in missing))
        return _packages(
            Verdict.NOT_GOOD, count, said, f"{interpreter} -m pip install {wanted}", "missing package"
        )
    if len(found.opencvs) > 1:
        said = text("{packages} overwrite each other", packages=listed(found.opencvs))
        others = " ".join(found.opencvs)
        pip = f"{interpreter} -m pip"
        fix = text(
            "{command}; then: {next}",
            command=f"{pip} uninstall {others}",
            next=f"{pip} install 'opencv-python-headless>=5,<6'",
        )
        return _packages(Verdict.NOT_GOOD, count, said, fix, "two opencvs")
    if found.broken:
        broken = (text("{name} does not load ({why})", name=name, why=why) for name, why in found.broken)
        said = text("{told}", told=tuple(broken))
        fix = f"{interpreter} -m pip install --force-reinstall companion"
        return _packages(Verdict.NOT_GOOD, count, said, fix, "broken package")
    told = {"opencv-python-headless", "numpy", "zxing-cpp", "textual"}
    said = ", ".join(f"{one.name} {one.version}" for one in found.packages if one.name in told)
    return _packages(Verdict.GOOD, count, said)


def _packages(verdict: Verdict, count: int, said: str, fix: str = "", fault: str = "") -> Check:
    return Check("packages", verdict, count, "packages", said, fix, fault)


def zbar(there: bool) -> Check:
    """Check for the optional library zbar, which reads stickers a second time.

    `there`: whether it is installed.
    """
    if there:
        return Check("zbar", Verdict.GOOD, said=text("a second opinion on stickers"))
    said = text("no second opinion on stickers")
    return Check("zbar", Verdict.USABLE, said=said, fix="sudo apt install libzbar0", fault="no zbar")


def clock(now: datetime, newest: datetime | None) -> Check:
    """Check that the machine's clock (`now`) is not behind the newest recording.

    `newest`: time of that recording; None without one.
    """
    last = max(FIRST_DATE, newest or FIRST_DATE)
    behind = max(0.0, (last - now).total_seconds() / 86400)
    said: str = f"{now.astimezone():%Y-%m-%d %H:%M}"
    fix = text(
        "{command}; without a network: {other}",
        command="sudo timedatectl set-ntp true",
        other="sudo date -s '2026-12-31 18:00'",
    )
    number, unit = round(behind, 1), "days behind"
    if now < FIRST_DATE:
        return Check("clock", Verdict.NOT_GOOD, number, unit, said, fix, "wrong clock")
    if behind > BEHIND_DAYS:
        said = text("{now}, but something was recorded on {day}", now=said, day=f"{last.astimezone():%Y-%m-%d}")
        return Check("clock", Verdict.USABLE, number, unit, said, fix, "wrong clock")
    return Check("clock", Verdict.GOOD, None, "", said)


def disk(folder: Path, free_mb: float) -> Check:
    """Check the free space (MB) for journals and profiles.

    `folder`: where they are kept.
    """
    level = rate(free_mb, FREE_GOOD_MB, FREE_USABLE_MB)
    if level is Verdict.GOOD:
        return Check("disk", level, round(free_mb), "MB free", str(folder))
    fix = text(
        "{command}; old games: {other}",
        command="sudo apt-get clean",
        other=f"du -ah {folder} | sort -h | tail",
    )
    return Check("disk", level, round(free_mb), "MB free", str(folder), fix, "full disk")


def home(folder: Path, kind: str) -> Check:
    """Check that journals are not kept in memory, which forgets them at power-off.

    `kind`: type of the folder's file system, e.g. ext4.
    """
    if kind not in FORGETFUL:
        return Check("home", Verdict.GOOD, said=str(folder))
    said = text("this home is {kind}: games are lost at power-off", kind=FORGETFUL[kind])
    fix = text("switch the overlay off (sudo raspi-config, Performance), or set XDG_STATE_HOME to another disk")
    return Check("home", Verdict.USABLE, said=said, fix=fix, fault="forgetful home")


def folder(name: str, path: Path, there: Path, *, writable: bool, user: str) -> Check:
    """Check that the user may write to a program folder.

    `there`: the longest part of `path` that exists. `writable`: whether `user` may write there.
    """
    fix: str
    if not there.is_dir():
        fix = text("free the path or set XDG_STATE_HOME")
        return Check(
            name,
            Verdict.NOT_GOOD,
            said=text("{path} is not a folder", path=str(there)),
            fix=fix,
            fault="not a folder",
        )
    if not writable:
        fix = f"sudo chown {user} {there}"
        fault = text("{path} is not writable", path=str(there))
        return Check(name, Verdict.NOT_GOOD, said=fault, fix=fix, fault="no permission")
    said = str(path) if there == path else text("{path}, made when needed", path=str(path))
    return Check(name, Verdict.GOOD, said=said)


def read_only(name: str, there: Path) -> Check:
    """Report a folder on a disk that is mounted read-only."""
    said = text("the card or disk of {path} is mounted read-only", path=str(there))
    return Check(name, Verdict.NOT_GOOD, said=said, fix=READ_ONLY_FIX, fault="read-only disk")


def permission(name: str, found: tuple[Access, ...], user: str, *, wanted: bool) -> Iterator[Check]:
    """Check that the user may open device files; NOT_TESTED without any.

    A file that may not be opened is bad if the device is `wanted`, else usable. `name`: of the check.
    """
    refused = [one for one in found if not one.allowed]
    if not found:
        yield Check(name, Verdict.NOT_TESTED, said=text("there is no such device"))
    elif not refused:
        yield Check(name, Verdict.GOOD, len(found), "devices", ", ".join(one.device for one in found))
    else:
        said = text("may not be opened: {devices}", devices=tuple(one.device for one in refused))
        level = Verdict.NOT_GOOD if wanted else Verdict.USABLE
        yield Check(name, level, len(refused), "devices", said, _way_in(refused[0], user), "no permission")


def _way_in(refused: Access, user: str) -> str:
    """Command that gives a person access to a device file, as a next step."""
    if refused.member:
        return text(
            "you are in the group {group} from your next login on: log out and in again", group=refused.group
        )
    if refused.group:
        return text("{command}; then log out and in again", command=f"sudo usermod -aG {refused.group} {user}")
    if "tty" in refused.device or "serial" in refused.device:
        opened, group = _UDEV.format(), "dialout"
    else:
        opened = f"sudo chgrp video {refused.device} && sudo chmod 660 {refused.device}"
        group = "video"
    return text(
        "{command}; then: {next}, log out and in again",
        command=opened,
        next=f"sudo usermod -aG {group} {user}",
    )


def terminal(size: tuple[int, int], colours: str, *, shown: bool) -> Check:
    """Check that the terminal has at least 80 columns and 24 lines.

    `size`: (columns, lines). `shown`: False if no person looks at the terminal.
    """
    said = f"{size[0]} x {size[1]}, {colours}"
    if shown and (size[0] < 80 or size[1] < 24):
        fix = text("make the window at least 80 x 24")
        return Check("terminal", Verdict.USABLE, size[0], "columns", said, fix, "small terminal")
    return Check("terminal", Verdict.GOOD, size[0], "columns", said)
