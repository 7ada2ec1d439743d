"""Captures without serial numbers.

A board's number is removed from its frames.
"""

from firmware.host.port_recording import Records
from firmware.wire import codec, payloads

_ID_AT = 27
"""Index of the board id's length byte in a HELLO (docs/protocol.md)."""
_LEAST = 4
"""Bytes of a board's number that would give it away in a damaged frame: a guess."""


def board_ids(records: Records) -> set[bytes]:
    """Collect serial numbers of boards that greet in a capture.

    `records`: pairs (time in s, bytes read).
    """
    found = set()
    decoder = codec.Decoder()
    for _, data in records:
        for kind, _, _, _, payload in decoder.feed(data):
            if kind == codec.HELLO and (number := _id_in(payload)):
                found.add(number)
    return found


def without_serials(records: Records) -> Records:
    """Replace each board's serial number in a capture by zeros.

    `records`: pairs (time in s, bytes read); new pairs are returned. Damaged frames that hold part of a number
    are removed. A frame that arrived in pieces gets the time of its last piece.
    """
    ids = board_ids(records)
    masked: Records = []
    chunk = b""
    for t, data in records:
        *whole, rest = (chunk + data).split(b"\0")
        chunk = rest
        out = b"".join(_masked(one, ids) + b"\0" for one in whole)
        if out:
            masked.append((t, out))
    if chunk and records and not _tells(chunk, ids):
        masked.append((records[-1][0], chunk))
    return masked


def _masked(chunk: bytes, ids: set[bytes]) -> bytes:
    """Replace serial numbers in one encoded frame, without its delimiters.

    `ids`: the numbers. A damaged frame is returned as it is, or as b"" if it holds part of a number.
    """
    if not chunk:
        return chunk
    try:
        kind, flags, seq, ack, payload = codec.decode(chunk)
    except ValueError:
        return b"" if _tells(chunk, ids) else chunk
    number = _id_in(payload) if kind == codec.HELLO else b""
    new = payload
    if number:
        new = payload[: _ID_AT + 1] + bytes(len(number)) + payload[_ID_AT + 1 + len(number) :]
    for one in ids:
        new = new.replace(one, bytes(len(one)))
        for written in (one.hex(), one.hex().upper()):
            new = new.replace(written.encode(), b"0" * len(written))
    return chunk if new == payload else codec.encode(kind, new, flags, seq, ack).strip(b"\0")


def _id_in(hello: bytes) -> bytes:
    """Board's number in a HELLO's payload, empty without one."""
    try:
        return payloads.unpack_block(hello, _ID_AT)[0]
    except ValueError:
        return b""


def _tells(chunk: bytes, ids: set[bytes]) -> bool:
    """True if damaged bytes hold part of a number, as bytes or hexadecimal digits."""
    for one in ids:
        for whole in (one, one.hex().encode(), one.hex().upper().encode()):
            pieces = (whole[at : at + _LEAST] for at in range(max(1, len(whole) - _LEAST + 1)))
            if any(piece.strip(b"\0") and piece in chunk for piece in pieces):
                return True
    return False
