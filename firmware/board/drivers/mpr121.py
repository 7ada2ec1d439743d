# mypy: ignore-errors
"""MPR121 touch chip: electrodes against our own baseline, free pins as switches.

The chip chooses charge and time of each electrode itself (autoconfiguration), so foils of 5 to 50 pF read
alike. Its own baseline follows a resting load. Ours stands still while an electrode is touched.

Registers: NXP's data sheet and application notes AN3889 (charge), AN3890 (filters) and AN3894 (pins).
"""

from firmware.wire.hot_loops import const

_OUT_OF_RANGE = const(0x2)
_FILTERED = const(0x4)
_SOFT_RESET = const(0x80)
_CONFIG1 = const(0x5C)
_CONFIG2 = const(0x5D)
_ELECTRODES = const(0x5E)
_CHARGES = const(0x5F)
_TIMES = const(0x6C)
_GPIO_CTL0 = const(0x73)
_GPIO_CTL1 = const(0x74)
_GPIO_DATA = const(0x75)
_GPIO_DIR = const(0x76)
_GPIO_EN = const(0x77)
_AUTO = const(0x7B)
_LEVELS = const(0x7D)  # registers of upper limit, lower limit and target

# Fall that is a touch, in thousandths of the baseline, until the host sets it. Released at 5/8 of it. A finger
# of 1.8 pF moves 20 pF by 83, 40 pF by 43 (calculated).
_PRESS = const(31)
_LEAST_PRESS = const(8)  # smallest fall that is a touch: in counts, and in multiples of the noise. A guess
_CREEP = const(32)  # each quiet reading moves the baseline by 1/32 of the difference: a guess
_NOISE_SHARE = const(5)  # the noise is a mean over some 2^5 quiet readings
_LOWEST = const(32)  # counts: less is a wire on ground. A guess
# In tenths of a pF. Less is a pin without its wire. With more, a finger through 1.5 mm does not reach the
# threshold (calculated).
_OPEN = const(40)
_TOO_LARGE = const(450)


class Mpr121:
    """MPR121 on the I2C bus.

    Its first `electrodes` pins are electrodes, `switches` are inputs.

    A switch is on a pin from 4 to 11. `touched` holds a bool for each electrode, `pins` the input levels as
    bits.
    """

    def __init__(self, i2c, addr, electrodes, switches):
        self.i2c = i2c
        self.addr = addr
        self.count = electrodes
        self.touched = [False] * electrodes
        self.pins = 0
        self._switches = 0
        for pin in switches:
            self._switches |= 1 << (pin - 4)
        # baselines in sixteenths of a count, because rounding would lose slow drift
        self._base = [0] * electrodes
        self._noise = [0] * electrodes  # mean noise in 256ths of a count
        self._above = [0] * electrodes
        self._shares = [_PRESS] * electrodes
        self._charged = [0] * electrodes  # microamperes times time code, read once the chip has chosen them
        self._data = bytearray(2 * electrodes)
        self._byte = bytearray(1)

    def start(self):
        """Reset and set up the chip.

        False if it is another chip, OSError without an answer.
        """
        self._write(_SOFT_RESET, 0x63)
        if self._read(_CONFIG2) != 0x24:
            return False
        self._write(_CONFIG1, 0x10)
        self._write(_CONFIG2, 0x20)
        # AN3889 at 3.3 V, in 256ths: upper limit (3.3 - 0.7) / 3.3, target 90 % and lower limit 65 % of it.
        self.i2c.writeto_mem(self.addr, _LEVELS, bytes((200, 130, 180)))
        self._write(_AUTO, 0x01)
        if self._switches:
            # Input with pull-up.
            self._write(_GPIO_CTL0, self._switches)
            self._write(_GPIO_CTL1, self._switches)
            self._write(_GPIO_DIR, 0)
            self._write(_GPIO_EN, self._switches)
        self._write(_ELECTRODES, self.count)  # bits 7-6 are 00: baseline tracking off
        for at in range(self.count):
            self._base[at] = self._charged[at] = 0
        return True

    def poll(self):
        """Read electrodes and switches once.

        OSError if nothing answers, or the chip stopped.
        """
        data = self._data
        if self.count:
            self.i2c.readfrom_mem_into(self.addr, _FILTERED, data)
            if not any(data) and self._read(_ELECTRODES) != self.count:
                raise OSError("it lost its settings")
            for at in range(self.count):
                self._weigh(at, (data[2 * at] | data[2 * at + 1] << 8) << 4)
        if self._switches:
            self.pins = self._read(_GPIO_DATA)

    def switch(self, pin):
        """True if the switch on chip pin 4 to 11 is closed to ground."""
        return not self.pins >> (pin - 4) & 1

    def capacitance(self, at):
        """Capacitance (tenths of a pF) of electrode `at` at rest; None for a wire on ground.

        It is calculated from the charge that the chip has chosen. OSError if the chip does not answer.
        """
        base = self._base[at] >> 4
        if base < _LOWEST:
            return None
        if not self._charged[at]:
            charge = self._read(_CHARGES + at) & 0x3F
            self._charged[at] = charge << (self._read(_TIMES + at // 2) >> (4 if at & 1 else 0) & 7)
        # I (uA) x T (0.25 us x 2^code) x 1024 / (3.3 V x counts): AN3889
        return (self._charged[at] * 25600 // 33 + base // 2) // base

    def set_share(self, at, share):
        """Set the threshold of electrode `at`: a fall in thousandths of the reading at rest."""
        self._shares[at] = share

    def level(self, at):
        """Raw level of electrode `at`: (counts, baseline, threshold, noise in 256ths, capacitance).

        The capacitance is in tenths of a pF, -1 for a wire on ground.
        """
        size = self.capacitance(at)
        value = self._data[2 * at] | self._data[2 * at + 1] << 8
        return value, self._base[at] >> 4, self._press(at) >> 4, self._noise[at], -1 if size is None else size

    def fault(self, at):
        """Why electrode `at` cannot feel a finger; else ""."""
        size = self.capacitance(at)
        if size is None:
            return "on ground"
        if size < _OPEN:
            return "open"
        if size > _TOO_LARGE:
            return "too large to feel a finger (" + str((size + 5) // 10) + " pF)"
        if self.touched[at]:
            return "touched, or stuck"
        outside = self._read(_OUT_OF_RANGE) | self._read(_OUT_OF_RANGE + 1) << 8
        return "out of range" if outside >> at & 1 else ""

    def numbers(self):
        """Capacitance (pF), baseline and noise (counts) of all electrodes, as text."""
        sizes = [self.capacitance(at) for at in range(self.count)]
        text = "pF " + ",".join(["-" if size is None else str((size + 5) // 10) for size in sizes])
        text += " base " + ",".join([str(base >> 4) for base in self._base])
        return text + " noise " + ",".join([str(noise + 128 >> 8) for noise in self._noise])

    def _press(self, at):
        """Fall (sixteenths of a count) below the baseline that is a finger."""
        # The noise is a mean of absolute values in 256ths. Half of it is eight times as much in sixteenths.
        return max(self._base[at] * self._shares[at] // 1000, _LEAST_PRESS << 4, self._noise[at] >> 1)

    def _weigh(self, at, value):
        base = self._base
        if not base[at]:
            base[at] = value  # still zero: before the first conversion, or a wire on ground
            return
        depth = base[at] - value
        press = self._press(at)
        release = press * 5 >> 3
        if self.touched[at]:
            self.touched[at] = depth > release
        elif depth > press:
            self.touched[at] = True
        elif -release < depth < release:
            base[at] -= (depth + _CREEP // 2) // _CREEP
            self._noise[at] += (abs(depth) << 4) - self._noise[at] >> _NOISE_SHARE
            self._above[at] = 0
        elif depth < 0:
            self._above[at] += 1
            if self._above[at] >= 5:
                base[at] = value  # calibrated under a hand that is gone now
                self._above[at] = 0

    def _read(self, register):
        self.i2c.readfrom_mem_into(self.addr, register, self._byte)
        return self._byte[0]

    def _write(self, register, value):
        self._byte[0] = value
        self.i2c.writeto_mem(self.addr, register, self._byte)
