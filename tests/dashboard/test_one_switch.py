"""One switch: choices light up one after another, and a press takes the lit one, on every screen of a game."""

import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.core.address_card import wait_for_card
from companion.core.clock import ManualClock, RealClock
from companion.core.config import Config, load_config, with_switch
from companion.core.errors import BadInputError
from companion.dashboard.app import Dashboard
from companion.dashboard.display_settings import ScreenLook
from companion.dashboard.one_switch.scan_panel import ScanPanel, scan_rows
from companion.dashboard.one_switch.scanner import BOUNCE_S, LONGEST_ROW, ROUNDS, UNAWARE_S, Choice, Scanner
from companion.dashboard.screens.dialogs import PickScreen
from companion.dashboard.screens.settings_screen import SettingsScreen
from companion.dashboard.screens.verdict_and_score import ScoreScreen
from companion.dashboard.start_app import PLAY, StartApp
from companion.dashboard.start_form import GameOffer, StartForm
from companion.dashboard.themed_app import ThemedApp
from companion.session.stream.commands import (
    Answer,
    AskHint,
    AskPosition,
    CompanionIsRight,
    EndGame,
    Pause,
    TableIsRight,
    Undo,
)
from companion.session.stream.events import Position, Question, StatementView
from companion.session.stream.virtual_table_events import Choose, Restart
from tests.dashboard.test_dashboard_app import Desk, desk
from tests.dashboard.test_dashboard_text import ASK, SCORE, TABLE, TURN

PACE_S, START_S = 1.0, 2.0
FEW = [Choice(word, print) for word in ("one", "two", "three")]
MANY = [Choice(f"choice {number}", print) for number in range(1, 31)]


class Scan:
    """A scanner, and time that passes."""

    def __init__(self, choices: list[Choice]) -> None:
        self.clock = ManualClock()
        self.scanner = Scanner(self.clock.now, PACE_S, START_S)
        self.scanner.offer(choices)
        self.wait(START_S + PACE_S / 2)

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds * 10)):
            self.clock.sleep(0.1)
            self.scanner.tick()

    def lit(self) -> str:
        """The lit words; of a lit row all."""
        return ", ".join(lit_words(self.scanner))


def lit_words(scanner: Scanner) -> list[str]:
    if scanner.lit is None:
        return []
    row, place = scanner.lit
    return [choice.words for at, choice in enumerate(scanner.rows[row]) if place in (None, at)]


def test_choices_light_up_one_after_another_and_the_first_one_longer() -> None:
    scan = Scan(FEW)
    seen = [scan.lit()]
    for _ in range(3):
        scan.wait(PACE_S)
        seen.append(scan.lit())
    assert seen == ["one", "two", "three", "one"]


def test_a_press_takes_the_lit_one_and_a_bounce_takes_nothing() -> None:
    scan = Scan(FEW)
    scan.wait(PACE_S)
    assert scan.scanner.press() == FEW[1]
    for _ in range(5):  # a key that is held down repeats itself
        scan.clock.sleep(BOUNCE_S - 0.02)
        assert scan.scanner.press() is None
    scan.clock.sleep(BOUNCE_S + 0.01)
    assert scan.scanner.press() == FEW[0]


def test_many_choices_are_scanned_in_rows_with_a_way_back() -> None:
    scan = Scan(MANY)
    rows = scan.scanner.rows
    assert [len(row) for row in rows] == [6] * 5
    scan.wait(PACE_S)
    assert scan.lit() == ", ".join(f"choice {number}" for number in range(7, 13))
    assert scan.scanner.press() is None
    scan.wait(START_S + 5.5 * PACE_S)
    assert scan.lit() == "choice 12"
    scan.wait(PACE_S)
    assert scan.lit() == "other rows"
    scan.scanner.press()
    assert scan.lit() == ", ".join(f"choice {number}" for number in range(1, 7))


def test_at_most_eight_choices_have_no_rows() -> None:
    assert len(Scan(MANY[:LONGEST_ROW]).scanner.rows) == 1
    assert len(Scan(MANY[: LONGEST_ROW + 1]).scanner.rows) == 3


def test_without_a_press_the_scan_goes_back_and_rests_and_a_press_takes_nothing_then() -> None:
    scan = Scan(MANY)
    scan.scanner.press()
    scan.wait(START_S + ROUNDS * 7 * PACE_S + 0.1)
    assert scan.lit().startswith("choice 1, choice 2")
    scan.wait(START_S + ROUNDS * 5 * PACE_S)
    assert (scan.lit(), scan.scanner.resting) == ("", True)
    assert scan.scanner.press() is None
    assert scan.lit().startswith("choice 1, choice 2")


def test_a_press_that_was_meant_for_choices_before_takes_nothing() -> None:
    scan = Scan(FEW)
    scan.scanner.offer([Choice("claim", print), *FEW])
    scan.clock.sleep(UNAWARE_S - 0.01)
    assert scan.scanner.press() is None
    scan.clock.sleep(BOUNCE_S + 0.01)
    taken = scan.scanner.press()
    assert taken is not None
    assert taken.words == "claim"


def test_choices_within_another_stay_open_while_that_one_changes_its_words() -> None:
    letters = (Choice("A", print, stays=True), Choice("B", print, stays=True))
    scan = Scan([Choice("nobody", inside=letters)])
    assert scan.scanner.press() is None
    scan.wait(BOUNCE_S + START_S + PACE_S)
    assert scan.lit() == "B"
    assert scan.scanner.press() == letters[1]
    scan.scanner.offer([Choice("B", inside=letters)])
    assert scan.lit() == "A"
    scan.wait(START_S + 2.2 * PACE_S)
    assert scan.lit() == "back"
    scan.scanner.press()
    assert scan.lit() == "B"


def test_what_is_lit_is_in_sight_and_has_an_arrow() -> None:
    scan = Scan(MANY)
    scan.wait(4 * PACE_S)
    rows, lit_at = scan_rows(scan.scanner.rows, scan.scanner.lit, 40)
    assert "►choice 25" in rows[lit_at].plain
    assert max(row.cell_length for row in rows) <= 40
    assert sum(row.plain.count("►") for row in rows) == 6


@pytest.mark.parametrize(
    ("key", "name"), [("F12", "f12"), ("Space", "space"), ("A", "A"), ("ctrl+x", "ctrl+x"), ("comma", "comma")]
)
def test_a_key_is_taken_by_its_name(key: str, name: str) -> None:
    assert with_switch(Config(), key).screen.switch == name


@pytest.mark.parametrize("key", ["two words", "x" * 30, "\n", "F99", "foot", "ctrl+", "hyper+x"])
def test_a_key_that_there_is_not_is_refused(key: str, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="no key"):
        with_switch(Config(), key)
    file = tmp_path / "companion.toml"
    file.write_text("[screen]\nscan_s = 0.1\n")
    with pytest.raises(BadInputError, match="scan_s"):
        load_config(file)


class Person:
    """Has one switch, and sees what is lit."""

    def __init__(self, app: ThemedApp, key: str = "space") -> None:
        self.clock = ManualClock()
        assert app.scan is not None
        app.scan.clock = self.clock.now
        self.scan, self.key = app.scan, key

    async def take(self, one: Desk, *wanted: str) -> None:
        """Take choices one after another: each row that holds the next one, then itself."""
        for words in wanted:
            for _ in range(300):
                self.scan.advance()
                self.clock.sleep(0.6)
                self.scan.advance()
                scanner = self.scan.scanner
                assert scanner is not None
                lit = lit_words(scanner)
                a_row = scanner.lit is not None and scanner.lit[1] is None
                if scanner.resting or any(words in one for one in lit):
                    await one.press(self.key)
                    if lit and not a_row:
                        break
                await one.pilot.pause(0.002)
            else:
                pytest.fail(f"{words} never lit up:\n{one.text()}")
            await one.pilot.pause(0.02)


def at_table(folder: Path, key: str = "space", file: Path | None = None) -> Dashboard:
    look = ScreenLook(motion=False, switch=key, scan_s=0.5, scan_start_s=0.0, file=file)
    return Dashboard(folder / "e", folder / "t", look=look)


@pytest.mark.parametrize("key", ["space", "enter", "f12", "j"])
async def test_a_game_is_told_what_the_switch_has_taken(tmp_path: Path, key: str) -> None:
    app = at_table(tmp_path, key)
    somebody = Person(app, key)
    async with desk(tmp_path, app=app) as one:
        end = await one.plays()
        await somebody.take(one, "hint", "pause", "undo")
        await one.told(end, AskHint("nudge"), Pause(True), Undo())


async def test_a_dialog_lies_above_the_choices_of_the_scan(tmp_path: Path) -> None:
    app = at_table(tmp_path)
    async with desk(tmp_path, app=app, size=(120, 40)) as one:
        one.engine()
        await one.shows("everything else")
        app.push_screen(PickScreen("Break what?", [(letter, f"part {letter}") for letter in "abcdefgh"]))
        await one.until(lambda: isinstance(app.screen, PickScreen))
        assert app.scan is not None
        app.scan.advance()
        await one.pilot.pause()
        dialog, panel = app.screen.query_one("PickScreen > Static"), app.screen.query_one(ScanPanel)
        assert panel.region.height > 0
        assert dialog.region.height > 3
        assert dialog.region.bottom == panel.region.y - 1


async def test_questions_and_the_table_that_is_right_are_answered(tmp_path: Path) -> None:
    app = at_table(tmp_path)
    somebody = Person(app)
    lies = Position(2, unseen=(StatementView("3", "The claim on Bats failed."),))
    async with desk(tmp_path, app=app, size=(100, 30)) as one:
        end = one.engine(ASK)
        await one.shows("Who is right?")
        await somebody.take(one, "what to put right", "the table is right")
        await one.told(end, CompanionIsRight(), AskPosition())
        end.server.send(lies)
        await one.shows("The claim on Bats failed.")
        await somebody.take(one, "The claim on Bats failed.", "Player 3 begins a turn")
        await one.told(end, CompanionIsRight(), AskPosition(), TableIsRight(3, (3,)))
        end.server.send(Question("Is it so?", ("yes", "no"), "q"))
        await one.shows("Is it so?")
        await somebody.take(one, "yes")
        await one.until(lambda: end.told[-1] == Answer("q", True))


async def test_a_seat_is_played_in_rows_and_a_claim_is_asked_before(tmp_path: Path) -> None:
    app = at_table(tmp_path)
    somebody = Person(app)
    turn = msgspec.structs.replace(TURN, claims=(29,))
    async with desk(tmp_path, app=app, size=(80, 24)) as one:
        one.engine()
        table = one.seat(turn)
        await one.shows("►")
        await one.until(lambda: app.world.choosing)
        await somebody.take(one, "Discard 17.", "Discard 30.", "nothing happens", "Discard 30.", "Discard 30.")
        await one.told(table, Choose(16), Choose(29))
        assert "5 5" in one.text()  # the hand stays in sight


async def test_the_end_the_next_game_and_a_seed_are_chosen(tmp_path: Path) -> None:
    app = at_table(tmp_path)
    somebody = Person(app)
    over = msgspec.structs.replace(TABLE, over=True, player=0)
    async with desk(tmp_path, app=app, size=(100, 30)) as one:
        end = one.engine()
        table = one.table()
        await one.shows("Touch the bottom")
        await one.until(lambda: app.world.attached)
        await somebody.take(one, "everything else", "Score, or end the game here", "yes")
        await one.told(end, EndGame())
        for event in (over, SCORE):
            end.server.send(event)
        await one.until(lambda: isinstance(app.screen, ScoreScreen))
        await somebody.take(one, "go on", "new game", "4", "2", "done")
        await one.told(table, Restart(42))
        await somebody.take(one, "next game", "no: it is still the same game")
        await one.until(lambda: end.told[-1] == AskPosition())


async def test_speed_and_switch_are_set_and_kept_and_pages_are_left(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    app = at_table(tmp_path, file=file)
    somebody = Person(app)
    async with desk(tmp_path, app=app, size=(100, 30)) as one:
        await one.plays()
        await somebody.take(one, "everything else", "Log", "back", "everything else", "Settings")
        await one.until(lambda: isinstance(app.screen, SettingsScreen))
        await somebody.take(one, "lit for: 0.5 s", "first one: 0 s", "player 1", "A", "B", "back", "back")
        await one.until(lambda: not isinstance(app.screen, SettingsScreen))
        assert app.scan.settings == ("space", 0.8, 0.5)
        # Somebody else sets another key, and none.
        await one.press("f4", "down", "down", "j")
        await one.until(lambda: app.scan.settings[0] == "j")
        await one.press("left")
        await one.until(lambda: app.scan.settings[0] == "enter")
        await one.press("left", "left")
        await one.until(lambda: app.scan.scanner is None)
        assert not app.screen.query(ScanPanel)
    kept = load_config(file)
    assert (kept.screen.scan_s, kept.screen.scan_start_s, kept.screen.switch) == (0.8, 0.5, "")
    assert kept.player_names == () or kept.player_names[0] == "AB"


async def test_the_first_form_is_filled_and_left_by_the_switch() -> None:
    offers = (GameOffer("a-game", {"basic": (2, 3, 4)}), GameOffer("b-game", {"only": (2, 3)}))
    app = StartApp(StartForm(offers), ScreenLook(switch="space", scan_s=0.5, scan_start_s=0.0))
    somebody = Person(app)
    async with app.run_test(size=(80, 24)) as pilot:
        one = Desk(Path(), app)
        one.pilot = pilot
        await somebody.take(one, "game: A Game", "players: 3", "player 2", "A", "-", "rub out", "back")
        await somebody.take(one, "you: only watch", "PLAY")
        await pilot.pause()
    assert (app.choice, app.form.offer.name, app.form.players) == (PLAY, "b-game", 2)
    assert (app.form.given_names, app.form.seat) == (("", "A"), 1)


RESTS = "press: choose"
"""RESTS: words on the panel while nothing lights up, until the switch is pressed."""
LIT = re.compile(r"►(.*?)(?= {2,}| ┃|$)", re.MULTILINE)


@pytest.mark.long
async def test_a_whole_game_is_played_to_its_score_with_one_switch(tmp_path: Path) -> None:
    card = tmp_path / "table.json"
    command = [sys.executable, "-m", "companion"]
    table = ["table", "--players", "2", "--seed", "3", "--speed", "8", "--address", str(card)]
    parts = [subprocess.Popen([*command, *table])]
    try:
        address = wait_for_card(card, RealClock(), lambda: parts[0].poll() is None)
        engine = [
            "run",
            "--table",
            str(card),
            "--socket",
            str(tmp_path / "e"),
            "--journal",
            str(tmp_path / "j"),
        ]
        parts.append(subprocess.Popen([*command, *engine]))
        look = ScreenLook(motion=False, switch="space", scan_s=0.4, scan_start_s=0.1)
        app = Dashboard(tmp_path / "e", Path(address.control), seat=1, look=look)
        async with app.run_test(size=(100, 30)) as pilot:
            one = Desk(tmp_path, app)
            one.pilot = pilot

            def over() -> bool:
                assert all(part.poll() is None for part in parts), "table or engine has ended"
                return app.model.score is not None

            presses = await _played(one, Random(2), over)
            assert presses > 20
            assert app.model.score is not None
    finally:
        for part in parts:
            part.send_signal(signal.SIGTERM)
            part.wait(60)


async def _played(one: Desk, chance: Random, over: Callable[[], bool]) -> int:
    """Press the switch by what the panel shows, until the game is over; how often."""
    presses, wanted = 0, ""
    while not over():
        await one.pilot.pause(0.05)
        shown = one.text()
        lit = LIT.findall(shown)
        if RESTS in shown:  # a busy machine lets whole rounds pass
            await one.press("space")
        if not lit or all(word in ("everything else", "undo", "pause", "hint", "back") for word in lit):
            continue
        if wanted == lit[0] or chance.random() < 0.4:
            await one.press("space")
            presses += 1
        wanted = ""
    return presses
