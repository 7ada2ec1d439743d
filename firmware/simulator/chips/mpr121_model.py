"""Model of an MPR121 touch chip.

It has charge, filters, autoconfiguration, and free electrodes as inputs.
"""

from firmware.simulator.chips.model_time import Chance, ModelTime

ELECTRODES = 12
SUPPLY_V = 3.3
COUNTS = 1024
"""Range of the converter: 10 bits (data sheet, capacitance measurement)."""
LINEAR_V = SUPPLY_V - 0.7
"""Voltage (V) up to which the current source keeps its current (data sheet, 5.11)."""
RUN_CAUGHT_UP = 256
"""Most filter periods that one transfer makes up for.
A longer silence changes nothing more."""

TOUCHED, OUT_OF_RANGE, FILTERED, BASELINE = 0x00, 0x02, 0x04, 0x1E
RISING, FALLING, TOUCHED_FILTER, THRESHOLDS, DEBOUNCE = 0x2B, 0x2F, 0x33, 0x41, 0x5B
CONFIG_1, CONFIG_2, RUN, CHARGE, TIMES = 0x5C, 0x5D, 0x5E, 0x5F, 0x6C
PIN_DATA, PIN_ENABLED = 0x75, 0x77
AUTO, AUTO_2, UPPER, LOWER, TARGET, RESET = 0x7B, 0x7C, 0x7D, 0x7E, 0x7F, 0x80
MAX_CHARGE_UA, MAX_TIME = 63, 7
SAMPLES = (4, 6, 10, 18)
"""Samples of the second filter by SFI (data sheet, register 0x5D)."""


class Electrode:
    """Touch electrode of the model: a copper foil with its wire, capacitances in pF.

    `pf` is that of foil and wire (15 to 40 for 30 x 30 mm). A finger adds `finger_pf` (1.8 for 1 cm2 through
    1.5 mm of plastic), a grounded bar below `bar_pf` (10), warmth and damp `drift_pf`.

    `wire` is "" for a whole wire, "open" if nothing hangs at the chip's pin, "ground" for a short circuit.
    """

    OPEN_PF = 3.0  # the pin and its stub of a track: a guess

    def __init__(self) -> None:
        self.pf = 20.0
        self.finger_pf = 1.8
        self.bar_pf = 0.0
        self.drift_pf = 0.0
        self.wire = ""

    def picofarads(self, finger: bool) -> float:
        """Capacitance (pF) that the chip charges.

        With a finger or without.
        """
        if self.wire == "open":
            return self.OPEN_PF
        return self.pf + self.bar_pf + self.drift_pf + (self.finger_pf if finger else 0.0)


class Mpr121Model:
    """Touch chip MPR121 with its foils and buttons.

    Inputs, by the number of the chip's pin: `touched[0..11]` (finger on the foil), `closed[4..11]` (button
    pressed), `electrodes[0..11]`. Faults: `sigma` (noise in counts, after the filters), `dead`, `nak`
    (probability that a transfer is not acknowledged).
    """

    def __init__(self, time: ModelTime, chance: Chance) -> None:
        self.time = time
        self.chance = chance
        self.touched = [False] * ELECTRODES
        self.closed = [False] * ELECTRODES
        self.electrodes = [Electrode() for _ in range(ELECTRODES)]
        self.sigma = 0.5
        self.dead = False
        self.nak = 0.0
        self._registers = bytearray(0x81)
        self._reset()

    def read(self, register: int, data: bytearray) -> None:
        """Fill `data` with the chip's registers from number `register` on.

        OSError if the chip does not acknowledge.
        """
        self._alive()
        self._catch_up()
        for at in range(len(data)):
            address = register + at
            if address == PIN_DATA:
                data[at] = self._pins()
            else:
                data[at] = self._registers[address] if address < RESET else 0

    def write(self, register: int, data: bytes) -> None:
        """Write `data` to the chip's registers from number `register` on.

        Most registers keep their value while an electrode runs, as in the real chip. OSError if the chip does
        not acknowledge.
        """
        self._alive()
        self._catch_up()
        if register == RESET and data[0] == 0x63:
            self._reset()
            return
        for at in range(len(data)):
            address = register + at
            if address == RUN:
                self._run(data[at])
            elif RISING <= address < RESET or BASELINE <= address < RISING:
                # Most registers are locked while an electrode runs (data sheet).
                if not self._running() or 0x73 <= address <= 0x7A:
                    self._registers[address] = data[at]

    def brown_out(self) -> None:
        """Lose power for a moment: registers are as after power-on, no electrode runs."""
        self._reset()

    def counts(self, electrode: int) -> float:
        """Counts of an electrode now, without noise: charge current x time x 1024 / (capacitance x 3.3 V)."""
        charge = self._registers[CHARGE + electrode] & 0x3F or self._registers[CONFIG_1] & 0x3F
        times = self._registers[TIMES + electrode // 2] >> (4 if electrode & 1 else 0) & 7
        return self._converted(electrode, charge, times or self._registers[CONFIG_2] >> 5)

    def _converted(self, electrode: int, charge_ua: int, time_code: int) -> float:
        """Counts that the chip reads of an electrode, without noise.

        `electrode`: pin (0 to 11). `charge_ua`: charge current (uA). `time_code`: charge time as the chip codes
        it, 1 to 7.
        """
        foil = self.electrodes[electrode]
        if not charge_ua or not time_code or foil.wire == "ground":
            return 0.0
        microseconds = 0.25 * (1 << time_code)
        volts = charge_ua * microseconds / foil.picofarads(self.touched[electrode])
        if volts > LINEAR_V:
            # The current source has no headroom left, so further charge adds less and less.
            room = SUPPLY_V - LINEAR_V
            volts = SUPPLY_V - room * room / (room + volts - LINEAR_V)
        return volts * COUNTS / SUPPLY_V

    def _alive(self) -> None:
        if self.dead:
            raise OSError(19)
        if self.chance.happens(self.nak):
            raise OSError(5)

    def _reset(self) -> None:
        self._registers = bytearray(0x81)
        self._registers[CONFIG_1] = 0x10
        self._registers[CONFIG_2] = 0x24
        self._next_us = self.time.us
        # For each electrode: samples beyond the noise limit, samples since the baseline moved, samples that
        # contradict the touch status, baseline in all 10 bits.
        self._noise_run = [0] * ELECTRODES
        self._delay = [0] * ELECTRODES
        self._disagree = [0] * ELECTRODES
        self._baselines = [0] * ELECTRODES

    def _running(self) -> int:
        """Number of electrodes that run."""
        return min(self._registers[RUN] & 0x0F, ELECTRODES)

    def _run(self, value: int) -> None:
        """Write the run register: start or stop the electrodes, and load their baselines."""
        stopped = not self._registers[RUN] & 0x3F
        self._registers[RUN] = value
        if not stopped or not value & 0x3F:
            return
        if self._registers[AUTO] & 1:
            self._configure()
        tracking = value >> 6
        for at in range(self._running()):
            sample = int(self.counts(at))
            if tracking >= 2:
                # 2 loads the five high bits of the first sample, 3 loads all ten.
                self._baselines[at] = sample & 0x3E0 if tracking == 2 else sample
            else:
                self._baselines[at] = self._registers[BASELINE + at] << 2
            self._noise_run[at] = self._delay[at] = self._disagree[at] = 0
        self._registers[TOUCHED] = self._registers[TOUCHED + 1] = 0
        # The first data come after one period of the second filter.
        self._next_us = self.time.us + self._period_us()

    def _period_us(self) -> int:
        setting = self._registers[CONFIG_2]
        return SAMPLES[setting >> 3 & 3] * 1000 * (1 << (setting & 7))

    def _configure(self) -> None:
        """Choose charge and time of each electrode nearest to the target (autoconfiguration)."""
        registers = self._registers
        registers[OUT_OF_RANGE] = registers[OUT_OF_RANGE + 1] = 0
        only_charge = registers[AUTO_2] & 0x80
        for at in range(self._running()):
            charge, time_code = self._nearest(at, registers[CONFIG_2] >> 5 if only_charge else 0)
            registers[CHARGE + at] = charge
            shift = 4 if at & 1 else 0
            pair = TIMES + at // 2
            registers[pair] = registers[pair] & ~(7 << shift) & 0xFF | time_code << shift
            level = int(self._converted(at, charge, time_code)) >> 2
            if not registers[LOWER] <= level <= registers[UPPER]:
                registers[OUT_OF_RANGE + at // 8] |= 1 << at % 8
                registers[OUT_OF_RANGE + 1] |= 0x80

    def _nearest(self, electrode: int, fixed_time: int) -> tuple[int, int]:
        """Charge (uA) and time code with the highest counts up to the target, for one electrode.

        The shortest time comes first. `fixed_time`: the only time code; 0: any.
        """
        target = self._registers[TARGET] << 2
        found = (1, fixed_time or 1)
        for time_code in range(1, MAX_TIME + 1):
            if fixed_time and time_code != fixed_time:
                continue
            low, high = 1, MAX_CHARGE_UA
            while low < high:
                middle = (low + high + 1) // 2
                if self._converted(electrode, middle, time_code) <= target:
                    low = middle
                else:
                    high = middle - 1
            found = low, time_code
            if low < MAX_CHARGE_UA:
                break
        return found

    def _catch_up(self) -> None:
        """Run the filter periods that ended since the last transfer."""
        if not self._running():
            return
        period = self._period_us()
        due = (self.time.us - self._next_us) // period + 1
        if due <= 0:
            return
        self._next_us += due * period
        levels = [self.counts(at) for at in range(self._running())]
        for _ in range(min(due, RUN_CAUGHT_UP)):
            for at, level in enumerate(levels):
                self._sample(at, level)

    def _sample(self, at: int, value: float) -> None:
        """Take one sample of electrode `at`, of `value` counts: data, baseline and touch status follow it."""
        if self.sigma:
            value += self.chance.normal() * self.sigma
        sample = max(0, min(COUNTS - 1, int(value + 0.5)))
        registers = self._registers
        registers[FILTERED + 2 * at] = sample & 0xFF
        registers[FILTERED + 2 * at + 1] = sample >> 8
        pressed = registers[TOUCHED + at // 8] >> at % 8 & 1
        self._track(at, sample, pressed)
        registers[BASELINE + at] = self._baselines[at] >> 2
        fall = self._baselines[at] - sample
        over = (
            fall > registers[THRESHOLDS + 2 * at] if not pressed else fall < registers[THRESHOLDS + 2 * at + 1]
        )
        self._disagree[at] = self._disagree[at] + 1 if over else 0
        needed = registers[DEBOUNCE] >> (4 if pressed else 0) & 7
        if self._disagree[at] > needed:
            registers[TOUCHED + at // 8] ^= 1 << at % 8
            self._disagree[at] = 0

    def _track(self, at: int, sample: int, pressed: int) -> None:
        """Move the baseline of electrode `at` after its data (the chip's third filter, AN3891).

        `sample`: the new data (counts). `pressed`: 1 while the electrode is touched, else 0.
        """
        if self._registers[RUN] >> 6 == 1:
            return  # tracking is off
        away = sample - self._baselines[at]
        if pressed:
            half_delta, (noise_delta, noise_count, delay) = (
                0,
                self._registers[TOUCHED_FILTER : TOUCHED_FILTER + 3],
            )
        else:
            base = RISING if away > 0 else FALLING
            half_delta, noise_delta, noise_count, delay = self._registers[base : base + 4]
        if not away:
            self._noise_run[at] = self._delay[at] = 0
            return
        self._delay[at] += 1
        if self._delay[at] <= delay:
            return
        self._delay[at] = 0
        step = 1 if away > 0 else -1
        if not pressed and abs(away) <= 2 * half_delta:
            self._baselines[at] += away
            self._noise_run[at] = 0
            return
        self._noise_run[at] += 1
        if self._noise_run[at] > noise_count:
            self._noise_run[at] = 0
            self._baselines[at] += step * min(noise_delta, abs(away))

    def _pins(self) -> int:
        """Levels of electrode pins 4 to 11 as bits 0 to 7: pulled up, low while closed."""
        enabled = self._registers[PIN_ENABLED]
        bits = 0
        for pin in range(4, 12):
            if enabled >> (pin - 4) & 1 and not self.closed[pin]:
                bits |= 1 << (pin - 4)
        return bits
