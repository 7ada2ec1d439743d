# mypy: ignore-errors
"""PN5180 reader: the ISO 15693 tags in its field, a few slots at a time, never waiting for ever.

Commands and registers after NXP's data sheet PN5180A0xx, chapters 11.4 and 11.9; the inventory with its
16 slots after ISO 15693-3, chapter 8: whoever fits the mask answers in the slot of its next four bits, and
where several answer, the mask grows by that slot.
"""

import struct

WRITE_REGISTER, READ_REGISTER, READ_EEPROM, SEND_DATA, READ_DATA = 0x00, 0x04, 0x07, 0x09, 0x0A
LOAD_RF_CONFIG, RF_ON, RF_OFF = 0x11, 0x16, 0x17
SYSTEM_CONFIG, IRQ_STATUS, IRQ_CLEAR, RX_STATUS, TX_CONFIG, RF_STATUS = 0x00, 0x02, 0x03, 0x13, 0x18, 0x1D
RX_IRQ, TX_IRQ, IDLE_IRQ, RFON_IRQ, RX_SOF_IRQ, GENERAL_ERROR_IRQ, ALL_IRQS = (
    0x00001,
    0x00002,
    0x00004,
    0x00200,
    0x04000,
    0x20000,
    0xFFFFF,
)
START_AND_DATA = 0x4C0  # TX_CONFIG without these sends a lone EOF
CLEAN = 0x7E1FF  # RX_STATUS: errors, collision, odd bits and the number of bytes
IDLE, TRANSCEIVE = 0, 3
FIRMWARE_VERSION = 0x12  # EEPROM, two bytes
ANSWER = 10  # bytes: flags, DSFID, UID; the chip checks the CRC and keeps it
INVENTORY_FLAGS, INVENTORY = 0x06, 0x01  # high rate, 16 slots

FIELD_UP_US = 2000  # a tag is ready 1 ms after the field came up
STEP_US = 3500
BUSY_LIMIT_US = 10000
T2_US = 310  # rest that tags need after an answer
SOF_US = 560  # an answer begins within 323 us, its start lasts 151 us
ANSWER_US = 3600  # 12 bytes and the end, counted from when its start is surely seen
DEPTH = 8  # masks that wait: fifteen tags need seven
PATIENCE, PER_TAG = 24, 16  # unclear answers, and more for each tag found: the worst UIDs need 21 and 14

RAISED, READY, SENT, LISTENING, RECEIVING = range(5)


class Pn5180:
    """One reader: a chip select of the SPI bus, its BUSY pin and its RESET_N pin.

    `found` holds the tags of the last scan: a length byte, then the UID, most significant byte first.
    OSError from any method: the chip stopped answering.
    """

    NAME = "PN5180"
    FIELD_UP_US = FIELD_UP_US

    def __init__(self, spi, busy, reset, hal):
        self.spi = spi
        self.busy = busy
        self.reset = reset
        self.hal = hal
        self.warning = ""
        self.found = [bytearray(11) for _ in range(10)]
        self.firmware = 0
        self._frames = [bytearray(size) for size in range(14)]
        self._setting = bytearray(6)
        self._tx_config = 0
        self._state = RAISED
        self._tries = 0
        self._count = 0
        self._path = bytearray(9)  # bits of the mask, then the mask, least significant byte first
        self._slot = 0
        self._waiting = [bytearray(9) for _ in range(DEPTH)]
        self._depth = 0
        self._rounds = 0
        self._unclear = 0
        self._strange = 0
        self._agc = 0

    def start(self):
        """Reset and set up; False when nothing that looks like a PN5180 answers."""
        self.reset.value(0)
        self.hal.sleep_us(100)
        self.reset.value(1)
        self.hal.sleep_us(3000)
        for _ in range(10):
            if self._read(IRQ_STATUS) & IDLE_IRQ:
                break
            self.hal.sleep_us(500)
        else:
            return False
        self.firmware = self._firmware()
        if self.firmware in (0, 0xFFFF):
            return False
        frame = self._frames[3]
        frame[0] = LOAD_RF_CONFIG
        frame[1] = 0x0D  # ISO 15693, 100 % modulation, 26 kbit/s
        frame[2] = 0x8D
        self._transfer(frame)
        self._tx_config = self._read(TX_CONFIG)
        self._state = RAISED
        return True

    def present(self):
        """Whether the chip still answers and is still set up: one that lost power for a moment is not."""
        try:
            return (self._read(TX_CONFIG) ^ self._tx_config) & ~START_AND_DATA == 0
        except OSError:
            return False

    def field(self, on):
        """Switch the antenna; without it every tag forgets its state."""
        self._write(SYSTEM_CONFIG, IDLE)
        self._write(IRQ_CLEAR, ALL_IRQS)
        self._order(RF_ON if on else RF_OFF, 0)
        self._state = RAISED
        self._tries = 0

    def scan(self):
        """n >= 0: finished, the tags are found[0..n-1]. n < 0: call again after -n microseconds."""
        hal = self.hal
        since = hal.ticks_us()
        while True:
            wait = self._step()
            if wait < 0:
                self._state = READY
                self._agc = self._read(RF_STATUS) & 0x3FF
                return self._count
            if hal.since_us(since) + wait > STEP_US or wait > 1000:
                return -(wait or 1)
            if wait:
                hal.sleep_us(wait)

    def selftest(self):
        """(whether it works, numbers of the last inventory): answers not understood, UIDs out of their slot.

        AGC is the receiver's gain, 0..1023: it moves with what the antenna feels, metal above all.
        """
        try:
            version = self._firmware()
        except OSError as fault:
            return False, str(fault)
        text = "firmware %d.%d, last inventory: tags %d, rounds %d, unclear %d, refused %d, AGC %d" % (
            version >> 8,
            version & 255,
            self._count,
            self._rounds,
            self._unclear,
            self._strange,
            self._agc,
        )
        return version == self.firmware and self.present(), text

    def _step(self):
        """One thing of the inventory; microseconds until the next is due, -1 when there is none."""
        state = self._state
        if state == READY or state == RAISED:
            if state == RAISED and not self._read(IRQ_STATUS) & RFON_IRQ:
                return self._again(10, 500, "the field does not come up")
            self._count = self._depth = self._rounds = self._unclear = self._strange = 0
            for at in range(9):
                self._path[at] = 0
            return self._request()
        irq = self._read(IRQ_STATUS)
        if irq & GENERAL_ERROR_IRQ:
            raise OSError("PN5180: refuses a command")
        if state == SENT:
            if not irq & TX_IRQ:
                return self._again(30, 200, "does not send")
            self._state = LISTENING
            return SOF_US
        if irq & RX_IRQ:
            self.hal.sleep_us(T2_US)
            self._take()
        elif state == RECEIVING:
            self._tries += 1
            if self._tries < 10:
                return 300
            self._refine()
        elif irq & RX_SOF_IRQ:
            self._state = RECEIVING
            self._tries = 0
            return ANSWER_US
        return self._next()

    def _again(self, limit, wait, what):
        self._tries += 1
        if self._tries > limit:
            raise OSError("PN5180: " + what)
        return wait

    def _next(self):
        """On to the next slot, or to the next mask; -1 when all is known."""
        if self._count == len(self.found) or self._unclear > PATIENCE + PER_TAG * self._count:
            return -1
        self._slot += 1
        if self._slot == 16:
            if not self._depth:
                return -1
            self._depth -= 1
            path = self._waiting[self._depth]
            self._waiting[self._depth] = self._path
            self._path = path
            return self._request()
        if self._slot == 1:
            self._write(TX_CONFIG, self._tx_config & ~START_AND_DATA)
        self._send(self._frames[2])
        return 0

    def _request(self):
        """Ask all tags that fit the mask to answer in their slots."""
        self._rounds += 1
        self._slot = 0
        path = self._path
        bits = path[0]
        size = 5 + (bits + 7) // 8
        frame = self._frames[size]
        self._write(TX_CONFIG, self._tx_config)
        for at in range(5, size):
            frame[at] = path[at - 4]
        if bits & 4:
            frame[size - 1] &= 15
        frame[2] = INVENTORY_FLAGS
        frame[3] = INVENTORY
        frame[4] = bits
        self._send(frame)
        return 1800 + 302 * (size - 5)

    def _send(self, frame):
        # Only the way through IDLE leads from an empty slot back to where the chip may send.
        self._write(IRQ_CLEAR, ALL_IRQS)
        self._write(SYSTEM_CONFIG, IDLE)
        self._write(SYSTEM_CONFIG, TRANSCEIVE)
        frame[0] = SEND_DATA
        frame[1] = 0  # all bits of the last byte
        self._transfer(frame)
        self._state = SENT
        self._tries = 0

    def _take(self):
        """An answer has come: a UID, or more than one."""
        if self._read(RX_STATUS) & CLEAN != ANSWER:
            self._refine()
            return
        self._order(READ_DATA, 0)
        data = self._frames[ANSWER]
        self._transfer(data)
        if data[0] or data[9] != 0xE0 or not self._fits(data):
            self._strange += 1
            return
        slot = self.found[self._count]
        slot[0] = 8
        for at in range(8):
            slot[1 + at] = data[9 - at]
        self._count += 1

    def _fits(self, data):
        """Whether that UID belongs to the mask and slot it was heard in: shifted ones do not."""
        path = self._path
        digits = path[0] >> 2
        for at in range(digits + 1):
            wanted = path[1 + at // 2] >> (at & 1) * 4 & 15 if at < digits else self._slot
            if data[2 + at // 2] >> (at & 1) * 4 & 15 != wanted:
                return False
        return True

    def _refine(self):
        """Somebody spoke and was not understood: ask those of this slot alone, later."""
        self._unclear += 1
        path = self._path
        bits = path[0]
        if bits >= 60 or self._depth == DEPTH:
            return
        mask = self._waiting[self._depth]
        self._depth += 1
        for at in range(9):
            mask[at] = path[at]
        mask[0] = bits + 4
        at = 1 + bits // 8
        mask[at] = mask[at] & 15 | self._slot << 4 if bits & 4 else self._slot

    def _firmware(self):
        frame = self._frames[3]
        frame[0] = READ_EEPROM
        frame[1] = FIRMWARE_VERSION
        frame[2] = 2
        self._transfer(frame)
        frame = self._frames[2]
        self._transfer(frame)
        return frame[1] << 8 | frame[0]

    def _read(self, register):
        """The lower 24 bits: what is used lies there, and 32 bits would need the heap."""
        self._order(READ_REGISTER, register)
        frame = self._frames[4]
        self._transfer(frame)
        value = frame[0] | frame[1] << 8 | frame[2] << 16
        if value == 0xFFFFFF:
            raise OSError("PN5180: does not answer")
        return value

    def _write(self, register, value):
        struct.pack_into("<BBI", self._setting, 0, WRITE_REGISTER, register, value)
        self._transfer(self._setting)

    def _order(self, command, parameter):
        frame = self._frames[2]
        frame[0] = command
        frame[1] = parameter
        self._transfer(frame)

    def _transfer(self, frame):
        """One SPI frame, once the chip has done with the last: its BUSY rises within a frame's first byte."""
        busy = self.busy
        if busy.value():
            hal = self.hal
            since = hal.ticks_us()
            while busy.value():
                if hal.since_us(since) > BUSY_LIMIT_US:
                    raise OSError("PN5180: stays busy")
                hal.sleep_us(10)
        self.spi.transfer(frame)
