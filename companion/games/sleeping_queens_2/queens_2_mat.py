"""Where things lie on the mat of Sleeping Queens 2, in mm.

960 x 540 mm. Ten rescue companions lie in a grid around draw pile and discard pile, the kings on either side of
them, as the rulebook shows them. Each of up to five players has a place for a realm.
"""

from companion.core.mat_geometry import Mat, Zone
from companion.games.sleeping_queens.queens_mat import CELL_H, CELL_W, MARKERS, player_zones

_LEFT, _TOP = 328.0, 123.0
"""Upper left corner of the grid."""
_PILES = {5: "draw", 6: "discard"}
"""Cells of the grid, counted from 0 in reading order, that hold no companion."""


def mat() -> Mat:
    """The mat, for two to five players."""
    cells = [(_LEFT + CELL_W * (n % 4), _TOP + CELL_H * (n // 4), _PILES.get(n)) for n in range(12)]
    piles = [Zone(name, x, y, CELL_W - 4, CELL_H - 4) for x, y, name in cells if name]
    free = [(x, y) for x, y, name in cells if not name]
    companions = [
        Zone(f"companion {n}", x, y, CELL_W - 4, CELL_H - 4) for n, (x, y) in enumerate(free, start=1)
    ]
    kings = [Zone(f"kings {n}", x, _TOP, 270, 3 * CELL_H - 4) for n, x in ((1, 50.0), (2, 640.0))]
    return Mat("sleeping-queens-2", 960, 540, MARKERS, (*piles, *companions, *kings, *player_zones()))
