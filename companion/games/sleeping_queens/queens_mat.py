"""Where things lie on the mat of Sleeping Queens, in mm.

960 x 540 mm. The sleeping queens lie in four columns of three around draw pile and discard pile (rulebook,
"in the center of the playing area"); cards are played between the two. Each of up to five players has a place
for queens that woke up.
"""

from companion.core.mat_geometry import Mat, Zone, corner_markers
from companion.games.sleeping_queens.queens_cards import QUEENS

CARD = CARD_W, CARD_H = 57.0, 89.0
"""Poker size, upright."""
CELL_W, CELL_H = 76.0, 98.0
"""What one card that lies alone has around it."""
_TOP = 123.0
"""Upper edge of the cards in the middle."""


def player_zones() -> tuple[Zone, ...]:
    """A place for each of five players: three along the far side, two along the near one, clockwise."""
    far = [Zone(f"player {n + 1}", 50 + 288 * n, 10, 284, 108) for n in range(3)]
    near = [Zone(f"player {5 - n}", 50 + 432 * n, 422, 428, 108) for n in range(2)]
    return (*far, *reversed(near))


def mat() -> Mat:
    """The mat, for two to five players."""
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
