"""Says the reasons of `firmware`: each has its sentence here, and its next step if there is one."""

from companion.core.errors import BadInputError, SourceError
from companion.core.files import name_fault
from companion.core.language import text
from companion.core.printable import printable
from companion.core.sensor_terms import place_name
from companion.sensing.reason_words import ReasonWords, Words
from firmware import errors, reasons
from firmware.reasons import Reason, Simple

HOW = text("hold the button BOOTSEL on the board while you plug it in, then run this again")
"""What to do so that MicroPython gets onto a new board."""
NO_PROGRAM = text("MicroPython's prompt, no program runs")
_PLUG_IN = text("plug the board in, or name its port")
_RESET = text("press the board's reset button or plug it in again")
_SEVERAL = text("several boards found: {names}")
_ROOM = text("remove files of your own from it (mpremote ls, mpremote rm) and run this again")
_ODD = text("plug the board in again and run this again")
_DOWNLOAD = text("download it again from micropython.org/download")
_MEND = text("mend it, see docs/board.md")


def _again(one: reasons.CannotReach) -> tuple[str, str]:
    what, next_step = parts_of(one.why)
    return what, text("{what}; then run this again", what=next_step)


def _protocol(one: reasons.OtherProtocol) -> tuple[str, str]:
    its = f"{one.major}.{one.minor}"
    said = text("the board speaks protocol {its}, this program {ours}", its=its, ours=one.ours)
    return said, "companion flash" if one.major < one.ours else text("update companion")


def _copying(one: reasons.Copying) -> str:
    said = text("copy {path} ({name}, {chip}) to {drive}")
    if one.planned:
        said = text("would copy {path} ({name}, {chip}) to {drive}, then write the board's program")
    name = f"MicroPython {one.version}".strip()
    return said.of(path=one.path, name=name, chip=one.chip, drive=one.drive)


WORDS: Words = {
    reasons.At: lambda one: _SPOKEN.placed(one.reason, one.where),
    # Ports
    Simple.NO_BOARD: (text("no board found"), _PLUG_IN),
    reasons.SeveralBoards: (_SEVERAL, _PLUG_IN),
    reasons.SeveralBoardsToOpen: (_SEVERAL, text("name one of them")),
    reasons.SeveralBoardsToFlash: (_SEVERAL, text("name one of them with --port")),
    reasons.OtherDevice: (text("the board is not there; {name} is another device now"), _PLUG_IN),
    reasons.BadPortName: lambda one: (
        name_fault(one.name) or text("no name of a file"),
        text("name a serial port, a capture, or 'auto'"),
    ),
    Simple.NO_SUCH_PORT: (text("no such port"), text("plug the board in, or name another port")),
    Simple.NO_PORT_TO_OPEN: (text("no such port"), text("plug the board in, or use 'auto'")),
    Simple.NO_PORT_TO_FLASH: (text("no such port"), text("plug the board in, or leave --port out")),
    Simple.NO_PERMISSION: (
        text("no permission to open the port"),
        text("add yourself to the group dialout and log in again"),
    ),
    Simple.PORT_IN_USE: (text("the port is in use by another program"), text("close the other program")),
    Simple.PORT_VANISHED: (text("the port vanished"), text("check the cable")),
    reasons.PortFault: lambda one: (one.why, text("check the cable and the port's name")),
    Simple.PORT_IS_FOLDER: (text("a folder, not a port"), text("name a serial port or a capture")),
    Simple.NOT_SERIAL: (text("not a serial port"), text("name the board's port, or leave --port out")),
    reasons.ClosedMeanwhile: lambda one: (parts_of(one.why)[0], text("plug the board in again")),
    # Links
    Simple.RECORDING_OVER: text("the recording is over"),
    Simple.STARTED_AGAIN: text("the board started again"),
    Simple.NUMBERING_LOST: text("the numbering was lost; everything is read anew"),
    Simple.AT_PROMPT: (text("the board shows its prompt, no program runs on it"), _RESET),
    Simple.CRASHED: (text("the board's program crashed"), _RESET),
    Simple.PORT_SILENT: (
        text("nothing on this port answers"),
        text("check that it is the board's port"),
    ),
    reasons.NoPongs: (text("no answer to {n} pings"), text("check the cable")),
    reasons.OtherProtocol: _protocol,
    reasons.ProgramCrashed: text("the board's program crashed: {said}"),
    reasons.LeftOutOfLog: text("left out of the board's log: {lines} lines"),
    # Captures
    Simple.CAPTURE_EXISTS: (text("this capture exists already"), text("choose another name")),
    reasons.CaptureUnwritable: lambda one: (one.why, text("check the folder")),
    reasons.CaptureUnreadable: lambda one: (one.why, text("name a capture file")),
    reasons.CaptureOfOtherVersion: (
        text("'{line}' is a version this program does not read"),
        text("use the program that recorded it"),
    ),
    Simple.NO_CAPTURE: (text("not a capture"), text("name a file recorded from a port")),
    reasons.RecordDamaged: (text("record {number} is damaged"), text("use another recording")),
    reasons.RecordCut: (
        text("cut off in record {number}"),
        text("copy the file again, or shorten it to its whole records"),
    ),
    # What runs on a port
    Simple.NO_PROGRAM: NO_PROGRAM,
    Simple.NOTHING_ANSWERS: text("nothing answers"),
    reasons.OwnProgram: lambda one: text(
        "companion {version}, code {code}", version=one.version, code=f"{one.code:08x}"
    ),
    reasons.Running: lambda one: text(
        "running: companion {version}, stations: {stations}",
        version=one.version,
        stations=tuple(map(place_name, one.stations)),
    ),
    # Remarks about a board, and steps of its installation
    Simple.NOT_A_PICO: text("not a Pico: compare its pins with the rig file"),
    Simple.PICO_W: text("a Pico W is supported; its radio is not used"),
    Simple.SUPPORTED: text("this board is supported"),
    reasons.BoardFound: lambda one: f"MicroPython {one.micropython}, {one.machine}: {words_of(one.remark)}",
    Simple.RESTARTING: text("restarting"),
    Simple.NO_PROMPT_YET: text("no prompt yet: unplug the board and plug it in again"),
    reasons.Removing: text("remove {name}"),
    reasons.Writing: text("write {name} ({number} of {all})"),
    reasons.Verified: lambda one: text(
        "verified: {files} files, code {code}", files=one.files, code=f"{one.code:08x}"
    ),
    reasons.RigVerified: text("verified: {name}"),
    reasons.NothingToWrite: lambda one: text(
        "nothing to write: code {code} is complete", code=f"{one.code:08x}"
    ),
    reasons.WouldRemove: lambda one: f"would remove {one.name}",
    reasons.WouldWrite: lambda one: f"would write {one.name} ({one.size} bytes)",
    reasons.WouldRemoveFolder: lambda one: f"would remove the empty folder {one.name}",
    reasons.WouldLeave: lambda one: f"would leave {one.files} files that are right already",
    reasons.WouldRenew: text("would restart {port} into its boot loader and copy {path} to it"),
    reasons.UpToDate: text("MicroPython {version} is on it already: {path} is not needed"),
    reasons.Copying: _copying,
    # Boards that cannot be flashed
    Simple.NO_BOARD_TO_FLASH: (
        text("no board found"),
        text("plug it in; if MicroPython is not on it yet: {how}", how=HOW),
    ),
    reasons.OtherKindOfBoard: (
        text("a board of another kind ({kind})"),
        text("plug in a Raspberry Pi Pico, or name its port with --port"),
    ),
    reasons.OldMicroPython: (
        text("MicroPython {version} is too old, 1.24 is the oldest that will do"),
        text("hold BOOTSEL while plugging it in and run: companion flash --uf2 FILE"),
    ),
    reasons.UnknownPico: (
        text("no Pico whose header this program knows ({kind})"),
        text("plug in a Pico, Pico W, Pico 2 or Pico 2 W with MicroPython for its Arm cores, or add --force"),
    ),
    Simple.FOREIGN_PROGRAM: (
        text("another program is on this board (main.py)"),
        text("to replace it, run this again with --force"),
    ),
    Simple.NOT_OUR_PROGRAM: (text("this program is not on the board"), "companion flash"),
    reasons.InstalledBut: lambda one: (
        text("installed, but {what}", what=parts_of(one.why)[0]),
        text("unplug the board and plug it in; then: companion doctor"),
    ),
    Simple.NO_GREETING: text("the program does not answer"),
    reasons.LastCrash: lambda one: f"the program crashed: {printable(one.said)}",
    reasons.OtherCode: lambda one: (
        text(
            "the board reports code {code} instead of {expected}",
            code=f"{one.code:08x}",
            expected=f"{one.expected:08x}",
        ),
        text("run this again"),
    ),
    Simple.NOT_KEPT: (
        text("the board did not keep what was written"),
        text("run this again; if it stays, the flash is worn out"),
    ),
    reasons.TooLittleRoom: (
        text("the board's flash is full: {needed} KB are needed, {free} are free"),
        _ROOM,
    ),
    Simple.BOARD_FULL: (text("the board's flash is full"), _ROOM),
    Simple.NO_PROMPT: (
        "nothing on this port comes to a prompt",
        "unplug the board, plug it in and run this again",
    ),
    reasons.CannotReach: _again,
    reasons.SenselessAnswer: lambda one: (f"an answer that makes no sense: {one.said!r}", _ODD),
    reasons.BoardSays: (text("the board says: {said}"), _ODD),
    Simple.BOARD_SAYS_ERROR: (text("the board says: an error"), _ODD),
    reasons.OddPrompt: (text("the prompt does not answer as it should ({why})"), _ODD),
    Simple.NO_DRIVE: (
        text("the board went into its boot loader, but no drive came"),
        text("unplug it, and {how}", how=HOW),
    ),
    reasons.NotMounted: (
        text("a board waits for MicroPython, but its drive is not mounted"),
        text("run: udisksctl mount -b {device}, then this again"),
    ),
    reasons.SeveralDrives: (
        text("several boards wait for MicroPython: {names}"),
        text("unplug all but one"),
    ),
    Simple.NO_PORT_CAME: (
        text("MicroPython was copied, but no serial port came"),
        text("unplug the board, plug it in without the button and run this again"),
    ),
    # Rig and UF2 files
    reasons.RigUnreadable: lambda one: (one.why, text("name a rig file, see docs/board.md")),
    reasons.RigNoJson: (text("not JSON ({why})"), _MEND),
    reasons.RigFaults: lambda one: ("; ".join(one.faults), _MEND),
    reasons.Uf2Unreadable: lambda one: (one.why, text("name a UF2 file from micropython.org/download")),
    Simple.NO_UF2: (text("not a UF2 file"), _DOWNLOAD),
    Simple.UF2_CUT_IN_BLOCK: (text("cut in the middle of a block"), _DOWNLOAD),
    reasons.Uf2Damaged: (text("block {at} is damaged"), _DOWNLOAD),
    reasons.Uf2OfOtherFamily: (
        text("not for a Raspberry Pi Pico (family {named})"),
        text("take the one for Pico or Pico 2"),
    ),
    reasons.Uf2Cut: (text("cut: {count} of {all} blocks"), _DOWNLOAD),
    reasons.Uf2ForOtherChip: (
        text("made for {chip}, the board has {other}"),
        text("take the file for this board"),
    ),
    reasons.NoMicroPython: (
        text("no MicroPython at hand for {chip}"),
        text("download the UF2 from micropython.org/download and name it: --uf2 FILE"),
    ),
    reasons.Uf2NotCopied: lambda one: (
        one.why,
        text("plug the board in again with BOOTSEL held and run this again"),
    ),
}
"""Reason given by `firmware` -> what it means, and the next step."""


_SPOKEN: ReasonWords = ReasonWords(
    WORDS,
    errors.FirmwareError,
    {errors.UnusableError: BadInputError, errors.BoardError: SourceError},
)
told, in_words = _SPOKEN.told, _SPOKEN.in_words


def words_of(reason: Reason | str) -> str:
    """Reason as a sentence for people, with next step.

    Words that are no reason stay as they are.
    """
    return _SPOKEN.of(reason)


def parts_of(reason: Reason | str) -> tuple[str, str]:
    """(what a reason means, next step).

    The step is "" if there is none.
    """
    return _SPOKEN.parts(reason)
