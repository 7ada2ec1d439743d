"""A virtual board and a link in step on one clock: the same run every time, over a pty or in memory."""

import time

from firmware.host.link import Link
from firmware.host.messages import Message
from firmware.simulator.virtual_board import SteppedBoard


def step(board: SteppedBoard, link: Link, now: float, *, patience: float = 1.0) -> list[Message]:
    """Run the board up to `now`, then the host, and wait until neither has bytes on the way to it.

    The kernel delivers over a pty in its own time; that wait is real, at most `patience` seconds
    each way, and changes nothing in the run. Call with the clock of both at `now`.
    """
    board.step(now)
    messages = link.poll()
    limit = time.monotonic() + patience
    while link.received < board.delivered and time.monotonic() < limit:
        time.sleep(0.0002)
        messages += link.poll()
    board.await_bytes(link.sent, patience)
    return messages
