"""Four cards that a hand lays at the corners of a table without a mat."""

from random import Random

from companion.virtual.world import DOWN, World
from vision.mat.corner_cards import corner_places
from vision.mat_geometry import Mat

_LAID_MM, _LAID_DEG = 9.0, 4.0
"""Standard deviations (mm, degrees) of a corner card that was laid by hand. A guess."""


def lay_corner_cards(world: World, mat: Mat, chance: Random) -> None:
    """Lay four cards face down near the corners, without sleeves.

    They lie wholly in the picture.
    """
    for number, (x, y) in enumerate(corner_places(mat)):
        right, down = abs(chance.gauss(0, _LAID_MM)), abs(chance.gauss(0, _LAID_MM))
        at = (x + (right if x < mat.w / 2 else -right), y + (down if y < mat.h / 2 else -down))
        world.put(f"deck corner {number}", at, chance.gauss(0, _LAID_DEG), DOWN)
