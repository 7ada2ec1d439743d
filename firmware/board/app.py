# mypy: ignore-errors
"""The board's program: a cooperative loop over the parts that the rig names, and the wire."""

from firmware import wire
from firmware.board.drivers.lamps import Lamps
from firmware.board.parts import ButtonsPart, ReaderPart, ScalesPart, TexturePart, TouchPart
from firmware.board.uplink import Uplink

RETRY_US = 5000000  # a part that was missing is looked for again
SERIAL_US = 2000  # how long bytes may wait while nothing else is due


class App:
    """Call `step()` for ever; it returns the microseconds it may be left alone. `exit` says when to stop."""

    def __init__(self, hal, rig):
        self.hal = hal
        self.rig = rig
        self.names = [station["name"] for station in rig["stations"]]
        count = len(self.names)
        self.caps = [0] * count
        self.dead = [0] * count
        # None until felt for a moment: a board that has just started must not report emptiness.
        self.tags = [None] * count
        self.weights = [None] * count
        self.touched = [None] * count
        self.pressed = [None] * count
        self.field_owner = None
        self.uplink = Uplink(hal, self)
        self.scales = None
        self.parts = []
        self._beeper = hal.pwm(rig["beeper"]["pin"]) if "beeper" in rig else None
        self._beep_ends = None
        self._build()
        self._due = [0] * len(self.parts)
        self._there = [False] * len(self.parts)
        self._tried = [False] * len(self.parts)

    @property
    def exit(self):
        """Whether the host asked for the way out."""
        return self.uplink.exit

    def step(self):
        """Run what is due; the microseconds until something is again, at most 2 ms."""
        self.uplink.poll()
        now = self.uplink.now_us
        wait = SERIAL_US
        for at in range(len(self.parts)):
            left = self._due[at] - now
            if left <= 0:
                left = self._run(at)
                self._due[at] = now + left
            if left < wait:
                wait = left
        if self._beep_ends is not None and now >= self._beep_ends:
            self._beep_ends = None
            self._beeper.tone(0)
        if self._lamp_of:
            self._lamps.show()
        self.uplink.poll()
        return wait

    def tag(self, station, uids):
        """The tags in a reader's field changed."""
        self.tags[station] = list(uids)
        self.uplink.event(wire.EV_TAG, station, wire.pack_tags(uids))

    def touch(self, station, state):
        """A touch electrode changed."""
        self.touched[station] = state
        self.uplink.event(wire.EV_TOUCH, station, bytes((state,)))

    def press(self, station, state):
        """A button changed."""
        self.pressed[station] = state
        self.uplink.event(wire.EV_BUTTON, station, bytes((state,)))

    def log(self, level, text):
        """A line for the host."""
        self.uplink.log(level, text)

    def mark(self, station, cap, alive, what):
        """Remember and report that a station's part died or came back."""
        was = not self.dead[station] & cap
        if was != alive:
            self.dead[station] ^= cap
            text = self.names[station] + ": " + what
            self.log(0 if alive else 2, text + (" is back" if alive else " does not answer"))

    def stations(self):
        """(name, capability bits, bits of dead parts) in the order of their numbers."""
        return [(self.names[at], self.caps[at], self.dead[at]) for at in range(len(self.names))]

    def report(self):
        """Tell a new host about everything that is missing."""
        for at, part in enumerate(self.parts):
            if self._tried[at] and not self._there[at]:
                self.log(2, part.name + " does not answer")
        for at, name in enumerate(self.names):
            if self.dead[at] & wire.CAP_COUNT:
                self.log(2, name + ": scale (HX711) does not answer")

    def snapshots(self, gap):
        """Queue the whole state of every station."""
        for at in range(len(self.names)):
            self.snapshot(at, gap and at == 0)

    def snapshot(self, at, gap=False):
        """Queue the whole state of station number `at`."""
        works = self.caps[at] & ~self.dead[at]
        self.uplink.snapshot(
            wire.pack_snapshot(
                station=at,
                t_us=self.uplink.now_us,
                uids=self.tags[at] if works & wire.CAP_READER else None,
                weight=self.weights[at] if works & wire.CAP_COUNT else None,
                touched=self.touched[at] if works & wire.CAP_TOUCH else None,
                pressed=self.pressed[at] if works & wire.CAP_BUTTON else None,
            ),
            gap,
        )

    def command(self, kind, seq, payload):
        """Do what a CMD or CONFIG frame says, and answer."""
        op, station = wire.unpack("<BB", payload)
        if station != wire.NO_STATION and station >= len(self.names):
            self.uplink.result(seq, op, False, "no station " + str(station))
            return
        if kind == wire.CONFIG:
            text = self._configure(op, station, wire.unpack("<i", payload, 2)[0])
        else:
            text = self._do(op, station, payload)
        self.uplink.result(seq, op, text is None or text[:2] == "ok", text or "ok")

    def _do(self, op, station, payload):
        if op == wire.OP_LAMP:
            red, green, blue = wire.unpack("<BBB", payload, 2)
            index = self._lamp_of.get(station)
            if index is None:
                return "no lamp there"
            self._lamps.set(index, red, green, blue)
        elif op == wire.OP_BEEP:
            millis, hertz = wire.unpack("<HH", payload, 2)
            if self._beeper is None:
                return "no beeper"
            self._beeper.tone(hertz)
            self._beep_ends = self.uplink.now_us + millis * 1000
        elif op == wire.OP_ZERO:
            return self._each_scale(station, lambda scale: scale.tare())
        elif op == wire.OP_SELFTEST:
            missing = [part.name for at, part in enumerate(self.parts) if not self._there[at]]
            missing += [
                self.names[at] + " scale" for at in range(len(self.names)) if self.dead[at] & wire.CAP_COUNT
            ]
            return "missing: " + ", ".join(missing) if missing else "ok, all parts answer"
        elif op == wire.OP_SNAPSHOT:
            if self.uplink.room() < len(self.names) + 4:
                return "busy"
            self.snapshots(False)
        else:
            return "unknown command " + str(op)
        return None

    def _configure(self, key, station, value):
        if key == wire.CONF_WEIGHT_SAMPLES and self.scales is not None:
            self.scales.samples = bool(value)
            return None
        if key == wire.CONF_ZERO:
            return self._each_scale(station, lambda scale: scale.set_zero(value))
        name = {wire.CONF_STEP: "step", wire.CONF_BAND: "band", wire.CONF_SCALE: "counts_per_gram"}.get(key)
        if name is None:
            return "unknown setting " + str(key)
        if value <= 0:
            return name + " must be above zero"
        return self._each_scale(station, lambda scale: setattr(scale, name, value))

    def _each_scale(self, station, action):
        done = False
        if self.scales is not None:
            for at, scale in enumerate(self.scales.scales):
                if station in (wire.NO_STATION, self.scales.stations[at]):
                    action(scale)
                    done = True
        return None if done else "no scale there"

    def _run(self, at):
        part = self.parts[at]
        there = self._there[at]
        try:
            if there:
                return max(part.tick(), 1000)
            there = part.start()
        except OSError:
            there = False
        if there != self._there[at] or not self._tried[at]:
            self._there[at] = there
            for station, cap in part.serves:
                self.dead[station] = self.dead[station] & ~cap if there else self.dead[station] | cap
            if not there:
                self.log(2, part.name + " does not answer")
            elif self._tried[at]:
                self.log(0, part.name + " is back")
        self._tried[at] = True
        return 1000 if there else RETRY_US

    def _build(self):
        rig = self.rig
        electrodes, switches, buttons, cells, lamps = [], [], [], [], {}
        for at, station in enumerate(rig["stations"]):
            for bit, cap in enumerate(wire.CAPABILITIES):
                if cap in station:
                    self.caps[at] |= 1 << bit
            if "reader" in station:
                self.parts.append(ReaderPart(self, at, station["reader"]))
            if "texture" in station:
                self.parts.append(TexturePart(self, at, station["texture"] or rig["matrix"]))
            if "count" in station:
                cells.append((at, station["count"]))
            if "touch" in station:
                electrodes.append((at, station["touch"]))
            if "lamp" in station:
                lamps[at] = station["lamp"]
            if "button" in station:
                where = station["button"]
                if "touch_chip" in where:
                    switches.append((at, where["touch_chip"]))
                else:
                    buttons.append((at, where["pin"]))
        if cells:
            self.scales = ScalesPart(self, rig["scales"], cells)
            self.parts.append(self.scales)
        if electrodes or switches:
            self.parts.append(TouchPart(self, rig["touch"], electrodes, switches))
        if buttons:
            self.parts.append(ButtonsPart(self, buttons))
        self._lamp_of = lamps
        count = 1 + max(list(lamps.values()) + [-1])
        self._lamps = Lamps(self.hal.strip(rig["lamps"]["pin"], count) if lamps else None, count)
