"""What games must not share: a table is told by the markers of its mat, a card by its sticker."""

from collections import Counter
from itertools import chain

import pytest

from companion.core.config import Config, StationConfig
from companion.core.errors import BadInputError
from companion.fusion.parameters.sign_models import SIGN_MODELS
from companion.games.registry import GAME_NAMES, check_settings, load_game, load_mat
from companion.games.signs import Verb


def test_no_two_games_share_a_marker_or_a_sticker() -> None:
    markers = Counter(chain.from_iterable({one.id for one in load_mat(name).markers} for name in GAME_NAMES))
    payloads: Counter[str] = Counter()
    for name in GAME_NAMES:
        game = load_game(name)
        payloads.update({card.payload for variant in game.variants for card in game.cards(variant)} - {""})
    assert {number for number, games in markers.items() if games > 1} == set()
    assert {payload for payload, games in payloads.items() if games > 1} == set()
    assert len(markers) == 4 * len(GAME_NAMES)


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (Config(tags={"zz": "M0A"}), "tags: 'zz' is no tag"),
        (Config(tags={"04aabbccddeeff": "XXX"}), "tags.04aabbccddeeff: no card has the code 'XXX'"),
        (Config(parts={"sleeping-queens-2": {"die": "9,9"}}), "parts.sleeping-queens-2: "),
        (Config(stations={"bed 99": StationConfig()}), "stations.bed 99: no mat has a place called 'bed 99'"),
        (Config(parts={"chess": {}}), "no game is called 'chess'"),
    ],
)
def test_what_no_tag_and_no_card_is_called_is_refused(settings: Config, says: str) -> None:
    with pytest.raises(BadInputError) as caught:
        check_settings(settings)
    assert says in str(caught.value)


def test_tags_of_any_game_are_taken() -> None:
    check_settings(
        Config(tags={"04aabbccddeeff": "M0A", "deadbeef": "Q01"}, stations={"bed 5": StationConfig()})
    )


def test_every_sign_but_that_of_watched_places_has_a_sensor_model() -> None:
    assert set(Verb) - set(SIGN_MODELS) == {Verb.LIES}
