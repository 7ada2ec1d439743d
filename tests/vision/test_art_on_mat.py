"""Cards without stickers on the mat of a drawn table: named by kind and place, followed, and never guessed."""

from dataclasses import replace
from functools import cache
from random import Random

import cv2
import numpy as np
import pytest

from companion.games.appearance import PhysicalCard
from companion.games.registry import load_game, load_virtual
from companion.virtual.render.art_looks import ArtLooks
from companion.virtual.render.looks import Looks
from companion.virtual.render.overhead_camera import TableCamera
from companion.virtual.render.table_surface import outline_zone
from companion.virtual.rig.noise_profiles import profile
from companion.virtual.world import World
from vision.art import art_on_mat
from vision.art.art_on_mat import ArtCard, ArtLook, LiveArt
from vision.art.art_recogniser import ArtBook
from vision.art.row_enrolment import enrol_rows
from vision.art_codes import kind_by_art
from vision.camera.frames import Frame
from vision.codes.sticker_set import Tags
from vision.mat.mat_finder import register
from vision.mat_geometry import Mat, Zone, corner_markers
from vision.scene.art_follower import ArtFollower
from vision.scene.camera_pipeline import Vision
from vision.scene.camera_reports import CardSeen, ZoneSeen

CARD = (56.0, 87.0)
MAT = Mat("test", 960, 540, corner_markers(240, 960, 540), (Zone("row", 250, 200, 420, 120),))
CARDS = [PhysicalCard(f"{kind}{copy}", kind, f"a {kind}") for kind in "ABCDEFG" for copy in (1, 2)]


class PlainLooks(Looks):
    """Cards of one size; the art comes from elsewhere."""

    def size_of(self, code, side):
        return CARD

    def printed(self, card, code, side):
        raise AssertionError("only faces lie here")

    def draw_zone(self, sheet, zone):
        outline_zone(sheet, zone)


class Table:
    """A drawn table on which cards may be laid, and what enrols them."""

    def __init__(self, style):
        self.looks = ArtLooks(PlainLooks(), CARDS, style, 4, sleeved=False)
        self.world = World()
        self.camera = TableCamera(self.world, MAT, CARDS, self.looks, profile("home"), Random(3))
        self.t = 0.0

    def cleared(self):
        for code in list(self.world.things):
            self.world.take(code)
        return self

    def lay(self, code, x, y=260.0, angle=0.0, *, glare=False):
        self.world.put(code, (x, y), angle, glare=glare)

    def picture(self):
        self.t += 1 / 15
        return self.camera.frame(self.t)

    def book(self, kinds):
        return enrol_rows([self.looks.in_rows(kinds, 1)], kinds, short_mm=56.0).book


@cache
def drawn(style):
    return Table(style)


def table_of(style):
    """A table on which nothing lies; all tests share its camera and its deck."""
    return drawn(style).cleared()


@cache
def book_of(style):
    return drawn(style).book(list("ABCDE"))


def look(table, art, known=(), reach=8):
    picture = table.picture()
    registration = register(MAT, np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)))
    return art.look(picture, registration.zone_rect(MAT.zone("row"), reach), registration, known)


@pytest.mark.quick(1)
@pytest.mark.parametrize("style", ["playing cards", "portrait"])
def test_kinds_are_named_where_they_lie_and_strangers_are_not(style):
    table = table_of(style)
    art = LiveArt(book_of(style))
    for code, x, angle in (("A1", 300, 3), ("C1", 362, -4), ("A2", 430, 180), ("F1", 520, 2), ("E1", 610, 1)):
        table.lay(code, x, angle=angle)
    found = look(table, art)
    assert sorted(card.kind for card in found.cards) == ["A", "A", "C", "E"]
    for card, x in zip(sorted(found.cards, key=lambda one: one.x), (300, 362, 430, 610), strict=True):
        assert (card.x, card.y) == (pytest.approx(x, abs=1.5), pytest.approx(260, abs=1.5))
        assert card.probability > 0.9
    upside_down = next(card for card in found.cards if abs(card.x - 430) < 3)
    assert abs(upside_down.angle) == pytest.approx(180, abs=1.5)


@pytest.mark.parametrize(
    ("style", "deck", "lamp"),
    [("full bleed", 1, 0), ("playing cards", 5, 5)],
    ids=["dark: their noise is no colour", "pale: shadows are stronger than their print"],
)
def test_cards_are_named_in_the_light_of_another_day(style, deck, lamp):
    looks = ArtLooks(PlainLooks(), CARDS, style, deck, sleeved=deck == 5)
    table = Table(style)
    table.looks = looks
    table.camera = TableCamera(table.world, MAT, CARDS, looks, profile("unkind"), Random(lamp))
    for place, code in enumerate(("A1", "B1", "C1", "D1", "E1", "F1")):
        table.lay(code, 285 + 66 * place)
    found = look(table, LiveArt(table.book(list("ABCDE"))))
    assert sorted(card.kind for card in found.cards) == list("ABCDE")


def test_a_card_is_as_doubtful_whichever_side_was_up_when_it_was_enrolled():
    """Six stars and six diamonds in half the light, where the picture of the stars was blurred."""
    game, looks = load_game("sleepless-princess"), load_virtual("sleepless-princess").looks
    drawn = ArtLooks(looks, game.cards("basic"), "playing cards", 9954003, sleeved=True)
    shown = ["P2D", "P7D", "P2A"]
    diamonds, stars, five = enrol_rows([drawn.in_rows(shown, 1)], shown, short_mm=60.0).book.views
    table = Table("playing cards")
    table.camera = TableCamera(table.world, MAT, game.cards("basic"), drawn, profile("evening"), Random(1))
    table.lay("P7D", 480, angle=2)
    picture = table.picture()
    registration = register(MAT, np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)))
    soft = np.asarray(cv2.GaussianBlur(stars.art, (0, 0), 1.1), np.uint8)
    found = []
    for art in (soft, np.ascontiguousarray(soft[::-1, ::-1])):
        eyes = LiveArt(ArtBook((diamonds, replace(stars, art=art), five)))
        found.append(eyes.look(picture, registration.zone_rect(MAT.zone("row"), 30), registration).cards)
    (one,), (other,) = found
    assert one.kind == other.kind == "P7D"
    assert one.probability == pytest.approx(other.probability, abs=0.002)


def test_what_a_known_card_covers_is_not_compared_and_the_budget_is_kept_to():
    table, book = table_of("portrait"), book_of("portrait")
    table.lay("B1", 400, y=252)
    table.lay("D1", 400, y=302, angle=90)
    found = look(table, LiveArt(book), [ArtCard("D", 400, 302, 90, 1.0)])
    assert [card.kind for card in found.cards] == ["B"]
    none = look(table, LiveArt(book, looks_most=0))
    assert none.cards == ()
    assert none.left > 0


@pytest.mark.quick(1)
@pytest.mark.parametrize("over", [(400, 282, 88), (400, 292, -2), (441, 257, 2)])
def test_a_card_of_which_another_one_hides_a_side_is_named(over):
    table = table_of("playing cards")
    table.lay("B1", 400, y=232, angle=1)
    table.lay("D1", *over)
    found = look(table, LiveArt(book_of("playing cards")), reach=40)
    assert sorted(card.kind for card in found.cards) == ["B", "D"]
    beneath = next(card for card in found.cards if card.kind == "B")
    assert (beneath.x, beneath.y, beneath.angle) == (
        pytest.approx(400, abs=2),
        pytest.approx(232, abs=2),
        pytest.approx(1, abs=2),
    )


def test_the_tracker_follows_a_card_by_a_code_that_names_its_kind_alone():
    table = table_of("portrait")
    vision = Vision(MAT, Tags.of(()), art=LiveArt(book_of("portrait")))
    table.lay("A1", 300)
    table.lay("A2", 500)

    def settled():
        seen = [one for _ in range(14) for one in vision.feed(Frame(table.t, table.picture()))]
        return [one.cards for one in seen if isinstance(one, ZoneSeen)]

    first = settled()[-1]
    assert [kind_by_art(card.code) for card in first] == ["A", "A"]
    assert len({card.code for card in first}) == 2
    table.lay("C1", 400)
    now = settled()[-1]
    assert [kind_by_art(card.code) for card in now] == ["A", "C", "A"]
    assert (now[0].code, now[2].code) == (first[0].code, first[1].code)
    table.world.take("A1")
    for _ in range(4):
        reports = settled()
        if reports:
            break
    assert [card.code for card in reports[-1]] == [now[1].code, now[2].code]


def test_cards_that_lie_askew_to_either_side_among_straight_ones_are_found():
    # Edges of the straight ones outnumber theirs, and a direction below zero is none across it.
    table = table_of("portrait")
    for n, (code, angle) in enumerate((("A1", 0), ("B1", -8), ("C1", 22), ("D1", 1), ("E1", -27))):
        table.lay(code, 280 + 85 * n, angle=angle)
    found = look(table, LiveArt(book_of("portrait")))
    assert [card.kind for card in sorted(found.cards, key=lambda one: one.x)] == list("ABCDE")


def test_what_a_look_had_no_time_for_is_looked_at_by_the_next_ones():
    table = table_of("portrait")
    vision = Vision(MAT, Tags.of(()), art=LiveArt(book_of("portrait"), looks_most=2))
    for n, code in enumerate(("A1", "B1", "C1", "D1", "E1")):
        table.lay(code, 260 + 80 * n)
    seen = [one for _ in range(14) for one in vision.feed(Frame(table.t, table.picture()))]
    report = [one for one in seen if isinstance(one, ZoneSeen)][-1]
    assert [kind_by_art(card.code) for card in report.cards] == list("ABCDE")


def test_the_next_look_finds_a_card_that_is_fainter_than_what_is_printed_on_others(monkeypatch):
    monkeypatch.setattr(art_on_mat, "MOST", 3)
    table, art = table_of("portrait"), LiveArt(book_of("portrait"))
    for code, x in (("A1", 300), ("A2", 362), ("B1", 430), ("C1", 520), ("E1", 610)):
        table.lay(code, x)
    first = look(table, art)
    assert len(first.cards) < 5
    assert first.left > 0
    found = list(first.cards)
    for _ in range(4):
        found += look(table, art, found).cards
    assert sorted(card.kind for card in found) == ["A", "A", "B", "C", "E"]
    last = look(table, art, found)
    assert (last.cards, last.unknown, last.left) == ((), (), 0)


def test_a_card_is_found_where_everything_with_stronger_edges_is_a_stranger(monkeypatch):
    monkeypatch.setattr(art_on_mat, "MOST", 2)
    table = table_of("portrait")
    for code, x in (("F1", 300), ("F2", 370), ("C1", 450), ("G1", 530), ("G2", 610)):
        table.lay(code, x)
    found = look(table, LiveArt(book_of("portrait")))
    assert [card.kind for card in found.cards] == ["C"]


def test_a_card_upside_down_at_the_edge_of_another_one_is_named():
    # Only its emblem tells which side is up, and the alignment takes it for upright.
    table = table_of("playing cards")
    table.lay("A1", 400, angle=185)
    found = look(table, LiveArt(book_of("playing cards")), [ArtCard("E", 456, 260, 0, 1.0)])
    assert [(card.kind, round(card.angle)) for card in found.cards] == [("A", -175)]


def test_cards_that_reach_out_of_their_zone_are_named():
    table = table_of("portrait")
    vision = Vision(MAT, Tags.of(()), art=LiveArt(book_of("portrait")))
    table.lay("A1", 300, 210)
    table.lay("B1", 450, 312)

    def settled():
        seen = [one for _ in range(14) for one in vision.feed(Frame(table.t, table.picture()))]
        return [kind_by_art(card.code) for one in seen if isinstance(one, ZoneSeen) for card in one.cards]

    assert settled() == ["A", "B"]
    table.lay("C1", 600, 312)
    assert settled() == ["A", "B", "C"]


def test_a_card_beneath_a_reflected_lamp_is_named_by_the_rest():
    table = table_of("portrait")
    for n, code in enumerate("ABCDF"):
        table.lay(f"{code}1", 280 + 85 * n, angle=n - 2, glare=True)
    found = look(table, LiveArt(book_of("portrait")))
    assert [card.kind for card in sorted(found.cards, key=lambda one: one.x)] == list("ABCD")


class Told:
    """Eyes that see what a test says: kinds and their places."""

    reach_mm = 44.0

    def __init__(self):
        self.follower, self.sent, self.shows = ArtFollower(self), (), ()

    def look(self, image, rect, registration, known):
        return ArtLook(tuple(ArtCard(kind, x, 0, 0, 0.99) for kind, x in self.shows))

    def at(self, t, *shows, piled=False):
        """The codes of what the zone shows at this time (s), from left to right."""
        self.shows = shows
        cards, _ = self.follower.read(None, None, None, (), self.sent, "row", t, piled=piled)
        self.sent = tuple(sorted(cards, key=lambda one: one.x))
        assert all(isinstance(card, CardSeen) for card in self.sent)
        return [card.code for card in self.sent]


@pytest.mark.parametrize(
    ("t", "shows", "same"),
    [
        pytest.param(5.0, ("A", 103), True, id="hidden for a while"),
        pytest.param(30.0, ("A", 103), False, id="too long ago"),
        pytest.param(5.0, ("A", 180), False, id="elsewhere"),
        pytest.param(5.0, ("B", 100), False, id="another kind"),
    ],
)
def test_a_card_that_was_hidden_keeps_its_code(t, shows, same):
    eyes = Told()
    (before,) = eyes.at(0.0, ("A", 100))
    assert eyes.at(1.0) == []
    assert (eyes.at(t, shows) == [before]) == same


def test_cards_laid_where_others_of_their_kind_were_swept_away_have_new_codes():
    eyes = Told()
    swept = eyes.at(0.0, ("A", 100), ("B", 170))
    assert eyes.at(1.0) == []
    (laid,) = eyes.at(5.0, ("B", 168))
    assert laid not in swept
    assert eyes.at(6.0, ("A", 100.3), ("B", 168)) == [swept[0], laid]  # a glare hid it, and it never moved


def test_a_card_that_was_pushed_keeps_its_code_and_one_of_its_kind_beside_it_has_another():
    eyes = Told()
    first, second = eyes.at(0.0, ("A", 100), ("A", 170))
    assert eyes.at(1.0, ("A", 120), ("A", 170)) == [first, second]
    assert eyes.at(2.0, ("A", 120), ("A", 270))[0] == first
    assert eyes.at(2.1, ("A", 120), ("A", 270))[1] not in (first, second)


def test_another_card_of_the_same_kind_on_a_pile_is_told_by_how_it_lies():
    eyes = Told()
    first = eyes.at(0.0, ("A", 100), piled=True)
    assert eyes.at(1.0, ("A", 100.4), piled=True) == first
    second = eyes.at(2.0, ("A", 101.6), piled=True)
    assert second != first
    assert eyes.at(3.0, ("A", 101.6), piled=True) == second
