"""How far the engine that watches has followed the table: players who know it do not outrun a slow machine."""

from math import inf

READ_MOST_S = 3.0
"""READ_MOST_S: how long (s) players wait for the rest of a picture that shows all of a movement. A guess: a
card in a reflection may never be read."""
SILENT_S = 3.0
"""SILENT_S: an engine that has taken no picture for longer (s) is behind, however little has moved. A guess."""
GIVE_UP_S = 120.0
"""GIVE_UP_S: how long (s) players wait for an engine that takes no picture. A guess: one that was killed is
back within half a minute even on a busy machine, and one that was stopped for a minute goes on."""


class Follower:
    """The engine that watches the table, as the players know it. All times are the table's (s).

    Nobody waits for an engine that has never said how far it is.
    """

    def __init__(self) -> None:
        self._heard_at = -inf
        """When it last said how far it is."""
        self._seen_at = -inf
        """When the newest picture was made that it has taken in."""
        self._read = True
        """Whether it has read everything in that picture."""
        self._gone = False

    def hear(self, now: float, seen_at: float, *, read: bool) -> None:
        """The engine says at `now` that it has taken in a picture made at `seen_at`, and whether all of it."""
        self._heard_at, self._seen_at, self._read, self._gone = now, seen_at, read, False

    def lose(self) -> None:
        """The engine's connection has ended; another engine may come."""
        self._gone = True

    def behind(self, now: float, settled: float) -> bool:
        """Whether players should wait: the engine has not followed what had come to rest at `settled`."""
        silent_s = now - self._heard_at
        if silent_s > GIVE_UP_S:
            return False
        if self._gone or silent_s > SILENT_S or self._seen_at < settled:
            return True
        return not self._read and self._seen_at < settled + READ_MOST_S
