"""Breaks the line between a board and its link in every way that a cable can fail, and counts losses."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from companion.core.clock import ManualClock
from firmware.host.link import Link
from firmware.host.messages import ButtonEvent
from firmware.simulator.virtual_board import SteppedBoard
from firmware.simulator.virtual_port import MemoryEnd, MemoryPort
from firmware.wire import codec

STEP_S = 0.02
DEBOUNCE_S = 0.04
PATIENCE_S = 15.0
BUTTONS = ("bed 1", "bed 2", "bed 3")
RIG: dict[str, Any] = {
    "lamps": {"pin": 22},
    "stations": [{"name": name, "button": {"pin": 8 + at}, "lamp": at} for at, name in enumerate(BUTTONS)],
}
"""Three claim buttons: they give many events, and each is known beforehand."""

Damage = Callable[[bytes], list[bytes]]
"""A chunk of bytes -> the pieces that arrive, one at each read."""


class RoughEnd(MemoryEnd):
    """A pipe in memory that damages its bytes. `to_host` and `to_board` are the active damages."""

    def __init__(self) -> None:
        super().__init__()
        self.to_host: Damage | None = None
        self.to_board: Damage | None = None
        self._late_to_host: list[bytes] = []
        self._late_to_board: list[bytes] = []

    def open(self, _path: str) -> MemoryPort:
        """Open a new port. Bytes on their way are lost."""
        self._late_to_host, self._late_to_board = [], []
        return super().open(_path)

    def write(self, data: bytes) -> int:
        """The board sends."""
        if self.to_host is None:
            return super().write(data)
        self._late_to_host += self.to_host(data)
        return len(data)

    def read(self) -> bytes:
        """The board reads."""
        data = super().read()
        if self.to_board is not None and data:
            self._late_to_board += self.to_board(data)
            data = b""
        return self._late_to_board.pop(0) + data if self._late_to_board else data

    def move(self) -> None:
        """Let one late piece arrive at the host."""
        if self._late_to_host:
            super().write(self._late_to_host.pop(0))

    @property
    def empty(self) -> bool:
        """Whether nothing is delayed."""
        return not (self._late_to_host or self._late_to_board)


@dataclass(slots=True)
class Toll:
    """The result: cases by kind, those that never recovered, events lost, doubled or out of order.

    `cut`: events that a board had queued when it lost power or its host. They are physically lost, so the state
    after them was compared instead.
    """

    cases: dict[str, int] = field(default_factory=dict)
    unrecovered: int = 0
    lost: int = 0
    doubled: int = 0
    cut: int = 0
    events: int = 0
    slowest_s: float = 0.0
    failed: list[str] = field(default_factory=list)


class Torture:
    """One board and one link, broken and mended case after case."""

    def __init__(self, board: SteppedBoard, end: RoughEnd, clock: ManualClock, seed: int) -> None:
        """`board` wired as `RIG`, on `end`, both on `clock`."""
        self.toll = Toll()
        self._board = board
        self._end = end
        self._clock = clock
        self._chance = Random(seed)
        self._session = 1
        self._link = self._new_link()
        self._pressed = dict.fromkeys(BUTTONS, False)
        self._expected: list[tuple[str, bool]] = []
        self._heard: list[tuple[str, bool]] = []
        self._seen = dict.fromkeys(BUTTONS, False)
        self._kinds = (
            self._flip, self._cut, self._double, self._junk, self._split, self._stale, self._flood,
            self._deaf_host, self._stalled_line, self._replug, self._reset, self._power, self._wrap,
            self._restart_host,
        )  # fmt: skip
        self._case = 0
        self._run(1.0)

    def case(self, name: str = "") -> None:
        """Run one more case: break something while buttons are pressed, mend it, and wait until the host knows
        the state.

        All kinds come in turn; `name` selects one.
        """
        kind = getattr(self, f"_{name}") if name else self._kinds[self._case % len(self._kinds)]
        name = kind.__name__[1:]
        self._case += 1
        self.toll.cases[name] = self.toll.cases.get(name, 0) + 1
        cut = kind()
        self._end.to_host = self._end.to_board = None
        began = self._clock.now()
        while not self._whole(cut) and self._clock.now() - began < PATIENCE_S:
            self._step()
        self.toll.slowest_s = max(self.toll.slowest_s, self._clock.now() - began)
        self._settle(name, cut)

    def _settle(self, name: str, cut: bool) -> None:
        toll, heard, expected = self.toll, self._heard, self._expected
        toll.events += len(heard)
        if not self._whole(cut):
            toll.unrecovered += 1
            toll.failed.append(f"case {self._case} ({name}): expected {expected}, heard {heard}")
        if cut:
            toll.cut += max(0, len(expected) - len(heard))
        else:
            toll.lost += max(0, len(expected) - len(heard))
            toll.doubled += max(0, len(heard) - len(expected))
        self._heard, self._expected = [], []
        self._seen = dict(self._pressed)

    def _whole(self, cut: bool) -> bool:
        """Whether the host is right: every event in order, or after a cut the state."""
        if not self._link.up or not self._end.empty or self._link.out.queue:
            return False
        if not cut:
            return self._heard == self._expected
        state = dict(self._seen)
        for station, pressed in self._heard:
            if state[station] == pressed:
                return False  # told twice
            state[station] = pressed
        return state == self._pressed

    def _press(self) -> None:
        station = self._chance.choice(BUTTONS)
        self._pressed[station] = not self._pressed[station]
        self._expected.append((station, self._pressed[station]))
        self._board.press_button(station, self._pressed[station])
        self._run(DEBOUNCE_S)

    def _presses(self, most: int = 3) -> None:
        for _ in range(self._chance.randint(1, most)):
            self._press()

    def _run(self, seconds: float, *, host: bool = True) -> None:
        until = self._clock.now() + seconds
        while self._clock.now() < until - 1e-9:
            self._step(host=host)

    def _step(self, *, host: bool = True) -> None:
        self._clock.sleep(STEP_S)
        self._board.step(self._clock.now())
        self._end.move()
        if host:
            self._hear()

    def _hear(self) -> None:
        for message in self._link.poll():
            if isinstance(message, ButtonEvent):
                self._heard.append((message.station, message.pressed))

    def _new_link(self) -> Link:
        self._session += 2
        return Link("memory", self._clock, opener=self._end.open, session=self._session)

    def _spoil(self, damage: Callable[[bytes], bytes]) -> None:
        """Damage half of the chunks, in one or both directions, while buttons are pressed and lamps are set."""
        chance = self._chance

        def some(data: bytes) -> list[bytes]:
            return [damage(data) if chance.random() < 0.5 else data]

        way = chance.randrange(3)
        self._end.to_host = some if way != 1 else None
        self._end.to_board = some if way != 0 else None
        self._link.lamp(chance.choice(BUTTONS), (chance.randrange(256), 0, 0))
        self._presses()

    def _flip(self) -> bool:
        def flip(data: bytes) -> bytes:
            out = bytearray(data)
            for _ in range(self._chance.randint(1, 4)):
                out[self._chance.randrange(len(out))] ^= 1 << self._chance.randrange(8)
            return bytes(out)

        self._spoil(flip)
        return False

    def _cut(self) -> bool:
        def cut(data: bytes) -> bytes:
            one, other = sorted(self._chance.randrange(len(data) + 1) for _ in range(2))
            return data[:one] + data[other:]

        self._spoil(cut)
        return False

    def _double(self) -> bool:
        def double(data: bytes) -> bytes:
            one, other = sorted(self._chance.randrange(len(data) + 1) for _ in range(2))
            return data[:other] + data[one:]

        self._spoil(double)
        return False

    def _junk(self) -> bool:
        def junk(data: bytes) -> bytes:
            at = self._chance.randrange(len(data) + 1)
            return data[:at] + self._rubbish() + data[at:]

        self._spoil(junk)
        return False

    def _rubbish(self) -> bytes:
        """Noise, zeros, a prompt inside a frame, unknown frames."""
        chance = self._chance
        match chance.randrange(4):
            case 0:
                return chance.randbytes(chance.randrange(400))
            case 1:
                return bytes(chance.randrange(300))
            case 2:
                return b"\r\nTraceback (most recent call last):\r\n>>> "
            case _:
                kind, flags = chance.randint(14, 255), chance.choice([0, codec.FLAG_GAP])
                return codec.encode(kind, chance.randbytes(chance.randrange(50)), flags)

    def _split(self) -> bool:
        """Every chunk comes in two pieces, split after the n-th byte, for all n in turn."""
        behind = self._case // len(self._kinds)

        def split(data: bytes) -> list[bytes]:
            at = behind % len(data)
            return [data[:at], data[at:]]

        self._end.to_host = self._end.to_board = split
        self._presses()
        return False

    def _stale(self) -> bool:
        """Whole frames of a moment ago come again."""
        before: list[bytes] = []

        def again(data: bytes) -> list[bytes]:
            before.append(data)
            return [data, *(self._chance.choice(before) for _ in range(self._chance.randrange(3)))]

        self._end.to_host = self._end.to_board = again
        self._presses()
        return False

    def _flood(self) -> bool:
        """More garbage than any buffer holds, many commands, many presses."""
        for _ in range(self._chance.randint(1, 20)):
            self._link.beep(440, 1)
        junk = self._chance.randbytes(self._chance.randint(1000, 9000))
        self._end.to_host = lambda data: [junk[: self._chance.randrange(3000)] + data]
        self._end.to_board = lambda data: [junk[: self._chance.randrange(600)] + data]
        self._press()
        self._end.to_host = self._end.to_board = None
        self._presses(12)
        return False

    def _deaf_host(self) -> bool:
        """The host's program is busy: the port is open, and nobody reads."""
        self._presses()
        self._run(self._chance.random() * 2, host=False)
        self._presses()
        return False

    def _stalled_line(self) -> bool:
        self._board.stall(self._chance.random())
        self._presses()
        return False

    def _replug(self) -> bool:
        """The port disappears inside a frame and comes back; the board kept its power."""
        self._half_a_frame()
        self._board.unplug()
        self._run(self._chance.random() * 0.3)
        self._board.plug(reset=False)
        self._presses()
        return False

    def _reset(self) -> bool:
        self._half_a_frame()
        self._board.reset()
        self._presses()
        return True

    def _power(self) -> bool:
        self._half_a_frame()
        self._board.unplug()
        self._run(self._chance.random() * 0.3)
        self._board.plug()
        self._presses()
        return True

    def _wrap(self) -> bool:
        """The board's tick counter wraps while buttons are pressed."""
        self._board.wrap_soon(0.1 + self._chance.random() * 0.4)
        self._board.reset()
        self._presses(6)
        self._board.wrap_soon(500 * self._chance.random())
        return True

    def _restart_host(self) -> bool:
        """Another run of the program takes over from one that was killed."""
        self._presses()
        self._link.close()
        self._seen = dict.fromkeys(BUTTONS, False)
        self._heard = []
        self._link = self._new_link()
        self._presses()
        return True

    def _half_a_frame(self) -> None:
        """A press that is being sent when the line goes: only a part of it arrives."""
        share = self._chance.random()
        self._end.to_host = lambda data: [data[: int(len(data) * share)]]
        self._press()
        self._end.to_host = None
