"""Sightings by a camera that recognises cards by art.

Copies of a kind look alike.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from companion.games.api import TableGame
from companion.sensing.observation import UNREAD, Observation, Seen, Sighting
from companion.virtual.card_art import ART
from vision.art_codes import art_code

BACK_S = 12.0
"""Longest absence (s) after which a card that returns keeps its number, see `vision.scene.art_follower`."""


class SeenByArt:
    """Camera by art: replaces the copies in sightings by numbered cards of their kinds, in time order.

    Two cards of one kind always keep different numbers, because nobody lays one so neatly on the other that the
    camera mistakes them.
    """

    def __init__(self, game: TableGame[Any, Any], variant: str) -> None:
        self._kinds = {card.code: card.kind for card in game.cards(variant)}
        self._told: dict[str, dict[str, str]] = {}
        """Zone -> copy in the last sighting -> its code by art."""
        self._lately: dict[str, dict[str, tuple[str, float]]] = {}
        """Zone -> copy -> its code by art, and when it last lay in the zone (s)."""
        self._next = 1

    def tell(self, seen: Observation) -> Observation:
        """Convert an observation to that of a camera by art.

        All but sightings stay unchanged.
        """
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
        """Code by art for a card new in a zone.

        Things outside the game's cards keep their code.
        """
        if copy not in self._kinds:
            return copy
        self._next += 1
        return art_code(self._kinds[copy], self._next - 1)


def known_by(
    cards: str, heard: Iterable[Observation], game: TableGame[Any, Any], variant: str
) -> list[Observation]:
    """The observations as the camera makes them.

    Unchanged if `cards` is STICKERS, by kind if it is ART.
    """
    if cards != ART:
        return list(heard)
    eyes = SeenByArt(game, variant)
    return [eyes.tell(seen) for seen in heard]


def _known_as(card: Seen, code: str) -> Seen:
    return msgspec.structs.replace(card, card=code)
