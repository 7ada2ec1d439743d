"""A game with few kinds of cards: what enrols them by their pictures is quick."""

from typing import Any

from companion.games.appearance import PhysicalCard
from companion.games.registry import load_game


class FewCards:
    """The game `name` with these `kinds` of cards alone."""

    def __init__(self, name: str, kinds: tuple[str, ...]) -> None:
        self._game, self._kinds = load_game(name), kinds

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def cards(self, variant: str) -> tuple[PhysicalCard, ...]:
        return tuple(card for card in self._game.cards(variant) if card.kind in self._kinds)
