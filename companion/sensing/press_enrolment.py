"""Enrols a raised picture from presses of its card."""

from collections.abc import Callable

from companion.core.clock import Clock
from companion.core.errors import SourceError
from companion.core.language import text, tr
from companion.sensing.board_source import BoardLink
from companion.sensing.parameters import TEXTURE
from companion.sensing.press_recogniser import as_enrolled
from companion.sensing.press_segmentation import Presses
from firmware.host.messages import TextureFrame

ROWS_FLOAT = text("rows float: pressing one corner lights others")
"""Why a press is refused: the pressure matrix lacks its row resistors."""


def gather(link: BoardLink, clock: Clock, say: Callable[[str], None]) -> list[str]:
    """Collect good presses of one card, 512 hex digits each.

    Their number is `TEXTURE.enrolling_presses`. `say` receives instructions for the person who presses, and why
    a press must be repeated. SourceError after `TEXTURE.patience_s` without a press, or if the link has ended.
    """
    presses = Presses()
    found: list[str] = []
    say(tr("Press the card on the pad {times} times, turned each time.", times=TEXTURE.enrolling_presses))
    until = clock.now() + TEXTURE.patience_s
    while len(found) < TEXTURE.enrolling_presses:
        if clock.now() > until or link.finished:
            raise SourceError(text("nothing was pressed"), where="pad", next_step=text("see companion doctor"))
        for message in link.poll():
            one = presses.hear(message) if isinstance(message, TextureFrame) else None
            if one is None:
                continue
            until = clock.now() + TEXTURE.patience_s
            try:
                if one.rows_float:
                    raise ValueError(ROWS_FLOAT)
                found.append(as_enrolled(one.picture, one.rest).hex())
                say(tr("{number} of {all}", number=len(found), all=TEXTURE.enrolling_presses))
            except ValueError as error:
                say(tr("once more: {why}", why=error.args[0]))
        clock.sleep(TEXTURE.round_s)
    return found[: TEXTURE.enrolling_presses]
