"""Models of ISO 15693-3 tags in a reader's field."""

HIGH_RATE, INVENTORY, AFI, ONE_SLOT, ADDRESSED = 0x02, 0x04, 0x10, 0x20, 0x20
INVENTORY_REQUEST, STAY_QUIET = 0x01, 0x02
UNASKED = -1


def crc_15693(data: bytes) -> bytes:
    """CRC of `data` (ISO 15693-3, annex C), low byte first.

    Polynomial 0x8408, preset 0xFFFF, inverted (ISO 13239).
    """
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ 0x8408 if crc & 1 else crc >> 1
    crc ^= 0xFFFF
    return bytes((crc & 0xFF, crc >> 8))


class VicinityTag:
    """Tag of ISO 15693, which answers from farther away.

    `uid`: 8 bytes as printed: E0, maker, serial number; ValueError for another UID. A tag that is not
    `well_placed` is not heard until it is moved. `quiet`: True after a Stay quiet request.
    """

    def __init__(self, uid: bytes) -> None:
        if len(uid) != 8 or uid[0] != 0xE0:
            raise ValueError("a UID has 8 bytes and begins with E0")
        self.uid = uid
        self.well_placed = True
        self.heard = True
        self.quiet = False
        self._air = bytes(reversed(uid))
        self._said = self._air
        self._slots_left = UNASKED

    def power_up(self, shifted: bool) -> None:
        """Start the tag in a new field, without earlier state.

        `shifted`: the tag sends its UID one byte out of step.
        """
        self.quiet = False
        self._slots_left = UNASKED
        self._said = self._air[6:7] + self._air[:6] + self._air[7:] if shifted else self._air

    def request(self, frame: bytes) -> bytes | None:
        """Receive a reader's frame.

        `frame`: bytes with CRC. Returns the answer with CRC if it is due at once, else None.
        """
        self._slots_left = UNASKED
        if len(frame) < 4 or crc_15693(frame[:-2]) != frame[-2:]:
            return None
        flags = frame[0]
        if flags & INVENTORY:
            return self._inventory(flags, frame)
        if frame[1] == STAY_QUIET and flags & ADDRESSED and frame[2:-2] == self._air:
            self.quiet = True
        return None

    def end_of_frame(self) -> bytes | None:
        """Receive an end of frame alone, which begins the next time slot of an inventory.

        Returns the tag's answer with CRC if the slot is this tag's, else None.
        """
        if self._slots_left < 0:
            return None
        self._slots_left -= 1
        return self._answer() if self._slots_left == 0 else None

    def _inventory(self, flags: int, frame: bytes) -> bytes | None:
        # A reader could not read an answer at the low rate. Tags without an AFI ignore requests with one.
        if frame[1] != INVENTORY_REQUEST or self.quiet or flags & AFI or not flags & HIGH_RATE:
            return None
        bits = frame[2]
        if bits > (64 if flags & ONE_SLOT else 60) or len(frame) != 5 + (bits + 7) // 8:
            return None
        for at in range(bits):
            if (frame[3 + at // 8] ^ self._air[at // 8]) >> (at % 8) & 1:
                return None
        if flags & ONE_SLOT:
            return self._answer()
        self._slots_left = 0
        for at in range(4):
            self._slots_left |= (self._air[(bits + at) // 8] >> ((bits + at) % 8) & 1) << at
        return self._answer() if self._slots_left == 0 else None

    def _answer(self) -> bytes:
        self._slots_left = UNASKED
        body = b"\x00\x00" + self._said
        return body + crc_15693(body)
