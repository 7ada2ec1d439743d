"""Steps a virtual board and a link on one clock.

Results are repeatable.
"""

import time

from firmware.host.link import Link
from firmware.host.messages import Message
from firmware.simulator.virtual_board import SteppedBoard


def step(board: SteppedBoard, link: Link, now: float, *, patience: float = 1.0) -> list[Message]:
    """Run the board, then the link, until no byte is on its way; return the link's messages.

    `now`: time (s), which the clocks of both must show. A pty delivers in real time, but waiting for it (at
    most `patience` seconds each way) changes nothing.
    """
    board.step(now)
    messages = link.poll()
    limit = time.monotonic() + patience
    while link.received < board.delivered and time.monotonic() < limit:
        time.sleep(0.0002)
        messages += link.poll()
    board.await_bytes(link.sent, patience)
    return messages
