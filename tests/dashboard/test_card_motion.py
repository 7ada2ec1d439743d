"""Open cards on their way to the row and from it, and eyes that close."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.dashboard.app import Dashboard
from companion.dashboard.display_settings import ScreenLook, slow_link
from companion.dashboard.screens.verdict_and_score import VerdictScreen
from companion.dashboard.widgets.card_motion import STEPS, frames_between
from companion.dashboard.widgets.card_row import row_width, rows_of_cards
from companion.dashboard.widgets.sleeper_picture import DOZING, DROWSY, NODDED_OFF, sleeper_picture
from companion.session.stream.events import CardView, Claimed, PlaceView, RowView, Table

TABLE = Table("play", "PLAY", 1, 1, (), (), (), (), (), (), ())
ROWS = st.lists(st.sampled_from("13579"), max_size=5)


def cards(kinds: Sequence[str]) -> tuple[CardView, ...]:
    return tuple(CardView(kind, f"card {kind}", "red") for kind in kinds)


def row(kinds: Sequence[str]) -> RowView:
    return RowView("Row", cards(kinds), 5)


@given(ROWS, ROWS)
def test_what_stays_does_not_move_and_what_moves_ends_in_its_place(before, after):
    frames = frames_between(cards(before), cards(after))
    if len(before) == len(after):
        assert frames == []  # a card that turned out to be another one
        return
    leaving = [frame for frame in frames if frame.shift or max(frame.lifts) > 0]
    coming = frames[len(leaving) :]
    gone = sum(lift == STEPS for lift in leaving[-1].lifts) if leaving else 0
    swept = bool(leaving and leaving[-1].shift == STEPS)
    came = sum(lift < 0 for lift in coming[0].lifts) if coming else 0
    assert len(before) - (len(before) if swept else gone) + came == len(after)
    assert all(frame.cards == cards(before) for frame in leaving)
    assert all(frame.cards == cards(after) for frame in coming)


@pytest.mark.parametrize("size", [0, 1])
def test_pictures_of_a_way_take_no_more_room_than_the_row(size):
    frames = frames_between(cards("13579"), ()) + frames_between(cards("135"), cards("15"))
    assert frames
    resting = rows_of_cards([row("13579")], size, 9).split("\n", allow_blank=True)
    for frame in frames + frames_between(cards("1"), cards("13579")):
        drawn = rows_of_cards([row("1")], size, 9, (), frame).split("\n", allow_blank=True)
        assert len(drawn) == len(resting)
        assert max(line.cell_length for line in drawn) <= row_width(size, 5)
    last = rows_of_cards([row("")], size, 9, (), frames[STEPS - 1]).plain
    assert "█" not in last
    assert "card" not in last


def test_a_taken_card_is_lifted_in_the_app_and_the_row_comes_to_rest(tmp_path: Path, monkeypatch):
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    monkeypatch.delenv("SSH_TTY", raising=False)

    async def paints(look: ScreenLook) -> int:
        """How often the row is painted from a table with five cards until four lie at rest."""
        app = Dashboard(tmp_path / "e", look=look)
        async with app.run_test(size=(100, 30)):
            screen = app.table_screen
            panel = screen.parts["row"]
            for kinds in ("13579", "1579"):
                before = panel.paints
                app.model.table = msgspec.structs.replace(TABLE, rows=(row(kinds),))
                screen.paint()
                while screen._frames or (look.motion and screen._hurry):
                    await asyncio.sleep(0.01)
            height = panel.shown.plain.count("\n") + 1
            assert panel.shown.plain == rows_of_cards([row("1579")], 0, height).plain
            return panel.paints - before

    assert asyncio.run(paints(ScreenLook())) == STEPS + 1
    assert asyncio.run(paints(ScreenLook(motion=False))) == 1


def test_cards_do_not_slide_over_a_slow_link():
    assert slow_link({"SSH_CONNECTION": "10.0.0.2 1 10.0.0.1 22"})
    assert not slow_link({"TERM": "xterm"})


@pytest.mark.parametrize("size", [0, 1, 2])
def test_eyes_close_before_she_lies_down_and_sleeps(size):
    states = ["awake", DROWSY, *([DOZING] if size else []), NODDED_OFF, "asleep"]
    drawn = [[row.markup for row in sleeper_picture(state, "red", 1, 3, size)] for state in states]
    assert len({tuple(one) for one in drawn}) == len(states)
    assert len({len(one) for one in drawn}) == 1


def test_while_the_room_holds_its_breath_her_eyes_tell_nothing():
    sleeps = Claimed(0.0, 1, "Lily", "proved", "She sleeps", "asleep", ())
    awake = Claimed(0.0, 1, "Lily", "refuted", "Still awake", "awake", ())
    place = PlaceView("Lily", "awake", figure="sleeper", colour="red")
    pages = set()
    for claimed in (sleeps, awake):
        screen = VerdictScreen(claimed, place, breath=1.5)
        screen.eyes = DROWSY
        pages.add(screen.page(100, 30).markup)
    assert len(pages) == 1


def test_turned_up_cards_on_a_small_verdict_are_named_as_such():
    sleeps = Claimed(0.0, 1, "Lily", "proved", "She sleeps", "asleep", ())
    screen = VerdictScreen(sleeps, PlaceView("Lily", "asleep", shown=("2", "5")), breath=0.0)
    assert "turned up:  2   5" in screen.page(76, 12).plain
