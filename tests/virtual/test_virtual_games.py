"""What games give the virtual table: a rig that fits mat and cards, or a clear word that they give none."""

import pytest

from companion.core.errors import BadInputError
from companion.games import registry
from companion.games.registry import DEFAULT_GAME, load_game, load_virtual


def test_every_station_of_a_rig_is_a_zone_of_the_mat() -> None:
    game = load_game(DEFAULT_GAME)
    for variant in game.variants:
        plan = load_virtual(DEFAULT_GAME).rig(variant)
        zones = {zone.name for zone in game.mat(variant).zones}
        assert {*plan.stations, *plan.near, plan.reached} <= zones
        assert set(plan.near.values()) == set(plan.stations)


def test_every_card_that_is_pressed_has_the_picture_of_its_texture() -> None:
    game = load_game(DEFAULT_GAME)
    for variant in game.variants:
        raised = load_virtual(DEFAULT_GAME).rig(variant).raised
        pressed = [card for card in game.cards(variant) if card.texture is not None]
        assert pressed
        for card in pressed:
            assert raised.of(card.code) == (raised.pictures[card.texture] if card.texture else None)


def test_a_game_without_virtual_players_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._GAMES, "queens", ("tests.support.queens", "Queens"))
    with pytest.raises(BadInputError, match="no virtual table knows queens") as caught:
        load_virtual("queens")
    assert "camera" in caught.value.next_step
    with pytest.raises(BadInputError, match="no game is called 'chess'"):
        load_virtual("chess")
