"""Reasons: why a port, a board or a file cannot be used, and what is done to a board, as facts without words.

A reason with values is a `Fact`, one without is a `Simple`. The application has the words. Where a reason is
wanted, a `str` is also accepted: words of the system or of a board, as they came.
"""

from enum import Enum, auto

import msgspec


class Simple(Enum):
    """Reason that has no values."""

    # Ports
    NO_BOARD = auto()
    NO_SUCH_PORT = auto()
    NO_PORT_TO_OPEN = auto()
    NO_PORT_TO_FLASH = auto()
    NO_PERMISSION = auto()
    PORT_IN_USE = auto()
    PORT_VANISHED = auto()
    PORT_IS_FOLDER = auto()
    NOT_SERIAL = auto()
    # Links
    RECORDING_OVER = auto()
    STARTED_AGAIN = auto()
    NUMBERING_LOST = auto()
    AT_PROMPT = auto()
    CRASHED = auto()
    PORT_SILENT = auto()
    # Captures
    CAPTURE_EXISTS = auto()
    NO_CAPTURE = auto()
    # What runs on a port
    NO_PROGRAM = auto()
    NOTHING_ANSWERS = auto()
    # Remarks about a board, and steps of its installation
    NOT_A_PICO = auto()
    PICO_W = auto()
    SUPPORTED = auto()
    RESTARTING = auto()
    NO_PROMPT_YET = auto()
    # Boards that cannot be flashed
    NO_BOARD_TO_FLASH = auto()
    FOREIGN_PROGRAM = auto()
    NOT_OUR_PROGRAM = auto()
    NO_GREETING = auto()
    NOT_KEPT = auto()
    BOARD_FULL = auto()
    NO_PROMPT = auto()
    BOARD_SAYS_ERROR = auto()
    NO_DRIVE = auto()
    NO_PORT_CAME = auto()
    # UF2 files
    NO_UF2 = auto()
    UF2_CUT_IN_BLOCK = auto()


class Fact(msgspec.Struct, frozen=True):
    """Base of the reasons that have values, in their fields."""


Reason = Fact | Simple


class At(Fact, frozen=True):
    """Reason, and the port or file (`where`) it concerns."""

    where: str
    reason: Reason | str


# Ports


class SeveralBoards(Fact, frozen=True):
    """Several boards are connected, and one must be chosen.

    `names`: of their ports.
    """

    names: tuple[str, ...]


class SeveralBoardsToOpen(Fact, frozen=True):
    """Several boards are connected; a link to one is wanted.

    `names`: of their ports.
    """

    names: tuple[str, ...]


class SeveralBoardsToFlash(Fact, frozen=True):
    """Several boards are connected; one is to be flashed.

    `names`: of their ports.
    """

    names: tuple[str, ...]


class OtherDevice(Fact, frozen=True):
    """Another device has the port of the board now.

    `name`: of the port.
    """

    name: str


class BadPortName(Fact, frozen=True):
    """Name that neither a port nor a file can have."""

    name: str


class PortFault(Fact, frozen=True):
    """Port fails for a reason that only the system knows.

    `why`: the system's words.
    """

    why: str


class ClosedMeanwhile(Fact, frozen=True):
    """A port failed while it was examined. `why`: how."""

    why: "Reason | str"


# Links


class OtherProtocol(Fact, frozen=True):
    """A board speaks another version of the wire protocol.

    `major`, `minor`: the board's version. `ours`: major version of this program.
    """

    major: int
    minor: int
    ours: int


class NoPongs(Fact, frozen=True):
    """A board did not answer `n` pings in a row."""

    n: int


class ProgramCrashed(Fact, frozen=True):
    """The board's program crashed.

    `said`: the last line that it printed.
    """

    said: str


class LeftOutOfLog(Fact, frozen=True):
    """Too many lines came in a board's log. `lines`: how many were left out."""

    lines: int


# Captures


class CaptureUnwritable(Fact, frozen=True):
    """A capture cannot be written. `why`: the system's words."""

    why: str


class CaptureUnreadable(Fact, frozen=True):
    """A capture cannot be read. `why`: the system's words."""

    why: str


class CaptureOfOtherVersion(Fact, frozen=True):
    """A capture was written by another version.

    `line`: its first line.
    """

    line: str


class RecordDamaged(Fact, frozen=True):
    """A record of a capture is damaged. `number`: of the first one, from 1."""

    number: int


class RecordCut(Fact, frozen=True):
    """A capture's last record is incomplete.

    `number`: of the record, from 1.
    """

    number: int


# What runs on a port


class OwnProgram(Fact, frozen=True):
    """Our program runs on the board. `version`, `code`: its version, and the hash of its files."""

    version: str
    code: int


class Running(Fact, frozen=True):
    """Our program has greeted.

    `version`: its version. `stations`: names of its stations.
    """

    version: str
    stations: tuple[str, ...]


# Steps of an installation


class BoardFound(Fact, frozen=True):
    """A board with MicroPython was found at a port.

    `micropython`: its version. `machine`: its name of the board. `remark`: what this program knows of such
    boards.
    """

    micropython: str
    machine: str
    remark: Simple


class Removing(Fact, frozen=True):
    """Step: a file is removed from the board.

    `name`: its path there.
    """

    name: str


class Writing(Fact, frozen=True):
    """Step: a file is written to the board.

    `name`: its path there. `number`: of the file, from 1, out of `all`.
    """

    name: str
    number: int
    all: int


class Verified(Fact, frozen=True):
    """Step done: `files` files on the board are right. `code`: hash of the program."""

    files: int
    code: int


class RigVerified(Fact, frozen=True):
    """Step done: the rig file on the board is right. `name`: its path there."""

    name: str


class NothingToWrite(Fact, frozen=True):
    """The board has the whole program already.

    `code`: hash of the program.
    """

    code: int


class WouldRemove(Fact, frozen=True):
    """Planned step: a file would be removed from the board. `name`: its path there."""

    name: str


class WouldWrite(Fact, frozen=True):
    """Planned step: a file would be written. `name`: its path on the board. `size`: bytes."""

    name: str
    size: int


class WouldRemoveFolder(Fact, frozen=True):
    """Planned step: an empty folder would be removed. `name`: its path on the board."""

    name: str


class WouldLeave(Fact, frozen=True):
    """Planned step: `files` files that are right would stay."""

    files: int


class WouldRenew(Fact, frozen=True):
    """Planned step: a board gets MicroPython from a UF2 file.

    `port`: the board's. `path`: of the file.
    """

    port: str
    path: str


class UpToDate(Fact, frozen=True):
    """A board has the MicroPython of a UF2 file already.

    `version`: that of MicroPython. `path`: of the file.
    """

    version: str
    path: str


class Copying(Fact, frozen=True):
    """Step: a UF2 file is copied to a boot drive.

    `path`: of the file. `version`: of its MicroPython. `chip`: the board's. `drive`: folder. `planned`: it
    would be copied, and then the program.
    """

    path: str
    version: str
    chip: str
    drive: str
    planned: bool


# Boards that cannot be flashed


class OtherKindOfBoard(Fact, frozen=True):
    """A board is no Pico.

    `kind`: the name that it gives.
    """

    kind: str


class OldMicroPython(Fact, frozen=True):
    """The MicroPython on a board is too old.

    `version`: its version.
    """

    version: str


class UnknownPico(Fact, frozen=True):
    """A Pico whose header is unknown.

    `kind`: the name that it gives.
    """

    kind: str


class InstalledBut(Fact, frozen=True):
    """All files are installed, but the board's program does not greet. `why`: the reason."""

    why: "Reason | str"


class LastCrash(Fact, frozen=True):
    """A program stays off after crashes.

    `said`: last line of its crash file.
    """

    said: str


class OtherCode(Fact, frozen=True):
    """The board runs other code than was installed.

    `code`: hash that it reports. `expected`: hash of what was installed.
    """

    code: int
    expected: int


class TooLittleRoom(Fact, frozen=True):
    """A board has too little room for an installation.

    `needed`, `free`: KB.
    """

    needed: int
    free: int


class CannotReach(Fact, frozen=True):
    """The prompt was lost, and must be reached again.

    `why`: the reason.
    """

    why: "Reason | str"


class SenselessAnswer(Fact, frozen=True):
    """The prompt gave an answer that makes no sense.

    `said`: its beginning.
    """

    said: str


class BoardSays(Fact, frozen=True):
    """The prompt reports an error. `said`: its words."""

    said: str


class OddPrompt(Fact, frozen=True):
    """The prompt does not follow its protocol.

    `why`: the words of mpremote.
    """

    why: str


class NotMounted(Fact, frozen=True):
    """A boot drive is there but not mounted.

    `device`: its name.
    """

    device: str


class SeveralDrives(Fact, frozen=True):
    """More than one board in its boot loader shows a drive: which one is meant is unknown.

    `names`: folders of the drives.
    """

    names: tuple[str, ...]


# Rig and UF2 files


class RigUnreadable(Fact, frozen=True):
    """A rig file cannot be read. `why`: the system's words."""

    why: str


class RigNoJson(Fact, frozen=True):
    """A rig file is no JSON.

    `why`: what the parser says.
    """

    why: str


class RigFaults(Fact, frozen=True):
    """A rig file has faults. `faults`: a sentence for each."""

    faults: tuple[str, ...]


class Uf2Unreadable(Fact, frozen=True):
    """A UF2 file cannot be read. `why`: the system's words."""

    why: str


class Uf2Damaged(Fact, frozen=True):
    """A UF2 file is damaged.

    `at`: number of the first damaged block.
    """

    at: int


class Uf2OfOtherFamily(Fact, frozen=True):
    """A UF2 file is for other chips. `named`: their families."""

    named: str


class Uf2Cut(Fact, frozen=True):
    """A UF2 file is cut off.

    It has `count` of `all` blocks.
    """

    count: int
    all: int


class Uf2ForOtherChip(Fact, frozen=True):
    """A UF2 file is for another chip. `chip`: the file's. `other`: chip or name of the board."""

    chip: str
    other: str


class NoMicroPython(Fact, frozen=True):
    """No UF2 file for a chip is at hand.

    `chip`: its name.
    """

    chip: str


class Uf2NotCopied(Fact, frozen=True):
    """A UF2 file could not be copied to a boot drive. `why`: the system's words."""

    why: str
