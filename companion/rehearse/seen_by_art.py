"""Sightings by a camera that recognises cards by their art instead of stickers.

Copies of one kind look alike, so the camera numbers them as they appear.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from companion.games.table_game import TableGame
from companion.sensing.observation import UNREAD, Observation, Seen, Sighting
from companion.virtual.card_art import ART
from vision.art_codes import art_code

BACK_S = 12.0
"""Longest absence (s) after which a returning card keeps its number.

As in `vision.scene.art_follower`.
"""


class SeenByArt:
    """Camera that recognises cards by art, so copies of a kind look alike.

    It replaces each true copy in a sighting by the kind and a number. `game`, `variant`: which cards exist.
    Sightings must come in time order. Two cards of one kind always keep different numbers.
    """

    def __init__(self, game: TableGame[Any, Any], variant: str) -> None:
        self._kinds = {card.code: card.kind for card in game.cards(variant)}
        self._told: dict[str, dict[str, str]] = {}
        """Zone -> true copy in the last sighting -> its code by art."""
        self._lately: dict[str, dict[str, tuple[str, float]]] = {}
        """Zone -> true copy -> its code by art, and the time (s) when it last lay in the zone."""
        self._next = 1

    def tell(self, seen: Observation) -> Observation:
        """Replace a sighting's true cards by what art tells.

        `seen`: any observation; only sightings change. A card becomes its kind and a number, written by
        `vision.art_codes.art_code`. A card that was away from its zone for more than BACK_S (s) gets a new
        number.
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
        """New code by art for the card `copy`; its own code if it is no card of the game."""
        if copy not in self._kinds:
            return copy
        self._next += 1
        return art_code(self._kinds[copy], self._next - 1)


def known_by(
    cards: str, heard: Iterable[Observation], game: TableGame[Any, Any], variant: str
) -> list[Observation]:
    """Replace true cards by what a camera recognises.

    `cards`: STICKERS (the observations stay unchanged) or ART (copies of a kind are numbered). `heard`:
    observations in time order. `game`, `variant`: which cards exist.
    """
    if cards != ART:
        return list(heard)
    eyes = SeenByArt(game, variant)
    return [eyes.tell(seen) for seen in heard]


def _known_as(card: Seen, code: str) -> Seen:
    return msgspec.structs.replace(card, card=code)
