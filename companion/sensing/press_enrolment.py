"""Enrols a raised picture from presses of its card."""

from collections.abc import Callable

from companion.core.clock import Clock
from companion.core.errors import SourceError
from companion.core.language import text, tr
from companion.sensing.board_source import BoardLink
from companion.sensing.press_recogniser import as_enrolled
from companion.sensing.press_segmentation import Presses
from firmware.host.messages import TextureFrame

TIMES = 3
"""TIMES: presses that enrol one card."""


ROWS_FLOAT = text("rows float: pressing one corner lights others")
"""Reason to refuse a press: the pressure matrix lacks its row resistors."""
PATIENCE_S = 60.0
"""PATIENCE_S: longest wait for the next press (s)."""


_ROUND_S = 0.02


def gather(link: BoardLink, clock: Clock, say: Callable[[str], None]) -> list[str]:
    """Collect TIMES good presses of one card, as hex digits.

    Each press has 512 digits. `say` receives the instructions to the person who presses, and why a press must
    be repeated. SourceError after PATIENCE_S without a press, or if the link has ended.
    """
    presses = Presses()
    found: list[str] = []
    say(tr("Press the card on the pad {times} times, turned each time.", times=TIMES))
    until = clock.now() + PATIENCE_S
    while len(found) < TIMES:
        if clock.now() > until or link.finished:
            raise SourceError(text("nothing was pressed"), where="pad", next_step=text("see companion doctor"))
        for message in link.poll():
            one = presses.hear(message) if isinstance(message, TextureFrame) else None
            if one is None:
                continue
            until = clock.now() + PATIENCE_S
            try:
                if one.rows_float:
                    raise ValueError(ROWS_FLOAT)
                found.append(as_enrolled(one.picture, one.rest).hex())
                say(tr("{number} of {all}", number=len(found), all=TIMES))
            except ValueError as error:
                say(tr("once more: {why}", why=error.args[0]))
        clock.sleep(_ROUND_S)
    return found[:TIMES]
