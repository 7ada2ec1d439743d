"""Four cards that a hand lays at the corners of a table without a mat."""

from random import Random

from companion.virtual.parameters import PLAYERS
from companion.virtual.world import DOWN, World
from vision.mat.corner_cards import corner_places
from vision.mat_geometry import Mat


def lay_corner_cards(world: World, mat: Mat, chance: Random) -> None:
    """Lay four cards face down near the corners of a table without a mat.

    They lie a little askew, and wholly in the picture. `mat`: its imagined size and zones. `chance`: draws the
    errors.
    """
    for number, (x, y) in enumerate(corner_places(mat)):
        right, down = abs(chance.gauss(0, PLAYERS.laid_mm)), abs(chance.gauss(0, PLAYERS.laid_mm))
        at = (x + (right if x < mat.w / 2 else -right), y + (down if y < mat.h / 2 else -down))
        world.put(f"deck corner {number}", at, chance.gauss(0, PLAYERS.laid_deg), DOWN)
