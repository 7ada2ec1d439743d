"""Where things lie on the mat of Sleepless Princess, in mm.

960 x 540 mm, the shape of a 16:9 picture. Beds stand along the far side, the foot of each bed below it,
then the row of open cards between deck and discard pile, then the place where cards are played.
"""

from companion.core.mat_geometry import Mat, Zone, corner_markers

CARD_W, CARD_H = 56.0, 87.0
"""Helper, blanket and witch cards, upright."""
MATTRESS_W, MATTRESS_H = 80.0, 50.0
"""Mattress cards, lying."""
TILE_SIDE = 60.0
"""A princess tile lying flat."""
GLASS_SIDE = 46.0
STICKER_SIDE = 30.0
"""White square of a QR sticker with its quiet zone."""
TILE_MARKER_SIDE = 36.0
GLASS_MARKER_SIDE = 30.0

_BED_X, _BED_W = 50.0, 172.0


def mat(beds: int) -> Mat:
    """The mat with `beds` beds (1 to 5), counted from the left as the camera sees them."""
    zones = [
        Zone(f"bed {n + 1}", _BED_X + n * _BED_W, 10, _BED_W - 4, 170, (MATTRESS_W, MATTRESS_H))
        for n in range(beds)
    ]
    zones += [Zone(f"foot {n + 1}", _BED_X + n * _BED_W, 182, _BED_W - 4, 54) for n in range(beds)]
    zones += [
        Zone("pad", 60, 250, 140, 95),
        Zone("deck", 228, 246, 76, 103, (CARD_W, CARD_H), "pile 1"),
        Zone("row", 310, 246, 340, 103, holds="row 1"),
        Zone("discard", 656, 246, 76, 103, (CARD_W, CARD_H), "pile 2"),
        Zone("glass", 742, 260, 70, 76),
        Zone("play", 230, 366, 500, 110, holds="played"),
    ]
    return Mat("sleepless-princess", 960, 540, corner_markers(240, 960, 540), tuple(zones))
