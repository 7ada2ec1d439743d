"""HELLO of a board, for hosts under test."""

from typing import Any

from firmware.wire import codec


def packed_hello(**fields: Any) -> bytes:
    """HELLO of a board with one button, in session 77; `fields` (see `pack_hello`) stand instead of its own."""
    usual = {
        "firmware": (0, 1, 0),
        "code_hash": 0,
        "boot_id": 5,
        "session": 77,
        "cause": 1,
        "base": 0,
        "t_us": 0,
        "board_id": b"b",
        "stations": [("pad", codec.CAP_BUTTON, 0)],
    }
    return codec.pack_hello(**usual | fields)
