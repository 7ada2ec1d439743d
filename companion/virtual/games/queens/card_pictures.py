"""Pictures of the cards of both Sleeping Queens games, with the real stickers."""

from functools import cache
from typing import NamedTuple

import cv2
import numpy as np

from companion.games.queens.table import CARD_H, CARD_W
from companion.virtual.render.printed_marks import (
    PX_MM,
    Picture,
    border,
    colour,
    outline,
    paste_sticker,
    shade,
    write,
)

STICKER_SIDE = 20.0
"""Side of a sticker (mm), as `companion sheets` prints it."""
MAIN_BACK = 0.98
"""Hue (0 to 1) of the back of every card of the main deck."""


class Lettering(NamedTuple):
    """Sizes of the letters on a card's face.

    Sizes are as of `cv2.putText`, distances in px.
    """

    inset: int
    """Distance of the corner letters from the left and right edge."""
    corner_size: float
    stroke: int
    """Width of a corner letter's line."""
    name_size: float


@cache
def back(hue: float) -> tuple[Picture, Picture]:
    """Draw a card's back: (picture, mask). `hue`: 0 to 1."""
    picture = _blank()
    h, w = picture.shape[:2]
    shade(picture, colour(hue, 0.42, 0.6), colour(hue, 0.32, 0.6))
    for x in range(-h, w + h, 36):
        cv2.line(picture, (x, 0), (x + h, h), colour(hue, 0.5, 0.6), 3, cv2.LINE_AA)
    border(picture)
    return picture, outline(picture.shape[:2], 4, round_thing=False)


@cache
def face(payload: str, hue: float, corners: str, name: str, letters: Lettering) -> tuple[Picture, Picture]:
    """Draw a card's face: (picture, mask).

    `payload`: text of its sticker. `hue`: 0 to 1. `corners`: letters in two corners. `name`: at the lower
    edge; "" for none.
    """
    picture = _blank()
    h, w = picture.shape[:2]
    shade(picture, colour(hue, 0.82, 0.6), colour(hue, 0.64, 0.6))
    border(picture)
    paste_sticker(picture, payload, STICKER_SIDE)
    ink = colour(hue, 0.22, 0.75)
    for at in ((letters.inset, 46), (w - letters.inset, h - 46)):
        write(picture, corners, at, letters.corner_size, ink, letters.stroke)
    if name:
        write(picture, name, (w // 2, h - 90), letters.name_size, ink, 2)
    return picture, outline(picture.shape[:2], 4, round_thing=False)


def _blank() -> Picture:
    return np.zeros((round(CARD_H * PX_MM), round(CARD_W * PX_MM), 3), np.uint8)
