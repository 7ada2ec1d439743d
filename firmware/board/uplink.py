# mypy: ignore-errors
"""The board's end of the wire: session, acknowledged events, liveness, log lines."""

import struct

from firmware.board.version import VERSION
from firmware.wire import codec
from firmware.wire.acknowledged import SequenceIn, SequenceOut
from firmware.wire.hot_loops import const

_HOST_GONE_US = const(4000000)  # silence after which no host is there: four pings of 1 s
_HELLO_US = const(2000000)  # between two HELLOs without a session: docs/protocol.md
_RING = const(64)  # frames that wait for an acknowledgement: docs/protocol.md wants 32 or more
_ROOM_FOR_ALL = const(40)  # frames of a snapshot of every station and a PART of every part
_CREDIT_EVERY = const(128)  # bytes between two CREDITs: docs/protocol.md
_OUTBOX = const(1024)  # bytes that may wait for the port


class Uplink:
    """Frames in and out over the serial port of `hal`.

    `owner` is the app: stations(), snapshots(gap), report(), parts_report(), command(kind, seq, payload).
    `session` is 0 without a host. `events` counts events queued since the start, `dropped` events lost because
    the ring was full.

    Times are wrapping ticks, because 64-bit times would allocate an object at each reading of the clock.
    """

    def __init__(self, hal, owner):
        self.hal = hal
        self.owner = owner
        self.boot_id = hal.random_u32()
        self.session = 0
        self.exit = False
        self.events = 0
        self.dropped = 0
        self.out = SequenceOut(_RING, 8, 250000)
        self.incoming = SequenceIn()
        self._decoder = codec.Decoder()
        self._received = bytearray(256)
        self._outbox = bytearray()
        self._ticks = hal.ticks_us()
        self._wraps = 0
        self._heard = self._ticks
        self._listened_to = False
        self._hello_at = None
        self._gap = False
        self._ack_due = False
        self._consumed = 0
        self._credited = 0

    def time(self):
        """Time (us) on the board's clock, 64 bits.

        Call it at least every 17 minutes.
        """
        return self._wraps * (self.hal.TICKS_MASK + 1) + self._look()

    def _look(self):
        ticks = self.hal.ticks_us()
        if ticks < self._ticks:
            self._wraps += 1
        self._ticks = ticks
        return ticks

    def host_there(self):
        """True if a host has a session and was heard in the last four seconds."""
        return self.session != 0 and self._listened_to

    def event(self, kind, station, data):
        """Queue an event until the host has acknowledged it.

        `kind`: a `codec.EV_*` number. `station`: number. `data`: new state. Before the first session it is
        discarded, because a snapshot will bring the state.
        """
        if self.session:
            payload = codec.pack_event(kind, station, self.time(), data)
            if self._gap or self.out.put(codec.EVENT, payload) < 0:
                self._gap = True
                self.dropped += 1
            else:
                self.events += 1

    def part(self, station, caps, answers, name, fault=codec.FAULT_NONE):
        """Queue a PART event: a part answers, or no longer.

        `station` is NO_STATION for a part that several stations share. `caps`: the capability bits that it
        serves. `answers`: True or False. `name`: for people. `fault`: one of `codec.FAULT_*`.
        """
        self.event(codec.EV_PART, station, codec.pack_part(caps, answers, name, fault))

    def snapshot(self, payload, gap):
        """Queue one station's state behind the events before it.

        `payload`: as `codec.pack_snapshot` makes it. `gap`: True if events before it were lost.
        """
        self.out.put(codec.SNAPSHOT, payload, codec.FLAG_GAP if gap else 0)

    def room(self):
        """Number of free places in the ring of queued frames."""
        return _RING - len(self.out.queue)

    @property
    def busy(self):
        """True while the port is behind: samples are dropped."""
        return len(self._outbox) >= _OUTBOX // 2

    def sample(self, kind, station, head, data):
        """Send a sample (`head`, then `data`) soon, or drop it if the port is behind.

        `kind`: one of `codec.SAMPLE_*`. `station`: number.
        """
        if self.host_there() and not self.busy:
            self._send(codec.SAMPLE, codec.pack_event(kind, station, self.time(), head + data))

    def log(self, level, text):
        """Send a log line: level 0 information, 1 warning, 2 error. It may be lost."""
        if self.host_there() and len(self._outbox) < _OUTBOX:
            self._send(codec.LOG, bytes((level,)) + codec.pack_text(text, 180))

    def result(self, seq, op, ok, text):
        """Queue the RESULT of the command numbered `seq`.

        `op`: the command's operation. `ok`: True if it succeeded. `text`: the answer, cut to 180 bytes.
        """
        self.out.put(codec.RESULT, bytes((seq, op, ok)) + codec.pack_text(text, 180))

    def poll(self):
        """Read what arrived and write what is due.

        Never waits for the port.
        """
        self._look()
        self._answer()
        if self._outbox:
            self._flush()

    def _answer(self):
        count = self.hal.read_serial(self._received)
        if count:
            self._consumed += count
            for frame in self._decoder.feed(bytes(memoryview(self._received)[:count])):
                self._take(frame)
        if not self.session:
            waited = self._hello_at is None or self.hal.since_us(self._hello_at) >= _HELLO_US
            if waited and not self._outbox:
                self._hello()
            return
        # Ticks compare only over a few minutes, so a silent host stays silent until it is heard again.
        if self._listened_to and self.hal.since_us(self._heard) >= _HOST_GONE_US:
            self._listened_to = False
        if not self._listened_to:
            return  # nobody reads
        if self._gap and len(self.out.queue) <= _RING - _ROOM_FOR_ALL:
            self._gap = False
            self.owner.snapshots(True)
            self.owner.parts_report()
        if len(self._outbox) < _OUTBOX:
            for kind, payload, flags, seq, _sent in self.out.due(self._ticks):
                self._send(kind, payload, flags, seq)
        if self._ack_due or self._consumed - self._credited >= _CREDIT_EVERY:
            self._credited = self._consumed
            self._send(codec.CREDIT, struct.pack("<I", self._consumed & 0xFFFFFFFF))

    def _take(self, frame):
        kind, flags, seq, ack, payload = frame
        try:
            if kind == codec.IDENT:
                self._ident(payload)
                return
            if kind == codec.EXIT:
                self.exit = True  # without a session, too: a host of another version must be able to flash
            if not self.session:
                return
            self._hear()
            if flags & codec.FLAG_ACK:
                self.out.acked(ack)
            if flags & codec.FLAG_SEQ:
                self._ack_due = True
                if not self.room():
                    return  # no place for the RESULT: the host sends the command again
                if not self.incoming.take(seq):
                    return
            if kind == codec.PING:
                stamp = bytes(payload[:8])
                consumed, bad = self._consumed & 0xFFFFFFFF, self._decoder.bad & 0xFFFF
                self._send(codec.PONG, stamp + struct.pack("<QIH", self.time(), consumed, bad))
            elif flags & codec.FLAG_SEQ and kind in (codec.CMD, codec.CONFIG):
                self.owner.command(kind, seq, payload)
        except ValueError:
            self.log(1, "a message of type " + str(kind) + " that makes no sense")

    def _hear(self):
        self._heard = self._ticks
        self._listened_to = True

    def _ident(self, payload):
        major, _minor, session, base = codec.unpack_ident(payload)
        if major != codec.PROTOCOL_MAJOR:
            self._hello()  # the host sees the mismatch and says so
            return
        self._hear()
        self._outbox = bytearray()  # it was meant for another host, or for a port opened before
        fresh = session != self.session
        if fresh:
            self.session = session
            self.incoming.expected = base
            self.out.clear()
            self._gap = False
        self.out.rewind()
        self._hello()
        if fresh:
            self.owner.snapshots(False)
            self.owner.report()

    def _hello(self):
        self._hello_at = self._ticks
        self._send(
            codec.HELLO,
            codec.pack_hello(
                firmware=VERSION,
                code_hash=self.hal.code_hash(),
                boot_id=self.boot_id,
                session=self.session,
                cause=self.hal.reset_cause(),
                base=self.out.base(),
                t_us=self.time(),
                board_id=self.hal.board_id(),
                stations=self.owner.stations(),
            ),
        )

    def _send(self, kind, payload, flags=0, seq=0):
        if self.session:
            flags |= codec.FLAG_ACK
            self._ack_due = False
        self._outbox += codec.encode(kind, payload, flags, seq, self.incoming.ack())

    def _flush(self):
        """Write as many bytes as the port takes, in whole chunks, filled up with zeros."""
        outbox = self._outbox
        over = len(outbox) % self.hal.WRITE_CHUNK
        if over:
            outbox += bytes(self.hal.WRITE_CHUNK - over)
        taken = self.hal.write_serial(outbox)
        if taken:
            self._outbox = outbox[taken:]
