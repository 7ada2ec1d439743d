"""This process: whether whoever started it still lives, and how often its garbage collector looks."""

import atexit
import contextlib
import gc
import os
import stat
import sys
from collections.abc import Callable

GC_THRESHOLDS = (20_000, 20, 100)
"""Objects and rounds until each of the three generations is collected.

Python's own are (700, 10, 10), made for programs that keep little.
"""


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


def calm() -> None:
    """Clear up now, leave alone what is here to stay until the end, and look seldom from here on."""
    gc.collect()
    if not gc.get_freeze_count():
        atexit.register(gc.unfreeze)  # or libraries complain of what nobody took back
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
