# mypy: ignore-errors
"""MPR121 touch controller: filtered electrode data against a baseline of our own, free pins as switches.

After a while the chip's own baseline follows a resting load; ours does not change while an electrode is
touched. Registers: NXP's data sheet and application notes AN3890 and AN3894.
"""

from firmware.wire.hot_loops import const

_FILTERED = const(0x4)
_SOFT_RESET = const(0x80)
_CONFIG1 = const(0x5C)
_CONFIG2 = const(0x5D)
_ELECTRODES = const(0x5E)
_GPIO_CTL0 = const(0x73)
_GPIO_CTL1 = const(0x74)
_GPIO_DATA = const(0x75)
_GPIO_DIR = const(0x76)
_GPIO_EN = const(0x77)

# counts under the baseline
_PRESS = const(30)
_RELEASE = const(18)
_CREEP = const(32)  # a share of 1/32 of the difference goes into the baseline at each quiet reading
_NOISE_SHARE = const(5)  # bits: the noise is a mean over some 32 quiet readings


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
        self._data = bytearray(2 * electrodes)
        self._byte = bytearray(1)

    def start(self):
        """Reset and set up. OSError if nothing answers, False if it is another chip."""
        self._write(_SOFT_RESET, 0x63)
        if self._read(_CONFIG2) != 0x24:
            return False
        self._write(_CONFIG1, 0x10)
        self._write(_CONFIG2, 0x20)
        if self._switches:
            # Enabled, direction in, pulled up.
            self._write(_GPIO_CTL0, self._switches)
            self._write(_GPIO_CTL1, self._switches)
            self._write(_GPIO_DIR, 0)
            self._write(_GPIO_EN, self._switches)
        self._write(_ELECTRODES, self.count)  # baseline tracking off: bits 7-6 are 00
        for at in range(self.count):
            self._base[at] = 0
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

    def selftest(self):
        """(whether every electrode reads within its range; baselines and noise in counts)."""
        ok = True
        for base in self._base:
            ok = ok and 32 < base >> 4 < 992
        base = ",".join([str(base >> 4) for base in self._base])
        return ok, "base " + base + " noise " + ",".join([str(noise + 128 >> 8) for noise in self._noise])

    def _weigh(self, at, value):
        base = self._base
        if not base[at]:
            base[at] = value  # zero before the first conversion, and for a wire that lies on ground
            return
        depth = base[at] - value
        if self.touched[at]:
            self.touched[at] = depth > _RELEASE << 4
        elif depth > _PRESS << 4:
            self.touched[at] = True
        elif -_RELEASE << 4 < depth < _RELEASE << 4:
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
