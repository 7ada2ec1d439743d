"""The mat of Sleeping Queens; all sizes in mm.

The mat is 960 x 540 mm. Sleeping queens lie in four columns of three, around the draw and discard pile and the
play zone (rulebook, "in the center of the playing area"). Each of five players has a zone for awake queens.
"""

from companion.games.queens.table import CARD, CELL_W
from companion.games.sleeping_queens.queens_cards import QUEENS
from vision.mat_geometry import Mat, Zone, corner_markers

CELL_H = 98.0
"""Height (mm) of the mat zone for a single card."""
_TOP = 123.0
"""Distance (mm) from the mat's far edge to the cards in the middle."""


def player_zones() -> tuple[Zone, ...]:
    """Zones for the awake queens of five players, clockwise: three on the far side, two on the near side."""
    far = [Zone(f"player {n + 1}", 50 + 288 * n, 10, 284, 108) for n in range(3)]
    near = [Zone(f"player {5 - n}", 50 + 432 * n, 422, 428, 108) for n in range(2)]
    return (*far, *reversed(near))


def mat() -> Mat:
    """The mat, the same for two to five players."""
    columns = (50.0, 50.0 + CELL_W, 910.0 - 2 * CELL_W, 910.0 - CELL_W)
    queens = [
        Zone(f"queen {n + 1}", columns[n % 4], _TOP + CELL_H * (n // 4), CELL_W - 4, CELL_H - 4, CARD)
        for n in range(len(QUEENS))
    ]
    middle = _TOP + CELL_H
    piles = [
        Zone("draw", 240, middle - 2, CELL_W, CELL_H, CARD, "pile 2"),
        Zone("discard", 644, middle - 2, CELL_W, CELL_H, CARD, "pile 3"),
        Zone("play", 330, _TOP + 10, 300, 3 * CELL_H - 20, holds="row 1"),
    ]
    return Mat("sleeping-queens", 960, 540, corner_markers(236, 960, 540), (*queens, *piles, *player_zones()))
