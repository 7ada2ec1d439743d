"""The cards from which a player tells a hand by touch."""

from random import Random

import pytest

from companion.core.language import localized
from companion.games.registry import GAME_NAMES, load_game


@pytest.mark.parametrize("name", GAME_NAMES)
def test_every_card_of_a_hidden_hand_can_be_told_and_no_other_one_twice(name):
    game = load_game(name)
    for variant, numbers in game.variants.items():
        state = game.setup(variant, numbers[0], Random(3))
        cards = game.hands.hand_cards(state) if game.hands else ()
        told = [one["kind"] for one in cards]
        assert len(set(told)) == len(told)
        dealt = set(game.view(state, 0).get("hand", ()))
        assert dealt <= set(told)
        assert bool(told) == bool(dealt), "where hands lie open nothing has to be told"
        assert all(localized(one["name"]) for one in cards)
