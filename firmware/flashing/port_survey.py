"""Finds out what runs on a port.

That is our program, MicroPython's prompt, or nothing.
"""

import errno
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from firmware.clock import Clock
from firmware.host.link import Link
from firmware.host.messages import BoardLog, Connected, Disconnected
from firmware.host.ports import SerialPort, explain
from firmware.reasons import ClosedMeanwhile, Fact, OtherProtocol, OwnProgram, ProgramCrashed, Reason, Simple
from firmware.wire import codec

HANDSHAKE_S = 5.0
"""Longest time (s) for a handshake.
A Pico takes 3.7 s from its port to its HELLO (emulated RP2040)."""
PROMPT_S = 0.6  # longest time (s) for a prompt to answer a key: a guess
LEAVE_S = 0.4  # time (s) for an EXIT to reach the board: a guess
PROGRAM, AT_PROMPT, SILENT, CLOSED = "program", "prompt", "silent", "closed"


@dataclass(frozen=True, slots=True)
class SurveyedPort:
    """Port, and what runs on it.

    `state`: "program", "prompt", "silent" or "closed". `detail` explains it. `firmware`, `code_hash`,
    `board_id`: version, hash and serial number of our program's board. Unless our program answered they are
    "", None and "".
    """

    port: str
    state: str
    detail: Reason | str
    firmware: str = ""
    code_hash: int | None = None
    board_id: str = ""


def look(port: str, clock: Clock, *, end: bool = False) -> SurveyedPort:
    """Find out what runs on a port.

    A foreign program is not disturbed. It waits up to HANDSHAKE_S for our program and PROMPT_S for a prompt.
    `end`: tell our own program to exit.
    """
    try:
        SerialPort(port).close()
    except OSError as error:
        foreign = (Path(port).exists() and not Path(port).is_char_device()) or error.errno == errno.ENOTTY
        return SurveyedPort(port, CLOSED, Simple.NOT_SERIAL if foreign else explain(error))
    link = Link(port, clock)
    try:
        hello, said = await_hello(link, clock, HANDSHAKE_S, OtherProtocol, Simple.AT_PROMPT)
        if hello is not None:
            if end:
                link.leave()
                _run(link, clock, LEAVE_S)
            detail = OwnProgram(hello.firmware, hello.code_hash)
            return SurveyedPort(port, PROGRAM, detail, hello.firmware, hello.code_hash, hello.board_id)
    finally:
        link.close()
    if isinstance(said, OtherProtocol):
        if end:
            _send_exit(port)
        return SurveyedPort(port, PROGRAM, said)
    return _look_for_prompt(port, clock, said)


def await_hello(
    link: Link, clock: Clock, patience: float, *hopeless: Simple | type[Fact]
) -> tuple[Connected | None, Reason | str]:
    """Poll a link until the greeting, at most `patience` seconds.

    Returns (greeting or None, last error of the link; "" for none). `hopeless`: reasons, or
    types of reasons, that end the wait at once.
    """
    said: Reason | str = ""
    until = clock.now() + patience
    while clock.now() < until:
        for message in link.poll():
            if isinstance(message, Connected):
                return message, said
            if isinstance(message, Disconnected):
                said = said if isinstance(said, ProgramCrashed) else message.cause
                if said in hopeless or type(said) in hopeless:
                    return None, said
            elif isinstance(message, BoardLog) and message.level == 2:
                said = message.text
        clock.sleep(0.02)
    return None, said


def _look_for_prompt(port: str, clock: Clock, said: Reason | str) -> SurveyedPort:
    """Find out whether a port shows a prompt.

    One harmless key tells. `said`: what the link reported before; it is the detail of a silent port.
    """
    try:
        line = SerialPort(port)
    except OSError as error:
        return SurveyedPort(port, CLOSED, ClosedMeanwhile(explain(error)))
    try:
        # Ctrl-B, because a prompt takes the byte 1 of a handshake for Ctrl-A. No Ctrl-C, because a foreign
        # program may run here.
        line.write(b"\r\x02\r\n")
        heard, until = b"", clock.now() + PROMPT_S
        while clock.now() < until:
            heard += line.read()
            if heard.endswith(b">>> "):
                return SurveyedPort(port, AT_PROMPT, Simple.NO_PROGRAM)
            clock.sleep(0.02)
    except OSError as error:
        return SurveyedPort(port, CLOSED, ClosedMeanwhile(explain(error)))
    finally:
        line.close()
    return SurveyedPort(port, SILENT, said or Simple.NOTHING_ANSWERS)


def _send_exit(port: str) -> None:
    """End the board's program on a port.

    The program may even be of another protocol version. The number of EXIT never changes.
    """
    with suppress(OSError):
        line = SerialPort(port)
        line.write(codec.encode(codec.EXIT))
        line.close()


def _run(link: Link, clock: Clock, seconds: float) -> None:
    """Poll a link for `seconds`, and discard its messages."""
    until = clock.now() + seconds
    while clock.now() < until:
        link.poll()
        clock.sleep(0.02)
