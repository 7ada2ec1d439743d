"""Pictures of the things of Sleeping Queens 2."""

from functools import cache

import numpy as np

from companion.games.appearance import PhysicalCard
from companion.games.queens.table import CARD
from companion.virtual.games.queens.card_pictures import (
    MAIN_BACK,
    STICKER_SIDE,
    Lettering,
    back,
    face,
)
from companion.virtual.render.looks import Looks
from companion.virtual.render.printed_marks import PX_MM, Picture, colour, outline, paste_sticker, shade
from companion.virtual.world import DOWN

_SIDES = {"DI": 24.0, "KN": 26.0}
"""First letters of a code -> side (mm): DI the die, KN a knight's foot."""
_HUES = {"N": 0.11, "Q": 0.9, "K": 0.6, "W": 0.3, "S": 0.45, "R": 0.75}
"""First letter of a card's code -> hue (0 to 1) of its face; chosen, not the printed colour."""
_BACKS = {"R": 0.36, "K": 0.12}
"""First letter of a card's code -> hue (0 to 1) of its back; others as MAIN_BACK."""
_LETTERS = Lettering(inset=46, corner_size=1.2, stroke=3, name_size=0.6)


class Queens2Looks(Looks):
    """Sizes and pictures of the things of Sleeping Queens 2."""

    def size_of(self, code: str, side: str) -> tuple[float, float]:
        """Width and height (mm) of a thing.

        The die and knights' feet are square, cards are not.
        """
        square = _SIDES.get(code[:2])
        return CARD if square is None else (square, square)

    def printed(self, card: PhysicalCard | None, code: str, side: str) -> tuple[Picture, Picture]:
        """Draw one side of a thing: (picture, mask).

        `card`: None for the back of a pile.
        """
        if card is not None and code[:2] in _SIDES:
            return _square(card.payload, _SIDES[code[:2]])
        if card is None or side == DOWN:
            return back(_BACKS.get(code[0], MAIN_BACK))
        number = card.kind.isdigit()
        hue = (_HUES[card.code[0]] + (int(card.kind) / 11 if number else 0.0)) % 1.0
        return face(card.payload, hue, card.kind, "" if number else card.name, _LETTERS)

    def is_glossy(self, code: str) -> bool:
        """Whether the thing `code` reflects a lamp: cards do, the die and knights' feet do not."""
        return code[:2] not in _SIDES


@cache
def _square(payload: str, side_mm: float) -> tuple[Picture, Picture]:
    side = round(side_mm * PX_MM)
    picture = np.zeros((side, side, 3), np.uint8)
    shade(picture, colour(0.1, 0.9, 0.2), colour(0.1, 0.8, 0.2))
    paste_sticker(picture, payload, STICKER_SIDE)
    return picture, outline((side, side), 1, round_thing=False)
