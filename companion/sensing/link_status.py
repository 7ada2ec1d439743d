"""The state of the link to the sensor board, for whoever looks after the table."""

from companion.core.board_state import BoardState
from companion.sensing.board_words import words_of
from companion.sensing.parameters import LINK
from firmware.flashing.manifest import code_hash
from firmware.host import messages as wire
from firmware.host.link import LinkStats

_CALLED = {"count": "scale", "texture": "pressure matrix"}
_CALLED_TOGETHER = {"count": "scales", "button": "buttons", "lamp": "lamps"}


def part_name(part: wire.Part) -> str:
    """Name of a board's part for screens and journals: "STATION scale", or "scales" if it serves all stations.
    Its first capability decides."""
    first = part.capabilities[0]
    if part.station is None:
        return _CALLED_TOGETHER.get(first, first)
    return f"{part.station} {_CALLED.get(first, first)}"


class LinkWatch:
    """State of the board's link: connection, missing parts, counters."""

    def __init__(self) -> None:
        self._connected: wire.Connected | None = None
        self._down_since: float | None = None
        self._detail = ""
        self._said = ""
        self._lacking: set[tuple[str, str]] = set()  # (station, capability), as the handshake has it
        self._silent: dict[wire.Part, str] = {}  # as told since, with their names
        self.met = False
        """Whether the board has ever answered."""
        self._rtt: float | None = None
        self._shown: int | None = None

    def hear(self, message: wire.Message) -> None:
        """Update the state by a message of the link."""
        match message:
            case wire.Connected():
                self._met(message)
            case wire.PartState(_, part, False, name):
                self._silent[part] = name or part_name(part)
            case wire.PartState(_, part, True):
                self._silent.pop(part, None)
                self._lacking = {lost for lost in self._lacking if not part.serves(*lost)}
            case wire.BoardLog(_, said):
                self._said = words_of(said)
            case wire.Disconnected(t, reason):
                if self._connected is not None or self._down_since is None:
                    self._down_since = t
                self._connected = None
                self._detail = words_of(reason)

    def _met(self, message: wire.Connected) -> None:
        self._connected, self._detail, self.met = message, "", True
        self._lacking = {(one.name, lost) for one in message.stations for lost in one.missing}
        rig = {None, *(one.name for one in message.stations)}
        self._silent = {part: name for part, name in self._silent.items() if part.station in rig}

    def state(self, now: float, stats: LinkStats) -> BoardState:
        """State of the link at `now` (s). `stats`: its counters."""
        up = self._connected
        if up is None:
            since = self._down_since
            lost = since is not None and now - since >= LINK.board_lost_s
            word = "lost" if lost else "connecting"
        else:
            word = "connected"
        return BoardState(
            state=word,
            detail=self._detail,
            rtt_ms=self._round_trip(stats.rtt_ms),
            resends=stats.resends,
            bad_frames=stats.bad_frames,
            reconnects=stats.reconnects,
            missing=self._missing(),
            outdated=up is not None and up.code_hash != code_hash(),
            said=self._said,
        )

    def _missing(self) -> tuple[str, ...]:
        """Names of the parts that do not answer, sorted: missing in the board's greeting, or silent since."""
        lacking = (lost for lost in self._lacking if not any(part.serves(*lost) for part in self._silent))
        return tuple(sorted([*self._silent.values(), *(part_name(wire.Part(s, (c,))) for s, c in lacking)]))

    def _round_trip(self, last: float | None) -> int | None:
        if last is not None:
            self._rtt = last if self._rtt is None else self._rtt + LINK.rtt_share * (last - self._rtt)
            change = abs(self._rtt - self._shown) if self._shown is not None else self._rtt
            if self._shown is None or (change > LINK.rtt_step_ms and change > self._shown / 2):
                self._shown = round(self._rtt)
        return self._shown
