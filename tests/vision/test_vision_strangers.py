"""Cards that lie there and cannot be read: told where it matters, until they are read or taken away."""

import numpy as np
import pytest

from tests.vision.test_vision_scene import MAT, TAGS, Lying, Table, Watch
from vision.scene.camera_reports import ZoneSeen
from vision.scene.zone_tracker import Vision


def plain(x, y, side_mm=60):
    """A square card that shows nothing."""
    return Lying(x, y, 4, payload="-", image=np.full((5 * side_mm, 5 * side_mm), 205, np.uint8))


@pytest.fixture
def game():
    table = Table()
    table.put("H01A", 345, 297, 4)
    table.put("H02A", 411, 297, 4)
    watch = Watch(table, Vision(MAT, TAGS, strangers_in=("row",)))
    watch.frames(16)
    return table, watch


def told(watch):
    """What is said of the row in ten frames: codes, and the middles of strangers."""
    events = [e for e in watch.frames(10) if isinstance(e, ZoneSeen) and e.zone == "row"]
    assert len(events) <= 1
    return [(tuple(card.code for card in e.cards), e.strangers) for e in events]


def test_a_card_that_shows_no_sticker_is_told_until_it_is_read(game):
    table, watch = game
    table.cards["plain"] = plain(543, 297)
    ((codes, (place,)),) = told(watch)
    assert codes == ("H01A", "H02A")
    assert place == pytest.approx((543, 297), abs=3)
    table.put("H03A", 480, 297, 3)
    assert told(watch) == [(("H01A", "H02A", "H03A"), (place,))], "it lies there still"
    table.take("plain")
    table.put("H05B", 543, 297, 4)
    assert told(watch) == [(("H01A", "H02A", "H03A", "H05B"), ())]


def test_a_stranger_that_is_taken_away_is_gone(game):
    table, watch = game
    table.cards["plain"] = plain(543, 297)
    assert [len(strangers) for _, strangers in told(watch)] == [1]
    table.take("plain")
    assert told(watch) == [(("H01A", "H02A"), ())]
    table.take("H01A")
    assert told(watch) == [(("H02A",), ())], "a card that was read leaves no stranger"


def test_a_row_that_is_swept_takes_its_strangers_along(game):
    table, watch = game
    table.cards["plain"] = plain(543, 297)
    told(watch)
    table.cards.clear()
    assert told(watch) == [((), ())]


def test_what_is_smaller_than_a_card_is_none(game):
    table, watch = game
    table.cards["coin"] = plain(543, 297, side_mm=25)
    assert told(watch) == []


def test_strangers_elsewhere_are_nobodys_news(game):
    table, watch = game
    table.cards["plain"] = plain(300, 421)
    assert not [e for e in watch.frames(20) if isinstance(e, ZoneSeen)]
