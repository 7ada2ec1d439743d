"""The whole way from pictures to settled zones, on drawn tables."""

import pickle
from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
import segno

from companion.games.registry import load_mat, mats_by_marker
from companion.sensing.vision_words import words_of
from tests.vision.test_vision_scene import BY_CODE, CARDS, MAT, TAGS, Lying, Table, Watch, expected, full_table
from vision.camera.frames import Frame
from vision.codes.code_reader import Code, Reading
from vision.codes.sticker_set import Tags, marker, sticker
from vision.codes.sticker_size import WITH_MARGIN, StickerReader
from vision.mat.lens_model import Lens
from vision.mat.mat_finder import is_mirrored, nudge, register
from vision.reasons import MatLost, Simple
from vision.scene import zone_reader
from vision.scene.camera_pipeline import Vision
from vision.scene.camera_reports import (
    CameraState,
    CardSeen,
    Duplicate,
    Foreign,
    HandCame,
    HandLeft,
    ZoneSeen,
)
from vision.scene.card_tracks import Presence, Tracks
from vision.scene.zone_state import ZoneState

ROW = {"H01A": (345, 297), "H02A": (411, 297), "H03A": (477, 297)}


def zones_seen(events):
    return {e.zone: tuple(sorted(c.code for c in e.cards)) for e in events if isinstance(e, ZoneSeen)}


def of(kind, events):
    return [e for e in events if isinstance(e, kind)]


def small_game():
    """A table and who watches it: a copy of those that were made first."""
    return pickle.loads(_small_game())


@cache
def _small_game():
    table = Table()
    for code, (x, y) in ROW.items():
        table.put(code, x, y, 4)
    table.put("M3A", 130, 297, -7)
    table.put("P2A", 480, 90, 10)
    watch = Watch(table)
    watch.frames(16)
    assert watch.last == expected(table)
    return pickle.dumps((table, watch))


def full_view():
    """A lens as if it had been measured: with it two markers are enough from the start."""
    return Lens(1920, 1080, 1600.0, 960.0, 540.0, ())


@pytest.fixture
def game():
    return small_game()


def test_registration_is_within_a_millimetre():
    table = Table(noise=3)
    found = register(MAT, table.picture())
    assert found is not None
    assert found.markers == 4
    mm = np.array([(x, y) for x in np.linspace(0, MAT.w, 9) for y in np.linspace(0, MAT.h, 6)])
    lifted = np.column_stack([mm, np.ones(len(mm))]) @ table.homography().T
    px = lifted[:, :2] / lifted[:, 2:]
    assert np.linalg.norm(found.to_mm(px) - mm, axis=1).max() < 1.0
    assert np.abs(found.to_px(found.to_mm(px)) - px).max() < 1e-6
    assert 1.8 < found.px_per_mm(480, 270) < 2.0


def test_two_markers_do_only_after_a_registration():
    table = Table()
    first = register(MAT, table.picture())
    table.nudge = (14, -9, 1.0)
    picture = table.picture()
    picture[600:] = 90  # the two near markers are out of sight
    assert register(MAT, picture) is None
    found = register(MAT, picture, first)
    assert found is not None
    assert found.markers == 2
    truth = table.homography()
    centre = truth @ (480, 270, 1)
    assert np.linalg.norm(found.to_mm([centre[:2] / centre[2]])[0] - (480, 270)) < 3.0
    assert nudge(MAT.markers, table.picture(), first).px > 5
    assert nudge(MAT.markers, np.full((1080, 1920), 50, np.uint8), first) is None


@pytest.mark.quick(1)
@pytest.mark.parametrize(("blur", "noise"), [(0.7, 3.0), (0.5, 1.0)])
def test_everything_on_a_full_table_is_read(blur, noise):
    table = full_table(blur=blur, noise=noise)
    watch = Watch(table)
    events = watch.frames(20)
    assert watch.last == expected(table)
    places = {c.code: c for e in of(ZoneSeen, events) for c in e.cards}
    for code, card in table.cards.items():
        seen = places[code]
        assert np.hypot(seen.x - card.x, seen.y - card.y) < 1.0
        assert abs((seen.angle - card.angle + 180) % 360 - 180) < 3
        assert 0.5 < seen.quality <= 1
    assert not of(Duplicate, events)
    assert not of(Foreign, events)
    assert len(of(ZoneSeen, events)) == len(MAT.zones)
    assert not watch.frames(40), "a table at rest says nothing more"


@pytest.mark.long
def test_colour_pictures_read_like_grey_ones():
    table = full_table()
    vision = Vision(MAT, TAGS)
    picture = np.repeat(table.picture()[:, :, None], 3, axis=2)
    events = [e for n in range(14) for e in vision.feed(Frame(n / 15, picture))]
    assert zones_seen(events) == expected(table)


def test_nothing_is_concluded_under_a_hand_even_if_it_rests(game):
    table, watch = game
    table.reach(411, 300)
    events = watch.frames(90)  # six seconds without moving
    assert not of(ZoneSeen, events)
    assert not of(HandLeft, events)
    table.withdraw()
    events = watch.frames(8)
    assert {e.zone for e in of(HandLeft, events)} >= {"row", "play"}
    assert not of(ZoneSeen, events), "nothing had changed under it"


def test_card_taken_and_card_put_down(game):
    table, watch = game
    came = []
    for y in (500, 400, 310):
        table.withdraw()
        table.reach(477, y)
        events = watch.frames(2)
        assert not of(ZoneSeen, events)
        came += [e.zone for e in of(HandCame, events)]
    table.take("H03A")
    table.put("H09B", 300, 421, -12)
    for y in (380, 470):
        table.withdraw()
        table.reach(420, y)
        watch.frames(2)
    table.withdraw()
    events = watch.frames(10)
    assert zones_seen(events) == {"row": ("H01A", "H02A"), "play": ("H09B",)}
    assert sorted(came) == sorted(set(came)), "each once, though the hand moves about"
    assert {"row", "play"} <= set(came)
    left = next(i for i, e in enumerate(events) if isinstance(e, HandLeft) and e.zone == "play")
    seen = next(i for i, e in enumerate(events) if isinstance(e, ZoneSeen) and e.zone == "play")
    assert left < seen


def test_last_card_taken_leaves_an_empty_zone(game):
    table, watch = game
    table.take("M3A")
    events = watch.frames(10)
    assert zones_seen(events) == {"pad": ()}
    assert not watch.frames(30)


def test_card_laid_exactly_on_another_takes_its_place(game):
    table, watch = game
    table.put("H08F", 411, 297, 4)  # hides H02A: only what is visible is reported
    assert zones_seen(watch.frames(8)) == {"row": ("H01A", "H03A", "H08F")}


def test_tile_turned_over(game):
    table, watch = game
    table.take("P2A")
    table.put("P2D", 480, 90, 100)
    events = watch.frames(8)
    assert zones_seen(events) == {"bed 3": ("P2D",)}
    card = of(ZoneSeen, events)[0].cards[0]
    assert abs(card.angle - 100) < 3


def test_nudged_camera_is_noticed_and_found_again(game):
    table, watch = game
    table.nudge = (11, -7, 0.6)
    events = watch.frames(30)
    assert [e.ok for e in of(CameraState, events)] == [False, True]
    assert not of(ZoneSeen, events), "the cards have not moved on the mat"
    table.put("H05E", 694, 297)
    events = watch.frames(8)
    assert zones_seen(events) == {"discard": ("H05E",)}
    assert np.hypot(*(np.array((of(ZoneSeen, events)[0].cards[0].x, 297)) - (694, 297))) < 1


@pytest.mark.long
def test_small_nudge_without_motion_in_the_zones_is_found_in_time(game):
    table, watch = game
    table.nudge = (3, 2, 0)
    events = watch.frames(60)
    assert [e.ok for e in of(CameraState, events)] == [False, True]
    assert not of(ZoneSeen, events)


@pytest.mark.quick(1)
@pytest.mark.parametrize("light", [0.55, 1.5])
def test_light_switched_concludes_nothing(game, light):
    table, watch = game
    table.light = light
    events = watch.frames(30)
    assert not of(ZoneSeen, events)
    table.take("H01A")
    assert zones_seen(watch.frames(12)) == {"row": ("H02A", "H03A")}
    table.light = 1.0
    assert not of(ZoneSeen, watch.frames(30))


@pytest.mark.long
def test_darkness_is_told_and_empties_no_zone(game):
    table, watch = game
    table.light = 0.02
    events = watch.frames(40)
    assert not of(ZoneSeen, events)
    assert not of(CameraState, events)[-1].ok
    table.light = 1.0
    events = watch.frames(40)
    assert of(CameraState, events)[-1].ok
    assert not of(ZoneSeen, events)


def test_foreign_code_is_told_once_and_never_a_card(game):
    table, watch = game
    table.cards["stranger"] = Lying(480, 421, 5, image=sticker("HELLO", 150))
    events = watch.frames(40)
    assert [e.text for e in of(Foreign, events)] == ["HELLO"]
    assert not of(ZoneSeen, events)
    assert watch.vision.foreign == {"HELLO"}


def test_a_card_on_a_telephone_is_told_once_at_whatever_size(game, monkeypatch):
    table, watch = game
    monkeypatch.setattr(zone_reader, "_STICKER_MM", (11.0, 15.0))
    told = []
    for y, margin in ((421, 1.0), (410, 1.2)):
        monkeypatch.setattr(zone_reader, "WITH_MARGIN", margin)
        table.put("H09B", 480, y, 0)
        told += of(Foreign, watch.frames(12))
    assert len(told) == 1
    assert told[0].text.startswith("SP1H09B, a picture ")
    assert "H09B" not in watch.last.get("play", ())


def test_glare_on_a_sticker_is_counted_and_the_card_read_when_it_passes(game):
    table, watch = game
    glare = sticker("SP1H05B", 150)
    glare[10:90, 10:90] = 255
    table.cards["glare"] = Lying(480, 421, 5, image=glare)
    table.put("H06A", 300, 421, 3)
    (seen,) = of(ZoneSeen, watch.frames(10))
    assert [c.code for c in seen.cards] == ["H06A"]
    assert seen.unread == 1
    table.take("glare")
    table.put("H05B", 480, 421, 5)
    (seen,) = of(ZoneSeen, watch.frames(10))
    assert [c.code for c in seen.cards] == ["H06A", "H05B"]
    assert seen.unread == 0


def test_one_card_in_two_places_is_reported(game):
    table, watch = game
    table.cards["copy"] = Lying(480, 421, 0, BY_CODE["H01A"].payload)
    events = watch.frames(10)
    twins = of(Duplicate, events)
    assert [(d.code, sorted(zone for zone, _, _ in d.places)) for d in twins] == [("H01A", ["play", "row"])]
    assert watch.last["play"] == ("H01A",)
    assert not of(Duplicate, watch.frames(20))
    table.reach(477, 400)
    watch.frames(4)
    table.take("copy")
    assert not of(Duplicate, watch.frames(4)), "a hand hides the place"
    table.withdraw()
    (gone,) = of(Duplicate, watch.frames(12))
    assert (gone.code, gone.places) == ("", ())


def test_card_carried_from_zone_to_zone_is_never_in_two_places(game):
    table, watch = game
    card = table.cards.pop("H01A")
    card.x, card.y = 480.0, 421.0
    table.cards["H01A"] = card
    events = watch.frames(12)
    assert zones_seen(events) == {"play": ("H01A",), "row": ("H02A", "H03A")}
    assert not of(Duplicate, events)


def test_no_mat_is_said_and_found_later():
    table = Table()
    vision = Vision(MAT, TAGS)
    blank = np.full((1080, 1920), 120, np.uint8)
    events = [e for n in range(15) for e in vision.feed(Frame(n / 15, blank))]
    assert [e.ok for e in events] == [False]
    assert events[0].detail == MatLost(seen=0, of=4)
    events = Watch(table, vision).frames(25)
    assert of(CameraState, events)[-1].ok
    assert zones_seen(events) == expected(table)


def test_picture_size_may_change_in_between(game):
    table, watch = game
    smaller = Table(size=(1280, 720), blur=0.4)
    smaller.cards = table.cards
    watch.table = smaller
    events = watch.frames(25)
    assert of(CameraState, events)[-1].ok
    assert watch.vision.registration.width == 1280


def test_another_size_of_the_same_picture_is_another_place_at_once(game):
    table, watch = game
    assert watch.vision.settled
    smaller = cv2.resize(table.picture(), (1280, 720), interpolation=cv2.INTER_AREA)
    assert watch.vision.feed(Frame(99.0, smaller)) == []
    assert not watch.vision.settled


def test_same_pictures_same_words():
    def run():
        table, watch = small_game()
        table.take("H02A")
        table.reach(200, 400)
        out = watch.frames(5)
        table.withdraw()
        return out + watch.frames(10)

    assert run() == run()


def test_tag_table_refuses_one_tag_for_two_cards():
    assert TAGS.payloads["SP1H07C"] == "H07C"
    assert TAGS.markers[20] == "G"
    twice = [*CARDS, Lying(0, 0, 0, "SP1H07C")]
    twice[-1].code = "X"
    with pytest.raises(ValueError, match="SP1H07C"):
        Tags.of(twice)


# ---------------------------------------------------------------------- stickers too small to decode


def lay_small(table, code, x, y, angle=0.0):
    """A card's sticker of 15 mm: 1.15 px a module at this height."""
    payload = BY_CODE[code].payload
    table.cards[code] = Lying(x, y, angle, payload, image=sticker(payload, 75))


def small_stickers(sticker_mm=15.0):
    table = Table(noise=3)
    rng = np.random.default_rng(9)
    codes = [code for code, card in BY_CODE.items() if card.payload]
    for k, code in enumerate(rng.permutation(codes)[:24]):
        lay_small(table, str(code), 110 + 55 * (k % 12), (297, 421)[k // 12], float(rng.uniform(-180, 180)))
    watch = Watch(table, Vision(MAT, TAGS, sticker_mm=sticker_mm))
    watch.frames(20)
    return table, watch


def test_stickers_of_15_mm_are_read_over_a_metre():
    table, watch = small_stickers()
    assert watch.last == expected(table)
    spare = sorted(set(BY_CODE) - set(table.cards))[:2]
    for code, x in zip(spare, (200.0, 600.0), strict=True):
        lay_small(table, code, x, 110, 30)
    first, *events = (watch.frames(1) for _ in range(4))
    assert not of(ZoneSeen, first), "nothing is concluded while it moves"
    assert set(spare) <= {c.code for at in events[:2] for e in of(ZoneSeen, at) for c in e.cards}, (
        "a card is reported two frames after the first that showed it at rest"
    )


@pytest.mark.long
def test_noise_of_a_dim_picture_is_no_motion():
    """Levels of noise (sigma) that a camera has at night: single pixels differ from frame to frame."""
    table, watch = small_stickers()
    watch.table = Table(noise=12)
    watch.table.cards = table.cards
    spare = sorted(code for code in set(BY_CODE) - set(table.cards) if BY_CODE[code].payload)[:8]
    for k, code in enumerate(spare):
        lay_small(table, code, 120 + 85 * k, 110, 30 * k)
    watch.frames(8)
    assert set(spare) <= {code for codes in watch.last.values() for code in codes}


def test_a_second_try_reads_the_mean_of_both_and_a_new_start_the_frame_alone():
    rng = np.random.default_rng(5)
    zone, rect = ZoneState(MAT.zones[0], 0), (10, 20, 50, 60)
    frames = [np.clip(rng.normal(128, 12, (80, 80)), 0, 255).astype(np.uint8) for _ in range(5)]
    noise = []
    for zone.tries, gray in enumerate(frames[:4]):
        seen = zone.steadied(rect, gray)
        noise.append(seen[20:60, 10:50].std())
        assert (seen[:20] == gray[:20]).all(), "nothing else of the frame changes"
    assert noise[0] > 1.3 * noise[1] > 1.6 * noise[3]
    zone.tries = 4
    assert zone.steadied((0, 0, 8, 8), frames[4]) is frames[4], "another rectangle"
    zone.restart()
    assert zone.steadied(rect, frames[4]) is frames[4]


def test_size_of_stickers_is_told_by_the_first_one_read():
    table, watch = small_stickers(sticker_mm=None)
    assert watch.last == expected(table)
    small = Table()
    watch = Watch(small)
    watch.frames(15)
    lay_small(small, "H01A", 120, 90, 33)
    assert zones_seen(watch.frames(8)) == {"bed 1": ("H01A",)}


def test_all_stickers_are_read_at_the_size_that_the_first_one_told(monkeypatch):
    """At a size a tenth larger, only some are. They lay there unread until something moved."""
    payloads = sorted(TAGS.payloads)[:3]
    tried = []

    def read_flat(gray, rect, registration, size, book, there, markers):
        tried.append(size)
        able = payloads if abs(size - 20) < 1 else payloads[:1] if abs(size - 20) < 3 else []
        places = {payload: 100.0 * n for n, payload in enumerate(payloads)}
        codes = [
            Code(one, one, tuple((places[one] + x, y) for x, y in ((0, 0), (9, 0), (9, 9), (0, 9))), "plain")
            for one in able
            if not any(abs(places[one] + 4.5 - x) < 20 for x, _ in there)
        ]
        return Reading(tuple(codes), ())

    monkeypatch.setattr("vision.codes.sticker_size.read_flat", read_flat)
    paper = SimpleNamespace(edge_mm=lambda _: 20.0 / WITH_MARGIN, fit=SimpleNamespace(px_per_mm=1.0))
    reader = StickerReader(TAGS.payloads, None)
    found = reader.read(np.zeros((9, 9), np.uint8), (0, 0, 9, 9), paper)
    assert sorted(code.text for code in found.codes) == payloads
    assert tried == [30.0, 22.0, pytest.approx(20.0)], "no smaller ones are looked for"


@pytest.mark.long
def test_sticker_on_a_screen_does_not_tell_the_size():
    table = Table()
    poster = Lying(300, 90, 0, BY_CODE["H02A"].payload, image=sticker(BY_CODE["H02A"].payload, 300))
    table.cards["poster"] = poster
    watch = Watch(table)
    watch.frames(15)
    lay_small(table, "H01A", 120, 90, 33)
    assert zones_seen(watch.frames(8)) == {"bed 1": ("H01A",)}


def test_sticker_on_a_screen_is_no_card(game):
    table, watch = game
    payload = BY_CODE["H09A"].payload
    table.cards["screen"] = Lying(480, 421, 8, payload, image=sticker(payload, 270))  # 54 mm wide
    events = watch.frames(10)
    assert [e.text for e in of(Foreign, events)] == [f"{payload}, a picture 54 mm wide"]
    assert not of(ZoneSeen, events)
    assert not of(Duplicate, events)


# ---------------------------------------------------------------------- one card, one identity


def track(watch, code):
    (found,) = (t for t in watch.vision.tracks if t.card.code == code)
    return found


def test_a_card_keeps_its_identity_from_zone_to_zone(game):
    table, watch = game
    before = track(watch, "H01A")
    assert (before.zone, before.presence) == ("row", Presence.IN_SIGHT)
    assert before.last_seen == pytest.approx(watch.t - 1 / 15)
    table.take("H01A")
    watch.frames(10)
    gone = track(watch, "H01A")
    assert (gone.number, gone.presence) == (before.number, Presence.GONE)
    assert before.last_seen <= gone.last_seen < watch.t - 8 / 15
    table.put("H01A", 480, 421, 90)
    watch.frames(10)
    back = track(watch, "H01A")
    assert (back.number, back.zone, back.presence) == (before.number, "play", Presence.IN_SIGHT)
    assert back.first_seen == before.first_seen
    assert back.card.angle == pytest.approx(90, abs=3)
    assert back.last_seen == pytest.approx(watch.t - 1 / 15)


def test_a_covered_card_is_not_gone(game):
    table, watch = game
    table.reach(411, 300)
    watch.frames(20)
    covered = track(watch, "H02A")
    assert covered.presence is Presence.COVERED
    assert covered.last_seen <= watch.t - 19 / 15
    assert track(watch, "M3A").presence is Presence.IN_SIGHT
    table.withdraw()
    watch.frames(8)
    assert track(watch, "H02A").presence is Presence.IN_SIGHT
    table.nudge = (30, 0, 0)
    watch.frames(4)
    assert {t.presence for t in watch.vision.tracks} == {Presence.COVERED}, "the mat is looked for"


@pytest.mark.long
def test_a_camera_pushed_so_far_that_the_mat_leaves_the_picture_concludes_nothing(game):
    table, watch = game
    table.put("M0A", 130, 90)
    watch.frames(12)
    assert watch.last == expected(table)
    table.nudge = (-400.0, 0.0, 0.0)  # beds 1 and 2 and the pad leave the picture, and two markers
    events = watch.frames(40)
    # What was learned of another view is no blur: places would be those of before.
    assert [event.detail for event in of(CameraState, events)] == [
        Simple.MARKERS_GONE,
        MatLost(2, 4, beyond=True),
    ]
    assert of(ZoneSeen, events) == []
    assert {track.presence for track in watch.vision.tracks} == {Presence.COVERED}
    table.take("M3A")
    table.nudge = (0.0, 0.0, 0.0)
    events = watch.frames(40)
    assert zones_seen(events) == {"pad": ()}
    assert {t.presence for t in watch.vision.tracks if t.card.code == "M3A"} == {Presence.GONE}


def test_a_zone_that_was_never_in_the_picture_is_not_called_empty():
    table = Table()
    table.put("H01A", *ROW["H01A"])
    table.nudge = (-520.0, 0.0, 0.0)
    # The whole picture is pushed, and the lens's centre with it.
    known = replace(full_view(), cx=440.0)
    watch = Watch(table, Vision(MAT, TAGS, lens=known))
    events = watch.frames(40)
    seen = zones_seen(events)
    assert seen["row"] == ("H01A",)
    assert "bed 1" not in seen


def test_two_cards_with_one_sticker_are_two(game):
    table, watch = game
    first = track(watch, "H01A").number
    table.cards["copy"] = Lying(480, 421, 0, BY_CODE["H01A"].payload)
    watch.frames(10)
    twins = [t for t in watch.vision.tracks if t.card.code == "H01A"]
    assert [(t.zone, t.presence) for t in twins] == [("row", Presence.IN_SIGHT), ("play", Presence.IN_SIGHT)]
    table.take("H01A")
    watch.frames(10)
    twins = [t for t in watch.vision.tracks if t.card.code == "H01A"]
    assert [(t.number == first, t.presence) for t in twins] == [
        (True, Presence.GONE),
        (False, Presence.IN_SIGHT),
    ]


def test_a_card_read_in_its_new_place_first_is_still_one():
    tracks = Tracks()
    card = CardSeen("H01A", 345, 297, 0, 1)
    tracks.settle(1.0, "row", [card])
    tracks.settle(2.0, "play", [CardSeen("H01A", 480, 421, 5, 0.9)])
    assert len(tracks.all()) == 2
    tracks.settle(2.1, "row", [])
    (one,) = tracks.all()
    assert (one.number, one.zone, one.first_seen, one.presence) == (1, "play", 1.0, Presence.IN_SIGHT)


def test_a_card_pushed_within_its_zone_stays_itself():
    tracks = Tracks()
    places = [CardSeen("H01A", x, 297, 0, 1) for x in (345, 500)]
    tracks.settle(1.0, "row", places)
    tracks.settle(2.0, "row", [CardSeen("H01A", 420, 297, 0, 1), places[1]])
    assert [(t.number, t.card.x) for t in tracks.all()] == [(1, 420), (2, 500)]


def test_small_stranger_is_counted_and_never_named():
    table, watch = small_stickers()
    black = np.pad(np.array(segno.make_qr("SP1H11G", version=1, error="h", boost_error=False).matrix), 2)
    image = np.where(np.kron(black, np.ones((3, 3))), 0, 255).astype(np.uint8)
    table.cards["stranger"] = Lying(120, 90, 12, "SP1H11G", image=image)
    mattress = "M3A" if "M3A" not in table.cards else "M4A"
    lay_small(table, mattress, 170, 120)
    (seen,) = of(ZoneSeen, watch.frames(8))
    assert (seen.zone, [c.code for c in seen.cards], seen.unread) == ("bed 1", [mattress], 1)
    assert not watch.frames(60), "looking again changes nothing"


def somebody_reaches_elsewhere(table, watch):
    table.reach(660, 421)
    watch.frames(5)
    table.withdraw()
    watch.frames(60)


def test_cards_beneath_a_hand_like_the_cloth_are_not_gone(game):
    """A hand as bright as the mat is not seen; nobody takes a card without one."""
    table, watch = game
    somebody_reaches_elsewhere(table, watch)
    table.skin = 128
    table.reach(477, 297)
    seen = [one for one in watch.frames(36) if isinstance(one, ZoneSeen) and one.zone == "row"]
    table.withdraw()
    seen += [one for one in watch.frames(20) if isinstance(one, ZoneSeen) and one.zone == "row"]
    assert seen == []
    assert watch.last == expected(table)


def test_a_card_that_nobody_was_seen_to_take_is_gone_after_a_while(game):
    table, watch = game
    somebody_reaches_elsewhere(table, watch)
    table.take("H03A")
    watch.frames(30)
    assert "H03A" in watch.last["row"]
    watch.frames(40)
    assert watch.last == expected(table)


def test_a_card_that_lies_elsewhere_is_gone_at_once(game):
    table, watch = game
    somebody_reaches_elsewhere(table, watch)
    table.take("H03A")
    table.put("H03A", 470, 421)
    out = watch.frames(20)
    assert watch.last == expected(table)
    assert not [one for one in out if isinstance(one, Duplicate)]


def test_the_mat_of_another_game_is_told_in_one_line():
    """All mats are as large: with the same markers, cards would be looked for in zones that are not there."""
    table = Table()
    vision = Vision(load_mat("sleeping-queens"), TAGS, mat_names=mats_by_marker)
    events = Watch(table, vision).frames(30)
    assert [words_of(e.detail) for e in events] == [
        "this is the mat of Sleepless Princess; you play Sleeping Queens"
    ]
    assert not events[0].ok
    ours = Watch(table, Vision(MAT, TAGS, mat_names=mats_by_marker))
    assert of(CameraState, ours.frames(20))[-1].ok


class Mirror:
    """A table seen by a camera whose setting flips the picture."""

    def __init__(self, table, axis):
        self.table, self.axis = table, axis

    def picture(self):
        return self.table.picture() if self.axis is None else cv2.flip(self.table.picture(), self.axis)


@pytest.mark.quick(1)
@pytest.mark.parametrize("axis", [1, 0], ids=["sideways", "upside"])
def test_a_mirrored_picture_is_named(axis):
    watch = Watch(Mirror(Table(), axis), Vision(MAT, TAGS, mat_names=mats_by_marker))
    (event,) = watch.frames(30)
    assert not event.ok
    assert "the picture is mirrored; switch mirroring" in words_of(event.detail)
    watch.table.axis = None
    assert of(CameraState, watch.frames(40))[-1].ok


def test_a_picture_that_is_not_mirrored_is_not_called_so():
    bare = np.full((1080, 1920), 128, np.uint8)
    upside = np.asarray(cv2.rotate(Table().picture(), cv2.ROTATE_180), np.uint8)
    assert not is_mirrored(bare, range(256))
    assert not is_mirrored(upside, range(256))


def test_markers_of_another_mat_beside_ours_are_none_of_our_business():
    table = Table()
    corner = load_mat("sleeping-queens").markers
    for number in (0, 1):
        image = marker(corner[number].id, 150, margin=1)
        table.cards[f"other {number}"] = Lying(300 + 200 * number, 300, 0, image=image)
    watch = Watch(table, Vision(MAT, TAGS, mat_names=mats_by_marker))
    assert of(CameraState, watch.frames(20))[-1].ok


def test_stickers_of_several_sizes_lie_on_one_table():
    """A family prints more of them later, in another size."""
    table = Table()
    for n, (code, mm) in enumerate({"H01A": 30, "H02A": 20, "H03A": 15}.items()):
        payload = BY_CODE[code].payload
        table.cards[code] = Lying(345 + 66 * n, 297, 4, payload, image=sticker(payload, 5 * mm))
    table.put("M3A", 130, 297, -7)
    watch = Watch(table)
    watch.frames(20)
    assert watch.last == expected(table)
    lay_small(table, "H04A", 400, 421, 30)
    watch.frames(8)
    assert watch.last == expected(table)


def test_a_sticker_of_a_new_size_is_read_when_it_is_laid_down():
    table = Table()
    table.put("H01A", 345, 297)
    watch = Watch(table)
    watch.frames(16)
    payload = BY_CODE["H02A"].payload
    face = np.full((350, 350), 205, np.uint8)
    face[140:215, 100:175] = sticker(payload, 75)
    table.cards["H02A"] = Lying(480, 421, 8, payload, image=face)
    watch.frames(10)
    assert watch.last == expected(table)


def test_a_camera_that_looks_from_the_side_reads_what_lies_there():
    table = small_game()[0]
    away, turn = 1600.0, np.radians(35)
    # How the picture of a flat table changes when the camera, `away` px from its middle, looks from the side.
    seen = np.array([[0.8 * away, 0, 0], [0, 0.8 * away * np.cos(turn), 0], [0, np.sin(turn), away]])
    middle = np.array([[1, 0, 960], [0, 1, 540], [0, 0, 1.0]])
    aside = cv2.warpPerspective(
        table.picture(), middle @ seen @ np.linalg.inv(middle), (1920, 1080), borderValue=90
    )
    vision = Vision(MAT, TAGS)
    events = [event for n in range(16) for event in vision.feed(Frame(n / 15, aside))]
    assert {zone: cards for zone, cards in zones_seen(events).items() if cards} == {
        zone: cards for zone, cards in expected(table).items() if cards
    }


def test_an_arm_that_rests_while_the_camera_is_pushed_hides_cards_and_takes_none(game):
    table, watch = game
    table.reach(300, 120)  # over the deck's end of the row
    watch.frames(4)
    table.nudge = (-20, -9, 0.4)  # the arm's end of the table leaves the picture
    events = watch.frames(20)
    assert [e.ok for e in of(CameraState, events)] == [False, True]
    assert not of(ZoneSeen, events)
    assert {e.zone for e in of(HandCame, events)} >= {"bed 2", "row"}
    assert track(watch, "H01A").presence is Presence.COVERED
    table.take("H01A")
    table.withdraw()
    assert zones_seen(watch.frames(30)) == {"row": ("H02A", "H03A")}


def test_the_mat_is_found_again_while_a_hand_never_rests(game):
    table, watch = game
    table.reach(300, 120)
    watch.frames(4)
    table.nudge = (-20, -9, 0.4)
    table.put("H05E", 694, 297)
    events = []
    for frame in range(28):
        table.withdraw()
        table.reach(300 + 30 * (frame % 2), 120)
        events += watch.frames(1)
    assert [e.ok for e in of(CameraState, events)] == [False, True]
    assert zones_seen(events) == {"discard": ("H05E",)}


def test_a_card_taken_during_a_push_is_gone_though_hands_come_and_go(game):
    table, watch = game
    table.nudge = (-20, -9, 0.4)
    table.take("H01A")
    watch.frames(14)
    events = []
    for _ in range(3):
        table.reach(300, 120)
        watch.frames(3)
        table.withdraw()
        events += watch.frames(10)
    assert zones_seen(events) == {"row": ("H02A", "H03A")}
