"""Pictures of the things of Sleeping Queens 2, with the real stickers."""

from functools import cache

import cv2
import numpy as np

from companion.games.api import PhysicalCard
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
_SIDES = {"DI": 24.0, "KN": 26.0}
"""First letters of a code -> side (mm) of the die, and of a knight's foot."""
_HUES = {"N": 0.11, "Q": 0.9, "K": 0.6, "W": 0.3, "S": 0.45, "R": 0.75}
"""First letter of a card's code -> hue (0 to 1) of its face. Chosen, not the printed colours."""
_BACKS = {"R": 0.36, "K": 0.12}
"""First letter of a card's code -> hue (0 to 1) of its back. Other cards have the back of the main deck."""


class Queens2Looks:
    """Sizes and pictures of the things, in the form that the renderer needs
    (companion.virtual.render.looks)."""

    def size_of(self, code: str, side: str) -> tuple[float, float]:
        """Width and height of a thing (mm). The die and knights' feet are square."""
        square = _SIDES.get(code[:2])
        return (CARD_W, CARD_H) if square is None else (square, square)

    def printed(self, card: PhysicalCard | None, code: str, side: str, glare: bool) -> tuple[Picture, Picture]:
        """(picture, mask) of one side of a thing: its face, or the back of its deck.

        `glare`: True to add the reflection of a lamp, except on the die and knights' feet.
        """
        if card is not None and code[:2] in _SIDES:
            return _square(card, code[:2])
        return _printed(card, code[0], side == DOWN or card is None, glare)

    def draw_zone(self, sheet: Picture, zone: Zone) -> None:
        """Outline a zone of the mat."""
        table_surface.outline_zone(sheet, zone)


@cache
def _square(card: PhysicalCard, kind: str) -> tuple[Picture, Picture]:
    side = round(_SIDES[kind] * PX_MM)
    picture = np.zeros((side, side, 3), np.uint8)
    shade(picture, colour(0.1, 0.9, 0.2), colour(0.1, 0.8, 0.2))
    paste_sticker(picture, card.payload, STICKER_SIDE)
    return picture, outline((side, side), 1, round_thing=False)


@cache
def _printed(card: PhysicalCard | None, letter: str, back: bool, glare: bool) -> tuple[Picture, Picture]:
    shape = (round(CARD_H * PX_MM), round(CARD_W * PX_MM))
    picture = np.zeros((*shape, 3), np.uint8)
    if back or card is None:
        _back(picture, _BACKS.get(letter, 0.98))
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
    hue = (_HUES[card.code[0]] + (int(card.kind) / 11 if card.kind.isdigit() else 0.0)) % 1.0
    shade(picture, colour(hue, 0.82, 0.6), colour(hue, 0.64, 0.6))
    border(picture)
    paste_sticker(picture, card.payload, STICKER_SIDE)
    ink = colour(hue, 0.22, 0.75)
    write(picture, card.kind, (46, 46), 1.2, ink, 3)
    write(picture, card.kind, (w - 46, h - 46), 1.2, ink, 3)
    if not card.kind.isdigit():
        write(picture, card.name, (w // 2, h - 90), 0.6, ink, 2)
