"""Model of an MFRC522: registers, FIFO, timer, CRC unit, and the tags in its field.

Data sheet MFRC522 rev. 3.9. Answers appear after the frames' duration at 106 kbit/s. A byte has a parity bit, a
frame two bits around it. An answer begins 86 us after its frame (ISO 14443-3, 6.2.1.1).
"""

from firmware.simulator.chips.iso14443_tags import Tag, crc_a
from firmware.simulator.chips.model_time import Chance, ModelTime

COMMAND, COM_IRQ, DIV_IRQ, ERROR, FIFO_DATA, FIFO_LEVEL = 0x01, 0x04, 0x05, 0x06, 0x09, 0x0A
CONTROL, BIT_FRAMING, COLL, TX_CONTROL = 0x0C, 0x0D, 0x0E, 0x14
CRC_HIGH, CRC_LOW, T_MODE, T_PRESCALER, T_RELOAD_H, T_RELOAD_L, VERSION = (
    0x21,
    0x22,
    0x2A,
    0x2B,
    0x2C,
    0x2D,
    0x37,
)
BIT_US = 9.44
ANSWER_US = 86
GUARD_US = 4900  # a tag is deaf until the field has stood for 5 ms (ISO 14443-3, 5.2)


class Mfrc522Model:
    """Model of the reader chip MFRC522, with the `tags` in its field, and faults on command.

    `miss_one`, `miss_more`, `ghost` and `shifted` are probabilities each time the field comes up. A tag is
    not heard, alone (`miss_one`) or beside others (`miss_more`). A tag sends a UID that does not exist
    (`ghost`), or its UID rotated by a byte with valid check bytes (`shifted`).

    `frozen` is the probability that a tag laid down is never heard where it lies. `dead`: the chip does not
    answer. `hang_after` is the number of transfers after which commands have no effect until a soft reset; 0
    for never.
    """

    def __init__(self, time: ModelTime, chance: Chance) -> None:
        self.time = time
        self.chance = chance
        self.tags: list[Tag] = []
        self.dead = False
        self.version = 0x92
        self.miss_one = 0.0
        self.miss_more = 0.0
        self.ghost = 0.0
        self.shifted = 0.0
        self.frozen = 0.0
        self.hang_after = 0
        self.hung = False
        self._field_since = 0
        self._answer_at = -1
        self._timeout_at = -1
        self._crc_at = -1
        self._reset()

    def place(self, uid: bytes) -> Tag:
        """Lay a tag with the UID `uid` into the field, and return the tag."""
        tag = Tag(uid)
        tag.frozen = self.chance.happens(self.frozen)
        self.tags.append(tag)
        return tag

    def lift(self, uid: bytes) -> None:
        """Take the tag with the UID `uid` out of the field; ValueError if it is not there."""
        for tag in self.tags:
            if tag.uid == uid:
                self.tags.remove(tag)
                return
        raise ValueError("no such tag in the field")

    def transfer(self, data: bytearray) -> None:
        """Exchange an SPI transaction; overwrite `data` by the answer.

        `data`: on entry the host's bytes, an address first; afterwards as many bytes
        of the chip. A dead chip answers 0xFF.
        """
        if self.dead:
            for at in range(len(data)):
                data[at] = 0xFF
            return
        if self.hang_after:
            self.hang_after -= 1
            self.hung = self.hung or not self.hang_after
        address = data[0]
        if address & 0x80:
            result = 0
            for at in range(len(data)):
                following = data[at]
                data[at] = result
                result = self._read(following >> 1 & 0x3F) if following & 0x80 else 0
        else:
            register = address >> 1 & 0x3F
            for at in range(1, len(data)):
                self._write(register, data[at])
                data[at] = 0

    def _reset(self) -> None:
        self._registers = bytearray(64)
        self._registers[COMMAND] = 0x20
        self._registers[TX_CONTROL] = 0x80
        self._registers[COM_IRQ] = 0x14
        self._registers[COLL] = 0x80
        self._fifo = bytearray()
        self._answer = b""
        self._collided = 0
        self._answer_at = self._timeout_at = self._crc_at = -1

    def _read(self, register: int) -> int:
        """Value of a register now (0 to 255); reading FIFO_DATA removes a byte."""
        self._settle()
        if register == FIFO_DATA:
            if not self._fifo:
                return 0
            byte = self._fifo[0]
            self._fifo = self._fifo[1:]
            return byte
        if register == FIFO_LEVEL:
            return len(self._fifo)
        if register == VERSION:
            return self.version
        return self._registers[register]

    def _write(self, register: int, value: int) -> None:
        """Write `value` (0 to 255) to a register, with the effects that the data sheet gives it."""
        self._settle()
        registers = self._registers
        if register == COMMAND:
            self._command(value & 0x0F)
        elif register in (COM_IRQ, DIV_IRQ):
            # Bit 7 chooses whether marked bits are set or cleared.
            if value & 0x80:
                registers[register] |= value & 0x7F
            else:
                registers[register] &= ~value & 0x7F
        elif register == FIFO_DATA:
            if len(self._fifo) < 64:
                self._fifo.append(value)
            else:
                registers[ERROR] |= 0x10
        elif register == FIFO_LEVEL:
            if value & 0x80:
                self._fifo = bytearray()
                registers[ERROR] &= ~0x10 & 0xFF
        elif register == TX_CONTROL:
            if value & 3 and not registers[TX_CONTROL] & 3:
                self._power_up()
            registers[TX_CONTROL] = value
        elif register == BIT_FRAMING:
            registers[register] = value & 0x7F
            if value & 0x80 and registers[COMMAND] & 0x0F == 0x0C:
                self._transceive()
        else:
            registers[register] = value

    def _command(self, command: int) -> None:
        """Start a command of the chip by its number, such as 0x0F for a soft reset."""
        if command == 0x0F:
            self.hung = False
            self._reset()
            return
        self._registers[COMMAND] = command
        if command == 0:
            self._answer_at = self._timeout_at = -1
        elif command == 3:
            crc = crc_a(bytes(self._fifo))
            self._fifo = bytearray()
            self._registers[CRC_LOW] = crc[0]
            self._registers[CRC_HIGH] = crc[1]
            self._crc_at = self.time.us + 10

    def _power_up(self) -> None:
        """Bring up the field: decide by chance which tags are heard, and with which UID."""
        self._field_since = self.time.us
        miss = self.miss_one if len(self.tags) == 1 else self.miss_more
        for tag in self.tags:
            tag.heard = tag.well_placed and not tag.frozen and not self.chance.happens(miss)
            uid = tag.uid
            if self.chance.happens(self.ghost):
                uid = bytes([byte ^ (self.chance.u32() & 0x7F) for byte in uid])
                if uid[0] == 0x88:
                    uid = b"\x08" + uid[1:]  # no UID begins with the cascade tag
            elif self.chance.happens(self.shifted):
                uid = uid[1:] + uid[:1]
            tag.power_up(uid)

    def _transceive(self) -> None:
        """Send the bytes in the FIFO to all tags, and plan their answer or the timeout."""
        frame = bytes(self._fifo)
        self._fifo = bytearray()
        last = self._registers[BIT_FRAMING] & 7
        bits = len(frame) * 8 - (8 - last if last else 0)
        sent = self.time.us + _air_us(bits)
        self._registers[ERROR] = 0
        self._answer_at = self._timeout_at = -1
        answers = []
        powered = self._registers[TX_CONTROL] & 3 and self.time.us - self._field_since >= GUARD_US
        if frame and powered:
            for tag in self.tags:
                answer = tag.answer(frame, bits) if tag.heard else None
                if answer is not None:
                    answers.append(answer)
        prescaler = (self._registers[T_MODE] & 0x0F) << 8 | self._registers[T_PRESCALER]
        reload = self._registers[T_RELOAD_H] << 8 | self._registers[T_RELOAD_L]
        patience = int((2 * prescaler + 1) * (reload + 1) / 13.56)
        if answers:
            self._overlay(answers)
            self._answer_at = sent + ANSWER_US + _air_us(len(self._answer) * 8)
        # The timer runs from the end of the frame. The first bit that arrives stops it.
        if self._registers[T_MODE] & 0x80 and (not answers or patience < ANSWER_US + BIT_US):
            self._timeout_at = sent + patience

    def _overlay(self, answers: list[tuple[bytes, int]]) -> None:
        """Receive the answers of several tags at once.

        `answers`: (bytes, number of leading bits that are not sent) of each tag. Equal bits pass. The first
        differing bit collides, and bits from there on read as zero.
        """
        first, known = answers[0]
        size = min([len(data) for data, _ in answers]) * 8
        collision = 0
        for at in range(known, size):
            bit = first[at // 8] >> (at % 8) & 1
            if any(data[at // 8] >> (at % 8) & 1 != bit for data, _ in answers[1:]):
                collision = at + 1
                break
        data = bytearray(first[: size // 8])
        if collision:
            # Bits from the collision on read as zero, because ValuesAfterColl is 0.
            for at in range(collision - 1, size):
                data[at // 8] &= ~(1 << (at % 8)) & 0xFF
        if known % 8:
            data[known // 8] &= 0xFF << (known % 8) & 0xFF
        self._answer = bytes(data[known // 8 :])
        self._collided = collision - known // 8 * 8 if collision else 0

    def _settle(self) -> None:
        """Apply all answers and timeouts of the reader chip that are due by now."""
        if self.hung:
            return
        now = self.time.us
        registers = self._registers
        if 0 <= self._answer_at <= now:
            self._answer_at = -1
            self._fifo += self._answer
            registers[CONTROL] &= 0xF8
            registers[COM_IRQ] |= 0x20
            if self._collided:
                registers[ERROR] |= 8
                registers[COLL] = self._collided & 0x1F if self._collided <= 32 else 0x20
            else:
                registers[COLL] = 0x20
        if 0 <= self._timeout_at <= now:
            self._timeout_at = -1
            registers[COM_IRQ] |= 0x01
        if 0 <= self._crc_at <= now:
            self._crc_at = -1
            registers[DIV_IRQ] |= 0x04


def _air_us(bits: int) -> int:
    """Time (us) that a frame of `bits` bits, parity not counted, is on the air."""
    return int((bits + bits // 8 + 2) * BIT_US)
