"""Codec of the board link: frames, decoder, board payloads.

Board and host run the same file, so it uses the subset of Python that MicroPython 1.24 runs. docs/protocol.md
describes the layout.

>>> frame = encode(PING, b"12345678")
>>> decoder = Decoder()
>>> decoder.feed(b"noise" + frame)
[(3, 0, 0, 0, b'12345678')]
>>> decoder.bad
1
"""

import struct
from binascii import crc32

from firmware.wire.hot_loops import cobs_decode, cobs_encode

PROTOCOL_MAJOR = 1  # another major version is refused by both sides
PROTOCOL_MINOR = 2  # a higher minor version only adds what the other side may ignore

# frame types
HELLO, IDENT, PING, PONG, CREDIT, CONFIG, EVENT, SNAPSHOT, SAMPLE, CMD, RESULT, LOG, EXIT = range(1, 14)

FLAG_SEQ = 1  # seq counts in the sender's acknowledged stream
FLAG_ACK = 2  # ack names the last frame taken from the other side's acknowledged stream
FLAG_GAP = 4  # events were lost before this snapshot

MAX_PAYLOAD = 200  # bytes: a frame with its CRC must stay below 254, where COBS would cost a second byte
MAX_FRAME = MAX_PAYLOAD + 8  # bytes: four of header, four of CRC
MAX_ENCODED = MAX_FRAME + 1  # bytes: below 254 COBS adds exactly one

# bits of a station's capabilities
CAP_READER, CAP_TEXTURE, CAP_COUNT, CAP_TOUCH, CAP_BUTTON, CAP_LAMP = 1, 2, 4, 8, 16, 32
CAPABILITIES = ("reader", "texture", "count", "touch", "button", "lamp")

EV_TAG, EV_WEIGHT, EV_TOUCH, EV_BUTTON, EV_PART = 1, 2, 3, 4, 5  # kinds of EVENT
SAMPLE_TEXTURE, SAMPLE_WEIGHT, SAMPLE_LEVEL = 1, 2, 3  # kinds of SAMPLE
FAULT_NONE, FAULT_BROKEN_WIRE = 0, 1  # faults of a part that does not answer
OP_LAMP, OP_BEEP, OP_ZERO, OP_SELFTEST, OP_SNAPSHOT, OP_LEVELS = 1, 2, 3, 4, 5, 6  # operations of CMD
# keys of CONFIG
CONF_WEIGHT_SAMPLES, CONF_STEP, CONF_BAND, CONF_SCALE, CONF_ZERO, CONF_TOUCH_SHARE = 1, 2, 3, 4, 5, 6
NO_STATION = 0xFF  # station number: all stations, or none in particular
NO_LEVEL = -0x80000000  # stands for a baseline that the board does not know yet
NAME_BYTES = 15  # longest station name, in bytes of UTF-8
PART_NAME_BYTES = 60  # longest part name, in bytes of UTF-8
STATIONS_ROOM = 163  # bytes of a HELLO left for its stations: each takes three and its name
RECEIVE_RING = 512  # bytes that the board can hold unread: size of MicroPython's USB receive buffer


def encode(kind: int, payload: bytes = b"", flags: int = 0, seq: int = 0, ack: int = 0) -> bytes:
    """Encode one frame with its delimiters, ready for the port.

    `kind`: type, such as HELLO. `flags`: sum of FLAG_*. `seq`, `ack`: numbers of this and of the last accepted
    frame, modulo 256. ValueError if `payload` is longer than 200 bytes.
    """
    if len(payload) > MAX_PAYLOAD:
        raise ValueError("payload too long")
    body = bytes((kind, flags, seq & 255, ack & 255)) + payload
    # A zero in front ends any text or half frame that came before.
    stuffed: bytes = cobs_encode(body + struct.pack("<I", crc32(body) & 0xFFFFFFFF))  # type: ignore[no-untyped-call]
    return b"\0" + stuffed + b"\0"


def decode(chunk: bytes) -> tuple[int, int, int, int, bytes]:
    """Decode delimited bytes: (type, flags, seq, ack, payload).

    The bytes lie between two delimiters. ValueError if a code byte, the length or the CRC is wrong.
    """
    frame: bytes = cobs_decode(chunk)  # type: ignore[no-untyped-call]
    if not 8 <= len(frame) <= MAX_FRAME:
        raise ValueError("length")
    body = frame[:-4]
    if struct.unpack("<I", frame[-4:])[0] != crc32(body) & 0xFFFFFFFF:
        raise ValueError("crc")
    return body[0], body[1], body[2], body[3], body[4:]


class Decoder:
    """Stream decoder: bytes in, whole frames out, noise skipped.

    `frames` and `bad` count good and damaged frames. `rejected` holds the last 512 bytes of noise since the
    last good frame. A board that crashed prints its traceback there.
    """

    def __init__(self) -> None:
        self.frames = 0
        self.bad = 0
        self.rejected = bytearray()
        self._chunk = bytearray()
        self._flooded = False

    def feed(self, data: bytes) -> list[tuple[int, int, int, int, bytes]]:
        """Decode bytes from the port, and return the frames that they complete, oldest first.

        A frame is (type, flags, seq, ack, payload). Damaged frames are counted in `bad` and left out. An
        incomplete frame waits for more bytes.
        """
        out: list[tuple[int, int, int, int, bytes]] = []
        start = 0
        while True:
            end = data.find(b"\0", start)
            self._take(data[start:] if end < 0 else data[start:end])
            if end < 0:
                return out
            if self._flooded:
                self._reject(bytes(self._chunk))
            elif self._chunk:
                try:
                    out.append(decode(bytes(self._chunk)))
                    self.frames += 1
                    self.rejected = bytearray()
                except ValueError:
                    self._reject(bytes(self._chunk))
            self._chunk = bytearray()
            self._flooded = False
            start = end + 1

    def pending(self) -> bytes:
        """Bytes of the unfinished frame, since the last delimiter."""
        return bytes(self._chunk)

    def drop(self) -> None:
        """Discard the unfinished frame and the rejected bytes."""
        self._chunk = bytearray()
        self._flooded = False
        self.rejected = bytearray()

    def _take(self, part: bytes) -> None:
        self._chunk += part
        if len(self._chunk) > MAX_ENCODED:
            self._flooded = True
            self._chunk = self._chunk[-MAX_ENCODED:]

    def _reject(self, chunk: bytes) -> None:
        self.bad += 1
        self.rejected += chunk
        self.rejected = self.rejected[-512:]


def unpack(layout: str, payload: bytes, at: int = 0) -> tuple:  # type: ignore[type-arg]
    """Unpack values from a payload, from index `at` on, as `struct.unpack_from` does.

    `layout`: a format of `struct`. ValueError if the payload is too short, in CPython and on the board alike.
    """
    if at + struct.calcsize(layout) > len(payload):
        raise ValueError("payload too short")
    return struct.unpack_from(layout, payload, at)


def pack_text(text: str, limit: int) -> bytes:
    """Encode text as length byte and UTF-8.

    The text is cut to `limit` bytes.
    """
    raw = text.encode()[:limit]
    return bytes((len(raw),)) + raw


def pack_tags(uids: list[bytes]) -> bytes:
    """Encode tags: count, then each UID after its length."""
    out = bytes((len(uids),))
    for uid in uids:
        out += bytes((len(uid),)) + uid
    return out


def pack_hello(
    *,
    firmware: tuple[int, int, int],
    code_hash: int,
    boot_id: int,
    session: int,
    cause: int,
    base: int,
    t_us: int,
    board_id: bytes,
    stations: list[tuple[str, int, int]],
) -> bytes:
    """Encode HELLO, the board's identity and its stations.

    A station is (name, capability bits, bits of missing parts). `firmware`: version of the program.
    `code_hash`: of its files. `boot_id`: random at each start. `session`: the host's. `cause`: MicroPython's
    reset cause. `base`: the oldest unacknowledged number. `t_us`: the board's time (us).
    """
    out = struct.pack("<BB", PROTOCOL_MAJOR, PROTOCOL_MINOR) + bytes(firmware)
    out += struct.pack("<IIIBBQ", code_hash, boot_id, session, cause, base, t_us)
    out += bytes((len(board_id),)) + board_id + bytes((len(stations),))
    for name, caps, dead in stations:
        out += pack_text(name, NAME_BYTES) + bytes((caps, dead))
    return out


def unpack_ident(payload: bytes) -> tuple[int, int, int, int]:
    """Decode IDENT: (major, minor, session, base)."""
    major, minor, session, base = unpack("<BBIB", payload)
    return major, minor, session, base


def pack_event(kind: int, station: int, t_us: int, data: bytes) -> bytes:
    """Encode an EVENT (or SAMPLE head) at `t_us`.

    `t_us`: board time (us). `data` is the new state of station number `station`, in the layout of `kind`.
    """
    return struct.pack("<BBQ", kind, station, t_us) + data


def pack_weight(decigrams: int, raw: int, zero: int) -> bytes:
    """Encode a load: tenths of a gram above zero, mean counts (`raw`), counts at zero."""
    return struct.pack("<iii", decigrams, raw, zero)


def pack_part(caps: int, answers: bool, name: str, fault: int = FAULT_NONE) -> bytes:
    """Encode whether a part answers.

    `caps` are the capability bits that the part serves. `name` is for people, cut to 60 bytes. `fault`: one of
    FAULT_*.
    """
    return bytes((caps, answers)) + pack_text(name, PART_NAME_BYTES) + bytes((fault,))


def pack_snapshot(
    *,
    station: int,
    t_us: int,
    uids: list[bytes] | None,
    weight: tuple[int, int, int] | None,
    touched: bool | None,
    pressed: bool | None,
) -> bytes:
    """Encode SNAPSHOT: one station's state at `t_us`.

    The whole state is encoded. `t_us`: board time (us). `uids`: tags in the reader's field. `weight`: as in
    `pack_weight`. `touched`, `pressed`: electrode and button. Each is None if the station has no such part, the
    part is missing, or nothing was measured yet.
    """
    mask = 0
    data = b""
    if uids is not None:
        mask |= CAP_READER
        data += pack_tags(uids)
    if weight is not None:
        mask |= CAP_COUNT
        data += pack_weight(weight[0], weight[1], weight[2])
    if touched is not None:
        mask |= CAP_TOUCH
        data += bytes((touched,))
    if pressed is not None:
        mask |= CAP_BUTTON
        data += bytes((pressed,))
    return struct.pack("<BBQ", mask, station, t_us) + data
