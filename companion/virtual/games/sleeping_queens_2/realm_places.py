"""Where things lie in a realm: two rows of cards that hide no sticker of each other, and the knights' feet."""

from collections.abc import Mapping

from companion.core.mat_geometry import Zone
from companion.games.sleeping_queens.queens_mat import CARD_H, CARD_W
from companion.games.sleeping_queens_2.queens_2_mat import KNIGHT_W
from companion.virtual.world import DOWN, Point

_STEP = 49.0
"""From card to card, in mm: the sticker in the middle of the left one stays in sight."""
_ROWS = 2
_KNIGHTS = 2
"""Feet that lie there at once while knights go round."""


class RealmPlaces:
    """The places of one realm, each with the code of the thing that lies there."""

    def __init__(self, zone: Zone) -> None:
        columns = 1 + int((zone.w - KNIGHT_W - CARD_W) / _STEP)
        left, top = zone.x + KNIGHT_W + CARD_W / 2, zone.y + CARD_H / 2 + 1
        down = zone.h - CARD_H - 2
        self._cards: list[Point] = [
            (left + _STEP * column, top + down * row) for row in range(_ROWS) for column in range(columns)
        ]
        self._feet: list[Point] = [
            (zone.x + KNIGHT_W / 2, zone.y + zone.h * (n + 1) / (_KNIGHTS + 1)) for n in range(_KNIGHTS)
        ]
        self._at: dict[str, Point] = {}

    @property
    def taken(self) -> dict[str, Point]:
        """Code -> where that thing lies here."""
        return self._at

    def of(self, code: str) -> Point:
        """Where a thing lies; KeyError if it does not lie here."""
        return self._at[code]

    def come(self, code: str, sides: Mapping[str, str]) -> Point:
        """A place for what comes: a free one, or that of a sleeping queen; `sides`: how what lies here lies."""
        taken = {at for other, at in self._at.items() if other[:2] != "KN"}
        wanted = self._cards
        if code[:2] == "KN":
            taken, wanted = set(self._at.values()), self._feet
        asleep = [at for other, at in self._at.items() if sides.get(other) == DOWN]
        free = [at for at in wanted if at not in taken]
        self._at[code] = (free or asleep or wanted[-1:])[0]
        return self._at[code]

    def leave(self, code: str) -> Point:
        """What lay here is taken; where it lay."""
        return self._at.pop(code)
