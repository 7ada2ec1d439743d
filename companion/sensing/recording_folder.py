"""The folder of a recorded evening: what lies where in it, and how it is read, damaged or not.

    recording.json            says that the folder is ours
    journals/NAME.jsonl       the journal of each game
    part-1/settings.json      what is needed to read the part again; cards.art and table.home beside it
    part-1/games.jsonl        which game began when
    part-1/port.cap           the bytes of the board's port
    part-1/frames/TIME_LEFT+TOP_WIDTHxHEIGHT.jpg    the mat's rectangle, cut out of a picture of that size;
                              ..._on.jpg: only what has changed since the frame before

A part is one run of the program. Times are those of its clock: seconds, in a frame's name milliseconds.
"""

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from companion.core.config import LensConfig, StationConfig, state_dir
from companion.core.errors import BadInputError
from companion.core.files import read_start, replace_file
from companion.core.language import plural, text
from companion.core.system_words import system_words
from companion.sensing.board_words import parts_of
from firmware.host.port_recording import Records, salvaged_capture

if TYPE_CHECKING:
    from vision.camera.frames import Frame
    from vision.scene.camera_pipeline import Vision

MARK, JOURNALS = "recording.json", "journals"
SETTINGS, GAMES, PORT, FRAMES = "settings.json", "games.jsonl", "port.cap", "frames"
ART, HOME = "cards.art", "table.home"
"""Files in a recording. ART: copy of the file of cards known by their print.

HOME: copy of the file with the place of a table without a mat.
"""
VERSION = 1
_PART = re.compile(r"part-([1-9]\d{0,5})", re.ASCII)
_FRAME = re.compile(r"(\d{10,15})_(\d{1,5})\+(\d{1,5})_(\d{1,5})x(\d{1,5})(_on)?\.jpg", re.ASCII)
NOTED = "recordings.list"
"""Name of the file that lists a table's recordings, a folder in each line."""
_LARGEST = 1 << 24
"""A larger settings file (bytes) is not read. One with every press of every card has 1 MB."""


class Mark(msgspec.Struct, frozen=True):
    """Content of the file that marks a recording's folder.

    `companion_recording`: version of the recording's format.
    """

    companion_recording: int


class RecordedSettings(msgspec.Struct, frozen=True):
    """Settings of a run that are needed to read its frames and bytes again.

    They are game and variant, options, tags, textures, stations, wires, buttons and lens. Names of players,
    addresses and serial numbers are left out.
    """

    game: str
    variant: str
    players: int
    options: tuple[str, ...] = ()
    parts: dict[str, str] = {}
    """Printed parts that differ from the game's defaults: part -> print."""
    tags: dict[str, str] = {}
    textures: dict[str, list[str]] = {}
    stations: dict[str, StationConfig] = {}
    wires: dict[str, dict[str, str]] = {}
    buttons: tuple[str, ...] = ()
    lens: LensConfig | None = None
    art: bool = False
    """The run's folder has the file ART, by which cards are known."""
    home: bool = False
    """The run's folder has the file HOME, because the table has no mat."""
    left_out: tuple[int, ...] = ()
    """Times (ms) of frames that were removed on purpose. The frame before is shown instead."""


class RecordedGame(msgspec.Struct, frozen=True):
    """A game of a recorded run: file name of its journal, and clock time (s) when it began or went on."""

    journal: str
    begins: float
    ahead: float = 0.0
    """Clock time minus journal time (s)."""


@dataclass(frozen=True, slots=True)
class StoredFrame:
    """File of a recorded frame.

    The frame is the mat's rectangle of a picture. `t`: time (s). `left`, `top`: corner of the rectangle (px).
    `width`, `height`: size of the camera's picture (px).
    """

    t: float
    path: Path
    left: int
    top: int
    width: int
    height: int
    patch: bool = False
    """The rectangle contains only what has changed since the frame before."""


@dataclass(slots=True)
class Part:
    """One run of the program in a recording, as read from its folder.

    `settings`: those of the run. `games`: which began when. `frames`: recorded pictures. `port`: bytes of the
    board's port, with their times. `faults`: what is missing or damaged, as sentences.
    """

    folder: Path
    settings: RecordedSettings | None = None
    games: list[RecordedGame] = field(default_factory=list)
    frames: list[StoredFrame] = field(default_factory=list)
    port: Records = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def frame_name(t: float, left: int, top: int, width: int, height: int, *, patch: bool = False) -> str:
    """File name of a recorded frame.

    It is TIME_LEFT+TOP_WIDTHxHEIGHT.jpg, with `_on` for a patch. TIME is `t` (s) in milliseconds, of ten
    digits. `left`, `top`: corner of the stored rectangle (px). `width`, `height`: size of the camera's picture
    (px). `patch`: only what has changed is stored.
    """
    return f"{round(1000 * t):010}_{left}+{top}_{width}x{height}{'_on' if patch else ''}.jpg"


def is_recording(folder: Path) -> bool:
    """True if the folder is a recording of this program, of any version."""
    try:
        msgspec.json.decode(read_start(folder / MARK) or b"", type=Mark)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False
    return True


def claim_folder(folder: Path) -> None:
    """Make the folder, and mark it as a recording.

    An earlier recording there is kept.

    BadInputError if it contains anything else, or cannot be written.
    """
    other = text("name a new folder with --record")
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if is_recording(folder):
            return
        if any(folder.iterdir()):
            raise BadInputError(
                text("this folder holds something else than a recording"), where=str(folder), next_step=other
            )
        replace_file(folder / MARK, msgspec.json.encode(Mark(VERSION)))
    except OSError as error:
        raise BadInputError(system_words(error), where=str(folder), next_step=other) from None


def note_recording(folder: Path) -> None:
    """Add a recording to the table's list, for `companion forget`.

    Disk errors are ignored.
    """
    with suppress(OSError):
        if folder.absolute() not in noted_recordings(state_dir()):
            state_dir().mkdir(parents=True, exist_ok=True)
            noted = os.open(state_dir() / NOTED, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(noted, "ab") as file:
                file.write(os.fsencode(folder.absolute()) + b"\n")


def noted_recordings(state: Path) -> list[Path]:
    """Folders of all recordings that a table began, by the list in its state folder.

    Some may be gone since.
    """
    lines = (read_start(state / NOTED, _LARGEST) or b"").split(b"\n")
    return [
        Path(os.fsdecode(line)) for line in dict.fromkeys(lines) if line.startswith(b"/") and b"\0" not in line
    ]


def forget_recordings(state: Path, gone: Iterable[Path]) -> None:
    """Remove folders from a table's list of recordings.

    OSError if it cannot be written.
    """
    before = noted_recordings(state)
    left = [one for one in before if one not in set(gone)]
    if left != before:
        replace_file(state / NOTED, b"".join(os.fsencode(one) + b"\n" for one in left))


def remove_empty(folder: Path) -> None:
    """Delete the folder of a recording without runs, unless foreign files lie there.

    OSError if a file cannot be deleted.
    """
    with suppress(FileNotFoundError):
        (folder / MARK).unlink()
    for left in (folder / JOURNALS, folder):
        if left.is_dir() and not any(left.iterdir()):
            left.rmdir()


def new_part(folder: Path) -> Path:
    """Create the folder for a recording's next run, with an empty frames folder."""
    part = folder / f"part-{max(map(_number, _parts_in(folder)), default=0) + 1}"
    (part / FRAMES).mkdir(parents=True, mode=0o700)
    return part


def read_parts(folder: Path) -> list[Part]:
    """Read all runs in a recording, in order.

    Damage is listed in `Part.faults`.

    BadInputError if the folder is no recording, or of a newer program.
    """
    try:
        mark = msgspec.json.decode(read_start(folder / MARK) or b"", type=Mark)
        newer = mark.companion_recording > VERSION
    except (msgspec.MsgspecError, UnicodeDecodeError):
        newer = False
        if not _parts_in(folder):
            raise BadInputError(
                text("not a recording of companion"),
                where=str(folder),
                next_step=text("name a folder that --record wrote"),
            ) from None
    if newer:
        raise BadInputError(text("of a newer program"), where=str(folder), next_step=text("update companion"))
    return [_read_part(part) for part in _parts_in(folder)]


def _parts_in(folder: Path) -> list[Path]:
    try:
        found = [path for path in folder.iterdir() if _PART.fullmatch(path.name) and path.is_dir()]
    except OSError:
        return []
    return sorted(found, key=_number)


def _number(part: Path) -> int:
    return int(part.name.partition("-")[2])


def _read_part(folder: Path) -> Part:
    part = Part(folder)
    try:
        part.settings = msgspec.json.decode(
            read_start(folder / SETTINGS, _LARGEST) or b"", type=RecordedSettings
        )
    except (msgspec.MsgspecError, ValueError):
        part.faults.append(text("{part}: the settings cannot be read", part=folder.name))
    games = (read_start(folder / GAMES, _LARGEST) or b"").splitlines()
    for line in games:
        try:
            part.games.append(msgspec.json.decode(line, type=RecordedGame))
        except (msgspec.MsgspecError, ValueError):
            part.faults.append(text("{part}: a line about its games cannot be read", part=folder.name))
    part.games.sort(key=lambda one: one.begins)
    if (folder / PORT).exists():
        part.port, fault = salvaged_capture(folder / PORT)
        if fault:
            said = parts_of(fault)[0]
            part.faults.append(text("{part}: the port's bytes: {fault}", part=folder.name, fault=said))
    try:
        names = sorted(path.name for path in (folder / FRAMES).iterdir())
    except OSError:
        names = []
    part.frames, foreign = _stored(folder / FRAMES, names)
    if foreign:
        part.faults.append(
            plural(
                "{part}: {n} file among the pictures is none of ours",
                "{part}: {n} files among the pictures are none of ours",
                n=foreign,
                part=folder.name,
            )
        )
    return part


def _stored(folder: Path, names: Iterable[str]) -> tuple[list[StoredFrame], int]:
    """(frames in `names`, sorted by time, number of foreign files).

    `names`: of files.
    """
    frames, foreign = [], 0
    for name in names:
        found = _FRAME.fullmatch(name)
        if found is None:
            foreign += not name.endswith(".part")
            continue
        t, left, top, width, height = map(int, found.groups()[:-1])
        if left < width and top < height:
            patch = found[6] is not None
            frames.append(StoredFrame(t / 1000, folder / name, left, top, width, height, patch))
        else:
            foreign += 1
    return sorted(frames, key=lambda one: one.t), foreign


class NoRecorder:
    """Takes the place of `Recorder` if nothing is recorded."""

    def game(self, journal: Path, begins: float, ahead: float) -> None:
        """Do nothing: no journal is linked into a recording."""

    def look(self, frame: "Frame", vision: "Vision") -> None:
        """Do nothing: the frame is not recorded."""

    def record(self, t: float, data: bytes) -> None:
        """Do nothing: the board's bytes are not recorded."""

    def news(self) -> list[str]:
        """News of the recording for people: always empty.

        Nothing is recorded.
        """
        return []

    def abandon(self) -> None:
        """Do nothing: no recording is to be deleted."""

    def close(self) -> None:
        """Do nothing: no file is open."""
