"""Benches for a board that is a program of its own: a link or an ear on a pty, a line that spoils bytes."""

import errno
import os
import subprocess
import time
import tty
from random import Random

from companion.core.clock import RealClock
from firmware.host.link import Link
from firmware.host.messages import ButtonEvent, CommandResult, WeightEvent
from firmware.host.ports import SerialPort
from firmware.wire import codec, payloads

LIMIT = 20.0
"""Seconds until a wait is given up; each takes far less."""


class Relay:
    """The line between two ptys. It flips, drops and doubles bytes until `hits` of them were hit."""

    def __init__(self, seed):
        self.board_end, self.board_path = self._pty()
        self.host_end, self.host_path = self._pty()
        self.hits = 0
        self._chance = Random(seed)

    def _pty(self):
        end, other = os.openpty()
        tty.setraw(other)
        os.set_blocking(end, False)
        return end, os.ttyname(other)

    def move(self):
        for source, target in ((self.board_end, self.host_end), (self.host_end, self.board_end)):
            try:
                data = os.read(source, 4096)
            except OSError:  # nothing there, or nobody has opened the other end
                continue
            os.write(target, bytes(out for byte in data for out in self._spoil(byte)))

    def _spoil(self, byte):
        if not self.hits or self._chance.random() > 0.01:
            return [byte]
        self.hits -= 1
        return self._chance.choice([[], [byte, byte], [byte ^ 1 << self._chance.randrange(8)]])


class Cable(SerialPort):
    """A port that goes away while its bench says so."""

    def __init__(self, path, bench):
        super().__init__(path)
        self._bench = bench

    def read(self):
        if self._bench.pulled:
            raise OSError(errno.EIO, "pulled")
        return super().read()


class Bench:
    """The board's process and a link, joined by a relay or, without one, by the board's own file descriptor."""

    def __init__(self, program, relay=None):
        self.relay = relay
        self.said = []
        self.seen = []
        self.pulled = False
        self._program = program
        self._clock = RealClock()
        if relay is None:
            self._end, other = os.openpty()
            self.path = os.ttyname(other)
        else:
            self.path = relay.host_path
        self.power_on()
        self.link = self._new_link()

    def _new_link(self):
        return Link(self.path, self._clock, opener=lambda path: Cable(path, self))

    def power_on(self):
        port = str(self._end) if self.relay is None else self.relay.board_path
        fds = () if self.relay is not None else (self._end,)
        self.process = subprocess.Popen(
            [self._program, port], stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=fds
        )
        os.set_blocking(self.process.stdout.fileno(), False)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def tell(self, *lines):
        """What happens on the table; the board takes it all in one look."""
        self.process.stdin.write("".join(f"{line}\n" for line in lines).encode())
        self.process.stdin.flush()

    def new_host(self):
        """The program on the host is killed and started again."""
        self.link.close()
        self.link = self._new_link()
        self.seen = []

    def until(self, what):
        """Run until `what()` holds."""
        end = time.monotonic() + LIMIT
        while not what():
            assert time.monotonic() < end, f"waited in vain; seen {self.seen[-20:]}, said {self.said[-5:]}"
            if self.relay is not None:
                self.relay.move()
            self.seen += self.link.poll()
            self.said += (self.process.stdout.read() or b"").decode().splitlines()
            self._clock.sleep(0.002)

    def up(self):
        self.until(lambda: self.link.up)
        return self

    def settle(self):
        """Wait until the board knows that all it has sent was taken: pings carry that, and are answered."""
        for _ in range(2):  # the first answer may be to a ping of before
            before = self.link.stats.rtt_ms
            self.until(lambda before=before: self.link.stats.rtt_ms != before)

    def of(self, kind):
        return [message for message in self.seen if isinstance(message, kind)]

    def buttons(self):
        return [message.pressed for message in self.of(ButtonEvent)]

    def grams(self):
        return [message.grams for message in self.of(WeightEvent)]

    def answer(self, number):
        """(ok, text) of the command with this number."""
        self.until(lambda: any(result.number == number for result in self.of(CommandResult)))
        return next((result.ok, result.text) for result in self.of(CommandResult) if result.number == number)

    def close(self):
        self.link.close()
        self.kill()


class Ear:
    """A host frame by frame, for what a link would never do. `frames` are (type, flags, seq, ack, payload)."""

    def __init__(self, program):
        end, other = os.openpty()
        self._port = SerialPort(os.ttyname(other))
        os.close(other)
        self.process = subprocess.Popen([program, str(end)], stdin=subprocess.PIPE, pass_fds=(end,))
        os.close(end)
        self.frames = []
        self.sent = 0  # bytes
        self._last_byte = time.monotonic()
        self._decoder = codec.Decoder()

    def send(self, kind, payload=b"", **fields):
        self.sent += self._port.write(codec.encode(kind, payload, **fields))

    def tell(self, line):
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def until(self, what):
        end = time.monotonic() + LIMIT
        while not what():
            assert time.monotonic() < end, f"waited in vain; heard {self.frames[-20:]}"
            data = self._port.read()
            self._last_byte = time.monotonic() if data else self._last_byte
            self.frames += self._decoder.feed(data)
            time.sleep(0.002)

    def hear(self, kind, count=1):
        """Wait for so many frames of a type; the last of them."""
        self.until(lambda: len(self.of(kind)) >= count)
        return self.of(kind)[count - 1]

    @property
    def quiet_for(self):
        """Seconds since the board's last byte."""
        return time.monotonic() - self._last_byte

    def of(self, kind):
        return [frame for frame in self.frames if frame[0] == kind]

    def identify(self, session, base=0):
        """Begin a session; the number in the board's HELLO from which its frames count."""
        self.send(codec.IDENT, payloads.pack_ident(session, base, "ear"))
        hellos = []

        def answered():
            hellos[:] = [payloads.unpack_hello(frame[4]) for frame in self.of(codec.HELLO)]
            return hellos[-1][5] == session

        self.until(answered)
        return hellos[-1][7]

    def close(self):
        self._port.close()
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
