"""The whole dashboard on a headless terminal, fed by the real stream server over real sockets."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from textual._styles_cache import StylesCache
from textual.binding import Binding
from textual.events import Key
from textual.filter import Monochrome, NoColor
from textual.pilot import Pilot

from companion.core.board_state import BoardState
from companion.dashboard import repainting
from companion.dashboard.app import Dashboard
from companion.dashboard.display_settings import ScreenLook
from companion.dashboard.exit_summary import farewell
from companion.dashboard.model import Link
from companion.dashboard.screens import seat_screen, verdict_and_score
from companion.dashboard.screens.dialogs import HelpScreen, LogScreen, PickScreen
from companion.dashboard.screens.truth_screen import TruthScreen, TruthView
from companion.dashboard.screens.verdict_and_score import ScoreScreen, VerdictScreen
from companion.dashboard.widgets.big_letters import big
from companion.session.journal.resume_progress import noting
from companion.session.stream.commands import (
    Answer,
    AskPosition,
    Claim,
    Command,
    CompanionIsRight,
    EndGame,
    Pause,
    TableIsRight,
    Turn,
    Undo,
)
from companion.session.stream.events import (
    JOURNAL,
    PROTOCOL,
    YES_NO,
    Goodbye,
    PileView,
    Position,
    Question,
    Refused,
    SensorHealth,
    StatementView,
    Table,
    Welcome,
)
from companion.session.stream.stream import StreamServer
from companion.session.stream.virtual_table_events import (
    CallClaim,
    Choose,
    Restart,
    SetFault,
    SetPaused,
    SetSpeed,
    ShowTruth,
    Step,
    TableState,
    TakeSeat,
    Truth,
    WorldCommand,
)
from tests.dashboard.test_dashboard_text import ASK, CLAIMED, HEALTHY, HEARD, SAID, SCORE, TABLE, TURN, WELCOME
from tests.support.terminal_text import screen_text

SNAPSHOTS = Path(__file__).parent.parent / "snapshots"
UPDATE = "UPDATE_SNAPSHOTS" in os.environ


CALM = ScreenLook(motion=False)


class End:
    """One serving end: the real server, what it says to newcomers, and what it was told."""

    def __init__(self, path: Path, commands: Any, greeting: tuple[Any, ...]) -> None:
        self.server: StreamServer[Any, Any] = StreamServer(path, commands)
        self.greeting = greeting
        self.told: list[Any] = []

    def poll(self) -> None:
        new, received = self.server.poll()
        for peer in new:
            for event in self.greeting:
                self.server.send(event, [peer])
        self.told += [command for _, command in received]


class Desk:
    """A dashboard with an engine and perhaps a virtual table behind it."""

    def __init__(self, folder: Path, app: Any) -> None:
        self.folder = folder
        self.app = app
        self.pilot: Pilot[None]
        self.ends: list[End] = []

    def engine(self, *greeting: Any) -> End:
        first = () if any(isinstance(event, Table) for event in greeting) else (TABLE,)
        end = End(self.folder / "e", Command, (WELCOME, *first, *HEALTHY, *SAID, *greeting))
        self.ends.append(end)
        return end

    def table(self, *greeting: Any) -> End:
        end = End(self.folder / "t", WorldCommand, (TableState(7, 1.0, False, 0), *greeting))
        self.ends.append(end)
        return end

    def seat(self, turn: Any = TURN) -> End:
        """A virtual table where the person at the screen plays for player 2."""
        return self.table(TableState(7, 1.0, False, 2), turn)

    def stop(self, end: End) -> None:
        self.ends.remove(end)
        end.server.close()

    def text(self) -> str:
        """The screen as it stands, without colours."""
        return screen_text(self.app)

    async def until(self, true: Callable[[], object]) -> None:
        for _ in range(400):
            for end in self.ends:
                end.poll()
            if true():
                return
            await self.pilot.pause(0.01)
        pytest.fail(f"it never became true; the screen:\n{self.text()}")

    async def shows(self, words: str) -> None:
        await self.until(lambda: words in self.text())

    async def press(self, *keys: str, shows: str = "") -> None:
        """Press keys, and wait for words that they bring up."""
        await self.pilot.press(*keys)
        if shows:
            await self.shows(shows)

    async def plays(self, *greeting: Any) -> End:
        """An engine whose table the screen shows."""
        end = self.engine(*greeting)
        await self.shows("Touch the bottom")
        return end

    async def told(self, end: End, *commands: Any) -> None:
        await self.until(lambda: len(end.told) >= len(commands))
        assert end.told == list(commands)


@asynccontextmanager
async def desk(
    folder: Path, *, size: tuple[int, int] = (80, 24), app: Any = None, truth: bool = False
) -> AsyncIterator[Desk]:
    one = Desk(folder, app or Dashboard(folder / "e", folder / "t", truth, look=CALM))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(repainting, "REPAINT_S", 0.03)
        async with one.app.run_test(size=size) as pilot:
            one.pilot = pilot
            yield one
            for end in list(one.ends):
                one.stop(end)


def check(name: str, text: str) -> None:
    """Compare with the golden screen; UPDATE_SNAPSHOTS=1 writes it anew."""
    path = SNAPSHOTS / f"dashboard_{name}.txt"
    if UPDATE:
        path.write_text(text)
    assert text == path.read_text()


SIZES = pytest.mark.parametrize("size", [(80, 24), (160, 48)], ids=lambda size: f"{size[0]}x{size[1]}")


async def test_a_screen_says_how_far_a_resumed_journal_is_read(tmp_path: Path) -> None:
    async with desk(tmp_path, app=Dashboard(tmp_path / "e", started=("engine",))) as one:
        lines = noting(tmp_path / "e")(range(8))
        for _ in range(3):
            next(lines)
        await one.shows("Reading the game so far: 25 %")
        # The socket takes connections long before the engine that reads the journal answers there.
        silent: StreamServer[Any, Any] = StreamServer(tmp_path / "e", Command)
        await one.until(lambda: one.app.model.link is Link.LIVE)
        next(lines)
        await one.shows("Reading the game so far: 37 %")
        silent.close()
        assert list(lines)
        await one.shows("Starting: waiting for engine")


@SIZES
async def test_golden_waiting(tmp_path: Path, size: tuple[int, int]) -> None:
    async with desk(tmp_path, size=size) as one:
        await one.shows("No engine answers yet")
        check(f"waiting_{size[0]}x{size[1]}", one.text())


@SIZES
async def test_golden_table(tmp_path: Path, size: tuple[int, int]) -> None:
    async with desk(tmp_path, size=size) as one:
        one.engine()
        await one.shows("Corrected")
        await one.shows("Move a checked")
        check(f"table_{size[0]}x{size[1]}", one.text())


@SIZES
async def test_golden_question_with_a_virtual_table(tmp_path: Path, size: tuple[int, int]) -> None:
    async with desk(tmp_path, size=size) as one:
        one.engine(ASK)
        one.table()
        await one.shows("The row shows a 9")
        await one.shows("seed 7")
        check(f"question_{size[0]}x{size[1]}", one.text())


async def test_yes_and_no_answer_what_is_asked_and_nothing_else(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = one.engine(ASK)
        await one.shows("The row shows a 9")
        await one.press("y", shows="No question of yes or no")
        end.server.send(Question("Did player 2 move it?", YES_NO, "move:7"))
        await one.shows("Did player 2 move it?")
        await one.press("n")
        await one.told(end, Answer("move:7", False))


@SIZES
async def test_golden_verdict_goes_away_by_any_key(tmp_path: Path, size: tuple[int, int]) -> None:
    async with desk(tmp_path, size=size) as one:
        end = one.engine(CLAIMED)
        await one.shows("any key")
        check(f"verdict_{size[0]}x{size[1]}", one.text())
        await one.press("u", shows="Move a checked")
        await one.until(lambda: True)
        assert end.told == []


@SIZES
async def test_golden_score_comes_once_and_the_evening_after_it(tmp_path: Path, size: tuple[int, int]) -> None:
    tonight = ["Sleepless Princess: 3 and 1 of 5", "Anna: 2 of 3 won", "Ben: 1 of 3 won"]
    app = Dashboard(tmp_path / "e", look=CALM, evening=lambda: tonight)
    async with desk(tmp_path, size=size, app=app) as one:
        over = msgspec.structs.replace(TABLE, phase="over", over=True, player=0)
        end = one.engine(over, SCORE)
        await one.shows("look at the table again")
        await one.shows("Anna: 2 of 3 won")
        check(f"score_{size[0]}x{size[1]}", one.text())
        await one.press("x", shows="open row")
        one.stop(end)
        await one.shows("OLD")
        one.engine(over, SCORE)
        await one.until(lambda: one.app.model.fresh and one.app.model.score)
        assert not isinstance(one.app.screen, ScoreScreen)
        await one.press("f")
        await one.until(lambda: isinstance(one.app.screen, ScoreScreen))


@SIZES
async def test_golden_seat(tmp_path: Path, size: tuple[int, int]) -> None:
    async with desk(tmp_path, size=size) as one:
        one.engine()
        table = one.seat()
        await one.shows("PRIVATE")
        await one.shows("Discard 1.")
        await one.pilot.pause()  # the border counts what is out of sight once the list is laid out
        check(f"seat_{size[0]}x{size[1]}", one.text())
        await one.press("1", "2", "enter")
        await one.told(table, Choose(11))


async def test_arrows_choose_too_and_the_hand_can_be_hidden(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        one.engine()
        table = one.seat()
        await one.shows("Discard 1.")
        await one.press("down", "down", "down", "enter")
        await one.told(table, Choose(2))
        await one.press("m", shows="YOUR TURN: m shows your hand")
        assert "PRIVATE" not in one.text()
        assert "smooth" not in one.text()
        await one.press("m", shows="Player 2 only · m hides")
        await one.press("s")
        await one.told(table, Choose(2), TakeSeat(0))


async def test_what_has_no_alternative_is_taken_by_enter(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        one.engine()
        table = one.seat(msgspec.structs.replace(TURN, actions=("Leave it",), safe=None))
        await one.shows("Leave it")
        await one.press("enter")
        await one.told(table, Choose(0))


async def test_a_number_that_no_choice_has_does_nothing_and_is_named(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        one.engine()
        turn = msgspec.structs.replace(TURN, actions=TURN.actions[:9])
        table = one.seat(turn)
        await one.shows("Discard 1.")
        await one.press("1", "9", "enter", shows="19: no such choice")
        await one.press("enter", "0", "enter", "2", "2", "backspace", "enter")
        await one.told(table, Choose(1))


async def test_what_is_typed_is_echoed_and_forgotten_and_what_to_do_stays_in_sight(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seat_screen, "TYPED_S", 0.5)
    async with desk(tmp_path) as one:
        one.engine()
        actions = ("Take the 7", "Take the 10", "Draw from the deck", "Done with checking")
        turn = msgspec.structs.replace(TURN, actions=actions, numbers=("7", "10", "", ""), learned=())
        table = one.seat(turn)
        await one.shows(" 10  Take the 10")
        assert "FEEL A BED" in one.text().split("\n")[0]
        await one.press("1", shows="1▌")
        await one.until(lambda: "1▌" not in one.text())
        await one.press("7")  # no 17: the 1 is forgotten
        await one.press("3", shows="73: no such choice")
        await one.until(lambda: "no such choice" not in one.text())
        await one.press("enter", "D", "enter")
        await one.told(table, Choose(3))


def test_signs_of_choices_are_no_keys_and_no_numbers_of_other_cards() -> None:
    keys = {key for one in Dashboard.BINDINGS if isinstance(one, Binding) for key in one.key.split(",")}
    assert "u" in keys
    assert not keys & set(seat_screen.FREE_LETTERS)
    numbers = ("5", "", "5", *[""] * 200)
    found = seat_screen.Signs().of([f"Choice {at}" for at in range(len(numbers))], numbers)
    assert found[:4] == ["5", "b", "d", "e"]
    named = [sign for sign in found if sign]
    assert len(set(named)) == len(named) == 1 + 6 + 6 * 26
    assert seat_screen.Signs().of(["Draw", "Draw"], ()) == ["b", "d"]


def test_an_action_keeps_its_letter_from_menu_to_menu() -> None:
    signs = seat_screen.Signs()
    assert signs.of(["Draw", "Claim: Bats sleeps"], ()) == ["b", "d"]
    assert signs.of((), ()) == []
    assert signs.of(["Play 3 and 4", "Claim: Bats sleeps", "Take a 3"], ("", "", "3")) == ["e", "d", "3"]
    for _ in range(seat_screen.KEPT_MENUS):
        assert signs.of(["Claim: Bats sleeps", "Draw"], ()) == ["d", "b"]
    # What was offered long ago gives its letter back; nobody's letter is ever another's at the same time.
    assert signs.of(["Play 5", "Draw"], ()) == ["e", "b"]
    many = [f"Play {n}" for n in range(400)]
    found = [sign for sign in signs.of(many, ()) if sign]
    assert len(found) == len(set(found)) == len(seat_screen.ALL_LETTERS)
    again = [sign for sign in signs.of(["Draw", *many[:50]], ()) if sign]
    assert len(again) == len(set(again)) == 51


async def test_a_claim_from_the_seat_is_made_once_it_is_confirmed(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        one.engine()
        table = one.seat(msgspec.structs.replace(TURN, claims=(3,)))
        await one.shows("Discard 1.")
        await one.press("4", "enter", shows="Claim this?")
        await one.press("enter", "4", "enter", "y")
        await one.told(table, Choose(3))


async def test_out_of_turn_the_private_panel_leaves_the_turn_in_sight(tmp_path: Path) -> None:
    async with desk(tmp_path, size=(80, 24)) as one:
        one.engine()
        waits = msgspec.structs.replace(TURN, actions=(), on_turn=False)
        table = one.seat(waits)
        await one.shows("your turn: one moment")
        assert all(key in one.text() for key in ("q quit", "s leave the seat")), one.text()
        table.server.send(msgspec.structs.replace(waits, player=1))
        await one.shows("not your turn yet")
        assert "• Touch" in one.text()
        assert "space hold" in one.text()


async def test_a_game_that_has_no_score_before_its_end_says_so_when_asked_to_end(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = one.engine()
        await one.shows("• Touch")
        await one.press("f", shows="yes: score what lies there")
        await one.press("escape")
        when = "yes: somebody has rescued enough kings"
        end.server.send(msgspec.structs.replace(WELCOME, score_when=when))
        await one.until(lambda: one.app.model.welcome is not None and one.app.model.welcome.score_when == when)
        await one.press("f", shows=when)
        assert "q leaves it unscored" in one.text()


@pytest.mark.parametrize("children", [False, True])
async def test_a_seat_does_not_hide_that_the_camera_fails(tmp_path: Path, children: bool) -> None:
    look = ScreenLook(motion=False, big=children, children=children)
    app = Dashboard(tmp_path / "e", tmp_path / "t", look=look)
    async with desk(tmp_path, app=app) as one:
        end = one.engine()
        one.seat()
        await one.shows("Discard 1.")
        end.server.send(SensorHealth("camera", False, "move it back"))
        await one.shows("move it back")
        assert "PRIVATE" in one.text()
        await one.press("m", shows="the table: move it back")


async def test_faults_leave_the_rows_of_a_small_screen_to_the_choices_of_a_seat(tmp_path: Path) -> None:
    async with desk(tmp_path, size=(80, 24)) as one:
        end = one.engine()
        one.seat()
        await one.shows("Discard 1.")
        rows = one.app.table_screen.seat.choices.size.height
        for sensor in ("camera", "board", "bed 3 scale"):
            end.server.send(SensorHealth(sensor, False, "it says nothing " * 5))
        await one.shows("l: all")
        await one.until(lambda: len(one.app.model.health) >= 3)
        await one.pilot.pause()
        assert one.app.table_screen.seat.choices.size.height >= rows - 1


async def test_a_person_who_waits_in_a_seat_covers_nothing(tmp_path: Path) -> None:
    app = Dashboard(tmp_path / "e", tmp_path / "t", look=ScreenLook(motion=False, big=True, children=True))
    async with desk(tmp_path, app=app, size=(120, 40)) as one:
        one.engine()
        one.seat(msgspec.structs.replace(TURN, actions=(), on_turn=False))
        await one.shows("PRIVATE")
        panels = [panel.region for panel in one.app.table_screen.all_panels() if panel.display]
        assert not any(one.app.table_screen.seat.region.overlaps(region) for region in panels)


async def test_a_hand_hides_itself_when_its_turn_is_over_and_not_before(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        one.engine()
        table = one.seat()
        await one.shows("Discard 1.")
        table.server.send(msgspec.structs.replace(TURN, actions=()))
        await one.shows("your hands are on the table")
        assert " 10 " in one.text().split("\n")[2]
        over = msgspec.structs.replace(TURN, actions=(), on_turn=False)
        table.server.send(over)
        await one.shows("• Touch")
        assert "PRIVATE" not in one.text()
        await one.press("m", shows="PRIVATE hand")
        await one.press("m")
        table.server.send(TURN)
        await one.shows("YOUR TURN: m shows your hand")
        assert "PRIVATE" not in one.text()


async def test_enter_alone_chooses_nothing_that_ends_something(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        one.engine()
        table = one.seat()
        await one.shows("Discard 1.")
        await one.press("enter")
        actions = ("Done with checking: draw cards", "Touch the bottom mattress in the bed of Bats")
        table.server.send(msgspec.structs.replace(TURN, actions=actions, safe=1))
        await one.shows("Done with checking")
        await one.press("enter")
        await one.told(table, Choose(1))


async def test_the_private_panel_counts_the_choices_out_of_sight(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        one.engine()
        table = one.seat()
        await one.shows("26 more below")
        await one.press("end", shows="26 more above")
        assert "Discard 30." in one.text()
        assert "more below" not in one.text()
        await one.press("up", "up", "up", "up", shows="25 more above, 1 more below")
        table.server.send(msgspec.structs.replace(TURN, actions=("Skip",)))
        await one.shows("Skip")
        await one.until(lambda: "more" not in one.text().split("\n")[1])


async def test_whose_turn_and_the_end_are_asked_for_and_told(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = await one.plays()
        end.server.send(msgspec.structs.replace(TABLE, turn=0))
        await one.until(lambda: one.app.model.table is not None and not one.app.model.table.turn)
        await one.press("f", shows="The game has not begun.")
        end.server.send(TABLE)
        await one.until(lambda: bool(one.app.model.table.turn))
        await one.press("g", shows="Whose turn begins now?")
        await one.press("3", "f", shows="End the game here?")
        await one.press("n", "f", shows="End the game here?")
        await one.press("y")
        await one.told(end, Turn(3), EndGame())


FOUND = Position(
    2,
    TABLE.places,
    TABLE.rows,
    (
        "On the open row I see a 5 and a 7, and miss a blanket.",
        "Which mattresses lie where I do not know any more: claims stay open until the cards are shown.",
    ),
    (StatementView("1", "Pizza has left the game"), StatementView("4", "Bats has left the game")),
    (StatementView("2", "Sharks still plays"),),
)


async def test_the_table_is_taken_over_with_what_only_players_know(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = await one.plays()
        await one.press("t", shows="Looking...")
        await one.until(lambda: AskPosition() in end.told)
        end.server.send(FOUND)
        await one.shows("and miss a blanket")
        await one.press("a", "b", "a", "c", shows="[x] Bats has left the game")
        check("position_80x24", one.text())
        await one.press("3")
        await one.told(end, AskPosition(), TableIsRight(3, (4,), (2,)))
        await one.press("t", "escape", "t", "9", "t", "enter")
        asked = AskPosition()
        await one.told(end, asked, TableIsRight(3, (4,), (2,)), asked, asked, asked, TableIsRight())
        await one.press("t", "f", shows="End the game here?")


async def test_the_fullest_dialog_fits_on_the_smallest_screen(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = await one.plays(msgspec.structs.replace(TABLE, hands=(5,) * 5))
        await one.press("t")
        await one.until(lambda: AskPosition() in end.told)
        gone = tuple(
            StatementView(str(number), f"Princess {number} has left the game") for number in range(1, 6)
        )
        lines = tuple(f"On the Princess {number} bed I see {'a mattress ' * 8}" for number in range(1, 6))
        end.server.send(Position(2, TABLE.places, TABLE.rows, lines, gone))
        await one.shows("Princess 5 has left the game")
        assert "THE TABLE AS IT LIES NOW" in one.text()
        assert "Player 5" in one.text()
        assert "any other key" in one.text()


async def test_what_cannot_be_taken_over_is_said(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = await one.plays()
        await one.press("t")
        await one.until(lambda: AskPosition() in end.told)
        end.server.send(Position(1, problem="That cannot be: too many cards lie open."))
        await one.shows("too many cards lie open")


async def test_keys_send_commands(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = await one.plays()
        await one.press("c", shows="Who sleeps?")
        await one.press("3", "y", "u", "t", "enter", "o", "p")
        await one.told(end, Claim(3), Undo(), AskPosition(), TableIsRight(), CompanionIsRight(), Pause(True))
        end.server.send(msgspec.structs.replace(TABLE, paused=True))
        await one.shows("COMPANION PAUSED")
        await one.press("p")
        await one.until(lambda: end.told[-1] == Pause(False))


async def test_a_verdict_is_taken_back_only_once_that_is_confirmed(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = one.engine(
            msgspec.structs.replace(TABLE, verdict=StatementView("sleeps:Pizza", "Pizza sleeps sweetly!"))
        )
        await one.shows("Touch the bottom")
        await one.press("u", shows="what was said stays said")
        check("undo_verdict_80x24", one.text())
        await one.press("u")
        await one.until(lambda: not isinstance(one.app.screen, PickScreen))
        assert end.told == [], "twice the same key may be an elbow"
        one.table(TableState(7, 1.0, False, 0))
        await one.shows("take a seat")
        await one.press("u", shows="what was said stays said")
        assert end.told == []
        await one.press("y")
        await one.told(end, Undo("sleeps:Pizza"))


async def test_only_who_is_awake_can_be_claimed(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = await one.plays()
        await one.press("c", "2")
        await one.until(lambda: not isinstance(one.app.screen, PickScreen))
        await one.press("c", "5", "n")
        await one.until(lambda: not isinstance(one.app.screen, PickScreen))
        assert end.told == [], "a claim that was not confirmed"
        await one.press("c", "5", "y")
        await one.told(end, Claim(5))


async def test_before_and_after_a_game_there_is_nothing_to_claim(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end, table = one.engine(), one.table()
        await one.shows("seed 7")
        unclaimed = tuple(msgspec.structs.replace(place, claim="") for place in TABLE.places)
        for phase in ("setup", "over"):
            end.server.send(
                msgspec.structs.replace(TABLE, phase=phase, over=phase == "over", player=0, places=unclaimed)
            )
            await one.until(lambda phase=phase: one.app.model.table.phase == phase)
            one.app.model.notice = ""
            await one.press("c")
            await one.until(lambda: "nothing to claim" in one.app.model.notice)
        assert (end.told, table.told) == ([], [])


async def test_keys_of_the_virtual_table(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        one.engine()
        table = one.table()
        await one.shows("seed 7")
        await one.press(
            "space", "plus", "minus", "full_stop", "r", "y", "4", "2", "enter", "r", "y", "enter", "r", "escape"
        )
        await one.shows("A new table is laid")
        await one.press("s", "2")
        await one.told(
            table,
            SetPaused(True),
            SetSpeed(2.0),
            SetSpeed(0.5),
            Step(),
            Restart(42),
            Restart(None),
            TakeSeat(2),
        )


async def test_a_game_that_is_on_ends_by_no_two_keys_of_a_child(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        await one.plays()
        table = one.table()
        await one.shows("seed 7")
        await one.pilot.press("r", "enter")
        await one.until(lambda: one.app.screen is one.app.table_screen)
        await one.pilot.press("r", "y", "enter")
        await one.told(table, Restart(None))


async def test_a_claim_is_called_out_to_virtual_people(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end, table = one.engine(), one.table()
        await one.shows("seed 7")
        await one.shows("Touch the bottom")
        await one.press("c", "3", "y", "u")
        await one.told(table, CallClaim(3))
        await one.told(end, Undo())


async def test_a_claim_is_told_to_the_engine_too_while_no_button_is_heard(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end, table = one.engine(), one.table()
        await one.shows("seed 7")
        end.server.send(SensorHealth("board", False, "the cable is out"))
        await one.until(lambda: "board" in one.app.model.health)
        await one.press("c", "3", "y")
        await one.told(table, CallClaim(3))
        await one.told(end, Claim(3))


async def test_a_claim_is_a_key_where_nobody_presses_a_button(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end, _ = one.engine(), one.table(TableState(9, 1.0, False, 0, presses=False))
        await one.shows("seed 9")
        await one.shows("Touch the bottom")
        await one.press("c", "3", "y")
        await one.told(end, Claim(3))


async def test_without_a_virtual_table_its_keys_are_not_there(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        await one.plays()
        await one.press("space", "plus", "full_stop", "r", "s", "h", "v")
        assert "space hold" not in one.text()
        assert "Touch the bottom" in one.text()


async def test_help_log_and_quit(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = await one.plays()
        await one.press("question_mark")
        await one.until(lambda: isinstance(one.app.screen, HelpScreen))
        await one.shows("it never holds up")
        await one.press("x", "l")
        await one.until(lambda: isinstance(one.app.screen, LogScreen))
        await one.shows("0:35 ~ Corrected")
        assert "board connected" not in one.text()
        end.server.send(BoardState("connected", rtt_ms=3))
        await one.shows("board connected · answers in 3 ms")
        await one.press("down", "escape", "q", shows="Quit?")
        await one.press("x", shows="Touch the bottom")
        await one.press("q", "e")
        await one.until(lambda: not one.app.is_running)
        assert one.app.stops_engine


async def test_what_ends_with_the_screen_is_not_asked_about(tmp_path: Path) -> None:
    async with desk(tmp_path, app=Dashboard(tmp_path / "e", started=("engine", "camera"))) as one:
        await one.shows("Starting: waiting for engine and camera.")
        end = await one.plays()
        await one.press("q", shows="the game so far is kept")
        assert "engine" not in one.text()
        await one.press("q")
        await one.until(lambda: not one.app.is_running)
        assert end.told == []


async def test_a_failing_sensor_is_mended_when_leaving(tmp_path: Path) -> None:
    async with desk(tmp_path, app=Dashboard(tmp_path / "e", started=("engine", "camera"))) as one:
        end = await one.plays()
        await one.press("q", shows="the game so far is kept")
        assert "companion setup" not in one.text()
        await one.press("escape")
        end.server.send(SensorHealth("bed 3 scale", False, "it drifts"))
        await one.until(lambda: "bed 3 scale" in one.app.model.health)
        await one.press("q", shows="step stations of setup")
        await one.press("m")
        await one.until(lambda: not one.app.is_running)
        assert one.app.mend == "stations"


async def test_without_colours_nothing_is_painted_black_on_black(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    for app in (Dashboard(tmp_path / "e"), TruthView(tmp_path / "t")):
        assert [type(one) for one in app._filters if type(one) in (Monochrome, NoColor)] == [Monochrome]


async def test_keys_can_be_clicked(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = await one.plays()
        last = one.text().split("\n")[23]
        await one.pilot.click(offset=(last.index("undo"), 23))
        await one.told(end, Undo())
        await one.pilot.click(offset=(last.index("claim"), 23))
        for chosen in (" 3   Bats sleeps", " y   Bats sleeps"):
            await one.shows(chosen)
            rows = one.text().split("\n")
            row = next(number for number, text in enumerate(rows) if chosen in text)
            await one.pilot.click(offset=(rows[row].index("Bats sleeps"), row))
        await one.told(end, Undo(), Claim(3))


async def test_keys_that_come_faster_than_a_dialog_opens_are_for_the_dialog(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end, table = await one.plays(), one.table()
        await one.shows("seed 7")
        wanted: list[WorldCommand] = []
        await one.pilot.press("r", "y")
        for keys, command in (("42\n", Restart(42)), ("s3", TakeSeat(3)), ("c1y", CallClaim(1))):
            for key in keys:
                one.app.post_message(Key("enter", "\r") if key == "\n" else Key(key, key))
            wanted.append(command)
            await one.told(table, *wanted)
        for key in "qu":
            one.app.post_message(Key(key, key))
        await one.pilot.pause()
        await one.until(lambda: one.app.screen is one.app.table_screen)
        await one.press("p")
        await one.told(end, Pause(True))


@pytest.mark.parametrize("opener", ["question_mark", "l", "c", "q"])
async def test_keys_that_come_too_fast_close_a_screen_only_once(tmp_path: Path, opener: str) -> None:
    async with desk(tmp_path) as one:
        await one.plays()
        await one.press(opener)
        screen = one.app.screen
        for _ in range(5):
            screen.post_message(Key("x", "x"))
        await one.until(lambda: one.app.screen is one.app.table_screen)
        await one.shows("Touch the bottom")


async def test_a_long_question_pushes_nothing_off_the_screen(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        one.engine(Question("Something is off - " + "a card too many lies in the row, " * 4, ("undo",)))
        one.table()
        await one.until(lambda: one.app.world.attached and "U  undo" in one.text())
        await one.shows("q quit")


async def test_a_killed_engine_leaves_an_old_picture_that_says_so(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = one.engine(ASK)
        await one.shows("The row")
        one.stop(end)
        await one.shows("this picture is OLD")
        await one.shows("What you see here is old")
        assert "The row" not in one.text()
        await one.press("u")
        await one.until(lambda: one.app.model.notice)
        end = one.engine()
        await one.until(lambda: one.app.model.fresh)
        await one.until(lambda: "is old" not in one.text())
        assert end.told == []


async def test_after_the_end_of_a_recording_its_last_state_stands_and_nobody_is_asked(tmp_path: Path) -> None:
    app = Dashboard(tmp_path / "e", started=("engine", "camera"), look=CALM)
    async with desk(tmp_path, app=app) as one:
        fault = SensorHealth("bed 3 scale", False, "it drifts")
        end = one.engine(fault, Goodbye("The recording has come to its end.", ended=True))
        await one.shows("The recording has come to its end.")
        one.stop(end)
        await asyncio.to_thread(app.engine_ended)
        await one.shows("the last that I saw")
        assert "Play on" not in one.text()
        assert "Touch the bottom" not in one.text()
        assert "no engine" not in one.text()
        for key in "tfcuhgwop":
            await one.press(key)
        assert app.screen is app.table_screen
        assert not app.model.notice
        offered = {command.title for command in app.get_system_commands(app.screen)}
        assert "Put right" not in offered
        assert "Quit" in offered
        await one.press("q", shows="Quit?")
        assert "setup" not in one.text()
        await one.press("q")
        await one.until(lambda: not app.is_running)


async def test_leaving_with_a_full_disk_promises_nothing(tmp_path: Path) -> None:
    async with desk(tmp_path, app=Dashboard(tmp_path / "e", tmp_path / "t", started=("engine",))) as one:
        end = one.engine(SensorHealth(JOURNAL, False, "no room"))
        await one.until(lambda: one.app.model.unwritten)
        await one.press("q", shows="the disk refuses the end")
        assert "watched again" not in one.text()
        await one.press("escape")
        end.server.send(SensorHealth(JOURNAL, True))
        await one.until(lambda: not one.app.model.unwritten)
        one.app.model.unkept = True
        await one.press("q", shows="nothing of this game is kept")


@pytest.mark.parametrize("started", [("engine",), ()])
async def test_leaving_a_game_without_a_journal_promises_nothing(
    started: tuple[str, ...], tmp_path: Path
) -> None:
    async with desk(tmp_path, app=Dashboard(tmp_path / "e", started=started)) as one:
        one.engine(msgspec.structs.replace(WELCOME, kept=False))
        await one.until(lambda: not one.app.model.recorded)
        await one.shows("Touch the bottom")
        await one.press("q", shows="nothing of this game is kept")
        assert "so far is kept" not in one.text()
    assert "Nothing of this game is kept." in farewell(one.app.model)


async def test_goodbye_is_read_after_the_engine_left(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = await one.plays(Goodbye("The companion was stopped. Start it again: companion run"))
        one.stop(end)
        await one.shows("The companion was stopped.")


async def test_foreign_protocol_is_said_and_survived(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = one.engine(Welcome(PROTOCOL + 1, "9", "x", "y", 2))
        await one.shows("different versions")
        one.stop(end)
        await one.plays()


async def test_refusal_is_shown(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = await one.plays()
        end.server.send(Refused("Nothing to undo."))
        await one.shows("Nothing to undo.")


async def test_refusal_of_the_table_is_seen_beside_the_hand_and_goes_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repainting, "NOTICE_S", 0.2)
    async with desk(tmp_path) as one:
        one.engine()
        table = one.seat()
        await one.shows("Discard 1.")
        table.server.send(Refused("That card is gone."))
        await one.shows("That card is gone.")
        await one.until(lambda: "That card is gone." not in one.text())


async def test_a_flood_of_tables_is_one_repaint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with desk(tmp_path) as one:
        monkeypatch.setattr(repainting, "REPAINT_S", 0.25)
        end = one.engine()
        await one.shows("turn 12")
        before = one.app.view.repainting.repaints
        for turn in range(13, 213):
            end.server.send(msgspec.structs.replace(TABLE, turn=turn))
        await one.shows("turn 212")
        assert one.app.view.repainting.repaints - before <= 4


async def test_identical_tables_paint_nothing(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = one.engine()
        await one.shows("Corrected")
        await one.until(lambda: not one.app.view.repainting.pauses)
        paints = [panel.paints for panel in one.app.table_screen.all_panels()]
        repaints = one.app.view.repainting.repaints
        for _ in range(5):
            end.server.send(TABLE)
        painting = one.app.view.repainting
        await one.until(lambda: painting.repaints > repaints and not painting.pauses)
        assert [panel.paints for panel in one.app.table_screen.all_panels()] == paints


async def test_a_change_repaints_only_its_own_panel(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = one.engine()
        await one.shows("Corrected")
        await one.until(lambda: not one.app.view.repainting.pauses)
        before = {panel.id: panel.paints for panel in one.app.table_screen.all_panels()}
        end.server.send(msgspec.structs.replace(TABLE, piles=(PileView("deck", 30, 68), TABLE.piles[1])))
        await one.shows("30 of 68")
        after = {panel.id: panel.paints for panel in one.app.table_screen.all_panels()}
        assert [name for name in after if after[name] != before[name]] == ["piles"]


async def test_a_verdict_leaves_by_itself(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        await one.plays()
        one.app.push_screen(VerdictScreen(CLAIMED, seconds=0.1))
        await one.until(lambda: isinstance(one.app.screen, VerdictScreen))
        await one.shows("Touch the bottom")


async def test_a_function_key_closes_a_verdict_and_does_what_it_does_at_the_table(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        await one.plays()
        one.app.push_screen(VerdictScreen(CLAIMED))
        await one.until(lambda: isinstance(one.app.screen, VerdictScreen))
        await one.pilot.press("f1")
        await one.until(lambda: isinstance(one.app.screen, HelpScreen))
        await one.pilot.press("x")
        await one.shows("Touch the bottom")


async def test_claims_that_were_closed_leave_nothing_that_was_painted(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        await one.plays()
        kept = []
        for _ in range(3):
            one.app.push_screen(VerdictScreen(CLAIMED))
            await one.until(lambda: isinstance(one.app.screen, VerdictScreen))
            await one.pilot.pause()
            await one.press("enter", shows="Touch the bottom")
            await one.pilot.pause()
            kept.append(StylesCache.get_inner_outer.cache_info().currsize)
        assert kept[-1] <= kept[0]


async def test_a_verdict_whose_time_ran_out_under_another_page_is_gone_too(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        await one.plays()
        verdict = VerdictScreen(CLAIMED, seconds=0.3)
        await one.app.push_screen(verdict)
        await one.app.push_screen(HelpScreen())
        await one.until(lambda: verdict.expired)
        assert isinstance(one.app.screen, HelpScreen)
        await one.press("x", shows="Touch the bottom")


async def test_a_new_game_closes_the_score(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = one.engine(msgspec.structs.replace(TABLE, phase="over", over=True, player=0), SCORE)
        await one.until(lambda: isinstance(one.app.screen, ScoreScreen))
        end.server.send(TABLE)
        await one.shows("Touch the bottom")


async def test_after_the_score_t_asks_whether_a_new_game_lies_there(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = one.engine(msgspec.structs.replace(TABLE, phase="over", over=True, player=0), SCORE)
        await one.until(lambda: isinstance(one.app.screen, ScoreScreen))
        await one.press("x", "t", shows="Does a new one lie there?")
        await one.press("2")
        await one.told(end, TableIsRight(2, new_game=True))
        await one.press("t", "n", shows="Looking...")
        await one.press("enter")
        await one.told(end, TableIsRight(2, new_game=True), AskPosition(), TableIsRight(new_game=False))


async def test_four_beds_and_no_beds(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = await one.plays()
        end.server.send(msgspec.structs.replace(TABLE, places=TABLE.places[:4]))
        await one.until(lambda: "5 AWAKE" not in one.text())
        assert one.text().count("AWAKE") == 2
        end.server.send(msgspec.structs.replace(TABLE, places=()))
        await one.until(lambda: "Watermelons" not in one.text())
        assert "open row" in one.text()


async def test_growing_the_terminal_makes_letters_bigger(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        await one.plays()
        await one.pilot.resize_terminal(200, 60)
        await one.until(lambda: "█" * 12 in one.text())
        await one.pilot.resize_terminal(60, 15)
        await one.pilot.resize_terminal(80, 24)
        await one.until(lambda: "█" * 12 not in one.text())


async def test_truth_is_asked_for_only_when_started_with_it(tmp_path: Path) -> None:
    async with desk(tmp_path, truth=True) as one:
        one.engine()
        table = one.table(Truth(("bed 1: Bats, Pizza, Bats",)))
        await one.told(table, ShowTruth())
        await one.until(lambda: one.app.world.truth)
        assert "Bats, Pizza" not in one.text()
        await one.press("v")
        await one.until(lambda: isinstance(one.app.screen, TruthScreen))
        await one.shows("TRUTH - not for players")
        await one.shows("bed 1: Bats, Pizza, Bats")
        await one.press("v", shows="Touch the bottom")


async def test_the_key_for_the_truth_says_why_there_is_none(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        await one.plays()
        await one.press("v", shows="there is none here")
        one.table()
        await one.shows("seed 7")
        await one.press("v", shows="companion play --show-truth")
        await one.press("m", shows="s: take a seat")


async def test_the_keys_of_a_virtual_table_say_how_to_break_a_part(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        one.engine()
        table = one.table(TableState(7, 1.0, False, 0, parts=("camera", "board")))
        await one.shows("x break")
        await one.pilot.click(offset=(one.text().split("\n")[23].index("break"), 23))
        await one.shows("Break which part")
        await one.press("2")
        await one.told(table, SetFault("board", True))


async def test_truth_has_a_terminal_of_its_own(tmp_path: Path) -> None:
    async with desk(tmp_path, app=TruthView(tmp_path / "t")) as one:
        await one.shows("No virtual table answers")
        table = one.table(Truth(("bed 1: Bats",)))
        await one.shows("bed 1: Bats")
        await one.told(table, ShowTruth())
        await one.press("q")
        await asyncio.sleep(0)
        await one.until(lambda: not one.app.is_running)


async def test_a_claim_is_watched_from_when_it_is_heard_and_its_verdict_comes_on_the_same_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with desk(tmp_path) as one:
        end = one.engine(HEARD)
        await one.until(lambda: isinstance(one.app.screen, VerdictScreen))
        screen = one.app.screen
        await one.shows("Bats, bed 3")
        assert "Nobody has seen" not in one.text()
        end.server.send(msgspec.structs.replace(HEARD, subject=5, name="Daisies, bed 5"))
        end.server.send(msgspec.structs.replace(CLAIMED, verdict="refuted", text="Still awake!"))
        await one.shows("Nobody has seen")
        assert one.app.screen is screen
        await one.press("x", shows="Touch the bottom")
        monkeypatch.setattr(verdict_and_score, "HEARD_S", 0.05)
        end.server.send(HEARD)
        await one.until(lambda: isinstance(one.app.screen, VerdictScreen))
        # No verdict comes: nobody has to close it.
        await one.until(lambda: not isinstance(one.app.screen, VerdictScreen))


async def test_the_room_holds_its_breath_before_the_word_and_cards_come_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verdict_and_score, "REVEAL_S", 0.02)
    hidden = TABLE.places[2]
    shown = msgspec.structs.replace(hidden, shown=("Bats", "*Bats", "Pizza"))
    async with desk(tmp_path) as one:
        await one.plays()
        screen = VerdictScreen(
            msgspec.structs.replace(CLAIMED, verdict="proved", text="She sleeps!"), hidden, breath=60
        )
        await one.app.push_screen(screen)
        waiting = screen.page(80, 24).plain
        assert "Bats, bed 3" in waiting
        assert "mattresses" not in waiting
        assert written("BATS", waiting), "the claim is read from afar"
        assert not written("SHE", waiting), "no word before its time"
        screen.take(msgspec.structs.replace(TABLE, places=(*TABLE.places[:2], shown, *TABLE.places[3:])))
        assert "*Bats" not in screen.page(80, 24).plain
        seen: list[int] = []
        paint = screen.paint
        monkeypatch.setattr(screen, "paint", lambda: (paint(), seen.append(screen.shown)))
        screen.breathe_out()
        seen.remove(0)  # the word alone
        assert screen.shown == 1
        await one.until(lambda: screen.shown == len(shown.shown))
        assert seen == [1, 2, 3]
        assert "*Bats" in screen.page(80, 24).plain
        assert written("SHE", screen.page(80, 24).plain)


def written(word: str, page: str) -> bool:
    """Whether the page has this word in big letters of any size."""
    sizes = (big(word, scale) for scale in (1, 2, 3, 4))
    return any(all(row.rstrip() in page for row in rows) for rows in sizes)


async def test_a_bed_that_is_touched_asks_before_it_claims_and_a_card_says_its_name(tmp_path: Path) -> None:
    async with desk(tmp_path) as one:
        end = await one.plays()
        await one.pilot.click("#place-2")  # she sleeps: nothing can be claimed
        await one.pilot.click("#place-3")
        await one.shows("Claim this?")
        await one.shows("Bats sleeps")
        await one.press("escape")
        await one.pilot.click("#place-3")
        await one.until(lambda: isinstance(one.app.screen, PickScreen))
        await one.press("y")
        await one.told(end, Claim(3))
        await one.pilot.click("#row", offset=(4, 3))
        await one.shows("That card: 3.")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_who_cannot_see_says_so_first_and_what_helps_once(tmp_path: Path, size: tuple[int, int]) -> None:
    blind = SensorHealth("camera", False, "two corners are hidden; move the camera back")
    async with desk(tmp_path, size=size) as one:
        end = one.engine(blind)
        await one.shows("the table: two corners are hidden; move the camera back")
        assert one.text().count("two corners") == 1
        assert one.app.table_screen.parts["now"].has_class("-blind")
        end.server.send(msgspec.structs.replace(blind, detail="far " * 60))
        await one.shows("far far")
        assert one.app.table_screen.parts["status"].display, "what has no room there is told below"


async def test_children_get_a_word_and_a_picture_and_no_reasons(tmp_path: Path) -> None:
    app = Dashboard(tmp_path / "e", look=ScreenLook(motion=False, children=True))
    async with desk(tmp_path, app=app) as one:
        one.engine(CLAIMED)
        await one.shows("any key")
        assert "Nobody has seen" not in one.text()
        await one.shows("Show the camera")
