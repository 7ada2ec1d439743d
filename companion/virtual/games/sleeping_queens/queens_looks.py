"""Pictures of the cards of Sleeping Queens, with the real stickers."""

from functools import cache

import cv2
import numpy as np

from companion.games.api import PhysicalCard
from companion.games.sleeping_queens.queens_cards import POWERS, QUEENS
from companion.games.sleeping_queens.queens_mat import CARD_H, CARD_W
from companion.virtual.render import table_surface
from companion.virtual.render.printing import (
    PX_MM,
    Picture,
    border,
    colour,
    outline,
    paste_sticker,
    reflection,
    shade,
    write,
)
from companion.virtual.world import DOWN
from vision.mat_geometry import Zone

STICKER_SIDE = 20.0
"""Side of a sticker (mm), as `companion sheets` prints it."""
_POWER_HUES = {letters: 0.08 + 0.15 * at for at, (letters, _, _) in enumerate(POWERS)}


class QueensLooks:
    """Sizes and pictures of the cards, in the form that the renderer needs
    (companion.virtual.render.looks)."""

    def size_of(self, code: str, side: str) -> tuple[float, float]:
        """Width and height (mm) of a card, equal for all cards."""
        return (CARD_W, CARD_H)

    def printed(self, card: PhysicalCard | None, code: str, side: str, glare: bool) -> tuple[Picture, Picture]:
        """(picture, mask) of one side of a card. The back is green for queens and red for other cards.

        `card` None: the back of a pile. `glare`: True to add the reflection of a lamp.
        """
        return _printed(card, code[0] == "Q", side == DOWN or card is None, glare)

    def draw_zone(self, sheet: Picture, zone: Zone) -> None:
        """Outline a zone of the mat."""
        table_surface.outline_zone(sheet, zone)


@cache
def _printed(card: PhysicalCard | None, queen: bool, back: bool, glare: bool) -> tuple[Picture, Picture]:
    shape = (round(CARD_H * PX_MM), round(CARD_W * PX_MM))
    picture = np.zeros((*shape, 3), np.uint8)
    if back or card is None:
        _back(picture, 0.36 if queen else 0.98)
    else:
        _face(picture, card)
    if glare:
        reflection(picture)
    return picture, outline(shape, 4, round_thing=False)


def _back(picture: Picture, hue: float) -> None:
    h, w = picture.shape[:2]
    shade(picture, colour(hue, 0.42, 0.6), colour(hue, 0.32, 0.6))
    for x in range(-h, w + h, 36):
        cv2.line(picture, (x, 0), (x + h, h), colour(hue, 0.5, 0.6), 3, cv2.LINE_AA)
    border(picture)


def _face(picture: Picture, card: PhysicalCard) -> None:
    h, w = picture.shape[:2]
    if card.kind in QUEENS:
        hue, name = list(QUEENS).index(card.kind) / len(QUEENS), card.kind
        corners = str(QUEENS[card.kind])
    elif card.kind.isdigit():
        hue, name, corners = int(card.kind) / 11, "", card.kind
    else:
        hue, name, corners = _POWER_HUES[card.kind], card.name, card.kind
    shade(picture, colour(hue, 0.82, 0.6), colour(hue, 0.64, 0.6))
    border(picture)
    paste_sticker(picture, card.payload, STICKER_SIDE)
    ink = colour(hue, 0.22, 0.75)
    write(picture, corners, (42, 46), 1.5, ink, 4)
    write(picture, corners, (w - 42, h - 46), 1.5, ink, 4)
    if name:
        write(picture, name, (w // 2, h - 90), 0.7, ink, 2)
