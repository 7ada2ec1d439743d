"""The sensors screen: what is sensed now, on every size of screen, and nothing that the game hides."""

from base64 import b64encode
from pathlib import Path

import msgspec
import numpy as np
import pytest

from companion.bridges.web.page_state import page_state
from companion.core import language
from companion.core.board_state import BoardState
from companion.core.clock import ManualClock
from companion.dashboard.model import PublicModel, WorldModel
from companion.dashboard.screens.sensors_screen import SIDE, SensorsScreen, sensors_page
from companion.dashboard.widgets import table_panels
from companion.dashboard.widgets.banner import call_of
from companion.dashboard.widgets.sensor_panels import camera_picture, pressure_picture, station_rows
from companion.games.registry import load_game
from companion.sensing.camera_source import CameraSource
from companion.sensing.parameters import PICTURE
from companion.sensing.station_readings import StationReading, StationReadings
from companion.session.sensor_view import HIDDEN, sensor_view
from companion.session.session import Session
from companion.session.stream.commands import AskSensors
from companion.session.stream.events import SensorHealth, SensorView, StationView, ZoneView
from companion.session.stream.virtual_table_events import TableState
from firmware.host import messages as wire
from tests.dashboard.test_dashboard_app import desk
from tests.dashboard.test_dashboard_text import TABLE, model_of
from tests.session.test_session import Desk
from vision.camera.frames import Frame

PIXELS = bytes((200, 30, 30) * 40 + (30, 30, 200) * 40)
VIEW = SensorView(
    40, 2, b64encode(PIXELS).decode(), (ZoneView("row", ("3", "blanket")),),
    (StationView("bed 1", 2.9, True, False), StationView("pad", tag=True, pressed=True)), "40" * 256,
)  # fmt: skip


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
def test_every_part_is_on_the_page(size: tuple[int, int]) -> None:
    model = PublicModel()
    model.take(SensorHealth("camera", False, "the mat is out of sight: move the camera back, all four corners"))
    rows = sensors_page(VIEW, model, WorldModel(), (size[0] - 46, size[1] - 13), *size).plain.split("\n")
    assert len(rows) == size[1]
    assert max(map(len, rows)) <= size[0]
    words = " ".join(" ".join(rows).split())
    for part in ("2.9 cards", "● tag", "● pressed", "row 3, blanket", "x camera", "four corners", "any key"):
        assert part in words
    assert "▀" * min(40, size[0] - 46) in words


@pytest.mark.parametrize("code", list(language.LANGUAGES))
def test_every_part_of_a_station_is_named_in_full_beside_the_picture(code: str) -> None:
    stations = (StationView("bed 1", 12.9, touched=True, tag=False), StationView("pad", tag=True, pressed=True))
    language.use(code)
    try:
        rows = [row.plain for row in station_rows(stations, SIDE)]
        assert language.tr("tag") in rows[0]
        assert rows[1].endswith(language.tr("pressed"))
        assert ".." not in "".join(rows)
    finally:
        language.use(language.ENGLISH)


@pytest.mark.parametrize("code", list(language.LANGUAGES))
def test_why_counts_are_hidden_is_told_whole(code: str) -> None:
    language.use(code)
    try:
        why = language.localized(HIDDEN)
        view = msgspec.structs.replace(VIEW, why=why)
        rows = sensors_page(view, PublicModel(), WorldModel(), (34, 11), 80, 24).plain.split("\n")
        assert len(rows) == 24
        assert max(map(len, rows)) <= 80
        assert why in " ".join(row.strip() for row in rows)
    finally:
        language.use(language.ENGLISH)


def test_a_picture_of_a_larger_window_does_not_push_the_stations_out() -> None:
    rows = sensors_page(VIEW, PublicModel(), WorldModel(), (30, 9), 80, 24).plain.split("\n")
    assert max(map(len, rows)) <= 80
    assert "▀" * 30 in rows[1]
    assert "▀" * 31 not in rows[1]


@pytest.mark.parametrize("pixels", ["", "no base64", "AAAA"])
def test_a_damaged_picture_is_no_picture(pixels: str) -> None:
    assert camera_picture(msgspec.structs.replace(VIEW, pixels=pixels)) == []
    assert pressure_picture("0") == pressure_picture("00") == []


async def test_the_screen_asks_while_it_is_shown_and_no_longer(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = await one.plays()
        await one.press("f5")
        await one.until(lambda: end.told)
        assert end.told == [AskSensors(*(lambda room: (room[0], 2 * room[1]))(one.app.screen.room()))]
        end.server.send(VIEW)
        await one.shows("2.9 cards")
        await one.press("x", shows="Touch the bottom")
        assert not isinstance(one.app.screen, SensorsScreen)
        end.server.send(VIEW)  # a late answer changes nothing
        await one.shows("Touch the bottom")


class Board:
    """Readings of a board, as its source has them."""

    def __init__(self, *, tag: bytes | None = b"\x04\x01") -> None:
        heard = StationReadings()
        heard.hear(wire.TagEvent(0.0, "pad", tag))
        heard.hear(wire.TextureFrame(0.0, "pad", bytes(range(256))))
        heard.hear(wire.TouchEvent(0.0, "bed 1", True))
        self.readings = heard.all()


def test_while_a_game_is_on_the_pad_shows_no_pattern_and_no_card() -> None:
    session = Desk().session
    told = sensor_view(session, [Board()], 80, 50, secret=True)
    assert told.pressed == ""
    assert told.why == HIDDEN
    assert told.stations[1] == StationView("pad", tag=True, pressed=True)
    assert "04" not in msgspec.json.encode(told.stations).decode()
    before = sensor_view(session, [Board(tag=None)], 80, 50, secret=False)
    assert (before.pressed, before.why) == (bytes(range(256)).hex(), "")
    assert sensor_view(session, [Board()], 80, 50, secret=False).pressed == "", "the first card of the deal"


def test_a_tag_at_any_station_hides_the_pressed_picture() -> None:
    board, other = Board(tag=None), StationReading("row")
    other.tag = True
    board.readings.append(other)
    assert sensor_view(Desk().session, [board], 80, 50, secret=False).pressed == ""


def test_stations_that_the_game_has_not_are_left_out() -> None:
    game = load_game("sleeping-queens")
    session = Session(game, "basic", 3, clock=ManualClock(), publish=lambda _event: None)
    queens = sensor_view(session, [Board()], 80, 50, secret=False)
    assert queens.stations == ()
    assert queens.why == ""


def test_the_picture_is_small_in_colour_and_never_old() -> None:
    clock = ManualClock()
    source = CameraSource(None, None, clock)
    assert source.picture(80, 50) is None
    image = np.zeros((300, 400, 3), np.uint8)
    image[:, 200:] = (255, 0, 0)  # blue
    source._last = Frame(clock.now(), image)
    picture = source.picture(80, 80)
    assert picture is not None
    wide, high, pixels = picture
    assert (wide, high, len(pixels)) == (80, 60, 80 * 60 * 3)
    assert pixels[-3:] == b"\x00\x00\xff"
    clock.sleep(PICTURE.fresh_s + 1)
    assert source.picture(80, 80) is None


def test_no_screen_of_a_family_has_the_path_of_a_port_or_a_file() -> None:
    for said in ("the port vanished: /tmp/x-board-1/board; plug it in", "/tmp/x-board-1/board: plug it in"):
        model = model_of(TABLE, SensorHealth("board", False, said), BoardState("lost", detail=said))
        model.take(SensorHealth("camera", False, said))
        sensors = sensors_page(VIEW, model, WorldModel(), (60, 20), 120, 40).plain
        status = table_panels.status(model, WorldModel(), 200).plain
        page = str(page_state(model))
        for shown in (sensors, status, page, call_of(model, model.names).above):
            assert "plug it in" in shown
            assert "/tmp" not in shown


def test_lamps_of_all_beds_are_seen_by_name_and_bright() -> None:
    world = WorldModel()
    lamps = tuple((f"bed {n}", "#000018") for n in range(1, 6))
    world.take(TableState(7, 1.0, paused=False, seat=0, lamps=lamps))
    page = sensors_page(VIEW, model_of(TABLE), world, (54, 25), 100, 30)
    assert all(f"■ bed {n}" in page.plain for n in range(1, 6))
    assert max(map(len, page.plain.split("\n"))) <= 100
    assert "#0000ff" in page.markup
