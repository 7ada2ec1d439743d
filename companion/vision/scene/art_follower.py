"""Follows cards known by their art from look to look: one card keeps its code while it is watched."""

import math
from collections.abc import Sequence

from companion.core.art_codes import art_code, kind_by_art
from companion.vision.art.live_art import ArtCard, ArtLook, LiveArt
from companion.vision.camera.frames import Image
from companion.vision.mat.mat_finder import Rect, Registration
from companion.vision.scene.camera_reports import CardSeen

_STICKER_MM = 30.0
"""_STICKER_MM: what is found this near to a sticker that was read is the card that carries it."""


class ArtFollower:
    """Reads cards with `art` and gives each a code by its kind and a number of its own."""

    def __init__(self, art: LiveArt) -> None:
        self._art = art
        self._next = 1

    def read(
        self,
        image: Image,
        rect: Rect,
        registration: Registration,
        there: Sequence[CardSeen],
        before: Sequence[CardSeen],
    ) -> tuple[list[CardSeen], ArtLook]:
        """Cards in a rectangle (px) besides those known to lie `there`, and the look that found them.

        `before`: what was seen in the zone earlier. A card of a kind that was seen there and has left its place
        is that one, moved.
        """
        kinds = [(kind_by_art(card.code), card) for card in there]
        known = [ArtCard(kind, one.x, one.y, one.angle, one.quality) for kind, one in kinds if kind is not None]
        stickers = [one for kind, one in kinds if kind is None]
        look = self._art.look(image, rect, registration, known)
        free = {card.code: card for card in before if all(card.code != one.code for one in there)}
        cards = []
        for found in self._nearest_first(look.cards, list(free.values())):
            if any(math.dist((found.x, found.y), (one.x, one.y)) < _STICKER_MM for one in stickers):
                continue
            same = [card for card in free.values() if kind_by_art(card.code) == found.kind]
            old = min(same, key=lambda card: math.dist((card.x, card.y), (found.x, found.y)), default=None)
            if old is None:
                code = art_code(found.kind, self._next)
                self._next += 1
            else:
                code = free.pop(old.code).code
            x, y, angle = round(found.x, 1), round(found.y, 1), round(found.angle, 1)
            cards.append(CardSeen(code, x, y, angle, round(found.probability, 3)))
        return cards, look

    def _nearest_first(self, found: Sequence[ArtCard], before: Sequence[CardSeen]) -> list[ArtCard]:
        """Cards that have not moved come first, so that no other one takes their codes."""

        def moved(one: ArtCard) -> float:
            same = [card for card in before if kind_by_art(card.code) == one.kind]
            return min((math.dist((card.x, card.y), (one.x, one.y)) for card in same), default=math.inf)

        return sorted(found, key=moved)
