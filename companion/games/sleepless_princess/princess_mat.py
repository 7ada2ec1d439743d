"""The mat of Sleepless Princess; all sizes in mm.

The mat is 960 x 540 mm, the shape of a 16:9 picture. From the far side to the near one: beds, the foot of each
bed, the open row between deck and discard pile, the play zone.
"""

from vision.mat_geometry import Mat, Zone, corner_markers

CARD_W, CARD_H = 56.0, 87.0
"""Width and height of upright helper, blanket and witch cards (mm)."""
MATTRESS_W, MATTRESS_H = 80.0, 50.0
"""Width and height of a mattress card as it lies on a bed (mm)."""
TILE_SIDE = 60.0
"""Side of a princess tile (mm)."""
GLASS_SIDE = 46.0
"""Side of the looking glass (mm)."""
STICKER_SIDE = 30.0
"""Side of a QR sticker, with its white margin (mm)."""
TILE_MARKER_SIDE = 36.0
"""Side of the fiducial on a princess tile (mm)."""
GLASS_MARKER_SIDE = 30.0
"""Side of the fiducial on the looking glass (mm)."""

_BED_X, _BED_W = 50.0, 172.0


def mat(beds: int) -> Mat:
    """The mat with 1 to 5 `beds`, numbered from the left in the camera's picture."""
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
