"""Where things lie on the mat of Sleeping Queens 2, in mm.

960 x 540 mm. Ten rescue companions lie in two rows around draw pile and discard pile, the kings on either
side of them, as the rulebook shows them. Each of up to five players has a place for a realm, in which cards
lie in two rows: a realm grows to thirteen cards. Beside the kings the die is rolled, and a sleeping queen
who changes hands is shown.
"""

from companion.core.mat_geometry import Mat, Zone, corner_markers
from companion.games.sleeping_queens.queens_mat import CARD, CELL_W

_MIDDLE, _ROW_H = 178.0, 96.0
"""Upper edge of the two rows in the middle, and from row to row."""
_COLUMNS = 6
_GRID_LEFT = 202.0
_PILES = {2: "draw", 3: "discard"}
"""Cells of the grid, counted from 0 in reading order, that hold no companion."""
KNIGHT_W = 28.0
"""Left of each realm, for the foot of the knight's stand."""


def mat() -> Mat:
    """The mat, for two to five players."""
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
    """A place for each of five players, clockwise: two along the near side, three along the far one.

    The wide ones come first: with two players the game asks for the most kings.
    """
    near = [Zone(f"player {n + 1}", 482 - 432 * n, 374, 428, 158) for n in range(2)]
    far = [Zone(f"player {n + 3}", 50 + 288 * n, 8, 284, 166) for n in range(3)]
    return (*near, *far)
