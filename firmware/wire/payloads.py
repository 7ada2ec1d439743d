"""Host's half of payloads: decode board frames, encode IDENT.

`firmware.wire.codec` has the board's half; docs/protocol.md describes both. ValueError means a payload that is
too short.
"""

import struct

from firmware.wire import codec


def unpack_block(payload: bytes, at: int) -> tuple[bytes, int]:
    """Decode a block (length byte, then bytes) at `at`.

    The length byte stands at index `at`. Returns (bytes, index behind the block). ValueError if the payload is
    too short.
    """
    size = codec.unpack("<B", payload, at)[0]
    at += 1
    if at + size > len(payload):
        raise ValueError("payload too short")
    return bytes(payload[at : at + size]), at + size


def one_line(text: str) -> str:
    """Text of a board as one line: white space becomes spaces, unprintable characters question marks."""
    return "".join([char if char.isprintable() else " " if char.isspace() else "?" for char in text])


def unpack_text(payload: bytes, at: int) -> tuple[str, int]:
    """Decode a text at `at`: (one-line text, index behind it).

    Bytes that are not UTF-8, or were cut within a letter, become question marks.
    """
    raw, at = unpack_block(payload, at)
    try:
        text = raw.decode()
    except ValueError:
        text = "".join([chr(b) if b < 128 else "?" for b in raw])
    return one_line(text), at


def unpack_tags(payload: bytes, at: int) -> tuple[list[bytes], int]:
    """Decode the list of tags at a payload's index `at`.

    Returns the tags' UIDs, and the index after the list.
    """
    count = codec.unpack("<B", payload, at)[0]
    at += 1
    uids = []
    for _ in range(count):
        uid, at = unpack_block(payload, at)
        uids.append(uid)
    return uids, at


def unpack_hello(payload: bytes) -> tuple:  # type: ignore[type-arg]
    """Decode HELLO, the board's identity and its stations.

    The fields are (major, minor, firmware, code_hash, boot_id, session, cause, base, t_us, board_id, stations),
    as in `codec.pack_hello`. For another major version only the first two are returned.
    """
    major, minor = codec.unpack("<BB", payload)
    if major != codec.PROTOCOL_MAJOR:
        return (major, minor)
    firmware = codec.unpack("<BBB", payload, 2)
    code_hash, boot_id, session, cause, base, t_us = codec.unpack("<IIIBBQ", payload, 5)
    board_id, at = unpack_block(payload, 27)
    count = codec.unpack("<B", payload, at)[0]
    at += 1
    stations = []
    for _ in range(count):
        name, at = unpack_text(payload, at)
        caps, dead = codec.unpack("<BB", payload, at)
        at += 2
        stations.append((name, caps, dead))
    return (major, minor, firmware, code_hash, boot_id, session, cause, base, t_us, board_id, stations)


def pack_ident(session: int, base: int, name: str) -> bytes:
    """Encode IDENT: the host's protocol, `session`, `base` and a name of at most 24 bytes.

    `session` is a random number of this host process. `base` is the oldest unacknowledged number.
    """
    return struct.pack("<BBIB", codec.PROTOCOL_MAJOR, codec.PROTOCOL_MINOR, session, base) + codec.pack_text(
        name, 24
    )


def unpack_event(payload: bytes) -> tuple[int, int, int, bytes]:
    """Decode an EVENT or SAMPLE: (kind, station number, board time in us, data)."""
    kind, station, t_us = codec.unpack("<BBQ", payload)
    return kind, station, t_us, payload[10:]


def unpack_part(data: bytes) -> tuple[int, bool, str, int]:
    """Decode a PART event: (capability bits, True if it answers, name for people, fault).

    The bytes: one of capabilities, one that is 0 or 1, the name (see `unpack_text`), one with the fault. Boards
    before protocol 1.2 send no fault, which gives codec.FAULT_NONE.
    """
    caps, answers = codec.unpack("<BB", data)
    name, at = unpack_text(data, 2)
    return caps, bool(answers), name, data[at] if at < len(data) else codec.FAULT_NONE


def unpack_level(data: bytes) -> tuple[str, int, int | None, int, float, int, int]:
    """Decode a raw level: (capability, value, baseline, threshold, noise, detail, readings).

    The baseline is None while unknown. ValueError for an unknown capability.
    """
    bit, value, baseline, threshold, noise, detail, readings = codec.unpack("<Biiiiih", data)
    parts = [name for at, name in enumerate(codec.CAPABILITIES) if bit == 1 << at]
    if not parts:
        raise ValueError(f"no such part: {bit}")
    known = None if baseline == codec.NO_LEVEL else baseline
    return parts[0], value, known, threshold, noise / 256, detail, readings


def unpack_snapshot(payload: bytes) -> tuple:  # type: ignore[type-arg]
    """Decode SNAPSHOT: (station number, board time in us, UIDs, weight, touched, pressed).

    The weight is (tenths of a gram, counts, counts at zero). A field that the board left out is None.
    """
    mask, station, t_us = codec.unpack("<BBQ", payload)
    at = 10
    uids = weight = touched = pressed = None
    if mask & codec.CAP_READER:
        uids, at = unpack_tags(payload, at)
    if mask & codec.CAP_COUNT:
        weight = codec.unpack("<iii", payload, at)
        at += 12
    if mask & codec.CAP_TOUCH:
        touched = bool(codec.unpack("<B", payload, at)[0])
        at += 1
    if mask & codec.CAP_BUTTON:
        pressed = bool(codec.unpack("<B", payload, at)[0])
    return station, t_us, uids, weight, touched, pressed
