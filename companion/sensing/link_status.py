"""How the link to the sensor board stands, for whoever looks after the table."""

import msgspec

from firmware.flashing.manifest import code_hash
from firmware.host import messages as wire
from firmware.host.link import LinkStats

SILENT, BACK = " does not answer", " is back"
"""How the board's log lines about its parts end."""
PARTS, PART_LENGTH = 32, 60
"""Parts of a board whose silence is told, and the letters of their names: more than any rig has. A board that
names others has gone mad."""
LOST_S = 10.0
"""A board that has been away for so long does not come back by itself."""
RTT_SHARE, RTT_STEP_MS = 0.2, 5.0
"""The round trip shown is a running mean, and changes only by more than this and by half."""


class LinkStatus(msgspec.Struct, frozen=True):
    """How the link to the sensor board stands."""

    state: str
    """connected, connecting, or lost (for more than ten seconds)."""
    detail: str = ""
    """Why it is not connected, and the next step."""
    rtt_ms: int | None = None
    """About how long a question to the board takes, in ms; None before the first answer."""
    resends: int = 0
    """Frames sent again to the board, since the engine began."""
    bad_frames: int = 0
    """Frames from the board that came damaged."""
    reconnects: int = 0
    missing: tuple[str, ...] = ()
    """Parts that belong to the rig and do not answer, by name."""
    outdated: bool = False
    """The board runs other code than this program brings along."""
    said: str = ""
    """The last line of the board's log that tells of no part's silence."""


class LinkWatch:
    """What a screen shows of a link: its coming and going, missing parts, counters without their flicker."""

    def __init__(self) -> None:
        self._connected: wire.Connected | None = None
        self._down_since: float | None = None
        self._detail = ""
        self._said = ""
        self._lacking: set[str] = set()  # as the handshake has it: by station and capability
        self._silent: set[str] = set()  # as the board's own words have it: by chip
        self.met = False
        """Whether the board has ever answered."""
        self._rtt: float | None = None
        self._shown: int | None = None

    def hear(self, message: wire.Message) -> None:
        """Take a message of the link."""
        match message:
            case wire.Connected():
                self._connected, self._detail, self.met = message, "", True
                self._silent.clear()
                self._lacking = {f"{one.name} {part}" for one in message.stations for part in one.missing}
            case wire.BoardLog(_, text) if not text.endswith((SILENT, BACK)):
                self._said = text
            case wire.BoardLog(_, text):
                # The board names every silent part to each new host: from the first word on they are complete.
                self._lacking.clear()
                if text.endswith(SILENT) and len(self._silent) < PARTS:
                    self._silent.add(text.removesuffix(SILENT)[:PART_LENGTH])
                else:
                    self._silent.discard(text.removesuffix(BACK)[:PART_LENGTH])
            case wire.Disconnected(t, reason, next_step):
                if self._connected is not None or self._down_since is None:
                    self._down_since = t
                self._connected = None
                self._detail = f"{reason}; {next_step}" if next_step else reason

    def state(self, now: float, stats: LinkStats) -> LinkStatus:
        """The link at `now` (s), by the counters of that moment."""
        up = self._connected
        if up is None:
            since = self._down_since
            lost = since is not None and now - since >= LOST_S
            word = "lost" if lost else "connecting"
        else:
            word = "connected"
        return LinkStatus(
            state=word,
            detail=self._detail,
            rtt_ms=self._round_trip(stats.rtt_ms),
            resends=stats.resends,
            bad_frames=stats.bad_frames,
            reconnects=stats.reconnects,
            missing=tuple(sorted(self._silent or self._lacking)),
            outdated=up is not None and up.code_hash != code_hash(),
            said=self._said,
        )

    def _round_trip(self, last: float | None) -> int | None:
        if last is not None:
            self._rtt = last if self._rtt is None else self._rtt + RTT_SHARE * (last - self._rtt)
            change = abs(self._rtt - self._shown) if self._shown is not None else self._rtt
            if self._shown is None or (change > RTT_STEP_MS and change > self._shown / 2):
                self._shown = round(self._rtt)
        return self._shown
