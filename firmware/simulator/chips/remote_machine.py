# mypy: ignore-errors
"""Virtual Pico driven from another process by lines of JSON, in real MicroPython."""

import gc
import json
import time
from binascii import hexlify, unhexlify

from firmware.simulator.chips.pico_machine import Machine
from firmware.wire import codec


class Pipe:
    """Serial line whose bytes travel in the parent's messages.

    `there`: whether a host is connected. `room`: number of bytes that the host can still take.
    """

    def __init__(self):
        self.there = False
        self.room = 0
        self.arrived = b""
        self.sent = bytearray()

    def host_there(self):
        """True while the parent says that a host is there."""
        return self.there

    def read(self):
        """Bytes from the host, b"" for none."""
        data = self.arrived
        self.arrived = b""
        return data

    def write(self, data):
        """Send what fits to the host, and return the number of bytes."""
        taken = min(len(data), self.room)
        self.room -= taken
        self.sent += data[:taken]
        return taken


class Device:
    """Serial line that the board opens itself: the parent's pty, as /dev/line."""

    def __init__(self):
        self._file = open("/dev/line", "r+b")
        self._buffer = bytearray(512)

    def host_there(self):
        """Always True: the parent holds its end."""
        return True

    def read(self):
        """Bytes from the host, b"" for none."""
        count = self._file.readinto(self._buffer)
        return bytes(self._buffer[:count]) if count else b""

    def write(self, data):
        """Send what fits to the host, and return the number of bytes."""
        return self._file.write(data) or 0


class Remote:
    """Server of one virtual Pico for another process.

    A command is a list [name, arguments...], an answer a list. A failed command answers ["error", type,
    message].
    """

    def __init__(self):
        self.machine = None
        self.pipe = None

    def serve(self, line):
        """Execute one command, a line of JSON, and return the answer as a line."""
        try:
            words = json.loads(line)
            answer = getattr(self, "_" + words[0])(*words[1:])
            return json.dumps(answer if answer is not None else [])
        except Exception as error:
            return json.dumps(["error", type(error).__name__, str(error)])

    def _make(self, rig, seed, code_hash, on_device):
        self.pipe = Device() if on_device else Pipe()
        self.machine = Machine(rig, seed, self.pipe, code_hash)

    def _run(self, until_us, there, room, data):
        """Advance to `until_us` with input `data` and output `room`.

        Returns counters and the bytes sent.
        """
        pipe = self.pipe
        pipe.there = there
        pipe.room = room
        pipe.arrived += unhexlify(data)
        machine = self.machine
        machine.run(until_us)
        machine.listen()
        sent = hexlify(pipe.sent).decode()
        pipe.sent = bytearray()
        return [machine.delivered, machine.taken, machine.events + machine.app.uplink.events, sent]

    def _input(self, name, args):
        """Call an input of the machine.

        Bytes come as {"hex": ...}.
        """
        plain = [unhexlify(arg["hex"]) if isinstance(arg, dict) else arg for arg in args]
        getattr(self.machine, name)(*plain)

    def _encode(self, kind, flags, seq, ack, payload):
        return [hexlify(codec.encode(kind, unhexlify(payload), flags, seq, ack)).decode()]

    def _decode(self, data):
        """Decode all frames in `data` (hexadecimal digits)."""
        frames = codec.Decoder().feed(unhexlify(data))
        return [[kind, flags, seq, ack, hexlify(payload).decode()] for kind, flags, seq, ack, payload in frames]

    def _lamps(self):
        return self.machine.chips.strip.colours

    def _tones(self):
        return self.machine.chips.beeper.played

    def _live(self, seconds, stimuli):
        """Run in real time on the device, with inputs [seconds, name, args] at their times."""
        machine = self.machine
        began = time.ticks_us()
        start = machine.time.us
        while True:
            passed = time.ticks_diff(time.ticks_us(), began)
            if passed >= seconds * 1000000:
                return [machine.events + machine.app.uplink.events]
            while stimuli and stimuli[0][0] * 1000000 <= passed:
                _, name, args = stimuli.pop(0)
                self._input(name, args)
            machine.run(max(start + passed, machine.time.us + 1))

    def _flood(self, count):
        """Send `count` weight samples as fast as the line takes them. Returns the time (us)."""
        app = self.machine.app
        while app.uplink.busy:
            app.uplink.poll()
        began = time.ticks_us()
        for number in range(count):
            while app.uplink.busy:
                app.uplink.poll()
            app.uplink.sample(2, 0, b"", b"\x01\x02\x03\x04")
            if number % 16 == 15:
                app.uplink.poll()
        return [time.ticks_diff(time.ticks_us(), began)]

    def _steady(self, cycles):
        """Step the app with the heap locked.

        Returns the number of steps and the error that stopped them.
        """
        import micropython

        machine = self.machine
        app = machine.app
        guard = app.hal.guard
        gc.collect()
        guard.on = True
        done = 0
        problem = ""
        micropython.heap_lock()
        try:
            while done < cycles:
                app.step()
                micropython.heap_unlock()
                machine.time.us += app.idle_us
                done += 1
                micropython.heap_lock()
        except MemoryError as error:
            problem = error
        while micropython.heap_unlock():
            pass
        guard.on = False
        return [done, repr(problem) if problem else ""]


serve = Remote().serve
