"""Hot loops of the board in plain Python, for hosts and boards without viper.

MicroPython subset. `firmware.board.viper` has the same functions as machine code.
"""


def cobs_encode(data: bytes) -> bytes:
    """Encode `data` without zero bytes (COBS: Cheshire and Baker, 1999).

    Up to 253 bytes it grows by one byte.
    """
    size = len(data)
    out = bytearray(size + 1)
    out[1:] = data
    at = 0
    while True:
        end = data.find(b"\0", at)
        if end < 0:
            end = size
        if end - at >= 254:
            return _encode_runs(data)
        # A code byte replaces the zero before each run.
        out[at] = end - at + 1
        if end == size:
            return bytes(out)
        at = end + 1


def _encode_runs(data: bytes) -> bytes:
    out = bytearray()
    for run in data.split(b"\0"):
        at = 0
        while len(run) - at >= 254:
            out += b"\xff" + run[at : at + 254]
            at += 254
        out.append(len(run) - at + 1)
        out += run[at:]
    return bytes(out)


def cobs_decode(chunk: bytes) -> bytes:
    """Decode COBS bytes; ValueError if `cobs_encode` cannot have made them."""
    size = len(chunk)
    out = bytearray(chunk)
    at = 0
    while at < size:
        code = chunk[at]
        if code == 255:
            return _decode_runs(chunk)
        if code == 0 or at + code > size:
            raise ValueError("cobs")
        out[at] = 0
        at += code
    return bytes(out[1:])


def _decode_runs(chunk: bytes) -> bytes:
    out = bytearray()
    at = 0
    size = len(chunk)
    while at < size:
        code = chunk[at]
        end = at + code
        if code == 0 or end > size:
            raise ValueError("cobs")
        out += chunk[at + 1 : end]
        at = end
        if code < 255 and at < size:
            out.append(0)
    return bytes(out)


def crc_a(buffer: bytes, start: int, end: int) -> int:
    """CRC_A of `buffer[start:end]` (ISO 14443-3, annex B).

    Its low byte is sent first.
    """
    crc = 0x6363
    for at in range(start, end):
        mixed = buffer[at] ^ crc & 0xFF
        mixed ^= (mixed << 4) & 0xFF
        crc = (crc >> 8) ^ (mixed << 8) ^ (mixed << 3) ^ (mixed >> 4)
    return crc


def raise_to(peak: bytearray, frame: bytearray) -> None:
    """Raise each byte of `peak` to that of `frame` if this is higher; both have equal lengths."""
    for at in range(len(frame)):
        peak[at] = max(peak[at], frame[at])
