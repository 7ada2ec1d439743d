"""Models of ISO 14443-3 type A tags in a reader's field."""

IDLE, READY, ACTIVE, HALTED = range(4)


def crc_a(data: bytes) -> bytes:
    """CRC_A of `data` (ISO 14443-3, annex B), low byte first."""
    crc = 0x6363
    for byte in data:
        mixed = byte ^ crc & 0xFF
        mixed ^= (mixed << 4) & 0xFF
        crc = (crc >> 8) ^ (mixed << 8) ^ (mixed << 3) ^ (mixed >> 4)
    return bytes((crc & 0xFF, crc >> 8))


def cascade(uid: bytes) -> list[bytes]:
    """Five bytes of each cascade level: one level for a UID of 4 bytes, two for 7, three for 10.

    The last byte is the check byte.
    """
    parts = []
    while len(uid) > 4:
        parts.append(b"\x88" + uid[:3])
        uid = uid[3:]
    parts.append(uid)
    return [part + bytes((part[0] ^ part[1] ^ part[2] ^ part[3],)) for part in parts]


class Tag:
    """Tag with a UID of 4, 7 (NTAG213) or 10 bytes; ValueError for another length.

    A tag that is `frozen`, or not `well_placed`, is not heard where it lies.
    """

    def __init__(self, uid: bytes) -> None:
        if len(uid) not in (4, 7, 10):
            raise ValueError("a UID has 4, 7 or 10 bytes")
        self.uid = uid
        self.well_placed = True
        self.frozen = False
        self.heard = True
        self.state = IDLE
        self.level = 0
        self.levels = cascade(uid)

    def power_up(self, uid: bytes) -> None:
        """Start in a new field.

        `uid` is what the tag sends this time.
        """
        self.state = IDLE
        self.level = 0
        self.levels = cascade(uid)

    def answer(self, frame: bytes, bits: int) -> tuple[bytes, int] | None:
        """Answer to a frame of `bits` bits: (bytes, leading bits to skip), None for silence."""
        if bits == 7 and frame[0] in (0x26, 0x52):
            if self.state == IDLE or (self.state == HALTED and frame[0] == 0x52):
                self.state = READY
                self.level = 0
                return b"\x44\x00", 0
            if self.state != HALTED:
                self.state = IDLE
            return None
        if self.state == READY and len(frame) >= 2 and frame[0] == 0x93 + 2 * self.level:
            return self._select(frame, bits)
        if frame[:2] == b"\x50\x00" and self.state == ACTIVE:
            self.state = HALTED
        return None

    def _select(self, frame: bytes, bits: int) -> tuple[bytes, int] | None:
        mine = self.levels[self.level]
        if frame[1] == 0x70:
            if frame[2:7] != mine or frame[7:9] != crc_a(frame[:7]):
                self.state = IDLE
                return None
            self.level += 1
            last = self.level == len(self.levels)
            if last:
                self.state = ACTIVE
            sak = b"\x00" if last else b"\x04"
            return sak + crc_a(sak), 0
        known = (frame[1] >> 4) * 8 + (frame[1] & 7) - 16
        if known < 0 or known + 16 != bits:
            return None
        for at in range(known):
            if (frame[2 + at // 8] ^ mine[at // 8]) >> (at % 8) & 1:
                self.state = IDLE
                return None
        return mine, known
