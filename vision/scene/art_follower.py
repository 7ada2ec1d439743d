"""Follows cards that are known by their printed pictures.

A card keeps its code as long as it is watched.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from vision.art.live_art import ArtCard, ArtLook, LiveArt
from vision.art_codes import art_code, kind_by_art
from vision.camera.frames import Image
from vision.mat.mat_finder import Rect, Registration
from vision.scene.camera_reports import CardSeen

_STICKER_MM = 30.0
"""A card found by its picture no farther (mm) from a sticker that was read is that sticker's card."""
_MOVED_MM = 40.0
"""A card pushed no farther (mm) within a zone is still the same. Cards side by side are 60 mm apart."""
_BACK_MM, _BACK_S = 12.0, 12.0
"""A lost card seen again within this distance (mm) and time (s) is the old one: it was hidden, or put back."""


_LAID_ON_MM, _LAID_ON_DEG = 1.0, 1.0
"""Least distance (mm) or turn (degrees) with which a card on a pile, or where all cards went at once, is
another of its kind. A place is read to 0.3 mm and 0.3 degrees, and nobody lays two cards so neatly on each
other."""


@dataclass(frozen=True, slots=True)
class _Lost:
    """A card that is no longer seen, and when it was seen last.

    `t`: time (s) of the last sight. `swept`: whether all cards of its zone went at once.
    """

    card: CardSeen
    t: float
    swept: bool = False


class ArtFollower:
    """Finds cards by their printed pictures, and gives them codes.

    A code is the kind and a number. Copies of a kind look alike, so only the place tells them apart. A card
    that is pushed, or hidden for a while by a hand or a reflection, keeps its code. Otherwise it would count as
    a new card.
    """

    def __init__(self, art: LiveArt) -> None:
        self._art = art
        self.reach_mm = art.reach_mm
        """Distance (mm) from the middle of the longest card to its end."""
        self._next = 1
        self._lately: dict[str, dict[str, _Lost]] = {}
        """Zone -> code -> the card as it was seen there last."""

    def read(
        self,
        image: Image,
        rect: Rect,
        registration: Registration,
        there: Sequence[CardSeen],
        before: Sequence[CardSeen],
        zone: str,
        t: float,
        *,
        piled: bool = False,
    ) -> tuple[list[CardSeen], ArtLook]:
        """Find cards in a part of a picture, besides those known in this frame.

        `rect`: the part (px). `there`: cards already known in this frame. `before`: cards seen in `zone`
        earlier. `t`: time of the frame (s). `piled`: True if cards lie on each other in the zone. Also returns
        the report of the search.
        """
        kinds = [(kind_by_art(card.code), card) for card in there]
        known = [ArtCard(kind, one.x, one.y, one.angle, one.quality) for kind, one in kinds if kind is not None]
        stickers = [one for kind, one in kinds if kind is None]
        look = self._art.look(image, rect, registration, known)
        lately = self._remember(zone, before, t)
        used = {card.code for card in there}
        free = [card for card in before if card.code not in used]
        lost = [one.card for code, one in lately.items() if code not in used and one.t < t]
        swept = {code for code, one in lately.items() if one.swept}
        cards = []
        for found in self._nearest_first(look.cards, free):
            if any(math.dist((found.x, found.y), (one.x, one.y)) < _STICKER_MM for one in stickers):
                continue
            old = _nearest(found, free, _MOVED_MM) or _nearest(found, lost, _BACK_MM)
            if old is None or ((piled or old.code in swept) and _laid_on(found, old)):
                code = art_code(found.kind, self._next)
                self._next += 1
            else:
                code = old.code
                free = [one for one in free if one is not old]
                lost = [one for one in lost if one is not old]
            x, y, angle = round(found.x, 1), round(found.y, 1), round(found.angle, 1)
            cards.append(CardSeen(code, x, y, angle, round(found.probability, 3)))
        return cards, look

    def _remember(self, zone: str, before: Sequence[CardSeen], t: float) -> dict[str, _Lost]:
        """Note the cards that the zone had `before`, and those it has lost.

        Returns code -> lost card, of cards seen within the last 12 s. `t`: time (s).
        """
        known = self._lately.setdefault(zone, {})
        last = max((one.t for one in known.values()), default=t)
        if not before and sum(one.t == last for one in known.values()) > 1:
            known |= {code: replace(one, swept=True) for code, one in known.items()}
        known |= {card.code: _Lost(card, t) for card in before}
        for code in [code for code, one in known.items() if t - one.t > _BACK_S]:
            del known[code]
        return known

    def _nearest_first(self, found: Sequence[ArtCard], before: Sequence[CardSeen]) -> list[ArtCard]:
        """Sort cards so that unmoved ones come first and keep their codes."""

        def moved(one: ArtCard) -> float:
            old = _nearest(one, before, _MOVED_MM)
            return math.inf if old is None else math.dist((old.x, old.y), (one.x, one.y))

        return sorted(found, key=moved)


def _laid_on(found: ArtCard, old: CardSeen) -> bool:
    """True if a card lies differently from the card of its kind that was there.

    A second card of the kind was then laid on it.
    """
    turned = abs((found.angle - old.angle + 180) % 360 - 180)
    return math.dist((found.x, found.y), (old.x, old.y)) > _LAID_ON_MM or turned > _LAID_ON_DEG


def _nearest(found: ArtCard, cards: Sequence[CardSeen], within_mm: float) -> CardSeen | None:
    """Nearest card of the same kind within `within_mm`.

    None if there is none.
    """
    same = [card for card in cards if kind_by_art(card.code) == found.kind]
    old = min(same, key=lambda card: math.dist((card.x, card.y), (found.x, found.y)), default=None)
    return old if old is not None and math.dist((old.x, old.y), (found.x, found.y)) <= within_mm else None
