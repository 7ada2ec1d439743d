"""The set-up on the page: the wizard runs in a child process, and tells its state in lines of JSON."""

import asyncio
import base64
import contextlib
import json
from collections.abc import Callable
from typing import Any

import msgspec

from companion.core.child_python import companion_command
from companion.core.language import current, text
from companion.core.printable import printable
from companion.core.supervised_process import BAD_INPUT

LINE_BYTES = 1 << 20
"""Largest line (bytes) of the setup wizard's process.

A line with a picture has some 60,000 bytes. A longer one ends the wizard.
"""
END_S = 15.0
"""How long (s) the setup wizard may take to end, because it finishes its step first. A guess."""


class SetupAct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a person does in the page's setup wizard.

    `act`: "enter", "no", "skip", "leave", "choose" or "close". `text`: what the person typed, if asked. `name`:
    the step to "choose".
    """

    act: str
    text: str = ""
    name: str = ""


class HostedSetup:
    """Setup wizard on the web page, in a child process.

    `on`: True while it runs. `changed`: called without arguments after each line that it prints, and when it
    has ended.
    """

    def __init__(self) -> None:
        self.on = False
        self.picture = b""
        """Newest camera picture of the wizard, as JPEG; b"" for none."""
        self.pictures = 0
        """Number of pictures that came so far. By it a page notices a new one."""
        self.said = ""
        """Why the wizard ended although nobody closed it, as a sentence; "" otherwise."""
        self.changed: Callable[[], None] = lambda: None
        self._state: dict[str, Any] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None

    async def begin(self, *, virtual: bool, game: str, variant: str) -> None:
        """Start the wizard for a game and variant.

        A running wizard ends first. `virtual`: at a virtual table, else at the real one.
        """
        await self.end()
        table = ["--table", "virtual"] if virtual else []
        self._process = await asyncio.create_subprocess_exec(
            *companion_command("setup", "--lines", "--game", game, "--variant", variant, *table),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=LINE_BYTES,
            start_new_session=True,
        )
        self.on, self.said, self.picture, self._state = True, "", b"", {}
        self._reading = asyncio.ensure_future(self._read(self._process))

    def act(self, act: SetupAct) -> None:
        """Tell the wizard what a person did.

        Nothing happens if it does not run.
        """
        if self._process is not None and self._process.stdin is not None and self.on:
            with contextlib.suppress(ConnectionError):
                self._process.stdin.write(msgspec.json.encode(act) + b"\n")

    async def end(self) -> None:
        """End the wizard. Results of finished steps stay."""
        self.on, self.picture = False, b""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), END_S)
        except TimeoutError:
            process.kill()
            await process.wait()
        if self._reading is not None:
            self._reading.cancel()

    def page(self) -> dict[str, Any]:
        """Wizard's state in the reader's language, as plain values.

        The key "picture" is the number of its newest picture, 0 for none. Before the wizard's first line there
        is no other key.
        """
        state: dict[str, Any] = self._state.get(current().code, {})
        return state | {"picture": self.pictures if self.picture else 0}

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        """Read the wizard's lines until it ends, then note why it ended."""
        assert process.stdout is not None
        assert process.stderr is not None
        complaint = asyncio.ensure_future(_last_line(process.stderr))
        with contextlib.suppress(ValueError):  # a line that is too long, or no JSON: such a wizard is of no use
            while line := await process.stdout.readline():
                told = json.loads(line)
                self._state = told.get("state", self._state)
                if "picture" in told:
                    self.picture = base64.b64decode(told["picture"])
                    self.pictures += 1
                self.changed()
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        status, said = await process.wait(), await complaint
        if self._process is process:
            self.on, self._process, self.picture = False, None, b""
            said = printable(said.removeprefix("companion: "))
            self.said = said if status == BAD_INPUT else text("The set-up has ended: {why}", why=said)
            self.changed()


async def _last_line(stream: asyncio.StreamReader) -> str:
    """Read a process's output to its end; return the last line.

    It is cut to 300 letters; "" without output.
    """
    kept = b""
    while data := await stream.read(4096):
        kept = (kept + data)[-4096:]
    lines = kept.decode(errors="replace").strip().splitlines()
    return lines[-1][:300] if lines else ""
