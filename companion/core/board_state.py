"""Link to the sensor board, as an engine tells its screens."""

import msgspec


class BoardState(msgspec.Struct, frozen=True, tag="board", tag_field="e"):
    """State of the link to the sensor board.

    A newer state replaces it. It is never recorded, because it says nothing about the game.
    """

    state: str
    """`connected`, `connecting`, or `lost` (away for more than ten seconds)."""
    detail: str = ""
    """Reason why it is not connected, and the next step; "" while it is."""
    rtt_ms: int | None = None
    """Smoothed round trip (ms), which changes by clear steps only. None before the first answer."""
    resends: int = 0
    """Frames sent again to the board since the engine began."""
    bad_frames: int = 0
    """Damaged frames from the board."""
    reconnects: int = 0
    missing: tuple[str, ...] = ()
    """Names of the rig's parts that do not answer."""
    outdated: bool = False
    """True if the board runs other code than this program would flash."""
    said: str = ""
    """Last line of the board's log, except reports of missing parts."""

    @property
    def answered(self) -> bool:
        """True if the board ever answered since the engine began."""
        return self.state == "connected" or self.rtt_ms is not None or self.reconnects > 0
