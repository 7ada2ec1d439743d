# mypy: ignore-errors
"""MPR121 touch controller: filtered electrode data against a baseline of our own, free pins as switches.

The chip chooses charge and time for each electrode itself (autoconfiguration), so that foils of 5 to 50 pF
read alike. After a while the chip's own baseline follows a resting load; ours does not change while an
electrode is touched. Registers: NXP's data sheet and application notes AN3889 (charge), AN3890 (filters) and
AN3894 (pins).
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
_LEVELS = const(0x7D)  # upper limit, lower limit, target

# Thousandths of the baseline, until the host sets the share of an electrode. Released at 5/8 of it. A finger of
# 1.8 pF moves 20 pF by 83, 40 pF by 43.
_PRESS = const(31)
_LEAST_PRESS = const(8)  # counts, and at least so many times the noise
_CREEP = const(32)  # a share of 1/32 of the difference goes into the baseline at each quiet reading
_NOISE_SHARE = const(5)  # bits: the noise is a mean over some 32 quiet readings
_LOWEST = const(32)  # counts: a wire that lies on ground reads less
# In tenths of a pF: less is a pin without its wire; with more a finger through 1.5 mm does not reach the
# threshold.
_OPEN = const(40)
_TOO_LARGE = const(450)


class Mpr121:
    """One chip. The first `electrodes` pins are electrodes; pins above 3 in `switches` are inputs."""

    def __init__(self, i2c, addr, electrodes, switches):
        self.i2c = i2c
        self.addr = addr
        self.count = electrodes
        self.touched = [False] * electrodes
        self.pins = 0
        self._switches = 0
        for pin in switches:
            self._switches |= 1 << (pin - 4)
        # In sixteenths, so that slow drift is not lost to rounding.
        self._base = [0] * electrodes
        self._noise = [0] * electrodes  # in 256ths
        self._above = [0] * electrodes
        self._shares = [_PRESS] * electrodes
        self._charged = [0] * electrodes  # microamperes x time, read after the chip has chosen them
        self._data = bytearray(2 * electrodes)
        self._byte = bytearray(1)

    def start(self):
        """Reset and set up. OSError if nothing answers, False if it is another chip."""
        self._write(_SOFT_RESET, 0x63)
        if self._read(_CONFIG2) != 0x24:
            return False
        self._write(_CONFIG1, 0x10)
        self._write(_CONFIG2, 0x20)
        # AN3889 at 3.3 V, of 256: USL is (3.3 - 0.7) / 3.3, TL 90 % and LSL 65 % of it.
        self.i2c.writeto_mem(self.addr, _LEVELS, bytes((200, 130, 180)))
        self._write(_AUTO, 0x01)
        if self._switches:
            # Enabled, direction in, pulled up.
            self._write(_GPIO_CTL0, self._switches)
            self._write(_GPIO_CTL1, self._switches)
            self._write(_GPIO_DIR, 0)
            self._write(_GPIO_EN, self._switches)
        self._write(_ELECTRODES, self.count)  # baseline tracking off: bits 7-6 are 00
        for at in range(self.count):
            self._base[at] = self._charged[at] = 0
        return True

    def poll(self):
        """Read everything once: `touched` for each electrode, `pins` as bits. OSError: no answer, or the
        chip stopped."""
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
        """Whether the switch on electrode pin 4..11 is closed to ground."""
        return not self.pins >> (pin - 4) & 1

    def capacitance(self, at):
        """Capacitance of an electrode at rest in tenths of a pF, from the charge that the chip has chosen.

        None without a baseline: the wire lies on ground. OSError if nothing answers.
        """
        base = self._base[at] >> 4
        if base < _LOWEST:
            return None
        if not self._charged[at]:
            charge = self._read(_CHARGES + at) & 0x3F
            self._charged[at] = charge << (self._read(_TIMES + at // 2) >> (4 if at & 1 else 0) & 7)
        # I (uA) x T (0.25 us x 2^code) x 1024 / (3.3 V x counts)
        return (self._charged[at] * 25600 // 33 + base // 2) // base

    def set_share(self, at, share):
        """Thousandths of the baseline by which a finger lowers the reading of an electrode."""
        self._shares[at] = share

    def level(self, at):
        """(counts, baseline, depth of a touch, noise in 256ths, tenths of a pF; -1 for a wire on ground)."""
        size = self.capacitance(at)
        value = self._data[2 * at] | self._data[2 * at + 1] << 8
        return value, self._base[at] >> 4, self._press(at) >> 4, self._noise[at], -1 if size is None else size

    def fault(self, at):
        """Why an electrode cannot feel a finger, "" if it can."""
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
        """pF, baselines and noise in counts of all electrodes."""
        sizes = [self.capacitance(at) for at in range(self.count)]
        text = "pF " + ",".join(["-" if size is None else str((size + 5) // 10) for size in sizes])
        text += " base " + ",".join([str(base >> 4) for base in self._base])
        return text + " noise " + ",".join([str(noise + 128 >> 8) for noise in self._noise])

    def _press(self, at):
        """Fall (sixteenths of a count) that is a finger."""
        # Noise is a mean of absolute values in 256ths: half of it is eight times as much in sixteenths.
        return max(self._base[at] * self._shares[at] // 1000, _LEAST_PRESS << 4, self._noise[at] >> 1)

    def _weigh(self, at, value):
        base = self._base
        if not base[at]:
            base[at] = value  # zero before the first conversion, and for a wire that lies on ground
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
                base[at] = value  # calibrated under a hand: the hand is gone
                self._above[at] = 0

    def _read(self, register):
        self.i2c.readfrom_mem_into(self.addr, register, self._byte)
        return self._byte[0]

    def _write(self, register, value):
        self._byte[0] = value
        self.i2c.writeto_mem(self.addr, register, self._byte)
