"""Steps a virtual board and a link on one clock, over a pty or in memory, with the same result every time."""

import time

from firmware.host.link import Link
from firmware.host.messages import Message
from firmware.simulator.virtual_board import SteppedBoard


def step(board: SteppedBoard, link: Link, now: float, *, patience: float = 1.0) -> list[Message]:
    """Run the board up to `now`, then the host, and wait until no bytes are on their way.

    The kernel delivers over a pty in real time; that wait, at most `patience` seconds each way, does not change
    the run. Call with the clock of both at `now`.
    """
    board.step(now)
    messages = link.poll()
    limit = time.monotonic() + patience
    while link.received < board.delivered and time.monotonic() < limit:
        time.sleep(0.0002)
        messages += link.poll()
    board.await_bytes(link.sent, patience)
    return messages
