"""Steps a virtual board and a link on one clock.

Results are repeatable.
"""

import time

from firmware.host.link import Link
from firmware.host.messages import Message
from firmware.simulator.virtual_board import SteppedBoard

_PATIENCE_S = 1.0
"""_PATIENCE_S: longest wait (s) for bytes on their way through a pty. A guess."""


def step(board: SteppedBoard, link: Link, now: float) -> list[Message]:
    """Run the board, then the link, until no byte is on its way; return the link's messages.

    `now`: time (s), which the clocks of both must show. A pty delivers in real time, but waiting for it (at
    most _PATIENCE_S each way) changes nothing.
    """
    board.step(now)
    messages = link.poll()
    limit = time.monotonic() + _PATIENCE_S
    while link.received < board.delivered and time.monotonic() < limit:
        time.sleep(0.0002)
        messages += link.poll()
    board.await_bytes(link.sent, _PATIENCE_S)
    return messages
