"""ISO 14443-3 type A tags in a field: their states, and the overlap of several answers."""

IDLE, READY, ACTIVE, HALTED = range(4)


def crc_a(data: bytes) -> bytes:
    """CRC_A of ISO 14443-3 annex B, low byte first."""
    crc = 0x6363
    for byte in data:
        mixed = byte ^ crc & 0xFF
        mixed ^= (mixed << 4) & 0xFF
        crc = (crc >> 8) ^ (mixed << 8) ^ (mixed << 3) ^ (mixed >> 4)
    return bytes((crc & 0xFF, crc >> 8))


def cascade(uid: bytes) -> list[bytes]:
    """The five bytes of each cascade level: one level for UIDs of 4 bytes, two for 7, three for 10."""
    parts = []
    while len(uid) > 4:
        parts.append(b"\x88" + uid[:3])
        uid = uid[3:]
    parts.append(uid)
    return [part + bytes((part[0] ^ part[1] ^ part[2] ^ part[3],)) for part in parts]


class Tag:
    """One sticker: NTAG213 with 7 bytes of UID, or any tag with 4 or 10.

    A tag that is `frozen`, or not `well_placed`, is not heard as long as it stays where it lies.
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
        """The field came on. `uid` is what the tag will send this time."""
        self.state = IDLE
        self.level = 0
        self.levels = cascade(uid)

    def answer(self, frame: bytes, bits: int) -> tuple[bytes, int] | None:
        """The reply to `frame` of `bits` bits as (bytes, number of leading bits to skip), or None."""
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
