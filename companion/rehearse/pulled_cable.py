"""Cable between a virtual board and its link, pulled and plugged in as planned.

Every event of the board is accounted for: received, lost, doubled, or cut off with the power.
"""

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
"""Shortest and longest time (s) for which a pulled cable leaves the board without power.

Guesses.
"""


class Pull(NamedTuple):
    """One pull of the cable.

    `out`: time (s on the table's clock) when it is pulled. `back`: time when it is plugged in again.
    """

    out: float
    back: float


class Sent(NamedTuple):
    """Event that the board sent, as its bytes (`payload`).

    `boot`: number of the board's run, new each time that it gets power.
    """

    boot: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class LinkReport:
    """Account of the link and of a game's events.

    `unplugged`: pulls of the cable. `events`: events that the board queued. An event counts as `lost` if the
    board kept its power, yet the link never received it, or if the board's buffer was full. It counts as
    `cut_by_power` if it waited on the board when the cable was pulled. `doubled`: events received twice.
    `bad_frames`: frames that were damaged. `resends`: frames sent again by either side. `repeats`: frames
    received again. `rtt_ms`: duration (ms) of each round trip.
    """

    unplugged: int
    reconnect_s: tuple[float, ...]
    """Time (s) from plugging in until the link was connected, for each pull."""
    events: int
    lost: int
    doubled: int
    cut_by_power: int
    bad_frames: int
    resends: int
    repeats: int
    rtt_ms: tuple[float, ...]


class WatchedLink(Link):
    """Link to the board that also notes every received event and round trip.

    `taken`: the events, in order. `round_trips`: duration (ms) of each ping and its answer. `end`: the board's
    port, in memory. `session`: number of this connection, not 0.
    """

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
    """Cable to a virtual board, pulled and plugged as planned.

    It accounts for every event that the board queues. `link`: the link at the other end. `pulls`: planned
    pulls, in time order. `up_since`: time (s) of the last connection; None while the link is down.
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
        self._uplinks: list[Any] = []  # of each start of the board's program
        self._count_events()

    def step(self, now: float) -> None:
        """Pull the cable or plug it in, if one of its planned times has come.

        `now`: time (s). Call it in each round. A pulled board has no power; plugged in, its program starts
        anew. Events that wait on the board at a pull count as cut by power.
        """
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
            self._board.unplug()

    def heard(self, now: float, messages: Iterable[Message]) -> None:
        """Note when the link connects again.

        `messages`: all that the link received at `now` (s).
        """
        for message in messages:
            if isinstance(message, Connected):
                self.up_since = now
                if self._plugged_at is not None:
                    self._reconnects.append(round(now - self._plugged_at, 4))
                    self._plugged_at = None

    def report(self) -> LinkReport:
        """Account for all pulls of the cable and all queued events of the game so far."""
        queued, taken = Counter(self._queued), Counter(self._link.taken)
        missing = queued - taken
        cut = missing & Counter(self._stranded)
        stats = self._link.stats
        return LinkReport(
            unplugged=self._unplugged,
            reconnect_s=tuple(self._reconnects),
            events=len(self._queued),
            lost=(missing - cut).total() + sum(uplink.dropped for uplink in self._uplinks),
            doubled=(taken - queued).total(),
            cut_by_power=cut.total(),
            bad_frames=stats.bad_frames,
            resends=stats.resends + sum(uplink.out.resends for uplink in self._uplinks),
            repeats=stats.repeats,
            rtt_ms=tuple(round(ms, 3) for ms in self._link.round_trips),
        )

    @property
    def pulled(self) -> bool:
        """Whether the cable was pulled at least once so far."""
        return self._unplugged > 0

    @property
    def idle(self) -> bool:
        """Whether no event is on its way: the host has acknowledged every frame.

        The host is the computer that runs the engine.
        """
        return not self._uplink.out.queue

    @property
    def _uplink(self) -> Any:
        """Part of the board's program that queues events for the host."""
        return self._board.machine.app.uplink

    def _count_events(self) -> None:
        """Begin to record every event that the board queues.

        Call it after each start of the board's program.
        """
        uplink, queued = self._uplink, self._queued
        self._uplinks.append(uplink)
        boot, put = uplink.boot_id, uplink.out.put

        def counted(kind: int, payload: bytes, flags: int = 0) -> int:
            number: int = put(kind, payload, flags)
            if kind == codec.EVENT and number >= 0:
                queued.append(Sent(boot, bytes(payload)))
            return number

        uplink.out.put = counted


def plan_pulls(count: int, start: float, end: float, chance: Random) -> list[Pull]:
    """Plan `count` cable pulls between `start` and `end` (s).

    The time is divided into `count` equal parts, with one pull at random in each. A pull lasts SHORTEST_AWAY_S
    to LONGEST_AWAY_S. Returns them in time order; empty if `count` is 0.
    """
    part = (end - start) / count if count else 0.0
    pulls = []
    for number in range(count):
        out = start + part * (number + chance.uniform(0.1, 0.7))
        pulls.append(Pull(out, out + chance.uniform(SHORTEST_AWAY_S, LONGEST_AWAY_S)))
    return pulls
