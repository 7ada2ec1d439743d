# mypy: ignore-errors
"""MFRC522 reader: UIDs of the tags in its field, without blocking.

Registers and commands: NXP's data sheet MFRC522 rev. 3.9, chapters 8.1, 9 and 10. Frames and times of tags: ISO
14443-3 type A.
"""

from firmware.wire.hot_loops import const, crc_a

_COMMAND = const(0x1)
_COM_IRQ = const(0x4)
_ERROR = const(0x6)
_FIFO_DATA = const(0x9)
_FIFO_LEVEL = const(0xA)
_BIT_FRAMING = const(0xD)
_COLL = const(0xE)
_MODE = const(0x11)
_TX_CONTROL = const(0x14)
_TX_ASK = const(0x15)
_RF_CFG = const(0x26)
_T_MODE = const(0x2A)
_T_PRESCALER = const(0x2B)
_T_RELOAD_H = const(0x2C)
_T_RELOAD_L = const(0x2D)
_VERSION = const(0x37)
_IDLE = const(0x0)
_TRANSCEIVE = const(0xC)
_SOFT_RESET = const(0xF)
_REQA = const(0x26)
_HALT = const(0x50)
_CASCADE_TAG = const(0x88)

_OK = const(0)
_SILENT = const(1)
_COLLIDED = const(2)
_FAULT = const(3)

GENUINE = (0x91, 0x92)  # versions of NXP's own chips (data sheet, VersionReg)
_LIMIT = const(3)  # tags a scan: a field rarely feeds more than two
_TIMER_TICKS = const(26)  # ticks of 9.96 us: a tag answers within 86 us of the frame (ISO 14443-3), or never
_POLLS = const(12)  # looks at the chip before it counts as hung: a guess
_POLL_US = const(60)  # between two looks
# Longest time from a frame's start to the end of its answer (ISO 14443-3).
# A bit takes 9.44 us. A byte has a parity bit, a frame two bits around it.
_REQA_US = const(370)
_COLLISION_US = const(730)
_SELECT_US = const(1150)
_HALT_US = const(450)


class Mfrc522:
    """MFRC522 at one chip select of the SPI bus.

    `found` holds the tags of the last scan: a length byte, then the UID. `garbled` is True if a tag answered
    but could not be read.
    """

    NAME = "MFRC522"
    FIELD_UP_US = 5000  # a tag needs 5 ms of field before it answers (ISO 14443-3, 5.2)

    def __init__(self, spi, hal):
        self.spi = spi
        self.hal = hal
        self.version = 0
        self.warning = ""
        self.found = [bytearray(11) for _ in range(_LIMIT)]
        self.garbled = False
        self.transfers = 0  # SPI transfers of the last whole scan
        self._moved = 0
        self._count = 0
        self._got = 0  # bytes of the last answer
        self._last = 0
        self._scanning = False
        self._clean = False
        self._two = bytearray(2)
        self._status = bytearray(5)
        # Exchanges happen in place, so each length has a buffer with an address byte.
        self._out = [bytearray(size + 1) for size in range(10)]
        self._in = [bytearray(size + 1) for size in range(6)]
        self._part = bytearray(5)  # one cascade level of a UID, with its check byte

    def start(self):
        """Reset and set up the chip.

        False if nothing like an MFRC522 answers.
        """
        self._scanning = self._clean = False
        self._write(_COMMAND, _SOFT_RESET)
        for _ in range(10):
            self.hal.sleep_us(1000)
            if not self._read(_COMMAND) & 0x10:  # PowerDown bit, until the oscillator runs
                break
        self.version = self._read(_VERSION)
        if self.version in (0x00, 0xFF):
            return False
        self._write(_T_MODE, 0x80)  # the timer starts after each transmission
        self._write(_T_PRESCALER, 67)  # 13.56 MHz / (2 * 67 + 1): 9.96 us a tick
        self._write(_T_RELOAD_H, 0)
        self._write(_T_RELOAD_L, _TIMER_TICKS)
        self._write(_TX_ASK, 0x40)
        self._write(_MODE, 0x3D)  # CRC preset 0x6363 (ISO 14443-3)
        self._write(_COLL, 0)  # bits after a collision read as zero
        self._write(_RF_CFG, 0x60)  # receiver gain 43 dB, because card sleeves cost range
        self.warning = ""
        if self.version not in GENUINE:
            self.warning = "version " + hex(self.version) + ", a clone that may miss tags"
        return self._read(_T_RELOAD_L) == _TIMER_TICKS

    def field(self, on):
        """Switch the antenna on or off.

        Without the field every tag forgets its state.
        """
        self._scanning = False
        self._write(_TX_CONTROL, 0x83 if on else 0x80)

    def present(self):
        """True if the chip still answers with the version it had at the start."""
        return self._read(_VERSION) == self.version

    def scan(self):
        """Do one step of a scan for tags.

        Returns the number of tags in `found` if the scan is complete, else minus the pause (us) before the
        next call. OSError if the chip hangs and needs `start`.
        """
        if not self._scanning:
            self._scanning = True
            self._count = self._moved = 0
            self.garbled = False
        if self._read_tag():
            self._count += 1
            if self._count < _LIMIT:
                # The next tag answers once this one is halted. HALT has no answer, so nothing is awaited.
                frame = self._out[4]
                frame[1] = _HALT
                frame[2] = 0
                self._send(self._with_crc(frame), 0)
                return -_HALT_US
        self._scanning = False
        self.transfers = self._moved
        self._last = self._count
        return self._count

    def selftest(self):
        """Test the FIFO: (True if it keeps bytes, version and counts of the last scan)."""
        self._write(_COMMAND, _IDLE)
        self._write(_FIFO_LEVEL, 0x80)
        frame = self._out[9]
        frame[0] = _FIFO_DATA << 1
        for at in range(1, 10):
            frame[at] = 37 * at & 0xFF
        self.spi.transfer(frame)
        ok = self._read(_FIFO_LEVEL) == 9
        for at in range(1, 10):
            ok = self._read(_FIFO_DATA) == 37 * at & 0xFF and ok
        self._clean = False
        text = "version " + hex(self.version) + (", FIFO ok" if ok else ", FIFO broken")
        if self.version not in GENUINE:
            text += ", a clone"
        return ok, text + ", last scan " + str(self.transfers) + " transfers, " + str(self._last) + " tags"

    def _read_tag(self):
        """Select the next awake tag and store its UID in `found`; False without one."""
        frame = self._out[1]
        frame[1] = _REQA
        status = self._exchange(frame, 7, _REQA_US)
        if status == _SILENT:
            return False
        self.garbled = True  # stays so unless the tag is read
        if status == _FAULT:
            return False
        uid = self.found[self._count]
        size = 0
        for level in range(3):
            code = 0x93 + 2 * level
            if not self._anticollision(code):
                return False
            part = self._part
            frame = self._out[9]
            frame[1] = code
            frame[2] = 0x70
            for at in range(5):
                frame[3 + at] = part[at]
            if self._exchange(self._with_crc(frame), 0, _SELECT_US) != _OK or self._got != 3:
                return False
            sak = self._in[3]
            if crc_a(sak, 1, 2) != sak[2] | sak[3] << 8:
                return False
            more = sak[1] & 4
            # The cascade tag marks a longer UID and never begins a short one.
            if (more or level == 0) and bool(more) != (part[0] == _CASCADE_TAG):
                return False
            for at in range(1 if more else 0, 4):
                size += 1
                uid[size] = part[at]
            if not more:
                uid[0] = size
                self.garbled = False
                return True
        return False

    def _anticollision(self, code):
        """Read one cascade level of one tag into `_part`; False if that failed.

        `code` is the level's select code. After a collision only tags with a one at the colliding bit are read.
        """
        part = self._part
        frame = self._out[2]
        frame[1] = code
        frame[2] = 0x20
        status = self._exchange(frame, 0, _COLLISION_US)
        if status == _OK:
            return self._got == 5 and self._merge(0, 0)
        if status != _COLLIDED or self._status[4] & 0x20:
            return False
        # Only the first collision counts. Chips place later ones differently, and three tags on a pad are not
        # read anyway.
        known = (self._status[4] & 0x1F) or 32
        whole = known >> 3
        extra = known & 7
        size = whole + (1 if extra else 0)
        if self._got < size:
            return False
        data = self._in[self._got]
        for at in range(size):
            part[at] = data[1 + at]
        part[known - 1 >> 3] |= 1 << (known - 1 & 7)
        frame = self._out[2 + size]
        frame[1] = code
        frame[2] = 2 + whole << 4 | extra
        for at in range(size):
            frame[3 + at] = part[at]
        status = self._exchange(frame, extra << 4 | extra, _COLLISION_US)
        return status == _OK and self._got == 5 - whole and self._merge(whole, (1 << extra) - 1)

    def _merge(self, whole, mask):
        """Append the answer to the known bits of `_part`; False if the check byte is wrong.

        `whole`: number of whole bytes known. `mask`: known bits of the next byte.
        """
        part = self._part
        data = self._in[self._got]
        part[whole] = part[whole] & mask | data[1] & ~mask & 0xFF
        for at in range(whole + 1, 5):
            part[at] = data[1 + at - whole]
        return part[0] ^ part[1] ^ part[2] ^ part[3] == part[4]

    def _with_crc(self, frame):
        end = len(frame) - 2
        crc = crc_a(frame, 1, end)
        frame[end] = crc & 0xFF
        frame[end + 1] = crc >> 8
        return frame

    def _send(self, frame, bits):
        """Put a frame into the chip's FIFO and start sending it to the tags.

        `bits`: value of BitFramingReg, which says how many bits of the last byte are sent.
        """
        self._write(_COMMAND, _IDLE)
        self._write(_COM_IRQ, 0x7F)
        if not self._clean:
            self._write(_FIFO_LEVEL, 0x80)
        self._clean = False
        frame[0] = _FIFO_DATA << 1
        self.spi.transfer(frame)
        self._moved += 1
        self._write(_COMMAND, _TRANSCEIVE)
        self._write(_BIT_FRAMING, 0x80 | bits)

    def _exchange(self, frame, bits, wait_us):
        """Send a frame and read the answer into `_in[_got]`, behind its first byte.

        `bits` is BitFramingReg, `wait_us` the time (us) until the first look for an answer. Ends within 3 ms;
        OSError if the chip hangs.
        """
        self._send(frame, bits)
        status = self._status
        self._got = 0
        pause = wait_us
        for _ in range(_POLLS):
            self.hal.sleep_us(pause)
            pause = _POLL_US
            # Each byte sent is the address of the next byte that is read.
            status[0] = _COM_IRQ << 1 | 0x80
            status[1] = _ERROR << 1 | 0x80
            status[2] = _FIFO_LEVEL << 1 | 0x80
            status[3] = _COLL << 1 | 0x80
            status[4] = 0
            self.spi.transfer(status)
            self._moved += 1
            if status[1] & 0x20:
                return self._fetch(status[2], status[3])
            if status[1] & 0x01:
                return _SILENT
        raise OSError("the chip hangs")

    def _fetch(self, error, count):
        collided = error & 8
        # Parity has no meaning after a collision.
        if error & (0x11 if collided else 0x13) or not 0 < count < 6:
            return _FAULT
        self._got = count
        data = self._in[count]
        for at in range(count):
            data[at] = _FIFO_DATA << 1 | 0x80
        data[count] = 0
        self.spi.transfer(data)
        self._moved += 1
        self._clean = True
        return _COLLIDED if collided else _OK

    def _read(self, register):
        """Read a register of the chip (0 to 255)."""
        self._two[0] = register << 1 | 0x80
        self._two[1] = 0
        self.spi.transfer(self._two)
        self._moved += 1
        return self._two[1]

    def _write(self, register, value):
        """Write a chip register; `value`: 0 to 255."""
        self._two[0] = register << 1
        self._two[1] = value
        self.spi.transfer(self._two)
        self._moved += 1
