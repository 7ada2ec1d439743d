# mypy: ignore-errors
"""MFRC522 reader: the UIDs of the tags in its field, two at once told apart, never waiting for ever.

Registers and commands after NXP's data sheet MFRC522 rev. 3.9, chapter 9 and 10; the tag's side after
ISO 14443-3 type A.
"""

COMMAND, COM_IRQ, DIV_IRQ, ERROR, FIFO_DATA, FIFO_LEVEL = 0x01, 0x04, 0x05, 0x06, 0x09, 0x0A
CONTROL, BIT_FRAMING, COLL, MODE, TX_CONTROL, TX_ASK = 0x0C, 0x0D, 0x0E, 0x11, 0x14, 0x15
CRC_HIGH, CRC_LOW, RF_CFG, T_MODE, T_PRESCALER, T_RELOAD_H, T_RELOAD_L, VERSION = (
    0x21,
    0x22,
    0x26,
    0x2A,
    0x2B,
    0x2C,
    0x2D,
    0x37,
)
IDLE, CALC_CRC, TRANSCEIVE, SOFT_RESET = 0x00, 0x03, 0x0C, 0x0F
REQA, HALT = 0x26, 0x50
CASCADE = (0x93, 0x95, 0x97)

OK, SILENT, COLLIDED, FAULT = 0, 1, 2, 3

GENUINE = (0x91, 0x92)
FIELD_UP_US = 5000  # a tag needs 5 ms of field before it must answer (ISO 14443-3, 5.2)


class Mfrc522:
    """One reader on a chip select of the SPI bus."""

    def __init__(self, spi, hal):
        self.spi = spi
        self.hal = hal
        self.version = 0
        self._two = bytearray(2)

    def start(self):
        """Reset and set up; False when nothing that looks like an MFRC522 answers."""
        self._write(COMMAND, SOFT_RESET)
        self.hal.sleep_us(1000)
        self.version = self._read(VERSION)
        if self.version in (0x00, 0xFF):
            return False
        self._write(T_MODE, 0x80)  # the timer starts by itself at the end of each transmission
        self._write(T_PRESCALER, 0xA9)  # 13.56 MHz / (2 * 169 + 1) = 40 kHz: 25 us a tick
        self._write(T_RELOAD_H, 0)
        self._write(T_RELOAD_L, 80)  # 2 ms: an answer starts within 100 us
        self._write(TX_ASK, 0x40)
        self._write(MODE, 0x3D)  # CRC preset 0x6363, as ISO 14443-3 wants
        self._write(COLL, 0)  # bits after a collision read as zero
        self._write(RF_CFG, 0x60)  # 43 dB: sleeves cost range
        return True

    def genuine(self):
        """Whether the version is a known one; crippled clones say 0x12."""
        return self.version in GENUINE

    def field(self, on):
        """Switch the antenna; without it every tag forgets its state."""
        value = self._read(TX_CONTROL)
        self._write(TX_CONTROL, value | 3 if on else value & ~3)

    def present(self):
        """Whether the chip still answers as it did at the start."""
        return self._read(VERSION) == self.version

    def scan(self, limit):
        """Up to `limit` UIDs in the field; each tag read is put to sleep so that the next one speaks."""
        found = []
        for _ in range(limit):
            status, _data = self._transceive(bytes((REQA,)), 7, 0)
            if status not in (OK, COLLIDED):
                break
            uid = self._select()
            if uid is None:
                break
            found.append(uid)
            self._halt()
        return found

    def _select(self):
        uid = b""
        for level in CASCADE:
            part = self._anticollision(level)
            if part is None:
                return None
            frame = bytes((level, 0x70)) + part
            crc = self._crc(frame)
            if crc is None:
                return None
            status, sak = self._transceive(frame + crc, 0, 0)
            if status != OK or len(sak) != 3 or self._crc(sak[:1]) != sak[1:]:
                return None
            if not sak[0] & 4:
                return uid + part[:4]
            uid += part[1:4]  # the first byte was the cascade tag 0x88
        return None

    def _anticollision(self, level):
        """The five bytes of one cascade level, or None. After a collision, the tags with a one there."""
        status, data = self._transceive(bytes((level, 0x20)), 0, 0)
        if status == COLLIDED:
            where = self._read(COLL)
            if where & 0x20:
                return None
            # Only the first collision's position is used: what it counts from in later rounds
            # differs between chips, and a pad that holds three tags is not read anyway.
            known = (where & 0x1F) or 32
            whole, extra = known // 8, known % 8
            head = bytearray(data[: whole + (1 if extra else 0)])
            if len(head) * 8 < known:
                return None
            head[(known - 1) // 8] |= 1 << ((known - 1) % 8)
            frame = bytes((level, ((2 + whole) << 4) | extra)) + bytes(head)
            status, rest = self._transceive(frame, extra, extra)
            if status != OK or not rest:
                return None
            if extra:
                data = (
                    bytes(head[:whole])
                    + bytes((head[whole] & ((1 << extra) - 1) | rest[0] & 0xFF << extra & 0xFF,))
                    + rest[1:]
                )
            else:
                data = bytes(head) + rest
        elif status != OK:
            return None
        if len(data) != 5 or data[0] ^ data[1] ^ data[2] ^ data[3] ^ data[4]:
            return None
        return data

    def _halt(self):
        frame = bytes((HALT, 0))
        crc = self._crc(frame)
        if crc is not None:
            self._transceive(frame + crc, 0, 0)  # silence is the right answer

    def _transceive(self, out, last_bits, align):
        """(status, answer); over in 10 ms whatever the chip does."""
        self._write(COMMAND, IDLE)
        self._write(COM_IRQ, 0x7F)
        self._write(FIFO_LEVEL, 0x80)
        self._write_fifo(out)
        self._write(BIT_FRAMING, align << 4 | last_bits)
        self._write(COMMAND, TRANSCEIVE)
        self._write(BIT_FRAMING, 0x80 | align << 4 | last_bits)
        for _ in range(100):
            irq = self._read(COM_IRQ)
            if irq & 0x30:
                break
            if irq & 0x01:
                return SILENT, b""
            self.hal.sleep_us(100)
        else:
            self._write(COMMAND, IDLE)
            return FAULT, b""
        error = self._read(ERROR)
        if error & 0x13:
            return FAULT, b""
        data = self._read_fifo(self._read(FIFO_LEVEL))
        return (COLLIDED if error & 8 else OK), data

    def _crc(self, data):
        """CRC_A by the chip's coprocessor, low byte first; None when it does not finish."""
        self._write(COMMAND, IDLE)
        self._write(DIV_IRQ, 0x04)
        self._write(FIFO_LEVEL, 0x80)
        self._write_fifo(data)
        self._write(COMMAND, CALC_CRC)
        for _ in range(50):
            if self._read(DIV_IRQ) & 0x04:
                self._write(COMMAND, IDLE)
                return bytes((self._read(CRC_LOW), self._read(CRC_HIGH)))
            self.hal.sleep_us(20)
        return None

    def _read(self, register):
        self._two[0] = register << 1 | 0x80
        self._two[1] = 0
        self.spi.transfer(self._two)
        return self._two[1]

    def _write(self, register, value):
        self._two[0] = register << 1
        self._two[1] = value & 0xFF
        self.spi.transfer(self._two)

    def _write_fifo(self, data):
        self.spi.transfer(bytearray((FIFO_DATA << 1,)) + data)

    def _read_fifo(self, count):
        if not count:
            return b""
        # Each byte sent is the address of the next one read.
        frame = bytearray([FIFO_DATA << 1 | 0x80] * count + [0])
        self.spi.transfer(frame)
        return bytes(frame[1:])
