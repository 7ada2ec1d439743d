"""Follows cards that are known by their printed pictures.

A card keeps its code as long as it is watched.
"""

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from vision.art.art_on_mat import ArtCard, ArtLook, LiveArt
from vision.art_codes import art_code, kind_by_art
from vision.camera.frames import Image
from vision.mat.registration import Rect, Registration
from vision.scene.camera_reports import CardSeen

_STICKER_MM = 30.0
"""_STICKER_MM: greatest distance (mm) of a card found by its picture from a sticker that was read, if the
sticker is the card's."""
_MOVED_MM = 40.0
"""_MOVED_MM: greatest distance (mm) by which a card is pushed within a zone and still counts as the same.
Cards side by side are 60 mm apart."""
_BACK_MM, _BACK_S = 12.0, 12.0
"""Greatest distance (_BACK_MM, mm) and time (_BACK_S, s) after which a card of a lost card's kind is that
card: it was hidden, or put back."""


_LAID_ON_MM, _LAID_ON_DEG = 1.0, 1.0
"""Least distance (mm) or turn (degrees) at which a card counts as another of its kind, on a pile, or where all
cards went at once. A place is read to 0.3 mm and 0.3 degrees, and nobody lays two cards so neatly on each
other."""


@dataclass(frozen=True, slots=True)
class _Lost:
    """Card known by its picture, as last seen in its zone.

    `t`: time (s) of the last sight. `swept`: whether all cards of the zone went at once.
    """

    card: CardSeen
    t: float
    swept: bool = False


class ArtFollower:
    """Follower of cards known by their printed pictures.

    The follower gives them codes. A code is the kind and a number. Copies of a kind look alike, so only the
    place tells them apart. A card that is pushed, or hidden for a while by a hand or a reflection, keeps its
    code. Otherwise it would count as a new card.
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
        """Find cards by their pictures in a part of the frame, besides those known already.

        Returns the cards with their codes, and the report of the search. `rect`: the part (px).
        `registration`: where the mat lies. `there`: cards already known in this frame. `before`: cards seen in
        `zone` earlier. `t`: time of the frame (s). `piled`: True if cards lie on each other in the zone.
        """
        stickers = [card for card in there if kind_by_art(card.code) is None]
        look = self._art.look(image, rect, registration, [*_by_art(there)])
        lately = self._remember(zone, before, t)
        used = {card.code for card in there}
        free = [card for card in before if card.code not in used]
        lost = [one.card for code, one in lately.items() if code not in used and one.t < t]
        piles = None if piled else {code for code, one in lately.items() if one.swept}
        found = (one for one in self._nearest_first(look.cards, free) if not _on_sticker(one, stickers))
        return [self._followed(one, free, lost, piles) for one in found], look

    def _followed(
        self, found: ArtCard, free: list[CardSeen], lost: list[CardSeen], piles: Collection[str] | None
    ) -> CardSeen:
        """Card with the code that it had, or a new one.

        `free`: cards seen before and not found again so far. `lost`: cards out of sight for a while. An old
        card that is found again leaves its list. `piles`: codes of cards that another one may lie on now;
        None: all.
        """
        old = _nearest(found, free, _MOVED_MM) or _nearest(found, lost, _BACK_MM)
        if old is None or ((piles is None or old.code in piles) and _laid_on(found, old)):
            code = art_code(found.kind, self._next)
            self._next += 1
        else:
            code = old.code
            free[:] = [one for one in free if one is not old]
            lost[:] = [one for one in lost if one is not old]
        x, y, angle = round(found.x, 1), round(found.y, 1), round(found.angle, 1)
        return CardSeen(code, x, y, angle, round(found.probability, 3))

    def _remember(self, zone: str, before: Sequence[CardSeen], t: float) -> dict[str, _Lost]:
        """Note the cards of a zone as they were seen last: code -> last sight.

        `before`: cards seen there up to `t` (s). The result has all that were seen there within 12 s, present
        or lost. Without cards in `before`, those of the last sight count as swept, if there were several.
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
        """Sort cards so that unmoved ones keep their codes.

        They come first. `before`: cards seen there earlier.
        """

        def moved(one: ArtCard) -> float:
            old = _nearest(one, before, _MOVED_MM)
            return math.inf if old is None else math.dist((old.x, old.y), (one.x, one.y))

        return sorted(found, key=moved)


def _by_art(cards: Sequence[CardSeen]) -> Iterator[ArtCard]:
    """Cards that are known by their pictures, as the search is told of them."""
    for card in cards:
        kind = kind_by_art(card.code)
        if kind is not None:
            yield ArtCard(kind, card.x, card.y, card.angle, card.quality)


def _laid_on(found: ArtCard, old: CardSeen) -> bool:
    """True if a second card of one kind was laid on the first.

    It then lies differently from the `old` card: by more than 1 mm or 1 degree.
    """
    turned = abs((found.angle - old.angle + 180) % 360 - 180)
    return math.dist((found.x, found.y), (old.x, old.y)) > _LAID_ON_MM or turned > _LAID_ON_DEG


def _on_sticker(found: ArtCard, stickers: Sequence[CardSeen]) -> bool:
    """True if a card found by its picture is one of those whose sticker was read."""
    return any(math.dist((found.x, found.y), (card.x, card.y)) < _STICKER_MM for card in stickers)


def _nearest(found: ArtCard, cards: Sequence[CardSeen], within_mm: float) -> CardSeen | None:
    """Nearest of `cards` with a found card's kind.

    None if there is none within `within_mm` mm.
    """
    same = [card for card in cards if kind_by_art(card.code) == found.kind]
    old = min(same, key=lambda card: math.dist((card.x, card.y), (found.x, found.y)), default=None)
    return old if old is not None and math.dist((old.x, old.y), (found.x, found.y)) <= within_mm else None
