"""MPR121 behind I2C: filtered electrode data, and free electrodes as input pins."""

from firmware.simulator.chips.model_time import Chance

IDLE_COUNT = 600
TOUCH_DROP = 90


class Mpr121Model:
    """One chip. Set `touched[0..11]` and `closed[4..11]`. Faults: `sigma`, `drift`, `dead`, `nak`.

    `sigma` and `drift` are in counts; `nak` is the probability that a transfer is not acknowledged.
    """

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.touched = [False] * 12
        self.closed = [False] * 12
        self.sigma = 0.0
        self.drift = 0.0
        self.dead = False
        self.nak = 0.0
        self._registers = bytearray(0x81)
        self._reset()

    def read(self, register: int, data: bytearray) -> None:
        """Fill `data` starting at `register`; OSError if the chip does not acknowledge."""
        self._alive()
        enabled = min(self._registers[0x5E] & 0x0F, 12)
        value = 0
        for at in range(len(data)):
            address = register + at
            if 0x04 <= address < 0x1C:
                electrode = (address - 4) // 2
                if not address & 1 or at == 0:
                    # Both bytes of a reading come from the same conversion.
                    value = self._filtered(electrode) if electrode < enabled else 0
                data[at] = value >> 8 if address & 1 else value & 0xFF
            elif address == 0x75:
                data[at] = self._pins()
            else:
                data[at] = self._registers[address] if address < 0x81 else 0

    def write(self, register: int, data: bytes) -> None:
        """Write `data` starting at `register`; OSError if the chip does not acknowledge."""
        self._alive()
        if register == 0x80 and data[0] == 0x63:
            self._reset()
            return
        running = self._registers[0x5E] & 0x3F
        for at in range(len(data)):
            address = register + at
            # Most registers can only be written while no electrode runs.
            if address < 0x81 and (not running or address == 0x5E or 0x73 <= address <= 0x7A):
                self._registers[address] = data[at]

    def brown_out(self) -> None:
        """A short power loss: every register is as after power-on, and no electrode runs."""
        self._reset()

    def _alive(self) -> None:
        if self.dead:
            raise OSError(19)
        if self.chance.happens(self.nak):
            raise OSError(5)

    def _reset(self) -> None:
        self._registers = bytearray(0x81)
        self._registers[0x5C] = 0x10
        self._registers[0x5D] = 0x24

    def _filtered(self, electrode: int) -> int:
        value = IDLE_COUNT + self.drift
        if self.touched[electrode]:
            value -= TOUCH_DROP
        if self.sigma:
            value += self.chance.normal() * self.sigma
        return max(0, min(1023, int(value)))

    def _pins(self) -> int:
        """Levels of electrode pins 4..11 as bits 0..7: pulled up, low when closed."""
        enabled = self._registers[0x77]
        bits = 0
        for pin in range(4, 12):
            if enabled >> (pin - 4) & 1 and not self.closed[pin]:
                bits |= 1 << (pin - 4)
        return bits
