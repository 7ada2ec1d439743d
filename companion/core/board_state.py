"""Link to the sensor board, as engines tell screens."""

import msgspec


class BoardState(msgspec.Struct, frozen=True, tag="board", tag_field="e"):
    """State of the link to the sensor board, for screens.

    Each replaces the one before. Journals do not record it.
    """

    state: str
    """`connected`, `connecting`, or `lost` (gone for more than 10 s)."""
    detail: str = ""
    """Why the board is not connected, and the next step. "" while it is."""
    rtt_ms: int | None = None
    """Smoothed round trip time (ms), changed by clear steps only. None before the first answer."""
    resends: int = 0
    """Number of frames sent again to the board since the engine began."""
    bad_frames: int = 0
    """Number of damaged frames from the board since the engine began."""
    reconnects: int = 0
    missing: tuple[str, ...] = ()
    """Names of the chips and load cells that do not answer."""
    outdated: bool = False
    """True if the board runs other code than this program would install on it."""
    said: str = ""
    """Last line of the board's log, except reports of missing parts."""

    @property
    def answered(self) -> bool:
        """True if the board has answered since the engine began."""
        return self.state == "connected" or self.rtt_ms is not None or self.reconnects > 0
