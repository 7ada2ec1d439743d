"""Model of a PN5180: host commands, BUSY, registers for ISO 15693, and its field.

Data sheet PN5180A0xx, chapters 11.4 (host interface) and 11.9 (registers). A byte takes 302.08 us on the air,
in both directions. How long a command keeps the chip busy is a guess, because the data sheet does not say.
"""

from firmware.simulator.chips.iso15693_tags import VicinityTag, crc_15693
from firmware.simulator.chips.model_time import Chance, ModelTime

WRITE_REGISTER, OR_MASK, AND_MASK, READ_REGISTER, READ_EEPROM = 0x00, 0x01, 0x02, 0x04, 0x07
SEND_DATA, READ_DATA, LOAD_RF_CONFIG, RF_ON, RF_OFF = 0x09, 0x0A, 0x11, 0x16, 0x17
SYSTEM_CONFIG, IRQ_STATUS, IRQ_CLEAR, CRC_RX_CONFIG, RX_STATUS, TX_CONFIG, CRC_TX_CONFIG, RF_STATUS = (
    0x00,
    0x02,
    0x03,
    0x12,
    0x13,
    0x18,
    0x19,
    0x1D,
)
REGISTERS = 0x2A
FRAME_BYTES = {
    WRITE_REGISTER: (6, 6),
    OR_MASK: (6, 6),
    AND_MASK: (6, 6),
    READ_REGISTER: (2, 2),
    READ_EEPROM: (3, 3),
    READ_DATA: (2, 2),
    SEND_DATA: (2, 262),
    LOAD_RF_CONFIG: (3, 3),
    RF_ON: (2, 2),
    RF_OFF: (2, 2),
}
"""Host command -> least and most bytes of its frame (data sheet, chapter 11.4)."""
RX_IRQ, TX_IRQ, IDLE_IRQ, RFOFF_IRQ, RFON_IRQ, RX_SOF_IRQ, GENERAL_ERROR_IRQ = (
    1 << 0,
    1 << 1,
    1 << 2,
    1 << 8,
    1 << 9,
    1 << 14,
    1 << 17,
)
INTEGRITY_ERROR, COLLISION, COLLISION_AT = 1 << 16, 1 << 18, 19
START_SYMBOL, STOP_SYMBOL, DATA_ENABLE = 0x0C0, 0x300, 0x400
IDLE, WAIT_TRANSMIT, TRANSMITTING, WAIT_RECEIVE, RECEIVING = 0, 1, 2, 3, 5

BYTE_US = 302.08
REQUEST_SOF_US, REQUEST_EOF_US, ANSWER_SOF_US, ANSWER_EOF_US = 75.52, 37.76, 151.04, 151.04
T1_US, T2_US = 321, 309  # from a request to its answer, and from an answer to the next request (ISO 15693-3)
GUARD_US = 1000  # a tag is ready 1 ms after the field came up (ISO 15693-3)
BOOT_US = 2500
RISE_US = 8
"""Time (us) from a frame's last byte to BUSY high.
A guess, as the data sheet gives none."""
BUSY_US, EEPROM_US, LOAD_US, FIELD_US = 40, 100, 800, 400


class Pn5180Model:
    """PN5180 with the `tags` in its field and its faults.

    Probabilities for each tag when the field comes up:

      miss: it is not heard
      ghost: a further tag sends a UID that does not exist
      shifted: its UID is one byte out of step, with a valid CRC

    `frozen` is the probability that a tag laid down is never heard there. `dead`: no answer. `stuck_busy`: BUSY
    stays high. `hang_after`: number of frames until it stays busy for good, -1 for never.

    `early_frames` counts frames sent while it was busy. `early_releases` counts frames whose NSS rose before
    BUSY: these are lost (11.4.1).
    """

    def __init__(self, time: ModelTime, chance: Chance) -> None:
        self.time = time
        self.chance = chance
        self.tags: list[VicinityTag] = []
        self.dead = False
        self.stuck_busy = False
        self.hang_after = -1
        self.miss = 0.0
        self.frozen = 0.0
        self.ghost = 0.0
        self.shifted = 0.0
        self.frames = 0
        self.early_frames = 0
        self.early_releases = 0
        self.product = 0x0304
        self.firmware = 0x0400
        self._in_reset = False
        self._ready_at = 0
        self._response: bytes | None = None
        self._held: bytes | None = None
        self._boot()

    def place(self, uid: bytes) -> VicinityTag:
        """Lay a tag with the UID `uid` (8 bytes) into the field, and return the tag."""
        tag = VicinityTag(uid)
        tag.well_placed = not self.chance.happens(self.frozen)
        self.tags.append(tag)
        return tag

    def lift(self, uid: bytes) -> None:
        """Take the tag with the UID `uid` out of the field; ValueError if it is not there."""
        for tag in self.tags:
            if tag.uid == uid:
                self.tags.remove(tag)
                return
        raise ValueError("no such tag in the field")

    def busy(self) -> int:
        """Level of BUSY: 1 while the chip works, else 0.

        Its pull-up holds it at 1 if the chip is dead.
        """
        if self.dead or self.stuck_busy or self._in_reset:
            return 1
        if self._held is not None:
            return int(self.time.us >= self._rises_at)
        return int(self.time.us < self._ready_at)

    def reset(self, level: int) -> None:
        """Set the reset line RESET_N to `level`: 0 holds the chip, the rising edge boots it."""
        if self._in_reset and level:
            self._boot()
            self.hang_after = -1
            self._ready_at = self.time.us + BOOT_US
        self._in_reset = not level

    def transfer(self, data: bytearray) -> None:
        """Exchange an SPI frame; overwrite `data` by the answer.

        `data`: on entry the host's bytes; afterwards the response that waited, or
        0xFF. The chip select NSS stays low until `release`.
        """
        self.frames += 1
        sent = bytes(data)
        for at in range(len(data)):
            data[at] = 0xFF
        if self.dead or self._in_reset:
            return
        self._settle()
        if self.busy():
            self.early_frames += 1
            self._irq |= GENERAL_ERROR_IRQ
            return
        if self.hang_after == 0:
            self._ready_at = 1 << 62
            return
        if self.hang_after > 0:
            self.hang_after -= 1
        self._rises_at = self.time.us + RISE_US
        self._held = sent
        if self._response is not None:
            response = self._response
            self._response = None
            self._held = b""
            for at in range(min(len(data), len(response))):
                data[at] = response[at]

    def release(self) -> None:
        """Raise the chip select NSS: the chip executes the command that it received."""
        held, self._held = self._held, None
        if held is None:
            return
        if self.time.us < self._rises_at:
            self.early_releases += 1
            self._irq |= GENERAL_ERROR_IRQ
            return
        self._ready_at = self.time.us + BUSY_US
        if held and not self._command(held):
            self._irq |= GENERAL_ERROR_IRQ

    def _boot(self) -> None:
        self._registers = [0] * REGISTERS
        self._irq = IDLE_IRQ
        self._response = None
        self._held = None
        self._rises_at = 0
        self._received = b""
        self._field = False
        self._field_since = 0
        self._state = IDLE
        self._present: list[VicinityTag] = []
        self._sent_at = self._sof_at = self._answered_at = -1.0
        self._deaf_until = 0.0
        self._answer = b""
        self._answer_status = 0

    def _command(self, frame: bytes) -> bool:
        """Execute a host command of the PN5180.

        False if one of its conditions is not met.
        """
        code = frame[0]
        least, most = FRAME_BYTES.get(code, (1, 0))
        if not least <= len(frame) <= most:
            return False
        if code in (WRITE_REGISTER, OR_MASK, AND_MASK) and frame[1] < REGISTERS:
            self._write(code, frame[1], frame[2] | frame[3] << 8 | frame[4] << 16 | frame[5] << 24)
        elif code == READ_REGISTER and frame[1] < REGISTERS:
            value = self._read(frame[1])
            self._response = bytes((value & 0xFF, value >> 8 & 0xFF, value >> 16 & 0xFF, value >> 24 & 0xFF))
        elif code == READ_EEPROM and frame[1] + frame[2] <= 255:
            cells = bytearray(256)
            cells[0x10:0x14] = bytes(
                (self.product & 0xFF, self.product >> 8, self.firmware & 0xFF, self.firmware >> 8)
            )
            self._response = bytes(cells[frame[1] : frame[1] + frame[2]])
            self._ready_at += EEPROM_US
        elif code == READ_DATA:
            self._response = self._received
        elif code == SEND_DATA:
            return self._transmit(frame[2:])
        elif code == LOAD_RF_CONFIG and frame[1:] == b"\x0d\x8d":
            self._registers[TX_CONFIG] = 0x540
            self._registers[CRC_TX_CONFIG] = self._registers[CRC_RX_CONFIG] = 0x1B
            self._ready_at += LOAD_US
        elif code == RF_ON:
            self._power_up()
        elif code == RF_OFF:
            self._field = False
            self._present = []
            self._irq |= RFOFF_IRQ
            self._ready_at += FIELD_US
        else:
            return False
        return True

    def _read(self, register: int) -> int:
        if register == IRQ_STATUS:
            return self._irq
        if register == RF_STATUS:
            return self._state << 24 | self._field << 17 | (400 - 10 * len(self._present) if self._field else 0)
        return self._registers[register]

    def _write(self, code: int, register: int, value: int) -> None:
        if code == OR_MASK:
            value |= self._registers[register]
        elif code == AND_MASK:
            value &= self._registers[register]
        if register == IRQ_CLEAR:
            self._irq &= ~value
        elif register not in (IRQ_STATUS, RX_STATUS, RF_STATUS):
            self._registers[register] = value
        if register == SYSTEM_CONFIG:
            # An answer on its way is lost. Its tag goes on sending, so the next frame must wait.
            self._sent_at = self._sof_at = self._answered_at = -1.0
            self._state = WAIT_TRANSMIT if value & 7 == 3 else IDLE
            if self._state == IDLE:
                self._irq |= IDLE_IRQ

    def _power_up(self) -> None:
        self._ready_at += FIELD_US
        self._irq |= RFON_IRQ
        if self._field:
            return
        self._field = True
        self._field_since = self._ready_at
        self._present = []
        for tag in self.tags:
            if tag.well_placed and not self.chance.happens(self.miss):
                tag.power_up(self.chance.happens(self.shifted))
                self._present.append(tag)
                if self.chance.happens(self.ghost):
                    self._present.append(VicinityTag(tag.uid[:1] + tag.uid[2:] + tag.uid[1:2]))

    def _transmit(self, body: bytes) -> bool:
        """Send `body` to the tags, and plan their answer; False if the chip is not ready to send."""
        config = self._registers[TX_CONFIG]
        with_data = config & DATA_ENABLE != 0
        if self._state != WAIT_TRANSMIT or with_data != (len(body) > 0):
            return False
        start = float(self._ready_at)
        self._state = TRANSMITTING
        self._sent_at = start + REQUEST_EOF_US
        if with_data:
            self._sent_at += REQUEST_SOF_US + (len(body) + 2) * BYTE_US
        answers = []
        in_time = self._field and start >= max(self._field_since + GUARD_US, self._deaf_until)
        if in_time and config & STOP_SYMBOL and with_data == (config & START_SYMBOL != 0):
            frame = body + _crc(self._registers[CRC_TX_CONFIG], body)
            for tag in self._present:
                answer = tag.request(frame) if with_data else tag.end_of_frame()
                if answer is not None:
                    answers.append(answer)
        if answers:
            self._overlay(answers)
            self._sof_at = self._sent_at + T1_US + ANSWER_SOF_US
            self._answered_at = self._sof_at + len(answers[0]) * BYTE_US + ANSWER_EOF_US
            self._deaf_until = self._answered_at + T2_US
        return True

    def _overlay(self, answers: list[bytes]) -> None:
        """Receive the answers of several tags at once.

        Equal bits pass. From the first difference on, all bits read as zero, and the status tells a collision.
        """
        data = bytearray(answers[0])
        size = len(data) * 8
        collision = -1
        for at in range(size):
            bit = data[at // 8] >> (at % 8) & 1
            if any(other[at // 8] >> (at % 8) & 1 != bit for other in answers[1:]):
                collision = at
                break
        status = 0
        if collision >= 0:
            for at in range(collision, size):
                data[at // 8] &= ~(1 << (at % 8)) & 0xFF
            status = COLLISION | collision << COLLISION_AT
        body = bytes(data)
        if self._registers[CRC_RX_CONFIG] & 1:
            body = body[:-2]
            if _crc(self._registers[CRC_RX_CONFIG], body) != bytes(data[-2:]):
                status |= INTEGRITY_ERROR
        self._answer = body
        self._answer_status = status | len(body)

    def _settle(self) -> None:
        """Apply all answers of the reader chip that are due by now."""
        now = self.time.us
        if 0 <= self._sent_at <= now:
            self._sent_at = -1.0
            self._irq |= TX_IRQ
            self._state = WAIT_RECEIVE
        if 0 <= self._sof_at <= now:
            self._sof_at = -1.0
            self._irq |= RX_SOF_IRQ
            self._state = RECEIVING
        if 0 <= self._answered_at <= now:
            self._answered_at = -1.0
            self._received = self._answer
            self._registers[RX_STATUS] = self._answer_status
            self._irq |= RX_IRQ
            self._state = WAIT_TRANSMIT


def _crc(config: int, data: bytes) -> bytes:
    """CRC-16 of `data`, as the chip computes it under the register value `config`.

    b"" unless `config` enables the CRC with inverted output and preset 0xFFFF. Other settings are not
    modelled.
    """
    return crc_15693(data) if config & 0x3F == 0x1B else b""
