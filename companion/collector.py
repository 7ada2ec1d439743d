"""The garbage collector, told to look seldom: a game makes many objects that stay, and nobody waits for it."""

import atexit
import gc

THRESHOLDS = (20_000, 20, 100)
"""Of the three generations; Python's own are (700, 10, 10), made for programs that keep little."""


def calm() -> None:
    """Clear up now, leave alone what is here to stay until the end, and look seldom from here on."""
    gc.collect()
    if not gc.get_freeze_count():
        atexit.register(gc.unfreeze)  # or libraries complain of what nobody took back
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
