"""Cards that lie there and cannot be read: told where it matters, until they are read or taken away."""

import pickle
from functools import cache

import cv2
import numpy as np
import pytest

from tests.vision.test_vision_scene import MAT, TAGS, Lying, Table, Watch
from vision.scene.camera_pipeline import Vision
from vision.scene.camera_reports import CardSeen, ZoneSeen
from vision.scene.lying_things import things_on_cloth
from vision.scene.small_picture import SmallPicture
from vision.scene.unread_cards import CardSize, at_first_look, centre, strangers


def plain(x, y, side_mm=60):
    """A square card that shows nothing."""
    return Lying(x, y, 4, payload="-", image=np.full((5 * side_mm, 5 * side_mm), 205, np.uint8))


BACK, GLARE = "back", "glare "


class Cards(Table):
    """A table on which cards may also lie on their faces."""

    def _face(self, card):
        if card.payload.startswith(GLARE):
            face, w, h = super()._face(Lying(0, 0, 0, card.payload.removeprefix(GLARE)))
            face = face.copy()
            cv2.circle(face, (face.shape[1] // 2, face.shape[0] // 2), 110, (250,), -1)
            return face, w, h
        return (np.full((435, 280), 205, np.uint8), 56.0, 87.0) if card.payload == BACK else super()._face(card)


def back(x, y):
    """A card of the size of all others that shows its back."""
    return Lying(x, y, 2, payload=BACK)


@pytest.fixture
def game():
    return pickle.loads(_game())


@cache
def _game():
    table = Cards()
    table.put("H01A", 345, 297, 4)
    table.put("H02A", 411, 297, 4)
    watch = Watch(table, Vision(MAT, TAGS, strangers_in=("row",)))
    watch.frames(16)
    return pickle.dumps((table, watch))


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


def test_what_lay_face_down_before_a_restart_still_lies_there_until_it_is_taken():
    table = Cards()
    table.cards["down"] = back(543, 297)
    watch = Watch(table, Vision(MAT, TAGS, strangers_in=("row",), lying={"row": ((543.0, 297.0),)}))
    first = [e for e in watch.frames(16) if isinstance(e, ZoneSeen) and e.zone == "row"]
    assert [(e.cards, e.strangers) for e in first] == [((), ((543.0, 297.0),))]
    table.put("H03A", 480, 297, 3)
    assert told(watch) == [(("H03A",), ((543.0, 297.0),))]
    table.take("down")
    assert told(watch) == [(("H03A",), ())]


@pytest.fixture
def amid_a_game():
    """The first look at a row with a card that is read, and two that lie on their faces."""
    table = Cards()
    table.put("H01A", 345, 297, 4)
    table.cards["left"], table.cards["right"] = back(480, 297), back(543, 297)
    watch = Watch(table, Vision(MAT, TAGS, strangers_in=("row",)))
    first = [e for e in watch.frames(16) if isinstance(e, ZoneSeen) and e.zone == "row"]
    assert [tuple(card.code for card in e.cards) for e in first] == [("H01A",)]
    return table, watch, sorted(round(x) for x, _ in first[0].strangers)


def test_what_lies_face_down_at_the_first_look_is_told(amid_a_game):
    _, _, places = amid_a_game
    assert places == pytest.approx([480, 543], abs=4)


def test_a_card_that_lay_at_the_first_look_is_gone_once_it_is_taken(amid_a_game):
    table, watch, _ = amid_a_game
    table.take("left")
    ((codes, ((x, _),)),) = told(watch)
    assert (codes, x) == (("H01A",), pytest.approx(543, abs=4))
    table.take("right")
    assert told(watch) == [(("H01A",), ())]


@pytest.mark.long
def test_a_card_known_from_before_a_restart_is_not_counted_twice():
    table = Cards()
    table.cards["down"], table.cards["new"] = back(543, 297), back(345, 297)
    watch = Watch(table, Vision(MAT, TAGS, strangers_in=("row",), lying={"row": ((540.0, 300.0),)}))
    first = [e for e in watch.frames(16) if isinstance(e, ZoneSeen) and e.zone == "row"]
    assert [sorted(round(x) for x, _ in e.strangers) for e in first] == [pytest.approx([345, 543], abs=4)]


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


def test_cards_that_come_side_by_side_are_counted_one_by_one(game):
    """They make one change: how large a card is was learned from one that came alone."""
    table, watch = game
    table.put("H03A", 480, 297, 3)
    told(watch)
    table.cards["left"], table.cards["right"] = back(543, 297), back(604, 297)
    ((codes, strangers),) = told(watch)
    assert codes == ("H01A", "H02A", "H03A")
    assert sorted(round(x) for x, _ in strangers) == pytest.approx([543, 604], abs=4)


def test_an_unread_card_beside_one_that_is_read_is_told(game):
    table, watch = game
    table.put("H03A", 480, 297, 3)
    told(watch)
    table.put("H05B", 543, 297, 4)
    table.cards["plain"] = back(604, 297)
    ((codes, ((x, y),)),) = told(watch)
    assert codes == ("H01A", "H02A", "H03A", "H05B")
    assert (x, y) == pytest.approx((604, 297), abs=4)


def test_the_size_of_a_card_is_measured_along_its_sticker():
    size = CardSize()
    assert size.mm is None
    turned = cv2.boxPoints(((100.0, 50.0), (57.0, 89.0), 10.0)).astype(np.float32)
    size.learn(turned, [CardSeen("A", 100.0, 50.0, 10.0, 1.0), CardSeen("far", 300.0, 50.0, 0.0, 1.0)])
    assert size.mm == pytest.approx((57, 89), abs=0.1)
    size.learn(turned, [CardSeen("A", 100.0, 50.0, 10.0, 1.0), CardSeen("B", 90.0, 50.0, 10.0, 1.0)])
    assert size.mm == pytest.approx((57, 89), abs=0.1), "two cards in a change tell nothing"


def test_the_size_of_a_card_is_not_learned_from_a_reflection_on_it(game):
    """It lay there before it could be read: only the reflection has changed."""
    table, watch = game
    table.put("H03A", 480, 297, 3)
    card = table.cards["H03A"]
    table.cards["H03A"] = Lying(card.x, card.y, card.angle, payload=GLARE + card.payload)
    assert [(codes, len(strangers)) for codes, strangers in told(watch)] == [(("H01A", "H02A"), 1)]
    table.cards["H03A"] = card
    assert told(watch) == [(("H01A", "H02A", "H03A"), ())]
    table.cards["back"] = back(543, 297)
    ((_, (place,)),) = told(watch)
    assert place == pytest.approx((543, 297), abs=3)


@pytest.mark.long
def test_a_stranger_stays_when_a_lamp_is_switched_on(amid_a_game):
    table, watch, _ = amid_a_game
    for light in (0.5, 1.0):
        table.light = light
        events = [e for e in watch.frames(25) if isinstance(e, ZoneSeen) and e.zone == "row"]
        assert all(len(e.strangers) == 2 for e in events)
    table.take("left")
    table.take("right")
    assert told(watch) == [(("H01A",), ())]


@pytest.mark.long
@pytest.mark.parametrize("stays", [True, False])
def test_a_stranger_is_known_again_after_the_camera_was_moved(game, stays):
    table, watch = game
    table.put("H03A", 480, 297, 3)
    table.cards["back"] = back(543, 297)
    assert [len(strangers) for _, strangers in told(watch)] == [1]
    table.nudge = (14.0, -9.0, 0.4)
    if not stays:
        table.take("back")
    events = [e for e in watch.frames(60) if isinstance(e, ZoneSeen) and e.zone == "row"]
    left = events[-1].strangers if events else ((543, 297),)
    assert len(left) == int(stays)


def test_a_part_of_a_card_that_was_read_is_no_stranger():
    """Where another card lay that looks the same at one end, only the other end has changed."""
    size = CardSize()
    whole = np.array([(-28, -43), (28, -43), (28, 43), (-28, 43)], np.float32)
    card = CardSeen("A~1", 0.0, 0.0, 0.0, 1.0)
    size.learn(whole, [card])
    far = np.array([(-28, -43), (28, -43), (28, -5), (-28, -5)], np.float32)
    assert strangers((), (far,), (card,), size) == ()
    assert strangers((far,), (), (card,), size) == ()
    assert len(strangers((), (far - np.float32(40),), (card,), size)) == 1


def test_squares_of_a_checked_cloth_are_no_cards_at_the_first_look():
    cloth = np.full((270, 480), 150, np.float32)
    for band in range(7, 480, 40):
        cloth[:, band : band + 20] *= 0.86
        cloth[band : band + 20] *= 0.86
    zone, around = np.zeros((2, 270, 480), np.bool_)
    zone[110:157, 200:238] = True
    around[60:207, 150:288] = True
    things = things_on_cloth(SmallPicture(cloth.astype(np.uint8)), zone, around & ~zone)
    assert at_first_look((), [thing * 2 for thing in things], (), CardSize()) == ()


def test_a_striped_back_on_a_plain_cloth_is_one_thing():
    table = np.full((270, 480), 90, np.uint8)
    table[112:155, 205:233] = 225
    table[114:153, 207:231] = 101
    table[114:153, 207:231:4] = 125
    zone, around = np.zeros((2, 270, 480), np.bool_)
    zone[110:157, 200:238] = True
    around[60:207, 150:288] = True
    (thing,) = things_on_cloth(SmallPicture(table), zone, around & ~zone)
    ((x, y),) = (centre(box) for box in at_first_look((), [thing * 2], (), CardSize()))
    assert (x, y) == pytest.approx((2 * 219, 2 * 133.5), abs=4)
