"""What games must not share: a table is told by the markers of its mat, a card by its sticker."""

from collections import Counter
from itertools import chain

from companion.games.registry import GAME_NAMES, load_game, load_mat


def test_no_two_games_share_a_marker_or_a_sticker() -> None:
    markers = Counter(chain.from_iterable({one.id for one in load_mat(name).markers} for name in GAME_NAMES))
    payloads: Counter[str] = Counter()
    for name in GAME_NAMES:
        game = load_game(name)
        payloads.update({card.payload for variant in game.variants for card in game.cards(variant)} - {""})
    assert {number for number, games in markers.items() if games > 1} == set()
    assert {payload for payload, games in payloads.items() if games > 1} == set()
    assert len(markers) == 4 * len(GAME_NAMES)
