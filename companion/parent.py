"""Whether whoever started this process still lives: parts of the program end with the whole."""

import contextlib
import os
import stat
import sys
from collections.abc import Callable


def parent_watch(pid: int | None = None) -> Callable[[], bool]:
    """A question to ask now and then: by process id if given, and by the end of a piped standard input."""
    try:
        piped = stat.S_ISFIFO(os.fstat(sys.stdin.fileno()).st_mode)
    except (OSError, ValueError, AttributeError):
        piped = False
    if piped:
        os.set_blocking(sys.stdin.fileno(), False)

    def alive() -> bool:
        if pid is not None:
            try:
                os.kill(pid, 0)
            except OSError:
                return False
        if piped:
            with contextlib.suppress(BlockingIOError):
                return bool(os.read(sys.stdin.fileno(), 4096))
        return True

    return alive
