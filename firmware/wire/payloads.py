"""The host's half of the payloads: decodes a board's frames, and encodes the host's greeting.

The board's half is in `firmware.wire.codec`; docs/protocol.md describes both.
"""

import struct

from firmware.wire import codec


def unpack_block(payload: bytes, at: int) -> tuple[bytes, int]:
    """(bytes, index after them) of a block with a length byte."""
    size = codec.unpack("<B", payload, at)[0]
    at += 1
    if at + size > len(payload):
        raise ValueError("payload too short")
    return bytes(payload[at : at + size]), at + size


def unpack_text(payload: bytes, at: int) -> tuple[str, int]:
    """(text, index after it); truncated or invalid UTF-8 becomes question marks."""
    raw, at = unpack_block(payload, at)
    try:
        text = raw.decode()
    except ValueError:
        text = "".join([chr(b) if b < 128 else "?" for b in raw])
    return text, at


def unpack_tags(payload: bytes, at: int) -> tuple[list[bytes], int]:
    """(UIDs, index after them)."""
    count = codec.unpack("<B", payload, at)[0]
    at += 1
    uids = []
    for _ in range(count):
        uid, at = unpack_block(payload, at)
        uids.append(uid)
    return uids, at


def unpack_hello(payload: bytes) -> tuple:  # type: ignore[type-arg]
    """(major, minor, firmware, code_hash, boot_id, session, cause, base, t_us, board_id, stations).

    For another major version only the first two are defined; the rest is left out.
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
    """IDENT: the host's protocol, its session (one per process), its oldest unacknowledged number."""
    return struct.pack("<BBIB", codec.PROTOCOL_MAJOR, codec.PROTOCOL_MINOR, session, base) + codec.pack_text(
        name, 24
    )


def unpack_event(payload: bytes) -> tuple[int, int, int, bytes]:
    """(kind, station, t_us, data)."""
    kind, station, t_us = codec.unpack("<BBQ", payload)
    return kind, station, t_us, payload[10:]


def unpack_part(data: bytes) -> tuple[int, bool, str, int]:
    """(capability bits, whether it answers, name for people, fault) of a PART event's data.

    A board before protocol 1.2 names no fault.
    """
    caps, answers = codec.unpack("<BB", data)
    name, at = unpack_text(data, 2)
    return caps, bool(answers), name, data[at] if at < len(data) else codec.FAULT_NONE


def unpack_level(data: bytes) -> tuple[str, int, int | None, int, float, int, int]:
    """(capability, value, baseline, threshold, noise, detail, readings) of a level; ValueError for another
    part."""
    bit, value, baseline, threshold, noise, detail, readings = codec.unpack("<Biiiiih", data)
    parts = [name for at, name in enumerate(codec.CAPABILITIES) if bit == 1 << at]
    if not parts:
        raise ValueError(f"no such part: {bit}")
    known = None if baseline == codec.NO_LEVEL else baseline
    return parts[0], value, known, threshold, noise / 256, detail, readings


def unpack_snapshot(payload: bytes) -> tuple:  # type: ignore[type-arg]
    """(station, t_us, uids, (decigrams, raw, zero), touched, pressed); None for parts that are not there."""
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
