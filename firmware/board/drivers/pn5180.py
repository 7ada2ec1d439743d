# mypy: ignore-errors
"""PN5180 reader: ISO 15693 tags in its field, a few slots at a time.

Commands and registers: NXP's data sheet PN5180A0xx, chapters 11.4 and 11.9. Inventory with 16 slots: ISO
15693-3, chapter 8. Tags that fit the mask answer in the slot of their next four bits. If several answer in one
slot, the mask grows by that slot.
"""

import struct

from firmware.wire.hot_loops import const

_WRITE_REGISTER = const(0x0)
_READ_REGISTER = const(0x4)
_READ_EEPROM = const(0x7)
_SEND_DATA = const(0x9)
_READ_DATA = const(0xA)
_LOAD_RF_CONFIG = const(0x11)
_RF_ON = const(0x16)
_RF_OFF = const(0x17)
_SYSTEM_CONFIG = const(0x0)
_IRQ_STATUS = const(0x2)
_IRQ_CLEAR = const(0x3)
_RX_STATUS = const(0x13)
_TX_CONFIG = const(0x18)
_RF_STATUS = const(0x1D)
_RX_IRQ = const(0x1)
_TX_IRQ = const(0x2)
_IDLE_IRQ = const(0x4)
_RFON_IRQ = const(0x200)
_RX_SOF_IRQ = const(0x4000)
_GENERAL_ERROR_IRQ = const(0x20000)
_ALL_IRQS = const(0xFFFFF)
_START_AND_DATA = const(0x4C0)  # TX_CONFIG without these bits sends a lone EOF
_CLEAN = const(0x7E1FF)  # RX_STATUS: errors, collision, odd bits and the number of bytes
_IDLE = const(0)
_TRANSCEIVE = const(3)
_FIRMWARE_VERSION = const(0x12)  # EEPROM address, two bytes
_ANSWER = const(10)  # bytes of an answer: flags, DSFID, UID. The chip checks and keeps the CRC
# Inventory at the high data rate with 16 slots (ISO 15693-3).
_INVENTORY_FLAGS = const(0x6)
_INVENTORY = const(0x1)

_FIELD_UP_US = const(2000)  # a tag is ready 1 ms after the field came up (ISO 15693-3); doubled
_STEP_US = const(3500)  # longest time a call works before it returns: a guess
_BUSY_LIMIT_US = const(10000)  # longest BUSY of a living chip: a guess, the data sheet gives none
_T2_US = const(310)  # rest that tags need after an answer (ISO 15693-3, t2)
_SOF_US = const(560)  # an answer begins within 323 us, its start lasts 151 us (ISO 15693-3)
_ANSWER_US = const(3600)  # an answer's 12 bytes and end, from the moment its start was seen
_DEPTH = const(8)  # masks that wait; fifteen tags need seven (simulated)
# Unclear answers that end an inventory: a base, and more for each tag found. The worst UIDs need 21 and 14
# (simulated).
_PATIENCE = const(24)
_PER_TAG = const(16)

_RAISED = const(0)  # states of an inventory
_READY = const(1)
_SENT = const(2)
_LISTENING = const(3)
_RECEIVING = const(4)


class Pn5180:
    """PN5180 at one chip select, with its BUSY and RESET_N pins.

    `found` holds the tags of the last scan: a length byte, then the UID, most significant byte first. `garbled`
    is True if a tag answered but could not be read. Any method raises OSError if the chip stops answering.
    """

    NAME = "PN5180"
    FIELD_UP_US = _FIELD_UP_US

    def __init__(self, spi, busy, reset, hal):
        self.spi = spi
        self.busy = busy
        self.reset = reset
        self.hal = hal
        self.warning = ""
        self.found = [bytearray(11) for _ in range(10)]
        self.firmware = 0
        self.garbled = False
        self._frames = [bytearray(size) for size in range(14)]
        self._setting = bytearray(6)
        self._tx_config = 0
        self._state = _RAISED
        self._tries = 0
        self._count = 0
        self._path = bytearray(9)  # number of bits in the mask, then the mask, least significant byte first
        self._slot = 0
        self._waiting = [bytearray(9) for _ in range(_DEPTH)]
        self._depth = 0
        self._rounds = 0
        self._unclear = 0
        self._strange = 0
        self._agc = 0

    def start(self):
        """Reset and set up the chip.

        False if nothing like a PN5180 answers.
        """
        self.reset.value(0)
        self.hal.sleep_us(100)
        self.reset.value(1)
        self.hal.sleep_us(3000)
        for _ in range(10):
            if self._read(_IRQ_STATUS) & _IDLE_IRQ:
                break
            self.hal.sleep_us(500)
        else:
            return False
        self.firmware = self._firmware()
        if self.firmware in (0, 0xFFFF):
            return False
        frame = self._frames[3]
        frame[0] = _LOAD_RF_CONFIG
        frame[1] = 0x0D  # ISO 15693, 100 % modulation, 26 kbit/s
        frame[2] = 0x8D
        self._transfer(frame)
        self._tx_config = self._read(_TX_CONFIG)
        self._state = _RAISED
        return True

    def present(self):
        """True if the chip answers and is still set up.

        After a short power loss it is not.
        """
        try:
            return (self._read(_TX_CONFIG) ^ self._tx_config) & ~_START_AND_DATA == 0
        except OSError:
            return False

    def field(self, on):
        """Switch the antenna on or off.

        Without the field every tag forgets its state.
        """
        self._write(_SYSTEM_CONFIG, _IDLE)
        self._write(_IRQ_CLEAR, _ALL_IRQS)
        self._order(_RF_ON if on else _RF_OFF, 0)
        self._state = _RAISED
        self._tries = 0

    def scan(self):
        """Do one step of a scan for tags.

        Returns the number of tags in `found` if the scan is complete, else minus the pause (us) before the
        next call.
        """
        hal = self.hal
        since = hal.ticks_us()
        while True:
            wait = self._step()
            if wait < 0:
                self._state = _READY
                # Two tags that answer at once are unclear, too, but both are then read.
                self.garbled = self._count < 2 and self._unclear + self._strange > 0
                self._agc = self._read(_RF_STATUS) & 0x3FF
                return self._count
            if hal.since_us(since) + wait > _STEP_US or wait > 1000:
                return -(wait or 1)
            if wait:
                hal.sleep_us(wait)

    def selftest(self):
        """Test the chip: (True if it answers, its version and counts of the last scan as text).

        `unclear` counts answers not understood, `refused` UIDs outside their slot. AGC is the receiver's gain
        (0 to 1023), which metal near the antenna changes.
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
        """Take one step of the tag inventory.

        Returns the time (us) until the next, -1 at the end.
        """
        state = self._state
        if state == _READY or state == _RAISED:
            if state == _RAISED and not self._read(_IRQ_STATUS) & _RFON_IRQ:
                return self._again(10, 500, "the field does not come up")
            self._count = self._depth = self._rounds = self._unclear = self._strange = 0
            for at in range(9):
                self._path[at] = 0
            return self._request()
        irq = self._read(_IRQ_STATUS)
        if irq & _GENERAL_ERROR_IRQ:
            raise OSError("PN5180: refuses a command")
        if state == _SENT:
            if not irq & _TX_IRQ:
                return self._again(30, 200, "does not send")
            self._state = _LISTENING
            return _SOF_US
        if irq & _RX_IRQ:
            self.hal.sleep_us(_T2_US)
            self._take()
        elif state == _RECEIVING:
            self._tries += 1
            if self._tries < 10:
                return 300
            self._refine()
        elif irq & _RX_SOF_IRQ:
            self._state = _RECEIVING
            self._tries = 0
            return _ANSWER_US
        return self._next()

    def _again(self, limit, wait, what):
        self._tries += 1
        if self._tries > limit:
            raise OSError("PN5180: " + what)
        return wait

    def _next(self):
        """Go on to the next slot or mask.

        Returns -1 after the last.
        """
        if self._count == len(self.found) or self._unclear > _PATIENCE + _PER_TAG * self._count:
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
            self._write(_TX_CONFIG, self._tx_config & ~_START_AND_DATA)
        self._send(self._frames[2])
        return 0

    def _request(self):
        """Ask all ISO 15693 tags that fit the mask to answer in their slots."""
        self._rounds += 1
        self._slot = 0
        path = self._path
        bits = path[0]
        size = 5 + (bits + 7) // 8
        frame = self._frames[size]
        self._write(_TX_CONFIG, self._tx_config)
        for at in range(5, size):
            frame[at] = path[at - 4]
        if bits & 4:
            frame[size - 1] &= 15
        frame[2] = _INVENTORY_FLAGS
        frame[3] = _INVENTORY
        frame[4] = bits
        self._send(frame)
        return 1800 + 302 * (size - 5)

    def _send(self, frame):
        # After an empty slot the chip sends again only by way of IDLE.
        self._write(_IRQ_CLEAR, _ALL_IRQS)
        self._write(_SYSTEM_CONFIG, _IDLE)
        self._write(_SYSTEM_CONFIG, _TRANSCEIVE)
        frame[0] = _SEND_DATA
        frame[1] = 0  # all bits of the last byte count
        self._transfer(frame)
        self._state = _SENT
        self._tries = 0

    def _take(self):
        """Read the answer in an inventory slot: one UID, or several that collided."""
        if self._read(_RX_STATUS) & _CLEAN != _ANSWER:
            self._refine()
            return
        self._order(_READ_DATA, 0)
        data = self._frames[_ANSWER]
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
        """True if the UID belongs to the mask and slot in which it was heard.

        UIDs that arrived one byte out of step do not fit.
        """
        path = self._path
        digits = path[0] >> 2
        for at in range(digits + 1):
            wanted = path[1 + at // 2] >> (at & 1) * 4 & 15 if at < digits else self._slot
            if data[2 + at // 2] >> (at & 1) * 4 & 15 != wanted:
                return False
        return True

    def _refine(self):
        """Queue a longer mask for a slot whose answer was not understood."""
        self._unclear += 1
        path = self._path
        bits = path[0]
        if bits >= 60 or self._depth == _DEPTH:
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
        frame[0] = _READ_EEPROM
        frame[1] = _FIRMWARE_VERSION
        frame[2] = 2
        self._transfer(frame)
        frame = self._frames[2]
        self._transfer(frame)
        return frame[1] << 8 | frame[0]

    def _read(self, register):
        """Lower 24 bits of a register.

        No higher bit is used, and 32 bits would need the heap.
        """
        self._order(_READ_REGISTER, register)
        frame = self._frames[4]
        self._transfer(frame)
        value = frame[0] | frame[1] << 8 | frame[2] << 16
        if value == 0xFFFFFF:
            raise OSError("PN5180: does not answer")
        return value

    def _write(self, register, value):
        struct.pack_into("<BBI", self._setting, 0, _WRITE_REGISTER, register, value)
        self._transfer(self._setting)

    def _order(self, command, parameter):
        frame = self._frames[2]
        frame[0] = command
        frame[1] = parameter
        self._transfer(frame)

    def _transfer(self, frame):
        """Exchange one SPI frame once BUSY is low, and wait until the chip has taken it.

        NSS must stay low until BUSY is high (data sheet, 11.4.1).
        """
        self._await(0, "PN5180: stays busy")
        self.spi.exchange(frame)
        try:
            self._await(1, "PN5180: takes no command")
        finally:
            self.spi.release()

    def _await(self, level, fault):
        """Wait until BUSY has this level.

        OSError with `fault` after 10 ms.
        """
        busy = self.busy
        if busy.value() != level:
            hal = self.hal
            since = hal.ticks_us()
            while busy.value() != level:
                if hal.since_us(since) > _BUSY_LIMIT_US:
                    raise OSError(fault)
                hal.sleep_us(10)
