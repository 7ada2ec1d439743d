"""Finds out what runs on a port: our program, MicroPython's prompt, or nothing that answers."""

import errno
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from companion.core.clock import Clock
from companion.core.errors import without_place
from companion.core.language import text
from companion.core.sensor_terms import place_name
from firmware.host.link import Link
from firmware.host.messages import BoardLog, Connected, Disconnected
from firmware.host.ports import SerialPort, explain
from firmware.wire import codec

HANDSHAKE = 5.0
"""HANDSHAKE: longest time for a handshake (s). From its port to its HELLO a Pico takes 3.7 s: a window of 1.5,
then its imports (measured on an emulated RP2040)."""
PROMPT = 0.6
LEAVE = 0.4
NO_PROGRAM = text("MicroPython's prompt, no program runs")
OTHER_PROTOCOL, BARE_PROMPT, CRASHED = "speaks protocol", "shows its prompt", "the board's program crashed"
"""Words of the link by which a handshake is known to fail."""
PROGRAM, AT_PROMPT, SILENT, CLOSED = "program", "prompt", "silent", "closed"


@dataclass(frozen=True, slots=True)
class SurveyedPort:
    """One port. `state` is program, prompt, silent or closed; `detail` explains it in words."""

    port: str
    state: str
    detail: str = ""
    firmware: str = ""
    code_hash: int | None = None
    board_id: str = ""
    next_step: str = ""


def look(port: str, clock: Clock, *, end: bool = False) -> SurveyedPort:
    """Ask what runs there without disturbing a foreign program. With `end` our own program is told to exit."""
    try:
        SerialPort(port).close()
    except OSError as error:
        what, step = explain(error)
        if (Path(port).exists() and not Path(port).is_char_device()) or error.errno == errno.ENOTTY:
            what, step = text("not a serial port"), text("name the board's port, or leave --port out")
        return SurveyedPort(port, CLOSED, what, next_step=step)
    link = Link(port, clock)
    try:
        hello, said = await_hello(link, clock, HANDSHAKE, OTHER_PROTOCOL, BARE_PROMPT)
        if hello is not None:
            if end:
                link.leave()
                _run(link, clock, LEAVE)
            detail = text(
                "companion {version}, code {code}", version=hello.firmware, code=f"{hello.code_hash:08x}"
            )
            return SurveyedPort(port, PROGRAM, detail, hello.firmware, hello.code_hash, hello.board_id)
    finally:
        link.close()
    if OTHER_PROTOCOL in said:
        if end:
            _send_exit(port)
        return SurveyedPort(port, PROGRAM, without_place(said, port))
    return _look_for_prompt(port, clock, without_place(said, port))


def running(firmware: str, stations: tuple[str, ...]) -> str:
    """A sentence about a program that answers."""
    return text(
        "running: companion {version}, stations: {stations}",
        version=firmware,
        stations=tuple(map(place_name, stations)),
    )


def await_hello(link: Link, clock: Clock, patience: float, *hopeless: str) -> tuple[Connected | None, str]:
    """The handshake, or None, and the link's last words. Words that contain one of `hopeless` end the wait."""
    until, said = clock.now() + patience, ""
    while clock.now() < until:
        for message in link.poll():
            if isinstance(message, Connected):
                return message, said
            if isinstance(message, Disconnected):
                said = said if said.startswith(CRASHED) else message.reason
                if any(words in said for words in hopeless):
                    return None, said
            elif isinstance(message, BoardLog) and message.level == 2:
                said = message.text
        clock.sleep(0.02)
    return None, said


def _look_for_prompt(port: str, clock: Clock, said: str) -> SurveyedPort:
    try:
        line = SerialPort(port)
    except OSError as error:
        return SurveyedPort(port, CLOSED, explain(error)[0])
    try:
        # Ctrl-B, because a prompt takes the handshake for Ctrl-A. No Ctrl-C, because a foreign program may run
        # here.
        line.write(b"\r\x02\r\n")
        heard, until = b"", clock.now() + PROMPT
        while clock.now() < until:
            heard += line.read()
            if heard.endswith(b">>> "):
                return SurveyedPort(port, AT_PROMPT, NO_PROGRAM)
            clock.sleep(0.02)
    except OSError as error:
        return SurveyedPort(port, CLOSED, explain(error)[0])
    finally:
        line.close()
    return SurveyedPort(port, SILENT, said or text("nothing answers"))


def _send_exit(port: str) -> None:
    """End a program of another protocol: the number of EXIT has never changed."""
    with suppress(OSError):
        line = SerialPort(port)
        line.write(codec.encode(codec.EXIT))
        line.close()


def _run(link: Link, clock: Clock, seconds: float) -> None:
    until = clock.now() + seconds
    while clock.now() < until:
        link.poll()
        clock.sleep(0.02)
