"""The cable between a virtual board and its link: pulled at planned times, with an account of every event."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from companion.core.clock import ManualClock
from firmware.host.link import Link
from firmware.host.messages import Connected, Message
from firmware.simulator.virtual_board import VirtualBoard
from firmware.simulator.virtual_port import MemoryEnd
from firmware.wire import codec

SHORTEST_AWAY_S, LONGEST_AWAY_S = 1.0, 5.0
"""Shortest and longest time (s) without power after the cable was pulled."""


class Pull(NamedTuple):
    """The cable is pulled at `out` and plugged in again at `back`, in seconds of the table's clock."""

    out: float
    back: float


class Sent(NamedTuple):
    """An event as its bytes, and the run of the board that queued it."""

    boot: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class LinkReport:
    """What happened to the link and to the game's events; times in s and ms.

    An event is `lost` if the board had it and kept its power, yet the link never took it, or if the board's
    ring was full. It is `cut_by_power` if it still waited on the board when the cable was pulled. `resends` are
    frames sent again by either side.
    """

    unplugged: int
    reconnect_s: tuple[float, ...]
    """From plugging in to `Connected` (s), each time."""
    events: int
    lost: int
    doubled: int
    cut_by_power: int
    bad_frames: int
    resends: int
    repeats: int
    rtt_ms: tuple[float, ...]


class WatchedLink(Link):
    """A link that keeps a record: the bytes of every event, and every round trip."""

    def __init__(self, clock: ManualClock, end: MemoryEnd, session: int) -> None:
        super().__init__(end.path, clock, opener=end.open, session=session)
        self.taken: list[Sent] = []
        self.round_trips: list[float] = []

    def _understand(self, now: float, kind: int, flags: int, payload: bytes, out: list[Message]) -> None:
        super()._understand(now, kind, flags, payload, out)
        if kind == codec.EVENT and self._key is not None:
            self.taken.append(Sent(self._key[0], bytes(payload)))
        elif kind == codec.PONG and self.stats.rtt_ms is not None:
            self.round_trips.append(self.stats.rtt_ms)


class Cable:
    """Pulls and plugs as planned, and accounts for every event.

    `up_since` is the time of the last connection; None while it is down.
    """

    def __init__(self, board: VirtualBoard, link: WatchedLink, pulls: Iterable[Pull]) -> None:
        self.up_since: float | None = None
        self._board = board
        self._link = link
        self._pulls = list(pulls)
        self._away: Pull | None = None
        self._plugged_at: float | None = None
        self._unplugged = 0
        self._reconnects: list[float] = []
        self._queued: list[Sent] = []
        self._stranded: list[Sent] = []
        self._dropped = 0
        self._resends = 0
        self._count_events()

    def step(self, now: float) -> None:
        """Pull the cable or put it back when it is time."""
        if self._away is not None and now >= self._away.back:
            self._away = None
            self._plugged_at = now
            self._board.plug()
            self._count_events()
        if self._away is None and self._pulls and now >= self._pulls[0].out:
            self._away = self._pulls.pop(0)
            self._unplugged += 1
            self.up_since = None
            uplink = self._uplink
            waiting = [frame[1] for frame in uplink.out.queue if frame[0] == codec.EVENT]
            self._stranded += [Sent(uplink.boot_id, bytes(payload)) for payload in waiting]
            self._end_of_boot()
            self._board.unplug()

    def heard(self, now: float, messages: Iterable[Message]) -> None:
        """Take the link's messages of this round."""
        for message in messages:
            if isinstance(message, Connected):
                self.up_since = now
                if self._plugged_at is not None:
                    self._reconnects.append(round(now - self._plugged_at, 4))
                    self._plugged_at = None

    def report(self) -> LinkReport:
        """The account; call once, at the end."""
        self._end_of_boot()
        queued, taken = Counter(self._queued), Counter(self._link.taken)
        missing = queued - taken
        cut = missing & Counter(self._stranded)
        stats = self._link.stats
        return LinkReport(
            unplugged=self._unplugged,
            reconnect_s=tuple(self._reconnects),
            events=len(self._queued),
            lost=(missing - cut).total() + self._dropped,
            doubled=(taken - queued).total(),
            cut_by_power=cut.total(),
            bad_frames=stats.bad_frames,
            resends=stats.resends + self._resends,
            repeats=stats.repeats,
            rtt_ms=tuple(round(ms, 3) for ms in self._link.round_trips),
        )

    @property
    def pulled(self) -> bool:
        """Whether the cable has ever been pulled."""
        return self._unplugged > 0

    @property
    def idle(self) -> bool:
        """Whether the board has nothing left that the link has not acknowledged."""
        return not self._uplink.out.queue

    @property
    def _uplink(self) -> Any:
        return self._board.machine.app.uplink

    def _end_of_boot(self) -> None:
        self._dropped += self._uplink.dropped
        self._resends += self._uplink.out.resends

    def _count_events(self) -> None:
        """Follow the program that has just started."""
        uplink, queued = self._uplink, self._queued
        boot, put = uplink.boot_id, uplink.out.put

        def counted(kind: int, payload: bytes, flags: int = 0) -> int:
            number: int = put(kind, payload, flags)
            if kind == codec.EVENT and number >= 0:
                queued.append(Sent(boot, bytes(payload)))
            return number

        uplink.out.put = counted


def plan_pulls(count: int, start: float, end: float, chance: Random) -> list[Pull]:
    """`count` pulls at random times between `start` and `end` (s), one in each equal part of that time."""
    part = (end - start) / count if count else 0.0
    pulls = []
    for number in range(count):
        out = start + part * (number + chance.uniform(0.1, 0.7))
        pulls.append(Pull(out, out + chance.uniform(SHORTEST_AWAY_S, LONGEST_AWAY_S)))
    return pulls
