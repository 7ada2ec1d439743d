"""Table of all checks of `companion doctor`, and the examination that goes through it in order."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar, cast

from calibration.doctor import board_checks, camera_checks, machine_checks, rig_checks
from calibration.doctor.camera_checks import TableSeen, look_at_table
from calibration.doctor.check_words import check_called
from calibration.doctor.probes import Access, CameraLook, Probes
from calibration.doctor.rig_checks import Fingerprint, NamedRig
from calibration.profile import with_rig
from calibration.rig_store import with_files
from calibration.wizard.step_result import Check, Verdict
from companion.core.config import Config, load_config, runtime_dir, settings_files, state_dir
from companion.core.errors import CompanionError
from companion.core.language import listed, text
from companion.games.registry import check_settings, check_table, first_variant, load_configured
from companion.sensing.board_check import BoardReport

T = TypeVar("T")

NEEDS = "needs: "
"""NEEDS: first words about a check that was left out because an earlier one is bad."""
_NONE = text("none is named: the virtual table is used")


@dataclass(frozen=True, slots=True)
class Asked:
    """Options of `companion doctor`; empty ones are taken from the rig and the settings."""

    config: Path | None = None
    camera: str = ""
    port: str = ""
    rig: str = ""


class Examination:
    """Examination of a machine and its rig; each device is asked once."""

    def __init__(
        self,
        asked: Asked,
        probes: Probes,
        see: Callable[[CameraLook, Config], TableSeen] = look_at_table,
    ) -> None:
        """Prepare the examination; no device is asked yet.

        `asked`: options of the command. `probes` ask the machine and its devices. `see` finds mat and cards in
        the camera's pictures.
        """
        self.asked = asked
        self.probes = probes
        self._see = see
        self._answers: dict[str, Any] = {}

    def _once(self, name: str, ask: Callable[[], T]) -> T:
        """Call `ask` once for each `name`, and keep its answer for later calls.

        A CompanionError is kept, too, and raised at every call.
        """
        if name not in self._answers:
            try:
                self._answers[name] = ask()
            except CompanionError as error:
                self._answers[name] = error
        answer = self._answers[name]
        if isinstance(answer, CompanionError):
            raise answer
        return cast("T", answer)

    @property
    def settings(self) -> Config:
        """Settings of the user.

        CompanionError if the settings file cannot be used.
        """
        return self._once("settings", self._read_settings)

    def _read_settings(self) -> Config:
        read = load_config(self.asked.config)
        check_settings(read)
        rules = load_configured(read.game, read.parts)
        check_table(rules, read.variant or first_variant(rules), read.players)
        return read

    @property
    def rig(self) -> NamedRig | None:
        """Rig that `companion play` would use, with its name.

        None if there is none. CompanionError if its files cannot be read.
        """
        return self._once("rig", self._read_rig)

    def _read_rig(self) -> NamedRig | None:
        store = self.probes.rigs()
        name = store.usual(self.asked.rig or self._plain.rig)
        return NamedRig(name, store.load(name)) if name else None

    @property
    def _plain(self) -> Config:
        return or_none(lambda: self.settings) or Config()

    @property
    def known_rig(self) -> NamedRig | None:
        """Rig that `companion play` would use, with its name.

        None if there is none, or it cannot be read.
        """
        return or_none(lambda: self.rig)

    @property
    def bare(self) -> bool:
        """True if there is no rig, and neither camera nor board is named."""
        return not self.camera and not self.port and or_none(lambda: self.rig is None) is True

    @property
    def used(self) -> Config:
        """Settings completed by the rig, as `companion play` uses them.

        A settings file or rig that cannot be read is left out.
        """
        rig = self.known_rig
        if rig is None:
            return self._plain
        there = with_rig(self._plain, rig.profile)
        return with_files(there, self.probes.rigs(), rig.name, rig.profile)

    @property
    def camera(self) -> str:
        """Camera to try, from options, settings or rig; "" for none."""
        return self.asked.camera or self.used.camera

    @property
    def port(self) -> str:
        """Port to try, from options, settings or rig; "" for none."""
        return self.asked.port or self.used.port

    @property
    def look(self) -> CameraLook | None:
        """Last picture of the camera, with measurements.

        None if no camera is named. CompanionError if the camera cannot be used.
        """
        return self._once("camera", lambda: self.probes.camera(self.camera)) if self.camera else None

    @property
    def table(self) -> TableSeen | None:
        """Mat and cards that are seen in the camera's picture.

        None without a camera. CompanionError if the camera cannot be used, or the lens was measured with
        another picture size.
        """
        look = self.look
        return None if look is None else self._once("table", lambda: self._see(look, self.used))

    @property
    def board(self) -> BoardReport | None:
        """Report of the board on itself.

        None if no port is named. CompanionError if the board cannot be used.
        """
        known = self.used.fingerprints.board
        return self._once("board", lambda: self.probes.board(self.port, known)) if self.port else None

    @property
    def known_board(self) -> BoardReport | None:
        """Report of the board on itself.

        None if no port is named, or the board cannot be used.
        """
        return or_none(lambda: self.board)

    def camera_access(self) -> tuple[Access, ...]:
        """Right of this user to open the camera's device file.

        Empty if there is no such file. Without a named camera the first one (/dev/video0) is meant.
        """
        spec = self.camera or "0"
        return self._access(f"/dev/video{spec}" if spec.isdecimal() else spec)

    def port_access(self) -> tuple[Access, ...]:
        """Rights of this user to open the named port, or the ports of all connected boards."""
        named = self.port not in ("", "auto")
        return self._access(*([self.port] if named else self.probes.boards()))

    def _access(self, *devices: str) -> tuple[Access, ...]:
        found = (self.probes.access(one) for one in devices)
        return tuple(one for one in found if one is not None)

    def newest_record(self) -> datetime | None:
        """Time of this program's newest file, a rig profile or a journal.

        None without any.
        """
        journal, rig = self.probes.journal(), self.known_rig
        found = [None if rig is None else rig_checks.made_at(rig.profile.made)]
        if journal is not None and journal.exists():
            found.append(datetime.fromtimestamp(journal.stat().st_mtime, UTC))
        return max((one for one in found if one), default=None)

    def fingerprints(self) -> tuple[Fingerprint, ...] | None:
        """Words that identify camera and board, at setup and now.

        None without a rig.
        """
        if self.rig is None:
            return None
        from vision.camera.camera_identity import camera_fingerprint

        known = self.rig.profile.fingerprints
        look, board = or_none(lambda: self.look), or_none(lambda: self.board)
        camera = camera_fingerprint(self.camera, look.info) if look else ""
        return (
            Fingerprint("camera", known.camera, camera),
            Fingerprint("board", known.board, board.board_id if board else ""),
        )


def or_none(ask: Callable[[], T]) -> T | None:
    """Call `ask()`; None if it raises CompanionError."""
    try:
        return ask()
    except CompanionError:
        return None


@dataclass(frozen=True, slots=True)
class CheckDescription:
    """Description of one check of `companion doctor`: what is asked, how the answer is judged.

    `name`: English name of the check, which others may need.
    """

    name: str
    probe: Callable[[Examination], Any]
    """Function that asks the machine or a device for the answer to be judged.

    Returns None if the thing does not exist. Raises CompanionError if it cannot be used.
    """
    judge: Callable[[Any, Examination], Check | Iterable[Check]]
    """Function (answer, examination) -> one or several checks."""
    needs: tuple[str, ...] = ()
    """Names of earlier checks; if one of them is bad, this check is left out."""
    absent: str = ""
    """Sentence that is reported if `probe` returns None; "" to report nothing then."""
    absent_fix: str = ""
    """Next step that is reported if `probe` returns None."""


def _folder(name: str, path: Path, at: Examination) -> Check:
    there, probes = _existing(path), at.probes
    if there.is_dir() and probes.read_only(there):
        return machine_checks.read_only(name, there)
    return machine_checks.folder(name, path, there, writable=probes.writable(there), user=probes.user())


def _existing(path: Path) -> Path:
    while not path.exists() and path != path.parent:
        path = path.parent
    return path


def _settings(_settings: Config, at: Examination) -> Check:
    files = [at.asked.config] if at.asked.config else [one for one in settings_files() if one.exists()]
    return Check("settings", Verdict.GOOD, said=listed([*map(str, files)]) if files else text("defaults"))


def _colours() -> str:
    return os.environ.get("COLORTERM") or os.environ.get("TERM", "unknown")


CHECKS: tuple[CheckDescription, ...] = (
    CheckDescription("python", lambda at: at.probes.python(), lambda got, _: machine_checks.python(got)),
    CheckDescription(
        "packages",
        lambda at: at.probes.libraries(),
        lambda got, _: machine_checks.packages(got, sys.executable),
        needs=("python",),
    ),
    CheckDescription("zbar", lambda at: at.probes.library("zbar"), lambda got, _: machine_checks.zbar(got)),
    CheckDescription(
        "clock", lambda at: at.probes.now(), lambda got, at: machine_checks.clock(got, at.newest_record())
    ),
    CheckDescription(
        "disk",
        lambda at: at.probes.free_mb(_existing(state_dir())),
        lambda got, _: machine_checks.disk(state_dir(), got),
    ),
    CheckDescription(
        "home",
        lambda at: at.probes.file_system(_existing(state_dir())),
        lambda got, _: machine_checks.home(state_dir(), got),
    ),
    CheckDescription("settings", lambda at: at.settings, _settings),
    CheckDescription("journals", lambda _: state_dir(), lambda got, at: _folder("journals", got, at)),
    CheckDescription("sockets", lambda _: runtime_dir(), lambda got, at: _folder("sockets", got, at)),
    CheckDescription(
        "camera permission",
        lambda at: at.camera_access(),
        lambda got, at: machine_checks.permission(
            "camera permission", got, at.probes.user(), wanted=bool(at.camera)
        ),
    ),
    CheckDescription(
        "camera",
        lambda at: at.look,
        lambda got, at: camera_checks.camera(got, at.camera),
        needs=("packages", "camera permission"),
        absent=_NONE,
        absent_fix=text("name one: --camera 0"),
    ),
    CheckDescription(
        "picture", lambda at: at.look, lambda got, _: camera_checks.pictures(got), needs=("camera",)
    ),
    CheckDescription(
        "camera settings", lambda at: at.look, lambda got, _: camera_checks.locks(got), needs=("camera",)
    ),
    CheckDescription("mat", lambda at: at.table, lambda got, _: camera_checks.mat(got), needs=("camera",)),
    CheckDescription(
        "focus", lambda at: at.table, lambda got, _: camera_checks.focus(got), needs=("camera", "mat")
    ),
    CheckDescription(
        "exposure", lambda at: at.table, lambda got, _: camera_checks.exposure(got), needs=("camera", "mat")
    ),
    CheckDescription(
        "flicker", lambda at: at.look, lambda got, _: camera_checks.flicker(got), needs=("camera",)
    ),
    CheckDescription("cards", lambda at: at.table, lambda got, _: camera_checks.cards(got), needs=("mat",)),
    CheckDescription(
        "port permission",
        lambda at: at.port_access(),
        lambda got, at: machine_checks.permission(
            "port permission", got, at.probes.user(), wanted=bool(at.port)
        ),
    ),
    CheckDescription(
        "board",
        lambda at: at.board,
        lambda got, _: board_checks.board(got),
        needs=("packages", "port permission"),
        absent=_NONE,
        absent_fix=text("plug it in and name it: --port auto"),
    ),
    CheckDescription(
        "firmware", lambda at: at.board, lambda got, _: board_checks.firmware(got), needs=("board",)
    ),
    CheckDescription("link", lambda at: at.board, lambda got, _: board_checks.link(got), needs=("board",)),
    CheckDescription(
        "stations", lambda at: at.board, lambda got, _: board_checks.stations(got), needs=("board",)
    ),
    CheckDescription(
        "rig",
        lambda at: at.rig,
        lambda got, _: rig_checks.rig(got),
        absent=text("none was set up yet"),
        absent_fix="companion setup",
    ),
    CheckDescription(
        "rig age",
        lambda at: at.rig,
        lambda got, at: rig_checks.age(got, at.probes.now()),
        needs=("rig", "clock"),
    ),
    CheckDescription("setup steps", lambda at: at.rig, lambda got, _: rig_checks.steps(got), needs=("rig",)),
    CheckDescription(
        "identity", lambda at: at.fingerprints(), lambda got, _: rig_checks.identity(got), needs=("rig",)
    ),
    CheckDescription("last game", lambda at: at.probes.journal(), lambda got, _: rig_checks.last_game(got)),
    CheckDescription(
        "terminal",
        lambda at: at.probes.terminal(),
        lambda got, _: machine_checks.terminal(got, _colours(), shown=sys.stdout.isatty()),
    ),
)
"""All checks of `companion doctor`, in the order in which they are made."""


def examine(examination: Examination, checks: Iterable[CheckDescription] = CHECKS) -> Iterator[Check]:
    """Make the checks of `companion doctor` one after another; yield each result.

    A check that needs a bad one is not made: its verdict is NOT_TESTED.
    """
    failed: set[str] = set()
    for row in checks:
        lacking = [name for name in row.needs if name in failed]
        if lacking:
            failed.add(row.name)
            yield Check(
                row.name, Verdict.NOT_TESTED, said=text("needs: {check}", check=check_called(lacking[0]))
            )
            continue
        for check in _made(row, examination):
            if check.verdict is Verdict.NOT_GOOD and check.name == row.name:
                failed.add(row.name)
            yield check


def _made(row: CheckDescription, examination: Examination) -> Iterator[Check]:
    try:
        got = row.probe(examination)
        if got is None:
            if row.absent:
                yield Check(row.name, Verdict.NOT_TESTED, said=row.absent, fix=row.absent_fix)
            return
        judged = row.judge(got, examination)
        yield from (judged,) if isinstance(judged, Check) else judged
    except CompanionError as error:
        yield _unusable(row.name, error)
    except OSError as error:
        what: str = error.strerror or str(error)
        said = text("{where}: {what}", where=str(error.filename), what=what) if error.filename else what
        yield Check(row.name, Verdict.NOT_GOOD, said=said, fix=text("see the message"), fault="unusable")


def _unusable(name: str, error: CompanionError) -> Check:
    said = text("{where}: {what}", where=error.where, what=error.what) if error.where else error.what
    return Check(name, Verdict.NOT_GOOD, said=said, fix=error.next_step, fault=f"{name} unusable")
