"""A headless Chromium that opens pages, says when they were drawn, and takes pictures of them."""

import asyncio
import base64
import contextlib
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
LONGEST_S = 60.0
"""LONGEST_S: longest wait for the browser (s)."""


def chromium() -> str:
    """Path of the browser; empty if there is none."""
    return next(filter(None, map(shutil.which, NAMES)), "")


class Tab:
    """One page of the browser."""

    def __init__(self, socket: Any) -> None:
        self._socket, self._number = socket, 0

    async def call(self, method: str, **parameters: Any) -> Any:
        """A method of the DevTools protocol, and its result."""
        self._number += 1
        await self._socket.send_json({"id": self._number, "method": method, "params": parameters})
        while True:
            told = await asyncio.wait_for(self._socket.receive_json(), LONGEST_S)
            if told.get("id") == self._number:
                return told.get("result", {})

    async def value(self, expression: str) -> Any:
        """The value of a JavaScript expression; a promise is waited for."""
        told = await self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        return told.get("result", {}).get("value")

    async def wait_for(self, expression: str) -> Any:
        """The value of an expression as soon as it is true; TimeoutError if it never is."""
        async with asyncio.timeout(LONGEST_S):
            while not (found := await self.value(expression)):
                await asyncio.sleep(0.02)
            return found

    async def size(self, width: int, height: int, *, scale: float = 1.0, touch: bool = False) -> None:
        """Lay pages out for a screen of this size (CSS px)."""
        await self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=scale,
            mobile=touch,
        )
        await self.call("Emulation.setTouchEmulationEnabled", enabled=touch)

    async def open(self, address: str) -> None:
        """Go to an address."""
        await self.call("Page.navigate", url=address)

    async def picture(self, path: Path) -> None:
        """What is on the screen, as PNG."""
        told = await self.call("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(told["data"]))


@contextlib.asynccontextmanager
async def browser_tab(program: str, *arguments: str) -> AsyncIterator[Tab]:
    """A fresh browser with nothing in its cache, and a tab of it."""
    import aiohttp

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [
                *(program, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"),
                *("--hide-scrollbars", f"--user-data-dir={profile}", *arguments, "about:blank"),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            port = await _port(Path(profile) / "DevToolsActivePort")
            async with aiohttp.ClientSession() as http:
                async with http.get(f"http://127.0.0.1:{port}/json") as reply:
                    pages = [one for one in await reply.json() if one["type"] == "page"]
                async with http.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                    yield Tab(socket)
        finally:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
            process.kill()
            process.wait()


async def _port(file: Path) -> int:
    async with asyncio.timeout(LONGEST_S):
        while True:
            with contextlib.suppress(OSError, ValueError, IndexError):
                return int(file.read_text(encoding="ascii").splitlines()[0])
            await asyncio.sleep(0.05)
