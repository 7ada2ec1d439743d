"""Teach me: each rule once, when it first matters, and no other rule of the game that is not there."""

from itertools import chain, islice
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.dashboard.model import Lessons
from companion.games.registry import GAME_NAMES, load_game
from companion.session.stream.events import ClaimHeard, LessonView, Table
from companion.session.stream.virtual_table_events import TableState
from tests.benchmarks.dashboard_bench import played
from tests.dashboard.test_dashboard_app import desk
from tests.dashboard.test_dashboard_text import TABLE, TURN, WELCOME

TAUGHT = [name for name in GAME_NAMES if load_game(name).words.lessons]
CHECK = LessonView("phase check", "Feel", "Touch the bottom mattress.", "Rulebook: check")
PLAY = LessonView("phase play", "Play", "Play three equal cards.", "Rulebook: play")
CLAIM = LessonView("claim", "Claim", "Turn them up.", "Rulebook: lull")


def test_a_lesson_waits_until_the_one_before_is_read_and_comes_once() -> None:
    one = Lessons()
    one.begin((PLAY, CHECK, CLAIM))
    one.hear(TABLE)
    assert one.due is None, "nobody asked to be taught"
    one.on = True
    one.hear(TABLE)
    assert one.due == CHECK
    one.hear(ClaimHeard(1.0, 1, "Bats"))
    assert one.due == CHECK
    one.read()
    one.hear(TABLE)
    assert one.due is None
    one.hear(ClaimHeard(2.0, 1, "Bats"))
    assert one.due == CLAIM
    for event, when in (
        (msgspec.structs.replace(TABLE, last_turns=2), "last turns"),
        (msgspec.structs.replace(TABLE, phase="setup"), "phase setup"),
    ):
        one.begin((PLAY, msgspec.structs.replace(CHECK, when=when)))
        one.hear(event)
        assert one.due is not None
        assert one.due.when == when


@pytest.mark.parametrize("name", TAUGHT)
def test_every_lesson_of_a_game_comes_in_games_that_are_played(name: str) -> None:
    game, one = load_game(name), Lessons()
    one.on = True
    wanted = tuple(LessonView(it.when, it.title, it.text, it.section) for it in game.words.lessons)
    one.begin(wanted)
    # These games begin dealt, and random claims end them early.
    missing = {it.when for it in wanted} - {"phase setup", "last turns"}
    events = chain.from_iterable(islice(played(game, Random(5)), 800))
    for event in chain((ClaimHeard(0.0, 1, ""),), events):
        one.hear(event)
        missing -= {one.due.when} if one.due else set()
        one.read()
        if not missing:
            break
    assert not missing
    assert all(it.section.startswith("Rulebook") for it in wanted)


async def test_lessons_begin_and_end_by_a_key_and_leave_what_to_do_in_sight(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = one.engine()
        end.greeting = (msgspec.structs.replace(WELCOME, lessons=(PLAY, CHECK)), *end.greeting[1:])
        await one.shows("Touch the bottom")
        await one.press("f6", shows="LEARN: Feel")
        banner = one.app.table_screen.parts["now"].region
        assert not banner.overlaps(one.app.table_screen.lesson.region)
        await one.press("enter")
        await one.until(lambda: "LEARN" not in one.text())
        end.server.send(msgspec.structs.replace(TABLE, phase="play", turn=13))
        await one.shows("LEARN: Play")
        await one.press("f6")
        await one.until(lambda: "LEARN" not in one.text())
        assert isinstance(one.app.model.table, Table)


@pytest.mark.parametrize("seat", [0, 2], ids=["watching", "in a seat"])
async def test_a_lesson_covers_no_card_on_a_laptop(tmp_path: Path, seat: int) -> None:
    long = msgspec.structs.replace(CHECK, text="Feel the lowest mattress of one bed, then move it or not. " * 4)
    async with desk(tmp_path, size=(120, 40)) as one:
        end = one.engine()
        end.greeting = (msgspec.structs.replace(WELCOME, lessons=(long,)), *end.greeting[1:])
        one.table(TableState(7, 1.0, False, seat), *([TURN] if seat else []))
        await one.shows("Discard 1." if seat else "Touch the bottom")
        await one.press("f6", shows="LEARN: Feel")
        screen = one.app.table_screen
        await one.until(lambda: not screen.card_row.region.overlaps(screen.lesson.region))
        assert not seat or screen.seat.choices.size.height >= 4
