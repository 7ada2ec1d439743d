"""What eyes that know cards by their printed pictures alone tell of a sighting: kinds, and no copies."""

from collections.abc import Iterable
from typing import Any

import msgspec

from companion.core.art_codes import art_code
from companion.games.api import TableGame
from companion.sensing.observation import UNREAD, Observation, Seen, Sighting
from companion.virtual.card_art import ART

BACK_S = 12.0
"""BACK_S: a card that is seen again within this time (s) keeps its number, see
`vision.scene.art_follower`."""


class SeenByArt:
    """Turns sightings of copies into those of their kinds, in time order.

    A card laid on one of its kind has a number of its own, as with the eyes: nobody lays two cards so neatly
    that they take one for the other.
    """

    def __init__(self, game: TableGame[Any, Any], variant: str) -> None:
        self._kinds = {card.code: card.kind for card in game.cards(variant)}
        self._told: dict[str, dict[str, str]] = {}
        """Zone -> copy that was told of last -> its code by art."""
        self._lately: dict[str, dict[str, tuple[str, float]]] = {}
        """Zone -> copy -> its code by art, and when it lay there last (s)."""
        self._next = 1

    def tell(self, seen: Observation) -> Observation:
        """The observation as these eyes make it."""
        if not isinstance(seen, Sighting):
            return seen
        before = self._told.get(seen.zone, {})
        lately = self._lately.setdefault(seen.zone, {})
        lately |= {copy: (code, seen.t) for copy, code in before.items()}
        told: dict[str, str] = {}
        for copy in (card.card for card in seen.cards if card.card != UNREAD):
            code, t = lately.get(copy, ("", -BACK_S))
            if not code or seen.t - t > BACK_S:
                code = self._new(copy)
            told[copy] = code
        self._told[seen.zone] = told
        cards = tuple(_known_as(card, told.get(card.card, UNREAD)) for card in seen.cards)
        return msgspec.structs.replace(seen, cards=cards)

    def _new(self, copy: str) -> str:
        """A number for a card that comes; things that do not belong to the game keep their code."""
        if copy not in self._kinds:
            return copy
        self._next += 1
        return art_code(self._kinds[copy], self._next - 1)


def known_by(
    cards: str, heard: Iterable[Observation], game: TableGame[Any, Any], variant: str
) -> list[Observation]:
    """The observations as the eyes make them: unchanged with stickers, kinds instead of copies with art."""
    if cards != ART:
        return list(heard)
    eyes = SeenByArt(game, variant)
    return [eyes.tell(seen) for seen in heard]


def _known_as(card: Seen, code: str) -> Seen:
    return msgspec.structs.replace(card, card=code)
