"""A table that people clear without a score, so that the next game begins."""

from math import inf

from companion.fusion.detections import SensedTable
from companion.session.entries.next_game import CLEAR_S


class ClearedTable:
    """A watch over the table of one game: people lay the game out, and clear the table again.

    `laid_out`: True once the game was laid out. `dealt_since_bare`: True if cards came to the table after it
    was bare, before this game began.
    """

    def __init__(self, *, dealt_since_bare: bool = False) -> None:
        self.laid_out = False
        self.dealt_since_bare = dealt_since_bare
        self._bare_since = inf

    def next(self, carded_at: float) -> "ClearedTable":
        """Watch over the next game's table. `carded_at`: time (s) of this game's last sensed card."""
        return ClearedTable(dealt_since_bare=carded_at >= self._bare_since)

    def is_cleared(self, now: float, sensed: SensedTable) -> bool:
        """True if a laid out table has been bare for CLEAR_S at `now` (s), so that the next game may begin."""
        if _is_bare(sensed):
            if self.laid_out:
                self._bare_since = min(self._bare_since, now)
        else:
            self._bare_since = inf
            # Single cards come and go while people lay out a game. The game counts as laid out once a scale
            # carries cards, or a zone has several.
            self.laid_out |= any(sensed.counts.values()) or any(len(c) > 2 for c in sensed.zones.values())
        return now - self._bare_since >= CLEAR_S


def _is_bare(sensed: SensedTable) -> bool:
    """True if no scale and no zone holds cards.

    False before any zone was seen.
    """
    return bool(sensed.zones) and not any(sensed.counts.values()) and not any(sensed.zones.values())
