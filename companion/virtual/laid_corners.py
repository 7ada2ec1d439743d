"""A hand lays a card at each corner of a table without a mat, about where it should be."""

from random import Random

from companion.core.mat_geometry import Mat
from companion.virtual.world import DOWN, World
from vision.mat.corner_cards import corner_places

_LAID_MM, _LAID_DEG = 9.0, 4.0
"""Standard deviations of the place and the turn of a corner card that was laid by hand."""


def lay_corner_cards(world: World, mat: Mat, chance: Random) -> None:
    """Lay four cards face down, without sleeves, wholly in the picture."""
    for number, (x, y) in enumerate(corner_places(mat)):
        right, down = abs(chance.gauss(0, _LAID_MM)), abs(chance.gauss(0, _LAID_MM))
        at = (x + (right if x < mat.w / 2 else -right), y + (down if y < mat.h / 2 else -down))
        world.put(f"deck corner {number}", at, chance.gauss(0, _LAID_DEG), DOWN)
