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
    """Base of the reasons that have values."""


Reason = Fact | Simple


class At(Fact, frozen=True):
    """Reason with the port or file that it is about."""

    where: str
    reason: Reason | str


# Ports


class SeveralBoards(Fact, frozen=True):
    """Names of the ports of boards of which one must be chosen."""

    names: tuple[str, ...]


class SeveralBoardsToOpen(Fact, frozen=True):
    """Names of the ports of boards, where a link to one of them is wanted."""

    names: tuple[str, ...]


class SeveralBoardsToFlash(Fact, frozen=True):
    """Names of the ports of boards, where one of them is to be flashed."""

    names: tuple[str, ...]


class OtherDevice(Fact, frozen=True):
    """Port that another device has now."""

    name: str


class BadPortName(Fact, frozen=True):
    """Name that neither a port nor a file can have."""

    name: str


class PortFault(Fact, frozen=True):
    """Port that fails for a reason that only the system names."""

    why: str


class ClosedMeanwhile(Fact, frozen=True):
    """Port that failed while it was examined."""

    why: "Reason | str"


# Links


class OtherProtocol(Fact, frozen=True):
    """Version of a board's protocol, and the major version that this program speaks."""

    major: int
    minor: int
    ours: int


class NoPongs(Fact, frozen=True):
    """Number of pings that a board did not answer."""

    n: int


class ProgramCrashed(Fact, frozen=True):
    """Last line that a board's program printed when it crashed."""

    said: str


class LeftOutOfLog(Fact, frozen=True):
    """Number of lines of a board's log that were too many."""

    lines: int


# Captures


class CaptureUnwritable(Fact, frozen=True):
    """Capture that the system does not write."""

    why: str


class CaptureUnreadable(Fact, frozen=True):
    """Capture that the system does not read."""

    why: str


class CaptureOfOtherVersion(Fact, frozen=True):
    """First line of a capture that another version wrote."""

    line: str


class RecordDamaged(Fact, frozen=True):
    """Number of a capture's first damaged record, from 1."""

    number: int


class RecordCut(Fact, frozen=True):
    """Number of a capture's last record, which is incomplete, from 1."""

    number: int


# What runs on a port


class OwnProgram(Fact, frozen=True):
    """Our program, with its version and the hash of its code."""

    version: str
    code: int


class Running(Fact, frozen=True):
    """Our program, which has greeted: its version, and the names of its stations."""

    version: str
    stations: tuple[str, ...]


# Steps of an installation


class BoardFound(Fact, frozen=True):
    """MicroPython's version on a board, its name of the board, and a remark about it."""

    micropython: str
    machine: str
    remark: Simple


class Removing(Fact, frozen=True):
    """File that is removed from a board."""

    name: str


class Writing(Fact, frozen=True):
    """File that is written to a board, and its number of all."""

    name: str
    number: int
    all: int


class Verified(Fact, frozen=True):
    """Number of files that are right on a board, and the hash of their code."""

    files: int
    code: int


class RigVerified(Fact, frozen=True):
    """Rig file that is right on a board."""

    name: str


class NothingToWrite(Fact, frozen=True):
    """Hash of the code that is complete on a board already."""

    code: int


class WouldRemove(Fact, frozen=True):
    """File that an installation would remove."""

    name: str


class WouldWrite(Fact, frozen=True):
    """File that an installation would write, and its size (bytes)."""

    name: str
    size: int


class WouldRemoveFolder(Fact, frozen=True):
    """Empty folder that an installation would remove."""

    name: str


class WouldLeave(Fact, frozen=True):
    """Number of files that an installation would leave."""

    files: int


class WouldRenew(Fact, frozen=True):
    """Port of a board that would get a UF2 file."""

    port: str
    path: str


class UpToDate(Fact, frozen=True):
    """Version of MicroPython that a UF2 file has, and the board already."""

    version: str
    path: str


class Copying(Fact, frozen=True):
    """UF2 file that is copied to a boot drive; `planned`: it would be, and then the program."""

    path: str
    version: str
    chip: str
    drive: str
    planned: bool


# Boards that cannot be flashed


class OtherKindOfBoard(Fact, frozen=True):
    """Board that is no Pico, by the name that it gives."""

    kind: str


class OldMicroPython(Fact, frozen=True):
    """Version of MicroPython that is too old."""

    version: str


class UnknownPico(Fact, frozen=True):
    """Pico whose header is unknown, by the name that it gives."""

    kind: str


class InstalledBut(Fact, frozen=True):
    """Board on which everything was installed, but whose program does not greet."""

    why: "Reason | str"


class LastCrash(Fact, frozen=True):
    """Last line of the crash file of a program that stays off."""

    said: str


class OtherCode(Fact, frozen=True):
    """Hash of the code that a board reports, and of the code that was installed."""

    code: int
    expected: int


class TooLittleRoom(Fact, frozen=True):
    """Room (KB) that an installation needs, and that a board has."""

    needed: int
    free: int


class CannotReach(Fact, frozen=True):
    """Prompt that was lost, and must be reached again."""

    why: "Reason | str"


class SenselessAnswer(Fact, frozen=True):
    """Beginning of an answer of the prompt that makes no sense."""

    said: str


class BoardSays(Fact, frozen=True):
    """Error that the prompt reports."""

    said: str


class OddPrompt(Fact, frozen=True):
    """Prompt that does not follow its protocol."""

    why: str


class NotMounted(Fact, frozen=True):
    """Device of a boot drive that is not mounted."""

    device: str


class SeveralDrives(Fact, frozen=True):
    """More than one drive of a board in its boot loader is mounted: which one is meant is unknown."""

    names: tuple[str, ...]


# Rig and UF2 files


class RigUnreadable(Fact, frozen=True):
    """Rig file that the system does not read."""

    why: str


class RigNoJson(Fact, frozen=True):
    """Rig file that is no JSON."""

    why: str


class RigFaults(Fact, frozen=True):
    """Faults of a rig file."""

    faults: tuple[str, ...]


class Uf2Unreadable(Fact, frozen=True):
    """UF2 file that the system does not read."""

    why: str


class Uf2Damaged(Fact, frozen=True):
    """Number of a UF2 file's first damaged block."""

    at: int


class Uf2OfOtherFamily(Fact, frozen=True):
    """Families of chips that a UF2 file is for."""

    named: str


class Uf2Cut(Fact, frozen=True):
    """Number of blocks in a UF2 file, of all that it should have."""

    count: int
    all: int


class Uf2ForOtherChip(Fact, frozen=True):
    """Chip that a UF2 file is for, and the chip or name of the board."""

    chip: str
    other: str


class NoMicroPython(Fact, frozen=True):
    """Chip for which no UF2 file is at hand."""

    chip: str


class Uf2NotCopied(Fact, frozen=True):
    """Boot drive that the system does not write."""

    why: str
