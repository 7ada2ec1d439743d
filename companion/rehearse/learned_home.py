"""Place of a virtual table without a mat, learned as in setup from four laid cards."""

from random import Random

import numpy as np

from companion.virtual.card_art import NO_MAT
from companion.virtual.laid_corners import lay_corner_cards
from companion.virtual.virtual_table import VirtualTable
from companion.virtual.world import World
from vision.camera.frames import Image
from vision.mat.corner_cards import register_cards
from vision.mat.remembered_table import Home

_LOOKS = 4
"""Number of pictures that are averaged, which halves the noise."""


def learned_home(table: VirtualTable, mat: str) -> Home | None:
    """Learn where in the picture a table without mat lies.

    Four cards are laid on its corners, as in setup. `mat`: what lies under the cards, one of PRINTED, CORNERS,
    NO_MAT. None if `mat` is not NO_MAT, or if the cards were not found.
    """
    if mat != NO_MAT:
        return None
    world = World()
    camera = table.camera_at_setup(world)

    def picture() -> Image:
        looks = [camera.frame(0.0) if table.coloured else camera.grey(0.0) for _ in range(_LOOKS)]
        return np.asarray(np.mean(looks, axis=0, dtype=np.float32).round(), np.uint8)

    empty = picture()
    lay_corner_cards(world, table.mat, Random(f"{table.seed} corners"))
    found = register_cards(table.mat, picture(), empty)
    if found is None:
        return None
    gray = empty if empty.ndim == 2 else np.asarray(empty.mean(axis=2), np.uint8)
    return Home.of(found.registration, gray, fresh=True)
