"""What games tell of their looks: every colour and picture exists, and what to do next is short enough."""

from itertools import chain, islice
from random import Random

import pytest

from companion.dashboard.player_names import PlayerNames
from companion.dashboard.screen_layout import GRIDS, LEAST, Size
from companion.dashboard.themes import COLOURS, LEAST_CONTRAST
from companion.dashboard.widgets.big_letters import big_width
from companion.dashboard.widgets.call_pictures import PICTURES, SIDE, call_picture
from companion.dashboard.widgets.card_face import SIGNS, SYMBOLS
from companion.dashboard.widgets.card_row import piles, row_width, rows_of_cards
from companion.dashboard.widgets.place_box import place_box
from companion.games.registry import GAME_NAMES, load_game
from companion.session.stream.events import CALL_LETTERS, Table
from tests.benchmarks.dashboard_bench import lowest_contrast, played

STEPS = 250


@pytest.mark.quick(1)
@pytest.mark.parametrize("name", GAME_NAMES)
def test_whole_games_are_drawn_within_their_places(name: str) -> None:
    names = PlayerNames(("Wilhelmina", "Maximilian", "Bartholome"))
    told = chain.from_iterable(islice(played(load_game(name), Random(5)), STEPS))
    for table in (event for event in told if isinstance(event, Table)):
        call = table.call or table.title
        assert len(call) <= CALL_LETTERS
        assert big_width(call, GRIDS[Size.LARGE].call) <= LEAST[Size.LARGE][0] - 4
        assert big_width(call, GRIDS[Size.HUGE].call) <= LEAST[Size.HUGE][0] - 4
        assert table.symbol in PICTURES
        cards = [*table.played, *(card for row in table.rows for card in row.cards)]
        cards += [card for view in table.places for card in view.cards]
        assert {card.colour for card in cards} <= {*COLOURS, ""}
        assert {card.symbol for card in cards} <= {*SYMBOLS, ""}
        assert {card.sign for card in cards} <= {*SIGNS, ""}
        for card in cards:
            assert card.kind.isdigit() or card.symbol or card.kind == "?"
        for width, height in ((15, 7), (19, 10), (39, 20)):
            for view in table.places:
                assert view.colour in (*COLOURS, "")
                rows = place_box(view, 1, width, height, names).plain.split("\n")
                assert len(rows) == height
                assert max(map(len, rows)) <= width
        for size, height in ((0, 5), (1, 9), (2, 13)):
            drawn = rows_of_cards(table.rows, size, height).plain.split("\n")
            room = max(5, *(len(row.cards) for row in table.rows))
            assert len(drawn) <= height
            assert len(drawn[0]) <= row_width(size, room)
            assert len(piles(table, names, 40, height).plain.split("\n")) <= height


def test_pictures_of_what_to_do_are_square_and_differ() -> None:
    assert all(len(rows) == SIDE and {len(row) for row in rows} == {SIDE} for rows in PICTURES.values())
    assert len({"".join(row.markup for row in call_picture(name, 1)) for name in PICTURES}) == len(PICTURES)
    assert call_picture("nothing known", 1) == ()


def test_the_lowest_contrast_is_high_enough() -> None:
    assert lowest_contrast() >= LEAST_CONTRAST
