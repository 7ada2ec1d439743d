"""What an engine tells its screens of the link to the sensor board."""

import msgspec


class BoardState(msgspec.Struct, frozen=True, tag="board", tag_field="e"):
    """State of the link to the sensor board, for whoever looks after the table. Replaceable.

    Never recorded, because it says nothing about the game.
    """

    state: str
    """connected, connecting, or lost (away for more than ten seconds)."""
    detail: str = ""
    """Why it is not connected, and the next step."""
    rtt_ms: int | None = None
    """Approximate round trip to the board (ms); None before the first answer."""
    resends: int = 0
    """Frames sent again to the board, since the engine began."""
    bad_frames: int = 0
    """Damaged frames from the board."""
    reconnects: int = 0
    missing: tuple[str, ...] = ()
    """Names of the rig's parts that do not answer."""
    outdated: bool = False
    """Whether the board runs other code than this program would flash."""
    said: str = ""
    """The last line of the board's log, except reports of missing parts."""

    @property
    def answered(self) -> bool:
        """Whether the board ever answered since the engine began."""
        return self.state == "connected" or self.rtt_ms is not None or self.reconnects > 0
