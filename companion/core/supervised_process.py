"""Program parts as child processes, which end with this one."""

import contextlib
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Self

from companion.core.child_python import companion_command
from companion.core.language import tr

DEATHS, DEATHS_WITHIN_S = 3, 60.0
"""After DEATHS deaths within DEATHS_WITHIN_S (s) a child is not started again. A guess: a fault that returns
does so within seconds."""
BAD_INPUT = 2
"""Exit status for bad input: another start would not help."""


class Part:
    """A child process that runs a command of this program.

    It ends with this process.

    If it dies it is started again, except after bad input, and not after DEATHS deaths within
    DEATHS_WITHIN_S.
    """

    def __init__(
        self,
        arguments: list[str],
        log: Path,
        again: Callable[[], list[str]] | None = None,
        *,
        keep: int | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start the child. `log` receives its output.

        `again` gives the arguments of the next start; None: never start again. `keep`: file descriptor that
        stays open in the child. `now`: a clock (s).
        """
        self._keep = () if keep is None else (keep,)
        self._name = f"companion {arguments[0]}"
        self._log = log
        self._output = log.open("wb")
        self._again = again
        self._now = now
        self._deaths: deque[float] = deque(maxlen=DEATHS)
        """Times (s) of the last deaths."""
        self._ending = False
        self._starting = threading.Lock()
        """Held while a child is started again, or while it is decided that none is any more."""
        self._process = self._start(arguments)

    def _start(self, arguments: list[str]) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            companion_command(*arguments),
            stdin=subprocess.PIPE,  # its end of file tells the child that we are gone, even if killed
            stdout=self._output,
            stderr=subprocess.STDOUT,
            pass_fds=self._keep,
            start_new_session=True,  # Ctrl-C in the terminal belongs to the dashboard
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._starting:
            self._ending = True
        self._process.terminate()
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._output.close()

    @property
    def pid(self) -> int:
        """Process id of the child that runs now."""
        return self._process.pid

    def tell_when_failed(self, tell: Callable[[], object], well: Callable[[], object] = lambda: None) -> None:
        """Call `tell` once the child has failed for good, or `well` once it has ended without error.

        Either runs in a thread of its own.
        """

        def wait() -> None:
            while status := self._process.wait():
                with self._starting:
                    if self._ending:
                        return
                    if status != BAD_INPUT and self._again and not self._died_too_often():
                        # A machine without room for another process gives up this part.
                        with contextlib.suppress(OSError):
                            self._process = self._start(self._again())
                            continue
                # The screen may not have begun or may just have ended. The complaint is read anyway.
                with contextlib.suppress(RuntimeError):
                    tell()
                return
            if not self._ending:
                well()

        threading.Thread(target=wait, daemon=True).start()

    def _died_too_often(self) -> bool:
        """Note a death.

        True if the child is not to be started again.
        """
        self._deaths.append(self._now())
        return self.gave_up

    @property
    def gave_up(self) -> bool:
        """True if the child died too often, so that it is not started again."""
        return len(self._deaths) == DEATHS and self._deaths[-1] - self._deaths[0] <= DEATHS_WITHIN_S

    def complaint(self) -> str:
        """Last line of output of a child that failed. "" for one that did not."""
        if not self._process.poll():
            return ""
        if self._process.returncode < 0:
            return tr(
                "{command} was killed (signal {number}); what was recorded is safe",
                command=self._name,
                number=-self._process.returncode,
            )
        lines = self._log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        last = lines[-1] if lines else ""
        if last.startswith("companion: "):
            return last.removeprefix("companion: ")
        return tr("{command} ended with status {number}", command=self._name, number=self._process.returncode)
