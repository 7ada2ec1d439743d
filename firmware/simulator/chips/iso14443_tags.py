"""Models of ISO 14443-3 type A tags in reader fields."""

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
    """Split a UID into the cascade levels of ISO 14443-3, of five bytes each.

    `uid`: 4 bytes give one level, 7 two, 10 three. The last byte of a level is its check byte. All levels but
    the last begin with the cascade tag 0x88.
    """
    parts = []
    while len(uid) > 4:
        parts.append(b"\x88" + uid[:3])
        uid = uid[3:]
    parts.append(uid)
    return [part + bytes((part[0] ^ part[1] ^ part[2] ^ part[3],)) for part in parts]


class Tag:
    """Tag with a UID of 4, 7 (NTAG213) or 10 bytes; ValueError for another length.

    A tag that is `frozen`, or not `well_placed`, is not heard where it lies. `state`: IDLE, READY, ACTIVE or
    HALTED. `level`: cascade level that is selected next.
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
        """Start the tag in a new field, in state IDLE.

        `uid`: what the tag sends this time.
        """
        self.state = IDLE
        self.level = 0
        self.levels = cascade(uid)

    def answer(self, frame: bytes, bits: int) -> tuple[bytes, int] | None:
        """Answer to a reader's frame.

        `frame`: its bytes. `bits`: number of its bits. Returns (bytes, number of leading bits that are not
        sent); None for silence.
        """
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
        """Answer to an anticollision or select frame of the present cascade level.

        Returns (bytes, number of leading bits that are not sent); None if the frame is not for this tag.
        """
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
