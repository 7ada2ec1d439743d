# mypy: ignore-errors
"""Board's main loop: sensors, lamps and wire by turns."""

from firmware.board.live_levels import LiveLevels
from firmware.board.parts import build
from firmware.board.uplink import Uplink
from firmware.wire import codec

RETRY_US = 5000000  # between two attempts to start a missing part: a guess
SERIAL_US = 2000  # longest pause between two looks at the port: a guess
LONGEST_US = 20000  # longest pause with nothing due: a guess
SETTINGS = ("samples", "step", "band", "counts_per_gram", "zero")  # names of the CONFIG keys, from 1


class App:
    """The board's program.

    Call `step()` for ever, until `exit` is True.

    `rig` is the wiring (`default_rig`). `complaints` are faults of the wiring in words, sent to every host.
    `idle_us` is the time until the next step if no byte arrives. A step without change allocates nothing, so
    the heap does not grow while the table rests.
    """

    def __init__(self, hal, rig, complaints=()):
        self.hal = hal
        self.complaints = list(complaints)
        self.rig = rig = self._that_fits(rig)
        self.names = [station["name"] for station in rig["stations"]]
        count = len(self.names)
        self.caps = [0] * count
        self.dead = [0] * count
        # None until measured: a board that has just started must not report empty places.
        self.tags = [None] * count
        self.weights = [None] * count
        self.touched = [None] * count
        self.pressed = [None] * count
        self.field_owner = None
        self.uplink = Uplink(hal, self)
        self.levels = LiveLevels(self)
        self.scales = None
        self.electrodes = None
        self.lamps = None
        self.lamp_of = {}
        self.idle_us = 0
        self.beeper = None
        self._beep_began = None
        self._beep_us = 0
        self.parts = build(self)
        count = len(self.parts)
        self._ran = [hal.ticks_us()] * count
        self._pause = [0] * count
        self._there = [False] * count
        self._tried = [False] * count

    @property
    def exit(self):
        """True after the host has asked to end the program."""
        return self.uplink.exit

    def step(self):
        """Run every part that is due.

        Returns the time (us) until the next call, at most 2 ms.
        """
        hal = self.hal
        hal.feed()
        self.uplink.poll()
        wait = LONGEST_US
        for at in range(len(self.parts)):
            left = self._pause[at] - hal.since_us(self._ran[at])
            if left <= 0:
                self._ran[at] = hal.ticks_us()
                left = self._pause[at] = self._run(at)
            if left < wait:
                wait = left
        if self._beep_began is not None and hal.since_us(self._beep_began) >= self._beep_us:
            self._beep_began = None
            self.beeper.tone(0)
        if self.lamps is not None:
            self.lamps.show()
        if self.levels.on:
            self.levels.step()
        self.uplink.poll()
        self.idle_us = wait
        return min(wait, SERIAL_US)

    def answers(self, at):
        """True if part number `at` (in the list of parts) answers."""
        return self._there[at]

    def tag(self, station, uids):
        """Report all tags (UIDs) now resting in a reader's field."""
        self.tags[station] = list(uids)
        self.uplink.event(codec.EV_TAG, station, codec.pack_tags(uids))

    def weigh(self, station, report):
        """Report a new load: (tenths of a gram, mean counts, counts at zero)."""
        self.weights[station] = report
        self.uplink.event(codec.EV_WEIGHT, station, codec.pack_weight(*report))

    def touch(self, station, state):
        """Report that a touch electrode was touched (True) or released."""
        self.touched[station] = state
        self.uplink.event(codec.EV_TOUCH, station, bytes((state,)))

    def press(self, station, state):
        """Report that a button was pressed (True) or released."""
        self.pressed[station] = state
        self.uplink.event(codec.EV_BUTTON, station, bytes((state,)))

    def log(self, level, text):
        """Send a log line: level 0 information, 1 warning, 2 error. It may be lost."""
        self.uplink.log(level, text)

    def complain(self, text):
        """Report a wiring fault now, and to all later hosts."""
        self.complaints.append(text)
        self.log(2, text)

    def mark(self, station, cap, alive, what, fault=codec.FAULT_NONE):
        """Record that a station's part answers (`alive`) or not, and report a change.

        `cap` is its capability bit, `what` its name for people, `fault` one of `codec.FAULT_*`.
        """
        was = not self.dead[station] & cap
        if was != alive:
            self.dead[station] ^= cap
            self.tell_of(station, cap, what, fault)

    def tell_of(self, station, cap, what, fault=codec.FAULT_NONE):
        """Report to the host whether the part behind a capability bit (`cap`) of a station answers.

        `what` is its name for people, `fault` one of `codec.FAULT_*`.
        """
        answers = not self.dead[station] & cap
        self.uplink.part(station, cap, answers, self.names[station] + " " + what, fault)

    def stations(self):
        """Stations for HELLO: (name, capability bits, bits of missing parts), by number."""
        return [(self.names[at], self.caps[at], self.dead[at]) for at in range(len(self.names))]

    def report(self):
        """Send a new host every fault of the wiring, and which parts answer."""
        for text in self.complaints:
            self.log(2, text)
        self.parts_report()

    def parts_report(self):
        """Report which parts answer, each load cell by itself.

        Untried parts are left out.
        """
        for at in range(len(self.parts)):
            if self._tried[at]:
                self._tell(at)
        if self.scales is not None:
            self.scales.report()

    def _tell(self, at):
        """Report whether part number `at` answers."""
        part = self.parts[at]
        stations = [station for station, _ in part.serves]
        shared = any(station != stations[0] for station in stations)
        caps = 0
        for _, cap in part.serves:
            caps |= cap
        self.uplink.part(codec.NO_STATION if shared else stations[0], caps, self._there[at], part.name)

    def snapshots(self, gap):
        """Queue the state of every station for the host.

        `gap` is True if events before it were lost.
        """
        for at in range(len(self.names)):
            self.snapshot(at, gap and at == 0)

    def snapshot(self, at, gap=False):
        """Queue the state of station number `at` for the host.

        `gap`: True if events before it were lost.
        """
        works = self.caps[at] & ~self.dead[at]
        self.uplink.snapshot(
            codec.pack_snapshot(
                station=at,
                t_us=self.uplink.time(),
                uids=self.tags[at] if works & codec.CAP_READER else None,
                weight=self.weights[at] if works & codec.CAP_COUNT else None,
                touched=self.touched[at] if works & codec.CAP_TOUCH else None,
                pressed=self.pressed[at] if works & codec.CAP_BUTTON else None,
            ),
            gap,
        )

    def command(self, kind, seq, payload):
        """Execute a CMD or CONFIG frame and queue its RESULT.

        `kind`: type of the frame. `seq`: its number. ValueError if `payload` is too short.
        """
        op, station = codec.unpack("<BB", payload)
        if station != codec.NO_STATION and station >= len(self.names):
            self.uplink.result(seq, op, False, "no station " + str(station))
            return
        if kind == codec.CMD and op == codec.OP_SELFTEST:
            ok, text = self._selftest(station, payload)
        else:
            if kind == codec.CONFIG:
                text = self._configure(op, station, codec.unpack("<i", payload, 2)[0])
            else:
                text = self._do(op, station, payload)
            ok = text is None
        self.uplink.result(seq, op, ok, text or "")

    def _that_fits(self, rig):
        """Copy of the rig without stations that a HELLO, the greeting, cannot hold; each is a complaint."""
        room = codec.STATIONS_ROOM
        kept = []
        for station in rig["stations"]:
            room -= min(len(station["name"].encode()), codec.NAME_BYTES) + 3
            if room >= 0:
                kept.append(station)
            else:
                self.complaints.append(station["name"] + ": too many stations, or names too long")
        return dict(rig, stations=kept)

    def _do(self, op, station, payload):
        """Execute a CMD frame: a lamp, a beep, a zero, a snapshot or levels.

        `op`: one of `codec.OP_*`. `station`: number. `payload`: of the frame, with the arguments. Returns None,
        or the reason why it failed.
        """
        if op == codec.OP_LAMP:
            red, green, blue = codec.unpack("<BBB", payload, 2)
            index = self.lamp_of.get(station)
            if index is None or self.lamps is None:
                return "no lamp there"
            self.lamps.set(index, red, green, blue)
        elif op == codec.OP_BEEP:
            millis, hertz = codec.unpack("<HH", payload, 2)
            if self.beeper is None:
                return "no beeper"
            self.beeper.tone(hertz)
            self._beep_began = self.hal.ticks_us()
            self._beep_us = millis * 1000
        elif op == codec.OP_ZERO:
            return self._set_scales(station, "tare", 0)
        elif op == codec.OP_SNAPSHOT:
            if self.uplink.room() < len(self.names) + 4:
                return "busy"
            self.snapshots(False)
        elif op == codec.OP_LEVELS:
            self.levels.wanted(codec.unpack("<B", payload, 2)[0])
        else:
            return "unknown command " + str(op)
        return None

    def _selftest(self, station, payload):
        """Self-test of a station's nth part.

        For NO_STATION, the names of missing parts. n (from 0) is the third byte of `payload`. Returns (True if
        sound, text). The text is empty after a station's last part.
        """
        if station == codec.NO_STATION:
            missing = self._missing()
            return (False, "missing: " + ", ".join(missing)) if missing else (True, "all parts answer")
        wanted = codec.unpack("<B", payload, 2)[0] if len(payload) > 2 else 0
        for at, part in enumerate(self.parts):
            if any(serves[0] == station for serves in part.serves):
                if not wanted:
                    if not self._there[at]:
                        return False, part.name + ": does not answer"
                    ok, text = part.selftest()
                    return ok, part.name + ": " + text
                wanted -= 1
        return True, ""

    def _missing(self):
        """Names of the parts and scales that do not answer."""
        names = [part.name for at, part in enumerate(self.parts) if self._tried[at] and not self._there[at]]
        dead = [self.names[at] for at in range(len(self.names)) if self.dead[at] & codec.CAP_COUNT]
        return names + [name + " scale" for name in dead]

    def _configure(self, key, station, value):
        """Apply the setting of a CONFIG frame.

        `key`: one of `codec.CONF_*`. `station`: number; NO_STATION: all. `value`: in the setting's unit.
        Returns None, or the reason why it failed.
        """
        if key == codec.CONF_WEIGHT_SAMPLES and self.scales is not None:
            self.scales.samples = bool(value)
            return None
        if key == codec.CONF_TOUCH_SHARE:
            if not 0 < value < 1000:
                return "a threshold is 1 to 999 thousandths"
            found = self.electrodes is not None and self.electrodes.set_share(station, value)
            return None if found else "no electrode there"
        if not 0 < key <= len(SETTINGS):
            return "unknown setting " + str(key)
        name = SETTINGS[key - 1]
        if value <= 0 and name != "zero":
            return name + " must be above zero"
        return self._set_scales(station, name, value)

    def _set_scales(self, station, name, value):
        """Tare a station's scale, or set its zero or another field to `value`.

        `station`: number; NO_STATION: all. `name`: "tare", "zero" or a field of `Scale`. Returns None, or the
        reason why it failed.
        """
        done = False
        if self.scales is not None:
            for at, scale in enumerate(self.scales.scales):
                if station in (codec.NO_STATION, self.scales.stations[at]):
                    done = True
                    if name == "tare":
                        scale.tare()
                        self.weights[self.scales.stations[at]] = None
                    elif name == "zero":
                        scale.set_zero(value)
                    else:
                        setattr(scale, name, value)
        return None if done else "no scale there"

    def _run(self, at):
        """Run part number `at`, or try to start it if it is missing.

        Returns the time (us) until it is due again.
        """
        part = self.parts[at]
        there = self._there[at]
        try:
            if there:
                pause = part.tick()
                return max(pause, 500)
            there = part.start()
        except OSError:
            there = False
        if there != self._there[at] or not self._tried[at]:
            for station, cap in part.serves:
                self.dead[station] = self.dead[station] & ~cap if there else self.dead[station] | cap
            self._there[at] = there
            self._tell(at)
        self._tried[at] = True
        return 1000 if there else RETRY_US
