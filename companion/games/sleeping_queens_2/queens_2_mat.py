"""The mat of Sleeping Queens 2; all sizes in mm.

The mat is 960 x 540 mm. Ten companions lie in two rows around draw and discard pile, the kings on both sides,
as in the rulebook.
Each of five players has a zone for a realm of up to thirteen cards in two rows.
Beside the kings lie the zone for the die, and the zone in which a sleeping queen is shown when she changes
hands.
"""

from companion.games.queens.table import CARD, CELL_W
from vision.mat_geometry import Mat, Zone, corner_markers

_MIDDLE, _ROW_H = 178.0, 96.0
"""Measures of the middle grid (mm).

_MIDDLE: distance from the mat's far edge to the grid. _ROW_H: distance between its rows.
"""
_COLUMNS = 6
_GRID_LEFT = 202.0
_PILES = {2: "draw", 3: "discard"}
"""Place in the middle grid of twelve (from 0, in reading order) -> the pile that lies there."""
KNIGHT_W = 28.0
"""Width (mm) of the strip left of each realm on which the knight stands."""


def mat() -> Mat:
    """The mat, the same for two to five players."""
    cells = [
        (_GRID_LEFT + CELL_W * (n % _COLUMNS), _MIDDLE + _ROW_H * (n // _COLUMNS), _PILES.get(n))
        for n in range(2 * _COLUMNS)
    ]
    holds = {"draw": "pile 2", "discard": "pile 3"}
    piles = [Zone(name, x, y, CELL_W - 4, _ROW_H - 4, CARD, holds[name]) for x, y, name in cells if name]
    free = [(x, y) for x, y, name in cells if not name]
    companions = [
        Zone(f"companion {n}", x, y, CELL_W - 4, _ROW_H - 4, CARD) for n, (x, y) in enumerate(free, start=1)
    ]
    sides = [
        *(Zone(f"kings {n}", x, _MIDDLE, 148, 2 * _ROW_H - 4) for n, x in ((1, 50.0), (2, 658.0))),
        Zone("die", 810, _MIDDLE, 100, _ROW_H - 4),
        Zone("show", 810, _MIDDLE + _ROW_H, 100, _ROW_H - 4),
    ]
    markers = corner_markers(232, 960, 540)
    return Mat("sleeping-queens-2", 960, 540, markers, (*piles, *companions, *sides, *_realms()))


def _realms() -> tuple[Zone, ...]:
    """Zones of five players' cards, clockwise: two on the near side, three on the far one.

    The wide zones come first, because with two players a win takes most kings.
    """
    near = [Zone(f"player {n + 1}", 482 - 432 * n, 374, 428, 158) for n in range(2)]
    far = [Zone(f"player {n + 3}", 50 + 288 * n, 8, 284, 166) for n in range(3)]
    return (*near, *far)
