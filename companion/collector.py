"""The garbage collector, told to look seldom: a game makes many objects that stay, and nobody waits for it."""

import gc

THRESHOLDS = (20_000, 20, 100)
"""Of the three generations; Python's own are (700, 10, 10), made for programs that keep little."""


def calm() -> None:
    """Clear up now, leave alone what is here to stay, and look seldom from here on."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
