"""The main screen at the sizes that terminals have: nothing is cut, lost or jumps, in any phase of any game."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from random import Random

import msgspec
import pytest

from companion.dashboard.app import Dashboard
from companion.dashboard.display_settings import ScreenLook
from companion.dashboard.widgets.banner import large_sentence
from companion.dashboard.widgets.big_letters import big
from companion.games.sleepless_princess.players.policies import make_policy
from companion.games.sleepless_princess.players.simulation import play_out
from companion.games.sleepless_princess.public_screen import screen
from companion.games.sleepless_princess.rules.card_kinds import face_text
from companion.games.sleepless_princess.rules.rulebook import RULES
from companion.games.sleepless_princess.rules.state import Phase, State
from companion.session.narration import CORRECTIONS
from companion.session.stream.events import PROTOCOL, Question, Refused, Said, SensorHealth, Table, Welcome
from companion.session.stream.virtual_table_events import TableState
from tests.dashboard.test_dashboard_app import Desk, desk
from tests.dashboard.test_dashboard_text import WELCOME

SIZES = ((80, 24), (100, 30), (120, 40), (160, 48), (200, 60))
SIZED = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
GAMES = [("basic", players) for players in (2, 3, 4, 5)] + [("5+", players) for players in (2, 3, 4)]
FAULT = SensorHealth(
    "board",
    False,
    "the port vanished: /dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_e66164084373ab2a-if00; plug it in",
)
ASKED = Question("Something is off. On the bed of Princess 10 I see a mattress, and miss two.", CORRECTIONS)
NOT_ASKED = Question("")
FAULT_WORDS = "Board: the port vanished; plug it in · F5 look · l why"
ASKED_WORDS = (ASKED.text, "whose turn")
WELL = SensorHealth("board", True)
SAID = Said(1.0, "Player 2 takes the open 7.")
LONG = (
    "Board: the port vanished. Until that is mended I feel no touch, follow no mattress that is moved,"
    " hear no button: claim by key, and a claim is judged only when its mattresses are turned up."
)


@cache
def phases_of(variant: str, players: int) -> list[State]:
    """A state of each phase of one game: of each, the one with the most to say."""
    states = [RULES.empty_table(variant, players)]
    dealt = RULES.setup(variant, players, Random(players))
    states += [step.after for step in play_out(dealt, make_policy("sensible"), Random(players))]

    def words(state: State) -> int:
        fields = screen(state, "memory")
        return sum(map(len, [*fields["may"], *fields["may_not"]]))

    best: dict[Phase, State] = {}
    for state in states:
        if state.phase not in best or words(state) > words(best[state.phase]):
            best[state.phase] = state
    return list(best.values())


def table_of(state: State) -> Table:
    turned_up = {
        f"bed {number}": tuple(face_text(state.faces[slot]) for slot in pile)
        for number, pile in enumerate(state.beds, 1)
    }
    return msgspec.convert({"e": "table", **screen(state, "memory", turned_up=turned_up)}, Table)


def hello(variant: str, players: int) -> Welcome:
    return Welcome(PROTOCOL, "0.1.0", "sleepless-princess", variant, players)


def squeezed(text: str) -> str:
    """The text however it is wrapped: a path may go on in the next row, too."""
    return "".join(text.split())


async def show(one: Desk, *events: object) -> str:
    """The words of the screen that heard these events, however they are wrapped."""
    for event in events:
        one.app.model.take(event)
    one.app.table_screen.paint()
    await one.pilot.pause()
    return squeezed(one.text().replace("•", " "))


def uncut(words: str, table: Table, *sentences: str) -> None:
    for whole in (
        f"{table.piles[0].count} of {table.piles[0].full}",
        "F1 help",
        "q quit",
        *table.may,
        *sentences,
    ):
        assert squeezed(whole) in words or lettered(whole, words), (
            f"{whole!r} is not whole on the screen: {words}"
        )


def lettered(sentence: str, words: str) -> bool:
    """Whether each word stands there in big letters."""
    return all(squeezed(row) in words for word in sentence.split() for row in big(word))


def letters(one: Desk) -> tuple[int, int]:
    """Rows of the title's panel, and of the letters in it."""
    title = one.app.table_screen.parts["now"]
    return title.size.height, title.shown.plain.count("\n") + 1


@asynccontextmanager
async def attached(folder: Path, size: tuple[int, int]) -> AsyncIterator[Desk]:
    """A screen that hears an engine and a virtual table, over no socket."""
    async with desk(folder, size=size) as one:
        one.app.model.connected(True)
        one.app.world.connected(True)
        one.app.world.take(TableState(7, 1.0, False, 0))
        yield one


@pytest.mark.quick(2)
@SIZED
async def test_nothing_is_cut_and_nothing_jumps_in_any_phase(tmp_path: Path, size: tuple[int, int]) -> None:
    async with attached(tmp_path, size) as one:
        titles = set()
        for state in phases_of("basic", 5):
            table = table_of(state)
            words = await show(one, hello("basic", 5), WELL, NOT_ASKED, table, SAID)
            uncut(words, table, SAID.text, "x break", *table.may_not)
            titles.add(letters(one))
            beds = one.app.table_screen.place_row.region
            uncut(await show(one, FAULT, ASKED), table, SAID.text, FAULT_WORDS, *ASKED_WORDS)
            assert one.app.table_screen.place_row.region.size == beds.size
        assert len(titles) == 1


@pytest.mark.quick(2)
@SIZED
async def test_nothing_is_cut_however_many_play(tmp_path: Path, size: tuple[int, int]) -> None:
    async with attached(tmp_path, size) as one:
        for variant, players in GAMES:
            table = table_of(next(one for one in phases_of(variant, players) if one.phase is Phase.CHECK))
            words = await show(one, hello(variant, players), NOT_ASKED, FAULT, table, SAID)
            uncut(words, table, SAID.text, FAULT_WORDS)
            uncut(await show(one, WELL, ASKED), table, SAID.text, "x break", *ASKED_WORDS)


@SIZED
async def test_hands_on_the_table_move_nothing(tmp_path: Path, size: tuple[int, int]) -> None:
    async with attached(tmp_path, size) as one:
        table = table_of(phases_of("basic", 5)[0])
        places = set()
        for settled in (True, False):
            await show(one, WELCOME, msgspec.structs.replace(table, settled=settled), SAID)
            places.add(tuple(panel.region for panel in one.app.table_screen.all_panels()))
        assert len(places) == 1


@SIZED
async def test_a_long_sentence_is_whole_or_says_where_it_is(tmp_path: Path, size: tuple[int, int]) -> None:
    async with attached(tmp_path, size) as one:
        words = await show(one, WELCOME, table_of(phases_of("basic", 5)[0]), Said(1.0, LONG, "fault"))
        assert squeezed(LONG) in words or (size == (80, 24) and "..(l:all)" in words)
        assert squeezed(LONG) in await show(one, WELCOME, Refused(LONG))


async def test_a_fault_is_told_once_with_what_to_do_as_long_as_it_lasts(tmp_path: Path) -> None:
    told = "Board: the cable is out. Until it is back I feel no touch."
    failing = SensorHealth("board", False, "the cable is out")
    async with attached(tmp_path, (120, 40)) as one:
        table = table_of(phases_of("basic", 5)[2])
        words = await show(one, hello("basic", 5), table, failing, Said(1.0, told, "fault", "board"))
        assert words.count("thecableisout") == words.count(squeezed("the cable is out · F5 look · l why")) == 1
        words = await show(one, WELL, Said(2.0, "Board works again.", "notice"))
        assert "thecableisout" not in words
        assert "Boardworksagain." in words


@pytest.mark.quick(2)
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("children", [False, True], ids=["television", "children"])
async def test_a_television_shows_what_to_do_as_large_as_it_can(
    tmp_path: Path, size: tuple[int, int], children: bool
) -> None:
    usual = Dashboard(tmp_path / "e")
    app = Dashboard(tmp_path / "e", look=ScreenLook(motion=False, big=not children, children=children))
    table = table_of(phases_of("basic", 5)[2])
    rows = []
    for one in (usual, app):
        async with desk(tmp_path, size=size, app=one) as shown:
            one.model.connected(True)
            words = await show(shown, hello("basic", 5), WELL, table, SAID)
            rows.append(one.table_screen.parts["now"].size.height)
            if one is app:
                assert squeezed(SAID.text) not in words
                assert "F1help" not in words
                large = squeezed("".join(large_sentence(table.may[0], size[0])))
                assert (squeezed(table.may[0]) in words or large in words) == (not children)
                for place in table.places:
                    assert squeezed(place.name) in words
                await shown.pilot.press("f1")
                await shown.shows("HELP")
    assert rows[1] > rows[0]


async def test_a_small_window_keeps_what_to_do_and_the_keys_and_says_that_it_is_small(tmp_path: Path) -> None:
    async with desk(tmp_path, size=(60, 15)) as one:
        await one.plays()
        assert "Window too small: 80 x 24 shows all" in one.text()
        assert "q quit" in one.text()
        assert "AWAKE" not in one.text()
        await one.pilot.resize_terminal(80, 24)
        await one.shows("1 AWAKE")
        assert "too small" not in one.text()
